using System.Buffers;
using System.Runtime.InteropServices;
using FsCheck;
using FsCheck.Fluent;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Tests.Serialization.HandWritten;

[assembly: NinoSerializable(typeof((bool, char, DateTime)))]
[assembly: NinoSerializable(typeof((int, long, short)))]

namespace Store.Tests.Serialization;

public sealed class SerializerTests
{
    private static readonly Quote AQuote = new(7, "ABC", 10.5m, new DateTime(1, DateTimeKind.Utc), Side.Sell, ["x", null], new Point(1, 2, true), new() { ["k"] = 9 });

    [Fact]
    public void AnyTextComesBackAsItWas() => Check.QuickThrowOnFailure(Prop.ForAll<string?>(text =>
        text is null || NinoSerializer.Deserialize<string>(NinoSerializer.Serialize(text)) == text));

    [Fact]
    public void AnyListOfTextComesBackAsItWas() => Check.QuickThrowOnFailure(Prop.ForAll<string?[]>(texts =>
        NinoSerializer.Deserialize<string?[]>(NinoSerializer.Serialize(texts)).SequenceEqual(texts)));

    [Fact]
    public void AnyDictionaryComesBackAsItWas()
    {
        var codec = new CodecAdapter<Dictionary<int, string>, DictionaryCodec<int, string, Int32Codec, StringCodec>>();
        Check.QuickThrowOnFailure(Prop.ForAll<(int, string?)[]>(pairs =>
        {
            Dictionary<int, string> map = [];
            foreach ((int key, string? value) in pairs) map[key] = value!;
            var output = new ArrayBufferWriter<byte>();
            codec.Encode(output, map);
            return codec.Decode(output.WrittenSpan).SequenceEqual(map);
        }));
    }

    [Fact]
    public void TextOfEveryLengthWithAWideCharAnywhereComesBackAsItWas()
    {
        for (int length = 0; length <= 200; length++)
        {
            char[] chars = new char[length];
            for (int i = 0; i < length; i++) chars[i] = (char)(0x80 + (i % 0x80));
            AssertText(new string(chars), 1);
            for (int at = 0; at < length; at++)
            {
                char narrow = chars[at];
                chars[at] = '\u0100';
                AssertText(new string(chars), 2);
                chars[at] = '\uD834';
                AssertText(new string(chars), 2);
                chars[at] = narrow;
            }
        }

        static void AssertText(string text, int bytesPerChar)
        {
            byte[] bytes = NinoSerializer.Serialize(text);
            Assert.Equal((text.Length * bytesPerChar) + (text.Length <= 125 ? 1 : 3), bytes.Length);
            Assert.Equal(text, NinoSerializer.Deserialize<string>(bytes));
        }
    }

