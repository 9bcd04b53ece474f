using System.Buffers.Binary;
using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>The sparse index at the end of a sealed segment: what it says, how it is used, and that nothing rests on it.</summary>
public class SegmentIndexTests
{
    private const string First = "segment-0000000000000001.log";

    /// <summary>Records of three types over several segments, in frames of one to some hundred records.</summary>
    internal static SimDirectory Filled(int records = 12000, int seed = 1, bool close = true)
    {
        var directory = new SimDirectory();
        NinoStore store = Simulated.Open(directory, seed, o => o with { SegmentSizeBytes = 128 * 1024, FirstSegmentSizeBytes = 128 * 1024 });
        var random = new Random(seed);
        while (store.LastSequence < records)
        {
            long next = store.LastSequence + 1;
            switch (random.Next(4))
            {
                case 0: store.Append((int)next); break;
                case 1: store.Append($"record {next} {new string('x', random.Next(400))}"); break;
                case 2: store.Append(next); break;
                default: store.AppendBatch<int>([.. Enumerable.Range((int)next, random.Next(1, 8))]); break;
            }

            if (random.Next(20) == 0) Simulated.Commit(store);
        }

        if (close) store.Dispose();
        return directory;
    }

    private static (SegmentHeader Header, SegmentHeader Next, SegmentFooter Footer) FirstSegment(IStoreDirectory directory)
    {
        using IStoreFile file = directory.OpenRead(First), next = directory.OpenRead(SegmentFormat.Name(2));
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(next, out SegmentHeader successor));
        return (header, successor, SegmentEnd.ReadFooter(file, header, successor.PreviousLength)!.Value);
    }

    [Fact]
    public void WhatIsKnownOfASegmentWithoutItsFooterYetIsNotKept()
    {
        SimDirectory directory = Filled(), unfinished = new();
        (SegmentHeader header, SegmentHeader next, SegmentFooter footer) = FirstSegment(directory);
        byte[] whole = FileBytes.Of(directory, First), begun = (byte[])whole.Clone();
        begun.AsSpan(whole.Length / 2).Clear();
        FileBytes.Put(unfinished, First, begun);
        using IStoreFile file = unfinished.OpenRead(First);
        var cache = new SegmentIndexCache();
        int known = cache.Get(file, header, next.PreviousLength).Entries.Length;

        FileBytes.Put(unfinished, First, whole);
        SegmentIndex index = cache.Get(file, header, next.PreviousLength);

        Assert.InRange(known, 1, index.Entries.Length - 1);
        Assert.Same(index, cache.Get(file, header, next.PreviousLength));

        // With its footer it is complete, and what replaces a damaged index is made once.
        whole[footer.IndexOffset + FrameFormat.HeaderSize + 9] ^= 1;
        FileBytes.Put(unfinished, First, whole);
        cache = new SegmentIndexCache();
        SegmentIndex built = cache.Get(file, header, next.PreviousLength);
        Assert.Equal(index.Entries.ToArray(), built.Entries.ToArray());
        Assert.Same(built, cache.Get(file, header, next.PreviousLength));
    }

    [Fact]
    public void ASealedSegmentSaysWhereItsSequencesTimesAndSchemasAre()
    {
        SimDirectory directory = Filled();
        (SegmentHeader header, SegmentHeader next, SegmentFooter footer) = FirstSegment(directory);
        using IStoreFile file = directory.OpenRead(First);

        SegmentIndex stored = SegmentEnd.ReadIndex(file, header, next.PreviousLength)!;
        SegmentIndex built = SegmentEnd.BuildIndex(file, header);

        Assert.Equal(built.Entries.ToArray(), stored.Entries.ToArray());
        Assert.Equal(built.Schemas.ToArray(), stored.Schemas.ToArray());
        Assert.Equal(3, stored.Schemas.Length);
        Assert.InRange(stored.Entries.Length, 3, 4);
        Assert.Equal(1, stored.Entries[0].Sequence);
        Assert.True(footer.IndexOffset > stored.Entries[^1].Offset);
        foreach (IndexEntry entry in stored.Entries)
        {
            using var scanner = new SegmentScanner(file, header);
            Assert.True(scanner.TryStartAt(entry, stored.Schemas));
            Assert.Equal(FrameReadStatus.Frame, scanner.Next());
            Assert.Equal((entry.Sequence, entry.Ticks, entry.Offset), (scanner.Frame.FirstSequence, scanner.Frame.TimeTicks, scanner.FrameOffset));
        }
    }

    [Fact]
    public void ReadingFromAnySequenceGivesWhatReadingEverythingGives()
    {
        using NinoStore store = Simulated.Open(Filled(close: true), seed: 2);
        for (int i = 0; i < 3000; i++) store.Append(i);
        (long Sequence, string Name, string Bytes)[] all = [.. store.ReadRecords().Select(Shape)];
        Assert.Equal(Enumerable.Range(1, all.Length).Select(i => (long)i), all.Select(r => r.Sequence));

        foreach (long from in Enumerable.Range(0, 60).Select(i => 1 + (i * (all.Length / 59L))).Select(s => Math.Min(s, all.Length)))
        {
            Assert.Equal(all.Skip((int)from - 1).Take(5), store.ReadRecords(from).Take(5).Select(Shape));
            ReadOptions range = new() { FromSequence = from, ToSequence = from + 40 };
            Assert.Equal(all.Skip((int)from - 1).Take(41), store.ReadRecords(range).Select(Shape));
            Assert.Equal(all.Skip((int)from - 1).Take(41).Reverse(), store.ReadRecords(range with { NewestFirst = true }).Select(Shape));
            Assert.Equal(all.Skip((int)from - 1).Take(41), Scanned(store, range));
            Assert.Equal(all.Skip((int)from - 1).Take(41).Where(r => r.Name == "System.Int32" || r.Name == all[1].Name), store.ReadRecords(range with { Types = ["System.Int32", all[1].Name] }).Select(Shape));
        }
    }

    [Fact]
    public void ReadingFromAnyTimeGivesTheRecordsOfThatTimeAndLater()
    {
        SimDirectory directory = Filled();
        using NinoStore store = Simulated.Open(directory, seed: 2);
        (long Sequence, DateTimeOffset Time)[] all = [.. store.ReadRecords().Select(r => (r.Sequence, r.Timestamp))];
        DateTimeOffset[] times = [.. all.Select(r => r.Time).Distinct()];
        Assert.True(times.Length > 50);

        using StoreReader reader = StoreReader.Open(directory, "sim", null, static _ => false);
        foreach (DateTimeOffset time in times.Where((_, i) => i % 7 == 0).SelectMany(t => new[] { t, t.AddTicks(1), t.AddTicks(-1) }))
        {
            ReadOptions range = new() { FromTime = time, ToTime = time.AddMilliseconds(30) };
            var expected = all.Where(r => r.Time >= range.FromTime && r.Time <= range.ToTime).ToArray();
            Assert.Equal(expected, store.ReadRecords(range).Select(r => (r.Sequence, r.Timestamp)));
            Assert.Equal(expected.Reverse(), store.ReadRecords(range with { NewestFirst = true }).Select(r => (r.Sequence, r.Timestamp)));
            Assert.Equal(expected, reader.ReadRecords(range).Select(r => (r.Sequence, r.Timestamp)));
        }
    }

    [Fact]
    public void SeekingReadsAFewFramesNotTheSegment()
    {
        var counting = new CountingDirectory(Filled());
        using NinoStore store = NinoStore.Open("sim", Simulated.Options(counting, 2) with { SegmentSizeBytes = 128 * 1024 });
        long last = store.LastSequence;
        store.ReadRecords(last).Count();
        using StoreReader reader = StoreReader.Open(counting, "sim", null, static _ => false);
        long inSecond = reader.Segments[2].FirstSequence - 2;

        // Of a sealed segment what lies before the place may be damaged and nobody notices.
        byte[] bytes = FileBytes.Of(counting, SegmentFormat.Name(2));
        bytes.AsSpan(SegmentFormat.HeaderSize + 8192, 8192).Fill(0x5A);
        FileBytes.Put(counting, SegmentFormat.Name(2), bytes);

        long bytesRead = counting.BytesRead;
        Assert.Equal([inSecond, inSecond + 1], store.ReadRecords(inSecond).Take(2).Select(r => r.Sequence));
        Assert.InRange(counting.BytesRead - bytesRead, 1, 40 * 1024);
        Assert.Throws<StoreCorruptException>(() => store.ReadRecords(reader.Segments[1].FirstSequence).Count());

        // In the last one: header, schemas, and once from the place that the index names to the end of what is written ahead.
        bytesRead = counting.BytesRead;
        Assert.Equal(last, Assert.Single(store.ReadRecords(last)).Sequence);
        Assert.InRange(counting.BytesRead - bytesRead, 1, 128 * 1024);
    }

    [Fact]
    public void ADamagedIndexChangesNothingButTheTimeItTakes()
    {
        SimDirectory directory = Filled();
        (SegmentHeader header, SegmentHeader next, SegmentFooter footer) = FirstSegment(directory);
        byte[] whole = FileBytes.Of(directory, First);
        long[] wanted = [1, 2, 500, next.FirstSequence - 1, next.FirstSequence, next.FirstSequence + 700];
        using NinoStore store = Simulated.Open(directory, seed: 2);
        string[] expected = [.. wanted.SelectMany(from => store.ReadRecords(from).Take(3).Select(r => Shape(r).ToString()))];
        int start = (int)footer.IndexOffset, end = (int)next.PreviousLength - SegmentFormat.FooterFrameSize;
        for (int bit = start * 8; bit < end * 8; bit += 5)
        {
            byte[] bytes = (byte[])whole.Clone();
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
            FileBytes.Put(directory, First, bytes);
            using IStoreFile file = directory.OpenRead(First);
            Assert.Null(SegmentEnd.ReadIndex(file, header, next.PreviousLength));
        }

        // The file is damaged now; a store that has no index in memory finds everything all the same.
        using NinoStore other = Simulated.Open(directory.KillProcess(), seed: 3);
        Assert.Equal(expected, wanted.SelectMany(from => other.ReadRecords(from).Take(3).Select(r => Shape(r).ToString())));
        Assert.Equal(expected[^1], other.ReadRecords(new ReadOptions { ToSequence = wanted[^1] + 2, NewestFirst = true }).Select(r => Shape(r).ToString()).First());
    }

    [Fact]
    public void AnIndexThatVerifiesAndLiesLeadsNobodyAstray()
    {
        SimDirectory directory = Filled();
        (SegmentHeader header, SegmentHeader next, _) = FirstSegment(directory);
        using IStoreFile file = directory.OpenRead(First);
        SegmentIndex index = SegmentEnd.ReadIndex(file, header, next.PreviousLength)!;
        IndexEntry[] lies = [.. index.Entries.ToArray().SelectMany(e => new[] { e with { Sequence = e.Sequence + 1 }, e with { Offset = e.Offset + 8 }, e with { Ticks = e.Ticks + 1 }, e with { Offset = 1L << 40 }, e with { Offset = 3 } })];

        foreach (IndexEntry lie in lies)
        {
            using var scanner = new SegmentScanner(file, header);
            Assert.False(scanner.TryStartAt(lie, index.Schemas));
            Assert.Equal(FrameReadStatus.Frame, scanner.Next());
            Assert.Equal(1, scanner.Frame.FirstSequence);
        }

        using var other = new SegmentScanner(file, header);
        Assert.False(other.TryStartAt(index.Entries[^1], [index.Schemas[0], index.Schemas[0] + 8]));
    }

    [Fact]
    public void ABadPayloadIsNoIndex()
    {
        var builder = new SegmentIndexBuilder();
        builder.Add(FrameKind.Schema, 128, 1, 100);
        for (int i = 0; i < 10; i++) builder.Add(FrameKind.Records, 200 + (i * 40_000), 1 + (i * 10), 100 + i);
        byte[] payload = builder.ToPayload();
        Assert.Equal(SegmentIndex.FrameSize(10, 1), FrameFormat.SizeOf(payload.Length));
        Assert.True(SegmentIndex.TryRead(payload, 1 << 20, out _));

        for (int length = 0; length < payload.Length; length++) Assert.False(SegmentIndex.TryRead(payload.AsSpan(0, length), 1 << 20, out _));
        Assert.False(SegmentIndex.TryRead(payload, 300_000, out _), "an entry lies behind the index");
        foreach ((int at, long value) in new[] { (8, 0L), (8 + 24, 1), (8 + 24 + 16, 200), (8 + 240, 0), (8 + 240, 1L << 30) })
        {
            byte[] bad = (byte[])payload.Clone();
            BinaryPrimitives.WriteInt64LittleEndian(bad.AsSpan(at), value);
            Assert.False(SegmentIndex.TryRead(bad, 1 << 20, out _));
        }

        foreach (int count in new[] { -1, int.MaxValue, int.MinValue, 11, 9 })
        {
            byte[] bad = (byte[])payload.Clone();
            BinaryPrimitives.WriteInt32LittleEndian(bad, count);
            Assert.False(SegmentIndex.TryRead(bad, 1 << 20, out _));
            bad = (byte[])payload.Clone();
            BinaryPrimitives.WriteInt32LittleEndian(bad.AsSpan(4), count);
            Assert.False(SegmentIndex.TryRead(bad, 1 << 20, out _));
        }
    }

    [Fact]
    public void TheBytesOfAnIndexArePinned()
    {
        var builder = new SegmentIndexBuilder();
        builder.Add(FrameKind.Schema, 128, 7, 1000);
        builder.Add(FrameKind.Records, 184, 7, 1000);
        builder.Add(FrameKind.Records, 184 + 32_767, 8, 1001);
        builder.Add(FrameKind.Records, 184 + 32_768, 9, 1002);

        Assert.Equal(
            "02000000" + "01000000"
            + "0700000000000000" + "E803000000000000" + "B800000000000000"
            + "0900000000000000" + "EA03000000000000" + "B880000000000000"
            + "8000000000000000",
            Convert.ToHexString(builder.ToPayload()));
    }

    [Fact]
    public void AScanAllocatesNothingForARecord()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder["store"], new NinoStoreOptions { FirstSegmentSizeBytes = 256 * 1024, SegmentSizeBytes = 256 * 1024 });
        for (int i = 0; i < 20_000; i++) store.Append(new string('x', 100));
        (int few, long bytesOfFew) = Allocated(new ReadOptions { ToSequence = 1000 });
        (int all, long bytesOfAll) = Allocated(ReadOptions.All);
        (few, bytesOfFew) = Allocated(new ReadOptions { ToSequence = 1000 });
        (all, bytesOfAll) = Allocated(ReadOptions.All);

        Assert.Equal((1000, 20_000), (few, all));
        // Ten segments more are opened and mapped.
        Assert.InRange(bytesOfAll - bytesOfFew, 0, 40_000);

        (int, long) Allocated(ReadOptions options)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            int records = 0;
            foreach (ScannedRecord record in store.Scan(options)) records += record.Payload.Length > 0 ? 1 : 0;
            return (records, GC.GetAllocatedBytesForCurrentThread() - before);
        }
    }

    [Fact]
    public void AnIndexOfAnEndlessLogGetsCoarserNotLonger()
    {
        var builder = new SegmentIndexBuilder();
        for (long i = 0; i < 200_000; i++) builder.Add(FrameKind.Records, 200 + (i * 40_000), 1 + i, i);

        SegmentIndex index = builder.ToIndex();
        Assert.InRange(index.Entries.Length, SegmentIndex.MaxEntries / 4, SegmentIndex.MaxEntries);
        Assert.Equal(1, index.Entries[0].Sequence);
        Assert.True(SegmentIndex.TryRead(builder.ToPayload(), long.MaxValue, out SegmentIndex read));
        Assert.Equal(index.Entries.ToArray(), read.Entries.ToArray());
        IndexEntry[] entries = index.Entries.ToArray();
        Assert.True(entries[^1].Sequence > 150_000);
        for (long sequence = 1; sequence < 200_000; sequence += 1777)
            Assert.Equal(entries.Last(entry => entry.Sequence <= sequence), index.FindSequence(sequence));
    }

    [Fact]
    public void ManyTypesLeaveRoomForTheIndexInEverySegment()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            // The engine's own schemas under many segments: every segment declares what it uses.
            for (int i = 0; i < 4000; i++)
            {
                store.Append(i);
                store.Append((long)i);
                store.Append($"{i}");
                store.Append(i * 0.5);
                store.Append(Guid.NewGuid());
                if (i % 50 == 0) Simulated.Commit(store);
            }
        }

        using StoreReader reader = StoreReader.Open(directory, "sim", null, static _ => false);
        Assert.True(reader.Segments.Count > 3);
        for (int i = 0; i + 1 < reader.Segments.Count; i++)
        {
            using IStoreFile file = directory.OpenRead(SegmentFormat.Name(i + 1));
            Assert.NotNull(SegmentEnd.ReadIndex(file, reader.Segments[i], reader.Segments[i + 1].PreviousLength));
        }

        Assert.Empty(reader.Verify().Damage);
    }

    internal static (long Sequence, string Name, string Bytes) Shape(LogRecord record) => (record.Sequence, record.Schema.Name, Convert.ToHexString(record.Payload.Span));

    internal static List<(long, string, string)> Scanned(NinoStore store, ReadOptions? options = null)
    {
        List<(long, string, string)> found = [];
        foreach (ScannedRecord record in store.Scan(options)) found.Add((record.Sequence, record.Schema.Name, Convert.ToHexString(record.Payload)));
        return found;
    }
}
