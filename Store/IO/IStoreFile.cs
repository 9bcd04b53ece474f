namespace Store.IO;

/// <summary>
/// One open file. Reads and writes are positional; one thread writes, any number read. Failures are <see cref="IOException"/> with the file's name.
/// </summary>
public interface IStoreFile : IDisposable
{
    /// <summary>Name without a path.</summary>
    string Name { get; }

    /// <summary>Length in bytes now.</summary>
    long LengthBytes { get; }

    /// <summary>Reads up to <paramref name="destination"/>'s length; fewer only at the end of the file.</summary>
    /// <returns>Bytes read.</returns>
    int Read(Span<byte> destination, long offset);

    /// <summary>Writes all bytes, growing the file as needed. Durable only after <see cref="SyncData"/>.</summary>
    void Write(ReadOnlySpan<byte> source, long offset);

    /// <summary>Makes every completed write, and the length, durable (fdatasync). Another thread may write meanwhile: that write is of the next sync. After a failure nothing about this file's unsynced bytes is known: never retry, never acknowledge.</summary>
    void SyncData();

    /// <summary>
    /// Waits until the disk has what of a range it was asked to write before, then asks it to start with the rest: no more is ever on its way than between two calls with the same beginning. Makes nothing durable. Where the system
    /// has no such call it does nothing. Fails where what was on its way could not be written; then, as after a failed sync, nothing about this file's unsynced bytes is known.
    /// </summary>
    void StartWriteback(long offset, long lengthBytes);

    /// <summary>Cuts the file. Only for files that nobody maps or reads: shrinking a mapped file kills the process.</summary>
    void Truncate(long lengthBytes);

    /// <summary>Maps the file's present length for reading. The mapping stays valid after the file is closed, renamed or removed.</summary>
    IStoreMapping Map();
}

/// <summary>A read-only view of a file's bytes. Spans taken from it are valid until it is disposed; after that, taking one throws <see cref="ObjectDisposedException"/>.</summary>
public interface IStoreMapping : IDisposable
{
    /// <summary>Length in bytes.</summary>
    long LengthBytes { get; }

    /// <summary>The bytes from <paramref name="offset"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The range is not inside the mapping.</exception>
    ReadOnlySpan<byte> Span(long offset, int lengthBytes);
}
