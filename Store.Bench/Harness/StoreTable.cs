// What a table of the verb "store" is called and how it is read. Those who measure are in the folder Tables.

using Store.Bench.Harness.Stores;

namespace Store.Bench.Harness;

/// <summary>One table.</summary>
/// <param name="Name">Its heading; what <c>--filter</c> looks at.</param>
/// <param name="Unit">Unit of its figures.</param>
public sealed record StoreTable(string Name, string Unit)
{
    /// <summary>Minima are compared, not medians: nothing waits for a disk, and noise only adds.</summary>
    public bool IsByMinimum { get; init; }

    /// <summary>What <see cref="StoreRow.P50"/> and <see cref="StoreRow.P99"/> are; the second is empty where there is one figure only.</summary>
    public (string First, string Second) Figures { get; init; } = ("p50", "p99");

    /// <summary>The peers that the others of a row are compared with: the first of them that is there, else the row's first.</summary>
    public IReadOnlyList<string> References { get; init; } = [StorePeers.RawName, StorePeers.FasterLogDefaultName];

    /// <summary>What a row is compared by.</summary>
    public double Compared(StoreRow row) => IsByMinimum ? row.Min ?? row.P50 : row.P50;
}

/// <summary>Measures one table, or some that come from the same run.</summary>
public interface IStoreMeasurement
{
    /// <summary>Its tables, in the order of the report.</summary>
    IReadOnlyList<StoreTable> Tables { get; }

    /// <summary>Measures all of them.</summary>
    /// <exception cref="InvalidDataException">A peer does not hold what it was given.</exception>
    IEnumerable<StoreRow> Measure(HarnessOptions options);
}
