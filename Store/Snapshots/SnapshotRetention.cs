// Which snapshots may go? Of each type, those older than the newest N that are proved whole, and older than the time they
// are to be kept; so never the last one that restores.

using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Store.IO;
using Store.Serialization;
using Store.Threading;

namespace Store.Snapshots;

/// <summary>Removes old generations after a new one is durable. One call of <see cref="Apply"/> at a time.</summary>
internal sealed partial class SnapshotRetention(IStoreDirectory directory, Guid storeId, NinoStoreOptions options)
{
    private readonly ILogger _logger = UnfailingLogger.Of<SnapshotRetention>(options.LoggerFactory);

    // Ids of the snapshots this process wrote or has verified in full: a snapshot is read once, not at every checkpoint.
    private readonly ConcurrentDictionary<ulong, bool> _whole = [];

    private long _removing = long.MaxValue;

    /// <summary>Lowest sequence of the snapshots whose removal a power failure may still undo; <see cref="long.MaxValue"/> when there is none. Safe for any number of threads.</summary>
    public long Removing => Volatile.Read(ref _removing);

    /// <summary>Notes a snapshot that was read in full for another purpose, as restoring does: it is not read again to be counted. Does nothing when it was not. Safe for any number of threads.</summary>
    public void Note(SnapshotFile file)
    {
        if (file.IsVerified) _whole[file.SnapshotId] = true;
    }

    /// <summary>
    /// Removes what the newest generations make superfluous. The removals are durable on return, so that a log cut afterwards never meets a
    /// snapshot that came back. Reads the generations that are to be counted and were not read or written by this process before. A failure is logged and leaves too many files; the next call tries again.
    /// </summary>
    /// <param name="written">The snapshot that has just become durable; never removed.</param>
    /// <param name="snapshotId">Its id.</param>
    /// <param name="schema">The program's schema of its type: snapshots under a former name are of the same type.</param>
    /// <param name="cancellationToken">Ends the reading: then nothing is removed, and the next call does it. What was written stays written.</param>
    public void Apply(SnapshotInfo written, ulong snapshotId, NinoSchema schema, CancellationToken cancellationToken)
    {
        _whole[snapshotId] = true;

        // Publishing has just synced the folder, and with it every removal so far.
        Volatile.Write(ref _removing, long.MaxValue);
        try
        {
            List<SnapshotInfo> old = FindOld(written, snapshotId, schema, cancellationToken);
            if (old.Count == 0) return;
            Volatile.Write(ref _removing, old[0].Sequence);
            foreach (SnapshotInfo info in old) directory.Delete(info.FileName);
            directory.SyncDirectory();
            Volatile.Write(ref _removing, long.MaxValue);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // Also where the store was closed meanwhile: the snapshot is there, and older ones more than need be.
            LogFailure(e, directory.Name, written.FileName);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            LogCancelled(directory.Name, written.FileName);
        }
    }

    /// <summary>Oldest first: whatever interrupts the removal, the newest are the ones that stay.</summary>
    private List<SnapshotInfo> FindOld(SnapshotInfo written, ulong snapshotId, NinoSchema schema, CancellationToken cancellationToken)
    {
        using SnapshotCatalog catalog = SnapshotCatalog.Open(directory, storeId);
        var old = new List<SnapshotInfo>();
        int whole = 0;

        // "Name" of a state, "Name[]" of items.
        string suffix = written.TypeName[schema.Name.Length..];
        HashSet<string> typeNames = [.. schema.Names.Select(name => name + suffix)];
        HashSet<ulong> there = [snapshotId, .. catalog.Files.Select(static file => file.SnapshotId)];
        foreach (ulong gone in _whole.Keys.Where(id => !there.Contains(id))) _whole.TryRemove(gone, out _);
        foreach (SnapshotFile file in catalog.Files)
        {
            if (!typeNames.Contains(file.Info.TypeName)) continue;
            if (whole < options.SnapshotGenerations)
            {
                if (IsWhole(file, cancellationToken)) whole++;
            }
            else if (file.Info.FileName != written.FileName && IsOldEnough(written.Timestamp - file.Info.Timestamp))
            {
                old.Add(file.Info);
            }
        }

        old.Reverse();
        return old;
    }

    // A clock that was set back makes an age negative: such a snapshot is kept only when any is kept for its age.
    private bool IsOldEnough(TimeSpan age) => options.SnapshotKeepFor == TimeSpan.Zero || age >= options.SnapshotKeepFor;

    private bool IsWhole(SnapshotFile file, CancellationToken cancellationToken)
    {
        if (_whole.ContainsKey(file.SnapshotId)) return true;
        IReadOnlyList<StoreDamage> damage = file.Verify(cancellationToken);
        if (damage.Count == 0) return _whole[file.SnapshotId] = true;
        LogDamage(directory.Name, file.Info.FileName, damage[0].Message);
        return false;
    }

    [LoggerMessage(1, LogLevel.Warning, "{Folder}: old snapshots could not be removed after {Snapshot} was written; the next checkpoint tries again.")]
    private partial void LogFailure(Exception exception, string folder, string snapshot);

    [LoggerMessage(2, LogLevel.Warning, "{Folder}: the snapshot {Snapshot} is damaged and does not count as a kept generation: {Damage}")]
    private partial void LogDamage(string folder, string snapshot, string damage);

    [LoggerMessage(3, LogLevel.Information, "{Folder}: {Snapshot} is written. Cancelled while older snapshots were read to see which may go; the next checkpoint removes them.")]
    private partial void LogCancelled(string folder, string snapshot);
}
