// Where the direct way stands in the record that it reads and in the buffer that it fills.

using System.Runtime.CompilerServices;
using Store.Serialization.Codecs;

namespace Store.Serialization.Evolution;

/// <summary>A place in a stored record and one in the record that is made of it. Whoever moves on from a place kept in locals puts it back before calling.</summary>
internal ref struct DirectCursor(ReadOnlySpan<byte> source, ContiguousBuffer buffer, NinoLimits limits, int maxBytes)
{
    public readonly ReadOnlySpan<byte> Source = source;
    public readonly NinoLimits Limits = limits;

    /// <summary>How long the record may become.</summary>
    public readonly int MaxBytes = maxBytes;
    private readonly ContiguousBuffer _buffer = buffer;

    public int Position;

    /// <summary>All memory there is for the record; <see cref="Used"/> bytes of it are written.</summary>
    public Span<byte> Target = buffer.Everything;

    public int Used;

    /// <summary>Makes room for more bytes.</summary>
    /// <exception cref="NinoSerializationException">What is written already is more than a record may have.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Grow(int size)
    {
        if (Used > MaxBytes) Throw.RecordTooLarge(MaxBytes);
        _buffer.SetUsed(Used);

        // As much again as is still to be read, so that a long record grows once.
        int left = Source.Length - Position;
        _buffer.GetSpan(Math.Max(size, left + (left >> 2)));
        Target = _buffer.Everything;
    }

    /// <summary>Rewrites one value as the plan does where there is no direct way for it. Depth counts from zero: no recursive type is around it.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Map(ValueMap value)
    {
        _buffer.SetUsed(Used);
        var reader = new NinoReader(Source[Position..], Limits);
        var writer = new NinoWriter(_buffer, Limits, MaxBytes - Used);
        MapValues.Value(value, ref reader, ref writer);
        writer.Flush();
        Position += reader.Position;
        Used = _buffer.Written.Length;
        Target = _buffer.Everything;
        if (Used > MaxBytes) Throw.RecordTooLarge(MaxBytes);
    }

    /// <summary>Moves over a value that has no place any more, and checks it.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Drop(SchemaNode node)
    {
        var reader = new NinoReader(Source[Position..], Limits);
        RecordWalker.Skip(ref reader, node);
        Position += reader.Position;
    }

    /// <summary>Copies the header of a list without nulls or of a map, and returns how many bodies or pairs follow; -1 for null, -2 where the plan has to look.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Count(ValueMap value)
    {
        var reader = new NinoReader(Source[Position..], Limits);
        uint header = reader.ReadHeader(out KnownComparer comparer);
        if (comparer != KnownComparer.Default) return -2;
        int count;
        if (header == 0)
        {
            count = -1;
        }
        else if (value.Form == ValueForm.Map)
        {
            reader.CheckCount(header - 1, SchemaShape.MinSizeOf(value.Key!.Stored) + SchemaShape.MinSizeOf(value.Element!.Stored));
            count = (int)Math.Min(header - 1, int.MaxValue);
        }
        else
        {
            bool isClass = value.Element!.Stored.HasPresenceByte;
            if (isClass && ((header - 1) & 1) != 0) return -2;
            uint elements = isClass ? (header - 1) >> 1 : header - 1;
            reader.CheckCount(elements, 1);
            count = (int)Math.Min(elements, int.MaxValue);
        }

        Copy(reader.Position);
        return count;
    }

    /// <summary>Copies the next bytes as they are.</summary>
    public void Copy(int length)
    {
        if (Target.Length - Used < length) Grow(length);
        Source.Slice(Position, length).CopyTo(Target[Used..]);
        Position += length;
        Used += length;
    }
}
