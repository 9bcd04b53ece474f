// The file of a snapshot that cannot be looked into: its header is damaged, or it is gone or damaged by the time its bytes are read.

using Store.Inspect;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Store.Tests.Snapshots;

namespace Store.Tests.Inspect;

public sealed class InspectUnreadableSnapshotTests : IDisposable
{
    private static readonly string Name = SnapshotSamples.NameOf(1000);

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>It is a snapshot of the store all the same.</summary>
    [Fact]
    public void ExportPutsNothingBesideASnapshotWhoseHeaderIsDamaged()
    {
        string store = SampleLog.Folder(_folder), snapshot = Path.Combine(store, Name), target = Path.Combine(store, "out.jsonl");
        File.WriteAllBytes(snapshot, HeaderDamaged());
        ToolRun run = ToolRun.Of("export", snapshot, "-o", target);
        Assert.Equal(ExitCode.Usage, run.ExitCode);
        Assert.Contains("which is never written to", run.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(target));
    }

    /// <summary>Without a store around it there is nothing to keep out of.</summary>
    [Fact]
    public void ExportWritesBesideADamagedSnapshotThatLiesAlone()
    {
        File.WriteAllBytes(_folder[Name], HeaderDamaged());
        Assert.Equal(ExitCode.Corrupt, ToolRun.Of("export", _folder[Name], "-o", _folder["out.jsonl"]).ExitCode);
        Assert.Equal("", File.ReadAllText(_folder["out.jsonl"]));
    }

    [Theory]
    [InlineData("cat")]
    [InlineData("export")]
    public void APartOfASnapshotWhoseHeaderIsDamagedIsToldAsDamage(string verb)
    {
        File.WriteAllBytes(_folder[Name], HeaderDamaged());
        ToolRun run = ToolRun.Of(verb, _folder[Name], "--part", "scores");
        Assert.Equal((ExitCode.Corrupt, ""), (run.ExitCode, run.Output));
        Assert.StartsWith($"inspect: {Name}, offset ", run.Error, StringComparison.Ordinal);
        Assert.Contains("corrupt", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("only a snapshot has parts", run.Error, StringComparison.Ordinal);
    }

    /// <summary>Nothing is known of it then; least of all that it is whole.</summary>
    [Theory]
    [InlineData("")]
    [InlineData("verify")]
    [InlineData("schema")]
    [InlineData("cat")]
    [InlineData("export")]
    public void ASnapshotThatIsRemovedBeforeItIsReadCannotBeRead(string verb)
    {
        ToolRun run = Meanwhile(verb, static directory => directory.Delete(Name));
        Assert.Equal((ExitCode.Unreadable, ""), (run.ExitCode, run.Output));
        Assert.Equal(1, run.Error.Count(static c => c == '\n'));
    }

    [Theory]
    [InlineData("")]
    [InlineData("verify")]
    [InlineData("schema")]
    public void ASnapshotThatIsDamagedBeforeItIsReadIsToldWithItsFile(string verb)
    {
        ToolRun run = Meanwhile(verb, static directory => FileBytes.Put(directory, Name, HeaderDamaged()));
        Assert.Equal(ExitCode.Corrupt, run.ExitCode);
        Assert.Contains(Name, run.Output + run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void ASnapshotThatIsDamagedBeforeItIsReadIsAmongTheFilesOfTheReport()
    {
        using SimDirectory directory = Holding(Whole());
        using StoreReader reader = StoreReader.Open(new KeptOpen(directory), "sim", null, static _ => false);
        FileBytes.Put(directory, Name, HeaderDamaged());
        VerifyReport report = reader.Verify();
        Assert.True(report.IsCorrupt);
        VerifiedFile file = Assert.Single(report.Files);
        Assert.Equal((Name, 0L, 0), (file.File.Name, file.UsedBytes, file.Parts.Count));
    }

    private static ToolRun Meanwhile(string verb, Action<SimDirectory> change)
    {
        using SimDirectory directory = Holding(Whole());
        return ToolRun.With(verb.Length == 0 ? [Name] : [verb, Name], open: path =>
        {
            StoreReader reader = StoreReader.Open(new KeptOpen(directory), path, Name, static _ => false);
            change(directory);
            return reader;
        });
    }

    private static SimDirectory Holding(byte[] snapshot)
    {
        var directory = new SimDirectory();
        FileBytes.Put(directory, Name, snapshot);
        return directory;
    }

    private static byte[] Whole() => File.ReadAllBytes(Path.Combine(Repository.Root, "Store.Tests", "Snapshots", "golden-parts-v1.nino"));

    private static byte[] HeaderDamaged()
    {
        byte[] bytes = Whole();
        bytes[50] ^= 1;
        return bytes;
    }
}
