namespace Store.IO;

/// <summary>A folder that is changed through a gate only: when that is closed, every change is an <see cref="ObjectDisposedException"/>, and what is there can still be read. The folder is disposed with this.</summary>
internal sealed class GatedFolder(IStoreDirectory inner, ChangeGate gate) : IStoreDirectory
{
    public string Name => inner.Name;

    public bool IsReadOnly => inner.IsReadOnly;

    public IReadOnlyList<StoreFileEntry> List() => inner.List();

    public StoreFileEntry? Find(string name) => inner.Find(name);

    public IStoreFile Create(string name)
    {
        using (gate.Enter()) return new GatedFile(inner.Create(name), gate);
    }

    public IStoreFile OpenWrite(string name)
    {
        using (gate.Enter()) return new GatedFile(inner.OpenWrite(name), gate);
    }

    public IStoreFile OpenRead(string name) => inner.OpenRead(name);

    public void Rename(string name, string newName)
    {
        using (gate.Enter()) inner.Rename(name, newName);
    }

    public void RenameNew(string name, string newName)
    {
        using (gate.Enter()) inner.RenameNew(name, newName);
    }

    public void Delete(string name)
    {
        using (gate.Enter()) inner.Delete(name);
    }

    public void SyncDirectory()
    {
        using (gate.Enter()) inner.SyncDirectory();
    }

    public void SyncDirectory(string prefix)
    {
        using (gate.Enter()) inner.SyncDirectory(prefix);
    }

    public IDisposable? TryLock(string name)
    {
        using (gate.Enter()) return inner.TryLock(name);
    }

    public void Dispose() => inner.Dispose();

    /// <summary>A file that may be written.</summary>
    private sealed class GatedFile(IStoreFile inner, ChangeGate gate) : IStoreFile
    {
        public string Name => inner.Name;

        public long LengthBytes => inner.LengthBytes;

        public int Read(Span<byte> destination, long offset) => inner.Read(destination, offset);

        public void Write(ReadOnlySpan<byte> source, long offset)
        {
            using (gate.Enter()) inner.Write(source, offset);
        }

        public void SyncData()
        {
            using (gate.Enter()) inner.SyncData();
        }

        public void StartWriteback(long offset, long lengthBytes) => inner.StartWriteback(offset, lengthBytes);

        public void Truncate(long lengthBytes)
        {
            using (gate.Enter()) inner.Truncate(lengthBytes);
        }

        public IStoreMapping Map() => inner.Map();

        public void Dispose() => inner.Dispose();
    }
}
