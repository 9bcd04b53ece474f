// A copy of the program that counts its edges. SharpFuzz rewrites the assemblies under test; the driver itself is left alone, so that only what reads bytes is counted.

using SharpFuzz;

namespace Store.Fuzz.Driver;

internal static class Instrumentation
{
    // What reads bytes. Codecs of the types that are fuzzed are generated into this assembly.
    private static readonly string[] Assemblies = ["NinoStore.Serialization.dll", "NinoStore.dll", "NinoStore.Faster.dll", "NinoStore.Fuzz.dll"];

    // What the driver and the linked tests are made of.
    private static readonly string[] Tools = ["Store.Fuzz.", "Store.Tests.Fuzz.", "Store.Tests.Values.", "Store.Tests.Simulation.", "Store.Tests.Snapshots.", "Store.Tests.Log.", "Store.Tests.Pieces"];

    /// <summary>Copies a program's folder and instruments the copy.</summary>
    /// <param name="from">The program as it was built.</param>
    /// <param name="to">A folder that is empty.</param>
    /// <returns>How many types were instrumented.</returns>
    public static int Copy(string from, string to)
    {
        foreach (string file in Directory.EnumerateFiles(from, "*", SearchOption.AllDirectories))
        {
            string copy = Path.Combine(to, Path.GetRelativePath(from, file));
            if (Path.GetExtension(file) is ".xml" or ".pdb") continue;
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(file, copy);
        }

        int types = 0;
        foreach (string assembly in Assemblies) types += Fuzzer.Instrument(Path.Combine(to, assembly), IsUnderTest, Options.Value).Count();
        return types;
    }

    // The initializer of a module may run before there is memory to count in.
    private static bool IsUnderTest(string type) =>
        type != "<Module>" && (!Tools.Any(prefix => type.StartsWith(prefix, StringComparison.Ordinal)) || type.StartsWith("Store.Fuzz.Targets.Planted", StringComparison.Ordinal));
}
