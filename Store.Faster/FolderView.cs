using Store.IO;

namespace Store.Faster;

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

    public IStoreFile Create(string name) => new FileView(inner.Create(prefix + name), name);

    public IStoreFile OpenWrite(string name) => new FileView(inner.OpenWrite(prefix + name), name);

    public IStoreFile OpenRead(string name) => new FileView(inner.OpenRead(prefix + name), name);

    public void Rename(string name, string newName) => inner.Rename(prefix + name, prefix + newName);

    public void Delete(string name) => inner.Delete(prefix + name);

    public void SyncDirectory() => inner.SyncDirectory();

    public IDisposable? TryLock(string name) => inner.TryLock(prefix + name);

    public void Dispose() { }

    private sealed class FileView(IStoreFile file, string name) : IStoreFile
    {
        public string Name => name;

        public long LengthBytes => file.LengthBytes;

        public int Read(Span<byte> destination, long offset) => file.Read(destination, offset);

        public void Write(ReadOnlySpan<byte> source, long offset) => file.Write(source, offset);

        public void SyncData() => file.SyncData();

        public void StartWriteback(long offset, long lengthBytes) => file.StartWriteback(offset, lengthBytes);

        public void Truncate(long lengthBytes) => file.Truncate(lengthBytes);

        public IStoreMapping Map() => file.Map();

        public void Dispose() => file.Dispose();
    }
}
