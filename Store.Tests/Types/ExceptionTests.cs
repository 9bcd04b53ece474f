using System.Buffers;
using System.Collections;
using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Tests.Generator;
using Store.Tests.Generator.RoundTrips;
using Store.Tests.Log;

namespace Store.Tests.Types;

/// <summary>Exceptions are stored by what they tell. The ones here are thrown, as those that programs store are.</summary>
public sealed partial class ExceptionTests
{
    public static TheoryData<string> Known() => new(KnownExceptions.Names.Order(StringComparer.Ordinal));

    [Theory]
    [MemberData(nameof(Known))]
    public void OneOfTheFrameworkIsReadAsWhatItWas(string name)
    {
        Type type = typeof(object).Assembly.GetType(name, throwOnError: true)!;
        foreach (Exception? cause in (Exception?[])[null, Thrown(new OwnException("why"))])
        {
            if (cause is null && type == typeof(AggregateException)) continue;
            Exception thrown = Thrown((Exception)type.GetConstructor([typeof(string), typeof(Exception)])!.Invoke(["what: \u20AC \uD800", cause]));
            thrown.HelpLink = "https://example.org";
            thrown.HResult = -7;
            Exception copy = RoundTrip.Of(thrown);
            Assert.IsType(type, copy);
            AssertTellsTheSame(thrown, copy);
            Assert.Equal(cause?.ToString(), copy.InnerException?.ToString());
        }
    }

    [Theory]
    [MemberData(nameof(Known))]
    public void OneThatWasMadeWithoutWordsTellsWhatItsTypeSays(string name)
    {
        Type type = typeof(object).Assembly.GetType(name, throwOnError: true)!;
        var thrown = (Exception)(type.GetConstructor([])?.Invoke(null) ?? type.GetConstructor([typeof(string), typeof(Exception)])!.Invoke([null, null]));
        Exception copy = RoundTrip.Of(thrown);
        Assert.Equal((thrown.GetType(), thrown.Message, null, null, null), (copy.GetType(), copy.Message, copy.StackTrace, copy.Source, copy.HelpLink));
    }

    [Fact]
    public void WhatAnExceptionIsAboutIsKept()
    {
        Assert.Equal("count", Kept(new ArgumentException("odd", "count")).ParamName);
        Assert.Equal("count", Kept(new ArgumentException("odd (Parameter 'count')", "count", new OwnException("why"))).ParamName);
        Assert.Equal("", Kept(new ArgumentException("odd", "")).ParamName);
        Assert.Equal("count", Kept(new ArgumentNullException("count")).ParamName);
        Assert.Equal("File", Kept(new ObjectDisposedException("File")).ObjectName);
        Assert.Equal("", Kept(new ObjectDisposedException(null, "gone")).ObjectName);
        Assert.Equal("a.txt", Kept(new FileNotFoundException("not there", "a.txt")).FileName);

        static T Kept<T>(T exception) where T : Exception
        {
            Exception thrown = Thrown(exception), copy = RoundTrip.Of<Exception>(thrown);
            AssertTellsTheSame(thrown, copy);
            return Assert.IsType<T>(copy);
        }
    }

    [Fact]
    public void AllCausesOfAnAggregateAreKept()
    {
        Exception thrown = Thrown(new AggregateException("several", Thrown(new TimeoutException("late")), new AggregateException(new OwnException("own"), new AggregateException())));
        var copy = Assert.IsType<AggregateException>(RoundTrip.Of(thrown));
        AssertTellsTheSame(thrown, copy);
        Assert.Equal(["late", "own"], copy.Flatten().InnerExceptions.Select(static inner => inner.Message));
        Assert.Empty(Assert.IsType<AggregateException>(((AggregateException)copy.InnerExceptions[1]).InnerExceptions[1]).InnerExceptions);

        Exception own = Thrown(new OwnAggregateException("own", [new TimeoutException("a"), new OwnException("b")]));
        var stored = Assert.IsType<NinoStoredException>(RoundTrip.Of(own));
        Assert.Equal(typeof(OwnAggregateException).FullName, stored.TypeName);
        Assert.Equal(["a", "b"], stored.InnerExceptions.Select(static inner => inner.Message));
        Assert.Same(stored.InnerExceptions[0], stored.InnerException);
    }

