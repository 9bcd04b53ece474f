// The verb "shapes": what no workload has. Kinds of members and collections, each beside the peers as the verb "ratios" measures, and verbs of ours beside Serialize and Deserialize
// as the verb "views" measures.

using Store.Bench.Harness.Views;
using Store.Bench.Peers;
using Store.Bench.Shapes;

namespace Store.Bench.Harness;

/// <summary>What was measured.</summary>
/// <param name="Cells">Shapes, of every peer.</param>
/// <param name="Verbs">Verbs, ours only.</param>
public sealed record ShapeResults(IReadOnlyList<RatioCell> Cells, IReadOnlyList<ViewRow> Verbs);

/// <summary>Measures shapes and verbs.</summary>
public static class ShapeRun
{
    /// <summary>What is measured of a shape. A new array is a reused buffer and a copy.</summary>
    internal static Operation[] Operations { get; } = [Operation.Write, Operation.Deserialize];

    /// <summary>Measures the rows that match. All are verified before and after.</summary>
    /// <exception cref="InvalidDataException">A peer does not read back what it wrote, or the result of a verb is wrong.</exception>
    public static ShapeResults Measure(HarnessOptions options, TextWriter progress) =>
        new(RatioRun.Measure(ShapeCatalog.Names, ShapeCatalog.Create, Operations, options, progress), ViewRun.Measure([.. VerbSubjects.All()], options));
}
