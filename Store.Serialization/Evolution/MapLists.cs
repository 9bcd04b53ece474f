// Lists and maps: headers, counts, and elements that are written in chunks where both are fixed-width.

using System.Runtime.InteropServices;
using Store.Serialization.Codecs;

namespace Store.Serialization.Evolution;

/// <summary>Rewrites lists and maps. Trusts no byte: see <see cref="NinoRecordMapper"/>.</summary>
internal static class MapLists
{
    // How many bytes of elements are written at a time.
    private const int ChunkBytes = 4096;

    public static void List(ValueMap element, ref NinoReader reader, ref NinoWriter writer)
    {
        if (!ReadCount(element.Stored, ref reader, out uint count, out bool hasNulls, out KnownComparer comparer))
        {
            writer.WriteCompact(0);
            return;
        }

        WriteComparer(comparer, element.Own, ref writer);
        bool storedIsClass = element.Stored.HasPresenceByte, ownIsClass = element.Own.HasPresenceByte;
        if (ownIsClass)
        {
            bool writesNulls = storedIsClass ? hasNulls : (element.StoredIsOptional || element.Union is not null) && AnyAbsent(element, reader, count);
            WriteCount(((ulong)count << 1) | (writesNulls ? 1u : 0u), ref writer);
            Classes(element, count, hasNulls, writesNulls, ref reader, ref writer);
            return;
        }

        WriteCount(count, ref writer);
        if (storedIsClass) Structs(element, count, hasNulls, ref reader, ref writer);
        else if (element.Fixed is { } plan) FixedElements(plan, count, ref reader, ref writer);
        else for (uint i = 0; i < count; i++) MapValues.Value(element, ref reader, ref writer);
    }

    /// <summary>Elements that become objects of a reference type: bare bodies unless some are null.</summary>
    private static void Classes(ValueMap element, uint count, bool hasNulls, bool writesNulls, ref NinoReader reader, ref NinoWriter writer)
    {
        bool readsPresence = element.Stored.HasPresenceByte ? hasNulls : element.StoredIsOptional, anyNull = false;
        for (uint i = 0; i < count; i++)
        {
            if (element.Union is { } union)
            {
                anyNull |= MapUnions.FromUnion(element, union, writesNulls, ref reader, ref writer);
                continue;
            }

            bool isPresent = !readsPresence || reader.ReadPresence();
            if (writesNulls) writer.Take(1) = isPresent ? (byte)1 : (byte)0;
            if (isPresent) MapBodies.Body(element.Object!, ref reader, ref writer);
            else if (reader.TakeSpan(element.StoredAbsentBytes).ContainsAnyExcept((byte)0)) Throw.BadAbsentValue(0);
            anyNull |= !isPresent;
        }

        if (writesNulls && !anyNull) Throw.NoNullElement();
    }

    /// <summary>Objects of a reference type that become values.</summary>
    private static void Structs(ValueMap element, uint count, bool hasNulls, ref NinoReader reader, ref NinoWriter writer)
    {
        bool anyNull = false;
        for (uint i = 0; i < count; i++)
        {
            if (!hasNulls || reader.ReadPresence())
            {
                MapValues.Present(element, ref reader, ref writer);
                continue;
            }

            anyNull = true;
            MapValues.Zero(element, ref writer);
        }

        if (hasNulls && !anyNull) Throw.NoNullElement();
    }

    private static void FixedElements(FixedPlan plan, uint count, ref NinoReader reader, ref NinoWriter writer)
    {
        // The count was checked against the bytes left.
        int left = (int)count, chunkElements = Math.Max(ChunkBytes / plan.TargetSize, 1);
        FixedStep? only = plan.OnlyConversion;
        while (left > 0)
        {
            int chunk = Math.Min(left, chunkElements);
            ReadOnlySpan<byte> source = reader.TakeSpan(chunk * plan.SourceSize);
            Span<byte> target = TakeSpan(ref writer, chunk * plan.TargetSize);
            left -= chunk;
            if (only is { } step && ScalarConversions.TryWidenRun(step.From, source, step.To, target)) continue;
            for (int i = 0; i < chunk; i++) plan.Run(source[(i * plan.SourceSize)..], target[(i * plan.TargetSize)..]);
        }
    }

    public static void Pairs(ValueMap map, ref NinoReader reader, ref NinoWriter writer)
    {
        ValueMap key = map.Key!, element = map.Element!;
        int count = reader.ReadCount(SchemaShape.MinSizeOf(key.Stored) + SchemaShape.MinSizeOf(element.Stored), out KnownComparer comparer);
        if (comparer != KnownComparer.Default) RecordWalker.CheckComparer(key.Stored);
        if (count >= 0) WriteComparer(comparer, key.Own, ref writer);
        WriteCompactCount(count, ref writer);
        for (int i = 0; i < count; i++)
        {
            MapValues.Value(key, ref reader, ref writer);
            MapValues.Value(element, ref reader, ref writer);
        }
    }

    /// <summary>Reads the header of a list and checks that the bytes left can hold the elements. False: null.</summary>
    public static bool ReadCount(SchemaNode element, ref NinoReader reader, out uint count, out bool hasNulls, out KnownComparer comparer)
    {
        hasNulls = false;
        count = 0;
        uint header = reader.ReadHeader(out comparer);
        if (header == 0) return false;
        if (comparer != KnownComparer.Default) RecordWalker.CheckComparer(element);
        count = header - 1;
        int minSize = SchemaShape.MinSizeOf(element);
        if (element.HasPresenceByte)
        {
            hasNulls = (count & 1) != 0;
            count >>= 1;
            if (!hasNulls) minSize = ((ObjectDefinition)element.Definition!).MinBodySize;
            else if (count == 0) Throw.NoNullElement();
        }

        reader.CheckCount(count, minSize);
        return true;
    }

    /// <summary>The mark of a comparer goes along where there are still strings to compare.</summary>
    private static void WriteComparer(KnownComparer comparer, SchemaNode compared, ref NinoWriter writer)
    {
        if (compared.Kind is SchemaKind.String or SchemaKind.Utf8String) writer.WriteComparer(comparer);
    }

    private static bool AnyAbsent(ValueMap element, NinoReader reader, uint count)
    {
        for (uint i = 0; i < count; i++)
        {
            NinoReader start = reader;
            bool isAbsent;
            if (element.Union is { } union) UnionMap.ReadTag(union.Stored!, ref start, out isAbsent);
            else isAbsent = !start.ReadPresence();
            if (isAbsent) return true;
            element.Skip.Skip(ref reader);
        }

        return false;
    }

    private static void WriteCompactCount(int count, ref NinoWriter writer)
    {
        if (count < 0) writer.WriteCompact(0);
        else WriteCount((uint)count, ref writer);
    }

    private static void WriteCount(ulong number, ref NinoWriter writer)
    {
        if (number >= uint.MaxValue) throw new NinoSerializationException($"A stored list of {number} elements is too long for what its elements are now.") { IsUnfit = true };
        writer.WriteCompact((uint)number + 1);
    }

    public static Span<byte> TakeSpan(ref NinoWriter writer, int size) => MemoryMarshal.CreateSpan(ref writer.Take(size), size);
}
