using Store.Serialization;
using Store.Serialization.Evolution;

namespace Store.Tests.Evolution;

/// <summary>Plans are kept, but not for as many and as large schemas as bytes from elsewhere may bring.</summary>
public sealed class MapperCacheTests
{
    [Fact]
    public void APlanIsMadeOnceForASchema()
    {
        var cache = new MapperCache(NinoSerializer.SchemaOf<After.Line>());
        NinoSchema stored = NinoSerializer.SchemaOf<Before.Line>();
        NinoRecordMapper plan = cache.From(stored);
        cache.From(NinoSerializer.SchemaOf<After.Line>());
        Assert.Same(plan, cache.From(NinoSchema.Parse(stored.CanonicalBytes.Span)));
        Assert.Equal(stored.CanonicalBytes.Length + NinoSerializer.SchemaOf<After.Line>().CanonicalBytes.Length, cache.SchemaBytes);
    }

    [Fact]
    public void LargeSchemasAreNotHeldOnTo()
    {
        NinoSchema own = NinoSerializer.SchemaOf<Fresh.Small>();
        var cache = new MapperCache(own);
        for (int i = 0; i < 12; i++)
        {
            NinoSchema stored = Large(own.Name, i);
            Assert.InRange(stored.CanonicalBytes.Length, 300_000, 1 << 20);
            Assert.Same(stored, cache.From(stored).Stored);
            Assert.InRange(cache.SchemaBytes, stored.CanonicalBytes.Length, MapperCache.MaxSchemaBytes);
        }
    }

    [Fact]
    public void LargePlansOfSmallSchemasAreNotHeldOnTo()
    {
        // Three kilobytes of a schema each, and forty thousand members of a plan.
        SchemaNode own = Values.Shapes.Recursive("N", node => [("Next", node), .. Enumerable.Range(0, 400).Select(static i => ($"M{i}", SchemaNode.Primitive(SchemaKind.String)))]);
        var cache = new MapperCache(NinoSchema.Create(own));
        for (int i = 0; i < 60; i++)
        {
            SchemaNode next = Values.Shapes.Class("N<end>", ($"X{i}", SchemaNode.Primitive(SchemaKind.Int32)));
            for (int type = 0; type < 100; type++) next = Values.Shapes.Class($"N<{type}>", ("Next", next));
            NinoSchema stored = NinoSchema.Create(next);
            Assert.InRange(cache.From(stored).Members, 40_000, 100_000);
            Assert.InRange(cache.Members, 40_000, MapperCache.MaxMembers);
        }
    }

    private static NinoSchema Large(string name, int number)
    {
        var builder = new SchemaBuilder();
        return NinoSchema.Create(builder.Object(typeof(MapperCacheTests), name, isReference: true, fields =>
        {
            fields.Add("Id", 0, SchemaNode.Primitive(SchemaKind.Int32));
            for (int i = 0; i < 4000; i++) fields.Add($"Member{i}Of{number}{new string('x', 100)}", 0, SchemaNode.Primitive(SchemaKind.Int32));
        }));
    }
}
