using System.Buffers.Binary;
using System.Text;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Tests.Serialization.HandWritten;
using Xunit.Abstractions;

namespace Store.Tests.Serialization;

public sealed class SchemaTests(ITestOutputHelper output)
{
    // The schema of Quote, byte for byte. A change here makes every stored schema unknown.
    private const string QuoteSchema =
        "01 03"
        + "60 2B 53746F72652E54657374732E53657269616C697A6174696F6E2E48616E645772697474656E2E51756F7465 01 08"
        + "02 4964 00 06  05 5072696365 00 0F  02 4174 00 13  04 53696465 00 61 01  05 506C616365 00 50 60 02"
        + "06 53796D626F6C 00 40  04 54616773 00 51 40  06 436F756E7473 00 52 40 06"
        + "61 2A 53746F72652E54657374732E53657269616C697A6174696F6E2E48616E645772697474656E2E53696465 03 00 02"
        + "03 427579 0100000000000000  04 53656C6C 0200000000000000"
        + "60 2B 53746F72652E54657374732E53657269616C697A6174696F6E2E48616E645772697474656E2E506F696E74 00 03"
        + "01 58 00 0E  01 59 00 0D  05 4B6E6F776E 00 01"
        + "60 00";

    [Fact]
    public void ASchemaHasItsGoldenBytesAndFingerprint()
    {
        NinoSchema schema = NinoSerializer.SchemaOf<Quote>();
        Assert.Equal(QuoteSchema.Replace(" ", ""), Convert.ToHexString(schema.CanonicalBytes.Span));
        Assert.Equal(0x66A2_1B35_E0EC_174CUL, schema.Fingerprint);
        Assert.Equal("Store.Tests.Serialization.HandWritten.Quote", schema.Name);
    }

    [Fact]
    public void TheFingerprintIsSha256OfTheBytesWithoutEnumFlagsAndMembers()
    {
        byte[] bytes = Convert.FromHexString(QuoteSchema.Replace(" ", ""));
        byte[] members = Convert.FromHexString("00020342757901000000000000000453656C6C0200000000000000");
        int at = bytes.AsSpan().IndexOf(members);
        byte[] hashed = [.. bytes.AsSpan(0, at), .. bytes.AsSpan(at + members.Length)];
        ulong expected = BinaryPrimitives.ReadUInt64LittleEndian(System.Security.Cryptography.SHA256.HashData(hashed));
        Assert.Equal(expected, NinoSchema.Parse(bytes).Fingerprint);
    }

    [Theory]
    [MemberData(nameof(Samples.Names), MemberType = typeof(Samples))]
    public void AParsedSchemaIsTheSchema(string name)
    {
        NinoSchema schema = Samples.Get(name).Schema;
        NinoSchema parsed = NinoSchema.Parse(schema.CanonicalBytes.Span);
        Assert.Equal(schema.CanonicalBytes.ToArray(), parsed.CanonicalBytes.ToArray());
        Assert.Equal(schema.Fingerprint, parsed.Fingerprint);
        Assert.Equal(schema.Name, parsed.Name);
        Assert.Equal(schema.FixedRecordSize, parsed.FixedRecordSize);
        Assert.Equal(schema.Definitions.Select(static d => d.Name), parsed.Definitions.Select(static d => d.Name));
    }

    [Fact]
    public void NamelessRootsHaveReadableNames()
    {
        Assert.Equal("Int32", NinoSerializer.SchemaOf<int>().Name);
        Assert.Equal("List<String>", NinoSerializer.SchemaOf<string[]>().Name);
        Assert.Equal("Map<Int32, Nullable<Boolean>>", NinoSchema.Create(SchemaNode.Map(SchemaNode.Primitive(SchemaKind.Int32), SchemaNode.Nullable(SchemaNode.Primitive(SchemaKind.Boolean)))).Name);
    }

