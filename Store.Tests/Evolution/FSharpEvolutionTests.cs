using Microsoft.FSharp.Collections;
using Microsoft.FSharp.Core;
using Store.Serialization;
using V1 = Shop.FSharp.V1;
using V2 = Shop.FSharp.V2;

namespace Store.Tests.Evolution;

/// <summary>F# types that changed since they were stored.</summary>
public sealed class FSharpEvolutionTests
{
    [Fact]
    public void AddedAndMovedCasesAndFieldsAreReadFromOlderRecords()
    {
        var stored = new V1.Basket(ListModule.OfArray([new V1.Item("a", V1.Kind.Small, 3, "note"), new V1.Item("b", V1.Kind.NewLarge(7), 4, null!)]));
        V2.Basket read = Read<V1.Basket, V2.Basket>(stored);
        V2.Item first = read.Items[0], second = read.Items[1];
        Assert.Equal((3L, "a", "note"), (first.Count, first.Name, first.Note!.Value));
        Assert.Equal(V2.Kind.Small, first.Kind);
        Assert.Equal(V2.Kind.NewLarge(7), second.Kind);
        // What older records lack: no value where it may be absent, and empty collections.
        Assert.Null(second.Note);
        Assert.Null(first.Price);
        Assert.True(first.Tags.IsEmpty && first.Prices.IsEmpty && first.Flags.IsEmpty);
    }

    [Fact]
    public void ACaseThatIsGoneIsRefusedOnlyWhereAValueOfItIs()
    {
        Assert.Equal(V2.Kind.Small, Read<V1.Kind, V2.Kind>(V1.Kind.Small));
        var error = Assert.Throws<NinoSerializationException>(() => Read<V1.Kind, V2.Kind>(V1.Kind.NewGone("x")));
        Assert.Contains("'Shop.FSharp.V1.Kind+Gone'", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void ACaseIsFoundUnderItsFormerName()
    {
        // The same union when Closed was called Shut: the name of the case, and its hash, are all that differs.
        NinoSchema now = NinoSerializer.SchemaOf<Shop.FSharp.Marked.Ticket>();
        var stored = NinoSchema.Create(Ticket(now));
        byte[] bytes = [1, 0, 0, 0, 2, .. BitConverter.GetBytes(UnionDefinition.HashOf("shop.event+Shut")), 10, 9, 0, 0, 0, 0, 0, 0, 0, 3, (byte)'x'];
        Shop.FSharp.Marked.Ticket read = NinoCodec<Shop.FSharp.Marked.Ticket>.Default.Decode(bytes, stored);
        Assert.Equal(Shop.FSharp.Marked.Event.NewClosed(9, "x"), read.History.Head);
    }

    /// <summary>F# calls it Item, or Item1 beside others; no attribute can stand on it.</summary>
    [Fact]
    public void AFieldOfACaseThatHadNoNameIsFoundByItsPlace()
    {
        Assert.Equal(V2.Step.NewWait(3, null!), Read<V1.Step, V2.Step>(V1.Step.NewWait(3)));
        Assert.Equal(V2.Step.NewTurn(4), Read<V1.Step, V2.Step>(V1.Step.NewTurn(4, "left")));
        Assert.Equal(V2.Step.NewWalk(5), Read<V1.Step, V2.Step>(V1.Step.NewWalk(5)));
        Assert.Equal(V2.Ticket.NewTicket(6), Read<V1.Ticket, V2.Ticket>(V1.Ticket.NewTicket(6)));
    }

    [Fact]
    public void AFieldThatIsCalledAsOneWithoutANameIsTheOneOfThatName() =>
        Assert.Equal(V2.Step.NewStop(0, 7), Read<V1.Step, V2.Step>(V1.Step.NewStop(7, 8)));

    [Fact]
    public void ANullableOfCSharpIsAnOptionOfFSharp()
    {
        Assert.Equal(NinoSerializer.SchemaOf<CSharpSide>().Fingerprint, SchemaAs(NinoSerializer.SchemaOf<FSharpSide>(), typeof(CSharpSide).FullName!).Fingerprint);
        byte[] bytes = NinoSerializer.Serialize(new CSharpSide(3, "t", null));
        FSharpSide side = NinoSerializer.Deserialize<FSharpSide>(bytes);
        Assert.Equal((3, "t"), (side.Number.Value, side.Text.Value));
        Assert.Null(side.List);
    }

    [Fact]
    public void ASetOfFSharpIsOneInTheSchemaFile()
    {
        string text = NinoSchemaFile.Describe("F#", [NinoSerializer.SchemaOf<V2.Basket>()]);
        Assert.Contains("  Flags: list (no two equal) of Int32\n", text, StringComparison.Ordinal);
        Assert.Contains("  Tags: list of String\n", text, StringComparison.Ordinal);
    }

    private static SchemaNode Ticket(NinoSchema now)
    {
        var builder = new SchemaBuilder();
        SchemaNode opened = builder.Object(typeof(int), "shop.event+Opened", true, static fields => fields.Add("at", 0, SchemaNode.Primitive(SchemaKind.Int64)));
        SchemaNode shut = builder.Object(typeof(long), "shop.event+Shut", true, static fields =>
        {
            fields.Add("at", 0, SchemaNode.Primitive(SchemaKind.Int64));
            fields.Add("reason", 0, SchemaNode.Primitive(SchemaKind.String));
        });
        SchemaNode union = builder.Union(typeof(string), "shop.event", UnionForm.SkipsUnknown, cases =>
        {
            cases.Add(UnionDefinition.HashOf("shop.event+Opened"), opened);
            cases.Add(UnionDefinition.HashOf("shop.event+Shut"), shut);
        });
        return builder.Object(typeof(byte), now.Name, true, fields =>
        {
            fields.Add("Id", 1, SchemaNode.Primitive(SchemaKind.Int32));
            fields.Add("Happened", 0, SchemaNode.List(union));
        });
    }

    private static NinoSchema SchemaAs(NinoSchema schema, string name)
    {
        IReadOnlyList<SchemaField> fields = ((ObjectDefinition)schema.Root.Definition!).Fields;
        return NinoSchema.Create(new SchemaBuilder().Object(typeof(int), name, true, list =>
        {
            foreach (SchemaField field in fields) list.Add(field.Name, field.Id, field.Node);
        }));
    }

    private static TNow Read<TStored, TNow>(TStored value) =>
        NinoCodec<TNow>.Default.Decode(NinoSerializer.Serialize(value), NinoSchema.Parse(NinoSerializer.SchemaOf<TStored>().CanonicalBytes.Span));
}

[NinoType]
public sealed record CSharpSide(int? Number, string? Text, List<int>? List);

[NinoType]
public sealed record FSharpSide(FSharpOption<int> Number, FSharpOption<string> Text, FSharpOption<FSharpList<int>> List);
