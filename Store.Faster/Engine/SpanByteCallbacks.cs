// What FASTER calls during an operation. All of it runs under FASTER's epoch protection and a record lock: nothing here blocks, calls user code or throws.
// So a value is only copied out here; it is decoded by the caller, outside, where a codec may throw and a constructor may do as it likes.

using System.Buffers;
using FASTER.core;

namespace Store.Faster.Engine;

/// <summary>What a read wants.</summary>
internal enum ReadMode
{
    /// <summary>A copy of the value.</summary>
    Value,

    /// <summary>Only whether the key is there.</summary>
    Presence,
}

/// <summary>What a read found. <see cref="Bytes"/> is rented from the shared array pool; whoever takes the result returns it.</summary>
internal struct ReadResult
{
    public byte[]? Bytes;
    public int LengthBytes;

    /// <summary>Address of the record. From the callback: the metadata that FASTER returns with a read from the disk names the first record of the key's chain, which may be another key's.</summary>
    public long Address;

    /// <summary>Why the value could not be copied: kept, because the callback must not throw.</summary>
    public Exception? Failure;
}

/// <summary>The callbacks of a session; a struct, so that the JIT compiles FASTER's operations with direct calls to them.</summary>
internal struct SpanByteCallbacks : IFunctions<SpanByte, SpanByte, ReadMode, ReadResult, Empty>
{
    public readonly bool SingleReader(ref SpanByte key, ref ReadMode input, ref SpanByte value, ref ReadResult dst, ref ReadInfo readInfo) => Copy(input, ref value, ref dst, readInfo.Address);

    public readonly bool ConcurrentReader(ref SpanByte key, ref ReadMode input, ref SpanByte value, ref ReadResult dst, ref ReadInfo readInfo) => Copy(input, ref value, ref dst, readInfo.Address);

    public readonly bool SingleWriter(ref SpanByte key, ref ReadMode input, ref SpanByte src, ref SpanByte dst, ref ReadResult output, ref UpsertInfo upsertInfo, WriteReason reason)
    {
        src.CopyTo(ref dst);
        return true;
    }

    /// <summary>Overwrites in place where the new value is not longer; the bytes given up are zeroed, because a scan of the log steps over zeros. False makes FASTER append a new record.</summary>
    public readonly bool ConcurrentWriter(ref SpanByte key, ref ReadMode input, ref SpanByte src, ref SpanByte dst, ref ReadResult output, ref UpsertInfo upsertInfo)
    {
        if (dst.Length < src.Length) return false;
        if (src.Length < dst.Length)
        {
            // Zeros first, for every processor to see: a scan that meets the new length goes on behind it at once.
            dst.AsSpan()[src.Length..].Clear();
            Interlocked.MemoryBarrier();
            dst.ShrinkSerializedLength(src.Length);
        }

        src.CopyTo(ref dst);
        return true;
    }

    private static bool Copy(ReadMode mode, ref SpanByte value, ref ReadResult dst, long address)
    {
        dst.Address = address;
        if (mode == ReadMode.Presence) return true;
        ReadOnlySpan<byte> bytes = value.AsReadOnlySpan();
        try
        {
            dst.Bytes = ArrayPool<byte>.Shared.Rent(bytes.Length);
            bytes.CopyTo(dst.Bytes);
            dst.LengthBytes = bytes.Length;
        }
        catch (OutOfMemoryException e)
        {
            dst.Failure = e;
        }

        return true;
    }

    // Deletions need nothing of us; read-modify-write is not used.
    public readonly bool SingleDeleter(ref SpanByte key, ref SpanByte value, ref DeleteInfo deleteInfo) => true;

    public readonly bool ConcurrentDeleter(ref SpanByte key, ref SpanByte value, ref DeleteInfo deleteInfo) => true;

    public readonly void PostSingleDeleter(ref SpanByte key, ref DeleteInfo deleteInfo) { }

    public readonly void PostSingleWriter(ref SpanByte key, ref ReadMode input, ref SpanByte src, ref SpanByte dst, ref ReadResult output, ref UpsertInfo upsertInfo, WriteReason reason) { }

    public readonly bool NeedInitialUpdate(ref SpanByte key, ref ReadMode input, ref ReadResult output, ref RMWInfo rmwInfo) => false;

    public readonly bool InitialUpdater(ref SpanByte key, ref ReadMode input, ref SpanByte value, ref ReadResult output, ref RMWInfo rmwInfo) => false;

    public readonly void PostInitialUpdater(ref SpanByte key, ref ReadMode input, ref SpanByte value, ref ReadResult output, ref RMWInfo rmwInfo) { }

    public readonly bool NeedCopyUpdate(ref SpanByte key, ref ReadMode input, ref SpanByte oldValue, ref ReadResult output, ref RMWInfo rmwInfo) => false;

    public readonly bool CopyUpdater(ref SpanByte key, ref ReadMode input, ref SpanByte oldValue, ref SpanByte newValue, ref ReadResult output, ref RMWInfo rmwInfo) => false;

    public readonly void PostCopyUpdater(ref SpanByte key, ref ReadMode input, ref SpanByte oldValue, ref SpanByte newValue, ref ReadResult output, ref RMWInfo rmwInfo) { }

    public readonly bool InPlaceUpdater(ref SpanByte key, ref ReadMode input, ref SpanByte value, ref ReadResult output, ref RMWInfo rmwInfo) => false;

    public readonly void ReadCompletionCallback(ref SpanByte key, ref ReadMode input, ref ReadResult output, Empty ctx, Status status, RecordMetadata recordMetadata) { }

    public readonly void RMWCompletionCallback(ref SpanByte key, ref ReadMode input, ref ReadResult output, Empty ctx, Status status, RecordMetadata recordMetadata) { }

    public readonly void DisposeSingleWriter(ref SpanByte key, ref ReadMode input, ref SpanByte src, ref SpanByte dst, ref ReadResult output, ref UpsertInfo upsertInfo, WriteReason reason) { }

    public readonly void DisposeCopyUpdater(ref SpanByte key, ref ReadMode input, ref SpanByte oldValue, ref SpanByte newValue, ref ReadResult output, ref RMWInfo rmwInfo) { }

    public readonly void DisposeInitialUpdater(ref SpanByte key, ref ReadMode input, ref SpanByte value, ref ReadResult output, ref RMWInfo rmwInfo) { }

    public readonly void DisposeSingleDeleter(ref SpanByte key, ref SpanByte value, ref DeleteInfo deleteInfo) { }

    public readonly void DisposeDeserializedFromDisk(ref SpanByte key, ref SpanByte value) { }

    public readonly void CheckpointCompletionCallback(int sessionID, string sessionName, CommitPoint commitPoint) { }
}
