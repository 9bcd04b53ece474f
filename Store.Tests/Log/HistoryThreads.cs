// Threads at work on one open log: each has a role, repeats its calls, and writes down what it was told and when.

using System.Collections.Concurrent;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>The threads between one opening of a log and its end.</summary>
/// <param name="store">The open store.</param>
/// <param name="directory">Its disk, where a power failure is tried when a commit returns.</param>
/// <param name="seed">Of the calls.</param>
/// <param name="lastValue">Values begin above it.</param>
/// <param name="mayFail">True when a file call may fail meanwhile.</param>
/// <param name="copies">Where the store is copied and shipped to.</param>
internal sealed class HistoryThreads(NinoStore store, SimDirectory directory, int seed, int lastValue, bool mayFail, HistoryCopies copies)
{
    /// <summary>The cursors that a history has from its beginning on.</summary>
    public static readonly string[] CursorNames = ["one", "other"];

    private const int CallsEach = 16;

    private readonly LogCursor[] _cursors = [.. CursorNames.Select(name => store.OpenCursor(name))];
    private readonly ConcurrentQueue<HistoryCall> _calls = [];
    private readonly ConcurrentQueue<Exception> _failures = [];
    private long _clock;
    private int _lastValue = lastValue;

    /// <summary>How many calls were made.</summary>
    public int Calls => _calls.Count;

    /// <summary>The last value that was given to a record.</summary>
    public int LastValue => _lastValue;

    /// <summary>Works until every thread has made its calls.</summary>
    /// <returns>The calls.</returns>
    public HistoryCall[] Run()
    {
        Action<Random>[] roles = [Append, AppendLeased, AppendBatch, AppendExpected, AppendExpected, Commit, Commit, Read, ReadNewestFirst, Truncate, MoveCursor, MoveCursor, SeeCursor, BackUp, Ship];
        Thread[] threads = [.. roles.Select((role, number) => new Thread(() => Repeat(role, new Random((seed * 31) + number))))];
        foreach (Thread thread in threads) thread.Start();
        foreach (Thread thread in threads) thread.Join();
        Assert.Empty(_failures);
        foreach (LogCursor cursor in _cursors) _calls.Enqueue(new CursorSeenCall(Now(), Now(), cursor.Name, cursor.Position));
        return [.. _calls];
    }

    private void Repeat(Action<Random> role, Random random)
    {
        for (int i = 0; i < CallsEach; i++)
        {
            long begin = Now();
            try
            {
                role(random);
            }
            catch (StoreFailedException e) when (mayFail && DiskTrouble.IsCauseOf(e))
            {
                _calls.Enqueue(new FailedCall(begin, Now(), role.Method.Name));
            }
            catch (Exception e)
            {
                _failures.Enqueue(e);
                return;
            }

            if (random.Next(4) == 0) Thread.Yield();
            else if (random.Next(16) == 0) Thread.SpinWait(random.Next(2000));
        }
    }

    private long Now() => Interlocked.Increment(ref _clock);

    private int NewValue() => Interlocked.Increment(ref _lastValue);

    private void Append(Random random)
    {
        int value = NewValue();
        long begin = Now(), sequence = store.Append(value);
        _calls.Enqueue(new AppendedCall(begin, Now(), sequence, [value]));
    }

    private void AppendLeased(Random random)
    {
        using LogAppender<int> appender = store.OpenAppender<int>();
        for (int i = random.Next(1, 4); i > 0; i--)
        {
            int value = NewValue();
            long begin = Now(), sequence = appender.Append(value);
            _calls.Enqueue(new AppendedCall(begin, Now(), sequence, [value]));
        }
    }

    private void AppendBatch(Random random)
    {
        int[] values = NewValues(random.Next(1, 120));
        long begin = Now(), sequence = store.AppendBatch<int>(values);
        _calls.Enqueue(new AppendedCall(begin, Now(), sequence, values));
    }

    // Reads where the log ends, thinks a while, and wants the next sequence: so do its rivals.
    private void AppendExpected(Random random)
    {
        long expected = store.LastSequence + (random.Next(12) == 0 ? random.Next(2, 5) : 1);
        if (expected == 1 && random.Next(2) == 0) return;
        if (random.Next(3) == 0) Thread.SpinWait(random.Next(500));
        else if (random.Next(2) == 0) Thread.Sleep(0);
        int[] values = NewValues(random.Next(3) == 0 ? random.Next(2, 20) : 1);

        // A call that fails while it waits for the disk does not say whether its record has a sequence.
        bool isDurable = !mayFail && random.Next(4) == 0;
        long begin = Now();
        try
        {
            long sequence = values.Length > 1
                ? isDurable ? store.AppendBatchAsync<int>(values, expected).AsTask().GetAwaiter().GetResult() : store.AppendBatch<int>(values, expected)
                : isDurable ? store.AppendAsync(values[0], expected).AsTask().GetAwaiter().GetResult() : store.Append(values[0], expected);
            CrashImage? image = isDurable ? directory.TakeImage() : null;
            long end = Now();
            Assert.Equal(expected, sequence);
            _calls.Enqueue(new AppendedCall(begin, end, sequence, values));
            if (image is not null) _calls.Enqueue(new CommittedCall(begin, end, Crash(image, random), sequence + values.Length - 1));
        }
        catch (SequenceConflictException e)
        {
            Assert.Equal(expected, e.ExpectedSequence);
            _calls.Enqueue(new RefusedCall(begin, Now(), expected, e.NextSequence));
        }
    }

