// What remains of many timings of one thing: the minimum for CPU-bound rows (noise only ever adds), percentiles for rows that wait for a disk.

namespace Store.Bench.Harness;

/// <summary>Sorted timings of one row.</summary>
public sealed class Samples
{
    private readonly List<double> _values = [];
    private bool _sorted = true;

    public int Count => _values.Count;

    public double Min => Percentile(0);

    public double Median => Percentile(50);

    public double Mean => _values.Average();

    public void Add(double value)
    {
        _values.Add(value);
        _sorted = false;
    }

    /// <summary>The smallest value that is not below <paramref name="percent"/> of all.</summary>
    /// <exception cref="InvalidOperationException">There are no samples.</exception>
    public double Percentile(double percent)
    {
        if (_values.Count == 0) throw new InvalidOperationException("There are no samples.");
        if (!_sorted) _values.Sort();
        _sorted = true;
        return _values[Math.Max(0, (int)Math.Ceiling(percent / 100 * _values.Count) - 1)];
    }
}
