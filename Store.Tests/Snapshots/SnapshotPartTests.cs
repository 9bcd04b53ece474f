// Snapshots of several parts and of streams of items: what is written comes back, by number and in order, and misuse is an exception.

using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using static Store.Tests.Snapshots.SnapshotSamples;

namespace Store.Tests.Snapshots;

public class SnapshotPartTests
{
    [Fact]
    public async Task PartsComeBackByTheirNames()
    {
        using var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        store.Append(1);
        SnapshotInfo info = await store.CheckpointPartsAsync(new SnapshotParts().Add("game", Golden).AddItems("scores", Scores(1000)).AddItems("none", Scores(0)).Add("größe", new Score(7)));
        Assert.Equal((1, "Tests.Counter"), (info.Sequence, info.TypeName));
        using SnapshotFile file = store.OpenSnapshot(verification: SnapshotVerification.All)!;
        Assert.Equal(["game", "scores", "none", "größe"], file.Parts.Select(part => part.Name));
        Assert.Equal(Golden, file.Part("game").Read<Counter>());
        Assert.Equal(Golden, file.Read<Counter>());
        Assert.Equal(7, file.Part("größe").Read<Score>().Points);
        SnapshotPart scores = file.Part("scores");
        Assert.Equal((true, 1000), (scores.HasItems, scores.ItemCount));
        Assert.Equal(Scores(1000), scores.Items<Score>());
        Assert.Equal(Scores(1000).Skip(998), scores.Items<Score>(998));
        Assert.Empty(file.Part("none").Items<Score>());
        Assert.Empty(file.Verify());
        Assert.Contains("'scores'", Assert.Throws<KeyNotFoundException>(() => file.Part("score")).Message, StringComparison.Ordinal);
    }

    /// <summary>Blocks close at 64 KiB or 16,384 items: items of every size around both, and one larger than a block.</summary>
    [Theory]
    [InlineData(40_000, 0)]
    [InlineData(16_384, 0)]
    [InlineData(300, 700)]
    [InlineData(40, 30_000)]
    [InlineData(3, 200_000)]
    [InlineData(1, 65_536)]
    public void EveryItemIsFoundByItsNumber(int count, int bytes)
    {
        using SnapshotFile file = Open(WriteItems(Enumerable.Range(0, count).Select(i => Counter.Numbered(i, Size(i)))));
        SnapshotPart part = file.Parts[0];
        Assert.Equal(count, part.ItemCount);
        var random = new Random(count);
        for (int trial = 0; trial < 500; trial++)
        {
            int i = trial switch { 0 => 0, 1 => count - 1, _ => random.Next(count) };
            Assert.Equal(i, part.UseItem(i, 0, static (item, _) => BitConverter.ToInt32(item)));
            Assert.Equal(Counter.Numbered(i, Size(i)), part.Item<Counter>(i));
        }

        int Size(int i) => bytes == 0 ? i % 3 : (bytes + (i * 37)) % (bytes + 1) + (bytes / 2);
    }

    [Fact]
    public void ItemsComeFromAnAsynchronousStreamToo()
    {
        using SnapshotFile file = Open(Write(new SnapshotParts().AddItems("later", Later(500))));
        Assert.Equal(Scores(500), file.Parts[0].Items<Score>());

        static async IAsyncEnumerable<Score> Later(int count)
        {
            foreach (Score score in Scores(count))
            {
                if (score.Points % 100 == 0) await Task.Yield();
                yield return score;
            }
        }
    }

    [Fact]
    public void AnItemIsLentAndNotCopiedAndReadingItByNumberAllocatesNothing()
    {
        using SnapshotFile file = Open(WriteItems(Scores(10_000)));
        SnapshotPart part = file.Parts[0];
        long sum = Sum();
        long again = 0;
        long allocated = Allocated.Least(() => again = Sum());
        Assert.Equal((sum, 0), (again, allocated));

        long Sum()
        {
            long sum = 0;
            for (int i = 0; i < 10_000; i += 7) sum += part.UseItem(i, 0, static (item, _) => BitConverter.ToInt64(item));
            return sum;
        }
    }

