// Where a value cannot be written: every error names the record's type and the path of the member, on every way out, and finding it runs nothing but getters once more.

using System.Buffers;
using System.Collections.Specialized;
using System.Text.Json;
using Store.KeyValue.Changes;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Snapshots;

namespace Store.Tests.Serialization;

[NinoType]
public sealed class Unwritable
{
    public int Id { get; set; }
    public Unwritable? Next { get; set; }
    public List<Unwritable?>? All { get; set; }
    public Dictionary<string, Unwritable>? ByName { get; set; }
    public Dictionary<UnwritableColor, Unwritable>? ByColor { get; set; }
    public IReadOnlyDictionary<string, int>? Counts { get; set; }
    public UnwritableInner Inner { get; set; }
    public UnwritableBase? Case { get; set; }
    public UnwritableKept? Kept { get; set; }
    public List<UnwritableSpot>? Spots { get; set; }
    public string? Note { get; set; }
}

public enum UnwritableColor { Red, Green }

[NinoType]
public record struct UnwritableInner(int Number, JsonElement? Json, NameValueCollection? Names, SortedSet<string>? Sorted, UnwritableOdd Odd);

/// <summary>Plain fields but for one, which refuses.</summary>
[NinoType]
public record struct UnwritableSpot(int X, [property: NinoCodec(typeof(AllButOne))] int Y, int Z);

[NinoType]
public record struct UnwritableOdd([property: NinoCodec(typeof(AllButOne))] int One, Guid Id);

[NinoType]
public abstract class UnwritableBase;

[NinoType]
public sealed class UnwritableHolder : UnwritableBase
{
    public string Name { get; set; } = "";
    public UnwritableBase? Inside { get; set; }
}

/// <summary>Nobody registered it.</summary>
public sealed class UnwritableStranger : UnwritableBase;

[NinoType(SkipUnknownCases = true)]
public abstract class UnwritableKept;

[NinoType]
public sealed class UnwritableLate : UnwritableKept
{
    public string? Name { get; set; }
    public UnwritableBase? Inside { get; set; }
}

/// <summary>A codec of a fixed width that has no encoding for one value, which no random record is likely to have.</summary>
public readonly struct AllButOne : INinoCodec<int>
{
    public const int Refused = 1_234_567_891;

    public static CodecForm Form => CodecForm.Fixed;
    public static int MinSize => 4;
    public static int FixedSize => 4;
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Int32);
    public void Write(ref NinoWriter writer, in int value) => WriteFixed(ref writer.Take(4), in value);
    public int Read(ref NinoReader reader) => default(Int32Codec).Read(ref reader);
    public void WriteFixed(ref byte destination, in int value) => default(Int32Codec).WriteFixed(ref destination, value != Refused ? value : throw new NinoSerializationException($"{value} is refused."));
    public int ReadFixed(ref readonly byte source) => default(Int32Codec).ReadFixed(in source);
}

/// <summary>Counts what runs while it is written.</summary>
[NinoType]
public sealed class UnwritableCalled
{
    // Of this thread: other tests write objects of every type.
    [ThreadStatic]
    public static int Began, Ended, Asked;

    public JsonElement First { get { Asked++; return JsonElement.Parse("1"); } set { } }
    public JsonElement Second { get; set; }

    [NinoOnSerializing] internal void Begin() => Began++;
    [NinoOnSerialized] internal void End() => Ended++;
}

/// <summary>Counts its callbacks, and has a fixed width.</summary>
[NinoType]
public struct UnwritablePlain
{
    [ThreadStatic]
    public static int Began;

    public int Number { get; set; }

    [NinoOnSerializing] internal void Begin() => Began++;
}

[NinoType]
public sealed class UnwritableBesidePlain
{
    public UnwritablePlain[] Plain { get; set; } = [];
    public JsonElement Second { get; set; }
}

/// <summary>A flat value one of whose texts may not be written.</summary>
[NinoType]
public sealed class UnwritableAhead
{
    public const string Refused = "a text that no random record has";

    public int Number { get; set; }
    public string? Name { get; set; }
    public string? Text { get => field != Refused ? field : throw new NinoSerializationException("The text is refused."); set; }
}

/// <summary>Of a fixed width, with a codec and a getter that refuse one value each.</summary>
[NinoType]
public sealed class UnwritableNumbers
{
    public int Number { get; set; }

    [NinoCodec(typeof(AllButOne))]
    public int One { get; set; }

    public int Other { get => field != AllButOne.Refused ? field : throw new NinoSerializationException("The number is refused."); set; }
}

