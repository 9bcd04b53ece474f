using Store.IO;
using Store.Log;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Reading;

/// <summary>Reading newest first from outside gives what reading oldest first gives, turned around: of whole, damaged and live files.</summary>
public sealed class ReverseReaderTests
{
    private static readonly ReadOptions Newest = new() { NewestFirst = true };

    // Segments of up to 64 KiB whose index has several entries, records of two types and sizes, frames of one and of many.
    private static SimDirectory Stored(bool close = true, int records = 6000)
    {
        var directory = new SimDirectory();
        NinoStore store = Simulated.Open(directory);
        for (int i = 1; i <= records; i++)
        {
            if (i % 7 == 0) store.Append($"text {i} {new string('x', i % 90)}");
            else store.Append((long)i);
            if (i % 11 == 0) Simulated.Commit(store);
        }

        Simulated.Commit(store);
        if (close) store.Dispose();
        return directory;
    }

    private static string Shape(LogRecord record) => $"{record.Sequence} {record.Timestamp.UtcTicks} {record.Schema.Name} {Convert.ToHexString(record.Payload.Span)}";

    private static (List<string> Records, List<StoreDamage> Damage) Read(StoreReader reader, ReadOptions range)
    {
        List<StoreDamage> damage = [];
        List<string> records = [.. reader.ReadRecords(range, damage.Add).Select(Shape)];
        return (records, damage);
    }

