// Elements in order, as arrays, lists and sets share them:
//
//   header    compact number: 0 = null, else count + 1
//             elements of the object form: 0 = null, else ((count << 1) | hasNulls) + 1
//   elements  each as its codec writes it; of the object form bare bodies, or presence byte and body where hasNulls is 1
//
// hasNulls is 1 only when some element is null, so every list has one encoding. Format page: docs/formats/record.md, "list".

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

internal static class ElementsCodec<T, TCodec> where TCodec : struct, INinoCodec<T>
{
    private const int ChunkBytes = 4096;

    // The bytes of an element where all have the same: of objects of their bodies.
    private static int ElementSize => TCodec.Form == CodecForm.Object ? TCodec.FixedBodySize : TCodec.FixedSize;

    // Whole eights where elements are small, so that those that are moved together leave none to be moved alone.
    private static int ChunkElements => ElementSize <= ChunkBytes / 8 ? (ChunkBytes / ElementSize) & ~7 : Math.Max(ChunkBytes / ElementSize, 1);

    // Least elements for which room is made at once inside recursive objects, see RoomFor.
    private const int NestedRoomBytes = 4096;

    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.List(TCodec.Describe(builder));

    /// <summary>As <see cref="Describe"/>, of a set: a list with no two equal elements.</summary>
    public static SchemaNode DescribeDistinct(SchemaBuilder builder) => Describe(builder).WithRule(SchemaRule.Distinct);

    /// <summary>Writes elements. Where code of an element takes others out of their list, the span shows what lies there: who has a list compares its count afterwards.</summary>
    public static void Write(ref NinoWriter writer, scoped ReadOnlySpan<T> elements)
    {
        TCodec codec = default;
        if (TCodec.Form == CodecForm.Object)
        {
            bool hasNulls = HasNulls(elements);
            writer.WriteCompact((((uint)elements.Length << 1) | (hasNulls ? 1u : 0u)) + 1);
            if (hasNulls)
            {
                bool isNullWritten = false;
                foreach (ref readonly T element in elements)
                {
                    isNullWritten |= element is null;
                    codec.Write(ref writer, in element);
                }

                // No reader takes a list that says there are nulls, and has none.
                if (!isNullWritten) Throw.ChangedWhileWritten();
            }
            else if (TCodec.IsFlat)
            {
                WriteInPlace(ref writer, elements);
            }
            else if (TCodec.FixedBodySize > 0)
            {
                WriteFixed(ref writer, elements);
            }
            else
            {
                foreach (ref readonly T element in elements)
                {
                    CheckThere(in element);
                    codec.WriteBody(ref writer, in element);
                }
            }

            return;
        }

        writer.WriteCompact((uint)elements.Length + 1);
        if (TCodec.Form == CodecForm.Blittable)
        {
            WriteMemory(ref writer, elements);
        }
        else if (TCodec.Form == CodecForm.Fixed)
        {
            WriteFixed(ref writer, elements);
        }
        else if (TCodec.IsFlat)
        {
            WriteInPlace(ref writer, elements);
        }
        else
        {
            foreach (ref readonly T element in elements) codec.Write(ref writer, in element);
        }
    }

    /// <summary>Reads the header and checks that the bytes left can hold the elements.</summary>
    /// <returns>The count, or -1 for null.</returns>
    public static int ReadCount(ref NinoReader reader, out bool hasNulls) => ReadCount(ref reader, out hasNulls, out _);

    /// <inheritdoc cref="ReadCount(ref NinoReader, out bool)"/>
    public static int ReadCount(ref NinoReader reader, out bool hasNulls, out KnownComparer comparer)
    {
        hasNulls = false;
        uint header = reader.ReadHeader(out comparer);
        if (comparer != KnownComparer.Default && typeof(T) != typeof(string)) Throw.ComparerOfOtherThanStrings();
        if (header == 0) return -1;

        uint count = header - 1;
        int minSize = TCodec.MinSize;
        if (TCodec.Form == CodecForm.Object)
        {
            hasNulls = (count & 1) != 0;
            count >>= 1;
            if (!hasNulls) minSize = TCodec.MinBodySize;
            else if (count == 0) Throw.NoNullElement();
        }

        reader.CheckCount(count, minSize);
        if (count > (uint)Array.MaxLength) Throw.CountTooLarge(count, minSize, reader.Remaining);
        if (TCodec.Form is CodecForm.Value or CodecForm.Object) reader.Texts.Expect((int)count);
        reader.TakeRoom<T>((int)count, TCodec.Form == CodecForm.Object ? Math.Min(TCodec.MinSize, TCodec.MinBodySize) : TCodec.MinSize);
        return (int)count;
    }

    /// <summary>
    /// How many elements to make room for before any of them is read. Outside of recursive objects all of them, since the count was checked
    /// against the bytes left and the nesting is the type's own. Inside, every level could claim all the bytes left for itself, so room
    /// grows with what was really read.
    /// </summary>
    public static int RoomFor(ref readonly NinoReader reader, int count) =>
        reader.IsNested && TCodec.Form is CodecForm.Value or CodecForm.Object
            ? Math.Min(count, Math.Max(NestedRoomBytes / Unsafe.SizeOf<T>(), 1))
            : count;

