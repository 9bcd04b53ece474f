// Which keys may hold a value declared as object where code that finds or orders them comes upon it. What such a value is nobody knows before it is there (other assemblies and NinoObjects.Register add to the list), so the
// codec of such a key tells the engine to look: OpenKeyCodec. Walked are symbols, as in LoopingKeys, before any type is visited.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class OpenKeys
{
    // A generic type that reaches ever larger constructions of itself is reported elsewhere. Looking costs little.
    private const int MostTypes = 1000;

    public static bool MayHoldObjects(ITypeSymbol key, TypeGraph graph)
    {
        HashSet<string> seen = [];
        Stack<ITypeSymbol> open = new([key]);
        while (open.Count > 0)
        {
            ITypeSymbol type = open.Pop();
            if (LoopingKeys.IsObject(type)) return true;
            if (!seen.Add(TypeNames.Source(type))) continue;
            if (seen.Count > MostTypes) return true;
            foreach (ITypeSymbol part in Asked(type, graph)) open.Push(part);
        }

        return false;
    }

    /// <summary>What code of a value may ask: what is in it, where it is more than the identity of an object; of a base, its cases.</summary>
    private static IEnumerable<ITypeSymbol> Asked(ITypeSymbol type, TypeGraph graph)
    {
        if (type is not INamedTypeSymbol named || graph.UserCodecs.Of(named) is not null) return [];
        // Of a base that is registered here, too.
        IEnumerable<ITypeSymbol> cases = named is { IsValueType: false, IsSealed: false } && !Framework.Has(named) ? graph.Derivations.Of(named) : [];
        if (!named.IsValueType && !LoopingKeys.HasOwnEquality(named)) return cases;
        if (named.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T || FSharpTypes.IsOption(named) || BuiltInCodecs.IsGeneric(named)) return named.TypeArguments;
        if (InlineArrays.ElementOf(named) is { } element) return [element];
        // Tuples, and what else has generated codecs.
        if (Framework.Has(named)) return named.TypeArguments;
        if (FSharpTypes.IsUnion(named)) cases = cases.Concat(named.GetTypeMembers().SelectMany(static one => LoopingKeys.MembersElsewhere(one)));
        return (OwnCollections.Of(named)?.Arguments ?? []).Concat(LoopingKeys.MembersElsewhere(named)).Concat(cases);
    }
}
