using Store.Serialization;

namespace Store.Tests.Serialization;

/// <summary>Schemas of polymorphic bases: one form, and nothing that no writer produces.</summary>
public sealed class UnionSchemaTests
{
    // U { 1: A { F: U }, 300: B (struct) }, explicit tags; the root is U.
    private const string Golden =
        "01 03"
        + "62 01 55 01 02  01000000 60 01  2C010000 60 02"
        + "60 01 41 01 01  01 46 00 62 00"
        + "60 01 42 00 01  01 47 00 06"
        + "62 00";

    [Fact]
    public void ASchemaOfAUnionHasItsGoldenBytes()
    {
        NinoSchema schema = Described();
        Assert.Equal(Golden.Replace(" ", ""), Convert.ToHexString(schema.CanonicalBytes.Span));
        NinoSchema parsed = NinoSchema.Parse(schema.CanonicalBytes.Span);
        Assert.Equal(schema.Fingerprint, parsed.Fingerprint);
        Assert.Equal("U", parsed.Name);
        Assert.Equal([1u, 300u], ((UnionDefinition)parsed.Root.Definition!).Cases.Select(static one => one.Tag));
    }

    [Fact]
    public void TheHashOfANameNeverChanges()
    {
        Assert.Equal(0xB520567EU, UnionDefinition.HashOf("Shop.Dot"));
        Assert.Equal(0xE6BBADC8U, UnionDefinition.HashOf("Shop.Ring"));
    }

    [Theory]
    [InlineData("01 01 62 01 55 01 00 62 00", "no cases")]
    [InlineData("01 02 62 01 55 08 01 01000000 60 01 60 01 41 01 00 62 00", "unknown flags")]
    [InlineData("01 02 62 01 55 06 01 01000000 60 01 60 01 41 01 00 62 00", "cases that are skipped and counted")]
    [InlineData("01 02 62 01 55 01 02 02000000 60 01 01000000 60 01 60 01 41 01 00 62 00", "tags out of order")]
    [InlineData("01 02 62 01 55 01 02 01000000 60 01 02000000 60 01 60 01 41 01 00 62 00", "a case twice")]
    [InlineData("01 03 62 01 55 01 02 01000000 60 01 01000000 60 02 60 01 41 01 00 60 01 42 01 00 62 00", "a tag twice")]
    [InlineData("01 02 62 01 55 01 01 00000080 60 01 60 01 41 01 00 62 00", "a tag out of range")]
    [InlineData("01 02 62 01 55 00 01 01000000 60 01 60 01 41 01 00 62 00", "a hash of another name")]
    [InlineData("01 01 62 01 55 01 01 01000000 40 62 00", "a case that is no object")]
    [InlineData("01 02 62 01 55 01 01 01000000 61 01 61 01 41 03 00 00 62 00", "a case that is an enum")]
    [InlineData("01 02 62 01 55 03 01 01000000 60 01 60 01 41 03 00 62 00", "a case with references that is skipped")]
    [InlineData("01 02 60 01 41 01 00 62 01 55 01 01 01000000 60 00 62 01", "definitions in another order")]
    [InlineData("01 01 62 01 55 01 FE FFFFFF7F", "a huge count of cases")]
    [InlineData("01 02 62 01 55 01 01 01000000 60 01 60 01 41 01 00 50 62 00", "a nullable union")]
    public void WhatIsNoUnionIsRefused(string hex, string what)
    {
        _ = what;
        Assert.Throws<NinoSerializationException>(() => NinoSchema.Parse(Convert.FromHexString(hex.Replace(" ", ""))));
    }

    [Fact]
    public void AnyFlippedBitOrCutIsRefusedOrIsAnotherSchemasOwnBytes()
    {
        byte[] golden = Convert.FromHexString(Golden.Replace(" ", ""));
        for (int length = 0; length < golden.Length; length++) Assert.Throws<NinoSerializationException>(() => NinoSchema.Parse(golden.AsSpan(0, length)));
        for (int bit = 0; bit < golden.Length * 8; bit++)
        {
            byte[] bytes = [.. golden];
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
            Exception? error = Record.Exception(() => Assert.Equal(bytes, NinoSchema.Parse(bytes).CanonicalBytes.ToArray()));
            Assert.True(error is null or NinoSerializationException, error?.ToString());
        }
    }

    [Fact]
    public void ASchemaOfVeryManyUnionsCostsNoMoreThanItsLengthAllows()
    {
        // 5,000 unions, each with the same 10 cases, each held by a case: every walk that went through all cases of all unions anew would take the square.
        const int Unions = 5000;
        var cases = new List<ObjectDefinition>();
        for (int i = 0; i < 10; i++) cases.Add(new ObjectDefinition($"C{i}", isReference: true));
        for (int u = 0; u < Unions; u++)
        {
            var union = new UnionDefinition($"U{u}", UnionForm.ExplicitTags);
            for (int i = 0; i < cases.Count; i++) union.Add(new UnionCase((uint)i, SchemaNode.Reference(cases[i])));
            cases[u % cases.Count].Add(new SchemaField($"F{u}", 0, SchemaNode.Reference(union)));
        }

        NinoSchema schema = NinoSchema.Create(SchemaNode.Reference(cases[0]));
        long before = GC.GetAllocatedBytesForCurrentThread();
        NinoSchema.Parse(schema.CanonicalBytes.Span);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 200L * schema.CanonicalBytes.Length);
    }

    private static NinoSchema Described() => NinoSchema.Create(new SchemaBuilder().Union(typeof(IDisposable), "U", UnionForm.ExplicitTags, static cases =>
    {
        cases.Add(300, cases.Builder.Object(typeof(int), "B", isReference: false, static fields => fields.Add("G", 0, SchemaNode.Primitive(SchemaKind.Int32))));
        cases.Add(1, cases.Builder.Object(typeof(string), "A", isReference: true, static fields => fields.Add("F", 0, fields.Builder.Union(typeof(IDisposable), "U", UnionForm.ExplicitTags, static _ => { }))));
    }));
}
