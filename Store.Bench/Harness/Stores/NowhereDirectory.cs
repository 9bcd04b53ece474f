// What does a snapshot cost when no disk is behind it? A folder in memory that throws the bytes of snapshots away: what is left is what the processor does for them.

using Store.IO;

namespace Store.Bench.Harness.Stores;

/// <summary>A folder for one store. Keeps the log, which stays small, and nothing of a snapshot: none is there afterwards. Safe for any number of threads.</summary>
public sealed class NowhereDirectory : IStoreDirectory
{
    private const string Prefix = "snapshot-";

    private readonly Dictionary<string, Content> _files = [];

    public string Name => "nowhere";

    public bool IsReadOnly => false;

    public IReadOnlyList<StoreFileEntry> List()
    {
        lock (_files) return [.. _files.Select(static file => new StoreFileEntry(file.Key, file.Value.LengthBytes)).OrderBy(static file => file.Name, StringComparer.Ordinal)];
    }

    public IStoreFile Create(string name)
    {
        var content = new Content(keepsBytes: !name.StartsWith(Prefix, StringComparison.Ordinal));
        lock (_files)
        {
            if (!_files.TryAdd(name, content)) throw new IOException($"{name} exists.");
        }

        return new NowhereFile(name, content);
    }

    public IStoreFile OpenWrite(string name) => new NowhereFile(name, Find(name));

    public IStoreFile OpenRead(string name) => new NowhereFile(name, Find(name));

    public void Rename(string name, string newName)
    {
        Content content = Find(name);
        lock (_files)
        {
            _files.Remove(name);
            if (content.KeepsBytes) _files[newName] = content;
        }
    }

    public void Delete(string name)
    {
        Find(name);
        lock (_files) _files.Remove(name);
    }

    public void SyncDirectory() { }

    public IDisposable? TryLock(string name) => new MemoryStream();

    public void Dispose() { }

    private Content Find(string name)
    {
        lock (_files) return _files.TryGetValue(name, out Content? content) ? content : throw new FileNotFoundException($"{name} is not there.", name);
    }

    private sealed class Content(bool keepsBytes)
    {
        private byte[] _bytes = [];

        public bool KeepsBytes => keepsBytes;

        public long LengthBytes { get; private set; }

        public ReadOnlySpan<byte> Bytes
        {
            get { lock (this) return _bytes.AsSpan(0, (int)LengthBytes); }
        }

        public void Write(ReadOnlySpan<byte> source, long offset)
        {
            lock (this)
            {
                LengthBytes = Math.Max(LengthBytes, offset + source.Length);
                if (!keepsBytes) return;
                if (_bytes.Length < LengthBytes) Array.Resize(ref _bytes, (int)Math.Max(LengthBytes, 2L * _bytes.Length));
                source.CopyTo(_bytes.AsSpan((int)offset));
            }
        }

        public void Truncate(long lengthBytes)
        {
            lock (this) LengthBytes = Math.Min(LengthBytes, lengthBytes);
        }
    }

    private sealed class NowhereFile(string name, Content content) : IStoreFile, IStoreMapping
    {
        public string Name => name;

        public long LengthBytes => content.LengthBytes;

        public int Read(Span<byte> destination, long offset)
        {
            ReadOnlySpan<byte> bytes = content.Bytes[(int)Math.Min(offset, content.LengthBytes)..];
            int read = Math.Min(bytes.Length, destination.Length);
            bytes[..read].CopyTo(destination);
            return read;
        }

        public ReadOnlySpan<byte> Span(long offset, int lengthBytes) => content.Bytes.Slice((int)offset, lengthBytes);

        public IStoreMapping Map() => this;

        public void Write(ReadOnlySpan<byte> source, long offset) => content.Write(source, offset);

        public void Truncate(long lengthBytes) => content.Truncate(lengthBytes);

        public void SyncData() { }

        public void StartWriteback(long offset, long lengthBytes) { }

        public void Dispose() { }
    }
}
