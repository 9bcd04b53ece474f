// Opening, step by step: folder, lock, recovery, log, snapshots. Whatever was acquired is released when a later step fails.

using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Store.IO;
using Store.Log;
using Store.Recovery;
using Store.Retention;
using Store.Snapshots;

namespace Store;

/// <summary>The parts of an open store. Disposing commits, closes the log and releases the lock.</summary>
internal sealed record OpenedStore(string Path, Guid StoreId, bool IsOneFile, IStoreDirectory Directory, IDisposable Lock, AppendLog Log, SnapshotStore Snapshots, CursorStore Cursors, LogRetention Retention, RecoveryReport Report, bool OwnsDirectory) : IDisposable
{
    public void Dispose()
    {
        try
        {
            Retention.Close();
            Log.Dispose();
        }
        finally
        {
            try
            {
                Lock.Dispose();
            }
            finally
            {
                if (OwnsDirectory) Directory.Dispose();
            }
        }
    }
}

internal static class StoreOpener
{
    public static NinoStore Open(string path, NinoStoreOptions options, bool mustBeNewFile)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        path = options.Directory is null ? Path.GetFullPath(path) : path;
        string? oneFileName = mustBeNewFile || IsFile(path, options) ? Path.GetFileName(path) : null;
        IStoreDirectory directory = options.Directory ?? OpenFolder(path, oneFileName);
        IDisposable? held = null;
        AppendLog? log = null;
        try
        {
            if (directory.IsReadOnly) throw new StoreReadOnlyException($"{directory.Name}: the folder cannot be written. A store needs to write its lock and its log; use StoreReader or 'inspect' to read it.", directory.Name);
            held = directory.TryLock(oneFileName is null ? SegmentFormat.LockName : oneFileName + ".lock")
                ?? throw new StoreInUseException($"{path}: the store is open for writing in another process, or by another NinoStore in this one. Close that first; reading needs no lock (StoreReader, 'inspect').", path);
            if (mustBeNewFile && directory.List().Any(f => f.Name == oneFileName)) throw new IOException($"{path}: the file exists already. NinoLog.Create makes new files only; NinoStore.Open appends to this one.");

            ILogger logger = options.LoggerFactory?.CreateLogger("NinoStore") ?? NullLogger.Instance;
            (LogTail tail, RecoveryReport report) = new RecoveryRunner(directory, options, oneFileName).Run();
            log = new AppendLog(directory, options, tail, oneFileName, logger);
            var snapshots = new SnapshotStore(directory, tail.StoreId, options, options.NewId);
            if (oneFileName is null) report = RecoverSnapshots(snapshots, tail, report);
            if (report.Damage.Count > 0) logger.LogWarning("{Path}: recovered with damage: {Damage}", path, string.Join("; ", report.Damage));
            var cursors = new CursorStore(directory, tail.StoreId, log, options);
            var retention = new LogRetention(directory, tail.StoreId, log, snapshots, cursors, options, logger);
            if (oneFileName is null) log.Progress.SegmentBegun = retention.Rolled;
            return new NinoStore(new OpenedStore(path, tail.StoreId, oneFileName is not null, directory, held, log, snapshots, cursors, retention, report, OwnsDirectory: options.Directory is null), options);
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

    private static RecoveryReport RecoverSnapshots(SnapshotStore snapshots, LogTail tail, RecoveryReport report)
    {
        List<StoreDamage> damage = [.. report.Damage];
        IReadOnlyList<string> removed = snapshots.Recover(tail.NextSequence - 1, damage);
        return report with { Damage = damage, FilesRemoved = [.. report.FilesRemoved, .. removed] };
    }

    private static bool IsFile(string path, NinoStoreOptions options)
    {
        if (options.Directory is not null) return false;
        if (Directory.Exists(path)) return false;
        return File.Exists(path) || Path.HasExtension(path);
    }

    private static DiskDirectory OpenFolder(string path, string? oneFileName)
    {
        try
        {
            return DiskDirectory.Open(oneFileName is null ? path : Path.GetDirectoryName(path)!, create: oneFileName is null);
        }
        catch (UnauthorizedAccessException e)
        {
            throw new StoreReadOnlyException($"{path}: the folder cannot be created or written: {e.Message}", path);
        }
    }
}
