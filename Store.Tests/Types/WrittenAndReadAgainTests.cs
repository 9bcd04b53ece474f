using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Store.Serialization;

namespace Store.Tests.Types;

#nullable disable // codecs do not distinguish string from string?

/// <summary>What is written can be read, as what it was; what could not is refused when it is written.</summary>
public sealed class WrittenAndReadAgainTests
{
    [Fact]
    public void ANameThatWasSetToNullIsReadAsThat()
    {
        var names = new NameValueCollection { { "a", "1" }, { "b", null } };
        names["c"] = null;
        names["d"] = null;
        names.Add("d", "2");
        NameValueCollection read = NinoSerializer.Deserialize<NameValueCollection>(NinoSerializer.Serialize(names));
        Assert.Equal(["a", "b", "c", "d"], read.AllKeys);
        Assert.All(read.AllKeys, name => Assert.Equal(names.GetValues(name), read.GetValues(name)));
        Assert.Equal([null, "2"], read.GetValues("d"));
    }

    [Fact]
    public void AJsonValueThatIsNoneWhenItIsReadIsRefused()
    {
        JsonValue ofAnObject = JsonValue.Create(new KeyValuePair<string, int>("a", 1));
        Assert.Contains("JsonValue", Refused(ofAnObject).Message, StringComparison.Ordinal);

        // As a node it is an object.
        Assert.Equal("{\"Key\":\"a\",\"Value\":1}", NinoSerializer.Deserialize<JsonNode>(NinoSerializer.Serialize<JsonNode>(ofAnObject)).ToJsonString());
        Assert.Equal("7", NinoSerializer.Deserialize<JsonValue>(NinoSerializer.Serialize(JsonValue.Create(7))).ToJsonString());
    }

    /// <summary>Converters write raw what a node escapes: the plus sign.</summary>
    [Fact]
    public void AJsonValueOfATimeOrOfBytesIsKept()
    {
        var time = new DateTimeOffset(2026, 11, 24, 3, 0, 0, TimeSpan.FromHours(2));
        byte[] bytes = [0xFB, 0xEF, 0xBE];
        var written = new JsonObject { ["At"] = JsonValue.Create(time), ["Bytes"] = JsonValue.Create(bytes), ["List"] = new JsonArray(time, "a+b", new Version(1, 2) is var version ? JsonValue.Create(version) : null) };
        byte[] record = NinoSerializer.Serialize(written);
        JsonObject read = NinoSerializer.Deserialize<JsonObject>(record);
        Assert.Equal(time, read["At"].GetValue<DateTimeOffset>());
        Assert.Equal(bytes, read["Bytes"].Deserialize<byte[]>());
        Assert.Equal("a+b", read["List"][1].GetValue<string>());
        Assert.Equal("1.2", read["List"][2].GetValue<string>());
        Assert.Equal(record, NinoSerializer.Serialize(read));
    }

