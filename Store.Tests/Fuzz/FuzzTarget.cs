// One type under mutated input: every way of reading agrees, nothing but the one exception comes out, and memory is bounded by the input.

using System.Buffers;
using System.IO.Pipelines;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json;
using Store.Serialization;
using Store.Serialization.Streaming;
using Store.Tests.Values;

namespace Store.Tests.Fuzz;

internal abstract class FuzzTarget
{
    public abstract Type Type { get; }

    public abstract NinoSchema Schema { get; }

    /// <summary>Reads an input in every way that <paramref name="depth"/> asks for. Throws on the first thing that must not be.</summary>
    /// <returns>True when the input is a record.</returns>
    public abstract bool Try(byte[] input, FuzzDepth depth);

    /// <summary>Reads an input beside a schema that need not be the type's: by that schema alone, and by a plan as the type. Throws on the first thing that must not be.</summary>
    public abstract StoredReading TryStored(NinoSchema stored, byte[] input);

    /// <summary>Reads bytes that need not be a schema in front of a record.</summary>
    public abstract void TryHeader(byte[] schema, byte[] record);

    /// <summary>Reads bytes with something in front, which need not be what it is said to be.</summary>
    public abstract void TryWithHeader(byte[] input, NinoHeader header);

    /// <summary>What the value that bytes beside a schema are is written as: none where they are refused, in one order where the type has none, empty where it is another each time.</summary>
    public abstract byte[]? WriteAgain(NinoSchema stored, byte[] input);

    /// <summary>Reads bytes where they lie, in every way that reads them there; what comes out is not looked at.</summary>
    public abstract void Touch(ReadOnlySpan<byte> input);

    /// <summary>Reads bytes of another shape of the type where they lie, by a plan; what comes out is not looked at.</summary>
    public abstract void TouchStored(NinoSchema stored, ReadOnlySpan<byte> input);

    /// <summary>Writes the value of a record into less room than it takes, and into as much, at the end of memory. Throws when it does not say what does not fit.</summary>
    /// <returns>How often it was written.</returns>
    public abstract int WriteIntoRoom(byte[] record, RoomOf roomOf);

    /// <summary>Writes a value, into which another thread reads these records, for a while into room at the end of memory.</summary>
    /// <returns>How often it was written, how often that ended in an exception, and how many records were read into it.</returns>
    public abstract (long Done, long Refused, long Changes) WriteWhileItChanges(byte[][] records, RoomOf roomOf, int seed);

    /// <summary>Every type that an assembly registers, and with each its arrays and the framework's codecs inside of it.</summary>
    public static List<FuzzTarget> All(Assembly assembly, Func<Type, bool> isOfOthers)
    {
        RuntimeHelpers.RunModuleConstructor(assembly.ManifestModule.ModuleHandle);
        IEnumerable<Type> types = Registered("Announced").Union(Registered("Factories")).Union(Registered("WiderFactories")).Where(type => !isOfOthers(type));
        return [.. types.Select(static type => (FuzzTarget)Activator.CreateInstance(typeof(FuzzTarget<>).MakeGenericType(type))!).OrderBy(static target => target.Type.ToString(), StringComparer.Ordinal)];
    }

    private static IEnumerable<Type> Registered(string factories)
    {
        object table = typeof(NinoRegistry).GetField(factories, BindingFlags.NonPublic | BindingFlags.Static)!.GetValue(null)!;
        return (IEnumerable<Type>)table.GetType().GetProperty(nameof(TypeTable<object>.Types))!.GetValue(table)!;
    }
}

internal enum StoredReading
{
    /// <summary>The bytes are no record of the schema.</summary>
    Refused,

    /// <summary>They are, but not one that can be read as the type.</summary>
    ByTheSchema,

    /// <summary>A plan made a value of the type.</summary>
    AsTheType,
}

internal enum FuzzDepth
{
    /// <summary>The codec alone; an accepted record is written and read again.</summary>
    Codec,

    /// <summary>Also with the place of damage, from a sequence in pieces, a stream, a pipe, as an item, by the type at run time, behind headers, into an object that is there, by the schema alone, and as JSON.</summary>
    Everything,
}

internal sealed class FuzzTarget<T> : FuzzTarget
{
    // What the bytes could hold times the memory of an entry, and an exception with its trace.
    private const long BytesAnInput = 65_536;
    private const long BytesAByte = 512;

    // Objects of that type count how often they were read and written.
    private static readonly bool IsStable = NinoCodec<T>.Default.Schema.CanonicalBytes.Span.IndexOf("Construction.Counter"u8) < 0;

    private static readonly bool HasNoOrder = UnorderedTypes.AreReachedFrom(typeof(T));

