// Collection types of the user's: classes and structs that implement ICollection<T> or IDictionary<TKey, TValue>, or are derived from a queue, stack or bag of the
// framework, and have a public parameterless constructor are stored as their elements; so are those that implement IList or IDictionary, as what is derived from ArrayList or CollectionBase does. A member beside the elements would be lost, so it is reported.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

/// <summary>What a collection type holds.</summary>
/// <param name="Arguments">The element, or key and value.</param>
/// <param name="Base">The class of the framework that keeps its elements, where that is no ICollection&lt;T&gt; (<see cref="FrameworkTypes.Bases"/>); else null.</param>
/// <param name="Problem">Why it cannot be stored, or null.</param>
internal sealed record OwnCollection(IReadOnlyList<ITypeSymbol> Arguments, INamedTypeSymbol? Base, string? Problem)
{
    /// <summary>A collection without type arguments: its elements are objects.</summary>
    public bool IsLoose { get; init; }

    /// <summary>What it looks like in a record.</summary>
    public CollectionForm Form => Base is not null && !IsLoose ? BuiltInCodecs.FormOf(Base) : Arguments.Count == 2 ? CollectionForm.Pairs : CollectionForm.Elements;
}

internal static class OwnCollections
{
    /// <summary>Null for a type that is no collection, and for a [NinoType]: that is stored as its members.</summary>
    public static OwnCollection? Of(INamedTypeSymbol type) => NinoAttributes.IsNinoType(type) ? null : OfElements(type);

    /// <summary>As <see cref="Of"/>, also of a [NinoType]: what it would be without.</summary>
    public static OwnCollection? OfElements(INamedTypeSymbol type)
    {
        if (type.IsAbstract || type.TypeKind is not (TypeKind.Class or TypeKind.Struct)) return null;
        List<INamedTypeSymbol> maps = Implemented(type, "IDictionary");
        List<INamedTypeSymbol> collections = Implemented(type, "ICollection");
        List<INamedTypeSymbol> found = maps.Count > 0 ? maps : collections;
        INamedTypeSymbol? parent = found.Count == 0 ? BaseOf(type) : null;
        bool isLoose = found.Count == 0 && parent is not { IsGenericType: true };
        if ((isLoose ? LooseArguments(type, parent) : (parent ?? found[0]).TypeArguments) is not { } arguments) return null;

        // Nobody can mark what is of another assembly.
        bool isOfOthers = type.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty;
        string codec = isOfOthers ? TypeNames.OwnCodec(type) : "give it a codec with [NinoCodec]";
        string? problem = found.Count > 1 ? $"it is a collection of '{TypeNames.Message(found[0].TypeArguments[0])}' and of '{TypeNames.Message(found[1].TypeArguments[0])}'; {(isOfOthers ? "" : "put [NinoType] on it, or ")}{codec}"
            : type.TypeKind == TypeKind.Class && !type.InstanceConstructors.Any(static c => c.Parameters.IsEmpty && c.DeclaredAccessibility == Accessibility.Public) ? $"it is a collection without a public parameterless constructor; {(isOfOthers ? "" : "add one, or ")}{codec}"
            : found.Count > 0 && CannotGrow(type, found[0]) ? $"its base class '{TypeNames.Message(type.BaseType!)}' is made with its elements and takes no more; hold it in a member instead of deriving from it"
            : Beside(type) is { } member ? $"it is a collection, and its member '{member.Name}' would be lost; {(isOfOthers ? "" : "leave it out with [NinoIgnore], put [NinoType] on a class that holds both, or ")}{codec}"
            : LeftUnset(type) is { } required ? $"it is a collection, and its constructor without parameters leaves the required member '{required.Name}' unset; {(isOfOthers ? "" : "put [SetsRequiredMembers] on that constructor, or ")}{codec}"
            : null;
        return new OwnCollection(arguments, parent, problem) { IsLoose = isLoose };
    }

