// Draws types of members: what models hold.

namespace Store.Tests.Generator.RandomModels;

/// <summary>Draws types of members.</summary>
/// <param name="program">The program that they are in.</param>
/// <param name="random">The chance.</param>
internal sealed class ModelTypeDrawer(ModelProgram program, Random random)
{
    private static readonly MemberType[] Everywhere =
    [
        new("int", "R.Int(r)") { IsValue = true, IsNumber = true }, new("long", "(long)R.Int(r)") { IsValue = true, IsNumber = true }, new("byte", "(byte)r.Next(200)") { IsValue = true, IsNumber = true },
        new("string", "R.Text(r)"), new("string", "R.Text(r)"), new("bool", "r.Next(2) == 0") { IsValue = true }, new("double", "R.Int(r) / 7.0") { IsValue = true, IsNumber = true }, new("decimal", "R.Int(r) * 1.10m") { IsValue = true, IsNumber = true },
        new("DateTime", "R.Time(r)") { IsValue = true }, new("DateTimeOffset", "new DateTimeOffset(2000, 1, 2, 3, 4, R.Int(r) & 31, TimeSpan.FromHours(r.Next(3)))") { IsValue = true }, new("TimeSpan", "TimeSpan.FromSeconds(R.Int(r))") { IsValue = true },
        new("Guid", "new Guid(R.Int(r), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)") { IsValue = true }, new("Uri", "new Uri(\"http://h/\" + R.Text(r))"), new("char", "(char)('a' + r.Next(26))") { IsValue = true }, new("byte[]", "R.Text(r).Select(one => (byte)one).ToArray()"),
    ];

    private static readonly MemberType[] OnlyJson =
    [
        new("DateOnly", "DateOnly.FromDateTime(R.Time(r))") { IsValue = true }, new("TimeOnly", "TimeOnly.FromDateTime(R.Time(r))") { IsValue = true }, new("Version", "new Version(1, r.Next(9))"), new("Int128", "(Int128)R.Int(r)") { IsValue = true }, new("JsonElement", "JsonSerializer.SerializeToElement(R.Int(r))") { IsValue = true },
        new("(int, string)", "(R.Int(r), R.Text(r))") { IsValue = true },
    ];

    // Of a list of one type.
    private static readonly (string Name, string Value, string? Fill)[] Lists =
    [
        ("List<$>", "R.Many<$>(r, () => ?)", "foreach (var one in R.Many<#>(r, () => ?)) $.Add(one);"), ("List<$>", "R.Many<$>(r, () => ?)", "foreach (var one in R.Many<#>(r, () => ?)) $.Add(one);"), ("$[]", "R.Many<$>(r, () => ?).ToArray()", null),
        ("IList<$>", "R.Many<$>(r, () => ?)", "foreach (var one in R.Many<#>(r, () => ?)) $.Add(one);"), ("ICollection<$>", "R.Many<$>(r, () => ?)", "foreach (var one in R.Many<#>(r, () => ?)) $.Add(one);"), ("IEnumerable<$>", "R.Many<$>(r, () => ?)", null),
        ("IReadOnlyList<$>", "R.Many<$>(r, () => ?)", null), ("IReadOnlyCollection<$>", "R.Many<$>(r, () => ?)", null), ("Collection<$>", "new Collection<$>(R.Many<$>(r, () => ?))", "foreach (var one in R.Many<#>(r, () => ?)) $.Add(one);"),
        ("ObservableCollection<$>", "new ObservableCollection<$>(R.Many<$>(r, () => ?))", "foreach (var one in R.Many<#>(r, () => ?)) $.Add(one);"), ("Queue<$>", "new Queue<$>(R.Many<$>(r, () => ?))", "foreach (var one in R.Many<#>(r, () => ?)) $.Enqueue(one);"),
        ("LinkedList<$>", "new LinkedList<$>(R.Many<$>(r, () => ?))", "foreach (var one in R.Many<#>(r, () => ?)) $.AddLast(one);"), ("ImmutableArray<$>", "R.Many<$>(r, () => ?).ToImmutableArray()", null), ("ImmutableList<$>", "R.Many<$>(r, () => ?).ToImmutableList()", null),
        ("ReadOnlyCollection<$>", "new ReadOnlyCollection<$>(R.Many<$>(r, () => ?))", null), ("Stack<$>", "new Stack<$>(R.Many<$>(r, () => ?))", "foreach (var one in R.Many<#>(r, () => ?)) $.Push(one);"), ("ConcurrentQueue<$>", "new ConcurrentQueue<$>(R.Many<$>(r, () => ?))", "foreach (var one in R.Many<#>(r, () => ?)) $.Enqueue(one);"),
    ];

