// The store: append, read, commit, checkpoint, restore, and state that checkpoints itself, over closing and opening again.

using Store.State;
using Store.Tests.Evolution;
using Store.Tests.State;

namespace Store.TrimTest;

internal static class StoreChecks
{
    private const int Events = 1000;

    public static async Task RunAsync(Checks checks, string folder)
    {
        await AppendAndRestoreAsync(checks, Path.Combine(folder, "store"));
        await KeepStateAsync(checks, Path.Combine(folder, "state"));
    }

    private static async Task AppendAndRestoreAsync(Checks checks, string path)
    {
        await using (NinoStore store = NinoStore.Open(path))
        {
            for (int i = 0; i < Events; i++) store.Append(new Deposited($"a{i % 10}", i));
            Deposited[] batch = [new("batch", 1), new("batch", 2)];
            checks.Equal("a batch", Events + 1L, store.AppendBatch<Deposited>(batch));
            await store.CommitAsync();
            var bank = new Bank();
            foreach (LogRecord<Deposited> record in store.Read<Deposited>()) bank.Apply(record.Value);
            checks.Equal("records read", Events + 2L, bank.Events);
            await store.CheckpointAsync(bank);
            await store.AppendAsync(new Deposited("late", 5));
            store.Append(new Before.Small(3, "old"));
        }

        await using (NinoStore store = NinoStore.Open(path))
        {
            Bank bank = await store.RestoreAsync<Bank, Deposited>(static (state, e) => state.Apply(e));
            checks.Equal("restored and replayed", Events + 3L, bank.Events);
            checks.Equal("an account", 5L, bank.Accounts["late"]);
            int read = 0;
            await foreach (LogRecord<Deposited> record in store.ReadAsync<Deposited>()) read++;
            checks.Equal("records read after opening", Events + 3, read);
            checks.Equal("a record of an older shape", "old", store.Read<After.Renamed>().Single().Value.Text);
            checks.Equal("records without their type", Events + 4, store.ReadRecords().Count());
        }
    }

    private static async Task KeepStateAsync(Checks checks, string path)
    {
        string kept;
        await using (NinoStore store = NinoStore.Open(path))
        await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = 100 }))
        {
            for (int i = 0; i < Events; i++) bank.Apply(new Deposited($"a{i % 7}", i));
            await bank.ApplyAsync(new Withdrawn("a0", 1));
            await bank.CheckpointAsync();
            bank.Apply(new Deposited("after", 1));
            await bank.CommitAsync();
            kept = bank.Read(static state => state.Text());
        }

        await using (NinoStore store = NinoStore.Open(path))
        await using (StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_))
            checks.Equal("the state of last time", kept, bank.Read(static state => state.Text()));
    }
}
