// What becomes of one member in the next version of its program: of its type, of how it is declared, and so of its values.

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>Changes one member.</summary>
internal sealed class MemberMutation(ProgramModel next, TypeModel type, MemberModel member, Random random)
{
    private static readonly string[] Lists = ["List", "LinkedList", "Queue", "IReadOnlyList", "IList", "IEnumerable", "ICollection", "IReadOnlyCollection", "Immutable.ImmutableList", "Immutable.ImmutableArray", "ObjectModel.Collection", "ObjectModel.ReadOnlyCollection"];

    /// <summary>Changes it, or leaves it as it is.</summary>
    /// <returns>What becomes of its value; that null is zero where there is none, everybody knows.</returns>
    public Func<Shape, Shape> Change()
    {
        int choice = random.Next(15);
        // The next version turns back what this one has turned.
        if (member.IsTurned) return Same;
        if (member.Codec is { } codec) return choice < 5 && codec.Exchanged is { } without ? ChangeCodec(null, without) : Same;
        if (choice == 0 && member.IsStored && !member.IsUtf8 && OwnCodecs.OfMembers.FirstOrDefault(one => one.Exchanged is not null && one.Fits(member.Type)) is { } other) return ChangeCodec(other, other.Exchanged!);
        if (member.IsUtf8 && choice < 6) member.IsUtf8 = choice < 3;
        if (member.Form is MemberForm.Filled or MemberForm.FilledField)
        {
            if (choice < 3) member.Form = member.Form == MemberForm.Filled ? MemberForm.Set : MemberForm.Field;
            return Same;
        }

        if (choice == 3 && !type.IsValue && !member.IsVirtual && member.Form is MemberForm.Set or MemberForm.Init && Bare(member.Type) is TypeRef.Collection { Kind.IsFilled: true, Kind.Needs: not Keys.Ordered } filled)
        {
            (member.Form, member.Type) = (MemberForm.Filled, filled);
            return Same;
        }

        if (!member.IsVirtual && member.Form == MemberForm.Set && choice == 4) member.Form = type.IsReadonly ? MemberForm.Init : MemberForm.Field;
        else if (member.Form == MemberForm.Field && choice == 4) member.Form = MemberForm.Init;
        return choice switch
        {
            < 5 => Widened(),
            5 or 6 when member.Type is TypeRef.Scalar { IsValue: true, Kind.Name: not "global::System.Text.Json.JsonElement" } or TypeRef.Tuple or TypeRef.Declared { IsValue: true } => Becomes(new TypeRef.Maybe(member.Type)),
            5 or 6 or 7 when member.Type is TypeRef.Maybe { Inner: TypeRef.Scalar { IsValue: true } or TypeRef.Declared { IsValue: true, Arguments.Count: 0 } } maybe && type.Arity == 0 => Becomes(maybe.Inner),
            8 when IsSingle(Bare(member.Type)) => InList(),
            9 or 10 => OtherList(),
            11 or 12 => Single(),
            13 or 14 => OtherBase(),
            _ => Same,
        };
    }

    private static Shape Same(Shape shape) => shape;

    private Func<Shape, Shape> ChangeCodec(OwnCodec? codec, Func<Shape, Shape> exchanged)
    {
        member.Codec = codec;
        return exchanged;
    }

    private Func<Shape, Shape> Becomes(TypeRef of)
    {
        member.Type = of;
        member.IsUtf8 &= of.Parts().Any(static part => part is TypeRef.Scalar { Kind.Name: "string" });
        return Same;
    }

    private static TypeRef Bare(TypeRef type) => type is TypeRef.Maybe { IsValue: false } maybe ? maybe.Inner : type;

    private static bool IsSingle(TypeRef of) => of is TypeRef.Scalar { Kind: var kind } && kind != Framework.Object && !kind.IsList || of is TypeRef.Declared { Arguments.Count: 0 };

    private Func<Shape, Shape> InList()
    {
        Becomes(random.Next(2) == 0 ? new TypeRef.Array(member.Type, 1) : new TypeRef.Collection(Framework.List, [member.Type]));
        return static shape => shape is Shape.Nothing ? new Shape.Items([], true, "") : new Shape.Items([shape], true, "");
    }

    private TypeRef? ElementOfList() => Bare(member.Type) switch
    {
        TypeRef.Array { Rank: 1 } array => array.Element,
        TypeRef.Collection { Arguments.Count: 1 } list when Lists.Any(name => list.Kind.Name == "global::System.Collections." + (name.Contains('.', StringComparison.Ordinal) ? "" : "Generic.") + name) => list.Arguments[0],
        _ => null,
    };

