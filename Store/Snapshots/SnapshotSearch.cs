// Which snapshot is the newest, by looking at one file? Names are sorted by age and are only a hint: the newest name is tried first and its header asked whether it says the same.

using Store.IO;

namespace Store.Snapshots;

/// <summary>Looks for the newest snapshot from its name on, so that finding it costs the same however many generations there are.</summary>
/// <param name="directory">The folder.</param>
/// <param name="storeId">Snapshots of other stores are passed over.</param>
internal sealed class SnapshotSearch(IStoreDirectory directory, Guid storeId)
{
    private readonly List<StoreDamage> _passed = [];

    /// <summary>What was passed over, newest name first.</summary>
    public IReadOnlyList<StoreDamage> Passed => _passed;

    /// <summary>Opens snapshots from the newest name to the oldest, until one is the one.</summary>
    /// <param name="choose">Says about a snapshot of this store that it is (<see cref="SnapshotChoice.Take"/>), that it is another one, or what is wrong with it.</param>
    /// <param name="found">The snapshot, which is the caller's, or null when none was chosen.</param>
    /// <returns>False when names do not tell, because a header says another age than the name or a file vanished meanwhile: then all headers have to be looked at.</returns>
    public bool TryFind(Func<SnapshotFile, SnapshotChoice> choose, out SnapshotFile? found)
    {
        found = null;
        foreach (StoreFileEntry entry in directory.List().Reverse())
        {
            if (!SnapshotName.TryParse(entry.Name, out SnapshotName name)) continue;
            SnapshotFile? file;
            SnapshotFailure? failure;
            try
            {
                file = SnapshotFile.TryOpen(directory, entry.Name, SnapshotVerification.OnFirstTouch, out failure);
            }
            catch (FileNotFoundException)
            {
                // Another process has published a newer one and removed it.
                return false;
            }

            try
            {
                if (file is not null && file.StoreId == storeId && (file.Info.Sequence, file.Generation) != (name.Sequence, name.Generation)) return false;
                SnapshotChoice choice = file is null ? SnapshotChoice.Failed(failure!.ToDamage()) : file.StoreId != storeId ? SnapshotChoice.Failed(SnapshotCatalog.Foreign(file, entry, storeId).ToDamage()) : choose(file);
                if (choice.Damage is not null) _passed.Add(choice.Damage);
                if (!choice.IsTaken) continue;
                found = file;
                file = null;
                return true;
            }
            finally
            {
                file?.Dispose();
            }
        }

        return true;
    }
}

/// <summary>What is to become of a snapshot that was looked at.</summary>
/// <param name="IsTaken">True when it is the one that is looked for.</param>
/// <param name="Damage">What is wrong with it, or null.</param>
internal readonly record struct SnapshotChoice(bool IsTaken, StoreDamage? Damage)
{
    public static SnapshotChoice Take => new(true, null);

    /// <summary>Nothing is wrong with it; another one is looked for.</summary>
    public static SnapshotChoice Other => default;

    public static SnapshotChoice Failed(StoreDamage damage) => new(false, damage);
}
