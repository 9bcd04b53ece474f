using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Log;

/// <summary>Every file call fails once, or from then on, in every way. Nothing acknowledged may be lost, and nobody may be told that something is durable that is not.</summary>
public class FaultTests(ITestOutputHelper output)
{
    public static TheoryData<int, bool> Faults
    {
        get
        {
            TheoryData<int, bool> data = [];
            foreach (FaultKind kind in Enum.GetValues<FaultKind>())
            {
                data.Add((int)kind, false);
                data.Add((int)kind, true);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Faults))]
    public void WhicheverCallFailsNothingAcknowledgedIsLost(int kind, bool isForever)
    {
        int failed = 0, cases = 0, first = Effort.Seed(1), wanted = Effort.Faults / 8, seed = first;
        for (; seed < first + 6 || failed < wanted; seed++)
        {
            for (long at = 1; ; at++)
            {
                var disk = new SimDirectory();
                var faulty = new FaultDirectory(disk, seed) { Fault = new Fault(at, (FaultKind)kind, isForever) };
                (int acknowledged, int appended) = Work(faulty, seed);
                if (faulty.Failures == 0) break;
                failed++;

                // The process dies, or the power fails: either way the acknowledged records are there.
                foreach (SimDirectory after in disk.CrashStates(limit: 2, seed + (int)at).Append(disk.KillProcess()))
                {
                    cases++;
                    using NinoStore store = Simulated.Open(after, seed: 99);
                    int[] read = [.. store.Read<int>().Select(r => r.Value)];
                    Assert.InRange(read.Length, acknowledged, appended);
                    Assert.Equal(Enumerable.Range(1, read.Length), read);
                }
            }
        }

        Effort.Tell(output, "injected faults", failed, $"SEED={first}", $"{(FaultKind)kind}{(isForever ? " for ever" : " once")}, seeds to {seed - 1}, {cases} states opened afterwards");
        Assert.True(failed > 50);
    }

    [Fact]
    public void AFailedSyncStopsTheLogForGood()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        NinoStore store = Simulated.Open(faulty);
        store.Append(1);
        faulty.Fault = new Fault(1, FaultKind.IoError, Strikes: static operation => operation == IoOperation.SyncData);

        StoreFailedException first = Assert.Throws<StoreFailedException>(() => Commit(store));
        Assert.IsType<InjectedFault>(first.InnerException);

        // The fault struck once; a retry would succeed and lie. So there is none.
        Assert.Same(first.InnerException, Assert.Throws<StoreFailedException>(() => store.Append(2)).InnerException);
        Assert.Throws<StoreFailedException>(() => Commit(store));
        Assert.Equal(0, store.DurableSequence);
        store.Dispose();
    }

    [Fact]
    public void DisposingTellsOfAFailureThatNobodyWasToldOf()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        NinoStore store = Simulated.Open(faulty);
        store.Append(1);
        faulty.Fault = new Fault(1, FaultKind.NoSpace, IsForever: true);

        Assert.IsType<InjectedFault>(Assert.Throws<StoreFailedException>(store.Dispose).InnerException);
    }

    [Fact]
    public void EveryAcknowledgedCommitWasPrecededByASyncOfEverythingWritten()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        using NinoStore store = Simulated.Open(faulty);
        int commits = 0;
        for (int i = 0; i < 2000; i++)
        {
            store.Append(new string('x', i % 50));
            if (i % 7 != 0) continue;
            Commit(store);
            commits++;
            Assert.Empty(faulty.Trace.UnsyncedFiles(faulty.Trace.Now, faulty.Trace.Now));
            Assert.Equal([], faulty.Trace.UnsyncedNames(faulty.Trace.Now, faulty.Trace.Now).Except(["store.lock"]));
        }

        output.WriteLine($"{commits} commits, 0 acknowledged without a sync of every byte and name before");
    }

    // Appends, commits, rolls over segments, reopens. Returns what was acknowledged when the fault stopped it, and what was tried.
    private static (int Acknowledged, int Appended) Work(FaultDirectory faulty, int seed)
    {
        int acknowledged = 0, appended = 0;
        var random = new Random(seed);
        var trouble = new DiskTrouble();
        try
        {
            for (int opening = 0; opening < 2; opening++)
            {
                using (NinoStore store = Simulated.Open(faulty, seed + opening))
                {
                    for (int step = 0; step < 12; step++)
                    {
                        if (random.Next(3) == 0)
                        {
                            int[] batch = [.. Enumerable.Range(appended + 1, 300)];
                            appended += batch.Length;
                            store.AppendBatch<int>(batch);
                        }
                        else
                        {
                            store.Append(++appended);
                        }

                        if (random.Next(3) != 0) continue;
                        Commit(store);
                        acknowledged = appended;
                    }
                }

                acknowledged = appended;
            }
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            // The typed failure that was asked for; anything else fails the test.
            trouble.ThrowOther();
        }

        return (acknowledged, appended);
    }

    private static void Commit(NinoStore store)
    {
        ValueTask commit = store.CommitAsync();
        Assert.True(commit.IsCompleted);
#pragma warning disable xUnit1031 // completed: the flusher runs inline
        commit.AsTask().GetAwaiter().GetResult();
#pragma warning restore xUnit1031
    }
}
