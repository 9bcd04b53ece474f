// A string as it lies in a record (docs/formats/record.md, "string"): one byte a char where all are Latin-1, else two.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>A string, or null, over its bytes: compared and copied without being made. Null is not equal to an empty text.</summary>
public readonly ref struct NinoStringView : INinoView<NinoStringView>
{
    // The chars; behind null there are none.
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly Form _form;

    private enum Form : byte
    {
        Null,
        Latin1,
        Utf16,
    }

    private NinoStringView(ReadOnlySpan<byte> bytes, Form form)
    {
        _bytes = bytes;
        _form = form;
    }

    /// <summary>True for null.</summary>
    public bool IsNull => _form == Form.Null;

    /// <summary>In chars; 0 for null.</summary>
    public int Length => _form == Form.Utf16 ? _bytes.Length / 2 : _bytes.Length;

    /// <summary>One char.</summary>
    /// <exception cref="IndexOutOfRangeException">There is none.</exception>
    public char this[int index] => _form == Form.Utf16 ? MemoryMarshal.Cast<byte, char>(_bytes)[index] : (char)_bytes[index];

    /// <summary>True when the text is exactly this one, char by char.</summary>
    public bool Equals(ReadOnlySpan<char> text) => _form switch
    {
        Form.Null => false,
        Form.Latin1 => StringReuse.AreLatin1(_bytes, text),
        _ => MemoryMarshal.Cast<byte, char>(_bytes).SequenceEqual(text),
    };

    /// <summary>True when the text is exactly this one, or both are null.</summary>
    public bool Equals(string? text) => text is null ? IsNull : Equals(text.AsSpan());

    /// <summary>True when the other view has the same text, or both are of null.</summary>
    public bool Equals(NinoStringView other) => _form == other._form && _bytes.SequenceEqual(other._bytes);

    /// <summary>True when the text begins with this one, char by char.</summary>
    public bool StartsWith(ReadOnlySpan<char> text)
    {
        if (IsNull || text.Length > Length) return false;
        return _form == Form.Latin1 ? StringReuse.AreLatin1(_bytes[..text.Length], text) : MemoryMarshal.Cast<byte, char>(_bytes).StartsWith(text);
    }

    /// <summary>Copies the chars to the beginning of a span. Of null there are none.</summary>
    /// <exception cref="ArgumentException">The span is shorter than <see cref="Length"/>.</exception>
    public void CopyTo(Span<char> destination)
    {
        if (_form == Form.Utf16) MemoryMarshal.Cast<byte, char>(_bytes).CopyTo(destination);
        else if (destination.Length < _bytes.Length) throw new ArgumentException("The destination is too short.", nameof(destination));
        else Encoding.Latin1.GetChars(_bytes, destination);
    }

    /// <summary>Makes the string, or null.</summary>
    public string? Read() => _form == Form.Null ? null : ToString();

    /// <summary>Makes the string; of null an empty one.</summary>
    public override string ToString() => _bytes.IsEmpty ? string.Empty : _form == Form.Utf16 ? new string(MemoryMarshal.Cast<byte, char>(_bytes)) : Latin1Strings.Of(_bytes);

    static int INinoView<NinoStringView>.FixedSize => 0;

    static int INinoView<NinoStringView>.MinSize => 1;

    static int INinoView<NinoStringView>.MinBodySize => 0;

    static int INinoView<NinoStringView>.FixedBodySize => 0;

    static NinoStringView INinoView<NinoStringView>.At(ReadOnlySpan<byte> value)
    {
        // The usual header is one byte.
        if (value.Length > 0 && value[0] is > 0 and < CompactNumber.Marker16)
        {
            int header = value[0] - 1, size = header & 1, length = (header >> 1) << size;
            if (length < value.Length) return new NinoStringView(value.Slice(1, length), size == 0 ? Form.Latin1 : Form.Utf16);
        }

        return AtLong(value);
    }

    static NinoStringView INinoView<NinoStringView>.AtBody(ReadOnlySpan<byte> body) => throw new NotSupportedException();

    static void INinoView<NinoStringView>.Skip(ref NinoReader reader) => Take(ref reader, out _);

    static void INinoView<NinoStringView>.SkipBody(ref NinoReader reader) => throw new NotSupportedException();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static NinoStringView AtLong(ReadOnlySpan<byte> value)
    {
        var reader = new NinoReader(value);
        int length = Take(ref reader, out Form form);
        return new NinoStringView(value.Slice(reader.Position - length, length), form);
    }

    // Moves over the string and returns how many bytes its chars take.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Take(ref NinoReader reader, out Form form)
    {
        uint header = reader.ReadCompact();
        form = Form.Null;
        if (header == 0) return 0;
        bool isUtf16 = ((header - 1) & 1) != 0;
        form = isUtf16 ? Form.Utf16 : Form.Latin1;
        long bytes = (long)((header - 1) >> 1) << (isUtf16 ? 1 : 0);
        if (bytes > reader.Remaining) Throw.EndOfInput(bytes, reader.Remaining);
        reader.Take((int)bytes);
        return (int)bytes;
    }
}
