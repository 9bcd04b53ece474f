using System.Text;
using Store.Serialization;

namespace Store.Tests.Generator.RoundTrips;

public class RoundTripTests
{
    [Fact]
    public void EveryPrimitive()
    {
        var value = new Primitives(
            true, -1, 2, -3, 4, -5, 6, -7, 8, -9, 10, (Half)1.5, 2.5f, 3.5, 4.5m, 'x', new Rune(0x1F600), Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"),
            new DateTime(2026, 11, 21, 1, 2, 3, DateTimeKind.Utc), new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(2)), TimeSpan.FromTicks(-5), new DateOnly(2026, 2, 3), new TimeOnly(4, 5, 6),
            "text €", null, Guid.Empty);
        Assert.Equal(value, RoundTrip.Of(value));
    }

    [Fact]
    public void EnumsOfEveryWidth()
    {
        var low = new Enums(SByteEnum.Low, ByteEnum.Low, Int16Enum.Low, UInt16Enum.Low, Int32Enum.Low, UInt32Enum.Low, Int64Enum.Low, UInt64Enum.Low, null, Int64Enum.Low);
        var high = new Enums(SByteEnum.High, ByteEnum.High, Int16Enum.High, UInt16Enum.High, Int32Enum.High, UInt32Enum.High, Int64Enum.High, UInt64Enum.High, ByteEnum.High, null);
        Assert.Equal(low, RoundTrip.Of(low));
        Assert.Equal(high, RoundTrip.Of(high));
        Assert.Equal(30 + 2 + 9, RoundTrip.Write(low).Length);
    }

    [Fact]
    public void FixedMembersComeFirstWhateverTheOrderOfDeclaration()
    {
        var value = new Mixed { Name = "ab", Number = 0x01020304, Scores = [5], Flag = true, Key = 0x0A0B };
        byte[] golden =
        [
            0x04, 0x03, 0x02, 0x01, // Number
            0x01, // Flag
            0x0B, 0x0A, // Key
            0x05, (byte)'a', (byte)'b', // Name: (2 << 1 | Latin-1) + 1
            0x02, 0x05, 0x00, 0x00, 0x00, // Scores: 1 + 1 elements
        ];
        Assert.Equal(golden, RoundTrip.Write(value));
        Mixed copy = RoundTrip.Of(value);
        Assert.Equal(("ab", 0x01020304, 5, true, 0x0A0B), (copy.Name, copy.Number, copy.Scores![0], copy.Flag, copy.Key));
    }

    [Fact]
    public void MembersWithIdsComeFirstInTheirGroupInOrderOfTheIds()
    {
        var value = new WithIds { Unnumbered = 1, Twenty = 20, Ten = 10, Two = "2", One = "1" };
        byte[] golden = [10, 20, 1, 0, 0, 0, 3, (byte)'1', 3, (byte)'2'];
        Assert.Equal(golden, RoundTrip.Write(value));
        WithIds copy = RoundTrip.Of(value);
        Assert.Equal((1, 20, 10, "2", "1"), (copy.Unnumbered, copy.Twenty, copy.Ten, copy.Two, copy.One));
    }

    [Fact]
    public void Structs()
    {
        Assert.Equal(new Money(1.5m, 978), RoundTrip.Of(new Money(1.5m, 978)));
        Assert.Equal(20, NinoCodec<Money>.Default.FixedSize);
        Assert.Equal(new Interval(1, 2), RoundTrip.Of(new Interval(1, 2)));
        var labelled = new Labelled { Label = null, Money = new Money(-1, 2), Interval = new Interval(3, 4) };
        Assert.Equal(labelled, RoundTrip.Of(labelled));
        Assert.Equal(new System.Numerics.Vector3(1, 2, 3), RoundTrip.Of(new System.Numerics.Vector3(1, 2, 3)));
    }

    [Fact]
    public void GetOnlyMembersAreSetByTheConstructor()
    {
        Immutable copy = RoundTrip.Of(new Immutable("n", [1, 2, 3]));
        Assert.Equal("n", copy.Name);
        Assert.Equal([1, 2, 3], copy.Numbers);
        PrefersTheConstructorThatKeepsState kept = RoundTrip.Of(new PrefersTheConstructorThatKeepsState(4) { Later = 5 });
        Assert.Equal((4, 5), (kept.FixedAtBirth, kept.Later));
    }

    [Fact]
    public void MembersOfBaseClassesAreStored()
    {
        Dog copy = RoundTrip.Of(new Dog { Name = "Rex", Legs = 3, Barks = true });
        Assert.Equal(("Rex", 3, true), (copy.Name, copy.Legs, copy.Barks));
    }

    [Fact]
    public void ADerivedObjectIsRefusedRatherThanCutToItsBase()
    {
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(static () => RoundTrip.Write<Vehicle>(new Truck()));
        Assert.Contains("Truck", error.Message);
        Assert.Contains("Vehicle", error.Message);
        RoundTrip.Of(new Vehicle { Wheels = 4 });
    }

    [Fact]
    public void PrivateMembersAndConstructors()
    {
        var expected = (1, "two", new List<int> { 3 }, 4);
        (int, string?, List<int>?, int) copy = RoundTrip.Of(SecretKeeper.Create(1, "two", [3], 4)).Reveal();
        Assert.Equivalent(expected, copy);
        Assert.Equal((new Money(1, 2), "k"), RoundTrip.Of(new Everything { Secret = new(new Money(1, 2), "k") }).Secret!.Reveal());
        Assert.Equal((5, "s"), RoundTrip.Of(new StructSecret(5).WithText("s")).Reveal());
    }

    [Fact]
    public void PrivateMembersOfGenericBaseClassesAndRequiredMembers()
    {
        DerivedKeeper copy = RoundTrip.Of(new DerivedKeeper(["a", "b"], "label"));
        Assert.Equal(["a", "b"], copy.Reveal());
        Assert.Equal(("label", false), (copy.Label, copy.Made));
        Assert.Null(copy.Lock);
    }

    [Fact]
    public void CollectionsTuplesAndGenerics()
    {
        var value = new Everything
        {
            Pair = new(1, "one"),
            Secret = new(new Money(1, 2), "key"),
            StructSecret = new StructSecret(7),
            Array = [new(1, 2), new(3, 4)],
            Dogs = [new Dog { Name = "a" }, null],
            List = [new Labelled { Label = "x" }],
            Set = [Guid.Empty, Guid.Parse("00112233-4455-6677-8899-aabbccddeeff")],
            Kennels = new() { ["north"] = [new Dog { Name = "b" }], ["south"] = [] },
            Map = new() { [new Money(1, 1)] = new Interval(1, 2), [new Money(2, 2)] = null },
            Jagged = [[1, 2], []],
            ReadOnly = new Dictionary<string, int> { ["q"] = 1 },
            Tuple = (3, "three"),
            LongTuple = (1, 2, 3, 4, 5, 6, 7, 8, "nine"),
            OldTuple = System.Tuple.Create(4, "four"),
            KeyValue = new(5, new Dog { Name = "c" }),
        };
        Assert.Equivalent(value, RoundTrip.Of(value), strict: true);
        Assert.Equivalent(new Everything(), RoundTrip.Of(new Everything()), strict: true);
    }

    [Fact]
    public void RegisteredTypesWithoutAttributes()
    {
        Plain copy = RoundTrip.Of(new Plain { Number = 1, Text = "t" });
        Assert.Equal((1, "t"), (copy.Number, copy.Text));
        Assert.Equal(2, RoundTrip.Of(new Dictionary<string, Plain> { ["k"] = new() { Number = 2 } })["k"].Number);
        var pair = new Pair<int, Pair<string, Money?>>(1, new("a", new Money(1, 2)));
        Assert.Equal(pair, RoundTrip.Of(pair));
        Assert.Equal((1, "b"), RoundTrip.Of((1, "b")));
        Assert.Equal(new KeyValuePair<Money, string>(default, "v"), RoundTrip.Of(new KeyValuePair<Money, string>(default, "v")));
    }

    [Fact]
    public void ObjectsWithoutMembersTakeOneZeroByte()
    {
        Assert.Equal([0], RoundTrip.Write(new Marker()));
        Assert.Equal([0], RoundTrip.Write(default(Nothing)));
        Assert.Throws<NinoSerializationException>(() => RoundTrip.Read<Marker>([1]));
        Assert.Throws<NinoSerializationException>(() => RoundTrip.Read<Nothing>([1]));
        Nothings copy = RoundTrip.Of(new Nothings { Marker = new(), Maybe = default(Nothing), List = [new(), null] });
        Assert.NotNull(copy.Marker);
        Assert.NotNull(copy.Maybe);
        Assert.NotNull(copy.List![0]);
        Assert.Null(copy.List[1]);
    }

    [Fact]
    public void RecursiveTypesNestAndAreLimitedInDepth()
    {
        var tree = new Tree { Value = 1, Left = new Tree { Value = 2 }, Children = [new() { Value = 3 }], Leaf = new Leaf { Trees = new() { [4] = new Tree { Value = 5 } } } };
        Assert.Equivalent(tree, RoundTrip.Of(tree), strict: true);

        var cycle = new Tree();
        cycle.Left = cycle;
        Assert.Throws<NinoSerializationException>(() => RoundTrip.Write(cycle));

        // Left is present, again and again: depth, not the stack, ends the read.
        byte[] hostile = [.. Enumerable.Repeat(new byte[] { 0, 0, 0, 0, 1 }, 100_000).SelectMany(static part => part)];
        Assert.Contains("deep", Assert.Throws<NinoSerializationException>(() => RoundTrip.Read<Tree>(hostile)).Message);
    }

    [Fact]
    public void APresenceByteIsZeroOrOne()
    {
        byte[] bytes = RoundTrip.Write(new Tree { Left = new Tree() });
        Assert.Equal(1, bytes[4]);
        bytes[4] = 2;
        Assert.Throws<NinoSerializationException>(() => RoundTrip.Read<Tree>(bytes));
    }

    [Fact]
    public void ANullInAMemberThatIsNotNullableIsKept()
    {
        Pair<int, string> copy = RoundTrip.Of(new Everything { Pair = new(1, null!) }).Pair!;
        Assert.Null(copy.Second);
    }

    [Fact]
    public void FlippingAnyBitGivesAnotherValueOrTheTypedException()
    {
        byte[] bytes = RoundTrip.Write(new Everything { Pair = new(1, "one"), Dogs = [new Dog { Name = "a" }, null], List = [new Labelled { Label = "x" }], LongTuple = (1, 2, 3, 4, 5, 6, 7, 8, "nine") });
        for (int bit = 0; bit < bytes.Length * 8; bit++)
        {
            byte[] damaged = [.. bytes];
            damaged[bit / 8] ^= (byte)(1 << (bit % 8));
            try
            {
                var reader = new NinoReader(damaged);
                Assert.NotNull(NinoCodec<Everything>.Default.ReadRecord(ref reader));
            }
            catch (NinoSerializationException error)
            {
                Assert.NotEmpty(error.Message);
            }
        }
    }

    [Fact]
    public void SchemasListFieldsInEncodingOrderUnderTheNamesOfTheEngine()
    {
        SchemaNode root = DescribedBy<Holder>();
        var definition = (ObjectDefinition)root.Definition!;
        Assert.Equal("Store.Tests.Generator.RoundTrips.Holder", definition.Name);
        Assert.True(definition.IsReference);
        var ofInt = (ObjectDefinition)definition.Fields[0].Node.Definition!;
        var ofString = (ObjectDefinition)definition.Fields[1].Node.Definition!;
        Assert.Equal("renamed.type<System.Int32>", ofInt.Name);
        Assert.Equal("renamed.type<System.String>", ofString.Name);
        Assert.Equal([("Three", 3), ("Seven", 7), ("Value", 0)], ofInt.Fields.Select(static field => (field.Name, field.Id)));

        var pair = (ObjectDefinition)DescribedBy<Pair<int, Pair<string, Money?>>>().Definition!;
        Assert.Equal(SchemaNames.Of(typeof(Pair<int, Pair<string, Money?>>)), pair.Name);

        static SchemaNode DescribedBy<T>() => NinoCodec<T>.Default.Describe(new SchemaBuilder());
    }

    [Fact]
    public void AnIgnoredParameterKeepsItsDefault()
    {
        Holder copy = RoundTrip.Of(new Holder(new(1, 2, 3, Left: 4), new("x", 5, 6)));
        Assert.Equal(new Renamed<int>(1, 2, 3, 9), copy.A);
        Assert.Equal(new Renamed<string>("x", 5, 6, 9), copy.B);
    }

    [Fact]
    public void WhatAConstructorOrSetterThrowsOnReadingIsNamedWithTypeAndPlace()
    {
        byte[] bytes = NinoSerializer.Serialize(new Guards { First = new Guarded(1), All = [new Guarded(2), new Guarded(3)], Percent = 50 });

        byte[] badArgument = [.. bytes];
        badArgument[badArgument.AsSpan().IndexOf((byte)3)] = 255;
        badArgument[^1] = 255;
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Guards>(badArgument));
        Assert.IsType<ArgumentOutOfRangeException>(error.InnerException);
        Assert.Equal("Store.Tests.Generator.RoundTrips.Guards", error.TypeName);
        Assert.StartsWith("All[1]", error.MemberPath);
        Assert.Contains(nameof(ArgumentOutOfRangeException), error.Message);

        byte[] badSetter = [.. bytes];
        badSetter[0] = 101;
        error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Guards>(badSetter));
        Assert.IsType<InvalidOperationException>(error.InnerException);

        // At the cursor too: snapshots and logs read this way.
        Assert.IsType<InvalidOperationException>(Assert.Throws<NinoSerializationException>(() => RoundTrip.Read<Guards>(badSetter)).InnerException);
    }

    [Fact]
    public void AnOptionalParameterWithoutAMemberKeepsItsDefaultInAConstructorThatIsNotAccessible()
    {
        PrivateDefaults copy = RoundTrip.Of(PrivateDefaults.Create(3));
        Assert.Equal((3, 7, "seven"), (copy.Value, copy.Factor(), copy.Label()));
    }

    [Fact]
    public void AnAccessorThatABaseClassDeclaresIsFoundThere()
    {
        HalfOverridden copy = RoundTrip.Of(HalfOverridden.Create(5, 6));
        Assert.Equal((5, 6), (copy.Level, copy.Born));
    }
}
