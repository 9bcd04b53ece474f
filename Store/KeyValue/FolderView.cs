using Store.IO;

namespace Store.KeyValue;

/// <summary>
/// A folder inside a folder that has none: files whose names begin with a prefix, seen without it. For stores on files of another kind than the disk's, which are flat.
/// The folder behind it stays its owner's.
/// </summary>
internal sealed class FolderView(IStoreDirectory inner, string prefix) : IStoreDirectory
{
    public string Name => $"{inner.Name}/{prefix}";

    public bool IsReadOnly => inner.IsReadOnly;

    public IReadOnlyList<StoreFileEntry> List() =>
        [.. inner.List().Where(entry => entry.Name.StartsWith(prefix, StringComparison.Ordinal)).Select(entry => entry with { Name = entry.Name[prefix.Length..] })];

    public StoreFileEntry? Find(string name) => inner.Find(prefix + name) is { } found ? found with { Name = name } : null;

    public IStoreFile Create(string name) => new FileView(inner.Create(prefix + name), name);

    public IStoreFile OpenWrite(string name) => new FileView(inner.OpenWrite(prefix + name), name);

    public IStoreFile OpenRead(string name) => new FileView(inner.OpenRead(prefix + name), name);

    public void Rename(string name, string newName) => inner.Rename(prefix + name, prefix + newName);

    public void Delete(string name) => inner.Delete(prefix + name);

    public void SyncDirectory() => inner.SyncDirectory(prefix);

    public IDisposable? TryLock(string name) => inner.TryLock(prefix + name);

    public void Dispose() { }
}