    /// <summary>What a collection without type arguments holds: objects, or strings; null for what is none.</summary>
    private static IReadOnlyList<ITypeSymbol>? LooseArguments(INamedTypeSymbol type, INamedTypeSymbol? parent)
    {
        INamedTypeSymbol root = type;
        while (root.BaseType is { } level) root = level;
        if (root.SpecialType != SpecialType.System_Object) return null;
        if (parent is not null) return [root];
        // A base of the framework that is none of these keeps more than elements. What says that it is read only with a type argument may show a list without one for others.
        INamedTypeSymbol? kept = NearestOfFramework(type);
        if (Implemented(type, "IReadOnlyCollection").Count > 0 || (kept is { SpecialType: SpecialType.None } && !FrameworkTypes.LooseBases.Contains(TypeNames.Metadata(kept)))) return null;
        return ImplementsLoose(type, "IDictionary") ? [root, root] : !ImplementsLoose(type, "IList") ? null : [StringsOf(kept) ?? root];
    }

    private static ITypeSymbol? StringsOf(INamedTypeSymbol? kept) =>
        kept?.Name == "StringCollection" ? kept.GetMembers("Add").OfType<IMethodSymbol>().FirstOrDefault()?.Parameters[0].Type.WithNullableAnnotation(NullableAnnotation.None) : null;

    private static bool ImplementsLoose(INamedTypeSymbol type, string name) => type.AllInterfaces.Any(i => !i.IsGenericType && TypeNames.Metadata(i) == "System.Collections." + name && Framework.Has(i));

    /// <summary>Its Add is that of a read-only collection of the framework's, which throws.</summary>
    private static bool CannotGrow(INamedTypeSymbol type, INamedTypeSymbol collection) =>
        collection.GetMembers("Add").Any(add => type.FindImplementationForInterfaceMember(add)?.ContainingType is { } holder && holder.Name.StartsWith("ReadOnly", System.StringComparison.Ordinal) && Framework.Has(holder));

    /// <summary>The levels of a collection that is derived from one of the framework, above that; null for any other, which keeps its elements itself.</summary>
    public static List<INamedTypeSymbol>? LevelsAboveFramework(INamedTypeSymbol type)
    {
        List<INamedTypeSymbol> levels = [];
        INamedTypeSymbol? level = type;
        for (; level is not null && !Framework.Has(level); level = level.BaseType) levels.Add(level);
        return level is { SpecialType: SpecialType.None } ? levels : null;
    }

    private static INamedTypeSymbol? BaseOf(INamedTypeSymbol type) => NearestOfFramework(type) is { } level && FrameworkTypes.Bases.ContainsKey(TypeNames.Metadata(level.OriginalDefinition)) ? level : null;

    private static INamedTypeSymbol? NearestOfFramework(INamedTypeSymbol type)
    {
        INamedTypeSymbol? level = type.BaseType;
        while (level is not null && !Framework.Has(level)) level = level.BaseType;
        return level;
    }

    /// <summary>What it finds by hash code or keeps in order, or null: keys of a dictionary, elements of a set, priorities of a queue, and the keys that a KeyedCollection finds in its elements.</summary>
    /// <returns>Its type, and which of <see cref="OwnCollection.Arguments"/> it is; -1 for none of them.</returns>
    public static (ITypeSymbol Key, int Argument)? KeyOf(INamedTypeSymbol type, OwnCollection own)
    {
        if (own.Base is not null && !own.IsLoose) return BuiltInCodecs.KeyOf(own.Base) is >= 0 and int argument ? (own.Arguments[argument], argument) : null;
        if (own.Form == CollectionForm.Pairs || Implemented(type, "ISet").Count > 0) return (own.Arguments[0], 0);
        for (INamedTypeSymbol? level = type; level is not null; level = level.BaseType)
        {
            if (TypeNames.Metadata(level.OriginalDefinition) != "System.Collections.ObjectModel.KeyedCollection`2") continue;
            ITypeSymbol key = level.TypeArguments[0];
            return (key, SymbolEqualityComparer.Default.Equals(key, own.Arguments[0]) ? 0 : -1);
        }

        return null;
    }

