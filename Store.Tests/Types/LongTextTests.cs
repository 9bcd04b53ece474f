using System.Buffers;
using System.Diagnostics;
using System.Drawing;
using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Store.Serialization;
using Store.Serialization.Codecs;
using Xunit.Abstractions;

namespace Store.Tests.Types;

/// <summary>Texts of a quarter of a million chars where a type is stored as its text, made to be expensive or to mean something else: the type takes them and is written as them again, or they are refused.</summary>
public sealed class LongTextTests(ITestOutputHelper output)
{
    private const int Chars = 1 << 18;

    // A hundred times what the slowest takes.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private static readonly (string Start, string Repeated, string End)[] Shapes =
    [
        ("", "a", ""), ("", "1", ""), ("-", "9", ""), ("0x", "F", ""), ("", "1.", "1"), ("1.", "-1.", "1"), ("", ":", ""), ("", "0:", "1"), ("fe80::1%", "1", ""), ("fe80::1%", "lo", ""), ("[::1]:", "0", "1"),
        ("http://h/", "../", ""), ("http://h/", "a/../", ""), ("http://h/", "%41", ""), ("http://h/", "%zz", ""), ("http://h/", "\u20AC", ""), ("http://h/", "%E2%82%AC", ""), ("http://", "a.", "b"), ("http://", "xn--a.", "b"), ("http://", "\u00E4", ".de"),
        ("http://", "a@", "h"), ("http://h/?", "&=", ""), ("http://[", ":", "]"), ("http://h:", "1", "/"), ("", "x:", ""), ("", "../", ""), ("file:///", "\\", ""), ("urn:", "a:", ""), ("mailto:", "a@", "b"), ("", " ", "http://h"), ("http://h/", "\uD800", ""),
        ("en-", "us-", "us"), ("", "en_", ""), ("", "aa-", "aa"), ("Europe/", "a/", "a"), ("x;0;X;Y;Z;", "[01:01:0001;12:31:9999;60;[0;00:00:00;3;5;0;];[0;00:00:00;10;5;0;];]", ";"), ("", ";", ""), ("x;", "\\;", ""), ("x;0;X;Y;Z;", "[", ";"),
        ("utf-8", " strict", ""), ("", "utf-8 ", ""), ("#", "F", ""), ("", "\uD800", ""), ("", "\uDC00\uD800", ""),
        ("[", "[", ""), ("[", "1,", "1]"), ("{\"a\":1", ",\"a\":1", "}"), ("{\"a\":\"", "\\u0061", "\"}"), ("\"", "\uD800", "\""), ("\"", "\\uD800", "\""), ("", "{\"a\":", "1"), ("1", "0", ""), ("1e", "9", ""), ("0.", "0", "1"), ("[1", " ", "]"), ("[", "{},", "{}]"),
    ];

    [Fact]
    public void EachIsTakenAsItIsOrRefusedInALittleTime()
    {
        Try<StringBuilder, TextCodec<StringBuilder, StringBuilderText>>();
        Try<Uri, TextCodec<Uri, UriText>>();
        Try<Version, TextCodec<Version, VersionText>>();
        Try<CultureInfo, TextCodec<CultureInfo, CultureText>>();
        Try<CompareInfo, TextCodec<CompareInfo, CompareText>>();
        Try<TimeZoneInfo, TextCodec<TimeZoneInfo, TimeZoneText>>();
        Try<Encoding, TextCodec<Encoding, EncodingText>>();
        Try<StringComparer, TextCodec<StringComparer, ComparerText>>();
        Try<IPAddress, TextCodec<IPAddress, IPAddressText>>();
        Try<IPEndPoint, TextCodec<IPEndPoint, IPEndPointText>>();
        Try<Color, TextCodec<Color, ColorText>>();
        Try<JsonElement, TextCodec<JsonElement, JsonElementText>>();
        Try<JsonDocument, TextCodec<JsonDocument, JsonDocumentText>>();
        Try<JsonNode, TextCodec<JsonNode, JsonNodeText<JsonNode>>>();
        Try<JsonObject, TextCodec<JsonObject, JsonNodeText<JsonObject>>>();
    }

    private void Try<T, TCodec>() where TCodec : struct, INinoCodec<T>
    {
        (TimeSpan Time, string Shape) slowest = default;
        int taken = 0;
        long most = 0;
        foreach ((string start, string repeated, string end) in Shapes)
        {
            foreach (int chars in (int[])[1, 40, 70_000, Chars])
            {
                string text = start + string.Concat(Enumerable.Repeat(repeated, Math.Max(1, chars / repeated.Length))) + end;
                byte[] record = NinoSerializer.Serialize(text);
                string shape = $"'{start}' '{repeated}' '{end}' of {chars}";
                long before = GC.GetAllocatedBytesForCurrentThread();
                var clock = Stopwatch.StartNew();
                try
                {
                    var reader = new NinoReader(record);
                    T value = default(TCodec).Read(ref reader);
                    Assert.Equal(0, reader.Remaining);
                    taken++;
                    var written = new ArrayBufferWriter<byte>();
                    var writer = new NinoWriter(written);
                    default(TCodec).Write(ref writer, in value);
                    writer.Flush();
                    Assert.True(record.AsSpan().SequenceEqual(written.WrittenSpan), $"'{typeof(T)}' takes {shape} and writes something else");
                }
                catch (NinoSerializationException error)
                {
                    Assert.True(error.Message.Length < 2000, shape);
                }
                catch (Exception error) when (error is not Xunit.Sdk.XunitException)
                {
                    Assert.Fail($"'{typeof(T)}' of {shape}: {error}");
                }

                most = Math.Max(most, GC.GetAllocatedBytesForCurrentThread() - before);
                if (clock.Elapsed > slowest.Time) slowest = (clock.Elapsed, shape);
            }
        }

        output.WriteLine($"{typeof(T)}: {taken} texts are taken; the slowest took {slowest.Time.TotalMilliseconds:F0} ms ({slowest.Shape}); at most {most >> 20} MiB were allocated");
        Assert.True(slowest.Time < Patience, $"'{typeof(T)}' took {slowest.Time} for {slowest.Shape}");
        Assert.True(most < 500L * 2 * Chars, $"'{typeof(T)}' allocated {most}");
    }
}
