// Which files of a device are open, and which have bytes that are not durable yet? A large state has more files than a process may have open, so few are: those in use, those with unsynced bytes, and
// the ones used last. Nobody waits for another one's sync: what is decided under the gate is brief, and every call of a file is made outside it.

using Store.IO;
using Store.Threading;

namespace Store.Faster.Engine;

/// <summary>The files of a device, opened when they are needed. Safe for any number of threads; the writes of one file are the caller's to serialize.</summary>
/// <param name="directory">The folder.</param>
/// <param name="fileName">From a segment's number to its file.</param>
internal sealed class DeviceFiles(IStoreDirectory directory, Func<int, string> fileName)
{
    /// <summary>How many stay open besides those in use.</summary>
    public const int MostOpen = 64;

    /// <summary>How many may have unsynced bytes: whoever writes to more syncs the oldest. The other half of the open ones is for reads.</summary>
    public const int MostUnsynced = MostOpen / 2;

    private readonly Lock _gate = new();
    private readonly Dictionary<int, OpenFile> _open = [];
    private long _uses;
    private bool _isClosed;

    /// <summary>A file to read from. The caller disposes the result.</summary>
    /// <exception cref="FileNotFoundException">There is none.</exception>
    /// <exception cref="ObjectDisposedException">The device was closed.</exception>
    public Use ForReading(int segment) => new(this, Take(segment, create: false), writes: false);

    /// <summary>A file to write to, created when there is none. What was written until the result is disposed is of the next sync.</summary>
    /// <exception cref="ObjectDisposedException">The device was closed.</exception>
    public Use ForWriting(int segment) => new(this, Take(segment, create: true), writes: true);

    /// <summary>Makes durable what was written before. Reads and writes go on; what is written meanwhile is of the next one.</summary>
    /// <exception cref="IOException">A sync failed, this one or an earlier one of a file: no later one is believed.</exception>
    public void Sync()
    {
        OpenFile[] unsynced;
        using (Uninterrupted.Enter(_gate))
        {
            unsynced = [.. _open.Values.Where(static file => file.IsUnsynced)];
            foreach (OpenFile file in unsynced) file.Users++;
        }

        try
        {
            foreach (OpenFile file in unsynced) Sync(file);
        }
        finally
        {
            foreach (OpenFile file in unsynced) GiveBack(file, wrote: false);
        }
    }

    /// <summary>Syncs the file that was longest not used of those with unsynced bytes, when there are too many of them: before long there would be no room for another open one.</summary>
    /// <exception cref="IOException">As of <see cref="Sync()"/>.</exception>
    public void SyncOldestOfMany()
    {
        OpenFile oldest;
        using (Uninterrupted.Enter(_gate))
        {
            if (_open.Count <= MostUnsynced) return;
            OpenFile[] unsynced = [.. _open.Values.Where(static file => file.IsUnsynced)];
            if (unsynced.Length <= MostUnsynced) return;
            oldest = unsynced.MinBy(static file => file.LastUse)!;
            oldest.Users++;
        }

        try
        {
            Sync(oldest);
        }
        finally
        {
            GiveBack(oldest, wrote: false);
        }
    }

    /// <summary>Closes files that nobody needs any more, synced or not; one in use when that use is over.</summary>
    public void Forget(Func<int, bool> isNeeded) => TakeOut(file => !isNeeded(file.Segment), closes: false);

    /// <summary>Closes them all, those in use when that use is over, and opens no more.</summary>
    public void Close() => TakeOut(static _ => true, closes: true);

    private OpenFile Take(int segment, bool create)
    {
        OpenFile? file;
        using (Uninterrupted.Enter(_gate))
        {
            ObjectDisposedException.ThrowIf(_isClosed, typeof(StoreDevice));
            if (!_open.TryGetValue(segment, out file)) _open.Add(segment, file = new OpenFile(segment));
            file.Users++;
            file.LastUse = ++_uses;
        }

        try
        {
            if (file.File is null) OpenOnce(file, create);
            return file;
        }
        catch
        {
            GiveBack(file, wrote: false);
            throw;
        }
    }

