using System.Text;
using System.Text.Json;
using Microsoft.CodeAnalysis;
using Microsoft.FSharp.Collections;
using Microsoft.FSharp.Core;
using Shop.FSharp;
using Store.Serialization;
using Store.Tests.Generator;
using Store.Tests.Generator.RoundTrips;
using FSharpOptions = Shop.FSharp.Options;

namespace Store.Tests.FSharp;

/// <summary>Types that the F# compiler made, registered from C#: what is written is read again, by every byte.</summary>
public sealed class FSharpTypesTests
{
    private static readonly FSharpMap<string, FSharpList<Payment>> s_payments =
        new([Tuple.Create("a", ListOf(Payment.Cash, Payment.NewTransfer("t"))), Tuple.Create("b", FSharpList<Payment>.Empty)]);

    [Fact]
    public void RecordsAreReadAsTheyWereWritten()
    {
        Assert.Equal(Samples.customer, RoundTrip.Of(Samples.customer));
        Assert.Equal(Samples.order, RoundTrip.Of(Samples.order));
        Assert.Equal(Samples.cycle, RoundTrip.Of(Samples.cycle));
        Assert.Equal(Samples.full, RoundTrip.Of(Samples.full));
        Row row = RoundTrip.Of(new Row { Key = "k", Value = FSharpOption<int>.Some(3) });
        Assert.Equal(("k", 3), (row.Key, row.Value!.Value));
        Person person = RoundTrip.Of(new Person("Ann", 30));
        Assert.Equal(("Ann", 30), (person.Name, person.Age));
    }

    /// <summary>A mark of DataContract may be on the field of a record, which no other compiler shows: left out is what says so.</summary>
    [Fact]
    public void TheFieldsOfARecordAreStoredWhereItsContractMarksWhatIsNotSeen() =>
        Assert.Equal(new Contracted(1, "t", 2, 0), RoundTrip.Of(new Contracted(1, "t", 2, 3)));

    [Fact]
    public void FunctionsAndDelegatesOfARecordWithAContractAreLeftOut()
    {
        WithCode copy = RoundTrip.Of(new WithCode(1, Microsoft.FSharp.Core.FSharpFunc<int, int>.FromConverter(static x => x), static x => x));
        Assert.Equal((1, true, true), (copy.Kept, copy.Code is null, copy.Calls is null));
    }

    [Fact]
    public void EveryFormOfAnOptionIsReadAsItWasWritten()
    {
        Assert.Equal(Samples.none, RoundTrip.Of(Samples.none));
        Assert.Equal(Samples.some, RoundTrip.Of(Samples.some));
    }

    [Fact]
    public void UnionsOfEveryKindAreReadAsTheyWereWritten()
    {
        foreach (Currency one in new[] { Currency.Eur, Currency.Usd, Currency.Gbp }) Assert.Same(one, RoundTrip.Of(one));
        foreach (Payment one in Samples.order.Paid) Assert.Equal(one, RoundTrip.Of(one));
        foreach (Shape one in Samples.order.Shapes) Assert.Equal(one, RoundTrip.Of(one));
        Assert.Equal(Email.NewEmail("e"), RoundTrip.Of(Email.NewEmail("e")));
        Assert.Equal(CustomerId.NewCustomerId(3), RoundTrip.Of(CustomerId.NewCustomerId(3)));
        Assert.Equal(Samples.tree, RoundTrip.Of(Samples.tree));
        Assert.Equal(Samples.order.Formula, RoundTrip.Of(Samples.order.Formula));
        Assert.Equal(Maybe<int>.NewSome(3), RoundTrip.Of(Maybe<int>.NewSome(3)));
        Tree<Shape> tree = Tree<Shape>.NewNode(Tree<Shape>.Leaf, Shape.NewNamed("n"), Tree<Shape>.Leaf);
        Assert.Equal(tree, RoundTrip.Of(tree));
        Assert.Equal(FSharpResult<int, string>.NewError("e"), RoundTrip.Of(FSharpResult<int, string>.NewError("e")));
    }

    /// <summary>Such a property has the number and the place of each of them.</summary>
    [Fact]
    public void CasesOfAStructMayShareAField()
    {
        foreach (Move<string> one in new[] { Move<string>.NewStep(1, "m"), Move<string>.NewJump(2), Move<string>.NewRest("s"), Move<string>.Stay }) Assert.Equal(one, RoundTrip.Of(one));
        Assert.Equal([.. BitConverter.GetBytes(UnionDefinition.HashOf("Shop.FSharp.Move<System.String>+Rest")), 3, (byte)'s'], NinoSerializer.Serialize(Move<string>.NewRest("s")));
    }