    /// <summary>Generated code makes it by a type parameter, which C# does not let a type be that has to be given members.</summary>
    private static ISymbol? LeftUnset(INamedTypeSymbol type) =>
        type.InstanceConstructors.Any(static constructor => constructor.Parameters.IsEmpty && NinoAttributes.SetsRequiredMembers(constructor)) ? null : ConstructorParser.FindRequired(type);

    private static List<INamedTypeSymbol> Implemented(INamedTypeSymbol type, string name) =>
        [.. type.AllInterfaces.Where(i => i.Name == name && i.IsGenericType && i.ContainingNamespace is { Name: "Generic", ContainingNamespace.Name: "Collections" } && Framework.Has(i))];

    /// <summary>What says that its serializer stores the members of a collection, for the middle of a sentence; null where its elements are all.</summary>
    public static string? StoresMembers(INamedTypeSymbol type, ForeignContract? contract) => contract is { IsJson: false } ? contract.StoresMembers : MarksOfOthers.StoreMembers(type);

    /// <summary>A public or marked member that holds state and is not the collection's own, declared outside the framework. State that is hidden may be the elements: see <see cref="CollectionState"/>.</summary>
    private static ISymbol? Beside(INamedTypeSymbol type)
    {
        ForeignContract? contract = ForeignContract.Of(type);
        bool storesMembers = StoresMembers(type, contract) is not null;
        for (INamedTypeSymbol? level = type; level is not null; level = level.BaseType)
        {
            if (Framework.Has(level)) return null;
            foreach (ISymbol member in level.GetMembers())
            {
                if (!member.IsStatic && !NinoAttributes.IsIgnored(member) && !PlainModels.LeavesOut(member, type, contract) && (IsState(member) || (storesMembers && IsStored(member))) && !IsTheCollections(member, type)) return member;
            }
        }

        return null;

        // What its serializer stores, whatever access it has. Where the class keeps its elements itself, what shows these reads them.
        bool IsStored(ISymbol member) =>
            member is IFieldSymbol { IsImplicitlyDeclared: false } or IPropertySymbol { IsIndexer: false } && (contract?.Includes(member) ?? MarksOfOthers.Store(type, member)) && !(LevelsAboveFramework(type) is null && CollectionState.ShowsElements(type, member.Name));
    }

    private static bool IsState(ISymbol member) => member switch
    {
        IFieldSymbol { IsConst: false, AssociatedSymbol: null, IsImplicitlyDeclared: false } => member.DeclaredAccessibility == Accessibility.Public || MemberParser.IsMarked(member),
        IPropertySymbol { IsIndexer: false, ExplicitInterfaceImplementations.IsEmpty: true } property => (property.SetMethod is not null || MemberParser.IsAutoProperty(property)) && (property.GetMethod?.DeclaredAccessibility == Accessibility.Public || MemberParser.IsMarked(member)),
        _ => false,
    };

    /// <summary>What collections of the framework declare, such as Capacity and Count: it says how the elements are kept. What another interface does, such as IGrouping.Key, IIdentity.Name or IChangeTracking.IsChanged, is state beside them.</summary>
    private static bool IsTheCollections(ISymbol member, INamedTypeSymbol type)
    {
        if (member is not IPropertySymbol property) return false;
        return Declarations.Of(property).Skip(1).Any(static level => Framework.Has(level.ContainingType)) || type.AllInterfaces.Where(static i => Framework.Has(i) && TypeNames.Metadata(i.OriginalDefinition).StartsWith("System.Collections.", StringComparison.Ordinal)).SelectMany(static i => i.GetMembers()).Any(declared => SymbolEqualityComparer.Default.Equals(type.FindImplementationForInterfaceMember(declared), property));
    }
}
