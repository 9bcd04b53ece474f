// Keys of a dictionary and elements of a set are told apart by all that is stored of them. What a plan leaves out of them, or gives the value that others have, may make equal what was different: for the
// schema file. What equality a type has is not in its schema; where it is that of the object, nothing becomes equal, and is told all the same.

namespace Store.Serialization.Evolution;

/// <summary>Walks the plan of a key once and collects why values that differ may become equal, or one may become null.</summary>
internal static class KeyMerges
{
    /// <param name="key">How a key or element is read. Of a group, which has the key of a lookup, only that.</param>
    /// <returns>Short main clauses; none where what differs goes on to differ.</returns>
    public static IEnumerable<string> Of(ValueMap key)
    {
        var seen = new HashSet<ObjectMap>(ReferenceEqualityComparer.Instance);
        var unseen = new Queue<(ValueMap Map, bool KeepsNull)>();
        unseen.Enqueue((IsGroup(key) ? key.Object!.Values[0]! : key, false));
        while (unseen.TryDequeue(out (ValueMap Map, bool KeepsNull) next))
        {
            ValueMap map = next.Map;
            bool becomesList = map.Form == ValueForm.Wrap, isOneOfList = map.Form == ValueForm.Unwrap;

            // A list that is null is told with an empty one; one of always one element is neither.
            bool mayBeNull = isOneOfList ? map.Stored.Kind == SchemaKind.Nullable : map.Stored.HasNull;
            if (mayBeNull && !map.Own.HasNull && !next.KeepsNull) yield return "null becomes zero";
            if (isOneOfList && SchemaDifferences.LengthOf(ValueMap.Inner(map.Stored)) != 1) yield return "an empty list becomes zero or null";

            // Nothing is an empty list, which one of zero is not.
            if (map.Element is { } element) unseen.Enqueue((element, becomesList));
            if (map.Key is { } inner) unseen.Enqueue((inner, false));
            foreach (string why in map.Union is { } union ? OfCases(union) : []) yield return why;
            foreach (ObjectMap body in BodiesOf(map))
            {
                if (!seen.Add(body)) continue;
                foreach (int gone in Enumerable.Range(0, body.Stored.Fields.Count).Except(body.Sources)) yield return $"'{body.Stored.Name}.{body.Stored.Fields[gone].Name}' is gone";
                foreach (ValueMap member in body.Values.OfType<ValueMap>()) unseen.Enqueue((member, false));
            }
        }
    }

    // As GroupingCodec describes it: a name that no type of a program has without a namespace, and two fields of which the first is the key.
    private static bool IsGroup(ValueMap key) =>
        key.Object is { Own.Fields: [{ Name: "Key" }, { Name: "Elements", Node.Kind: SchemaKind.List }] } map && map.Sources is [0, 1] && FieldMatch.WithoutArguments(map.Own.Name) == "Grouping" && map.Own.Name != "Grouping";

    private static IEnumerable<ObjectMap> BodiesOf(ValueMap map) =>
        map.Object is { } body ? [body] : map.Union is { } union ? CasesOf(union).Select(static one => one.Body).OfType<ObjectMap>() : [];

    private static IEnumerable<string> OfCases(UnionMap union)
    {
        // What is not skipped is refused, and told with the union.
        foreach (CaseMap gone in CasesOf(union).Where(one => one.IsSkipped(union))) yield return $"'{gone.Stored.Name}' is read as null";
        foreach (IGrouping<ObjectDefinition, CaseMap> same in CasesOf(union).Where(static one => one.Body is not null).GroupBy(static one => one.Body!.Own))
        {
            if (same.Count() > 1) yield return $"'{string.Join("' and '", same.Select(static one => one.Stored.Name).Order(StringComparer.Ordinal))}' are one";
        }
    }

    private static IEnumerable<CaseMap> CasesOf(UnionMap union) => union.Only is { } only ? [only] : union.Cases;
}
