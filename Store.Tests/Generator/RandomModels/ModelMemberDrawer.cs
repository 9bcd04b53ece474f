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

    private bool IsContract => !IsJson && program.Marks is null && type.Mode == ContractMode.Contract;

    private bool IsSerializable => !IsJson && program.Marks is null && type.Mode == ContractMode.Serializable;

    private bool TakesParameters => type.Effective is ConstructorForm.Full or ConstructorForm.Both or ConstructorForm.Primary;

    private bool IsHeadOfClass => type.Effective == ConstructorForm.Primary && type.Kind is not (ModelKind.Record or ModelKind.RecordStruct);

    private bool Chance(int percent) => random.Next(100) < percent;

    /// <summary>Draws a member.</summary>
    public ModelMember Draw(int number) => WithHiddenMark(DrawAny(number));

    private ModelMember WithHiddenMark(ModelMember member)
    {
        if (program.Marks is { } marks && member.Declaration.StartsWith("private ", StringComparison.Ordinal)) member.Declaration = marks.OfHidden(type) + member.Declaration;
        return member;
    }

    private ModelMember DrawAny(int number)
    {
        if (type.Kind is ModelKind.Record or ModelKind.RecordStruct && type.Effective == ConstructorForm.Primary && Chance(65)) return Positional(number);
        if (!IsJson && !type.IsGeneric && type.Attributes.Contains("IsReference", StringComparison.Ordinal) && Chance(35)) return Tracked(number);
        return random.Next(100) switch
        {
            < 17 => Property(number, "get; set;", isOpen: true),
            < 22 => Init(number),
            < 29 => HiddenSetter(number),
            < 36 => Field(number),
            < 41 => ReadonlyField(number),
            < 50 => GetOnly(number),
            < 57 => GetOnlyCollection(number),
            < 62 => Lazy(number),
            < 68 => WithCode(number),
            < 73 => ShownField(number),
            < 79 => type.IsValue || type.IsSealed ? Property(number, "get; set;", isOpen: true) : Virtual(number),
            < 82 => Surrogate(number),
            < 85 => HiddenProperty(number),
            < 87 => Alias(number),
            < 88 => Computed(number),
            < 89 => Required(number),
            _ => Kept(number),
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
        // What it marks is marked there, or here too.
        if (program.Marks is not null) member.Marks = Chance(50) ? of.Marks : "";
        bool hasCode = Chance(30);
        if (of.IsAbstract && of.Declaration.EndsWith("{ get; }", StringComparison.Ordinal))
        {
            if (held.Name == "int" && Chance(40)) member.Declaration = $"@public override int {of.Name} => 4;";
            else member.Declaration = TakesParameters && type.Effective != ConstructorForm.Primary ? $"@public override {held.Name} {of.Name} {{ get; }} = default!;" : $"private {held.Name} _m{number} = default!; @public override {held.Name} {of.Name} => _m{number};";
            if (member.Declaration.EndsWith("{ get; } = default!;", StringComparison.Ordinal)) member.Assign = $"{of.Name} = {member.Parameter};";
            else if (!member.Declaration.EndsWith("=> 4;", StringComparison.Ordinal)) member.Set = $"_m{number} = {held.Value}!;";
            return member;
        }

        string setter = of.Declaration.Contains("protected internal set", StringComparison.Ordinal) ? "protected internal set" : "set";
        if (setter == "set" && !of.IsAbstract && Chance(10))
        {
            // The setter stays that of the base.
            member.Declaration = $"@public override {held.Name} {of.Name} {{ get => base.{of.Name}; }}";
            return member;
        }

        member.Declaration = hasCode ? $"private {held.Name} _m{number} = default!; @public override {held.Name} {of.Name} {{ get => _m{number}; {setter} => _m{number} = value; }}" : $"@public {(Chance(10) ? "sealed " : "")}override {held.Name} {of.Name} {{ get; {setter}; }} = default!;";
        member.Set = $"{of.Name} = {held.Value}!;";
        return WithHiddenMark(member);
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

    /// <summary>A private member with the name of one that the base has.</summary>
    public ModelMember Beside(int number, ModelMember of)
    {
        MemberType held = types.Draw(type);
        ModelMember member = Make(number, held, isOpen: false, canSet: true, isField: true, name: of.Name);
        if (IsJson) member.Marks = $"[JsonInclude, JsonPropertyName(\"b{number.ToString(CultureInfo.InvariantCulture)}\")]";
        if (IsContract && Chance(50)) member.Marks = $"[DataMember(Name = \"b{number.ToString(CultureInfo.InvariantCulture)}\")]";
        member.Declaration = Chance(50) ? $"@private {held.Name} {of.Name} = default!;" : $"@private {held.Name} {of.Name} {{ get; set; }} = default!;";
        if (!member.Declaration.EndsWith("!;", StringComparison.Ordinal) || member.Declaration.Contains("get;", StringComparison.Ordinal)) member.Marks = member.Marks.Replace("[NonSerialized]", "[field: NonSerialized]", StringComparison.Ordinal).Replace("[OptionalField]", "", StringComparison.Ordinal);
        member.Set = $"{of.Name} = {held.Value}!;";
        return member;
    }

    /// <summary>Shows or takes over what is passed to the constructor of the base.</summary>
    public ModelMember Passed(int number, ModelMember of)
    {
        MemberType held = OfBase(of);
        ModelMember member = Make(number, held, isOpen: true, canSet: true);
        member.Declaration = $"@public {held.Name} {member.Name} {{ get; {(Chance(60) ? "set; " : "")}}} = default!;";
        member.Begin = null;
        member.Needs = of;
        member.Taken = $"{member.Name} = {of.Parameter};";
        return member;
    }

    /// <summary>What is no member.</summary>
    public string Extra()
    {
        List<string> all = [];
        if (Chance(6)) all.Add($"public static int S{type.Index} {{ get; set; }} public const int K{type.Index} = 3;");
        if (Chance(6) && !type.IsGeneric && type.Collection is null) all.Add($"public int this[int at] => at;");
        ModelMember? number = type.Members.FirstOrDefault(static one => one.Set is not null && one.Type.Name == "int" && one.Declaration.EndsWith("{ get; set; }", StringComparison.Ordinal));
        if (IsJson && Chance(4) && !type.IsValue && type.Base is null && !type.IsGeneric) all.Add("[JsonExtensionData] public Dictionary<string, JsonElement>? Extra" + type.Index.ToString(CultureInfo.InvariantCulture) + " { get; set; }");
        if (number is null || !Chance(20) || type.IsValue || type.Members.Exists(static one => one.Declaration.Contains("Saved", StringComparison.Ordinal))) return string.Join(" ", all);
        if (IsJson) return string.Join(" ", all);
        all.Add(program.Marks is { } marks ? marks.Callbacks(type, random) : random.Next(3) switch
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
        member.Declaration = $"@public {of.Name} {member.Name} {{ {accessors} }}{(isMade ? $" = {of.Empty};" : !type.IsValue && of.Name is "int" or "int?" && Chance(40) ? " = 7;" : !type.IsValue && of.Name == "string" && Chance(40) ? " = \"was\";" : type.IsValue || of.IsValue || of.Name.EndsWith('?') ? "" : " = default!;")}";
        member.Set = $"{member.Name} = {of.Value}!;";
        if (!type.IsValue && TakesParameters && type.Effective != ConstructorForm.Primary && Chance(30))
        {
            member.IsOtherwiseNamed = type.Effective == ConstructorForm.Both && Chance(30);
            member.Assign = $"{member.Name} = {member.Parameter};";
        }

        if (of.Name == "int" && Chance(20)) member.Begin = $"{member.Name} = 5;";
        if (IsSerializable && Chance(8)) member.Marks = "[field: NonSerialized]";
        if (IsContract && !type.IsValue && Chance(4)) member.Marks = "[field: DataMember]";
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
        member.Declaration = $"@{access} {(of.Name is "int" or "string" && Chance(12) ? "volatile " : "")}{of.Name} {member.Name}{(isMade ? " = " + of.Empty : type.IsValue || of.IsValue || of.Name.EndsWith('?') ? "" : " = default!")};";
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
            member.Declaration = random.Next(4) switch
            {
                0 => $"@public {of.Name} {member.Name} => {member.Parameter};",
                1 => $"@public {of.Name} {member.Name} {{ get => {member.Parameter}; set => {member.Parameter} = value; }}",
                _ => $"@public {of.Name} {member.Name} {{ get; }} = {member.Parameter};",
            };
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
        if (IsJson && type.Effective is ConstructorForm.None or ConstructorForm.Empty && Chance(12) && program.Types.FirstOrDefault(one => one is { IsConcrete: true, IsGeneric: false, Kind: ModelKind.Class, Collection: null, IsPolymorphic: false } && one.HasEmpty && one.Turns % 8 < 5 && one.Index < type.Index && !one.Members.Exists(static held => held.Declaration.Contains("required ", StringComparison.Ordinal)) && one.Base is null) is { } held)
        {
            var owned = new ModelMember { Number = number, Name = member.Name, Type = new MemberType(held.Name, "null!") { Uses = [held] }, Marks = "[JsonObjectCreationHandling(JsonObjectCreationHandling.Populate)]" };
            owned.Declaration = $"@public {held.Name} {member.Name} {{ get; }} = new();";
            owned.Set = $"{member.Name}.Fill{held.SimpleName}(r, d - 1);";
            return owned;
        }

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
        string ignore = program.Marks is { } marks ? Chance(60) ? marks.Ignore : marks.Include(type, number + 100) : IsJson && Chance(40) ? "[JsonIgnore] " : "";
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
            member.Declaration = $"@public abstract {of.Name} {member.Name} {{ get;{(Chance(30) ? "" : " set;")} }}";
            return member;
        }

        member.Declaration = $"@public virtual {of.Name} {member.Name} {{ get; {(Chance(15) ? "protected internal " : "")}set; }}{(of.IsValue || of.Name.EndsWith('?') ? "" : " = default!;")}";
        member.Set = $"{member.Name} = {of.Value}!;";
        return member;
    }

    // What is left out, and another member that stores it as something else.
    private ModelMember Surrogate(int number)
    {
        MemberType of = types.Int with { Name = "TimeSpan", Value = "TimeSpan.FromSeconds(R.Int(r))", IsNumber = false };
        string name = "M" + number.ToString(CultureInfo.InvariantCulture);
        if (program.Marks is { Around: { } around } called && !type.IsValue && !type.Members.Exists(static one => one.Declaration.Contains("Saved", StringComparison.Ordinal)) && Chance(50))
        {
            return new ModelMember { Number = number, Name = name, Type = of, Declaration = $"{called.Ignore}public TimeSpan {name} {{ get; set; }} {called.Include(type, number)}private long {name}Ticks; {around.Before} private void Saved{number}() {{ {name}Ticks = {name}.Ticks; }} {around.After} private void Restored{number}() {{ {name} = new TimeSpan({name}Ticks); }}", Set = $"{name} = {of.Value};" };
        }

        string ignore = program.Marks is { } marks ? marks.Ignore : IsJson ? "[JsonIgnore] " : IsContract ? "" : IsSerializable ? "[field: NonSerialized] " : "[IgnoreDataMember] ";
        string mark = program.Marks?.Include(type, number) ?? (IsJson ? Chance(50) ? "[JsonInclude, JsonPropertyName(\"s" + number.ToString(CultureInfo.InvariantCulture) + "\")] " : "[JsonInclude] " : IsContract ? "[DataMember] " : "");
        string access = mark.Length > 0 && Chance(60) ? "private" : "public";
        return new ModelMember { Number = number, Name = name, Type = of, Declaration = $"{ignore}public TimeSpan {name} {{ get; set; }} {mark}{access} long {name}Ticks {{ get => {name}.Ticks; set => {name} = new TimeSpan(value); }}", Set = $"{name} = {of.Value};" };
    }

    // What users do to a collection, and what they make of what they are given.
    private ModelMember Kept(int number)
    {
        if (type.IsValue) return Field(number);
        string name = "M" + number.ToString(CultureInfo.InvariantCulture), field = "_m" + number.ToString(CultureInfo.InvariantCulture);
        MemberType item = types.Scalar(), list = types.ListOf(item);
        ModelMember member = Make(number, list, isOpen: true, canSet: true, name: name);
        string fill = list.Fill!.Replace("$", field, StringComparison.Ordinal), hidden = IsContract || IsJson || program.Marks is not null ? "private" : "public", mark = program.Marks?.Include(type, number + 100) ?? (IsJson ? "[JsonInclude] " : IsContract ? "[DataMember] " : "");
        if (Chance(12) && program.Marks is null && !type.IsGeneric && !type.Packs && !type.Chain.Any(static one => one.Packs) && !program.Types.Exists(one => one.Base == type))
        {
            string packing = $"{name}Text = string.Join(',', {name});", unpacking = $"{name} = {name}Text is {{ Length: > 0 }} text ? text.Split(',').Select(int.Parse).ToList() : new();";
            type.Packs = IsJson;
            member.Marks = "";
            member.Declaration = IsJson
                ? $"[JsonIgnore] public List<int> {name} {{ get; set; }} = new(); [JsonInclude] private string? {name}Text {{ get; set; }} void IJsonOnSerializing.OnSerializing() {{ {packing} }} void IJsonOnDeserialized.OnDeserialized() {{ {unpacking} }}"
                : IsContract ? $"public List<int> {name} {{ get; set; }} = new(); [DataMember] private string? {name}Text {{ get; set; }} [OnSerializing] private void Pack{number}(StreamingContext context) {{ {packing} }} [OnDeserialized] private void Unpack{number}(StreamingContext context) {{ {unpacking} }}"
                : $"[IgnoreDataMember] public List<int> {name} {{ get; set; }} = new(); public string? {name}Text {{ get; set; }} [OnSerializing] private void Pack{number}(StreamingContext context) {{ {packing} }} [OnDeserialized] private void Unpack{number}(StreamingContext context) {{ {unpacking} }}";
            member.Set = $"{name}.AddRange(R.Many<int>(r, () => R.Int(r)));";
            return member;
        }

        (member.Declaration, member.Set) = random.Next(13) switch
        {
            0 => ($"private List<{item.Name}> {field} = new(); @public IEnumerable<{item.Name}> {name} {{ get => {field}; set => {field} = value.ToList(); }}", fill),
            1 => ($"private readonly List<{item.Name}> {field} = new(); @public List<{item.Name}> {name} {{ get => {field}; set {{ if (ReferenceEquals(value, {field})) return; {field}.Clear(); {field}.AddRange(value); }} }}", fill),
            2 => ($"private List<{item.Name}> {field} = new(); @public {item.Name}[] {name} {{ get => {field}.ToArray(); set => {field} = new(value); }}", fill),
            3 => ($"{mark}private List<{item.Name}> {field} = new(); public IReadOnlyList<{item.Name}> {name} => {field}.AsReadOnly();", fill),
            4 => ($"@public List<{item.Name}> {name} {{ get => field ??= new(); set; }}", list.Fill!.Replace("$", name, StringComparison.Ordinal)),
            5 => ($"@public string {name} {{ get; set => field = value ?? \"none\"; }} = \"first\";", $"{name} = R.Text(r);"),
            6 => ($"private Collection<{item.Name}>? {field}; private readonly List<{item.Name}> {field}Inner = new(); @public Collection<{item.Name}> {name} => {field} ??= new Collection<{item.Name}>({field}Inner);", list.Fill!.Replace("$", name, StringComparison.Ordinal)),
            7 => ($"private Collection<{item.Name}>? {field}; {mark}private readonly List<{item.Name}> {field}Inner = new(); {program.Marks?.Ignore ?? (IsJson ? "[JsonIgnore] " : "")}public Collection<{item.Name}> {name} => {field} ??= new Collection<{item.Name}>({field}Inner);", $"{field}Inner.AddRange(R.Many<{item.Name}>(r, () => {item.Value}!));"),
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
        ModelMember member = Make(number, new MemberType(type.Name + "?", "null") { Uses = [type] }, isOpen: true, canSet: true);
        member.Marks = "[DataMember]";
        string other = $"{member.Name}Others";
        member.Declaration = $"[DataMember] public {type.Name}? {member.Name} {{ get; set; }} [DataMember] public List<{type.Name}> {other} {{ get; set; }} = new();";
        member.Set = $"{member.Name} = r.Next(3) switch {{ 0 => this, 1 => Make.Of{type.SimpleName}(r, d - 1), _ => null }}; if (r.Next(2) == 0 && {member.Name} is {{ }} one{number}) {{ {other}.Add(one{number}); {other}.Add(one{number}); }}";
        return member;
    }

    private ModelMember Alias(int number)
    {
        MemberType of = types.Draw(type);
        ModelMember member = Make(number, of, isOpen: true, canSet: true);
        string other = program.Marks is { } marks ? Chance(50) ? marks.Ignore : marks.Include(type, number + 100) : IsJson ? Chance(50) ? "[JsonPropertyName(\"a" + number.ToString(CultureInfo.InvariantCulture) + "\")] " : "" : IsContract && Chance(50) ? "[DataMember] " : "";
        member.Declaration = $"private {of.Name} _m{number}{(type.IsValue ? "" : " = default!")}; @public {of.Name} {member.Name} {{ get => _m{number}; set => _m{number} = value; }} {other}public {of.Name} {member.Name}Too {{ get => _m{number}; set => _m{number} = value; }}";
        member.Set = $"{member.Name} = {of.Value}!;";
        return member;
    }

    private ModelMember Computed(int number)
    {
        ModelMember? of = type.Members.FirstOrDefault(static one => one.Type.Name == "int" && !one.Declaration.Contains("_m", StringComparison.Ordinal) && one.Overrides is null);
        if (of is null) return Property(number, "get; set;", isOpen: true);
        string mark = program.Marks is { } marks ? Chance(70) ? marks.Ignore : marks.Include(type, number + 100) : "";
        return new ModelMember { Number = number, Name = "M" + number.ToString(CultureInfo.InvariantCulture), Type = types.Int, Declaration = $"{mark}public int M{number} => {of.Name} + 1;", Needs = of };
    }

    private string Marks(int number, MemberType of, bool isOpen, bool canSet, bool isField)
    {
        string digits = number.ToString(CultureInfo.InvariantCulture);
        if (program.Marks is { } marks) return marks.OfMember(type, number, of, isOpen, random);
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
        if (marks.Exists(static one => one is "[JsonInclude]" || one.StartsWith("[JsonPropertyName", StringComparison.Ordinal)) && Chance(6)) marks.Add(Chance(50) ? "[IgnoreDataMember]" : "[XmlIgnore]");
        return string.Join("", marks);
    }
}
