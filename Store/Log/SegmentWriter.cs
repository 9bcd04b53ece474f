// The only code that writes segment files: takes extents in order, writes each with one positional write, creates segments and syncs. Runs on the
// flusher; knows nothing of records.

using Store.IO;
using Store.Retention;

namespace Store.Log;

/// <summary>Where the bytes of the log reach the file. Not thread-safe.</summary>
internal sealed class SegmentWriter : IDisposable
{
    private const long WritebackStepBytes = 8 * 1024 * 1024;
    private const long OneFileGrowthMaxBytes = 64 * 1024 * 1024;
    private const long ShortSegmentGrowthMaxBytes = 1024 * 1024;

    private readonly IStoreDirectory _directory;
    private readonly SegmentPreparer _preparer;
    private readonly Func<SegmentHeader, string> _nameOf;
    private readonly Func<long, long> _nextCapacity;
    private readonly EndMark _mark;
    private IStoreFile? _file;
    private SegmentHeader _header;
    private long _offset;
    private long _capacity;
    private long _planned;
    private long _writebackFrom;
    private bool _unsynced;
    private bool _wasSynced;
    private bool _preparesAhead;

    /// <param name="directory">The folder.</param>
    /// <param name="preparer">Makes segments ahead.</param>
    /// <param name="nameOf">File name of a segment.</param>
    /// <param name="nextCapacity">Size of the segment that follows one of the given size.</param>
    /// <param name="mark">The mark of the log's end. Taken over.</param>
    public SegmentWriter(IStoreDirectory directory, SegmentPreparer preparer, Func<SegmentHeader, string> nameOf, Func<long, long> nextCapacity, EndMark mark)
    {
        _mark = mark;
        _directory = directory;
        _preparer = preparer;
        _nameOf = nameOf;
        _nextCapacity = nextCapacity;
    }

    /// <summary>Name of the segment being written.</summary>
    public string? FileName => _file?.Name;

    /// <summary>Continues an existing segment. Takes over the file.</summary>
    public void Continue(IStoreFile file, SegmentHeader header, long offset)
    {
        _file = file;
        _header = header;
        _offset = _writebackFrom = offset;
        _wasSynced = false;
        _preparesAhead = true;
        _capacity = _planned = file.LengthBytes;
    }

    /// <summary>The last segment is complete: nothing is open until the next one is begun.</summary>
    public void Rest(SegmentHeader header) => _header = header;

    /// <summary>
    /// Creates a segment and makes it durable under its name: zeros, header, sync, rename, folder sync; then the mark of the log's end says that it is there. What was
    /// written before is synced first, so a segment that has a successor is always complete. Where the disk has no room for the zeros of all of it, it is made as long as it has to be, and grows.
    /// </summary>
    /// <param name="plan">The segment.</param>
    /// <param name="firstBytes">How many bytes are written into it at once.</param>
    /// <exception cref="StoreInUseException">Another writer has opened the log since.</exception>
    public void Begin(SegmentPlan plan, int firstBytes = 0)
    {
        bool writesZeros = _file is null || _wasSynced;
        Sync();
        _file?.Dispose();
        _file = null;
        string name = _nameOf(plan.Header);
        IStoreFile file = _preparer.Take(plan.CapacityBytes, SegmentFormat.HeaderSize + firstBytes, writesZeros);
        try
        {
            Span<byte> bytes = stackalloc byte[SegmentFormat.HeaderSize];
            plan.Header.Write(bytes);
            file.Write(bytes, 0);
            file.SyncData();
        }
        catch
        {
            file.Dispose();
            throw;
        }

        file.Dispose();
        Rename(name);
        _preparer.Used();
        _directory.SyncDirectory();
        Continue(_directory.OpenWrite(name), plan.Header, SegmentFormat.HeaderSize);
        _planned = plan.CapacityBytes;
        // Before a record goes into it: a segment with a record that was acknowledged is never missed. It ends with a look, and a write is next.
        _mark.BeginSegment(plan.Header);
    }

    /// <inheritdoc cref="EndMark.ThrowIfTakenByName"/>
    public void ThrowIfTakenByName() => _mark.ThrowIfTakenByName();

    /// <summary>To be called before the first <see cref="Write"/> of a flush.</summary>
    /// <exception cref="StoreInUseException">Another writer has opened the log since.</exception>
    public void BeginWriting() => _mark.BeginWriting();