    private static readonly (string Name, string Value, string? Fill)[] Sets =
    [
        ("HashSet<$>", "new HashSet<$>(R.Many<$>(r, () => ?))", "foreach (var one in R.Many<#>(r, () => ?)) $.Add(one);"), ("ISet<$>", "new HashSet<$>(R.Many<$>(r, () => ?))", "foreach (var one in R.Many<#>(r, () => ?)) $.Add(one);"), ("SortedSet<$>", "new SortedSet<$>(R.Many<$>(r, () => ?))", "foreach (var one in R.Many<#>(r, () => ?)) $.Add(one);"),
        ("ImmutableHashSet<$>", "R.Many<$>(r, () => ?).ToImmutableHashSet()", null), ("IReadOnlySet<$>", "new HashSet<$>(R.Many<$>(r, () => ?))", null),
    ];

    private static readonly string[] Maps = ["Dictionary", "Dictionary", "IDictionary", "SortedDictionary", "ConcurrentDictionary", "SortedList", "IReadOnlyDictionary", "ImmutableDictionary", "OrderedDictionary"];

    private static readonly string[] NotJson = ["ReadOnlyCollection", "IReadOnlySet"], NotContract = ["Immutable", "IReadOnly", "ISet", "ConcurrentQueue"];

    private bool IsJson => program.Serializer == OtherSerializer.Json;

    private bool IsContract => program.Serializer == OtherSerializer.DataContract;

    private bool TakesAnyElement => program.Marks?.TakesAnyElement ?? true;

    /// <summary>Draws one.</summary>
    /// <param name="owner">The type that has the member: a struct holds only structs that were declared before.</param>
    /// <param name="depth">How deep collections may nest.</param>
    public MemberType Draw(ModelType? owner, int depth = 2)
    {
        int turn = random.Next(100);
        if (turn < 40 || depth == 0) return Scalar();
        if (turn < 46) return Nullable(Scalar());
        if (turn < 52) return Enum() is { } one ? random.Next(3) == 0 ? Nullable(one) : one : Scalar();
        if (turn < 64) return Declared(owner) ?? Scalar();
        if (turn < 92) return Collection(owner, depth);
        if (turn < 94) return Pair(owner, depth);
        if (turn < 96) return Anything();
        return owner is { IsGeneric: true } ? random.Next(3) == 0 ? ListOf(Parameter) : Parameter : Construction(owner) ?? Scalar();
    }

    /// <summary>The type parameter of a generic type.</summary>
    public static MemberType Parameter { get; } = new("T", "t()");

    public MemberType Scalar()
    {
        while (true)
        {
            MemberType one = AnyScalar();
            if (program.Marks?.Takes(one.Name) ?? true) return one;
        }
    }

    private MemberType AnyScalar()
    {
        int at = random.Next(Everywhere.Length + (IsContract ? 0 : OnlyJson.Length));
        return at < Everywhere.Length ? Everywhere[at] : OnlyJson[at - Everywhere.Length];
    }

    public MemberType Int => Everywhere[0];

    /// <summary>A collection that can be filled where it is.</summary>
    public MemberType Fillable(ModelType? owner)
    {
        while (true) if (Collection(owner, 1) is { Fill: not null } one && (!IsContract || !one.Fill.Contains(".Enqueue", StringComparison.Ordinal) & !one.Fill.Contains(".Push", StringComparison.Ordinal))) return one;
    }

