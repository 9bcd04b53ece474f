// What remains of many timings of one thing: the minimum for CPU-bound rows (noise only ever adds), percentiles for rows that wait for a disk.

namespace Store.Bench.Harness;

/// <summary>Sorted timings of one row.</summary>
/// <param name="capacity">How many are expected: so many are added without allocating.</param>
public sealed class Samples(int capacity = 0)
{
    // Of fewer, the largest would be called a percentile.
    private const int EnoughFor999 = 1000;

    private readonly List<double> _values = new(capacity);
    private bool _sorted = true;

    public int Count => _values.Count;

    public double Min => Percentile(0);

    public double Median => Percentile(50);

    /// <summary>The 99.9th percentile, or null when there are not a thousand samples.</summary>
    public double? P999 => Count < EnoughFor999 ? null : Percentile(99.9);

    public void Add(double value)
    {
        _values.Add(value);
        _sorted = false;
    }

    public void AddRange(Samples other)
    {
        _values.AddRange(other._values);
        _sorted = false;
    }

    /// <summary>The mean of the values up to a percentile.</summary>
    /// <exception cref="InvalidOperationException">There are no samples.</exception>
    public double MeanBelow(double percent)
    {
        Percentile(percent);
        return _values.Take(Math.Max(1, CountUpTo(percent))).Average();
    }

    /// <summary>The smallest value that is not below <paramref name="percent"/> of all.</summary>
    /// <exception cref="InvalidOperationException">There are no samples.</exception>
    public double Percentile(double percent)
    {
        if (_values.Count == 0) throw new InvalidOperationException("There are no samples.");
        if (!_sorted) _values.Sort();
        _sorted = true;
        return _values[Math.Max(0, CountUpTo(percent) - 1)];
    }

    // 99.9 has no exact double: without the allowance the 999th of a thousand would be the 1000th.
    private int CountUpTo(double percent) => (int)Math.Ceiling((percent * _values.Count / 100) - 1e-9);
}
