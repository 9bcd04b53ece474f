// A sector of a sealed segment that the disk cannot read, each in turn: whoever reads the log gets the records before it, then an exception that names file and place, and the process lives on.

using Store.Faster;
using Store.Log;
using Store.Tests.KeyValue;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Reading;

public class BadSectorOfTheLogTests(ITestOutputHelper output)
{
    private const int SectorBytes = 512;

    public static TheoryData<string> Ways => ["records", "typed", "backwards", "restoring", "tailing"];

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task WhoeverReadsGetsWhatLiesBeforeItAndThenAnException(string way)
    {
        using var sim = new SimDirectory();
        RetentionTests.Grown(sim, segments: 3).Dispose();
        long whole;
        await using (NinoStore store = Simulated.Open(sim, 2)) whole = store.LastSequence;
        int refused = 0, sectors = 0;
        foreach (long number in new[] { 1L, 2 })
        {
            string name = SegmentFormat.Name(number);
            long length = FileBytes.Of(sim, name).Length;
            List<PlacedFrame> frames = Frames.WithPlaces(sim, number);
            for (long sector = 0; sector * SectorBytes < length; sector++, sectors++)
            {
                var disk = new BadSectorDirectory(sim, SectorBytes);
                await using NinoStore store = Simulated.Open(disk, 3);
                disk.Spoil(name, sector * SectorBytes);
                List<long> read = [];
                Exception? failure = await Record.ExceptionAsync(() => ReadAsync(store, way, read));
                Assert.Empty(disk.Deaths);
                if (failure is null)
                {
                    // Header, or what is behind the last frame: nobody needs it.
                    Assert.Equal(whole, read.Count);
                    continue;
                }

                refused++;
                Assert.True(failure is IOException or StoreException, failure.ToString());
                Assert.Contains(name, failure.Message, StringComparison.Ordinal);

                // Forwards every frame before the sector; backwards at least the segments behind its own.
                long before = frames.Where(frame => frame.End <= sector * SectorBytes).Select(static frame => frame.Header.LastSequence).LastOrDefault(frames[0].Header.FirstSequence - 1);
                if (way == "backwards") Assert.InRange(read.Count, whole - frames[^1].Header.LastSequence, whole - before);
                else Assert.Equal(before, read.Count);
                Assert.Equal(way == "backwards" ? Enumerable.Range(0, read.Count).Select(i => whole - i) : Enumerable.Range(1, read.Count).Select(static i => (long)i), read);
            }
        }

        output.WriteLine($"{sectors} sectors, {refused} refused");
        Assert.True(refused > sectors / 2, $"{refused} of {sectors}");
    }

    [Fact]
    public async Task ASectorOfTheEndOfASegmentKeepsNobodyFromItsRecords()
    {
        // Small enough to lie between the last record and the footer.
        const int sectorBytes = 16;
        using var sim = new SimDirectory();
        RetentionTests.Grown(sim, segments: 3).Dispose();
        string name = SegmentFormat.Name(2);
        PlacedFrame last = Frames.WithPlaces(sim, 2).Last(static frame => frame.Header.RecordCount > 0);
        long length = Frames.WithPlaces(sim, 2)[^1].End, from = last.Header.FirstSequence, end;
        DateTimeOffset time;
        using (NinoStore store = Simulated.Open(sim, 2)) (end, time) = (store.LastSequence, store.ReadRecords(new ReadOptions { FromSequence = from }).First().Timestamp);
        int met = 0;
        for (long sector = (last.End + sectorBytes - 1) / sectorBytes; sector * sectorBytes < length; sector++)
        {
            var disk = new BadSectorDirectory(sim, sectorBytes);
            await using NinoStore store = Simulated.Open(disk, 3);
            disk.Spoil(name, sector * sectorBytes);
            Assert.Equal(end - from + 1, store.ReadRecords(new ReadOptions { FromSequence = from }).Count());
            Assert.Equal(end - from + 1, store.Read<int>(new ReadOptions { FromSequence = from }).Count());
            Assert.Equal(from, store.ReadRecords(new ReadOptions { FromTime = time }).First().Sequence);
            Assert.Equal(Enumerable.Range(1, (int)end).Reverse(), store.ReadRecords(ReadOptions.All with { NewestFirst = true }).Select(static record => (int)record.Sequence));
            await store.ShipToAsync(Stream.Null, from);
            met += disk.FailedReads;
        }

        Assert.True(met > 0, "nobody met a bad sector");
    }

