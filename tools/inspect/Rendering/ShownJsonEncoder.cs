using System.Globalization;
using System.Text.Encodings.Web;

namespace Store.Inspect.Rendering;

/// <summary>JSON that may be shown: as <see cref="JavaScriptEncoder.UnsafeRelaxedJsonEscaping"/> writes it, which escapes control characters, and with <see cref="DirectionMarks"/> as escapes too. It is the same data.</summary>
internal sealed unsafe class ShownJsonEncoder : JavaScriptEncoder
{
    private ShownJsonEncoder() { }

    public static ShownJsonEncoder Instance { get; } = new();

    public override int MaxOutputCharactersPerInputCharacter => UnsafeRelaxedJsonEscaping.MaxOutputCharactersPerInputCharacter;

    public override bool WillEncode(int unicodeScalar) => DirectionMarks.IsOne(unicodeScalar) || UnsafeRelaxedJsonEscaping.WillEncode(unicodeScalar);

    // Bound: the framework's, textLength chars.
    public override int FindFirstCharacterToEncode(char* text, int textLength)
    {
        int first = UnsafeRelaxedJsonEscaping.FindFirstCharacterToEncode(text, textLength);
        int mark = DirectionMarks.IndexIn(new ReadOnlySpan<char>(text, first < 0 ? textLength : first));
        return mark < 0 ? first : mark;
    }

    public override int FindFirstCharacterToEncodeUtf8(ReadOnlySpan<byte> utf8Text)
    {
        int first = UnsafeRelaxedJsonEscaping.FindFirstCharacterToEncodeUtf8(utf8Text);
        int mark = DirectionMarks.IndexIn(first < 0 ? utf8Text : utf8Text[..first]);
        return mark < 0 ? first : mark;
    }

    // Bound: the framework's, bufferLength chars.
    public override bool TryEncodeUnicodeScalar(int unicodeScalar, char* buffer, int bufferLength, out int numberOfCharactersWritten) => DirectionMarks.IsOne(unicodeScalar)
        ? new Span<char>(buffer, bufferLength).TryWrite(CultureInfo.InvariantCulture, $"\\u{unicodeScalar:X4}", out numberOfCharactersWritten)
        : UnsafeRelaxedJsonEscaping.TryEncodeUnicodeScalar(unicodeScalar, buffer, bufferLength, out numberOfCharactersWritten);
}
