// The texts of framework types: names, addresses, versions. What a text cannot say is refused when it is written, never dropped.

using System.Drawing;
using System.Globalization;
using System.Net;
using System.Text;

namespace Store.Serialization.Codecs;

/// <summary>A <see cref="StringBuilder"/> as what it holds; capacity is not kept.</summary>
public readonly struct StringBuilderText : ITextForm<StringBuilder>
{
    /// <inheritdoc/>
    public static bool IsNormal => true;

    /// <inheritdoc/>
    public static bool TakesEveryText => true;

    /// <inheritdoc/>
    public static string ToText(StringBuilder value) => value.ToString();

    /// <inheritdoc/>
    public static bool TryParse(string text, out StringBuilder value)
    {
        value = new StringBuilder(text);
        return true;
    }
}

/// <summary>A <see cref="Version"/> with as many parts as it has.</summary>
public readonly struct VersionText : ITextForm<Version>
{
    /// <inheritdoc/>
    public static string ToText(Version value) => value.ToString();

    /// <inheritdoc/>
    public static bool TryParse(string text, out Version value) => Version.TryParse(text, out value!);
}

/// <summary>
/// A <see cref="Uri"/> as it was spelled. Absolute ones are known by their scheme, so that the text means the same on every platform: an absolute one
/// spelled without (a file path) is stored in its normal form.
/// </summary>
public readonly struct UriText : ITextForm<Uri>
{
    /// <inheritdoc/>
    public static bool IsNormal => true;

    /// <inheritdoc/>
    public static string ToText(Uri value)
    {
        string text = value.IsAbsoluteUri && !HasScheme(value.OriginalString) ? value.AbsoluteUri : value.OriginalString;
        if (!TryParse(text, out Uri again) || again.IsAbsoluteUri != value.IsAbsoluteUri || !IsSame(again, value)) throw new NinoSerializationException($"The Uri '{text}' would not be read back as the same: store it as a string.");
        return text;
    }

    /// <inheritdoc/>
    public static bool TryParse(string text, out Uri value) =>
        (HasScheme(text) && Uri.TryCreate(text, UriKind.Absolute, out value!)) || Uri.TryCreate(text, UriKind.Relative, out value!);

    // One that was made without putting its path and query in order (UriCreationOptions) leads elsewhere than its spelling does, and Equals does not tell.
    private static bool IsSame(Uri again, Uri value) => !value.IsAbsoluteUri || again.AbsoluteUri == value.AbsoluteUri;

    // Two letters at least: one letter and a colon is a drive. White space in front is kept, and is no part of it.
    private static bool HasScheme(string spelling)
    {
        ReadOnlySpan<char> text = spelling.AsSpan().TrimStart(" \t\r\n");
        int colon = text.IndexOf(':');
        if (colon < 2 || !char.IsAsciiLetter(text[0])) return false;
        foreach (char c in text[..colon])
        {
            if (!char.IsAsciiLetterOrDigit(c) && c is not ('+' or '-' or '.')) return false;
        }

        return true;
    }
}

