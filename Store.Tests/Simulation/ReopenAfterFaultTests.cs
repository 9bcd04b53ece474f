// Is it safe to open a store again after a failed sync? The system's cache then shows bytes that the disk does not have and that the next sync will not
// write; what was read from there and built upon must reach the disk all the same.

using Store.Tests.Log;
using Xunit.Abstractions;

namespace Store.Tests.Simulation;

public class ReopenAfterFaultTests(ITestOutputHelper output)
{
    [Fact]
    public void OpeningAgainAfterAFailedSyncWritesAnewWhatOnlyTheCacheHas()
    {
        for (var seed = 0; seed < 40; seed++)
        {
            var sim = new SimDirectory();
            var faulty = new FaultDirectory(sim, seed);
            var store = Simulated.Open(faulty);
            Append(store, 5);
            faulty.Fault = new Fault(1, FaultKind.IoError, Strikes: operation => operation == IoOperation.SyncData);
            Assert.Throws<StoreFailedException>(() => store.Commit());
            store.Dispose();
            GoOnAndLosePower(sim.KillProcess(), acknowledged: 0, seed);
        }
    }

    [Theory]
    [InlineData((int)FaultKind.IoError, false)]
    [InlineData((int)FaultKind.IoError, true)]
    [InlineData((int)FaultKind.NoSpace, true)]
    [InlineData((int)FaultKind.ReadOnlyFileSystem, true)]
    [InlineData((int)FaultKind.ShortWrite, false)]
    public void WhicheverCallFailedWhatTheReopenedStoreAcknowledgesIsDurable(int kind, bool isForever)
    {
        for (var at = 1; ; at++)
        {
            var sim = new SimDirectory();
            var faulty = new FaultDirectory(sim, seed: at) { Fault = new Fault(at, (FaultKind)kind, isForever) };
            var acknowledged = 0;
            var trouble = new DiskTrouble();
            try
            {
                using var store = Simulated.Open(faulty);
                for (var round = 0; round < 5; round++)
                {
                    Append(store, 4);
                    store.Commit();
                    acknowledged += 4;
                }
            }
            catch (Exception e) when (trouble.Ends(e))
            {
                trouble.ThrowOther();
                Assert.True(faulty.Failures > 0);
            }
            if (acknowledged == 20 && faulty.Failures == 0)
            {
                // No call of the whole life was left out.
                Effort.Tell(output, "injected faults", at - 1, "no chance in it", $"opened again after {(FaultKind)kind}{(isForever ? " for ever" : " once")}");
                Assert.True(at > 5);
                break;
            }
            Assert.True(faulty.Failures > 0, $"Call {at} was not met, and {acknowledged} records were acknowledged.");
            GoOnAndLosePower(sim.KillProcess(), acknowledged, at);
        }
    }

    /// <summary>Opens what a killed process left, appends, commits; then the power fails.</summary>
    private static void GoOnAndLosePower(SimDirectory left, int acknowledged, int seed)
    {
        using var store = Simulated.Open(left, seed: 2);
        Assert.True(store.LastSequence >= acknowledged, $"seed {seed}: {acknowledged} records were acknowledged, {store.LastSequence} are left");
        Append(store, 3);
        store.Commit();
        (long, string)[] expected = [.. Enumerable.Range(1, (int)store.LastSequence).Select(static n => ((long)n, Text(n)))];
        Assert.Equal(expected, store.Read<string>().Select(static r => (r.Sequence, r.Value)));
        foreach (var state in left.CrashStates(6, seed))
        {
            using var after = Simulated.Open(state, seed: 3);
            Assert.Equal(expected, after.Read<string>().Select(static r => (r.Sequence, r.Value)));
        }
    }

    private static void Append(NinoStore store, int count)
    {
        for (var i = 0; i < count; i++)
            store.Append(Text(store.LastSequence + 1));
    }

    private static string Text(long sequence) => $"record {sequence} {new string('x', 300)}";
}
