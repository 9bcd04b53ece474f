using Store.IO;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Reading;

/// <summary>
/// Readers never block the writer: one that stands still, inside a file call or between two records, holds nothing that appending, committing, sealing, checkpointing or truncating waits for. It goes on to what it
/// would have read, or to an exception that says that retention has removed the rest.
/// </summary>
public sealed class StandingReaderTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>Whoever reads, and which way. One that follows is told where to end.</summary>
    public static TheoryData<string> Names =>
    [
        "Read", "Read, newest first", "ReadAsync", "ReadRecords", "ReadRecords, newest first", "Scan", "TailAsync", "ReadFrames",
        "StoreReader", "StoreReader, newest first", "StoreReader.TailRecordsAsync",
    ];

    // Gives the sequence and the value of each record. The one that lends its bytes holds them meanwhile.
    private static void ReadOn(string name, NinoStore store, IStoreDirectory directory, long last, Action<(long Sequence, int Value)> add)
    {
        var newest = new ReadOptions { NewestFirst = true };
        var followed = new ReadOptions { ToSequence = last };
        if (name == "Scan")
        {
            foreach (ScannedRecord record in store.Scan())
            {
                add((record.Sequence, record.As<int>()));
                Assert.Equal(record.Sequence, record.As<int>());
            }

            return;
        }

        IEnumerable<(long, int)> records = name switch
        {
            "Read" => store.Read<int>().Select(static r => (r.Sequence, r.Value)),
            "Read, newest first" => store.Read<int>(newest).Select(static r => (r.Sequence, r.Value)),
            "ReadAsync" => store.ReadAsync<int>().ToBlockingEnumerable().Select(static r => (r.Sequence, r.Value)),
            "ReadRecords" => store.ReadRecords().Select(static r => (r.Sequence, r.As<int>())),
            "ReadRecords, newest first" => store.ReadRecords(newest).Select(static r => (r.Sequence, r.As<int>())),
            "TailAsync" => store.TailAsync<int>(followed).ToBlockingEnumerable().Select(static r => (r.Sequence, r.Value)),
            "ReadFrames" => store.ReadFrames(1).SelectMany(static f => Enumerable.Range((int)f.FirstSequence, (int)(f.LastSequence - f.FirstSequence + 1)).Select(static n => ((long)n, n))),
            "StoreReader" => RetentionTests.Look(directory).ReadRecords().Select(static r => (r.Sequence, r.As<int>())),
            "StoreReader, newest first" => RetentionTests.Look(directory).ReadRecords(newest).Select(static r => (r.Sequence, r.As<int>())),
            "StoreReader.TailRecordsAsync" => RetentionTests.Look(directory).TailRecordsAsync(followed).ToBlockingEnumerable().Select(static r => (r.Sequence, r.As<int>())),
            _ => throw new ArgumentException(name),
        };
        foreach ((long, int) record in records) add(record);
    }

    // Everything that a writer does, on a thread of its own: whoever blocks it is noticed after a minute.
    private static void Write(NinoStore store, IStoreDirectory directory)
    {
        Task writer = Task.Run(async () =>
        {
            store.Append((int)store.LastSequence + 1);
            await store.CommitAsync();
            RetentionTests.Grow(store, directory, (int)RetentionTests.Segments(directory)[^1] + 3);
            await store.CheckpointAsync(new List<int> { 1 });
            Assert.True(store.TruncateBefore(long.MaxValue).SegmentsRemoved >= 3);
            store.AppendBatch<int>([(int)store.LastSequence + 1, (int)store.LastSequence + 2]);
            await store.AppendAsync((int)store.LastSequence + 1);
        });
#pragma warning disable xUnit1031 // the reader and the writer are threads, and this one waits for them
        Assert.True(writer.Wait(Patience), "the writer waits for a reader that stands still");
#pragma warning restore xUnit1031
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void InsideAnyOfItsFileCallsAReaderHoldsNobodyUp(string name)
    {
        int stood = 0;
        for (int at = 1; ; at++)
        {
            var disk = new SimDirectory();
            var directory = new StandingDirectory(disk, at);
            using NinoStore store = RetentionTests.Grown(directory, 3, seed: at, static o => o with { RunsInline = false });
            long last = store.LastSequence;
            List<(long Sequence, int Value)> seen = [];
            Exception? failure = null;
            using var ended = new ManualResetEventSlim();
            var reader = new Thread(() =>
            {
                directory.IAmTheReader();
                failure = Record.Exception(() => ReadOn(name, store, directory, last, seen.Add));
                ended.Set();
            });
            reader.Start();
            Assert.NotEqual(WaitHandle.WaitTimeout, WaitHandle.WaitAny([directory.Stands.WaitHandle, ended.WaitHandle], Patience));
            bool isThrough = !directory.Stands.IsSet;
            if (!isThrough) Write(store, disk);
            directory.GoesOn.Set();
            Assert.True(reader.Join(Patience), "the reader does not go on");
            IsRight(store, last, seen, failure, isThrough, name.Contains("newest", StringComparison.Ordinal), name.Contains("Tail", StringComparison.Ordinal));
            if (isThrough) break;
            stood++;
        }

        Assert.True(stood >= 4, $"{name} stood in {stood} calls");
    }

    // Between two records of a real disk: maps, open files and spans stay good however the log goes on and whatever is removed.
    [Theory]
    [MemberData(nameof(Names))]
    public void BetweenTwoRecordsAReaderHoldsNobodyUp(string name)
    {
        for (int where = 0; where < 3; where++)
        {
            using var folder = new TemporaryFolder();
            Directory.CreateDirectory(folder["store"]);
            using IStoreDirectory disk = DiskDirectory.Open(folder["store"]);
            using NinoStore store = NinoStore.Open(folder["store"], new NinoStoreOptions { FirstSegmentSizeBytes = 4096, SegmentSizeBytes = 64 * 1024, BufferSizeBytes = 256 * 1024 });
            RetentionTests.Grow(store, disk, 3);
            long last = store.LastSequence;
            var seen = new Standing(where == 0 ? 1 : (int)last * where / 3, () => Write(store, disk));

            Exception? failure = Record.Exception(() => ReadOn(name, store, disk, last, seen.Add));

            Assert.True(seen.Stood);
            IsRight(store, last, seen.Records, failure, false, name.Contains("newest", StringComparison.Ordinal), name.Contains("Tail", StringComparison.Ordinal));
        }
    }

    // No gap, no wrong value; everything that was there, or a beginning and the exception that says why not. A reading that had not begun yet when the writer was at work reads what there is now.
    private static void IsRight(NinoStore store, long last, List<(long Sequence, int Value)> seen, Exception? failure, bool isThrough, bool newestFirst, bool isFollowed)
    {
        Assert.True(failure is null or LogTruncatedException, failure?.ToString());
        if (isThrough) Assert.Null(failure);
        if (failure is LogTruncatedException truncated) Assert.Equal(store.FirstSequence, truncated.FirstSequence);
        Assert.All(seen, static record => Assert.Equal(record.Sequence, record.Value));
        for (int i = 1; i < seen.Count; i++) Assert.Equal(seen[i - 1].Sequence + (newestFirst ? -1 : 1), seen[i].Sequence);
        if (failure is not null) return;

        // Opened only when everything up to the end that it was told was removed.
        if (seen.Count == 0 && isFollowed && last < store.FirstSequence) return;
        Assert.NotEmpty(seen);
        (long low, long high) = newestFirst ? (seen[^1].Sequence, seen[0].Sequence) : (seen[0].Sequence, seen[^1].Sequence);
        Assert.True(high >= last, $"{high} is the last one read, and {last} was there");

        // From outside and newest first there is nothing older any more where the segments before were removed.
        if (low != 1) Assert.True(low == store.FirstSequence || (newestFirst && !isThrough), $"{low} is the first one read, and the log begins with {store.FirstSequence}");
    }

    private sealed class Standing(int before, Action stand)
    {
        public List<(long Sequence, int Value)> Records { get; } = [];

        public bool Stood { get; private set; }

        public void Add((long Sequence, int Value) record)
        {
            Records.Add(record);
            if (Records.Count != before) return;
            Stood = true;
            stand();
        }
    }
}
