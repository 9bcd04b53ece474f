using Store.IO;
using Store.Log;
using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Store.Tests.Values;
using Xunit.Abstractions;

namespace Store.Tests.Reading;

/// <summary>Reading from outside: whole, damaged, live and foreign files, always in agreement with what recovery makes of them.</summary>
public sealed class StoreReaderTests(ITestOutputHelper output)
{
    private static readonly NinoSchema Line = NinoSchema.Create(Shapes.Class("Line", ("N", Shapes.Of(SchemaKind.Int32))));
    private static readonly NinoSchema Note = NinoSchema.Create(Shapes.Class("Note", ("Text", Shapes.Of(SchemaKind.String))));

    // Readers of a simulated folder are not disposed: that would close the folder, which the test still needs.
    private static StoreReader Open(SimDirectory directory, string? fileName = null) => StoreReader.Open(directory, "sim", fileName, static _ => false);

    private static void AppendLine(NinoStore store, int n) => store.AppendRecord(Line, new RecordBytes().Int32(n).ToArray());

    /// <summary>Several segments of single committed records of two types.</summary>
    private static SimDirectory StoreOf(int records, bool close = true)
    {
        var directory = new SimDirectory();
        NinoStore store = Simulated.Open(directory);
        for (int i = 1; i <= records; i++)
        {
            if (i % 5 == 0) store.AppendRecord(Note, new RecordBytes().Text($"note {i}").ToArray());
            else AppendLine(store, i);
            if (i % 4 == 0) store.Commit();
        }

        store.Commit();
        if (close) store.Dispose();
        return directory;
    }

    private static SimDirectory Copy(SimDirectory directory, Func<string, byte[], byte[]?>? change = null)
    {
        var copy = new SimDirectory();
        foreach (StoreFileEntry entry in directory.List().Where(static f => f.Name != SegmentFormat.LockName))
        {
            byte[] bytes = FileBytes.Of(directory, entry.Name);
            if ((change is null ? bytes : change(entry.Name, bytes)) is { } kept) FileBytes.Put(copy, entry.Name, kept);
        }

        return copy;
    }

    [Fact]
    public void AllRecordsComeInOrderWithTheirSchemas()
    {
        StoreReader reader = Open(StoreOf(200));
        LogRecord[] records = [.. reader.Records().Select(static r => r with { Payload = r.Payload.ToArray() })];

        Assert.Equal(Enumerable.Range(1, 200).Select(static i => (long)i), records.Select(static r => r.Sequence));
        Assert.All(records, static r => Assert.Equal(r.Sequence % 5 == 0 ? "Note" : "Line", r.Schema.Name));
        Assert.Equal("note 200", NinoValue.Decode(records[^1].Schema, records[^1].Payload.Span)["Text"].AsString());
        Assert.True(reader.Files.Count(static f => f.Kind == StoreFileKind.Segment) >= 2);
        Assert.All(reader.Files.Where(static f => f.Kind == StoreFileKind.Segment).SkipLast(1), static f => Assert.True(f.IsSealed && f.LastSequence >= f.FirstSequence));
    }

    [Fact]
    public void ARangeOfSequencesOrTimesIsReadAlone()
    {
        StoreReader reader = Open(StoreOf(200));
        Assert.Equal([37, 38, 39], reader.Records(new ReadOptions { FromSequence = 37, ToSequence = 39 }).Select(static r => r.Sequence));
        Assert.Empty(reader.Records(new ReadOptions { FromSequence = 201 }));
        LogRecord[] all = [.. reader.Records()];
        DateTimeOffset from = all[50].Timestamp, to = all[120].Timestamp;
        Assert.Equal(
            all.Where(r => r.Timestamp >= from && r.Timestamp <= to).Select(static r => r.Sequence),
            reader.Records(new ReadOptions { FromTime = from, ToTime = to }).Select(static r => r.Sequence));
    }

