// Is a string the same as one that was read a moment ago? Columns of status, country or unit repeat; then one string serves all objects of a record, and
// neither memory nor a collection of it is paid for. Only collections of many elements repeat so much that looking pays, so it begins with the first of them; where
// strings do not repeat it is given up after a few (docs/performance.md, "Strings and dictionaries").

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
    private const int LooksAHit = 4;
    private const int MostLooks = 32;

    // Of a collection of fewer elements nothing is looked for, of one of fewer than many only in few strings.
    private const int FewElements = 16;
    private const int ManyElements = 64;
    private const int FewLooks = 6;
    private const int ManyLooks = 12;

    // What _looks is once all were used up.
    private const int GivenUp = -1;

    private RepeatedWords _words;
    private Slots _last;

    // How many looks may still be in vain: 0 before there is a collection of many elements.
    private int _looks;

    /// <summary>True inside of and behind a collection of many elements, until too many looks were in vain.</summary>
    public readonly bool IsTried
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _looks > 0;
    }

    /// <summary>A collection begins.</summary>
    /// <param name="count">How many elements it has.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Expect(int count)
    {
        if (count >= FewElements && _looks == 0) _looks = count < ManyElements ? FewLooks : ManyLooks;
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
            Missed();
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

        Missed();
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

        Missed();
        return slot = new string(chars);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Found() => _looks = Math.Min(_looks + LooksAHit, MostLooks);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Missed()
    {
        if (--_looks == 0) _looks = GivenUp;
    }

    private static int Kind(int length, int first, int last) => (length ^ first ^ last) & (Kinds - 1);

    [InlineArray(Kinds)]
    private struct Slots
    {
        private string? _first;
    }
}
