// Values of fixed members and a few strings are written and read without a writer or reader in between. Nothing but time may differ from the way with them.

using System.Buffers;
using Store.Serialization;

namespace Store.Tests.Serialization;

public sealed partial class FlatRecordTests
{
    private const string Latin = "\u00E9t\u00E9";

    // Lengths around every border: null, empty, one char, a vector, the longest of one byte, longer.
    private static readonly string?[] Texts =
    [
        null, "", "a", "\u00FF", "\u0100", "ab", "abc", "abcd", Latin, "abcdefg", "abcdefgh", "abcdefghijklmno", "abcdefghijklmnop", "abcdefghijklmnopq", "caf\u00E9 \u20AC", "\uD800", new('x', 125), new('x', 126),
        new('\u20AC', 124), new('\u20AC', 125), new('\u20AC', 126), new('x', 252), new('x', 70_000),
    ];

    [Fact]
    public void EveryTextIsWrittenAsByItsCodecAloneAndReadBack()
    {
        foreach (string? first in Texts)
        {
            foreach (string? second in Texts)
            {
                var person = new Person { Id = 7, IsOn = true, Name = first, Town = second };
                byte[] expected = [7, 0, 0, 0, 1, .. Bytes(first), .. Bytes(second)];
                Assert.Equal(expected, NinoSerializer.Serialize(person));
                Assert.Equal(person, NinoSerializer.Deserialize<Person>(expected));
                Assert.Equal(new Pair(first, second), NinoSerializer.Deserialize<Pair>(NinoSerializer.Serialize(new Pair(first, second))));
            }
        }

        static byte[] Bytes(string? text) => NinoSerializer.Serialize(new List<string?> { text })[1..];
    }

    [Fact]
    public void EveryWayOfWritingGivesTheSameBytes()
    {
        foreach (string? text in Texts)
        {
            var person = new Person { Id = 1, Name = text, Town = Latin };
            byte[] expected = NinoSerializer.Serialize(person);
            foreach (int most in new[] { 1, 2, 3, 7, 16, 64 })
            {
                var tiny = new TinySpanWriter(1, most, 1);
                Assert.Equal(expected.Length, NinoSerializer.Serialize(tiny, person));
                Assert.Equal(expected, tiny.ToArray());
            }

            var output = new ArrayBufferWriter<byte>();
            var writer = new NinoWriter(output);
            NinoCodec<Person>.Default.WriteRecord(ref writer, person);
            writer.Flush();
            Assert.Equal(expected, output.WrittenSpan);
            Assert.Equal(expected.Length, NinoSerializer.GetSize(person));
        }
    }

    [Fact]
    public void ASpanOfTheExactSizeIsEnoughAndAShorterOneIsNotWrittenBeyond()
    {
        foreach (string? text in Texts[..^1])
        {
            var people = new List<Person> { new() { Id = 1, Name = text }, new() { Id = 2, Name = "x", Town = text }, new() { Id = 3, Name = text, Town = text } };
            byte[] expected = NinoSerializer.Serialize(people);
            byte[] room = new byte[expected.Length + 8];
            for (int length = 0; length <= expected.Length + 1; length++)
            {
                room.AsSpan().Fill(0xEE);
                Assert.Equal(length >= expected.Length, NinoSerializer.TrySerialize(people, room.AsSpan(0, length), out int written));
                if (length >= expected.Length) Assert.Equal(expected, room[..written]);
                Assert.DoesNotContain(room[length..], static one => one != 0xEE);
            }
        }
    }