    [Theory]
    [InlineData(70_000, 'x')]
    [InlineData(70_000, '\u4E2D')]
    [InlineData(3_000_000, 'x')]
    public void LongTextGoesOverManyPieces(int length, char c)
    {
        string text = new string(c, length) + "end";
        Assert.Equal(text, NinoSerializer.Deserialize<string>(NinoSerializer.Serialize(text)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(251)]
    [InlineData(252)]
    [InlineData(65_534)]
    [InlineData(65_535)]
    [InlineData(300_000)]
    public void CountsOfEveryWidthComeBack(int count)
    {
        int[] numbers = [.. Enumerable.Range(0, count)];
        byte[] bytes = NinoSerializer.Serialize(numbers);
        Assert.Equal((count < 252 ? 1 : count < 65_535 ? 3 : 5) + (4 * count), bytes.Length);
        Assert.True(NinoSerializer.Deserialize<int[]>(bytes).AsSpan().SequenceEqual(numbers));
        Assert.True(CollectionsMarshal.AsSpan(NinoSerializer.Deserialize<List<int>>(bytes)).SequenceEqual(numbers));
        DateTime[] times = [.. numbers.Select(static i => new DateTime(i))];
        Assert.True(NinoSerializer.Deserialize<DateTime[]>(NinoSerializer.Serialize(times)).AsSpan().SequenceEqual(times));
    }

    [Fact]
    public void DictionariesAndSetsComeBackAfterRemovals()
    {
        var codec = new CodecAdapter<Dictionary<int, int>, DictionaryCodec<int, int, Int32Codec, Int32Codec>>();
        Dictionary<int, int> map = Enumerable.Range(0, 1000).ToDictionary(static i => i);
        for (int i = 0; i < 1000; i += 3) map.Remove(i);
        map[0] = -1;
        var output = new ArrayBufferWriter<byte>();
        codec.Encode(output, map);
        Assert.Equal(map, codec.Decode(output.WrittenSpan));

        var setCodec = new CodecAdapter<HashSet<string>, HashSetCodec<string, StringCodec>>();
        HashSet<string> set = [.. Enumerable.Range(0, 1000).Select(static i => i.ToString())];
        for (int i = 0; i < 1000; i += 3) set.Remove(i.ToString());
        output.Clear();
        setCodec.Encode(output, set);
        Assert.Equal(set, setCodec.Decode(output.WrittenSpan));
    }

    [Fact]
    public void WhateverIsBehindACollectionInterfaceIsWrittenLikeAList()
    {
        var codec = new CodecAdapter<IEnumerable<int>, CollectionCodec<IEnumerable<int>, int, Int32Codec>>();
        foreach (IEnumerable<int> numbers in new IEnumerable<int>[] { new[] { 1, 2 }, new List<int> { 1, 2 }, new Queue<int>([1, 2]), Enumerable.Range(1, 2), Lazily() })
        {
            var output = new ArrayBufferWriter<byte>();
            codec.Encode(output, numbers);
            Assert.Equal("030100000002000000", Convert.ToHexString(output.WrittenSpan));
        }

        static IEnumerable<int> Lazily()
        {
            yield return 1;
            yield return 2;
        }
    }

    [Fact]
    public void AFullCircularQueueDoesNotShiftWhatFollows()
    {
        var queue = new Queue<int>(4);
        for (int i = 0; i < 6; i++)
        {
            if (queue.Count == 4) queue.Dequeue();
            queue.Enqueue(i);
        }

        var codec = new CodecAdapter<IReadOnlyCollection<int>, CollectionCodec<IReadOnlyCollection<int>, int, Int32Codec>>();
        var output = new ArrayBufferWriter<byte>();
        codec.Encode(output, queue);
        Assert.Equal([2, 3, 4, 5], codec.Decode(output.WrittenSpan));
    }

    [Fact]
    public void ADestinationOfTheExactLengthIsEnoughAndOneByteLessIsNot()
    {
        foreach (Quote quote in new[] { AQuote, AQuote with { Symbol = "\u0100" }, AQuote with { Tags = [new string('x', 300)] } })
        {
            byte[] expected = NinoSerializer.Serialize(quote);
            byte[] exact = new byte[expected.Length];
            Assert.True(NinoSerializer.TrySerialize(quote, exact, out int written));
            Assert.Equal(expected.Length, written);
            Assert.Equal(expected, exact);

            byte[] tooShort = new byte[expected.Length - 1];
            Assert.False(NinoSerializer.TrySerialize(quote, tooShort, out written));
            Assert.Equal(0, written);
            Assert.All(tooShort, static b => Assert.Equal(0, b));

            var writer = new NinoWriter(exact.AsSpan());
            NinoCodec<Quote>.Default.WriteRecord(ref writer, quote);
            Assert.Equal(expected.Length, writer.BytesWritten);
        }
    }

    /// <summary>Where every record has one size it is stored in its place at once, by instructions that may be wider than what is left.</summary>
    [Fact]
    public void ARecordOfOneSizeTouchesNothingBehindItAndNothingWhereItDoesNotFit()
    {
        Check((1, 2L));
        Check((byte)7);
        Check(Guid.NewGuid());
        Check(12.5m);
        Check((true, 'c', DateTime.UnixEpoch));
        Check(new Int128(1, 2));

        static void Check<T>(T value)
        {
            byte[] expected = NinoSerializer.Serialize(value), room = new byte[expected.Length + 40];
            for (int length = 0; length <= room.Length; length++)
            {
                room.AsSpan().Fill(0xA5);
                bool fits = NinoSerializer.TrySerialize(value, room.AsSpan(0, length), out int written);
                Assert.Equal((length >= expected.Length, fits ? expected.Length : 0), (fits, written));
                Assert.Equal(expected[..written], room[..written]);
                Assert.True(room.AsSpan(written).IndexOfAnyExcept((byte)0xA5) < 0);
            }

            Assert.Equal(0, Allocated.Least(() => NinoSerializer.TrySerialize(value, room, out _)));
            if (expected.Length > 1) Assert.Throws<NinoSerializationException>(() => NinoSerializer.TrySerialize(value, room, out _, new NinoLimits { MaxRecordBytes = expected.Length - 1 }));
        }
    }

    /// <summary>A struct that is looked at in the bytes that its record goes into.</summary>
    [Fact]
    public void AValueMayLieWhereItsRecordIsStored()
    {
        byte[] room = new byte[64];
        ref (int First, long Second, short Third) value = ref System.Runtime.CompilerServices.Unsafe.As<byte, (int, long, short)>(ref room[3]);
        value = (1, 2, 3);
        byte[] expected = NinoSerializer.Serialize((1, 2L, (short)3));
        Assert.True(NinoSerializer.TrySerialize(value, room, out int written));
        Assert.Equal(expected, room[..written]);
    }

    [Fact]
    public void ARecordInSeveralSegmentsIsReadLikeOneInOne()
    {
        byte[] bytes = NinoSerializer.Serialize(AQuote);
        for (int cut = 0; cut <= bytes.Length; cut++)
        {
            ReadOnlySequence<byte> sequence = Pieces.Of<byte>(bytes.AsMemory(0, cut), bytes.AsMemory(cut));
            Assert.Equivalent(AQuote, NinoSerializer.Deserialize<Quote>(in sequence), strict: true);
        }
    }

    [Fact]
    public void WritingToAReusedBufferAllocatesNothingAndToAnArrayOnlyTheArray()
    {
        var output = new ArrayBufferWriter<byte>(1 << 20);
        var names = new List<string> { "a", "\u0100", new string('x', 500) };
        var node = new Node { Name = "n", Children = [new Node(), null] };
        int length = NinoSerializer.Serialize(AQuote).Length;
        Assert.Equal(0, LeastAllocated(Write));
        Assert.Equal(((length + 7) / 8 * 8) + 24, LeastAllocated(static () => NinoSerializer.Serialize(AQuote)));

        // The least of many runs: in some, the runtime itself allocates while it compiles what got hot.
        static long LeastAllocated(Action action) => Allocated.Least(action, runs: 200);

        void Write()
        {
            output.ResetWrittenCount();
            NinoSerializer.Serialize(output, AQuote);
            NinoSerializer.Serialize(output, names);
            NinoSerializer.Serialize(output, node);
            NinoSerializer.Serialize(output, new Point(1, 2, true));
        }
    }

    [Fact]
    public void ARecordSerializedWhileAnotherIsWrittenDoesNotDisturbIt()
    {
        var codec = new CodecAdapter<Nesting, NestingCodec>();
        var output = new ArrayBufferWriter<byte>();
        codec.Encode(output, new Nesting("outer", "inner"));
        Nesting copy = codec.Decode(output.WrittenSpan);
        Assert.Equal(new Nesting("outer", "inner"), copy);
    }

    [Fact]
    public void ANullRecordIsAProgrammersMistakeAndANullMemberIsNot()
    {
        Assert.Throws<ArgumentNullException>(() => NinoSerializer.Serialize<string>(null!));
        Assert.Throws<ArgumentNullException>(() => NinoSerializer.Serialize<Quote>(null!));
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<string>([0]));
        Assert.Null(NinoSerializer.Deserialize<Node>(NinoSerializer.Serialize(new Node())).Name);
    }

    private sealed class Unknown;

    [Fact]
    public void AnUnregisteredTypeIsNamedWithWhatToDo()
    {
#pragma warning disable NINO060 // Nobody registers it.
        var error = Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.Serialize(new Unknown()));
        Assert.Equal(typeof(Unknown), error.Type);
        Assert.Contains("[NinoType]", error.Message);
        Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.Serialize(new List<Unknown>()));
#pragma warning restore NINO060
    }

    [Fact]
    public void ArraysAndListsOfARegisteredTypeAreRecords()
    {
        Quote[] quotes = [AQuote, null!, AQuote];
        byte[] bytes = NinoSerializer.Serialize(quotes);
        Assert.Equivalent(quotes, NinoSerializer.Deserialize<Quote[]>(bytes), strict: true);
        Assert.Equal(bytes, NinoSerializer.Serialize(quotes.ToList()));
        Assert.Equivalent(quotes.ToList(), NinoSerializer.Deserialize<List<Quote>>(bytes), strict: true);
        Assert.Equal("List<Store.Tests.Serialization.HandWritten.Quote>", NinoSerializer.SchemaOf<Quote[]>().Name);
    }

    [Fact]
    public void ACodecFoundAtRunTimeWritesWhatTheTypesOwnCodecWrites()
    {
        AssertSame<Node[], ArrayCodec<Node, NodeCodec>, ArrayCodec<Node, RegisteredCodec<Node, DeclaredChoice>>>([new Node { Name = "a" }, null!]);
        AssertSame<Node[], ArrayCodec<Node, NodeCodec>, ArrayCodec<Node, RegisteredCodec<Node, DeclaredChoice>>>([new Node { Name = "a" }]);
        AssertSame<Point?[], ArrayCodec<Point?, NullableCodec<Point, PointCodec>>, ArrayCodec<Point?, NullableCodec<Point, RegisteredCodec<Point, DeclaredChoice>>>>([new Point(1, 2, true), null]);
        AssertSame<Label?[], ArrayCodec<Label?, NullableCodec<Label, LabelCodec>>, ArrayCodec<Label?, NullableCodec<Label, RegisteredCodec<Label, DeclaredChoice>>>>([new Label(1, "x"), null]);
        AssertSame<Dictionary<int, Node>, DictionaryCodec<int, Node, Int32Codec, NodeCodec>, DictionaryCodec<int, Node, RegisteredCodec<int, DeclaredChoice>, RegisteredCodec<Node, DeclaredChoice>>>(new() { [1] = new Node(), [2] = null! });
        AssertSame<int[], ArrayCodec<int, Int32Codec>, ArrayCodec<int, RegisteredCodec<int, DeclaredChoice>>>([1, 2, 3]);
        AssertSame<Quote, QuoteCodec, RegisteredCodec<Quote, DeclaredChoice>>(AQuote);

        static void AssertSame<T, TDirect, TRegistered>(T value)
            where TDirect : struct, INinoCodec<T>
            where TRegistered : struct, INinoCodec<T>
        {
            var direct = new CodecAdapter<T, TDirect>();
            var registered = new CodecAdapter<T, TRegistered>();
            var first = new ArrayBufferWriter<byte>();
            var second = new ArrayBufferWriter<byte>();
            direct.Encode(first, value);
            registered.Encode(second, value);
            Assert.Equal(first.WrittenSpan, second.WrittenSpan);
            Assert.Equal(direct.Schema.CanonicalBytes.ToArray(), registered.Schema.CanonicalBytes.ToArray());
            Assert.Equivalent(value, registered.Decode(first.WrittenSpan), strict: true);
        }
    }

    [Fact]
    public void DamageIsReportedWithItsMemberAndOffset()
    {
        byte[] bytes = NinoSerializer.Serialize(new[] { AQuote, AQuote with { Tags = ["x", "y"] } });
        byte[] bad = [.. bytes];
        int second = 1 + ((bytes.Length - 2) / 2);
        Assert.Equal(7, bad[second]);
        bad[second + 4 + 15] = 0x7F;
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Quote[]>(bad));
        Assert.Equal("[1].Price", error.MemberPath);
        Assert.Equal(second + 4, error.ByteOffset);
        Assert.Equal("List<Store.Tests.Serialization.HandWritten.Quote>", error.TypeName);
        Assert.Contains("[1].Price", error.Message);
        Assert.Contains("decimal", error.Message);

        error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Quote[]>(bytes.AsSpan(0, bytes.Length - 3)));
        Assert.Equal("[1].Counts", error.MemberPath);

        bad = [.. bytes];
        bad[second + 29 + 1 + 12] = 2;
        error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Quote[]>(bad));
        Assert.Equal("[1].Place.Known", error.MemberPath);
    }

    public readonly record struct Nesting(string Outer, string Inner);

    // Serializes its second member apart, as a callback of a user might.
    public readonly struct NestingCodec : INinoCodec<Nesting>
    {
        public static int MinSize => 2;

        public static SchemaNode Describe(SchemaBuilder builder) => builder.Object(typeof(Nesting), "Nesting", false, static fields =>
        {
            fields.Add("Outer", 0, StringCodec.Describe(fields.Builder));
            fields.Add("Inner", 0, ArrayCodec<byte, ByteCodec>.Describe(fields.Builder));
        });

        public void Write(ref NinoWriter writer, in Nesting value)
        {
            default(StringCodec).Write(ref writer, value.Outer);
            default(ArrayCodec<byte, ByteCodec>).Write(ref writer, NinoSerializer.Serialize(value.Inner));
        }

        public Nesting Read(ref NinoReader reader) =>
            new(default(StringCodec).Read(ref reader), NinoSerializer.Deserialize<string>(default(ArrayCodec<byte, ByteCodec>).Read(ref reader)));
    }
}