/// <summary>A <see cref="CultureInfo"/> as its name. Read as the read-only culture of that name; only cultures that the system knows, and by no name that is not made of words, so that input cannot make up others.</summary>
public readonly struct CultureText : ITextForm<CultureInfo>
{
    // A program without cultures (InvariantGlobalization) that lets any be made by their names (PredefinedCulturesOnly is off): all are known then, as this one, and are the invariant culture by another name.
    private static readonly bool KnowsEveryName = IsKnown("zz-nowhere");

    /// <inheritdoc/>
    public static string ToText(CultureInfo value)
    {
        if (!TryParse(value.Name, out CultureInfo again)) throw new NinoSerializationException($"The culture '{value.Name}' is not known to the system and could not be read back.");
        if (!again.CompareInfo.Equals(value.CompareInfo)) throw new NinoSerializationException($"The culture '{value.Name}' sorts as '{value.CompareInfo.Name}', which its name does not say: read back it would sort otherwise. Store the name that it was made of.");
        return value.Name;
    }

    /// <inheritdoc/>
    public static bool TryParse(string text, out CultureInfo value)
    {
        value = CultureInfo.InvariantCulture;
        if (text.Length == 0) return true;
        if (KnowsEveryName || !IsOfWords(text) || !IsKnown(text)) return false;
        value = CultureInfo.GetCultureInfo(text);
        return value.Name == text;
    }

    private static bool IsKnown(string name)
    {
        try
        {
            CultureInfo.GetCultureInfo(name, predefinedOnly: true);
            return true;
        }
        catch (CultureNotFoundException)
        {
            return false;
        }
    }

    // The framework keeps a culture for each name that ICU calls known, as long as the process lives. ICU knows any name that has an extension, which a part of one character begins (th-TH-u-ca-buddhist), or that goes on
    // behind a NUL, and takes an underscore for a hyphen: parts are of two letters or digits at least, and nothing but hyphens stands between them.
    private static bool IsOfWords(string text)
    {
        int start = 0;
        for (int i = 0; i <= text.Length; i++)
        {
            if (i < text.Length && char.IsAsciiLetterOrDigit(text[i])) continue;
            if (i < text.Length && text[i] != '-') return false;
            if (i - start < 2) return false;
            start = i + 1;
        }

        return true;
    }
}

/// <summary>A <see cref="CompareInfo"/> as the name of its culture.</summary>
public readonly struct CompareText : ITextForm<CompareInfo>
{
    /// <inheritdoc/>
    public static string ToText(CompareInfo value) => CultureText.TryParse(value.Name, out _) ? value.Name : throw new NinoSerializationException($"The comparison '{value.Name}' is not known to the system and could not be read back.");

    /// <inheritdoc/>
    public static bool TryParse(string text, out CompareInfo value)
    {
        bool isKnown = CultureText.TryParse(text, out CultureInfo culture);
        value = culture.CompareInfo;
        return isKnown;
    }
}

/// <summary>An <see cref="IPAddress"/>; of a link-local one the scope's number is kept.</summary>
public readonly struct IPAddressText : ITextForm<IPAddress>
{
    /// <inheritdoc/>
    public static string ToText(IPAddress value) => value.ToString();

    /// <inheritdoc/>
    public static bool TryParse(string text, out IPAddress value) => IPAddress.TryParse(text, out value!);
}

/// <summary>An <see cref="IPEndPoint"/>: address and port.</summary>
public readonly struct IPEndPointText : ITextForm<IPEndPoint>
{
    /// <inheritdoc/>
    public static string ToText(IPEndPoint value) => value.ToString();

    /// <inheritdoc/>
    public static bool TryParse(string text, out IPEndPoint value) => IPEndPoint.TryParse(text, out value!);
}

/// <summary>A <see cref="Color"/>: its name where it has one, else <c>#AARRGGBB</c>; the empty color is the empty string.</summary>
public readonly struct ColorText : ITextForm<Color>
{
    /// <inheritdoc/>
    public static bool HasNull => false;

    /// <inheritdoc/>
    public static string ToText(Color value)
    {
        if (value.IsEmpty) return "";
        if (!value.IsNamedColor) return "#" + value.ToArgb().ToString("X8", CultureInfo.InvariantCulture);
        return value.Name.Length > 0 && value.Name[0] != '#' ? value.Name : throw new NinoSerializationException($"A color of the name '{value.Name}' has no encoding.");
    }

    /// <inheritdoc/>
    public static bool TryParse(string text, out Color value)
    {
        value = default;
        if (text.Length == 0) return true;
        if (text[0] != '#')
        {
            value = Color.FromName(text);
            return true;
        }

        bool isNumber = uint.TryParse(text.AsSpan(1), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out uint argb);
        value = Color.FromArgb((int)argb);
        return isNumber;
    }
}