    [Fact]
    public void AJsonTextThatNobodyCouldWriteIsRefused()
    {
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<JsonNode>(NinoSerializer.Serialize("\"\\uD800\"")));
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<JsonNode>(NinoSerializer.Serialize("\"a+b\"")));
    }

    [Fact]
    public void WhatTheJsonWriterCannotWriteIsTheOneException()
    {
        JsonNode deep = new JsonArray();
        for (int i = 0; i < 1100; i++) deep = new JsonArray(deep);
        Refused(deep);
        Assert.Contains("infinity", Refused<JsonNode>(new JsonObject { ["A"] = double.NaN }).Message, StringComparison.Ordinal);
        Assert.Contains("infinity", Refused(JsonValue.Create(float.PositiveInfinity)).Message, StringComparison.Ordinal);
        using JsonDocument commented = JsonDocument.Parse("[1,]", new JsonDocumentOptions { AllowTrailingCommas = true });
        Assert.Contains("trailing commas", Refused(commented.RootElement).Message, StringComparison.Ordinal);
    }

    /// <summary>Each reason alone, and several together.</summary>
    [Fact]
    public void WhatReadingRefusesOfAJsonValueIsSaidAndNothingElse()
    {
        var any = new JsonDocumentOptions { MaxDepth = 200, AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip };
        string deep = new string('[', 65) + "1" + new string(']', 65);
        Dictionary<string, string> elements = new()
        {
            [deep] = "nests deeper than 64 levels",
            ["[1 /* one */]"] = "has comments",
            ["[1,]"] = "has trailing commas",
            ["[1, /* none */]"] = "has comments and has trailing commas",
            [deep.Replace("1", "1,", StringComparison.Ordinal)] = "nests deeper than 64 levels and has trailing commas",
        };
        foreach ((string text, string reason) in elements)
        {
            using JsonDocument document = JsonDocument.Parse(text, any);
            AssertSaid(reason, Refused(document.RootElement));
            AssertSaid(reason, Refused(document));
        }

        const string TwoOfOneName = "has an object with two members of one name";
        AssertSaid("nests deeper than 64 levels", Refused(JsonNode.Parse(deep, documentOptions: any)));
        AssertSaid(TwoOfOneName, Refused(JsonNode.Parse("{\"a\":1,\"a\":2}")));
        AssertSaid($"nests deeper than 64 levels and {TwoOfOneName}", Refused(JsonNode.Parse(deep.Replace("1", "{\"a\":1,\"a\":2}", StringComparison.Ordinal), documentOptions: any)));

        string other = Refused(JsonValue.Create(new KeyValuePair<string, int>("a", 1))).Message;
        Assert.Contains("is a node of another kind when it is read", other, StringComparison.Ordinal);
        Assert.DoesNotContain("Key", other, StringComparison.Ordinal);

        static void AssertSaid(string reason, NinoSerializationException error) => Assert.Contains($"A JSON value {reason}, which reading refuses.", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AnEncodingThatTheRuntimeNoLongerGivesIsRefused()
    {
#pragma warning disable SYSLIB0001 // what a program may still hold
        Refused(Encoding.UTF7);
#pragma warning restore SYSLIB0001
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    public void ASetFromWhichAnElementRemovesOthersIsNotWrittenShorter(int elements)
    {
        Vanishing[] all = [.. Enumerable.Range(0, elements).Select(static n => new Vanishing { N = n })];
        HashSet<Vanishing> set = [.. all];
        all[0].Removes = () => set.RemoveWhere(other => other != all[0]);
        var holder = new HoldsVanishing { Set = set };
        if (elements == 1) Assert.Single(NinoSerializer.Deserialize<HoldsVanishing>(NinoSerializer.Serialize(holder)).Set);
        else Assert.Throws<InvalidOperationException>(() => NinoSerializer.Serialize(holder));
    }

    /// <summary>Arrays are borrowed from a pool, where others' elements lie.</summary>
    [Fact]
    public void ACollectionThatCopiesFewerThanItCountsShowsNothingOfOthers()
    {
        for (int i = 0; i < 4; i++) System.Buffers.ArrayPool<int>.Shared.Return([.. Enumerable.Repeat(77, 16)]);
        var lying = new ReadOnlyCollection<int>(new CopiesLess());
        Assert.DoesNotContain(77, NinoSerializer.Deserialize<HoldsView>(NinoSerializer.Serialize(new HoldsView { View = lying })).View);
    }

    private static NinoSerializationException Refused<T>(T value) => Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(value));

    private sealed class CopiesLess : IList<int>
    {
        public int Count => 12;

        public bool IsReadOnly => true;

        public int this[int index] { get => index; set => throw new NotSupportedException(); }

        public void CopyTo(int[] array, int arrayIndex) => array[arrayIndex] = 1;

        public IEnumerator<int> GetEnumerator() => Enumerable.Range(0, Count).GetEnumerator();

        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();

        public void Add(int item) => throw new NotSupportedException();

        public void Clear() => throw new NotSupportedException();

        public bool Contains(int item) => item < Count;

        public int IndexOf(int item) => item;

        public void Insert(int index, int item) => throw new NotSupportedException();

        public bool Remove(int item) => throw new NotSupportedException();

        public void RemoveAt(int index) => throw new NotSupportedException();
    }
}

[NinoType]
public sealed class Vanishing
{
    [NinoIgnore]
    public Action Removes { get; set; }

    public int N { get; set; }

    [NinoOnSerializing]
    public void BeforeWriting() => Removes?.Invoke();
}

[NinoType]
public sealed class HoldsVanishing
{
    public HashSet<Vanishing> Set { get; set; }
}

[NinoType]
public sealed class HoldsView
{
    public ReadOnlyCollection<int> View { get; set; }
}
