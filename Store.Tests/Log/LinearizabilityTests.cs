using System.Collections.Concurrent;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Log;

/// <summary>
/// Real threads append, commit, read and truncate; every call's beginning and end are recorded, and the history is held against what one thread after another could have seen: sequences dense and in
/// the order of time, a read sees everything appended before it began and nothing that was not, a commit's records survive a power failure at the moment it returns.
/// </summary>
public class LinearizabilityTests(ITestOutputHelper output)
{
    [Fact]
    public void EveryHistoryOfThreadsIsOneOfALogUsedByOne()
    {
        int first = Effort.Seed(Environment.TickCount & 0xFFFFFF), calls = 0, commits = 0;
        for (int seed = first; seed < first + Effort.Histories; seed++)
        {
            var history = new History(seed);
            try
            {
                history.Run();
                (int made, int crashed) = history.Check();
                calls += made;
                commits += crashed;
            }
            catch (Exception e)
            {
                throw new InvalidOperationException($"history with seed {seed} (SEED={seed} HISTORIES=1 repeats its calls)", e);
            }
        }

        Effort.Tell(output, "histories", Effort.Histories, $"SEED={first}", $"{calls} calls of six threads, {commits} commits checked by a power failure");
    }

    private abstract record Call(long Begin, long End);

    private sealed record Appended(long Begin, long End, long Sequence, int[] Values) : Call(Begin, End);

    private sealed record Committed(long Begin, long End, SimDirectory Crashed) : Call(Begin, End);

    private sealed record Seen(long Begin, long End, long From, (long Sequence, int Value)[] Records, long TruncatedTo) : Call(Begin, End);

    private sealed record Truncated(long Begin, long End, long Before, long First) : Call(Begin, End);

    private sealed class History(int seed)
    {
        private const int CallsEach = 60;

        private readonly SimDirectory _directory = new();
        private readonly ConcurrentQueue<Call> _calls = [];
        private readonly ConcurrentQueue<Exception> _failures = [];
        private long _clock;
        private int _nextValue;

        public void Run()
        {
            using NinoStore store = Simulated.Open(_directory, seed, static o => o with { RunsInline = false, FlushIntervalMs = 1, SegmentSizeBytes = 64 * 1024 });
            Action<NinoStore, Random>[] roles = [Append, AppendLeased, AppendBatch, Commit, Read, Truncate];
            Thread[] threads = [.. roles.Select((role, number) => new Thread(() => Repeat(store, role, new Random((seed * 31) + number))))];
            foreach (Thread thread in threads) thread.Start();
            foreach (Thread thread in threads) thread.Join();
        }

        public (int Calls, int Commits) Check()
        {
            Assert.Empty(_failures);
            Appended[] appended = [.. _calls.OfType<Appended>().OrderBy(static c => c.Sequence)];
            long next = 1;
            Dictionary<long, (int Value, Appended Call)> log = [];
            foreach (Appended call in appended)
            {
                Assert.Equal(next, call.Sequence);
                foreach (int value in call.Values) log.Add(next++, (value, call));
            }

            // Whoever came back before another began has the lower sequences: the least beginning of what follows is never before the end of what precedes.
            long least = long.MaxValue;
            foreach (Appended call in appended.Reverse())
            {
                Assert.False(least < call.Begin && appended.Any(later => later.Sequence > call.Sequence && later.End < call.Begin), $"sequence {call.Sequence} was given after a later one was known");
                least = Math.Min(least, call.End);
            }

            foreach (Seen read in _calls.OfType<Seen>()) CheckRead(read, appended, log);
            CheckMonotone();
            foreach (Committed commit in _calls.OfType<Committed>()) CheckCommit(commit, appended, log);
            return (_calls.Count, _calls.OfType<Committed>().Count());
        }

        private void CheckRead(Seen read, Appended[] appended, Dictionary<long, (int Value, Appended Call)> log)
        {
            for (int i = 0; i < read.Records.Length; i++)
            {
                (long sequence, int value) = read.Records[i];
                if (i > 0) Assert.Equal(read.Records[i - 1].Sequence + 1, sequence);
                Assert.Equal(log[sequence].Value, value);
                Assert.True(log[sequence].Call.Begin < read.End, $"record {sequence} was read before it was appended");
            }

            // A reading that a truncation overtook ends early, and says so.
            if (read.TruncatedTo > 0) return;
            long mustReach = appended.Where(a => a.End < read.Begin).Select(static a => a.Sequence + a.Values.Length - 1).DefaultIfEmpty(0).Max();
            long reached = read.Records.Length > 0 ? read.Records[^1].Sequence : read.From - 1;
            Assert.True(reached >= Math.Min(mustReach, long.MaxValue) || mustReach < read.From, $"a read from {read.From} ended with {reached}, and {mustReach} was appended before it began");
            if (read.Records.Length == 0) return;
            long mayBegin = Math.Max(read.From, _calls.OfType<Truncated>().Where(t => t.Begin < read.End).Select(static t => t.First).DefaultIfEmpty(1).Max());
            long mustBegin = Math.Max(read.From, _calls.OfType<Truncated>().Where(t => t.End < read.Begin).Select(static t => t.First).DefaultIfEmpty(1).Max());
            Assert.InRange(read.Records[0].Sequence, mustBegin, mayBegin);
        }

