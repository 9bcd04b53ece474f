// Which snapshots does a copy get, and which of its own may go? Those there are when the copy begins, open from then on: checkpoints remove their names while the log is copied, and an open file stays readable. What the
// store has no longer goes from the copy only when a snapshot of the same state lies there that was read back whole, or when the store makes the state anew from the log, and so can the copy.
//
//   the store has, of the state                       a snapshot that only the copy has
//   a snapshot that lies whole in the copy            goes
//   snapshots, none of which lies whole in the copy   stays, and it is said
//   none, and a mark up to which the log reaches back goes: somebody removed them, to have the state made anew, and it was opened so; a copy that kept one would restore what the store has not
//   none, and a mark that rests on a snapshot         stays, and it is said: the state was not opened since, so nobody may have wanted that
//   none, and a mark, but the log begins later, or    stays, and it is said: it is the last there is of the state
//   a snapshot that cannot be opened, or the one
//   in the copy is of record 0: made by no event
//   neither snapshot nor mark                         stays. It is said, unless a later one of another type lies beside it: that may be the state under a new name, of which the earlier ones are of no use
//
// An interrupted backup may have the mark of a later life of a state already, and the snapshots of the one before still: until the next one it is as it was.

using Store.IO;
using Store.Retention;
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
    private readonly List<BackupOmission> _damaged = [];
    private readonly List<(string FileName, string TypeName)> _madeAnew = [];
    private List<SnapshotFailure> _failures = [];

    private BackupSnapshots(IStoreDirectory source, Guid storeId, SnapshotStore known) => (_source, _storeId, _known) = (source, storeId, known);

    /// <summary>Those that cannot be read at this moment or by this version: they may be whole, and are not copied; those that <see cref="FindOld"/> found to be of no use, and those that only the copy has and needs.</summary>
    public IEnumerable<BackupOmission> Omitted => _failures
        .Where(static f => f.Kind is SnapshotFailureKind.Unreadable or SnapshotFailureKind.NewerVersion)
        .Select(static f => new BackupOmission(f.FileName, f.Message))
        .Concat(_damaged);

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

    /// <summary>Of those that <see cref="FindOld"/> found, what must be said where nothing may go: the copy restores from them what the store makes anew.</summary>
    public IEnumerable<BackupOmission> Kept => _madeAnew.Select(static s => new BackupOmission(s.FileName, $"The store has no snapshot of '{s.TypeName}' any more and makes it anew from the log; the copy keeps this one, and restores from it, until a backup leaves nothing out."));

    /// <summary>Names of those that <see cref="FindOld"/> found of states that the store makes anew: they must be gone before the log behind them is.</summary>
    public IReadOnlyCollection<string> MadeAnew => [.. _madeAnew.Select(static s => s.FileName)];

    /// <summary>Names of those in the copy that may go.</summary>
    /// <param name="target">The copy.</param>
    /// <param name="first">First sequence of the store's log.</param>
    /// <param name="last">Last sequence of the copy's.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    public List<string> FindOld(IStoreDirectory target, long first, long last, CancellationToken cancellationToken)
    {
        List<string> old = [];
        HashSet<string> there = [.. _source.List().Select(static f => f.Name)];
        var whole = new Dictionary<string, bool>(StringComparer.Ordinal);
        foreach (StoreFileEntry entry in target.List())
        {
            if (!SnapshotName.TryParse(entry.Name, out SnapshotName name) || _chosen.Exists(c => c.Info.FileName == entry.Name) || there.Contains(entry.Name)) continue;

            // The store's log lost records since, and with them what this one holds.
            bool isOld = name.Sequence > last || there.Contains(entry.Name + SnapshotName.AheadSuffix);
            if (!isOld)
            {
                using SnapshotFile? file = SnapshotFile.TryOpen(target, entry.Name, SnapshotVerification.OnFirstTouch, out SnapshotFailure? failure);
                isOld = file is null ? failure!.Kind is not (SnapshotFailureKind.Unreadable or SnapshotFailureKind.NewerVersion) : file.StoreId == _storeId && (HasWhole(file.Info.TypeName) || IsMadeAnew(file.Info));
            }

            if (isOld) old.Add(entry.Name);
        }

        return old;

        bool HasWhole(string typeName)
        {
            if (whole.TryGetValue(typeName, out bool has)) return has;
            Chosen[] same = [.. _chosen.Where(c => c.Info.TypeName == typeName)];
            whole[typeName] = has = Array.Exists(same, c => IsWhole(target, c.Info.FileName, cancellationToken));
            if (!has && same.Length > 0) _damaged.Add(new BackupOmission(same[0].Info.FileName, $"It is damaged or of another history of the log, and so is every snapshot of '{typeName}' that the store has: the copy keeps an older one, and the log behind it. Run 'inspect verify'; write a new checkpoint, and back up again."));
            return has;
        }

        bool IsMadeAnew(SnapshotInfo info)
        {
            if (_chosen.Exists(c => c.Info.TypeName == info.TypeName)) return false;
            if (CursorMarks.TryFind(_source, _storeId, CursorName.OfState(info.TypeName), MarkerKind.State) is not { } mark)
            {
                if (!_chosen.Exists(c => c.Info.Sequence >= info.Sequence)) Say("its log is not known to have all of it");
                return false;
            }

            if (WhyNotMadeAnew(mark) is not { } why)
            {
                _madeAnew.Add((info.FileName, info.TypeName));
                return true;
            }

            Say(why);
            return false;

            string? WhyNotMadeAnew(Marker mark)
            {
                if (_failures.Count > 0) return $"{_failures[0].FileName}, which may be one, cannot be used";
                if (mark.Since > last) return $"the state was begun anew behind record {mark.Since}, where the copy ends before";
                if (first > mark.Since + 1) return $"its log, which begins with record {first}, does not reach back to record {mark.Since + 1}, where the state begins";

                // An opening without one moves the mark back to where the state begins, or the log by now.
                if (mark.Sequence > Math.Max(mark.Since, first - 1)) return "the state was not opened without one since, which would tell that they were not lost";
                return info.Sequence == 0 && mark.Since == 0 ? "this one was written before the first record, so what it holds is in no event" : null;
            }

            void Say(string why) => _damaged.Add(new BackupOmission(info.FileName, $"The store has no snapshot of '{info.TypeName}', and {why}: the copy keeps this one, and the log behind it. Copy it back if it was lost; if it is not wanted any more, remove it from the copy, too; and back up again."));
        }
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

    // By its bytes and by the log: of another history it restores nothing.
    private bool IsWhole(IStoreDirectory target, string name, CancellationToken cancellationToken)
    {
        if (target.Find(name) is null) return false;
        using SnapshotFile? copy = SnapshotFile.TryOpen(target, name, SnapshotVerification.OnFirstTouch, out _);
        return copy is not null && _known.IsOfThisLog(copy) && copy.Verify(cancellationToken).Count == 0;
    }

    /// <summary>One snapshot.</summary>
    /// <param name="Info">What it is.</param>
    /// <param name="Id">Its random number.</param>
    /// <param name="File">The open file; null when it is to be opened when its turn comes.</param>
    private sealed record Chosen(SnapshotInfo Info, ulong Id, IStoreFile? File);
}
