using System.Text;
using Store.Serialization;

namespace Store.Tests.Values;

/// <summary>A random schema with a random record of it. The same seed gives the same.</summary>
internal sealed class RandomRecord
{
    private static readonly SchemaKind[] Scalars =
    [
        SchemaKind.Boolean, SchemaKind.SByte, SchemaKind.Byte, SchemaKind.Int16, SchemaKind.UInt16, SchemaKind.Int32, SchemaKind.UInt32, SchemaKind.Int64, SchemaKind.UInt64,
        SchemaKind.Int128, SchemaKind.UInt128, SchemaKind.Half, SchemaKind.Single, SchemaKind.Double, SchemaKind.Decimal, SchemaKind.Char, SchemaKind.Rune, SchemaKind.Guid,
        SchemaKind.DateTime, SchemaKind.DateTimeOffset, SchemaKind.TimeSpan, SchemaKind.DateOnly, SchemaKind.TimeOnly,
    ];

    private readonly Random _random;
    private readonly RecordBytes _bytes = new();
    private SchemaNode? _root;
    private readonly List<ObjectDefinition> _met = [];
    private int _names;

    /// <summary>Above 0 inside of a case that unknowing readers skip: no references there.</summary>
    private int _skippable;

    // Without what the model of evolution does not know: unions, references, kept comparers, UTF-8 and big integers.
    private readonly bool _isPlain;

    private readonly int _wrongOneIn;

    public RandomRecord(int seed, bool isPlain = false)
    {
        _isPlain = isPlain;
        _random = new Random(seed);
        _root = Object(isReference: true, depth: 4, isRoot: true);
        Schema = NinoSchema.Create(_root);
        Body(_root, depth: 0);
        Bytes = _bytes.ToArray();
    }

    /// <summary>A record of a given schema.</summary>
    /// <param name="schema">The schema.</param>
    /// <param name="seed">The same gives the same.</param>
    /// <param name="wrongOneIn">About one value in so many is replaced by something that need not be one: the record is hostile, in the places that matter. 0: none.</param>
    public RandomRecord(NinoSchema schema, int seed, int wrongOneIn = 0)
    {
        _random = new Random(seed);
        _wrongOneIn = wrongOneIn;
        Schema = schema;
        if (schema.Root.Definition is ObjectDefinition { KeepsReferences: true })
        {
            _bytes.Raw(1);
            Numbered(schema.Root, depth: 0);
        }
        else if (schema.Root.HasPresenceByte)
        {
            Body(schema.Root, depth: 0);
        }
        else
        {
            Value(schema.Root, depth: 0);
        }

        Bytes = _bytes.ToArray();
    }

    public NinoSchema Schema { get; }

    public byte[] Bytes { get; }

    private SchemaNode Node(int depth) => _random.Next(depth <= 0 ? 5 : 12) switch
    {
        0 or 1 or 2 => SchemaNode.Primitive(Scalars[_random.Next(Scalars.Length)]),
        3 when _isPlain => SchemaNode.Primitive(SchemaKind.String),
        3 => SchemaNode.Primitive(_random.Next(6) switch { 0 => SchemaKind.Utf8String, 1 => SchemaKind.BigInteger, _ => SchemaKind.String }),
        4 => Shapes.Enum($"E{_names++}", (SchemaKind)((int)SchemaKind.SByte + _random.Next(8)), _random.Next(2) == 0, [("None", 0L), ("A", 1L), ("B", 2L), ("C", 4L)]),
        5 => SchemaNode.Nullable(_random.Next(2) == 0 ? SchemaNode.Primitive(Scalars[_random.Next(Scalars.Length)]) : Object(isReference: false, depth - 1)),
        6 => SchemaNode.List(_random.Next(4) == 0 ? SchemaNode.Primitive(SchemaKind.Byte) : Node(depth - 1)),
        7 => SchemaNode.Map(_random.Next(2) == 0 ? SchemaNode.Primitive(SchemaKind.String) : Node(0), Node(depth - 1)),
        8 => _root is not null && _skippable == 0 && _random.Next(2) == 0 ? _root : Object(isReference: true, depth - 1),
        9 when !_isPlain => Union(depth - 1),
        10 when !_isPlain => Object(isReference: true, depth - 1, keepsReferences: _skippable == 0),
        _ => Object(isReference: _random.Next(2) == 0, depth - 1),
    };

