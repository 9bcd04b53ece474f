using Store.Log;

namespace Store.Tests.Log;

/// <summary>One-file logs share a folder with other logs: none may touch what another one is writing.</summary>
public class OneFileTests
{
    /// <summary>Products have dots in their names, and folders versions.</summary>
    [Theory]
    [InlineData("Acme.Orders")]
    [InlineData("v1.2")]
    [InlineData(".myapp")]
    [InlineData("log.bin")]
    public async Task ANewPathIsAFolderWhateverItIsCalled(string name)
    {
        using var folder = new TemporaryFolder();
        await using (NinoStore store = NinoStore.Open(folder[name]))
        {
            store.Append(1);
            await store.CheckpointAsync("state");
        }

        Assert.True(Directory.Exists(folder[name]));
        await using NinoStore again = NinoStore.Open(folder[name]);
        Assert.Single(again.Snapshots);
    }

    [Theory]
    [InlineData("log.bin")]
    [InlineData("log.bin/")]
    [InlineData("new/")]
    public void AFolderIsNoPlaceForANewLogInOneFile(string name)
    {
        using var folder = new TemporaryFolder();
        Directory.CreateDirectory(folder["log.bin"]);
        IOException refused = Assert.Throws<IOException>(() => NinoLog.Create(folder[name]));
        Assert.Contains("is a folder", refused.Message, StringComparison.Ordinal);
        Assert.Equal(["log.bin"], Directory.GetFileSystemEntries(folder[""]).Select(Path.GetFileName));
    }

    [Fact]
    public async Task CreatingALogBesideAStoreLeavesTheStoresNextSegmentAlone()
    {
        using var folder = new TemporaryFolder();
        using (NinoStore store = NinoStore.Open(folder.Path, new NinoStoreOptions { FirstSegmentSizeBytes = 64 * 1024 }))
        {
            store.AppendBatch<int>([.. Enumerable.Range(0, 8_000)]);
            await store.CommitAsync();
            string? prepared = null;
            Assert.True(SpinWait.SpinUntil(() => (prepared = Directory.GetFiles(folder.Path).FirstOrDefault(static f => SegmentFormat.IsPrepared(Path.GetFileName(f), null))) is not null && new FileInfo(prepared).Length == 128 * 1024, TimeSpan.FromSeconds(20)));
            File.WriteAllText(folder["other.bin.cut-128.tmp"], "somebody writes this");

            using (NinoStore log = NinoLog.Create(folder["export.bin"])) log.Append(1);

            Assert.True(File.Exists(prepared));
            Assert.True(File.Exists(folder["other.bin.cut-128.tmp"]));
            store.AppendBatch<int>([.. Enumerable.Range(8_000, 8_000)]);
            await store.CommitAsync();
        }

        using NinoStore reopened = NinoStore.Open(folder.Path);
        Assert.Equal(Enumerable.Range(0, 16_000), reopened.Read<int>().Select(static r => r.Value));
        Assert.True(File.Exists(folder["other.bin.cut-128.tmp"]));
    }

    [Fact]
    public void LogsMayBeCreatedInOneFolderAtTheSameTime()
    {
        using var folder = new TemporaryFolder();

        Parallel.For(0, 24, new ParallelOptions { MaxDegreeOfParallelism = 6 }, i =>
        {
            using NinoStore log = NinoLog.Create(folder[$"{i}.bin"]);
            log.Append(i);
        });

        for (int i = 0; i < 24; i++)
        {
            using NinoStore log = NinoStore.Open(folder[$"{i}.bin"]);
            Assert.Equal(i, Assert.Single(log.Read<int>()).Value);
        }

        Assert.DoesNotContain(Directory.GetFiles(folder.Path), static f => f.EndsWith(".tmp", StringComparison.Ordinal));
    }

    [Fact]
    public void ALogThatWasClosedButNotCutToItsSizeIsCutByTheNextClosing()
    {
        using var folder = new TemporaryFolder();
        using (NinoStore log = NinoLog.Create(folder["log.bin"])) log.Append("one");
        byte[] exact = File.ReadAllBytes(folder["log.bin"]);
        File.WriteAllBytes(folder["log.bin"], [.. exact, .. new byte[4096]]);

        using (NinoStore log = NinoStore.Open(folder["log.bin"])) Assert.True(log.Recovery.CleanClose);

        Assert.Equal(exact, File.ReadAllBytes(folder["log.bin"]));
    }
}
