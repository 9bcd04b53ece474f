// What the next version of a program promises of the records of this one: docs/evolution.md as a function from the shape of the old value to that of the new.

using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>What became of a member.</summary>
/// <param name="Type">The number of the type that declared it.</param>
/// <param name="Old">How its state was named.</param>
/// <param name="New">What it is now, in whichever type.</param>
/// <param name="Convert">What becomes of its value, apart from null where there is none now.</param>
internal sealed record MemberChange(int Type, string Old, MemberModel New, Func<Shape, Shape> Convert);

/// <summary>A next version of a program, and what becomes of what the old one stored.</summary>
internal sealed class Evolution(ProgramModel old, ProgramModel next)
{
    public ProgramModel Next => next;

    /// <summary>The number of a base of which no stored case is left; null where there is none.</summary>
    public int? Lost { get; set; }

    /// <summary>The members of which something became.</summary>
    public List<MemberChange> Changes { get; } = [];

    /// <summary>What a new object has in members that were added, where that is another thing than zero or null.</summary>
    public Dictionary<MemberModel, Shape> Added { get; } = [];

    /// <summary>The shape that a value has when the new version reads it; one that is <see cref="Shape.Refused"/> where it refuses to, null where it may do either.</summary>
    public Shape? Expect(Shape shape, LoadedProgram was, LoadedProgram now, Type root)
    {
        if (Lost is { } lost && new LostCases(old, this, now, lost).Find(root) is var reach and not Reach.Never) return reach == Reach.Always ? new Shape.Refused($"no case of {lost} is left") : null;
        try
        {
            Shape moved = Move(shape, was);
            // A record that is a case which is gone is refused, also where such values are skipped.
            return moved is Shape.Object one && new Settling(was, now).TypeOf(one, root) is null ? new Shape.Refused(one.Type) : new Settling(was, now).Settle(moved, root);
        }
        catch (RefusedException refused)
        {
            return new Shape.Refused(refused.Message);
        }
        catch (OpenException)
        {
            return null;
        }
    }

    /// <summary>Gives all members their new names and places, whatever may stand there.</summary>
    private Shape Move(Shape shape, LoadedProgram was) => shape switch
    {
        Shape.Items items => items with { All = [.. items.All.Select(one => Move(one, was))] },
        Shape.Object one => MoveObject(one, was),
        Shape.Atom { Value: Enum value } atom when was.ModelOf(value.GetType()) is { } type => NumberOf(atom, next.Types.Single(one => one.Index == type.Index)),
        _ => shape,
    };

    private static Shape NumberOf(Shape.Atom atom, TypeModel now) => Integers.Fits(BigInteger.Parse(atom.Text, System.Globalization.CultureInfo.InvariantCulture), now.Underlying) ? atom : new Shape.Refused($"{atom.Text} in {now.Underlying}");

    private Shape.Object MoveObject(Shape.Object shape, LoadedProgram was)
    {
        TypeModel type = old.Types.Single(one => one.ReflectedName == shape.Type);
        if (next.Types.Find(one => one.Index == type.Index) is not { } now) return shape;
        HashSet<int> chain = [.. type.Chain.Select(static one => one.Index)];
        List<(string, Shape)> members = [];
        foreach (MemberModel member in now.AllMembers.Where(static member => member.IsStored))
        {
            MemberChange? change = Changes.Find(one => one.New == member && chain.Contains(one.Type));
            Shape value = change is null ? Added.GetValueOrDefault(member, new Shape.Nothing()) : change.Convert(Move(shape.Members.Single(one => one.Name == change.Old).Value, was));
            members.Add((member.State, value));
        }

        return shape with { Type = now.ReflectedName, Members = members };
    }