    private SchemaNode Union(int depth)
    {
        UnionForm form = _random.Next(2) == 0 ? UnionForm.Hashed : UnionForm.ExplicitTags;
        if (_random.Next(3) == 0) form |= UnionForm.SkipsUnknown;
        else if (_skippable == 0 && _random.Next(2) == 0) form |= UnionForm.KeepsReferences;
        var union = new UnionDefinition($"U{_names++}", form);
        if (union.SkipsUnknown) _skippable++;
        for (int i = _random.Next(1, 4); i > 0; i--)
        {
            SchemaNode one = Object(isReference: union.KeepsReferences || _random.Next(3) > 0, depth, keepsReferences: union.KeepsReferences || (_skippable == 0 && _random.Next(4) == 0));
            union.Add(new UnionCase(union.HasExplicitTags ? (uint)(i * _random.Next(1, 1000)) : UnionDefinition.HashOf(one.Definition!.Name), one));
        }

        if (union.SkipsUnknown) _skippable--;
        union.Sort();
        return union.Cases.Select(static one => one.Tag).Distinct().Count() == union.Cases.Count ? SchemaNode.Reference(union) : Union(depth);
    }

    private SchemaNode Object(bool isReference, int depth, bool isRoot = false, bool keepsReferences = false)
    {
        var definition = new ObjectDefinition($"T{_names++}", isReference, isReference && keepsReferences);
        SchemaNode node = SchemaNode.Reference(definition);
        if (isRoot) _root = node;
        int count = _random.Next(isRoot ? 1 : 0, 5);
        for (int i = 0; i < count; i++) definition.Add(new SchemaField($"F{i}", 0, Node(depth)));
        return node;
    }

    private static int FixedSize(SchemaNode node) => node.Kind switch
    {
        SchemaKind.Nullable => FixedSize(node.Element!) is > 0 and int size ? size + 1 : 0,
        SchemaKind.Enum => Size(((EnumDefinition)node.Definition!).Underlying),
        SchemaKind.Object when node.Definition is ObjectDefinition { IsReference: false, Fields: var fields } => fields is not null && fields.All(f => FixedSize(f.Node) > 0) ? Math.Max(1, fields.Sum(f => FixedSize(f.Node))) : 0,
        _ => Size(node.Kind),
    };

    private static int Size(SchemaKind kind) => kind switch
    {
        SchemaKind.Boolean or SchemaKind.SByte or SchemaKind.Byte => 1,
        SchemaKind.Int16 or SchemaKind.UInt16 or SchemaKind.Half or SchemaKind.Char => 2,
        SchemaKind.Int32 or SchemaKind.UInt32 or SchemaKind.Single or SchemaKind.Rune or SchemaKind.DateOnly => 4,
        SchemaKind.DateTimeOffset => 10,
        SchemaKind.Int128 or SchemaKind.UInt128 or SchemaKind.Decimal or SchemaKind.Guid => 16,
        < SchemaKind.BigInteger => 8,
        _ => 0,
    };

