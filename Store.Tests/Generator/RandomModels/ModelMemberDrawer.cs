// Draws members: one of the ways in which a class declares what it holds. Here are those of several declarations, and what is no member.

using System.Globalization;

namespace Store.Tests.Generator.RandomModels;

/// <summary>Draws the members of a type.</summary>
internal sealed class ModelMemberDrawer : ModelMarkDrawer
{
    private readonly ModelFieldDrawer _fields;
    private readonly ModelPropertyDrawer _properties;

    /// <param name="program">The program.</param>
    /// <param name="types">What draws types of members.</param>
    /// <param name="random">The chance.</param>
    /// <param name="type">The type.</param>
    public ModelMemberDrawer(ModelProgram program, ModelTypeDrawer types, Random random, ModelType type)
        : base(program, types, random, type)
    {
        _fields = new(program, types, random, type);
        _properties = new(program, types, random, type, _fields);
    }

    /// <summary>Draws a member.</summary>
    public ModelMember Draw(int number) => WithHiddenMark(DrawAny(number));

    private ModelMember DrawAny(int number)
    {
        if (Type.Kind is ModelKind.Record or ModelKind.RecordStruct && Type.Effective == ConstructorForm.Primary && Chance(65)) return Positional(number);
        if (!IsJson && !Type.IsGeneric && Type.Attributes.Contains("IsReference", StringComparison.Ordinal) && Chance(35)) return Tracked(number);
        return Random.Next(100) switch
        {
            < 17 => _properties.Property(number, "get; set;", isOpen: true),
            < 22 => _properties.Init(number),
            < 29 => _properties.HiddenSetter(number),
            < 36 => _fields.Field(number),
            < 41 => _fields.ReadonlyField(number),
            < 50 => _properties.GetOnly(number),
            < 57 => _properties.GetOnlyCollection(number),
            < 62 => _properties.Lazy(number),
            < 68 => _properties.WithCode(number),
            < 73 => _fields.ShownField(number),
            < 79 => Type.IsValue || Type.IsSealed ? _properties.Property(number, "get; set;", isOpen: true) : _properties.Virtual(number),
            < 82 => Surrogate(number),
            < 85 => _properties.HiddenProperty(number),
            < 87 => Alias(number),
            < 88 => _properties.Computed(number),
            < 89 => _properties.Required(number),
            _ => Kept(number),
        };
    }

    /// <summary>A parameter in the head of a record.</summary>
    public ModelMember Positional(int number)
    {
        MemberType of = Types.Draw(Type);
        ModelMember member = Make(number, of, isOpen: true, canSet: true);
        member.Marks = member.Marks.Replace("[JsonRequired]", "", StringComparison.Ordinal);
        member.IsPositional = true;
        if (Type.Kind == ModelKind.RecordStruct) member.Set = $"{member.Name} = {of.Value}!;";
        return member;
    }

    /// <summary>What is no member.</summary>
    public string Extra()
    {
        List<string> all = [];
        if (Chance(6)) all.Add($"public static int S{Type.Index} {{ get; set; }} public const int K{Type.Index} = 3;");
        if (Chance(6) && !Type.IsGeneric && Type.Collection is null) all.Add($"public int this[int at] => at;");
        ModelMember? number = Type.Members.FirstOrDefault(static one => one.Set is not null && one.Type.Name == "int" && one.Declaration.EndsWith("{ get; set; }", StringComparison.Ordinal));
        if (IsJson && Chance(4) && !Type.IsValue && Type.Base is null && !Type.IsGeneric) all.Add("[JsonExtensionData] public Dictionary<string, JsonElement>? Extra" + Type.Index.ToString(CultureInfo.InvariantCulture) + " { get; set; }");
        if (number is null || !Chance(20) || Type.IsValue || Type.Members.Exists(static one => one.Declaration.Contains("Saved", StringComparison.Ordinal))) return string.Join(" ", all);
        if (IsJson) return string.Join(" ", all);
        all.Add(Program.Marks is { } marks ? marks.Callbacks(Type, Random) : Random.Next(3) switch
        {
            0 => $"[OnDeserialized] private void After{Type.Index}(StreamingContext context) {{ Seen{Type.Index} = true; }} [IgnoreDataMember] internal bool Seen{Type.Index};",
            1 => $"[OnSerializing] private void Before{Type.Index}(StreamingContext context) {{ }} [OnDeserializing] private void Begin{Type.Index}(StreamingContext context) {{ }}",
            _ => $"[OnSerialized] internal void Behind{Type.Index}(StreamingContext context) {{ }}",
        });
        return string.Join(" ", all);
    }

