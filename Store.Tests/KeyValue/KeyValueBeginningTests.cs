// Where does a keyed state begin that is opened for the first time in a store whose first records are gone, and what is not taken for such a one?

using Store.IO;
using Store.KeyValue;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Store.Tests.State;
using Xunit.Abstractions;
using static Store.Tests.KeyValue.KeyValueHoldBed;

namespace Store.Tests.KeyValue;

public class KeyValueBeginningTests(ITestOutputHelper output)
{
    [Fact]
    public async Task AFirstKeyedStateInALogWithoutItsBeginningIsEmptyAndWhole()
    {
        using var directory = new SimDirectory();
        long began;
        using (NinoStore store = Truncated(directory))
        {
            using IKeyValueStore<int, string> kv = Open(store);
            Assert.Equal(0, kv.Count);
            began = store.LastSequence;
            Fill(kv, "a");
            Assert.Contains($"the keyed state 'state', after record {began}", store.TruncateBefore(long.MaxValue).HeldBy, StringComparison.Ordinal);
        }

        // No checkpoint yet, and no other name is new to the log: nothing is known of what it lacks.
        using (NinoStore store = Simulated.Open(directory, 2))
        {
            using IKeyValueStore<int, string> kv = Open(store);
            Assert.Equal(40, kv.Count);
            Assert.Equal(40, kv.Recovery.ChangesReplayed);
            await kv.CheckpointAsync();
            Fill(kv, "b");
        }

        // A checkpoint that is damaged is no loss while the log reaches back to where the state began.
        Damage(directory, ".manifest");
        using (NinoStore store = Simulated.Open(directory, 3))
        {
            using IKeyValueStore<int, string> kv = Open(store);
            Assert.Single(kv.Recovery.Rejected);
            Assert.True(kv.Recovery.RebuiltFromLog);
            Assert.Equal("b 7", kv.TryGet(7, out string? value) ? value : null);
            Assert.Equal(began, Mark.Read(directory));
            RetentionTests.Grow(store, directory, RetentionTests.Segments(directory).Length + 3);
            for (int i = 0; i < 2; i++)
            {
                kv.Put(i, "c");
                await kv.CheckpointAsync();
            }

            Assert.True(store.TruncateBefore(long.MaxValue).FirstSequence > began + 1);
        }

        // But it is when that was removed for it: refused, and nothing is touched.
        Damage(directory, ".manifest");
        using (NinoStore store = Simulated.Open(directory, 4))
        {
            StoreCorruptException refused = Assert.Throws<StoreCorruptException>(() => Open(store));
            Assert.Contains($"needs the log from record {began + 1} on", refused.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task AForgottenKeyedStateIsNotTakenForANewOneWhileSomethingIsLeftOfIt(bool ofItsFiles)
    {
        SimDirectory directory = await WithCheckpointsAsync(3);
        using NinoStore store = Simulated.Open(directory, 2);
        using (IKeyValueStore<int, string> last = Open(store)) Fill(last, "last");
        Simulated.Commit(store);
        Assert.True(store.ForgetKeyedState(Name));
        if (ofItsFiles)
        {
            // All its changes go.
            RetentionTests.Grow(store, directory, RetentionTests.Segments(directory).Length + 2);
            Assert.True(store.TruncateBefore(long.MaxValue).SegmentsRemoved > 0);
            Damage(directory, ".manifest");
        }
        else
        {
            Assert.True(store.TruncateBefore(long.MaxValue).SegmentsRemoved > 0);
            foreach (string file in Files(directory)) directory.Delete(file);
        }

        StoreCorruptException refused = Assert.Throws<StoreCorruptException>(() => Open(store));
        Assert.Contains("needs the log from record 1 on", refused.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(NinoStore.ForgetKeyedState), refused.Message, StringComparison.Ordinal);

        // Being refused, it does not hold the log.
        Assert.Null(store.TruncateBefore(long.MaxValue).HeldBy);
        Assert.False(store.ForgetKeyedState(Name));
        if (!ofItsFiles) return;

        // Without anything of it, it is a new one.
        foreach (string file in Files(directory)) directory.Delete(file);
        using IKeyValueStore<int, string> kv = Open(store);
        Assert.Equal(0, kv.Count);
    }

    /// <summary>Its files came back, from a copy say: they know nothing of what was forgotten, and the log that would show it is gone.</summary>
    [Fact]
    public async Task ACheckpointOfAnEarlierStateOfTheNameIsNotTakenForOneOfThis()
    {
        SimDirectory directory = await WithCheckpointsAsync(2);
        Dictionary<string, byte[]> earlier = Files(directory).ToDictionary(static f => f, directory.Bytes);
        using NinoStore store = Simulated.Open(directory, 2);
        Assert.True(store.ForgetKeyedState(Name));
        foreach (string file in earlier.Keys) directory.Delete(file);
        RetentionTests.Grow(store, directory, RetentionTests.Segments(directory).Length + 2);
        Assert.True(store.TruncateBefore(long.MaxValue).SegmentsRemoved > 0);
        using (IKeyValueStore<int, string> anew = Open(store)) anew.Put(1000, "anew");
        Simulated.Commit(store);
        foreach (string file in Files(directory)) directory.Delete(file);
        foreach ((string file, byte[] bytes) in earlier)
        {
            using IStoreFile back = directory.Create(file);
            back.Write(bytes, 0);
        }

        using IKeyValueStore<int, string> kv = Open(store);
        Assert.Equal(new Dictionary<int, string> { [1000] = "anew" }, Content(kv));
        Assert.Equal(2, kv.Recovery.Rejected.Count);
        Assert.All(kv.Recovery.Rejected, static rejected => Assert.Contains("that of an earlier one of the name", rejected.Message, StringComparison.Ordinal));
    }

    /// <summary>A first opening, and the store's first truncation, at once: whichever is first, the state knows where it begins.</summary>
    [Fact]
    public async Task AFirstOpeningBesideATruncationUnderWayWaitsForIt()
    {
        using var directory = new SimDirectory();
        using var isUnderWay = new ManualResetEventSlim();
        using var mayGoOn = new ManualResetEventSlim();
        using var held = new HeldDirectory(directory, LogStart.FileName, () =>
        {
            isUnderWay.Set();
            Assert.True(mayGoOn.Wait(TimeSpan.FromSeconds(30)));
        });
        using (NinoStore store = RetentionTests.Grown(held, segments: 4))
        {
            Task<TruncateResult> truncation = Task.Run(() => store.TruncateBefore(long.MaxValue));
            Assert.True(isUnderWay.Wait(TimeSpan.FromSeconds(30)));
            Task<IKeyValueStore<int, string>> opening = Task.Run(() => Open(store));
            await Task.Delay(50);
            Assert.False(opening.IsCompleted);
            mayGoOn.Set();
            Assert.True((await truncation).FirstSequence > 1);
            using IKeyValueStore<int, string> kv = await opening;
            Fill(kv, "a");
        }

        using NinoStore again = Simulated.Open(directory, 2);
        using IKeyValueStore<int, string> reopened = Open(again);
        Assert.Equal(40, reopened.Count);
    }

    /// <summary>Its mark is ahead of what is left: where it began is lost too, and whatever is changed from here on counts.</summary>
    [Fact]
    public void AKeyedStateThatBeganBehindWhatASalvageLeftBeginsThere()
    {
        using var directory = new SimDirectory();
        long began;
        using (NinoStore store = Truncated(directory))
        {
            RetentionTests.Grow(store, directory, segments: 3);
            using IKeyValueStore<int, string> kv = Open(store);
            began = store.LastSequence;
            Fill(kv, "a");
        }

        string last = directory.List().Select(static f => f.Name).Where(static f => f.StartsWith("segment-", StringComparison.Ordinal)).Max(StringComparer.Ordinal)!;
        directory.Delete(last);
        directory.SyncDirectory();
        long end;
        using (NinoStore store = Simulated.Open(directory, 2, static o => o with { Recovery = RecoveryMode.Salvage }))
        {
            end = store.LastSequence;
            Assert.True(end < began);
            Assert.Contains("the log is kept from its beginning for it now", store.Recovery.Damage[^1].Message, StringComparison.Ordinal);
            using IKeyValueStore<int, string> kv = Open(store);
            Assert.Equal(0, kv.Count);
            Fill(kv, "b");
        }

        using NinoStore again = Simulated.Open(directory, 3);
        using IKeyValueStore<int, string> reopened = Open(again);
        Assert.Equal(40, reopened.Count);
        Assert.Equal("b 7", reopened.TryGet(7, out string? value) ? value : null);
    }

    [Fact]
    public void WhereverThePowerFailsAtItsFirstOpeningWhatWasCommittedIsThere()
    {
        int states = 0, seed = Effort.Seed(20261122);
        for (long at = 1; ; at++)
        {
            using var directory = new SimDirectory();
            Truncated(directory).Dispose();
            directory.PowerOffAt = directory.OperationCount + at;
            long committed = 0;
            var trouble = new DiskTrouble();
            try
            {
                using NinoStore store = Simulated.Open(directory, 2);
                using IKeyValueStore<int, string> kv = Open(store);
                Fill(kv, "a");
                Simulated.Commit(store);
                committed = store.LastSequence;
                RetentionTests.Grow(store, directory, RetentionTests.Segments(directory).Length + 1);
                store.TruncateBefore(long.MaxValue);
            }
            catch (Exception e) when (trouble.Ends(e))
            {
                // What it left is opened below.
                trouble.ThrowOther();
            }

            foreach (SimDirectory crashed in directory.CrashStates(limit: 8, seed: seed + (int)at).Append(directory.KillProcess()))
            {
                states++;
                using NinoStore store = Simulated.Open(crashed, 3);
                Assert.True(store.LastSequence >= committed);
                using IKeyValueStore<int, string> kv = Open(store);
                Assert.True(kv.Count == 40 || committed == 0, $"{kv.Count} keys");
                Assert.Equal(store.ReadRecords().Count(static r => r.Schema.Name == "KeyValue:state"), kv.Count);
            }

            if (!directory.IsPowerOff) break;
        }

        Effort.Tell(output, "crash states", states, $"SEED={seed}", "a keyed state that begins in a log without its beginning");
        Assert.True(states > 100);
    }
}
