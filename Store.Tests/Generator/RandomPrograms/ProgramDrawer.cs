// Draws a program from a seed: first what its types are and how they derive, then their members. What docs/types.md and the pages of the diagnostics forbid is not drawn.

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>Draws programs. Each type's members come from a seed of their own, so that leaving one out changes no other.</summary>
internal sealed class ProgramDrawer
{
    private readonly int _seed;
    private readonly Random _random;
    private readonly ProgramModel _program;
    private readonly bool _isInternal;
    private readonly HashSet<string> _names = new(StringComparer.OrdinalIgnoreCase);

    private ProgramDrawer(int seed)
    {
        _seed = seed;
        _random = new Random(seed);
        _program = new ProgramModel { IsAnnotated = _random.Next(3) > 0, HasReferences = _random.Next(3) == 0 };
        _isInternal = _random.Next(8) == 0;
    }

    /// <summary>Draws the program of a seed: always the same one.</summary>
    public static ProgramModel Draw(int seed, int types = 14)
    {
        var drawer = new ProgramDrawer(seed);
        for (int i = 0; i < types; i++) drawer._program.Types.Add(drawer.Declare(i));
        drawer.Derive();
        foreach (TypeModel type in drawer._program.Types) new MemberDrawer(drawer._program, type, new Random(HashCode(seed, type.Index)), seed).Draw();
        drawer.Register();
        return drawer._program;
    }

    /// <summary>A number from two, the same in every process.</summary>
    public static int HashCode(int one, int other) => unchecked((int)((((uint)one * 2654435761u) ^ ((uint)other * 2246822519u)) * 3266489917u) & int.MaxValue);

    private TypeModel Declare(int index)
    {
        TypeForm form = index switch
        {
            0 => TypeForm.Enum,
            1 => TypeForm.ReadonlyRecordStruct,
            2 => TypeForm.Interface,
            MemberDrawer.Holder => TypeForm.Class,
            _ => _random.Next(20) switch
            {
                < 7 => TypeForm.Class,
                < 12 => TypeForm.Record,
                < 14 => TypeForm.Struct,
                < 16 => TypeForm.RecordStruct,
                < 17 => TypeForm.ReadonlyStruct,
                < 18 => TypeForm.ReadonlyRecordStruct,
                < 19 => TypeForm.Interface,
                _ => TypeForm.Enum,
            },
        };
        bool isClass = form is TypeForm.Class or TypeForm.Record;
        bool isKey = index == 1;
        int arity = form is not (TypeForm.Interface or TypeForm.Enum) && !isKey && index != MemberDrawer.Holder && _random.Next(5) == 0 ? _random.Next(1, 3) : 0;
        string space = Pick(Names.Namespaces);
        var type = new TypeModel
        {
            Index = index,
            Form = form,
            Name = Name(),
            Namespace = space,
            Outers = space.Length > 0 && _random.Next(4) == 0 ? Outers(index, arity) : [],
            Arity = arity,
            IsAbstract = isClass && arity == 0 && _random.Next(5) == 0,
            IsPartial = form != TypeForm.Enum && _random.Next(5) == 0,
            IsInternal = _isInternal,
            HasCallbacks = (isClass || form is TypeForm.Struct or TypeForm.RecordStruct) && _random.Next(6) == 0,
            SchemaName = arity == 0 && form is not (TypeForm.Interface or TypeForm.Enum) && _random.Next(10) == 0 ? $"shop.{index}" : null,
            Keys = isKey ? Keys.Hashed : form == TypeForm.Enum ? Keys.Ordered : Keys.None,
        };
        type.Making = form is TypeForm.Interface or TypeForm.Enum ? Making.Plain : type.IsReadonly || type.IsRecord ? _random.Next(12) switch { < 4 => Making.Plain, < 11 => Making.Head, _ => Making.Factory } : _random.Next(10) switch { < 5 => Making.Plain, < 7 => Making.Head, < 9 => Making.Constructor, _ => Making.Factory };
        if (type.Making == Making.Factory && (type.IsAbstract || isKey || index == MemberDrawer.Holder)) type.Making = type.IsRecord ? Making.Head : Making.Constructor;
        if (form == TypeForm.Enum) DrawNumbers(type);
        return type;
    }

    private Outer[] Outers(int index, int arity)
    {
        var outers = new Outer[_random.Next(3) switch { 0 => _random.Next(2, 4), _ => 1 }];
        for (int i = 0; i < outers.Length; i++)
        {
            int own = _random.Next(arity + 1);
            arity -= own;
            outers[i] = new Outer(Pick(Names.Outers), $"Holder{index}" + "ABC"[i], own);
        }

        return outers;
    }

    private void DrawNumbers(TypeModel type)
    {
        (string name, string least, string most)[] all =
        [
            ("byte", "0", "255"), ("sbyte", "-128", "127"), ("short", "-32768", "32767"), ("ushort", "0", "65535"), ("int", "int.MinValue", "int.MaxValue"), ("uint", "0", "uint.MaxValue"), ("long", "long.MinValue", "long.MaxValue"), ("ulong", "0", "ulong.MaxValue"),
        ];
        (type.Underlying, string least, string most) = all[_random.Next(all.Length)];
        string[] values = ["0", "1", "1", "2", "5", "7", least, most, "100"];
        int count = _random.Next(0, 6);
        for (int i = 0; i < count; i++) type.Numbers.Add((Names.Numbers[i], values[_random.Next(values.Length)]));
    }

