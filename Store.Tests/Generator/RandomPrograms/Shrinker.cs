// Makes a program that fails as small as it still fails.

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>Leaves out type after type and member after member, as long as what is left fails in the same way.</summary>
internal static class Shrinker
{
    /// <summary>Shrinks.</summary>
    /// <param name="program">The program that fails.</param>
    /// <param name="fails">Whether what is left fails still.</param>
    /// <param name="tries">How often to ask.</param>
    public static ProgramCut Shrink(ProgramModel program, Func<ProgramCut, bool> fails, int tries)
    {
        ProgramCut cut = ProgramCut.Nothing;
        bool hasShrunk = true;
        while (hasShrunk && tries > 0)
        {
            hasShrunk = false;
            // Those that come later hold those that come before more often than the other way.
            foreach (ProgramCut smaller in program.Types.AsEnumerable().Reverse().Where(type => !cut.Types.Contains(type.Index)).Select(type => cut.Without(type.Index)).ToArray()) Try(smaller with { Types = [.. cut.Types, smaller.Types[^1]] });
            foreach (TypeModel type in program.Types.Where(type => !cut.Types.Contains(type.Index)))
                foreach (MemberModel member in type.Members.Where(member => !cut.Members.Contains((type.Index, member.Index)))) Try(cut.Without(type.Index, member.Index));
        }

        return cut;

        void Try(ProgramCut smaller)
        {
            if (tries-- <= 0 || !fails(smaller)) return;
            cut = smaller;
            hasShrunk = true;
        }
    }
}
