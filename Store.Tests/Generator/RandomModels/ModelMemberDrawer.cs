// Draws members: every way in which a class declares what it holds, with the marks of the serializer.

using System.Globalization;

namespace Store.Tests.Generator.RandomModels;

/// <summary>Draws the members of a type.</summary>
/// <param name="program">The program.</param>
/// <param name="types">What draws types of members.</param>
/// <param name="random">The chance.</param>
/// <param name="type">The type.</param>
internal sealed class ModelMemberDrawer(ModelProgram program, ModelTypeDrawer types, Random random, ModelType type)
{
    private bool IsJson => program.Serializer == OtherSerializer.Json;

    private bool IsContract => !IsJson && type.Mode == ContractMode.Contract;

    private bool IsSerializable => !IsJson && type.Mode == ContractMode.Serializable;

    private bool TakesParameters => type.Effective is ConstructorForm.Full or ConstructorForm.Both or ConstructorForm.Primary;

    private bool IsHeadOfClass => type.Effective == ConstructorForm.Primary && type.Kind is not (ModelKind.Record or ModelKind.RecordStruct);

    private bool Chance(int percent) => random.Next(100) < percent;

    /// <summary>Draws a member.</summary>
    public ModelMember Draw(int number)
    {
        if (type.Kind is ModelKind.Record or ModelKind.RecordStruct && type.Effective == ConstructorForm.Primary && Chance(65)) return Positional(number);
        return random.Next(100) switch
        {
            < 22 => Property(number, "get; set;", isOpen: true),
            < 28 => Init(number),
            < 36 => HiddenSetter(number),
            < 44 => Field(number),
            < 49 => ReadonlyField(number),
            < 58 => GetOnly(number),
            < 66 => GetOnlyCollection(number),
            < 71 => Lazy(number),
            < 77 => WithCode(number),
            < 82 => ShownField(number),
            < 86 => type.IsValue || type.IsSealed ? Property(number, "get; set;", isOpen: true) : Virtual(number),
            < 90 => Surrogate(number),
            < 93 => HiddenProperty(number),
            < 95 => Alias(number),
            < 97 => Computed(number),
            _ => Required(number),
        };
    }

    /// <summary>A parameter in the head of a record.</summary>
    public ModelMember Positional(int number)
    {
        MemberType of = types.Draw(type);
        ModelMember member = Make(number, of, isOpen: true, canSet: true);
        member.Marks = member.Marks.Replace("[JsonRequired]", "", StringComparison.Ordinal);
        member.IsPositional = true;
        if (type.Kind == ModelKind.RecordStruct) member.Set = $"{member.Name} = {of.Value}!;";
        return member;
    }

    /// <summary>Overrides a member of a base.</summary>
    public ModelMember Override(int number, ModelMember of)
    {
        MemberType held = OfBase(of);
        ModelMember member = Make(number, held, isOpen: true, canSet: true, name: of.Name);
        member.Overrides = of;
        bool hasCode = Chance(30);
        member.Declaration = hasCode ? $"private {held.Name} _m{number} = default!; @public override {held.Name} {of.Name} {{ get => _m{number}; set => _m{number} = value; }}" : $"@public override {held.Name} {of.Name} {{ get; set; }} = default!;";
        member.Set = $"{of.Name} = {held.Value}!;";
        return member;
    }

    /// <summary>Hides a member of a base.</summary>
    public ModelMember Hide(int number, ModelMember of)
    {
        MemberType held = Chance(60) ? OfBase(of) : types.Draw(type);
        ModelMember member = Make(number, held, isOpen: true, canSet: true, name: of.Name);
        member.Declaration = $"@public new {held.Name} {of.Name} {{ get; set; }} = default!;";
        member.Set = $"{of.Name} = {held.Value}!;";
        return member;
    }

    /// <summary>What is no member.</summary>
    public string Extra()
    {
        List<string> all = [];
        if (Chance(6)) all.Add($"public static int S{type.Index} {{ get; set; }} public const int K{type.Index} = 3;");
        if (Chance(6) && !type.IsGeneric) all.Add($"public int this[int at] => at;");
        ModelMember? number = type.Members.FirstOrDefault(static one => one.Set is not null && one.Type.Name == "int" && one.Declaration.EndsWith("{ get; set; }", StringComparison.Ordinal));
        if (number is null || !Chance(20) || type.IsValue) return string.Join(" ", all);
        if (IsJson) return string.Join(" ", all);
        all.Add(random.Next(3) switch
        {
            0 => $"[OnDeserialized] private void After{type.Index}(StreamingContext context) {{ Seen{type.Index} = true; }} [IgnoreDataMember] internal bool Seen{type.Index};",
            1 => $"[OnSerializing] private void Before{type.Index}(StreamingContext context) {{ }} [OnDeserializing] private void Begin{type.Index}(StreamingContext context) {{ }}",
            _ => $"[OnSerialized] internal void Behind{type.Index}(StreamingContext context) {{ }}",
        });
        return string.Join(" ", all);
    }

