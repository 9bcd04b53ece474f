using Store.IO;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Log;

/// <summary>Many threads at the moment in which the log ends, by disposing or by a failure: every wait ends, and every acknowledgement is true.</summary>
public class ThreadTests(ITestOutputHelper output)
{
    private const int Threads = 6;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task DisposingAmongAppendsEndsEveryWaitAndKeepsWhatWasAcknowledged()
    {
        int acknowledged = 0;
        for (int round = 0; round < 25; round++)
        {
            var directory = new SimDirectory();
            NinoStore store = Open(directory, round);
            var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            Task<List<(long, string)>>[] threads = Append(store, static e => e is ObjectDisposedException, begun);
            if (round % 5 > 0) await begun.Task.WaitAsync(Patience);
            await Task.Delay(round % 5);
            await store.DisposeAsync().AsTask().WaitAsync(Patience);
            acknowledged += await Check(directory, threads);
        }

        output.WriteLine($"{acknowledged} acknowledged records, 0 lost");
        Assert.True(acknowledged >= 20, "In four of five rounds one is acknowledged before the end.");
    }

    [Fact]
    public async Task AFailureAmongAppendsEndsEveryWaitAndKeepsWhatWasAcknowledged()
    {
        int acknowledged = 0;
        for (int round = 0; round < 25; round++)
        {
            var directory = new SimDirectory();
            var faulty = new FaultDirectory(directory, seed: round);
            NinoStore store = Open(faulty, round);
            faulty.Fault = new Fault(1 + round * 3, (FaultKind)(round % 4), IsForever: round % 2 == 0);
            Task<List<(long, string)>>[] threads = Append(store, static e => e is StoreFailedException { InnerException: InjectedFault });
            await Task.WhenAll(threads).WaitAsync(Patience);
            Assert.True(faulty.Failures > 0, $"round {round}: no call failed");
            Exception? disposing = await Record.ExceptionAsync(() => store.DisposeAsync().AsTask().WaitAsync(Patience));
            Assert.True(disposing is null or StoreFailedException, $"{disposing}");
            acknowledged += await Check(directory.KillProcess(), threads);
        }

        output.WriteLine($"{acknowledged} acknowledged records, 0 lost");
        Assert.True(acknowledged > 0);
    }

    private static NinoStore Open(IStoreDirectory directory, int seed) =>
        Simulated.Open(directory, seed, static o => o with { RunsInline = false, FlushIntervalMs = 1 });

    // Each thread appends, awaited and not, small records, batches and ones larger than the whole buffer, until the log ends.
    private static Task<List<(long, string)>>[] Append(NinoStore store, Func<Exception, bool> isTheEnd, TaskCompletionSource? begun = null) => [.. Enumerable.Range(0, Threads).Select(thread => Task.Run(async () =>
    {
        List<(long, string)> acknowledged = [];
        try
        {
            // Bounded: a fault that strikes once may strike the segment prepared ahead, which is no failure of the log.
            for (int i = 0; i < 1_000; i++)
            {
                string text = $"{thread}/{i}" + new string('x', i % 40 == 39 ? 300_000 : i % 500);
                switch ((i + thread) % 5)
                {
                    case 0:
                        acknowledged.Add((await store.AppendAsync(text), text));
                        begun?.TrySetResult();
                        break;
                    case 1:
                        long first = store.AppendBatch<string>([text, text]);
                        await store.CommitAsync();
                        acknowledged.AddRange([(first, text), (first + 1, text)]);
                        break;
                    case 2:
                        long sequence = store.Append(text);
                        store.Commit();
                        acknowledged.Add((sequence, text));
                        break;
                    default:
                        store.Append(text);
                        break;
                }
            }
        }
        catch (Exception e) when (isTheEnd(e))
        {
            // As expected, in the middle of something.
        }

        return acknowledged;
    }))];

    private static async Task<int> Check(IStoreDirectory directory, Task<List<(long, string)>>[] threads)
    {
        List<(long Sequence, string Text)>[] acknowledged = await Task.WhenAll(threads).WaitAsync(Patience);
        using NinoStore reopened = Simulated.Open(directory, seed: 1000);
        Dictionary<long, string> read = reopened.Read<string>().ToDictionary(static r => r.Sequence, static r => r.Value);
        foreach ((long sequence, string text) in acknowledged.SelectMany(static a => a)) Assert.Equal(text, read[sequence]);
        return acknowledged.Sum(static a => a.Count);
    }
}
