// Which snapshots may go? Of each type, those older than the newest N that are proved whole and that the type reads, and older than the time they
// are to be kept; so never the last one that restores. And how far back do two of them reach? Only the log before both is superfluous.

using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Store.IO;
using Store.Threading;

namespace Store.Snapshots;

/// <summary>Removes old generations after a new one is durable. One call of <see cref="Apply"/> at a time.</summary>
internal sealed partial class SnapshotRetention(IStoreDirectory directory, Guid storeId, NinoStoreOptions options)
{
    private readonly ILogger _logger = UnfailingLogger.Of<SnapshotRetention>(options.LoggerFactory);

    // Null where nothing is kept for its age.
    private readonly SnapshotAges? _ages = options.SnapshotKeepFor > TimeSpan.Zero ? new SnapshotAges(options.TimeProvider) : null;

    // By type name: the older of the two newest that the last count found to restore.
    private readonly ConcurrentDictionary<string, long> _reach = new(StringComparer.Ordinal);

    private long _removing = long.MaxValue;

    /// <summary>What is known of the snapshots.</summary>
    public SnapshotVerdicts Verdicts { get; } = new();

    /// <summary>Lowest sequence of the snapshots whose removal a power failure may still undo; <see cref="long.MaxValue"/> when there is none. Safe for any number of threads.</summary>
    public long Removing => Volatile.Read(ref _removing);

    /// <summary>
    /// The sequence behind which two snapshots of a type are enough: of the two newest that were proved whole and that the type reads, the older one's. Null when the last checkpoint of the type on this store has not counted two
    /// of them (the others are damaged, refused or unread, or the counting was cancelled or failed): then the log is what a damaged one could be replaced from. Safe for any number of threads.
    /// </summary>
    public long? ReachOf(string typeName) => _reach.TryGetValue(typeName, out long sequence) ? sequence : null;

    /// <summary>
    /// Removes what the newest generations make superfluous. The removals are durable on return, so that a log cut afterwards never meets a
    /// snapshot that came back. Reads the generations that are to be counted and were not read or written by this process before. A failure is logged and leaves too many files; the next call tries again.
    /// </summary>
    /// <param name="written">The snapshot that has just become durable; never removed.</param>
    /// <param name="snapshotId">Its id.</param>
    /// <param name="content">Its first part: knows the program's type, and whether that reads the snapshots before, also those under a former name.</param>
    /// <param name="cancellationToken">Ends the reading: then nothing is removed, and the next call does it. What was written stays written.</param>
    public void Apply(SnapshotInfo written, ulong snapshotId, SnapshotContent content, CancellationToken cancellationToken)
    {
        Verdicts.NoteWhole(snapshotId);
        _ages?.See(snapshotId);
        _reach.TryRemove(written.TypeName, out _);

        // Publishing has just synced the folder, and with it every removal so far.
        Volatile.Write(ref _removing, long.MaxValue);
        try
        {
            List<SnapshotInfo> old = FindOld(written, snapshotId, content, cancellationToken);
            Remove(old);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            LogCancelled(directory.Name, written.FileName);
        }
        catch (Exception e)
        {
            // Whatever it is, also that the store was closed meanwhile: the snapshot is published, and nothing that comes behind may say that it is not. There are older ones more than need be.
            LogFailure(e, directory.Name, written.FileName);
        }
    }

    /// <summary>Removes the snapshots of a type, all of them. The removals are durable on return; when one fails, the newest are the ones that stay. Not while <see cref="Apply"/> runs.</summary>
    /// <returns>How many there were.</returns>
    public int RemoveAll(string typeName)
    {
        List<SnapshotInfo> all;
        using (SnapshotCatalog catalog = SnapshotCatalog.Open(directory, storeId)) all = [.. catalog.Files.Select(static file => file.Info).Where(info => info.TypeName == typeName).Reverse()];
        _reach.TryRemove(typeName, out _);
        Remove(all);
        return all.Count;
    }

    private void Remove(List<SnapshotInfo> oldestFirst)
    {
        if (oldestFirst.Count == 0 && Removing == long.MaxValue) return;
        if (oldestFirst.Count > 0) Volatile.Write(ref _removing, Math.Min(Removing, oldestFirst[0].Sequence));
        foreach (SnapshotInfo info in oldestFirst) directory.Delete(info.FileName);
        directory.SyncDirectory();
        Volatile.Write(ref _removing, long.MaxValue);
    }

