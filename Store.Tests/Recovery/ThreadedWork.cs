// What do threads do with one open log, all at once? Each has a role, repeats its calls, and tells the promises what it was told, as soon as it was.

using System.Collections.Concurrent;
using Store.Tests.Simulation;

namespace Store.Tests.Recovery;

/// <summary>The threads between one opening of a log and its end.</summary>
/// <param name="store">The open store.</param>
/// <param name="records">Which records they append.</param>
/// <param name="promises">What they are told.</param>
/// <param name="tally">Counts.</param>
/// <param name="seed">Of the calls.</param>
/// <param name="isDisk">What an awaited append waits for: the disk, or the operating system.</param>
/// <param name="mayFail">True when a call of the disk may fail meanwhile, or the power.</param>
/// <param name="isAlone">True when one waits and nobody else does.</param>
internal sealed class ThreadedWork(NinoStore store, ThreadedRecords records, ThreadedPromises promises, ThreadedTally tally, int seed, bool isDisk, bool mayFail, bool isAlone)
{
    private const int CallsEach = 14;

    private static readonly Role[] Roles =
    [
        new("append", static (work, random, author) => work.Append(random, author)),
        new("append", static (work, random, author) => work.Append(random, author)),
        new("append by lease", static (work, random, author) => work.AppendLeased(random, author)),
        new("append by lease", static (work, random, author) => work.AppendLeased(random, author)),
        new("append batches", static (work, random, author) => work.AppendBatch(random, author)),
        new("append where they expect", static (work, random, author) => work.AppendExpected(random, author)),
        new("append where they expect", static (work, random, author) => work.AppendExpected(random, author)),
        new("append and wait", static (work, random, author) => work.AppendAwaitedAsync(random, author).GetAwaiter().GetResult()),
        new("append and wait", static (work, random, author) => work.AppendAwaitedAsync(random, author).GetAwaiter().GetResult()),
        new("commit", static (work, random, _) => work.Commit(random)),
        new("commit", static (work, random, _) => work.Commit(random)),
        new("read", static (work, random, _) => work.Read(random)),
        new("truncate", static (work, random, _) => work.Truncate(random)),
    ];

    private static readonly Role[] AloneRoles =
    [
        new("append", static (work, random, author) => work.Append(random, author)),
        new("wait alone", static (work, random, author) => work.AwaitAloneAsync(random, author).GetAwaiter().GetResult()),
    ];

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    // What a thread does, again and again: its name says it.
    private sealed record Role(string Name, Action<ThreadedWork, Random, ThreadedAuthor> Act);

    private readonly ConcurrentQueue<Exception> _failures = [];
    private volatile bool _wasTold;

    /// <summary>True for a thread of that name.</summary>
    public static bool Has(string name) => Roles.Concat(AloneRoles).Any(role => role.Name == name);

    /// <summary>True when some call was told that the log has failed.</summary>
    public bool WasTold => _wasTold;

    /// <summary>True when a thread did not come back: closing the log might not either.</summary>
    public bool Hangs { get; private set; }

    /// <summary>Works until every thread has made its calls, or was told that the log has failed.</summary>
    public void Run()
    {
        Role[] roles = isAlone ? AloneRoles : Roles;
        using var begin = new Barrier(roles.Length);
        Thread[] threads = [.. roles.Select((role, number) =>
        {
            ThreadedAuthor author = records.NewAuthor();
            return new Thread(() => Repeat(role, author, new Random((seed * 37) + number), begin)) { IsBackground = true, Name = role.Name };
        })];
        foreach (Thread thread in threads) thread.Start();
        foreach (Thread thread in threads)
        {
            Hangs = !thread.Join(Patience);
            Assert.False(Hangs, $"a thread hangs that was to {thread.Name}");
        }

        if (!_failures.IsEmpty) throw new AggregateException(_failures);
    }

