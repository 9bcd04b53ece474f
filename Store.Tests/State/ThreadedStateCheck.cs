// Is a folder after a crash one that the promises to the threads allow, and are the states on it what the log says?

using Store.Snapshots;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

/// <summary>Checks of the states that one opening can leave. Every fourth goes on: another event, another checkpoint, a log that is cut behind it.</summary>
internal sealed class ThreadedStateCheck
{
    /// <summary>States looked at.</summary>
    public int States { get; private set; }

    /// <summary>Of these, states of a process that was killed.</summary>
    public int Kills { get; private set; }

    /// <summary>Of these, states whose log no longer began with its first record.</summary>
    public int Cut { get; private set; }

    /// <summary>Of these, states whose newest snapshot of the program's own was larger than what is written at once.</summary>
    public int Large { get; private set; }

    public static OwnSum RestoreOwn(NinoStore store) => store.RestoreAsync<OwnSum, Withdrawn>(ThreadedStateHistory.Apply).AsTask().GetAwaiter().GetResult();

    /// <summary>Checks states of one moment: what is left when nothing unsynced has survived, and others, drawn.</summary>
    /// <param name="life">The opening.</param>
    /// <param name="moment">The moment.</param>
    /// <param name="drawn">How many to draw.</param>
    /// <param name="seed">Of what is drawn.</param>
    public void Moment(ThreadedStateLife life, StateMoment moment, int drawn, int seed)
    {
        Left(life, moment.Image.Build(moment.Image.NothingSurvives), moment.Promise);
        foreach (SimDirectory left in CrashSampler.States(moment.Image, drawn, seed)) Left(life, left, moment.Promise);
        if (moment.Killed is null) return;
        Kills++;
        Left(life, moment.Killed.KillProcess(), moment.Promise);
    }

    private void Left(ThreadedStateLife life, SimDirectory left, StatePromise promise)
    {
        int number = ++States;
        using (NinoStore store = Simulated.Open(left, number))
        {
            long last = store.LastSequence;
            Assert.True(last >= promise.Durable, $"record {promise.Durable} was acknowledged, and the log ends with {last}");
            if (store.FirstSequence > 1) Cut++;
            life.History.Hold(store);
            (long sum, long ownSum) = life.History.SumsAt(last);
            using StateStore<Tally> state = Open(store);
            HasUsed(store, promise.State, "the state");
            Assert.Equal(sum, state.Read(static t => t.Sum));
            Assert.Equal(ownSum, RestoreOwn(store).Sum);
            HasUsed(store, promise.Own, "the program's own state");
            Items(store);
            if (number % 4 != 3) return;
            state.Apply(new Deposited("", 1));
            state.CheckpointAsync().AsTask().GetAwaiter().GetResult();
            store.TruncateBefore(long.MaxValue);
        }

        using NinoStore again = Simulated.Open(left, number + 1);
        long before = life.History.SumsAt(again.LastSequence - 1).State;
        using StateStore<Tally> reopened = Open(again);
        Assert.Equal(unchecked((before * 31) + 1), reopened.Read(static t => t.Sum));
    }

    private static StateStore<Tally> Open(NinoStore store) => store.OpenStateAsync<Tally>(ThreadedStateHistory.Events).AsTask().GetAwaiter().GetResult();

    // The checkpoint that was told of, or a later one.
    private static void HasUsed(NinoStore store, long told, string what)
    {
        Assert.DoesNotContain(store.Recovery.Damage, static damage => damage.Kind != StoreDamageKind.TornTail);
        long used = store.Snapshots.FirstOrDefault(snapshot => snapshot.FileName == store.Recovery.SnapshotUsed)?.Sequence ?? 0;
        Assert.True(used >= told, $"a checkpoint of {what} at {told} was told of, and it is opened from {used}");
    }

    // Restoring looks at the first part only.
    private void Items(NinoStore store)
    {
        using SnapshotFile? file = store.OpenSnapshot<OwnSum>(SnapshotVerification.All);
        if (file is null || file.Parts.Count < 2) return;
        Large++;
        int index = 0;
        foreach (byte[] item in file.Part("items").Items<byte[]>())
        {
            if (index % 7 == 0) Assert.Equal(ThreadedStateLife.LargeItem(index), item);
            index++;
        }

        Assert.Equal(ThreadedStateLife.LargeItems, index);
    }
}
