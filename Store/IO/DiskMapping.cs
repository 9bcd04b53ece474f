// Who keeps mapped memory alive? Whoever holds the mapping: it ends with Dispose and never before, not even by the garbage collector.

using System.IO.MemoryMappedFiles;
using Microsoft.Win32.SafeHandles;

namespace Store.IO;

/// <summary>
/// A read-only mapping of a file of the disk. Bytes that are overwritten in the file meanwhile show through.
/// </summary>
/// <remarks>
/// A span taken from here is bare memory: after <see cref="Dispose"/> it points at nothing, reading it ends the process, and nothing can warn. So the
/// holder of the mapping must outlive every span and must not dispose while another thread reads. There is no finalizer for the same reason: a span does
/// not keep its mapping alive, and a forgotten mapping had better stay mapped until the process ends. Shrinking a mapped file also ends the process (SIGBUS).
/// </remarks>
internal sealed unsafe class DiskMapping : IStoreMapping
{
    private readonly MemoryMappedViewAccessor? _view;
    private byte* _start;
    private bool _disposed;

    private DiskMapping(MemoryMappedViewAccessor? view, long lengthBytes)
    {
        LengthBytes = lengthBytes;
        if (view is null)
            return;
        _view = view;
        // Holds a reference on the handle until Dispose releases it: the view's own finalizer cannot unmap.
        view.SafeMemoryMappedViewHandle.AcquirePointer(ref _start);
        _start += view.PointerOffset;
    }

    /// <inheritdoc/>
    public long LengthBytes { get; }

    /// <summary>Maps the first <paramref name="lengthBytes"/> of an open file. The handle may be closed afterwards. An empty file has an empty mapping.</summary>
    public static DiskMapping Create(SafeFileHandle handle, string path, long lengthBytes)
    {
        if (lengthBytes == 0)
            return new DiskMapping(null, 0);
        try
        {
            // Capacity 0 is the file's length at this moment: the file may have grown since lengthBytes was asked for.
            using var file = MemoryMappedFile.CreateFromFile(handle, null, 0, MemoryMappedFileAccess.Read, HandleInheritability.None, leaveOpen: true);
            return new DiskMapping(file.CreateViewAccessor(0, lengthBytes, MemoryMappedFileAccess.Read), lengthBytes);
        }
        catch (Exception e) when (e is UnauthorizedAccessException or ArgumentException)
        {
            throw IoFailure.FromFramework("map", path, e); // the file shrank meanwhile, or the system forbids the mapping
        }
    }

    /// <inheritdoc/>
    public ReadOnlySpan<byte> Span(long offset, int lengthBytes)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed), this);
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        ArgumentOutOfRangeException.ThrowIfNegative(lengthBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(offset, LengthBytes - lengthBytes);
        // Bound: offset + lengthBytes <= LengthBytes, which is what was mapped.
        return lengthBytes == 0 ? [] : new ReadOnlySpan<byte>(_start + offset, lengthBytes);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, true) || _view is null)
            return;
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
    }
}
