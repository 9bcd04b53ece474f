// A thread that is interrupted closes a state that is to write its last checkpoint, on a disk that takes its time. The snapshot's bytes are lent by the state until they are written: closing must not go on before.

using System.Diagnostics;
using Store.Faster;
using Store.KeyValue;
using Store.State;
using Store.Tests.KeyValue;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class ClosingInterruptTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60), WriteTime = TimeSpan.FromMilliseconds(30);

    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task AStateWritesItsLastCheckpoint()
    {
        string text;
        await using (NinoStore store = Open())
        {
            StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointOnDispose = true });
            for (int i = 0; i < 500; i++) bank.Apply(new Deposited($"account {i}", i));
            text = Bank.Of(store).Text();
            Assert.Null(OnInterruptedThread(bank.Dispose));
            Assert.Equal(500, Assert.Single(store.Snapshots).Sequence);
        }

        await using NinoStore again = Open();
        Bank restored = await again.RestoreAsync<Bank, Deposited>(static (bank, e) => bank.Apply(e));
        Assert.Equal((text, 0), (restored.Text(), again.Recovery.RecordsReplayed));
    }

    [Fact]
    public async Task AScheduleWritesItsLastCheckpoint()
    {
        await using NinoStore store = Open();
        var bank = new Bank();
        CheckpointSchedule schedule = store.CheckpointEvery(new CheckpointPolicy { OnDispose = true, EveryRecords = long.MaxValue, EveryBytes = long.MaxValue }, () => store.Capture(bank));
        for (int i = 0; i < 500; i++)
        {
            var deposited = new Deposited($"account {i}", i);
            store.Append(deposited);
            bank.Apply(deposited);
        }

        Assert.Null(OnInterruptedThread(schedule.Dispose));
        Assert.Equal(500, Assert.Single(store.Snapshots).Sequence);
        Assert.Equal(bank.Text(), (await store.RestoreAsync<Bank, Deposited>(static (state, e) => state.Apply(e))).Text());
    }

    [Fact]
    public void AKeyedStateWritesItsLastCheckpoint()
    {
        using NinoStore store = Open();
        FasterOptions options = KeyValueBed.Tiny with { CheckpointOnDispose = true };
        IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>("state", options);
        for (int i = 0; i < 500; i++) kv.Put(i, $"value {i}");
        Assert.Null(OnInterruptedThread(kv.Dispose));
        using IKeyValueStore<int, string> again = store.OpenKeyValue<int, string>("state", options);
        Assert.Equal((0, 500), (again.Recovery.ChangesReplayed, again.Count));
    }

    // What closing threw, and after it the interruption is there for the next wait.
    private static Exception? OnInterruptedThread(Action close)
    {
        Exception? thrown = null;
        bool kept = false;
        var thread = new Thread(() =>
        {
            Thread.CurrentThread.Interrupt();
            thrown = Record.Exception(close);
            kept = Record.Exception(static () => Thread.Sleep(1)) is ThreadInterruptedException;
        })
        { IsBackground = true };
        thread.Start();
        Assert.True(thread.Join(Patience), "Closing waits for ever.");
        if (thrown is null) Assert.True(kept, "The interruption is lost.");
        return thrown;
    }

    private NinoStore Open() => Simulated.Open(new HeldDirectory(_directory, "snapshot", TakeTime), change: static options => options with { RunsInline = false });

    // Without a wait that could be interrupted.
    private static void TakeTime()
    {
        for (long start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < WriteTime;) Thread.SpinWait(100);
    }
}
