// What a callback of an update may not ask for: whatever waits for the lock that it holds. Refused at once, and everything goes on afterwards; also where the callback of one keyed state looks at another.

using Store.Faster;
using Store.KeyValue;
using Store.Snapshots;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public sealed class KeyValueCallbackTests : IDisposable
{
    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Theory]
    [InlineData("checkpoint")]
    [InlineData("checkpoint of all")]
    [InlineData("checkpoint of the store")]
    [InlineData("checkpoint of parts")]
    [InlineData("dispose the store")]
    [InlineData("dispose the store asynchronously")]
    [InlineData("dispose")]
    [InlineData("dispose asynchronously")]
    [InlineData("put")]
    [InlineData("scan")]
    public async Task WhatWouldWaitForTheCallbackIsRefused(string what)
    {
        using NinoStore store = Simulated.Open(_directory, 1, static o => o with { RunsInline = false });
        using IKeyValueStore<int, string> kv = Open(store, "a");
        kv.Put(1, "one");
        Action act = what switch
        {
            "checkpoint" => () => kv.CheckpointAsync().AsTask().GetAwaiter().GetResult(),
            "checkpoint of all" => () => store.CheckpointAllAsync().AsTask().GetAwaiter().GetResult(),
            "checkpoint of the store" => () => store.CheckpointAsync(new List<int> { 1 }).AsTask().GetAwaiter().GetResult(),
            "checkpoint of parts" => () => store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", [1, 2])).AsTask().GetAwaiter().GetResult(),
            "dispose the store" => store.Dispose,
            "dispose the store asynchronously" => () => store.DisposeAsync().AsTask().GetAwaiter().GetResult(),
            "dispose" => kv.Dispose,
            "dispose asynchronously" => () => kv.DisposeAsync().AsTask().GetAwaiter().GetResult(),
            "put" => () => kv.Put(2, "two"),
            _ => () => Assert.NotEmpty(kv.Scan()),
        };
        foreach (bool isAsync in new[] { false, true })
        {
            var callback = new Calling(act);
            if (isAsync) await kv.UpdateAsync(1, callback).AsTask().WaitAsync(TimeSpan.FromSeconds(30));
            else Assert.True(kv.Update(1, ref callback) > 0);
            Assert.IsType<InvalidOperationException>(callback.Failure.Value);
        }

        // It is open as before: its name is its own.
        Assert.Throws<InvalidOperationException>(() => Open(store, "a"));
        await kv.CheckpointAsync();
        Assert.Empty(store.Snapshots);
        Assert.Equal("changed", kv.TryGet(1, out string? value) ? value : null);
        Assert.Equal((1, 3), (kv.Count, store.LastSequence));
    }

    [Fact]
    public async Task CallbacksThatUpdateEachOthersKeysAreRefusedAndDoNotHang()
    {
        using NinoStore store = Simulated.Open(_directory);
        using IKeyValueStore<int, string> kv = Open(store, "a");
        using var both = new Barrier(2);
        Exception?[] failures = await Task.WhenAll(new[] { (1, 2), (2, 1) }.Select(keys => Task.Factory.StartNew(
            () =>
            {
                Exception? failure = null;
                var callback = new Calling(() =>
                {
                    both.SignalAndWait();
                    var inner = new Calling(static () => { });
                    failure = Record.Exception(() => kv.Update(keys.Item2, ref inner));
                });
                kv.Update(keys.Item1, ref callback);
                return failure;
            },
            TaskCreationOptions.LongRunning))).WaitAsync(TimeSpan.FromSeconds(60));
        Assert.All(failures, static failure => Assert.IsType<InvalidOperationException>(failure));
        Assert.Equal(2, kv.Count);
    }

    [Fact]
    public void AnotherStateMayBeChangedInACallbackAndTheFirstIsStillRefusedThen()
    {
        using NinoStore store = Simulated.Open(_directory);
        using IKeyValueStore<int, string> a = Open(store, "a"), b = Open(store, "b");
        Exception? nested = null, after = null;
        var callback = new Calling(() =>
        {
            var inner = new Calling(() => nested = Record.Exception(() => a.Put(2, "nested")));
            b.Update(1, ref inner);
            after = Record.Exception(() => a.Put(2, "after"));
        });
        a.Update(1, ref callback);
        Assert.Null(callback.Failure.Value);
        Assert.IsType<InvalidOperationException>(nested);
        Assert.IsType<InvalidOperationException>(after);
        Assert.Equal((1, 1), (a.Count, b.Count));
        a.Put(2, "now");
        Assert.Equal(2, a.Count);
    }

    /// <summary>Whoever ends a scan takes every lock, and the callback holds one: it would wait for itself, or for somebody who has the others and waits for that one.</summary>
    [Theory]
    [InlineData(false, true, false)]
    [InlineData(false, false, false)]
    [InlineData(true, true, false)]
    [InlineData(true, false, false)]
    [InlineData(false, true, true)]
    [InlineData(true, false, true)]
    public async Task AnOpenScanThatIsMovedOrDisposedInACallbackEndsAndNobodyWaitsForEver(bool isAsyncScan, bool isMoved, bool isAsyncUpdate)
    {
        // Not disposed by a failure: that would wait as well.
        NinoStore store = Simulated.Open(_directory, 1, static o => o with { RunsInline = false });
        var kv = (FasterKeyValueStore<int, string>)Open(store, "a");
        for (int key = 0; key < 2000; key++) kv.Put(key, "as it was");
        for (int key = 1; key < 5; key++)
        {
            IAsyncEnumerator<KeyValuePair<int, string>> scan = isAsyncScan ? kv.ScanAsync().GetAsyncEnumerator() : new BlockingScan(kv.Scan().GetEnumerator());
            Assert.True(await scan.MoveNextAsync());
            var beside = new WatchedThread(() => Assert.NotEmpty(kv.Scan()));
            var callback = new Calling(() =>
            {
                // It has the locks up to that of the key, for which it waits.
                beside.Start();
                SpinWait.SpinUntil(() => !beside.IsAlive || (beside.ThreadState & ThreadState.WaitSleepJoin) != 0);
                if (isMoved) Wait(scan.MoveNextAsync().AsTask());
                else Wait(scan.DisposeAsync().AsTask());
            });
            Task update = isAsyncUpdate ? kv.UpdateAsync(key, callback).AsTask() : Task.Run(() => kv.Update(key, ref callback));
            await update.WaitAsync(TimeSpan.FromSeconds(30));
            beside.Join();
            if (isMoved) Assert.IsType<InvalidOperationException>(callback.Failure.Value);
            else Assert.Null(callback.Failure.Value);
            Assert.True(SpinWait.SpinUntil(() => !kv.State.Scans.Any, TimeSpan.FromSeconds(30)), "The scan did not end.");
            Assert.False(await scan.MoveNextAsync());
            await scan.DisposeAsync();
            Assert.Equal("changed", kv.TryGet(key, out string? value) ? value : null);
        }

        await store.DisposeAsync();

        // On the thread of the callback, as whoever has no other way would.
        static void Wait(Task task) => task.GetAwaiter().GetResult();
    }

    /// <summary>What decoding and encoding call of the value's type runs under the key's lock as the callback does.</summary>
    [Theory]
    [InlineData(true, false)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    [InlineData(false, true)]
    public async Task WhatAValueChangesWhileAnUpdateReadsOrWritesItIsRefusedAsInTheCallback(bool whenItIsSet, bool isAsync)
    {
        using NinoStore store = Simulated.Open(_directory);
        using IKeyValueStore<int, MeddlingValue> kv = store.OpenKeyValue<int, MeddlingValue>("a", KeyValueBed.Tiny);
        kv.Put(1, new MeddlingValue { Number = 1 });
        kv.Put(2, new MeddlingValue { Number = 2 });
        Exception? failure = null;
        int read = 0;
        MeddlingValue.Next(whenItIsSet, () =>
        {
            failure = Record.Exception(() => kv.Put(3, new MeddlingValue()));
            read = kv.TryGet(2, out MeddlingValue? other) ? other.Number : 0;
        });
        if (isAsync) await kv.UpdateAsync(1, static value => value!);
        else kv.Update(1, static value => value!);
        Assert.Equal(2, read);
        Assert.IsType<InvalidOperationException>(failure);
        Assert.Equal((2, 3), (kv.Count, store.LastSequence));
        kv.Put(3, new MeddlingValue());
        Assert.Equal(3, kv.Count);
    }

    private static IKeyValueStore<int, string> Open(NinoStore store, string name) => store.OpenKeyValue<int, string>(name, KeyValueBed.Tiny);

    private readonly struct Calling(Action act) : IKeyValueUpdate<string>
    {
        public System.Runtime.CompilerServices.StrongBox<Exception?> Failure { get; } = new();

        public KeyValueUpdate Update(bool isThere, ref string? value)
        {
            Failure.Value = Record.Exception(act);
            value = "changed";
            return KeyValueUpdate.Put;
        }
    }

    /// <summary>A scan of the caller's thread behind the interface of the other.</summary>
    private sealed class BlockingScan(IEnumerator<KeyValuePair<int, string>> inner) : IAsyncEnumerator<KeyValuePair<int, string>>
    {
        public KeyValuePair<int, string> Current => inner.Current;

        public ValueTask<bool> MoveNextAsync() => new(inner.MoveNext());

        public ValueTask DisposeAsync()
        {
            inner.Dispose();
            return default;
        }
    }
}

/// <summary>A value whose property does something the next time it is set, or read.</summary>
[Store.Serialization.NinoType]
public sealed class MeddlingValue
{
    [ThreadStatic] private static Action? _onSet;
    [ThreadStatic] private static Action? _onRead;
    private int _number;

    public int Number
    {
        get
        {
            Do(ref _onRead);
            return _number;
        }
        set
        {
            Do(ref _onSet);
            _number = value;
        }
    }

    /// <summary>On this thread, once.</summary>
    public static void Next(bool whenItIsSet, Action act)
    {
        if (whenItIsSet) _onSet = act;
        else _onRead = act;
    }

    private static void Do(ref Action? act)
    {
        Action? once = act;
        act = null;
        once?.Invoke();
    }
}
