// How does one file of the disk read, write, sync and map? By positional calls on a bare handle: no stream, no buffer of its own, nothing retried.

using Microsoft.Win32.SafeHandles;

namespace Store.IO;

/// <summary>A file of a <see cref="DiskDirectory"/>. Calls after <see cref="Dispose"/> throw <see cref="ObjectDisposedException"/>; closing syncs nothing.</summary>
internal sealed class DiskFile : IStoreFile
{
    private readonly SafeFileHandle _handle;
    private readonly string _path;
    private readonly bool _writable;

    private DiskFile(SafeFileHandle handle, string path, string name, bool writable)
    {
        _handle = handle;
        _path = path;
        _writable = writable;
        Name = name;
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public long LengthBytes => RandomAccess.GetLength(_handle);

    /// <summary>Opens or creates a file that others may read, write, rename and remove meanwhile.</summary>
    public static DiskFile Open(string path, string name, FileMode mode, FileAccess access)
    {
        try
        {
            var handle = File.OpenHandle(path, mode, access, FileShare.ReadWrite | FileShare.Delete);
            return new DiskFile(handle, path, name, writable: access == FileAccess.ReadWrite);
        }
        catch (Exception e) when (IoFailure.IsOfSystem(e))
        {
            throw IoFailure.FromFramework(mode == FileMode.CreateNew ? "create" : "open", path, e);
        }
    }

    /// <inheritdoc/>
    public int Read(Span<byte> destination, long offset)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        var done = 0;
        while (done < destination.Length)
        {
            // The system may return less than asked before the end of the file; 0 is the end.
            var count = ReadSome(destination[done..], checked(offset + done));
            if (count == 0)
                break;
            done += count;
        }
        return done;
    }

    /// <inheritdoc/>
    public void Write(ReadOnlySpan<byte> source, long offset)
    {
        ThrowUnlessWritable();
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        try
        {
            // Writes the rest after a short write; throws when the system accepts nothing more, with its number in HResult.
            RandomAccess.Write(_handle, source, offset);
        }
        catch (Exception e) when (IoFailure.IsOfSystem(e))
        {
            throw IoFailure.FromFramework("write", _path, e);
        }
    }

    /// <inheritdoc/>
    public void SyncData()
    {
        if (OperatingSystem.IsWindows())
            Win32.Flush(_handle, _path);
        else
            Posix.SyncData(_handle, _path);
    }

    /// <inheritdoc/>
    public void StartWriteback(long offset, long lengthBytes) => Posix.StartWriteback(_handle, _path, offset, lengthBytes);

    /// <inheritdoc/>
    public void Truncate(long lengthBytes)
    {
        ThrowUnlessWritable();
        ArgumentOutOfRangeException.ThrowIfNegative(lengthBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(lengthBytes, LengthBytes);
        try
        {
            RandomAccess.SetLength(_handle, lengthBytes);
        }
        catch (Exception e) when (IoFailure.IsOfSystem(e))
        {
            throw IoFailure.FromFramework("cut", _path, e);
        }
    }

    /// <inheritdoc/>
    public IStoreMapping Map() => DiskMapping.Create(_handle, _path, LengthBytes);

    /// <inheritdoc/>
    public void Dispose() => _handle.Dispose();

    private int ReadSome(Span<byte> destination, long offset)
    {
        try
        {
            return RandomAccess.Read(_handle, destination, offset);
        }
        catch (Exception e) when (IoFailure.IsOfSystem(e))
        {
            throw IoFailure.FromFramework("read", _path, e);
        }
        catch (IOException e) when (IoFailure.IsUnreadable(e))
        {
            throw new IOException($"Could not read {destination.Length} bytes of '{_path}' at {offset}: {e.Message}", e) { HResult = e.HResult };
        }
    }

    private void ThrowUnlessWritable()
    {
        if (!_writable)
            throw IoFailure.OpenedForReading(_path);
    }
}
