// The power fails, the process is killed, or a file call fails at every step of a state's life. Whatever is left: every event that was acknowledged as durable is there, and
// the state is exactly what the log amounts to, whichever snapshot it came from.

using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.State;

public class StateStoreCrashTests(ITestOutputHelper output)
{
    private static readonly int Seed = Effort.Seed(20261121);

    [Fact]
    public async Task WhereverThePowerFailsTheStateIsWhatTheLogSays()
    {
        var statistics = new SimStatistics();
        int states = 0, fromSnapshot = 0;
        long operations = await Operations();
        foreach (long at in Effort.Points(every: 1, Effort.CrashScale, out int statesEach).TakeWhile(at => at <= operations))
        {
            using var directory = new SimDirectory(statistics: statistics) { PowerOffAt = at };
            long durable = await Live(directory);
            Assert.True(directory.IsPowerOff, $"Operation {at} of {operations} was not met.");
            foreach (SimDirectory crashed in directory.CrashStates(limit: 6 * statesEach, seed: Seed + (int)at))
            {
                states++;
                if (await Examine(crashed, durable)) fromSnapshot++;
            }
        }

        Effort.Tell(output, "crash states", states, $"SEED={Seed}", $"a state holder, {fromSnapshot} opened from a snapshot; {statistics.Describe(Seed)}");
        Assert.True(fromSnapshot > states / 4, $"{fromSnapshot} of {states} came from a snapshot");
    }

    [Fact]
    public async Task WhereverTheProcessIsKilledTheStateIsWhatTheLogSays()
    {
        int states = 0;
        long operations = await Operations();
        foreach (long at in Effort.Points(every: 1, Effort.CrashScale, out _).TakeWhile(at => at <= operations))
        {
            using var directory = new SimDirectory { PowerOffAt = at };
            long durable = await Live(directory);
            Assert.True(directory.IsPowerOff, $"Operation {at} of {operations} was not met.");
            await Examine(directory.KillProcess(), durable);
            states++;
        }

        Effort.Tell(output, "simulated kills", states, "no chance in it", "a state holder");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task WhicheverCallFailsNothingAcknowledgedIsLost(bool isForever)
    {
        int failures = 0, states = 0;
        var undisturbed = new FaultDirectory(new SimDirectory()) { Fault = new Fault(long.MaxValue, FaultKind.IoError) };
        await Live(undisturbed);
        foreach (long n in Effort.Points(every: 1, Effort.FaultScale, out int statesEach).TakeWhile(n => n <= undisturbed.Counted))
        {
            using var directory = new SimDirectory();
            var faulty = new FaultDirectory(directory, (int)n) { Fault = new Fault(n, FaultKind.IoError, isForever) };
            long durable = await Live(faulty);
            Assert.True(faulty.Failures > 0, $"Call {n} of {undisturbed.Counted} was not met.");
            failures++;
            await Examine(directory.KillProcess(), durable);
            foreach (SimDirectory crashed in directory.CrashStates(limit: 3 * statesEach, seed: Seed + (int)n))
            {
                states++;
                await Examine(crashed, durable);
            }
        }

        Effort.Tell(output, "injected faults", failures, $"SEED={Seed}", $"a state holder{(isForever ? ", for ever" : ", once")}, {states} states after a power failure too");
        Assert.True(failures > (Effort.IsSlice ? 0 : 50), $"{failures} faults");
    }

    // Of the life that nothing interrupts.
    private static async Task<long> Operations()
    {
        using var directory = new SimDirectory();
        await Live(directory);
        return directory.OperationCount;
    }

    /// <returns>The last sequence that was acknowledged as durable.</returns>
    private static async Task<long> Live(Store.IO.IStoreDirectory directory)
    {
        long durable = 0;
        var trouble = new DiskTrouble();
        try
        {
            for (int life = 0; life < 2; life++)
            {
                using NinoStore store = Simulated.Open(directory, seed: life);
                using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = life == 0 ? 7 : 10, CheckpointOnDispose = life == 1 });
                for (int i = 0; i < 18; i++)
                {
                    if (i % 5 == 4) durable = await bank.ApplyAsync(new Withdrawn($"account {i % 3}", i));
                    else bank.Apply(new Deposited($"account {i % 4}", 100 + i));
                    if (i % 6 == 5) store.Append(new Remark("not of the state"));
                    if (i % 9 == 8) bank.ApplyBatch<Deposited>([new("b", 1), new("c", 2), new("b", 3)]);
                    if (i % 4 == 1) bank.Decide((life * 100) + i, Transfer);
                    if (i == 11) durable = (await bank.CheckpointAsync()).Sequence;
                }
            }
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            // What is on the disk is looked at next.
            trouble.ThrowOther();
        }

        return durable;
    }

    // Longer than a sector: a part of it may be on the disk.
    private static void Transfer(Bank bank, int number, DecidedEvents<Bank> events)
    {
        string text = $"{new string('t', 700)} {number}";
        events.Add(new Withdrawn($"{text} from", number));
        events.Add(new Deposited($"{text} to", number - 1));
        events.Add(new Deposited($"{text} fee", 1));
    }

    // Withdrawn is what was deposited, of each transfer in the log and in the state.
    private static void AssertTransfersAreWhole(NinoStore store, Bank bank)
    {
        Assert.Equal(0, bank.Accounts.Where(static account => account.Key.StartsWith('t')).Sum(static account => account.Value));
        var accounts = store.ReadRecords().Select(static r => r.Is<Deposited>() ? r.As<Deposited>().Account : r.Is<Withdrawn>() ? r.As<Withdrawn>().Account : "").Where(static account => account.StartsWith('t'));
        Assert.All(accounts.GroupBy(static account => account[..account.LastIndexOf(' ')]), static transfer => Assert.Equal(3, transfer.Count()));
    }

    private static async Task<bool> Examine(SimDirectory directory, long durable)
    {
        string first;
        await using (NinoStore store = Simulated.Open(directory, seed: 7))
        {
            Assert.True(store.LastSequence >= durable, $"{durable} was acknowledged, {store.LastSequence} is there");
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            Assert.Equal(Bank.Of(store).Text(), bank.Read(b => b.Text()));
            bank.Read(b =>
            {
                AssertTransfersAreWhole(store, b);
                return true;
            });
            Assert.DoesNotContain(store.Recovery.Damage, d => d.Kind == StoreDamageKind.Corruption);
            bank.Apply(new Deposited("after", 1));
            first = bank.Read(b => b.Text());
        }

        await using NinoStore again = Simulated.Open(directory, seed: 8);
        await using StateStore<Bank> restored = await again.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal(first, restored.Read(b => b.Text()));
        return again.Recovery.SnapshotUsed is not null;
    }
}
