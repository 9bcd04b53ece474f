using Store.Serialization;
using Store.Tests.Generator;

namespace Store.Tests.Evolution;

/// <summary>Records of an older release, read into the types of today. docs/evolution.md names these tests.</summary>
public class TypeEvolutionTests
{
    private static readonly Before.Order Stored = new()
    {
        Id = 5,
        Customer = "Ann",
        State = Before.State.Closed,
        Lines = [new("a", 2, 1.5m), null, new("€", 3, 2m)],
        Where = new(1.5f, -2f),
        Rating = 4,
        Email = "a@b",
        Counts = new() { ["x"] = 1, ["y"] = -1 },
        Obsolete = [DateTime.UnixEpoch],
        Parents = [8],
        Width = 200,
    };

    [Fact]
    public void EveryKindOfChangeAtOnce()
    {
        After.Order order = Read<Before.Order, After.Order>(Stored);

        Assert.Equal((5, "Ann", After.Phase.Closed, 4, 8, (byte?)200), (order.Id, order.Client, order.State, order.Rating, order.Parent, order.Width));
        Assert.Equal((IEnumerable<After.Line?>)[new After.Line(2, "a"), null, new After.Line(3, "€")], order.Lines!);
        Assert.Equal(new After.Spot(1.5, -2, 0), order.Where);
        Assert.Equal(["a@b"], order.Emails);
        Assert.Equal(new() { ["x"] = 1, ["y"] = -1 }, order.Counts);
        Assert.Equal((3, "new"), (order.Retries, Assert.Single(order.Tags)));
    }

    [Fact]
    public void NullsAndEmptyCollectionsBecomeNullsZerosAndEmptyOnes()
    {
        After.Order order = Read<Before.Order, After.Order>(new Before.Order());

        Assert.Equal((0, null, 0, 0), (order.Id, order.Client, order.Rating, order.Parent));
        Assert.Null(order.Lines);
        Assert.Null(order.Counts);
        Assert.NotNull(order.Where);
        Assert.Empty(order.Emails!);
        Assert.Empty(Read<Before.Order, After.Order>(new Before.Order { Lines = [], Parents = [] }).Lines!);
    }

    [Fact]
    public void AnAddedMemberHasTheValueOfANewObject()
    {
        Assert.Equal(0.5m, Read<Before.Line, After.Line>(new Before.Line("a", 1, 9)).Discount);
        Assert.Equal(9, Read<Before.Small, After.HasRequired>(new Before.Small(1, "a")).Level);
    }

    [Fact]
    public void WhereTheConstructorRefusesDefaultArgumentsAnAddedMemberIsZero()
    {
        After.Strict read = Read<Before.Small, After.Strict>(new Before.Small(1, "a"));
        Assert.Equal((1, "a", 0), (read.Id, read.Name, read.Level));
    }

    [Fact]
    public void TheObjectThatShowsTheDefaultsIsMadeOnceForASchema()
    {
        NinoSchema stored = NinoSerializer.SchemaOf<Before.Small>();
        byte[] bytes = NinoSerializer.Serialize(new Before.Small(1, "a"));
        int before = After.CountsItself.Created;
        for (int i = 0; i < 10; i++) NinoCodec<After.CountsItself>.Default.Decode(bytes, stored);
        Assert.Equal(11, After.CountsItself.Created - before);
    }

    [Fact]
    public void AMissingRequiredMemberIsRefusedNamingItAndTheStoredType()
    {
        var error = Assert.Throws<NinoSchemaMismatchException>(() => NinoCodec<After.NeedsMore>.Default.CheckReadable(NinoSerializer.SchemaOf<Before.Small>()));
        Assert.Contains("the member 'Owner' (String) is required, and the stored type 'Store.Tests.Evolution.Before+Small' has the members Id, Name and not this one", error.Message, StringComparison.Ordinal);
        Assert.Contains("[NinoFormerName]", error.Message, StringComparison.Ordinal);
        Assert.Equal(("", "Owner"), (error.StoredPath, error.OwnPath));
    }

