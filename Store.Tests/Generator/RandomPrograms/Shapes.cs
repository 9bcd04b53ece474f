// Reads the shape of a value by reflection, from its fields: nothing of the engine's, nothing that a property's code or an Equals could hide.

using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>Reads shapes of values of a loaded program.</summary>
internal sealed class Shapes(LoadedProgram? program)
{
    private static readonly HashSet<Type> Unordered =
    [
        typeof(HashSet<>), typeof(Dictionary<,>), typeof(ReadOnlySet<>), typeof(ReadOnlyDictionary<,>), typeof(ConcurrentDictionary<,>), typeof(ImmutableHashSet<>), typeof(ImmutableDictionary<,>), typeof(PriorityQueue<,>),
    ];

    private static readonly HashSet<string> Rendered = ["BigInteger", "Complex", "Vector2", "Vector3", "Vector4", "Quaternion", "Plane", "Matrix3x2", "Matrix4x4", "Point", "PointF", "Size", "SizeF", "Rectangle", "RectangleF", "BitVector32", "IPAddress", "IPEndPoint", "IPv6Address", "ReadOnlyIPAddress"];

    private readonly Dictionary<object, int> _seen = new(ReferenceEqualityComparer.Instance);

    /// <summary>Tells of each object with callbacks how often they ran: made, read, written.</summary>
    public List<(int Begun, int Read, int Written)> Calls { get; } = [];

    public static Shape Of(LoadedProgram program, object? value) => new Shapes(program).Of(value);

    /// <summary>The shape of a value of the framework.</summary>
    public static Shape OfPlain(object? value) => new Shapes(null).Of(value);

    public Shape Of(object? value) => Look(value) with { Of = value?.GetType() };

