using System.Buffers.Binary;
using System.Numerics;
using System.Text;
using Store.Serialization.Values;

namespace Store.Serialization;

/// <summary>
/// A decoded value whose CLR type nobody needs to have: a scalar, a string, or a tree of fields, items and pairs. Owns all it holds; immutable;
/// safe for any number of threads. The default value is null.
/// </summary>
public readonly struct NinoValue
{
    /// <summary>Tells a scalar from null.</summary>
    private static readonly object ScalarMarker = new();

    /// <summary>Tells an object that occurs again from null.</summary>
    private static readonly object ReferenceMarker = new();

    private readonly PlanNode? _node;
    private readonly object? _content;

    /// <summary>A scalar's bytes as they lie in the record, first byte lowest; of an object, its number, and above 64 bits whether it is a case.</summary>
    private readonly UInt128 _bits;

    internal NinoValue(PlanNode node, object? content)
    {
        while (node.Kind == SchemaKind.Nullable) node = node.Element!;
        _node = node;
        _content = content;
    }

    private NinoValue(PlanNode node, UInt128 bits, object? content = null)
    {
        _node = node;
        _content = content ?? ScalarMarker;
        _bits = bits;
    }

    internal static NinoValue Object(PlanNode node, NinoValue[] fields, bool isCase, int number) => new(node, new UInt128(isCase ? 1UL : 0, (ulong)number), fields);

    internal static NinoValue Reference(PlanNode node, int number) => new(node, (UInt128)number, ReferenceMarker);

    internal static NinoValue Scalar(PlanNode node, ReadOnlySpan<byte> bytes)
    {
        Span<byte> bits = stackalloc byte[16];
        bits.Clear();
        bytes.CopyTo(bits);
        return new NinoValue(node, BinaryPrimitives.ReadUInt128LittleEndian(bits));
    }

    /// <summary>Decodes a record.</summary>
    /// <param name="schema">What describes the record.</param>
    /// <param name="record">The record's bytes, all of them. Nothing of them is kept.</param>
    /// <param name="limits">Bounds; <see cref="NinoLimits.Default"/> when null.</param>
    /// <exception cref="NinoSerializationException">The bytes are no record of the schema, or exceed a limit.</exception>
    /// <remarks>The tree takes 32 bytes a value, arrays around them and the strings; a record of n bytes has at most n values for each level of its schema's nesting.</remarks>
    public static NinoValue Decode(NinoSchema schema, ReadOnlySpan<byte> record, NinoLimits? limits = null)
    {
        ArgumentNullException.ThrowIfNull(schema);
        var sink = new ValueSink([]);
        RecordDecoder.Decode(schema, record, limits, ref sink);
        return sink.Result;
    }

    /// <summary>How the value is encoded; null for the default value.</summary>
    public SchemaNode? Schema => _node?.Schema;

    /// <summary>What the value is. Never <see cref="SchemaKind.Nullable"/>: a value that may be absent has the kind of what it may be, and <see cref="IsNull"/>. <see cref="SchemaKind.Union"/> only where it is null or refers to another: else the kind of its case.</summary>
    public SchemaKind Kind => _node?.Kind ?? default;

    /// <summary>True when there is no value.</summary>
    public bool IsNull => _content is null;

    /// <summary>Schema name of an object's or enum's type, else null.</summary>
    public string? TypeName => _node?.Schema.Definition?.Name;

    /// <summary>
    /// The number in its record, from 1, of an object to which references are kept (<see cref="NinoTypeAttribute.References"/>); else 0. Two values of one record
    /// with the same number are the same object.
    /// </summary>
    public int ObjectNumber => _content is NinoValue[] && _node?.Object is not null || IsBackReference ? (int)(ulong)_bits : 0;

    /// <summary>True for an object whose declared type is a polymorphic base: the declaration does not say which type it has, <see cref="TypeName"/> does.</summary>
    public bool IsCase => _content is NinoValue[] && _node?.Object is not null && (_bits >> 64) != 0;

    /// <summary>True where an object occurs that has its fields elsewhere in the record, under the same <see cref="ObjectNumber"/>: here it has none.</summary>
    public bool IsBackReference => _content == ReferenceMarker;

    /// <summary>The fields of an object in encoding order; of a value of any other kind, of null and of an object that occurs again, none.</summary>
    public NinoFieldList Fields => _content is NinoValue[] values && _node?.Object is { } plan ? new NinoFieldList(plan, values) : default;

    /// <summary>The items of a list; of a value of any other kind, and of null, none. For a list of bytes <see cref="AsBytes"/> is cheaper.</summary>
    public IReadOnlyList<NinoValue> Items => _content switch
    {
        NinoValue[] items when _node!.Kind == SchemaKind.List => items,
        byte[] bytes => ItemsOf(bytes, _node!.Element!),
        _ => [],
    };

    /// <summary>The pairs of a map in its order; of a value of any other kind, and of null, none.</summary>
    public IReadOnlyList<KeyValuePair<NinoValue, NinoValue>> Pairs => _content as KeyValuePair<NinoValue, NinoValue>[] ?? [];

    /// <summary>A field by name.</summary>
    /// <exception cref="KeyNotFoundException">The value has no such field.</exception>
    public NinoValue this[string name] => TryGetField(name, out NinoValue value) ? value : throw new KeyNotFoundException($"The value ({TypeName ?? Kind.ToString()}) has no field '{name}'.");

    /// <summary>A field by name.</summary>
    /// <returns>True when the value is an object that has the field.</returns>
    public bool TryGetField(string name, out NinoValue value)
    {
        ArgumentNullException.ThrowIfNull(name);
        foreach (NinoField field in Fields)
        {
            if (field.Name != name) continue;
            value = field.Value;
            return true;
        }

        value = default;
        return false;
    }

    /// <summary>A Boolean.</summary>
    /// <exception cref="InvalidOperationException">The value is of another kind, or null.</exception>
    public bool AsBoolean() => Expect(SchemaKind.Boolean) != 0;

    /// <summary>An integer of any width, or an enum's number.</summary>
    /// <exception cref="InvalidOperationException">The value is of another kind, or null.</exception>
    /// <exception cref="OverflowException">It does not fit.</exception>
    public long AsInt64() => checked((long)AsInt128());

    /// <inheritdoc cref="AsInt64"/>
    public ulong AsUInt64() => checked((ulong)AsUInt128());

    /// <inheritdoc cref="AsInt64"/>
    public Int128 AsInt128() => NumberKind switch
    {
        SchemaKind.SByte => (sbyte)_bits,
        SchemaKind.Int16 => (short)_bits,
        SchemaKind.Int32 => (int)_bits,
        SchemaKind.Int64 => (long)_bits,
        SchemaKind.Int128 => (Int128)_bits,
        SchemaKind.UInt128 => checked((Int128)_bits),
        SchemaKind.Byte or SchemaKind.UInt16 or SchemaKind.UInt32 or SchemaKind.UInt64 => (Int128)_bits,
        _ => throw WrongKind("an integer"),
    };

    /// <inheritdoc cref="AsInt64"/>
    public UInt128 AsUInt128() => NumberKind == SchemaKind.UInt128 ? _bits : checked((UInt128)AsInt128());

    /// <summary>An integer of any size or width, or an enum's number.</summary>
    /// <exception cref="InvalidOperationException">The value is of another kind, or null.</exception>
    public BigInteger AsBigInteger() => _content is BigInteger number ? number : NumberKind == SchemaKind.UInt128 ? _bits : AsInt128();

    /// <summary>A <c>double</c>, <c>float</c> or <c>Half</c>, exactly.</summary>
    /// <exception cref="InvalidOperationException">The value is of another kind, or null.</exception>
    public double AsDouble() => NumberKind switch
    {
        SchemaKind.Half => (double)BitConverter.UInt16BitsToHalf((ushort)_bits),
        SchemaKind.Single => BitConverter.UInt32BitsToSingle((uint)_bits),
        SchemaKind.Double => BitConverter.UInt64BitsToDouble((ulong)_bits),
        _ => throw WrongKind("a floating-point number"),
    };

    /// <summary>A <c>decimal</c> with its scale.</summary>
    /// <exception cref="InvalidOperationException">The value is of another kind, or null.</exception>
    public decimal AsDecimal()
    {
        UInt128 bits = Expect(SchemaKind.Decimal);
        int flags = (int)(uint)(bits >> 96);
        return new decimal((int)(uint)bits, (int)(uint)(bits >> 32), (int)(uint)(bits >> 64), flags < 0, (byte)(flags >> 16));
    }

    /// <summary>A string, or a <c>char</c> or <c>Rune</c> as one; null when the value is null.</summary>
    /// <exception cref="InvalidOperationException">The value is of another kind.</exception>
    public string? AsString() => Kind switch
    {
        SchemaKind.String or SchemaKind.Utf8String => (string?)_content,
        SchemaKind.Char or SchemaKind.Rune when IsNull => null,
        SchemaKind.Char => ((char)_bits).ToString(),
        SchemaKind.Rune => new Rune((uint)_bits).ToString(),
        _ => throw WrongKind("a string"),
    };

    /// <summary>A Guid.</summary>
    /// <exception cref="InvalidOperationException">The value is of another kind, or null.</exception>
    public Guid AsGuid()
    {
        Span<byte> bytes = stackalloc byte[16];
        BinaryPrimitives.WriteUInt128LittleEndian(bytes, Expect(SchemaKind.Guid));
        return new Guid(bytes);
    }

    /// <summary>A date and time with its <see cref="DateTimeKind"/>.</summary>
    /// <exception cref="InvalidOperationException">The value is of another kind, or null.</exception>
    public DateTime AsDateTime() => Scalars.DateTimeOf((ulong)Expect(SchemaKind.DateTime));

    /// <summary>A date and time with its offset.</summary>
    /// <exception cref="InvalidOperationException">The value is of another kind, or null.</exception>
    public DateTimeOffset AsDateTimeOffset()
    {
        UInt128 bits = Expect(SchemaKind.DateTimeOffset);
        return new DateTimeOffset((long)(ulong)bits, TimeSpan.FromMinutes((short)(ushort)(bits >> 64)));
    }

    /// <summary>A span of time.</summary>
    /// <exception cref="InvalidOperationException">The value is of another kind, or null.</exception>
    public TimeSpan AsTimeSpan() => new((long)(ulong)Expect(SchemaKind.TimeSpan));

    /// <summary>A date.</summary>
    /// <exception cref="InvalidOperationException">The value is of another kind, or null.</exception>
    public DateOnly AsDateOnly() => DateOnly.FromDayNumber((int)Expect(SchemaKind.DateOnly));

    /// <summary>A time of day.</summary>
    /// <exception cref="InvalidOperationException">The value is of another kind, or null.</exception>
    public TimeOnly AsTimeOnly() => new((long)Expect(SchemaKind.TimeOnly));

    /// <summary>A list of bytes.</summary>
    /// <exception cref="InvalidOperationException">The value is of another kind, or null.</exception>
    public ReadOnlyMemory<byte> AsBytes() => _content as byte[] ?? throw WrongKind("a list of bytes");

    /// <summary>The value as text that does not depend on culture or machine: numbers, times and strings whole, enums by name, everything else as its type and size.</summary>
    public override string ToString()
    {
        if (_content is null) return "null";
        switch (_content)
        {
            case string text: return text;
            case BigInteger number: return Scalars.ToText(number);
            case byte[] bytes: return $"{bytes.Length} bytes";
            case KeyValuePair<NinoValue, NinoValue>[] pairs: return $"{pairs.Length} pairs";
            case NinoValue[] values: return _node!.Object is null ? $"{values.Length} items" : $"{TypeName}, {values.Length} fields";
        }

        PlanNode node = _node!;
        if (IsBackReference) return $"{TypeName} number {ObjectNumber}";
        if (node.Kind == SchemaKind.Char) return ((char)_bits).ToString();
        Span<byte> bits = stackalloc byte[16];
        BinaryPrimitives.WriteUInt128LittleEndian(bits, _bits);
        if (node.Enum is { } names) return names.ToText(Scalars.ReadInt64(node.NumberKind, bits));
        Span<byte> utf8 = stackalloc byte[Scalars.MaxTextBytes];
        return Encoding.UTF8.GetString(utf8[..Scalars.Format(node.Kind, bits[..node.FixedSize], utf8)]);
    }

    private SchemaKind NumberKind => _content == ScalarMarker ? _node!.NumberKind : default;

    private UInt128 Expect(SchemaKind kind) => _content == ScalarMarker && Kind == kind ? _bits : throw WrongKind(kind.ToString());

    private InvalidOperationException WrongKind(string wanted) =>
        new(IsNull ? $"The value is null, not {wanted}. Check IsNull first." : $"The value is of kind {Kind}, not {wanted}. Check Kind first.");

    private static NinoValue[] ItemsOf(byte[] bytes, PlanNode element)
    {
        var items = new NinoValue[bytes.Length];
        for (int i = 0; i < bytes.Length; i++) items[i] = new NinoValue(element, (UInt128)bytes[i]);
        return items;
    }
}
