// Years of one store: releases of a program that had other types under the same names, and the same types under other names. Each record is shown as the schema says that it was written with.

using System.Text.Json;
using Store.Inspect;
using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Values;

namespace Store.Tests.Inspect;

public sealed class InspectReleasesTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>They have one fingerprint, because they encode alike; what the numbers mean only the schema tells.</summary>
    [Fact]
    public void SchemasThatDifferOnlyInTheNamesOfEnumMembersAreListedEach()
    {
        string path = _folder["doors"];
        foreach (NinoSchema release in new[] { Door(("Open", 1), ("Shut", 2)), Door(("Shut", 1), ("Open", 2)), Door(("Open", 1), ("Shut", 2)) })
        {
            using NinoStore store = NinoStore.Open(path, SampleLog.Options());
            store.AppendRecord(release, [1]);
        }

        Assert.Equal(["Open", "Shut", "Open"], ToolRun.Of("cat", "--json", path).Lines.Select(static line => JsonDocument.Parse(line).RootElement.GetProperty("value").GetProperty("State").GetString()));
        Assert.Equal(["Open=1 Shut=2", "Shut=1 Open=2"], ToolRun.Of("schema", "--json", path).Lines.Select(MembersOf));
        Assert.Equal(2, ToolRun.Of("schema", path).Lines.Count(static line => line.StartsWith("Shop.Door ", StringComparison.Ordinal)));
        using StoreReader reader = StoreReader.Open(path);
        Assert.Equal([(2, 1, 3), (1, 2, 2)], reader.Verify().Types.Select(static type => (type.Records, type.FirstSequence, type.LastSequence)));

        static string MembersOf(string line) => string.Join(' ', JsonDocument.Parse(line).RootElement.GetProperty("types")[1].GetProperty("members").EnumerateObject().Select(static member => $"{member.Name}={member.Value}"));
    }

    private static NinoSchema Door(params (string Name, long Value)[] members) => NinoSchema.Create(Shapes.Class("Shop.Door", ("State", Shapes.Enum("Shop.State", SchemaKind.Byte, isFlags: false, members))));

    /// <summary>The columns are those of the first hundred.</summary>
    [Fact]
    public void ARecordOfAnotherShapeBehindTheFirstHundredIsShownWithItsValue()
    {
        string path = _folder["points"];
        using (NinoStore store = NinoStore.Open(path, SampleLog.Options()))
        {
            NinoSchema flat = NinoSchema.Create(Shapes.Struct("Shop.Point", ("X", Shapes.Of(SchemaKind.Int32)), ("Y", Shapes.Of(SchemaKind.Int32))));
            NinoSchema named = NinoSchema.Create(Shapes.Class("Shop.Point", ("X", Shapes.Of(SchemaKind.Int32)), ("Name", Shapes.Of(SchemaKind.String))));
            for (int i = 1; i <= 101; i++) store.AppendRecord(flat, new RecordBytes().Int32(i).Int32(-i).ToArray());
            store.AppendRecord(named, new RecordBytes().Int32(7).Text("corner").ToArray());
            store.AppendRecord(flat, new RecordBytes().Int32(8).Int32(9).ToArray());
        }

        string[] lines = ToolRun.OnTerminal(120, "cat", path, "--color", "never").Lines;
        Assert.Matches(@"^sequence +time +X +Y$", lines[0]);
        Assert.Matches(@"^ +101 +\S+ \S+ +101 +-101$", lines[101]);
        Assert.Matches(@"^ +102 +\S+ \S+  Point  X=7  Name=""corner""$", lines[102]);
        Assert.Matches(@"^ +103 +\S+ \S+ +8 +9$", lines[103]);
    }

    /// <summary>A type that was renamed, one whose name is another type's now, a base with a case more, and generic types.</summary>
    [Fact]
    public void EveryRecordOfThreeReleasesIsShownAsItWasWritten()
    {
        string path = _folder["releases"];
        (NinoSchema Schema, byte[] Record, string Json)[] written =
        [
            (NinoSchema.Create(Shapes.Class("Shop.Order", ("Id", Shapes.Of(SchemaKind.Int32)))), [1, 0, 0, 0], """{"Id":1}"""),
            (NinoSchema.Create(Shapes.Class("Shop.Box<Shop.Order>", ("Of", Shapes.Class("Shop.Order", ("Id", Shapes.Of(SchemaKind.Int32)))))), [1, 2, 0, 0, 0], """{"Of":{"Id":2}}"""),
            (Pay("Shop.Cash"), new RecordBytes().Raw(TagOf(0)).Int32(3).ToArray(), """{"$type":"Shop.Cash","Amount":3}"""),

            // The second release: 'Order' is called 'Purchase', and there is another 'Order'.
            (NinoSchema.Create(Shapes.Class("Shop.Purchase", ("Id", Shapes.Of(SchemaKind.Int64)))), [4, 0, 0, 0, 0, 0, 0, 0], """{"Id":4}"""),
            (NinoSchema.Create(Shapes.Class("Shop.Order", ("Text", Shapes.Of(SchemaKind.String)))), new RecordBytes().Text("now").ToArray(), """{"Text":"now"}"""),
            (Pay("Shop.Cash", "Shop.Card"), new RecordBytes().Raw(TagOf(1)).Int32(5).ToArray(), """{"$type":"Shop.Card","Amount":5}"""),

            // The third: it is a number.
            (NinoSchema.Create(Shapes.Enum("Shop.Order", SchemaKind.Byte, isFlags: false, [("First", 1)])), [1], "\"First\""),
            (NinoSchema.Create(Shapes.Class("Shop.Box<Shop.Order>", ("Of", Shapes.Enum("Shop.Order", SchemaKind.Byte, isFlags: false, [("First", 1)])))), [1], """{"Of":"First"}"""),
            (Pay("Shop.Card"), new RecordBytes().Raw(TagOf(0)).Int32(6).ToArray(), """{"$type":"Shop.Card","Amount":6}"""),
        ];
        for (int release = 0; release < 3; release++)
        {
            using NinoStore store = NinoStore.Open(path, SampleLog.Options());
            foreach ((NinoSchema schema, byte[] record, _) in written.Skip(3 * release).Take(3)) store.AppendRecord(schema, record);
        }

        foreach (string[] verb in (string[][])[["cat", "--json"], ["export"]])
        {
            ToolRun run = ToolRun.Of([.. verb, path]);
            Assert.Equal((ExitCode.Clean, ""), (run.ExitCode, run.Error));
            Assert.Equal(written.Select(static one => (one.Schema.Name, one.Json)), run.Lines.Select(static line => JsonDocument.Parse(line).RootElement).Select(static line => (line.GetProperty("type").GetString()!, line.GetProperty("value").GetRawText())));
        }

        Assert.Equal(3, ToolRun.Of("cat", "--type", "Order", path).Lines.Length);
        Assert.Equal(2, ToolRun.Of("cat", "--type", "Box<Shop.Order>", path).Lines.Length);
        Assert.Equal(9, ToolRun.Of("schema", "--json", path).Lines.Length);
        Assert.Equal(ExitCode.Clean, ToolRun.Of("verify", path).ExitCode);
        string[] table = ToolRun.OnTerminal(120, "cat", path, "--color", "never").Lines;
        Assert.EndsWith("Purchase         Id=4", table[4], StringComparison.Ordinal);
        Assert.EndsWith("Order            Text=\"now\"", table[5], StringComparison.Ordinal);
        Assert.EndsWith("Order            First", table[7], StringComparison.Ordinal);

        static NinoSchema Pay(params string[] cases)
        {
            var union = new UnionDefinition("Shop.Pay", UnionForm.ExplicitTags);
            for (int i = 0; i < cases.Length; i++) union.Add(new UnionCase((uint)i, Shapes.Class(cases[i], ("Amount", Shapes.Of(SchemaKind.Int32)))));
            return NinoSchema.Create(SchemaNode.Reference(union));
        }

        static byte TagOf(int index) => (byte)(index + 1);
    }
}
