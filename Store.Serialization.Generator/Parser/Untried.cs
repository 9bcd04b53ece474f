// Which types are not written for themselves and read again before they are written in earnest (NinoFillable.BeginTrial): reading them may change what is everybody's,
// or each part of a graph of objects that refer to each other would write all of it. What codecs of the user's and of other assemblies read cannot be seen from here, nor what types are added to object.

namespace Store.Serialization.Generator.Parser;

internal static class Untried
{
    /// <summary>Types that a factory makes, that keep references, or of which something is read that is not seen here; and all that reach one.</summary>
    public static HashSet<ParsedType> Find(TypeGraph graph, List<ParsedType> types, List<ParsedUnion> unions)
    {
        // A base has such a case.
        List<string> bases = [.. unions.Where(static union => union.Cases.Exists(static one => BuiltInCodecs.IsUnseen(one.Codec.Expression))).Select(static union => union.Expression)];
        HashSet<ParsedType> found = new ReferenceHolders(graph, unions).Find(types);
        found.UnionWith(types.Where(type => IsGiven(type) || type.Members.Exists(member => BuiltInCodecs.IsUnseen(member.Codec!.Expression) || bases.Exists(member.Codec.Expression.Contains))));
        if (graph.Objects is { } objects) found.Add(objects.Node);
        return Reaching.WithUsers(found, types);
    }

    /// <summary>By a method of the user's: the cases of a union of F# are made by methods of the compiler's.</summary>
    private static bool IsGiven(ParsedType type) => type.Case is null && type.Construction!.UsesFactory;
}
