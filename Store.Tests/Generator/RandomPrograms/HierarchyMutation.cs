// What becomes of the hierarchy of a program in its next version: classes and structs exchanged, cases that come and go, members that go to a base and come from one.

namespace Store.Tests.Generator.RandomPrograms;

internal static class HierarchyMutation
{
    /// <summary>Changes what types are and what they derive from.</summary>
    /// <param name="old">The program.</param>
    /// <param name="next">Its next version.</param>
    /// <param name="seed">What decides how.</param>
    /// <param name="were">What each member of the next version was: members that come from a base are added.</param>
    public static void Change(ProgramModel old, ProgramModel next, int seed, Dictionary<MemberModel, (int Type, string State)> were)
    {
        foreach (TypeModel type in next.Types.Where(static type => type is { Keys: Keys.None, Form: not TypeForm.Enum }))
        {
            var random = new Random(ProgramDrawer.HashCode(seed + 99, type.Index));
            int choice = random.Next(9);
            switch (choice)
            {
                case 1: LeaveBase(old, next, type, random, were); break;
                case 2: JoinBase(next, type, random); break;
                // Where references are kept, what comes first has the first number, and no member may go nor change its place.
                case 0 when !next.HasReferences: ChangeForm(next, type); break;
                case 3 when !next.HasReferences: MoveUp(next, type, random); break;
                case 4 when !next.HasReferences: MoveDown(next, type, random); break;
            }
        }
    }

    /// <summary>Takes all cases from a base, which gets a new one.</summary>
    /// <returns>The number of the base; null where none loses them.</returns>
    public static int? LoseCases(ProgramModel old, ProgramModel next, int seed)
    {
        var random = new Random(ProgramDrawer.HashCode(seed, 777));
        if (random.Next(3) > 0) return null;
        TypeModel[] bases = [.. next.Types.Where(type => type.Arity == 0 && (type.Form == TypeForm.Interface || type.IsAbstract) && CasesOf(old, type).Count > 0 && CanLoseCases(next, type))];
        if (bases.Length == 0) return null;
        TypeModel parent = bases[random.Next(bases.Length)];
        foreach (TypeModel type in next.Types)
        {
            type.Interfaces.Remove(parent);
            if (type.Base?.Type == parent) type.Base = null;
        }

        AddCase(next, parent, 200);
        foreach (TypeModel one in next.Types.Where(one => !next.HasDerived(one))) one.HasTags = one.SkipsUnknownCases = false;
        return parent.Index;
    }

    // A class without cases of its own would be left where an abstract one loses them, a record that takes nothing could not be made, and members that were there may have to stay.
    private static bool CanLoseCases(ProgramModel next, TypeModel parent) => parent.Form == TypeForm.Interface
        ? next.Types.All(other => other == parent || other.Form != TypeForm.Interface || !other.DerivesFrom(parent))
        : parent is { Making: Making.Plain, Form: TypeForm.Class } && !next.HasReferences && next.Types.Where(type => type.Base?.Type == parent).All(static type => !type.IsAbstract && type.Arity == 0);

    /// <summary>Adds types to bases.</summary>
    public static void AddCases(ProgramModel next, int seed)
    {
        var random = new Random(ProgramDrawer.HashCode(seed, 555));
        TypeModel[] bases = [.. next.Types.Where(type => type.Form is TypeForm.Class or TypeForm.Record or TypeForm.Interface && type.Arity == 0 && type.Making is Making.Plain && next.HasDerived(type))];
        foreach (TypeModel parent in bases.Where(_ => random.Next(3) == 0)) AddCase(next, parent, 100);
    }

    private static void AddCase(ProgramModel next, TypeModel parent, int number)
    {
        bool isInterface = parent.Form == TypeForm.Interface;
        var added = new TypeModel { Index = number + parent.Index, Form = isInterface ? TypeForm.RecordStruct : parent.Form, Name = $"Case{number + parent.Index}", Namespace = "Added", IsInternal = parent.IsInternal };
        if (isInterface) added.Interfaces.Add(parent);
        else added.Base = new TypeRef.Declared(parent, []);
        added.Overrides.AddRange(isInterface ? [] : parent.Unmade.Select(static member => new Override(member, false, false)));
        added.Members.Add(new MemberModel { Index = 0, Name = $"Own{parent.Index}", Type = new TypeRef.Maybe(new TypeRef.Declared(parent, [])), Form = MemberForm.Set });
        next.Types.Add(added);
    }