    [Fact]
    public void NamesOfGenericAndNestedTypesHoldNoAssemblyVersion()
    {
        Assert.Equal("Store.Tests.Serialization.HandWritten.Quote", SchemaNames.Of(typeof(Quote)));
        Assert.Equal("Store.Tests.Serialization.SchemaTests+Inner", SchemaNames.Of(typeof(Inner)));
        Assert.Equal("System.Collections.Generic.Dictionary<System.Int32, System.Collections.Generic.List<System.String>[]>", SchemaNames.Of(typeof(Dictionary<int, List<string>[]>)));
        Assert.Equal("System.Collections.Generic.Dictionary<System.Int32, System.Byte>+Enumerator", SchemaNames.Of(typeof(Dictionary<int, byte>.Enumerator)).Replace("Enumerator<System.Int32, System.Byte>", "Enumerator"));
    }

    [Fact]
    public void EveryIntegerCanCarryAnEnumAndMembersAreInOrder()
    {
        AssertEnum<SByteEnum>(SchemaKind.SByte, ("Low", -128), ("High", 127));
        AssertEnum<UInt64Enum>(SchemaKind.UInt64, ("Max", -1), ("One", 1));
        AssertEnum<Int16Flags>(SchemaKind.Int16, ("None", 0), ("A", 1), ("AlsoA", 1), ("B", 2));
        Assert.True(((EnumDefinition)EnumCodec<Int16Flags>.Describe(new SchemaBuilder()).Definition!).IsFlags);

        static void AssertEnum<T>(SchemaKind underlying, params (string, long)[] members) where T : unmanaged, Enum
        {
            var definition = (EnumDefinition)EnumCodec<T>.Describe(new SchemaBuilder()).Definition!;
            Assert.Equal(underlying, definition.Underlying);
            Assert.Equal(members, definition.Members.Select(static m => (m.Name, m.Value)));
        }
    }

    [Fact]
    public void OneMoreEnumMemberKeepsTheFingerprintAndOneMoreFieldDoesNot()
    {
        NinoSchema before = Enum([new("A", 1)]);
        Assert.Equal(before.Fingerprint, Enum([new("A", 1), new("B", 2)]).Fingerprint);
        Assert.NotEqual(before.CanonicalBytes.ToArray(), Enum([new("A", 1), new("B", 2)]).CanonicalBytes.ToArray());

        ulong one = Class(("A", SchemaKind.Int32)).Fingerprint;
        Assert.Equal(one, Class(("A", SchemaKind.Int32)).Fingerprint);
        Assert.NotEqual(one, Class(("A", SchemaKind.UInt32)).Fingerprint);
        Assert.NotEqual(one, Class(("B", SchemaKind.Int32)).Fingerprint);
        Assert.NotEqual(one, Class(("A", SchemaKind.Int32), ("B", SchemaKind.Int32)).Fingerprint);

        static NinoSchema Enum(EnumMember[] members) => NinoSchema.Create(new SchemaBuilder().Enum(typeof(Side), "E", SchemaKind.Byte, false, members));
    }

    [Fact]
    public void AStructThatContainsItselfIsRefused()
    {
        Assert.Throws<NinoSerializationException>(() => NinoSchema.Parse(Hex("01 01 60 01 53 00 01 01 46 00 60 00 60 00")));
        Assert.Throws<NinoSerializationException>(() => NinoSchema.Parse(Hex("01 01 60 01 53 00 01 01 46 00 50 60 00 60 00")));

        // A class, or a list in between, ends it.
        Assert.Equal("S", NinoSchema.Parse(Hex("01 01 60 01 53 01 01 01 46 00 60 00 60 00")).Name);
        Assert.Equal("S", NinoSchema.Parse(Hex("01 01 60 01 53 00 01 01 46 00 51 60 00 60 00")).Name);
    }

