using Store.IO;

namespace Store.Tests.KeyValue;

/// <summary>A folder whose record files are read only while its gate is open; behind a closed one readers stand still, until it is opened or told that the disk has failed.</summary>
internal sealed class HeldReads(IStoreDirectory inner) : IStoreDirectory
{
    private readonly ManualResetEventSlim _open = new(true);
    private readonly SemaphoreSlim _arrived = new(0);
    private volatile IOException? _failure;
    private long _reads;

    /// <summary>Reads of record files so far.</summary>
    public long Reads => Interlocked.Read(ref _reads);

    public string Name => inner.Name;

    public bool IsReadOnly => inner.IsReadOnly;

    public void Close() => _open.Reset();

    public void Open() => _open.Set();

    /// <summary>Reads fail from now on, those that wait too.</summary>
    public void Fail()
    {
        _failure = new IOException("The disk is gone.");
        _open.Set();
    }

    /// <summary>Completes when a read stands at the closed gate.</summary>
    public Task ArrivedAsync() => _arrived.WaitAsync(TimeSpan.FromSeconds(60));

    public IReadOnlyList<StoreFileEntry> List() => inner.List();

    public IStoreFile Create(string name) => Held(inner.Create(name));

    public IStoreFile OpenWrite(string name) => Held(inner.OpenWrite(name));

    public IStoreFile OpenRead(string name) => Held(inner.OpenRead(name));

    public void Rename(string name, string newName) => inner.Rename(name, newName);

    public void Delete(string name) => inner.Delete(name);

    public void SyncDirectory() => inner.SyncDirectory();

    public void SyncDirectory(string prefix) => inner.SyncDirectory(prefix);

    public IDisposable? TryLock(string name) => inner.TryLock(name);

    public void Dispose() => inner.Dispose();

    private IStoreFile Held(IStoreFile file) => file.Name.Contains("records-", StringComparison.Ordinal) ? new HeldFile(this, file) : file;

    private void Pass()
    {
        if (!_open.IsSet)
        {
            _arrived.Release();
            _open.Wait();
        }

        if (_failure is { } failure) throw failure;
    }

    private sealed class HeldFile(HeldReads gate, IStoreFile inner) : IStoreFile
    {
        public string Name => inner.Name;

        public long LengthBytes => inner.LengthBytes;

        public int Read(Span<byte> destination, long offset)
        {
            Interlocked.Increment(ref gate._reads);
            gate.Pass();
            return inner.Read(destination, offset);
        }

        public void Write(ReadOnlySpan<byte> source, long offset) => inner.Write(source, offset);

        public void SyncData() => inner.SyncData();

        public void StartWriteback(long offset, long lengthBytes) => inner.StartWriteback(offset, lengthBytes);

        public void Truncate(long lengthBytes) => inner.Truncate(lengthBytes);

        public IStoreMapping Map() => inner.Map();

        public void Dispose() => inner.Dispose();
    }
}