    private void Repeat(Role role, ThreadedAuthor author, Random random, Barrier begin)
    {
        try
        {
            begin.SignalAndWait();
            for (int i = 0; i < CallsEach; i++)
            {
                try
                {
                    role.Act(this, random, author);
                }
                catch (Exception e) when (mayFail && DiskTrouble.IsCauseOf(e))
                {
                    // A reader and a truncation may fail while the log does not. Who is told that it has finds that it accepts nothing more.
                    tally.Add("calls that failed");
                    if (e is StoreFailedException)
                    {
                        _wasTold = true;
                        AcceptsNothing(author);
                        return;
                    }
                }

                if (random.Next(3) == 0) Thread.Yield();
                else if (random.Next(12) == 0) Thread.Sleep(1);
                else if (random.Next(12) == 0) Thread.SpinWait(random.Next(4000));
            }
        }
        catch (Exception e)
        {
            _failures.Enqueue(e);
        }
    }

    private void AcceptsNothing(ThreadedAuthor author)
    {
        long id = author.Next();
        author.Refused(id);
        Assert.Throws<StoreFailedException>(() => store.Append(id));
        Assert.Throws<StoreFailedException>(store.Commit);
        Assert.Throws<StoreFailedException>(() => store.CommitAsync().AsTask().GetAwaiter().GetResult());
    }

    private void Append(Random random, ThreadedAuthor author)
    {
        for (int i = random.Next(1, 12); i > 0; i--)
        {
            long id = author.Next();
            bool isText = random.Next(2) == 0;
            Sync(author, [id], () => isText ? store.Append(ThreadedRecords.TextOf(id)) : store.Append(id));
        }
    }

    // Long enough that the way in is given, and taken by the others.
    private void AppendLeased(Random random, ThreadedAuthor author)
    {
        if (random.Next(2) == 0)
        {
            using LogAppender<long> appender = store.OpenAppender<long>();
            for (int i = random.Next(1, 90); i > 0; i--)
            {
                long id = author.Next();
                records.IsAt(appender.Append(id), id);
            }
        }
        else
        {
            using LogAppender<string> appender = store.OpenAppender<string>();
            for (int i = random.Next(1, 30); i > 0; i--)
            {
                long id = author.Next();
                records.IsAt(appender.Append(ThreadedRecords.TextOf(id)), id);
            }
        }

        tally.Add("leases");
    }

    private void AppendBatch(Random random, ThreadedAuthor author)
    {
        long[] ids = author.Next(random.Next(1, random.Next(4) == 0 ? 120 : 20));
        if (random.Next(3) == 0) Told(ids, store.AppendBatchAsync<long>(ids).AsTask().GetAwaiter().GetResult(), isDisk);
        else if (random.Next(2) == 0) Sync(author, ids, () => store.AppendBatch<long>(ids));
        else Sync(author, ids, () => store.AppendBatch<string>([.. ids.Select(ThreadedRecords.TextOf)]));
    }

    // Two of them are rivals for the next sequence, and everybody else is too.
    private void AppendExpected(Random random, ThreadedAuthor author)
    {
        long[] ids = author.Next(random.Next(3) == 0 ? random.Next(2, 9) : 1);
        long expected = store.LastSequence + 1;
        if (random.Next(3) == 0) Thread.SpinWait(random.Next(500));
        try
        {
            if (random.Next(3) == 0) Told(ids, (ids.Length == 1 ? store.AppendAsync(ids[0], expected) : store.AppendBatchAsync<long>(ids, expected)).AsTask().GetAwaiter().GetResult(), isDisk);
            else Sync(author, ids, () => ids.Length == 1 ? store.Append(ids[0], expected) : store.AppendBatch<long>(ids, expected));
            Assert.True(records.Known >= expected);
            tally.Add("expected sequences");
        }
        catch (SequenceConflictException)
        {
            author.Refused(ids);
            tally.Add("sequences that rivals lost");
        }
    }

    private async Task AppendAwaitedAsync(Random random, ThreadedAuthor author)
    {
        if (random.Next(3) == 0)
        {
            // Several at once, of which one is awaited after the other: what they say comes in any order.
            (long Id, Task<long> Wait)[] waits = [.. Enumerable.Range(0, random.Next(2, 14)).Select(_ => author.Next()).Select(id => (id, store.AppendAsync(ThreadedRecords.TextOf(id)).AsTask()))];
            await Task.WhenAll(waits.Select(async wait => Told([wait.Id], await wait.Wait.ConfigureAwait(false), isDisk))).ConfigureAwait(false);
            tally.Add("bunches of awaited appends");
            return;
        }

        // The token gives up the wait, never the record, which is appended when the call returns.
        using var token = new CancellationTokenSource();
        long one = author.Next();
        ValueTask<long> append = store.AppendAsync(one, random.Next(2) == 0 ? token.Token : CancellationToken.None);
        if (random.Next(3) == 0) token.CancelAfter(random.Next(3));
        try
        {
            Told([one], await append.ConfigureAwait(false), isDisk);
            tally.Add("awaited appends");
        }
        catch (OperationCanceledException)
        {
            tally.Add("waits given up");
        }
    }

