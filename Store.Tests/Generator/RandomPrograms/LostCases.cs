// Which types reach a base of which no stored case is left? All their records are refused, whatever is in them: docs/evolution.md, "case of a base removed".

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>Whether records of a type reach what is looked for.</summary>
internal enum Reach
{
    Never,

    /// <summary>Some values may: what an object may hold is refused where it is met.</summary>
    Sometimes,

    Always,
}

/// <summary>Looks for a base through all that was stored.</summary>
/// <param name="old">The program that stored.</param>
/// <param name="evolution">What became of it.</param>
/// <param name="now">The next version.</param>
/// <param name="lost">The number of the base.</param>
internal sealed class LostCases(ProgramModel old, Evolution evolution, LoadedProgram now, int lost)
{
    private readonly HashSet<Type> _seen = [];

    public Reach Find(Type type)
    {
        if (!_seen.Add(type)) return Reach.Never;
        if (type == typeof(object)) return Reach.Sometimes;
        if (now.ModelOf(type) is not { } model)
        {
            // What a crate would hold it never has.
            if (type is { Namespace: "Own", Name: "Crate`1" }) return Reach.Never;
            return All([.. type.HasElementType ? [type.GetElementType()!] : Type.EmptyTypes, .. type.GetGenericArguments()]);
        }

        if (model.Index == lost) return Reach.Always;
        if (old.Types.Find(one => one.Index == model.Index) is not { } was || model.Form == TypeForm.Enum) return Reach.Never;
        // A generic case may have been another construction.
        Type[] cases = [.. now.CasesOf(type).Where(one => one != type)];
        Reach reach = All(cases.Where(one => now.ModelOf(one) is { Arity: 0 } other && old.Types.Find(stored => stored.Index == other.Index)?.DerivesFrom(was) == true));
        if (reach != Reach.Always && cases.Any(one => now.ModelOf(one) is { Arity: > 0 })) reach = Reach.Sometimes;
        if (!model.IsConcrete) return reach;
        HashSet<int> chain = [.. was.Chain.Select(static one => one.Index)];
        Reach members = All(now.FieldsOf(type).Where(one => evolution.Changes.Exists(change => change.New == one.Member && chain.Contains(change.Type))).Select(static one => one.Field.FieldType));
        return members > reach ? members : reach;
    }

    private Reach All(IEnumerable<Type> types) => types.Aggregate(Reach.Never, (most, type) => Find(type) is var reach && reach > most ? reach : most);
}
