// The walk over a record along its schema. Trusts no byte: each is covered by a check of NinoReader, counts are checked against the bytes left,
// depth against the limits and the stack.

using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Store.Serialization.Codecs;

namespace Store.Serialization.Values;

/// <summary>Decodes records without their CLR type. Throws <see cref="NinoSerializationException"/>, and nothing else, on bytes that no writer produced.</summary>
internal static class RecordDecoder
{
    /// <summary>Decodes a whole record into <paramref name="sink"/>.</summary>
    public static void Decode<TSink>(NinoSchema schema, ReadOnlySpan<byte> record, NinoLimits? limits, ref TSink sink) where TSink : struct, IRecordSink, allows ref struct
    {
        RecordPlan plan = schema.Plan;
        var reader = new NinoReader(record, limits, schema);
        try
        {
            Record(plan, ref reader, ref sink);
        }
        catch (NinoSerializationException e)
        {
            throw RecordErrors.Locate(e, schema, record, reader.Position, limits);
        }
    }

    private static void Record<TSink>(RecordPlan plan, ref NinoReader reader, ref TSink sink) where TSink : struct, IRecordSink, allows ref struct
    {
        // A record is never null, so an object at the root has no presence byte.
        if (plan.Root.Object is null || plan.Root.KeepsReferences) Value(plan.Root, ref reader, ref sink);
        else Body(plan.Root, ref reader, ref sink, isCase: false);
        if (reader.Remaining != 0) throw new NinoSerializationException($"{reader.Remaining} bytes follow the end of the record: it is damaged, or its schema is another.");
    }

    /// <summary>Decodes one value.</summary>
    public static void Value<TSink>(PlanNode node, ref NinoReader reader, ref TSink sink) where TSink : struct, IRecordSink, allows ref struct
    {
        switch (node.Kind)
        {
            case SchemaKind.String:
                Text(node, ref reader, ref sink);
                break;
            case SchemaKind.Utf8String:
                Utf8Text(node, ref reader, ref sink);
                break;
            case SchemaKind.BigInteger:
                sink.Scalar(node, BigIntegerCodec.Take(ref reader));
                break;
            case SchemaKind.Nullable:
                Nullable(node, ref reader, ref sink);
                break;
            case SchemaKind.List:
                List(node, ref reader, ref sink);
                break;
            case SchemaKind.Map:
                Map(node, ref reader, ref sink);
                break;
            case SchemaKind.Object:
                if (node.KeepsReferences) Numbered(node, ref reader, ref sink, RecordWalker.ReadReference(ref reader, node.Schema.Definition!), isCase: false);
                else if (node.Schema.HasPresenceByte && !reader.ReadPresence()) sink.Null(node);
                else Body(node, ref reader, ref sink, isCase: false);
                break;
            case SchemaKind.Union:
                Union(node, ref reader, ref sink);
                break;
            default:
                NinoReader start = reader;
                RecordWalker.SkipScalar(ref reader, node.Schema);
                sink.Scalar(node, start.TakeSpan(node.FixedSize));
                break;
        }
    }

    private static void Text<TSink>(PlanNode node, ref NinoReader reader, ref TSink sink) where TSink : struct, IRecordSink, allows ref struct
    {
        NinoReader start = reader;
        StringCodec.Skip(ref reader);
        uint header = start.ReadCompact();
        if (header == 0)
        {
            sink.Null(node);
            return;
        }

        header--;
        bool isUtf16 = (header & 1) != 0;
        int length = (int)(header >> 1);
        sink.Text(node, start.TakeSpan(isUtf16 ? 2 * length : length), isUtf16);
    }

    // Listeners know one byte a character or two: UTF-8 is turned into the latter.
    private static void Utf8Text<TSink>(PlanNode node, ref NinoReader reader, ref TSink sink) where TSink : struct, IRecordSink, allows ref struct
    {
        ReadOnlySpan<byte> bytes = Utf8StringCodec.Take(ref reader, out bool isUtf16, out bool isNull);
        if (isNull)
        {
            sink.Null(node);
            return;
        }

        if (isUtf16)
        {
            sink.Text(node, bytes, isUtf16: true);
            return;
        }

        char[] rented = ArrayPool<char>.Shared.Rent(bytes.Length);
        int length = Encoding.UTF8.GetChars(bytes, rented);
        sink.Text(node, MemoryMarshal.AsBytes(rented.AsSpan(0, length)), isUtf16: true);
        ArrayPool<char>.Shared.Return(rented);
    }

    private static void Nullable<TSink>(PlanNode node, ref NinoReader reader, ref TSink sink) where TSink : struct, IRecordSink, allows ref struct
    {
        PlanNode element = node.Element!;
        if (reader.ReadPresence())
        {
            Nest();
            Value(element, ref reader, ref sink);
            return;
        }

        // A fixed-width element keeps its place, as zeros.
        if (element.FixedSize != 0 && reader.TakeSpan(element.FixedSize).ContainsAnyExcept((byte)0))
            Throw.BadAbsentValue(0);
        sink.Null(node);
    }

