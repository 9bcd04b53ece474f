// Codes, units, states: what repeats most is short. Such a string and its header are one number, and finding it again is one comparison of numbers; the chars of two strings took
// three times as long (docs/performance.md, "Strings and dictionaries").

using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>The words read last: strings of 3 to 7 chars of one byte each. Longer strings do not push them out. A mutable struct: use it in place.</summary>
internal struct RepeatedWords
{
    private const int Places = 4;
    private const int MinLength = 3;
    private const int MaxLength = 7;

    // 0 is no key: the lowest bit of a header is set.
    private Keys _keys;
    private Words _words;

    /// <summary>True for the length of a word.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsWord(int length) => (uint)(length - MinLength) <= MaxLength - MinLength;

    /// <summary>A word and its header as one number: the first four bytes and the last four, which overlap in all but the longest. Words of different lengths have different headers. Bound: both lie in the word and its header.</summary>
    /// <param name="header">The header, of one byte, and behind it the chars.</param>
    /// <param name="length">How many chars: the length of a word.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong KeyOf(ref readonly byte header, int length) =>
        Unsafe.ReadUnaligned<uint>(in header) | ((ulong)Unsafe.ReadUnaligned<uint>(in Unsafe.Add(ref Unsafe.AsRef(in header), length + 1 - sizeof(uint))) << 32);

    /// <summary>The word of a key, when it is one of those read last.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly string? Find(ulong key)
    {
        int place = PlaceOf(key);
        return _keys[place] == key ? _words[place] : null;
    }

    /// <summary>Keeps the word of a key, instead of another one.</summary>
    public void Keep(ulong key, string word)
    {
        int place = PlaceOf(key);
        _words[place] = word;
        _keys[place] = key;
    }

    // The upper bits of a product depend on all bytes of the key (Knuth, The Art of Computer Programming, volume 3, 6.4).
    private static int PlaceOf(ulong key) => (int)((key * 0x9E37_79B9_7F4A_7C15) >> 62);

    [InlineArray(Places)]
    private struct Keys
    {
        private ulong _first;
    }

    [InlineArray(Places)]
    private struct Words
    {
        private string? _first;
    }
}