    [Fact]
    public void AKeyedStateThatIsReadFromTheLogIsAnExceptionAndOpensWhenTheDiskReadsAgain()
    {
        using var sim = new SimDirectory();
        using (NinoStore store = Simulated.Open(sim))
        {
            using var kv = store.OpenKeyValue<int, string>("state", KeyValueBed.Tiny);
            for (int i = 0; RetentionTests.Segments(sim).Length < 3; i++)
            {
                kv.Put(i % 50, $"value {i}");
                if (i % 100 == 0) Simulated.Commit(store);
            }
        }

        var disk = new BadSectorDirectory(sim, SectorBytes);
        using NinoStore again = Simulated.Open(disk, 2);
        disk.Spoil(SegmentFormat.Name(1), 2000);
        Assert.Contains(SegmentFormat.Name(1), Assert.ThrowsAny<IOException>(() => again.OpenKeyValue<int, string>("state", KeyValueBed.Tiny)).Message, StringComparison.Ordinal);
        Assert.Empty(disk.Deaths);
        disk.Mend();
        using var whole = again.OpenKeyValue<int, string>("state", KeyValueBed.Tiny);
        Assert.Equal(50, whole.Count);
    }

    /// <summary>A sealed segment that somebody has cut: on Linux, where it can be done while others read.</summary>
    [Fact]
    public void ASegmentThatIsCutWhileItIsReadIsAnException()
    {
        if (!OperatingSystem.IsLinux()) return;
        using var folder = new Tests.Log.TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder["store"], new NinoStoreOptions { FirstSegmentSizeBytes = 1 << 20, SegmentSizeBytes = 1 << 20 });
        byte[] value = new byte[1000];
        for (int i = 0; i < 3000; i++) store.Append(value);
        store.Commit();
        long read = 0;
        StoreCorruptException failure = Assert.Throws<StoreCorruptException>(() =>
        {
            foreach (LogRecord record in store.ReadRecords())
            {
                if (++read != 100) continue;
                using var cut = new FileStream(Path.Combine(folder["store"], SegmentFormat.Name(1)), FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
                cut.SetLength(400_000);
            }
        });
        Assert.InRange(read, 100, 1100);
        Assert.Contains(SegmentFormat.Name(1), failure.Message, StringComparison.Ordinal);
        Assert.Contains("cut", failure.Message, StringComparison.Ordinal);
    }

    private static async Task ReadAsync(NinoStore store, string way, List<long> read)
    {
        switch (way)
        {
            case "records":
                foreach (LogRecord record in store.ReadRecords()) read.Add(record.Sequence);
                break;
            case "typed":
                foreach (LogRecord<int> record in store.Read<int>()) read.Add(record.Sequence);
                break;
            case "backwards":
                foreach (LogRecord record in store.ReadRecords(ReadOptions.All with { NewestFirst = true })) read.Add(record.Sequence);
                break;
            case "restoring":
                await store.RestoreAsync<Counted, int>((state, value) => read.Add(value));
                break;
            default:
                using (var end = new CancellationTokenSource())
                {
                    long last = store.LastSequence;
                    await foreach (LogRecord<int> record in store.TailAsync<int>(1, end.Token))
                    {
                        read.Add(record.Sequence);
                        if (record.Sequence == last) break;
                    }
                }

                break;
        }
    }
}

/// <summary>A state that is nothing but its constructor.</summary>
[Store.Serialization.NinoType]
public sealed partial class Counted
{
    public int Unused { get; set; }
}
