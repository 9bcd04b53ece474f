using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Recovery;

/// <summary>Cuts and flips: whatever happens to the bytes of a small log, opening gives a typed error or a correct prefix, and says so.</summary>
public class DamageTests(ITestOutputHelper output)
{
    private const string First = "segment-0000000000000001.log";

    // A log of single records, batches and two types, each committed, so that later frames say the earlier ones were durable.
    private static (byte[] Bytes, string[] Records, long End) SmallLog(bool close, int count = 8)
    {
        var directory = new SimDirectory();
        List<string> records = [];
        using (NinoStore store = Simulated.Open(directory, change: o => o with { FirstSegmentSizeBytes = 32 * 1024 }))
        {
            for (int i = 0; i < count; i++)
            {
                records.Add($"record {i}");
                store.Append(records[^1]);
                if (i % 5 == 2) store.CommitAsync().AsTask().GetAwaiter().GetResult();
            }

            string[] batch = ["batch a", "batch b", "batch c"];
            store.AppendBatch<string>(batch);
            records.AddRange(batch);
            if (!close)
            {
                store.CommitAsync().AsTask().GetAwaiter().GetResult();
                return (FileBytes.Of(directory, First), [.. records], End(directory));
            }
        }

        return (FileBytes.Of(directory, First), [.. records], End(directory));
    }

    private static long End(SimDirectory directory)
    {
        using IStoreFile file = directory.OpenRead(First);
        SegmentHeader.TryRead(file, out SegmentHeader header);
        using var scanner = new SegmentScanner(file, header);
        while (scanner.Next() == FrameReadStatus.Frame) { }
        return scanner.Offset;
    }

    private static SimDirectory With(ReadOnlySpan<byte> bytes)
    {
        var directory = new SimDirectory();
        FileBytes.Put(directory, First, bytes);
        return directory;
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void ALogCutAtAnyByteOpensWithAPrefixOrIsRefused(bool closed)
    {
        int prefixes = 0, refused = 0, logs = 0;
        for (; prefixes + refused < Effort.Truncations / 2; logs++)
        {
            (byte[] bytes, string[] records, long end) = SmallLog(closed, count: 420 + logs);
            (int opened, int not) = CutEverywhere(bytes, records, end);
            (prefixes, refused) = (prefixes + opened, refused + not);
        }

        Assert.Equal(SegmentFormat.HeaderSize * logs, refused);
        Effort.Tell(output, "truncations", prefixes + refused, "no chance in it", $"{prefixes} opened with a correct prefix, {refused} refused, {logs} logs cut at every byte");
    }

    // As the store lies on the disk: beside the log the mark of its end, which says how far it reached.
    [Fact]
    public void BesideTheMarkOfItsEndALogThatWasClosedIsOpenedWholeOrRefusedWhateverIsCutOrFlipped()
    {
        var whole = new SimDirectory();
        string[] records = [.. Enumerable.Range(0, 60).Select(static i => $"record {i}")];
        using (NinoStore store = Simulated.Open(whole))
        {
            for (int i = 0; i < records.Length; i++)
            {
                store.Append(records[i]);
                if (i % 7 == 3) Simulated.Commit(store);
            }
        }

        byte[] bytes = FileBytes.Of(whole, First);
        long end = End(whole);
        int opened = 0, refused = 0;
        for (int length = 0; length <= end; length++) Open(bytes.AsSpan(0, length));
        Effort.Tell(output, "truncations", opened + refused, "no chance in it", $"beside the mark of the log's end: {opened} opened whole, {refused} refused");
        int cuts = opened + refused;
        Assert.InRange(opened, 1, 2 * FrameFormat.HeaderSize);
        for (int bit = 0; bit < end * 8; bit++)
        {
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
            Open(bytes);
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
        }

        Effort.Tell(output, "bit flips", opened + refused - cuts, "no chance in it", "beside the mark of the log's end");

        void Open(ReadOnlySpan<byte> log)
        {
            SimDirectory directory = With(log);
            FileBytes.Put(directory, LogEnd.FileName, FileBytes.Of(whole, LogEnd.FileName));
            try
            {
                using NinoStore store = Simulated.Open(directory, seed: 2);
                Assert.Equal(records, store.Read<string>().Select(static r => r.Value));
                opened++;
            }
            catch (StoreCorruptException)
            {
                refused++;
            }
        }
    }

    private static (int Opened, int Refused) CutEverywhere(byte[] bytes, string[] records, long end)
    {
        int prefixes = 0, refused = 0;
        List<PlacedFrame> frames = Frames.WithPlaces(With(bytes), 1);
        Assert.Equal((end, (long)records.Length), (frames[^1].End, frames[^1].Header.LastSequence));
        for (int length = 0; length <= end; length++)
        {
            SimDirectory directory = With(bytes.AsSpan(0, length));
            try
            {
                using NinoStore store = Simulated.Open(directory, seed: 2);
                string[] read = [.. store.Read<string>().Select(r => r.Value)];

                // Every frame that is there whole, and nothing of the one that is not.
                Assert.Equal(records.Take((int)frames.Where(frame => frame.End <= length).Select(static frame => frame.Header.LastSequence).LastOrDefault()), read);
                Assert.Equal(read.Length, store.LastSequence);
                Assert.Equal(store.Recovery.BytesCut > 0, store.Recovery.CutBytesFile is not null);
                store.Append("goes on");
                prefixes++;
            }
            catch (StoreCorruptException e)
            {
                // Without its header a file is no log; a cut never looks like anything worse than a torn tail.
                Assert.True(length < SegmentFormat.HeaderSize, $"cut at {length}: {e.Message}");
                Assert.Contains(First, e.Message, StringComparison.Ordinal);
                refused++;
            }
        }

        Assert.True(end >= 8192);
        return (prefixes, refused);
    }

    [Fact]
    public void EveryFlippedBitIsNoticedAndNoRecordIsEverAltered()
    {
        int refused = 0, cut = 0;
        for (int logs = 0; refused + cut < Effort.Flips; logs++)
        {
            (byte[] bytes, string[] records, long end) = SmallLog(close: true, count: 420 + logs);
            Assert.True(end * 8 >= 65_536);
            (int not, int opened) = FlipEverywhere(bytes, records, end);
            (refused, cut) = (refused + not, cut + opened);
        }

        Effort.Tell(output, "bit flips", refused + cut, "no chance in it", $"{refused} refused as damage to acknowledged records, {cut} cut as torn tail");
        Assert.True(refused > cut);
    }

    private static (int Refused, int Cut) FlipEverywhere(byte[] bytes, string[] records, long end)
    {
        int refused = 0, cut = 0;
        for (int bit = 0; bit < end * 8; bit++)
        {
            byte[] damaged = [.. bytes];
            damaged[bit / 8] ^= (byte)(1 << (bit % 8));
            try
            {
                using NinoStore store = Simulated.Open(With(damaged), seed: 2);
                string[] read = [.. store.Read<string>().Select(r => r.Value)];
                Assert.Equal(records.Take(read.Length), read);
                Assert.True(store.Recovery.Damage.Count == 1 && store.Recovery.BytesCut > 0, $"bit {bit}: the damage was not reported");
                Assert.False(store.Recovery.CleanClose);
                // Everything before the closing mark was acknowledged, and the mark says so: only damage to the mark itself can pass for a torn tail.
                Assert.Equal(records.Length, read.Length);
                cut++;
            }
            catch (StoreCorruptException e)
            {
                Assert.Contains(First, e.Message, StringComparison.Ordinal);
                refused++;
            }
        }

        return (refused, cut);
    }

    [Fact]
    public void BytesThatFollowTheLogAreCutAndKeptInASideFile()
    {
        (byte[] bytes, string[] records, long end) = SmallLog(close: true);
        byte[] garbage = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        garbage.CopyTo(bytes.AsSpan((int)end));
        SimDirectory directory = With(bytes);

        using NinoStore store = Simulated.Open(directory, seed: 2);

        Assert.Equal(garbage.Length, store.Recovery.BytesCut);
        Assert.Equal($"{First}.cut-{end}", store.Recovery.CutBytesFile);
        Assert.Equal(garbage, FileBytes.Of(directory, store.Recovery.CutBytesFile!));
        StoreDamage damage = Assert.Single(store.Recovery.Damage);
        Assert.Equal((First, end, (long)garbage.Length, StoreDamageKind.TornTail), (damage.File, damage.Offset, damage.LengthBytes, damage.Kind));
        Assert.Equal(records.Length, store.LastSequence);
    }

    [Fact]
    public void StrictRefusesWhatTruncateTornCuts()
    {
        (byte[] bytes, _, long end) = SmallLog(close: true);
        bytes[end] = 1;
        SimDirectory directory = With(bytes);

        StoreCorruptException e = Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, 2, o => o with { Recovery = RecoveryMode.Strict }));

