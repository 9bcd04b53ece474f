// Arrays of bytes are nearly their own encoding: they go into the frame straight from the caller, where other records are encoded into a buffer first and copied from there.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Framing;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Log;

/// <summary>A batch of records of type <c>byte[]</c>.</summary>
internal readonly ref struct BytesBatch : IBatchPayload
{
    private readonly ReadOnlySpan<byte[]> _records;

    /// <param name="records">The caller's arrays.</param>
    /// <param name="maxRecordBytes">Most bytes of a record with its count.</param>
    /// <exception cref="ArgumentNullException">One is null.</exception>
    /// <exception cref="RecordTooLargeException">One of them, or all together, are too large.</exception>
    public BytesBatch(ReadOnlySpan<byte[]> records, int maxRecordBytes)
    {
        long total = 0;
        foreach (byte[] record in records)
        {
            if (record is null) Throw.NullRecordToWrite<byte[]>("value");
            long encoded = EncodedSize(record);
            if (encoded > maxRecordBytes) throw RecordTooLargeException.InBatch(NinoCodec<byte[]>.Default.Schema.Name, encoded, maxRecordBytes);
            total += CompactNumber.SizeOf((uint)encoded) + encoded;
            if (total > NinoStore.MaxBatchBytes) throw RecordTooLargeException.Batch(NinoStore.MaxBatchBytes);
        }

        _records = records;
        LengthBytes = (int)total;
    }

    /// <inheritdoc/>
    public int LengthBytes { get; }

    /// <inheritdoc/>
    public int RecordCount => _records.Length;

    /// <summary>True for the codec whose records these are: a program may have another one for arrays of bytes.</summary>
    public static bool IsOf<T>(NinoCodec<T> codec) => codec is CodecAdapter<byte[], ArrayCodec<byte, ByteCodec>>;

    /// <summary>The arrays as what they are. Bound: <see cref="IsOf"/> was true of a codec of <typeparamref name="T"/>, which is therefore <c>byte[]</c>.</summary>
    public static ReadOnlySpan<byte[]> Cast<T>(ReadOnlySpan<T> values) => MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<T, byte[]>(ref MemoryMarshal.GetReference(values)), values.Length);

    /// <summary>False when another thread has put other arrays into the list since: nothing behind the destination is written then.</summary>
    public bool TryWrite(Span<byte> destination)
    {
        int at = 0;
        foreach (byte[] record in _records)
        {
            if (record is null) return false;
            long encoded = EncodedSize(record);
            if (CompactNumber.SizeOf((uint)encoded) + encoded > destination.Length - at) return false;
            at += FrameBuilder.WriteCompact(destination[at..], (uint)encoded);
            at += FrameBuilder.WriteCompact(destination[at..], (uint)record.Length + 1);
            record.CopyTo(destination[at..]);
            at += record.Length;
        }

        return at == destination.Length;
    }

    // A count and the bytes: docs/formats/record.md.
    private static long EncodedSize(byte[] record) => CompactNumber.SizeOf((uint)record.Length + 1) + (long)record.Length;
}