    [Fact]
    public void CollectionsAreReadAsTheyWereWritten()
    {
        Assert.Equal(ListOf(1, 2, 3), RoundTrip.Of(ListOf(1, 2, 3)));
        Assert.Equal(FSharpList<int>.Empty, RoundTrip.Of(FSharpList<int>.Empty));
        Assert.Equal(s_payments, RoundTrip.Of(s_payments));
        var words = new FSharpSet<string>(["b", "A", "a"]);
        Assert.Equal(words, RoundTrip.Of(words));
        Assert.Equal(FSharpOption<int>.Some(0), RoundTrip.Of(FSharpOption<int>.Some(0)));
    }

    [Fact]
    public void ALongListIsWalkedAndNotRecursedInto()
    {
        byte[] bytes = NinoSerializer.Serialize(Samples.@long);
        Assert.Equal(5 + 400_000, bytes.Length);
        Assert.Equal(Samples.@long, NinoSerializer.Deserialize<FSharpList<int>>(bytes));
    }

    // Marks of a case: the first four bytes of SHA-256 over its name.
    [Theory]
    [InlineData("Shop.FSharp.Payment+Cash", "00")]
    [InlineData("Shop.FSharp.Payment+Card", "7B000000 09 34373131")]
    [InlineData("Shop.FSharp.Payment+Transfer", "09 6962616E")]
    public void ACaseIsTheHashOfItsNameAndItsFields(string name, string body)
    {
        Payment value = name[^1] switch { 'h' => Payment.Cash, 'd' => Payment.NewCard("4711", 123), _ => Payment.NewTransfer("iban") };
        byte[] expected = [.. BitConverter.GetBytes(UnionDefinition.HashOf(name)), .. Convert.FromHexString(body.Replace(" ", "", StringComparison.Ordinal))];
        Assert.Equal(expected, NinoSerializer.Serialize(value));
    }

    [Fact]
    public void TheBytesOfARecordAreThese()
    {
        // Position: a struct of two numbers that is there. Id: its case. Name, Email: its case, Tags, Scores, Seen.
        const string expected = "01 01000000 FEFFFFFF  31AC1A1D 07000000  07 416E6E  E3A7F7DF 1F 616E6E406578616D706C652E6F7267  04 0361 0362 0361  03 0378 01000000 0379 02000000  04 01000000 02000000 03000000";
        byte[] bytes = NinoSerializer.Serialize(Samples.customer);
        byte[] golden = Convert.FromHexString(expected.Replace(" ", "", StringComparison.Ordinal));
        BitConverter.GetBytes(UnionDefinition.HashOf("Shop.FSharp.CustomerId+CustomerId")).CopyTo(golden, 9);
        BitConverter.GetBytes(UnionDefinition.HashOf("Shop.FSharp.Email+Email")).CopyTo(golden, 21);
        Assert.Equal(Convert.ToHexString(golden), Convert.ToHexString(bytes));
    }

    [Fact]
    public void AStructOfOptionsOfFixedWidthIsOfFixedWidth()
    {
        Assert.Equal(5 + 6 + 9 + 1 + 10, NinoCodec<Fixed>.Default.FixedSize);
        Assert.Equal(31, NinoSerializer.Serialize(default(Fixed)).Length);
        Assert.Equal(default, RoundTrip.Of(default(Fixed)));
    }

    [Fact]
    public void AnOptionIsWhatANullableOrAReferenceOfCSharpIs()
    {
        NinoSchema schema = NinoSerializer.SchemaOf<FSharpOptions>();
        Dictionary<string, SchemaNode> fields = ((ObjectDefinition)schema.Root.Definition!).Fields.ToDictionary(static field => field.Name, static field => field.Node);
        Assert.Equal((SchemaKind.Nullable, SchemaKind.Int32), (fields["Int"].Kind, fields["Int"].Element!.Kind));
        Assert.Equal(SchemaKind.String, fields["Text"].Kind);
        Assert.Equal(SchemaKind.String, fields["VText"].Kind);
        Assert.Equal(SchemaKind.List, fields["List"].Kind);
        Assert.Equal("Shop.FSharp.Row", fields["Record"].Definition!.Name);
        Assert.Equal(SchemaKind.Union, fields["Union"].Kind);
        Assert.Equal("Option<Nullable<Int32>>", fields["Nested"].Element!.Definition!.Name);
        Assert.Equal("Option<Shop.FSharp.Shape>", fields["StructUnion"].Element!.Definition!.Name);
        Assert.Equal("Option<Unit>", fields["Unit"].Element!.Definition!.Name);
        Assert.Equal("Option<Shop.FSharp.Row>", fields["VRecord"].Element!.Definition!.Name);
    }

