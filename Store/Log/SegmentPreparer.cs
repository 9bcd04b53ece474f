// Writes the zeros of the next segment before it is needed, on a thread of its own, so that the log never waits for them.

using Microsoft.Extensions.Logging;
using Store.IO;

namespace Store.Log;

/// <summary>At most one prepared file at a time. Called by the flusher only.</summary>
internal sealed class SegmentPreparer(IStoreDirectory directory, bool inBackground, ILogger logger)
{
    private Thread? _thread;
    private long _preparedBytes;

    /// <summary>Starts to prepare a file of so many bytes, unless one is prepared or under way, or everything runs inline.</summary>
    public void Start(long sizeBytes)
    {
        if (!inBackground || _thread is not null || _preparedBytes != 0) return;
        _thread = new Thread(() => PrepareAhead(sizeBytes)) { IsBackground = true, Name = "NinoStore segment preparer" };
        _thread.Start();
    }

    /// <summary>Gives the prepared file, open for writing, zero-written and synced to at least so many bytes, under the name <see cref="SegmentFormat.PreparedName"/>.</summary>
    public IStoreFile Take(long sizeBytes)
    {
        Wait();
        if (_preparedBytes == 0) return Prepare(sizeBytes);
        long prepared = _preparedBytes;
        _preparedBytes = 0;
        IStoreFile file = directory.OpenWrite(SegmentFormat.PreparedName);
        if (prepared < sizeBytes)
        {
            ZeroFill.Write(file, prepared, sizeBytes);
            file.SyncData();
        }

        return file;
    }

    /// <summary>Waits for a preparation under way and removes what was prepared and not used.</summary>
    public void Close()
    {
        Wait();
        if (_preparedBytes == 0) return;
        _preparedBytes = 0;
        directory.Delete(SegmentFormat.PreparedName);
    }

    private void Wait()
    {
        _thread?.Join();
        _thread = null;
    }

    // A failure here is not yet one of the log: the segment is prepared again when it is needed, and a failure then stops the log.
    private void PrepareAhead(long sizeBytes)
    {
        try
        {
            Prepare(sizeBytes).Dispose();
            _preparedBytes = sizeBytes;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            logger.LogWarning(e, "{Directory}: the next segment could not be prepared ahead; it will be tried again when it is needed.", directory.Name);
        }
    }

    private IStoreFile Prepare(long sizeBytes)
    {
        IStoreFile file = Exists() ? directory.OpenWrite(SegmentFormat.PreparedName) : directory.Create(SegmentFormat.PreparedName);
        try
        {
            ZeroFill.Write(file, 0, sizeBytes);
            file.SyncData();
            return file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    private bool Exists() => directory.List().Any(static entry => entry.Name == SegmentFormat.PreparedName);
}
