// Draws properties: with whatever accessors, with code in them or none, and collections without a setter.

using System.Globalization;

namespace Store.Tests.Generator.RandomModels;

/// <summary>Draws the properties of a type.</summary>
/// <param name="program">The program.</param>
/// <param name="types">What draws types of members.</param>
/// <param name="random">The chance.</param>
/// <param name="type">The type.</param>
/// <param name="fields">What draws a field where a property would be none that the serializer takes.</param>
internal sealed class ModelPropertyDrawer(ModelProgram program, ModelTypeDrawer types, Random random, ModelType type, ModelFieldDrawer fields) : ModelMarkDrawer(program, types, random, type)
{
    public ModelMember Property(int number, string accessors, bool isOpen)
    {
        MemberType of = Types.Draw(Type);
        ModelMember member = Make(number, of, isOpen, canSet: true);
        bool isMade = !Type.IsValue && of.Fill is not null && Chance(40);
        member.Declaration = $"@public {of.Name} {member.Name} {{ {accessors} }}{(isMade ? $" = {of.Empty};" : !Type.IsValue && of.Name is "int" or "int?" && Chance(40) ? " = 7;" : !Type.IsValue && of.Name == "string" && Chance(40) ? " = \"was\";" : Type.IsValue || of.IsValue || of.Name.EndsWith('?') ? "" : " = default!;")}";
        member.Set = $"{member.Name} = {of.Value}!;";
        if (!Type.IsValue && TakesParameters && Type.Effective != ConstructorForm.Primary && Chance(30))
        {
            member.IsOtherwiseNamed = Type.Effective == ConstructorForm.Both && Chance(30);
            member.Assign = $"{member.Name} = {member.Parameter};";
        }

        if (of.Name == "int" && Chance(20)) member.Begin = $"{member.Name} = 5;";
        if (IsSerializable && Chance(8)) member.Marks = "[field: NonSerialized]";
        if (IsContract && !Type.IsValue && Chance(4)) member.Marks = "[field: DataMember]";
        return member;
    }

    public ModelMember Init(int number)
    {
        MemberType of = Types.Draw(Type);
        ModelMember member = Make(number, of, isOpen: true, canSet: true);
        member.Declaration = $"@public {of.Name} {member.Name} {{ get; init; }}{(Type.IsValue || of.IsValue || of.Name.EndsWith('?') ? "" : " = default!;")}";
        member.Init = of.Value + "!";
        return member;
    }

    public ModelMember Required(int number)
    {
        MemberType of = Types.Draw(Type);
        // Objects of a generic type are made where its parameter is not known.
        if (Type.IsGeneric || Type.Effective != ConstructorForm.None || Program.Types.Any(one => one.Base == Type || one.NestedIn == Type)) return Init(number);
        ModelMember member = Make(number, of, isOpen: true, canSet: true);
        member.Declaration = $"@public required {of.Name} {member.Name} {{ get; {(Chance(50) ? "set" : "init")}; }}";
        member.Init = of.Value + "!";
        return member;
    }

    public ModelMember HiddenSetter(int number)
    {
        string access = Type.IsValue ? Chance(70) ? "private" : "internal" : Random.Next(6) switch { 0 => "internal", 1 => "protected", 2 => "private protected", 3 => "protected internal", _ => "private" };
        return Property(number, $"get; {access} {(Chance(15) ? "init" : "set")};".Replace("init", Type.IsValue ? "set" : "set", StringComparison.Ordinal), isOpen: false);
    }

    public ModelMember HiddenProperty(int number)
    {
        MemberType of = Types.Draw(Type);
        ModelMember member = Make(number, of, isOpen: false, canSet: true);
        string access = Type.IsValue ? "private" : Random.Next(4) switch { 0 => "internal", 1 => "protected", _ => "private" };
        member.Declaration = Chance(30) && access != "private" ? $"@public {of.Name} {member.Name} {{ private get; set; }}" : $"@{access} {of.Name} {member.Name} {{ get; set; }}";
        member.Declaration += Type.IsValue || of.IsValue || of.Name.EndsWith('?') ? "" : " = default!;";
        member.Set = $"{member.Name} = {of.Value}!;";
        return member;
    }

    public ModelMember GetOnly(int number)
    {
        if (!TakesParameters || (Type.Effective == ConstructorForm.Primary && !IsHeadOfClass)) return GetOnlyCollection(number);
        if (IsContract && Chance(90)) return fields.ReadonlyField(number);
        MemberType of = Types.Draw(Type);
        ModelMember member = Make(number, of, isOpen: true, canSet: true);
        member.Marks = member.Marks.Replace("[JsonRequired]", "", StringComparison.Ordinal);
        if (IsHeadOfClass)
        {
            member.Declaration = Random.Next(4) switch
            {
                0 => $"@public {of.Name} {member.Name} => {member.Parameter};",
                1 => $"@public {of.Name} {member.Name} {{ get => {member.Parameter}; set => {member.Parameter} = value; }}",
                _ => $"@public {of.Name} {member.Name} {{ get; }} = {member.Parameter};",
            };
            member.Assign = "";
            return member;
        }

        member.Declaration = $"@public {of.Name} {member.Name} {{ get; }}{(Type.IsValue || of.IsValue || of.Name.EndsWith('?') || Type.Effective == ConstructorForm.Full ? "" : " = default!;")}";
        member.Assign = Random.Next(8) switch
        {
            0 when of.Name == "string" => $"{member.Name} = {member.Parameter} ?? \"\";",
            1 when of.Name == "int" => $"{member.Name} = Math.Abs({member.Parameter});",
            2 when of.Name.StartsWith("List<", StringComparison.Ordinal) && !of.Name.EndsWith('?') => $"{member.Name} = {member.Parameter} is null ? new() : new({member.Parameter});",
            _ => $"{member.Name} = {member.Parameter};",
        };
        return member;
    }

    public ModelMember GetOnlyCollection(int number)
    {
        MemberType of = Types.Fillable(Type);
        if (Type.IsValue) return Property(number, "get; set;", isOpen: true);
        if (IsContract && Chance(92)) return Lazy(number);
        ModelMember member = Make(number, of, isOpen: true, canSet: false);
        if (IsJson && Chance(40) && Type.Effective is ConstructorForm.None or ConstructorForm.Empty) member.Marks += "[JsonObjectCreationHandling(JsonObjectCreationHandling.Populate)]";
        if (IsJson && Type.Effective is ConstructorForm.None or ConstructorForm.Empty && Chance(12) && Program.Types.FirstOrDefault(one => one is { IsConcrete: true, IsGeneric: false, Kind: ModelKind.Class, Collection: null, IsPolymorphic: false } && one.HasEmpty && one.Turns % 8 < 5 && one.Index < Type.Index && !one.Members.Exists(static held => held.Declaration.Contains("required ", StringComparison.Ordinal)) && one.Base is null) is { } held)
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

    public ModelMember Lazy(int number)
    {
        if (Type.IsValue) return Property(number, "get; set;", isOpen: true);
        MemberType of = Types.Fillable(Type);
        ModelMember member = Make(number, of, isOpen: true, canSet: false);
        if (IsJson && Chance(40) && Type.Effective is ConstructorForm.None or ConstructorForm.Empty) member.Marks += "[JsonObjectCreationHandling(JsonObjectCreationHandling.Populate)]";
        member.Declaration = Random.Next(3) switch
        {
            0 => $"private {of.Name}? _m{number}; @public {of.Name} {member.Name} => _m{number} ??= {of.Empty};",
            1 => $"private {of.Name}? _m{number}; @public {of.Name} {member.Name} {{ get => _m{number} ??= {of.Empty}; set => _m{number} = value; }}",
            _ => $"private {of.Name}? _m{number}; @public {of.Name} {member.Name} {{ get {{ if (_m{number} == null) _m{number} = {of.Empty}; return _m{number}; }} private set => _m{number} = value; }}",
        };
        member.Set = $"if (r.Next(3) > 0) {{ {of.Fill!.Replace("$", member.Name, StringComparison.Ordinal)} }}";
        return member;
    }

    public ModelMember WithCode(int number)
    {
        MemberType of = Types.Draw(Type);
        ModelMember member = Make(number, of, isOpen: true, canSet: true);
        string field = $"_m{number}", accessors = Random.Next(4) switch
        {
            0 when of.Name == "string" => $"get => {field} ?? \"\"; set => {field} = value ?? \"\";",
            1 when of.Name == "int" => $"get => {field}; set => {field} = Math.Max(value, 0);",
            2 => $"get => {field}; set {{ if (Equals({field}, value)) return; {field} = value; }}",
            3 => $"get {{ return {field}; }} init {{ {field} = value; }}",
            _ => $"get => {field}; set => {field} = value;",
        };
        bool isInit = accessors.Contains("init", StringComparison.Ordinal);
        member.Declaration = $"private {of.Name} {field}{(Type.IsValue ? "" : " = default!")}; @public {of.Name} {member.Name} {{ {accessors} }}";
        if (isInit) member.Init = of.Value + "!";
        else member.Set = $"{member.Name} = {of.Value}!;";
        return member;
    }

    public ModelMember Virtual(int number)
    {
        MemberType of = Types.Draw(Type);
        ModelMember member = Make(number, of, isOpen: true, canSet: true);
        if (Type.IsAbstract && Chance(50))
        {
            member.IsAbstract = true;
            member.Declaration = $"@public abstract {of.Name} {member.Name} {{ get;{(Chance(30) ? "" : " set;")} }}";
            return member;
        }

        member.Declaration = $"@public virtual {of.Name} {member.Name} {{ get; {(Chance(15) ? "protected internal " : "")}set; }}{(of.IsValue || of.Name.EndsWith('?') ? "" : " = default!;")}";
        member.Set = $"{member.Name} = {of.Value}!;";
        return member;
    }

    public ModelMember Computed(int number)
    {
        ModelMember? of = Type.Members.FirstOrDefault(static one => one.Type.Name == "int" && !one.Declaration.Contains("_m", StringComparison.Ordinal) && one.Overrides is null);
        if (of is null) return Property(number, "get; set;", isOpen: true);
        string mark = Program.Marks is { } marks ? Chance(70) ? marks.Ignore : marks.Include(Type, number + 100) : "";
        return new ModelMember { Number = number, Name = "M" + number.ToString(CultureInfo.InvariantCulture), Type = Types.Int, Declaration = $"{mark}public int M{number} => {of.Name} + 1;", Needs = of };
    }
}