    private static void Union<TSink>(PlanNode node, ref NinoReader reader, ref TSink sink) where TSink : struct, IRecordSink, allows ref struct
    {
        UnionDefinition union = node.Union!.Definition;
        if (union.KeepsReferences)
        {
            uint reference = RecordWalker.ReadReference(ref reader, union);
            if (reference != 1)
            {
                Numbered(node, ref reader, ref sink, reference, isCase: true);
                return;
            }
        }

        if (RecordWalker.ReadCase(ref reader, union, out int end) is not { } found)
        {
            sink.Null(node);
            return;
        }

        PlanNode one = node.Union.Cases[found.Definition!];
        if (union.KeepsReferences) Numbered(one, ref reader, ref sink, 1, isCase: true);
        else if (one.KeepsReferences) Numbered(one, ref reader, ref sink, RecordWalker.ReadCaseReference(ref reader, one.Object!.Definition), isCase: true);
        else Body(one, ref reader, ref sink, isCase: true);
        if (end >= 0) NinoGenerated.CheckCaseEnd(in reader, end);
    }

    // An object to which references are kept, or what stands for it: numbers are shown from 1.
    private static void Numbered<TSink>(PlanNode node, ref NinoReader reader, ref TSink sink, uint reference, bool isCase) where TSink : struct, IRecordSink, allows ref struct
    {
        switch (reference)
        {
            case 0:
                sink.Null(node);
                break;
            case 1:
                int number = reader.AddReference();
                reader.SetReference(number, node.Object!.Definition);
                Body(node, ref reader, ref sink, isCase, number + 1);
                break;
            default:
                sink.Reference(node, (int)(reference - 1));
                break;
        }
    }

    private static void Body<TSink>(PlanNode node, ref NinoReader reader, ref TSink sink, bool isCase, int number = 0) where TSink : struct, IRecordSink, allows ref struct
    {
        Nest();
        PlanObject plan = node.Object!;
        if (plan.IsRecursive) reader.Enter();
        sink.BeginObject(node, isCase, number);
        PlanField[] fields = plan.Fields;
        if (fields.Length == 0) reader.ReadEmptyBody();
        for (int i = 0; i < fields.Length; i++)
        {
            sink.Field(node, i);
            Value(fields[i].Node, ref reader, ref sink);
        }

        sink.EndObject(node, isCase, number);
        if (plan.IsRecursive) reader.Leave();
    }

    private static void List<TSink>(PlanNode node, ref NinoReader reader, ref TSink sink) where TSink : struct, IRecordSink, allows ref struct
    {
        PlanNode element = node.Element!;
        uint header = reader.ReadHeader(out KnownComparer comparer);
        if (comparer != KnownComparer.Default) RecordWalker.CheckComparer(element.Schema);
        if (header == 0)
        {
            sink.Null(node);
            return;
        }

        uint stored = header - 1;
        bool hasNulls = false, bare = false;
        if (element.Schema.HasPresenceByte)
        {
            hasNulls = (stored & 1) != 0;
            bare = !hasNulls;
            stored >>= 1;
        }

        reader.CheckCount(stored, bare ? element.Object!.Definition.MinBodySize : element.MinSize);
        int count = (int)stored;
        if (element.Kind == SchemaKind.Byte)
        {
            sink.Bytes(node, reader.TakeSpan(count));
            return;
        }

        Nest();
        sink.BeginList(node, count);
        bool anyNull = false;
        for (int i = 0; i < count; i++)
        {
            sink.Item(i);
            int start = reader.Position;
            if (bare) Body(element, ref reader, ref sink, isCase: false);
            else Value(element, ref reader, ref sink);
            anyNull |= hasNulls && reader.Position - start == 1;
        }

        if (hasNulls && !anyNull) Throw.NoNullElement();
        sink.EndList(node, count);
    }

    private static void Map<TSink>(PlanNode node, ref NinoReader reader, ref TSink sink) where TSink : struct, IRecordSink, allows ref struct
    {
        PlanNode key = node.Key!, element = node.Element!;
        int count = reader.ReadCount(key.MinSize + element.MinSize, out KnownComparer comparer);
        if (comparer != KnownComparer.Default) RecordWalker.CheckComparer(key.Schema);
        if (count < 0)
        {
            sink.Null(node);
            return;
        }

        Nest();
        bool reminder = sink.BeginMap(node, count, reader);
        for (int i = 0; i < count; i++)
        {
            sink.Key(i, reminder);
            Value(key, ref reader, ref sink);
            sink.Value(reminder);
            Value(element, ref reader, ref sink);
            sink.EndPair(reminder);
        }

        sink.EndMap(node, count, reminder);
    }

    /// <summary>Types that are not recursive are not counted against the limits, but a schema can nest them without end.</summary>
    private static void Nest()
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
            throw new NinoSerializationException("The record nests too deep for the stack: its schema was made to harm.");
    }
}
