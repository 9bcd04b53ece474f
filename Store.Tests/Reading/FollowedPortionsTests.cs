// A follower takes records out of the files in portions of about 1 MiB, whatever they are: a portion without anything wanted is no end.

using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Reading;

/// <summary>Followers in the process go on over everything they do not want: before a position, of other types, out of the range.</summary>
public class FollowedPortionsTests
{
    private const int Batch = 50_000, Position = 40_000;

    private static NinoStore Open(SimDirectory directory, int seed = 1) => Simulated.Open(directory, seed, static o => o with { BufferSizeBytes = 16 * 1024 * 1024 });

    // One frame of 2 MB, and a cursor in its middle; opened again, so that nothing is flushed any more.
    private static NinoStore OneLargeFrame(SimDirectory directory)
    {
        using (NinoStore store = Open(directory))
        {
            store.AppendBatch<string>([.. Enumerable.Range(1, Batch).Select(Text)]);
            Simulated.Commit(store);
            CursorTests.Commit(store.OpenCursor("mail"), Position);
        }

        return Open(directory, 2);
    }

    private static string Text(int n) => $"{n:D40}";

    // Everything runs on this thread: a step that is not completed at once waits for the log to go on.
    private static async Task<List<T>> WithoutWaitingAsync<T>(Func<CancellationToken, IAsyncEnumerable<T>> follow)
    {
        using var stop = new CancellationTokenSource();
        List<T> seen = [];
        await using IAsyncEnumerator<T> follower = follow(stop.Token).GetAsyncEnumerator(CancellationToken.None);
        while (true)
        {
            ValueTask<bool> next = follower.MoveNextAsync();
            if (!next.IsCompleted)
            {
                await stop.CancelAsync();
                await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await next);
                return seen;
            }

            if (!await next) return seen;
            seen.Add(follower.Current);
        }
    }

    [Fact]
    public async Task AFollowerBehindTheMiddleOfALargeFrameGetsItsRest()
    {
        using NinoStore store = OneLargeFrame(new SimDirectory());

        List<LogRecord<string>> seen = await WithoutWaitingAsync(stop => store.TailAsync<string>(store.OpenCursor("mail"), stop));

        Assert.Equal(Enumerable.Range(Position + 1, Batch - Position).Select(static n => ((long)n, Text(n))), seen.Select(static r => (r.Sequence, r.Value)));
    }

    [Fact]
    public async Task ARangeInTheEndOfALargeFrameIsReturnedAndEnds()
    {
        using NinoStore store = OneLargeFrame(new SimDirectory());
        var range = new ReadOptions { FromSequence = Position + 1, ToSequence = Batch };

        await using IAsyncEnumerator<LogRecord> follower = store.TailRecordsAsync(range).GetAsyncEnumerator();
        for (long expected = range.FromSequence; expected <= range.ToSequence; expected++)
        {
            Assert.True(await follower.MoveNextAsync(), $"ended before {expected}");
            Assert.Equal(expected, follower.Current.Sequence);
        }

        Assert.False(await follower.MoveNextAsync());
    }

    [Fact]
    public async Task ARangeWhoseTimeBeginsBehindItsLastSequenceEndsAtOnce()
    {
        using NinoStore store = RetentionTests.Grown(new SimDirectory(), segments: 4);
        var range = new ReadOptions { ToSequence = 5, FromTime = store.ReadRecords(store.LastSequence).Single().Timestamp };
        await using IAsyncEnumerator<LogRecord> follower = store.TailRecordsAsync(range).GetAsyncEnumerator();

        ValueTask<bool> next = follower.MoveNextAsync();

        Assert.True(next.IsCompleted);
        Assert.False(await next);
    }

    [Fact]
    public async Task LargeRecordsOfAnotherTypeAreNoEnd()
    {
        using NinoStore store = Open(new SimDirectory());
        byte[] large = new byte[1_200_000];
        for (int i = 1; i <= 6; i++)
        {
            store.Append(i);
            store.Append(large);
        }

        // Many frames of two other types, and one more that is wanted.
        string text = new('x', 8000);
        for (int i = 0; i < 150; i++)
        {
            store.Append(text);
            store.Append(i * 0.5);
        }

        store.Append(7);
        Simulated.Commit(store);

        Assert.Equal([1, 2, 3, 4, 5, 6, 7], (await WithoutWaitingAsync(stop => store.TailAsync<int>(1, stop))).Select(static r => r.Value));
    }

    [Fact]
    public async Task ClosingTheStoreEndsAFollowerBehindItsLastRecord()
    {
        NinoStore store = Open(new SimDirectory());
        store.Append(new byte[1_200_000]);
        store.Append(new byte[1_200_000]);
        store.Append(5);
        Simulated.Commit(store);
        await using IAsyncEnumerator<LogRecord<int>> follower = store.TailAsync<int>().GetAsyncEnumerator();
        ValueTask<bool> first = follower.MoveNextAsync();
        if (first.IsCompleted) Assert.True(await first);
        store.Dispose();
        if (!first.IsCompleted) Assert.True(await first, "ended before its last record");

        Assert.Equal(5, follower.Current.Value);
        Assert.False(await follower.MoveNextAsync());
    }

    [Fact]
    public async Task WhateverTheFramesAreAFollowerGetsWhatAReaderGets()
    {
        int seed = Effort.Seed(20261122), rounds = 6 * Math.Min(20, Effort.FlipScale);
        for (int round = 0; round < rounds; round++)
        {
            var random = new Random(seed + round);
            using NinoStore store = Open(new SimDirectory(), seed + round);
            Fill(store, random);
            LogRecord<string>[] all = [.. store.Read<string>()];
            for (int i = 0; i < 4; i++)
            {
                long from = random.NextInt64(1, store.LastSequence + 1);
                ReadOptions range = i == 0 ? ReadOptions.All : new ReadOptions { FromSequence = from, ToSequence = random.Next(3) == 0 ? long.MaxValue : random.NextInt64(from, store.LastSequence + 1) };
                if (all.Length > 0 && random.Next(4) == 0) range = range with { FromTime = all[random.Next(all.Length)].Timestamp };
                if (all.Length > 0 && random.Next(4) == 0) range = range with { ToTime = all[random.Next(all.Length)].Timestamp };
                string what = $"seed {seed + round}, {range}";
                Same(store.Read<string>(range).Select(static r => r.Sequence), (await WithoutWaitingAsync(stop => store.TailAsync<string>(range, stop))).Select(static r => r.Sequence), what);
                Same(store.ReadRecords(range).Select(static r => r.Sequence), (await WithoutWaitingAsync(stop => store.TailRecordsAsync(range, stop))).Select(static r => r.Sequence), what);
            }
        }

        static void Same(IEnumerable<long> read, IEnumerable<long> followed, string what)
        {
            long[] expected = [.. read], actual = [.. followed];
            Assert.True(expected.AsSpan().SequenceEqual(actual), $"{what}: {expected.Length} records are read and {actual.Length} followed");
        }
    }

    // Frames of one type and of several, from a few bytes to 3 MB, of records from a few bytes to 2 MB.
    private static void Fill(NinoStore store, Random random)
    {
        string text = new('x', 1_500_000);
        for (int step = random.Next(3, 9); step > 0; step--)
        {
            int length = random.Next(4) == 0 ? random.Next(text.Length) : random.Next(200);
            switch (random.Next(6))
            {
                case 0:
                    store.AppendBatch<string>([.. Enumerable.Repeat(text[..(length % 100)], random.Next(1, 5_000))]);
                    break;
                case 1:
                    store.AppendBatch<long>([.. Enumerable.Repeat(5L, random.Next(1, 5_000))]);
                    break;
                case 2:
                    store.Append(new byte[length]);
                    break;
                case 3:
                    for (int i = random.Next(300); i > 0; i--)
                    {
                        store.Append(text[..(length / 100)]);
                        store.Append(i);
                    }

                    break;
                case 4:
                    Simulated.Commit(store);
                    break;
                default:
                    store.Append(text[..length]);
                    break;
            }
        }

        Simulated.Commit(store);
    }
}
