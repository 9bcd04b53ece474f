// Which checkpoints stay? The two newest that are known to be in force and not known to be damaged, and what somebody copies. A manifest in the folder is no proof: it may be of a checkpoint that was given up and could
// not be removed. Where there are no two, all that are known stay, and the log as well.

namespace Store.Faster.Checkpoints;

/// <summary>The checkpoints of one keyed state that are in force. Whoever calls holds the lock of what is kept.</summary>
internal sealed class KeptCheckpoints
{
    // Newest first.
    private readonly List<Kept> _inForce;
    private readonly List<long> _held = [];

    /// <param name="newest">What opening has left in force; zeros for none.</param>
    /// <param name="generations">What is in the folder, newest first. Newer ones are none: they were given up while opening, and could not be removed.</param>
    public KeptCheckpoints(CheckpointInForce newest, IReadOnlyList<long> generations) =>
        _inForce = [.. generations.Where(generation => generation <= newest.Generation).Select(generation => new Kept(generation, generation == newest.Generation ? newest.Sequence : null))];

    /// <summary>The newest one's generation, 0 when there is none.</summary>
    public long Newest => _inForce is [var newest, ..] ? newest.Generation : 0;

    /// <summary>True when somebody found the newest damaged.</summary>
    public bool IsNewestDamaged => _inForce is [{ IsDamaged: true }, ..];

    /// <summary>One more is in force; what is superfluous by it does not stay.</summary>
    public void Add(long generation, long sequence)
    {
        _inForce.Insert(0, new Kept(generation, sequence));
        Kept[] whole = [.. _inForce.Where(static kept => !kept.IsDamaged).Take(CheckpointCatalog.KeptGenerations)];
        if (whole.Length == CheckpointCatalog.KeptGenerations) _inForce.RemoveAll(kept => !whole.Contains(kept));
    }

    /// <summary>Somebody found one damaged.</summary>
    public void NoteDamage(long generation)
    {
        foreach (Kept kept in _inForce.Where(kept => kept.Generation == generation)) kept.IsDamaged = true;
    }

    /// <summary>One is being copied, until <see cref="LetGo"/>.</summary>
    public void Hold(long generation) => _held.Add(generation);

    public void LetGo(long generation) => _held.Remove(generation);

    public bool Stays(long generation) => _held.Contains(generation) || _inForce.Exists(kept => kept.Generation == generation);

    /// <summary>Behind which sequence the log is needed, whichever of them is used. Null when that is not known: then as before.</summary>
    public long? NeededAfter => _inForce.Count == CheckpointCatalog.KeptGenerations && !_inForce.Exists(static kept => kept.IsDamaged) ? _inForce[^1].Sequence : null;

    private sealed class Kept(long generation, long? sequence)
    {
        public long Generation { get; } = generation;

        /// <summary>Null of one that opening did not look at.</summary>
        public long? Sequence { get; } = sequence;

        public bool IsDamaged { get; set; }
    }
}
