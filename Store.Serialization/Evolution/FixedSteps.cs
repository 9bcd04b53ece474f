// The steps between two values of fixed width, at their offsets. Recursion ends with the structs inside the program's own type.

namespace Store.Serialization.Evolution;

internal static class FixedSteps
{
    // So many members of a struct that have no place any more are checked by steps of their own.
    private const int MostChecks = 16;

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

    /// <summary>The plan of a value of fixed width that does not stay as it is. Of a struct it is one for all places where that stands.</summary>
    public static FixedPlan PlanOf(ValueMap value) =>
        value is { Object: { } type, StoredIsOptional: false, OwnIsOptional: false } ? StructPlan(type) : new FixedPlan(Of(value, 0, 0), value.StoredSize, value.OwnSize);

    // Behind the presence bytes there is nothing but the struct.
    private static FixedPlan InnerPlan(ValueMap value, int sourceSize, int targetSize) => value.Object is { } type ? StructPlan(type) : new(InnerSteps(value, 0, 0), sourceSize, targetSize);

    private static FixedPlan StructPlan(ObjectMap map) => map.StructPlan ??= new FixedPlan(OfStruct(map, 0, 0), map.Stored.FixedBodySize, map.Own.FixedBodySize);

    private static IEnumerable<FixedStep> InnerSteps(ValueMap value, int source, int target)
    {
        SchemaNode from = ValueMap.Inner(value.Stored), to = ValueMap.Inner(value.Own);
        if (value.Object is { } type) return OfStruct(type, source, target);
        int size = SchemaShape.FixedSizeOf(from);
        return value.Conversion == ScalarConversion.Copy
            ? [new FixedStep(FixedOp.Copy, source, target, size)]
            : [new FixedStep(FixedOp.Convert, source, target, size) { Conversion = value.Conversion, From = ScalarConversions.KindOf(from), To = ScalarConversions.KindOf(to) }];
    }

    // Worked out once: a stored struct may have a hundred thousand members and stand in twenty thousand places, each in a few bytes of its schema.
    private static IEnumerable<FixedStep> OfStruct(ObjectMap map, int source, int target)
    {
        map.StructSteps ??= [.. StepsOf(map)];
        return source == 0 && target == 0 ? map.StructSteps : map.StructSteps.Select(step => step with { Source = step.Source + source, Target = step.Op == FixedOp.Check ? step.Target : step.Target + target });
    }

    private static List<FixedStep> StepsOf(ObjectMap map)
    {
        if (map.IsIdentical) return [new FixedStep(FixedOp.Copy, 0, 0, map.Stored.FixedBodySize)];
        var steps = new List<FixedStep>();
        int[] offsets = OffsetsOf(map.Stored);
        bool[] isUsed = new bool[offsets.Length];
        int target = 0;
        if (map.Stored.Fields.Count == 0) steps.Add(BodySteps.CheckEmpty(0));
        if (map.Own.Fields.Count == 0) steps.Add(new FixedStep(FixedOp.Constant, 0, 0, 0) { Bytes = [0] });
        for (int i = 0; i < map.Values.Length; i++)
        {
            if (map.Values[i] is { } value)
            {
                isUsed[map.Sources[i]] = true;
                steps.AddRange(Of(value, offsets[map.Sources[i]], target));
            }
            else
            {
                steps.Add(new FixedStep(FixedOp.Constant, 0, target, 0) { Bytes = map.Defaults[i] });
            }

            target += SchemaShape.FixedSizeOf(map.Own.Fields[i].Node);
        }

        FixedStep[] dropped = [.. offsets.Select((offset, i) => (offset, i)).Where(at => !isUsed[at.i]).SelectMany(at => BodySteps.Check(map.Stored.Fields[at.i].Node, at.offset)).Take(MostChecks + 1)];
        // Very many are one step, which looks at the others too.
        steps.AddRange(dropped.Length <= MostChecks ? dropped : BodySteps.Check(SchemaNode.Reference(map.Stored), 0));
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
