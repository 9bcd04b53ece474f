// Makes values of any type of a loaded program, by reflection alone: objects are made without their constructors and their fields set, so that nothing of the types' code decides what is tried.

using System.Reflection;
using System.Runtime.CompilerServices;

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>Makes values.</summary>
internal sealed class RandomValues(LoadedProgram program, Random random)
{
    private readonly List<object> _tracked = [];
    private readonly bool _isSparse = random.Next(6) == 0;
    private int _left = 150;

    /// <summary>Makes an object of a record type, or of one of its cases.</summary>
    public object? Root(Type type) => Make(type, 4, isNeeded: true);

    /// <summary>Makes a value.</summary>
    /// <param name="type">Its declared type.</param>
    /// <param name="depth">How many levels of objects and collections it may have.</param>
    /// <param name="isNeeded">It must not be null.</param>
    /// <param name="isKey">It is a key, or lies in one.</param>
    /// <param name="isPlain">A collection has the comparer that a new one has.</param>
    public object? Make(Type type, int depth, bool isNeeded = false, bool isKey = false, bool isPlain = false)
    {
        _left--;
        if (_left <= 0) depth = 0;
        if (Nullable.GetUnderlyingType(type) is { } inner) return random.Next(3) == 0 ? null : Make(inner, depth, true, isKey);
        if (!type.IsValueType && !isNeeded && random.Next(_isSparse ? 2 : 8) == 0) return null;
        if (type == typeof(object)) return isNeeded || depth > 0 ? AnyObject(depth) : null;
        if (type.IsEnum) return AnyEnum(type);
        if (ScalarValues.Make(type, random, isKey) is { } scalar) return scalar;
        if (type.IsArray) return AnyArray(type, depth);
        if (program.ModelOf(type) is not null) return AnyDeclared(type, depth, isNeeded, isKey);
        if (!isNeeded && !type.IsValueType && depth <= 0) return random.Next(2) == 0 ? null : Collections.Make(type, 0, this, 0);
        return Collections.Make(type, depth <= 0 ? 0 : Count(), this, depth - 1, isPlain);
    }

    /// <summary>How many elements a collection gets.</summary>
    public int Count() => random.Next(12) switch { < 2 => 0, < 5 => 1, < 8 => 2, < 10 => 3, < 11 => 5, _ => 9 };

    public int Next(int below) => random.Next(below);

    private object AnyEnum(Type type)
    {
        Array named = Enum.GetValues(type);
        if (named.Length > 0 && random.Next(3) > 0) return named.GetValue(random.Next(named.Length))!;
        return Enum.ToObject(type, ScalarValues.Make(Enum.GetUnderlyingType(type), random, false)!);
    }

    private object AnyObject(int depth)
    {
        Type[] scalars = [typeof(int), typeof(string), typeof(Guid), typeof(byte[]), typeof(bool), typeof(DateTime), typeof(double), typeof(Int128)];
        Type[] declared = [.. program.Model.Types.Where(static model => model is { IsConcrete: true, Arity: 0 }).Select(program.TypeOf).OfType<Type>()];
        // What stands there has exactly a type that the assembly knows.
        Type[] registered = [.. program.Registered.Where(type => !type.IsInterface && program.ModelOf(type) is null or { IsConcrete: true })];
        if (depth > 1 && random.Next(4) == 0 && registered.Length > 0)
        {
            Type one = registered[random.Next(registered.Length)];
            return program.ModelOf(one) is null ? Make(one, depth - 1, isNeeded: true)! : Exactly(one, depth - 1, false);
        }

        return depth <= 0 || declared.Length == 0 || random.Next(2) == 0 ? Make(scalars[random.Next(scalars.Length)], 1, isNeeded: true)! : Exactly(declared[random.Next(declared.Length)], depth - 1, false);
    }

    private Array AnyArray(Type type, int depth)
    {
        int rank = type.GetArrayRank();
        int[] lengths = [.. Enumerable.Range(0, rank).Select(_ => depth <= 0 ? 0 : rank == 1 ? Count() : random.Next(3))];
        var array = Array.CreateInstance(type.GetElementType()!, lengths);
        int[] at = new int[rank];
        if (array.Length == 0) return array;
        do array.SetValue(Make(type.GetElementType()!, depth - 1), at);
        while (Advance(at, lengths));
        return array;
    }

    private static bool Advance(int[] at, int[] lengths)
    {
        for (int i = at.Length - 1; i >= 0; i--)
        {
            if (++at[i] < lengths[i]) return true;
            at[i] = 0;
        }

        return false;
    }

    private object? AnyDeclared(Type type, int depth, bool isNeeded, bool isKey)
    {
        if (!isNeeded && !type.IsValueType && depth <= 0) return null;
        // Of a generic type only those constructions are cases that somebody registered.
        IReadOnlyList<Type> cases = program.CasesOf(type);
        if (!isKey && !type.IsValueType && _tracked.Count > 0 && random.Next(3) == 0 && _tracked.Where(one => cases.Contains(one.GetType())).ToArray() is { Length: > 0 } known) return known[random.Next(known.Length)];
        return cases.Count == 0 ? null : Exactly(cases[random.Next(cases.Count)], depth - 1, isKey);
    }

    private object Exactly(Type type, int depth, bool isKey)
    {
        object made = RuntimeHelpers.GetUninitializedObject(type);
        if (program.ModelOf(type)!.IsTracked) _tracked.Add(made);
        foreach ((FieldInfo field, MemberModel member) in program.FieldsOf(type))
        {
            bool isFilled = member.Form is MemberForm.Filled or MemberForm.FilledField;
            // A collection that its object makes is of the class that it makes, and never null.
            Type of = isFilled ? Collections.MadeFor(field.FieldType) : field.FieldType;
            field.SetValue(made, Make(of, depth, isNeeded: isFilled, isKey, isPlain: isFilled));
        }

        return made;
    }
}
