// The steps between two values of fixed width, at their offsets. Recursion ends with the structs inside the program's own type.

namespace Store.Serialization.Evolution;

internal static class FixedSteps
{
    /// <summary>The steps of a value whose types are matched, and known to stay as they are or not.</summary>
    public static IEnumerable<FixedStep> Of(ValueMap value, int source, int target)
    {
        if (value.IsIdentical || (value.Form == ValueForm.Fixed && value.Conversion == ScalarConversion.Copy && value.StoredIsOptional == value.OwnIsOptional))
            return [new FixedStep(FixedOp.Copy, source, target, value.StoredSize)];
        if (value is { StoredIsOptional: true, OwnIsOptional: true })
            return [new FixedStep(FixedOp.Nullable, source, target, value.StoredSize) { Inner = InnerPlan(value, value.StoredSize - 1, value.OwnSize - 1) }];
        if (value.StoredIsOptional)
            return [new FixedStep(FixedOp.AbsentIsZero, source, target, value.StoredSize) { Inner = InnerPlan(value, value.StoredSize - 1, value.OwnSize) }];
        return value.OwnIsOptional
            ? InnerSteps(value, source, target + 1).Prepend(new FixedStep(FixedOp.Constant, source, target, 0) { Bytes = [1] })
            : InnerSteps(value, source, target);
    }

    private static FixedPlan InnerPlan(ValueMap value, int sourceSize, int targetSize) => new(InnerSteps(value, 0, 0), sourceSize, targetSize);

    private static IEnumerable<FixedStep> InnerSteps(ValueMap value, int source, int target)
    {
        SchemaNode from = ValueMap.Inner(value.Stored), to = ValueMap.Inner(value.Own);
        if (value.Object is { } type) return OfStruct(type, source, target);
        int size = SchemaShape.FixedSizeOf(from);
        return value.Conversion == ScalarConversion.Copy
            ? [new FixedStep(FixedOp.Copy, source, target, size)]
            : [new FixedStep(FixedOp.Convert, source, target, size) { Conversion = value.Conversion, From = ScalarConversions.KindOf(from), To = ScalarConversions.KindOf(to) }];
    }

    private static List<FixedStep> OfStruct(ObjectMap map, int source, int target)
    {
        if (map.IsIdentical) return [new FixedStep(FixedOp.Copy, source, target, map.Stored.FixedBodySize)];
        var steps = new List<FixedStep>();
        int[] offsets = OffsetsOf(map.Stored);
        bool[] isUsed = new bool[offsets.Length];
        if (map.Stored.Fields.Count == 0) steps.Add(BodySteps.CheckEmpty(source));
        if (map.Own.Fields.Count == 0) steps.Add(new FixedStep(FixedOp.Constant, source, target, 0) { Bytes = [0] });
        for (int i = 0; i < map.Values.Length; i++)
        {
            if (map.Values[i] is { } value)
            {
                isUsed[map.Sources[i]] = true;
                steps.AddRange(Of(value, source + offsets[map.Sources[i]], target));
            }
            else
            {
                steps.Add(new FixedStep(FixedOp.Constant, source, target, 0) { Bytes = map.Defaults[i] });
            }

            target += SchemaShape.FixedSizeOf(map.Own.Fields[i].Node);
        }

        for (int i = 0; i < offsets.Length; i++)
        {
            if (!isUsed[i]) steps.AddRange(BodySteps.Check(map.Stored.Fields[i].Node, source + offsets[i]));
        }

        return steps;
    }

    private static int[] OffsetsOf(ObjectDefinition type)
    {
        int[] offsets = new int[type.Fields.Count];
        int offset = 0;
        for (int i = 0; i < offsets.Length; i++)
        {
            offsets[i] = offset;
            offset += SchemaShape.FixedSizeOf(type.Fields[i].Node);
        }

        return offsets;
    }
}
