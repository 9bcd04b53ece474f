// What stays of the log for a keyed state while it is opened, and while what it cannot use is made anew?

using Store.Faster;
using Store.KeyValue;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;
using static Store.Tests.KeyValue.KeyValueHoldBed;

namespace Store.Tests.KeyValue;

public class KeyValueHoldTests(ITestOutputHelper output)
{
    /// <summary>At each of the calls that opening makes, somebody truncates the log as far as it lets them.</summary>
    [Fact]
    public async Task NothingOfTheLogIsRemovedWhileAKeyedStateIsOpened()
    {
        SimDirectory intact = await WithCheckpointsAsync(3);
        Damage(intact, ".manifest");
        int truncations = 0;
        for (int at = 1; ; at++)
        {
            using SimDirectory directory = intact.KillProcess();
            using NinoStore store = Simulated.Open(directory, 2);
            int calls = 0;
            long? first = null;
            directory.OnOperation = (_, _) =>
            {
                // Compared below: what is thrown here the opening may take for a failure of the disk.
                if (++calls == at) first = store.TruncateBefore(long.MaxValue).FirstSequence;
            };
            using (IKeyValueStore<int, string> kv = Open(store))
            {
                directory.OnOperation = null;
                Assert.True(kv.Recovery.RebuiltFromLog);
                Assert.Equal(40, kv.Count);
            }

            if (first is null) break;
            Assert.Equal(1, first);
            truncations++;
        }

        output.WriteLine($"{truncations} truncations");
        Assert.True(truncations > 10);
    }

    /// <summary>Recovery with less memory writes records to the disk. No space, a network file system that is gone (ESTALE, ETIMEDOUT), rights that were taken away (EACCES): whatever may pass costs no checkpoint.</summary>
    [Theory]
    [InlineData(nameof(FaultKind.NoSpace), null)]
    [InlineData(nameof(FaultKind.IoError), 116)]
    [InlineData(nameof(FaultKind.IoError), 110)]
    [InlineData(nameof(FaultKind.IoError), 13)]
    public async Task WhicheverCallFailsWhileOpeningForAWhileCostsNoCheckpoint(string kind, int? error)
    {
        using var intact = new SimDirectory();
        using (NinoStore store = Simulated.Open(intact))
        {
            using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny with { MemorySizeBytes = 256 * 1024 });
            for (int round = 0; round < 2; round++)
            {
                for (int i = 0; i < 40; i++) kv.Put(i, $"{round}.{i} {new string('v', 1000)}");
                await kv.CheckpointAsync();
            }
        }

        int failures = 0;
        for (int n = 1; ; n++)
        {
            using SimDirectory directory = intact.KillProcess();
            var faulty = new FaultDirectory(directory);
            using (NinoStore store = Simulated.Open(faulty, 2))
            {
                faulty.Fault = new Fault(n, Enum.Parse<FaultKind>(kind), Files: static file => file.StartsWith("kv-", StringComparison.Ordinal), Error: error);
                Exception? failure = Record.Exception(() => Open(store).Dispose());
                if (faulty.Failures == 0) break;
                faulty.Fault = null;
                Assert.True(failure is null || DiskTrouble.IsCauseOf(failure), $"Call {n}: {failure}");
                if (failure is not null) failures++;
            }

            // The newest too: one that was given up for the one before would be missed by nobody but the disk.
            Assert.Equal(Manifests(intact), Manifests(directory));

            using NinoStore again = Simulated.Open(directory, 3);
            using IKeyValueStore<int, string> kv = Open(again);
            Assert.Empty(kv.Recovery.Rejected);
            Assert.Equal((false, 0L), (kv.Recovery.RebuiltFromLog, kv.Recovery.ChangesReplayed));
            KeyValueBed.AssertHolds(kv, Enumerable.Range(0, 40).ToDictionary(static i => i, static i => $"1.{i} {new string('v', 1000)}"));
        }

        output.WriteLine($"{failures} openings failed");
        Assert.True(failures > 0);

        static string[] Manifests(SimDirectory directory) => [.. Files(directory).Where(static file => file.EndsWith(".manifest", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];
    }

    /// <summary>Other pages: the checkpoints cannot be used, and go. Whatever ends the replay behind that, the log has everything, and nobody cuts it.</summary>
    [Fact]
    public async Task WhereverMakingItAnewIsInterruptedTheLogIsKeptAgainBefore()
    {
        SimDirectory intact = await WithCheckpointsAsync(3);
        int states = 0, made = 0, seed = Effort.Seed(20261123);
        for (long at = 1; ; at++)
        {
            using SimDirectory directory = intact.KillProcess();
            directory.PowerOffAt = directory.OperationCount + at;
            var trouble = new DiskTrouble();
            try
            {
                using NinoStore store = Simulated.Open(directory, 2);
                using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, OtherPages);
                Assert.Equal(40, kv.Count);
            }
            catch (Exception e) when (trouble.Ends(e))
            {
                // What it left is opened below.
                trouble.ThrowOther();
            }

            foreach (SimDirectory crashed in directory.CrashStates(limit: 4, seed: seed + (int)at).Append(directory.KillProcess()))
            {
                // With checkpoints the log may be cut, and then only who can use them opens it; without them nobody cuts it, and anybody does.
                bool hasCheckpoints = Files(crashed).Any(static f => f.EndsWith(".manifest", StringComparison.Ordinal));
                if (!hasCheckpoints) made++;
                states++;
                using NinoStore store = Simulated.Open(crashed, 3);
                store.TruncateBefore(long.MaxValue);
                using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, hasCheckpoints || states % 2 == 0 ? KeyValueBed.Tiny : OtherPages);
                Assert.Equal(40, kv.Count);
                Assert.Equal("value 2 of 7", kv.TryGet(7, out string? value) ? value : null);
            }

            if (!directory.IsPowerOff) break;
        }

        Effort.Tell(output, "crash states", states, $"SEED={seed}", $"a keyed state that is made anew, and the log cut then, {made} without a checkpoint");
        Assert.True(states > 60 && made > 10, $"{states} states, {made} without a checkpoint");
    }

    /// <summary>So what they cover of the log may go as before, and whoever opens it as it was written has everything.</summary>
    [Fact]
    public async Task WhereMakingItAnewFailsTheCheckpointsAreThereYet()
    {
        using var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        using (IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, OtherPages))
        {
            for (int i = 0; i < 3; i++)
            {
                Fill(kv, $"value {i} of");
                kv.Put(1000, new string('x', 6000));
                RetentionTests.Grow(store, directory, RetentionTests.Segments(directory).Length + 1);
                await kv.CheckpointAsync();
            }
        }

        Assert.Throws<RecordTooLargeException>(() => Open(store));
        Assert.True(store.TruncateBefore(long.MaxValue).FirstSequence > 1);
        using IKeyValueStore<int, string> again = store.OpenKeyValue<int, string>(Name, OtherPages);
        Assert.Equal(41, again.Count);
        Assert.Equal("value 2 of 0", again.TryGet(0, out string? value) ? value : null);
    }

    [Fact]
    public async Task AKeyedStateThatIsOpenCannotBeForgotten()
    {
        SimDirectory directory = await WithCheckpointsAsync(1);
        using NinoStore store = Simulated.Open(directory, 2);
        using (Open(store)) Assert.Throws<InvalidOperationException>(() => store.ForgetKeyedState(Name));
        Assert.True(store.ForgetKeyedState(Name));
    }

    private static readonly FasterOptions OtherPages = KeyValueBed.Tiny with { PageSizeBytes = 8192, MemorySizeBytes = 32 * 1024 };
}
