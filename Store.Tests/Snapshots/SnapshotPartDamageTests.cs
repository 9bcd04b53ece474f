// Snapshots of several parts, damaged at every bit, cut at every byte, forged with right checksums, interrupted at every step, and larger than 32 bits can count.

using System.Buffers;
using System.Buffers.Binary;
using Store.Framing;
using Store.IO;
using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;
using static Store.Tests.Snapshots.SnapshotPartTests;
using static Store.Tests.Snapshots.SnapshotSamples;

namespace Store.Tests.Snapshots;

public class SnapshotPartDamageTests(ITestOutputHelper output)
{
    private static readonly int Seed = Effort.Seed(20261121);
    private static readonly Counter State = Counter.Numbered(1, payloadBytes: 150);

    /// <summary>A value and items of three blocks over many small pages.</summary>
    private static byte[] Whole(int items = 12) => Write(
        [new SnapshotState<Counter>("value", NinoCodec<Counter>.Default, State), new SnapshotItemStream<Counter>("items", NinoCodec<Counter>.Default, Items(items))], SnapshotFormat.MinPageSize);

    private static IEnumerable<Counter> Items(int count) => [.. Enumerable.Range(0, count).Select(i => Counter.Numbered(i, 10 * i))];

    [Fact]
    public void AnyFlippedBitIsAnExceptionOfTheRightSort()
    {
        long flips = 0;
        for (int items = 12; items < 12 + Effort.FlipScale; items++)
        {
            byte[] whole = Whole(items);
            Assert.Null(Read(whole, items));
            for (int bit = 0; bit < whole.Length * 8; bit++, flips++)
            {
                byte[] damaged = [.. whole];
                damaged[bit / 8] ^= (byte)(1 << (bit % 8));
                Assert.True(Read(damaged, items) is StoreCorruptException, $"{items} items: bit {bit} of byte {bit / 8} was not noticed");
            }
        }

        Effort.Tell(output, "bit flips", flips, "no chance in it", $"{Effort.FlipScale} snapshots of two parts");
    }

    [Fact]
    public void AFileCutAtAnyByteIsNoticed()
    {
        long cuts = 0;
        for (int items = 12; items < 12 + Effort.TruncationScale; items++)
        {
            byte[] whole = Whole(items);
            for (int length = 0; length < whole.Length; length++, cuts++) Assert.IsType<StoreCorruptException>(Read(whole[..length], items));
        }

        Effort.Tell(output, "truncations", cuts, "no chance in it", $"{Effort.TruncationScale} snapshots of two parts");
    }

    /// <summary>Many threads over a file with damaged pages, verified on first touch: an item on a damaged page is an exception for each of them, every other item is right. Verifying all when opening, in parallel, finds the same.</summary>
    [Fact]
    public async Task ThreadsOverADamagedFileGetRightItemsOrExceptions()
    {
        Counter[] items = [.. Enumerable.Range(0, 600).Select(i => Counter.Numbered(i, 3000))];
        byte[] bytes = WriteItems(items, SnapshotFormat.MinPageSize);
        SnapshotSection data;
        using (SnapshotFile whole = Open(bytes)) data = whole.Sections.Single(s => s.Kind == SnapshotSectionKind.Data);
        for (int i = 0; i < 40; i++) bytes[data.Offset + (i * (data.LengthBytes / 41)) + 100] ^= 4;
        using SnapshotFile file = Open(bytes);
        int[][] refused = await Task.WhenAll(Enumerable.Range(0, 6).Select(thread => Task.Run(() =>
        {
            int[] order = [.. Enumerable.Range(0, items.Length)];
            new Random(thread).Shuffle(order);
            return order.Where(i =>
            {
                try
                {
                    Assert.Equal(items[i], file.Parts[0].Item<Counter>(i));
                    return false;
                }
                catch (StoreCorruptException)
                {
                    return true;
                }
            }).Order().ToArray();
        })));
        Assert.InRange(refused[0].Length, 30, 200);
        Assert.All(refused, one => Assert.Equal(refused[0], one));
        Assert.Null(SnapshotFile.TryOpen(new BytesDirectory { ["file"] = bytes }, "file", SnapshotVerification.All, out SnapshotFailure? failure));
        Assert.Equal((SnapshotFailureKind.DataDamaged, true), (failure!.Kind, failure.Offset <= data.Offset + 100));
    }

