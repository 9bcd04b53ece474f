// Which snapshots does the folder hold, and what is wrong with the others? All headers are read; a name is never believed.

using Store.IO;

namespace Store.Snapshots;

/// <summary>The snapshots of one store at one moment, open: what is in here stays readable when a writer removes it. Dispose to close them.</summary>
internal sealed class SnapshotCatalog : IDisposable
{
    /// <summary>How often a listing is repeated because a file vanished between being listed and being opened.</summary>
    private const int MaxScans = 8;

    private readonly List<SnapshotFile> _files = [];
    private readonly List<SnapshotFailure> _failures = [];

    private SnapshotCatalog() { }

    /// <summary>Snapshots of the store whose header, names and schemas are right, newest first: by sequence, then by generation.</summary>
    public IReadOnlyList<SnapshotFile> Files => _files;

    /// <summary>The other snapshot files, by name: damaged, foreign or of a newer version.</summary>
    public IReadOnlyList<SnapshotFailure> Failures => _failures;

    public static SnapshotCatalog Open(IStoreDirectory directory, Guid storeId)
    {
        var catalog = new SnapshotCatalog();
        try
        {
            for (int scan = 1; !catalog.TryScan(directory, storeId, isLast: scan == MaxScans); scan++) catalog.Clear();
            catalog._files.Sort((a, b) => (b.Info.Sequence, b.Generation).CompareTo((a.Info.Sequence, a.Generation)));
            return catalog;
        }
        catch
        {
            catalog.Dispose();
            throw;
        }
    }

    /// <summary>Takes one of the files out: it stays open and is the caller's.</summary>
    public SnapshotFile Release(SnapshotFile file)
    {
        _files.Remove(file);
        return file;
    }

    public void Dispose() => Clear();

    internal static SnapshotFailure Foreign(SnapshotFile file, StoreFileEntry entry, Guid storeId) =>
        new(SnapshotFailureKind.ForeignStore, entry.Name, 32, 16, $"The snapshot belongs to the store {file.StoreId}; this is the store {storeId}. It is not used.");

    /// <returns>False when a file vanished: another process has published a newer one and removed it, so the listing is out of date.</returns>
    private bool TryScan(IStoreDirectory directory, Guid storeId, bool isLast)
    {
        foreach (StoreFileEntry entry in directory.List())
        {
            if (!SnapshotName.TryParse(entry.Name, out _)) continue;
            SnapshotFile? file;
            SnapshotFailure? failure;
            try
            {
                file = SnapshotFile.TryOpen(directory, entry.Name, SnapshotVerification.OnFirstTouch, out failure);
            }
            catch (FileNotFoundException e)
            {
                if (!isLast) return false;
                _failures.Add(new SnapshotFailure(SnapshotFailureKind.Unreadable, entry.Name, 0, entry.LengthBytes, "The snapshot is listed and cannot be found.") { Cause = e });
                continue;
            }

            if (file is null)
            {
                _failures.Add(failure!);
            }
            else if (file.StoreId != storeId)
            {
                _failures.Add(Foreign(file, entry, storeId));
                file.Dispose();
            }
            else
            {
                _files.Add(file);
            }
        }

        return true;
    }

    private void Clear()
    {
        foreach (SnapshotFile file in _files) file.Dispose();
        _files.Clear();
        _failures.Clear();
    }
}
