// Compiles a random program with its generated code and loads it.

using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Store.Tests.Generator.RandomPrograms;

/// <summary>Builds programs.</summary>
internal static class ProgramBuild
{
    /// <summary>Compiles and loads. What the generator or the compiler says of the program, or of what was generated for it, is a failure.</summary>
    public static LoadedProgram Load(ProgramModel model, string assemblyName, AssemblyLoadContext context)
    {
        CSharpCompilation compilation = GeneratorHarness.Compile(ProgramPrinter.Print(model)).WithAssemblyName(assemblyName);
        GeneratorRunResult result = Generate(GeneratorHarness.Driver(), compilation, out Compilation output).Results.Single();
        if (result.Diagnostics.FirstOrDefault(static one => !one.IsSuppressed) is { } diagnostic) throw new ProgramFailure("the generator says " + diagnostic.Id, "the generator says: " + diagnostic);
        using var image = new MemoryStream();
        Diagnostic[] said = [.. output.Emit(image).Diagnostics.Where(static one => one.Severity != DiagnosticSeverity.Hidden && !one.IsSuppressed)];
        if (said.Length > 0) throw new ProgramFailure("the compiler says " + said[0].Id, "the compiler says: " + string.Join("\n", said.Take(4)));
        image.Position = 0;
        Assembly assembly = context.LoadFromStream(image);
        return new LoadedProgram(model, assembly);
    }

    /// <summary>Runs generators, of which the first is the one that is tested.</summary>
    /// <param name="driver">It has them.</param>
    /// <param name="compilation">The program.</param>
    /// <param name="output">The program with what they generated.</param>
    /// <exception cref="ProgramFailure">The first one threw.</exception>
    public static GeneratorDriverRunResult Generate(GeneratorDriver driver, CSharpCompilation compilation, out Compilation output)
    {
        GeneratorDriverRunResult run = driver.RunAbroad(compilation, out output, out _).GetRunResult();
        if (run.Results[0].Exception is { } exception) throw new ProgramFailure("the generator threw", "the generator threw: " + exception, exception);
        return run;
    }
}
