// Number, full name and flag with virtual properties: the model of a published comparison of binary serializers, with seeded names here.

using Store.Serialization;

namespace Store.Bench.Workloads;

/// <summary>Workload SimpleModel.</summary>
[NinoType]
public partial class SimpleModel
{
    public virtual int TestInt { get; set; }
    public virtual string TestString { get; set; } = "";
    public virtual bool TestBool { get; set; }

    /// <summary>Throws unless every member of both is equal.</summary>
    public static void Verify(SimpleModel expected, SimpleModel actual)
    {
        Check.Equal(expected.TestInt, actual.TestInt, "SimpleModel.TestInt");
        Check.Equal(expected.TestString, actual.TestString, "SimpleModel.TestString");
        Check.Equal(expected.TestBool, actual.TestBool, "SimpleModel.TestBool");
    }
}
