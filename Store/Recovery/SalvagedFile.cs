// Salvage keeps what comes before the damage, also where the damage is a sector that the disk cannot read: such a sector is given as bytes that nothing verifies with, and the table of recovery says the rest.

using Store.IO;

namespace Store.Recovery;

/// <summary>A file as <see cref="RecoveryMode.Salvage"/> reads it. Takes the file over.</summary>
internal sealed class SalvagedFile(IStoreFile file) : IStoreFile
{
    // Where many fail in a row, each after the disk's own tries, steps become longer: what lies behind the first is given up anyway.
    private const int LeastStepBytes = 512, MostStepBytes = 1024 * 1024;

    // No header has these, and no checksum of a frame is that of them.
    private const byte Unreadable = 0xFF;

    private int _step = LeastStepBytes;

    /// <summary>The first failure to read; null when everything that was asked for could be read.</summary>
    public IOException? Failure { get; private set; }

    /// <inheritdoc/>
    public string Name => file.Name;

    /// <inheritdoc/>
    public long LengthBytes => file.LengthBytes;

    /// <inheritdoc/>
    public int Read(Span<byte> destination, long offset)
    {
        try
        {
            return file.Read(destination, offset);
        }
        catch (IOException e) when (IoFailure.IsUnreadable(e))
        {
            return ReadInSteps(destination, offset);
        }
    }

    /// <inheritdoc/>
    public void Write(ReadOnlySpan<byte> source, long offset) => file.Write(source, offset);

    /// <inheritdoc/>
    public void SyncData() => file.SyncData();

    /// <inheritdoc/>
    public void StartWriteback(long offset, long lengthBytes) => file.StartWriteback(offset, lengthBytes);

    /// <inheritdoc/>
    public void Truncate(long lengthBytes) => file.Truncate(lengthBytes);

    /// <inheritdoc/>
    public IStoreMapping Map() => file.Map();

    public void Dispose() => file.Dispose();

    private int ReadInSteps(Span<byte> destination, long offset)
    {
        int done = 0;
        while (done < destination.Length)
        {
            long at = offset + done;
            int wanted = (int)Math.Min(destination.Length - done, _step - (at % _step));
            int read = ReadStep(destination.Slice(done, wanted), at);
            done += read;
            if (read < wanted) break;
        }

        return done;
    }

    // Read already once in a longer piece: a failure that passes does not come again.
    private int ReadStep(Span<byte> step, long offset)
    {
        try
        {
            int read = file.Read(step, offset);
            _step = LeastStepBytes;
            return read;
        }
        catch (IOException e) when (IoFailure.IsUnreadable(e))
        {
            Failure ??= e;
            _step = Math.Min(_step * 2, MostStepBytes);
            int there = (int)Math.Clamp(file.LengthBytes - offset, 0, step.Length);
            step[..there].Fill(Unreadable);
            return there;
        }
    }
}
