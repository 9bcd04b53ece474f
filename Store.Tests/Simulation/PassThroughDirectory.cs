using Store.IO;

namespace Store.Tests.Simulation;

/// <summary>A folder in front of another one, which it closes with itself. A test's folder derives from it and says only what is different.</summary>
internal abstract class PassThroughDirectory(IStoreDirectory inner) : IStoreDirectory
{
    public virtual string Name => inner.Name;

    public virtual bool IsReadOnly => inner.IsReadOnly;

    public virtual IReadOnlyList<StoreFileEntry> List() => inner.List();

    // By the list, which a folder that derives may say something about.
    public virtual StoreFileEntry? Find(string name) => List().Where(entry => entry.Name == name).Select(static entry => (StoreFileEntry?)entry).FirstOrDefault();

    public virtual IStoreFile Create(string name) => inner.Create(name);

    public virtual IStoreFile OpenWrite(string name) => inner.OpenWrite(name);

    public virtual IStoreFile OpenRead(string name) => inner.OpenRead(name);

    public virtual void Rename(string name, string newName) => inner.Rename(name, newName);

    public virtual void RenameNew(string name, string newName) => inner.RenameNew(name, newName);

    public virtual void Delete(string name) => inner.Delete(name);

    public virtual void SyncDirectory() => inner.SyncDirectory();

    public virtual void SyncDirectory(string prefix) => inner.SyncDirectory(prefix);

    public virtual IDisposable? TryLock(string name) => inner.TryLock(name);

    public virtual void Dispose() => inner.Dispose();
}

/// <summary>A file in front of another one, which it closes with itself.</summary>
internal abstract class PassThroughFile(IStoreFile inner) : IStoreFile
{
    public virtual string Name => inner.Name;

    public virtual long LengthBytes => inner.LengthBytes;

    public virtual int Read(Span<byte> destination, long offset) => inner.Read(destination, offset);

    public virtual void Write(ReadOnlySpan<byte> source, long offset) => inner.Write(source, offset);

    public virtual void SyncData() => inner.SyncData();

    public virtual void StartWriteback(long offset, long lengthBytes) => inner.StartWriteback(offset, lengthBytes);

    public virtual void Truncate(long lengthBytes) => inner.Truncate(lengthBytes);

    public virtual IStoreMapping Map() => inner.Map();

    public virtual void Dispose() => inner.Dispose();
}

/// <summary>A folder that is only looked at: writing to it is a mistake of the test, and it stays its owner's.</summary>
internal abstract class LookOnlyDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
{
    public override bool IsReadOnly => true;

    public override IStoreFile Create(string name) => throw new NotSupportedException();

    public override IStoreFile OpenWrite(string name) => throw new NotSupportedException();

    public override void Rename(string name, string newName) => throw new NotSupportedException();

    public override void RenameNew(string name, string newName) => throw new NotSupportedException();

    public override void Delete(string name) => throw new NotSupportedException();

    public override void SyncDirectory() => throw new NotSupportedException();

    public override void SyncDirectory(string prefix) => throw new NotSupportedException();

    public override IDisposable? TryLock(string name) => null;

    public override void Dispose() { }
}
