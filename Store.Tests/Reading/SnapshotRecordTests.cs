// A snapshot from outside, as records without the CLR types: what is selected, what damage costs, and that no index, however made, makes reading it endless.

using System.Buffers.Binary;
using Store.IO;
using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Store.Tests.Snapshots;

namespace Store.Tests.Reading;

public sealed class SnapshotRecordTests
{
    private static readonly byte[] Whole = SnapshotPartTests.Write(new SnapshotParts().Add("state", SnapshotSamples.Golden).AddItems("scores", SnapshotPartTests.Scores(50)).AddItems("none", SnapshotPartTests.Scores(0)).Create(), pageSize: 64);

    [Fact]
    public void EveryValueAndItemComesWithItsPartItsNumberAndTheSnapshotsSequence()
    {
        using StoreReader reader = Open(Whole);
        Assert.True(reader.IsSnapshot);
        SnapshotRecord[] records = [.. reader.SnapshotRecords().Select(static r => r with { Record = r.Record with { Payload = r.Record.Payload.ToArray() } })];
        Assert.Equal([("state", SnapshotRecord.NoItem), .. Enumerable.Range(0, 50).Select(static i => ("scores", (long)i))], records.Select(static r => (r.Part, r.Item)));
        Assert.All(records, static r => Assert.Equal((1000, SnapshotSamples.Time), (r.Record.Sequence, r.Record.Timestamp)));
        Assert.Equal(SnapshotSamples.Golden, records[0].Record.As<Counter>());
        Assert.Equal(Enumerable.Range(0, 50), records.Skip(1).Select(static r => (int)NinoValue.Decode(r.Record.Schema, r.Record.Payload.Span)["Points"].AsInt64()));
        Assert.Equal(51, reader.ReadRecords().Count());
    }

