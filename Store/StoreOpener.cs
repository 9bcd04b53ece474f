// Opening, step by step: folder, lock, recovery, log, snapshots. Whatever was acquired is released when a later step fails.

using Microsoft.Extensions.Logging;
using Store.IO;
using Store.Log;
using Store.Recovery;
using Store.Retention;
using Store.Snapshots;
using Store.Threading;

namespace Store;

internal static class StoreOpener
{
    public static NinoStore Open(string path, NinoStoreOptions options, bool mustBeNewFile)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        path = options.Directory is null ? Path.GetFullPath(path) : path;
        if (mustBeNewFile && options.Directory is null && (Path.GetFileName(path).Length == 0 || Directory.Exists(path))) throw new IOException($"{path}: this is a folder. NinoLog.Create makes a log in one file; NinoStore.Open opens or creates a store in a folder.");
        bool isOneFile = mustBeNewFile || (options.Directory is null && File.Exists(path));
        if (isOneFile && options.Directory is null) path = WithoutLinks(path);
        string? oneFileName = isOneFile ? Path.GetFileName(path) : null;
        IStoreDirectory directory = options.Directory ?? OpenFolder(path, oneFileName, options.ReadOnly);
        IDisposable? held = null;
        AppendLog? log = null;
        try
        {
            ILogger logger = UnfailingLogger.Of(options.LoggerFactory, "NinoStore");
            held = TryHold(directory, path, oneFileName, options, out IOException? refusal);
            if (held is null)
            {
                if (mustBeNewFile) throw new StoreReadOnlyException($"{path}: a log cannot be created, {(options.ReadOnly ? "NinoStoreOptions.ReadOnly is set" : "the folder cannot be written")}.", path, refusal);
                if (!options.ReadOnly) logger.LogWarning("{Path}: the folder cannot be written; the store is opened for reading only.", path);
                return OpenToRead(directory, path, oneFileName, options, refusal);
            }

            if (directory is DiskDirectory { NameFailure: { } unsynced }) logger.LogWarning("{Path}: the name of the store's folder may be new and could not be made durable, so a power failure may take the folder away until the one above it was synced: {Reason}", path, unsynced.Message);
            if (mustBeNewFile && directory.Find(oneFileName!) is not null) throw new IOException($"{path}: the file exists already. NinoLog.Create makes new files only; NinoStore.Open appends to this one.");
            (LogTail tail, RecoveryReport report) = new RecoveryRunner(directory, options, oneFileName).Run();
            log = new AppendLog(directory, options, tail, oneFileName, logger, oneFileName is null ? null : held as IWatchedLock);
            var changes = new ChangeGate();
            var snapshots = new SnapshotStore(new GatedFolder(directory, changes), tail.StoreId, options, options.NewId);
            if (oneFileName is null) report = RecoverWhatIsAhead(directory, snapshots, tail, report, options);
            if (report.Damage.Count > 0) logger.LogWarning("{Path}: recovered with damage: {Damage}", path, string.Join("; ", report.Damage));
            var cursors = new CursorStore(directory, tail.StoreId, log, options);
            var retention = new LogRetention(directory, tail.StoreId, log, snapshots, cursors, options, logger);
            if (oneFileName is null) log.Progress.SegmentBegun = retention.Rolled;
            if (log.IsSegmentComplete) retention.BeforeSegment();
            var store = new NinoStore(new OpenedStore(path, tail.StoreId, oneFileName, directory, snapshots, new LiveLogFiles(directory, log), report, new StoreWriting(held, log, cursors, retention, changes), options), options);
            if (oneFileName is null) retention.Start();
            return store;
        }
        catch (Exception failure)
        {
            // All of them, whichever fails: a lock that stayed would keep the store shut as long as the process lives.
            Release(failure, log);
            Release(failure, held);
            if (options.Directory is null) Release(failure, directory);
            throw;
        }
    }

    // The lock; null where nothing can be written, which is found out by trying: a file system may have turned read-only since it was looked at.
    private static IDisposable? TryHold(IStoreDirectory directory, string path, string? oneFileName, NinoStoreOptions options, out IOException? refusal)
    {
        refusal = null;
        if (options.ReadOnly || directory.IsReadOnly) return null;
        try
        {
            return (oneFileName is null ? directory.TryLockFolder(SegmentFormat.LockName) : directory.TryLock(oneFileName + ".lock"))
                ?? throw new StoreInUseException($"{path}: the store is open for writing in another process, or by another NinoStore in this one{(oneFileName is null ? ", or another program holds a lock on its folder (flock)" : "")}. Close that first; reading needs no lock (NinoStoreOptions.ReadOnly, StoreReader, 'inspect').", path);
        }
        catch (IOException e) when (IoFailure.IsReadOnly(e))
        {
            refusal = e;
            return null;
        }
    }

    // No lock, no change. Somebody else may have it open for writing meanwhile.
    private static NinoStore OpenToRead(IStoreDirectory directory, string path, string? oneFileName, NinoStoreOptions options, IOException? refusal)
    {
        // Before the log is looked at: a writer at work commits a position only after the records, and publishes a snapshot only after those it covers.
        List<CursorMark> cursors = oneFileName is null ? CursorMarks.Read(directory) : [];
        HashSet<string> listed = [.. directory.List().Select(static f => f.Name)];
        if (new RecoveryLook(directory, options, oneFileName).Run() is not { } found) throw new StoreReadOnlyException($"{path}: there is no store to read, and none can be created{(options.ReadOnly ? ": NinoStoreOptions.ReadOnly is set" : "")}.", path, refusal);
        (LogTail tail, RecoveryReport report) = found;
        List<StoreDamage> damage = [.. report.Damage];
        CursorMarks.Report(cursors, tail.StoreId, tail.NextSequence - 1, damage);
        report = report with { Damage = damage, CleanClose = report.CleanClose && damage.Count == 0 };
        var snapshots = new SnapshotStore(directory, tail.StoreId, options, options.NewId) { ListedBefore = listed };
        return new NinoStore(new OpenedStore(path, tail.StoreId, oneFileName, directory, snapshots, new RestingLogFiles(directory, oneFileName, tail), report, null, options) { Tail = tail, WhyReadOnly = refusal }, options);
    }

    // The failure that led here is the one to report; one of releasing goes along as its data.
    private static void Release(Exception failure, IDisposable? part)
    {
        try
        {
            part?.Dispose();
        }
        catch (Exception second)
        {
            failure.Data[$"Could not release {part!.GetType().Name}"] = second.Message;
        }
    }

    // What covers records that the log does not have, before new records take their sequences.
    private static RecoveryReport RecoverWhatIsAhead(IStoreDirectory directory, SnapshotStore snapshots, LogTail tail, RecoveryReport report, NinoStoreOptions options)
    {
        List<StoreDamage> damage = [.. report.Damage];
        using (var mark = new EndMark(directory, tail.End, tail.Writer, options.TimeProvider)) mark.ThrowIfTaken();
        IReadOnlyList<string> removed = snapshots.Recover(tail.NextSequence - 1, damage);
        CursorMarks.MoveInto(directory, tail.StoreId, tail.Segments.Count > 0 ? tail.Segments[0].FirstSequence : tail.NextSequence, tail.NextSequence - 1, options.TimeProvider, damage);
        return report with { Damage = damage, CleanClose = report.CleanClose && damage.Count == 0, FilesRemoved = [.. report.FilesRemoved, .. removed] };
    }

    // The lock lies beside the file: whoever comes by a link must find the same one.
    private static string WithoutLinks(string path)
    {
        try
        {
            return File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName ?? path;
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException or UnauthorizedAccessException)
        {
            // Opening it says what is wrong.
            return path;
        }
    }

    private static DiskDirectory OpenFolder(string path, string? oneFileName, bool readOnly)
    {
        string folder = oneFileName is null ? path : Path.GetDirectoryName(path)!;
        return readOnly ? DiskDirectory.OpenReadOnly(folder) : DiskDirectory.Open(folder, create: oneFileName is null);
    }
}
