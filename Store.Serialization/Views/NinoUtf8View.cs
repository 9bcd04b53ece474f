// A string of a [NinoUtf8] member as it lies in a record (docs/formats/record.md, "utf8").

using System.Runtime.InteropServices;
using System.Text;
using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>A UTF-8 string, or null, over its bytes. That they are valid is checked when the view is made.</summary>
public readonly ref struct NinoUtf8View : INinoView<NinoUtf8View>
{
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly bool _isText;
    private readonly bool _isUtf16;

    private NinoUtf8View(ReadOnlySpan<byte> bytes, bool isUtf16)
    {
        _bytes = bytes;
        _isUtf16 = isUtf16;
        _isText = true;
    }

    /// <summary>True for null.</summary>
    public bool IsNull => !_isText;

    /// <summary>The text as UTF-8, valid as long as the bytes of the record. False for null and for the rare text that UTF-8 cannot hold: half of a surrogate pair stands alone in it.</summary>
    public bool TryGetUtf8(out ReadOnlySpan<byte> utf8)
    {
        utf8 = _isUtf16 ? default : _bytes;
        return _isText && !_isUtf16;
    }

    /// <summary>In chars, counted; 0 for null.</summary>
    public int GetLength() => _isUtf16 ? _bytes.Length / 2 : Encoding.UTF8.GetCharCount(_bytes);

    /// <summary>True when the text is exactly this one, char by char.</summary>
    public bool Equals(ReadOnlySpan<char> text) => _isText && (_isUtf16 ? MemoryMarshal.Cast<byte, char>(_bytes).SequenceEqual(text) : StringReuse.AreUtf8(_bytes, text));

    /// <summary>True when the text is exactly this one, or both are null.</summary>
    public bool Equals(string? text) => text is null ? IsNull : Equals(text.AsSpan());

    /// <summary>Copies the chars to the beginning of a span and returns how many. Of null there are none.</summary>
    /// <exception cref="ArgumentException">The span is too short.</exception>
    public int CopyTo(Span<char> destination)
    {
        if (!_isUtf16) return Encoding.UTF8.GetChars(_bytes, destination);
        MemoryMarshal.Cast<byte, char>(_bytes).CopyTo(destination);
        return _bytes.Length / 2;
    }

    /// <summary>Makes the string, or null.</summary>
    public string? Read() => _isText ? ToString() : null;

    /// <summary>Makes the string; of null an empty one.</summary>
    public override string ToString() => _isUtf16 ? new string(MemoryMarshal.Cast<byte, char>(_bytes)) : Encoding.UTF8.GetString(_bytes);

    static int INinoView<NinoUtf8View>.FixedSize => 0;

    static int INinoView<NinoUtf8View>.MinSize => 1;

    static int INinoView<NinoUtf8View>.MinBodySize => 0;

    static int INinoView<NinoUtf8View>.FixedBodySize => 0;

    static NinoUtf8View INinoView<NinoUtf8View>.At(ReadOnlySpan<byte> value)
    {
        var reader = new NinoReader(value);
        int length = Utf8StringCodec.Take(ref reader, out bool isUtf16, out bool isNull).Length;
        return isNull ? default : new NinoUtf8View(value.Slice(reader.Position - length, length), isUtf16);
    }

    static NinoUtf8View INinoView<NinoUtf8View>.AtBody(ReadOnlySpan<byte> body) => throw new NotSupportedException();

    static void INinoView<NinoUtf8View>.Skip(ref NinoReader reader)
    {
        uint header = reader.ReadCompact();
        if (header > 1) reader.Take((int)((header - 1) >> 1));
    }

    static void INinoView<NinoUtf8View>.SkipBody(ref NinoReader reader) => throw new NotSupportedException();
}