    [Fact]
    public void AChangeWithoutConversionIsRefusedBeforeAnyRecordNamingBothMembersAndTypes()
    {
        var error = Assert.Throws<NinoSchemaMismatchException>(() => NinoCodec<After.Retyped>.Default.Decode([], NinoSerializer.SchemaOf<Before.Small>()));
        Assert.Contains("the member 'Name' is stored as String, and the member 'Name' is Guid now", error.Message, StringComparison.Ordinal);
        Assert.Contains("Before+Small", error.Message, StringComparison.Ordinal);
        Assert.Contains("After+Retyped", error.Message, StringComparison.Ordinal);
        Assert.Equal(("Name", "Name"), (error.StoredPath, error.OwnPath));
    }

    [Fact]
    public void AnotherTypeInAMembersPlaceIsRefusedNamingTheAttributeThatWouldAllowIt()
    {
        NinoSchema stored = NinoSchema.Create(Values.Shapes.Class("R", ("Home", Values.Shapes.Class("Old.Place", ("X", SchemaNode.Primitive(SchemaKind.Int32))))));
        NinoSchema own = NinoSchema.Create(Values.Shapes.Class("R", ("Home", Values.Shapes.Class("New.Place", ("X", SchemaNode.Primitive(SchemaKind.Int32))))));
        var error = Assert.Throws<NinoSchemaMismatchException>(() => NinoRecordMapper.Create(stored, own));
        Assert.Contains("[NinoFormerName(\"Old.Place\")] on 'New.Place'", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void ATypeOfTheFrameworkInAMembersPlaceIsRefusedWithoutNamingAnAttributeThatNobodyCanPutOnIt()
    {
        NinoSchema stored = NinoSchema.Create(Values.Shapes.Class("R", ("Pair", Values.Shapes.Struct("System.ValueTuple<System.Int32>", ("Item1", SchemaNode.Primitive(SchemaKind.Int32))))));
        NinoSchema own = NinoSchema.Create(Values.Shapes.Class("R", ("Pair", Values.Shapes.Class("System.Tuple<System.Int32>", ("Item1", SchemaNode.Primitive(SchemaKind.Int32))))));
        var error = Assert.Throws<NinoSchemaMismatchException>(() => NinoRecordMapper.Create(stored, own));
        Assert.DoesNotContain("NinoFormerName", error.Message, StringComparison.Ordinal);
        Assert.Contains("Keep the stored type for this member", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void IdsAreTheIdentityWhateverTheNames()
    {
        After.Numbered read = Read<Before.Numbered, After.Numbered>(new Before.Numbered { First = 1, Second = "two", Plain = 3 });
        Assert.Equal((1, "two", 3, 0), (read.Other, read.First, read.Plain, read.Second));
    }

    [Fact]
    public void GenericTypesAndTuplesAreTheSameTypeWhateverTheirArguments()
    {
        After.UsesPair read = Read<Before.UsesPair, After.UsesPair>(new Before.UsesPair(new(1, 2), (3, "x")));
        Assert.Equal(new After.UsesPair(new(2, 1), (3, "x")), read);
    }

    /// <summary>Their names are known to the compiler only.</summary>
    [Fact]
    public void ElementsOfATupleAreStoredByTheirPlace() => Programs.Run("""
        namespace Old { [NinoType] public record Move((int From, int To) Way, List<(string First, string Last)> Names); }
        namespace Now { [NinoType, NinoFormerName("Old.Move")] public record Move((int To, int From) Way, List<(string Last, string First, int Age)> Names); }
        """, """
        Now.Move move = Evolve<Old.Move, Now.Move>(new Old.Move((1, 2), [("Ada", "Lovelace")]));
        Equal((1, 2), (move.Way.To, move.Way.From));
        Equal(("Ada", "Lovelace", 0), (move.Names[0].Last, move.Names[0].First, move.Names[0].Age));
        """);

    [Fact]
    public void ArraysOfSeveralDimensionsAreTheSameTypeWhateverTheirElements()
    {
        After.Board read = Read<Before.Board, After.Board>(new Before.Board(new[,] { { 1, 2 }, { 3, 4 } }, new Before.Pair<int>?[,,] { { { new(5, 6), null } } }, [new short[,] { { 7 }, { 8 } }, new short[0, 3]], [new int?[,] { { null, 9 } }]));
        Assert.Equal(new long[,] { { 1, 2 }, { 3, 4 } }, read.Cells);
        Assert.Equal(new After.Pair<long>?[,,] { { { new(6, 5), null } } }, read.Pairs);
        Assert.Equal(2, read.Layers.Count);
        Assert.Equal(new int[,] { { 7 }, { 8 } }, read.Layers[0]);
        Assert.Equal((0, 3), (read.Layers[1].GetLength(0), read.Layers[1].GetLength(1)));
        Assert.Equal(new long?[,] { { null, 9 } }, Assert.Single(read.Rows));
    }

    [Fact]
    public void AnArrayOfOtherDimensionsIsRefusedSayingSo()
    {
        foreach (string stored in new[] { "Int32[,]", "Int32[,,,]", "Board", "Int32[]" })
            Assert.Contains("An array keeps the number of its dimensions, and nothing else becomes one.", Assert.Throws<NinoSchemaMismatchException>(() => NinoRecordMapper.Create(Holding(stored), Holding("Int32[,,]"))).Message, StringComparison.Ordinal);

        Assert.Contains("nothing else becomes one.", Assert.Throws<NinoSchemaMismatchException>(() => NinoRecordMapper.Create(Holding("Int32[,]"), Holding("Board"))).Message, StringComparison.Ordinal);

        static NinoSchema Holding(string name) => NinoSchema.Create(Values.Shapes.Class("R", ("Cells", Values.Shapes.Class(name, ("X", SchemaNode.Primitive(SchemaKind.Int32))))));
    }

    [Fact]
    public void NewNamesAloneChangeNoByteAndCostNoCopy()
    {
        Assert.True(NinoRecordMapper.Create(NinoSerializer.SchemaOf<Before.Small>(), NinoSerializer.SchemaOf<After.Renamed>()).IsIdentical);
        Assert.Equal(new After.Renamed(7, "seven"), Read<Before.Small, After.Renamed>(new Before.Small(7, "seven")));
    }

    [Fact]
    public void ANumberThatDoesNotFitIsRefusedNamingWhatItWasAndIs()
    {
        byte[] bytes = NinoSerializer.Serialize(new Before.Order { Width = 256 });
        var error = Assert.Throws<NinoSerializationException>(() => NinoCodec<After.Order>.Default.Decode(bytes, NinoSerializer.SchemaOf<Before.Order>()));
        Assert.Contains("256 (UInt32) does not fit the Byte", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AListOfSeveralIsRefusedWhereOneValueIsLeft()
    {
        byte[] bytes = NinoSerializer.Serialize(new Before.Order { Parents = [1, 2] });
        var error = Assert.Throws<NinoSerializationException>(() => NinoCodec<After.Order>.Default.Decode(bytes, NinoSerializer.SchemaOf<Before.Order>()));
        Assert.Contains("2 elements", error.Message, StringComparison.Ordinal);
        Assert.StartsWith("Parents", error.MemberPath, StringComparison.Ordinal);
    }

    [Fact]
    public void DepthIsLimitedUnderAPlanAsWithoutOne()
    {
        var tree = new Before.Tree();
        for (int i = 0; i < 63; i++) tree = new Before.Tree { Child = tree, Value = i };
        Assert.Equal(62, Read<Before.Tree, After.Tree>(tree).Value);

        var deeper = new NinoLimits { MaxDepth = 200 };
        for (int i = 0; i < 10; i++) tree = new Before.Tree { Child = tree };
        byte[] bytes = NinoSerializer.Serialize(tree, deeper);
        Assert.Throws<NinoSerializationException>(() => NinoCodec<After.Tree>.Default.Decode(bytes, NinoSerializer.SchemaOf<Before.Tree>()));
        Assert.NotNull(NinoCodec<After.Tree>.Default.Decode(bytes, NinoSerializer.SchemaOf<Before.Tree>(), deeper));
    }

    [Fact]
    public void ASchemaThatChainsVeryManyTypesCostsNoStack()
    {
        NinoSchema own = NinoSchema.Create(Values.Shapes.Recursive("N", node => [("Next", node), ("X", SchemaNode.Primitive(SchemaKind.Int64))]));
        SchemaNode next = Values.Shapes.Class("N<end>", ("X", SchemaNode.Primitive(SchemaKind.Int32)));
        for (int i = 0; i < 20_000; i++) next = Values.Shapes.Class($"N<{i}>", ("Next", next), ("X", SchemaNode.Primitive(SchemaKind.Int32)));
        NinoRecordMapper mapper = NinoRecordMapper.Create(NinoSchema.Create(next), own);

        byte[] bytes = new byte[100_000];
        Array.Fill(bytes, (byte)1, 0, 20_000);
        Assert.Throws<NinoSerializationException>(() => MappingTests.Map(mapper, bytes));
    }

    [Fact]
    public void AListOfRenamedTypesIsFoundByItsFormerName()
    {
        NinoSchema own = NinoSchema.Create(SchemaNode.List(NinoSerializer.SchemaOf<After.Spot>().Root));
        Assert.True(own.IsNamed("List<Store.Tests.Evolution.After+Spot>"));
        Assert.True(own.IsNamed("List<Store.Tests.Evolution.Before+Spot>"));
        Assert.False(own.IsNamed("List<Somewhere.Else>"));
    }

    [Fact]
    public void AMappedReadAllocatesWhatItReturnsAndNothingElse()
    {
        NinoSchema stored = NinoSerializer.SchemaOf<Before.Line>();
        byte[] old = NinoSerializer.Serialize(new Before.Line("name", 1, 2m)), now = NinoSerializer.Serialize(new After.Line(1, "name"));
        NinoCodec<After.Line> codec = NinoCodec<After.Line>.Default;
        for (int i = 0; i < 100; i++) codec.Decode(old, stored);
        for (int i = 0; i < 100; i++) codec.Decode(now);

        long straight = Allocated.Least(() =>
        {
            for (int i = 0; i < 100; i++) codec.Decode(now);
        });
        Assert.Equal(straight, Allocated.Least(() =>
        {
            for (int i = 0; i < 100; i++) codec.Decode(old, stored);
        }));
    }

    [Fact]
    public void AnyBitFlippedInAStoredOrderGivesTheTypedErrorOrAnOrder()
    {
        NinoSchema stored = NinoSerializer.SchemaOf<Before.Order>();
        byte[] bytes = NinoSerializer.Serialize(Stored);
        int read = 0, refused = 0;
        for (int bit = 0; bit < bytes.Length * 8; bit++)
        {
            byte[] flipped = [.. bytes];
            flipped[bit / 8] ^= (byte)(1 << (bit % 8));
            try
            {
                Assert.NotNull(NinoCodec<After.Order>.Default.Decode(flipped, stored));
                Assert.NotNull(NinoCodec<Before.Order>.Default.Decode(flipped));
                read++;
            }
            catch (NinoSerializationException e)
            {
                Assert.NotNull(e.TypeName);
                refused++;
            }
        }

        Assert.True(read > 100 && refused > 100, $"{read} read, {refused} refused");
    }

    private static TOwn Read<TStored, TOwn>(TStored value)
    {
        byte[] bytes = NinoSerializer.Serialize(value);
        return NinoCodec<TOwn>.Default.Decode(bytes, NinoSerializer.SchemaOf<TStored>());
    }
}