    private MemberType OfBase(ModelMember of) => of.Type.Name is "T" or "T?" && type.BaseArgument is { } argument ? argument : of.Type;

    private ModelMember Make(int number, MemberType of, bool isOpen, bool canSet, bool isField = false, string? name = null)
    {
        var member = new ModelMember { Number = number, Name = name ?? "M" + number.ToString(CultureInfo.InvariantCulture), Type = of };
        member.Marks = Marks(number, of, isOpen, canSet, isField);
        return member;
    }

    private ModelMember Property(int number, string accessors, bool isOpen)
    {
        MemberType of = types.Draw(type);
        ModelMember member = Make(number, of, isOpen, canSet: true);
        bool isMade = !type.IsValue && of.Fill is not null && Chance(40);
        member.Declaration = $"@public {of.Name} {member.Name} {{ {accessors} }}{(isMade ? $" = {of.Empty};" : type.IsValue || of.IsValue || of.Name.EndsWith('?') ? "" : " = default!;")}";
        member.Set = $"{member.Name} = {of.Value}!;";
        if (!type.IsValue && TakesParameters && type.Effective != ConstructorForm.Primary && Chance(30)) member.Assign = $"{member.Name} = {member.Parameter};";
        if (of.Name == "int" && Chance(20)) member.Begin = $"{member.Name} = 5;";
        return member;
    }

    private ModelMember Init(int number)
    {
        MemberType of = types.Draw(type);
        ModelMember member = Make(number, of, isOpen: true, canSet: true);
        member.Declaration = $"@public {of.Name} {member.Name} {{ get; init; }}{(type.IsValue || of.IsValue || of.Name.EndsWith('?') ? "" : " = default!;")}";
        member.Init = of.Value + "!";
        return member;
    }

    private ModelMember Required(int number)
    {
        MemberType of = types.Draw(type);
        // Objects of a generic type are made where its parameter is not known.
        if (type.IsGeneric || type.Effective != ConstructorForm.None || program.Types.Any(one => one.Base == type || one.NestedIn == type)) return Init(number);
        ModelMember member = Make(number, of, isOpen: true, canSet: true);
        member.Declaration = $"@public required {of.Name} {member.Name} {{ get; {(Chance(50) ? "set" : "init")}; }}";
        member.Init = of.Value + "!";
        return member;
    }

    private ModelMember HiddenSetter(int number)
    {
        string access = type.IsValue ? Chance(70) ? "private" : "internal" : random.Next(6) switch { 0 => "internal", 1 => "protected", 2 => "private protected", 3 => "protected internal", _ => "private" };
        return Property(number, $"get; {access} {(Chance(15) ? "init" : "set")};".Replace("init", type.IsValue ? "set" : "set", StringComparison.Ordinal), isOpen: false);
    }

    private ModelMember HiddenProperty(int number)
    {
        MemberType of = types.Draw(type);
        ModelMember member = Make(number, of, isOpen: false, canSet: true);
        string access = type.IsValue ? "private" : random.Next(4) switch { 0 => "internal", 1 => "protected", _ => "private" };
        member.Declaration = Chance(30) && access != "private" ? $"@public {of.Name} {member.Name} {{ private get; set; }}" : $"@{access} {of.Name} {member.Name} {{ get; set; }}";
        member.Declaration += type.IsValue || of.IsValue || of.Name.EndsWith('?') ? "" : " = default!;";
        member.Set = $"{member.Name} = {of.Value}!;";
        return member;
    }