    /// <summary>Oldest first: whatever interrupts the removal, the newest are the ones that stay.</summary>
    private List<SnapshotInfo> FindOld(SnapshotInfo written, ulong snapshotId, SnapshotContent content, CancellationToken cancellationToken)
    {
        using SnapshotCatalog catalog = SnapshotCatalog.Open(directory, storeId);
        var old = new List<SnapshotInfo>();
        int whole = 0;

        // "Name" of a state, "Name[]" of items.
        string suffix = written.TypeName[content.Schema.Name.Length..];
        HashSet<string> typeNames = [.. content.Schema.Names.Select(name => name + suffix)];
        Verdicts.KeepOnly(new HashSet<ulong>([snapshotId, .. catalog.Files.Select(static file => file.SnapshotId)]));
        Dictionary<ulong, TimeSpan>? ages = _ages?.Of(catalog.Files);
        foreach (SnapshotFile file in catalog.Files)
        {
            if (!typeNames.Contains(file.Info.TypeName)) continue;
            if (whole < options.SnapshotGenerations)
            {
                if (Restores(file, content, cancellationToken) && ++whole == 2) _reach[written.TypeName] = file.Info.Sequence;
            }
            else if (file.Info.FileName != written.FileName && (ages is null || ages[file.SnapshotId] >= options.SnapshotKeepFor))
            {
                old.Add(file.Info);
            }
        }

        old.Reverse();
        return old;
    }

    private bool Restores(SnapshotFile file, SnapshotContent content, CancellationToken cancellationToken)
    {
        if (Verdicts.FindUncounted(file) is { } known)
        {
            LogDamage(directory.Name, file.Info.FileName, known.Message);
            return false;
        }

        SnapshotVerdict verdict = Verdicts.Of(file.SnapshotId);
        if (verdict is SnapshotVerdict.Restores or SnapshotVerdict.Refused) return verdict == SnapshotVerdict.Restores;
        if (verdict != SnapshotVerdict.Whole && file.FindAllDamage(verdict == SnapshotVerdict.FirstPartRestores ? 1 : 0, cancellationToken) is { Count: > 0 } failures)
        {
            SnapshotFailure failure = SnapshotFailure.Worst(failures);
            Verdicts.NoteDamaged(file.SnapshotId, failure);
            LogDamage(directory.Name, file.Info.FileName, failure.Message);
            return false;
        }

        SnapshotFailure? refusal;
        try
        {
            refusal = verdict == SnapshotVerdict.FirstPartRestores ? null : content.FindRefusal(file);
        }
        catch (Exception e) when (e is not (IOException or ObjectDisposedException or OutOfMemoryException))
        {
            // The program is put together wrongly: whoever restores is told. This one was written with what is there.
            LogUnread(e, directory.Name, file.Info.FileName);
            Verdicts.NoteRefused(file);
            return false;
        }

        if (refusal is null)
        {
            Verdicts.NoteWhole(file.SnapshotId);
            return true;
        }

        LogRefusal(directory.Name, file.Info.FileName, refusal.Message);
        if (refusal.IsOfProgram) Verdicts.NoteRefused(file);
        else Verdicts.NoteDamaged(file.SnapshotId, refusal);
        return false;
    }

    [LoggerMessage(1, LogLevel.Warning, "{Folder}: old snapshots could not be removed after {Snapshot} was written; the next checkpoint tries again.")]
    private partial void LogFailure(Exception exception, string folder, string snapshot);

    [LoggerMessage(2, LogLevel.Warning, "{Folder}: the snapshot {Snapshot} is damaged and does not count as a kept generation: {Damage}")]
    private partial void LogDamage(string folder, string snapshot, string damage);

    [LoggerMessage(4, LogLevel.Warning, "{Folder}: the snapshot {Snapshot} cannot be read as its type is now, so it does not count as a kept generation: {Refusal}")]
    private partial void LogRefusal(string folder, string snapshot, string refusal);

    [LoggerMessage(5, LogLevel.Warning, "{Folder}: the snapshot {Snapshot} could not be read by the program as it is put together now, so it does not count as a kept generation.")]
    private partial void LogUnread(Exception exception, string folder, string snapshot);

    [LoggerMessage(3, LogLevel.Information, "{Folder}: {Snapshot} is written. Cancelled while older snapshots were read to see which may go; the next checkpoint removes them.")]
    private partial void LogCancelled(string folder, string snapshot);
}
