// Where in a record decoding failed. Knowing the path costs something at every value, so it is found by a second walk, after the failure.

using System.Text;

namespace Store.Serialization.Values;

/// <summary>Listens to a walk that is known to fail and remembers the way to the value at which it stopped.</summary>
internal struct RecordTrace : IRecordSink
{
    private const int MaxPathSteps = 100;

    private readonly List<(PlanNode? Object, int Index)> _steps;

    private RecordTrace(List<(PlanNode?, int)> steps) => _steps = steps;

    /// <summary>The same failure with type, path and offset.</summary>
    public static NinoSerializationException Explain(NinoSchema schema, RecordPlan plan, ReadOnlySpan<byte> record, NinoLimits? limits, NinoSerializationException failure)
    {
        if (record.Length > (limits ?? NinoLimits.Default).MaxRecordBytes) return failure;
        var trace = new RecordTrace([]);
        var reader = new NinoReader(record, limits);
        try
        {
            RecordDecoder.Record(plan, ref reader, ref trace);
            return failure; // It was the listener that failed, and its message says why.
        }
        catch (NinoSerializationException e)
        {
            string path = trace.Path();
            string where = path.Length == 0 ? "" : $" at {path}";
            return new NinoSerializationException($"{e.Message} ({schema.Name}{where}, byte {reader.Position} of {record.Length})", e)
            {
                TypeName = schema.Name,
                MemberPath = path.Length == 0 ? null : path,
                ByteOffset = reader.Position,
            };
        }
    }

    private readonly string Path()
    {
        var path = new StringBuilder();
        foreach ((PlanNode? node, int index) in _steps.Take(MaxPathSteps))
        {
            if (index < 0) continue;
            if (node is null) path.Append('[').Append(index).Append(']');
            else path.Append(path.Length == 0 ? "" : ".").Append(node.Object!.Fields[index].Name);
        }

        return _steps.Count > MaxPathSteps ? path.Append('…').ToString() : path.ToString();
    }

    private readonly void Pop() => _steps.RemoveAt(_steps.Count - 1);

    private readonly void Set(PlanNode? node, int index) => _steps[^1] = (node, index);

    public readonly void Null(PlanNode node) { }
    public readonly void Scalar(PlanNode node, ReadOnlySpan<byte> bytes) { }
    public readonly void Text(PlanNode node, ReadOnlySpan<byte> characters, bool isUtf16) { }
    public readonly void Bytes(PlanNode node, ReadOnlySpan<byte> bytes) { }
    public readonly void BeginObject(PlanNode node) => _steps.Add((node, -1));
    public readonly void Field(PlanNode node, int index) => Set(node, index);
    public readonly void EndObject(PlanNode node) => Pop();
    public readonly void BeginList(PlanNode node, int count) => _steps.Add((null, -1));
    public readonly void Item(int index) => Set(null, index);
    public readonly void EndList(PlanNode node, int count) => Pop();

    public readonly bool BeginMap(PlanNode node, int count, NinoReader ahead)
    {
        _steps.Add((null, -1));
        return false;
    }

    public readonly void Key(int index, bool reminder) => Set(null, index);
    public readonly void Value(bool reminder) { }
    public readonly void EndPair(bool reminder) { }
    public readonly void EndMap(PlanNode node, int count, bool reminder) => Pop();
}
