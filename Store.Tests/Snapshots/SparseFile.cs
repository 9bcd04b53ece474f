// A file of any length in little memory: blocks of zeros are not kept. Spans that cross blocks are put together when they are asked for.

using Store.IO;

namespace Store.Tests.Snapshots;

internal sealed class SparseFile : IStoreFile, IStoreMapping
{
    private const int BlockBytes = 64 * 1024;

    private readonly Dictionary<long, byte[]> _blocks = [];

    public string Name => "file";

    public long LengthBytes { get; private set; }

    public long KeptBytes => (long)_blocks.Count * BlockBytes;

    public void Write(ReadOnlySpan<byte> source, long offset)
    {
        LengthBytes = Math.Max(LengthBytes, offset + source.Length);
        while (!source.IsEmpty)
        {
            int at = (int)(offset % BlockBytes), count = Math.Min(BlockBytes - at, source.Length);
            if (source[..count].ContainsAnyExcept((byte)0))
            {
                if (!_blocks.TryGetValue(offset / BlockBytes, out byte[]? block)) _blocks[offset / BlockBytes] = block = new byte[BlockBytes];
                source[..count].CopyTo(block.AsSpan(at));
            }

            source = source[count..];
            offset += count;
        }
    }

    public ReadOnlySpan<byte> Span(long offset, int lengthBytes)
    {
        var bytes = new byte[lengthBytes];
        Read(bytes, offset);
        return bytes;
    }

    public int Read(Span<byte> destination, long offset)
    {
        destination.Clear();
        int count = (int)Math.Clamp(LengthBytes - offset, 0, destination.Length);
        for (int done = 0; done < count;)
        {
            int at = (int)((offset + done) % BlockBytes), part = Math.Min(BlockBytes - at, count - done);
            if (_blocks.TryGetValue((offset + done) / BlockBytes, out byte[]? block)) block.AsSpan(at, part).CopyTo(destination[done..]);
            done += part;
        }

        return count;
    }

    public IStoreMapping Map() => this;

    public void SyncData() { }

    public void StartWriteback(long offset, long lengthBytes) { }

    public void Truncate(long lengthBytes) => throw new NotSupportedException();

    public void Dispose() { }
}

/// <summary>A folder of one file, which stays its owner's.</summary>
internal sealed class OneFileDirectory(IStoreFile file) : IStoreDirectory
{
    public string Name => "one file";

    public bool IsReadOnly => true;

    public IReadOnlyList<StoreFileEntry> List() => [new(file.Name, file.LengthBytes)];

    public IStoreFile OpenRead(string name) => file;

    public IStoreFile Create(string name) => throw new IOException("read-only");

    public IStoreFile OpenWrite(string name) => throw new IOException("read-only");

    public void Rename(string name, string newName) => throw new IOException("read-only");

    public void Delete(string name) => throw new IOException("read-only");

    public void SyncDirectory() => throw new IOException("read-only");

    public IDisposable? TryLock(string name) => null;

    public void Dispose() { }
}
