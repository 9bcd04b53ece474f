// The framework's console stream swallows EPIPE, so that a tool whose reader has gone would read a hundred gigabytes for nobody. A file stream on
// the same handle reports it.

using Microsoft.Win32.SafeHandles;

namespace Store.Inspect.Rendering;

/// <summary>The process's standard output, which ends with <see cref="OutputClosedException"/> when its reader is gone, and with <see cref="OutputFailedException"/> where it takes nothing more.</summary>
internal sealed class StandardOutput : Stream
{
    private const int BrokenPipe = 32;

    private readonly Stream _inner;
    private readonly string _problem;

    private StandardOutput(Stream inner, string problem) => (_inner, _problem) = (inner, problem);

    public static Stream Open()
    {
        if (OperatingSystem.IsWindows()) return Over(Console.OpenStandardOutput());
        var stream = new FileStream(new SafeFileHandle(1, ownsHandle: false), FileAccess.Write, bufferSize: 0);
        // A file stream keeps its own position in a regular file, past which other writers to the same file (2>&1) would be overwritten.
        return Over(stream.CanSeek ? Console.OpenStandardOutput() : stream);
    }

    /// <summary>As <see cref="Open"/>, over another stream, of which a failure is told in these words.</summary>
    public static Stream Over(Stream stream, string problem = "the output cannot be written") => new StandardOutput(stream, problem);

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            _inner.Write(buffer);
        }
        catch (IOException e) when (e.HResult == BrokenPipe)
        {
            throw new OutputClosedException(e);
        }
        catch (IOException e)
        {
            throw new OutputFailedException(_problem, e);
        }
    }

    public override void Flush() { }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing) _inner.Dispose();
        base.Dispose(disposing);
    }
}

/// <summary>Nobody reads the output any more.</summary>
internal sealed class OutputClosedException(Exception cause) : Exception("The output was closed by its reader.", cause);

/// <summary>The output takes nothing more: a full disk, as a rule. What is read has nothing to do with it.</summary>
internal sealed class OutputFailedException(string what, Exception cause) : Exception($"{what}: {cause.Message}", cause);
