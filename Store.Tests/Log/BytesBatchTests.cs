using System.Collections.ObjectModel;
using Store.Log;
using Store.Serialization;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Batches of arrays of bytes go into the log in one copy. The files are the same as if each array had been encoded first.</summary>
public class BytesBatchTests
{
    // Around every size at which the count of the array, or the length in front of the record, becomes longer.
    private static readonly int[] Sizes = [0, 1, 2, 100, 250, 251, 252, 253, 254, 255, 256, 1000, 65_531, 65_532, 65_533, 65_534, 65_535, 65_536, 70_000];

    public static TheoryData<string> Lists => ["array", "list", "span"];

    [Theory]
    [MemberData(nameof(Lists))]
    public void TheFileIsThatOfRecordsThatWereEncodedOneByOne(string way)
    {
        byte[][] records = [.. Sizes.Select(Filled)];
        using var encoded = new TemporaryFolder();
        using var copied = new TemporaryFolder();

        // A list that is neither an array nor a List<T> is encoded record by record.
        Write(encoded["log.bin"], store => store.AppendBatch(new ReadOnlyCollection<byte[]>(records)));
        Write(copied["log.bin"], store => way switch
        {
            "array" => store.AppendBatch((IReadOnlyList<byte[]>)records),
            "list" => store.AppendBatch(records.ToList()),
            _ => store.AppendBatch<byte[]>(records.AsSpan()),
        });

        Assert.Equal(File.ReadAllBytes(encoded["log.bin"]), File.ReadAllBytes(copied["log.bin"]));
        using NinoStore log = NinoStore.Open(copied["log.bin"]);
        Assert.Equal(records, log.Read<byte[]>().Select(static r => r.Value));
    }

    [Fact]
    public void AnArrayThatIsNullOrTooLargeRefusesTheWholeBatch()
    {
        using NinoStore store = Simulated.Open(new SimDirectory(), change: static o => o with { MaxRecordSizeBytes = 1003 });
        store.Append(1);

        Assert.Throws<ArgumentNullException>(() => store.AppendBatch<byte[]>([[1], null!, [2]]));
        RecordTooLargeException tooLarge = Assert.Throws<RecordTooLargeException>(() => store.AppendBatch<byte[]>([[1], new byte[1001]]));

        Assert.Contains("1004 bytes", tooLarge.Message, StringComparison.Ordinal);
        Assert.Equal(2, store.AppendBatch<byte[]>([new byte[1000]]));
        Assert.Equal(2, store.ReadRecords().Count());
    }

    [Fact]
    public void ABatchOfMoreThanTheLimitIsRefusedBeforeAnythingIsCopied()
    {
        using NinoStore store = Simulated.Open(new SimDirectory(), change: static o => o with { MaxRecordSizeBytes = 64 * 1024 * 1024 });
        byte[] large = new byte[60 * 1024 * 1024];

        long before = GC.GetAllocatedBytesForCurrentThread();
        RecordTooLargeException refused = Assert.Throws<RecordTooLargeException>(() => store.AppendBatch<byte[]>([large, large, large, large, large]));

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 64 * 1024);
        Assert.Contains("The batch exceeds the limit of 268435456 bytes", refused.Message, StringComparison.Ordinal);
        Assert.Equal(0, store.LastSequence);
    }

    [Fact]
    public void AnEmptyBatchAppendsNothing()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append(1);

        Assert.Equal(2, store.AppendBatch<byte[]>([]));
        Assert.Equal(1, store.LastSequence);
    }

    [Fact]
    public void ABatchOnlyIfExpectedIsRefusedWhereSomebodyWasFirst()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        store.Append(1);

        Assert.Throws<SequenceConflictException>(() => store.AppendBatch<byte[]>([[1], [2]], expectedSequence: 1));
        Assert.Equal(2, store.AppendBatch<byte[]>([[1], [2]], expectedSequence: 2));
        Assert.Equal([[1], [2]], store.Read<byte[]>().Select(static r => r.Value));
    }

    // Between measuring and copying another thread may put other arrays into the list. Whatever it puts there, nothing is appended and nothing is written behind the frame.
    [Theory]
    [InlineData(9, 11)]
    [InlineData(10, 9)]
    [InlineData(10, 300)]
    [InlineData(0, 1)]
    [InlineData(10, -1)]
    public void AListThatIsChangedMeanwhileAppendsNothingAndTheLogGoesOn(int measured, int found)
    {
        var disk = new SimDirectory();
        using (NinoStore store = Simulated.Open(disk))
        {
            store.Append("before");
            byte[][] records = [Filled(5), Filled(measured), Filled(7)];
            Assert.Throws<InvalidOperationException>(() =>
            {
                var batch = new BytesBatch(records, 1000);
                records[1] = found < 0 ? null! : Filled(found);
                store.Opened.Log.AppendBatch(NinoCodec<byte[]>.Default.Schema, batch);
            });

            Assert.Equal(2, store.Append("behind"));
            Assert.Equal(3, store.AppendBatch<byte[]>([Filled(5), Filled(7)]));
            Simulated.Commit(store);
        }

        using NinoStore again = Simulated.Open(disk, change: static o => o with { Recovery = RecoveryMode.Strict });
        Assert.Empty(again.Recovery.Damage);
        Assert.Equal(["before", "behind"], again.Read<string>().Select(static r => r.Value));
        Assert.Equal([Filled(5), Filled(7)], again.Read<byte[]>().Select(static r => r.Value));
    }

    // The same number of bytes in other pieces: the records are those that were there when they were copied.
    [Fact]
    public void AListWhoseArraysChangePlacesIsAppendedAsItIsWhenItIsCopied()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());
        byte[][] records = [Filled(3), Filled(8)];
        var batch = new BytesBatch(records, 1000);
        (records[0], records[1]) = (records[1], records[0]);

        store.Opened.Log.AppendBatch(NinoCodec<byte[]>.Default.Schema, batch);

        Assert.Equal([Filled(8), Filled(3)], store.Read<byte[]>().Select(static r => r.Value));
    }

    private static void Write(string path, Func<NinoStore, long> append)
    {
        using NinoStore log = NinoLog.Create(path, new NinoStoreOptions { RunsInline = true, NewId = Simulated.Ids(1), TimeProvider = new SteppingClock() });
        log.Append(1);
        append(log);
    }

    private static byte[] Filled(int size)
    {
        byte[] bytes = new byte[size];
        new Random(size).NextBytes(bytes);
        return bytes;
    }
}
