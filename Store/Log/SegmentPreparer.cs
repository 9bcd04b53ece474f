// Makes the file of the next segment before it is needed, on a thread of its own, so that the log never waits for it: with zeros written, which makes every later sync
// cheaper, or only as long as it is to be, where nobody asks for syncs and the zeros would be a second writing of everything.

using Microsoft.Extensions.Logging;
using Store.IO;
using Store.Threading;

namespace Store.Log;

/// <summary>At most one prepared file at a time. Called by the flusher only.</summary>
/// <param name="directory">The folder.</param>
/// <param name="preparedName">The file's name until it is a segment; nobody else's in the folder.</param>
/// <param name="inBackground">False to prepare only when asked for the file.</param>
/// <param name="logger">Where failures are told that are not yet ones of the log.</param>
internal sealed class SegmentPreparer(IStoreDirectory directory, string preparedName, bool inBackground, ILogger logger)
{
    private Thread? _thread;
    private long _preparedBytes;

    /// <summary>Name of the prepared file.</summary>
    public string PreparedName => preparedName;

    /// <summary>Starts to prepare a file of so many bytes, unless one is prepared or under way, or everything runs inline.</summary>
    /// <param name="sizeBytes">Its size.</param>
    /// <param name="writesZeros">False for a file without blocks.</param>
    public void Start(long sizeBytes, bool writesZeros)
    {
        if (!inBackground || _thread is not null || _preparedBytes != 0) return;
        _thread = new Thread(() => PrepareAhead(sizeBytes, writesZeros)) { IsBackground = true, Name = "NinoStore segment preparer" };
        _thread.Start();
    }

    /// <summary>Gives the prepared file, open for writing, zeros to at least so many bytes, its length synced, under the name <see cref="PreparedName"/>.</summary>
    /// <param name="sizeBytes">Its size.</param>
    /// <param name="writesZeros">False for a file without blocks, where none is prepared yet.</param>
    public IStoreFile Take(long sizeBytes, bool writesZeros)
    {
        Wait();
        if (_preparedBytes == 0) return Prepare(sizeBytes, writesZeros);
        long prepared = _preparedBytes;
        _preparedBytes = 0;
        IStoreFile file = directory.OpenWrite(preparedName);
        if (prepared < sizeBytes)
        {
            Fill(file, prepared, sizeBytes, writesZeros);
            file.SyncData();
        }

        return file;
    }

    /// <summary>
    /// Waits for a preparation under way and removes what was prepared and not used. A failure is logged only: nothing is lost, the next opening removes
    /// the file, and it must not hide a failure of the log.
    /// </summary>
    public void Close()
    {
        Wait();
        if (_preparedBytes == 0) return;
        _preparedBytes = 0;
        Remove();
    }

    private void Wait()
    {
        if (_thread is null) return;
        Uninterrupted.Wait(_thread, static thread => thread.Join());
        _thread = null;
    }

    // A failure here is not yet one of the log: the segment is prepared again when it is needed, and a failure then stops the log.
    private void PrepareAhead(long sizeBytes, bool writesZeros)
    {
        try
        {
            Prepare(sizeBytes, writesZeros).Dispose();
            _preparedBytes = sizeBytes;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            logger.LogWarning(e, "{Directory}: the next segment could not be prepared ahead; it will be tried again when it is needed.", directory.Name);
            // On a full disk the zeros written so far would take the room that records and snapshots still have.
            Remove();
        }
    }

    private void Remove()
    {
        try
        {
            if (Exists()) directory.Delete(preparedName);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            logger.LogWarning(e, "{Directory}: the prepared segment could not be removed; the next opening removes it.", directory.Name);
        }
    }

    private IStoreFile Prepare(long sizeBytes, bool writesZeros)
    {
        IStoreFile file = Exists() ? directory.OpenWrite(preparedName) : directory.Create(preparedName);
        try
        {
            Fill(file, 0, sizeBytes, writesZeros);
            file.SyncData();
            return file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    // What is not written reads as zeros, too.
    private static void Fill(IStoreFile file, long from, long to, bool writesZeros) => ZeroFill.Write(file, writesZeros ? from : to - 1, to);

    private bool Exists() => directory.List().Any(entry => entry.Name == preparedName);
}
