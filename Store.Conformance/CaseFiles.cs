// The files of a store in memory, for cases that must come between two of their operations: every call can be held back, and the whole folder can be copied as a killed process would leave it.

using Store.IO;

namespace Store.Conformance;

/// <summary>What is done to a file.</summary>
internal enum FileOperation
{
    Create,
    Read,
    Write,
    Sync,
    Truncate,
    Rename,
    Delete,
    SyncFolder,
}

/// <summary>A call that arrives at the files.</summary>
/// <param name="Operation">What is done.</param>
/// <param name="File">The file's name; empty where it is the folder.</param>
internal readonly record struct FileCall(FileOperation Operation, string File)
{
    /// <summary>True for the files of a keyed state, false for those of the log.</summary>
    public bool IsEngines => CaseFiles.IsEngines(File);
}

/// <summary>A folder in memory. Safe for any number of threads.</summary>
internal sealed class CaseFiles : IStoreDirectory
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, FileBytes> _files = [];
    private readonly HashSet<string> _held = [];

    /// <summary>Called with every call before it is carried out, on the thread that makes it.</summary>
    public Action<FileCall>? Arrives { get; set; }

    public string Name => "case";

    public bool IsReadOnly => false;

    /// <summary>True for the files of a keyed state: the store gives each the prefix <c>kv-</c> here.</summary>
    public static bool IsEngines(string file) => file.StartsWith("kv-", StringComparison.Ordinal);

    /// <summary>What a process leaves that is killed now: every file as it is, nothing held.</summary>
    public CaseFiles Copy()
    {
        var copy = new CaseFiles();
        lock (_lock)
        {
            foreach ((string name, FileBytes bytes) in _files) copy._files.Add(name, bytes.Copy());
        }

        return copy;
    }

    /// <summary>The engine's files and what version they have.</summary>
    public Dictionary<string, (FileBytes Bytes, long Version)> EnginesFiles()
    {
        lock (_lock) return _files.Where(static file => IsEngines(file.Key)).ToDictionary(static file => file.Key, static file => (file.Value, file.Value.Version));
    }

    /// <summary>Does something to a file behind everybody's back.</summary>
    public void Damage(string name, Action<FileBytes> damage) => damage(Get(name));

    /// <summary>Removes a file behind everybody's back.</summary>
    public void Lose(string name)
    {
        lock (_lock) _files.Remove(name);
    }

    public IReadOnlyList<StoreFileEntry> List()
    {
        lock (_lock) return [.. _files.OrderBy(static file => file.Key, StringComparer.Ordinal).Select(static file => new StoreFileEntry(file.Key, file.Value.LengthBytes))];
    }

    public IStoreFile Create(string name)
    {
        Arrive(FileOperation.Create, name);
        lock (_lock)
        {
            var bytes = new FileBytes();
            if (!_files.TryAdd(name, bytes)) throw new IOException($"'{name}' exists already.");
            return new OpenFile(this, name, bytes);
        }
    }

    public IStoreFile OpenWrite(string name) => new OpenFile(this, name, Get(name));

    public IStoreFile OpenRead(string name) => new OpenFile(this, name, Get(name));

    public void Rename(string name, string newName)
    {
        Arrive(FileOperation.Rename, newName);
        lock (_lock)
        {
            FileBytes bytes = Get(name);
            _files.Remove(name);
            _files[newName] = bytes;
        }
    }

    public void Delete(string name)
    {
        Arrive(FileOperation.Delete, name);
        lock (_lock)
        {
            _ = Get(name);
            _files.Remove(name);
        }
    }

    public void SyncDirectory() => Arrive(FileOperation.SyncFolder, "");

    public IDisposable? TryLock(string name)
    {
        lock (_lock) return _held.Add(name) ? new Held(this, name) : null;
    }

    public void Dispose() { }

    private FileBytes Get(string name)
    {
        lock (_lock) return _files.TryGetValue(name, out FileBytes? bytes) ? bytes : throw new FileNotFoundException($"There is no '{name}'.", name);
    }

    private void Arrive(FileOperation operation, string file) => Arrives?.Invoke(new FileCall(operation, file));

    private sealed class Held(CaseFiles files, string name) : IDisposable
    {
        public void Dispose()
        {
            lock (files._lock) files._held.Remove(name);
        }
    }

    private sealed class OpenFile(CaseFiles files, string name, FileBytes bytes) : IStoreFile
    {
        public string Name => name;

        public long LengthBytes => bytes.LengthBytes;

        public int Read(Span<byte> destination, long offset)
        {
            files.Arrive(FileOperation.Read, name);
            return bytes.Read(destination, offset);
        }

        public void Write(ReadOnlySpan<byte> source, long offset)
        {
            files.Arrive(FileOperation.Write, name);
            bytes.Write(source, offset);
        }

        public void SyncData() => files.Arrive(FileOperation.Sync, name);

        public void StartWriteback(long offset, long lengthBytes) { }

        public void Truncate(long lengthBytes)
        {
            files.Arrive(FileOperation.Truncate, name);
            bytes.Truncate(lengthBytes);
        }

        public IStoreMapping Map() => new Mapping(bytes);

        public void Dispose() { }
    }

    // Of what was there when it was mapped: nobody maps what is still written.
    private sealed class Mapping : IStoreMapping
    {
        private byte[]? _bytes;

        public Mapping(FileBytes file)
        {
            _bytes = new byte[file.LengthBytes];
            Array.Resize(ref _bytes, file.Read(_bytes, 0));
            LengthBytes = _bytes.Length;
        }

        public long LengthBytes { get; }

        public ReadOnlySpan<byte> Span(long offset, int lengthBytes)
        {
            ObjectDisposedException.ThrowIf(_bytes is null, this);
            return _bytes.AsSpan(checked((int)offset), lengthBytes);
        }

        public void Dispose() => _bytes = null;
    }
}
