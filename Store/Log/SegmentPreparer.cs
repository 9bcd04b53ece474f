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
/// <param name="logger">Where failures are told that are not yet ones of the log. Must not throw.</param>
/// <param name="startThread">Starts a thread; null for the system's way.</param>
internal sealed class SegmentPreparer(IStoreDirectory directory, string preparedName, bool inBackground, ILogger logger, Action<Thread>? startThread = null)
{
    // Zeros are synced so many bytes at a time while nobody waits for them: a commit waits for what the disk has taken before it, and a whole segment of zeros is tens of milliseconds of that.
    private const int StepBytes = 1024 * 1024;

    private Thread? _thread;
    private volatile bool _isWaitedFor;
    private long _preparedBytes;
    private bool _mayBeThere;
    private bool _hasNoThread;

    /// <summary>Name of the prepared file.</summary>
    public string PreparedName => preparedName;

    /// <summary>True when somebody waits for what is being prepared.</summary>
    public bool IsWaitedFor => _isWaitedFor;

    /// <summary>Starts to prepare a file of so many bytes, unless one is prepared or under way, or everything runs inline.</summary>
    /// <param name="sizeBytes">Its size.</param>
    /// <param name="writesZeros">False for a file without blocks.</param>
    public void Start(long sizeBytes, bool writesZeros)
    {
        if (!inBackground || _thread is not null || _preparedBytes != 0 || _hasNoThread) return;
        _isWaitedFor = false;
        try
        {
            var thread = new Thread(() => PrepareAhead(sizeBytes, writesZeros)) { IsBackground = true, Name = "NinoStore segment preparer" };
            if (startThread is null) thread.Start();
            else startThread(thread);
            _thread = thread;
        }
        catch (Exception e)
        {
            // No memory for its stack, or no more threads allowed. It is not tried again before the segment is needed, which is made by then.
            _hasNoThread = true;
            logger.LogWarning(e, "{Directory}: no thread could be started to prepare the next segment ahead; it is made when it is needed.", directory.Name);
        }
    }

    /// <summary>Gives the prepared file, open for writing, its length synced, under the name <see cref="PreparedName"/>.</summary>
    /// <param name="sizeBytes">Its size: zeros to there.</param>
    /// <param name="leastBytes">The size that will do where the disk has no room for the other.</param>
    /// <param name="writesZeros">False for a file without blocks, where none is prepared yet.</param>
    public IStoreFile Take(long sizeBytes, long leastBytes, bool writesZeros)
    {
        Wait();
        _hasNoThread = false;
        long prepared = _preparedBytes;
        _preparedBytes = 0;
        try
        {
            return Prepare(prepared, sizeBytes, writesZeros);
        }
        catch (IOException e) when (leastBytes < sizeBytes && IoFailure.IsNoRoom(e))
        {
            logger.LogWarning(e, "{Directory}: the disk has no room for a segment of {Bytes} bytes; a shorter one is begun.", directory.Name, sizeBytes);
            return Prepare(0, leastBytes, writesZeros: true);
        }
    }

    /// <summary>The file that was taken has a name of its own.</summary>
    public void Used() => _mayBeThere = false;

    /// <summary>Waits for a preparation under way, and gives the room of what is prepared back.</summary>
    /// <returns>False where none was, and none is.</returns>
    public bool GiveBack()
    {
        if (_thread is null && _preparedBytes == 0) return false;
        Wait();
        _preparedBytes = 0;
        Remove();
        return true;
    }

    /// <summary>
    /// Waits for a preparation under way and removes what was prepared and not used. A failure is logged only: nothing is lost, the next opening removes
    /// the file, and it must not hide a failure of the log.
    /// </summary>
    public void Close()
    {
        Wait();
        _preparedBytes = 0;
        if (_mayBeThere) Remove();
    }

    private void Wait()
    {
        if (_thread is null) return;
        _isWaitedFor = true;
        Uninterrupted.Wait(_thread, static thread => thread.Join());
        _thread = null;
    }

    // A failure here is not yet one of the log: the segment is prepared again when it is needed, and a failure then stops the log. Whatever it is: on this thread it would end the process.
    private void PrepareAhead(long sizeBytes, bool writesZeros)
    {
        try
        {
            Prepare(0, sizeBytes, writesZeros, isAhead: true).Dispose();
            _preparedBytes = sizeBytes;
        }
        catch (Exception e)
        {
            logger.LogWarning(e, "{Directory}: the next segment could not be prepared ahead; it will be tried again when it is needed.", directory.Name);
        }
    }

    private void Remove()
    {
        try
        {
            if (Exists()) directory.Delete(preparedName);
            _mayBeThere = false;
        }
        catch (Exception e)
        {
            logger.LogWarning(e, "{Directory}: the prepared segment could not be removed; the next opening removes it.", directory.Name);
        }
    }

    // On a full disk the zeros of a file that cannot be finished would take the room that records and snapshots still have.
    private IStoreFile Prepare(long preparedBytes, long sizeBytes, bool writesZeros, bool isAhead = false)
    {
        IStoreFile? file = null;
        try
        {
            file = preparedBytes > 0 || Exists() ? directory.OpenWrite(preparedName) : directory.Create(preparedName);
            _mayBeThere = true;
            if (preparedBytes < sizeBytes)
            {
                // What is not written reads as zeros, too.
                long from = writesZeros ? preparedBytes : sizeBytes - 1;
                for (; isAhead && !_isWaitedFor && sizeBytes - from > StepBytes; from += StepBytes)
                {
                    ZeroFill.Write(file, from, from + StepBytes);
                    file.SyncData();
                }

                ZeroFill.Write(file, from, sizeBytes);
                file.SyncData();
            }

            return file;
        }
        catch
        {
            file?.Dispose();
            if (_mayBeThere) Remove();
            throw;
        }
    }

    private bool Exists() => directory.Find(preparedName) is not null;
}
