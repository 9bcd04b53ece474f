// How does FASTER reach the disk? Through this, and so through the store's own file access: the same code runs on the disk, the crash simulator and the fault injector.
//
// FASTER 2.6 does not survive an I/O error it is told of: a failed page flush makes writers wait for ever, a failed snapshot write is logged and the checkpoint
// reported as taken, a failed record read is parsed as if it had worked. So it is never told. The first failure is kept here; whoever drives the engine looks
// at Failure after every operation and before believing any checkpoint. What FASTER sees in its place is a write that "worked" and a read of zeros, which is no record.

using System.Buffers;
using System.Collections.Concurrent;
using FASTER.core;
using Store.Framing;
using Store.IO;
using Store.Threading;

namespace Store.Faster.Engine;

/// <summary>A block as it was given to the device.</summary>
/// <param name="Offset">Offset in the device, in bytes; of a device of several files, over all of them.</param>
/// <param name="LengthBytes">Its length.</param>
/// <param name="Checksum">CRC-32C of the bytes.</param>
internal readonly record struct WrittenBlock(long Offset, int LengthBytes, uint Checksum);

/// <summary>
/// A FASTER device on files of a store folder. Completes every request before it returns, on the calling thread; writes reach the operating system only, and
/// are durable after <see cref="Sync"/>. Remembers the checksum of every block it writes; one of several files also that of each piece, against which what is read back is compared. Safe for any number of threads.
/// </summary>
internal sealed unsafe class StoreDevice : StorageDeviceBase
{
    private const uint SectorBytes = 512;
    private const int CopyBytes = 256 * 1024;

    private readonly IStoreDirectory _directory;
    private readonly bool _segmented;
    private readonly DeviceFiles _files;
    private readonly PieceChecksums? _pieces;
    private readonly SortedDictionary<long, WrittenBlock> _blocks = [];
    private readonly WrittenExtent _written = new();
    private readonly Lock _writing = new();
    private volatile ConcurrentQueue<Action>? _heldWrites;
    private long _heldFrom;
    private Exception? _failure;
    private long _forgotten;

    private StoreDevice(IStoreDirectory directory, string name, bool segmented, Func<int, string> fileName, PieceChecksums? pieces) : base(name, SectorBytes, capacity: -1)
    {
        _directory = directory;
        _segmented = segmented;
        _files = new DeviceFiles(directory, fileName);
        _pieces = pieces;
        endSegment = 0;
    }

    /// <summary>A device of one file.</summary>
    public static StoreDevice OneFile(IStoreDirectory directory, string name) => new(directory, name, segmented: false, _ => name, pieces: null);

    /// <summary>A device of numbered files of equal size.</summary>
    /// <param name="directory">The folder.</param>
    /// <param name="fileName">From a segment's number to its file.</param>
    /// <param name="lastSegment">Highest segment that exists.</param>
    /// <param name="pieces">Checksums of what is there.</param>
    public static StoreDevice Segmented(IStoreDirectory directory, Func<int, string> fileName, int lastSegment, PieceChecksums pieces) => new(directory, fileName(0), segmented: true, fileName, pieces) { endSegment = lastSegment };

    /// <summary>The first failure, or null. Never forgotten.</summary>
    public Exception? Failure => Volatile.Read(ref _failure);

    /// <summary>The blocks written so far that lie wholly between two offsets, by offset.</summary>
    public WrittenBlock[] BlocksBetween(long startOffset, long endOffset)
    {
        lock (_writing) return [.. _blocks.Values.SkipWhile(block => block.Offset < startOffset).TakeWhile(block => block.Offset + block.LengthBytes <= endOffset)];
    }