    [Fact]
    public void ListsMayHoldAnyMixtureOfTexts()
    {
        var random = new Random(20261126);
        for (int i = 0; i < 300; i++)
        {
            List<Person> people = [.. Enumerable.Range(0, random.Next(40)).Select(id => new Person { Id = id + 100, Name = Texts[random.Next(Texts.Length)], Town = Texts[random.Next(Texts.Length - 1)] })];
            Pair[] pairs = [.. people.Select(static one => new Pair(one.Town, one.Name))];
            var tiny = new TinySpanWriter(1, 200, 1);
            NinoSerializer.Serialize(tiny, people);
            Assert.Equal(NinoSerializer.Serialize(people), tiny.ToArray());
            Assert.Equal(people, NinoSerializer.Deserialize<List<Person>>(tiny.ToArray()));
            Assert.Equal(pairs, NinoSerializer.Deserialize<Pair[]>(NinoSerializer.Serialize(pairs)));
        }
    }

    /// <summary>Room is for the text that is stored, and not for one that was asked for before.</summary>
    [Fact]
    public void AGetterThatAnswersOtherwiseTheNextTimeStoresOneOfItsAnswers()
    {
        foreach (string? first in Texts[..^1])
        {
            foreach (string? second in (string?[])["abcd", null, new('\u20AC', 125)])
            {
                var tiny = new TinySpanWriter(1, 60, 1);
                NinoSerializer.Serialize(tiny, Made());
                Assert.All(NinoSerializer.Deserialize<List<Restless>>(tiny.ToArray()), AssertAnswer);

                byte[] room = new byte[700];
                for (int length = 0; length < 600; length += 7)
                {
                    room.AsSpan().Fill(0xEE);
                    if (NinoSerializer.TrySerialize(Made(), room.AsSpan(0, length), out int written)) Assert.All(NinoSerializer.Deserialize<List<Restless>>(room[..written]), AssertAnswer);
                    Assert.DoesNotContain(room[length..], static one => one != 0xEE);
                }

                List<Restless> Made() => [.. Enumerable.Range(0, 9).Select(_ => new Restless { Number = 5, Answers = [first, second] })];

                void AssertAnswer(Restless one) => Assert.True(one.Number == 5 && (one.Text == first || one.Text == second), one.Text);
            }
        }
    }

    [Fact]
    public void DamagedRecordsAreReadOrRefusedAsByAReader()
    {
        int refused = 0, read = 0;
        foreach (string? text in Texts[..^2])
        {
            byte[] bytes = NinoSerializer.Serialize(new Person { Id = 7, IsOn = true, Name = text, Town = Latin });
            for (int length = 0; length < bytes.Length; length++) Agree(bytes[..length]);
            Agree([.. bytes, 0]);
            for (int bit = 0; bit < Math.Min(bytes.Length, 200) * 8; bit++)
            {
                byte[] flipped = [.. bytes];
                flipped[bit / 8] ^= (byte)(1 << (bit % 8));
                Agree(flipped);
            }
        }

        Assert.True(refused > 1000 && read > 1000, $"{refused} refused, {read} read");

        void Agree(byte[] bytes)
        {
            Person? byReader = null, flat = null;
            Exception? expected = Record.Exception(() =>
            {
                var reader = new NinoReader(bytes);
                byReader = NinoCodec<Person>.Default.ReadRecord(ref reader);
                if (reader.Remaining != 0) throw new NinoSerializationException("trailing");
            });
            Exception? actual = Record.Exception(() => flat = NinoSerializer.Deserialize<Person>(bytes));
            Assert.Equal(expected?.GetType(), actual?.GetType());
            Assert.Equal(byReader is not null && expected is null ? byReader : null, flat);
            if (actual is null) read++;
            else refused++;
            if (actual is NinoSerializationException error) Assert.Equal(typeof(Person).FullName, error.TypeName);
        }
    }