    private void Commit(Random random)
    {
        long begin = Now();
        if (random.Next(2) == 0) store.Commit();
        else store.CommitAsync().AsTask().GetAwaiter().GetResult();
        if (random.Next(2) == 0) return;
        CrashImage image = directory.TakeImage();
        _calls.Enqueue(new CommittedCall(begin, Now(), Crash(image, random)));
    }

    private void Read(Random random) => Read(random, newestFirst: false);

    private void ReadNewestFirst(Random random) => Read(random, newestFirst: true);

    private void Read(Random random, bool newestFirst)
    {
        long from = random.Next(3) == 0 ? 1 : random.NextInt64(1, store.LastSequence + 2), truncatedTo = 0;
        List<(long, int)> records = [];
        long begin = Now();
        try
        {
            foreach (LogRecord<int> record in store.Read<int>(new ReadOptions { FromSequence = from, NewestFirst = newestFirst })) records.Add((record.Sequence, record.Value));
        }
        catch (LogTruncatedException e)
        {
            truncatedTo = e.FirstSequence;
        }

        long end = Now();
        if (newestFirst) records.Reverse();
        _calls.Enqueue(new SeenCall(begin, end, from, [.. records], truncatedTo));
    }

    // Mostly near the log's end, so that it lets truncations get on; sometimes back.
    private void MoveCursor(Random random)
    {
        LogCursor cursor = _cursors[random.Next(_cursors.Length)];
        long last = store.LastSequence, sequence = random.Next(4) > 0 ? Math.Max(0, last - random.Next(40)) : random.NextInt64(0, last + 1), begin = Now();
        try
        {
            cursor.CommitAsync(sequence).AsTask().GetAwaiter().GetResult();
        }
        catch (LogTruncatedException e)
        {
            _calls.Enqueue(new CursorRefusedCall(begin, Now(), cursor.Name, sequence, e.FirstSequence));
            return;
        }

        _calls.Enqueue(new CursorMovedCall(begin, Now(), cursor.Name, sequence));
        if (random.Next(4) != 0) return;
        begin = Now();
        CrashImage image = directory.TakeImage();
        _calls.Enqueue(new CursorCrashedCall(begin, Now(), cursor.Name, Crash(image, random)));
    }

    private void SeeCursor(Random random)
    {
        LogCursor cursor = _cursors[random.Next(_cursors.Length)];
        long begin = Now(), position = random.Next(2) == 0 ? cursor.Position : store.Cursors.Single(c => c.Name == cursor.Name).Position;
        _calls.Enqueue(new CursorSeenCall(begin, Now(), cursor.Name, position));
    }

    // The first time to an empty folder, then only what is new.
    private void BackUp(Random random)
    {
        if (random.Next(4) != 0) return;
        long last = copies.LastCopied, begin = Now();
        if (copies.BackUp(store) is not { } result)
        {
            _calls.Enqueue(new CopyRefusedCall(begin, Now(), last));
            return;
        }

        SimDirectory copy = Crash(copies.Backup.TakeImage(), random);
        Assert.Empty(result.Omitted);
        _calls.Enqueue(new BackedUpCall(begin, Now(), result.FirstSequence, result.LastSequence, copy));
    }

    private void Ship(Random random)
    {
        if (random.Next(3) != 0) return;
        long begin = Now();
        if (copies.TryShip(store))
        {
            SimDirectory follower = Crash(copies.Follower.TakeImage(), random);
            _calls.Enqueue(new ShippedCall(begin, Now(), copies.LastShipped, follower));
            return;
        }

        _calls.Enqueue(new CopyRefusedCall(begin, Now(), copies.LastShipped));
        copies.BeginAnew(store);
    }

    private void Truncate(Random random)
    {
        if (random.Next(4) != 0) return;
        long before = random.NextInt64(1, store.LastSequence + 2), begin = Now();
        TruncateResult result = store.TruncateBefore(before);
        _calls.Enqueue(new TruncatedCall(begin, Now(), before, result.FirstSequence));
    }

    private int[] NewValues(int count)
    {
        int first = Interlocked.Add(ref _lastValue, count) - count + 1;
        return [.. Enumerable.Range(first, count)];
    }

    private static SimDirectory Crash(CrashImage image, Random random) => image.Build(random.Next(2) == 0 ? image.NothingSurvives : CrashSampler.Draw(image, random));
}