    /// <summary>Forgets what lies below an offset, which nobody needs any more, and closes the files that lie wholly below it. A read that is still on its way there finds zeros.</summary>
    public void Forget(long offset)
    {
        lock (_writing)
        {
            if (offset <= _forgotten) return;
            Volatile.Write(ref _forgotten, offset);
            foreach (long start in _blocks.Keys.TakeWhile(start => start + _blocks[start].LengthBytes <= offset).ToArray()) _blocks.Remove(start);
            _pieces?.Forget(offset);
        }

        if (_segmented) _files.Forget(segment => (segment + 1) * segmentSize > offset);
    }

    /// <summary>Takes over the checksums of blocks that an earlier process wrote.</summary>
    public void AdoptBlocks(ReadOnlySpan<WrittenBlock> blocks)
    {
        lock (_writing)
        {
            foreach (WrittenBlock block in blocks) Remember(block);
        }
    }

    /// <summary>True when every byte from an offset up to another was written, by this process or the one whose blocks were adopted.</summary>
    public bool Covers(long startOffset, long endOffset) => _written.Covers(startOffset, endOffset);

    /// <summary>Behind the last byte that was written, by this process or the one whose blocks were adopted.</summary>
    public long EndOffset => _written.EndOffset;

    /// <summary>Reads bytes that were written, compared with their checksums.</summary>
    /// <param name="deviceOffset">Where they are, all of them in one file.</param>
    /// <param name="destination">As many as there are to be read.</param>
    /// <exception cref="IOException">They cannot be read, are not those that were written, or never were; or the device had failed.</exception>
    public void Read(long deviceOffset, Span<byte> destination)
    {
        (int segment, long offset) = Place(deviceOffset);
        try
        {
            Read(segment, offset, destination);
        }
        catch (Exception e)
        {
            Fail(e);
        }

        ThrowIfFailed();
    }

    /// <summary>Copies bytes of another device that has them.</summary>
    /// <exception cref="IOException">Reading or writing failed.</exception>
    /// <exception cref="InvalidDataException">The other device was never given those bytes.</exception>
    public void CopyFrom(StoreDevice source, long sourceOffset, long offset, int lengthBytes)
    {
        if (!source.Covers(sourceOffset, sourceOffset + lengthBytes)) throw new InvalidDataException($"'{source.FileName}' of '{_directory.Name}' has no {lengthBytes} bytes at {sourceOffset}.");
        byte[] bytes = ArrayPool<byte>.Shared.Rent(lengthBytes);
        try
        {
            (int to, long toOffset) = Place(offset);
            source.Read(sourceOffset, bytes.AsSpan(0, lengthBytes));
            fixed (byte* start = bytes) Write(start, to, toOffset, lengthBytes);
        }
        catch (Exception e)
        {
            Fail(e);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }

        source.ThrowIfFailed();
        ThrowIfFailed();
    }

    public override void Initialize(long segmentSize, LightEpoch epoch = null!, bool omitSegmentIdFromFilename = false) =>
        base.Initialize(_segmented ? segmentSize : -1, epoch, omitSegmentIdFromFilename);

    /// <summary>From here on writes wait in a queue, whichever thread asks for them, until <see cref="ReleaseWrites"/>: whoever holds locks does not hold them for so long.</summary>
    /// <param name="fromOffset">Those that begin there or behind it; others are done as ever.</param>
    public void HoldWrites(long fromOffset = 0)
    {
        _heldFrom = fromOffset;
        _heldWrites = [];
    }

    /// <summary>Does the writes that wait, and lets later ones through.</summary>
    public void ReleaseWrites()
    {
        ConcurrentQueue<Action> held = _heldWrites ?? throw new InvalidOperationException("No writes are held.");

        // A write that is put into the queue behind this is done by whoever put it there.
        _heldWrites = null;
        RunWrites(held);
    }