[NinoType]
public sealed class UnwritableKeyed
{
    [NinoCodec(typeof(DictionaryCodec<int, string, AllButOne, StringCodec>))]
    public Dictionary<int, string> Names { get; set; } = [];
}

/// <summary>Stores as bytes one that is like it.</summary>
[NinoType]
public sealed class UnwritableWriter
{
    [ThreadStatic]
    public static int Asked;

    /// <summary>Where it begins, which no random record is likely to do.</summary>
    public const int Innermost = 1_234_567_891;

    public int Number { get; set; }

    public byte[] Written
    {
        get
        {
            if (Number is < Innermost or > Innermost + 10) return [];
            Asked++;
            return Number == Innermost ? NinoSerializer.Serialize(new Unwritable { Inner = new() { Json = default(JsonElement) } }) : NinoSerializer.Serialize(new UnwritableWriter { Number = Number - 1 });
        }
        set { }
    }
}

public class WriteErrorTests
{
    private const string Root = "Store.Tests.Serialization.Unwritable";

    public static TheoryData<string, string> Values => new()
    {
        { "Next.Next.Inner.Json", "undefined JsonElement" },
        { "All[2].Inner.Json", "undefined JsonElement" },
        { "All[1].Inner.Json", "undefined JsonElement" },
        { "ByName[\"b?\"].Value.Inner.Json", "undefined JsonElement" },
        { "ByColor[Green].Value.ByName[\"\"].Value.Inner.Json", "undefined JsonElement" },
        { "Counts", "comparer of their own" },
        { "Inner.Names[1].Name", "names of a NameValueCollection" },
        { "Next.Inner.Sorted", "is ordered by a" },
        { "Case", "no known case" },
        { "Next.Case.Inside.Inside", "no known case" },
        { "Kept", "no known case" },
        { "Spots[2].Y", "is refused" },
        { "Next.Inner.Odd.One", "is refused" },
    };

    [Theory]
    [MemberData(nameof(Values))]
    public void TheMemberThatHasNoEncodingIsNamed(string path, string problem)
    {
        Unwritable value = ValueOf(path);
        NinoLimits? none = null;
        Check(() => NinoSerializer.Serialize(value));
        Check(() => NinoSerializer.Serialize(value, none));
        Check(() => NinoSerializer.Serialize(new ArrayBufferWriter<byte>(), value));
        Check(() => NinoSerializer.Serialize(new TinySpanWriter(1, 9, 1), value));
        Check(() => NinoSerializer.Serialize(value, NinoHeader.Schema));
        Check(() => NinoSerializer.TrySerialize(value, new byte[10_000], out _));
        Check(() => NinoSerializer.Serialize(new MemoryStream(), value));
        Check(() => NinoSerializer.GetSize(value));
        Check(() => NinoSerializer.Clone(value));
        Check(() =>
        {
            var writer = new NinoWriter(new ArrayBufferWriter<byte>());
            writer.WriteBytes("in front"u8);
            NinoCodec<Unwritable>.Default.WriteRecord(ref writer, value);
        });
        Check(() => new ChangeFormat<string, Unwritable>("state").EncodePut(new ArrayBufferWriter<byte>(), "key", value));
        Check(() => SnapshotContent.Write(new ArrayBufferWriter<byte>(), NinoCodec<Unwritable>.Default, value, NinoLimits.Default));
        NinoSerializationException item = Assert.Throws<NinoSerializationException>(() => SnapshotContent.Write(new ArrayBufferWriter<byte>(), NinoCodec<Unwritable>.Default, value, NinoLimits.Default, item: 3));
        Assert.StartsWith($"Item 3: Record '{Root}', member {path}: ", item.Message, StringComparison.Ordinal);
        NinoSerializationException element = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize<Unwritable[]>([new(), value]));
        Assert.Equal($"[1].{path}", element.MemberPath);

