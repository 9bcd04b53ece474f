using Store.IO;

namespace Store.Reading;

/// <summary>A folder for looking at only, whose files are <see cref="SalvagingFile"/>s. The wrapped one stays its owner's.</summary>
internal sealed class SalvagingDirectory(IStoreDirectory inner) : IStoreDirectory
{
    /// <inheritdoc/>
    public string Name => inner.Name;

    /// <inheritdoc/>
    public bool IsReadOnly => true;

    /// <summary>As the interface says, with what it adds.</summary>
    public SalvagingFile OpenRead(string name) => new(inner.OpenRead(name));

    /// <inheritdoc/>
    public IReadOnlyList<StoreFileEntry> List() => inner.List();

    public StoreFileEntry? Find(string name) => inner.Find(name);

    /// <inheritdoc/>
    public IStoreFile Create(string name) => throw IoFailure.ReadOnly("create", name);

    /// <inheritdoc/>
    public IStoreFile OpenWrite(string name) => throw IoFailure.ReadOnly("open for writing", name);

    /// <inheritdoc/>
    public void Rename(string name, string newName) => throw IoFailure.ReadOnly("rename", name);

    /// <inheritdoc/>
    public void Delete(string name) => throw IoFailure.ReadOnly("remove", name);

    /// <inheritdoc/>
    public void SyncDirectory() => throw IoFailure.ReadOnly("sync the folder", Name);

    /// <inheritdoc/>
    public IDisposable? TryLock(string name) => throw IoFailure.ReadOnly("lock", name);

    /// <inheritdoc/>
    public void Dispose()
    {
    }

    IStoreFile IStoreDirectory.OpenRead(string name) => OpenRead(name);
}