    [Fact]
    public void AnUnionAndItsCasesAreShownByNameWithoutTheTypes()
    {
        NinoSchema schema = NinoSchema.Parse(NinoSerializer.SchemaOf<Order>().CanonicalBytes.Span);
        using var output = new MemoryStream();
        using (var writer = new Utf8JsonWriter(output)) NinoJson.Write(writer, schema, NinoSerializer.Serialize(Samples.order));
        string json = Encoding.UTF8.GetString(output.ToArray()).Replace("\\u002B", "+", StringComparison.Ordinal).Replace("\\u003C", "<", StringComparison.Ordinal).Replace("\\u003E", ">", StringComparison.Ordinal);
        Assert.Contains("""{"$type":"Shop.FSharp.Payment+Card","cvv":123,"number":"4711"}""", json, StringComparison.Ordinal);
        Assert.Contains("""{"$type":"Shop.FSharp.Payment+Cash"}""", json, StringComparison.Ordinal);
        Assert.Contains("""{"$type":"Shop.FSharp.Shape+Circle","radius":2.5}""", json, StringComparison.Ordinal);
        Assert.Contains("\"State\":{\"$type\":\"Microsoft.FSharp.Core.FSharpResult<System.Decimal, System.String>+Error\",\"ErrorValue\":\"late\"}", json, StringComparison.Ordinal);
        Assert.Contains("\"Scores\":{\"x\":1,\"y\":2}", json, StringComparison.Ordinal);
    }

    [Fact]
    public void UnionsStandWhereObjectIsDeclared()
    {
        object?[] values = [Payment.Cash, Payment.NewCard("n", 1), Shape.NewCircle(1), Samples.tree, Samples.customer, Currency.Usd, ListOf(1, 2), FSharpOption<int>.Some(3), null];
        FSharpBag bag = RoundTrip.Of(new FSharpBag { Values = values });
        Assert.Equal(values, bag.Values);
    }

    [Fact]
    public void FSharpTypesStandInsideThoseOfCSharpAndTheOtherWayRound()
    {
        FSharpInside value = FSharpRows.Inside();
        FSharpInside copy = RoundTrip.Of(value);
        Assert.Equal(value.Trees[(1, Shape.Nothing)], copy.Trees[(1, Shape.Nothing)]);
        Assert.Equal(Payment.Cash, copy.Paid.Value[Currency.Gbp][0]);
        Assert.Equal(new Cell(2, null), copy.Cells.Value[1].Value);
        Assert.Equal(value.Ids, copy.Ids);
        Assert.Equal(value.Choices, copy.Choices);
    }

    [Fact]
    public void AViewSeesWhatIsInsideOptionsAndCollections()
    {
        FSharpMembers value = FSharpRows.Members();
        Assert.Equal(value, RoundTrip.Of(value));
        byte[] bytes = NinoSerializer.Serialize(value);
        var view = new FSharpMembersView(bytes);
        Assert.Equal(3, view.Number.Value);
        Assert.Equal("text", view.Text.ToString());
        Assert.Equal("b", view.List[1].ToString());
        Assert.True(view.Map.Count == 1);
        Assert.Equal("k", view.Row.Key.ToString());
        Assert.Equal(Payment.Cash, view.ReadPayment());
        Assert.Equal(2, view.Point.Value.Y);
        Assert.Equal(Samples.row, view.ReadBoxed().Value);
    }

    [Fact]
    public void ATypeMarkedInFSharpHasItsCodecWhereItIsUsed()
    {
        var ticket = new Shop.FSharp.Marked.Ticket(7, ListOf(Shop.FSharp.Marked.Event.NewOpened(1), Shop.FSharp.Marked.Event.NewClosed(2, "done")));
        Assert.Equal(ticket, RoundTrip.Of(ticket));
        NinoSchema schema = NinoSerializer.SchemaOf<Shop.FSharp.Marked.Ticket>();
        Assert.Equal("shop.ticket", schema.Name);
        var union = (UnionDefinition)((ObjectDefinition)schema.Root.Definition!).Fields[1].Node.Element!.Definition!;
        Assert.Equal("shop.event", union.Name);
        Assert.True(union.SkipsUnknown);
        Assert.Equal(["shop.event+Closed", "shop.event+Opened"], union.Cases.Select(static one => one.Node.Definition!.Name).Order());
    }

    /// <summary>The class of the case and the property that tells the cases are both called Tag, and C# can name neither.</summary>
    [Theory]
    [InlineData("Label")]
    [InlineData("Mark")]
    public void ACaseThatIsCalledTagIsAnErrorThatSaysSo(string union) =>
        Assert.Contains("a case that is called 'Tag' hides", Assert.Single(GeneratorHarness.DiagnoseWithFSharp($"[assembly: NinoSerializable(typeof(Shop.FSharp.{union}))]")).GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);

    private static FSharpList<T> ListOf<T>(params T[] elements) => ListModule.OfArray(elements);
}
