// Compiles a model program with its generated code. What the generator refuses is taken out, and its warnings are kept: they tell.

using System.Reflection;
using System.Runtime.Loader;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Store.Tests.Generator.RandomModels.Peers;
using Store.Tests.Generator.RandomPrograms;

namespace Store.Tests.Generator.RandomModels;

/// <summary>A loaded program.</summary>
/// <param name="Assembly">Its assembly.</param>
/// <param name="Program">What is left of it.</param>
/// <param name="Cut">What was drawn and is not there.</param>
/// <param name="Refused">How often the generator refused something.</param>
/// <param name="Warnings">What the generator said of what is left.</param>
internal sealed record LoadedModels(Assembly Assembly, ModelProgram Program, ModelCut Cut, int Refused, IReadOnlyList<string> Warnings)
{
    /// <summary>The warning that names the member, by its own name or its type and no member, as one that is lost; or null.</summary>
    public string? WhatTells(string type, string member)
    {
        string name = Regex.Match(member, "[mM]\\d+").Value;
        // That says what is stored.
        return name.Length == 0 ? null : Warnings.Where(static one => !one.StartsWith("NINO026", StringComparison.Ordinal)).FirstOrDefault(one => Regex.IsMatch(one, $"\\b_?{name}(Ticks|Too)?\\b", RegexOptions.IgnoreCase) || (Regex.IsMatch(one, $"\\b{type}\\b") && !Regex.IsMatch(one, "\\b_?[mM]\\d+\\b")));
    }
}

/// <summary>Builds programs.</summary>
internal static class ModelBuild
{
    private const int Tries = 16;

    /// <summary>Compiles and loads what the generator takes of a program, or gives null when nothing is left.</summary>
    /// <exception cref="ProgramFailure">The compiler has an error of its own, or the generator throws.</exception>
    public static LoadedModels? Load(int seed, OtherSerializer serializer, ModelCut cut, AssemblyLoadContext context, Action<string>? told = null)
    {
        int refused = 0;
        PeerSerializer? peer = PeerSerializer.Of(serializer);
        for (int i = 0; i < Tries; i++)
        {
            ModelProgram program = ModelDrawer.Draw(seed, serializer);
            program.Cut(cut);
            if (!program.Types.Exists(static type => type.IsConcrete)) return null;
            CSharpCompilation compilation = GeneratorHarness.Compile(ModelPrinter.Print(program)).WithAssemblyName("Models");
            compilation = compilation.WithOptions(compilation.Options.WithGeneralDiagnosticOption(ReportDiagnostic.Default).WithOptimizationLevel(OptimizationLevel.Release));
            GeneratorDriver driver = GeneratorHarness.Driver();
            if (peer is not null)
            {
                compilation = compilation.AddReferences(peer.Assemblies.Select(static one => MetadataReference.CreateFromFile(one.Location)));
                driver = driver.AddGenerators([.. peer.Generators]).WithUpdatedParseOptions(((CSharpParseOptions)compilation.SyntaxTrees[0].Options).WithPreprocessorSymbols("NET7_0_OR_GREATER", "NET8_0_OR_GREATER"));
            }

            GeneratorDriverRunResult run = ProgramBuild.Generate(driver, compilation, out Compilation output);
            GeneratorRunResult result = run.Results[0];
            Diagnostic[] errors = [.. result.Diagnostics.Where(static one => one.Severity == DiagnosticSeverity.Error)];
            // What its own serializer refuses is no program of it.
            if (errors.Length == 0) errors = [.. run.Results.Skip(1).SelectMany(static one => one.Diagnostics).Where(static one => one.Severity == DiagnosticSeverity.Error)];
            else refused += errors.Length;
            if (errors.Length == 0)
            {
                using var image = new MemoryStream();
                Diagnostic[] said = [.. output.Emit(image).Diagnostics.Where(static one => one.Severity == DiagnosticSeverity.Error)];
                HashSet<SyntaxTree> foreign = [.. run.Results.Skip(1).SelectMany(static one => one.GeneratedSources).Select(static one => one.SyntaxTree)];
                if (said.FirstOrDefault(one => one.Location.SourceTree is { } tree && foreign.Contains(tree)) is { } wrong)
                {
                    told?.Invoke("other: the compiler says " + wrong.Id + " of its code");
                    return null;
                }

                if (said.Length > 0) throw new ProgramFailure("the compiler says " + said[0].Id, "the compiler says: " + string.Join("\n", said.Take(4).Select(static one => $"{one} in {one.Location.SourceTree?.GetText().Lines[one.Location.GetLineSpan().StartLinePosition.Line]}")));
                image.Position = 0;
                return new LoadedModels(context.LoadFromStream(image), program, cut, refused, [.. result.Diagnostics.Select(static one => $"{one.Id} {one.GetMessage(System.Globalization.CultureInfo.InvariantCulture)}")]);
            }

            foreach (Diagnostic error in errors) told?.Invoke(error.Id);
            ModelCut smaller = Without(program, cut, errors);
            // What names nothing of the program refuses all of it.
            if (smaller == cut) return null;
            cut = smaller;
        }

        return null;
    }

    private static ModelCut Without(ModelProgram program, ModelCut cut, Diagnostic[] errors)
    {
        HashSet<int> members = [], types = [];
        foreach (Diagnostic error in errors)
        {
            string message = error.GetMessage(System.Globalization.CultureInfo.InvariantCulture);
            int[] named = [.. Regex.Matches(message, "\\b_?[mM](\\d+)(Ticks|Too)?\\b").Select(static one => int.Parse(one.Groups[1].Value, System.Globalization.CultureInfo.InvariantCulture))];
            int[] known = [.. program.Types.SelectMany(static type => type.Members).Where(one => named.Contains(one.Number) || named.Contains(int.Parse(one.Name[1..], System.Globalization.CultureInfo.InvariantCulture))).Select(static one => one.Number)];
            members.UnionWith(known);
            if (known.Length == 0 && Regex.Match(message, "\\b[TI](\\d+)\\b") is { Success: true } type) types.Add(int.Parse(type.Groups[1].Value, System.Globalization.CultureInfo.InvariantCulture));
        }

        // A type is refused for what its members are, more often than not: those first.
        return members.Count > 0 ? cut with { Members = [.. cut.Members, .. members] } : types.Count > 0 ? cut with { Types = [.. cut.Types, .. types] } : cut;
    }
}