        void Check(Action write)
        {
            NinoSerializationException error = Assert.Throws<NinoSerializationException>(write);
            Assert.Equal((Root, path), (error.TypeName, error.MemberPath));
            Assert.StartsWith($"Record '{Root}', member {path}: ", error.Message, StringComparison.Ordinal);
            Assert.Contains(problem, error.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task AnItemThatHasNoEncodingIsNamedByItsNumberToo()
    {
        NinoSerializationException error = await Assert.ThrowsAsync<NinoSerializationException>(async () => await NinoSerializer.SerializeItemsAsync(new MemoryStream(), Items()));
        Assert.Equal((Root, "Case"), (error.TypeName, error.MemberPath));
        Assert.StartsWith($"Item 1: Record '{Root}', member Case: ", error.Message, StringComparison.Ordinal);

        static async IAsyncEnumerable<Unwritable> Items()
        {
            yield return new Unwritable();
            await Task.Yield();
            yield return new Unwritable { Case = new UnwritableStranger() };
        }
    }

    [Fact]
    public void AnObjectThatIsTooDeepOrContainsItselfIsNamed()
    {
        var cycle = new Unwritable { Id = 1 };
        cycle.All = [null, cycle];
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(cycle, new NinoLimits { MaxDepth = 3 }));
        Assert.Equal("All[1].All[1].All[1]", error.MemberPath);
        Assert.Contains("it may contain itself", error.Message, StringComparison.Ordinal);

        error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(cycle));
        Assert.StartsWith("All[1].All[1].All[1].", error.MemberPath, StringComparison.Ordinal);
        Assert.EndsWith("... (96 deeper)", error.MemberPath, StringComparison.Ordinal);
    }

    [Fact]
    public void TheMemberWithWhichARecordGrowsTooLargeIsNamed()
    {
        var value = new Unwritable { All = [new() { Note = "short" }, new() { Note = new string('x', 5000) }] };
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(value, new NinoLimits { MaxRecordBytes = 3000 }));
        Assert.Equal("All[1].Note", error.MemberPath);