    private void OpenOnce(OpenFile file, bool create)
    {
        using (Uninterrupted.Enter(file.Opening))
        {
            if (file.File is not null) return;
            string name = fileName(file.Segment);
            file.File = create && directory.Find(name) is null ? directory.Create(name) : directory.OpenWrite(name);
        }
    }

    // After one that failed the system may report success for bytes that it has dropped: so the first failure of a file is every later one's.
    private void Sync(OpenFile file)
    {
        using (Uninterrupted.Enter(file.Syncing))
        {
            if (file.SyncFailure is { } failure) throw new IOException($"'{fileName(file.Segment)}' of '{directory.Name}' could not be synced before: {failure.Message}", failure);
            long writes;
            using (Uninterrupted.Enter(_gate)) writes = file.Writes;
            try
            {
                if (file.WritesSynced < writes) file.File!.SyncData();
            }
            catch (Exception e)
            {
                file.SyncFailure = e;
                throw;
            }

            using (Uninterrupted.Enter(_gate)) file.WritesSynced = writes;
        }
    }

    private void GiveBack(OpenFile file, bool wrote)
    {
        IStoreFile? unused = null, surplus = null;
        using (Uninterrupted.Enter(_gate))
        {
            file.Users--;
            if (wrote) file.Writes++;
            if (file is { Users: 0, File: null, IsTakenOut: false }) _open.Remove(file.Segment);
            if (file is { Users: 0, IsTakenOut: true }) unused = file.File;
            if (_open.Count > MostOpen && _open.Values.Where(static file => file.IsIdle).MinBy(static file => file.LastUse) is { } oldest)
            {
                _open.Remove(oldest.Segment);
                surplus = oldest.File;
            }
        }

        unused?.Dispose();
        surplus?.Dispose();
    }

    private void TakeOut(Func<OpenFile, bool> isTaken, bool closes)
    {
        List<IStoreFile> unused = [];
        using (Uninterrupted.Enter(_gate))
        {
            _isClosed |= closes;
            foreach (OpenFile file in _open.Values.Where(isTaken).ToArray())
            {
                _open.Remove(file.Segment);
                file.IsTakenOut = true;
                if (file is { Users: 0, File: { } opened }) unused.Add(opened);
            }
        }

        foreach (IStoreFile file in unused) file.Dispose();
    }

    /// <summary>A file that is not closed until this is disposed.</summary>
    /// <param name="files">Whose it is.</param>
    /// <param name="file">The file.</param>
    /// <param name="writes">Whether it may be written to.</param>
    internal readonly ref struct Use(DeviceFiles files, OpenFile file, bool writes)
    {
        public IStoreFile File => file.File!;

        public void Dispose() => files.GiveBack(file, writes);
    }

    /// <summary>A file of the device. All but the file itself, which is opened once, under its own lock, and a failed sync, is the gate's.</summary>
    internal sealed class OpenFile(int segment)
    {
        public int Segment { get; } = segment;

        public Lock Opening { get; } = new();

        public Lock Syncing { get; } = new();

        public IStoreFile? File { get => Volatile.Read(ref field); set => Volatile.Write(ref field, value); }

        public Exception? SyncFailure { get; set; }

        public int Users { get; set; }

        public long LastUse { get; set; }

        /// <summary>Writes that ended, and how many of them the last sync found.</summary>
        public long Writes { get; set; }

        public long WritesSynced { get; set; }

        /// <summary>True when whoever uses it last closes it.</summary>
        public bool IsTakenOut { get; set; }

        public bool IsUnsynced => WritesSynced < Writes;

        public bool IsIdle => Users == 0 && !IsUnsynced && File is not null;
    }
}
