// Draws a next version of a program: members come, go, change places, names and types; types change their names, enums their width, bases get cases and lose them. What docs/evolution.md promises to read, and of single values what it promises to refuse.

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>Makes a program its own next version.</summary>
internal sealed class ProgramMutation
{
    private readonly int _seed;
    private readonly ProgramModel _next;
    private readonly Evolution _evolution;

    private ProgramMutation(ProgramModel old, ProgramModel next, int seed)
    {
        _seed = seed;
        _next = next;
        _evolution = new Evolution(old, next);
    }

    /// <summary>Changes a program.</summary>
    /// <param name="old">The program.</param>
    /// <param name="next">Another one like it, which is changed.</param>
    /// <param name="seed">What decides how.</param>
    public static Evolution Mutate(ProgramModel old, ProgramModel next, int seed)
    {
        var mutation = new ProgramMutation(old, next, seed);
        Dictionary<MemberModel, (int Type, string State)> were = [];
        foreach (TypeModel type in next.Types) foreach (MemberModel member in type.Members.Where(static member => member.IsStored)) were.Add(member, (type.Index, member.State));
        HierarchyMutation.Change(old, next, seed, were);
        mutation._evolution.Lost = HierarchyMutation.LoseCases(old, next, seed);
        foreach (TypeModel type in next.Types.Where(static type => type.Index < 100).OrderBy(static type => type.Form != TypeForm.Enum)) mutation.Change(type, were);
        HierarchyMutation.AddCases(next, seed);
        foreach (TypeModel type in next.Types) type.DropOverrides();
        return mutation._evolution;
    }

    private void Change(TypeModel type, Dictionary<MemberModel, (int Type, string State)> were)
    {
        var random = new Random(ProgramDrawer.HashCode(_seed + 77, type.Index));
        if (type.Form == TypeForm.Enum)
        {
            Widen(type, random);
            return;
        }

        if (random.Next(5) == 0) Rename(type, random);
        List<MemberModel> kept = [];
        foreach (MemberModel member in type.Members)
        {
            var own = new Random(ProgramDrawer.HashCode(ProgramDrawer.HashCode(_seed, type.Index), member.Index));
            if (type.Keys == Keys.None && !_next.HasReferences && !member.IsTurned && own.Next(8) == 0 && !(type.IsValue && type.Members.Count == 1)) continue;
            kept.Add(member);
            if (!member.IsStored) continue;
            Func<Shape, Shape> convert = type.Keys == Keys.None ? new MemberMutation(_next, type, member, own).Change() : static shape => shape;
            // Objects in a dictionary are numbered in the order of its keys, which the names of members decide.
            (int declared, string old) = were[member];
            if (own.Next(5) == 0 && !(type.Keys != Keys.None && _next.HasReferences)) Rename(declared, member);
            _evolution.Changes.Add(new MemberChange(declared, old, member, convert));
        }

        // Which class has the state of a member is nobody's business.
        type.Overrides.RemoveAll(one => !one.Member.IsAbstract && random.Next(3) == 0);
        // Where references are kept, what comes first has the first number.
        if (!_next.HasReferences && random.Next(3) == 0) kept.Reverse();
        type.Members = kept;
        if (type.Keys != Keys.None || type.Form == TypeForm.Interface) return;
        for (int i = random.Next(4) - 1; i > 0; i--) Add(type, i, random);
    }

    private static void Rename(TypeModel type, Random random)
    {
        // Former names of a generic type are without its arguments.
        string former = type.SchemaName ?? type.BareName;
        int choice = random.Next(3);
        if (choice < 2) type.Name = type.Name.TrimStart('@') + "Now";
        if (choice > 0) (type.Namespace, type.Outers) = ("Moved.To", type.Outers.Any(static outer => outer.Arity > 0) ? [.. type.Outers.Select(static outer => outer with { Name = outer.Name + "Now" })] : random.Next(2) == 0 ? [new Outer("static partial class", $"Holder{type.Index}Now", 0)] : []);
        if (type.SchemaName is null) type.FormerNames.Add(former);
    }

    private static void Widen(TypeModel type, Random random)
    {
        if (random.Next(2) == 0) type.Underlying = type.Underlying switch { "byte" => "ushort", "sbyte" => "int", "short" => "long", "ushort" => "int", "int" => "long", "uint" => "ulong", _ => type.Underlying };
        else if (random.Next(4) == 0 && type.Numbers.All(static one => one.Number is "0" or "1" or "2" or "5" or "7" or "100")) type.Underlying = new[] { "byte", "sbyte", "short", "ushort", "int", "uint", "long", "ulong" }[random.Next(8)];
        if (random.Next(2) == 0) type.Numbers.Add(("Added", "3"));
        if (random.Next(4) == 0) Rename(type, random);
    }

    private static void Rename(int declared, MemberModel member)
    {
        if (member.Id is null) member.FormerNames.Add(member.Name.TrimStart('@'));
        member.Name = $"Renamed{declared}_{member.Index}";
    }

    private void Add(TypeModel type, int number, Random random)
    {
        int choice = random.Next(5);
        // A factory is never called with what nobody stored.
        bool hasInitializer = choice < 2 && !type.IsValue && type.Making != Making.Factory;
        TypeRef of = choice switch
        {
            0 => new TypeRef.Scalar(Framework.Int32),
            1 => new TypeRef.Scalar(Framework.String),
            2 => new TypeRefDrawer(random, _next, type).Closed(1),
            3 => new TypeRef.Maybe(new TypeRef.Scalar(Framework.Common[random.Next(Framework.Common.Count)])),
            _ => new TypeRef.Collection(Framework.List, [new TypeRef.Scalar(Framework.Int32)]),
        };
        // A struct that may not lie in this one, and an abstract base's zero, are looked at elsewhere.
        if (choice == 2 && of.Parts().Any(static part => part is TypeRef.Declared)) of = new TypeRef.Scalar(Framework.Int32);
        bool isFilled = choice == 4 && !type.IsValue;
        var member = new MemberModel
        {
            Index = 1000 + number,
            Name = $"Added{type.Index}_{number}",
            Type = of,
            Form = isFilled ? MemberForm.Filled : type.IsReadonly ? MemberForm.Init : MemberForm.Set,
            Initializer = hasInitializer ? (choice == 0 ? "42" : "\"new\"") : null,
            Id = type.Members.Any(static one => one.Id is not null) && random.Next(2) == 0 ? 500 + number : null,
        };
        type.Members.Insert(_next.HasReferences ? type.Members.Count : random.Next(type.Members.Count + 1), member);
        if (isFilled) _evolution.Added.Add(member, new Shape.Items([], true, ""));
        else if (hasInitializer) _evolution.Added.Add(member, Shapes.OfPlain(choice == 0 ? 42 : "new"));
    }
}
