// What do the calls that are not one put or one read cost in garbage? Nothing, as long as everything is in memory (the others: FasterTrapTests).

using Store.Faster;
using Store.KeyValue;

namespace Store.Tests.KeyValue;

public class KeyValueAllocationTests
{
    /// <summary>A batch, and an asynchronous call that need not wait.</summary>
    [Fact]
    public async Task InMemoryABatchAndACallThatNeedNotWaitAllocateNothing()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder.Path, new NinoStoreOptions { Durability = Durability.Memory });
        using IKeyValueStore<int, long> kv = store.OpenKeyValue<int, long>("x");
        KeyValuePair<int, long>[] pairs = [.. Enumerable.Range(0, 10).Select(i => new KeyValuePair<int, long>(i, i))];
        int[] keys = [.. Enumerable.Range(0, 15)];
        var results = new KeyValueResult<long>[keys.Length];
        for (int i = 0; i < 3000; i++) Work();
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 300; i++) Work();
        }));

        void Work()
        {
            kv.PutBatch(pairs);
            if (kv.TryGetBatch(keys, results) != 10 || results[9].Value != 9) throw new InvalidOperationException("Other values.");
            if (kv.DeleteBatch(keys) != 10) throw new InvalidOperationException("Other keys.");
            Check(kv.PutAsync(1, 5).IsCompletedSuccessfully);
            ValueTask<KeyValueUpdated<Add>> update = kv.UpdateAsync(1, new Add(1));
            Check(update.IsCompletedSuccessfully && update.Result.Sequence > 0);
            ValueTask<long> batch = kv.PutBatchAsync(pairs);
            Check(batch.IsCompletedSuccessfully && batch.Result > 0);
            ValueTask<bool> delete = kv.DeleteAsync(1), nothing = kv.DeleteAsync(1);
            Check(delete.IsCompletedSuccessfully && delete.Result && nothing.IsCompletedSuccessfully && !nothing.Result);
        }

        static void Check(bool condition)
        {
            if (!condition) throw new InvalidOperationException("A call in memory did not complete at once.");
        }
    }

    private readonly struct Add(long amount) : IKeyValueUpdate<long>
    {
        public KeyValueUpdate Update(bool isThere, ref long value)
        {
            value += amount;
            return KeyValueUpdate.Put;
        }
    }
}