    private void Value(SchemaNode node, int depth)
    {
        if (_wrongOneIn > 0 && _random.Next(_wrongOneIn) == 0)
        {
            Wrong();
            return;
        }

        switch (node.Kind)
        {
            case SchemaKind.Boolean: _bytes.Raw((byte)_random.Next(2)); break;
            case SchemaKind.Decimal: _bytes.Decimal(new decimal(_random.Next(), _random.Next(), _random.Next(), _random.Next(2) == 0, (byte)_random.Next(29))); break;
            case SchemaKind.Rune: _bytes.Int32(_random.Next(2) == 0 ? _random.Next(0xD800) : _random.Next(0xE000, 0x110000)); break;
            case SchemaKind.DateTime: _bytes.Int64(_random.NextInt64(DateTime.MaxValue.Ticks) | (_random.NextInt64(4) << 62)); break;
            case SchemaKind.DateTimeOffset: _bytes.DateTimeOffset(new DateTimeOffset(_random.NextInt64(TimeSpan.TicksPerDay, DateTime.MaxValue.Ticks - TimeSpan.TicksPerDay), TimeSpan.FromMinutes(_random.Next(-840, 841)))); break;
            case SchemaKind.DateOnly: _bytes.Int32(_random.Next(DateOnly.MaxValue.DayNumber + 1)); break;
            case SchemaKind.TimeOnly: _bytes.Int64(_random.NextInt64(TimeOnly.MaxValue.Ticks + 1)); break;
            case SchemaKind.String: _bytes.Text(_random.Next(8) == 0 ? null : Text(node)); break;
            case SchemaKind.Utf8String: Utf8(_random.Next(8) == 0 ? null : Text()); break;
            case SchemaKind.BigInteger: BigInteger(); break;
            case SchemaKind.Nullable when _random.Next(2) == 0: _bytes.Raw(0).Raw(new byte[FixedSize(node.Element!)]); break;
            case SchemaKind.Nullable: _bytes.Raw(1); Value(node.Element!, depth); break;
            case SchemaKind.List: List(node, depth); break;
            case SchemaKind.Map:
                int pairs = Count(depth);
                if (pairs >= 0) Comparer(node.Key!);
                if (pairs < 0) _bytes.Null();
                else _bytes.Count(pairs);
                for (int i = 0; i < pairs; i++)
                {
                    Value(node.Key!, depth + 1);
                    Value(node.Element!, depth + 1);
                }

                break;
            case SchemaKind.Union: Value((UnionDefinition)node.Definition!, depth); break;
            case SchemaKind.Object when ((ObjectDefinition)node.Definition!).KeepsReferences:
                if (Reference(met => ReferenceEquals(met, node.Definition), mayBeNull: true, depth)) Numbered(node, depth);
                break;
            case SchemaKind.Object when node.HasPresenceByte && (IsEnough(depth) || _random.Next(4) == 0): _bytes.Raw(0); break;
            case SchemaKind.Object:
                if (node.HasPresenceByte) _bytes.Raw(1);
                Body(node, depth + 1);
                break;
            case SchemaKind.Enum: _bytes.Number(_random.Next(9), FixedSize(node)); break;
            default:
                byte[] bytes = new byte[Size(node.Kind)];
                _random.NextBytes(bytes);
                _bytes.Raw(bytes);
                break;
        }
    }

    // What stands where a value should: a count that nothing holds, a presence byte or a kind that is none, a few random bytes, or nothing.
    private void Wrong()
    {
        switch (_random.Next(6))
        {
            case 0: _bytes.Raw(254).Int32(_random.Next(2) == 0 ? int.MinValue : _random.Next()); break;
            case 1: _bytes.Raw(253).Int16((short)_random.Next()); break;
            case 2: _bytes.Raw((byte)_random.Next(248, 256)); break;
            case 3: _bytes.Raw(255, (byte)_random.Next(8)); break;
            case 4:
                byte[] bytes = new byte[_random.Next(1, 20)];
                _random.NextBytes(bytes);
                _bytes.Raw(bytes);
                break;
        }
    }

    private void Value(UnionDefinition union, int depth)
    {
        if (union.KeepsReferences)
        {
            if (!Reference(met => union.Cases.Any(one => ReferenceEquals(one.Node.Definition, met)), mayBeNull: true, depth)) return;
        }
        else if (IsEnough(depth) || _random.Next(4) == 0)
        {
            _bytes.Raw(new byte[union.HasExplicitTags ? 1 : 4]);
            return;
        }

        UnionCase one = union.Cases[_random.Next(union.Cases.Count)];
        if (union.HasExplicitTags) _bytes.Compact(one.Tag + 1);
        else _bytes.Number(one.Tag, 4);
        if (!union.SkipsUnknown)
        {
            Case(union, one, depth);
            return;
        }

        int start = _bytes.Length;
        Case(union, one, depth);
        byte[] written = _bytes.Cut(start);
        _bytes.Compact((uint)written.Length).Raw(written);
    }

    private void Case(UnionDefinition union, UnionCase one, int depth)
    {
        if (union.KeepsReferences) Numbered(one.Node, depth);
        else if (!((ObjectDefinition)one.Node.Definition!).KeepsReferences) Body(one.Node, depth + 1);
        else if (Reference(met => ReferenceEquals(met, one.Node.Definition), mayBeNull: false, depth)) Numbered(one.Node, depth);
    }

