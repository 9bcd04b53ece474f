// Random programs, edited at random, with one generator that lives through all of it: after every edit it must say what one says that sees the program for the first time. Whatever a model does not compare by would be old code, or an old message.
//
// PROGRAMS is how many programs, SEED the first one.

using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Store.Tests.Generator.RandomPrograms;
using Xunit.Abstractions;

namespace Store.Tests.Generator.RandomEdits;

public sealed class RandomEditTests(ITestOutputHelper output)
{
    private const int EditsOfEach = 18;

    // Half-written code ends what there is to compare: after so many edits the program is whole again.
    private const int EditsInARow = 6;

    private int _edits, _changed, _withCode, _lost;

    [Fact]
    public void AGeneratorThatSawEveryEditSaysWhatAFreshOneSays()
    {
        int first = Effort.DrawnSeed(quick: 20261130);
        for (int seed = first; seed < first + Effort.Programs; seed++) Edit(seed);
        Effort.Tell(output, "edits of random programs", _edits, $"SEED={first}", $"{_changed} changed what is generated or said, {_withCode} left code, {_lost} attributes were lost by Roslyn");
        Assert.True(_changed > _edits / 4 && _withCode > _edits / 2 && _lost <= Math.Max(5, _edits / 50), $"{_edits} edits, {_changed} changed something, {_withCode} left code");
    }

    private void Edit(int seed)
    {
        var random = new Random(seed);
        ProgramModel model = ProgramDrawer.Draw(seed);
        string next = ProgramPrinter.Print(ProgramMutation.Mutate(ProgramDrawer.Draw(seed), ProgramDrawer.Draw(seed), seed).Next);
        EditedProgram whole = EditedProgram.Of(ProgramPrinter.Print(model), Library.Reference(0), Library.Uses), program = whole;
        var edit = new RandomEdit(random, [.. EditedProgram.Split(next, whole.Options)]);
        GeneratorDriver driver = GeneratorHarness.Driver();
        List<string> done = [];
        string before = "";
        for (int i = 0; i < EditsOfEach; i++, _edits++)
        {
            if (i % EditsInARow == 0) (program, done) = (i % (2 * EditsInARow) == 0 ? whole : Parsed(program, whole), []);
            else program = edit.Apply(program);
            done.Add(edit.Name);

            driver = driver.WithUpdatedParseOptions(program.Options).RunAbroad(program.Compilation);
            GeneratorDriver fresh = GeneratorHarness.Driver().WithUpdatedParseOptions(program.Options).RunAbroad(program.Compilation);
            GeneratorRunResult kept = driver.GetRunResult().Results.Single(), made = fresh.GetRunResult().Results.Single();
            string expected = Told(made), actual = Told(kept);
            if (expected != actual && Found(made) != Found(kept))
            {
                (driver, actual) = (fresh, expected);
                _lost++;
            }

            Assert.True(expected == actual, $"SEED={seed}, edit {i}: {ProgramFailure.Difference(expected, actual)}\n{string.Join('\n', done)}");
            Assert.True(made.Exception is null, $"SEED={seed}, edit {i}: {made.Exception}\n{string.Join('\n', done)}");
            if (expected != before) _changed++;
            if (made.GeneratedSources.Length > 0) _withCode++;
            before = expected;
        }
    }

    // The same text in other objects: what an editor has that was closed and opened.
    private static EditedProgram Parsed(EditedProgram program, EditedProgram whole) => (whole with { Compilation = whole.Compilation.WithAssemblyName(program.Compilation.AssemblyName) }).As(whole.Options);

    // What Roslyn found, file by file, before any code of the generator runs. Where files change places, tables of earlier runs become shorter than what they are tables of, and the last file is not looked at (dotnet/roslyn#67634):
    // in an editor, until something else changes; a build looks at all.
    private static string Found(GeneratorRunResult result) =>
        !result.TrackedSteps.TryGetValue("result_ForAttributeInternal", out ImmutableArray<IncrementalGeneratorRunStep> runs) ? ""
        : string.Join('\n', runs.SelectMany(static run => run.Outputs).Select(static output => (ITuple)output.Value).Select(static found => found[0] switch { SyntaxTree tree => tree.FilePath, SyntaxNode node => node.SyntaxTree.FilePath, _ => "" }).Order(StringComparer.Ordinal));

    private static string Told(GeneratorRunResult result) => string.Concat(
        result.Diagnostics.Select(static one => $"{one} {one.Location.SourceSpan} {string.Join(' ', one.AdditionalLocations)} {string.Join(' ', one.Properties)} {one.IsSuppressed}\n")
            .Concat(result.GeneratedSources.Select(static one => $"// {one.HintName}\n{one.SourceText}\n")))
        + result.Exception?.GetType();
}
