// Draws fields: open and hidden ones, those that are readonly, and those that a property shows.

namespace Store.Tests.Generator.RandomModels;

/// <summary>Draws the fields of a type.</summary>
/// <param name="program">The program.</param>
/// <param name="types">What draws types of members.</param>
/// <param name="random">The chance.</param>
/// <param name="type">The type.</param>
internal sealed class ModelFieldDrawer(ModelProgram program, ModelTypeDrawer types, Random random, ModelType type) : ModelMarkDrawer(program, types, random, type)
{
    public ModelMember Field(int number)
    {
        MemberType of = Types.Draw(Type);
        bool isOpen = Chance(60);
        ModelMember member = Make(number, of, isOpen: isOpen && !IsJson, canSet: true, isField: true);
        string access = isOpen ? "public" : Type.IsValue ? "private" : Random.Next(5) switch { 0 => "internal", 1 => "protected", _ => "private" };
        bool isMade = !Type.IsValue && of.Fill is not null && Chance(40);
        member.Declaration = $"@{access} {(of.Name is "int" or "string" && Chance(12) ? "volatile " : "")}{of.Name} {member.Name}{(isMade ? " = " + of.Empty : Type.IsValue || of.IsValue || of.Name.EndsWith('?') ? "" : " = default!")};";
        member.Set = $"{member.Name} = {of.Value}!;";
        return member;
    }

    public ModelMember ReadonlyField(int number)
    {
        bool isFilled = !Type.IsValue && Chance(50);
        MemberType of = isFilled ? Types.Fillable(Type) : Types.Draw(Type);
        bool isOpen = Chance(60);
        ModelMember member = Make(number, of, isOpen: isOpen && !IsJson, canSet: false, isField: true);
        string access = isOpen ? "public" : "private";
        member.Declaration = $"@{access} readonly {of.Name} {member.Name}{(isFilled ? " = " + of.Empty : IsHeadOfClass ? " = " + member.Parameter : Type.IsValue || of.IsValue || TakesParameters ? "" : " = default!")};";
        if (isFilled) member.Set = of.Fill!.Replace("$", member.Name, StringComparison.Ordinal);
        else if (TakesParameters && (IsHeadOfClass || Type.Effective != ConstructorForm.Primary)) member.Assign = $"{member.Name} = {member.Parameter};";
        return member;
    }

    /// <summary>A private field, marked or not, behind a property that only shows it.</summary>
    public ModelMember ShownField(int number)
    {
        bool isList = !Type.IsValue && Chance(50);
        MemberType of = isList ? Types.List(Type) : Types.Draw(Type);
        ModelMember member = Make(number, of, isOpen: false, canSet: true, isField: true);
        string field = $"_m{number}", shown = isList && Chance(60) ? of.Name.Replace("List<", "IReadOnlyList<", StringComparison.Ordinal) : of.Name;
        string ignore = Program.Marks is { } marks ? Chance(60) ? marks.Ignore : marks.Include(Type, number + 100) : IsJson && Chance(40) ? "[JsonIgnore] " : "";
        if (isList && of.Name.LastIndexOf("List<", StringComparison.Ordinal) > 0) shown = of.Name;
        member.Declaration = $"@private {(isList && Chance(50) ? "readonly " : "")}{of.Name} {field}{(isList ? " = new()" : Type.IsValue ? "" : " = default!")}; {ignore}public {shown} {member.Name} => {field};";
        member.Set = isList ? of.Fill!.Replace("$", field, StringComparison.Ordinal) : $"{field} = {of.Value}!;";
        return member;
    }
}
