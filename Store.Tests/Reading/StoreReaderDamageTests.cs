using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Store.Tests.Values;
using Xunit.Abstractions;
using static Store.Tests.Reading.ReaderStores;

namespace Store.Tests.Reading;

/// <summary>Reading damaged files from outside: what is lost is named, and the judgement is always that of recovery.</summary>
public sealed class StoreReaderDamageTests(ITestOutputHelper output)
{
    [Fact]
    public void ADamagedFrameIsPassedAndWhatItHeldIsNamed()
    {
        SimDirectory whole = StoreOf(200);
        (string name, long offset) = FrameHolding(whole, 30);
        SimDirectory damaged = Copy(whole, (n, bytes) => n == name ? Flip(bytes, offset + 50) : bytes);
        StoreReader reader = Open(damaged);
        VerifyReport report = reader.Verify();

        StoreDamage damage = Assert.Single(report.Damage);
        Assert.Equal((name, offset, StoreDamageKind.Corruption), (damage.File, damage.Offset, damage.Kind));
        List<StoreDamage> met = [];
        long[] read = [.. reader.ReadRecords(null, met.Add).Select(static r => r.Sequence)];
        Assert.Equal(damage, Assert.Single(met));
        Assert.DoesNotContain(30, read);
        Assert.Equal(200, read[^1]);
        Assert.Equal(Enumerable.Range(1, 200).Select(static i => (long)i).Except(read), LostOf(damage.Message));
    }

    [Fact]
    public void ManyDamagedPlacesAreNotPaidForWithManyReadingsOfTheFile()
    {
        var directory = new SimDirectory();
        NinoStore store = NinoLog.Create("log.bin", Simulated.Options(directory));
        byte[] text = new RecordBytes().Text(new string('x', 8000)).ToArray();
        for (int i = 1; i <= 1000; i++)
        {
            store.AppendRecord(Note, text);
            store.Commit();
        }

        store.Dispose();
        byte[] bytes = FileBytes.Of(directory, "log.bin");
        int places = 0;
        for (int at = 30_000; at < bytes.Length - 30_000; at += 30_000, places++) bytes[at] ^= 1;
        FileBytes.Put(directory, "log.bin", bytes);
        var counting = new CountingDirectory(directory);

        VerifyReport report = StoreReader.Open(counting, "sim", "log.bin", static _ => false).Verify();

        // What lies ahead of a damaged place is read anew, as far as one reading goes.
        Assert.Equal(places, report.Damage.Count);
        Assert.InRange(counting.BytesRead, bytes.Length, (4L * bytes.Length) + (places * 1024L * 1024));
    }

    /// <summary>A header at every place, each right for its place, with a payload that reaches to the end of the file and does not verify.</summary>
    [Fact]
    public void HeadersThatClaimMuchDoNotKeepTheReaderBusy()
    {
        var directory = new SimDirectory();
        using (NinoStore store = NinoLog.Create("log.bin", Simulated.Options(directory))) AppendLine(store, 1);
        byte[] bytes = new byte[512 * 1024];
        FileBytes.Of(directory, "log.bin").AsSpan(0, SegmentFormat.HeaderSize).CopyTo(bytes);
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(bytes, out SegmentHeader header));
        for (int at = SegmentFormat.HeaderSize; at + FrameFormat.HeaderSize < bytes.Length; at += FrameFormat.HeaderSize)
        {
            var frame = new FrameHeader { Kind = FrameKind.Records, RecordCount = 1, PayloadLength = bytes.Length - at - FrameFormat.HeaderSize, PayloadChecksum = 1, FirstSequence = 2, SyncedThrough = 1, TimeTicks = 1 };
            frame.Write(bytes.AsSpan(at), header.SegmentId, at);
        }

