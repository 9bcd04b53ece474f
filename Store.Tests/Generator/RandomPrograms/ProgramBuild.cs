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
        GeneratorDriver driver = GeneratorHarness.Driver().RunAbroad(compilation, out Compilation output, out _);
        GeneratorRunResult result = driver.GetRunResult().Results.Single();
        if (result.Exception is { } exception) throw new ProgramFailure("the generator threw", "the generator threw: " + exception, exception);
        if (result.Diagnostics.FirstOrDefault(static one => !one.IsSuppressed) is { } diagnostic) throw new ProgramFailure("the generator says " + diagnostic.Id, "the generator says: " + diagnostic);
        using var image = new MemoryStream();
        Diagnostic[] said = [.. output.Emit(image).Diagnostics.Where(static one => one.Severity != DiagnosticSeverity.Hidden && !one.IsSuppressed)];
        if (said.Length > 0) throw new ProgramFailure("the compiler says " + said[0].Id, "the compiler says: " + string.Join("\n", said.Take(4)));
        image.Position = 0;
        Assembly assembly = context.LoadFromStream(image);
        return new LoadedProgram(model, assembly);
    }
}