    /// <summary>Puts values where they stand now: null becomes zero where there is no null, and a case that is gone is refused or skipped.</summary>
    private sealed class Settling(LoadedProgram was, LoadedProgram now)
    {
        public Shape Settle(Shape shape, Type declared)
        {
            Type inner = Nullable.GetUnderlyingType(declared) ?? declared;
            switch (shape)
            {
                case Shape.Refused refused: throw new RefusedException(refused.Why);
                // Callbacks run on the zero that is read, too.
                case Shape.Nothing when declared.IsValueType && inner == declared && now.Model.Types.Any(static type => type.IsValue && type.Members.Exists(static member => member.IsTurned)): throw new OpenException();
                case Shape.Nothing: return declared.IsValueType && inner == declared ? new Shapes(now).Of(RuntimeHelpers.GetUninitializedObject(declared)) : shape;
                case Shape.Object one: return SettleObject(one, declared, inner);
                case Shape.Items items: return items with { All = [.. items.All.Select((item, index) => PartOf(inner == typeof(object) ? Registered(items.Of) : inner, index) is { } part ? Settle(item, part) : Pair(item, inner == typeof(object) ? Registered(items.Of) : inner))] };
                default: return shape;
            }
        }

        /// <summary>The type of an object that may stand where a type is declared; null where it may not.</summary>
        public Type? TypeOf(Shape.Object one, Type declared)
        {
            if (now.Model.Types.Find(type => type.ReflectedName == one.Type) is not { } model) return null;
            if (model.Arity > 0)
            {
                Type? made = now.HasArgumentsOf(model, declared) ? now.TypeOf(model)!.MakeGenericType(declared.GetGenericArguments()) : Registered(one.Of);
                return made is not null && declared.IsAssignableFrom(made) ? made : null;
            }


            return now.TypeOf(model) is { } type && declared.IsAssignableFrom(type) && model.IsConcrete ? type : null;
        }

        private Shape SettleObject(Shape.Object one, Type declared, Type inner)
        {
            if (TypeOf(one, inner) is not { } type)
            {
                if (now.ModelOf(inner) is { SkipsUnknownCases: true }) return Settle(new Shape.Nothing(), declared);
                throw new RefusedException($"{one.Type} in {declared}");
            }

            List<(string, Shape)> members = [];
            foreach ((FieldInfo field, MemberModel member) in now.FieldsOf(type))
            {
                Shape value = one.Members.Single(other => other.Name == member.State).Value;
                if (value is Shape.Nothing && member.Form is MemberForm.Filled or MemberForm.FilledField) value = new Shape.Items([], true, field.FieldType.Name.StartsWith("PriorityQueue", StringComparison.Ordinal) ? "queue" : "");
                // The comparer is that of the object's own collection.
                if (value is Shape.Items { Mark.Length: > 0 } kept && member.Form is MemberForm.Filled or MemberForm.FilledField && kept.Mark != "queue") value = kept with { Mark = "" };
                members.Add((member.State, Settle(value, field.FieldType)));
            }

            return one with { Members = members };
        }

        // What stands for an object is of a type that the assembly registers, if it is not a scalar.
        private Type? Registered(Type? type)
        {
            int index = type is null ? -1 : was.Registered.ToList().IndexOf(type);
            if (index < 0) return null;
            // A construction that has other arguments is another case where there are several of its generic type.
            if (Nullables(type!) != Nullables(now.Registered[index])) throw new OpenException();
            return now.Registered[index];

            static int Nullables(Type type) => type.ToString().Split("Nullable`1[").Length;
        }

        /// <summary>The type of a part of a value; null where its parts are pairs, or not known.</summary>
        private static Type? PartOf(Type? type, int index)
        {
            if (type is null) return null;
            if (type.IsArray) return type.GetElementType();
            if (!type.IsGenericType) return null;
            Type[] arguments = type.GetGenericArguments();
            if (typeof(ITuple).IsAssignableFrom(type)) return index < 7 ? arguments[index] : PartOf(arguments[7], index - 7);
            Type definition = type.GetGenericTypeDefinition();
            if (definition == typeof(KeyValuePair<,>)) return arguments[index];
            if (definition == typeof(IGrouping<,>)) return arguments[Math.Min(index, 1)];
            if (definition == typeof(ILookup<,>)) return typeof(IGrouping<,>).MakeGenericType(arguments);
            return arguments.Length == 1 ? arguments[0] : null;
        }

        private Shape Pair(Shape item, Type? type) => item is Shape.Items items && type is { IsGenericType: true } && type.GetGenericArguments() is { Length: 2 } arguments
            ? items with { All = [Settle(items.All[0], arguments[0]), Settle(items.All[1], arguments[1])] }
            : item;
    }

    private sealed class RefusedException(string why) : Exception(why);

    private sealed class OpenException : Exception;
}