    /// <summary>Whatever an index or a directory says, checksums and all, nothing outside the data is handed out.</summary>
    [Fact]
    public void AForgedIndexNeverLeadsOutsideTheData()
    {
        var random = new Random(Seed);
        byte[] whole = WriteItems(Enumerable.Range(0, 40).Select(i => Counter.Numbered(i, 5000)));
        long[] nasty = [0, 1, -1, 4, 63, 64, 40, 41, 39, 65_536, int.MaxValue, int.MinValue, uint.MaxValue, long.MaxValue, long.MinValue, whole.Length];
        SnapshotSection[] sections;
        using (SnapshotFile file = Open(whole)) sections = [.. file.Sections];
        int index = Array.FindIndex(sections, s => s.Kind == SnapshotSectionKind.ItemIndex), table = Array.FindIndex(sections, s => s.Kind == SnapshotSectionKind.PageTable);
        SnapshotSection data = sections.Single(s => s.Kind == SnapshotSectionKind.Data);
        int refused = 0;
        for (int round = 0; round < 1000; round++)
        {
            byte[] forged = [.. whole];
            for (int i = random.Next(1, 4); i > 0; i--)
            {
                long value = nasty[random.Next(nasty.Length)];
                if (random.Next(2) == 0) BinaryPrimitives.WriteInt64LittleEndian(forged.AsSpan((int)sections[index].Offset + (8 * random.Next((int)sections[index].LengthBytes / 8))), value);
                else BinaryPrimitives.WriteInt32LittleEndian(forged.AsSpan((int)data.EndOffset - (4 * random.Next(1, 8))), (int)value);
            }

            Seal(forged, sections, data, index, table);
            using SnapshotFile file = Open(forged);

            // Where the index does not even say how many there are, none of them is merely not there.
            long count = Record.Exception(() => file.Parts[0].ItemCount) is null ? file.Parts[0].ItemCount : long.MaxValue;
            for (long item = 0; item < 41; item++)
            {
                Exception? failure = Record.Exception(() => file.Parts[0].UseItem(item, forged, (bytes, forged) =>
                {
                    if (bytes.IsEmpty) return true;
                    Assert.True(forged.AsSpan((int)data.Offset, (int)data.LengthBytes).Overlaps(bytes, out int at), "It is not in the data.");
                    Assert.InRange(at, 0, data.LengthBytes - bytes.Length);
                    return true;
                }));
                Assert.True(failure is null or StoreCorruptException || (failure is ArgumentOutOfRangeException && item >= count), $"seed {Seed}, round {round}, item {item} of {count}: {failure}");
                if (failure is not null) refused++;
            }
        }

        Assert.True(refused > 300, $"{refused} items were refused");
    }

    [Fact]
    public async Task WhereverThePowerFailsTheOldOrTheNewPartsAreThereAndNeverAMix()
    {
        var statistics = new SimStatistics();
        int states = 0;
        foreach (long at in Effort.Points(every: 1, Effort.CrashScale, out int statesEach))
        {
            using var directory = new SimDirectory(statistics: statistics) { PowerOffAt = at };
            int acknowledged = await Live(directory);
            foreach (SimDirectory crashed in directory.CrashStates(limit: 8 * statesEach, seed: Seed + (int)at))
            {
                states++;
                Examine(crashed, acknowledged);
            }

            Examine(directory.KillProcess(), acknowledged);
            if (!directory.IsPowerOff) break;
        }

        Effort.Tell(output, "crash states", states, $"SEED={Seed}", $"snapshots of two parts; {statistics.Describe(Seed)}");
    }