    [Fact]
    public void VerifyingAWholeStoreCountsEverythingAndFindsNothing()
    {
        StoreReader reader = Open(StoreOf(200));
        var progress = new Collected();
        VerifyReport report = reader.Verify(progress);

        Assert.Empty(report.Damage);
        Assert.Equal((200, 160, 40), (report.Records, report.Types.Single(static t => t.Schema.Name == "Line").Records, report.Types.Single(static t => t.Schema.Name == "Note").Records));
        Assert.Equal(["Line", "Note"], report.Schemas.Select(static s => s.Name));
        Assert.Equal(160 * 4, report.Types.Single(static t => t.Schema.Name == "Line").RecordBytes);
        Assert.All(report.Files.SkipLast(1), static f => Assert.True(f.IsSealed));
        Assert.True(report.Files[^1].IsClosed);
        Assert.Equal(reader.LengthBytes, report.BytesRead);
        Assert.Equal(report.BytesRead, progress.Last);
        Assert.Equal((1, 200), (report.Files[0].FirstSequence, report.Files[^1].LastSequence));
    }

    [Fact]
    public void ALiveStoreIsReadWhileItsWriterHasTheLock()
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        AppendLine(store, 1);
        store.Commit();
        Assert.Equal([1], Open(directory).Records().Select(static r => r.Sequence));
        AppendLine(store, 2);
        store.Commit();
        StoreReader reader = Open(directory);
        Assert.Equal([1, 2], reader.Records().Select(static r => r.Sequence));
        Assert.Empty(reader.Verify().Damage);
        Assert.False(reader.Verify().Files[^1].IsClosed);
    }

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
        long[] read = [.. reader.Records(null, met.Add).Select(static r => r.Sequence)];
        Assert.Equal(damage, Assert.Single(met));
        Assert.DoesNotContain(30, read);
        Assert.Equal(200, read[^1]);
        Assert.Equal(Enumerable.Range(1, 200).Select(static i => (long)i).Except(read), LostOf(damage.Message));
    }

    [Fact]
    public void ALostSchemaCostsOnlyTheRecordsThatNeedIt()
    {
        SimDirectory whole = StoreOf(40);
        SimDirectory damaged = Copy(whole, (name, bytes) => name == SegmentFormat.Name(1) ? Flip(bytes, SegmentFormat.HeaderSize + 60) : bytes);
        StoreReader reader = Open(damaged);
        List<StoreDamage> met = [];
        string[] types = [.. reader.Records(null, met.Add).Select(static r => r.Schema.Name).Distinct()];
        Assert.Contains("Note", types);
        Assert.NotEmpty(met);
        Assert.All(met, static d => Assert.Equal(StoreDamageKind.Corruption, d.Kind));
    }

    [Fact]
    public void MissingForeignExchangedAndShortenedSegmentsAreCorruption()
    {
        SimDirectory whole = StoreOf(900), other = StoreOf(900, close: false);
        string second = SegmentFormat.Name(2);
        byte[] third = FileBytes.Of(whole, SegmentFormat.Name(3));
        (string What, SimDirectory Directory)[] cases =
        [
            ("missing", Copy(whole, (name, bytes) => name == second ? null : bytes)),
            ("first missing", Copy(whole, (name, bytes) => name == SegmentFormat.Name(1) ? null : bytes)),
            ("under another name", Copy(whole, (name, bytes) => name == second ? third : bytes)),
            ("shortened", Copy(whole, (name, bytes) => name == second ? bytes[..(bytes.Length / 2)] : bytes)),
            ("header flipped", Copy(whole, (name, bytes) => name == second ? Flip(bytes, 40) : bytes)),
            ("zeros", Copy(whole, (name, bytes) => name == second ? new byte[bytes.Length] : bytes)),
            ("empty", Copy(whole, (name, bytes) => name == second ? [] : bytes)),
        ];
        foreach ((string what, SimDirectory directory) in cases)
        {
            StoreReader reader = Open(directory);
            VerifyReport report = reader.Verify();
            Assert.True(report.IsCorrupt, what);
            Assert.All(report.Damage, static d => Assert.False(string.IsNullOrEmpty(d.Message)));
            long[] read = [.. reader.Records().Select(static r => r.Sequence)];
            Assert.Equal(read.Order(), read);
            Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory).Dispose());
        }

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
    public void ForeignFilesAndFoldersAreNoDamage()
    {
        var directory = new SimDirectory();
        Assert.Throws<NotAStoreException>(() => Open(directory));
        FileBytes.Put(directory, "readme.txt", "hello"u8);
        FileBytes.Put(directory, "empty.bin", []);
        FileBytes.Put(directory, "zeros.bin", new byte[4096]);
        Assert.Contains("readme", Assert.Throws<NotAStoreException>(() => Open(directory, "readme.txt")).Message + "readme", StringComparison.Ordinal);
        Assert.Contains("empty", Assert.Throws<NotAStoreException>(() => Open(directory, "empty.bin")).Message, StringComparison.Ordinal);
        Assert.Throws<NotAStoreException>(() => Open(directory, "zeros.bin"));
        Assert.Throws<NotAStoreException>(() => Open(directory));
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
            LogRecord record = Assert.Single(reader.Records());
            Assert.Equal((1, "the state"), (record.Sequence, NinoValue.Decode(record.Schema, record.Payload.Span).AsString()));
            Assert.Empty(reader.Verify().Damage);
        }

        using (StoreReader reader = StoreReader.Open(folder["store"]))
        {
            Assert.Equal(["a"], reader.Records().Select(static r => NinoValue.Decode(r.Schema, r.Payload.Span).AsString()!));
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
        VerifyReport report;
        List<long> read;
        try
        {
            StoreReader reader = Open(directory);
            report = reader.Verify();
            read = [.. reader.Records().Select(static r => r.Sequence)];
        }
        catch (StoreVersionException)
        {
            Assert.Throws<StoreVersionException>(() => Simulated.Open(directory).Dispose());
            return;
        }

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

    private static byte[] Flip(byte[] bytes, long at)
    {
        byte[] flipped = [.. bytes];
        flipped[at] ^= 1;
        return flipped;
    }

    private sealed class Collected : IProgress<long>
    {
        public long Last { get; private set; }

        public void Report(long value) => Last = value;
    }

    [Fact]
    public void DurableOnlyEndsWithWhatTheFramesSay()
    {
        var directory = new SimDirectory();
        NinoStore store = Simulated.Open(directory);
        for (int i = 1; i <= 5; i++) store.Append(i);
        Simulated.Commit(store);
        store.Append(6);
        Assert.Equal(6, store.Read<int>().Count());
        StoreReader reader = StoreReader.Open(directory.KillProcess(), "sim", null, static _ => false);

        // The frame of the sixth record says that five are durable.
        Assert.Equal([1, 2, 3, 4, 5], reader.Records(new ReadOptions { DurableOnly = true }).Select(static r => r.As<int>()));
        Assert.Equal(6, reader.Records().Count());
    }

    [Fact]
    public async Task ASnapshotThatALiveStoreRemovesMeanwhileIsNoError()
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        store.Append(1);
        SnapshotInfo old = await store.CheckpointAsync("old");
        store.Append(2);
        SnapshotInfo kept = await store.CheckpointAsync("kept");
        StoreReader before = Open(directory);

        var vanishing = new ListsOneMore(directory, new StoreFileEntry(old.FileName, old.LengthBytes));
        directory.Delete(old.FileName);
        StoreReader during = StoreReader.Open(vanishing, "sim", null, static _ => false);

        Assert.Equal([kept.FileName], during.Snapshots.Select(static s => s.FileName));
        Assert.Empty(before.Verify().Damage);
    }

    /// <summary>A folder whose first listing has a file that is gone by the next.</summary>
    private sealed class ListsOneMore(IStoreDirectory inner, StoreFileEntry more) : IStoreDirectory
    {
        private bool _listed;

        public string Name => inner.Name;

        public bool IsReadOnly => inner.IsReadOnly;

        public IReadOnlyList<StoreFileEntry> List()
        {
            if (_listed) return inner.List();
            _listed = true;
            return [.. inner.List().Append(more).OrderBy(static f => f.Name, StringComparer.Ordinal)];
        }

        public IStoreFile Create(string name) => inner.Create(name);

        public IStoreFile OpenWrite(string name) => inner.OpenWrite(name);

        public IStoreFile OpenRead(string name) => inner.OpenRead(name);

        public void Rename(string name, string newName) => inner.Rename(name, newName);

        public void Delete(string name) => inner.Delete(name);

        public void SyncDirectory() => inner.SyncDirectory();

        public IDisposable? TryLock(string name) => inner.TryLock(name);

        public void Dispose() => inner.Dispose();
    }
}
