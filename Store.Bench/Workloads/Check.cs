// Comparison of what was written with what was read back. A difference ends the run: a fast peer that loses data has no row.

namespace Store.Bench.Workloads;

/// <summary>Throws <see cref="InvalidDataException"/> naming the member at the first difference.</summary>
public static class Check
{
    public static void Equal<T>(T expected, T actual, string member)
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual)) throw new InvalidDataException($"{member}: wrote '{expected}', read '{actual}'.");
    }

    /// <summary>Ticks and kind: the seeded dates are UTC with ticks below a microsecond.</summary>
    public static void Date(DateTime expected, DateTime actual, string member)
    {
        if (expected.Ticks != actual.Ticks || expected.Kind != actual.Kind)
            throw new InvalidDataException($"{member}: wrote {expected:O} ({expected.Kind}), read {actual:O} ({actual.Kind}).");
    }

    public static void Sequence<T>(ReadOnlySpan<T> expected, ReadOnlySpan<T> actual, string member)
    {
        Equal(expected.Length, actual.Length, $"{member}.Length");
        for (int i = 0; i < expected.Length; i++) Equal(expected[i], actual[i], member);
    }

    public static void Dictionary<TKey, TValue>(Dictionary<TKey, TValue> expected, Dictionary<TKey, TValue> actual, string member) where TKey : notnull
    {
        Equal(expected.Count, actual.Count, $"{member}.Count");
        foreach (var (key, value) in expected)
        {
            if (!actual.TryGetValue(key, out TValue? read)) throw new InvalidDataException($"{member}: key '{key}' is missing.");
            Equal(value, read, member);
        }
    }

    /// <summary>Compares a batch item by item.</summary>
    public static void Items<T>(IReadOnlyList<T> expected, IReadOnlyList<T> actual, Action<T, T> verify)
    {
        Equal(expected.Count, actual.Count, $"{typeof(T).Name} count");
        for (int i = 0; i < expected.Count; i++) verify(expected[i], actual[i]);
    }
}