    [Fact]
    public void OneOfAProgramsOwnIsReadAsWhatItTold()
    {
        Exception thrown = Thrown(new OwnException("own", Thrown(new InvalidOperationException("why"))) { Number = 7 });
        var copy = Assert.IsType<NinoStoredException>(RoundTrip.Of(thrown));
        AssertTellsTheSame(thrown, copy);
        Assert.Equal("Store.Tests.Types.OwnException", copy.TypeName);
        Assert.IsType<InvalidOperationException>(Assert.Single(copy.InnerExceptions));
        Assert.Equal("Store.Tests.Types.OwnException: short", RoundTrip.Of<Exception>(new OwnException("short")).ToString());
        Assert.Equal("Store.Tests.Types.ExceptionTests+Generic`1[System.Int32]", Assert.IsType<NinoStoredException>(RoundTrip.Of<Exception>(new Generic<int>())).TypeName);
        Assert.Empty(Assert.IsType<NinoStoredException>(RoundTrip.Of<Exception>(new OwnException("alone"))).InnerExceptions);
    }

    /// <summary>A value whose kind a text cannot tell: the type is not one that reading makes.</summary>
    [Fact]
    public void OneThatHoldsMoreThanIsStoredIsReadAsWhatItTold()
    {
        Exception thrown = Thrown(new ArgumentOutOfRangeException("count", 7, "too many"));
        var copy = Assert.IsType<NinoStoredException>(RoundTrip.Of(thrown));
        AssertTellsTheSame(thrown, copy);
        Assert.Equal(("System.ArgumentOutOfRangeException", "count"), (copy.TypeName, copy.Argument));
        Assert.Equal("a.dll", Assert.IsType<NinoStoredException>(RoundTrip.Of<Exception>(new BadImageFormatException("no", "a.dll"))).Argument);
    }

