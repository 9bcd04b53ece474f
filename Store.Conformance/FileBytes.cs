// How can the files of a store be copied at any moment for next to nothing, and what of a file is on the disk? Its bytes are in blocks that copies share until somebody writes to them, and what was synced is such a copy.

namespace Store.Conformance;

/// <summary>The bytes of a file in memory. Safe for any number of threads.</summary>
internal sealed class FileBytes
{
    private const int BlockBytes = 64 * 1024, SectorBytes = 512;

    private readonly Lock _lock = new();
    private readonly List<(byte[] Bytes, bool IsShared)> _blocks = [];
    private long _lengthBytes;

    // Null: nothing of it.
    private FileBytes? _synced;

    /// <summary>Grows with every change: two files of one version, the one a copy of the other, have the same bytes.</summary>
    public long Version { get; private set; }

    public long LengthBytes
    {
        get
        {
            lock (_lock) return _lengthBytes;
        }
    }

    public int Read(Span<byte> destination, long offset)
    {
        lock (_lock)
        {
            int length = (int)Math.Clamp(_lengthBytes - offset, 0, destination.Length);
            for (int done = 0; done < length;)
            {
                ReadOnlySpan<byte> from = _blocks[(int)((offset + done) / BlockBytes)].Bytes.AsSpan((int)((offset + done) % BlockBytes));
                int part = Math.Min(from.Length, length - done);
                from[..part].CopyTo(destination[done..]);
                done += part;
            }

            return length;
        }
    }

    public void Write(ReadOnlySpan<byte> source, long offset)
    {
        lock (_lock)
        {
            Grow(offset + source.Length);
            for (int done = 0; done < source.Length;)
            {
                Span<byte> to = Own((int)((offset + done) / BlockBytes)).AsSpan((int)((offset + done) % BlockBytes));
                int part = Math.Min(to.Length, source.Length - done);
                source.Slice(done, part).CopyTo(to);
                done += part;
            }

            Version++;
        }
    }

    /// <summary>Changes one bit.</summary>
    public void Flip(long offset)
    {
        Span<byte> one = stackalloc byte[1];
        Read(one, offset);
        one[0] ^= 0x10;
        Write(one, offset);
    }

    public void Truncate(long lengthBytes)
    {
        lock (_lock)
        {
            Grow(lengthBytes);
            int blocks = (int)((lengthBytes + BlockBytes - 1) / BlockBytes), within = (int)(lengthBytes % BlockBytes);
            _blocks.RemoveRange(blocks, _blocks.Count - blocks);

            // What grows again later has zeros there.
            if (within > 0) Own(blocks - 1).AsSpan(within).Clear();
            _lengthBytes = lengthBytes;
            Version++;
        }
    }

    public FileBytes Copy()
    {
        lock (_lock)
        {
            var copy = new FileBytes { Version = Version, _lengthBytes = _lengthBytes, _synced = _synced };
            for (int i = 0; i < _blocks.Count; i++) _blocks[i] = (_blocks[i].Bytes, true);
            copy._blocks.AddRange(_blocks);
            return copy;
        }
    }

    /// <summary>What is there now survives a power failure.</summary>
    public void Sync()
    {
        lock (_lock)
        {
            // Not with what was synced before: that is over.
            _synced = null;
            _synced = Copy();
        }
    }

    /// <summary>What a power failure leaves of it: what was synced, and of what was written since, length and sectors, what the disk is said to have got.</summary>
    /// <param name="arrived">Asked for the length, and for each sector that was written since.</param>
    public FileBytes AfterPowerFailure(Func<bool> arrived)
    {
        lock (_lock)
        {
            FileBytes left = _synced?.Copy() ?? new FileBytes();
            long was = left._lengthBytes;
            if (was != _lengthBytes && arrived()) left.Truncate(_lengthBytes);
            byte[] sector = new byte[SectorBytes], old = new byte[SectorBytes];
            for (long offset = 0; offset < Math.Min(left._lengthBytes, _lengthBytes); offset += SectorBytes)
            {
                int block = (int)(offset / BlockBytes);
                if (offset % BlockBytes == 0 && ReferenceEquals(left._blocks[block].Bytes, _blocks[block].Bytes))
                {
                    offset += BlockBytes - SectorBytes;
                    continue;
                }

                int length = (int)Math.Min(SectorBytes, Math.Min(left._lengthBytes, _lengthBytes) - offset);
                Span<byte> now = sector.AsSpan(0, Read(sector.AsSpan(0, length), offset)), before = old.AsSpan(0, left.Read(old.AsSpan(0, length), offset));
                if (!now.SequenceEqual(before) && arrived()) left.Write(now, offset);
            }

            left.Sync();
            return left;
        }
    }

    private void Grow(long lengthBytes)
    {
        while (_blocks.Count * (long)BlockBytes < lengthBytes) _blocks.Add((new byte[BlockBytes], false));
        _lengthBytes = Math.Max(_lengthBytes, lengthBytes);
    }

    private byte[] Own(int index)
    {
        if (_blocks[index].IsShared) _blocks[index] = ((byte[])_blocks[index].Bytes.Clone(), false);
        return _blocks[index].Bytes;
    }
}
