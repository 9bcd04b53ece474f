using Store.Serialization;

namespace Store.Tests.Values;

/// <summary>What a combination of flags costs to show does not grow without end with the names that a schema, which may come from anybody, gives to an enum.</summary>
public class ManyFlagsTests
{
    private const int MostNames = 1024;

    // Two bits with names of their own, and as many other numbers as are wanted: combinations of the lower bits.
    private const long First = 1L << 40, Second = 1L << 41;

    [Fact]
    public void CombinationsAreSplitWhereAnEnumHasUpTo1024Names()
    {
        Assert.Equal("\"First, Second\"", Shapes.JsonOf(Flags(MostNames), new RecordBytes().Int64(First | Second)));
        Assert.Equal("First, Second", Text(Flags(MostNames), First | Second));
    }

    [Fact]
    public void CombinationsAreNumbersWhereAnEnumHasMoreNames()
    {
        Assert.Equal($"{First | Second}", Shapes.JsonOf(Flags(MostNames + 1), new RecordBytes().Int64(First | Second)));
        Assert.Equal($"{First | Second}", Text(Flags(MostNames + 1), First | Second));

        // What has a name keeps it.
        Assert.Equal("\"First\"", Shapes.JsonOf(Flags(MostNames + 1), new RecordBytes().Int64(First)));
        Assert.Equal("N5", Text(Flags(MostNames + 1), 5));
    }

    [Fact]
    public void NamesThatANumberHasTwiceAreNotCounted()
    {
        SchemaNode flags = Shapes.Enum(SchemaKind.UInt64, isFlags: true, [("First", First), ("Second", Second), .. Enumerable.Range(0, MostNames).Select(static i => ($"Again{i}", First))]);
        Assert.Equal("First, Second", Text(flags, First | Second));
    }

    private static SchemaNode Flags(int names) =>
        Shapes.Enum(SchemaKind.UInt64, isFlags: true, [("First", First), ("Second", Second), .. Enumerable.Range(1, names - 2).Select(static i => ($"N{i}", (long)i))]);

    private static string Text(SchemaNode node, long value) => NinoValue.Decode(Shapes.Schema(node), new RecordBytes().Int64(value))["X"].ToString();
}
