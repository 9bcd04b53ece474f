using Store.Log;
using Store.Serialization;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Numbers of schemas: one for each canonical form, however many instances describe it.</summary>
public class SchemaTableTests
{
    private static NinoSchema Colours(string third) =>
        NinoSchema.Create(new SchemaBuilder().Enum(typeof(DayOfWeek), "Colour", SchemaKind.Int32, isFlags: false, [new("Red", 0), new("Blue", 1), new(third, 2)]));

    [Fact]
    public void SchemasThatDifferOnlyInANameOfAnEnumMemberAreBothKept()
    {
        NinoSchema before = Colours("Green"), after = Colours("Black");
        Assert.Equal(before.Fingerprint, after.Fingerprint);
        Assert.Equal(before.CanonicalBytes.Length, after.CanonicalBytes.Length);
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            store.AppendRecord(before, [2, 0, 0, 0]);
            store.AppendRecord(after, [2, 0, 0, 0]);
        }

        using NinoStore reopened = Simulated.Open(directory, seed: 2);
        reopened.AppendRecord(before, [2, 0, 0, 0]);

        Assert.Equal(["Green", "Black", "Green"], reopened.ReadRecords().Select(static r => ((EnumDefinition)r.Schema.Root.Definition!).Members[2].Name));
    }

    [Fact]
    public void ASchemaParsedAnewForEachRecordIsDeclaredOnceInASegment()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory, change: static o => o with { FirstSegmentSizeBytes = 1024 * 1024 }))
        {
            byte[] schema = NinoCodec<int>.Default.Schema.CanonicalBytes.ToArray();
            for (int i = 0; i < 5_000; i++) store.AppendRecord(NinoSchema.Parse(schema), [1, 0, 0, 0]);
            store.Append(1);
        }

        Assert.Equal(1, Frames.Of(directory, 1).Count(static f => f.Kind == Store.Framing.FrameKind.Schema));
    }

    [Fact]
    public void WhenEveryNumberIsTakenTheNextSchemaIsRefusedAndTheOthersGoOn()
    {
        var table = new SchemaTable();
        NinoSchema green = Colours("Green");
        for (int id = 1; id <= ushort.MaxValue; id++) Assert.NotNull(table.TryAdopt(id, green));

        Assert.Contains("65535", Assert.Throws<StoreException>(() => table.Get(Colours("Black"))).Message, StringComparison.Ordinal);
        Assert.Equal(ushort.MaxValue, table.Get(green).Id);
    }

    [Fact]
    public void ANumberThatCameFromElsewhereLeavesTheOthersToBeGiven()
    {
        var table = new SchemaTable();
        table.Load(new Dictionary<int, NinoSchema> { [ushort.MaxValue] = Colours("Green") }, segmentNumber: 1);

        Assert.Equal(1, table.Get(Colours("Black")).Id);
        Assert.Null(table.TryAdopt(1, Colours("Green")));
        Assert.False(table.CanAdopt(1, Colours("Green")));
        table.Clear();
        Assert.Equal(1, table.Get(Colours("Green")).Id);
    }
}