    private static (List<string> Forward, List<StoreDamage> Damage) IsTurnedAround(StoreReader reader, ReadOptions range, bool sameDamage = true)
    {
        (List<string> forward, List<StoreDamage> damage) = Read(reader, range with { NewestFirst = false });
        (List<string> backward, List<StoreDamage> met) = Read(reader, range with { NewestFirst = true });
        backward.Reverse();
        Assert.Equal(forward, backward);
        if (sameDamage) Assert.Equal(damage.OrderBy(static d => d.ToString(), StringComparer.Ordinal), met.OrderBy(static d => d.ToString(), StringComparer.Ordinal));
        else Assert.Equal(damage.Count > 0, met.Count > 0);
        return (forward, damage);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void EveryRangeIsTurnedAround(bool close)
    {
        StoreReader reader = RetentionTests.Look(Stored(close));
        LogRecord[] all = [.. reader.ReadRecords()];
        Assert.True(reader.Segments.Count > 3);
        IsTurnedAround(reader, ReadOptions.All);
        IsTurnedAround(reader, ReadOptions.All.Of<string>());
        IsTurnedAround(reader, new ReadOptions { DurableOnly = true });
        foreach (SegmentHeader header in reader.Segments)
        {
            for (long from = Math.Max(1, header.FirstSequence - 2); from < header.FirstSequence + 3; from++)
                foreach (long to in new[] { from, from + 1, from + 700 }) IsTurnedAround(reader, new ReadOptions { FromSequence = from, ToSequence = to });
        }

        for (int i = 0; i + 300 < all.Length; i += 397)
            IsTurnedAround(reader, new ReadOptions { FromTime = all[i].Timestamp, ToTime = all[i + 299].Timestamp });
        Assert.Equal([6000L, 5999L], reader.ReadRecords(Newest).Take(2).Select(static r => r.Sequence));
    }

    [Fact]
    public void TheNewestRecordsOfALongLogAreFoundWithoutReadingTheRest()
    {
        var counting = new CountingDirectory(Stored());
        StoreReader reader = RetentionTests.Look(counting);
        long before = counting.BytesRead;

        Assert.Equal(5500, reader.ReadRecords(new ReadOptions { NewestFirst = true, ToSequence = 5500 }).First().Sequence);

        long last = reader.Files.Where(static f => f.Kind == StoreFileKind.Segment).Max(static f => f.LengthBytes);
        Assert.True(counting.BytesRead - before < 4 * last, $"{counting.BytesRead - before} bytes of a log of {reader.LengthBytes}");
    }

    [Fact]
    public void DamageIsPassedAndToldAsReadingForwardDoes()
    {
        SimDirectory whole = Stored();
        long[] numbers = RetentionTests.Segments(whole);
        List<string>[] records = [.. numbers.Select(number => Read(StoreReader.Open(whole, "sim", SegmentFormat.Name(number), static _ => false), ReadOptions.All).Records)];
        Assert.Equal(6000, records.Sum(static segment => segment.Count));
        int damages = 0, losses = 0;
        var random = new Random(Effort.Seed(20261121));
        for (int round = 0; round < 150; round++)
        {
            SimDirectory damaged = Copy(whole);
            int segment = random.Next(numbers.Length);
            string name = SegmentFormat.Name(numbers[segment]);
            byte[] bytes = FileBytes.Of(damaged, name), before = [.. bytes];
            int end = bytes.AsSpan().LastIndexOfAnyExcept((byte)0) + 1, at = random.Next(SegmentFormat.HeaderSize, end), length = Math.Min(random.Next(1, 3000), end - at);
            if (random.Next(2) == 0) random.NextBytes(bytes.AsSpan(at, length));
            else bytes.AsSpan(at, length).Clear();
            FileBytes.Put(damaged, name, bytes);

            // Where an entry of the index lies in the damage, the place is told in two parts.
            (List<string> forward, List<StoreDamage> damage) = IsTurnedAround(RetentionTests.Look(damaged), ReadOptions.All, sameDamage: false);

            // Something of what follows the header is told, the other segments are read whole, and of this one nothing comes that was not in it.
            if (!bytes.AsSpan().SequenceEqual(before)) Assert.True(damage.Count > 0, $"round {round}: {length} bytes of {name} from {at} on, and nothing told");
            HashSet<string> there = [.. forward];
            Assert.Equal(records.SelectMany((one, number) => number == segment ? one.Where(there.Contains) : one), forward);
            damages += damage.Count > 0 ? 1 : 0;
            losses += forward.Count < 6000 ? 1 : 0;
        }

        Assert.True(damages > 100 && losses > 100, $"{damages} told, {losses} with records lost");
    }

    [Fact]
    public void OneDamagedFrameIsToldInTheSameWords()
    {
        SimDirectory whole = Stored();
        byte[] bytes = FileBytes.Of(whole, SegmentFormat.Name(2));
        bytes[SegmentFormat.HeaderSize + 700] ^= 1;
        FileBytes.Put(whole, SegmentFormat.Name(2), bytes);

        IsTurnedAround(RetentionTests.Look(whole), ReadOptions.All);
        Assert.Single(Read(RetentionTests.Look(whole), Newest).Damage);
    }

    [Fact]
    public void ALogThatGrowsMeanwhileIsReadUpToWhereItWas()
    {
        var directory = new SimDirectory();
        using NinoStore store = RetentionTests.Grown(directory, segments: 3);
        long last = store.LastSequence;
        StoreReader reader = RetentionTests.Look(directory);
        using IEnumerator<LogRecord> records = reader.ReadRecords(Newest).GetEnumerator();
        Assert.True(records.MoveNext());
        Assert.Equal(last, records.Current.Sequence);
        RetentionTests.Grow(store, directory, 5);

        for (long expected = last - 1; expected >= 1; expected--)
        {
            Assert.True(records.MoveNext());
            Assert.Equal(expected, records.Current.Sequence);
        }

        Assert.False(records.MoveNext());
    }

    [Fact]
    public void AOneFileLogAndASegmentAloneAreReadToo()
    {
        using var folder = new TemporaryFolder();
        using (NinoStore log = NinoLog.Create(folder["log.bin"])) log.AppendBatch<int>([.. Enumerable.Range(1, 50)]);
        using (StoreReader reader = StoreReader.Open(folder["log.bin"])) IsTurnedAround(reader, new ReadOptions { FromSequence = 3 });
        SimDirectory store = Stored();
        IsTurnedAround(StoreReader.Open(store, "sim", SegmentFormat.Name(2), static _ => false), ReadOptions.All);
    }

    private static SimDirectory Copy(SimDirectory directory)
    {
        var copy = new SimDirectory();
        foreach (StoreFileEntry entry in directory.List().Where(static f => f.Name != SegmentFormat.LockName)) FileBytes.Put(copy, entry.Name, FileBytes.Of(directory, entry.Name));
        return copy;
    }
}
