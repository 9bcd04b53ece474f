// Draws types of members: any of the framework's rows and of the program's own types, nested a few levels.

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>Draws the types of members of one type.</summary>
internal sealed class TypeRefDrawer(Random random, ProgramModel program, TypeModel inside)
{
    /// <summary>Draws the type of a member.</summary>
    /// <param name="depth">How many levels it may have.</param>
    /// <param name="direct">A value of it lies in the declaring value itself, so it must not be a struct that may hold that one.</param>
    public TypeRef Draw(int depth, bool direct)
    {
        TypeRef drawn = random.Next(depth <= 0 ? 45 : 100) switch
        {
            < 22 => Pick(Framework.Common),
            < 30 => Pick(Framework.Rare),
            < 33 => inside.Arity > 0 ? Parameter() : Pick(Framework.Common),
            < 60 => Declared(depth, direct),
            < 70 => new TypeRef.Array(Draw(depth - 1, false), random.Next(10) switch { < 6 => 1, < 9 => 2, _ => 3 }),
            < 82 => Collection(Framework.Usual, depth, direct),
            < 92 => Collection(Framework.Unusual, depth, direct),
            < 97 => new TypeRef.Tuple([.. Enumerable.Range(0, random.Next(12) == 0 ? 9 : random.Next(2, 4)).Select(_ => Draw(depth - 1, direct))], random.Next(2) == 0),
            _ => new TypeRef.Scalar(Framework.Object),
        };
        return Annotated(drawn);
    }

    /// <summary>Draws a type argument from outside: nothing of the generic types themselves.</summary>
    public TypeRef Closed(int depth)
    {
        while (true)
        {
            TypeRef drawn = Draw(depth, false);
            if (drawn is TypeRef.Maybe { IsValue: false } maybe) drawn = maybe.Inner;
            if (!drawn.Parts().Any(static part => part is TypeRef.Parameter or TypeRef.Declared { Type.Arity: > 0 })) return drawn;
        }
    }

    /// <summary>Draws a type that objects are found by.</summary>
    public TypeRef Key(Keys needs, int depth = 1)
    {
        int choice = random.Next(10);
        if (choice < 2)
        {
            TypeModel[] declared = [.. program.Types.Where(type => type.Keys >= needs && type.Index < inside.Index)];
            if (declared.Length > 0) return new TypeRef.Declared(declared[random.Next(declared.Length)], []);
        }

        if (choice == 2 && depth > 0) return new TypeRef.Tuple([Key(needs, 0), Key(needs, 0)], random.Next(2) == 0);
        FrameworkScalar[] all = [.. (choice < 8 ? Framework.Common : Framework.Rare).Where(scalar => scalar.Keys >= needs)];
        return new TypeRef.Scalar(all[random.Next(all.Length)]);
    }

    /// <summary>Draws a collection that reading fills where its object made it.</summary>
    public TypeRef Filled()
    {
        while (true)
        {
            var drawn = (TypeRef.Collection)Collection(random.Next(2) == 0 ? Framework.Usual : Framework.Unusual, 1, false);
            if (drawn.Kind.IsFilled) return drawn;
        }
    }

    private TypeRef Annotated(TypeRef type)
    {
        if (type is TypeRef.Parameter or TypeRef.Maybe) return type;
        // No Nullable of a Nullable, and none of what a type parameter stands for.
        return random.Next(type.IsValue ? 4 : 2) == 0 ? new TypeRef.Maybe(type) : type;
    }

    private TypeRef.Scalar Pick(IReadOnlyList<FrameworkScalar> scalars) => new(scalars[random.Next(scalars.Count)]);

    private TypeRef.Parameter Parameter() => new(random.Next(inside.Arity), random.Next(2) == 0);

    private TypeRef Collection(IReadOnlyList<FrameworkGeneric> kinds, int depth, bool direct) => Collection(kinds[random.Next(kinds.Count)], depth, direct);

    /// <summary>Draws the arguments of a generic type.</summary>
    public TypeRef Collection(FrameworkGeneric kind, int depth, bool direct)
    {
        // Among equal priorities the order may differ afterwards, and with it which object is met first.
        if (program.HasReferences && kind.Name.EndsWith("PriorityQueue", StringComparison.Ordinal)) kind = Framework.List;
        // The runtime loads no struct that holds a generic struct of itself, whatever that keeps it in.
        bool isInside = direct && kind.IsValue;
        bool isQueue = kind.Name.EndsWith("PriorityQueue", StringComparison.Ordinal);
        TypeRef first = kind.Needs != Keys.None && !isQueue ? Key(kind.Needs) : Draw(depth - 1, isInside);
        if (kind.Arity == 1) return new TypeRef.Collection(kind, [first]);
        return new TypeRef.Collection(kind, [first, isQueue ? Key(kind.Needs) : Draw(depth - 1, isInside)]);
    }

    private TypeRef Declared(int depth, bool direct)
    {
        List<TypeModel> fit = [.. program.Types.Where(type => IsFit(type, direct))];
        if (fit.Count == 0) return Pick(Framework.Common);
        TypeModel chosen = fit[random.Next(fit.Count)];
        if (chosen == inside) return new TypeRef.Declared(chosen, [.. Enumerable.Range(0, chosen.Arity).Select(static index => new TypeRef.Parameter(index, false))]);
        return new TypeRef.Declared(chosen, [.. Enumerable.Range(0, chosen.Arity).Select(_ => Argument(depth - 1, direct && chosen.IsValue))]);
    }

    private TypeRef Argument(int depth, bool direct)
    {
        TypeRef drawn = Draw(Math.Min(depth, 1), direct);
        return drawn is TypeRef.Maybe { IsValue: false } maybe ? maybe.Inner : drawn;
    }

    private bool IsFit(TypeModel type, bool direct)
    {
        if ((type.Form == TypeForm.Interface || type.IsAbstract) && !program.HasCases(type)) return false;
        if (type.Form == TypeForm.Enum) return true;
        if (type.IsValue && direct && type.Index >= inside.Index) return false;
        // A generic type that reaches a larger construction of itself has no end; a base reaches those that derive from it.
        if (inside.Arity > 0 && type != inside && program.Types.Any(other => other.Arity > 0 && type.Arity > 0 && other.Base?.Type == type)) return false;
        return type.Arity == 0 || inside.Arity == 0 ? type != inside || !direct : type == inside ? !direct || !type.IsValue : type.Index < inside.Index;
    }
}
