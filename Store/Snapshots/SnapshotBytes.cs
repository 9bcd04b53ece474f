// How are the bytes of a snapshot looked at? By position first: a sector that the disk cannot read is then a value with its place, where a touch of the mapping would end the process.
// Only what has been read so is lent from the mapping.

using System.Buffers;
using Store.Framing;
using Store.IO;

namespace Store.Snapshots;

/// <summary>An open snapshot file and its mapping. Safe for any number of threads; whoever disposes it sees to it that nobody looks any more.</summary>
internal sealed class SnapshotBytes : IDisposable
{
    /// <summary>Most that is read at a time: what verifying takes on each processor, whatever the file's size.</summary>
    public const int ReadSizeBytes = 256 * 1024;

    private readonly IStoreFile _file;
    private readonly IStoreMapping _mapping;

    private SnapshotBytes(IStoreFile file, IStoreMapping mapping) => (_file, _mapping) = (file, mapping);

    public string FileName => _file.Name;

    /// <summary>Length of the file when it was opened.</summary>
    public long LengthBytes => _mapping.LengthBytes;

    /// <exception cref="IOException">The file cannot be opened or mapped.</exception>
    public static SnapshotBytes Open(IStoreDirectory directory, string fileName)
    {
        IStoreFile file = directory.OpenRead(fileName);
        try
        {
            return new SnapshotBytes(file, file.Map());
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Bytes of the mapping that <see cref="Read"/> or <see cref="Checksum"/> has returned before: they are in the system's cache, so a touch asks the disk for nothing. What remains is a
    /// cache that had to give them up meanwhile, and a disk that lost them meanwhile too.
    /// </summary>
    public ReadOnlySpan<byte> Mapped(long offset, int lengthBytes) => _mapping.Span(offset, lengthBytes);

    /// <summary>Fills <paramref name="destination"/> from a place in the file.</summary>
    /// <returns>Null, or why that cannot be done.</returns>
    public SnapshotFailure? Read(long offset, Span<byte> destination)
    {
        try
        {
            int read = _file.Read(destination, offset);
            return read == destination.Length ? null
                : new SnapshotFailure(SnapshotFailureKind.WrongLength, FileName, offset + read, destination.Length - read, $"The file had {LengthBytes} bytes when it was opened and has {_file.LengthBytes} now: somebody has cut it.");
        }
        catch (IOException e)
        {
            return Unreadable(offset, destination.Length, $"{destination.Length} bytes from offset {offset}", e);
        }
    }

    /// <summary>Reads a range of any length through a buffer.</summary>
    /// <returns>Null and the checksum, or why it cannot be read.</returns>
    public SnapshotFailure? Checksum(long offset, long lengthBytes, Span<byte> buffer, out uint checksum)
    {
        checksum = 0;
        for (long done = 0; done < lengthBytes;)
        {
            Span<byte> piece = buffer[..(int)Math.Min(buffer.Length, lengthBytes - done)];
            if (Read(offset + done, piece) is { } failure) return failure;
            checksum = Crc32C.Append(checksum, piece);
            done += piece.Length;
        }

        return null;
    }

    /// <summary>Whether a section has the checksum that the header gives it.</summary>
    /// <param name="section">The section.</param>
    /// <param name="what">What messages call it, as in "The page table of the data".</param>
    /// <param name="kind">What is damaged when it has another one.</param>
    public SnapshotFailure? Verify(SnapshotSection section, string what, SnapshotFailureKind kind)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent((int)Math.Clamp(section.LengthBytes, 1, ReadSizeBytes));
        try
        {
            if (Checksum(section.Offset, section.LengthBytes, buffer, out uint checksum) is { } failure)
                return failure.Cause is { } cause ? Unreadable(section.Offset, section.LengthBytes, $"{what}, {section.LengthBytes} bytes from offset {section.Offset}", cause) : failure;
            return checksum == section.Checksum ? null : new SnapshotFailure(kind, FileName, section.Offset, section.LengthBytes, $"{what} does not match its checksum: the snapshot is damaged.");
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <param name="offset">Where.</param>
    /// <param name="lengthBytes">How much is lost with it.</param>
    /// <param name="what">What messages call it.</param>
    /// <param name="cause">What the system said.</param>
    public SnapshotFailure Unreadable(long offset, long lengthBytes, string what, Exception cause) =>
        new(SnapshotFailureKind.Unreadable, FileName, offset, lengthBytes, $"{what}, cannot be read: {cause.Message}") { Cause = cause };

    public void Dispose()
    {
        _mapping.Dispose();
        _file.Dispose();
    }
}
