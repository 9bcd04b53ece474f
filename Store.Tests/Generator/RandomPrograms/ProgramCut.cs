// Leaves types and members out of a program, and what cannot do without them.

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>What is left out of a drawn program: numbers of types, and of members of types.</summary>
internal sealed record ProgramCut(IReadOnlyList<int> Types, IReadOnlyList<(int Type, int Member)> Members)
{
    public static ProgramCut Nothing { get; } = new([], []);

    public ProgramCut Without(int type) => this with { Types = [.. Types, type] };

    public ProgramCut Without(int type, int member) => this with { Members = [.. Members, (type, member)] };

    /// <summary>The program of a seed without what is left out.</summary>
    public ProgramModel Draw(int seed)
    {
        ProgramModel program = ProgramDrawer.Draw(seed);
        program.Types.RemoveAll(type => Types.Contains(type.Index));
        foreach (TypeModel type in program.Types)
        {
            type.Members.RemoveAll(member => Members.Contains((type.Index, member.Index)) || !IsWhole(member.Type, program));
            if (type.Base is { } parent && !program.Types.Contains(parent.Type)) type.Base = null;
            type.Interfaces.RemoveAll(one => !program.Types.Contains(one));
        }

        program.Registered.RemoveAll(type => !IsWhole(type, program));
        foreach (TypeModel type in program.Types) if (type.IsAbstract && !program.HasCases(type)) type.IsAbstract = false;
        foreach (TypeModel type in program.Types) type.HasTags &= program.HasDerived(type);
        foreach (TypeModel type in program.Types) type.SkipsUnknownCases &= program.HasDerived(type);
        // Of a base that nothing is left of there is no value.
        foreach (TypeModel type in program.Types) type.Members.RemoveAll(member => !HasValues(member.Type, program));
        foreach (TypeModel type in program.Types.Where(static type => type is { IsValue: true, Members.Count: 0, Form: not TypeForm.Enum }))
            type.Members.Add(new MemberModel { Index = 999, Name = "Left", Type = new TypeRef.Scalar(Framework.Int32), Form = type.IsReadonly ? MemberForm.Init : MemberForm.Set });
        foreach (TypeModel type in program.Types) type.DropOverrides();
        return program;
    }

    private static bool IsWhole(TypeRef type, ProgramModel program) => type.Parts().All(part => part is not TypeRef.Declared declared || program.Types.Contains(declared.Type));

    private static bool HasValues(TypeRef type, ProgramModel program) => type.Parts().All(part => part is not TypeRef.Declared { Type.Form: TypeForm.Interface } declared || program.HasCases(declared.Type));
}
