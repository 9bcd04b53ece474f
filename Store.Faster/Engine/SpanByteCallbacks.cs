// What FASTER calls during an operation. All of it runs under FASTER's epoch protection: nothing here blocks, calls user code or throws.
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

/// <summary>What an operation brings along: a read its mode, a change its value. The value's bytes stay where they are until the operation is over.</summary>
internal readonly unsafe struct EngineInput
{
    /// <summary>Room for a value, at least, beside a key of up to four bytes: then no record is shorter than 32 bytes.</summary>
    public const int LeastRoomBytes = sizeof(int) + 1;

    private readonly byte* _value;
    private readonly int _lengthBytes;

    public EngineInput(ReadMode mode) => Mode = mode;

    /// <param name="value">Pinned bytes.</param>
    /// <param name="lengthBytes">How many.</param>
    /// <param name="keyBytes">Length of the key.</param>
    public EngineInput(byte* value, int lengthBytes, int keyBytes)
    {
        _value = value;
        _lengthBytes = lengthBytes;
        RoomBytes = keyBytes < LeastRoomBytes ? Math.Max(lengthBytes, LeastRoomBytes) : lengthBytes;
    }

    public ReadMode Mode { get; }

    /// <summary>
    /// How many bytes a new record has for the value. Not always as many as the value has: FASTER 2.6 gives a place up when it has to begin anew, and leaves the place's length eight bytes behind its beginning for as long
    /// as it may still use it. Whoever walks over a place of 32 bytes or more comes out at its end; in one of 24 it takes what lies behind for a value's length, and misses the rest of the page.
    /// </summary>
    public int RoomBytes { get; }

    public ReadOnlySpan<byte> Value => new(_value, _lengthBytes);

    /// <summary>Writes the value to a new record, whose bytes are zeros.</summary>
    public void WriteTo(ref SpanByte destination)
    {
        Value.CopyTo(destination.AsSpan());
        if (destination.Length > _lengthBytes) destination.ShrinkSerializedLength(_lengthBytes);
    }
}

/// <summary>How long a value becomes by a put: as long as the new one, whatever was there.</summary>
internal sealed class EngineInputLengths : IVariableLengthStruct<SpanByte, EngineInput>
{
    public int GetLength(ref SpanByte t, ref EngineInput input) => sizeof(int) + input.RoomBytes;

    public int GetInitialLength(ref EngineInput input) => sizeof(int) + input.RoomBytes;
}

/// <summary>What a read found. Whoever takes the result calls <see cref="Release"/> when done with its bytes.</summary>
internal struct ReadResult
{
    /// <summary>Where the bytes are. Before a read: where they may go, from <see cref="Start"/> on, if there is room; else they go to an array of the shared pool.</summary>
    public byte[]? Bytes;

    public int Start;

    public int LengthBytes;

    /// <summary>True when the array is the pool's.</summary>
    public bool IsRented;

    /// <summary>Address of the record. From the callback: the metadata that FASTER returns with a read from the disk names the first record of the key's chain, which may be another key's.</summary>
    public long Address;

    /// <summary>Why the value could not be copied: kept, because the callback must not throw.</summary>
    public Exception? Failure;

    public readonly ReadOnlySpan<byte> Value => Bytes.AsSpan(Start, LengthBytes);

    /// <summary>A copy of bytes in an array of the shared pool.</summary>
    public static ReadResult CopyOf(ReadOnlySpan<byte> bytes)
    {
        ReadResult copy = default;
        copy.Fill(bytes);
        return copy;
    }

    public void Fill(ReadOnlySpan<byte> bytes)
    {
        if (Bytes is null || bytes.Length > Bytes.Length - Start)
        {
            // A read that FASTER tries again has brought an array before.
            Release();
            (Bytes, Start, IsRented) = (ArrayPool<byte>.Shared.Rent(bytes.Length), 0, true);
        }

        LengthBytes = bytes.Length;
        bytes.CopyTo(Bytes.AsSpan(Start));
    }

    public void Release()
    {
        if (IsRented) ArrayPool<byte>.Shared.Return(Bytes!);
        (Bytes, IsRented) = (null, false);
    }
}

