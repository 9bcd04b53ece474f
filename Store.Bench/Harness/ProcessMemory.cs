// How much memory this process holds, asked of the system and without allocating: a question that leaves garbage would change the answer.

using System.Buffers.Text;
using Microsoft.Win32.SafeHandles;

namespace Store.Bench.Harness;

/// <summary>Memory of this process at one moment.</summary>
/// <param name="AnonymousBytes">The heap of the runtime, native buffers and stacks; no files that are mapped. On Linux; elsewhere as the other.</param>
/// <param name="TotalBytes">Everything that is in memory: with code, and with mapped files, which the system takes back when it needs the room.</param>
internal readonly record struct ProcessMemory(long AnonymousBytes, long TotalBytes);

/// <summary>Reads it again and again. For one thread.</summary>
internal sealed class ProcessMemoryReader : IDisposable
{
    private readonly SafeFileHandle? _status = OperatingSystem.IsLinux() ? File.OpenHandle("/proc/self/status") : null;
    private readonly byte[] _text = new byte[16 * 1024];

    /// <exception cref="InvalidDataException">The system's answer lacks a figure.</exception>
    public ProcessMemory Read()
    {
        if (_status is null)
        {
            long workingSet = Environment.WorkingSet;
            return new ProcessMemory(workingSet, workingSet);
        }

        ReadOnlySpan<byte> text = _text.AsSpan(0, RandomAccess.Read(_status, _text, 0));
        return new ProcessMemory(Figure(text, "\nRssAnon:"u8), Figure(text, "\nVmRSS:"u8));
    }

    public void Dispose() => _status?.Dispose();

    private static long Figure(ReadOnlySpan<byte> text, ReadOnlySpan<byte> name)
    {
        int at = text.IndexOf(name);
        ReadOnlySpan<byte> rest = at < 0 ? default : text[(at + name.Length)..].TrimStart(" \t"u8);
        return Utf8Parser.TryParse(rest, out long kibibytes, out _) ? kibibytes * 1024 : throw new InvalidDataException("The system does not say how much memory the process holds.");
    }
}
