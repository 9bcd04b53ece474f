// What does this process know of the snapshots of its store? It learns that where they are written, restored from, looked into and counted: none is read twice to be counted, and one that was found damaged is not offered again.

using System.Collections.Concurrent;

namespace Store.Snapshots;

/// <summary>What is known of a snapshot.</summary>
internal enum SnapshotVerdict
{
    /// <summary>Nothing.</summary>
    Unknown,

    /// <summary>That it belongs to the log, as far as that can be told; nothing of its data.</summary>
    OfThisLog,

    /// <summary>Every byte is right; whether its type reads it nobody has asked.</summary>
    Whole,

    /// <summary>A state was restored from its first part; nobody has looked at all of the others.</summary>
    FirstPartRestores,

    /// <summary>Every byte is right, and a state was restored from it, or could be.</summary>
    Restores,

    /// <summary>Its type does not read it.</summary>
    Refused,

    /// <summary>The disk could not read a place of it, which may pass: it is no generation until it has been read, and whoever chooses a snapshot tries it again.</summary>
    Unreadable,

    /// <summary>A place of it is damaged, or it belongs to another history of the log. Stays so while the store is open.</summary>
    Damaged,
}

/// <summary>The verdicts on the snapshots of one open store, by id. Safe for any number of threads.</summary>
internal sealed class SnapshotVerdicts
{
    private readonly ConcurrentDictionary<ulong, (SnapshotVerdict Verdict, StoreDamage? Damage)> _known = [];

    public SnapshotVerdict Of(ulong snapshotId) => _known.TryGetValue(snapshotId, out (SnapshotVerdict Verdict, StoreDamage? Damage) known) ? known.Verdict : SnapshotVerdict.Unknown;

    /// <summary>The log, when it can be asked; null where nobody has one.</summary>
    public ISnapshotHistory? History { get; set; }

    /// <summary>Why a snapshot is not to be used, as far as that is known without reading its data: the damage that was met first, or that the log is not the one it was taken of. The log is asked once.</summary>
    public StoreDamage? FindUnusable(SnapshotFile file)
    {
        ulong id = file.SnapshotId;
        if (_known.TryGetValue(id, out (SnapshotVerdict Verdict, StoreDamage? Damage) known)) return known.Verdict == SnapshotVerdict.Damaged ? known.Damage : null;
        if (IsOfThisLog(file))
        {
            Note(id, SnapshotVerdict.OfThisLog);
            return null;
        }

        long sequence = file.Info.Sequence;
        var other = new SnapshotFailure(SnapshotFailureKind.OtherHistory, file.FileName, SnapshotFormat.RecordMarkOffset, SnapshotFormat.RecordMarkSize,
            $"The snapshot covers the log up to sequence {sequence}, and record {sequence} of this log is another one than when it was written: the log lost its records and has grown others since, or the snapshot was put back without its log. It is not used.");
        NoteDamaged(id, other);
        return other.ToDamage();
    }

    /// <summary>Why a snapshot is no generation: as <see cref="FindUnusable"/>, and where the disk could not read it.</summary>
    public StoreDamage? FindUncounted(SnapshotFile file) => FindUnusable(file) ?? (_known.TryGetValue(file.SnapshotId, out (SnapshotVerdict Verdict, StoreDamage? Damage) known) ? known.Damage : null);

    /// <summary>False when the log says that it is not the one that the snapshot was taken of.</summary>
    public bool IsOfThisLog(SnapshotFile file) => History is null || History.Has(file.Info.Sequence, file.Tie);

    /// <summary>A snapshot that this process wrote, or has read in full and decoded as its type.</summary>
    public void NoteWhole(ulong snapshotId) => Note(snapshotId, SnapshotVerdict.Restores);

    /// <summary>A snapshot that was read for another purpose: does nothing unless that was all of it.</summary>
    public void NoteRead(SnapshotFile file)
    {
        if (file.IsVerified) Note(file.SnapshotId, SnapshotVerdict.Whole);
    }

    /// <summary>A snapshot whose first part a state was restored from.</summary>
    public void NoteRestored(SnapshotFile file) => Note(file.SnapshotId, file.IsVerified ? SnapshotVerdict.Restores : SnapshotVerdict.FirstPartRestores);

    /// <summary>A whole snapshot that the program's type does not read.</summary>
    public void NoteRefused(SnapshotFile file) => Note(file.SnapshotId, SnapshotVerdict.Refused);

    /// <summary>Damage that was met in a snapshot, or that it could not be read.</summary>
    public void NoteDamaged(ulong snapshotId, SnapshotFailure failure) =>
        _known.AddOrUpdate(snapshotId, static (_, met) => met, static (_, known, met) => known.Verdict == SnapshotVerdict.Damaged ? known : met, (failure.MayPass ? SnapshotVerdict.Unreadable : SnapshotVerdict.Damaged, (StoreDamage?)failure.ToDamage()));

    /// <summary>Forgets all but those that are there.</summary>
    public void KeepOnly(IReadOnlySet<ulong> there)
    {
        foreach (ulong gone in _known.Keys.Where(id => !there.Contains(id))) _known.TryRemove(gone, out _);
    }

    private void Note(ulong snapshotId, SnapshotVerdict verdict) =>
        _known.AddOrUpdate(snapshotId, static (_, verdict) => (verdict, null), static (_, known, verdict) => known.Verdict == SnapshotVerdict.Damaged || verdict == SnapshotVerdict.OfThisLog ? known : (Together(known.Verdict, verdict), null), verdict);

    // What was seen of the bytes and what was seen of the type add up.
    private static SnapshotVerdict Together(SnapshotVerdict known, SnapshotVerdict verdict) => (known, verdict) switch
    {
        (SnapshotVerdict.Whole, SnapshotVerdict.FirstPartRestores) or (SnapshotVerdict.FirstPartRestores, SnapshotVerdict.Whole) => SnapshotVerdict.Restores,
        (SnapshotVerdict.Restores, SnapshotVerdict.FirstPartRestores) or (SnapshotVerdict.Restores or SnapshotVerdict.Refused, SnapshotVerdict.Whole) => known,
        _ => verdict,
    };
}