    private ModelMember Field(int number)
    {
        MemberType of = types.Draw(type);
        bool isOpen = Chance(60);
        ModelMember member = Make(number, of, isOpen: isOpen && !IsJson, canSet: true, isField: true);
        string access = isOpen ? "public" : type.IsValue ? "private" : random.Next(5) switch { 0 => "internal", 1 => "protected", _ => "private" };
        bool isMade = !type.IsValue && of.Fill is not null && Chance(40);
        member.Declaration = $"@{access} {of.Name} {member.Name}{(isMade ? " = " + of.Empty : type.IsValue || of.IsValue || of.Name.EndsWith('?') ? "" : " = default!")};";
        member.Set = $"{member.Name} = {of.Value}!;";
        return member;
    }

    private ModelMember ReadonlyField(int number)
    {
        bool isFilled = !type.IsValue && Chance(50);
        MemberType of = isFilled ? types.Fillable(type) : types.Draw(type);
        bool isOpen = Chance(60);
        ModelMember member = Make(number, of, isOpen: isOpen && !IsJson, canSet: false, isField: true);
        string access = isOpen ? "public" : "private";
        member.Declaration = $"@{access} readonly {of.Name} {member.Name}{(isFilled ? " = " + of.Empty : IsHeadOfClass ? " = " + member.Parameter : type.IsValue || of.IsValue || TakesParameters ? "" : " = default!")};";
        if (isFilled) member.Set = of.Fill!.Replace("$", member.Name, StringComparison.Ordinal);
        else if (TakesParameters && (IsHeadOfClass || type.Effective != ConstructorForm.Primary)) member.Assign = $"{member.Name} = {member.Parameter};";
        return member;
    }

    private ModelMember GetOnly(int number)
    {
        if (!TakesParameters || (type.Effective == ConstructorForm.Primary && !IsHeadOfClass)) return GetOnlyCollection(number);
        if (IsContract && Chance(90)) return ReadonlyField(number);
        MemberType of = types.Draw(type);
        ModelMember member = Make(number, of, isOpen: true, canSet: true);
        member.Marks = member.Marks.Replace("[JsonRequired]", "", StringComparison.Ordinal);
        if (IsHeadOfClass)
        {
            member.Declaration = $"@public {of.Name} {member.Name} {{ get; }} = {member.Parameter};";
            member.Assign = "";
            return member;
        }

        member.Declaration = $"@public {of.Name} {member.Name} {{ get; }}{(type.IsValue || of.IsValue || of.Name.EndsWith('?') || type.Effective == ConstructorForm.Full ? "" : " = default!;")}";
        member.Assign = random.Next(8) switch
        {
            0 when of.Name == "string" => $"{member.Name} = {member.Parameter} ?? \"\";",
            1 when of.Name == "int" => $"{member.Name} = Math.Abs({member.Parameter});",
            2 when of.Name.StartsWith("List<", StringComparison.Ordinal) && !of.Name.EndsWith('?') => $"{member.Name} = {member.Parameter} is null ? new() : new({member.Parameter});",
            _ => $"{member.Name} = {member.Parameter};",
        };
        return member;
    }

    private ModelMember GetOnlyCollection(int number)
    {
        MemberType of = types.Fillable(type);
        if (type.IsValue) return Property(number, "get; set;", isOpen: true);
        if (IsContract && Chance(92)) return Lazy(number);
        ModelMember member = Make(number, of, isOpen: true, canSet: false);
        if (IsJson && Chance(40) && type.Effective is ConstructorForm.None or ConstructorForm.Empty) member.Marks += "[JsonObjectCreationHandling(JsonObjectCreationHandling.Populate)]";
        string access = Chance(85) ? "public" : Chance(50) ? "internal" : "private";
        member.Declaration = $"@{access} {of.Name} {member.Name} {{ get; }} = {of.Empty};";
        member.Set = of.Fill!.Replace("$", member.Name, StringComparison.Ordinal);
        if (of.Name == "List<int>" && Chance(30)) member.Begin = $"{member.Name}.Add(9);";
        return member;
    }

    private ModelMember Lazy(int number)
    {
        if (type.IsValue) return Property(number, "get; set;", isOpen: true);
        MemberType of = types.Fillable(type);
        ModelMember member = Make(number, of, isOpen: true, canSet: false);
        if (IsJson && Chance(40) && type.Effective is ConstructorForm.None or ConstructorForm.Empty) member.Marks += "[JsonObjectCreationHandling(JsonObjectCreationHandling.Populate)]";
        member.Declaration = random.Next(3) switch
        {
            0 => $"private {of.Name}? _m{number}; @public {of.Name} {member.Name} => _m{number} ??= {of.Empty};",
            1 => $"private {of.Name}? _m{number}; @public {of.Name} {member.Name} {{ get => _m{number} ??= {of.Empty}; set => _m{number} = value; }}",
            _ => $"private {of.Name}? _m{number}; @public {of.Name} {member.Name} {{ get {{ if (_m{number} == null) _m{number} = {of.Empty}; return _m{number}; }} private set => _m{number} = value; }}",
        };
        member.Set = $"if (r.Next(3) > 0) {{ {of.Fill!.Replace("$", member.Name, StringComparison.Ordinal)} }}";
        return member;
    }