    // Null, an object that was met, or a new one: then true.
    private bool Reference(Func<ObjectDefinition, bool> fits, bool mayBeNull, int depth)
    {
        int[] known = [.. Enumerable.Range(0, _met.Count).Where(i => fits(_met[i]))];
        if (mayBeNull && (IsEnough(depth) || _random.Next(4) == 0)) _bytes.Raw(0);
        else if (known.Length > 0 && _random.Next(3) == 0) _bytes.Compact((uint)known[_random.Next(known.Length)] + 2);
        else
        {
            _bytes.Raw(1);
            return true;
        }

        return false;
    }

    private void Numbered(SchemaNode node, int depth)
    {
        _met.Add((ObjectDefinition)node.Definition!);
        Body(node, depth + 1);
    }

    private void Body(SchemaNode node, int depth)
    {
        IReadOnlyList<SchemaField> fields = ((ObjectDefinition)node.Definition!).Fields;
        if (fields.Count == 0) _bytes.Raw(0);
        foreach (SchemaField field in fields) Value(field.Node, depth);
    }

    private void List(SchemaNode node, int depth)
    {
        int count = Count(depth);
        // What the type demands, it mostly gets.
        foreach (SchemaRule rule in node.Rules)
        {
            if (_random.Next(8) == 0) continue;
            if (rule.Length is { } length) count = length;
            else if (rule == SchemaRule.NoNull) count = Math.Max(count, 0);
        }

        SchemaNode element = node.Element!;
        bool hasNulls = count > 0 && _random.Next(2) == 0;
        int nullAt = hasNulls ? _random.Next(count) : -1;
        if (count >= 0) Comparer(element);
        if (count < 0) _bytes.Null();
        else if (element.HasPresenceByte) _bytes.ObjectCount(count, hasNulls);
        else _bytes.Count(count);
        for (int i = 0; i < count; i++)
        {
            if (!element.HasPresenceByte) Value(element, depth + 1);
            else if (!hasNulls) Body(element, depth + 1);
            else if (i == nullAt) _bytes.Null();
            else Value(element, depth + 1);
        }
    }

    /// <summary>Sets and maps of strings may be marked with the comparer they had.</summary>
    private void Comparer(SchemaNode compared)
    {
        if (_isPlain) return;
        if (compared.Kind is SchemaKind.String or SchemaKind.Utf8String && _random.Next(4) == 0) _bytes.Raw(255, (byte)_random.Next(1, 5));
    }

    private void Utf8(string? text)
    {
        if (text is null)
        {
            _bytes.Null();
            return;
        }

        byte[] utf8 = Encoding.UTF8.GetBytes(text);
        bool isUtf16 = Encoding.UTF8.GetString(utf8) != text;
        byte[] bytes = isUtf16 ? Encoding.Unicode.GetBytes(new string('x', text.Length)) : utf8;
        if (isUtf16) System.Runtime.InteropServices.MemoryMarshal.AsBytes(text.AsSpan()).CopyTo(bytes);
        _bytes.Compact((((uint)bytes.Length << 1) | (isUtf16 ? 1u : 0u)) + 1).Raw(bytes);
    }

    private void BigInteger()
    {
        byte[] random = new byte[_random.Next(1, 40)];
        _random.NextBytes(random);
        byte[] bytes = new System.Numerics.BigInteger(random).ToByteArray();
        _bytes.Compact((uint)bytes.Length).Raw(bytes);
    }

    // Deep or long enough: types that hold themselves in many fields would not end.
    private bool IsEnough(int depth) => depth > 8 || _bytes.Length > 4000;

    private int Count(int depth) => depth > 6 || _bytes.Length > 1000 ? _random.Next(-1, 1) : _random.Next(-1, 5);

    /// <summary>Mostly one that the type takes, where it is one of those that are stored as text.</summary>
    private string Text(SchemaNode node) => KnownTexts.Of(node) is { Length: > 0 } known && _random.Next(8) > 0 ? known[_random.Next(known.Length)] : Text();

    private string Text()
    {
        var text = new StringBuilder();
        int alphabet = _random.Next(3);
        for (int i = _random.Next(6); i > 0; i--) text.Append((char)(alphabet switch { 0 => _random.Next(32, 127), 1 => _random.Next(256), _ => _random.Next(65536) }));
        return text.ToString();
    }
}
