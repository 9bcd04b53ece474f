// An open file of the simulator, and a mapping of it. Reads see unsynced writes, as through a page cache.

using Store.IO;

namespace Store.Tests.Simulation;

internal sealed class SimFile(SimDirectory directory, SimNode node, string name, bool writable) : IStoreFile
{
    private bool _closed;

    public string Name => name;

    public long LengthBytes
    {
        get
        {
            lock (directory.Gate)
            {
                ThrowIfUnusable("length of");
                return node.Cached.LengthBytes;
            }
        }
    }

    public int Read(Span<byte> destination, long offset)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        lock (directory.Gate)
        {
            ThrowIfUnusable("read");
            return node.Cached.Read(destination, offset);
        }
    }

    public void Write(ReadOnlySpan<byte> source, long offset)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        lock (directory.Gate)
        {
            BeginChange("write");
            var fits = directory.CapacityBytes is { } capacity ? node.Cached.CountThatFits(source.Length, offset, capacity - directory.UsedBytes) : source.Length;
            if (fits > 0)
                node.Write(source[..fits].ToArray(), offset);
            if (fits < source.Length)
                throw new IOException($"Could not write '{name}': no space left on the simulated disk.", IoFailure.NoSpace);
        }
    }

    public void SyncData()
    {
        lock (directory.Gate)
        {
            ThrowIfUnusable("sync");
            directory.CountOperation("sync", name);
            node.Sync();
        }
    }

    /// <summary>For a fault injector: the sync of this moment fails.</summary>
    public void FailSync(Random random)
    {
        lock (directory.Gate)
            node.FailSync(random);
    }

    public void StartWriteback(long offset, long lengthBytes)
    {
        // Whether anything reached the disk stays open, which is what the unsynced changes say already.
        lock (directory.Gate)
            ThrowIfUnusable("start write-back of");
    }

    public void Truncate(long lengthBytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(lengthBytes);
        lock (directory.Gate)
        {
            ThrowIfUnusable("truncate");
            ThrowUnlessWritable();
            ArgumentOutOfRangeException.ThrowIfGreaterThan(lengthBytes, node.Cached.LengthBytes);
            directory.CountOperation("truncate", name);
            node.Cut(lengthBytes);
        }
    }

    public IStoreMapping Map()
    {
        lock (directory.Gate)
        {
            ThrowIfUnusable("map");
            return new Mapping(directory, node, node.Cached.LengthBytes);
        }
    }

    public void Dispose()
    {
        lock (directory.Gate)
            _closed = true;
    }

    private void BeginChange(string operation)
    {
        ThrowIfUnusable(operation);
        ThrowUnlessWritable();
        directory.CountOperation(operation, name);
    }

    private void ThrowUnlessWritable()
    {
        if (!writable)
            throw IoFailure.OpenedForReading(name);
    }

    private void ThrowIfUnusable(string operation)
    {
        ObjectDisposedException.ThrowIf(_closed, this);
        directory.ThrowIfPowerOff($"{operation} {name}");
    }

    /// <summary>A range inside one page is the page itself, which later writes may or may not change, as a real mapping's; a longer one is a copy of the moment.</summary>
    private sealed class Mapping(SimDirectory directory, SimNode node, long lengthBytes) : IStoreMapping
    {
        private bool _disposed;

        public long LengthBytes => lengthBytes;

        public ReadOnlySpan<byte> Span(long offset, int length)
        {
            lock (directory.Gate)
            {
                ObjectDisposedException.ThrowIf(_disposed, this);
                ArgumentOutOfRangeException.ThrowIfNegative(offset);
                ArgumentOutOfRangeException.ThrowIfNegative(length);
                ArgumentOutOfRangeException.ThrowIfGreaterThan(offset, lengthBytes - length);
                if (node.Cached.LengthBytes < lengthBytes)
                    throw new InvalidOperationException($"The mapped file was cut from {lengthBytes} to {node.Cached.LengthBytes} bytes: on a disk the process would be dead by now.");
                if (node.Cached.PageOf(offset, length, out var at) is { } page)
                    return page.AsSpan(at, length);
                var copy = new byte[length];
                node.Cached.Read(copy, offset);
                return copy;
            }
        }

        public void Dispose()
        {
            lock (directory.Gate)
                _disposed = true;
        }
    }
}