    /// <summary>What was read is thrown here, stored again and read again: each process adds the place where it happened, and nothing else grows.</summary>
    [Fact]
    public void OneThatWasReadCanBeThrownAndStoredAgain()
    {
        Exception never = NinoSerializer.Clone<Exception>(new OwnException("own"));
        Assert.Null(never.StackTrace);
        Assert.StartsWith("   at ", Thrown(never).StackTrace!, StringComparison.Ordinal);
        foreach (Exception first in (Exception[])[Thrown(new TimeoutException("late")), Thrown(new OwnException("own"))])
        {
            byte[] bytes = NinoSerializer.Serialize(first);
            Exception second = NinoSerializer.Deserialize<Exception>(bytes);
            for (int i = 0; i < 3; i++) Assert.Equal(bytes, NinoSerializer.Serialize(NinoSerializer.Clone(second)));
            Exception again = Thrown(second);
            Assert.Same(second, again);
            Exception third = RoundTrip.Of(again);
            AssertTellsTheSame(again, third);
            Assert.Equal(2, Regex.Count(third.StackTrace!, nameof(Thrown)));
            Assert.StartsWith(first.StackTrace!, third.StackTrace!, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void DataAreKeptAsTexts()
    {
        var thrown = new TimeoutException("late") { Data = { ["order"] = "A-1", [7] = 1.5, ["absent"] = null, ["when"] = new DateOnly(2026, 11, 28), ["which"] = DayOfWeek.Monday } };
        Exception copy = RoundTrip.Of<Exception>(thrown);
        Assert.Equal([new("order", "A-1"), new("7", "1.5"), new("absent", null), new("when", "11/28/2026"), new("which", "Monday")], copy.Data.Cast<DictionaryEntry>().Select(static entry => KeyValuePair.Create((string)entry.Key, (string?)entry.Value)));
        Assert.Equal(2, RoundTrip.Of<Exception>(new OwnException("own") { Data = { ["a"] = "b", ["c"] = "" } }).Data.Count);
        Exception error = Assert.Throws<NinoSerializationException>(static () => NinoSerializer.Serialize<Exception>(new TimeoutException("late") { Data = { ["7"] = 1, [7] = 2 } }));
        Assert.Contains("two keys whose text is '7'", error.Message, StringComparison.Ordinal);
        Assert.Equal("7", RoundTrip.Of<Exception>(new TimeoutException("late") { Data = { [new Nameless()] = 7 } }).Data[""]);
        Assert.Empty(RoundTrip.Of<Exception>(new ForgetfulException()).Data);
    }

    [Theory]
    [InlineData("System.Diagnostics.Process")]
    [InlineData("System.Security.Principal.IdentityNotMappedException, System.Private.CoreLib")]
    [InlineData("Store.Tests.Types.OwnException")]
    [InlineData("Store.Serialization.NinoStoredException")]
    [InlineData("system.timeoutexception")]
    [InlineData("")]
    [InlineData("\0\uD800")]
    public void NoTypeIsMadeByANameOfTheBytes(string name)
    {
        OwnException.Made = 0;
        Exception read = NinoSerializer.Deserialize<Exception>(Bytes(name, "x"));
        Assert.Equal((name, "x", 0), (Assert.IsType<NinoStoredException>(read).TypeName, read.Message, OwnException.Made));
        Assert.Equal(Bytes(name, "x"), NinoSerializer.Serialize(read));
    }

    /// <summary>A message that the type's constructor would change, an argument or a cause that a type cannot have: told as it is stored, by the type that can.</summary>
    [Fact]
    public void WhatATypeCannotTellIsToldAllTheSame()
    {
        AssertStored(Bytes("System.ArgumentException", "without its parameter", argument: "count"));
        AssertStored(Bytes("System.ArgumentNullException", "x (Parameter 'count')", argument: "count", causes: 1));
        AssertStored(Bytes("System.TimeoutException", "x", argument: "count"));
        AssertStored(Bytes("System.TimeoutException", "x", causes: 2));
        AssertStored(Bytes("System.AggregateException", "x", causes: 2));
        AssertStored(Bytes("System.ObjectDisposedException", "x", argument: ""));
        AssertIs<TimeoutException>(Bytes("System.TimeoutException", "x", trace: ""));
        AssertIs<TimeoutException>(Bytes("System.TimeoutException", "x", trace: "at A()" + ExceptionParts.EndOfTrace));
        AssertIs<AggregateException>(Bytes("System.AggregateException", "x (why) (why)", causes: 2));

        static void AssertStored(byte[] bytes) => AssertIs<NinoStoredException>(bytes);

        static void AssertIs<T>(byte[] bytes)
        {
            Assert.IsType<T>(NinoSerializer.Deserialize<Exception>(bytes));
            Assert.Equal(bytes, NinoSerializer.Serialize(NinoSerializer.Deserialize<Exception>(bytes)));
        }
    }

    [Theory]
    [InlineData("00000000 00 0378 00 00 00 00 00 00", "The Type of an exception is null")]
    [InlineData("00000000 0378 00 00 00 00 00 00 00", "The Message of an exception is null")]
    [InlineData("00000000 0378 0378 00 00 00 00 01 00", "null or an empty list")]
    [InlineData("00000000 0378 0378 00 00 00 00 04 00 00", "null or an empty list")]
    [InlineData("00000000 0378 0378 00 00 00 00 00 01", "is an empty list")]
    [InlineData("00000000 0378 0378 00 00 00 00 00 02 00 0378", "a name that is null")]
    [InlineData("00000000 0378 0378 00 00 00 00 00 03 0378 00 0378 00", "two entries of one name")]
    [InlineData("00000000 0378 0378 00 00 00 00 FEFFFFFF7F", "does not fit")]
    [InlineData("00000000 0378 0378 00 00 00 00 00 FEFFFFFF7F", "does not fit")]
    public void BytesThatAreNoneAreRefused(string hex, string message)
    {
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Exception>(Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal))));
        Assert.Contains(message, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void CausesOfCausesHaveALimit()
    {
        Exception deep = new OwnException("0");
        for (int i = 1; i < 2000; i++) deep = new OwnException("x", deep);
        Assert.Contains("MaxDepth", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(deep)).Message, StringComparison.Ordinal);
        byte[] one = Bytes("x", "y", causes: 1), begin = one[..(Bytes("x", "y").Length - 1)];
        byte[] bomb = [.. Enumerable.Repeat(begin, 100_000).SelectMany(static level => level)];
        Assert.Contains("MaxDepth", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Exception>(bomb)).Message, StringComparison.Ordinal);
    }

