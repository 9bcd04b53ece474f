using System.Text;
using System.Text.Json;
using Store.Inspect.Commands;
using Store.Inspect.Rendering;
using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Reading;
using Store.Tests.Values;

namespace Store.Tests.Inspect;

public class RecordLinesTests
{
    /// <summary>The line of a value that is too long for one says so, and the others are there.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void AValueThatIsTooLongForALineIsToldInItsPlace(bool asJson)
    {
        using var output = new MemoryStream();
        using (var lines = new RecordLines(output, asJson, maxValueBytes: 200))
        {
            NinoSchema schema = NinoSchema.Create(Shapes.Class("Text", ("Text", Shapes.Of(SchemaKind.String))));
            foreach (int length in new[] { 1, 150, 400, 2 })
            {
                var record = new LogRecord(length, DateTimeOffset.UnixEpoch, schema, new RecordBytes().Text(new string('x', length)).ToArray());
                lines.Write(new SelectedRecord(record));
                Assert.Equal(length == 400, lines.Problem is not null);
            }

            lines.Flush();
        }

        string[] written = Encoding.UTF8.GetString(output.ToArray()).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(4, written.Length);
        Assert.Contains("longer than 200 bytes in JSON", written[2], StringComparison.Ordinal);
        Assert.EndsWith("{\"Text\":\"xx\"}" + (asJson ? "}" : ""), written[3], StringComparison.Ordinal);
    }

    /// <summary>As many bytes as an array has are what a snapshot's value may have: no limit is to be raised by who only looks. Of these bytes, which are never touched, all but the first four are no part of the number.</summary>
    [Fact]
    public void AValueOfMoreThanAGibibyteIsDecodedLikeAnyOther()
    {
        using var bytes = new UntouchedBytes((1 << 30) + 1);
        var record = new SelectedRecord(new LogRecord(1, DateTimeOffset.UnixEpoch, NinoCodec<int>.Default.Schema, bytes.Memory));
        using var lines = new RecordLines(Stream.Null, asJson: true);
        lines.Write(record);
        using var text = new StringWriter();
        string?[] problems = [lines.Problem, new RecordTable(new Screen(text, color: false, isTerminal: false, int.MaxValue)).Add(record)];
        foreach (string? problem in problems)
        {
            Assert.DoesNotContain("MaxRecordBytes", problem!, StringComparison.Ordinal);
            Assert.DoesNotContain("limit", problem!, StringComparison.Ordinal);
        }
    }

    /// <summary>In JSON too a text could look like another one, and an escape is the same text to whoever reads it.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void MarksThatTurnTheDirectionOfTextAreEscapesInJson(bool asJson)
    {
        const string Marks = "\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069";
        string[] texts = [.. Marks.Select(static mark => $"{mark}exe.log"), $"\u062E\u2014\u2028\u201C{Marks}<>&'\"\U0001F600\u0001", new string('\u4E2D', 3000) + "\u202E"];
        NinoSchema schema = NinoSchema.Create(Shapes.Class("Te\u202Ext", ("Te\u2066xt", Shapes.Of(SchemaKind.String)), ("Utf8", Shapes.Of(SchemaKind.Utf8String)), ("Map", SchemaNode.Map(Shapes.Of(SchemaKind.String), Shapes.Of(SchemaKind.Byte)))));
        using var output = new MemoryStream();
        using (var lines = new RecordLines(output, asJson))
        {
            foreach (string text in texts)
            {
                byte[] utf8 = Encoding.UTF8.GetBytes(text);
                var record = new RecordBytes().Text(text).Compact(((uint)utf8.Length << 1) + 1).Raw(utf8).Count(1).Text(text).Raw(7);
                lines.Write(new SelectedRecord(new LogRecord(1, DateTimeOffset.UnixEpoch, schema, record.ToArray())));
                Assert.Null(lines.Problem);
            }

            lines.Flush();
        }

        string[] written = Encoding.UTF8.GetString(output.ToArray()).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(texts.Length, written.Length);
        for (int i = 0; i < texts.Length; i++)
        {
            string json = asJson ? written[i] : written[i][written[i].IndexOf('{', StringComparison.Ordinal)..];
            Assert.True(json.AsSpan().IndexOfAny(Marks) < 0, json);
            JsonElement root = JsonElement.Parse(json), value = asJson ? root.GetProperty("value") : root;
            Assert.Equal(texts[i], value.GetProperty("Te\u2066xt").GetString());
            Assert.Equal(texts[i], value.GetProperty("Utf8").GetString());
            Assert.Equal(texts[i], value.GetProperty("Map").EnumerateObject().Single().Name);
        }
    }

    /// <summary>Each object of a chain is an object and a member in JSON, and more where references are kept.</summary>
    [Fact]
    public void WhatIsAsDeepAsAStoreCanBeToldToWriteIsShown()
    {
        const int Deepest = 1000;
        using var folder = new TemporaryFolder();
        string path = folder["log"];
        using (NinoStore store = NinoStore.Open(path, new NinoStoreOptions { MaxDepth = Deepest })) store.Append(DeepLink.Chain(Deepest));
        ToolRun table = ToolRun.Of("cat", path), lines = ToolRun.Of("cat", "--json", path);
        Assert.Equal((0, ""), (table.ExitCode, table.Error));
        Assert.Equal((0, ""), (lines.ExitCode, lines.Error));
        Assert.Contains($"\"Number\":{Deepest - 1}", lines.Output, StringComparison.Ordinal);
    }

    /// <summary>How much of it is out nobody knows: to write it again would put the same lines there twice.</summary>
    [Fact]
    public void WhatCouldNotBeWrittenIsNotWrittenAgain()
    {
        using var lines = new RecordLines(new FailsOnce(out MemoryStream written), asJson: true);
        var record = new SelectedRecord(new LogRecord(1, DateTimeOffset.UnixEpoch, SampleLog.Trade, SampleLog.TradeRecord(1, "A")));
        lines.Write(record);
        Assert.Throws<IOException>(lines.Flush);
        lines.Flush();
        Assert.Equal(0, written.Length);
        lines.Write(record);
        lines.Flush();
        Assert.Single(Encoding.UTF8.GetString(written.ToArray()).Split('\n', StringSplitOptions.RemoveEmptyEntries));
    }

    private sealed class FailsOnce : MemoryStream
    {
        private bool _hasFailed;

        public FailsOnce(out MemoryStream written) => written = this;

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            if (!_hasFailed)
            {
                _hasFailed = true;
                throw new IOException("No space left on device");
            }

            base.Write(buffer);
        }
    }
}
