using System.Collections.Concurrent;

namespace Store.Tests.Recovery;

/// <summary>What the threads of a log did, for the test's output and against a test that does not do what it says. Any thread.</summary>
internal sealed class ThreadedTally
{
    private readonly ConcurrentDictionary<string, int> _counts = new(StringComparer.Ordinal);

    public void Add(string what, int count = 1) => _counts.AddOrUpdate(what, count, (_, before) => before + count);

    /// <summary>Something of each kind happened.</summary>
    public bool HasAll(params ReadOnlySpan<string> kinds)
    {
        foreach (string kind in kinds)
        {
            if (_counts.GetValueOrDefault(kind) == 0) return false;
        }

        return true;
    }

    /// <summary>As <see cref="HasAll"/>, and fails with the kind of which nothing did.</summary>
    public void Has(params ReadOnlySpan<string> kinds)
    {
        foreach (string kind in kinds) Assert.True(_counts.GetValueOrDefault(kind) > 0, $"no {kind}: {this}");
    }

    public override string ToString() => string.Join(", ", _counts.OrderBy(static c => c.Key, StringComparer.Ordinal).Select(static c => $"{c.Value:N0} {c.Key}"));
}
