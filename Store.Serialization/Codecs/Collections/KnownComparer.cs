// Comparers that records keep: a mark in front of the header of a set or map. The default comparer has no mark and costs nothing.
//
//   mark  255, number of the comparer (1 byte, 1 to 4)
//
// Format page: docs/formats/record.md, "comparers".

using System.Globalization;

namespace Store.Serialization.Codecs;

/// <summary>A comparer that is kept. The numbers are written into records: they are never reused.</summary>
internal enum KnownComparer : byte
{
    /// <summary>The default comparer of the type; no mark.</summary>
    Default = 0,

    /// <summary><see cref="StringComparer.Ordinal"/>.</summary>
    Ordinal = 1,

    /// <summary><see cref="StringComparer.OrdinalIgnoreCase"/>.</summary>
    OrdinalIgnoreCase = 2,

    /// <summary><see cref="StringComparer.InvariantCulture"/>.</summary>
    InvariantCulture = 3,

    /// <summary><see cref="StringComparer.InvariantCultureIgnoreCase"/>.</summary>
    InvariantCultureIgnoreCase = 4,
}

/// <summary>From comparers to marks and back.</summary>
internal static class KnownComparers
{
    /// <summary>True for the default comparer and those with a mark.</summary>
    public static bool TryFind<T>(IEqualityComparer<T>? comparer, out KnownComparer known)
    {
        known = KnownComparer.Default;
        return comparer is null || ReferenceEquals(comparer, EqualityComparer<T>.Default) || (typeof(T) == typeof(string) && TryFindString((IEqualityComparer<string?>)comparer, out known));
    }

    /// <inheritdoc cref="TryFind{T}(IEqualityComparer{T}?, out KnownComparer)"/>
    public static bool TryFind<T>(IComparer<T>? comparer, out KnownComparer known)
    {
        known = KnownComparer.Default;
        return comparer is null || ReferenceEquals(comparer, Comparer<T>.Default) || (comparer is StringComparer strings && TryFindString(strings, out known));
    }

    /// <summary>The mark of an ordered collection's comparer. Another one cannot be kept, and with it the order would be lost.</summary>
    /// <exception cref="NinoSerializationException">It has no mark.</exception>
    public static KnownComparer OfOrdered<T>(IComparer<T> comparer)
    {
        if (!TryFind(comparer, out KnownComparer known)) Throw.OrderingComparer(comparer.GetType());
        return known;
    }

    /// <summary>The comparer of a mark for reading; null for the default one.</summary>
    /// <exception cref="NinoSerializationException">The keys are no strings.</exception>
    public static StringComparer? Of<T>(KnownComparer known)
    {
        if (known == KnownComparer.Default) return null;
        if (typeof(T) != typeof(string)) Throw.ComparerOfOtherThanStrings();
        return known switch
        {
            KnownComparer.Ordinal => StringComparer.Ordinal,
            KnownComparer.OrdinalIgnoreCase => StringComparer.OrdinalIgnoreCase,
            KnownComparer.InvariantCulture => StringComparer.InvariantCulture,
            _ => StringComparer.InvariantCultureIgnoreCase,
        };
    }

    /// <summary>The comparer of a mark, as the interface that collections take.</summary>
    public static IEqualityComparer<T>? Equality<T>(KnownComparer known) => (IEqualityComparer<T>?)(object?)Of<T>(known);

    /// <inheritdoc cref="Equality{T}"/>
    public static IComparer<T>? Order<T>(KnownComparer known) => (IComparer<T>?)(object?)Of<T>(known);

    /// <summary>
    /// The mark of a hashed collection's comparer. One that has no mark is replaced by the default comparer when that keeps all elements apart too.
    /// </summary>
    /// <exception cref="NinoSerializationException">It does not: the collection could be written and never be read again.</exception>
    public static KnownComparer OfHashed<T>(IEqualityComparer<T>? comparer, IEnumerable<T> elements, int count, string what)
    {
        // Strings that are equal by their chars are equal under every StringComparer.
        if (!TryFind(comparer, out KnownComparer known) && comparer is not StringComparer) CheckDistinct(elements, count, what);
        return known;
    }

    public static void CheckDistinct<T>(IEnumerable<T> elements, int count, string what)
    {
        if (count > 1 && new HashSet<T>(elements, comparer: null).Count != count) Throw.EqualUnderTheDefaultComparer(what);
    }

    private static bool TryFindString(IEqualityComparer<string?> comparer, out KnownComparer known)
    {
        known = KnownComparer.Default;
        if (StringComparer.IsWellKnownOrdinalComparer(comparer, out bool ignoreCase))
        {
            known = ignoreCase ? KnownComparer.OrdinalIgnoreCase : KnownComparer.Ordinal;
            return true;
        }

        if (!StringComparer.IsWellKnownCultureAwareComparer(comparer, out CompareInfo? culture, out CompareOptions options)) return false;
        if (culture.Name.Length > 0 || options is not (CompareOptions.None or CompareOptions.IgnoreCase)) return false;
        known = options == CompareOptions.None ? KnownComparer.InvariantCulture : KnownComparer.InvariantCultureIgnoreCase;
        return true;
    }
}
