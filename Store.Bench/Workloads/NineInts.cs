// Nine virtual ints: all zero (where tagged and variable-length formats shine) and random (where they do not).

using Store.Serialization;

namespace Store.Bench.Workloads;

/// <summary>Workload NineInts.</summary>
[NinoType]
public partial class NineInts
{
    public virtual int P1 { get; set; }
    public virtual int P2 { get; set; }
    public virtual int P3 { get; set; }
    public virtual int P4 { get; set; }
    public virtual int P5 { get; set; }
    public virtual int P6 { get; set; }
    public virtual int P7 { get; set; }
    public virtual int P8 { get; set; }
    public virtual int P9 { get; set; }

    /// <summary>Throws unless every member of both is equal.</summary>
    public static void Verify(NineInts expected, NineInts actual)
    {
        Check.Equal(expected.P1, actual.P1, "NineInts.P1");
        Check.Equal(expected.P2, actual.P2, "NineInts.P2");
        Check.Equal(expected.P3, actual.P3, "NineInts.P3");
        Check.Equal(expected.P4, actual.P4, "NineInts.P4");
        Check.Equal(expected.P5, actual.P5, "NineInts.P5");
        Check.Equal(expected.P6, actual.P6, "NineInts.P6");
        Check.Equal(expected.P7, actual.P7, "NineInts.P7");
        Check.Equal(expected.P8, actual.P8, "NineInts.P8");
        Check.Equal(expected.P9, actual.P9, "NineInts.P9");
    }
}