        // Found when everything is written; the last member is the one that is too much.
        byte[] bytes = NinoSerializer.Serialize(value);
        error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(value, new NinoLimits { MaxRecordBytes = bytes.Length - 1 }));
        Assert.Equal((Root, "Note"), (error.TypeName, error.MemberPath));
    }

    /// <summary>Memory for finding a place is bounded: a failure far behind is told without it.</summary>
    [Fact]
    public void AFailureBehind64MiBIsToldWithoutItsMember()
    {
        var value = new Unwritable { All = [new() { Note = new string('x', 70_000_000) }, new() { Case = new UnwritableStranger() }] };
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(value));
        Assert.Equal((Root, null), (error.TypeName, error.MemberPath));
    }

    [Fact]
    public void ANullKeyIsNamedByTheNumberOfItsPair()
    {
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Unwritable { Counts = new NullKeyed() }));
        Assert.Equal("Counts[1].Key", error.MemberPath);
    }

    [Fact]
    public void CallbacksRunNoMoreThanWithoutAFailureThatIsLocated()
    {
        (UnwritableCalled.Began, UnwritableCalled.Ended, UnwritableCalled.Asked) = (0, 0, 0);
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new UnwritableCalled()));
        Assert.Equal("Second", error.MemberPath);
        Assert.Equal((1, 0, 3), (UnwritableCalled.Began, UnwritableCalled.Ended, UnwritableCalled.Asked));

        // A struct of fixed width is stored without the writer that knows it.
        UnwritablePlain.Began = 0;
        error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new UnwritableBesidePlain { Plain = [new(), new()] }));
        Assert.Equal(("Second", 2), (error.MemberPath, UnwritablePlain.Began));
    }

    /// <summary>Flat values and pairs are stored ahead of the writer's cursor where there is room.</summary>
    [Fact]
    public void TheMemberIsNamedWhereTheRestWasStoredAhead()
    {
        Check("Text", new UnwritableAhead { Number = 1, Name = "a", Text = UnwritableAhead.Refused });
        Check<List<UnwritableAhead>>("[2].Text", [new() { Text = "a" }, new() { Text = "b" }, new() { Text = UnwritableAhead.Refused }]);
        Check("Names[2].Key", new UnwritableKeyed { Names = new() { [1] = "a", [2] = "b", [AllButOne.Refused] = "c", [4] = "d" } });
        Check("One", new UnwritableNumbers { Number = 1, One = AllButOne.Refused });
        Check("Other", new UnwritableNumbers { Number = 1, Other = AllButOne.Refused });
        Check("Y", new UnwritableSpot(1, AllButOne.Refused, 3));
        Check("[1].Other", new UnwritableNumbers[] { new(), new() { Other = AllButOne.Refused } });

        static void Check<T>(string path, T value)
        {
            var writer = new ArrayBufferWriter<byte>();
            foreach (Action write in (Action[])
            [
                () => NinoSerializer.Serialize(value), () => NinoSerializer.Serialize(writer, value), () => NinoSerializer.Serialize(new TinySpanWriter(1, 9, 1), value), () => NinoSerializer.Serialize(new MemoryStream(), value),
                () => NinoSerializer.Serialize(value, NinoHeader.Fingerprint), () => NinoSerializer.GetSize(value),
            ])
            {
                NinoSerializationException error = Assert.Throws<NinoSerializationException>(write);
                Assert.Equal((NinoCodec<T>.Default.Schema.Name, path), (error.TypeName, error.MemberPath));
            }

            Assert.Equal(0, writer.WrittenCount);
        }
    }

    /// <summary>A limit that is looked at only when a span is full is no failure of what was written before.</summary>
    [Fact]
    public void AFailureInWhatIsTooLargeAlreadyIsToldWithItsMember()
    {
        var value = new Unwritable { All = [new() { Note = new string('x', 300) }], Inner = new() { Json = default(JsonElement) } };
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(value, new NinoLimits { MaxRecordBytes = 100 }));
        Assert.Equal((Root, "Inner.Json"), (error.TypeName, error.MemberPath));
        Assert.Contains("undefined JsonElement", error.Message, StringComparison.Ordinal);
    }

    /// <summary>The member of this record is named, and the record inside of it with its own in the exception behind.</summary>
    [Fact]
    public void ARecordThatAGetterCannotWriteIsLookedIntoOnce()
    {
        UnwritableWriter.Asked = 0;
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new UnwritableWriter { Number = UnwritableWriter.Innermost + 3 }));
        Assert.Equal((typeof(UnwritableWriter).FullName, "Written"), (error.TypeName, error.MemberPath));
        NinoSerializationException inner = Assert.IsType<NinoSerializationException>(error.InnerException);
        Assert.Equal((typeof(UnwritableWriter).FullName, "Written"), (inner.TypeName, inner.MemberPath));
        Assert.Contains("undefined JsonElement", error.Message, StringComparison.Ordinal);

        // Looking into one of them asks those inside of it twice more, and they do not look into theirs again: that would be 81.
        Assert.Equal(24, UnwritableWriter.Asked);
    }

    private static Unwritable ValueOf(string path)
    {
        var undefined = new Unwritable { Inner = new() { Json = default(JsonElement) } };
        return path switch
        {
            "Next.Next.Inner.Json" => new() { Next = new() { Next = undefined, Note = "behind" } },
            "All[2].Inner.Json" => new() { All = [null, new(), undefined, new()] },
            "All[1].Inner.Json" => new() { All = [new(), undefined] },
            "ByName[\"b?\"].Value.Inner.Json" => new() { ByName = new() { ["a"] = new(), ["b\n"] = undefined } },
            "ByColor[Green].Value.ByName[\"\"].Value.Inner.Json" => new() { ByColor = new() { [UnwritableColor.Red] = new(), [UnwritableColor.Green] = new() { ByName = new() { [""] = undefined } } } },
            "Counts" => new() { Counts = new Twins() },
            "Inner.Names[1].Name" => new() { Inner = new() { Names = new(StringComparer.Ordinal) { { "a", "1" }, { "A", "2" } } } },
            "Next.Inner.Sorted" => new() { Next = new() { Inner = new() { Sorted = new(Comparer<string>.Create(static (a, b) => b.Length - a.Length)) } } },
            "Case" => new() { Case = new UnwritableStranger() },
            "Next.Case.Inside.Inside" => new() { Next = new() { Case = new UnwritableHolder { Name = "n", Inside = new UnwritableHolder { Inside = new UnwritableStranger() } } } },
            // The length of such a case is known when it is written: nothing of it is there before.
            "Kept" => new() { Kept = new UnwritableLate { Name = "late", Inside = new UnwritableStranger() } },
            "Spots[2].Y" => new() { Spots = [new(1, 2, 3), new(1, 4, 3), new(1, AllButOne.Refused, 3), new(1, 8, 3)] },
            "Next.Inner.Odd.One" => new() { Next = new() { Inner = new() { Odd = new(AllButOne.Refused, Guid.Empty) } } },
            _ => throw new ArgumentException(path),
        };
    }

    private class Pairs(params KeyValuePair<string, int>[] pairs) : IReadOnlyDictionary<string, int>
    {
        public int Count => pairs.Length;
        public IEnumerable<string> Keys => pairs.Select(static pair => pair.Key);
        public IEnumerable<int> Values => pairs.Select(static pair => pair.Value);
        public int this[string key] => throw new NotSupportedException();
        public bool ContainsKey(string key) => throw new NotSupportedException();
        public bool TryGetValue(string key, out int value) => throw new NotSupportedException();
        public IEnumerator<KeyValuePair<string, int>> GetEnumerator() => ((IEnumerable<KeyValuePair<string, int>>)pairs).GetEnumerator();
        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
    }

    private sealed class Twins() : Pairs(new("a", 1), new("a", 2));

    private sealed class NullKeyed() : Pairs(new("a", 1), new(null!, 2));
}