    [Fact]
    public void PartsTypesSequencesAndTimesSelect()
    {
        using StoreReader reader = Open(Whole);
        Assert.Equal(50, reader.SnapshotRecords("scores").Count());
        Assert.Empty(reader.SnapshotRecords("none"));
        Assert.Equal("state", Assert.Single(reader.SnapshotRecords(null, new ReadOptions { Types = ["Tests.Counter"] })).Part);
        Assert.Equal(51, reader.ReadRecords(new ReadOptions { FromSequence = 1000, ToSequence = 1000, FromTime = SnapshotSamples.Time, ToTime = SnapshotSamples.Time }).Count());
        Assert.Empty(reader.ReadRecords(new ReadOptions { FromSequence = 1001 }));
        Assert.Empty(reader.ReadRecords(new ReadOptions { ToSequence = 999 }));
        Assert.Empty(reader.ReadRecords(new ReadOptions { FromTime = SnapshotSamples.Time.AddTicks(1) }));
        Assert.Throws<KeyNotFoundException>(() => reader.SnapshotRecords("score"));
        using var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory)) store.Append(1);
        using StoreReader log = StoreReader.Open(directory, "sim", null, static _ => false);
        Assert.False(log.IsSnapshot);
        Assert.Throws<InvalidOperationException>(() => log.SnapshotRecords());
    }

    [Fact]
    public void VerifyingCountsPartsAndItemsAndTellsTheDamageOfEach()
    {
        using StoreReader reader = Open(Whole);
        VerifyReport report = reader.Verify();
        Assert.Equal(Whole.Length, report.BytesRead);
        Assert.Equal([("state", false, null), ("scores", true, 50L), ("none", true, 0L)], report.Files[0].Parts.Select(static p => (p.Name, p.HasItems, p.Items)));
        Assert.Equal(["Tests.Counter", "Tests.Score"], report.Schemas.Select(static s => s.Name));
        byte[] damaged = [.. Whole];
        SnapshotSection index, data;
        using (SnapshotFile file = SnapshotPartTests.Open(Whole))
        {
            index = file.Sections.Single(static s => s is { Kind: SnapshotSectionKind.ItemIndex, Part: 1 });
            data = file.Sections.Single(static s => s is { Kind: SnapshotSectionKind.Data, Part: 0 });
        }

        damaged[index.Offset] ^= 1;
        damaged[data.Offset] ^= 1;
        using StoreReader broken = Open(damaged);
        IReadOnlyList<VerifiedPart> parts = broken.Verify().Files[0].Parts;
        Assert.Equal([1, 1, 0], parts.Select(static p => p.Damage.Count));
        Assert.Equal((data.Offset, index.Offset, null), (parts[0].Damage[0].Offset, parts[1].Damage[0].Offset, parts[1].Items));
    }

    /// <summary>A drive tries a bad sector for seconds each time: however many items lie on a page, or find their place on it, it is read once.</summary>
    [Theory]
    [InlineData("items")]
    [InlineData("directory")]
    [InlineData("all")]
    [InlineData("table")]
    public void ADamagedPageIsReadOnceHoweverManyItemsAreOnIt(string where)
    {
        const int items = 20_000;
        byte[] bytes = SnapshotPartTests.Write([new SnapshotItemStream<Score>("", NinoCodec<Score>.Default, SnapshotPartTests.Scores(items))], pageSize: 4096);
        SnapshotSection data, table;
        using (SnapshotFile file = SnapshotPartTests.Open(bytes)) (data, table) = (file.Sections.Single(static s => s.Kind == SnapshotSectionKind.Data), file.Sections.Single(static s => s.Kind == SnapshotSectionKind.PageTable));
        int pages = (int)((data.LengthBytes + 4095) / 4096);
        if (where == "items") bytes[data.Offset + (3 * 4096) + 5] ^= 1;
        else if (where == "directory") bytes[data.Offset + data.LengthBytes - 5] ^= 1;
        else if (where == "table") bytes[table.Offset] ^= 1;
        else
        {
            for (int page = 0; page < pages; page++) bytes[data.Offset + (page * 4096)] ^= 1;
        }

        var counting = new CountingDirectory(new BytesDirectory { [SnapshotSamples.NameOf(1000)] = bytes });
        using StoreReader reader = StoreReader.Open(counting, "bytes", SnapshotSamples.NameOf(1000), static _ => false);
        List<StoreDamage> damage = [];
        long before = counting.Reads;
        int read = reader.SnapshotRecords(onDamage: damage.Add).Count();
        Assert.NotEmpty(damage);
        Assert.InRange(counting.Reads - before, 1, (3 * pages) + 50);
        Assert.Equal(where switch { "items" => items - 512, "directory" => read, _ => 0 }, read);
        if (where == "directory") Assert.InRange(read, 1, items - 1);
    }

    /// <summary>Any bit of the file: reading tells damage or gives what was written, and nothing that was not.</summary>
    [Fact]
    public void AnyFlippedBitIsToldAndNoRecordIsWrong()
    {
        HashSet<(string, long, string)> written;
        using (StoreReader whole = Open(Whole)) written = [.. Seen(whole, null)];
        for (int bit = 0; bit < Whole.Length * 8; bit++)
        {
            byte[] damaged = [.. Whole];
            damaged[bit / 8] ^= (byte)(1 << (bit % 8));
            StoreReader reader;
            try
            {
                reader = Open(damaged);
            }
            catch (NotAStoreException)
            {
                Assert.True(bit < 64, $"bit {bit}");
                continue;
            }

            using (reader)
            {
                var told = new List<StoreDamage>();
                Assert.All(Seen(reader, told.Add), record => Assert.Contains(record, written));
                bool isVerified = reader.Verify().Damage.Count > 0;
                Assert.True(isVerified && told.Count > 0, $"bit {bit}: verified {isVerified}, told {told.Count}");
            }
        }
    }

    /// <summary>Indexes with right checksums that say anything at all.</summary>
    [Fact]
    public void AForgedIndexEndsThePartAndNeverReadsForEver()
    {
        byte[] whole = SnapshotPartTests.WriteItems(SnapshotPartTests.Scores(40_000));
        SnapshotSection[] sections;
        using (SnapshotFile file = SnapshotPartTests.Open(whole)) sections = [.. file.Sections];
        int index = Array.FindIndex(sections, static s => s.Kind == SnapshotSectionKind.ItemIndex), table = Array.FindIndex(sections, static s => s.Kind == SnapshotSectionKind.PageTable);
        SnapshotSection data = sections.Single(static s => s.Kind == SnapshotSectionKind.Data);
        foreach (long value in (long[])[0, 1, -1, 39_999, 40_001, 49_152, 49_153, int.MaxValue, uint.MaxValue, long.MaxValue, long.MinValue])
        {
            for (int place = 0; place < sections[index].LengthBytes / 8; place++)
            {
                byte[] forged = [.. whole];
                BinaryPrimitives.WriteInt64LittleEndian(forged.AsSpan((int)sections[index].Offset + (8 * place)), value);
                if (forged.AsSpan().SequenceEqual(whole)) continue;
                SnapshotPartDamageTests.Seal(forged, sections, data, index, table);
                using StoreReader reader = Open(forged);
                int told = 0;
                int read = reader.SnapshotRecords(null, null, _ => told++).Count();
                Assert.True(read < 40_000 || told > 0 || value is 0 or 1 or 39_999, $"{value} at {place}: {read} items, {told} places");
                Assert.InRange(told, 0, 3);
            }
        }
    }

    private static IEnumerable<(string, long, string)> Seen(StoreReader reader, Action<StoreDamage>? onDamage)
    {
        if (reader.IsSnapshot) return [.. reader.SnapshotRecords(null, null, onDamage).Select(static r => (r.Part, r.Item, Convert.ToHexString(r.Record.Payload.Span)))];
        Assert.Empty(reader.ReadRecords(null, onDamage));
        return [];
    }

    private static StoreReader Open(byte[] bytes) => StoreReader.Open((IStoreDirectory)new BytesDirectory { ["file"] = bytes }, "bytes", "file", static _ => false);
}