    private static void ChangeForm(ProgramModel next, TypeModel type)
    {
        if (type.IsTracked || type.HasCallbacks || type.Base is not null || next.Types.Any(other => other.Base?.Type == type)) return;
        if (!type.Members.Any(static member => member.IsStored) || type.Members.Any(static member => member.Form is MemberForm.Filled or MemberForm.FilledField)) return;
        if (type.IsValue)
        {
            type.Form = type.IsRecord ? TypeForm.Record : TypeForm.Class;
        }
        else if (type.Form is TypeForm.Class or TypeForm.Record && !type.IsAbstract && !Reaches(type, type) && !(type.Arity > 0 && IsInStruct(next, type)))
        {
            type.Form = type.IsRecord ? TypeForm.RecordStruct : TypeForm.Struct;
            type.IsSealed = false;
            type.HasTags = type.SkipsUnknownCases = false;
            foreach (MemberModel member in type.Members) member.IsVirtual = false;
        }
    }

    // The runtime loads no struct that holds a generic struct of itself.
    private static bool IsInStruct(ProgramModel next, TypeModel type) => next.Types.Any(other => other.IsValue && other.Members.SelectMany(static member => member.Type.Parts()).Any(part => part is TypeRef.Declared declared && declared.Type == type));

    private static bool Reaches(TypeModel from, TypeModel to)
    {
        HashSet<TypeModel> seen = [];
        Stack<TypeModel> open = new([from]);
        while (open.TryPop(out TypeModel? one))
        {
            foreach (TypeModel part in one.AllMembers.SelectMany(static member => member.Type.Parts()).OfType<TypeRef.Declared>().Select(static part => part.Type))
            {
                if (part == to) return true;
                if (seen.Add(part)) open.Push(part);
            }
        }

        return false;
    }

    // A base that none of its stored cases is left of is refused with all records: another test's matter.
    private static void LeaveBase(ProgramModel old, ProgramModel next, TypeModel type, Random random, Dictionary<MemberModel, (int Type, string State)> were)
    {
        if (type.Arity > 0) return;
        (TypeRef.Declared? parent, TypeModel[] interfaces) = (type.Base, [.. type.Interfaces]);
        bool takesMembers = parent is not null && (next.HasReferences || random.Next(2) == 0);
        bool isLeft = parent is not null && random.Next(2) == 0 && parent.Type.IsTracked == type.KeepsReferences && (!takesMembers || CanTakeMembers(type, parent.Type));
        if (isLeft) type.Base = null;
        else if (interfaces.Length > 0) type.Interfaces.RemoveAt(random.Next(interfaces.Length));
        bool areLeft = next.Types.Where(static one => one.IsAbstract || one.Form == TypeForm.Interface).All(one => CasesOf(old, one).Count == 0 || CasesOf(old, one).Intersect(CasesOf(next, one)).Any());
        bool isMade = type.Form != TypeForm.Record || type.Making != Making.Head || type.Passed.Any() || parent is null;
        if (areLeft && isMade)
        {
            foreach (TypeModel one in next.Types.Where(one => !next.HasDerived(one))) one.HasTags = one.SkipsUnknownCases = false;
            if (isLeft && takesMembers) TakeMembers(type, parent!, were);
            return;
        }

        type.Base = parent;
        type.Interfaces.Clear();
        type.Interfaces.AddRange(interfaces);
    }

    private static bool CanTakeMembers(TypeModel type, TypeModel parent) => !parent.Chain.Any(static one => one.HasCallbacks) && !parent.AllMembers.Any(member => member.IsVirtual || Plain(member.Name).Equals(Plain(type.Name), StringComparison.OrdinalIgnoreCase));

    /// <summary>Declares the members of what was the base in the type itself, in front of its own.</summary>
    private static void TakeMembers(TypeModel type, TypeRef.Declared parent, Dictionary<MemberModel, (int Type, string State)> were)
    {
        MemberModel[] taken = [.. parent.Type.AllMembers.Select(member => member.In(parent.Type.TypeOf(member).With(parent.Arguments)))];
        foreach ((MemberModel member, MemberModel own) in parent.Type.AllMembers.Zip(taken)) if (member.IsStored) were.Add(own, were[member]);
        type.Members.InsertRange(0, taken);
    }

