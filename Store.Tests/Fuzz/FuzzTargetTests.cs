using Store.Serialization;
using Store.Serialization.Codecs;

[assembly: NinoSerializable(typeof(Store.Tests.Fuzz.LateTable), Codec = typeof(Store.Tests.Fuzz.LateTableCodec))]

namespace Store.Tests.Fuzz;

/// <summary>A text whose codec makes a table when it is first used, as tables of all types that may stand for object are.</summary>
public readonly record struct LateTable(string Value);

public readonly struct LateTableCodec : INinoCodec<LateTable>
{
    // Of the test's thread: other tests read the type too.
    [ThreadStatic] internal static byte[]? Table;
    [ThreadStatic] internal static bool MakesItEachTime;

    public static int MinSize => 1;

    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.String);

    public void Write(ref NinoWriter writer, in LateTable value) => default(StringCodec).Write(ref writer, value.Value ?? "");

    public LateTable Read(ref NinoReader reader)
    {
        if (MakesItEachTime) Table = null;
        Table ??= new byte[3_000_000];
        return new LateTable(default(StringCodec).Read(ref reader) ?? throw new NinoSerializationException("A text is null."));
    }
}

public class FuzzTargetTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WhatIsMadeOnceIsNoInputsCostAndWhatIsMadeEachTimeIs(bool makesItEachTime)
    {
        var target = new FuzzTarget<LateTable>();
        (LateTableCodec.Table, LateTableCodec.MakesItEachTime) = (null, makesItEachTime);
        try
        {
            if (makesItEachTime) Assert.Contains("reading 1 bytes allocated", Assert.Throws<FuzzException>(() => target.Try([1], FuzzDepth.Codec)).Message, StringComparison.Ordinal);
            else Assert.True(target.Try([1], FuzzDepth.Codec));
        }
        finally
        {
            LateTableCodec.MakesItEachTime = false;
        }
    }
}
