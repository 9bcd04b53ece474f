// What the next version of a program promises of the records of this one: docs/evolution.md as a function from the shape of the old value to that of the new.

using System.Runtime.CompilerServices;

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>What became of one member.</summary>
/// <param name="Old">The state of the member in the old version; null of one that was added.</param>
/// <param name="New">Its state in the new version.</param>
/// <param name="Convert">What becomes of its value.</param>
/// <param name="NullIsZero">Null becomes the zero of the new type.</param>
/// <param name="NullIsEmpty">Null becomes an empty collection.</param>
/// <param name="Added">Of one that was added: what a new object has; null where that is the zero of its type.</param>
internal sealed record MemberChange(string? Old, string New, Func<Shape, Shape> Convert, bool NullIsZero = false, bool NullIsEmpty = false, Shape? Added = null);

/// <summary>A next version of a program, and what becomes of what the old one stored.</summary>
internal sealed class Evolution(ProgramModel old, ProgramModel next)
{
    public ProgramModel Next => next;

    /// <summary>For each type, by its number: the members that it declares in the new version.</summary>
    public Dictionary<int, List<MemberChange>> Changes { get; } = [];

    /// <summary>The shape that a value has when the new version reads it.</summary>
    public Shape Expect(Shape shape, LoadedProgram loaded) => shape switch
    {
        Shape.Items items => items with { All = [.. items.All.Select(one => Expect(one, loaded))] },
        Shape.Object one => ExpectObject(one, loaded),
        _ => shape,
    };

    private Shape.Object ExpectObject(Shape.Object shape, LoadedProgram loaded)
    {
        TypeModel was = old.Types.Single(type => type.ReflectedName == shape.Type), now = next.Types.Single(type => type.Index == was.Index);
        List<(string, Shape)> members = [];
        for (TypeModel? type = was; type is not null; type = type.Base?.Type)
        {
            foreach (MemberChange change in Changes[type.Index])
            {
                Shape value = change.Old is null ? change.Added ?? new Shape.Nothing() : change.Convert(Expect(shape.Members.Single(one => one.Name == change.Old).Value, loaded));
                if (value is Shape.Nothing && change.NullIsEmpty) value = new Shape.Items([], true, "");
                if (value is Shape.Nothing && (change.NullIsZero || change is { Old: null, Added: null })) value = Zero(loaded, next.Types.Single(one => one.Index == type.Index), change.New);
                members.Add((change.New, value));
            }
        }

        return new Shape.Object(now.ReflectedName, shape.Number, members);
    }

    private static Shape Zero(LoadedProgram loaded, TypeModel declaring, string state)
    {
        // Of a generic type only members of closed types become zero.
        Type field = LoadedProgram.FieldOf(loaded.TypeOf(declaring)!, state).FieldType;
        return field.IsValueType ? new Shapes(loaded).Of(Nullable.GetUnderlyingType(field) is null ? RuntimeHelpers.GetUninitializedObject(field) : null) : new Shape.Nothing();
    }
}