    /// <summary>Each makes its message of those of all that it holds, whenever it is asked.</summary>
    [Fact]
    public void AggregatesThatNestDeeplyAreReadAsWhatTheyTold()
    {
        Exception deep = new OwnException("0");
        for (int i = 1; i <= 30; i++) deep = new AggregateException("x", deep);
        int aggregates = 0;
        Exception copy = RoundTrip.Of(deep);
        for (Exception? level = copy; level is not null; level = level.InnerException)
        {
            Assert.Equal(deep.Message, level.Message);
            if (level is AggregateException) aggregates++;
            else Assert.IsType<NinoStoredException>(level);
            deep = deep.InnerException!;
        }

        Assert.InRange(aggregates, 9, 29);
    }

    /// <summary>The dictionary of an exception is a list, in which every name is compared with all before it.</summary>
    [Fact]
    public void ManyDataAreRefusedBeforeTheyCostTime()
    {
        var many = new TimeoutException("late");
        string[] names = [.. Enumerable.Range(0, 200_000).Select(static i => i.ToString("D6", CultureInfo.InvariantCulture))];
        byte[] bytes = [.. NinoSerializer.Serialize<Exception>(many)[..^1], .. Pairs(names)];
        Assert.Contains("MaxKeyComparisons", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Exception>(bytes)).Message, StringComparison.Ordinal);
        Assert.Equal(1000, NinoSerializer.Deserialize<Exception>([.. NinoSerializer.Serialize<Exception>(many)[..^1], .. Pairs(names[..1000])]).Data.Count);

