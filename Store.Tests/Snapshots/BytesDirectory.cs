// A read-only folder of byte arrays that counts what is looked at: for damage by the thousand, and for costs in bytes instead of time.

using Store.IO;

namespace Store.Tests.Snapshots;

internal sealed class BytesDirectory : IStoreDirectory
{
    private readonly Dictionary<string, byte[]> _files = [];

    public string Name => "bytes";

    public bool IsReadOnly => true;

    /// <summary>Bytes handed out by reads and spans so far.</summary>
    public long BytesTouched { get; set; }

    /// <summary>Mappings not disposed yet.</summary>
    public int OpenMappings { get; private set; }

    /// <summary>Runs before a file is opened: a chance to be another process.</summary>
    public Action<string>? BeforeOpen { get; set; }

    public byte[] this[string name] { get => _files[name]; set => _files[name] = value; }

    public void Remove(string name) => _files.Remove(name);

    public IReadOnlyList<StoreFileEntry> List() =>
        [.. _files.OrderBy(f => f.Key, StringComparer.Ordinal).Select(f => new StoreFileEntry(f.Key, f.Value.Length))];

    public IStoreFile OpenRead(string name)
    {
        BeforeOpen?.Invoke(name);
        return new BytesFile(this, name, _files.TryGetValue(name, out byte[]? bytes) ? bytes : throw new FileNotFoundException("There is no such file.", name));
    }

    public IStoreFile Create(string name) => throw new IOException("read-only");

    public IStoreFile OpenWrite(string name) => throw new IOException("read-only");

    public void Rename(string name, string newName) => throw new IOException("read-only");

    public void Delete(string name) => throw new IOException("read-only");

    public void SyncDirectory() => throw new IOException("read-only");

    public IDisposable? TryLock(string name) => throw new IOException("read-only");

    public void Dispose() { }

    private sealed class BytesFile(BytesDirectory owner, string name, byte[] bytes) : IStoreFile
    {
        public string Name => name;

        public long LengthBytes => bytes.Length;

        public int Read(Span<byte> destination, long offset)
        {
            int count = (int)Math.Clamp(bytes.Length - offset, 0, destination.Length);
            if (count > 0) bytes.AsSpan((int)offset, count).CopyTo(destination);
            owner.BytesTouched += count;
            return count;
        }

        public IStoreMapping Map() => new BytesMapping(owner, bytes);

        public void Write(ReadOnlySpan<byte> source, long offset) => throw new IOException("read-only");

        public void SyncData() => throw new IOException("read-only");

        public void StartWriteback(long offset, long lengthBytes) { }

        public void Truncate(long lengthBytes) => throw new IOException("read-only");

        public void Dispose() { }
    }

    private sealed class BytesMapping : IStoreMapping
    {
        private readonly BytesDirectory _owner;
        private readonly byte[] _bytes;
        private bool _disposed;

        public BytesMapping(BytesDirectory owner, byte[] bytes)
        {
            _owner = owner;
            _bytes = bytes;
            _owner.OpenMappings++;
        }

        public long LengthBytes => _bytes.Length;

        public ReadOnlySpan<byte> Span(long offset, int lengthBytes)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            if (offset < 0 || lengthBytes < 0 || offset > _bytes.Length - lengthBytes) throw new InvalidOperationException($"{lengthBytes} bytes at {offset} of a file of {_bytes.Length} were asked for.");
            _owner.BytesTouched += lengthBytes;
            return _bytes.AsSpan((int)offset, lengthBytes);
        }

        public void Dispose()
        {
            if (_disposed) return;
            _disposed = true;
            _owner.OpenMappings--;
        }
    }
}
