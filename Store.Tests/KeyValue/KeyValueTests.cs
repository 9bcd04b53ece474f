// Does keyed state do what its interface says, on a real store in a real folder?

using System.Collections.Immutable;
using Store.Faster;
using Store.KeyValue;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Tests.Serialization.HandWritten;

namespace Store.Tests.KeyValue;

public class KeyValueTests
{
    [Fact]
    public void WhatWasPutIsFoundAndWhatWasNotIsNot()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder.Path);
        using IKeyValueStore<string, int> kv = store.OpenKeyValue<string, int>("ages");
        Assert.False(kv.TryGet("Ann", out _));
        long first = kv.Put("Ann", 41);
        long second = kv.Put("Bob", 12);
        Assert.Equal((1, 2), (first, second));
        Assert.True(kv.TryGet("Ann", out int age));
        Assert.Equal(41, age);
        kv.Put("Ann", 42);
        Assert.True(kv.TryGet("Ann", out age));
        Assert.Equal(42, age);
        Assert.Equal(2, kv.Count);
    }

    [Fact]
    public void ADeletedKeyIsGoneAndCanComeBack()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder.Path);
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>("names");
        kv.Put(1, "one");
        Assert.True(kv.Delete(1));
        Assert.False(kv.TryGet(1, out _));
        Assert.Equal(0, kv.Count);
        kv.Put(1, "uno");
        Assert.True(kv.TryGet(1, out string? name));
        Assert.Equal("uno", name);
        Assert.Equal(1, kv.Count);
    }

    [Fact]
    public void DeletingWhatIsNotThereChangesNeitherStateNorLog()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder.Path);
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>("names");
        Assert.False(kv.Delete(1));
        Assert.Equal(0, store.LastSequence);
    }

    [Fact]
    public Task AStringKeyedStringSurvivesReopening() => SurvivesReopening("key \u00e4\ud83d\ude00", "value", "longer than the value before it", "");

    [Fact]
    public Task AGuidKeyedNumberSurvivesReopening() => SurvivesReopening(Guid.NewGuid(), 1L, 2L, long.MinValue);

    [Fact]
    public Task AnObjectSurvivesReopening() => SurvivesReopening(7, Sample(1, "a"), Sample(2, new string('b', 3000)), Sample(3, null));

    [Fact]
    public Task AnObjectCanBeAKey() => SurvivesReopening(new Label(3, "x"), new Point(1, 2, true), new Point(-1, 0.5f, false), default);

    [Fact]
    public Task ANullableNumberCanBeAValue()
    {
        NinoRegistry.Register<int?, NullableCodec<int, Int32Codec>>();
        return SurvivesReopening<int, int?>(1, 2, 3, 4);
    }

    [Fact]
    public async Task ANullableNumberThatIsNullIsAValueToo()
    {
        NinoRegistry.Register<int?, NullableCodec<int, Int32Codec>>();
        await SurvivesReopening<int, int?>(1, null, 3, null);
        await SurvivesReopening<int, int?>(1, 2, null, 4);
    }

    [Fact]
    public async Task AnArrayOfNothingAtAllIsAValueToo()
    {
        NinoRegistry.Register<ImmutableArray<int>, SequenceCodec<ImmutableArray<int>, int, Int32Codec, ImmutableArrayForm<int>>>();
        using var folder = new TemporaryFolder();
        for (int opening = 0; opening < 2; opening++)
        {
            await using NinoStore store = NinoStore.Open(folder.Path);
            using IKeyValueStore<int, ImmutableArray<int>> kv = store.OpenKeyValue<int, ImmutableArray<int>>("x", KeyValueBed.Tiny);
            if (opening == 0)
            {
                kv.Put(1, default);
                kv.PutBatch([new(2, default), new(3, [7])]);
            }

            Assert.Equal((true, true), (kv.TryGet(1, out ImmutableArray<int> first) && first.IsDefault, kv.TryGet(2, out ImmutableArray<int> second) && second.IsDefault));
            Assert.True(kv.TryGet(3, out ImmutableArray<int> third));
            Assert.Equal<int>([7], third.ToArray());
        }
    }

    [Fact]
    public Task AListCanBeAValue() => SurvivesReopening<int, int[]>(1, [1, 2, 3], [], [4]);

    [Fact]
    public async Task StatesOfOneStoreDoNotSeeEachOther()
    {
        using var folder = new TemporaryFolder();
        await using (NinoStore store = NinoStore.Open(folder.Path))
        {
            using IKeyValueStore<int, string> a = store.OpenKeyValue<int, string>("a");
            using IKeyValueStore<int, long> b = store.OpenKeyValue<int, long>("b");
            a.Put(1, "a");
            b.Put(1, 2);
            store.Append("neither");
            Assert.False(a.Delete(2));
            await b.CheckpointAsync();
        }

        await using NinoStore again = NinoStore.Open(folder.Path);
        using IKeyValueStore<int, string> a2 = again.OpenKeyValue<int, string>("a");
        using IKeyValueStore<int, long> b2 = again.OpenKeyValue<int, long>("b");
        KeyValueBed.AssertHolds(a2, new Dictionary<int, string> { [1] = "a" });
        KeyValueBed.AssertHolds(b2, new Dictionary<int, long> { [1] = 2 });
        Assert.True(a2.Recovery.RebuiltFromLog);
        Assert.False(b2.Recovery.RebuiltFromLog);
        Assert.Equal((1, 0), (a2.Recovery.ChangesReplayed, b2.Recovery.ChangesReplayed));
    }

    [Fact]
    public void ANameCanBeOpenOnceAtATime()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder.Path);
        using (store.OpenKeyValue<int, int>("x"))
        {
            var twice = Assert.Throws<InvalidOperationException>(() => store.OpenKeyValue<int, int>("X"));
            Assert.Contains("open already", twice.Message, StringComparison.Ordinal);
        }

        store.OpenKeyValue<int, int>("x").Dispose();
    }

    [Theory]
    [InlineData("")]
    [InlineData("a/b")]
    [InlineData("..")]
    [InlineData("a b")]
    [InlineData("\u00e4")]
    public void ANameThatIsNoFolderNameIsRefused(string name)
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder.Path);
        Assert.ThrowsAny<ArgumentException>(() => store.OpenKeyValue<int, int>(name));
        Assert.Throws<ArgumentException>(() => store.OpenKeyValue<int, int>(new string('a', 65)));
    }

    [Fact]
    public void AOneFileLogHasNoKeyedState()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoLog.Create(Path.Combine(folder.Path, "log.bin"));
        Assert.Throws<InvalidOperationException>(() => store.OpenKeyValue<int, int>("x"));
    }

    [Fact]
    public void SettingsAreCheckedWhenSetAndTheirRelationWhenOpened()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new FasterOptions { PageSizeBytes = 5000 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new FasterOptions { IndexSizeBytes = 1024 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new FasterOptions { MaxSessions = 0 });
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder.Path);
        Assert.Throws<ArgumentException>(() => store.OpenKeyValue<int, int>("x", new FasterOptions { PageSizeBytes = 1 << 20, MemorySizeBytes = 1 << 20 }));
    }

    [Fact]
    public void AValueLargerThanAPageIsRefusedAndNothingIsAppended()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder.Path);
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>("x", KeyValueBed.Tiny);
        Assert.Throws<RecordTooLargeException>(() => kv.Put(1, new string('x', 5000)));
        Assert.Equal(0, store.LastSequence);
        string largest = new('x', 4096 - 64);
        kv.Put(1, largest);
        Assert.True(kv.TryGet(1, out string? found));
        Assert.Equal(largest, found);
    }

    [Fact]
    public void NullIsNeitherKeyNorValue()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder.Path);
        using IKeyValueStore<string, string> kv = store.OpenKeyValue<string, string>("x");
        Assert.Throws<ArgumentNullException>(() => kv.Put(null!, "x"));
        Assert.Throws<ArgumentNullException>(() => kv.Put("x", null!));
        Assert.Throws<ArgumentNullException>(() => kv.TryGet(null!, out _));
        Assert.Throws<ArgumentNullException>(() => kv.Delete(null!));
        Assert.Equal(0, store.LastSequence);
    }

    [Fact]
    public async Task ADisposedStateRefusesEverything()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder.Path);
        IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x");
        kv.Put(1, 1);
        kv.Dispose();
        kv.Dispose();
        Assert.Throws<ObjectDisposedException>(() => kv.Put(1, 1));
        Assert.Throws<ObjectDisposedException>(() => kv.TryGet(1, out _));
        Assert.Throws<ObjectDisposedException>(() => kv.Delete(1));
        Assert.Throws<ObjectDisposedException>(() => kv.Count);
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await kv.CheckpointAsync());
    }

    [Fact]
    public async Task ACheckpointSparesTheReplayOfWhatCameBefore()
    {
        using var folder = new TemporaryFolder();
        await using (NinoStore store = NinoStore.Open(folder.Path))
        {
            using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x");
            for (int i = 0; i < 100; i++) kv.Put(i, i);
            await kv.CheckpointAsync();
            Assert.Equal(100, store.DurableSequence);
            kv.Put(100, 100);
        }

        await using NinoStore again = NinoStore.Open(folder.Path);
        using IKeyValueStore<int, int> kv2 = again.OpenKeyValue<int, int>("x");
        Assert.Equal(new { CheckpointSequence = 100L, RebuiltFromLog = false, ChangesReplayed = 1L }, new { kv2.Recovery.CheckpointSequence, kv2.Recovery.RebuiltFromLog, kv2.Recovery.ChangesReplayed });
        Assert.Empty(kv2.Recovery.Rejected);
        KeyValueBed.AssertHolds(kv2, Enumerable.Range(0, 101).ToDictionary(i => i));
    }

    [Fact]
    public async Task ACheckpointWithoutNewRecordsWritesNothing()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder.Path);
        using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x");
        kv.Put(1, 1);
        await kv.CheckpointAsync();
        string[] files = Directory.GetFiles(Path.Combine(folder.Path, "kv-x"));
        await kv.CheckpointAsync();
        Assert.Equal(files, Directory.GetFiles(Path.Combine(folder.Path, "kv-x")));
    }

    [Fact]
    public async Task OnlyTwoCheckpointsAreKept()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder.Path);
        using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x");
        for (int i = 0; i < 5; i++)
        {
            kv.Put(i, i);
            await kv.CheckpointAsync();
        }

        Assert.Equal(
            ["checkpoint-0000000000000004.index", "checkpoint-0000000000000004.manifest", "checkpoint-0000000000000004.snapshot", "checkpoint-0000000000000005.index", "checkpoint-0000000000000005.manifest", "checkpoint-0000000000000005.snapshot"],
            Directory.GetFiles(Path.Combine(folder.Path, "kv-x")).Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void TheEngineSettingsBoundItsFiles()
    {
        // FASTER's own defaults would take 16 GiB.
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder.Path);
        // Of this thread: other tests run in the same process.
        long before = GC.GetAllocatedBytesForCurrentThread();
        using IKeyValueStore<int, int> kv = store.OpenKeyValue<int, int>("x", KeyValueBed.Tiny);
        kv.Put(1, 1);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 1, 32 << 20);
    }

    private static Quote Sample(int id, string? symbol) => new(id, symbol, 1.5m, new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc), Side.Sell, null, new Point(1, 2, true), null);

    private static async Task SurvivesReopening<TKey, TValue>(TKey key, TValue first, TValue second, TValue third) where TKey : notnull
    {
        using var folder = new TemporaryFolder();
        TValue[] values = [first, second, third];
        for (int i = 0; i < values.Length; i++)
        {
            await using NinoStore store = NinoStore.Open(folder.Path);
            using IKeyValueStore<TKey, TValue> kv = store.OpenKeyValue<TKey, TValue>("x", KeyValueBed.Tiny);
            if (i > 0) KeyValueBed.AssertHolds(kv, new Dictionary<TKey, TValue> { [key] = values[i - 1] });
            kv.Put(key, values[i]);
            KeyValueBed.AssertHolds(kv, new Dictionary<TKey, TValue> { [key] = values[i] });
            if (i == 1) await kv.CheckpointAsync();
        }

        await using NinoStore last = NinoStore.Open(folder.Path);
        using IKeyValueStore<TKey, TValue> final = last.OpenKeyValue<TKey, TValue>("x", KeyValueBed.Tiny);
        KeyValueBed.AssertHolds(final, new Dictionary<TKey, TValue> { [key] = third });
        Assert.True(final.Delete(key));
        Assert.Equal(0, final.Count);
    }
}
