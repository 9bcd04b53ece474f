// Draws what overrides a member of a base, hides it, stands beside it or takes what it is given.

using System.Globalization;
using System.Text.RegularExpressions;

namespace Store.Tests.Generator.RandomModels;

/// <summary>Draws the members of a type that are there for one of its base.</summary>
/// <param name="program">The program.</param>
/// <param name="types">What draws types of members.</param>
/// <param name="random">The chance.</param>
/// <param name="type">The type.</param>
internal sealed class ModelOverrideDrawer(ModelProgram program, ModelTypeDrawer types, Random random, ModelType type) : ModelMarkDrawer(program, types, random, type)
{
    /// <summary>Overrides a member of a base.</summary>
    public ModelMember Override(int number, ModelMember of)
    {
        MemberType held = OfBase(of);
        ModelMember member = Make(number, held, isOpen: true, canSet: true, name: of.Name);
        member.Overrides = of;
        // What it marks is marked there, or here too.
        if (Program.Marks is not null) member.Marks = Chance(50) ? of.Marks : "";
        bool hasCode = Chance(30);
        if (of.IsAbstract && of.Declaration.EndsWith("{ get; }", StringComparison.Ordinal))
        {
            if (held.Name == "int" && Chance(40)) member.Declaration = $"@public override int {of.Name} => 4;";
            else member.Declaration = TakesParameters && Type.Effective != ConstructorForm.Primary ? $"@public override {held.Name} {of.Name} {{ get; }} = default!;" : $"private {held.Name} _m{number} = default!; @public override {held.Name} {of.Name} => _m{number};";
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
        MemberType held = Chance(60) ? OfBase(of) : Types.Draw(Type);
        ModelMember member = Make(number, held, isOpen: true, canSet: true, name: of.Name);
        member.Declaration = $"@public new {held.Name} {of.Name} {{ get; set; }} = default!;";
        member.Set = $"{of.Name} = {held.Value}!;";
        return member;
    }

    /// <summary>A private member with the name of one that the base has.</summary>
    public ModelMember Beside(int number, ModelMember of)
    {
        MemberType held = Types.Draw(Type);
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

    // What the base declares of its type parameter is here of the argument.
    private MemberType OfBase(ModelMember of)
    {
        if (Type.BaseArgument is not { } argument || !Regex.IsMatch(of.Type.Name, "\\bT\\b")) return of.Type;
        return of.Type.Name is "T" or "T?" ? argument : of.Type with { Name = Given(of.Type.Name), Value = Given(of.Type.Value), Fill = of.Type.Fill is { } fill ? Given(fill) : null, Uses = [.. of.Type.Uses, .. argument.Uses] };

        string Given(string text) => Regex.Replace(text.Replace(ModelTypeDrawer.Parameter.Value, argument.Value, StringComparison.Ordinal), "\\bT\\b\\??", argument.Name);
    }
}
