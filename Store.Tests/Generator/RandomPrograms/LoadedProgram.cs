// A random program that was compiled with its generated code and loaded, and what of its types belongs to which type of the model.

using System.Reflection;

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>A loaded program.</summary>
internal sealed class LoadedProgram
{
    private readonly Dictionary<string, TypeModel> _models;
    private readonly Dictionary<Type, (FieldInfo Field, MemberModel Member)[]> _fields = [];

    public LoadedProgram(ProgramModel model, Assembly assembly)
    {
        Model = model;
        Assembly = assembly;
        _models = model.Types.ToDictionary(static type => type.ReflectedName);
        Registered = [.. Constructions()];
        Roots = [.. model.Types.Where(static type => type.Arity == 0 && type.Form != TypeForm.Enum).Select(TypeOf).OfType<Type>(), .. Registered];
    }

    public ProgramModel Model { get; }

    public Assembly Assembly { get; }

    /// <summary>Constructions and collections that the assembly registers.</summary>
    public IReadOnlyList<Type> Registered { get; }

    /// <summary>The types that are records: all that are not generic, and the constructions that the program registers.</summary>
    public IReadOnlyList<Type> Roots { get; }

    public TypeModel? ModelOf(Type type) => type.Assembly == Assembly && _models.TryGetValue((type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName!, out TypeModel? model) ? model : null;

    public Type? TypeOf(TypeModel model) => Assembly.GetType(model.ReflectedName);

    /// <summary>The types whose objects may stand where the type is declared.</summary>
    public IReadOnlyList<Type> CasesOf(Type type)
    {
        IEnumerable<Type> plain = Model.Types.Where(static model => model is { IsConcrete: true, Arity: 0 }).Select(TypeOf).OfType<Type>();
        // Of a construction: those of generic types that have the same arguments. Where the base does not tell them: those that are registered.
        IEnumerable<Type> same = Model.Types.Where(model => model.IsConcrete && HasArgumentsOf(model, type)).Select(model => TypeOf(model)!.MakeGenericType(type.GetGenericArguments()));
        IEnumerable<Type> registered = Registered.Where(one => ModelOf(one) is { IsConcrete: true } model && !HasArgumentsOf(model, type));
        return [.. plain.Concat(same).Concat(registered).Distinct().Where(other => other != type && type.IsAssignableFrom(other) && IsNamed(type, other)), .. ModelOf(type) is { IsConcrete: true } ? [type] : (Type[])[]];
    }

    /// <summary>A generic type is derived from that of a construction, or is it, and takes its arguments from it.</summary>
    public bool HasArgumentsOf(TypeModel model, Type type) => type.IsGenericType && ModelOf(type) is { } parent && model.Chain.Contains(parent) && model.Chain.TakeWhile(one => one != parent).All(static one => one.Arity > 0);

    private bool IsNamed(Type type, Type other) => ModelOf(type) is not { HasTags: true } model || Model.NamedCases(model).Contains(ModelOf(other));

    /// <summary>The fields behind the stored members of a type and its bases.</summary>
    public (FieldInfo Field, MemberModel Member)[] FieldsOf(Type type)
    {
        if (_fields.TryGetValue(type, out var known)) return known;
        List<(FieldInfo, MemberModel)> found = [];
        List<Type> levels = [];
        for (Type? one = type; one is not null && ModelOf(one) is not null; one = one.BaseType) levels.Insert(0, one);
        // Members of bases first, as they are written: so objects have the same numbers wherever a member is declared.
        foreach (Type one in levels)
        {
            TypeModel model = ModelOf(one)!;
            foreach (MemberModel member in model.Members.Where(static member => member.IsStored))
            {
                Type holder = one;
                TypeModel? overrider = ModelOf(type)!.OverriderOf(member);
                // Of an abstract class that leaves it to those below there are no objects.
                if (member.IsAbstract && overrider is null) continue;
                if (overrider is not null) for (holder = type; ModelOf(holder) != overrider;) holder = holder.BaseType!;
                found.Add((FieldOf(holder, member.State), member));
            }
        }

        return _fields[type] = [.. found];
    }

    /// <summary>The field that holds a member which the type itself declares.</summary>
    public static FieldInfo FieldOf(Type type, string state)
    {
        const BindingFlags All = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        return type.GetField(state, All) ?? type.GetField($"<{state}>k__BackingField", All) ?? throw new InvalidOperationException($"{type} has no field of {state}.");
    }

    // Those that the assembly registers, read back from its attributes.
    private IEnumerable<Type> Constructions() => Assembly.GetCustomAttributesData().Where(static one => one.AttributeType == typeof(Store.Serialization.NinoSerializableAttribute)).Select(static one => (Type)one.ConstructorArguments[0].Value!);
}