    [Theory]
    [InlineData(nameof(FaultKind.IoError), false)]
    [InlineData(nameof(FaultKind.IoError), true)]
    [InlineData(nameof(FaultKind.ShortWrite), false)]
    [InlineData(nameof(FaultKind.NoSpace), true)]
    public async Task WhicheverCallFailsTheAcknowledgedPartsAreThere(string kind, bool isForever)
    {
        int failures = 0, states = 0;
        foreach (long n in Effort.Points(every: 1, Effort.FaultScale, out int statesEach))
        {
            using var directory = new SimDirectory();
            var faulty = new FaultDirectory(directory, (int)n) { Fault = new Fault(n, Enum.Parse<FaultKind>(kind), isForever) };
            int acknowledged = await Live(faulty);
            Examine(directory.KillProcess(), acknowledged);
            if (faulty.Failures == 0) break;
            failures++;
            foreach (SimDirectory crashed in directory.CrashStates(limit: statesEach, seed: Seed + (int)n))
            {
                states++;
                Examine(crashed, acknowledged);
            }
        }

        Effort.Tell(output, "injected faults", failures, $"SEED={Seed}", $"snapshots of two parts, {kind}{(isForever ? " for ever" : " once")}, {states} states after a power failure too");
        Assert.True(failures > (Effort.IsSlice ? 0 : 20), $"{failures} faults");
    }

    /// <summary>More than 4 GiB in one part, and two parts behind it: every offset needs its 64 bits, those of sections too. Zeros are not kept by the file, so this costs time for checksums and no memory.</summary>
    [Fact]
    public void MoreThanFourGibibytesAreReadByNumber()
    {
        const int itemBytes = 4 * 1024 * 1024;
        const long items = 1030;
        using var file = new SparseFile();
        byte[] zeros = new byte[itemBytes];
        var content = new SnapshotItemStream<Counter>("", NinoCodec<Counter>.Default, Enumerable.Range(0, (int)items).Select(i => new Counter(i, zeros)));
        var behind = new SnapshotItemStream<Counter>("behind", NinoCodec<Counter>.Default, Items(300));
        var last = new SnapshotState<Counter>("last", NinoCodec<Counter>.Default, State);
        SnapshotHeader header = new SnapshotWriter(new BytesDirectory(), SnapshotFormat.MaxPageSize).WriteFile(file, [content, behind, last], GoldenStamp, null, CancellationToken.None);
        Assert.True(header.Parts[0].Data.LengthBytes > uint.MaxValue);
        Assert.All([header.Parts[0].PageTable, header.Parts[0].ItemIndex, header.Parts[1].Data, header.Parts[1].ItemIndex, header.Parts[1].PageTable, header.Parts[2].Data, header.Parts[2].PageTable],
            section => Assert.True(section.Offset > uint.MaxValue, $"{section.Kind} at {section.Offset}"));
        using SnapshotFile open = SnapshotFile.Open(new OneFileDirectory(file), "file");
        SnapshotPart part = open.Parts[0];
        Assert.Equal(items, part.ItemCount);
        foreach (long i in new long[] { 0, 1, 511, 512, 1023, 1024, items - 1 })
            Assert.Equal((i, itemBytes + 9L), part.UseItem(i, 0, static (item, _) => ((long)BitConverter.ToInt32(item), (long)item.Length)));
        Assert.Equal(Items(300), open.Part("behind").Items<Counter>());
        Assert.Equal(Counter.Numbered(299, 2990), open.Part("behind").Item<Counter>(299));
        Assert.Equal(State, open.Part("last").Read<Counter>());
        file.Write([1], header.Parts[1].Data.Offset + 100);
        using (SnapshotFile damaged = SnapshotFile.Open(new OneFileDirectory(file), "file"))
        {
            Assert.Throws<StoreCorruptException>(() => damaged.Part("behind").Items<Counter>().Count());
            Assert.Equal(State, damaged.Part("last").Read<Counter>());
        }

        Assert.True(file.KeptBytes < 80 * 1024 * 1024, $"{file.KeptBytes} bytes were kept");
    }