        Assert.Equal(end, e.Offset);
        Assert.Contains("TruncateTorn", e.Message, StringComparison.Ordinal);
        Assert.Equal(bytes, FileBytes.Of(directory, First));
    }

    [Fact]
    public void AHoleBelowADurableMarkIsRefusedAndSalvageKeepsWhatIsBeforeIt()
    {
        (byte[] bytes, string[] records, _) = SmallLog(close: true);
        SimDirectory intact = With(bytes);
        List<Store.Framing.FrameHeader> frames = Frames.Of(intact, 1);
        long offset = SegmentFormat.HeaderSize;
        foreach (Store.Framing.FrameHeader frame in frames.TakeWhile(f => f.FirstSequence < 4)) offset += frame.FrameLength;
        bytes.AsSpan((int)offset, 64).Clear();
        SimDirectory directory = With(bytes);

        StoreCorruptException e = Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, seed: 2));
        Assert.Equal(offset, e.Offset);
        Assert.Contains("records 4 to", e.Message, StringComparison.Ordinal);
        Assert.Equal(bytes, FileBytes.Of(directory, First));

        using NinoStore salvaged = Simulated.Open(directory, 3, o => o with { Recovery = RecoveryMode.Salvage });
        Assert.Equal(records.Take(3), salvaged.Read<string>().Select(r => r.Value));
        Assert.Equal(StoreDamageKind.Corruption, Assert.Single(salvaged.Recovery.Damage).Kind);
        Assert.NotNull(salvaged.Recovery.CutBytesFile);
        Assert.Equal(4, salvaged.Append("goes on"));
    }

    [Fact]
    public void RecoveringTwiceGivesTheSameLogAndNothingMoreToDo()
    {
        (byte[] bytes, _, long end) = SmallLog(close: false);
        bytes.AsSpan((int)end, 200).Fill(0xAA);
        SimDirectory directory = With(bytes);
        long last;
        using (NinoStore store = Simulated.Open(directory, seed: 2))
        {
            Assert.Equal(200, store.Recovery.BytesCut);
            last = store.LastSequence;
        }

        using NinoStore again = Simulated.Open(directory, seed: 3);
        Assert.Equal(last, again.LastSequence);
        Assert.Empty(again.Recovery.Damage);
        Assert.Equal(0, again.Recovery.BytesCut);
    }
}