    [Theory]
    [InlineData("", "no bytes")]
    [InlineData("02 00 06", "an unknown version")]
    [InlineData("01 00 19", "an unknown kind")]
    [InlineData("01 00 00", "kind zero")]
    [InlineData("01 00 06 00", "a byte after it")]
    [InlineData("01 00 60 00", "a reference to no type")]
    [InlineData("01 01 60 01 53 01 00 61 00", "a reference of the wrong kind")]
    [InlineData("01 01 60 01 53 01 00 06", "a type that nothing refers to")]
    [InlineData("01 01 60 00 01 00 60 00", "an empty name")]
    [InlineData("01 01 60 01 FF 01 00 60 00", "a name that is not UTF-8")]
    [InlineData("01 01 60 01 1B 01 00 60 00", "a name with a control character")]
    [InlineData("01 01 60 02 C2 9B 01 00 60 00", "a name with a control character of two bytes")]
    [InlineData("01 01 60 01 53 04 00 60 00", "unknown flags")]
    [InlineData("01 01 60 01 53 02 00 60 00", "a struct that keeps references")]
    [InlineData("01 01 63 01 53 01 00 60 00", "an unknown kind of type")]
    [InlineData("01 01 61 01 53 0E 00 00 61 00", "an enum on a floating-point number")]
    [InlineData("01 01 60 01 53 01 02 01 46 00 06 01 46 00 06 60 00", "two fields of one name")]
    [InlineData("01 01 60 01 53 01 02 01 46 01 06 01 47 01 06 60 00", "two fields of one id")]
    [InlineData("01 FE FFFFFFFF", "a huge count of types")]
    [InlineData("01 01 60 01 53 01 FE FFFFFF7F", "a huge count of fields")]
    [InlineData("01 00 50 52 06 06", "a nullable map")]
    [InlineData("01 00 50 50 06", "a nullable of a nullable")]
    [InlineData("01 02 60 01 53 01 00 60 01 54 01 01 01 46 00 60 00 60 01", "types in another order")]
    public void WhatIsNoSchemaIsRefused(string hex, string what)
    {
        _ = what;
        Assert.Throws<NinoSerializationException>(() => NinoSchema.Parse(Hex(hex)));
    }

    [Fact]
    public void TwoTypesOfOneNameAreRefusedWhereTheSchemaIsMade()
    {
        var builder = new SchemaBuilder();
        SchemaNode node = builder.Object(typeof(Quote), "A", true, fields =>
            fields.Add("F", 0, fields.Builder.Object(typeof(Node), "A", true, static _ => { })));
        Assert.Throws<ArgumentException>(() => NinoSchema.Create(node));
    }

    [Fact]
    public void AnyFlippedBitOrCutOfASchemaIsRefusedOrIsAnotherSchemasOwnBytes()
    {
        byte[] golden = Convert.FromHexString(QuoteSchema.Replace(" ", ""));
        for (int length = 0; length < golden.Length; length++) Assert.Throws<NinoSerializationException>(() => NinoSchema.Parse(golden.AsSpan(0, length)));
        for (int bit = 0; bit < golden.Length * 8; bit++)
        {
            byte[] bytes = [.. golden];
            bytes[bit / 8] ^= (byte)(1 << (bit % 8));
            AssertRefusedOrCanonical(bytes);
        }
    }

    [Fact]
    public void MutatedSchemasAndRecordsUnderThemAreRefusedOrWalked()
    {
        int seed = Effort.DrawnSeed(quick: 20261123);
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        byte[] golden = Convert.FromHexString(QuoteSchema.Replace(" ", ""));
        byte[] record = Samples.Get("record").Golden;
        int accepted = 0;
        for (int i = 0; i < 20_000; i++)
        {
            byte[] bytes = [.. golden];
            for (int edits = random.Next(1, 4); edits > 0; edits--) bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            try
            {
                if (AssertRefusedOrCanonical(bytes) is not { } schema) continue;
                accepted++;
                try
                {
                    var reader = new NinoReader(record);
                    RecordWalker.SkipRecord(ref reader, schema.Root);
                }
                catch (NinoSerializationException)
                {
                    // The record is of another schema.
                }
            }
            catch (Exception error)
            {
                throw new InvalidOperationException($"seed {seed}, input {i}, schema {Convert.ToHexString(bytes)}", error);
            }
        }

        Assert.InRange(accepted, 1, 19_999);
    }

