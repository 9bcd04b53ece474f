using Store.IO;

namespace Store.Tests.Log;

/// <summary>Counts the syncs of the files of a folder, and the bytes read through files opened for reading.</summary>
internal sealed class CountingDirectory(IStoreDirectory inner) : IStoreDirectory
{
    private long _syncs;
    private long _bytesRead;

    public long Syncs => Interlocked.Read(ref _syncs);

    public long BytesRead => Interlocked.Read(ref _bytesRead);

    public string Name => inner.Name;

    public bool IsReadOnly => inner.IsReadOnly;

    public IReadOnlyList<StoreFileEntry> List() => inner.List();

    public IStoreFile Create(string name) => new CountingFile(this, inner.Create(name));

    public IStoreFile OpenWrite(string name) => new CountingFile(this, inner.OpenWrite(name));

    public IStoreFile OpenRead(string name) => new CountingFile(this, inner.OpenRead(name));

    public void Rename(string name, string newName) => inner.Rename(name, newName);

    public void Delete(string name) => inner.Delete(name);

    public void SyncDirectory() => inner.SyncDirectory();

    public IDisposable? TryLock(string name) => inner.TryLock(name);

    public void Dispose() => inner.Dispose();

    private sealed class CountingFile(CountingDirectory directory, IStoreFile inner) : IStoreFile
    {
        public string Name => inner.Name;

        public long LengthBytes => inner.LengthBytes;

        public int Read(Span<byte> destination, long offset)
        {
            int read = inner.Read(destination, offset);
            Interlocked.Add(ref directory._bytesRead, read);
            return read;
        }

        public void Write(ReadOnlySpan<byte> source, long offset) => inner.Write(source, offset);

        public void SyncData()
        {
            Interlocked.Increment(ref directory._syncs);
            inner.SyncData();
        }

        public void StartWriteback(long offset, long lengthBytes) => inner.StartWriteback(offset, lengthBytes);

        public void Truncate(long lengthBytes) => inner.Truncate(lengthBytes);

        public IStoreMapping Map() => inner.Map();

        public void Dispose() => inner.Dispose();
    }
}
