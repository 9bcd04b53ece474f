// Which keys of hashed and sorted collections lead code of the program's around in circles: bytes decide how objects to which references are kept hang together, so a key's GetHashCode,
// Equals or CompareTo that asks the objects in it may be sent around a cycle, or along a chain as long as the record, and a stack that is full ends the process. Walked are symbols, not
// codecs: types of other assemblies have theirs elsewhere.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

/// <summary>A collection that hashes or orders keys.</summary>
/// <param name="Collection">The collection.</param>
/// <param name="Key">What it hashes or orders.</param>
/// <param name="Origin">Who reached it first.</param>
internal sealed record KeyedCollection(ITypeSymbol Collection, ITypeSymbol Key, Origin Origin);

internal sealed class LoopingKeys(TypeGraph graph)
{
    private readonly Dictionary<string, bool> _leadToThemselves = [];

    public static void Report(TypeGraph graph)
    {
        var keys = new LoopingKeys(graph);
        foreach (KeyedCollection one in graph.KeyedCollections)
        {
            // What is declared as object is looked at when it is written and read, too: ObjectKeyCodec and OpenKeyCodec of the engine.
            if (IsObject(one.Key) || keys.Find(one.Key) is not { } looping) continue;
            graph.Diagnostics.Report(NinoDiagnostics.LoopingKey, one.Origin.Location, one.Origin.Subject, TypeNames.Message(one.Collection), TypeNames.Message(looping));
        }
    }

    public static bool IsObject(ITypeSymbol type) => type is IDynamicTypeSymbol or { SpecialType: SpecialType.System_Object };

    /// <summary>The first type of which equality or order of a key asks objects that may lead back to themselves, or null.</summary>
    private INamedTypeSymbol? Find(ITypeSymbol key)
    {
        HashSet<string> seen = [];
        Stack<ITypeSymbol> open = new([key]);
        while (open.Count > 0)
        {
            ITypeSymbol type = open.Pop();
            if (!seen.Add(TypeNames.Source(type))) continue;
            bool isAsked = type.IsValueType || HasOwnEquality(type);
            if (isAsked && type is INamedTypeSymbol { IsAbstract: false } named && graph.References.AreKept(named) && LeadsToItself(named)) return named;
            // Of a base any case may be the key; objects without an equality of their own ask nobody.
            foreach (ITypeSymbol part in isAsked || IsObject(type) ? Parts(type) : Cases(type)) open.Push(part);
        }

        return null;
    }

    private bool LeadsToItself(INamedTypeSymbol type)
    {
        string name = TypeNames.Source(type);
        if (_leadToThemselves.TryGetValue(name, out bool known)) return known;
        HashSet<string> seen = [];
        Stack<ITypeSymbol> open = new(Parts(type));
        // Nobody knows what stands in an object, and it is not looked at where the key is a reference to what was read elsewhere.
        bool isUnknown = false;
        while (open.Count > 0 && !isUnknown && !seen.Contains(name))
        {
            ITypeSymbol part = open.Pop();
            isUnknown = IsObject(part);
            if (!seen.Add(TypeNames.Source(part))) continue;
            foreach (ITypeSymbol next in Parts(part)) open.Push(next);
        }

        return _leadToThemselves[name] = isUnknown || seen.Contains(name);
    }

    /// <summary>More than the identity of the object. Records have it from the compiler.</summary>
    public static bool HasOwnEquality(ITypeSymbol type)
    {
        if (type is not INamedTypeSymbol { TypeKind: TypeKind.Class } named) return false;
        if (named.AllInterfaces.Any(static one => one.Name is "IEquatable" or "IComparable" && one.ContainingNamespace is { Name: "System", ContainingNamespace.IsGlobalNamespace: true })) return true;
        for (INamedTypeSymbol? level = named; level is not null && level.SpecialType != SpecialType.System_Object; level = level.BaseType)
        {
            if (level.IsRecord || level.GetMembers("GetHashCode").Concat(level.GetMembers("Equals")).Any(static member => member is IMethodSymbol { IsOverride: true })) return true;
        }

        return false;
    }

    /// <summary>The types of what is stored in a value: members, elements, and everything that may stand in its place.</summary>
    private IEnumerable<ITypeSymbol> Parts(ITypeSymbol type)
    {
        if (type is IArrayTypeSymbol array) return [array.ElementType];
        if (IsObject(type)) return graph.Objects?.Node.Members.Select(static member => member.Type) ?? [];
        // What a codec of the user's writes is no object to which references are kept here.
        if (type is not INamedTypeSymbol named || graph.UserCodecs.Of(named) is not null) return [];
        if (named.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T || FSharpTypes.IsOption(named) || BuiltInCodecs.IsGeneric(named)) return named.TypeArguments;
        if (BuiltInCodecs.IsOfObjects(named)) return [graph.Compilation.GetSpecialType(SpecialType.System_Object)];
        if (InlineArrays.ElementOf(named) is { } element) return [element];
        if (graph.MembersOf(named) is { } members) return members.Where(static member => NinoAttributes.Codec(member.Symbol) is null).Select(static member => member.Type).Concat(Cases(named));
        if (NinoAttributes.IsNinoType(named)) return MembersElsewhere(named).Concat(Cases(named));
        return !Framework.Has(named) && OwnCollections.Of(named) is { } own ? own.Arguments : Cases(named);
    }

    private IEnumerable<ITypeSymbol> Cases(ITypeSymbol type)
    {
        if (type is not INamedTypeSymbol { IsValueType: false, IsSealed: false } named) return [];
        return graph.CasesOf(named) ?? (NinoAttributes.IsNinoType(named) ? graph.Derivations.Of(named) : []);
    }

    /// <summary>Of a type whose codec is another assembly's: what that may have found to store.</summary>
    public static IEnumerable<ITypeSymbol> MembersElsewhere(INamedTypeSymbol type)
    {
        HashSet<string> parameters = new(type.InstanceConstructors.SelectMany(static constructor => constructor.Parameters).Select(static parameter => parameter.Name), StringComparer.OrdinalIgnoreCase);
        for (INamedTypeSymbol? level = type; level is not null && level.SpecialType is not (SpecialType.System_Object or SpecialType.System_ValueType); level = level.BaseType)
        {
            foreach (ISymbol member in level.GetMembers())
            {
                if (member.IsStatic || NinoAttributes.IsIgnored(member) || NinoAttributes.Codec(member) is not null) continue;
                if (member is IFieldSymbol { AssociatedSymbol: null } field) yield return field.Type;
                else if (member is IPropertySymbol { IsIndexer: false } property && (property.SetMethod is not null || parameters.Contains(property.Name) || NinoAttributes.IsIncluded(property) || property.Type is INamedTypeSymbol { IsGenericType: true })) yield return property.Type;
            }
        }
    }
}
