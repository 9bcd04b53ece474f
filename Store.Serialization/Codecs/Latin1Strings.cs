// Strings of bytes that are one char each. What a string costs is mostly its memory, so the rest is kept small (docs/performance.md, "Strings and dictionaries").

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

internal static class Latin1Strings
{
    // The runtime's own limit on the length of a string.
    public const int MaxLength = 0x3FFF_FFDF;

    /// <summary>By the char: the strings of one.</summary>
    public static readonly string[] OneChar = CreateOneCharStrings();

    /// <summary>The string of so many bytes, at least one.</summary>
    public static string Of(ReadOnlySpan<byte> bytes) => bytes.Length == 1 ? OneChar[bytes[0]] : OfMany(bytes);

    // Widened into the new string before anybody else has it, as string.Create does it for its callers, whose call costs more than the chars of a word. A method of its own, so that it is compiled well wherever it is called from.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string OfMany(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > MaxLength) Throw.StringTooLong(bytes.Length);
        string text = new('\0', bytes.Length);
        Latin1.Widen(bytes, ref MemoryMarshal.GetReference(text.AsSpan()));
        return text;
    }

    private static string[] CreateOneCharStrings()
    {
        var strings = new string[256];
        for (int i = 0; i < strings.Length; i++) strings[i] = ((char)i).ToString();
        return strings;
    }
}