    private readonly ArrayBufferWriter<byte> _output = new();

    // What is there when a record is read into an object.
    private readonly byte[] _before = new RandomRecord(NinoCodec<T>.Default.Schema, 1).Bytes;

    public override Type Type => typeof(T);

    public override NinoSchema Schema => NinoCodec<T>.Default.Schema;

    public override bool Try(byte[] input, FuzzDepth depth)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        bool isRecord = TryRead(input, out T? value);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before, allowed = BytesAnInput + (BytesAByte * input.Length);
        if (allocated > allowed && Again(() => TryRead(input, out _)) > allowed) throw new FuzzException($"reading {input.Length} bytes allocated {allocated}");
        if (isRecord) CheckAccepted(input, value!);
        if (depth == FuzzDepth.Everything) CheckOtherWays(input, isRecord);
        return isRecord;
    }

    public override StoredReading TryStored(NinoSchema stored, byte[] input)
    {
        bool isTree = Accepts("NinoValue", () => NinoValue.Decode(stored, input));
        bool isJson = Accepts("JSON", () => WriteJson(stored, input));
        if (isTree != isJson) throw new FuzzException($"as a tree {(isTree ? "read" : "refused")}, as JSON {(isJson ? "written" : "refused")}");
        bool isWalked = Accepts("the walk", () =>
        {
            var walker = new NinoReader(input);
            RecordWalker.SkipRecord(ref walker, stored.Root);
            if (walker.Remaining > 0) Throw.TrailingBytes(walker.Remaining);
        });
        if (isTree && !isWalked) throw new FuzzException("as a tree read, by the walk refused");
        T? value = default;
        if (!Accepts("a mapped read", () => value = NinoCodec<T>.Default.Decode(input, stored))) return isTree ? StoredReading.ByTheSchema : StoredReading.Refused;
        if (!isTree && !IsOfTheTypeAllTheSame(stored, input)) throw new FuzzException("a plan makes a value of what the stored schema refuses");
        if (!TryRead(Write(value!), out _)) throw new FuzzException("a value that a plan made is written as what cannot be read");
        return StoredReading.AsTheType;
    }

    // Where there is nothing to rewrite, a record is read as one of the type now, which may have more cases than the stored schema; cases that the type does not know are passed over by their length,
    // and nobody looks into them; and whether the number of an object is that of one that fits, the type alone decides.
    private bool IsOfTheTypeAllTheSame(NinoSchema stored, byte[] input)
    {
        if (HasSkippedCases(stored)) return true;
        if (NinoRecordMapper.Create(stored, Schema).IsIdentical) return TryRead(input, out _);
        try
        {
            NinoValue.Decode(stored, input);
            return false;
        }
        catch (NinoSerializationException e)
        {
            return e.Message.Contains("refers to an object", StringComparison.Ordinal);
        }
    }

    private bool HasSkippedCases(NinoSchema stored)
    {
        HashSet<uint> known = [.. Schema.Definitions.OfType<UnionDefinition>().SelectMany(static union => union.Cases).Select(static one => one.Tag)];
        return stored.Definitions.OfType<UnionDefinition>().Any(union => union.SkipsUnknown && union.Cases.Any(one => !known.Contains(one.Tag)));
    }

    public override void TryHeader(byte[] schema, byte[] record) => TryWithHeader(Behind(schema, record), NinoHeader.Schema);

    public override void TryWithHeader(byte[] input, NinoHeader header)
    {
        bool isRead = Accepts("a header in front", () => NinoSerializer.Deserialize<T>(input, header));
        int cut = input.Length / 2;
        Same($"{header} in front, in pieces", isRead, () => NinoSerializer.Deserialize<T>(Pieces.Of<byte>(input.AsMemory(0, cut), input.AsMemory(cut)), header));
    }

    public override byte[]? WriteAgain(NinoSchema stored, byte[] input)
    {
        T? value = default;
        if (!Accepts(() => value = NinoCodec<T>.Default.Decode(input, stored))) return null;
        byte[] written = Write(value!);
        if (!IsStable) return [];
        return HasNoOrder ? [.. written.Order()] : written;
    }

    public override void Touch(ReadOnlySpan<byte> input)
    {
        T? value = TryRead(_before, out T? before) ? before : default;
        for (int way = 0; way < 5; way++)
        {
            try
            {
                switch (way)
                {
                    case 0: NinoCodec<T>.Default.Decode(input); break;
                    case 1: NinoCodec<T>.Default.Decode(input, ref value); break;
                    case 2: NinoValue.Decode(Schema, input); break;
                    case 3: WriteJson(Schema, input); break;
                    case 4: TryRead(input, out _); break;
                }
            }
            catch (NinoSerializationException)
            {
                // What damaged bytes are.
            }
        }
    }

    public override void TouchStored(NinoSchema stored, ReadOnlySpan<byte> input)
    {
        T? value = TryRead(_before, out T? before) ? before : default;
        for (int way = 0; way < 3; way++)
        {
            try
            {
                switch (way)
                {
                    case 0: NinoCodec<T>.Default.Decode(input, stored); break;
                    case 1: NinoCodec<T>.Default.Decode(input, stored, ref value); break;
                    case 2: NinoRecordMapper.Create(stored, Schema).Map(input, new ArrayBufferWriter<byte>()); break;
                }
            }
            catch (NinoSerializationException)
            {
                // What damaged bytes are.
            }
        }
    }

    public override int WriteIntoRoom(byte[] record, RoomOf roomOf)
    {
        if (!TryRead(record, out T? value)) throw new FuzzException("not a record");
        int length = Write(value!).Length;
        for (int room = 0; room <= length; room++)
        {
            bool fits = Accepts(() =>
            {
                var writer = new NinoWriter(roomOf(room));
                NinoCodec<T>.Default.WriteRecord(ref writer, in value!);
            });
            if (fits != (room == length)) throw new FuzzException($"{length} bytes {(fits ? "fit" : "do not fit")} into {room}");
            if (NinoSerializer.TrySerialize(value!, roomOf(room), out int written) != fits || written != (fits ? length : 0)) throw new FuzzException($"TrySerialize into {room} of {length} bytes says {written}");
        }

        return 2 * (length + 1);
    }

    public override (long Done, long Refused, long Changes) WriteWhileItChanges(byte[][] records, RoomOf roomOf, int seed)
    {
        if (!TryRead(records[0], out T? value)) throw new FuzzException("not a record");
        return new ChangingValue<T>(value!, records, roomOf).Write(seed);
    }

    private byte[] Behind(ReadOnlySpan<byte> schema, ReadOnlySpan<byte> record)
    {
        _output.ResetWrittenCount();
        var writer = new NinoWriter(_output);
        writer.WriteCompact((uint)schema.Length);
        writer.WriteBytes(schema);
        writer.WriteBytes(record);
        writer.Flush();
        return _output.WrittenSpan.ToArray();
    }

    /// <summary>A stream of one item, which need not be one.</summary>
    private byte[] Item(ReadOnlySpan<byte> item)
    {
        _output.ResetWrittenCount();
        var writer = new NinoWriter(_output);
        writer.WriteBytes(ItemFormat.Magic);
        writer.Take(1) = ItemFormat.Version;
        RecordHeader.WriteSchema(ref writer, Schema);
        writer.WriteCompact((uint)item.Length + 1);
        writer.WriteBytes(item);
        writer.Take(1) = 0;
        writer.Flush();
        return _output.WrittenSpan.ToArray();
    }

    private static bool TryRead(ReadOnlySpan<byte> input, out T? value)
    {
        var reader = new NinoReader(input);
        try
        {
            value = NinoCodec<T>.Default.ReadRecord(ref reader);
            return reader.Remaining == 0;
        }
        catch (NinoSerializationException)
        {
            value = default;
            return false;
        }
    }

    // What was read is a value, so it has an encoding; and that one is its own.
    private void CheckAccepted(ReadOnlySpan<byte> input, T value)
    {
        byte[] first = Write(value);
        if (!TryRead(first, out T? again)) throw new FuzzException($"a value that was read is written as {Convert.ToHexString(first)}, which cannot be read");
        byte[] second = Write(again!);
        if (first.Length != second.Length || (IsStable && !IsAlike(first, second))) throw new FuzzException($"a value is written as {Convert.ToHexString(first)} and, read again, as {Convert.ToHexString(second)}");
        var walker = new NinoReader(input);
        RecordWalker.SkipRecord(ref walker, Schema.Root);
        if (walker.Remaining != 0) throw new FuzzException($"the schema leaves {walker.Remaining} bytes of a record that the codec takes");
    }

    // Frozen and concurrent dictionaries give their pairs an order of their own, another each time they are made. Everything else is written as it was.
    private static bool IsAlike(byte[] first, byte[] second) => first.AsSpan().SequenceEqual(second) || (HasNoOrder && first.Order().SequenceEqual(second.Order()));

    private void CheckOtherWays(byte[] input, bool isRecord)
    {
        Same("Deserialize(span)", isRecord, () => NinoSerializer.Deserialize<T>(input));
        int cut = input.Length / 3;
        ReadOnlySequence<byte> pieces = Pieces.Of<byte>(input.AsMemory(0, cut), input.AsMemory(cut, cut), input.AsMemory(2 * cut));
        Same("Deserialize(sequence)", isRecord, () => NinoSerializer.Deserialize<T>(pieces));
        Same("Deserialize(Type)", isRecord, () => NinoSerializer.Deserialize(typeof(T), input));
        Same("a stream", isRecord, () => NinoSerializer.Deserialize<T>(new MemoryStream(input)));
        Same("a pipe", isRecord, () => Now(NinoSerializer.DeserializeAsync<T>(PipeReader.Create(new MemoryStream(input), new StreamPipeReaderOptions(bufferSize: 16, minimumReadSize: 4))).AsTask()));
        byte[] item = Item(input);
        Same("an item", isRecord, () => Now(NinoSerializer.DeserializeItemsAsync<T>(PipeReader.Create(new ReadOnlySequence<byte>(item))).LastAsync().AsTask()));

        Same("a fingerprint in front", isRecord, () => NinoSerializer.Deserialize<T>([.. BitConverter.GetBytes(Schema.Fingerprint), .. input], NinoHeader.Fingerprint));
        byte[] withSchema = Behind(Schema.CanonicalBytes.Span, input);
        Same("a schema in front", isRecord, () => NinoSerializer.Deserialize<T>(withSchema, NinoHeader.Schema));
        CheckInto(input, isRecord);

        // The schema alone knows neither duplicate keys nor the texts of types that are stored as text.
        bool isTree = Accepts("NinoValue", () => NinoValue.Decode(Schema, input));
        bool isJson = Accepts("JSON", () => WriteJson(Schema, input));
        if (isTree != isJson) throw new FuzzException($"as a tree {(isTree ? "read" : "refused")}, as JSON {(isJson ? "written" : "refused")}");
        if (isRecord && !isTree) throw new FuzzException("the codec takes it, the schema alone refuses it");
    }

    // Into an object of other values, and then into one of the same.
    private void CheckInto(byte[] input, bool isRecord)
    {
        T? value = TryRead(_before, out T? before) ? before : default;
        Same("reading into an object", isRecord, () => NinoSerializer.Deserialize(input, ref value));
        if (!isRecord || !TryRead(input, out T? fresh)) return;
        byte[] expected = Write(fresh!), filled = Write(value!);
        if (IsStable && !IsAlike(expected, filled)) throw new FuzzException($"read into an object it is {Convert.ToHexString(filled)}, read anew {Convert.ToHexString(expected)}");
        Same("reading into an object again", isRecord, () => NinoSerializer.Deserialize(input, ref value));
        filled = Write(value!);
        if (IsStable && !IsAlike(expected, filled)) throw new FuzzException($"read into an object a second time it is {Convert.ToHexString(filled)}, read anew {Convert.ToHexString(expected)}");
    }

    // Of bytes that are all there nothing is waited for, so what is allocated is this thread's.
    private static void Now(Task read)
    {
        if (!read.IsCompleted) throw new FuzzException("what is all there is waited for");
        read.GetAwaiter().GetResult();
    }

    private static void WriteJson(NinoSchema schema, ReadOnlySpan<byte> input) => NinoJson.Write(new Utf8JsonWriter(Stream.Null, new JsonWriterOptions { MaxDepth = 1000 }), schema, input);

    private static void Same(string way, bool isRecord, Action read)
    {
        if (Accepts(way, read) != isRecord) throw new FuzzException($"{way} {(isRecord ? "refuses" : "takes")} what the codec {(isRecord ? "takes" : "refuses")}");
    }

    private static bool Accepts(string way, Action read)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        bool isAccepted = Accepts(read);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        if (allocated > 16 * BytesAnInput && Again(() => Accepts(read)) > 16 * BytesAnInput) throw new FuzzException($"{way} allocated {allocated}");
        return isAccepted;
    }

    private static bool Accepts(Action read)
    {
        try
        {
            read();
            return true;
        }
        catch (NinoSerializationException)
        {
            return false;
        }
    }

    // What is made once, for the first value of a type that stands where object is declared above all, is no input's cost: so whoever allocated too much is measured again.
    private static long Again(Func<bool> read)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        read();
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private byte[] Write(T value)
    {
        _output.ResetWrittenCount();
        var writer = new NinoWriter(_output);
        NinoCodec<T>.Default.WriteRecord(ref writer, in value);
        writer.Flush();
        return _output.WrittenSpan.ToArray();
    }
}

/// <summary>Memory of a length.</summary>
internal delegate Span<byte> RoomOf(int length);

/// <summary>An outcome that no input may have.</summary>
internal sealed class FuzzException(string message) : Exception(message);
