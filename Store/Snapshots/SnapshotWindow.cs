// What opening reads: the header, names and schemas, and the zeros between sections. They are small and mostly lie together in front, so a few kilobytes are read at a time and looked at in pieces.

using System.Buffers;

namespace Store.Snapshots;

/// <summary>Looks at small places of a snapshot in one pooled buffer. Not thread-safe; dispose it to give the buffer back.</summary>
internal sealed class SnapshotWindow(SnapshotBytes bytes) : IDisposable
{
    private const int SizeBytes = 4096;

    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(SizeBytes);
    private long _start;
    private int _length;

    public string FileName => bytes.FileName;

    public long FileLengthBytes => bytes.LengthBytes;

    /// <summary>Where the data begins: in front of it more is read than is asked for, behind it nothing is.</summary>
    public long FrontEnd { get; set; } = SizeBytes;

    /// <summary>Looks at a place inside the file.</summary>
    /// <param name="offset">Where.</param>
    /// <param name="lengthBytes">How many bytes. The caller has bounded it.</param>
    /// <param name="found">The bytes, valid until the next look.</param>
    /// <returns>Null, or why it cannot be read.</returns>
    public SnapshotFailure? Look(long offset, int lengthBytes, out ReadOnlySpan<byte> found)
    {
        if (offset < _start || offset + lengthBytes > _start + _length)
        {
            // What is read in advance may lie on a bad sector that this place does not.
            int ahead = (int)Math.Max(lengthBytes, Math.Min(SizeBytes, Math.Min(FrontEnd, bytes.LengthBytes) - offset));
            SnapshotFailure? failure = Fill(offset, ahead);
            if (failure is not null && ahead > lengthBytes) failure = Fill(offset, lengthBytes);
            if (failure is not null)
            {
                found = default;
                return failure;
            }
        }

        found = _buffer.AsSpan((int)(offset - _start), lengthBytes);
        return null;
    }

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
        _length = 0;
    }

    private SnapshotFailure? Fill(long offset, int lengthBytes)
    {
        if (_buffer.Length < lengthBytes)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = [];
            _buffer = ArrayPool<byte>.Shared.Rent(lengthBytes);
        }

        _length = 0;
        if (bytes.Read(offset, _buffer.AsSpan(0, lengthBytes)) is { } failure) return failure;
        (_start, _length) = (offset, lengthBytes);
        return null;
    }
}
