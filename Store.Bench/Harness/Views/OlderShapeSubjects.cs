// Reading records that an older release of the same type wrote.

using System.Text;
using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Harness.Views;

/// <summary>Rows of older shapes, each beside reading the present one.</summary>
internal static class OlderShapeSubjects
{
    public static IEnumerable<ViewSubject> All() => [.. OfSimpleClass(), .. OfPoco(), .. OfPocos()];

    private static IEnumerable<ViewSubject> OfSimpleClass()
    {
        SimpleClass now = WorkloadData.SimpleClasses(1)[0];
        var older = new OlderSimpleClass { Id = (short)now.Id, Numbers = now.Numbers, Dates = now.Dates, Name = now.Name, Texts = now.Texts, Pairs = now.Pairs, Gone = "gone" };
        byte[] straight = NinoSerializer.Serialize(now), stored = NinoSerializer.Serialize(older);
        NinoCodec<SimpleClass> codec = NinoCodec<SimpleClass>.Default;
        NinoSchema schema = StoredAs(NinoSerializer.SchemaOf<OlderSimpleClass>(), "SimpleOlder", "SimpleClass");
        const string Straight = "SimpleClass: read straight";
        yield return new(Straight, count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += codec.Decode(straight).Id;
        }, () => SimpleClass.Verify(now, codec.Decode(straight)));
        yield return new("SimpleClass: read from an older shape", count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += codec.Decode(stored, schema).Id;
        }, () => SimpleClass.Verify(now, codec.Decode(stored, schema)), Straight);
    }

    private static IEnumerable<ViewSubject> OfPoco()
    {
        Poco now = Present();
        byte[] straight = NinoSerializer.Serialize(now), stored = NinoSerializer.Serialize(Older(now));
        NinoSchema schema = StoredAs(NinoSerializer.SchemaOf<OlderPoco>(), "Past", "Poco");
        NinoCodec<Poco> codec = NinoCodec<Poco>.Default;
        const string Straight = "Poco: read straight";
        yield return new(Straight, count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += codec.Decode(straight).Number;
        }, () => Poco.Verify(now, codec.Decode(straight)));
        yield return new("Poco: read from an older shape", count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += codec.Decode(stored, schema).Number;
        }, () => Poco.Verify(now, codec.Decode(stored, schema)), Straight);
    }

    private static IEnumerable<ViewSubject> OfPocos()
    {
        List<Poco> now = [.. Enumerable.Repeat(Present(), 1000)];
        byte[] straight = NinoSerializer.Serialize(now), stored = NinoSerializer.Serialize(now.ConvertAll(Older));
        NinoSchema schema = StoredAs(NinoSerializer.SchemaOf<List<OlderPoco>>(), "Past", "Poco");
        NinoCodec<List<Poco>> codec = NinoCodec<List<Poco>>.Default;
        const string Straight = "Poco x1000: read straight";
        yield return new(Straight, count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += codec.Decode(straight).Count;
        }, () => Check.Items(now, codec.Decode(straight), Poco.Verify));
        yield return new("Poco x1000: read from an older shape", count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += codec.Decode(stored, schema).Count;
        }, () => Check.Items(now, codec.Decode(stored, schema), Poco.Verify), Straight);
    }

    private static Poco Present() => new() { Text = "hello", Number = 5, Key = Guid.NewGuid(), When = DateTime.UtcNow };

    private static OlderPoco Older(Poco now) => new() { Number = (short)now.Number, Key = now.Key, When = now.When, Text = now.Text, Gone = 7 };

    /// <summary>The schema as a file has it that an older release wrote, when the type had the name that it has now. Both names are equally long.</summary>
    private static NinoSchema StoredAs(NinoSchema schema, string name, string present)
    {
        byte[] bytes = schema.CanonicalBytes.ToArray();
        byte[] from = Encoding.ASCII.GetBytes("Store.Bench.Workloads." + name), to = Encoding.ASCII.GetBytes("Store.Bench.Workloads." + present);
        to.CopyTo(bytes.AsSpan(bytes.AsSpan().IndexOf(from)));
        return NinoSchema.Parse(bytes);
    }
}

/// <summary>SimpleClass as an older release had it: a narrower id, another order, a member that is gone.</summary>
[NinoType(Name = "Store.Bench.Workloads.SimpleOlder", View = false)]
public sealed class OlderSimpleClass
{
    public short Id { get; set; }
    public string Gone { get; set; } = "";
    public int[] Numbers { get; set; } = [];
    public string Name { get; set; } = "";
    public Dictionary<int, string> Texts { get; set; } = [];
    public List<DateTime> Dates { get; set; } = [];
    public Dictionary<int, int> Pairs { get; set; } = [];
}

/// <summary>Poco likewise.</summary>
[NinoType(Name = "Store.Bench.Workloads.Past", View = false)]
public sealed class OlderPoco
{
    public short Number { get; set; }
    public DateTime When { get; set; }
    public long Gone { get; set; }
    public Guid Key { get; set; }
    public string Text { get; set; } = "";
}