    private void Derive()
    {
        foreach (TypeModel type in _program.Types.Where(static type => type.Form is TypeForm.Class or TypeForm.Record && type.Making != Making.Factory))
        {
            TypeModel[] bases = [.. _program.Types.Where(other => other.Index < type.Index && other.Form == type.Form && other.Making != Making.Factory && (other.Arity == 0 || type.Arity == 0 || other.Arity == type.Arity))];
            if (bases.Length > 0 && _random.Next(5) < 3)
            {
                TypeModel parent = bases[_random.Next(bases.Length)];
                // The arguments are of the simplest: what they reach may not reach the type itself by way of a struct.
                if (type.Making == Making.Plain && parent.Making != Making.Plain) type.Making = type.IsRecord ? Making.Head : Making.Constructor;
                type.Base = new TypeRef.Declared(parent, [.. Enumerable.Range(0, parent.Arity).Select(index => type.Arity > 0 ? new TypeRef.Parameter(index, false) : (TypeRef)new TypeRef.Scalar(Framework.Common[_random.Next(Framework.Common.Count)]))]);
            }
        }

        foreach (TypeModel type in _program.Types.Where(static type => type.Form is not TypeForm.Enum && type.Arity == 0))
            foreach (TypeModel one in _program.Types.Where(other => other.Form == TypeForm.Interface && other.Index < type.Index))
                if (_random.Next(type.Form == TypeForm.Interface ? 3 : 4) == 0) type.Interfaces.Add(one);

        // A base without cases is an error, and an interface without them is nothing.
        foreach (TypeModel type in _program.Types.Where(type => type.IsAbstract && !_program.HasCases(type))) type.IsAbstract = false;
        foreach (TypeModel type in _program.Types)
        {
            bool hasCases = _program.HasDerived(type);
            type.IsSealed = type.Form is TypeForm.Class or TypeForm.Record && !type.IsAbstract && !hasCases && _random.Next(2) == 0;
            type.HidesMaking = type.IsConcrete && type.Making != Making.Head && _random.Next(4) == 0;
            type.SetsRequired = type.IsConcrete && type.Making != Making.Factory && !hasCases && _random.Next(3) == 0;
            if (_program.HasReferences && type.Form is TypeForm.Class or TypeForm.Record && type.Making != Making.Factory && _random.Next(3) == 0) type.KeepsReferences = true;
            if (!hasCases || type.Arity > 0) continue;
            type.HasTags = _random.Next(4) == 0 && !_program.Types.Any(other => other.Arity > 0 && other.DerivesFrom(type));
            if (type.HasTags) type.Unnamed.UnionWith(_program.Types.Where(other => other.DerivesFrom(type) && _random.Next(4) == 0).Select(static other => other.Index));
            // One that names none names all: it would name others when a type joins it.
            if (_program.Types.Where(other => other.IsConcrete && (other == type || other.DerivesFrom(type))).All(other => type.Unnamed.Contains(other.Index))) type.Unnamed.Clear();
            type.SkipsUnknownCases = !_program.HasReferences && _random.Next(4) == 0;
        }
    }

    private void Register()
    {
        var random = new Random(HashCode(_seed, -1));
        TypeModel last = _program.Types[^1];
        for (int i = 0; i < 2; i++)
        {
            TypeRef one = new TypeRefDrawer(random, _program, last).Closed(3);
            if (one is TypeRef.Maybe maybe) one = maybe.Inner;
            // One that holds objects of any kind is the process's, with the kinds that the first program has which registers it.
            if (one.Parts().Any(static part => part is TypeRef.Scalar { Kind.Name: "object" })) continue;
            if (one is TypeRef.Array or TypeRef.Collection { Kind.IsValue: false } or TypeRef.Tuple && _program.Registered.All(other => other.Print(false) != one.Print(false))) _program.Registered.Add(one);
        }

        foreach (TypeModel type in _program.Types.Where(static type => type.Arity > 0))
        {
            int count = random.Next(1, 3);
            for (int i = 0; i < count; i++)
            {
                // Nothing that the arguments are made of is generic: what a type reaches with them has an end.
                var drawer = new TypeRefDrawer(random, _program, type);
                TypeRef[] arguments = [.. Enumerable.Range(0, type.Arity).Select(_ => drawer.Closed(2))];
                var one = new TypeRef.Declared(type, arguments);
                if (_program.Registered.All(other => other.Print(false) != one.Print(false))) _program.Registered.Add(one);
            }
        }
    }

    private string Name()
    {
        while (true)
        {
            string name = Pick(Names.Types);
            if (_names.Add(name.TrimStart('@'))) return name;
        }
    }

    private T Pick<T>(IReadOnlyList<T> all) => all[_random.Next(all.Count)];
}