    private ModelMember WithCode(int number)
    {
        MemberType of = types.Draw(type);
        ModelMember member = Make(number, of, isOpen: true, canSet: true);
        string field = $"_m{number}", accessors = random.Next(4) switch
        {
            0 when of.Name == "string" => $"get => {field} ?? \"\"; set => {field} = value ?? \"\";",
            1 when of.Name == "int" => $"get => {field}; set => {field} = Math.Max(value, 0);",
            2 => $"get => {field}; set {{ if (Equals({field}, value)) return; {field} = value; }}",
            3 => $"get {{ return {field}; }} init {{ {field} = value; }}",
            _ => $"get => {field}; set => {field} = value;",
        };
        bool isInit = accessors.Contains("init", StringComparison.Ordinal);
        member.Declaration = $"private {of.Name} {field}{(type.IsValue ? "" : " = default!")}; @public {of.Name} {member.Name} {{ {accessors} }}";
        if (isInit) member.Init = of.Value + "!";
        else member.Set = $"{member.Name} = {of.Value}!;";
        return member;
    }

    // A private field, marked or not, behind a property that only shows it.
    private ModelMember ShownField(int number)
    {
        bool isList = !type.IsValue && Chance(50);
        MemberType of = isList ? types.List(type) : types.Draw(type);
        ModelMember member = Make(number, of, isOpen: false, canSet: true, isField: true);
        string field = $"_m{number}", shown = isList && Chance(60) ? of.Name.Replace("List<", "IReadOnlyList<", StringComparison.Ordinal) : of.Name;
        string ignore = IsJson && Chance(40) ? "[JsonIgnore] " : "";
        if (isList && of.Name.LastIndexOf("List<", StringComparison.Ordinal) > 0) shown = of.Name;
        member.Declaration = $"@private {(isList && Chance(50) ? "readonly " : "")}{of.Name} {field}{(isList ? " = new()" : type.IsValue ? "" : " = default!")}; {ignore}public {shown} {member.Name} => {field};";
        member.Set = isList ? of.Fill!.Replace("$", field, StringComparison.Ordinal) : $"{field} = {of.Value}!;";
        return member;
    }

    private ModelMember Virtual(int number)
    {
        MemberType of = types.Draw(type);
        ModelMember member = Make(number, of, isOpen: true, canSet: true);
        if (type.IsAbstract && Chance(50))
        {
            member.IsAbstract = true;
            member.Declaration = $"@public abstract {of.Name} {member.Name} {{ get; set; }}";
            return member;
        }

        member.Declaration = $"@public virtual {of.Name} {member.Name} {{ get; set; }}{(of.IsValue || of.Name.EndsWith('?') ? "" : " = default!;")}";
        member.Set = $"{member.Name} = {of.Value}!;";
        return member;
    }

    // What is left out, and another member that stores it as something else.
    private ModelMember Surrogate(int number)
    {
        MemberType of = types.Int with { Name = "TimeSpan", Value = "TimeSpan.FromSeconds(R.Int(r))", IsNumber = false };
        string name = "M" + number.ToString(CultureInfo.InvariantCulture);
        string ignore = IsJson ? "[JsonIgnore] " : IsContract ? "" : IsSerializable ? "[field: NonSerialized] " : "[IgnoreDataMember] ";
        string mark = IsJson ? Chance(50) ? "[JsonInclude, JsonPropertyName(\"s" + number.ToString(CultureInfo.InvariantCulture) + "\")] " : "[JsonInclude] " : IsContract ? "[DataMember] " : "";
        string access = mark.Length > 0 && Chance(60) ? "private" : "public";
        return new ModelMember { Number = number, Name = name, Type = of, Declaration = $"{ignore}public TimeSpan {name} {{ get; set; }} {mark}{access} long {name}Ticks {{ get => {name}.Ticks; set => {name} = new TimeSpan(value); }}", Set = $"{name} = {of.Value};" };
    }

