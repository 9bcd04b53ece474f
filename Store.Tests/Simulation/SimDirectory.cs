// What survives a power failure? A file system in memory that keeps, beside what the running program sees, what is on the disk and which changes
// no sync has covered; CrashStates makes folders as a power failure could leave them. Deterministic: the same calls and seed give the same states.
//
//   A file's bytes     each unsynced write is lost, whole, torn by sectors, or has given the file its length without its bytes (zeros).
//                      They apply in the order of the calls: within one sector an older write never overwrites a newer one, as a page cache has one
//                      version of each page. Sectors survive independently, which is every reordering across sectors.
//   The folder         each unsynced creation, rename and removal survives or not: as a prefix, like a journal, or as any subset.
//   Syncing a file     makes its bytes and length durable, not its name. Syncing the folder makes names durable, not bytes.
//   Folders in it      a keyed state has a folder of its own, which is here what its names begin with (FolderOf): syncing one folder says nothing of the
//                      names of another. The folder itself is durable: on a disk, opening it makes its entry so before there is a file in it.

using Store.IO;

namespace Store.Tests.Simulation;

/// <summary>A simulated folder. Thread-safe: one lock around every call.</summary>
internal sealed class SimDirectory : IStoreDirectory
{
    private readonly Dictionary<string, SimNode> _entries;
    private readonly Dictionary<string, SimNode> _durableEntries;
    private readonly List<SimEntryChange> _unsyncedEntries = [];
    private readonly HashSet<string> _locks = [];
    private bool _disposed;

    public SimDirectory(string name = "sim", SimStatistics? statistics = null)
        : this(name, statistics ?? new SimStatistics(), [], [])
    {
    }

