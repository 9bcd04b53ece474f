// A disk without any room: states and cursors that were opened before are opened again, their marks written where they are. Whoever cannot append any more wants to read at least what is there, and to say what may go.

using Store.IO;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Store.Tests.State;

namespace Store.Tests.Retention;

public sealed class FullDiskMarkTests
{
    [Fact]
    public async Task OnADiskWithoutAnyRoomStatesAndCursorsThatAreThereAreOpened()
    {
        bool isDone = false;
        for (int at = 1; !isDone; at++)
        {
            Assert.True(at < 200, "the power fails at every call, and there is no end of them");
            using var directory = new SimDirectory();
            string text = await FillAsync(directory);
            directory.CapacityBytes = directory.UsedBytes;
            NinoStore store = Simulated.Open(directory, seed: 2);
            directory.PowerOffAt = directory.OperationCount + at;
            Exception? failure = await Record.ExceptionAsync(async () =>
            {
                Assert.Equal(text, await Bank.OpenedTextAsync(store));
                LogCursor cursor = store.OpenCursor("reader");
                Assert.Equal(3, cursor.Position);
                await cursor.CommitAsync(4);
            });
            isDone = failure is null;

            // Where the power fails while a new file is given up for want of room, that is what is told.
            Assert.True(isDone || (directory.IsPowerOff && (DiskTrouble.IsCauseOf(failure!) || failure is IOException { HResult: IoFailure.NoSpace })), $"{at}: {failure}");
            foreach (SimDirectory crashed in directory.CrashStates(limit: 20, seed: at).Append(directory.KillProcess()))
            {
                await using NinoStore opened = Simulated.Open(crashed, seed: 3);
                Assert.Equal(text, await Bank.OpenedTextAsync(opened));
                Assert.InRange(opened.OpenCursor("reader").Position, isDone ? 4 : 3, 4);
            }

            Record.Exception(store.Dispose);
        }
    }

    /// <summary>A new one has no file yet, and needs its room: what failed is told, and nothing is left of it.</summary>
    [Fact]
    public async Task OnADiskWithoutAnyRoomANewStateIsTheDisksError()
    {
        using var directory = new SimDirectory();
        await FillAsync(directory);
        await using NinoStore store = Simulated.Open(directory, seed: 2);
        directory.CapacityBytes = directory.UsedBytes;
        Assert.Equal(IoFailure.NoSpace, (await Assert.ThrowsAnyAsync<IOException>(async () => await store.OpenStateAsync<Audit>(static on => on.On<Remark>(static (_, _) => { })))).HResult);
        directory.CapacityBytes = null;
        await using StateStore<Audit> audit = await store.OpenStateAsync<Audit>(static on => on.On<Remark>(static (_, _) => { }));
    }

    private static async Task<string> FillAsync(SimDirectory directory)
    {
        await using NinoStore store = Simulated.Open(directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        for (int i = 0; i < 5; i++) bank.Apply(new Deposited("ann", i));
        await bank.CheckpointAsync();
        bank.Apply(new Deposited("bob", 1));
        await store.OpenCursor("reader").CommitAsync(3);
        return bank.Read(static b => b.Text());
    }
}
