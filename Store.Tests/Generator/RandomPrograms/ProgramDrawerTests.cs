namespace Store.Tests.Generator.RandomPrograms;

/// <summary>What is drawn is what the tests of random programs are meant to try; no program is compiled here.</summary>
public sealed class ProgramDrawerTests
{
    private static readonly ProgramModel[] Programs = [.. Enumerable.Range(1, 200).Select(static seed => ProgramDrawer.Draw(seed))];

    [Fact]
    public void EveryFormOfTypesAndMembersAndEveryTypeOfTheFrameworkIsDrawn()
    {
        TypeModel[] types = [.. Programs.SelectMany(static program => program.Types)];
        MemberModel[] members = [.. types.SelectMany(static type => type.Members)];
        TypeRef[] parts = [.. members.SelectMany(static member => member.Type.Parts())];
        Assert.Empty(Enum.GetValues<TypeForm>().Except(types.Select(static type => type.Form)));
        Assert.Empty(Enum.GetValues<Making>().Except(types.Select(static type => type.Making)));
        Assert.Empty(Enum.GetValues<MemberForm>().Except(members.Select(static member => member.Form)));
        Assert.Empty(Framework.Common.Concat(Framework.Rare).Append(Framework.Object).Except(parts.OfType<TypeRef.Scalar>().Select(static scalar => scalar.Kind)));
        Assert.Empty(Framework.Usual.Concat(Framework.Unusual).Except(parts.OfType<TypeRef.Collection>().Select(static one => one.Kind)));
        Assert.All(OwnCodecs.OfMembers.Where(static codec => codec.Name != "JoinedCodec"), codec => Assert.Contains(members, member => member.Codec == codec));
        Assert.Contains(types, static type => type.Outers.Count > 1 && type.Outers.Any(static outer => outer.Arity > 0));
        Assert.Contains(types, static type => type.Arity > 0 && type.Arity > type.Outers.Sum(static outer => outer.Arity) && type.Outers.Any(static outer => outer.Arity > 0));
        Assert.Contains(types, static type => type.Base is { Arguments.Count: > 0 });
        Assert.Contains(types, static type => type is { HasTags: true, SkipsUnknownCases: true });
        Assert.Contains(types, static type => type.Unnamed.Count > 0);
        Assert.Contains(types, static type => type.IsTracked && type.InheritedPassed.Any());
        Assert.Contains(types, static type => type is { Arity: > 0, Base.Type.Arity: > 0 });
        Assert.Contains(types, static type => type is { Arity: > 0, Base.Type.Arity: 0 });
        Assert.Contains(types, static type => type.Overrides.Any(static one => one.IsPassedOn));
        Assert.All(new[] { Making.Plain, Making.Constructor, Making.Factory }, making => Assert.Contains(types, type => type.HidesMaking && type.Making == making));
        Assert.All(new[] { Making.Plain, Making.Head, Making.Constructor }, making => Assert.Contains(types, type => type.SetsRequired && type.Making == making && type.Members.Any(static member => member.Form is MemberForm.Required or MemberForm.RequiredField)));
        Assert.Contains(types, static type => type is { Making: Making.Factory, IsRecord: true });
        Assert.Contains(types, static type => type is { HasCallbacks: true, IsValue: true } && type.Members.Exists(static member => member.IsTurned));
        Assert.Contains(types, static type => type is { HasCallbacks: true, IsTracked: true } && type.Members.Exists(static member => member.IsTurned));
        Assert.Contains(types, static type => type.Overrides.Any(static one => one.Member.IsAbstract));
    }

    [Fact]
    public void AQuickRunHasEveryTypeOfTheFrameworkSomewhere()
    {
        TypeRef[] parts = [.. Programs.Take(MemberDrawer.Turns).SelectMany(static program => program.Types).SelectMany(static type => type.Members).SelectMany(static member => member.Type.Parts())];
        Assert.Empty(Framework.Rare.Except(parts.OfType<TypeRef.Scalar>().Select(static scalar => scalar.Kind)));
        Assert.Empty(Framework.Usual.Concat(Framework.Unusual).Where(static kind => !kind.Name.EndsWith("PriorityQueue", StringComparison.Ordinal)).Except(parts.OfType<TypeRef.Collection>().Select(static one => one.Kind)));
    }