    private SimDirectory(string name, SimStatistics statistics, Dictionary<string, SimNode> entries, Dictionary<string, SimNode> durableEntries)
    {
        Name = name;
        Statistics = statistics;
        _entries = entries;
        _durableEntries = durableEntries;
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public bool IsReadOnly { get; init; }

    public SimStatistics Statistics { get; }

    /// <summary>Operations so far that change something or make something durable: the points at which the power can fail.</summary>
    public long OperationCount { get; private set; }

    /// <summary>The power fails instead of the operation of this number (the first is 1), and stays off.</summary>
    public long? PowerOffAt { get; set; }

    /// <summary>Called with number and description before each counted operation, inside the simulator's lock. May throw to fail the operation.</summary>
    public Action<long, string>? OnOperation { get; set; }

    /// <summary>Room of the disk, or null for a disk that is never full. A write beyond it stores what fits and fails with ENOSPC; what is removed or cut gives its room back at once.</summary>
    public long? CapacityBytes { get; set; }

    /// <summary>Room that files take, in pages of <see cref="SimContent.PageSize"/>; what was never written takes none.</summary>
    public long UsedBytes
    {
        get
        {
            lock (Gate)
                return _entries.Values.Sum(static node => node.Cached.AllocatedBytes);
        }
    }

    /// <summary>The power failed: every call throws, nothing changes any more.</summary>
    public bool IsPowerOff { get; private set; }

    internal Lock Gate { get; private init; } = new();

    /// <summary>The folder that a file of this name is in on a disk: of a keyed state's what its names begin with, empty for the one that the others are in.</summary>
    public static string FolderOf(string name) => name.StartsWith("kv-", StringComparison.Ordinal) ? name[..(name.IndexOf('.', StringComparison.Ordinal) + 1)] : "";

    /// <inheritdoc/>
    public IReadOnlyList<StoreFileEntry> List()
    {
        lock (Gate)
        {
            ThrowIfUnusable("list");
            return [.. _entries.Select(e => new StoreFileEntry(e.Key, e.Value.Cached.LengthBytes)).OrderBy(e => e.Name, StringComparer.Ordinal)];
        }
    }

    /// <inheritdoc/>
    public IStoreFile Create(string name)
    {
        StoreFileName.Validate(name);
        lock (Gate)
        {
            BeginChange("create", name);
            if (_entries.ContainsKey(name))
                throw IoFailure.AlreadyExists(name);
            return new SimFile(this, AddNode(name), name, writable: true);
        }
    }

    /// <inheritdoc/>
    public IStoreFile OpenWrite(string name) => Open(name, writable: true);

    /// <inheritdoc/>
    public IStoreFile OpenRead(string name) => Open(name, writable: false);

    /// <inheritdoc/>
    public void Rename(string name, string newName) => Rename(name, newName, replaces: true);

    /// <inheritdoc/>
    public void RenameNew(string name, string newName) => Rename(name, newName, replaces: false);

    private void Rename(string name, string newName, bool replaces)
    {
        StoreFileName.Validate(name);
        StoreFileName.Validate(newName);
        lock (Gate)
        {
            BeginChange("rename", name);
            if (FolderOf(name) != FolderOf(newName)) throw new NotSupportedException($"'{name}' and '{newName}' are in two folders, and a rename from one to another is not modelled.");
            if (!replaces && _entries.ContainsKey(newName)) throw IoFailure.AlreadyExists(newName);
            var change = new SimEntryChange(SimEntryKind.Rename, name, newName, Find("rename", name));
            change.ApplyTo(_entries);
            _unsyncedEntries.Add(change);
        }
    }

    /// <inheritdoc/>
    public void Delete(string name)
    {
        StoreFileName.Validate(name);
        lock (Gate)
        {
            BeginChange("remove", name);
            var change = new SimEntryChange(SimEntryKind.Delete, name, null, Find("remove", name));
            change.ApplyTo(_entries);
            _unsyncedEntries.Add(change);
        }
    }

    /// <inheritdoc/>
    public void SyncDirectory() => Sync(Name, static folder => folder.Length == 0);

    /// <inheritdoc/>
    public void SyncDirectory(string prefix)
    {
        if (FolderOf(prefix) != prefix) throw new ArgumentException($"'{prefix}' is no folder of a keyed state.", nameof(prefix));
        Sync($"{Name}/{prefix}", folder => folder == prefix);
    }

    /// <summary>Makes the names of all folders durable, for tests that begin with what others left.</summary>
    public void SyncAllFolders() => Sync($"{Name} and those in it", static _ => true);

    /// <inheritdoc/>
    public IDisposable? TryLock(string name)
    {
        StoreFileName.Validate(name);
        lock (Gate)
        {
            BeginChange("lock", name);
            if (!_locks.Add(name))
                return null;
            if (!_entries.ContainsKey(name))
                AddNode(name);
            return new SimLock(this, name);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (Gate)
            _disposed = true;
    }

    /// <summary>What a power failure at this moment would find: the durable state and every unsynced change. Later changes do not touch it.</summary>
    public CrashImage TakeImage()
    {
        lock (Gate)
            return new CrashImage(Name, Statistics, _durableEntries, _unsyncedEntries);
    }

    /// <summary>The folder after a power failure of this choosing. This one goes on as it is.</summary>
    public SimDirectory Crash(CrashChoice choice) => TakeImage().Build(choice);

    /// <summary>The folder after a power failure drawn at random.</summary>
    public SimDirectory Crash(Random random)
    {
        var image = TakeImage();
        return image.Build(CrashSampler.Draw(image, random));
    }

    /// <summary>
    /// Folders as a power failure at this moment could leave them. With up to ten unsynced changes and room in the limit, first every subset of whole
    /// changes; then, up to the limit, different ones drawn by the seed: torn writes, lengths without bytes, prefixes and subsets of the folder's changes.
    /// The state is taken at the call; this folder can go on meanwhile.
    /// </summary>
    public IEnumerable<SimDirectory> CrashStates(int limit, int seed)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(limit);
        return CrashSampler.States(TakeImage(), limit, seed);
    }

    /// <summary>The folder after the process was killed: the operating system keeps what was written; handles and locks are gone. Unsynced changes stay unsynced.</summary>
    public SimDirectory KillProcess()
    {
        lock (Gate)
        {
            var copies = new Dictionary<SimNode, SimNode>();
            SimNode Copy(SimNode node)
            {
                if (!copies.TryGetValue(node, out var copy))
                    copies.Add(node, copy = node.Clone());
                return copy;
            }
            var killed = new SimDirectory(Name, Statistics, _entries.ToDictionary(e => e.Key, e => Copy(e.Value)), _durableEntries.ToDictionary(e => e.Key, e => Copy(e.Value)));
            killed._unsyncedEntries.AddRange(_unsyncedEntries.Select(e => e with { Node = Copy(e.Node) }));
            return killed;
        }
    }

    /// <summary>A folder of the same files that can only be read. Shares them: changes made through this one show.</summary>
    public SimDirectory AsReadOnly() => new(Name, Statistics, _entries, _durableEntries) { IsReadOnly = true, Gate = Gate };

    /// <summary>Counts an operation that changes or syncs something; the power may fail here.</summary>
    internal void CountOperation(string operation, string name)
    {
        ThrowIfPowerOff(operation);
        OperationCount++;
        Statistics.CountOperation();
        if (OperationCount == PowerOffAt)
            IsPowerOff = true;
        ThrowIfPowerOff(operation);
        OnOperation?.Invoke(OperationCount, $"{operation} {name}");
    }

    internal void ThrowIfPowerOff(string operation)
    {
        if (IsPowerOff)
            throw new SimulatedPowerFailure(operation);
    }

    /// <summary>A folder with nothing unsynced.</summary>
    internal static SimDirectory FromDurable(string name, SimStatistics statistics, Dictionary<string, SimNode> entries) => new(name, statistics, entries, new(entries));

    private void Sync(string name, Func<string, bool> isSynced)
    {
        lock (Gate)
        {
            BeginChange("sync the folder", name);
            _unsyncedEntries.RemoveAll(change => isSynced(FolderOf(change.Name)));
            foreach (var old in _durableEntries.Keys.Where(name => isSynced(FolderOf(name))))
                _durableEntries.Remove(old);
            foreach (var (present, node) in _entries)
            {
                if (isSynced(FolderOf(present)))
                    _durableEntries.Add(present, node);
            }
        }
    }

    private IStoreFile Open(string name, bool writable)
    {
        StoreFileName.Validate(name);
        lock (Gate)
        {
            ThrowIfUnusable("open");
            if (writable)
                ThrowIfReadOnly("open for writing", name);
            return new SimFile(this, Find("open", name), name, writable);
        }
    }

    private SimNode AddNode(string name)
    {
        var node = new SimNode(new SimContent());
        var change = new SimEntryChange(SimEntryKind.Create, name, null, node);
        change.ApplyTo(_entries);
        _unsyncedEntries.Add(change);
        return node;
    }

    private SimNode Find(string operation, string name) => _entries.TryGetValue(name, out var node) ? node : throw IoFailure.NotFound(operation, name);

    private void BeginChange(string operation, string name)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        ThrowIfReadOnly(operation, name);
        CountOperation(operation, name);
    }

    private void ThrowIfReadOnly(string operation, string name)
    {
        if (IsReadOnly)
            throw IoFailure.ReadOnly(operation, name);
    }

    private void ThrowIfUnusable(string operation)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        ThrowIfPowerOff(operation);
    }

    private sealed class SimLock(SimDirectory directory, string name) : IDisposable
    {
        private bool _released;

        public void Dispose()
        {
            lock (directory.Gate)
            {
                if (!_released)
                    directory._locks.Remove(name);
                _released = true;
            }
        }
    }
}