    /// <summary>Only types of a name of their own can have had another.</summary>
    [Fact]
    public void APartOfAnotherTypeIsNamedAndAFormerNameAdvisedOnlyWhereThereCanBeOne()
    {
        using SnapshotFile file = Open(Write(new SnapshotParts().AddItems("numbers", [1, 2]).Add("value", new Score(1))));
        string number = Assert.Throws<SchemaMismatchException>(() => file.Part("numbers").Item<long>(0)).Message;
        Assert.Contains("The part 'numbers' of the snapshot holds 'Int32'", number, StringComparison.Ordinal);
        Assert.EndsWith("Read it with its own type.", number, StringComparison.Ordinal);
        Assert.EndsWith("Read it with its own type.", Assert.Throws<SchemaMismatchException>(() => file.Part("numbers").Item<Counter>(0)).Message, StringComparison.Ordinal);
        Assert.EndsWith("Read it with its own type.", Assert.Throws<SchemaMismatchException>(() => file.Part("value").Read<int>()).Message, StringComparison.Ordinal);
        Assert.EndsWith("if that was renamed, put [NinoFormerName(\"Tests.Score\")] on it.", Assert.Throws<SchemaMismatchException>(() => file.Part("value").Read<Counter>()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void MisuseIsAnException()
    {
        using SnapshotFile file = Open(Write(new SnapshotParts().AddItems("items", Scores(3)).Add("value", new Score(1))));
        SnapshotPart items = file.Part("items"), value = file.Part("value");
        Assert.Throws<ArgumentOutOfRangeException>(() => items.Item<Score>(3));
        Assert.Throws<ArgumentOutOfRangeException>(() => items.Item<Score>(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => items.UseItem(long.MaxValue, 0, static (item, _) => item.Length));
        Assert.Throws<InvalidOperationException>(() => items.Read<Score>());
        Assert.Throws<InvalidOperationException>(() => value.Item<Score>(0));
        Assert.Throws<InvalidOperationException>(() => value.ItemCount);
        Assert.Throws<SchemaMismatchException>(() => items.Item<Counter>(0));
        Assert.Throws<SchemaMismatchException>(() => items.Items<Counter>());
        var parts = new SnapshotParts();
        Assert.Throws<InvalidOperationException>(() => parts.Create());
        Assert.Throws<ArgumentException>(() => parts.Add("", new Score(1)));
        Assert.Throws<ArgumentException>(() => parts.Add(new string('ä', 129), new Score(1)));
        Assert.Throws<ArgumentException>(() => parts.Add("a", new Score(1)).AddItems("a", Scores(1)));
        for (int i = 1; i < SnapshotFormat.MaxParts; i++) parts.Add($"{i}", new Score(i));
        Assert.Throws<ArgumentException>(() => parts.Add("one more", new Score(1)));
        using SnapshotFile most = Open(Write(parts));
        Assert.Equal((SnapshotFormat.MaxParts, 255), (most.Parts.Count, most.Part("255").Read<Score>().Points));
    }

    /// <summary>A span lives inside a callback, and the callback keeps the file mapped: there is no way to touch memory that is gone.</summary>
    [Fact]
    public void AFileClosedInTheMiddleStaysMappedUntilItsBytesAreGivenBackAndThenRefuses()
    {
        var folder = new BytesDirectory { ["file"] = WriteItems(Scores(3)) };
        SnapshotFile file = SnapshotFile.Open(folder, "file");
        SnapshotPart part = file.Parts[0];
        using IEnumerator<Score> items = part.Items<Score>().GetEnumerator();
        Assert.True(items.MoveNext());
        Assert.Equal(2, part.UseItem(2, (file, folder), static (item, use) =>
        {
            use.file.Dispose();
            Assert.Equal(1, use.folder.OpenMappings);
            return BitConverter.ToInt64(item);
        }));
        Assert.Equal(0, folder.OpenMappings);
        Action[] members = [() => part.UseItem(0, 0, static (item, _) => 0), () => part.Item<Score>(0), () => part.Read<Score>(), () => _ = part.ItemCount, () => items.MoveNext(), () => part.Items<Score>(), () => part.UseData(0, 1, 0, static (data, _) => 0), () => file.Part("")];
        Assert.All(members, member => Assert.Throws<ObjectDisposedException>(member));
    }

    [Fact]
    public async Task ThreadsMayCloseAFileThatOthersRead()
    {
        using var folder = new TemporaryFolder();
        string path = folder["items.nino"];
        File.WriteAllBytes(path, WriteItems(Scores(5000)));
        for (int round = 0; round < 30; round++)
        {
            SnapshotFile file = SnapshotFile.Open(path);
            SnapshotPart part = file.Parts[0];
            Task[] readers = [.. Enumerable.Range(0, 3).Select(r => Task.Run(() =>
            {
                Action readOn = () =>
                {
                    for (int i = r; ; i = (i + 1) % 5000) Assert.Equal(i, part.UseItem(i, 0, static (item, _) => BitConverter.ToInt64(item)));
                };
                Assert.Throws<ObjectDisposedException>(readOn);
            }))];
            await Task.Delay(round % 3);
            file.Dispose();
            await Task.WhenAll(readers);
        }
    }

    [Fact]
    public void WritingItemsTakesTheMemoryOfAFewChunksWhateverTheirNumber()
    {
        Discard(1000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        long length = Discard(4_000_000);
        Assert.True(length > 48_000_000);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(allocated < 2 * 1024 * 1024, $"{allocated} bytes were allocated for {length}");

        static long Discard(int count)
        {
            using var file = new MemoryFile(keepsBytes: false);
            var content = new SnapshotItemStream<Score>("", NinoCodec<Score>.Default, Scores(count));
            return new SnapshotWriter(new BytesDirectory()).WriteFile(file, [content], GoldenStamp, null, CancellationToken.None).FileLength;
        }
    }

    [Fact]
    public async Task ProgressIsToldPartByPartAndNeverGoesBack()
    {
        using var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        var told = new List<SnapshotProgress>();
        await store.CheckpointPartsAsync(new SnapshotParts().Add("a", new Score(1)).AddItems("b", Scores(300_000)), new Told(told));
        Assert.Equal(new SnapshotProgress("a", 0, 8), told[0]);
        Assert.Equal(("b", 300_000), (told[^1].Part, told[^1].Items));
        Assert.True(told.Count >= 4, $"{told.Count} reports");
        Assert.Equal(told.Skip(1), told.Skip(1).OrderBy(p => p.LengthBytes).ThenBy(p => p.Items));
    }

    [Fact]
    public async Task ProgressOfOneObjectIsToldByTheMebibyte()
    {
        using var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        var told = new List<SnapshotProgress>();
        SnapshotInfo info = await store.CheckpointAsync(new long[500_000], new Told(told));
        Assert.True(told.Count >= 4, $"{told.Count} reports");
        Assert.All(told, static p => Assert.Equal(("", 0), (p.Part, p.Items)));
        Assert.Equal(told, told.OrderBy(static p => p.LengthBytes));
        Assert.InRange(told[^1].LengthBytes, 4_000_000, info.LengthBytes);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(150_000)]
    [InlineData(299_999)]
    public async Task CancellingAStreamOfItemsLeavesNoTrace(int at)
    {
        using var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        await store.CheckpointAsync(Golden);
        string[] before = [.. directory.List().Select(f => f.Name)];
        using var cancellation = new CancellationTokenSource();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await store.CheckpointPartsAsync(new SnapshotParts().AddItems("b", Cancelling()), null, cancellation.Token));
        await Assert.ThrowsAsync<TimeoutException>(async () => await store.CheckpointPartsAsync(new SnapshotParts().AddItems("b", Failing())));
        Assert.Equal(before, directory.List().Select(f => f.Name));

        IEnumerable<Score> Cancelling()
        {
            foreach (Score score in Scores(300_000))
            {
                if (score.Points == at) cancellation.Cancel();
                yield return score;
            }
        }

        IEnumerable<Score> Failing() => Scores(300_000).Select(score => score.Points == at ? throw new TimeoutException() : score);
    }

    [Fact]
    public async Task TheNewestSnapshotThatIsWholeIsOpened()
    {
        using var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        Assert.Null(store.OpenSnapshot());
        await store.CheckpointPartsAsync(new SnapshotParts().AddItems("s", Scores(10)));
        store.Append(1);
        SnapshotInfo newest = await store.CheckpointPartsAsync(new SnapshotParts().AddItems("s", Scores(20)));
        Assert.Equal("Tests.Score[]", newest.TypeName);
        using (SnapshotFile file = store.OpenSnapshot("Tests.Score[]")!) Assert.Equal(20, file.Part("s").ItemCount);
        Assert.Null(store.OpenSnapshot("Tests.Score"));
        SnapshotSection data;
        using (SnapshotFile file = SnapshotFile.Open(directory, newest.FileName)) data = file.Sections.Single(s => s.Kind == SnapshotSectionKind.Data);
        using (Store.IO.IStoreFile file = directory.OpenWrite(newest.FileName)) file.Write([0xFF], data.Offset + 3);
        using (SnapshotFile file = store.OpenSnapshot(verification: SnapshotVerification.All)!) Assert.Equal(10, file.Part("s").ItemCount);
        Assert.Equal(newest.FileName, Assert.Single(store.Recovery.Damage).File);
        using (SnapshotFile file = store.OpenSnapshot()!) Assert.Equal(10, file.Part("s").ItemCount);
    }

    [Fact]
    public async Task AClockThatIsSetBackKeepsNoMoreThanWasAskedFor()
    {
        using var directory = new SimDirectory();
        var clock = new HandClock();
        await using NinoStore store = Simulated.Open(directory, change: o => o with { TimeProvider = clock });
        for (int i = 1; i <= 5; i++)
        {
            store.Append(i);
            await store.CheckpointAsync(new Score(i));
            clock.Now -= TimeSpan.FromDays(1);
        }

        Assert.Equal([5, 4], store.Snapshots.Select(s => s.Sequence));
    }

    [Fact]
    public async Task SnapshotsYoungerThanTheyAreToBeKeptStayHoweverMany()
    {
        using var directory = new SimDirectory();
        var clock = new SetClock();
        await using NinoStore store = Simulated.Open(directory, change: o => o with { SnapshotKeepFor = TimeSpan.FromHours(1), TimeProvider = clock });
        for (int minutes = 0; minutes <= 100; minutes += 20)
        {
            store.Append(minutes);
            await store.CheckpointAsync(new Score(minutes));
            clock.Pass(TimeSpan.FromMinutes(20));
        }

        Assert.Equal([6, 5, 4], store.Snapshots.Select(s => s.Sequence));
        clock.Pass(TimeSpan.FromDays(1));
        store.Append(1);
        await store.CheckpointAsync(new Score(1));
        Assert.Equal([7, 6], store.Snapshots.Select(s => s.Sequence));
        clock.Set(-TimeSpan.FromMinutes(10));
        for (int i = 0; i < 2; i++)
        {
            store.Append(1);
            await store.CheckpointAsync(new Score(1));
        }

        Assert.Equal([9, 8, 7], store.Snapshots.Select(s => s.Sequence));
        Assert.Throws<ArgumentOutOfRangeException>(() => new NinoStoreOptions { SnapshotKeepFor = TimeSpan.FromTicks(-1) });
    }

    /// <summary>Two of them would be one name in the file, which nobody could open.</summary>
    [Fact]
    public void ANameWithHalfASurrogatePairIsRefused()
    {
        var parts = new SnapshotParts();
        foreach (string name in new[] { "\uD800", "\uD801", "a\uDC01", "\uDC01\uD800" }) Assert.Throws<ArgumentException>(() => parts.Add(name, new Score(1)));
        parts.Add("\uD800\uDC01", new Score(1));
        Assert.Equal("\uD800\uDC01", Assert.Single(parts.Create()).Name);
    }

    internal static IEnumerable<Score> Scores(int count) => Enumerable.Range(0, count).Select(i => new Score(i));

    internal static byte[] WriteItems<T>(IEnumerable<T> items, int pageSize = SnapshotFormat.DefaultPageSize) => Write([new SnapshotItemStream<T>("", NinoCodec<T>.Default, items)], pageSize);

    internal static byte[] Write(IReadOnlyList<SnapshotContent> parts, int pageSize = SnapshotFormat.DefaultPageSize)
    {
        using var file = new MemoryFile(keepsBytes: true);
        new SnapshotWriter(new BytesDirectory(), pageSize).WriteFile(file, parts, GoldenStamp, null, CancellationToken.None);
        return file.ToArray();
    }

    private static byte[] Write(SnapshotParts parts) => Write(parts.Create());

    internal static SnapshotFile Open(byte[] bytes) => SnapshotFile.Open(new BytesDirectory { ["file"] = bytes }, "file");

    private sealed class Told(List<SnapshotProgress> told) : IProgress<SnapshotProgress>
    {
        public void Report(SnapshotProgress value) => told.Add(value);
    }

    private sealed class HandClock : TimeProvider
    {
        public DateTimeOffset Now { get; set; } = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

        public override DateTimeOffset GetUtcNow() => Now;
    }
}
