// The power fails at every step of a state that begins in a log without its first records, and whose log is truncated behind every checkpoint. Whatever is left: the state is what was left of its events when it began, and
// every event since that the log has or had.

using Store.State;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.State;

public class LateStateCrashTests(ITestOutputHelper output)
{
    private static readonly int Seed = Effort.Seed(20261122);

    [Fact]
    public async Task WhereverThePowerFailsTheStateIsWhatItsEventsAmountTo()
    {
        int states = 0, fromSnapshot = 0, truncated = 0;
        foreach (long at in Effort.Points(every: 2, Effort.CrashScale, out int statesEach))
        {
            using var directory = new SimDirectory();
            Fill(directory);
            directory.PowerOffAt = directory.OperationCount + at;
            var life = new Life();
            await life.RunAsync(directory);
            foreach (SimDirectory crashed in directory.CrashStates(limit: 4 * statesEach, seed: Seed + (int)at).Append(directory.KillProcess()))
            {
                states++;
                (bool isFromSnapshot, bool isTruncated) = await life.ExamineAsync(crashed);
                if (isFromSnapshot) fromSnapshot++;
                if (isTruncated) truncated++;
            }

            if (!directory.IsPowerOff) break;
        }

        Effort.Tell(output, "crash states", states, $"SEED={Seed}", $"a state that begins late, {fromSnapshot} opened from a snapshot, {truncated} with a log that was cut since it began");
        Assert.True(Effort.IsSlice || (fromSnapshot > states / 4 && truncated > 5), $"{states} states, {fromSnapshot} from a snapshot, {truncated} with a log that was cut since");
    }

    // Deposits from the first record on, of which the last segments are left.
    private static void Fill(SimDirectory directory)
    {
        using NinoStore store = Simulated.Open(directory);
        while (RetentionTests.Segments(directory).Length < 3)
        {
            for (int i = 0; i < 50; i++) store.Append(new Deposited($"account {i % 3}", i));
            Simulated.Commit(store);
        }

        Assert.True(store.TruncateBefore(long.MaxValue).FirstSequence > 1);
    }

    private sealed class Life
    {
        // What the state amounts to behind each sequence, noted before the event is applied: whether it was or not, the log tells.
        private readonly SortedDictionary<long, string> _texts = [];
        private Bank _expected = new();
        private long _began;
        private long _durable;

        public async Task RunAsync(SimDirectory directory)
        {
            var trouble = new DiskTrouble();
            try
            {
                for (int life = 0; life < 2; life++)
                {
                    using NinoStore store = Simulated.Open(directory, seed: 2 + life);
                    if (life == 0)
                    {
                        (_expected, _began) = (Bank.Of(store), store.LastSequence);
                        _texts[store.LastSequence] = _expected.Text();
                    }

                    using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { AllowTruncatedHistory = life == 0, CheckpointOnDispose = life == 0 });
                    for (int i = 0; i < 12; i++)
                    {
                        for (int j = 0; j < 40; j++) Apply(store, bank, new Deposited($"account {j % 4}", i + j));
                        long last = store.LastSequence;
                        await bank.CommitAsync();
                        _durable = last;
                        if (i % 4 != 3) continue;
                        await bank.CheckpointAsync();
                        store.TruncateBefore(long.MaxValue);
                    }
                }
            }
            catch (Exception e) when (trouble.Ends(e))
            {
                // What is on the disk is looked at next.
                trouble.ThrowOther();
            }
        }

        public async Task<(bool IsFromSnapshot, bool IsTruncated)> ExamineAsync(SimDirectory directory)
        {
            string text;
            await using (NinoStore store = Simulated.Open(directory, seed: 7))
            {
                Assert.True(store.LastSequence >= _durable, $"{_durable} was acknowledged, {store.LastSequence} is there");
                store.TruncateBefore(long.MaxValue);

                // Before it was opened for the first time for good, nobody knows that it is to begin here.
                await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { AllowTruncatedHistory = _durable == 0 });
                text = bank.Read(static b => b.Text());
                if (_texts.Count > 0 && (_durable > 0 || store.LastSequence > _began)) Assert.Equal(_texts[store.LastSequence], text);
            }

            await using NinoStore again = Simulated.Open(directory, seed: 8);
            await using StateStore<Bank> restored = await again.OpenStateAsync<Bank>(Bank.Events_);
            Assert.Equal(text, restored.Read(static b => b.Text()));
            return (again.Recovery.SnapshotUsed is not null, again.FirstSequence > _began + 1);
        }

        private void Apply(NinoStore store, StateStore<Bank> bank, Deposited e)
        {
            _expected.Apply(e);
            _texts[store.LastSequence + 1] = _expected.Text();
            bank.Apply(e);
        }
    }
}
