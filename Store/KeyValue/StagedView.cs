using Store.IO;

namespace Store.KeyValue;

/// <summary>A folder as <see cref="FolderExchange.Run"/> will leave it, to be read before it does.</summary>
/// <param name="folder">The folder; stays the caller's.</param>
/// <param name="names">The files it will hold.</param>
/// <param name="reading">Called before each read of a file: ends a long reading by an exception.</param>
internal sealed class StagedView(IStoreDirectory folder, IReadOnlyCollection<string> names, Action reading) : IStoreDirectory
{
    public string Name => folder.Name;

    public bool IsReadOnly => true;

    public IReadOnlyList<StoreFileEntry> List()
    {
        Dictionary<string, long> there = folder.List().ToDictionary(static f => f.Name, static f => f.LengthBytes, StringComparer.Ordinal);
        return [.. names.Order(StringComparer.Ordinal).Select(name => new StoreFileEntry(name, there.TryGetValue(name + FolderExchange.StagedSuffix, out long staged) ? staged : there[name]))];
    }

    public IStoreFile OpenRead(string name)
    {
        if (!names.Contains(name)) throw IoFailure.NotFound("open", name);
        string staged = name + FolderExchange.StagedSuffix;
        return new FileView(folder.OpenRead(folder.List().Any(f => f.Name == staged) ? staged : name), name, reading);
    }

    public IStoreFile Create(string name) => throw IoFailure.ReadOnly("create", name);

    public IStoreFile OpenWrite(string name) => throw IoFailure.ReadOnly("open for writing", name);

    public void Rename(string name, string newName) => throw IoFailure.ReadOnly("rename", name);

    public void Delete(string name) => throw IoFailure.ReadOnly("remove", name);

    public void SyncDirectory() => throw IoFailure.ReadOnly("sync the folder", Name);

    public IDisposable? TryLock(string name) => throw IoFailure.ReadOnly("lock", name);

    public void Dispose() { }
}