    private static NinoSchema? AssertRefusedOrCanonical(byte[] bytes)
    {
        NinoSchema schema;
        try
        {
            schema = NinoSchema.Parse(bytes);
        }
        catch (NinoSerializationException)
        {
            return null;
        }

        Assert.Equal(Convert.ToHexString(bytes), Convert.ToHexString(schema.CanonicalBytes.Span));
        return schema;
    }

    private static NinoSchema Class(params (string Name, SchemaKind Kind)[] fields) => NinoSchema.Create(new SchemaBuilder().Object(typeof(Quote), "C", true, list =>
    {
        foreach ((string name, SchemaKind kind) in fields) list.Add(name, 0, SchemaNode.Primitive(kind));
    }));

    private static byte[] Hex(string hex) => Convert.FromHexString(hex.Replace(" ", ""));

    private sealed class Inner;

    [Fact]
    public void AStructThatKeepsReferencesIsRefusedWhereASchemaIsMadeAndNotOnlyWhereItIsRead()
    {
        var type = new ObjectDefinition("Pair", isReference: false, keepsReferences: true);
        type.Add(new SchemaField("X", 0, SchemaNode.Primitive(SchemaKind.Int32)));
        Assert.Contains("only a class", Assert.Throws<ArgumentException>(() => NinoSchema.Create(SchemaNode.Reference(type))).Message);
    }

    [Fact]
    public void StructsThatLieDeeperInOneAnotherThanThirtyTwoAreRefused()
    {
        SchemaNode Chain(int structs, bool isList)
        {
            SchemaNode node = SchemaNode.Primitive(SchemaKind.Byte);
            for (int i = 0; i < structs; i++)
            {
                var type = new ObjectDefinition($"S{i}", isReference: false);
                type.Add(new SchemaField("X", 0, isList && i == structs / 2 ? SchemaNode.List(node) : node));
                node = SchemaNode.Reference(type);
            }

            var root = new ObjectDefinition("R", isReference: true);
            root.Add(new SchemaField("X", 0, SchemaNode.List(node)));
            return SchemaNode.Reference(root);
        }

        // What lies between them, and has a byte of its own in the record, begins anew.
        foreach (SchemaNode node in (SchemaNode[])[Chain(32, isList: false), Chain(64, isList: true)]) Assert.Equal("R", NinoSchema.Parse(NinoSchema.Create(node).CanonicalBytes.Span).Name);
        Assert.Contains("structs in structs deeper than 32", Assert.Throws<ArgumentException>(() => NinoSchema.Create(Chain(33, isList: false))).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AByteOfARecordCostsNoMoreThanItsThirtyTwoStructs()
    {
        // Each byte of the list was walked through every one of 5,000 structs, and a tree had as many values for it: 280 KB.
        var schema = new MemoryStream();
        void Compact(int number) => schema.Write(number < 253 ? [(byte)number] : [253, (byte)number, (byte)(number >> 8)]);
        void Type(string name, byte flags, byte[] before, int next)
        {
            schema.Write([(byte)SchemaKind.Object, (byte)name.Length, .. Encoding.UTF8.GetBytes(name), flags, 1, 1, (byte)'X', 0, .. before, (byte)(next < 0 ? SchemaKind.Byte : SchemaKind.Object)]);
            if (next >= 0) Compact(next);
        }

        const int Structs = 5000;
        schema.WriteByte(1);
        Compact(Structs + 1);
        Type("R", 1, [(byte)SchemaKind.List], 1);
        for (int i = 1; i <= Structs; i++) Type($"S{i}", 0, [], i < Structs ? i + 1 : -1);
        schema.Write([(byte)SchemaKind.Object, 0]);
        byte[] record = [101, .. new byte[100]];
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Throws<NinoSerializationException>(() => NinoValue.Decode(NinoSchema.Parse(schema.ToArray()), record));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 20 << 20);
    }

    private enum SByteEnum : sbyte
    {
        High = 127,
        Low = -128,
    }

    private enum UInt64Enum : ulong
    {
        One = 1,
        Max = ulong.MaxValue,
    }

    [Flags]
    private enum Int16Flags : short
    {
        None = 0,
        A = 1,
        AlsoA = 1,
        B = 2,
    }
}
