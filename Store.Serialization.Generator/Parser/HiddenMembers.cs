// What types keep from compilers of other assemblies. Each assembly says it of its own types ([assembly: NinoHidden], written by generated code), so that one that
// derives from such a type, or closes it, does not lose in silence what it cannot see.

using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class HiddenMembers
{
    /// <summary>Attributes that make a member part of its type's encoding although nobody else sees it.</summary>
    public static readonly string[] Attributes =
    [
        "NinoIncludeAttribute", "NinoMemberAttribute", "NinoConstructorAttribute",
        "NinoOnSerializingAttribute", "NinoOnSerializedAttribute", "NinoOnDeserializingAttribute", "NinoOnDeserializedAttribute",
    ];

    // The symbols of a referenced assembly are the same ones in every compilation until the reference changes.
    private static readonly ConditionalWeakTable<IAssemblySymbol, ILookup<string, HiddenModel>> Referenced = new();

    /// <summary>What the types of this compilation hide.</summary>
    /// <param name="holders">Metadata names of the types that have members with one of <see cref="Attributes"/>.</param>
    /// <param name="markedTypes">Metadata names of the types with [NinoType]: what this assembly stores of them, others store of what is derived from them.</param>
    /// <param name="compilation">The compilation.</param>
    public static EquatableArray<HiddenModel> Of(EquatableArray<string> holders, EquatableArray<string> markedTypes, Compilation compilation)
    {
        bool hasFriends = HasFriends(compilation);
        return new EquatableArray<HiddenModel>(holders.Concat(markedTypes).Distinct().OrderBy(static name => name, StringComparer.Ordinal)
            .Select(compilation.Assembly.GetTypeByMetadataName)
            .OfType<INamedTypeSymbol>()
            .Select(Touched)
            .Where(type => IsNeededElsewhere(type, hasFriends))
            .SelectMany(In));
    }

    private static INamedTypeSymbol Touched(INamedTypeSymbol type)
    {
        SourceReading.Touch(type);
        return type;
    }

    /// <summary>Some other assembly sees what is internal.</summary>
    public static bool HasFriends(Compilation compilation) => compilation.Assembly.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name == "InternalsVisibleToAttribute");

    /// <summary>The setter of a property of another assembly, or of what it overrides there, is hidden, and the property is stored there.</summary>
    public static bool HasSetter(IPropertySymbol property, TypeGraph graph) =>
        Declarations.Of(property).Any(level => DeclaredBy(level.ContainingType, graph).Any(hidden => hidden.Kind == HiddenKind.Setter && hidden.Member == property.Name));

    /// <summary>Reports what the codec of a type would leave out because it is hidden; false where there is nothing.</summary>
    public static bool Report(ParsedType type, TypeGraph graph)
    {
        bool any = false;
        for (INamedTypeSymbol? level = type.Symbol; level is not null; level = level.BaseType)
        {
            foreach (HiddenModel hidden in DeclaredBy(level, graph))
            {
                if (IsSeen(hidden, level, graph) || (hidden.Kind == HiddenKind.Constructor && !SymbolEqualityComparer.Default.Equals(level, type.Symbol))) continue;
                string owner = TypeNames.Message(level);
                (string member, string why) = hidden.Kind switch
                {
                    HiddenKind.State => ($"'{owner}.{hidden.Member}'", "is stored"),
                    HiddenKind.Constructor => (hidden.Member == ".ctor" ? $"a constructor of '{owner}'" : $"'{owner}.{hidden.Member}'", "makes the objects"),
                    _ => ($"'{owner}.{hidden.Member}'", $"is called as [Nino{hidden.Kind}]"),
                };
                graph.Diagnostics.Report(NinoDiagnostics.HiddenMember, DiagnosticSink.Place(type.Symbol, type.Origin.Location), TypeNames.Message(type.Symbol), member, why, level.ContainingAssembly.Name,
                    level.IsValueType || level.IsSealed ? "public there" : "public or protected there");
                any = true;
            }
        }

        return any;
    }

    /// <summary>The assembly of a type says something of a member of it.</summary>
    public static bool Says(INamedTypeSymbol type, string member, HiddenKind kind, TypeGraph graph) => DeclaredBy(type, graph).Any(hidden => hidden.Kind == kind && hidden.Member == member);

    private static IEnumerable<HiddenModel> DeclaredBy(INamedTypeSymbol type, TypeGraph graph) =>
        graph.IsLocal(type) || type.TypeKind == TypeKind.Error ? []
        : Referenced.GetValue(type.ContainingAssembly, static assembly => NinoAttributes.Hidden(assembly).ToLookup(static hidden => hidden.TypeName))[TypeNames.Metadata(type.OriginalDefinition)];

    /// <summary>This compilation sees the member after all: it is a friend of the assembly, or the member is the field of a struct, which every compiler needs.</summary>
    private static bool IsSeen(HiddenModel hidden, INamedTypeSymbol type, TypeGraph graph) => hidden.Kind switch
    {
        HiddenKind.Setter or HiddenKind.Computed or HiddenKind.Kept => true,
        HiddenKind.State => type.GetMembers(hidden.Member).Any(member => member is IFieldSymbol ? type.IsValueType || graph.IsAccessible(member) : member is IPropertySymbol { GetMethod: { } getter } && graph.IsAccessible(getter)),
        HiddenKind.Constructor => type.GetMembers().OfType<IMethodSymbol>().Any(method => (NinoAttributes.IsConstructor(method) || SymbolEqualityComparer.Default.Equals(method, ConstructorParser.EmptyOfNonPublic(type))) && graph.IsAccessible(method)),
        _ => type.GetMembers(hidden.Member).OfType<IMethodSymbol>().Any(method => NinoAttributes.Callbacks(method).Any() && graph.IsAccessible(method)),
    };

    /// <summary>Another assembly may write a codec for the type, or for one that is derived from it.</summary>
    public static bool IsNeededElsewhere(INamedTypeSymbol type, bool hasFriends)
    {
        bool isFinal = type.IsSealed || type.IsValueType;
        if (type.IsStatic || (isFinal && TypeGraph.HasOneCodec(type, NinoAttributes.IsNinoType(type)))) return false;
        for (INamedTypeSymbol? level = type; level is not null; level = level.ContainingType)
        {
            if (level.IsFileLocal || level.DeclaredAccessibility == Accessibility.Private || (IsHidden(level) && !hasFriends)) return false;
        }

        return true;
    }

    private static IEnumerable<HiddenModel> In(INamedTypeSymbol type)
    {
        string name = TypeNames.Metadata(type);
        foreach (ISymbol member in type.GetMembers())
        {
            switch (member)
            {
                case IMethodSymbol method when IsHidden(method):
                    if (NinoAttributes.IsConstructor(method) || (SymbolEqualityComparer.Default.Equals(method, ConstructorParser.EmptyOfNonPublic(type)) && type.InstanceConstructors.All(static one => one.DeclaredAccessibility != Accessibility.Public))) yield return new HiddenModel(name, method.Name, HiddenKind.Constructor);
                    foreach (CallbackTime time in NinoAttributes.Callbacks(method)) yield return new HiddenModel(name, method.Name, KindOf(time));
                    break;
                case IFieldSymbol or IPropertySymbol when !member.IsStatic && MemberParser.IsMarked(member) && !NinoAttributes.IsIgnored(member):
                    var property = member as IPropertySymbol;
                    if (IsHidden(member) || (property?.GetMethod is { } getter && IsHidden(getter))) yield return new HiddenModel(name, member.Name, HiddenKind.State);
                    else if (property?.SetMethod is { } setter && IsHidden(setter)) yield return new HiddenModel(name, member.Name, HiddenKind.Setter);
                    break;
                case IPropertySymbol { SetMethod: { } setter } collection when IsHidden(setter) && MemberParser.IsCollectionWithHiddenSetter(collection) && NinoAttributes.IsNinoType(type) && !NinoAttributes.IsIgnored(collection):
                    yield return new HiddenModel(name, collection.Name, HiddenKind.Setter);
                    break;
                case IPropertySymbol { IsStatic: false, IsIndexer: false, DeclaredAccessibility: Accessibility.Public, GetMethod.DeclaredAccessibility: Accessibility.Public, SetMethod.DeclaredAccessibility: Accessibility.Internal or Accessibility.ProtectedOrInternal } unmarked
                    when NinoAttributes.IsNinoType(type) && !NinoAttributes.IsIgnored(unmarked):
                    // Stored here without a mark.
                    yield return new HiddenModel(name, unmarked.Name, HiddenKind.Setter);
                    break;
            }
        }

        List<HiddenModel> shown = [.. ShownElsewhere.Of(type)];
        foreach (HiddenModel one in shown) yield return one;
        if (!NinoAttributes.IsNinoType(type)) yield break;
        foreach (IPropertySymbol property in type.GetMembers().OfType<IPropertySymbol>())
        {
            var computed = new HiddenModel(name, property.Name, HiddenKind.Computed);
            if (MayBeComputed(property) && MemberSetter.IsComputed(property, type) && !shown.Contains(computed)) yield return computed;
        }
    }

    // A collection that [NinoIgnore] leaves out is filled by the property that shows it.
    private static bool MayBeComputed(IPropertySymbol property) =>
        property is { IsStatic: false, IsIndexer: false, IsAbstract: false, GetMethod.DeclaredAccessibility: Accessibility.Public or Accessibility.Protected or Accessibility.ProtectedOrInternal, SetMethod: null or { DeclaredAccessibility: not Accessibility.Public } } && !MemberParser.IsMarked(property) && !NinoAttributes.IsIgnored(property)
        && !(Filling.Shown(property, out _) is { } filled && NinoAttributes.IsIgnored(filled));

    private static HiddenKind KindOf(CallbackTime time) => time switch
    {
        CallbackTime.Serializing => HiddenKind.OnSerializing,
        CallbackTime.Serialized => HiddenKind.OnSerialized,
        CallbackTime.Deserializing => HiddenKind.OnDeserializing,
        _ => HiddenKind.OnDeserialized,
    };

    private static bool IsHidden(ISymbol symbol) => symbol.DeclaredAccessibility is Accessibility.Private or Accessibility.Internal or Accessibility.ProtectedAndInternal;
}
