// Which snapshots may go from a copy, of those that only it has? What the store has no longer goes only when a snapshot of the same state lies there that was read back whole, or when the store makes the state anew from the log, and
// so can the copy.
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

/// <summary>What a copy has no use for any more, and what it keeps though the store has it no longer. Used by one thread.</summary>
/// <param name="source">The store's folder.</param>
/// <param name="storeId">Its identity.</param>
/// <param name="chosen">The snapshots that this backup gives the copy, newest first.</param>
/// <param name="failures">Those of the store that could not be opened.</param>
/// <param name="known">What the store knows of its snapshots, and its log.</param>
/// <param name="first">First sequence of the store's log.</param>
/// <param name="last">Last sequence of the copy's.</param>
internal sealed class SupersededSnapshots(IStoreDirectory source, Guid storeId, IReadOnlyList<SnapshotInfo> chosen, IReadOnlyList<SnapshotFailure> failures, SnapshotStore known, long first, long last)
{
    private readonly List<string> _names = [];
    private readonly List<BackupOmission> _omitted = [];
    private readonly List<SnapshotInfo> _madeAnew = [];
    private readonly Dictionary<string, bool> _isWhole = new(StringComparer.Ordinal);

    /// <summary>Files of the copy that may go.</summary>
    public IReadOnlyList<string> Names => _names;

    /// <summary>Of these, those of states that the store makes anew: they must be gone before the log behind them is.</summary>
    public IReadOnlyCollection<string> MadeAnew => [.. _madeAnew.Select(static s => s.FileName)];

    /// <summary>Those of the store that are of no use, and those that only the copy has and needs.</summary>
    public IReadOnlyList<BackupOmission> Omitted => _omitted;

    /// <summary>What must be said where nothing may go: the copy restores from these what the store makes anew.</summary>
    public IEnumerable<BackupOmission> Kept => _madeAnew.Select(static s => new BackupOmission(s.FileName, $"The store has no snapshot of '{s.TypeName}' any more and makes it anew from the log; the copy keeps this one, and restores from it, until a backup leaves nothing out."));

    /// <summary>Looks through a copy. Once.</summary>
    public void FindIn(IStoreDirectory target, CancellationToken cancellationToken)
    {
        HashSet<string> there = [.. source.List().Select(static f => f.Name), .. chosen.Select(static c => c.FileName)];
        foreach (StoreFileEntry entry in target.List())
        {
            if (!SnapshotName.TryParse(entry.Name, out SnapshotName name) || there.Contains(entry.Name)) continue;

            // The store's log lost records since, and with them what this one holds.
            bool isLost = name.Sequence > last || there.Contains(entry.Name + SnapshotName.AheadSuffix);
            if (isLost || MayGo(target, entry.Name, cancellationToken)) _names.Add(entry.Name);
        }
    }

    private bool MayGo(IStoreDirectory target, string name, CancellationToken cancellationToken)
    {
        using SnapshotFile? file = SnapshotFile.TryOpen(target, name, SnapshotVerification.OnFirstTouch, out SnapshotFailure? failure);
        if (file is null) return !failure!.MayBeWhole;
        return file.StoreId == storeId && (HasWhole(target, file.Info.TypeName, cancellationToken) || IsMadeAnew(file.Info));
    }

    // Does one that the store has, too, lie whole in the copy?
    private bool HasWhole(IStoreDirectory target, string typeName, CancellationToken cancellationToken)
    {
        if (_isWhole.TryGetValue(typeName, out bool has)) return has;
        SnapshotInfo[] same = [.. chosen.Where(c => c.TypeName == typeName)];
        _isWhole[typeName] = has = Array.Exists(same, c => IsWhole(target, c.FileName, cancellationToken));
        if (!has && same.Length > 0) _omitted.Add(new BackupOmission(same[0].FileName, $"It is damaged or of another history of the log, and so is every snapshot of '{typeName}' that the store has: the copy keeps an older one, and the log behind it. Run 'inspect verify'; write a new checkpoint, and back up again."));
        return has;
    }

    // By its bytes and by the log: of another history it restores nothing.
    private bool IsWhole(IStoreDirectory target, string name, CancellationToken cancellationToken)
    {
        if (target.Find(name) is null) return false;
        using SnapshotFile? copy = SnapshotFile.TryOpen(target, name, SnapshotVerification.OnFirstTouch, out _);
        return copy is not null && known.IsOfThisLog(copy) && copy.Verify(cancellationToken).Count == 0;
    }

    private bool IsMadeAnew(SnapshotInfo info)
    {
        if (chosen.Any(c => c.TypeName == info.TypeName)) return false;
        if (CursorMarks.TryFind(source, storeId, CursorName.OfState(info.TypeName), MarkerKind.State) is not { } mark)
        {
            // A later one may be of the same state under a new name.
            if (!chosen.Any(c => c.Sequence >= info.Sequence)) Keep(info, "its log is not known to have all of it");
            return false;
        }

        if (WhyNotMadeAnew(mark, info) is { } why)
        {
            Keep(info, why);
            return false;
        }

        _madeAnew.Add(info);
        return true;
    }

    private string? WhyNotMadeAnew(Marker mark, SnapshotInfo info)
    {
        if (failures.Count > 0) return $"{failures[0].FileName}, which may be one, cannot be used";
        if (mark.Since > last) return $"the state was begun anew behind record {mark.Since}, where the copy ends before";
        if (first > mark.Since + 1) return $"its log, which begins with record {first}, does not reach back to record {mark.Since + 1}, where the state begins";

        // An opening without one moves the mark back to where the state begins, or the log by now.
        if (mark.Sequence > Math.Max(mark.Since, first - 1)) return "the state was not opened without one since, which would tell that they were not lost";
        return info.Sequence == 0 && mark.Since == 0 ? "this one was written before the first record, so what it holds is in no event" : null;
    }

    private void Keep(SnapshotInfo info, string why) => _omitted.Add(new BackupOmission(info.FileName, $"The store has no snapshot of '{info.TypeName}', and {why}: the copy keeps this one, and the log behind it. Copy it back if it was lost; if it is not wanted any more, remove it from the copy, too; and back up again."));
}