        static byte[] Pairs(string[] names)
        {
            var output = new ArrayBufferWriter<byte>();
            var writer = new NinoWriter(output);
            writer.WriteCompact((uint)names.Length + 1);
            foreach (string name in names)
            {
                default(StringCodec).Write(ref writer, name);
                default(StringCodec).Write(ref writer, null!);
            }

            writer.Flush();
            return output.WrittenSpan.ToArray();
        }
    }

    [Fact]
    public void AnExceptionWhoseMembersThrowIsToldAndNothingIsWritten()
    {
        var output = new ArrayBufferWriter<byte>();
        Exception error = Assert.ThrowsAny<Exception>(() => NinoSerializer.Serialize(output, new Failed(1, new ThrowingException(), [])));
        Assert.Contains("no message today", error.ToString(), StringComparison.Ordinal);
        Assert.Equal(0, output.WrittenCount);
        RoundTrip.Of(new Failed(1, new OwnException("x"), []));
    }

    [Fact]
    public void ExceptionsAreRecordsOfALogThatToolsShow()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder.Path);
        store.Append(new Failed(7, Thrown(new TimeoutException("late", new OwnException("why"))), [new OwnException("a"), null]));
        store.Append<Exception>(new OwnException("alone"));
        Failed read = Assert.Single(store.Read<Failed>()).Value;
        Assert.Equal((7, "late", "why", 2), (read.Id, Assert.IsType<TimeoutException>(read.Error).Message, read.Error.InnerException!.Message, read.All.Count));
        Assert.Equal("alone", Assert.Single(store.Read<Exception>()).Value.Message);
        var json = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(json)) NinoJson.Write(writer, NinoSerializer.SchemaOf<Failed>(), NinoSerializer.Serialize(read));
        Assert.Contains("\"Type\":\"System.TimeoutException\",\"Message\":\"late\",\"StackTrace\":\"   at Store.Tests", Encoding.UTF8.GetString(json.WrittenSpan), StringComparison.Ordinal);
    }

    [Fact]
    public void OneOfAnyTypeStandsWhereObjectIsDeclared() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Exception))]
        [NinoType] public class Bag { public object? One { get; set; } }
        public class OddException : InvalidOperationException;
        """, """
        Equal("odd", ((NinoStoredException)Copy(new Bag { One = new OddException { Source = "odd" } }).One!).Source!);
        Equal("late", ((TimeoutException)Copy(new Bag { One = new TimeoutException("late") }).One!).Message);
        Equal("OddException", ((NinoStoredException)Copy(new Bag { One = Copy(new Bag { One = new OddException() }).One }).One!).TypeName);
        Equal("OddException", ((NinoStoredException)NinoSerializer.Deserialize<Exception>(NinoSerializer.Serialize((object)new OddException()))).TypeName);
        Equal("odd", NinoSerializer.Deserialize<Exception>(NinoSerializer.Serialize((object)new System.Net.Sockets.SocketException(1, "odd"))).Message);
        """);

    [Fact]
    public void ThePageNamesTheTypesThatAreMade()
    {
        string page = Repository.Read("docs/types.md");
        int start = page.IndexOf("### Exceptions", StringComparison.Ordinal);
        string list = Made().Match(page, start).Groups[1].Value;
        Assert.Equal(KnownExceptions.Names.Select(static name => name[(name.LastIndexOf('.') + 1)..]).Order(StringComparer.Ordinal), Code().Matches(list).Select(static match => match.Groups[1].Value).Order(StringComparer.Ordinal));
    }

    private static void AssertTellsTheSame(Exception thrown, Exception copy)
    {
        Assert.Equal((thrown.Message, thrown.HResult, thrown.Source, thrown.HelpLink), (copy.Message, copy.HResult, copy.Source, copy.HelpLink));
        Assert.Equal(thrown.StackTrace, WithoutEnd(copy.StackTrace));
        Assert.Equal(WithoutEnds(thrown), WithoutEnds(copy));

        static string WithoutEnds(Exception exception) => exception.ToString().Replace(ExceptionParts.EndOfTrace, "", StringComparison.Ordinal).ReplaceLineEndings();
    }

    private static string? WithoutEnd(string? trace) => trace?.EndsWith(ExceptionParts.EndOfTrace, StringComparison.Ordinal) == true ? trace[..^ExceptionParts.EndOfTrace.Length] : trace;

    private static Exception Thrown(Exception exception)
    {
        try
        {
            throw exception;
        }
        catch (Exception e) when (e == exception)
        {
            return e;
        }
    }

    private static byte[] Bytes(string type, string message, string? trace = null, string? argument = null, int causes = 0)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new NinoWriter(output);
        Write(ref writer, type, message, trace, argument, causes);
        writer.Flush();
        return output.WrittenSpan.ToArray();

        static void Write(ref NinoWriter writer, string type, string message, string? trace, string? argument, int causes)
        {
            default(Int32Codec).Write(ref writer, 0);
            foreach (string? text in (string?[])[type, message, trace, null, null, argument]) default(StringCodec).Write(ref writer, text!);
            writer.WriteCompact(causes == 0 ? 0 : ((uint)causes * 2 + 1));
            for (int i = 0; i < causes; i++) Write(ref writer, "System.TimeoutException", "why", null, null, 0);
            writer.WriteCompact(0);
        }
    }

    [GeneratedRegex(@"read as the type it was[^:]*:\s(.*?)\.\s", RegexOptions.Singleline)]
    private static partial Regex Made();

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Code();

    private sealed class Generic<T> : Exception;

    private sealed class Nameless
    {
        public override string? ToString() => null;
    }

    // What others change meanwhile.
    private sealed class ForgetfulException : Exception
    {
        public override IDictionary Data => new Forgetful();

        private sealed class Forgetful : Hashtable
        {
            public override int Count => 1;
        }
    }

    private sealed class ThrowingException : Exception
    {
        public override string Message => throw new NotSupportedException("no message today");
    }
}

/// <summary>Holds more than exceptions do.</summary>
public sealed class OwnException : Exception
{
    public OwnException(string message, Exception? inner = null) : base(message, inner) => Made++;

    public static int Made { get; set; }

    public int Number { get; set; }
}

public sealed class OwnAggregateException(string message, IEnumerable<Exception> inner) : AggregateException(message, inner);

[NinoType]
public sealed record Failed(int Id, Exception? Error, List<Exception?> All);