    // What is left out, and another member that stores it as something else.
    private ModelMember Surrogate(int number)
    {
        MemberType of = Types.Int with { Name = "TimeSpan", Value = "TimeSpan.FromSeconds(R.Int(r))", IsNumber = false };
        string name = "M" + number.ToString(CultureInfo.InvariantCulture);
        if (Program.Marks is { Around: { } around } called && !Type.IsValue && !Type.Members.Exists(static one => one.Declaration.Contains("Saved", StringComparison.Ordinal)) && Chance(50))
        {
            return new ModelMember { Number = number, Name = name, Type = of, Declaration = $"{called.Ignore}public TimeSpan {name} {{ get; set; }} {called.Include(Type, number)}private long {name}Ticks; {around.Before} private void Saved{number}() {{ {name}Ticks = {name}.Ticks; }} {around.After} private void Restored{number}() {{ {name} = new TimeSpan({name}Ticks); }}", Set = $"{name} = {of.Value};" };
        }

        string ignore = Program.Marks is { } marks ? marks.Ignore : IsJson ? "[JsonIgnore] " : IsContract ? "" : IsSerializable ? "[field: NonSerialized] " : "[IgnoreDataMember] ";
        string mark = Program.Marks?.Include(Type, number) ?? (IsJson ? Chance(50) ? "[JsonInclude, JsonPropertyName(\"s" + number.ToString(CultureInfo.InvariantCulture) + "\")] " : "[JsonInclude] " : IsContract ? "[DataMember] " : "");
        string access = mark.Length > 0 && Chance(60) ? "private" : "public";
        return new ModelMember { Number = number, Name = name, Type = of, Declaration = $"{ignore}public TimeSpan {name} {{ get; set; }} {mark}{access} long {name}Ticks {{ get => {name}.Ticks; set => {name} = new TimeSpan(value); }}", Set = $"{name} = {of.Value};" };
    }