    /// <summary>No program of ours stores one value of 2 GiB, but a file may say so.</summary>
    [Fact]
    public void AValueLongerThanASpanIsAnExceptionThatSaysSo()
    {
        using var file = new SparseFile();
        new SnapshotWriter(new BytesDirectory(), SnapshotFormat.MaxPageSize).WriteFile(file, [new Zeros(1L << 31)], GoldenStamp, null, CancellationToken.None);
        using SnapshotFile open = SnapshotFile.Open(new OneFileDirectory(file), "file");
        SnapshotPart part = open.Part("zeros");
        Assert.Equal(1L << 31, part.DataLengthBytes);
        string message = Assert.Throws<StoreException>(() => part.UseView<Views.TreeView, int, int>(0, static (_, _) => 0)).Message;
        Assert.Contains("'zeros' has 2147483648 bytes", message, StringComparison.Ordinal);
        Assert.Equal(0, part.UseData((1L << 31) - 4, 4, 0, static (bytes, _) => BitConverter.ToInt32(bytes)));
    }

    private sealed class Zeros(long lengthBytes) : SnapshotContent("zeros", NinoCodec<Views.Tree>.Default.Schema)
    {
        public override SnapshotFailure? FindRefusal(SnapshotFile file) => null;

        public override ValueTask WriteAsync(SnapshotOutput output, NinoLimits limits, CancellationToken cancellationToken)
        {
            byte[] zeros = new byte[1 << 20];
            for (long done = 0; done < lengthBytes; done += zeros.Length) output.Write(zeros);
            return default;
        }
    }

    private static async Task<int> Live(IStoreDirectory directory)
    {
        int acknowledged = 0;
        var trouble = new DiskTrouble();
        try
        {
            using NinoStore store = Simulated.Open(directory);
            for (int i = 1; i <= 4; i++)
            {
                store.Append(i);
                await store.CheckpointPartsAsync(Parts(i));
                acknowledged = i;
            }
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            // What is on the disk is looked at next.
            trouble.ThrowOther();
        }

        return acknowledged;
    }

    private static SnapshotParts Parts(int number) => new SnapshotParts().Add("value", Counter.Numbered(number)).AddItems("items", Enumerable.Range(0, 50).Select(i => Counter.Numbered(number + i, 20)));

    private static void Examine(SimDirectory directory, int acknowledged)
    {
        using NinoStore store = Simulated.Open(directory);
        Assert.DoesNotContain(directory.List(), f => f.Name.StartsWith("snapshot-", StringComparison.Ordinal) && !f.Name.EndsWith(".nino", StringComparison.Ordinal));
        using SnapshotFile? file = store.OpenSnapshot(verification: SnapshotVerification.All);
        long number = file?.Info.Sequence ?? 0;
        Assert.InRange(number, acknowledged, acknowledged + 1);
        if (file is null) return;
        Assert.Equal(Counter.Numbered((int)number), file.Part("value").Read<Counter>());
        Assert.Equal(Enumerable.Range(0, 50).Select(i => Counter.Numbered((int)number + i, 20)), file.Part("items").Items<Counter>());
        Assert.DoesNotContain(store.Recovery.Damage, damage => damage.File.StartsWith("snapshot", StringComparison.Ordinal));
    }

    private static Exception? Read(byte[] bytes, int items) => Record.Exception(() =>
    {
        using SnapshotFile file = Open(bytes);
        Assert.Equal(State, file.Part("value").Read<Counter>());
        Assert.Equal(Items(items), file.Part("items").Items<Counter>().ToList());
    });

    /// <summary>Makes the checksums right again that a change of index and data has made wrong.</summary>
    internal static void Seal(byte[] bytes, SnapshotSection[] sections, SnapshotSection data, int index, int table)
    {
        for (int page = 0; page * 65536 < data.LengthBytes; page++)
        {
            int length = (int)Math.Min(65536, data.LengthBytes - (page * 65536));
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan((int)sections[table].Offset + (4 * page)), Crc32C.Compute(bytes.AsSpan((int)data.Offset + (page * 65536), length)));
        }

        foreach (int i in new[] { index, table })
            BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(128 + (32 * i) + 4), Crc32C.Compute(bytes.AsSpan((int)sections[i].Offset, (int)sections[i].LengthBytes)));
        Span<byte> header = bytes.AsSpan(0, BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(12)));
        BinaryPrimitives.WriteUInt32LittleEndian(header[8..], Crc32C.Compute(header[12..]));
    }
}
