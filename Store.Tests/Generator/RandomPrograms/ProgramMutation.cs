// Draws a next version of a program: members come, go, change places, names and types; types change their names, enums their width, bases get cases. Only what docs/evolution.md promises to read.

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>Makes a program its own next version.</summary>
internal sealed class ProgramMutation
{
    private static readonly string[] Lists = ["List", "LinkedList", "Queue", "IReadOnlyList", "IList", "IEnumerable", "ICollection", "IReadOnlyCollection", "Immutable.ImmutableList", "Immutable.ImmutableArray", "ObjectModel.Collection", "ObjectModel.ReadOnlyCollection"];

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
        foreach (TypeModel type in next.Types) mutation.Change(type);
        return mutation._evolution;
    }

    private void Change(TypeModel type)
    {
        var random = new Random(ProgramDrawer.HashCode(_seed + 77, type.Index));
        List<MemberChange> changes = _evolution.Changes[type.Index] = [];
        string schemaName = type.SchemaName ?? type.ReflectedName;
        if (type.Form == TypeForm.Enum)
        {
            Widen(type, random);
            return;
        }

        if (type.Arity == 0 && random.Next(5) == 0)
        {
            type.Name = type.Name.TrimStart('@') + "Now";
            if (type.SchemaName is null) type.FormerNames.Add(schemaName);
        }

        List<MemberModel> kept = [];
        foreach (MemberModel member in type.Members)
        {
            var own = new Random(ProgramDrawer.HashCode(ProgramDrawer.HashCode(_seed, type.Index), member.Index));
            if (type.Keys == Keys.None && !_next.HasReferences && own.Next(8) == 0 && !(type.IsValue && type.Members.Count == 1)) continue;
            kept.Add(member);
            if (!member.IsStored) continue;
            string old = member.State;
            MemberChange change = type.Keys == Keys.None ? ChangeType(type, member, own) : new MemberChange(old, old, static shape => shape);
            // Objects in a dictionary are numbered in the order of its keys, which the names of members decide.
            if (own.Next(5) == 0 && !(type.Keys != Keys.None && _next.HasReferences)) Rename(type, member);
            changes.Add(change with { Old = old, New = member.State });
        }

        // Where references are kept, what comes first has the first number.
        if (!_next.HasReferences && random.Next(3) == 0) kept.Reverse();
        type.Members = kept;
        if (type.Keys != Keys.None || type.Form == TypeForm.Interface) return;
        for (int i = random.Next(4) - 1; i > 0; i--) Add(type, i, random, changes);
    }

    private static void Widen(TypeModel type, Random random)
    {
        if (random.Next(2) == 0) type.Underlying = type.Underlying switch { "byte" => "ushort", "sbyte" => "int", "short" => "long", "ushort" => "int", "int" => "long", "uint" => "ulong", _ => type.Underlying };
        if (random.Next(2) == 0) type.Numbers.Add(("Added", "3"));
        if (random.Next(4) != 0) return;
        type.FormerNames.Add(type.ReflectedName);
        type.Name = type.Name.TrimStart('@') + "Now";
    }

    private static void Rename(TypeModel type, MemberModel member)
    {
        if (member.Id is null) member.FormerNames.Add(member.Name.TrimStart('@'));
        member.Name = $"Renamed{type.Index}_{member.Index}";
    }

    private void Add(TypeModel type, int number, Random random, List<MemberChange> changes)
    {
        int choice = random.Next(5);
        // A factory is never called with what nobody stored, and where references are kept no new object is looked at.
        bool hasInitializer = choice < 2 && !type.IsValue && type.Making != Making.Factory && !_next.HasReferences;
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
        Shape? added = isFilled ? new Shape.Items([], true, "") : hasInitializer ? Shapes.OfPlain(choice == 0 ? 42 : "new") : null;
        changes.Add(new MemberChange(null, member.State, static shape => shape, Added: added));
    }

    private MemberChange ChangeType(TypeModel type, MemberModel member, Random random)
    {
        var same = new MemberChange(null, "", static shape => shape);
        int choice = random.Next(12);
        if (member.IsUtf8 && choice < 6) member.IsUtf8 = choice < 3;
        if (member.Form is MemberForm.Filled or MemberForm.FilledField)
        {
            if (choice < 3) member.Form = member.Form == MemberForm.Filled ? MemberForm.Set : MemberForm.Field;
            return same;
        }

        if (choice == 3 && !type.IsValue && member.Form is MemberForm.Set or MemberForm.Init && Bare(member.Type) is TypeRef.Collection { Kind.IsFilled: true } filled)
        {
            (member.Form, member.Type) = (MemberForm.Filled, filled);
            return same with { NullIsEmpty = true };
        }

        if (member.Form == MemberForm.Set && choice == 4) member.Form = type.IsReadonly ? MemberForm.Init : MemberForm.Field;
        else if (member.Form == MemberForm.Field && choice == 4) member.Form = MemberForm.Init;
        return choice switch
        {
            < 5 => Widened(member, random) ?? same,
            5 or 6 when member.Type is TypeRef.Scalar { IsValue: true, Kind.Name: not "global::System.Text.Json.JsonElement" } or TypeRef.Tuple or TypeRef.Declared { IsValue: true } => Optional(member, same),
            5 or 6 or 7 when member.Type is TypeRef.Maybe { Inner: TypeRef.Scalar { IsValue: true } or TypeRef.Declared { IsValue: true, Arguments.Count: 0 } } maybe && type.Arity == 0 => Needed(member, maybe, same),
            8 when Bare(member.Type) is TypeRef.Scalar { Kind: var kind } && kind != Framework.Object && !kind.IsList || Bare(member.Type) is TypeRef.Declared { Arguments.Count: 0 } => InList(member, random),
            9 or 10 => OtherList(member, random) ?? same,
            _ => same,
        };
    }

    private static TypeRef Bare(TypeRef type) => type is TypeRef.Maybe { IsValue: false } maybe ? maybe.Inner : type;

    private static MemberChange Optional(MemberModel member, MemberChange same)
    {
        member.Type = new TypeRef.Maybe(member.Type);
        return same;
    }

    private static MemberChange Needed(MemberModel member, TypeRef.Maybe maybe, MemberChange same)
    {
        member.Type = maybe.Inner;
        return same with { NullIsZero = true };
    }

    private static MemberChange InList(MemberModel member, Random random)
    {
        member.Type = random.Next(2) == 0 ? new TypeRef.Array(member.Type, 1) : new TypeRef.Collection(Framework.List, [member.Type]);
        return new MemberChange(null, "", static shape => shape is Shape.Nothing ? new Shape.Items([], true, "") : new Shape.Items([shape], true, ""));
    }

    private static MemberChange? OtherList(MemberModel member, Random random)
    {
        TypeRef? element = Bare(member.Type) switch
        {
            TypeRef.Array { Rank: 1 } array => array.Element,
            TypeRef.Collection { Arguments.Count: 1 } list when Lists.Any(name => list.Kind.Name == "global::System.Collections." + (name.Contains('.', StringComparison.Ordinal) ? "" : "Generic.") + name) => list.Arguments[0],
            _ => null,
        };
        if (element is null) return null;
        string other = Lists[random.Next(Lists.Length)];
        FrameworkGeneric kind = Framework.Usual.Concat(Framework.Unusual).First(one => one.Name.EndsWith("." + other, StringComparison.Ordinal));
        member.Type = random.Next(4) == 0 ? new TypeRef.Array(element, 1) : new TypeRef.Collection(kind, [element]);
        return new MemberChange(null, "", static shape => shape);
    }

    private MemberChange? Widened(MemberModel member, Random random)
    {
        if (Widened(member.Type, random) is not { } widened) return null;
        member.Type = widened.Type;
        return new MemberChange(null, "", widened.Convert);
    }

    // A scalar at any depth of what keeps its own shape.
    private (TypeRef Type, Func<Shape, Shape> Convert)? Widened(TypeRef type, Random random)
    {
        switch (type)
        {
            case TypeRef.Scalar scalar:
                return Widening.Of(scalar.Kind, random) is { } one ? (new TypeRef.Scalar(one.To), one.Convert) : null;
            case TypeRef.Maybe maybe:
                return Widened(maybe.Inner, random) is { } inner ? (new TypeRef.Maybe(inner.Type), inner.Convert) : null;
            case TypeRef.Array array:
                return Widened(array.Element, random) is { } element ? (array with { Element = element.Type }, Each(element.Convert)) : null;
            case TypeRef.Collection { Arguments.Count: 1, Kind.Needs: Keys.None } list when !list.Kind.Name.Contains("Lazy", StringComparison.Ordinal):
                return Widened(list.Arguments[0], random) is { } item ? (list with { Arguments = [item.Type] }, Each(item.Convert)) : null;
            case TypeRef.Collection { Arguments.Count: 2, Kind.Needs: not Keys.None } map when map.Kind.Name.Contains("Dictionary", StringComparison.Ordinal):
                return Widened(map.Arguments[1], random) is { } value ? (map with { Arguments = [map.Arguments[0], value.Type] }, Each(pair => pair is Shape.Items items ? items with { All = [items.All[0], value.Convert(items.All[1])] } : pair)) : null;
            case TypeRef.Tuple { Items.Count: < 8 } tuple:
                return Widened(tuple.Items[0], random) is { } first ? (tuple with { Items = [first.Type, .. tuple.Items.Skip(1)] }, shape => shape is Shape.Items items ? items with { All = [first.Convert(items.All[0]), .. items.All.Skip(1)] } : shape) : null;
            default:
                return null;
        }
    }

    private static Func<Shape, Shape> Each(Func<Shape, Shape> convert) => shape => shape is Shape.Items items ? items with { All = [.. items.All.Select(convert)] } : shape;
}
