// How does a backup move bytes, and how many has it moved? Whole files, each under its name only when all of it is on the disk.

using System.Globalization;
using Store.IO;

namespace Store.Backup;

/// <summary>Copies files and counts them. Used by one thread.</summary>
/// <param name="cancellationToken">Stops between MiBs.</param>
/// <param name="syncs">How often the log that is copied was synced, whose disk it may be; null where nobody knows.</param>
internal sealed class BackupFiles(CancellationToken cancellationToken, Func<long>? syncs)
{
    private const int CopyBytes = 1024 * 1024;

    private readonly WritebackPace _pace = new(syncs);

    public int Copied { get; private set; }

    public int Kept { get; private set; }

    public long Bytes { get; private set; }

    public void ThrowIfCancelled() => cancellationToken.ThrowIfCancellationRequested();

    /// <summary>Notes a file that an earlier backup had copied.</summary>
    public void Keep() => Kept++;

    /// <summary>Notes a file that somebody else wrote.</summary>
    public void Count(long lengthBytes)
    {
        Copied++;
        Bytes += lengthBytes;
    }

    /// <summary>Copies a file into a folder, where it is durable on return, under its name.</summary>
    /// <param name="source">The file.</param>
    /// <param name="target">The folder.</param>
    /// <param name="name">The copy's name.</param>
    /// <param name="lengthBytes">How much of it.</param>
    /// <param name="check">Looks at the copy before it has its name; where it throws, whatever has the name stays.</param>
    public void Publish(IStoreFile source, IStoreDirectory target, string name, long lengthBytes, Action<IStoreFile>? check = null)
    {
        AtomicFile.Publish(target, name, copy =>
        {
            Write(source, copy, lengthBytes);
            check?.Invoke(copy);
        });
        Count(lengthBytes);
    }

    /// <summary>Copies bytes from the beginning of a file to another. Not synced.</summary>
    /// <exception cref="IOException">A call failed, or the file is shorter.</exception>
    public void Write(IStoreFile source, IStoreFile copy, long lengthBytes)
    {
        byte[] buffer = new byte[(int)Math.Min(lengthBytes, CopyBytes)];
        for (long offset = 0; offset < lengthBytes;)
        {
            ThrowIfCancelled();
            Span<byte> part = buffer.AsSpan(0, (int)Math.Min(buffer.Length, lengthBytes - offset));
            if (source.Read(part, offset) != part.Length) throw new IOException(string.Create(CultureInfo.InvariantCulture, $"{source.Name}: the file ended before offset {offset + part.Length} while it was copied."));
            copy.Write(part, offset);
            offset += part.Length;
            if (part.Length == CopyBytes) _pace.Start(copy, offset - part.Length, offset);
        }
    }

    /// <summary>Reads the first bytes of a file, and does nothing with them.</summary>
    /// <exception cref="IOException">A call failed.</exception>
    public void ReadThrough(IStoreFile file, long lengthBytes)
    {
        byte[] buffer = new byte[(int)Math.Min(lengthBytes, CopyBytes)];
        for (long offset = 0; offset < lengthBytes; offset += buffer.Length)
        {
            ThrowIfCancelled();
            file.Read(buffer.AsSpan(0, (int)Math.Min(buffer.Length, lengthBytes - offset)), offset);
        }
    }

    /// <summary>True when two files begin with the same bytes.</summary>
    public bool AreSame(IStoreFile left, IStoreFile right, long lengthBytes)
    {
        byte[] ofLeft = new byte[(int)Math.Min(lengthBytes, CopyBytes)], ofRight = new byte[ofLeft.Length];
        for (long offset = 0; offset < lengthBytes; offset += ofLeft.Length)
        {
            ThrowIfCancelled();
            int length = (int)Math.Min(ofLeft.Length, lengthBytes - offset);
            if (left.Read(ofLeft.AsSpan(0, length), offset) != length || right.Read(ofRight.AsSpan(0, length), offset) != length) return false;
            if (!ofLeft.AsSpan(0, length).SequenceEqual(ofRight.AsSpan(0, length))) return false;
        }

        return true;
    }
}