    private static HashSet<int> CasesOf(ProgramModel program, TypeModel type) => [.. program.Types.Where(other => other is { IsConcrete: true, Arity: 0 } && !type.Unnamed.Contains(other.Index) && (other.Index == type.Index || other.Chain.Any(one => one.Index == type.Index) || Interfaces(other).Contains(type.Index))).Select(static one => one.Index)];

    private static HashSet<int> Interfaces(TypeModel type) => [.. type.Chain.SelectMany(static one => one.Interfaces).SelectMany(static one => Interfaces(one).Append(one.Index))];

    private static void JoinBase(ProgramModel next, TypeModel type, Random random)
    {
        if (type.Arity > 0) return;
        TypeModel[] fit = [.. next.Types.Where(other => other.Index < type.Index && other.Arity == 0 && !type.DerivesFrom(other) && (other.Form == TypeForm.Interface || (CanDerive(next, type, other) && other.IsTracked == type.IsTracked)))];
        if (fit.Length == 0) return;
        TypeModel parent = fit[random.Next(fit.Length)];
        if (parent.Form == TypeForm.Interface)
        {
            type.Interfaces.Add(parent);
            return;
        }

        parent.IsSealed = false;
        type.Base = new TypeRef.Declared(parent, []);
    }

    private static bool CanDerive(ProgramModel next, TypeModel type, TypeModel parent)
    {
        if (type.Form is not (TypeForm.Class or TypeForm.Record) || type.Form != parent.Form || type.Base is not null || type.Making == Making.Factory || parent.Making == Making.Factory) return false;
        if ((type.Making == Making.Plain && parent.Making != Making.Plain) || parent.SetsRequired) return false;
        if (parent.AllMembers.Any(static member => member.Form is MemberForm.Required or MemberForm.RequiredField) || parent.AllMembers.Any(static member => member.IsTurned) || parent.Unmade.Any()) return false;
        TypeModel[] below = [.. next.Types.Where(other => other.Chain.Contains(type))];
        string[] names = [.. below.SelectMany(static one => one.Members).Select(static member => Plain(member.Name)), .. below.Select(static one => Plain(one.Name))];
        bool areIds = below.SelectMany(static one => one.Members).Any(static member => member.Id is not null) && parent.AllMembers.Any(static member => member.Id is not null);
        return !areIds && !parent.AllMembers.Select(static member => Plain(member.Name)).Concat(parent.Chain.Select(static one => Plain(one.Name))).Intersect(names, StringComparer.OrdinalIgnoreCase).Any();
    }

    private static string Plain(string name) => name.TrimStart('@').TrimStart('_');

    private static bool CanMove(MemberModel member) => member.IsStored && !member.IsPassed && !member.IsVirtual && !member.IsTurned && !member.Type.Parts().Any(static part => part is TypeRef.Parameter);

    private static void MoveUp(ProgramModel next, TypeModel type, Random random)
    {
        if (type.Base is not { Type: { Arity: 0 } parent }) return;
        MemberModel[] fit = [.. type.Members.Where(member => CanMove(member) && member.Id is null && !next.Types.Where(other => other != type && other.DerivesFrom(parent) || other == parent).Any(other => IsTaken(other, member)))];
        if (fit.Length == 0) return;
        MemberModel moved = fit[random.Next(fit.Length)];
        // Objects of the base and of its other cases have none stored.
        if (moved.Form == MemberForm.Required) moved.Form = MemberForm.Set;
        if (moved.Form == MemberForm.RequiredField) moved.Form = MemberForm.Field;
        type.Members.Remove(moved);
        parent.Members.Add(moved);
    }

    private static bool IsTaken(TypeModel type, MemberModel member) => type.Members.Select(static one => Plain(one.Name)).Append(Plain(type.Name)).Contains(Plain(member.Name), StringComparer.OrdinalIgnoreCase);

    private static void MoveDown(ProgramModel next, TypeModel type, Random random)
    {
        TypeModel[] below = [.. next.Types.Where(other => other.Base?.Type == type && other.Arity == 0 && type.Arity == 0)];
        MemberModel[] fit = [.. type.Members.Where(static member => CanMove(member) && member.Form is not (MemberForm.PrivateField or MemberForm.PrivateReadonlyField))];
        if (below.Length == 0 || fit.Length == 0) return;
        MemberModel moved = fit[random.Next(fit.Length)];
        type.Members.Remove(moved);
        below[random.Next(below.Length)].Members.Add(moved);
    }
}