    [Fact]
    public void ATextIsNotFoundWhereItDoesNotEndBeforeTheEnd()
    {
        // Bytes that would be a text lie behind the end, as they may in memory.
        byte[] memory = [.. Enumerable.Repeat((byte)7, 300)];
        for (int length = 0; length < 5; length++)
        {
            int place = 0;
            Assert.Equal(length >= 4, NinoGenerated.TryReadTextAt(in memory[0], length, ref place, out string text));
            Assert.Equal(length >= 4 ? (4, "\a\a\a") : (0, null), (place, text));
        }

        // Longer ones have a number of several bytes in front.
        foreach (byte header in (byte[])[2, 252, 253, 254, 255])
        {
            memory[0] = header;
            int position = 0;
            Assert.False(NinoGenerated.TryReadTextAt(in memory[0], memory.Length, ref position, out _));
        }
    }

    [Fact]
    public void DamageIsNamedWithMemberAndOffset()
    {
        byte[] bytes = NinoSerializer.Serialize(new Person { Id = 7, IsOn = true, Name = "ab", Town = "c" });
        bytes[4] = 2;
        Assert.Equal(("IsOn", 4L), Place(bytes));
        bytes[4] = 1;
        Assert.Equal(("Town", 8L), Place(bytes[..^1]));
        bytes[5] = 254;
        Assert.Equal(("Name", 5L), Place(bytes));

        static (string?, long?) Place(byte[] bytes)
        {
            var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Person>(bytes));
            return (error.MemberPath, error.ByteOffset);
        }
    }

    [Fact]
    public void TheLimitHolds()
    {
        var person = new Person { Name = "abc", Town = "d" };
        byte[] bytes = NinoSerializer.Serialize(person);
        var limits = new NinoLimits { MaxRecordBytes = bytes.Length - 1 };
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(person, limits));
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new ArrayBufferWriter<byte>(), person, limits));
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Person>(bytes, limits));
        Assert.Equal(bytes, NinoSerializer.Serialize(person, new NinoLimits { MaxRecordBytes = bytes.Length }));
        Assert.Equal(person, NinoSerializer.Deserialize<Person>(bytes, new NinoLimits { MaxRecordBytes = bytes.Length }));
    }

    [Fact]
    public void ADerivedObjectIsRefusedAndASetterThatThrowsIsTheInnerException()
    {
        Assert.Contains("is declared", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize<Person>(new Employee())).Message);
        Assert.Contains("is declared", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new List<Person> { new(), new Employee() })).Message);
        byte[] refused = NinoSerializer.Serialize(new Person { Id = 12, Name = "a" });
        refused[0] = 13;
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Person>(refused));
        Assert.IsType<ArgumentOutOfRangeException>(error.InnerException);
        Assert.Equal(typeof(Person).FullName, error.TypeName);
    }

    [Fact]
    public void AGetterMaySerializeAnotherRecord()
    {
        var nesting = new Nesting { Inner = "inner text" };
        Nesting read = NinoSerializer.Deserialize<Nesting>(NinoSerializer.Serialize(nesting));
        Assert.Equal("inner text", read.Inner);

        // Behind what the record has in front of it already.
        var deep = new DeepNesting { Numbers = [1, 2, 3], Inner = "inner text" };
        byte[] bytes = NinoSerializer.Serialize(deep);
        DeepNesting copy = NinoSerializer.Deserialize<DeepNesting>(bytes);
        Assert.Equal((6, "inner text"), (copy.Numbers.Sum(), copy.Inner));
    }

    [Fact]
    public void NineStringsAreWrittenTheOtherWayAndReadBack()
    {
        var many = new ManyTexts { A = "a", B = "bb", C = "ccc", D = "\u20AC", E = new('e', 300), F = null, G = "", H = "h", I = "i" };
        ManyTexts read = NinoSerializer.Clone(many)!;
        Assert.Equal((many.A, many.B, many.C, many.D, many.E, many.F, many.G, many.H, many.I), (read.A, read.B, read.C, read.D, read.E, read.F, read.G, read.H, read.I));
    }

    [Fact]
    public void AnOlderShapeIsReadAsByThePlanAndAllocatesOnlyTheObject()
    {
        NinoSchema stored = NinoSerializer.SchemaOf<OldPerson>();
        NinoCodec<Person> codec = NinoCodec<Person>.Default;
        NinoRecordMapper mapper = NinoRecordMapper.Create(stored, codec.Schema);
        foreach (string? first in Texts[..^1])
        {
            foreach (string? second in Texts[..^1])
            {
                byte[] bytes = NinoSerializer.Serialize(new OldPerson { Gone = 5, Id = 300, IsOn = true, Name = first, Town = second });
                Assert.Equal(new Person { Id = 300, IsOn = true, Name = first, Town = second }, codec.Decode(bytes, stored));
            }
        }

        byte[] usual = NinoSerializer.Serialize(new OldPerson { Gone = 5, Id = 300, IsOn = true, Name = "abc", Town = Latin });
        for (int length = 0; length < usual.Length; length++) Agree(usual[..length]);
        Agree([.. usual, 0]);
        for (int bit = 0; bit < usual.Length * 8; bit++)
        {
            byte[] flipped = [.. usual];
            flipped[bit / 8] ^= (byte)(1 << (bit % 8));
            Agree(flipped);
        }

        long straight = Allocated.Least(() => codec.Decode(Straight));
        Assert.Equal(straight, Allocated.Least(() => codec.Decode(usual, stored)));

        void Agree(byte[] bytes)
        {
            Person? byPlan = null, flat = null;
            Exception? expected = Record.Exception(() =>
            {
                var output = new ArrayBufferWriter<byte>();
                mapper.Map(bytes, output);
                byPlan = codec.Decode(output.WrittenSpan);
            });
            Exception? actual = Record.Exception(() => flat = codec.Decode(bytes, stored));
            Assert.Equal(expected?.GetType(), actual?.GetType());
            Assert.Equal(byPlan, flat);
        }
    }

    [Fact]
    public void AnObjectOfAnOlderShapeThatRefusesItsMembersIsMadeOnce()
    {
        byte[] bytes = NinoSerializer.Serialize(new OldPerson { Id = 13, Name = "a" });
        int before = Person.Refusals;
        var error = Assert.Throws<NinoSerializationException>(() => NinoCodec<Person>.Default.Decode(bytes, NinoSerializer.SchemaOf<OldPerson>()));
        Assert.IsType<ArgumentOutOfRangeException>(error.InnerException);
        Assert.Equal(before + 1, Person.Refusals);
        // As of a record in the shape of today: setters run when all is read, so it is the last member.
        Assert.Equal((typeof(Person).FullName, "Town", bytes.Length - 1), (error.TypeName, error.MemberPath, error.ByteOffset));
        Assert.Contains("its bytes are whole", error.Message);
    }

    [Fact]
    public void TheLimitHoldsForAnOlderShapeAndForWhatItBecomes()
    {
        NinoCodec<Person> codec = NinoCodec<Person>.Default;
        AssertLimit(NinoSerializer.Serialize(new OldPerson { Gone = 5, Id = 300, Name = "abc", Town = "d" }), NinoSerializer.SchemaOf<OldPerson>());
        AssertLimit(NinoSerializer.Serialize(new SmallPerson { Id = 3, Name = "abc", Town = "d" }), NinoSerializer.SchemaOf<SmallPerson>());

        void AssertLimit(byte[] bytes, NinoSchema stored)
        {
            Person person = codec.Decode(bytes, stored);
            int most = Math.Max(bytes.Length, NinoSerializer.Serialize(person).Length);
            Assert.Equal(person, codec.Decode(bytes, stored, new NinoLimits { MaxRecordBytes = most }));
            Assert.Throws<NinoSerializationException>(() => codec.Decode(bytes, stored, new NinoLimits { MaxRecordBytes = most - 1 }));
        }
    }

    private static readonly byte[] Straight = NinoSerializer.Serialize(new Person { Id = 300, IsOn = true, Name = "abc", Town = Latin });
}
