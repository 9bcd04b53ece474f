using System.Runtime.InteropServices;

namespace Store.Tests.Views;

/// <summary>Memory between two pages which must not be touched: whoever reads one byte behind or in front of a record ends the process, and with it the test run.</summary>
internal sealed unsafe partial class GuardPage : IDisposable
{
    private const int Size = 1 << 16;

    private readonly byte* _start;

    public GuardPage()
    {
        _start = Map(null, 3 * Size, protection: 3, flags: 0x22, -1, 0);
        if ((nint)_start == -1 || Protect(_start, Size, protection: 0) != 0 || Protect(_start + (2 * Size), Size, protection: 0) != 0) throw new InvalidOperationException($"No guard page: error {Marshal.GetLastPInvokeError()}.");
    }

    /// <summary>Linux, where these numbers are what they are above.</summary>
    public static bool IsSupported => OperatingSystem.IsLinux();

    /// <summary>So many bytes at the end of the memory.</summary>
    public Span<byte> Room(int length) => new(_start + (2 * Size) - length, length);

    /// <summary>The bytes at the end of the memory.</summary>
    public ReadOnlySpan<byte> AtEnd(ReadOnlySpan<byte> bytes)
    {
        Span<byte> place = Room(bytes.Length);
        bytes.CopyTo(place);
        return place;
    }

    /// <summary>The bytes at the start of the memory.</summary>
    public ReadOnlySpan<byte> AtStart(ReadOnlySpan<byte> bytes)
    {
        var place = new Span<byte>(_start + Size, bytes.Length);
        bytes.CopyTo(place);
        return place;
    }

    public void Dispose() => Unmap(_start, 3 * Size);

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    private static partial byte* Map(void* address, nint length, int protection, int flags, int file, nint offset);

    [LibraryImport("libc", EntryPoint = "mprotect", SetLastError = true)]
    private static partial int Protect(void* address, nint length, int protection);

    [LibraryImport("libc", EntryPoint = "munmap")]
    private static partial int Unmap(void* address, nint length);
}
