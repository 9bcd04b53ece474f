// Is a string the same as one that was read a moment ago? Columns of status, country or unit repeat; then one string serves all objects of a record, and
// neither memory nor a collection of it is paid for. Where strings do not repeat, looking is given up after a dozen of them.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

/// <summary>The words read last (<see cref="RepeatedWords"/>), and of all other strings the last of each of four kinds (by length, first and last unit), for one reader. A mutable struct: use it in place.</summary>
internal struct RepeatedTexts
{
    private const int Kinds = 4;

    // Longer strings repeat less, and what they cost is their copy.
    private const int MaxUnits = 64;

    // A look in vain costs about a quarter of what a string costs that need not be made. Looks that found something are credit for more in vain than a record has in which nothing repeats.
    private const int MissesAHit = 4;
    private const int MaxMisses = 12;
    private const int MaxCredit = 20;

    private RepeatedWords _words;
    private Slots _last;
    private int _misses;

    /// <summary>False once too many looks were in vain.</summary>
    public readonly bool IsTried
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _misses < MaxMisses;
    }

    /// <summary>A string of 2 to 125 chars in Latin-1: another one's or a new one.</summary>
    /// <param name="header">Its header, of one byte, and behind that its chars.</param>
    /// <param name="length">How many.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public string OfLatin1(ref readonly byte header, int length)
    {
        if (!RepeatedWords.IsWord(length) || _words.Find(RepeatedWords.KeyOf(in header, length)) is not { } known) return OfLatin1Else(in header, length);
        Found();
        return known;
    }

    /// <summary>The chars behind a header of one byte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> CharsOf(ref readonly byte header, int length) => MemoryMarshal.CreateReadOnlySpan(in Unsafe.Add(ref Unsafe.AsRef(in header), 1), length);

    // A word that is not there, or another string.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private string OfLatin1Else(ref readonly byte header, int length)
    {
        ReadOnlySpan<byte> bytes = CharsOf(in header, length);
        if (length > MaxUnits) return Latin1Strings.Of(bytes);
        if (RepeatedWords.IsWord(length))
        {
            _misses++;
            string word = Latin1Strings.Of(bytes);
            _words.Keep(RepeatedWords.KeyOf(in header, length), word);
            return word;
        }

        ref string? slot = ref _last[Kind(length, bytes[0], bytes[^1])];
        if (slot is { } last && StringReuse.AreLatin1(bytes, last))
        {
            Found();
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
            Found();
            return last;
        }

        _misses++;
        return slot = new string(chars);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Found() => _misses = Math.Max(_misses - MissesAHit, -MaxCredit);

    private static int Kind(int length, int first, int last) => (length ^ first ^ last) & (Kinds - 1);

    [InlineArray(Kinds)]
    private struct Slots
    {
        private string? _first;
    }
}
