using Store.KeyValue;

namespace Store.Conformance;

/// <summary>The engine under test: how it opens keyed state on a store.</summary>
public abstract class KeyValueEngine
{
    /// <summary>
    /// Opens keyed state, as the engine's users do. Keys are ints, longs, strings, classes and one of several classes; values ints, longs, strings and classes with lists and arrays. Many cases open a store on files in memory
    /// (<see cref="NinoStoreOptions.Directory"/>): the engine's files have to be those of <see cref="KeyValueLog{TKey, TValue}.OpenFolder"/>.
    /// </summary>
    public abstract IKeyValueStore<TKey, TValue> Open<TKey, TValue>(NinoStore store, string name);

    /// <summary>As <see cref="Open"/>, set to write a checkpoint by itself after so many changes.</summary>
    public abstract IKeyValueStore<TKey, TValue> OpenCheckpointing<TKey, TValue>(NinoStore store, string name, int everyChanges);

    /// <summary>Makes every checkpoint of a keyed state that is open fail until the result is disposed, as a full disk would. Nothing else may fail: neither the log nor reads and changes.</summary>
    /// <param name="store">Its store.</param>
    /// <param name="name">Its name.</param>
    public abstract IDisposable FailCheckpoints(NinoStore store, string name);

    /// <summary>How many checkpoints the engine keeps, 1 unless it says more. Of one that keeps two, the newest may be damaged, and the state is opened whole all the same; of one that keeps one, the whole state or a <see cref="StoreException"/>.</summary>
    public virtual int KeptCheckpoints => 1;

    /// <summary>How long a case waits for what must come by itself, before it says that it does not come. A minute, so that a busy machine fails nobody; only a wrong engine is ever waited for so long.</summary>
    public virtual TimeSpan Patience => TimeSpan.FromMinutes(1);
}

/// <summary>One thing an engine must do.</summary>
/// <param name="Name">What, as a sentence.</param>
/// <param name="Demand">How it is tried, what must hold then, and what it means when it does not.</param>
/// <param name="Run">Tries it in an empty folder, which stays the caller's; throws <see cref="ConformanceException"/> when the engine does otherwise.</param>
public sealed record ConformanceCase(string Name, string Demand, Func<KeyValueEngine, string, Task> Run)
{
    /// <summary>The name: what test frameworks show.</summary>
    public override string ToString() => Name;
}

/// <summary>The engine does not do what it must.</summary>
public sealed class ConformanceException(string message) : Exception(message);

/// <summary>What the cases ask.</summary>
internal static class Check
{
    public static void Equal<T>(T expected, T actual, string what)
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual)) throw new ConformanceException($"{what} should be {expected} and is {actual}.");
    }

    public static void True(bool condition, string what)
    {
        if (!condition) throw new ConformanceException(what);
    }

    public static void Throws<TException>(Action action, string what) where TException : Exception
    {
        try
        {
            action();
        }
        catch (TException)
        {
            return;
        }
        catch (Exception e)
        {
            throw new ConformanceException($"{what} should throw {typeof(TException).Name} and threw {e.GetType().Name}: {e.Message}");
        }

        throw new ConformanceException($"{what} should throw {typeof(TException).Name} and threw nothing.");
    }

    public static async Task<List<KeyValuePair<TKey, TValue>>> ScanAsync<TKey, TValue>(IKeyValueStore<TKey, TValue> store, CancellationToken cancellationToken = default)
    {
        var all = new List<KeyValuePair<TKey, TValue>>();
        await foreach (KeyValuePair<TKey, TValue> pair in store.ScanAsync(cancellationToken)) all.Add(pair);
        return all;
    }

    public static void Holds<TKey, TValue>(IKeyValueStore<TKey, TValue> store, IReadOnlyDictionary<TKey, TValue> expected) where TKey : notnull
    {
        Equal(expected.Count, store.Count, "Count");
        foreach ((TKey key, TValue value) in expected)
        {
            True(store.TryGet(key, out TValue? found), $"{key} is missing");
            Equal(value, found, $"The value of {key}");
        }

        var scanned = new Dictionary<TKey, TValue>();
        foreach ((TKey key, TValue value) in store.Scan()) True(scanned.TryAdd(key, value), $"{key} came twice in a scan");
        Equal(expected.Count, scanned.Count, "The number of keys in a scan");
        foreach ((TKey key, TValue value) in expected) Equal(value, scanned[key], $"The value of {key} in a scan");
    }
}