        FileBytes.Put(directory, "log.bin", bytes);
        var counting = new CountingDirectory(directory);
        StoreDamage damage = Assert.Single(StoreReader.Open(counting, "sim", "log.bin", static _ => false).Verify().Damage);
        Assert.Equal((StoreDamageKind.Corruption, (long)SegmentFormat.HeaderSize), (damage.Kind, damage.Offset));
        Assert.InRange(counting.BytesRead, bytes.Length, 20L * bytes.Length);
    }

    [Fact]
    public void ALostSchemaCostsOnlyTheRecordsThatNeedIt()
    {
        SimDirectory whole = StoreOf(40);
        SimDirectory damaged = Copy(whole, (name, bytes) => name == SegmentFormat.Name(1) ? Flip(bytes, SegmentFormat.HeaderSize + 60) : bytes);
        StoreReader reader = Open(damaged);
        List<StoreDamage> met = [];
        long[] read = [.. reader.ReadRecords(null, met.Add).Select(static r => r.Sequence)];

        // Every fifth record has the other schema, and a frame holds four: all but those of one frame hold both.
        Assert.Equal([5, 10, 15, 20, 25, 30, 35, 40], read);
        Assert.NotEmpty(met);
        Assert.All(met, static d => Assert.Equal(StoreDamageKind.Corruption, d.Kind));
    }

    [Fact]
    public void MissingForeignExchangedAndShortenedSegmentsAreCorruption()
    {
        SimDirectory whole = StoreOf(900), other = StoreOf(900, close: false);
        string second = SegmentFormat.Name(2);
        byte[] third = FileBytes.Of(whole, SegmentFormat.Name(3)), foreign = FileBytes.Of(StoreOf(900, seed: 2), second);
        long[][] segments = [.. RetentionTests.Segments(whole).Select(number => Frames.Of(whole, number)).Select(static frames => Sequences(frames[0].FirstSequence, frames[^1].LastSequence))];
        Assert.Equal(Sequences(1, 900), segments.SelectMany(static one => one));
        Assert.True(segments.Length > 2);
        long half = FileBytes.Of(whole, second).Length / 2, beforeHalf = Frames.WithPlaces(whole, 2).Last(frame => frame.End <= half).Header.LastSequence;
        (string What, SimDirectory Directory)[] cases =
        [
            ("foreign", Copy(whole, (name, bytes) => name == second ? foreign : bytes)),
            ("missing", Copy(whole, (name, bytes) => name == second ? null : bytes)),
            ("first missing", Copy(whole, (name, bytes) => name == SegmentFormat.Name(1) ? null : bytes)),
            ("under another name", Copy(whole, (name, bytes) => name == second ? third : bytes)),
            ("shortened", Copy(whole, (name, bytes) => name == second ? bytes[..(bytes.Length / 2)] : bytes)),
            ("header flipped", Copy(whole, (name, bytes) => name == second ? Flip(bytes, 40) : bytes)),
            ("zeros", Copy(whole, (name, bytes) => name == second ? new byte[bytes.Length] : bytes)),
            ("empty", Copy(whole, (name, bytes) => name == second ? [] : bytes)),
        ];
        List<string> wrong = [];
        foreach ((string what, SimDirectory directory) in cases)
        {
            StoreReader reader = Open(directory);
            VerifyReport report = reader.Verify();
            Assert.True(report.IsCorrupt, what);
            Assert.All(report.Damage, static d => Assert.False(string.IsNullOrEmpty(d.Message)));
            long[] read = [.. reader.ReadRecords().Select(static r => r.Sequence)];

            // The whole segments; of the one in question what is there. Records of another store are shown, and told to be its.
            long[] expected = [.. segments.SelectMany((one, at) => at != (what == "first missing" ? 0 : 1) || what == "foreign" ? one : what == "shortened" ? Sequences(one[0], beforeHalf) : [])];
            if (!expected.AsSpan().SequenceEqual(read)) wrong.Add($"{what}: {expected.Length} expected, {read.Length} read; not read {string.Join(' ', expected.Except(read).Take(10))}; and {string.Join(' ', read.Except(expected).Take(10))}");
            if (what == "foreign") Assert.Contains(report.Damage, static d => d.Message.Contains("the segment belongs to the store", StringComparison.Ordinal));
            Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory).Dispose());
        }

        Assert.Empty(wrong);
        StoreReader open = Open(other);
        Assert.Empty(open.Verify().Damage);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void CutAnywhereTheReaderJudgesAsRecoveryDoes(bool close)
    {
        SimDirectory whole = StoreOf(12, close);
        byte[] bytes = FileBytes.Of(whole, SegmentFormat.Name(1));
        int end = bytes.AsSpan().LastIndexOfAnyExcept((byte)0) + 1, torn = 0, corrupt = 0;
        for (int length = 0; length <= end; length++)
        {
            SimDirectory cut = Copy(whole, (name, b) => name == SegmentFormat.Name(1) ? b[..length] : b);
            Judge(cut, $"cut at {length}", ref torn, ref corrupt);
        }

        output.WriteLine($"{end + 1} cuts: {torn} torn tails, {corrupt} corrupt");
        Assert.True(torn > 0 && corrupt > 0);
    }

    [Fact]
    public void WithAnyByteFlippedTheReaderJudgesAsRecoveryDoes()
    {
        SimDirectory whole = StoreOf(12, close: false);
        byte[] bytes = FileBytes.Of(whole, SegmentFormat.Name(1));
        int end = bytes.AsSpan().LastIndexOfAnyExcept((byte)0) + 1, torn = 0, corrupt = 0;
        var random = new Random(7);
        for (int at = 0; at < end + 200; at++)
        {
            byte[] flipped = [.. bytes];
            flipped[at] ^= (byte)(1 << random.Next(8));
            SimDirectory directory = Copy(whole, (name, b) => name == SegmentFormat.Name(1) ? flipped : b);
            Judge(directory, $"flip at {at}", ref torn, ref corrupt);
        }

        output.WriteLine($"{end + 200} flips, seed 7: {torn} torn tails, {corrupt} corrupt");
        Assert.True(torn > 0 && corrupt > 0);
    }

    [Fact]
    public void ASegmentOpenedAloneKnowsThatTheLogGoesOn()
    {
        SimDirectory whole = StoreOf(300);
        Assert.Empty(Open(whole, SegmentFormat.Name(1)).Verify().Damage);
        SimDirectory cut = Copy(whole, (name, bytes) => name == SegmentFormat.Name(1) ? bytes[..^200] : bytes);
        Assert.True(Open(cut, SegmentFormat.Name(1)).Verify().IsCorrupt);
    }

    [Fact]
    public async Task ASnapshotIsOneRecordAndItsDamageIsFound()
    {
        using var folder = new TemporaryFolder();
        await using (NinoStore store = NinoStore.Open(folder["store"]))
        {
            store.Append("a");
            await store.CheckpointAsync("the state");
        }

        string file = Directory.GetFiles(folder["store"], "snapshot-*").Single();
        using (StoreReader reader = StoreReader.Open(file))
        {
            LogRecord record = Assert.Single(reader.ReadRecords());
            Assert.Equal((1, "the state"), (record.Sequence, NinoValue.Decode(record.Schema, record.Payload.Span).AsString()));
            Assert.Empty(reader.Verify().Damage);
        }

        using (StoreReader reader = StoreReader.Open(folder["store"]))
        {
            Assert.Equal(["a"], reader.ReadRecords().Select(static r => NinoValue.Decode(r.Schema, r.Payload.Span).AsString()!));
            Assert.Equal(1, Assert.Single(reader.Snapshots).Sequence);
        }

        byte[] whole = await File.ReadAllBytesAsync(file);
        for (int at = 0; at < whole.Length; at++)
        {
            await File.WriteAllBytesAsync(file, Flip(whole, at));
            using StoreReader reader = StoreReader.Open(folder["store"]);
            Assert.True(reader.Verify().IsCorrupt, $"flip at {at}");
        }
    }

    /// <summary>What the reader says must be what opening the store for writing does.</summary>
    private static void Judge(SimDirectory directory, string what, ref int torn, ref int corrupt)
    {
        StoreReader reader = Open(directory);
        VerifyReport report = reader.Verify();
        List<long> read = [.. reader.ReadRecords().Select(static r => r.Sequence)];
        try
        {
            using NinoStore store = Simulated.Open(directory, seed: 3);
            Assert.False(report.IsCorrupt, $"{what}: recovery accepts it, the reader says {string.Join("; ", report.Damage)}");
            Assert.Equal(store.Recovery.BytesCut > 0, report.HasTornTail);
            Assert.Equal(store.LastSequence, read.Count);
            if (report.HasTornTail) torn++;
        }
        catch (StoreCorruptException)
        {
            Assert.True(report.IsCorrupt, $"{what}: recovery refuses it, the reader finds nothing");
            corrupt++;
        }
    }

    private static (string Name, long Offset) FrameHolding(SimDirectory directory, long sequence)
    {
        foreach (StoreFileEntry entry in directory.List().Where(static f => SegmentFormat.TryParseName(f.Name, out _)))
        {
            using IStoreFile file = directory.OpenRead(entry.Name);
            SegmentHeader.TryRead(file, out SegmentHeader header);
            using var scanner = new SegmentScanner(file, header);
            while (scanner.Next() == Store.Framing.FrameReadStatus.Frame)
            {
                if (scanner.Frame.RecordCount > 0 && scanner.Frame.LastSequence >= sequence) return (entry.Name, scanner.FrameOffset);
            }
        }

        throw new InvalidOperationException("No such record.");
    }

    private static IEnumerable<long> LostOf(string message)
    {
        string[] words = message.Split(' ');
        int at = Array.FindIndex(words, static w => w is "records" or "record" or "record,");
        long from = long.Parse(words[at + 1], System.Globalization.CultureInfo.InvariantCulture);
        long to = words[at + 2] == "to" ? long.Parse(words[at + 3], System.Globalization.CultureInfo.InvariantCulture) : from;
        for (; from <= to; from++) yield return from;
    }

    private static long[] Sequences(long first, long last) => [.. Enumerable.Range(0, (int)(last - first + 1)).Select(i => first + i)];

    private static byte[] Flip(byte[] bytes, long at)
    {
        byte[] flipped = [.. bytes];
        flipped[at] ^= 1;
        return flipped;
    }
}
