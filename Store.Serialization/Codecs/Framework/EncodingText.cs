using System.Text;

namespace Store.Serialization.Codecs;

/// <summary>
/// An <see cref="Encoding"/> as its web name; those of Unicode say after it when they write no byte order mark (<c>no-bom</c>) or throw on invalid bytes
/// (<c>strict</c>). An encoding with fallbacks of its own is refused. Encodings beyond those of the framework have to be registered by the program.
/// </summary>
public readonly struct EncodingText : ITextForm<Encoding>
{
    private static readonly string[] Options = ["", " no-bom", " strict", " no-bom strict"];

    /// <inheritdoc/>
    public static string ToText(Encoding value)
    {
        foreach (string option in Options)
        {
            string text = value.WebName + option;
            if (TryParse(text, out Encoding again) && again.Equals(value)) return text;
        }

        throw new NinoSerializationException($"The encoding '{value.WebName}' has fallbacks of its own, which have no encoding, or is not registered.");
    }

    /// <inheritdoc/>
    public static bool TryParse(string text, out Encoding value)
    {
        int space = text.IndexOf(' ', StringComparison.Ordinal);
        string name = space < 0 ? text : text[..space];
        string options = space < 0 ? "" : text[space..];
        bool bom = !options.StartsWith(" no-bom", StringComparison.Ordinal);
        bool strict = options.EndsWith(" strict", StringComparison.Ordinal);
        Encoding? found = Array.IndexOf(Options, options) < 0 ? null : name switch
        {
            "utf-8" => new UTF8Encoding(bom, strict),
            "utf-16" => new UnicodeEncoding(bigEndian: false, bom, strict),
            "utf-16BE" => new UnicodeEncoding(bigEndian: true, bom, strict),
            "utf-32" => new UTF32Encoding(bigEndian: false, bom, strict),
            "utf-32BE" => new UTF32Encoding(bigEndian: true, bom, strict),
            _ => options.Length == 0 ? Named(name) : null,
        };
        value = found ?? Encoding.UTF8;
        return found is not null;
    }

    private static Encoding? Named(string name)
    {
        try
        {
            return Encoding.GetEncoding(name);
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException)
        {
            return null;
        }
    }
}
