using Store.Log;

namespace Store.Tests.Log;

/// <summary>Somebody moves the folder away under a living writer and makes another store in its place; or a log in one file has two names. Nobody writes to what is another writer's, and nobody removes it.</summary>
public sealed class MovedStoreTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly string _alias;

    // The second writer comes by another name of the folder's parent, as another process would: the list of this process's locks does not know it.
    public MovedStoreTests()
    {
        _alias = _folder["alias"];
        Directory.CreateDirectory(_folder["real"]);
        if (!OperatingSystem.IsWindows()) Directory.CreateSymbolicLink(_alias, _folder["real"]);
    }

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void AWriterWhoseFolderWasExchangedRemovesNothingOfTheStoreThatIsThereNow()
    {
        if (OperatingSystem.IsWindows()) return;
        string path = Path.Combine(_folder["real"], "data"), alias = Path.Combine(_alias, "data");
        NinoStore first = Grown(path, segments: 6);
        first.TruncateBefore(first.LastSequence / 2);
        Assert.True(first.FirstSequence > 1);
        Directory.Move(path, _folder["old"]);
        using (Grown(alias, segments: 3)) { }
        Dictionary<string, byte[]> there = Contents(path);

        Assert.Throws<StoreInUseException>(() => first.TruncateBefore(first.LastSequence));
        Record.Exception(first.Dispose);

        Same(there, path);
    }

    [Fact]
    public void AWriterWhoseFolderWasExchangedLeavesNoSegmentInTheStoreThatIsThereNow()
    {
        if (OperatingSystem.IsWindows()) return;
        string path = Path.Combine(_folder["real"], "data"), alias = Path.Combine(_alias, "data");
        NinoStore first = Grown(path, segments: 6);
        first.Commit();
        long acknowledged = first.DurableSequence;
        Directory.Move(path, _folder["old"]);
        using (Grown(alias, segments: 3)) { }
        Dictionary<string, byte[]> there = Contents(path);

        StoreFailedException stopped = Assert.Throws<StoreFailedException>(() =>
        {
            for (int i = 0; i < 100_000; i++)
            {
                first.Append(i);
                if (i % 1000 == 0) first.Commit();
            }
        });

        Assert.IsType<StoreInUseException>(stopped.InnerException);
        Record.Exception(first.Dispose);
        Same(there, path);
        using (NinoStore second = NinoStore.Open(path, new NinoStoreOptions { Recovery = RecoveryMode.Strict })) Assert.Empty(second.Recovery.Damage);
        using NinoStore moved = NinoStore.Open(_folder["old"]);
        Assert.True(moved.LastSequence >= acknowledged);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void ALogInOneFileHasOneWriterWhateverLinkOpensIt(bool byLinkFirst)
    {
        if (OperatingSystem.IsWindows()) return;
        string target = _folder["2026-01.bin"], link = _folder["current.bin"];
        NinoLog.Create(target).Dispose();
        File.CreateSymbolicLink(_folder["middle.bin"], target);
        File.CreateSymbolicLink(link, _folder["middle.bin"]);
        (string one, string other) = byLinkFirst ? (link, target) : (target, link);
        using (NinoStore first = NinoStore.Open(one))
        {
            first.Append("first");
            first.Commit();

            Assert.Throws<StoreInUseException>(() => NinoStore.Open(other));

            first.Append("second");
        }

        using NinoStore again = NinoStore.Open(other);
        Assert.Equal(["first", "second"], again.Read<string>().Select(static r => r.Value));
        Assert.False(File.Exists(link + ".lock"));
    }

    private static NinoStore Grown(string path, int segments)
    {
        NinoStore store = NinoStore.Open(path, new NinoStoreOptions { FirstSegmentSizeBytes = 4096, SegmentSizeBytes = 64 * 1024 });
        while (Directory.GetFiles(path, "segment-*.log").Length < segments)
        {
            for (int i = 0; i < 100; i++) store.Append(i);
            store.Commit();
        }

        return store;
    }

    private static Dictionary<string, byte[]> Contents(string path) => Directory.GetFiles(path).ToDictionary(static f => Path.GetFileName(f), File.ReadAllBytes, StringComparer.Ordinal);

    // What the writer that lost its folder prepared ahead may lie there: the next opening removes it.
    private static void Same(Dictionary<string, byte[]> before, string path)
    {
        Dictionary<string, byte[]> after = Contents(path);
        Assert.Equal(before.Keys.Order(StringComparer.Ordinal), after.Keys.Where(static name => !SegmentFormat.IsPrepared(name, null)).Order(StringComparer.Ordinal));
        foreach ((string name, byte[] bytes) in before) Assert.Equal(bytes, after[name]);
    }
}