    // What users do to a collection, and what they make of what they are given.
    private ModelMember Kept(int number)
    {
        if (Type.IsValue) return _fields.Field(number);
        string name = "M" + number.ToString(CultureInfo.InvariantCulture), field = "_m" + number.ToString(CultureInfo.InvariantCulture);
        MemberType item = Types.Scalar(), list = Types.ListOf(item);
        ModelMember member = Make(number, list, isOpen: true, canSet: true, name: name);
        string fill = list.Fill!.Replace("$", field, StringComparison.Ordinal), hidden = IsContract || IsJson || Program.Marks is not null ? "private" : "public", mark = Program.Marks?.Include(Type, number + 100) ?? (IsJson ? "[JsonInclude] " : IsContract ? "[DataMember] " : "");
        if (Chance(12) && Program.Marks is null && !Type.IsGeneric && !Type.Packs && !Type.Chain.Any(static one => one.Packs) && !Program.Types.Exists(one => one.Base == Type))
        {
            string packing = $"{name}Text = string.Join(',', {name});", unpacking = $"{name} = {name}Text is {{ Length: > 0 }} text ? text.Split(',').Select(int.Parse).ToList() : new();";
            Type.Packs = IsJson;
            member.Marks = "";
            member.Declaration = IsJson
                ? $"[JsonIgnore] public List<int> {name} {{ get; set; }} = new(); [JsonInclude] private string? {name}Text {{ get; set; }} void IJsonOnSerializing.OnSerializing() {{ {packing} }} void IJsonOnDeserialized.OnDeserialized() {{ {unpacking} }}"
                : IsContract ? $"public List<int> {name} {{ get; set; }} = new(); [DataMember] private string? {name}Text {{ get; set; }} [OnSerializing] private void Pack{number}(StreamingContext context) {{ {packing} }} [OnDeserialized] private void Unpack{number}(StreamingContext context) {{ {unpacking} }}"
                : $"[IgnoreDataMember] public List<int> {name} {{ get; set; }} = new(); public string? {name}Text {{ get; set; }} [OnSerializing] private void Pack{number}(StreamingContext context) {{ {packing} }} [OnDeserialized] private void Unpack{number}(StreamingContext context) {{ {unpacking} }}";
            member.Set = $"{name}.AddRange(R.Many<int>(r, () => R.Int(r)));";
            return member;
        }

        (member.Declaration, member.Set) = Random.Next(13) switch
        {
            0 => ($"private List<{item.Name}> {field} = new(); @public IEnumerable<{item.Name}> {name} {{ get => {field}; set => {field} = value.ToList(); }}", fill),
            1 => ($"private readonly List<{item.Name}> {field} = new(); @public List<{item.Name}> {name} {{ get => {field}; set {{ if (ReferenceEquals(value, {field})) return; {field}.Clear(); {field}.AddRange(value); }} }}", fill),
            2 => ($"private List<{item.Name}> {field} = new(); @public {item.Name}[] {name} {{ get => {field}.ToArray(); set => {field} = new(value); }}", fill),
            3 => ($"{mark}private List<{item.Name}> {field} = new(); public IReadOnlyList<{item.Name}> {name} => {field}.AsReadOnly();", fill),
            4 => ($"@public List<{item.Name}> {name} {{ get => field ??= new(); set; }}", list.Fill!.Replace("$", name, StringComparison.Ordinal)),
            5 => ($"@public string {name} {{ get; set => field = value ?? \"none\"; }} = \"first\";", $"{name} = R.Text(r);"),
            6 => ($"private Collection<{item.Name}>? {field}; private readonly List<{item.Name}> {field}Inner = new(); @public Collection<{item.Name}> {name} => {field} ??= new Collection<{item.Name}>({field}Inner);", list.Fill!.Replace("$", name, StringComparison.Ordinal)),
            7 => ($"private Collection<{item.Name}>? {field}; {mark}private readonly List<{item.Name}> {field}Inner = new(); {Program.Marks?.Ignore ?? (IsJson ? "[JsonIgnore] " : "")}public Collection<{item.Name}> {name} => {field} ??= new Collection<{item.Name}>({field}Inner);", $"{field}Inner.AddRange(R.Many<{item.Name}>(r, () => {item.Value}!));"),
            8 => ($"@public int {name} {{ get; set; }} = 5; public event EventHandler? {name}Changed; public void {name}Raise() => {name}Changed?.Invoke(this, EventArgs.Empty);", $"{name} = R.Int(r);"),
            9 => ($"private int {field}; @public int {name} {{ get => {field}; {hidden} set {{ {field} = value; {name}Twice = value * 2; }} }} public int {name}Twice {{ get; private set; }}".Replace("public set", "set", StringComparison.Ordinal), $"{name} = R.Int(r);"),
            12 => ($"@public {item.Name} {name} {{ get; set; }} = default!; {mark.Replace("]", IsJson ? ", JsonPropertyName(\"twin" + number.ToString(CultureInfo.InvariantCulture) + "\")]" : "]", StringComparison.Ordinal)}public {item.Name} m{name[1..]} {{ get; set; }} = default!;", $"{name} = {item.Value}!; m{name[1..]} = {item.Value}!;"),
            10 => ($"private readonly List<{item.Name}> {field} = new(); public IEnumerable<{item.Name}> {name} {{ get {{ foreach (var one in {field}) yield return one; }} }} {mark}{hidden} List<{item.Name}> {name}Kept {{ get => {field}; set {{ if (ReferenceEquals(value, {field})) return; {field}.Clear(); {field}.AddRange(value); }} }}", fill),
            _ => ($"@public bool Has{name} {{ get; set; }} @public int {name} {{ get => Has{name} ? field : -1; set {{ field = value; Has{name} = true; }} }}", $"if (r.Next(2) == 0) {name} = R.Int(r);"),
        };
        if (member.Declaration.Contains("@public bool Has", StringComparison.Ordinal)) member.Marks = IsContract ? "[DataMember]" : "";
        return member;
    }

    // One object in two places, or a way back.
    private ModelMember Tracked(int number)
    {
        ModelMember member = Make(number, new MemberType(Type.Name + "?", "null") { Uses = [Type] }, isOpen: true, canSet: true);
        member.Marks = "[DataMember]";
        string other = $"{member.Name}Others";
        member.Declaration = $"[DataMember] public {Type.Name}? {member.Name} {{ get; set; }} [DataMember] public List<{Type.Name}> {other} {{ get; set; }} = new();";
        member.Set = $"{member.Name} = r.Next(3) switch {{ 0 => this, 1 => Make.Of{Type.SimpleName}(r, d - 1), _ => null }}; if (r.Next(2) == 0 && {member.Name} is {{ }} one{number}) {{ {other}.Add(one{number}); {other}.Add(one{number}); }}";
        return member;
    }

    private ModelMember Alias(int number)
    {
        MemberType of = Types.Draw(Type);
        ModelMember member = Make(number, of, isOpen: true, canSet: true);
        string other = Program.Marks is { } marks ? Chance(50) ? marks.Ignore : marks.Include(Type, number + 100) : IsJson ? Chance(50) ? "[JsonPropertyName(\"a" + number.ToString(CultureInfo.InvariantCulture) + "\")] " : "" : IsContract && Chance(50) ? "[DataMember] " : "";
        member.Declaration = $"private {of.Name} _m{number}{(Type.IsValue ? "" : " = default!")}; @public {of.Name} {member.Name} {{ get => _m{number}; set => _m{number} = value; }} {other}public {of.Name} {member.Name}Too {{ get => _m{number}; set => _m{number} = value; }}";
        member.Set = $"{member.Name} = {of.Value}!;";
        return member;
    }
}
