// Views over records, compared member by member with the object that reading gives; of what is no record, everything is touched.

using Store.Fuzz.Driver;
using Store.Tests.Fuzz;
using Store.Tests.Views;

namespace Store.Fuzz.Targets;

internal sealed class ViewLane(ViewCheck check) : FuzzLane(check.Name)
{
    public static IReadOnlyList<FuzzLane> All() => [.. ViewCatalog.All.Select(static check => new ViewLane(check))];

    public override IEnumerable<byte[]> Seeds(int seed) => RecordLane.Samples(check.Schema, seed);

    // Comparing makes texts and lists of everything.
    public override long MaxAllocation(int length) => 4 * 1024 * 1024 + (16_384L * length);

    public override void Run(byte[] input) => check.Compare(input);

    public override byte[] Mutate(byte[] input, byte[] other, Havoc havoc) => havoc.Random.Next(4) == 0 ? Mutation.Of(input, other, havoc.Random) : base.Mutate(input, other, havoc);
}