/// <summary>The callbacks of a session; a struct, so that the JIT compiles FASTER's operations with direct calls to them.</summary>
/// <param name="overwrites">Of the engine: what reads and changes in place know of each other.</param>
/// <param name="log">The engine's record log.</param>
internal readonly struct SpanByteCallbacks(Overwrites overwrites, LogAccessor<SpanByte, SpanByte> log) : IFunctions<SpanByte, SpanByte, EngineInput, ReadResult, Empty>
{
    /// <summary>How often a read is disturbed before nobody may disturb it.</summary>
    private const int MaxDisturbances = 8;

    // Also of records that are changed in place: a read that comes back from the disk and finds a newer record in memory by then is given it here when it lies below the read-only address, where threads that
    // have not heard of that address yet still overwrite it (FASTER 2.6, ContinuePending.cs). The address in ReadInfo does not tell: it is then still that of the record on the disk.
    public bool SingleReader(ref SpanByte key, ref EngineInput input, ref SpanByte value, ref ReadResult dst, ref ReadInfo readInfo) => CopyUndisturbed(ref key, input.Mode, ref value, ref dst, readInfo.Address);

    public bool ConcurrentReader(ref SpanByte key, ref EngineInput input, ref SpanByte value, ref ReadResult dst, ref ReadInfo readInfo) => CopyUndisturbed(ref key, input.Mode, ref value, ref dst, readInfo.Address);

    // A put: read-modify-write that looks at nothing but whether there is something, so that one lookup does what asking first and writing then would do in two.
    public bool NeedInitialUpdate(ref SpanByte key, ref EngineInput input, ref ReadResult output, ref RMWInfo rmwInfo) => true;

    public bool InitialUpdater(ref SpanByte key, ref EngineInput input, ref SpanByte value, ref ReadResult output, ref RMWInfo rmwInfo) => PutNew(ref input, ref value, ref rmwInfo);

    public bool NeedCopyUpdate(ref SpanByte key, ref EngineInput input, ref SpanByte oldValue, ref ReadResult output, ref RMWInfo rmwInfo) => true;

    public bool CopyUpdater(ref SpanByte key, ref EngineInput input, ref SpanByte oldValue, ref SpanByte newValue, ref ReadResult output, ref RMWInfo rmwInfo) => PutNew(ref input, ref newValue, ref rmwInfo);

    public bool InPlaceUpdater(ref SpanByte key, ref EngineInput input, ref SpanByte value, ref ReadResult output, ref RMWInfo rmwInfo) => TryOverwrite((ulong)rmwInfo.KeyHash, input.Value, ref value);

    // Writing without a look at what is there: what compaction moves. What FASTER is given as the value is only as long as the record's room for it.
    public bool SingleWriter(ref SpanByte key, ref EngineInput input, ref SpanByte src, ref SpanByte dst, ref ReadResult output, ref UpsertInfo upsertInfo, WriteReason reason)
    {
        input.WriteTo(ref dst);
        if (!IsWritten(upsertInfo.Address)) return true;
        upsertInfo.Action = UpsertAction.CancelOperation;
        return false;
    }

    public bool ConcurrentWriter(ref SpanByte key, ref EngineInput input, ref SpanByte src, ref SpanByte dst, ref ReadResult output, ref UpsertInfo upsertInfo) => TryOverwrite((ulong)upsertInfo.KeyHash, input.Value, ref dst);

    private bool PutNew(ref EngineInput input, ref SpanByte value, ref RMWInfo rmwInfo)
    {
        input.WriteTo(ref value);
        if (!IsWritten(rmwInfo.Address)) return true;
        rmwInfo.Action = RMWAction.CancelOperation;
        return false;
    }

    /// <summary>
    /// True for a place whose page may be in its file already: a record that is put there never gets there itself. FASTER 2.6 uses a place again that it has given up for a read from the disk, as long as its page is in memory,
    /// also when that was written meanwhile; when the page then leaves memory, the key is gone, and all whose records come after it in its chain. The operation is cancelled and made again, at a new place. One that is not
    /// below this address now is written after this operation: FASTER waits for those under way.
    /// </summary>
    private bool IsWritten(long address) => address < log.ReadOnlyAddress;

    /// <summary>Overwrites in place where the new value is not longer and no read has been waiting too long; the bytes given up are zeroed, because a scan of the log steps over zeros. False makes FASTER append a new record.</summary>
    private bool TryOverwrite(ulong hash, ReadOnlySpan<byte> source, ref SpanByte destination)
    {
        if (destination.Length < source.Length || overwrites.IsHeldBack(hash)) return false;
        overwrites.Begin(hash);
        if (source.Length < destination.Length)
        {
            // Zeros first, for every processor to see: a scan that meets the new length goes on behind it at once.
            destination.AsSpan()[source.Length..].Clear();
            Interlocked.MemoryBarrier();
            destination.ShrinkSerializedLength(source.Length);
        }

        source.CopyTo(destination.AsSpan());
        overwrites.End(hash);
        return true;
    }

    private bool CopyUndisturbed(ref SpanByte key, ReadMode mode, ref SpanByte value, ref ReadResult dst, long address)
    {
        if (mode == ReadMode.Presence) return Copy(ReadMode.Presence, ref value, ref dst, address);
        ulong hash = KeyHash.Compute(key.AsReadOnlySpan());
        for (int attempt = 0; attempt < MaxDisturbances; attempt++)
        {
            if (TryCopyUndisturbed(hash, ref value, ref dst, address)) return true;
        }

        // Somebody overwrites all the time, values of other keys perhaps: a stripe has many. Whoever changes one of them appends from here on, and none of those under way begins again.
        overwrites.HoldBack(hash);
        try
        {
            while (!TryCopyUndisturbed(hash, ref value, ref dst, address)) { }
        }
        finally
        {
            overwrites.LetGo(hash);
        }

        return true;
    }

    private bool TryCopyUndisturbed(ulong hash, ref SpanByte value, ref ReadResult dst, long address)
    {
        uint seen = overwrites.BeginRead(hash);
        Copy(ReadMode.Value, ref value, ref dst, address);
        if (overwrites.IsUndisturbed(hash, seen)) return true;

        // Of a copy that counts for nothing.
        dst.Failure = null;
        return false;
    }

    private static bool Copy(ReadMode mode, ref SpanByte value, ref ReadResult dst, long address)
    {
        dst.Address = address;
        if (mode == ReadMode.Presence) return true;
        try
        {
            dst.Fill(value.AsReadOnlySpan());
        }
        catch (OutOfMemoryException e)
        {
            dst.Failure = e;
        }

        return true;
    }

    // Nothing else needs anything of us.
    public bool SingleDeleter(ref SpanByte key, ref SpanByte value, ref DeleteInfo deleteInfo) => true;

    public bool ConcurrentDeleter(ref SpanByte key, ref SpanByte value, ref DeleteInfo deleteInfo) => true;

    public void PostSingleDeleter(ref SpanByte key, ref DeleteInfo deleteInfo) { }

    public void PostSingleWriter(ref SpanByte key, ref EngineInput input, ref SpanByte src, ref SpanByte dst, ref ReadResult output, ref UpsertInfo upsertInfo, WriteReason reason) { }

    public void PostInitialUpdater(ref SpanByte key, ref EngineInput input, ref SpanByte value, ref ReadResult output, ref RMWInfo rmwInfo) { }

    public void PostCopyUpdater(ref SpanByte key, ref EngineInput input, ref SpanByte oldValue, ref SpanByte newValue, ref ReadResult output, ref RMWInfo rmwInfo) { }

    public void ReadCompletionCallback(ref SpanByte key, ref EngineInput input, ref ReadResult output, Empty ctx, Status status, RecordMetadata recordMetadata) { }

    public void RMWCompletionCallback(ref SpanByte key, ref EngineInput input, ref ReadResult output, Empty ctx, Status status, RecordMetadata recordMetadata) { }

    public void DisposeSingleWriter(ref SpanByte key, ref EngineInput input, ref SpanByte src, ref SpanByte dst, ref ReadResult output, ref UpsertInfo upsertInfo, WriteReason reason) { }

    public void DisposeCopyUpdater(ref SpanByte key, ref EngineInput input, ref SpanByte oldValue, ref SpanByte newValue, ref ReadResult output, ref RMWInfo rmwInfo) { }

    public void DisposeInitialUpdater(ref SpanByte key, ref EngineInput input, ref SpanByte value, ref ReadResult output, ref RMWInfo rmwInfo) { }

    public void DisposeSingleDeleter(ref SpanByte key, ref SpanByte value, ref DeleteInfo deleteInfo) { }

    public void DisposeDeserializedFromDisk(ref SpanByte key, ref SpanByte value) { }

    public void CheckpointCompletionCallback(int sessionID, string sessionName, CommitPoint commitPoint) { }
}
