namespace Store.Serialization.Codecs;

/// <summary>
/// A comparer of strings as its name: <c>Ordinal</c>, <c>OrdinalIgnoreCase</c>, <c>InvariantCulture</c> or <c>InvariantCultureIgnoreCase</c>, those that records keep of sets and
/// dictionaries, and of what is declared as an interface <c>Default</c>, the default comparer of strings. Others are refused: they are code, or mean something else on another machine.
/// </summary>
public readonly struct ComparerText : ITextForm<StringComparer>, ITextForm<IEqualityComparer<string>>, ITextForm<IComparer<string>>
{
    /// <inheritdoc/>
    public static string ToText(StringComparer value) => Name(KnownComparers.TryFind<string>((IEqualityComparer<string>)value, out KnownComparer known), known, value);

    /// <inheritdoc/>
    public static string ToText(IEqualityComparer<string> value) => Name(KnownComparers.TryFind(value, out KnownComparer known), known, value);

    /// <inheritdoc/>
    public static string ToText(IComparer<string> value) => Name(KnownComparers.TryFind(value, out KnownComparer known), known, value);

    /// <inheritdoc/>
    public static bool TryParse(string text, out StringComparer value)
    {
        value = KnownComparers.Of<string>(Known(text))!;
        return value is not null;
    }

    /// <inheritdoc/>
    public static bool TryParse(string text, out IEqualityComparer<string> value)
    {
        bool found = TryParse(text, out StringComparer comparer);
        value = found ? comparer : EqualityComparer<string>.Default;
        return found || text == nameof(KnownComparer.Default);
    }

    /// <inheritdoc/>
    public static bool TryParse(string text, out IComparer<string> value)
    {
        bool found = TryParse(text, out StringComparer comparer);
        value = found ? comparer : Comparer<string>.Default;
        return found || text == nameof(KnownComparer.Default);
    }

    private static string Name(bool isKnown, KnownComparer known, object comparer)
    {
        if (!isKnown) Throw.UnknownComparer(comparer.GetType());
        return known.ToString();
    }

    // Numbers are names to Enum.TryParse, and so are texts with white space around them.
    private static KnownComparer Known(string text) => text switch
    {
        nameof(KnownComparer.Ordinal) => KnownComparer.Ordinal,
        nameof(KnownComparer.OrdinalIgnoreCase) => KnownComparer.OrdinalIgnoreCase,
        nameof(KnownComparer.InvariantCulture) => KnownComparer.InvariantCulture,
        nameof(KnownComparer.InvariantCultureIgnoreCase) => KnownComparer.InvariantCultureIgnoreCase,
        _ => KnownComparer.Default,
    };
}
