// FASTER's addresses end, and it does not look. What happens before they do?

using Store.Faster;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class KeyValueRoomTests
{
    private readonly MemoryChangeLog _log = new();
    private readonly Dictionary<int, string> _model = [];

    [Theory]
    [InlineData(4096, 1L << 42)]
    [InlineData(64 * 1024, 1L << 46)]
    [InlineData(256 << 20, 1L << 46)]
    public void HalfOfTheAddressesAndOfThePageNumbersAreUsedAtMost(int pageSizeBytes, long mostBytes) =>
        Assert.Equal(mostBytes, new FasterOptions { PageSizeBytes = pageSizeBytes }.MostRecordLogBytes);

    [Fact]
    public async Task WithoutAddressesChangesAreRefusedAndTheRestGoesOn()
    {
        using var directory = new SimDirectory();
        FasterOptions options = KeyValueBed.Tiny with { MostRecordLogBytes = 128 * 1024 };
        using (FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory, options))
        {
            int changes = 0;
            StoreException? refused = null;
            for (; refused is null && changes < 10_000; changes++) refused = Record.Exception(() => Put(kv, changes)) as StoreException;
            Assert.Contains("of another name", refused!.Message, StringComparison.Ordinal);
            Assert.True(changes > 128 * 1024 / 500, $"refused after {changes} changes");
            AssertIsFull(kv);
            long begin = kv.State.Engine.BeginAddress;
            await kv.CheckpointAsync();
            Assert.Equal(begin, kv.State.Engine.BeginAddress);
        }

        using FasterKeyValueStore<int, string> again = KeyValueBed.Open<int, string>(_log, directory, options);
        Assert.False(again.Recovery.RebuiltFromLog);
        AssertIsFull(again);

        // What it says to do: the copy has what lives, and room.
        using var elsewhere = new SimDirectory();
        using FasterKeyValueStore<int, string> copy = KeyValueBed.Open<int, string>(_log, elsewhere, options, "copy");
        copy.PutBatch([.. again.Scan()]);
        KeyValueBed.AssertHolds(copy, _model);
        copy.Put(1, "more");
    }

    private void Put(FasterKeyValueStore<int, string> kv, int i)
    {
        string value = new((char)('a' + (i % 26)), 200 + (i % 300));
        kv.Put(i % 60, value);
        _model[i % 60] = value;
    }

    private void AssertIsFull(FasterKeyValueStore<int, string> kv)
    {
        long last = _log.LastSequence;
        Assert.Throws<StoreException>(() => kv.Put(1, "x"));
        Assert.Throws<StoreException>(() => kv.Delete(1));
        Assert.Throws<StoreException>(() => kv.PutBatch([new(1, "x")]));
        Assert.Throws<StoreException>(() => kv.DeleteBatch([1]));
        Assert.Throws<StoreException>(() => kv.Update(1, static value => value + "x"));
        Assert.Equal(last, _log.LastSequence);
        KeyValueBed.AssertHolds(kv, _model);
        Assert.Equal(_model.OrderBy(static pair => pair.Key), kv.Scan().OrderBy(static pair => pair.Key));
    }
}