    private Func<Shape, Shape> OtherList()
    {
        if (ElementOfList() is not { } element) return Same;
        string other = Lists[random.Next(Lists.Length)];
        FrameworkGeneric kind = Framework.Usual.Concat(Framework.Unusual).First(one => one.Name.EndsWith("." + other, StringComparison.Ordinal));
        return Becomes(random.Next(4) == 0 ? new TypeRef.Array(element, 1) : new TypeRef.Collection(kind, [element]));
    }

    private Func<Shape, Shape> Single()
    {
        if (ElementOfList() is not { } element || !IsSingle(element is TypeRef.Maybe maybe ? maybe.Inner : element)) return Same;
        // A struct may not lie in one that it may hold.
        if (type.IsValue && element.Parts().Any(static part => part is TypeRef.Declared)) return Same;
        Becomes(element);
        return static shape => shape is Shape.Items { All: var all } ? all.Count switch { 0 => new Shape.Nothing(), 1 => all[0], _ => new Shape.Refused($"{all.Count} elements") } : shape;
    }

    // A base in place of what is derived from it, or object, which holds the case of its own type.
    private Func<Shape, Shape> OtherBase()
    {
        if (next.HasReferences || Bare(member.Type) is not TypeRef.Declared { Type: { IsValue: false, Arity: 0 } of } || !of.IsConcrete) return Same;
        TypeModel[] bases = [.. next.Types.Where(other => other.Arity == 0 && of.DerivesFrom(other) && !other.Unnamed.Contains(of.Index))];
        return Becomes(bases.Length > 0 && random.Next(3) > 0 ? new TypeRef.Maybe(new TypeRef.Declared(bases[random.Next(bases.Length)], [])) : new TypeRef.Scalar(Framework.Object));
    }

    private Func<Shape, Shape> Widened()
    {
        if (Widened(member.Type) is not { } widened) return Same;
        Becomes(widened.Type);
        return widened.Convert;
    }

    // A scalar at any depth of what keeps its own shape.
    private (TypeRef Type, Func<Shape, Shape> Convert)? Widened(TypeRef of)
    {
        switch (of)
        {
            case TypeRef.Scalar scalar:
                return Widening.Of(scalar.Kind, random) is { } one ? (new TypeRef.Scalar(one.To), one.Convert) : null;
            case TypeRef.Declared { Type: { Form: TypeForm.Enum } number } when random.Next(2) == 0:
                return (new TypeRef.Scalar(Framework.Common.First(scalar => scalar.Name == number.Underlying)), shape => shape is Shape.Atom atom ? Integers.As(atom, number.Underlying) : shape);
            case TypeRef.Maybe maybe:
                return Widened(maybe.Inner) is { } inner ? (random.Next(3) == 0 && maybe.Inner is TypeRef.Scalar { IsValue: true } && inner.Type.IsValue ? inner.Type : new TypeRef.Maybe(inner.Type), inner.Convert) : null;
            case TypeRef.Array array:
                return Widened(array.Element) is { } element ? (array with { Element = element.Type }, Each(element.Convert)) : null;
            case TypeRef.Collection { Arguments.Count: 1, Kind.Needs: Keys.None } list when !list.Kind.Name.Contains("Lazy", StringComparison.Ordinal):
                return Widened(list.Arguments[0]) is { } item ? (list with { Arguments = [item.Type] }, Each(item.Convert)) : null;
            case TypeRef.Collection { Arguments.Count: 2, Kind.Needs: not Keys.None } map when map.Kind.Name.Contains("Dictionary", StringComparison.Ordinal):
                return Widened(map.Arguments[1]) is { } value ? (map with { Arguments = [map.Arguments[0], value.Type] }, Each(pair => pair is Shape.Items items ? items with { All = [items.All[0], value.Convert(items.All[1])] } : pair)) : null;
            case TypeRef.Tuple { Items.Count: < 8 } tuple:
                return Widened(tuple.Items[0]) is { } first ? (tuple with { Items = [first.Type, .. tuple.Items.Skip(1)] }, shape => shape is Shape.Items items ? items with { All = [first.Convert(items.All[0]), .. items.All.Skip(1)] } : shape) : null;
            default:
                return null;
        }
    }

    private static Func<Shape, Shape> Each(Func<Shape, Shape> convert) => shape => shape is Shape.Items items ? items with { All = [.. items.All.Select(convert)] } : shape;
}