    public override void WriteAsync(IntPtr sourceAddress, int segmentId, ulong destinationAddress, uint numBytesToWrite, DeviceIOCompletionCallback callback, object context)
    {
        if (_heldWrites is { } held && OffsetInDevice(segmentId, (long)destinationAddress) >= _heldFrom)
        {
            held.Enqueue(() => WriteAndCall(sourceAddress, segmentId, destinationAddress, numBytesToWrite, callback, context));
            if (_heldWrites != held) RunWrites(held);
            return;
        }

        WriteAndCall(sourceAddress, segmentId, destinationAddress, numBytesToWrite, callback, context);
    }

    private static void RunWrites(ConcurrentQueue<Action> held)
    {
        while (held.TryDequeue(out Action? write)) write();
    }

    private void WriteAndCall(IntPtr sourceAddress, int segmentId, ulong destinationAddress, uint numBytesToWrite, DeviceIOCompletionCallback callback, object context)
    {
        try
        {
            Write((byte*)sourceAddress, segmentId, (long)destinationAddress, (int)numBytesToWrite);
        }
        catch (Exception e)
        {
            Fail(e);
        }

        callback(0, numBytesToWrite, context);
    }

    public override void ReadAsync(int segmentId, ulong sourceAddress, IntPtr destinationAddress, uint readLength, DeviceIOCompletionCallback callback, object context)
    {
        DeferredReads.DoOrQueue(ReadAndCall);

        void ReadAndCall()
        {
            try
            {
                Read(segmentId, (long)sourceAddress, new Span<byte>((void*)destinationAddress, checked((int)readLength)));
            }
            catch (Exception e)
            {
                new Span<byte>((void*)destinationAddress, (int)readLength).Clear();
                Fail(e);
            }

            callback(0, readLength, context);
        }
    }

    /// <summary>Makes every write so far durable; the folder is the caller's to sync. Reads and writes go on meanwhile. After a failure nothing is retried.</summary>
    /// <exception cref="IOException">This sync, or an earlier read, write or sync of this device, failed.</exception>
    public void Sync()
    {
        ThrowIfFailed();
        try
        {
            _files.Sync();
        }
        catch (Exception e)
        {
            Fail(e);
            throw;
        }

        ThrowIfFailed();
    }

    /// <exception cref="IOException">A read, write or sync failed; the inner exception is the first failure.</exception>
    public void ThrowIfFailed()
    {
        if (Failure is { } failure) throw new IOException($"'{FileName}' of '{_directory.Name}' failed: {failure.Message}", failure);
    }

    /// <summary>FASTER disposes the devices of a checkpoint as soon as it has handed them its bytes; they are needed until those are durable. So this does nothing; <see cref="Close"/> does.</summary>
    public override void Dispose() { }

    /// <summary>Closes the files, those in use when that use is over. No other is opened.</summary>
    public void Close() => _files.Close();

    /// <summary>Leaves the file: an older checkpoint may still need it. Files are removed when no checkpoint does.</summary>
    public override void RemoveSegmentAsync(int segment, AsyncCallback callback, IAsyncResult result) => callback(result);

    private void Write(byte* source, int segment, long offset, int lengthBytes)
    {
        // FASTER may change lock and dirty bits of a record while its page is written. Each part is copied once and checksummed and written from the copy, so both see the same bytes.
        byte[] copy = ArrayPool<byte>.Shared.Rent(Math.Min(lengthBytes, CopyBytes));
        try
        {
            using (Uninterrupted.Enter(_writing))
            {
                if (_failure is not null) return;
                uint checksum = 0;
                using (DeviceFiles.Use use = _files.ForWriting(segment))
                {
                    for (int done = 0; done < lengthBytes;)
                    {
                        Span<byte> part = copy.AsSpan(0, Math.Min(lengthBytes - done, copy.Length));
                        new ReadOnlySpan<byte>(source + done, part.Length).CopyTo(part);
                        checksum = Crc32C.Compute(part, checksum);
                        use.File.Write(part, offset + done);
                        _pieces?.Record(OffsetInDevice(segment, offset + done), part);
                        done += part.Length;
                    }
                }

                Remember(new WrittenBlock(OffsetInDevice(segment, offset), lengthBytes, checksum));
                if (segment > endSegment) endSegment = segment;
            }

            _files.SyncOldestOfMany();
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(copy);
        }
    }

