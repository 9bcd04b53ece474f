namespace Store.Serialization.Codecs;

/// <summary>
/// How many buckets the framework's hashed collections have while they grow by doubling: primes, each the first that suits it above twice the one before. Asked for room for one of
/// them, a collection has exactly so many. BucketTests holds the framework to it.
/// </summary>
internal static class BucketCounts
{
    private static ReadOnlySpan<int> Growing =>
    [
        1931, 4049, 8419, 17519, 36353, 75431, 156437, 324449, 672827, 1395263, 2893249, 5999471, 11998949, 23997907, 47995853, 95991737, 191983481, 383966977, 767933981, 1535867969,
    ];

    /// <summary>The largest there is.</summary>
    public static int Max => Growing[^1];

    /// <summary>The first of them that is no less; the largest where none is.</summary>
    public static int AtLeast(int count)
    {
        foreach (int buckets in Growing)
        {
            if (buckets >= count) return buckets;
        }

        return Max;
    }
}
