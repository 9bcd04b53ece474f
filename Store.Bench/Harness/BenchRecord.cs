// The opaque record of the log's tables.

using Store.Bench.Workloads;

namespace Store.Bench.Harness;

/// <summary>Seeded bytes.</summary>
internal static class BenchRecord
{
    public static byte[] Of(int sizeBytes)
    {
        byte[] record = new byte[sizeBytes];
        new Random(WorkloadData.Seed).NextBytes(record);
        return record;
    }
}