    private void Read(int segment, long offset, Span<byte> destination)
    {
        if (Failure is not null)
        {
            destination.Clear();
            return;
        }

        // The engine asks again for a key that it looked for in what was given up meanwhile.
        if (IsForgotten(segment, offset, destination.Length))
        {
            destination.Clear();
            return;
        }

        string name;
        int read;
        try
        {
            using DeviceFiles.Use use = _files.ForReading(segment);
            name = use.File.Name;
            read = ReadPieces(use.File, segment, offset, destination);
        }
        catch (FileNotFoundException) when (IsForgotten(segment, offset, destination.Length))
        {
            destination.Clear();
            return;
        }

        // FASTER rounds reads up, so one may end behind what was written. What was never written before that is no zeros but a loss: a hole of the file reads as zeros, and zeros as "no such key".
        long start = OffsetInDevice(segment, offset), end = Math.Min(start + destination.Length, _written.EndOffset);
        if (destination.Length > 0 && (end <= start || !_written.Covers(start, end))) throw new InvalidDataException($"'{name}' of '{_directory.Name}' was asked for {destination.Length} bytes at {offset}, and not all of them were ever written.");
        if (read < Math.Max(0, end - start)) throw new InvalidDataException($"'{name}' of '{_directory.Name}' is too short: {read} bytes at {offset} instead of {end - start}.");
        destination[read..].Clear();
    }

    /// <summary>Reads whole pieces, compares them with their checksums and gives what was asked for of them.</summary>
    /// <returns>How many bytes of it there are.</returns>
    private int ReadPieces(IStoreFile file, int segment, long offset, Span<byte> destination)
    {
        if (_pieces is null) return file.Read(destination, offset);
        long start = PieceChecksums.StartOf(offset), end = PieceChecksums.StartOf(offset + destination.Length + PieceChecksums.PieceBytes - 1);
        int before = (int)(offset - start), length = checked((int)(end - start));
        if (length == destination.Length)
        {
            int all = file.Read(destination, offset);
            Compare(destination[..all]);
            return all;
        }

        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            Span<byte> pieces = buffer.AsSpan(0, length);
            pieces = pieces[..file.Read(pieces, start)];
            Compare(pieces);
            int read = Math.Clamp(pieces.Length - before, 0, destination.Length);
            pieces.Slice(Math.Min(before, pieces.Length), read).CopyTo(destination);
            return read;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }

        void Compare(ReadOnlySpan<byte> pieces)
        {
            long different = _pieces.FindDifferent(OffsetInDevice(segment, start), pieces);
            if (different < 0) return;
            throw new InvalidDataException($"The {PieceChecksums.PieceBytes} bytes at offset {different - OffsetInDevice(segment, 0)} of '{file.Name}' of '{_directory.Name}' are not those that were written: the file is damaged. Close the keyed state and open it again: where the log still has all its changes, it is made anew from them; where retention removed some, opening says so and changes nothing, and its folder, or the store, must be restored from a backup.");
        }
    }

    private bool IsForgotten(int segment, long offset, int lengthBytes) => OffsetInDevice(segment, offset) + lengthBytes <= Volatile.Read(ref _forgotten);

    private long OffsetInDevice(int segment, long offset) => (_segmented ? segment * segmentSize : 0) + offset;

    private (int Segment, long Offset) Place(long deviceOffset) => _segmented ? ((int)(deviceOffset / segmentSize), deviceOffset % segmentSize) : (0, deviceOffset);

    private void Remember(WrittenBlock block)
    {
        _blocks[block.Offset] = block;
        _written.Add(block.Offset, block.Offset + block.LengthBytes);
    }

    private void Fail(Exception e) => Interlocked.CompareExchange(ref _failure, e, null);
}
