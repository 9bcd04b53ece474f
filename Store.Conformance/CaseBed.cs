using Store.KeyValue;

namespace Store.Conformance;

/// <summary>A store with one keyed state, for the length of a case.</summary>
internal static class CaseBed
{
    public static Task With<TKey, TValue>(KeyValueEngine engine, string folder, Action<NinoStore, IKeyValueStore<TKey, TValue>> use) => With<TKey, TValue>(engine, folder, (store, kv) =>
    {
        use(store, kv);
        return Task.CompletedTask;
    });

    public static async Task With<TKey, TValue>(KeyValueEngine engine, string folder, Func<NinoStore, IKeyValueStore<TKey, TValue>, Task> use)
    {
        await using NinoStore store = NinoStore.Open(Path.Combine(folder, "store"));
        using IKeyValueStore<TKey, TValue> kv = engine.Open<TKey, TValue>(store, "state");
        await use(store, kv);
    }

    /// <summary>As the other form, on files of the case's own. An engine that asks for the path nevertheless finds a folder of the disk there.</summary>
    public static async Task With<TKey, TValue>(KeyValueEngine engine, string folder, CaseFiles files, Func<NinoStore, IKeyValueStore<TKey, TValue>, Task> use)
    {
        await using NinoStore store = Open(folder, files);
        using IKeyValueStore<TKey, TValue> kv = engine.Open<TKey, TValue>(store, "state");
        await use(store, kv);
    }

    /// <inheritdoc cref="With{TKey, TValue}(KeyValueEngine, string, CaseFiles, Func{NinoStore, IKeyValueStore{TKey, TValue}, Task})"/>
    public static Task With<TKey, TValue>(KeyValueEngine engine, string folder, CaseFiles files, Action<NinoStore, IKeyValueStore<TKey, TValue>> use) => With<TKey, TValue>(engine, folder, files, (store, kv) =>
    {
        use(store, kv);
        return Task.CompletedTask;
    });

    /// <summary>Opens a store in small segments, so that truncation finds something to remove. What nobody commits stays in the process.</summary>
    public static NinoStore Open(string folder, CaseFiles? files = null) => NinoStore.Open(Path.Combine(folder, "store"), new NinoStoreOptions { Directory = files, FirstSegmentSizeBytes = 4096, SegmentSizeBytes = 64 * 1024, FlushIntervalMs = 60_000 });

    /// <summary>Waits for something that must end by itself.</summary>
    /// <exception cref="ConformanceException">It does not, for as long as the engine wants to be waited for.</exception>
    public static async Task Within(KeyValueEngine engine, Task task, string what)
    {
        if (await Task.WhenAny(task, Task.Delay(engine.Patience)) != task) throw new ConformanceException($"{what} did not end within {engine.Patience}.");
        await task;
    }

    /// <inheritdoc cref="Within(KeyValueEngine, Task, string)"/>
    public static async Task<T> Within<T>(KeyValueEngine engine, Task<T> task, string what)
    {
        await Within(engine, (Task)task, what);
        return await task;
    }

    /// <summary>Begins a call on another thread, while files are held: one that does not return what is to be waited for would stand there for ever.</summary>
    public static Task<Task> Begun(KeyValueEngine engine, string name, Func<Task> begin) =>
        Within(engine, Task.Factory.StartNew(begin, CancellationToken.None, TaskCreationOptions.None, TaskScheduler.Default), $"The call of {name} (not what it returns: it waits on the thread of its caller, while the disk stands still)");

    /// <summary>Waits for a call whose token was cancelled.</summary>
    /// <exception cref="ConformanceException">It does not end, or otherwise.</exception>
    public static async Task Cancelled(KeyValueEngine engine, Task task, string what)
    {
        try
        {
            await Within(engine, task, what);
        }
        catch (OperationCanceledException)
        {
            return;
        }
        catch (Exception e) when (e is not ConformanceException)
        {
            throw new ConformanceException($"{what} should throw {nameof(OperationCanceledException)} and threw {e.GetType().Name}: {e.Message}");
        }

        throw new ConformanceException($"{what} should throw {nameof(OperationCanceledException)} and completed.");
    }

    /// <summary>Waits until something is so that must become so by itself.</summary>
    public static async Task Until(KeyValueEngine engine, Func<bool> isSo, string what)
    {
        long since = Environment.TickCount64;
        while (!isSo())
        {
            if (Environment.TickCount64 - since > engine.Patience.TotalMilliseconds) throw new ConformanceException($"{what}, and not within {engine.Patience}.");
            await Task.Delay(1);
        }
    }
}

/// <summary>Takes an amount if there is as much, and removes what is empty.</summary>
internal struct Take(long amount) : IKeyValueUpdate<long>
{
    public long Taken { get; private set; }

    public KeyValueUpdate Update(bool isThere, ref long value)
    {
        if (!isThere || value < amount) return KeyValueUpdate.Keep;
        value -= amount;
        Taken = amount;
        return value == 0 ? KeyValueUpdate.Delete : KeyValueUpdate.Put;
    }
}
