using Store.IO;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Counts the syncs of the files of a folder, what is opened and mapped for reading, and the bytes read through files opened for reading.</summary>
internal sealed class CountingDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
{
    private readonly IStoreDirectory _inner = inner;
    private long _syncs;
    private long _bytesRead;
    private long _reads;
    private long _lists;
    private long _opensForReading;
    private long _maps;

    public long Syncs => Interlocked.Read(ref _syncs);

    public long BytesRead => Interlocked.Read(ref _bytesRead);

    public long Reads => Interlocked.Read(ref _reads);

    public long Lists => Interlocked.Read(ref _lists);

    public long OpensForReading => Interlocked.Read(ref _opensForReading);

    public long Maps => Interlocked.Read(ref _maps);

    public override IReadOnlyList<StoreFileEntry> List()
    {
        Interlocked.Increment(ref _lists);
        return base.List();
    }

    // Of one file, and no list.
    public override StoreFileEntry? Find(string name) => _inner.Find(name);

    public override IStoreFile Create(string name) => new CountingFile(this, base.Create(name));

    public override IStoreFile OpenWrite(string name) => new CountingFile(this, base.OpenWrite(name));

    public override IStoreFile OpenRead(string name)
    {
        Interlocked.Increment(ref _opensForReading);
        return new CountingFile(this, base.OpenRead(name));
    }

    private sealed class CountingFile(CountingDirectory directory, IStoreFile inner) : PassThroughFile(inner)
    {
        public override int Read(Span<byte> destination, long offset)
        {
            int read = base.Read(destination, offset);
            Interlocked.Add(ref directory._bytesRead, read);
            Interlocked.Increment(ref directory._reads);
            return read;
        }

        public override void SyncData()
        {
            Interlocked.Increment(ref directory._syncs);
            base.SyncData();
        }

        public override IStoreMapping Map()
        {
            Interlocked.Increment(ref directory._maps);
            return base.Map();
        }
    }
}