    private ModelMember Alias(int number)
    {
        MemberType of = types.Draw(type);
        ModelMember member = Make(number, of, isOpen: true, canSet: true);
        string other = IsJson ? Chance(50) ? "[JsonPropertyName(\"a" + number.ToString(CultureInfo.InvariantCulture) + "\")] " : "" : IsContract && Chance(50) ? "[DataMember] " : "";
        member.Declaration = $"private {of.Name} _m{number}{(type.IsValue ? "" : " = default!")}; @public {of.Name} {member.Name} {{ get => _m{number}; set => _m{number} = value; }} {other}public {of.Name} {member.Name}Too {{ get => _m{number}; set => _m{number} = value; }}";
        member.Set = $"{member.Name} = {of.Value}!;";
        return member;
    }

    private ModelMember Computed(int number)
    {
        ModelMember? of = type.Members.FirstOrDefault(static one => one.Type.Name == "int" && !one.Declaration.Contains("_m", StringComparison.Ordinal) && one.Overrides is null);
        if (of is null) return Property(number, "get; set;", isOpen: true);
        return new ModelMember { Number = number, Name = "M" + number.ToString(CultureInfo.InvariantCulture), Type = types.Int, Declaration = $"public int M{number} => {of.Name} + 1;", Needs = of };
    }

    private string Marks(int number, MemberType of, bool isOpen, bool canSet, bool isField)
    {
        string digits = number.ToString(CultureInfo.InvariantCulture);
        if (IsJson) return JsonMarks(digits, of, isOpen, canSet);
        if (IsContract)
        {
            if (Chance(10)) return Chance(40) ? "[IgnoreDataMember]" : "";
            List<string> settings = [];
            if (Chance(20)) settings.Add($"Name = \"n{digits}\"");
            if (Chance(20)) settings.Add($"Order = {random.Next(4)}");
            if (Chance(10) && !type.Chain.Any(static one => one.Attributes.Contains("IsReference", StringComparison.Ordinal))) settings.Add("IsRequired = true");
            else if (Chance(12)) settings.Add("EmitDefaultValue = false");
            // The marks of another serializer say nothing here.
            string other = Chance(6) ? isField ? "[JsonInclude]" : $"[JsonPropertyName(\"j{digits}\")]" : Chance(2) ? "[JsonIgnore]" : "";
            return $"[DataMember{(settings.Count > 0 ? $"({string.Join(", ", settings)})" : "")}]{other}";
        }

        if (IsSerializable) return isField ? Chance(12) ? "[NonSerialized]" : Chance(5) ? "[OptionalField]" : "" : Chance(5) ? "[IgnoreDataMember]" : "";
        return Chance(10) ? "[IgnoreDataMember]" : "";
    }

    private string JsonMarks(string digits, MemberType of, bool isOpen, bool canSet)
    {
        List<string> marks = [];
        if (!isOpen && Chance(80)) marks.Add("[JsonInclude]");
        if (Chance(15)) marks.Add($"[JsonPropertyName(\"n{digits}\")]");
        if (Chance(8)) marks.Add($"[JsonPropertyOrder({random.Next(-2, 4)})]");
        if (canSet && (isOpen || marks.Contains("[JsonInclude]")) && Chance(5)) marks.Add("[JsonRequired]");
        else if (Chance(10)) marks.Add(random.Next(4) switch { 0 => "[JsonIgnore]", 1 when !of.IsValue || of.Name.EndsWith('?') => "[JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]", 2 => "[JsonIgnore(Condition = JsonIgnoreCondition.Never)]", _ => "[JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]" });
        if (of.IsNumber && Chance(8)) marks.Add("[JsonNumberHandling(JsonNumberHandling.AllowReadingFromString | JsonNumberHandling.WriteAsString)]");
        if (of.IsEnum && Chance(40)) marks.Add("[JsonConverter(typeof(JsonStringEnumConverter))]");
        if (marks.Contains("[JsonInclude]") && marks.Contains("[JsonIgnore]")) marks.Remove("[JsonIgnore]");
        if (isOpen && marks.Count == 0 && Chance(10)) marks.Add("[JsonInclude]");
        // One of another serializer beside one of its own, which counts.
        if (marks.Exists(static one => one is "[JsonInclude]" || one.StartsWith("[JsonPropertyName", StringComparison.Ordinal)) && Chance(6)) marks.Add("[IgnoreDataMember]");
        return string.Join("", marks);
    }
}
