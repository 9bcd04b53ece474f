// The smallest value: two fields, with padding between them in memory that a deterministic format must not write.

using Store.Serialization;

namespace Store.Bench.Workloads;

/// <summary>Workload SimpleStruct.</summary>
[NinoType]
public partial struct SimpleStruct
{
    public int Id;
    public DateTime CreatedAt;

    /// <summary>Throws unless every member of both is equal.</summary>
    public static void Verify(SimpleStruct expected, SimpleStruct actual)
    {
        Check.Equal(expected.Id, actual.Id, "SimpleStruct.Id");
        Check.Date(expected.CreatedAt, actual.CreatedAt, "SimpleStruct.CreatedAt");
    }
}
