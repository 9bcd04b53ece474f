// Models that users of System.Text.Json, DataContractSerializer, MemoryPack, MessagePack and protobuf-net have, drawn at random, with the attributes of these and none of NinoStore's: what its own serializer keeps of a value is kept here,
// or a diagnostic or an exception tells that it is not.
//
// PROGRAMS is how many, twice for each serializer, SEED the first one; a failure prints the seed and the smallest part of the program that still fails. ALL_FINDINGS=1 goes on behind one.

using Store.Tests.Generator.RandomModels.Peers;
using Store.Tests.Generator.RandomPrograms;
using Xunit.Abstractions;

namespace Store.Tests.Generator.RandomModels;

public sealed class RandomModelTests(ITestOutputHelper output)
{
    private const int ValuesOfEach = 4;
    private const int ProgramsOfEach = 2;
    private const int Tries = 60;

    /// <summary>Those of the framework, and those of packages that the build names: -p:Peers=MemoryPack+MessagePack+ProtobufNet.</summary>
    public static TheoryData<string> Serializers => [.. ((OtherSerializer[])[OtherSerializer.Json, OtherSerializer.DataContract, .. PeerSerializer.Named]).Select(static one => one.ToString())];

    [Theory]
    [MemberData(nameof(Serializers))]
    public void WhatTheirOwnSerializerKeepsOfModelsIsKeptOrToldToBeLost(string name)
    {
        OtherSerializer serializer = Enum.Parse<OtherSerializer>(name);
        int first = Effort.DrawnSeed(quick: 20261129), count = Effort.Programs * ProgramsOfEach;
        var counts = new ModelCounts();
        List<string> all = [];
        bool findsAll = Environment.GetEnvironmentVariable("ALL_FINDINGS") is { Length: > 0 };
        for (int seed = first; seed < first + count; seed++)
        {
            if (Fails(seed, serializer, ModelCut.Nothing, counts) is not { } failure) continue;
            ModelCut cut = Shrink(seed, serializer, failure.Kind);
            ProgramFailure smallest = Fails(seed, serializer, cut, new ModelCounts()) ?? failure;
            ModelProgram program = ModelDrawer.Draw(seed, serializer);
            program.Cut(cut);
            string text = ModelPrinter.Print(program);
            text = $"SEED={seed} {name}: {smallest.Message}\n\n{text[..text.IndexOf(ModelPrinter.Support, StringComparison.Ordinal)]}\nThe whole program: {failure.Message}";
            if (!findsAll) Assert.Fail(text);
            all.Add(text);
            output.WriteLine(text);
        }

        Effort.Tell(output, "random models of other serializers", counts.Programs, $"SEED={first}", $"{counts.Kept} places of {counts.Values} values kept, {counts.Refused} diagnostics, {counts.Told} values told to be lost, {counts.NotTaken} not taken by their own serializer");
        foreach ((string told, int times) in counts.Diagnostics.Concat(counts.Reasons).OrderByDescending(static one => one.Value)) output.WriteLine($"{times} x {told}");
        Assert.Empty(all);
    }

    /// <summary>The comparison would see it.</summary>
    [Theory]
    [MemberData(nameof(Serializers))]
    public void AMemberThatIsLostIsFound(string name)
    {
        OtherSerializer serializer = Enum.Parse<OtherSerializer>(name);
        string? lost = null;
        for (int seed = 1; seed < 20 && lost is null; seed++)
        {
            try
            {
                ModelChecks.Run(seed, serializer, ModelCut.Nothing, ValuesOfEach, new ModelCounts(), static dump =>
                {
                    foreach (string place in dump.Keys.Where(static one => one.Contains('.', StringComparison.Ordinal)).Take(1).ToArray()) dump.Remove(place);
                });
            }
            catch (ProgramFailure failure)
            {
                lost = failure.Kind;
            }
        }

        Assert.Equal("lost", lost);
    }

    private static ModelCut Shrink(int seed, OtherSerializer serializer, string kind)
    {
        ModelCut cut = ModelCut.Nothing;
        ModelProgram program = ModelDrawer.Draw(seed, serializer);
        int tries = Tries;
        foreach (int type in program.Types.Select(static type => type.Index).Reverse()) Try(cut.WithoutType(type));
        program.Cut(cut);
        foreach (int member in program.Types.SelectMany(static type => type.Members).Select(static member => member.Number).Reverse()) Try(cut.WithoutMember(member));
        return cut;

        void Try(ModelCut smaller)
        {
            if (tries-- > 0 && Fails(seed, serializer, smaller, new ModelCounts())?.Kind == kind) cut = smaller;
        }
    }

    private static ProgramFailure? Fails(int seed, OtherSerializer serializer, ModelCut cut, ModelCounts counts)
    {
        try
        {
            ModelChecks.Run(seed, serializer, cut, ValuesOfEach, counts);
            return null;
        }
        catch (ProgramFailure failure)
        {
            return failure;
        }
    }
}