        private void CheckMonotone()
        {
            // A read that began after another ended saw at least as much. A batch is seen whole or not at all.
            long reached = 0;
            foreach (Call call in _calls.OfType<Seen>().Where(static r => r.TruncatedTo == 0 && r.Records.Length > 0).OrderBy(static r => r.Begin))
            {
                var read = (Seen)call;
                Assert.True(read.Records[^1].Sequence >= reached, "a later read saw less");
                reached = read.Records[^1].Sequence;
            }

            foreach (Truncated truncation in _calls.OfType<Truncated>()) Assert.True(truncation.First <= Math.Max(truncation.Before, _calls.OfType<Truncated>().Where(t => t.Begin < truncation.End).Max(static t => t.Before)));
        }

        private static void CheckCommit(Committed commit, Appended[] appended, Dictionary<long, (int Value, Appended Call)> log)
        {
            long promised = appended.Where(a => a.End < commit.Begin).Select(static a => a.Sequence + a.Values.Length - 1).DefaultIfEmpty(0).Max();
            using NinoStore store = Simulated.Open(commit.Crashed, seed: 99);
            Assert.True(store.LastSequence >= promised, $"{promised} was appended before the commit began, and {store.LastSequence} survived");
            long next = store.FirstSequence;
            foreach (LogRecord<int> record in store.Read<int>()) Assert.Equal((next, log[next++].Value), (record.Sequence, record.Value));
            Assert.Equal(store.LastSequence + 1, next);
        }

        private void Repeat(NinoStore store, Action<NinoStore, Random> role, Random random)
        {
            try
            {
                for (int i = 0; i < CallsEach; i++)
                {
                    role(store, random);
                    if (random.Next(4) == 0) Thread.Yield();
                    else if (random.Next(16) == 0) Thread.SpinWait(random.Next(2000));
                }
            }
            catch (Exception e)
            {
                _failures.Enqueue(e);
            }
        }

        private long Now() => Interlocked.Increment(ref _clock);

        private void Append(NinoStore store, Random random)
        {
            int value = Interlocked.Increment(ref _nextValue);
            long begin = Now(), sequence = store.Append(value);
            _calls.Enqueue(new Appended(begin, Now(), sequence, [value]));
        }

        private void AppendLeased(NinoStore store, Random random)
        {
            using LogAppender<int> appender = store.OpenAppender<int>();
            for (int i = random.Next(1, 4); i > 0; i--)
            {
                int value = Interlocked.Increment(ref _nextValue);
                long begin = Now(), sequence = appender.Append(value);
                _calls.Enqueue(new Appended(begin, Now(), sequence, [value]));
            }
        }

        private void AppendBatch(NinoStore store, Random random)
        {
            int count = random.Next(1, 120), first = Interlocked.Add(ref _nextValue, count) - count + 1;
            int[] values = [.. Enumerable.Range(first, count)];
            long begin = Now(), sequence = store.AppendBatch<int>(values);
            _calls.Enqueue(new Appended(begin, Now(), sequence, values));
        }

        private void Commit(NinoStore store, Random random)
        {
            long begin = Now();
            if (random.Next(2) == 0) store.Commit();
            else store.CommitAsync().AsTask().GetAwaiter().GetResult();
            CrashImage image = _directory.TakeImage();
            long end = Now();
            _calls.Enqueue(new Committed(begin, end, image.Build(random.Next(2) == 0 ? image.NothingSurvives : CrashSampler.Draw(image, random))));
        }

        private void Read(NinoStore store, Random random)
        {
            long from = random.Next(3) == 0 ? 1 : random.NextInt64(1, store.LastSequence + 2), truncatedTo = 0;
            List<(long, int)> records = [];
            long begin = Now();
            try
            {
                foreach (LogRecord<int> record in store.Read<int>(from)) records.Add((record.Sequence, record.Value));
            }
            catch (LogTruncatedException e)
            {
                truncatedTo = e.FirstSequence;
            }

            _calls.Enqueue(new Seen(begin, Now(), from, [.. records], truncatedTo));
        }

        private void Truncate(NinoStore store, Random random)
        {
            if (random.Next(4) != 0) return;
            long before = random.NextInt64(1, store.LastSequence + 2), begin = Now();
            TruncateResult result = store.TruncateBefore(before);
            _calls.Enqueue(new Truncated(begin, Now(), before, result.FirstSequence));
        }
    }
}