    /// <summary>Reads as many elements as the span has.</summary>
    public static void Read(ref NinoReader reader, scoped Span<T> elements, bool hasNulls, ref bool anyNull)
    {
        TCodec codec = default;
        if (TCodec.Form == CodecForm.Blittable)
        {
            long bytes = (long)elements.Length * TCodec.FixedSize;
            if (bytes > reader.Remaining) Throw.EndOfInput(bytes, reader.Remaining);
            reader.TakeSpan((int)bytes).CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(elements)), (int)bytes));
        }
        else if (TCodec.Form == CodecForm.Fixed)
        {
            long bytes = (long)elements.Length * TCodec.FixedSize;
            if (bytes > reader.Remaining) Throw.EndOfInput(bytes, reader.Remaining);
            ref byte source = ref Unsafe.AsRef(in reader.Take((int)bytes));
            if (!TCodec.Memory.IsEmpty && StructMemory<T, TCodec>.Moves is { } moves)
            {
                ReadMoved(moves, in source, elements);
                return;
            }

            ReadEach(ref reader, in source, elements);
        }
        else if (TCodec.Form == CodecForm.Object && !hasNulls)
        {
            foreach (ref T element in elements) element = codec.ReadBody(ref reader);
        }
        else if (TCodec.Form == CodecForm.Object)
        {
            foreach (ref T element in elements)
            {
                element = codec.Read(ref reader);
                anyNull |= element is null;
            }
        }
        else
        {
            foreach (ref T element in elements) element = codec.Read(ref reader);
        }
    }

    /// <summary>Reads all elements of a collection, into room that is there already.</summary>
    public static void ReadAll(ref NinoReader reader, scoped Span<T> elements, bool hasNulls)
    {
        bool anyNull = false;
        Read(ref reader, elements, hasNulls, ref anyNull);
        if (hasNulls && !anyNull) Throw.NoNullElement();
    }

    /// <summary>Reads one element where they cannot be read into a span.</summary>
    public static T ReadOne(ref NinoReader reader, bool hasNulls, ref bool anyNull)
    {
        if (TCodec.Form == CodecForm.Object)
        {
            if (!hasNulls) return default(TCodec).ReadBody(ref reader);
            T element = default(TCodec).Read(ref reader);
            anyNull |= element is null;
            return element;
        }

        return default(TCodec).Read(ref reader);
    }

    public static T[] ReadArray(ref NinoReader reader) => ReadArray(ref reader, out _);

    public static T[] ReadArray(ref NinoReader reader, out KnownComparer comparer)
    {
        int count = ReadCount(ref reader, out bool hasNulls, out comparer);
        return ReadArray(ref reader, count, hasNulls);
    }

    /// <summary>Reads the elements behind a header: a new array, or null for a count below 0.</summary>
    public static T[] ReadArray(ref NinoReader reader, int count, bool hasNulls)
    {
        if (count <= 0) return count < 0 ? null! : [];

        bool anyNull = false;
        int room = RoomFor(in reader, count);
        T[] array = RuntimeHelpers.IsReferenceOrContainsReferences<T>() ? new T[room] : GC.AllocateUninitializedArray<T>(room);
        Read(ref reader, array, hasNulls, ref anyNull);
        while (array.Length < count)
        {
            int read = array.Length;
            Array.Resize(ref array, (int)Math.Min(count, 2L * read));
            Read(ref reader, array.AsSpan(read), hasNulls, ref anyNull);
        }

        if (hasNulls && !anyNull) Throw.NoNullElement();
        return array;
    }

    public static List<T> ReadList(ref NinoReader reader)
    {
        int count = ReadCount(ref reader, out bool hasNulls);
        if (count <= 0) return count < 0 ? null! : [];

        bool anyNull = false;
        int room = RoomFor(in reader, count);
        var list = new List<T>(room);
        for (int read = 0; read < count; read = list.Count)
        {
            CollectionsMarshal.SetCount(list, read == 0 ? room : (int)Math.Min(count, 2L * read));
            Read(ref reader, CollectionsMarshal.AsSpan(list)[read..], hasNulls, ref anyNull);
        }

        if (hasNulls && !anyNull) Throw.NoNullElement();
        KeptElements.Of(in reader, list);
        return list;
    }

    public static bool HasNulls(ReadOnlySpan<T> elements)
    {
        if (typeof(T).IsValueType)
        {
            foreach (ref readonly T element in elements)
            {
                if (element is null) return true;
            }

            return false;
        }

        // References compared with null as numbers, several at once. What the collector moves meanwhile is another number, and not 0.
        return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<T, nint>(ref MemoryMarshal.GetReference(elements)), elements.Length).Contains(0);
    }

    // Elements that code of those before them takes away are null, where nobody looks for one any more. Plain objects run no code.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CheckThere(ref readonly T element)
    {
        if (TCodec.Form == CodecForm.Object && !TCodec.IsSimple && element is null) Throw.ChangedWhileWritten();
    }

    // The place stays in a register: through the writer's cursor each store waits for the one before it (docs/performance.md, Strings and dictionaries).
    private static void WriteInPlace(ref NinoWriter writer, scoped ReadOnlySpan<T> elements)
    {
        TCodec codec = default;
        ref byte place = ref writer.Open(out int room);
        if (room == 0)
        {
            // Nothing is stored ahead of the cursor: so a failure is found where it is (WriteErrors). A span that is full just here is rare.
            foreach (ref readonly T one in elements)
            {
                CheckThere(in one);
                WriteOne(ref writer, in one);
            }

            return;
        }

        // By references, of which neither the place nor the element is behind an index: registers are few here.
        ref byte end = ref Unsafe.Add(ref place, room);
        ref T element = ref MemoryMarshal.GetReference(elements);
        ref T last = ref Unsafe.Add(ref element, elements.Length);
        for (; Unsafe.IsAddressLessThan(ref element, ref last); element = ref Unsafe.Add(ref element, 1))
        {
            CheckThere(in element);
            int size = codec.WriteAt(ref place, Unsafe.ByteOffset(ref place, ref end), in element);
            if (size >= 0)
            {
                place = ref Unsafe.Add(ref place, size);
                continue;
            }

            writer.AdvanceTo(ref place);
            WriteOne(ref writer, in element);
            place = ref writer.Open(out room);
            end = ref Unsafe.Add(ref place, room);
        }

        writer.AdvanceTo(ref place);
    }

    // A method of its own: compiled into the loop, it makes the compiler keep the loop's values in memory.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteOne(ref NinoWriter writer, in T element)
    {
        if (TCodec.Form == CodecForm.Object) default(TCodec).WriteBody(ref writer, in element);
        else default(TCodec).Write(ref writer, in element);
    }

    // A method of its own for the handler. Bound: the encodings of all elements are readable, and the reader is behind them.
    private static void ReadEach(ref NinoReader reader, ref readonly byte source, scoped Span<T> elements)
    {
        TCodec codec = default;
        ref byte encoded = ref Unsafe.AsRef(in source);
        int read = 0;
        try
        {
            for (; read < elements.Length; read++)
            {
                elements[read] = codec.ReadFixed(in encoded);
                encoded = ref Unsafe.Add(ref encoded, TCodec.FixedSize);
            }
        }
        catch
        {
            // Where the reader stands is where reading failed.
            reader.GoBack((elements.Length - read - 1) * TCodec.FixedSize);
            throw;
        }
    }

    // In chunks, so that one element with unusual bits sends few to the codec. Bound: the encodings of all elements are readable.
    private static void ReadMoved(StructMoves moves, ref readonly byte source, scoped Span<T> elements)
    {
        TCodec codec = default;
        int chunkElements = ChunkElements;
        while (!elements.IsEmpty)
        {
            Span<T> chunk = elements[..Math.Min(elements.Length, chunkElements)];
            ref byte encoded = ref Unsafe.AsRef(in source);
            int moved = moves.Unpack(ref encoded, ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(chunk)), chunk.Length);
            encoded = ref Unsafe.Add(ref encoded, moved * TCodec.FixedSize);
            foreach (ref T element in chunk[moved..])
            {
                element = codec.ReadFixed(in encoded);
                encoded = ref Unsafe.Add(ref encoded, TCodec.FixedSize);
            }

            source = ref encoded;
            elements = elements[chunk.Length..];
        }
    }

    // Bound: only in the blittable form, where the encoding of an element is its memory.
    private static void WriteMemory(ref NinoWriter writer, scoped ReadOnlySpan<T> elements)
    {
        long bytes = (long)elements.Length * TCodec.FixedSize;
        if (bytes > int.MaxValue) Throw.RecordTooLarge(int.MaxValue);
        writer.WriteBytes(MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(elements)), (int)bytes));
    }

    // One capacity check a chunk; the chunk is reserved to the byte, so a destination of the exact size is enough.
    private static void WriteFixed(ref NinoWriter writer, scoped ReadOnlySpan<T> elements)
    {
        TCodec codec = default;
        int chunkElements = ChunkElements;
        while (!elements.IsEmpty)
        {
            ReadOnlySpan<T> chunk = elements[..Math.Min(elements.Length, chunkElements)];
            ref byte destination = ref writer.Take(chunk.Length * ElementSize);
            int moved = 0;
            if (!TCodec.Memory.IsEmpty && StructMemory<T, TCodec>.Moves is { } moves)
            {
                moved = moves.Pack(ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(chunk)), ref destination, chunk.Length);
                destination = ref Unsafe.Add(ref destination, moved * ElementSize);
            }

            foreach (ref readonly T element in chunk[moved..])
            {
                CheckThere(in element);
                if (TCodec.Form == CodecForm.Object) codec.WriteFixedBody(ref destination, in element);
                else codec.WriteFixed(ref destination, in element);
                destination = ref Unsafe.Add(ref destination, ElementSize);
            }

            elements = elements[chunk.Length..];
        }
    }
}
