namespace Store.Serialization.Streaming;

/// <summary>A stream's asynchronous reads, for a pipe: one that breaks the contract is refused. The framework's pipe counts what it is told, and of fewer bytes than none it takes back what it had read.</summary>
/// <param name="inner">The stream; not disposed.</param>
internal sealed class CheckedReads(Stream inner) : Stream
{
    public override bool CanRead => inner.CanRead;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        int read = await inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        return Checked(inner, buffer.Length, read);
    }

    /// <summary>The count that a stream says it read, which is refused when it cannot be.</summary>
    /// <exception cref="IOException">More bytes than it was asked for, or fewer than none.</exception>
    public static int Checked(Stream source, int asked, int got)
    {
        if ((uint)got > (uint)asked) Throw.StreamBreaksContract(source, asked, got);
        return got;
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush() => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
