using Store.KeyValue;

namespace Store.Conformance;

/// <summary>The engine under test: how it opens keyed state on a store.</summary>
public abstract class KeyValueEngine
{
    /// <summary>Opens keyed state, as the engine's users do. Keys and values are ints, longs and strings.</summary>
    public abstract IKeyValueStore<TKey, TValue> Open<TKey, TValue>(NinoStore store, string name);

    /// <summary>As <see cref="Open"/>, set to write a checkpoint by itself after so many changes.</summary>
    public abstract IKeyValueStore<TKey, TValue> OpenCheckpointing<TKey, TValue>(NinoStore store, string name, int everyChanges);

    /// <summary>Makes every checkpoint of a keyed state that is open fail until the result is disposed, as a full disk would. Nothing else may fail: neither the log nor reads and changes.</summary>
    /// <param name="store">Its store.</param>
    /// <param name="name">Its name.</param>
    public abstract IDisposable FailCheckpoints(NinoStore store, string name);
}

/// <summary>One thing an engine must do.</summary>
/// <param name="Name">What, as a sentence.</param>
/// <param name="Run">Tries it in an empty folder, which stays the caller's; throws <see cref="ConformanceException"/> when the engine does otherwise.</param>
public sealed record ConformanceCase(string Name, Func<KeyValueEngine, string, Task> Run)
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
