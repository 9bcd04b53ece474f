// In which order is a body taken apart and put together? Own fields are written in their order. When the stored fields they come from lie in the same
// order, one walk does both; else the places of the stored fields are looked up first.

namespace Store.Serialization.Evolution;

internal static class BodySteps
{
    /// <summary>Gives a pair of types its steps. Its values are finished.</summary>
    public static void Lay(ObjectMap map, SkipNodes skips)
    {
        IReadOnlyList<SchemaField> stored = map.Stored.Fields, own = map.Own.Fields;
        (int storedFixed, int storedBytes, int[] offsets) = Prefix(stored);
        (int ownFixed, int ownBytes, int[] targets) = Prefix(own);
        int[] user = new int[stored.Count];
        Array.Fill(user, -1);
        for (int i = 0; i < own.Count; i++)
        {
            if (map.Sources[i] >= 0) user[map.Sources[i]] = i;
        }

        // Own fields in front that come from behind the stored prefix end the own prefix: they are steps of their own.
        for (int i = 0; i < ownFixed; i++)
        {
            if (map.Sources[i] < storedFixed) continue;
            ownFixed = i;
            ownBytes = targets[i];
        }

        var prefix = new List<FixedStep>();
        for (int i = 0; i < ownFixed; i++)
        {
            if (map.Values[i] is { } value) prefix.AddRange(FixedSteps.Of(value, offsets[map.Sources[i]], targets[i]));
            else prefix.Add(new FixedStep(FixedOp.Constant, 0, targets[i], 0) { Bytes = map.Defaults[i] });
        }

        for (int i = 0; i < storedFixed; i++)
        {
            if (user[i] < 0) prefix.AddRange(Check(stored[i].Node, offsets[i]));
        }

        if (stored.Count == 0) prefix.Add(CheckEmpty(0));
        if (own.Count == 0) prefix.Add(new FixedStep(FixedOp.Constant, 0, 0, 0) { Bytes = [0] });
        map.StoredPrefix = stored.Count == 0 ? 1 : storedBytes;
        if (prefix.Count > 0) map.Prefix = new FixedPlan(prefix, map.StoredPrefix, own.Count == 0 ? 1 : ownBytes);
        map.Steps = InOrder(map, storedFixed, ownFixed, offsets, user, skips) ?? LookedUp(map, storedFixed, ownFixed, offsets, user, skips);
        map.ReadsBack = map.Lookup.Length > 0 || map.Steps.Any(static step => step.Op == BodyOp.MapAt);
        map.Nests = map.Steps.Any(static step => step.Value is not null);
    }

    /// <summary>A stored value without a place: nothing to do where any bits are a value.</summary>
    public static IEnumerable<FixedStep> Check(SchemaNode node, int source) =>
        ScalarConversions.IsPlain(ScalarConversions.KindOf(node)) ? [] : [new FixedStep(FixedOp.Check, source, int.MaxValue, SchemaShape.FixedSizeOf(node)) { Node = node }];

    /// <summary>The one zero byte of a type without fields.</summary>
    public static FixedStep CheckEmpty(int source) => new(FixedOp.Check, source, int.MaxValue, 1) { Node = EmptyStruct };

    private static readonly SchemaNode EmptyStruct = NinoSchema.Create(SchemaNode.Reference(new ObjectDefinition("Empty", isReference: false))).Root;

    private static (int Fields, int Bytes, int[] Offsets) Prefix(IReadOnlyList<SchemaField> fields)
    {
        int[] offsets = new int[fields.Count];
        int count = 0, bytes = 0;
        while (count < fields.Count && SchemaShape.FixedSizeOf(fields[count].Node) is > 0 and int size)
        {
            offsets[count++] = bytes;
            bytes += size;
        }

        return (count, bytes, offsets);
    }

    /// <summary>One walk over the stored fields, or null when own fields want them in another order.</summary>
    private static BodyStep[]? InOrder(ObjectMap map, int storedFixed, int ownFixed, int[] offsets, int[] user, SkipNodes skips)
    {
        IReadOnlyList<SchemaField> stored = map.Stored.Fields;
        var steps = new List<BodyStep>();
        int next = storedFixed;
        for (int i = ownFixed; i < map.Values.Length; i++)
        {
            if (map.Values[i] is not { } value)
            {
                steps.Add(new BodyStep(BodyOp.Constant) { Bytes = map.Defaults[i] });
                continue;
            }

            int source = map.Sources[i];
            if (source < storedFixed)
            {
                steps.Add(new BodyStep(BodyOp.MapAt) { Value = value, Place = offsets[source] });
                continue;
            }

            if (source < next) return null;
            for (; next < source; next++)
            {
                if (user[next] >= 0) return null;
                steps.Add(new BodyStep(BodyOp.Drop) { Node = stored[next].Node });
            }

            next++;
            if (!value.IsIdentical) steps.Add(new BodyStep(BodyOp.Map) { Value = value });
            else if (steps.Count > 0 && steps[^1] is { Op: BodyOp.Copy } last) steps[^1] = last with { Skips = [.. last.Skips!, value.Skip] };
            else steps.Add(new BodyStep(BodyOp.Copy) { Skips = [value.Skip] });
        }

        for (; next < stored.Count; next++) steps.Add(new BodyStep(BodyOp.Drop) { Node = stored[next].Node });
        return [.. steps];
    }

    private static BodyStep[] LookedUp(ObjectMap map, int storedFixed, int ownFixed, int[] offsets, int[] user, SkipNodes skips)
    {
        map.Lookup = [.. map.Stored.Fields.Skip(storedFixed).Select((field, i) => (skips.Of(field.Node), user[storedFixed + i] < 0))];
        var steps = new List<BodyStep>();
        for (int i = ownFixed; i < map.Values.Length; i++)
        {
            int source = map.Sources[i];
            steps.Add(map.Values[i] is not { } value ? new BodyStep(BodyOp.Constant) { Bytes = map.Defaults[i] }
                : source < storedFixed ? new BodyStep(BodyOp.MapAt) { Value = value, Place = offsets[source] }
                : new BodyStep(BodyOp.MapFound) { Value = value, Place = source - storedFixed });
        }

        return [.. steps];
    }
}