    /// <summary>Writes the next bytes of the log.</summary>
    public void Write(in LogExtent extent)
    {
        if (extent.NewSegment is { } plan) Begin(plan, extent.Length);
        if (extent.Length == 0) return;
        if (_offset + extent.Length > _capacity) Grow(_offset + extent.Length);
        _unsynced = true;
        Put(extent.Chunk.Buffer.AsSpan(extent.Start, extent.Length));
        _offset += extent.Length;
        if (_offset - _writebackFrom >= WritebackStepBytes)
        {
            _file!.StartWriteback(_writebackFrom, _offset - _writebackFrom);
            _writebackFrom = _offset;
        }

        // Not beside a segment that had to be made shorter: zeros would take the room that its records need.
        if (!_header.IsOneFile && _preparesAhead && _capacity >= _planned && _offset > _capacity / 2) _preparer.Start(_nextCapacity(_capacity), writesZeros: _wasSynced);
    }

    /// <summary>Makes everything written durable.</summary>
    /// <exception cref="StoreInUseException">Another writer has opened the log since: what was written may be acknowledged to nobody.</exception>
    public void Sync()
    {
        if (!_unsynced || _file is null) return;
        _file.SyncData();
        _unsynced = false;
        _wasSynced = true;
        _mark.ThrowIfTaken();
    }

    /// <summary>Says in the mark of the log's end up to where everything is durable, and that it is closed. Everything written was synced. A one-file log has none.</summary>
    public void MarkEnd(long sequence, long ticks)
    {
        _mark.Close(_header.Number, sequence, ticks);
    }

    /// <summary>Cuts a one-file log to its exact size.</summary>
    /// <exception cref="StoreInUseException">The log's lock was lost: what lies behind may be another writer's.</exception>
    public void CutToSize()
    {
        if (_file is null || _file.LengthBytes == _offset) return;
        _mark.ThrowIfTaken();
        _file.Truncate(_offset);
        _file.SyncData();
        _capacity = _offset;
    }

    public void Dispose()
    {
        _mark.Dispose();
        _file?.Dispose();
        _file = null;
    }

    // Where the segment has no blocks of its own, what is prepared ahead may have taken the last room on the disk that its records need: it is given back. A write that found no room has lost nothing: it is done again whole.
    private void Put(ReadOnlySpan<byte> bytes)
    {
        try
        {
            _file!.Write(bytes, _offset);
        }
        catch (IOException e) when (IoFailure.IsNoRoom(e))
        {
            _preparesAhead = false;
            if (!_preparer.GiveBack()) throw;
            _file!.Write(bytes, _offset);
        }
    }

    // Over no segment of another writer's. The look may have been long ago: zeros were written since; and it was at a file that is open, which somebody may have moved away with its folder.
    private void Rename(string name)
    {
        _mark.Dispose();
        _mark.ThrowIfTaken();
        try
        {
            _directory.RenameNew(_preparer.PreparedName, name);
        }
        catch (IOException e) when (e is FileNotFoundException || IoFailure.IsExists(e))
        {
            throw new StoreInUseException($"{_directory.Name}: another writer has begun {name}, or removed the file that was to become it, although this one holds the log's lock. "
                + "Was the lock's file removed, or does the file system not keep locks? What this writer acknowledged is there; it writes nothing more.", _directory.Name, e);
        }
    }

    // A one-file log grows in place: doubling, up to a step; so does a segment for which the disk had no room, up to its size. Beyond that a segment grows only when somebody
    // shortened the file: then it gets back what its last frames need. Where the disk has no room for the step, what is needed now is tried before the log gives up.
    private void Grow(long neededBytes)
    {
        long step = Math.Min(_capacity, _header.IsOneFile ? OneFileGrowthMaxBytes : ShortSegmentGrowthMaxBytes);
        long target = Math.Max(neededBytes, _header.IsOneFile ? _capacity + step : Math.Min(_capacity + step, _planned));
        try
        {
            ZeroFill.Write(_file!, _capacity, target);
        }
        catch (IOException e) when (target > neededBytes && IoFailure.IsNoRoom(e))
        {
            // The zeros that were written stay, as room for what comes next.
            target = Math.Max(neededBytes, _file!.LengthBytes);
            ZeroFill.Write(_file, Math.Max(_capacity, Math.Min(_file.LengthBytes, neededBytes)), neededBytes);
        }

        _file!.SyncData();
        _capacity = target;
    }
}
