using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>Reads the parts of a schema one after the other, and knows where the last one begins: what is wrong with it is wrong there.</summary>
internal ref struct SchemaReader(ReadOnlySpan<byte> bytes)
{
    private NinoReader _reader = new(bytes);

    /// <summary>Offset of the part that was read last, or was to be.</summary>
    public int Start { get; set; }

    public byte Byte()
    {
        Start = _reader.Position;
        return _reader.Take(1);
    }

    public uint Compact()
    {
        Start = _reader.Position;
        return _reader.ReadCompact();
    }

    /// <summary>How many parts follow.</summary>
    /// <param name="minSize">The least bytes of one.</param>
    public int Count(int minSize)
    {
        uint count = Compact();
        _reader.CheckCount(count, minSize);
        return (int)count;
    }

    public uint UInt32()
    {
        Start = _reader.Position;
        return default(UInt32Codec).Read(ref _reader);
    }

    public long Int64()
    {
        Start = _reader.Position;
        return default(Int64Codec).Read(ref _reader);
    }

    public ReadOnlySpan<byte> Span(int size)
    {
        Start = _reader.Position;
        return _reader.TakeSpan(size);
    }

    /// <summary>Checks that nothing follows.</summary>
    public void End()
    {
        Start = _reader.Position;
        if (_reader.Remaining != 0) Throw.TrailingBytes(_reader.Remaining);
    }
}
