using System.Buffers;

namespace Store.Inspect.Rendering;

/// <summary>The marks that turn the direction of what follows: on a terminal a text could look like another one.</summary>
internal static class DirectionMarks
{
    private static readonly SearchValues<char> All = SearchValues.Create("\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069");

    public static bool IsOne(int scalar) => scalar is 0x061C or 0x200E or 0x200F or (>= 0x202A and <= 0x202E) or (>= 0x2066 and <= 0x2069);

    /// <summary>Where the first one stands, or -1.</summary>
    public static int IndexIn(ReadOnlySpan<char> text) => text.IndexOfAny(All);

    /// <inheritdoc cref="IndexIn(ReadOnlySpan{char})"/>
    public static int IndexIn(ReadOnlySpan<byte> utf8)
    {
        // The first bytes of their encodings.
        const byte FirstOfTwo = 0xD8, FirstOfThree = 0xE2;
        for (int at = 0; utf8[at..].IndexOfAny(FirstOfTwo, FirstOfThree) is >= 0 and int next;)
        {
            at += next;
            System.Text.Rune.DecodeFromUtf8(utf8[at..], out System.Text.Rune rune, out int length);
            if (IsOne(rune.Value)) return at;
            at += length;
        }

        return -1;
    }
}