    public MemberType Collection(ModelType? owner, int depth)
    {
        int turn = random.Next(10);
        if (turn < 6) return Of(Known(Lists), Element(owner, depth));
        if (turn < 8) return Of(Known(Sets), Key());
        return Map(owner, depth);
    }

    // One that the other serializer knows, mostly.
    private (string Name, string Value, string? Fill) Known((string Name, string Value, string? Fill)[] all)
    {
        while (true)
        {
            (string Name, string Value, string? Fill) one = all[random.Next(all.Length)];
            if (random.Next(100) == 0 || (program.Marks?.Takes(one.Name) ?? !(IsJson ? NotJson : NotContract).Any(name => one.Name.StartsWith(name, StringComparison.Ordinal)))) return one;
        }
    }

    public MemberType ListOf(MemberType item) => Of(Lists[0], item);

    public MemberType List(ModelType? owner) => Of(Lists[0], TakesAnyElement ? Draw(owner, 1) : Element(owner, 1));

    private MemberType Element(ModelType? owner, int depth) => TakesAnyElement ? Draw(owner, depth - 1) : random.Next(3) == 0 && Declared(owner) is { } one && !(one.IsValue && one.Name.EndsWith('?')) ? one with { Name = one.Name.TrimEnd('?') } : Scalar();

    public MemberType Map(ModelType? owner, int depth, string? name = null)
    {
        MemberType key = Key(), item = Element(owner, depth);
        name ??= Maps[random.Next(Maps.Length - (IsContract ? 2 : 0))];
        if (program.Marks?.Takes(name) == false) name = "Dictionary";
        string of = $"<{key.Name}, {item.Name}>", map = $"R.{(TakesAnyElement ? "" : "Whole")}Map<{key.Name}, {item.Name}>(r, () => {key.Value}, () => {item.Value}!)", made = name switch
        {
            "Dictionary" or "IDictionary" or "IReadOnlyDictionary" => map,
            "ImmutableDictionary" => map + ".ToImmutableDictionary()",
            _ => $"new {name}{of}({map})",
        };
        return new MemberType(name + of, made) { Fill = name is "ImmutableDictionary" or "IReadOnlyDictionary" ? null : $"foreach (var one in {map}) $[one.Key] = one.Value;", Empty = name is "IDictionary" or "IReadOnlyDictionary" ? $"new Dictionary{of}()" : name == "ImmutableDictionary" ? $"ImmutableDictionary{of}.Empty" : "new()", Uses = [.. key.Uses, .. item.Uses] };
    }

    public static MemberType Nullable(MemberType type) => type.Name.EndsWith('?') ? type : type with { Name = type.Name + "?", Value = type.IsValue ? $"(r.Next(3) == 0 ? ({type.Name}?)null : {type.Value})" : $"(r.Next(3) == 0 ? null : {type.Value})", IsValue = type.IsValue, IsNumber = type.IsNumber };

    private MemberType Of((string Name, string Value, string? Fill) list, MemberType item)
    {
        string value = item.Value + (item.IsValue ? "" : "!");
        if (!TakesAnyElement) list = (list.Name, list.Value.Replace("R.Many", "R.WholeMany", StringComparison.Ordinal), list.Fill?.Replace("R.Many", "R.WholeMany", StringComparison.Ordinal));
        string name = list.Name.Replace("$", item.Name, StringComparison.Ordinal);
        string empty = list.Name switch { "IList<$>" or "ICollection<$>" => $"new List<{item.Name}>()", "ISet<$>" => $"new HashSet<{item.Name}>()", _ => "new()" };
        return new MemberType(name, list.Value.Replace("$", item.Name, StringComparison.Ordinal).Replace("() => ?", "() => " + value, StringComparison.Ordinal)) { Fill = list.Fill?.Replace("#", item.Name, StringComparison.Ordinal).Replace("() => ?", "() => " + value, StringComparison.Ordinal), Empty = empty, Uses = item.Uses };
    }

    private MemberType Key()
    {
        int turn = random.Next(8);
        return turn switch { 0 or 1 or 2 => Everywhere[3], 3 => Everywhere[0], 4 => Everywhere[11], 5 => Everywhere[1], 6 => Enum() ?? Everywhere[0], _ => Everywhere[8] };
    }

