using System.Globalization;
using System.Text;
using Spectre.Console;

namespace Store.Inspect.Rendering;

/// <summary>
/// One line of text in pieces of different style. Control characters of what it is given become escapes: bytes of a file never reach the terminal as
/// commands.
/// </summary>
internal sealed class StyledText
{
    private readonly List<(string Text, Style Style)> _pieces = [];

    public StyledText() { }

    public StyledText(string text, Style? style = null) => Add(text, style);

    public static implicit operator StyledText(string text) => new(text);

    public IReadOnlyList<(string Text, Style Style)> Pieces => _pieces;

    /// <summary>Columns on the terminal.</summary>
    public int Width { get; private set; }

    public StyledText Add(string text, Style? style = null)
    {
        string safe = Safe(text);
        if (safe.Length == 0) return this;
        _pieces.Add((safe, style ?? Style.Plain));
        Width += safe.GetCellWidth();
        return this;
    }

    public StyledText Add(StyledText other)
    {
        _pieces.AddRange(other._pieces);
        Width += other.Width;
        return this;
    }

    /// <summary>The text, cut with an ellipsis when it is wider than <paramref name="width"/>.</summary>
    public StyledText Fit(int width)
    {
        if (Width <= width) return this;
        var cut = new StyledText();
        int left = width - 1;
        foreach ((string text, Style style) in _pieces)
        {
            string part = Head(text, left);
            cut.Add(part, style);
            left -= part.GetCellWidth();
            if (part.Length < text.Length) break;
        }

        return cut.Add("…", Theme.Quiet);
    }

    /// <summary>The text without spaces at its end.</summary>
    public StyledText TrimEnd()
    {
        while (_pieces.Count > 0)
        {
            (string text, Style style) = _pieces[^1];
            string trimmed = text.TrimEnd(' ');
            if (trimmed.Length == text.Length) break;
            _pieces.RemoveAt(_pieces.Count - 1);
            Width -= text.Length - trimmed.Length;
            if (trimmed.Length > 0) _pieces.Add((trimmed, style));
        }

        return this;
    }

    public override string ToString() => string.Concat(_pieces.Select(static p => p.Text));

    private static string Head(string text, int width)
    {
        if (text.GetCellWidth() <= width) return text;
        var head = new StringBuilder();
        foreach (Rune rune in text.EnumerateRunes())
        {
            string piece = rune.ToString();
            width -= piece.GetCellWidth();
            if (width < 0) break;
            head.Append(piece);
        }

        return head.ToString();
    }

    private static string Safe(string text)
    {
        if (!text.AsSpan().ContainsAnyInRange('\0', '\u001F') && !text.Any(MustEscape)) return text;
        var safe = new StringBuilder(text.Length + 16);
        for (int i = 0; i < text.Length; i++)
        {
            char c = text[i];
            if (char.IsHighSurrogate(c) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1])) safe.Append(c).Append(text[++i]);
            else if (c == '\n') safe.Append("\\n");
            else if (c == '\r') safe.Append("\\r");
            else if (c == '\t') safe.Append("\\t");
            else if (MustEscape(c)) safe.Append(CultureInfo.InvariantCulture, $"\\u{(int)c:X4}");
            else safe.Append(c);
        }

        return safe.ToString();
    }

    // Control characters, half surrogate pairs, separators of lines, and the marks that turn the direction of what follows.
    private static bool MustEscape(char c) => char.IsControl(c) || char.IsSurrogate(c) || c is '\u2028' or '\u2029' || DirectionMarks.IsOne(c);
}
