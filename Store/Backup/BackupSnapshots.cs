// Which snapshots does a copy get? Those there are when the copy begins, open from then on: checkpoints remove their names while the log is copied, and an open file stays readable.

using Store.IO;
using Store.Snapshots;

namespace Store.Backup;

/// <summary>The snapshots of one backup. Used by one thread; disposing closes what is open.</summary>
internal sealed class BackupSnapshots : IDisposable
{
    // How often the choice is repeated because a file vanished between being listed and being opened.
    private const int MaxScans = 8;

    private readonly IStoreDirectory _source;
    private readonly Guid _storeId;
    private readonly SnapshotStore _known;
    private readonly List<Chosen> _chosen = [];
    private List<SnapshotFailure> _failures = [];

    private BackupSnapshots(IStoreDirectory source, Guid storeId, SnapshotStore known) => (_source, _storeId, _known) = (source, storeId, known);

    /// <summary>Those that cannot be read at this moment or by this version: they may be whole, and are not copied.</summary>
    public IEnumerable<BackupOmission> Omitted => _failures.Where(static f => f.MayBeWhole).Select(static f => new BackupOmission(f.FileName, f.Message));

    /// <summary>
    /// Opens the newest of each type, those that are known to be of no use not counted. Older ones, which a store has that keeps snapshots for their age, are copied when they are still there by then: a restart needs none of them, and they may be many.
    /// </summary>
    /// <param name="source">The store's folder.</param>
    /// <param name="storeId">Its identity.</param>
    /// <param name="generations">How many of each type are opened.</param>
    /// <param name="known">What the store knows of them, and its log.</param>
    public static BackupSnapshots Choose(IStoreDirectory source, Guid storeId, int generations, SnapshotStore known)
    {
        var snapshots = new BackupSnapshots(source, storeId, known);
        try
        {
            for (int scan = 1; !snapshots.TryChoose(generations, isLast: scan == MaxScans); scan++) snapshots.Dispose();
            return snapshots;
        }
        catch
        {
            snapshots.Dispose();
            throw;
        }
    }

    /// <summary>Refuses a log that ends before every snapshot of a type and cannot make its state anew: of a store that was opened for reading, and whose writer went on.</summary>
    /// <exception cref="StoreException">It does.</exception>
    public void RequireOneOfEachType(long first, long last)
    {
        if (first == 1) return;
        foreach (IGrouping<string, Chosen> type in _chosen.GroupBy(static c => c.Info.TypeName, StringComparer.Ordinal))
        {
            if (type.Any(c => c.Info.Sequence <= last)) continue;
            throw new StoreException($"{_source.Name}: every snapshot of '{type.Key}' covers more than the log did when the store was opened for reading, which ends with record {last} and no longer begins with record 1: a copy could not restore that state. Nothing was copied. Open the store again, and back up once more.", _source.Name);
        }
    }

    /// <summary>Copies those that the copied log reaches, each durable with its name before the next.</summary>
    public void CopyTo(IStoreDirectory target, long last, BackupFiles files)
    {
        // Oldest first: whatever interrupts it, the copy has no gap among them.
        foreach (Chosen chosen in Enumerable.Reverse(_chosen))
        {
            files.ThrowIfCancelled();
            if (chosen.Info.Sequence > last) continue;
            if (IsThere(target, chosen))
            {
                files.Keep();
                continue;
            }

            if ((chosen.File ?? OpenIfThere(chosen.Info.FileName)) is not { } file) continue;
            using (file) files.Publish(file, target, chosen.Info.FileName, file.LengthBytes);
        }
    }

    /// <summary>Which of those that only the copy has may go, now that these lie beside them.</summary>
    /// <param name="target">The copy.</param>
    /// <param name="first">First sequence of the store's log.</param>
    /// <param name="last">Last sequence of the copy's.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    public SupersededSnapshots FindSuperseded(IStoreDirectory target, long first, long last, CancellationToken cancellationToken)
    {
        var superseded = new SupersededSnapshots(_source, _storeId, [.. _chosen.Select(static c => c.Info)], _failures, _known, first, last);
        superseded.FindIn(target, cancellationToken);
        return superseded;
    }

    public void Dispose()
    {
        foreach (Chosen chosen in _chosen) chosen.File?.Dispose();
        _chosen.Clear();
    }

    private bool TryChoose(int generations, bool isLast)
    {
        using SnapshotCatalog catalog = SnapshotCatalog.Open(_source, _storeId);
        _failures = [.. catalog.Failures];
        var opened = new Dictionary<string, int>(StringComparer.Ordinal);
        foreach (SnapshotFile file in catalog.Files)
        {
            int newer = opened.GetValueOrDefault(file.Info.TypeName);
            bool isNeeded = newer < generations && _known.IsUsable(file);
            if (isNeeded) opened[file.Info.TypeName] = newer + 1;
            IStoreFile? open = isNeeded ? OpenIfThere(file.Info.FileName) : null;
            if (open is null && isNeeded)
            {
                // Another process has published a newer one and removed it, so the listing is out of date.
                if (!isLast) return false;
                throw new FileNotFoundException($"{_source.Name}: {file.Info.FileName} is listed and cannot be found.", file.Info.FileName);
            }

            _chosen.Add(new Chosen(file.Info, file.SnapshotId, open));
        }

        return true;
    }

    private IStoreFile? OpenIfThere(string name)
    {
        try
        {
            return _source.OpenRead(name);
        }
        catch (FileNotFoundException)
        {
            // A checkpoint has made it superfluous since the listing.
            return null;
        }
    }

    // A name may be given twice, over a salvage; the random number of a snapshot is not.
    private static bool IsThere(IStoreDirectory target, Chosen chosen)
    {
        if (target.Find(chosen.Info.FileName)?.LengthBytes != chosen.Info.LengthBytes) return false;
        using SnapshotFile? copy = SnapshotFile.TryOpen(target, chosen.Info.FileName, SnapshotVerification.OnFirstTouch, out _);
        return copy is not null && copy.SnapshotId == chosen.Id;
    }

    /// <summary>One snapshot.</summary>
    /// <param name="Info">What it is.</param>
    /// <param name="Id">Its random number.</param>
    /// <param name="File">The open file; null when it is to be opened when its turn comes.</param>
    private sealed record Chosen(SnapshotInfo Info, ulong Id, IStoreFile? File);
}