    private Shape Look(object? value)
    {
        switch (value)
        {
            case null: return new Shape.Nothing();
            case string text: return new Shape.Atom("String", Quoted(text), text);
            case float number: return Atom(number, BitConverter.SingleToUInt32Bits(number).ToString("X8", CultureInfo.InvariantCulture));
            case double number: return Atom(number, BitConverter.DoubleToUInt64Bits(number).ToString("X16", CultureInfo.InvariantCulture));
            case Half number: return Atom(number, BitConverter.HalfToUInt16Bits(number).ToString("X4", CultureInfo.InvariantCulture));
            case decimal number: return Atom(number, string.Join('.', decimal.GetBits(number)));
            case char one: return Atom(one, ((int)one).ToString(CultureInfo.InvariantCulture));
            case Rune one: return Atom(one, one.Value.ToString(CultureInfo.InvariantCulture));
            case DateTime time: return Atom(time, $"{time.Ticks} {time.Kind}");
            case DateTimeOffset time: return Atom(time, $"{time.Ticks} {time.Offset.Ticks}");
            case DateOnly date: return Atom(date, date.DayNumber.ToString(CultureInfo.InvariantCulture));
            case TimeOnly time: return Atom(time, time.Ticks.ToString(CultureInfo.InvariantCulture));
            case StringBuilder text: return new Shape.Atom("StringBuilder", Quoted(text.ToString()), null);
            case Uri uri: return new Shape.Atom("Uri", Quoted(uri.OriginalString) + uri.IsAbsoluteUri, null);
            case CultureInfo culture: return Atom(culture, culture.Name);
            case CompareInfo compare: return Atom(compare, compare.Name);
            case TimeZoneInfo zone: return Atom(zone, zone.Id);
            case Encoding encoding: return new Shape.Atom("Encoding", $"{encoding.WebName} {encoding.Preamble.Length}", null);
            case Type one: return new Shape.Atom("Type", one.ToString(), null);
            case StringComparer comparer: return new Shape.Atom("StringComparer", $"{comparer.Equals("a", "A")} {comparer == StringComparer.Ordinal}{comparer == StringComparer.OrdinalIgnoreCase}{comparer == StringComparer.InvariantCulture}", null);
            case System.Drawing.Color color: return Atom(color, $"{color.Name} {color.ToArgb()}");
            case JsonElement element: return Atom(element, element.ValueKind == JsonValueKind.Undefined ? "null" : element.GetRawText());
            case JsonNode node: return new Shape.Atom("Json", node.ToJsonString(), null);
            case BitArray bits: return new Shape.Atom("BitArray", string.Concat(bits.Cast<bool>().Select(static bit => bit ? '1' : '0')), null);
            case System.Collections.Specialized.NameValueCollection names: return new Shape.Items([.. names.AllKeys.Select(key => new Shape.Items([Of(key), Of(names.GetValues(key))], true, ""))], true, "");
            case Exception one: return new Shape.Items([new Shape.Atom("Exception", Quoted((one as Store.Serialization.NinoStoredException)?.TypeName ?? one.GetType().ToString()), null), Of(one.Message), Of(one.HResult), Of(one.InnerException), .. one.Data.Cast<DictionaryEntry>().Select(entry => Of($"{entry.Key}={entry.Value}"))], true, "");
            case Array array: return new Shape.Items([.. array.Cast<object?>().Select(Of)], true, array.Rank == 1 ? "" : string.Join('x', Enumerable.Range(0, array.Rank).Select(array.GetLength)));
            case ITuple tuple when value.GetType().Assembly == typeof(Tuple).Assembly: return new Shape.Items([.. Enumerable.Range(0, tuple.Length).Select(i => Of(tuple[i]))], true, "tuple");
        }

        Type type = value.GetType();
        if (type.IsEnum) return new Shape.Atom("Enum", Convert.ToString(Convert.ChangeType(value, Enum.GetUnderlyingType(type), CultureInfo.InvariantCulture), CultureInfo.InvariantCulture)!, value);
        if (type.IsPrimitive || value is Guid or TimeSpan or Int128 or UInt128 or Version or Index or Range || Rendered.Contains(type.Name)) return Rounded(value, type);
        if (OwnCodecs.ShapeOf(value) is { } own) return own;
        if (program?.ModelOf(type) is { } model) return OfObject(value, type, model);
        Type definition = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
        if (type is { Namespace: "Own", IsValueType: true }) return new Shape.Items([.. OwnTypes.ElementsOf(value).Cast<object?>().Select(Of)], true, "three");
        if (definition == typeof(KeyValuePair<,>)) return new Shape.Items([Of(Get(value, "Key")), Of(Get(value, "Value"))], true, "pair");
        if (definition == typeof(Lazy<>)) return new Shape.Items([Of(Get(value, "Value"))], true, "lazy");
        if (definition == typeof(Memory<>) || definition == typeof(ReadOnlyMemory<>)) return Of(type.GetMethod("ToArray")!.Invoke(value, null));
        if (definition == typeof(ArraySegment<>) && Get(value, "Array") is null) return new Shape.Nothing();
        if (definition == typeof(ImmutableArray<>) && (bool)Get(value, "IsDefault")!) return new Shape.Nothing();
        if (definition == typeof(System.Buffers.ReadOnlySequence<>)) return new Shape.Items([.. ((IEnumerable)Collections.Segments(value)).Cast<object?>().Select(Of)], true, "");
        if (definition == typeof(PriorityQueue<,>)) return new Shape.Items([.. ((IEnumerable)Get(value, "UnorderedItems")!).Cast<object>().Select(Of)], false, "queue");
        if (type.GetInterfaces().FirstOrDefault(static one => one.IsGenericType && one.GetGenericTypeDefinition() == typeof(IGrouping<,>)) is { } grouping)
            return new Shape.Items([Of(grouping.GetProperty("Key")!.GetValue(value)), .. ((IEnumerable)value).Cast<object?>().Select(Of)], true, "group");
        if (value is IEnumerable all)
        {
            bool isOrdered = !Unordered.Contains(definition) && !(type.Namespace == "Own" && type.Name[0] is 'T' or 'R') && type.Namespace != typeof(FrozenSet).Namespace;
            IEnumerable<object?> items = all.Cast<object?>();
            // Objects that are told apart are numbered in the order of the keys, which hold none.
            if (!isOrdered) items = items.OrderBy(one => Of(one is not null && one.GetType().Name.StartsWith("KeyValuePair", StringComparison.Ordinal) ? Get(one, "Key") : one).ToString(), StringComparer.Ordinal);
            return new Shape.Items([.. items.Select(Of)], isOrdered, Comparers.NameOf(value));
        }

        if (type == typeof(ValueTuple)) return new Shape.Items([], true, "tuple");
        throw new NotSupportedException($"The shape of {type}.");
    }

    private static Shape.Atom Rounded(object value, Type type)
    {
        // Their texts round nothing but the floating-point numbers of vectors, which .NET prints so that they read back.
        string text = Convert.ToString(value, CultureInfo.InvariantCulture)!;
        return new Shape.Atom(type.Name.Contains("Address", StringComparison.Ordinal) ? "IPAddress" : type.Name, text, value);
    }

    private Shape OfObject(object value, Type type, TypeModel model)
    {
        int? number = null;
        if (model.IsTracked)
        {
            if (_seen.TryGetValue(value, out int seen)) return new Shape.Again(seen);
            number = _seen.Count;
            _seen.Add(value, _seen.Count);
        }

        List<(string, Shape)> members = [];
        foreach ((FieldInfo field, MemberModel member) in program!.FieldsOf(type)) members.Add((member.State, Of(field.GetValue(value))));
        for (Type? one = type; one is not null && program.ModelOf(one) is { } declared; one = one.BaseType)
        {
            if (!declared.HasCallbacks) continue;
            int Count(string name) => (int)one.GetField(name, BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(value)!;
            Calls.Add((Count("_begunCalls"), Count("_readCalls"), Count("_writeCalls")));
        }

        return new Shape.Object(model.ReflectedName, number, members);
    }

    private static object? Get(object value, string property) => value.GetType().GetProperty(property)!.GetValue(value);

    private static Shape.Atom Atom(object value, string text) => new(value.GetType().Name, text, value);

    private static string Quoted(string text) => "\"" + string.Concat(text.Select(static one => one is >= ' ' and < '\u007F' and not '"' and not '\\' ? one.ToString() : $"\\u{(int)one:X4}")) + "\"";
}