    // He goes on on the thread that wrote for him, and asks for the next from there.
    private async Task AwaitAloneAsync(Random random, ThreadedAuthor author)
    {
        for (int i = random.Next(2, 9); i > 0; i--)
        {
            long[] ids = author.Next(random.Next(4) == 0 ? random.Next(2, 30) : 1);
            long sequence = await (ids.Length == 1 ? store.AppendAsync(ids[0]) : store.AppendBatchAsync<long>(ids)).ConfigureAwait(false);
            Told(ids, sequence, isDisk);
            if (Thread.CurrentThread.IsThreadPoolThread) tally.Add("waits that ended on the pool");
        }
    }

    private void Commit(Random random)
    {
        long known = records.Known;
        switch (random.Next(5))
        {
            case < 2:
                store.Commit();
                break;
            case 2:
                store.CommitAsync().AsTask().GetAwaiter().GetResult();
                break;
            case 3:
                store.Opened.Log.Wait(Durability.PageCache);
                promises.InFiles(known);
                return;
            default:
                using (var token = new CancellationTokenSource())
                {
                    ValueTask commit = store.CommitAsync(token.Token);
                    if (random.Next(2) == 0) token.CancelAfter(random.Next(3));
                    try
                    {
                        commit.AsTask().GetAwaiter().GetResult();
                    }
                    catch (OperationCanceledException)
                    {
                        tally.Add("waits given up");
                        return;
                    }
                }

                break;
        }

        promises.Durable(known);
        tally.Add("commits");
    }

    // What is read is in the files: a reader flushes by itself, on its own thread.
    private void Read(Random random)
    {
        long known = records.Known, from = random.Next(3) == 0 ? 1 : random.NextInt64(1, known + 2), last = from - 1, next = 0;
        bool newestFirst = random.Next(3) == 0;
        try
        {
            foreach (LogRecord record in store.ReadRecords(new ReadOptions { FromSequence = from, NewestFirst = newestFirst }))
            {
                if (next != 0) Assert.Equal(next, record.Sequence);
                next = record.Sequence + (newestFirst ? -1 : 1);
                last = Math.Max(last, record.Sequence);
                records.IsAt(record.Sequence, ThreadedRecords.IdOf(in record));
            }

            Assert.True(last >= known, $"a read from {from} ended with {last}, and {known} was known before it began");
        }
        catch (LogTruncatedException)
        {
            tally.Add("readings that a truncation ended");
        }
        finally
        {
            if (last >= from) promises.InFiles(last);
        }

        tally.Add("readings");
    }

    private void Truncate(Random random)
    {
        if (random.Next(4) != 0) return;
        long first = store.FirstSequence, before = first + random.NextInt64((store.LastSequence - first + 2) / 2);
        promises.Truncating(before);
        long now = store.TruncateBefore(before).FirstSequence;
        promises.Truncated(now);
        if (now > first) tally.Add("truncations");
    }

    private void Sync(ThreadedAuthor author, long[] ids, Func<long> append)
    {
        long sequence;
        try
        {
            sequence = append();
        }
        catch (StoreFailedException)
        {
            // Nothing was waited for but room: a call that was refused has appended nothing.
            author.Refused(ids);
            throw;
        }

        Place(ids, sequence);
    }

    private void Told(long[] ids, long sequence, bool onDisk)
    {
        if (onDisk) promises.Durable(sequence + ids.Length - 1);
        else promises.InFiles(sequence + ids.Length - 1);
        Place(ids, sequence);
    }

    private void Place(long[] ids, long sequence)
    {
        foreach (long id in ids) records.IsAt(sequence++, id);
    }
}
