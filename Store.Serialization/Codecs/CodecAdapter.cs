// From the virtual call into generated code. What a call costs beside its bytes is decided here: one frame from the bytes to the object, no writer
// and no reader where every record has one size. Checked in the disassembly; collections' own codecs are calls, so that each has the inliner's
// whole budget, which goes by the size of the outermost method.

using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

/// <summary>
/// A codec struct as an object: the one place where a virtual call leads into generated code. (IsValueType stands before each comparison with null
/// because code that is not optimized yet boxes a struct for it.)
/// </summary>
internal sealed class CodecAdapter<T, TCodec> : NinoCodec<T> where TCodec : struct, INinoCodec<T>
{
    // The bytes of every record, or 0 where records differ: a constant, so that one side of each branch on it vanishes.
    private static int FixedRecordSize
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => TCodec.Form == CodecForm.Object ? TCodec.FixedBodySize : TCodec.Form is CodecForm.Fixed or CodecForm.Blittable ? TCodec.FixedSize : 0;
    }

    public override void WriteRecord(ref NinoWriter writer, in T value)
    {
        if (!typeof(T).IsValueType && value is null) Throw.NullRecordToWrite<T>(nameof(value));
        writer.BeginRecord();
        NinoSerializationException unwritten;
        try
        {
            WriteValue(ref writer, in value);
            writer.EndRecord();
            return;
        }
        catch (NinoSerializationException error)
        {
            unwritten = error;
        }

        throw WriteErrors.Locate(unwritten, this, in value, writer.Limits);
    }

    public override T ReadRecord(ref NinoReader reader)
    {
        reader.BeginRecord();
        try
        {
            return ReadValue(ref reader);
        }
        catch (Exception error) when (error is not NinoSerializationException && RecordErrors.IsAboutTheRecord(error))
        {
            throw RecordErrors.Refused(error);
        }
    }

    public override long Encode(IBufferWriter<byte> output, in T value, NinoLimits? limits = null)
    {
        if (!typeof(T).IsValueType && value is null) Throw.NullRecordToWrite<T>(nameof(value));
        int most = (limits ?? NinoLimits.Default).MaxRecordBytes;
        if (!TCodec.IsSimple || FixedRecordSize > most || !default(TCodec).IsStorable(in value)) return EncodeGuarded(output, in value, limits);
        Span<byte> room = output.GetSpan(FixedRecordSize);
        if (FixedRecordSize == 0)
        {
            int size = default(TCodec).WriteAt(ref MemoryMarshal.GetReference(room), Math.Min(room.Length, most), in value);
            if (size < 0) return EncodeGuarded(output, in value, limits);
            output.Advance(size);
            return size;
        }

        if (room.Length < FixedRecordSize) return EncodeGuarded(output, in value, limits);
        StoreFixed(ref MemoryMarshal.GetReference(room), in value);
        output.Advance(FixedRecordSize);
        return FixedRecordSize;
    }

    // A method of its own: a handler makes the compiler keep values in memory, and a small object took 4.5 ns with one in the same method for 3.2 (docs/performance.md, "One call of a verb").
    [MethodImpl(MethodImplOptions.NoInlining)]
    private long EncodeGuarded(IBufferWriter<byte> output, in T value, NinoLimits? limits)
    {
        limits ??= NinoLimits.Default;
        NinoSerializationException unwritten;
        try
        {
            if (FixedRecordSize > 0)
            {
                if (FixedRecordSize > limits.MaxRecordBytes) Throw.RecordTooLarge(limits.MaxRecordBytes);
                Span<byte> span = output.GetSpan(FixedRecordSize);
                if (span.Length < FixedRecordSize) Throw.BufferWriterTooShort(FixedRecordSize, span.Length);
                StoreFixed(ref MemoryMarshal.GetReference(span), in value);
                output.Advance(FixedRecordSize);
                return FixedRecordSize;
            }

            // Of simple values that was tried before.
            if (!TCodec.IsFlat || TCodec.IsSimple) return WriteTo(output, in value, limits);
            Span<byte> room = output.GetSpan();
            int size = default(TCodec).WriteAt(ref MemoryMarshal.GetReference(room), Math.Min(room.Length, limits.MaxRecordBytes), in value);
            if (size < 0) return WriteTo(output, in value, limits);
            output.Advance(size);
            return size;
        }
        catch (NinoSerializationException error)
        {
            unwritten = error;
        }

        throw WriteErrors.Locate(unwritten, this, in value, limits);
    }

    // A method of its own where values are mostly written without a writer, which is some hundred bytes on the stack that are cleared first.
    private static long WriteTo(IBufferWriter<byte> output, in T value, NinoLimits limits)
    {
        var writer = new NinoWriter(output, limits);
        WriteValue(ref writer, in value);
        return writer.Complete();
    }

    internal override byte[] EncodeToArray(in T value, NinoLimits? limits)
    {
        if (!typeof(T).IsValueType && value is null) Throw.NullRecordToWrite<T>(nameof(value));
        if (!TCodec.IsSimple || FixedRecordSize == 0 || FixedRecordSize > (limits ?? NinoLimits.Default).MaxRecordBytes || !default(TCodec).IsStorable(in value)) return EncodeToArrayGuarded(in value, limits);
        byte[] result = GC.AllocateUninitializedArray<byte>(FixedRecordSize);
        StoreFixed(ref MemoryMarshal.GetArrayDataReference(result), in value);
        return result;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private byte[] EncodeToArrayGuarded(in T value, NinoLimits? limits)
    {
        limits ??= NinoLimits.Default;
        ScratchBuffer? scratch = null;
        NinoSerializationException unwritten;
        try
        {
            if (FixedRecordSize > 0)
            {
                if (FixedRecordSize > limits.MaxRecordBytes) Throw.RecordTooLarge(limits.MaxRecordBytes);
                byte[] result = GC.AllocateUninitializedArray<byte>(FixedRecordSize);
                StoreFixed(ref MemoryMarshal.GetArrayDataReference(result), in value);
                return result;
            }

            scratch = ScratchBuffer.Rent();
            if (!TCodec.IsFlat) return WriteToArray(scratch, in value, limits);
            Span<byte> room = scratch.FirstPiece;
            int size = default(TCodec).WriteAt(ref MemoryMarshal.GetReference(room), Math.Min(room.Length, limits.MaxRecordBytes), in value);
            if (size < 0) return WriteToArray(scratch, in value, limits);
            byte[] written = GC.AllocateUninitializedArray<byte>(size);
            room[..size].CopyTo(written);
            return written;
        }
        catch (NinoSerializationException error)
        {
            unwritten = error;
        }
        finally
        {
            scratch?.Return();
        }

        throw WriteErrors.Locate(unwritten, this, in value, limits);
    }

    private static byte[] WriteToArray(ScratchBuffer scratch, in T value, NinoLimits limits)
    {
        var writer = new NinoWriter(scratch, limits);
        WriteValue(ref writer, in value);
        return scratch.ToArray(ref writer);
    }

    // A reader is some hundred bytes on the stack that are cleared first, in the whole method: where every record has one size, there is none in it. (For a writer the same was tried and gains nothing.)
    public override T Decode(ReadOnlySpan<byte> record, NinoLimits? limits = null)
    {
        if (TCodec.IsFlat) return DecodeFlat(record, limits);
        // Another length is an error that the reader finds and names.
        if (FixedRecordSize == 0 || record.Length != FixedRecordSize) return DecodeByReader(record, limits);
        int maxBytes = (limits ?? NinoLimits.Default).MaxRecordBytes;
        if (FixedRecordSize > maxBytes) Throw.RecordTooLarge(maxBytes, this);
        try
        {
            // Of a fixed width and null: an option of F# without a value, which is no record.
            T loaded = LoadFixed(in MemoryMarshal.GetReference(record));
            if (!typeof(T).IsValueType && loaded is null) Throw.NullRecord(typeof(T));
            return loaded;
        }
        catch (Exception error) when (RecordErrors.IsAboutTheRecord(error))
        {
            throw Located(error, record, record.Length, limits);
        }
    }

    private T DecodeFlat(ReadOnlySpan<byte> record, NinoLimits? limits)
    {
        try
        {
            // Whatever is unusual, or too long, or more than the value, the reader finds and names.
            ref byte start = ref MemoryMarshal.GetReference(record);
            if (record.Length <= (limits ?? NinoLimits.Default).MaxRecordBytes
                && default(TCodec).ReadAt(in start, in start, record.Length, TCodec.HeadSize, out T value) == record.Length) return value;
        }
        catch (Exception error) when (RecordErrors.IsAboutTheRecord(error))
        {
            throw Located(error, record, record.Length, limits);
        }

        return DecodeByReader(record, limits);
    }

    // Here and not in the base, whose code all classes share: what it calls is known here, and taken in, whatever the program read before (docs/performance.md, "Views, reading into what is there, older shapes").
    public override T Decode(ReadOnlySpan<byte> record, NinoSchema stored, NinoLimits? limits = null)
    {
        if (MapperFrom(stored) is not { } mapper) return Decode(record, limits);
        return OlderRecord<T, TCodec>.TryDecode(record, mapper, limits, out T? value) ? value! : Rewrite(record, mapper, default, limits);
    }

    internal override bool TryDecodeOlder(ReadOnlySpan<byte> record, NinoRecordMapper mapper, NinoLimits? limits, out T? value) => OlderRecord<T, TCodec>.TryDecode(record, mapper, limits, out value);

    private NinoSerializationException Located(Exception error, ReadOnlySpan<byte> record, int position, NinoLimits? limits) =>
        RecordErrors.Locate(error as NinoSerializationException ?? RecordErrors.Refused(error), Schema, record, position, limits);

    // Plain fields: storing them runs no code of the type, so nothing fails but what is asked before. Then no frame is needed that catches errors to name them, and
    // the caller takes all of it in; whatever is unusual is done by the method that has such a frame. (For reading the same was tried and gains nothing: docs/performance.md.)
    private static bool IsPlain
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => typeof(T).IsValueType && FixedRecordSize > 0 && !TCodec.Memory.IsEmpty;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal override long EncodeValue(IBufferWriter<byte> output, in T value, NinoLimits? limits)
    {
        if (!IsPlain || FixedRecordSize > (limits ?? NinoLimits.Default).MaxRecordBytes) return Encode(output, in value, limits);
        Span<byte> span = output.GetSpan(FixedRecordSize);
        if (span.Length < FixedRecordSize) return Encode(output, in value, limits);
        StoreFixed(ref MemoryMarshal.GetReference(span), in value);
        output.Advance(FixedRecordSize);
        return FixedRecordSize;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal override byte[] EncodeValueToArray(in T value, NinoLimits? limits)
    {
        if (!IsPlain || FixedRecordSize > (limits ?? NinoLimits.Default).MaxRecordBytes) return EncodeToArray(in value, limits);
        byte[] result = new byte[FixedRecordSize];
        StoreFixed(ref MemoryMarshal.GetArrayDataReference(result), in value);
        return result;
    }

    internal override int SizeIfCertain(in T value, NinoLimits? limits)
    {
        if (FixedRecordSize == 0 || FixedRecordSize > (limits ?? NinoLimits.Default).MaxRecordBytes || (!typeof(T).IsValueType && value is null)) return 0;
        return IsPlain || TCodec.Form == CodecForm.Blittable || (TCodec.IsSimple && default(TCodec).IsStorable(in value)) ? FixedRecordSize : 0;
    }

    internal override void EncodeCertain(Span<byte> destination, in T value) => StoreFixed(ref MemoryMarshal.GetReference(destination[..FixedRecordSize]), in value);

    // Not taken in where the verb is: it would use up what the compiler takes into the caller's method, and the small members of a list's elements would stay calls.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private T DecodeByReader(ReadOnlySpan<byte> record, NinoLimits? limits)
    {
        var reader = new NinoReader(record, limits, this);
        try
        {
            T value = ReadValue(ref reader);
            if (reader.Remaining != 0) Throw.TrailingBytes(reader.Remaining);
            return value;
        }
        catch (Exception error) when (RecordErrors.IsAboutTheRecord(error))
        {
            throw Located(error, record, reader.FailedAt, limits);
        }
    }

    public override void Decode(ReadOnlySpan<byte> record, [NotNull] ref T? value, NinoLimits? limits = null)
    {
        if (!TCodec.CanReadInto || (!typeof(T).IsValueType && value is null))
        {
            value = Decode(record, limits)!;
            return;
        }

        var reader = new NinoReader(record, limits, this);
        try
        {
            ReadValueInto(ref reader, ref value!);
            if (reader.Remaining != 0) Throw.TrailingBytes(reader.Remaining);
        }
        catch (Exception error) when (RecordErrors.IsAboutTheRecord(error))
        {
            throw Located(error, record, reader.FailedAt, limits);
        }
    }

    internal override void ReadRecordInto(ref NinoReader reader, ref T value)
    {
        reader.BeginRecord();
        try
        {
            if (!TCodec.CanReadInto || (!typeof(T).IsValueType && value is null)) value = ReadValue(ref reader);
            else ReadValueInto(ref reader, ref value);
        }
        catch (Exception error) when (error is not NinoSerializationException && RecordErrors.IsAboutTheRecord(error))
        {
            throw RecordErrors.Refused(error);
        }
    }

    // Of a codec that somebody wrote, the engine's is around it.
    internal override string Origin => (typeof(TCodec) is { IsGenericType: true } codec && codec.GetGenericTypeDefinition() == typeof(CustomCodec<,>) ? codec.GenericTypeArguments[1] : typeof(TCodec)).Assembly.GetName().Name ?? "";

    internal override CodecForm Form => TCodec.Form;

    internal override int MinSize => TCodec.MinSize;

    internal override int FixedValueSize => TCodec.FixedSize;

    internal override int MinBodySize => TCodec.MinBodySize;

    internal override int FixedBodySize => TCodec.FixedBodySize;

    internal override SchemaNode Describe(SchemaBuilder builder) => TCodec.Describe(builder);

    internal override void Write(ref NinoWriter writer, in T value) => default(TCodec).Write(ref writer, in value);

    internal override T Read(ref NinoReader reader) => default(TCodec).Read(ref reader);

    internal override void WriteFixed(ref byte destination, in T value) => default(TCodec).WriteFixed(ref destination, in value);

    internal override T ReadFixed(ref readonly byte source) => default(TCodec).ReadFixed(in source);

    internal override void WriteBody(ref NinoWriter writer, in T value) => default(TCodec).WriteBody(ref writer, in value);

    internal override T ReadBody(ref NinoReader reader) => default(TCodec).ReadBody(ref reader);

    internal override void WriteFixedBody(ref byte destination, in T value) => default(TCodec).WriteFixedBody(ref destination, in value);

    internal override T ReadFixedBody(ref readonly byte source) => default(TCodec).ReadFixedBody(in source);

    internal override bool CanReadInto => TCodec.CanReadInto;

    internal override void ReadInto(ref NinoReader reader, ref T value) => default(TCodec).ReadInto(ref reader, ref value);

    internal override void ReadBodyInto(ref NinoReader reader, ref T value) => default(TCodec).ReadBodyInto(ref reader, ref value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteValue(ref NinoWriter writer, in T value)
    {
        if (TCodec.Form == CodecForm.Object) default(TCodec).WriteBody(ref writer, in value);
        else default(TCodec).Write(ref writer, in value);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T ReadValue(ref NinoReader reader)
    {
        if (TCodec.Form == CodecForm.Object) return default(TCodec).ReadBody(ref reader);
        T value = default(TCodec).Read(ref reader);
        if (!typeof(T).IsValueType && value is null) Throw.NullRecord(typeof(T));
        return value;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void ReadValueInto(ref NinoReader reader, ref T value)
    {
        if (TCodec.Form == CodecForm.Object)
        {
            default(TCodec).ReadBodyInto(ref reader, ref value);
            return;
        }

        default(TCodec).ReadInto(ref reader, ref value);
        if (!typeof(T).IsValueType && value is null) Throw.NullRecord(typeof(T));
    }

    // Bound: FixedRecordSize bytes reserved at the reference.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void StoreFixed(ref byte destination, in T value)
    {
        if (TCodec.Form == CodecForm.Object) default(TCodec).WriteFixedBody(ref destination, in value);
        else default(TCodec).WriteFixed(ref destination, in value);
    }

    // Bound: FixedRecordSize bytes readable at the reference.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T LoadFixed(ref readonly byte source) =>
        TCodec.Form == CodecForm.Object ? default(TCodec).ReadFixedBody(in source) : default(TCodec).ReadFixed(in source);
}
