// The files of a store in memory, for cases that must come between two of their operations: every call can be held back, and the whole folder can be copied as a killed process would leave it, or a power failure.

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
/// <param name="File">The file's name; of a folder what the names of its files begin with, empty for the log's.</param>
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

    // What the disk has under which name; and what became of names since, in order: null for those that are gone.
    private readonly Dictionary<string, FileBytes> _syncedNames = [];
    private readonly List<(string[] Names, FileBytes?[] Files)> _unsyncedNames = [];

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
            foreach ((string name, FileBytes bytes) in _files) copy.Add(name, bytes.Copy());
        }

        return copy;
    }

    /// <summary>
    /// What is left when the power fails now. What was synced is there: of files their bytes, of folders the names; the folder of a keyed state is one of its own. Of the rest there is what the disk is said to have got: each changed sector
    /// of a file, its length, and each change of a name, for itself, or of the names all up to one.
    /// </summary>
    /// <param name="seed">0: nothing arrived that was not synced. Others: something did, chosen by the number.</param>
    public CaseFiles AfterPowerFailure(int seed)
    {
        var chance = new Random(seed);
        var left = new CaseFiles();
        lock (_lock)
        {
            var names = new Dictionary<string, FileBytes>(_syncedNames);
            int upTo = chance.Next(_unsyncedNames.Count + 1);
            bool isJournal = seed % 2 == 1;
            for (int i = 0; seed != 0 && i < _unsyncedNames.Count; i++)
            {
                if (isJournal ? i < upTo : chance.Next(2) == 0) Apply(names, _unsyncedNames[i]);
            }

            foreach ((string name, FileBytes bytes) in names.OrderBy(static file => file.Key, StringComparer.Ordinal)) left.Add(name, bytes.AfterPowerFailure(() => seed != 0 && chance.Next(2) == 0));
        }

        return left;
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
            _unsyncedNames.Add(([name], [bytes]));
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
            _unsyncedNames.Add(([name, newName], [null, bytes]));
        }
    }

    public void Delete(string name)
    {
        Arrive(FileOperation.Delete, name);
        lock (_lock)
        {
            _ = Get(name);
            _files.Remove(name);
            _unsyncedNames.Add(([name], [null]));
        }
    }

    public void SyncDirectory() => Sync("", static name => !IsEngines(name));

    public void SyncDirectory(string prefix) => Sync(prefix, name => name.StartsWith(prefix, StringComparison.Ordinal));

    public IDisposable? TryLock(string name)
    {
        lock (_lock) return _held.Add(name) ? new Held(this, name) : null;
    }

    public void Dispose() { }

    private static void Apply(Dictionary<string, FileBytes> names, (string[] Names, FileBytes?[] Files) change)
    {
        for (int i = 0; i < change.Names.Length; i++)
        {
            if (change.Files[i] is { } bytes) names[change.Names[i]] = bytes;
            else names.Remove(change.Names[i]);
        }
    }

    private void Add(string name, FileBytes bytes)
    {
        _files.Add(name, bytes);
        _syncedNames.Add(name, bytes);
    }

    // No rename leads from one folder into another.
    private void Sync(string folder, Func<string, bool> isOfFolder)
    {
        Arrive(FileOperation.SyncFolder, folder);
        lock (_lock)
        {
            foreach (var change in _unsyncedNames.Where(change => isOfFolder(change.Names[0]))) Apply(_syncedNames, change);
            _unsyncedNames.RemoveAll(change => isOfFolder(change.Names[0]));
        }
    }

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
            lock (files._lock) bytes.Write(source, offset);
        }

        public void SyncData()
        {
            files.Arrive(FileOperation.Sync, name);
            lock (files._lock) bytes.Sync();
        }

        public void StartWriteback(long offset, long lengthBytes) { }

        public void Truncate(long lengthBytes)
        {
            files.Arrive(FileOperation.Truncate, name);
            lock (files._lock) bytes.Truncate(lengthBytes);
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
