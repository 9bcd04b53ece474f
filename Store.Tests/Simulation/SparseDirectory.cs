// Files far larger than memory, for tests of large offsets: blocks of zeros are not kept.

using Store.IO;

namespace Store.Tests.Simulation;

/// <summary>A folder of sparse files in memory. No crashes, no faults; thread-safe.</summary>
internal sealed class SparseDirectory : IStoreDirectory
{
    private readonly Dictionary<string, Content> _files = [];
    private readonly HashSet<string> _locks = [];

    public string Name => "sparse";

    public bool IsReadOnly => false;

    public IReadOnlyList<StoreFileEntry> List()
    {
        lock (_files) return [.. _files.OrderBy(static f => f.Key, StringComparer.Ordinal).Select(static f => new StoreFileEntry(f.Key, f.Value.LengthBytes))];
    }

    public IStoreFile Create(string name)
    {
        lock (_files) return _files.TryAdd(name, new Content()) ? Open(name) : throw IoFailure.AlreadyExists(name);
    }

    public IStoreFile OpenWrite(string name) => Open(name);

    public IStoreFile OpenRead(string name) => Open(name);

    public void Rename(string name, string newName)
    {
        lock (_files)
        {
            _files[newName] = _files[name];
            _files.Remove(name);
        }
    }

    public void Delete(string name)
    {
        lock (_files)
        {
            if (!_files.Remove(name)) throw IoFailure.NotFound("remove", name);
        }
    }

    public void SyncDirectory() { }

    public IDisposable? TryLock(string name)
    {
        lock (_files) return _locks.Add(name) ? new Lock(this, name) : null;
    }

    public void Dispose() { }

    /// <summary>What a killed process leaves: the same files in a folder of their own, with no lock.</summary>
    public SparseDirectory KillProcess()
    {
        var copy = new SparseDirectory();
        lock (_files)
        {
            foreach ((string name, Content content) in _files) copy._files[name] = content.Copy();
        }

        return copy;
    }

    private SparseFile Open(string name)
    {
        lock (_files) return _files.TryGetValue(name, out Content? content) ? new SparseFile(name, content) : throw IoFailure.NotFound("open", name);
    }

    private sealed class Lock(SparseDirectory directory, string name) : IDisposable
    {
        public void Dispose()
        {
            lock (directory._files) directory._locks.Remove(name);
        }
    }

    private sealed class Content
    {
        public const int BlockBytes = 64 * 1024;

        public Dictionary<long, byte[]> Blocks { get; } = [];

        public long LengthBytes { get; set; }

        public Content Copy()
        {
            lock (this)
            {
                var copy = new Content { LengthBytes = LengthBytes };
                foreach ((long block, byte[] bytes) in Blocks) copy.Blocks[block] = [.. bytes];
                return copy;
            }
        }
    }

    private sealed class SparseFile(string name, Content content) : IStoreFile
    {
        public string Name => name;

        public long LengthBytes
        {
            get { lock (content) return content.LengthBytes; }
        }

        public int Read(Span<byte> destination, long offset)
        {
            lock (content)
            {
                int count = (int)Math.Clamp(content.LengthBytes - offset, 0, destination.Length);
                for (int done = 0; done < count;)
                {
                    (long block, int within, int length) = Place(offset + done, count - done);
                    Span<byte> part = destination.Slice(done, length);
                    if (content.Blocks.TryGetValue(block, out byte[]? bytes)) bytes.AsSpan(within, length).CopyTo(part);
                    else part.Clear();
                    done += length;
                }

                return count;
            }
        }

        public void Write(ReadOnlySpan<byte> source, long offset)
        {
            lock (content)
            {
                for (int done = 0; done < source.Length;)
                {
                    (long block, int within, int length) = Place(offset + done, source.Length - done);
                    ReadOnlySpan<byte> part = source.Slice(done, length);
                    if (content.Blocks.TryGetValue(block, out byte[]? bytes)) part.CopyTo(bytes.AsSpan(within));
                    else if (part.ContainsAnyExcept((byte)0)) part.CopyTo((content.Blocks[block] = new byte[Content.BlockBytes]).AsSpan(within));
                    done += length;
                }

                content.LengthBytes = Math.Max(content.LengthBytes, offset + source.Length);
            }
        }

        public void SyncData() { }

        public void StartWriteback(long offset, long lengthBytes) { }

        public void Truncate(long lengthBytes)
        {
            lock (content)
            {
                content.LengthBytes = lengthBytes;
                foreach (long block in content.Blocks.Keys.Where(b => b * Content.BlockBytes >= lengthBytes).ToArray()) content.Blocks.Remove(block);
            }
        }

        public IStoreMapping Map() => throw new NotSupportedException("A sparse file has no one piece of memory.");

        public void Dispose() { }

        private static (long Block, int Within, int Length) Place(long offset, int wanted)
        {
            int within = (int)(offset % Content.BlockBytes);
            return (offset / Content.BlockBytes, within, Math.Min(wanted, Content.BlockBytes - within));
        }
    }
}
