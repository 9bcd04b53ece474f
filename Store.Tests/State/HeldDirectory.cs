using Store.IO;

namespace Store.Tests.State;

/// <summary>A folder in which writing the files of a name waits for whoever holds it.</summary>
internal sealed class HeldDirectory(IStoreDirectory inner, string prefix, Action beforeWrite) : IStoreDirectory
{
    public string Name => inner.Name;

    public bool IsReadOnly => inner.IsReadOnly;

    public IReadOnlyList<StoreFileEntry> List() => inner.List();

    public IStoreFile Create(string name) => Held(inner.Create(name));

    public IStoreFile OpenWrite(string name) => Held(inner.OpenWrite(name));

    public IStoreFile OpenRead(string name) => inner.OpenRead(name);

    public void Rename(string name, string newName) => inner.Rename(name, newName);

    public void Delete(string name) => inner.Delete(name);

    public void SyncDirectory() => inner.SyncDirectory();

    public IDisposable? TryLock(string name) => inner.TryLock(name);

    public void Dispose() => inner.Dispose();

    private IStoreFile Held(IStoreFile file) => file.Name.StartsWith(prefix, StringComparison.Ordinal) ? new HeldFile(file, beforeWrite) : file;

    private sealed class HeldFile(IStoreFile inner, Action beforeWrite) : IStoreFile
    {
        public string Name => inner.Name;

        public long LengthBytes => inner.LengthBytes;

        public int Read(Span<byte> destination, long offset) => inner.Read(destination, offset);

        public void Write(ReadOnlySpan<byte> source, long offset)
        {
            beforeWrite();
            inner.Write(source, offset);
        }

        public void SyncData() => inner.SyncData();

        public void StartWriteback(long offset, long lengthBytes) => inner.StartWriteback(offset, lengthBytes);

        public void Truncate(long lengthBytes) => inner.Truncate(lengthBytes);

        public IStoreMapping Map() => inner.Map();

        public void Dispose() => inner.Dispose();
    }
}
