using Store.Tests.Log;

namespace Store.Tests.Inspect;

/// <summary>
/// Output as committed in <c>Store.Tests/Inspect/Golden</c>. People and scripts rely on it: a change shows in review. To accept one, run the tests with
/// <c>NINOSTORE_ACCEPT=1</c>; they fail once more and write what they saw.
/// </summary>
internal static class Golden
{
    public static void Check(string name, ToolRun run, TemporaryFolder folder)
    {
        Assert.Equal("", run.Error);
        string actual = run.Output.Replace(folder.Path, "/data", StringComparison.Ordinal);
        string path = Path.Combine(Repository.Root, "Store.Tests", "Inspect", "Golden", name);
        if (Environment.GetEnvironmentVariable("NINOSTORE_ACCEPT") == "1")
        {
            File.WriteAllText(path, actual);
            Assert.Fail($"{name} was written; read it and run again.");
        }

        Assert.Equal(File.ReadAllText(path), actual);
    }
}
