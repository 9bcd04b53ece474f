namespace Store.Tests.Serialization;

/// <summary>A stream whose reads give what a script says, whatever was asked for. It says that it can seek, and throws when it is asked where it is.</summary>
/// <param name="bytes">What is read, piece by piece.</param>
/// <param name="counts">What the reads return, one after the other; afterwards what is left.</param>
internal sealed class BrokenStream(byte[] bytes, params int[] counts) : Stream
{
    private int _position;
    private int _read;

    /// <summary>At which read it throws, counted from 0; -1 never.</summary>
    public int ThrowsAt { get; init; } = -1;

    /// <summary>Reads complete after a while.</summary>
    public bool IsLate { get; init; }

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => false;

    public override long Length => long.MaxValue;

    public override long Position { get => throw new OddWriterException(); set => throw new OddWriterException(); }

    public override int Read(Span<byte> buffer)
    {
        if (_read == ThrowsAt) throw new OddWriterException();
        int told = _read < counts.Length ? counts[_read] : Math.Min(buffer.Length, bytes.Length - _position);
        _read++;
        int count = Math.Clamp(told, 0, Math.Min(buffer.Length, bytes.Length - _position));
        bytes.AsSpan(_position, count).CopyTo(buffer);
        _position += count;
        return told == int.MaxValue ? buffer.Length + 1 : told;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (IsLate) await Task.Yield();
        return Read(buffer.Span);
    }

    public override void Flush() { }

    public override long Seek(long offset, SeekOrigin origin) => throw new OddWriterException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
