using System.Numerics;
using System.Runtime.InteropServices;
using System.Text;

namespace Store.Serialization.Values;

/// <summary>
/// Builds a tree bottom-up: finished values lie on one stack, and the end of a container takes as many as it holds. So memory grows with what was
/// really decoded, never with a count that was only claimed.
/// </summary>
internal readonly struct ValueSink(List<NinoValue> finished) : IRecordSink
{
    public NinoValue Result => finished[0];

    public void Null(PlanNode node) => finished.Add(new NinoValue(node, content: null));

    public void Scalar(PlanNode node, ReadOnlySpan<byte> bytes) => finished.Add(node.Kind == SchemaKind.BigInteger ? new NinoValue(node, new BigInteger(bytes)) : NinoValue.Scalar(node, bytes));

    public void Text(PlanNode node, ReadOnlySpan<byte> characters, bool isUtf16) =>
        finished.Add(new NinoValue(node, isUtf16 ? new string(MemoryMarshal.Cast<byte, char>(characters)) : Encoding.Latin1.GetString(characters)));

    public void Bytes(PlanNode node, ReadOnlySpan<byte> bytes) => finished.Add(new NinoValue(node, bytes.ToArray()));

    public void BeginObject(PlanNode node, bool isCase, int number) { }

    public void Field(PlanNode node, int index) { }

    public void EndObject(PlanNode node, bool isCase, int number) => finished.Add(NinoValue.Object(node, TakeLast(node.Object!.Fields.Length), isCase, number));

    public void Reference(PlanNode node, int number) => finished.Add(NinoValue.Reference(node, number));

    public void BeginList(PlanNode node, int count) { }

    public void Item(int index) { }

    public void EndList(PlanNode node, int count) => finished.Add(new NinoValue(node, TakeLast(count)));

    public bool BeginMap(PlanNode node, int count, NinoReader ahead) => false;

    public void Key(int index, bool reminder) { }

    public void Value(bool reminder) { }

    public void EndPair(bool reminder) { }

    public void EndMap(PlanNode node, int count, bool reminder)
    {
        var pairs = new KeyValuePair<NinoValue, NinoValue>[count];
        ReadOnlySpan<NinoValue> values = CollectionsMarshal.AsSpan(finished)[^(2 * count)..];
        for (int i = 0; i < count; i++) pairs[i] = new KeyValuePair<NinoValue, NinoValue>(values[2 * i], values[2 * i + 1]);
        finished.RemoveRange(finished.Count - 2 * count, 2 * count);
        finished.Add(new NinoValue(node, pairs));
    }

    private NinoValue[] TakeLast(int count)
    {
        NinoValue[] values = CollectionsMarshal.AsSpan(finished)[^count..].ToArray();
        finished.RemoveRange(finished.Count - count, count);
        return values;
    }
}
