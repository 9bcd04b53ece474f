// One damage at a time, everywhere in a log, and everybody who reads it: what is returned is right and without a gap, and where it ends early there is an exception that says so.

using Store.IO;
using Store.Log;
using Store.Reading;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Reading;

public class LogReaderDamageTests(ITestOutputHelper output)
{
    private const int SectorBytes = 512, Records = 560, EdgeBytes = 500;

    private static readonly ReadOptions Forward = new() { ToSequence = Records };

    // Three segments with an index of several entries each, records of two types, frames of one and of several; closed.
    private static SimDirectory Stored()
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory, change: static o => o with { FirstSegmentSizeBytes = 104 * 1024, SegmentSizeBytes = 104 * 1024 });
        for (int i = 1; i <= Records; i++)
        {
            if (i % 2 == 0) store.Append(i);
            else store.Append($"{i} {new string('x', 900)}");
            if (i % 10 == 0) Simulated.Commit(store);
        }

        return directory;
    }

    private static ReadOptions[] RangesOf(NinoStore store)
    {
        LogRecord[] all = [.. store.ReadRecords()];
        Assert.Equal(Records, all.Length);
        DateTimeOffset from = all[150].Timestamp, to = all[450].Timestamp;
        Assert.True(to < all[^1].Timestamp);
        ReadOptions[] ranges =
        [
            Forward,
            Forward with { FromSequence = 230, ToSequence = 300 },
            Forward with { FromTime = from, ToTime = to },
            Forward.Of<int>(),
        ];
        return [.. ranges, .. ranges.Select(static r => r with { NewestFirst = true })];
    }

    [Fact]
    public async Task WhateverBitIsFlippedNobodyReadsOverAGap()
    {
        SimDirectory directory = Stored();
        Readers readers = new Readers(Simulated.Open(directory, 2));
        int cases = 0;
        foreach (long segment in RetentionTests.Segments(directory))
        {
            string name = SegmentFormat.Name(segment);
            byte[] whole = FileBytes.Of(directory, name);
            List<PlacedFrame> frames = Frames.WithPlaces(directory, segment);
            int end = whole.AsSpan().LastIndexOfAnyExcept((byte)0) + 1;
            using IStoreFile file = directory.OpenWrite(name);
            foreach (int bit in Bits(end))
            {
                cases++;
                file.Write([(byte)(whole[bit / 8] ^ (1 << (bit % 8)))], bit / 8);
                await readers.CheckAsync(directory, $"{name}, bit {bit}", new Damaged(frames, frames.Find(frame => frame.HoldsInPayload(bit / 8)), isLast: segment == 3));
                file.Write([whole[bit / 8]], bit / 8);
            }
        }

        Assert.True(readers.EndedByFrame > cases, $"{cases} cases, {readers.EndedByFrame} readings had to end at a flipped frame");
        Tell("bits flipped", cases, readers);
    }

    [Fact]
    public async Task WhateverSectorCannotBeReadNobodyReadsOverAGap()
    {
        SimDirectory directory = Stored();
        Assert.Equal(3, RetentionTests.Segments(directory).Length);
        var disk = new BadSectorDirectory(directory, SectorBytes);
        Readers readers = new Readers(Simulated.Open(disk, 2));
        int cases = 0, step = Math.Max(1, 11 / Effort.FlipScale);
        foreach (long segment in RetentionTests.Segments(directory))
        {
            string name = SegmentFormat.Name(segment);
            List<PlacedFrame> frames = Frames.WithPlaces(directory, segment);
            int end = FileBytes.Of(directory, name).AsSpan().LastIndexOfAnyExcept((byte)0) + 1, sectors = (end + SectorBytes - 1) / SectorBytes;
            for (int sector = 0; sector < sectors; sector += sector == 0 || sector + step >= sectors ? 1 : step)
            {
                cases++;
                disk.Spoil(name, (long)sector * SectorBytes);
                await readers.CheckAsync(disk, $"{name}, sector {sector}", new Damaged(frames, null, isLast: segment == 3));
                disk.Mend();
                Assert.Empty(disk.Deaths);
            }
        }

        Tell("damaged sectors", cases, readers);
    }

    // Where a segment begins and ends, more of them than between. FLIPS asks for more, in the end for all.
    private static IEnumerable<int> Bits(int end)
    {
        int edge = 8 * EdgeBytes, last = 8 * end, edgeStep = Math.Max(1, 199 / Effort.FlipScale), step = Math.Max(1, 19937 / Effort.FlipScale);
        for (int bit = 0; bit < last; bit += bit < edge || bit >= last - edge ? edgeStep : Math.Min(step, Math.Max(1, last - edge - bit))) yield return bit;
    }

    private void Tell(string what, int cases, Readers readers)
    {
        Assert.True(readers.Refused > 0 && readers.Ended > cases, $"{cases} cases, {readers.Refused} openings refused, {readers.Ended} readings ended early, {readers.Complete} complete, {readers.Waited} waited");
        Effort.Tell(output, what, cases, "no chance in it", $"read by everybody: {readers.Refused} openings refused, {readers.Ended} readings ended by an exception, {readers.Complete} complete, {readers.Waited} that wait for a writer");
    }

    /// <summary>Where the damage is: sequences of its segment and, of a flipped bit in the payload of records, of its frame, over which nobody can read.</summary>
    private sealed class Damaged(List<PlacedFrame> frames, PlacedFrame? frame, bool isLast)
    {
        public bool IsLast => isLast;

        public bool IsInSegment(long sequence) => sequence >= frames[0].Header.FirstSequence && sequence <= frames[^1].Header.LastSequence;

        public bool IsInBrokenFrame(long sequence) => frame is { Header.RecordCount: > 0 } broken && sequence >= broken.Header.FirstSequence && sequence <= broken.Header.LastSequence;
    }

    /// <summary>A store that was open before the damage, and everybody who opens the files behind it.</summary>
    private sealed class Readers
    {
        private readonly NinoStore _live;
        private readonly ReadOptions[] _ranges;
        private readonly Dictionary<long, LogRecord> _whole = [];
        private readonly long[][] _expected;

        public Readers(NinoStore live)
        {
            _live = live;
            _ranges = RangesOf(live);
            _expected = [.. _ranges.Select(range => live.ReadRecords(range).Select(static r => r.Sequence).ToArray())];
            foreach (LogRecord record in live.ReadRecords()) _whole[record.Sequence] = record with { Payload = record.Payload.ToArray() };
        }

        public int Refused { get; private set; }

        public int Ended { get; private set; }

        public int Complete { get; private set; }

        public int Waited { get; private set; }

        /// <summary>Readings that a flipped bit of a record in their range had to end, and did.</summary>
        public int EndedByFrame { get; private set; }

        private static bool IsSame(LogRecord one, LogRecord other) =>
            one.Timestamp == other.Timestamp && one.Schema.Fingerprint == other.Schema.Fingerprint && one.Payload.Span.SequenceEqual(other.Payload.Span);

        private static string Shape(LogRecord record) => $"{record.Timestamp.UtcTicks} {record.Schema.Name} {Convert.ToHexString(record.Payload.Span)}";

        public async Task CheckAsync(IStoreDirectory directory, string what, Damaged damaged)
        {
            await StoreAsync(_live, $"{what}, in the store that was open", damaged);
            NinoStore? opened = null;
            if (Record.Exception(() => opened = Simulated.Open(new LookOnly(directory), 3, static o => o with { ReadOnly = true })) is { } refusal)
            {
                Refused++;
                Assert.True(refusal is StoreException or IOException, $"{what}: {refusal}");
            }

            if (opened is not null)
            {
                await StoreAsync(opened, $"{what}, in one that was opened then", damaged, follows: false);
                opened.Dispose();
            }

            await OutsideAsync(directory, what, damaged);
        }

        private async Task StoreAsync(NinoStore store, string what, Damaged damaged, bool follows = true)
        {
            for (int i = 0; i < _ranges.Length; i++)
            {
                ReadOptions range = _ranges[i];
                Judge(i, $"{what}: {range}", damaged, () => store.ReadRecords(range));
                if (follows && !range.NewestFirst) await FollowAsync(i, $"{what}, following: {range}", damaged, stop => store.TailRecordsAsync(range, stop.Token), mayWait: false);
            }
        }

        // A StoreReader passes over damage and says so; its follower does not.
        private async Task OutsideAsync(IStoreDirectory directory, string what, Damaged damaged)
        {
            StoreReader reader;
            try
            {
                reader = StoreReader.Open(directory, "sim", null, static _ => false);
            }
            catch (Exception e) when (e is StoreException or IOException)
            {
                Refused++;
                return;
            }

            for (int i = 0; i < _ranges.Length; i++)
            {
                int told = 0;
                List<long> seen = [];
                Exception? failure = Record.Exception(() =>
                {
                    foreach (LogRecord record in reader.ReadRecords(_ranges[i], _ => told++)) Add(seen, record, what);
                });
                Assert.True(failure is null or IOException, $"{what}, from outside: {failure}");
                if (told == 0 && failure is null) Assert.True(_expected[i].AsSpan().SequenceEqual(seen.ToArray()), $"{what}, from outside: {_ranges[i]}: {seen.Count} of {_expected[i].Length} records, and nothing told");
                else if (failure is null) IsAllBesides(i, $"{what}, from outside: {_ranges[i]}", seen, damaged);
                else Assert.Equal(seen, _ranges[i].NewestFirst ? seen.OrderDescending() : seen.Order());
                if (_expected[i].Any(damaged.IsInBrokenFrame))
                {
                    Assert.True(told > 0 && !seen.Exists(damaged.IsInBrokenFrame), $"{what}, from outside: {_ranges[i]}: a frame with a flipped bit was read");
                    EndedByFrame++;
                }

                if (_ranges[i].NewestFirst) continue;
                var time = new Waits(mostWaits: 30);
                int at = i;
                await FollowAsync(i, $"{what}, following from outside: {_ranges[i]}", damaged, _ => Follow(reader, directory, _ranges[at], time), mayWait: damaged.IsLast);
            }
        }

        // What was told is why records are missing: those of the damaged segment, and of no other.
        private void IsAllBesides(int range, string what, List<long> seen, Damaged damaged)
        {
            HashSet<long> there = [.. seen];
            Assert.Equal(_expected[range].Where(there.Contains), seen);
            long[] lost = [.. _expected[range].Where(sequence => !there.Contains(sequence) && !damaged.IsInSegment(sequence))];
            Assert.True(lost.Length == 0, $"{what}: {string.Join(' ', lost.Take(50))} of whole segments are missing");
        }

        // As StoreReader.TailRecordsAsync, on a clock that does not wait.
        private static IAsyncEnumerable<LogRecord> Follow(StoreReader reader, IStoreDirectory directory, ReadOptions range, Waits time) =>
            reader.TailRecordsAsync(new FileFollower(directory, null, null, time), range, time.Stop);

        private async Task FollowAsync(int range, string what, Damaged damaged, Func<CancellationTokenSource, IAsyncEnumerable<LogRecord>> follow, bool mayWait)
        {
            using var stop = new CancellationTokenSource();
            List<long> seen = [];
            Exception? failure = await Record.ExceptionAsync(async () =>
            {
                await using IAsyncEnumerator<LogRecord> records = follow(stop).GetAsyncEnumerator(CancellationToken.None);
                while (true)
                {
                    ValueTask<bool> next = records.MoveNextAsync();

                    // In the process everything runs on this thread: it would wait for a flush that does not come.
                    if (!mayWait && !next.IsCompleted && !what.Contains("outside", StringComparison.Ordinal)) await stop.CancelAsync();
                    if (!await next) return;
                    Add(seen, records.Current, what);
                }
            });
            if (failure is OperationCanceledException)
            {
                Assert.True(mayWait, $"{what}: waits behind {(seen.Count == 0 ? 0 : seen[^1])}, and nothing is told");
                Waited++;
                IsPrefix(range, what, seen);
                IsBeforeTheFrame(range, what, seen, damaged);
                return;
            }

            Judge(range, what, damaged, seen, failure);
        }

        private void Judge(int range, string what, Damaged damaged, Func<IEnumerable<LogRecord>> read)
        {
            List<long> seen = [];
            Exception? failure = Record.Exception(() =>
            {
                foreach (LogRecord record in read()) Add(seen, record, what);
            });
            Judge(range, what, damaged, seen, failure);
        }

        private void Judge(int range, string what, Damaged damaged, List<long> seen, Exception? failure)
        {
            IsPrefix(range, what, seen);
            IsBeforeTheFrame(range, what, seen, damaged);
            if (failure is null)
            {
                Assert.True(seen.Count == _expected[range].Length, $"{what}: {seen.Count} of {_expected[range].Length} records, and no exception");
                Complete++;
                return;
            }

            Assert.True(failure is StoreException or IOException, $"{what}: {failure}");
            Ended++;
        }

        private void IsPrefix(int range, string what, List<long> seen) =>
            Assert.True(seen.Count <= _expected[range].Length && _expected[range].AsSpan(0, seen.Count).SequenceEqual(seen.ToArray()), $"{what}: a gap among {string.Join(' ', seen.Take(200))}");

        // A prefix that has nothing of the frame ends before it.
        private void IsBeforeTheFrame(int range, string what, List<long> seen, Damaged damaged)
        {
            if (!_expected[range].Any(damaged.IsInBrokenFrame)) return;
            Assert.False(seen.Exists(damaged.IsInBrokenFrame), $"{what}: a frame with a flipped bit was read");
            EndedByFrame++;
        }

        private void Add(List<long> seen, LogRecord record, string what)
        {
            seen.Add(record.Sequence);
            if (!IsSame(record, _whole[record.Sequence])) Assert.Fail($"{what}: record {record.Sequence} is {Shape(record)}");
        }
    }

    private sealed class LookOnly(IStoreDirectory directory) : LookOnlyDirectory(directory);

    /// <summary>A clock on which every wait is over at once; after so many the following is given up.</summary>
    private sealed class Waits(int mostWaits) : TimeProvider
    {
        private readonly CancellationTokenSource _stop = new();
        private int _waits;

        public CancellationToken Stop => _stop.Token;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            if (dueTime != Timeout.InfiniteTimeSpan)
            {
                if (++_waits == mostWaits) _stop.Cancel();
                else ThreadPool.QueueUserWorkItem(_ => callback(state));
            }

            return new Spent();
        }

        private sealed class Spent : ITimer
        {
            public bool Change(TimeSpan dueTime, TimeSpan period) => true;

            public void Dispose() { }

            public ValueTask DisposeAsync() => default;
        }
    }
}
