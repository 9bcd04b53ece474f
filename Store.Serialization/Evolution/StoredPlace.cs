// Where in a stored record is what a member of the type as it is now was made of? Runs only after a failure.

namespace Store.Serialization.Evolution;

internal static class StoredPlace
{
    /// <summary>The offset in the stored record of the value that a path of the rewritten one leads to; where nothing stored is that value alone, of the nearest one that holds it: 0 for the record.</summary>
    /// <param name="mapper">What rewrote the record.</param>
    /// <param name="own">The path in what it became.</param>
    /// <param name="record">The stored record, whose bytes are right.</param>
    /// <param name="limits">The limits of reading.</param>
    public static int Find(NinoRecordMapper mapper, RecordPath own, ReadOnlySpan<byte> record, NinoLimits? limits)
    {
        var path = new RecordPath { Sought = Translate(mapper, own) };
        var reader = new NinoReader(record, limits);
        RecordWalker.WalkRecord(ref reader, mapper.Stored.Root, path, int.MaxValue);
        return path.SoughtStart;
    }

    // Step by step, by the rule that the plan matches fields by. Ends where a member was added or where kinds differ; a value of a base has its case in its bytes only.
    private static List<RecordPath.Step> Translate(NinoRecordMapper mapper, RecordPath path)
    {
        List<RecordPath.Step> steps = [];
        SchemaNode? stored = mapper.Stored.Root, own = mapper.Own.Root;
        foreach (RecordPath.Step step in path.Steps)
        {
            (stored, own) = (WithoutNullable(stored), WithoutNullable(own));
            if (step.Name is null)
            {
                if (stored.Kind != own.Kind || stored.Kind is not (SchemaKind.List or SchemaKind.Map)) break;
                steps.Add(step);
                // The two of a pair are the next step.
                if (stored.Kind == SchemaKind.List) (stored, own) = (stored.Element!, own.Element!);
            }
            else if (stored.Kind == SchemaKind.Map && own.Kind == SchemaKind.Map)
            {
                steps.Add(step);
                (stored, own) = step.Name == "Key" ? (stored.Key!, own.Key!) : (stored.Element!, own.Element!);
            }
            else
            {
                if (stored.Definition is not ObjectDefinition was || own.Definition is not ObjectDefinition type) break;
                int field = 0;
                while (type.Fields[field].Name != step.Name) field++;
                int source = FieldMatch.Find(was, type)[field];
                if (source < 0) break;
                steps.Add(new RecordPath.Step(was.Fields[source].Name, 0));
                (stored, own) = (was.Fields[source].Node, type.Fields[field].Node);
            }
        }

        return steps;
    }

    private static SchemaNode WithoutNullable(SchemaNode node)
    {
        while (node.Kind == SchemaKind.Nullable) node = node.Element!;
        return node;
    }
}