    [Fact]
    public void AProgramIsTheSameWheneverItIsDrawnAndItsNextVersionToo()
    {
        for (int seed = 1; seed < 20; seed++)
        {
            Assert.Equal(ProgramPrinter.Print(Programs[seed - 1]), ProgramPrinter.Print(ProgramDrawer.Draw(seed)));
            string next = ProgramPrinter.Print(ProgramMutation.Mutate(ProgramDrawer.Draw(seed), ProgramDrawer.Draw(seed), seed).Next);
            Assert.Equal(next, ProgramPrinter.Print(ProgramMutation.Mutate(ProgramDrawer.Draw(seed), ProgramDrawer.Draw(seed), seed).Next));
            Assert.NotEqual(next, ProgramPrinter.Print(Programs[seed - 1]));
        }
    }

    [Fact]
    public void NextVersionsChangeWhatTypesAreAndDeriveFrom()
    {
        Evolution[] evolutions = [.. Enumerable.Range(1, Programs.Length).Select(static seed => ProgramMutation.Mutate(ProgramDrawer.Draw(seed), ProgramDrawer.Draw(seed), seed))];
        (TypeModel Old, TypeModel Now)[] types = [.. evolutions.SelectMany(static (evolution, index) => Programs[index].Types.Zip(evolution.Next.Types))];
        foreach (TypeForm form in new[] { TypeForm.Interface, TypeForm.Class }) Assert.Contains(evolutions, evolution => evolution.Lost is { } lost && evolution.Next.Types.Exists(type => type.Index == lost && type.Form == form));
        Assert.Contains(types, static type => type is { Old.IsValue: true, Now.IsValue: false });
        Assert.Contains(types, static type => type is { Old.IsValue: false, Now.IsValue: true });
        Assert.Contains(types, static type => type is { Old.Base: null, Now.Base: not null });
        Assert.Contains(types, static type => type is { Old.Base: not null, Now.Base: null });
        Assert.Contains(types, static type => type.Old.Interfaces.Count > type.Now.Interfaces.Count);
        Assert.Contains(types, static type => type.Old.Interfaces.Count < type.Now.Interfaces.Count);
        (TypeModel Old, TypeModel Now)[] referring = [.. evolutions.SelectMany(static (evolution, index) => evolution.Next.HasReferences ? Programs[index].Types.Zip(evolution.Next.Types) : [])];
        Assert.Contains(referring, static type => type.Old.Interfaces.Count != type.Now.Interfaces.Count);
        Assert.Contains(referring, static type => (type.Old.Base is null) != (type.Now.Base is null));
        Assert.Contains(types, static type => type is { Now: { Arity: > 0, FormerNames.Count: > 0 } });
    }

    [Fact]
    public void AProgramThatFailsForOneMemberIsShrunkToIt()
    {
        const int Seed = 7;
        ProgramModel whole = ProgramDrawer.Draw(Seed);
        Assert.True(IsFailing(whole));
        ProgramModel smallest = Shrinker.Shrink(whole, static cut => IsFailing(cut.Draw(Seed)), tries: 1_000).Draw(Seed);
        TypeModel type = Assert.Single(smallest.Types);
        Assert.Single(type.Members);

        static bool IsFailing(ProgramModel program) => program.Types.SelectMany(static type => type.Members).Any(static member => member.Type.Parts().Any(static part => part is TypeRef.Scalar { Kind.Name: "string" }));
    }

    [Fact]
    public void WhatIsLeftOfAProgramIsAProgram()
    {
        for (int seed = 1; seed < 40; seed++)
        {
            ProgramModel whole = ProgramDrawer.Draw(seed);
            foreach (TypeModel type in whole.Types)
            {
                ProgramModel left = ProgramCut.Nothing.Without(type.Index).Draw(seed);
                Assert.DoesNotContain(left.Types, one => one.Index == type.Index);
                Assert.All(left.Types.SelectMany(static one => one.Members).SelectMany(static member => member.Type.Parts()).OfType<TypeRef.Declared>(), part => Assert.Contains(part.Type, left.Types));
            }
        }
    }
}