    private MemberType? Enum()
    {
        ModelType[] all = [.. program.Types.Where(static type => type.Kind == ModelKind.Enum)];
        if (all.Length == 0) return null;
        ModelType one = all[random.Next(all.Length)];
        return new MemberType(one.Name, $"(new[] {{ {string.Join(", ", one.Turns == 0 ? (string[])["A", "B", "C"] : ["A", "B"])} }})".Replace("{ A, B", $"{{ {one.Name}.A, {one.Name}.B", StringComparison.Ordinal).Replace(", C", $", {one.Name}.C", StringComparison.Ordinal) + (one.Turns == 0 ? "[r.Next(3)]" : "[r.Next(2)]")) { IsValue = true, IsEnum = true, Uses = [one] };
    }

    private MemberType? Declared(ModelType? owner)
    {
        ModelType[] all = [.. program.Types.Where(type => type.Kind != ModelKind.Enum && !type.IsGeneric && (!type.IsValue || owner is null || type.Index < owner.Index))];
        if (all.Length == 0) return null;
        ModelType one = all[random.Next(all.Length)];
        if (one.IsValue && random.Next(3) == 0) return Nullable(new MemberType(one.Name, $"Make.Of{one.SimpleName}(r, d - 1)") { IsValue = true, Uses = [one] });
        return new MemberType(one.IsValue ? one.Name : one.Name + "?", $"Make.Of{one.SimpleName}(r, d - 1)") { IsValue = one.IsValue, Uses = [one], Empty = one.IsConcrete ? "new()" : "null!" };
    }

    private MemberType? Construction(ModelType? owner)
    {
        ModelType[] all = [.. program.Types.Where(type => type.IsGeneric && type != owner && (!type.IsValue || owner is null || type.Index < owner.Index))];
        if (all.Length == 0) return null;
        ModelType one = all[random.Next(all.Length)];
        MemberType item = Scalar();
        var made = new MemberType($"{one.Name}<{item.Name}>", $"Make.Of{one.SimpleName}<{item.Name}>(r, d - 1, () => {item.Value})") { IsValue = one.IsValue, Uses = [one] };
        program.Constructions.Add(made);
        return made with { Name = one.IsValue ? made.Name : made.Name + "?" };
    }

    private MemberType Pair(ModelType? owner, int depth)
    {
        if (!TakesAnyElement) return Scalar();
        MemberType one = Scalar(), other = Draw(owner, depth - 1);
        return random.Next(2) == 0
            ? new MemberType($"KeyValuePair<{one.Name}, {other.Name}>", $"new KeyValuePair<{one.Name}, {other.Name}>({one.Value}, {other.Value}!)") { IsValue = true, Uses = other.Uses }
            : new MemberType($"Tuple<{one.Name}, {other.Name}>", $"new Tuple<{one.Name}, {other.Name}>({one.Value}, {other.Value}!)") { Uses = other.Uses };
    }

    private MemberType Anything() => IsContract && random.Next(4) == 0 ? random.Next(3) switch
    {
        0 => new MemberType("ArrayList", "new ArrayList { R.Int(r), R.Text(r) }"),
        1 => new MemberType("Hashtable", "new Hashtable { [R.Text(r)] = R.Int(r) }"),
        _ => new MemberType("object[]", "new object[] { R.Int(r), R.Text(r) }") { Empty = "[]" },
    } : !IsContract ? Scalar() : program.Types.Where(static type => type is { IsConcrete: true, IsGeneric: false, IsValue: false, Collection: null }).ToArray() is { Length: > 0 } all && random.Next(2) == 0 && all[random.Next(all.Length)] is { } one ? new MemberType("object", $"(r.Next(2) == 0 ? (object?)Make.Of{one.SimpleName}(r, d - 1) : R.Int(r))") { Empty = "new object()", Uses = [one] } : new MemberType("object", "(r.Next(3) switch { 0 => (object)R.Int(r), 1 => R.Text(r), _ => R.Time(r) })") { Empty = "new object()" };
}
