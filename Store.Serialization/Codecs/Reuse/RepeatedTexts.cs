// Is a string the same as one that was read a moment ago? Columns of status, country or unit repeat; then one string serves all objects of a record, and
// neither memory nor a collection of it is paid for. Where strings do not repeat, looking is given up after a dozen of them.

using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>The last string of each of four kinds (by length, first and last unit), for one reader. A mutable struct: use it in place.</summary>
internal struct RepeatedTexts
{
    private const int Kinds = 4;

    // Longer strings repeat less, and what they cost is their copy.
    private const int MaxUnits = 64;

    // A look in vain costs about a quarter of what a string costs that need not be made. Looks that found something are credit for more in vain than a record has in which nothing repeats.
    private const int MissesAHit = 4;
    private const int MaxMisses = 12;
    private const int MaxCredit = 20;

    private Slots _last;
    private int _misses;

    /// <summary>False once too many looks were in vain.</summary>
    public readonly bool IsTried
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _misses < MaxMisses;
    }

    /// <summary>The string of so many bytes in Latin-1, at least one: another one's or a new one.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public string OfLatin1(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length is 1 or > MaxUnits) return Latin1Strings.Of(bytes);

        ref string? slot = ref _last[Kind(bytes.Length, bytes[0], bytes[^1])];
        if (slot is { } last && StringReuse.AreLatin1(bytes, last))
        {
            _misses = Math.Max(_misses - MissesAHit, -MaxCredit);
            return last;
        }

        _misses++;
        return slot = Latin1Strings.Of(bytes);
    }

    /// <summary>The same for chars, at least one.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public string OfUtf16(ReadOnlySpan<char> chars)
    {
        if (chars.Length > MaxUnits) return new string(chars);

        ref string? slot = ref _last[Kind(chars.Length, chars[0], chars[^1])];
        if (slot is { } last && chars.SequenceEqual(last))
        {
            _misses = Math.Max(_misses - MissesAHit, -MaxCredit);
            return last;
        }

        _misses++;
        return slot = new string(chars);
    }

    private static int Kind(int length, int first, int last) => (length ^ first ^ last) & (Kinds - 1);

    [InlineArray(Kinds)]
    private struct Slots
    {
        private string? _first;
    }
}
