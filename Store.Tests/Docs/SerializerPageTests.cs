using System.Buffers;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using Store.Serialization;

namespace Store.Tests.Docs;

/// <summary>The code of docs/serializer.md, compiled and run, and its table of exceptions beside what the verbs state.</summary>
public sealed partial class SerializerPageTests
{
    [Fact]
    public async Task TheVerbsGiveBackWhatTheyWereGiven()
    {
        Trade trade = new(1, "ABC", 10.5m, new DateTime(2026, 1, 1, 12, 0, 0, DateTimeKind.Utc)), last = new(0, "", 0, default);
        var writer = new ArrayBufferWriter<byte>();
        var text = new ArrayBufferWriter<byte>();
        using var json = new Utf8JsonWriter(text);
        MemoryStream stream = new(), many = new();
        byte[] span = new byte[100];
        decimal total = 0;

        byte[] bytes = NinoSerializer.Serialize(trade);                                     // an array of exactly the record's length
        Trade copy = NinoSerializer.Deserialize<Trade>(bytes);                              // the whole span, and nothing behind it
        NinoSerializer.Deserialize(bytes, ref last);                                        // over the object that is there

        NinoSerializer.Serialize(writer, trade);                                            // any IBufferWriter<byte>
        bool fits = NinoSerializer.TrySerialize(trade, span, out int written);              // memory of yours; untouched where it is too short
        long size = NinoSerializer.GetSize(trade);                                          // without writing it anywhere
        Trade deep = NinoSerializer.Clone(trade);

        await NinoSerializer.SerializeAsync(stream, trade, NinoHeader.Schema);              // or a PipeWriter
        var again = new MemoryStream(stream.ToArray());
        Trade older = await NinoSerializer.DeserializeAsync<Trade>(again, NinoHeader.Schema);
        var third = new MemoryStream(stream.ToArray());
        last = await NinoSerializer.DeserializeAsync(third, last, NinoHeader.Schema);       // over the object that is there

        await NinoSerializer.SerializeItemsAsync(many, Trades());                           // an IAsyncEnumerable, one item in memory at a time
        var source = new MemoryStream(many.ToArray());
        await foreach (Trade item in NinoSerializer.DeserializeItemsAsync<Trade>(source)) total += item.Price;

        object value = NinoSerializer.Deserialize(typeof(Trade), bytes);                    // a type known when the program runs
        NinoValue tree = NinoValue.Decode(NinoSerializer.SchemaOf<Trade>(), bytes);         // a schema, as files hold it, and no type at all
        NinoJson.Write(json, NinoSerializer.SchemaOf<Trade>(), bytes);                      // the same as JSON, into a Utf8JsonWriter

        Assert.All([copy, last, deep, older, value], one => Assert.Equal(trade, one));
        Assert.True(fits);
        Assert.Equal([bytes.Length, bytes.Length], [written, (int)size]);
        Assert.Equal(bytes, writer.WrittenSpan.ToArray());
        Assert.Equal(bytes, span[..written]);
        Assert.Equal(21m, total);
        Assert.Equal(10.5m, tree["Price"].AsDecimal());
        await json.FlushAsync();
        Assert.Contains("\"Symbol\":\"ABC\"", Encoding.UTF8.GetString(text.WrittenSpan), StringComparison.Ordinal);

        async IAsyncEnumerable<Trade> Trades()
        {
            yield return trade;
            await Task.Yield();
            yield return trade;
        }
    }

    [Fact]
    public void TheCodeOfThePageIsThatOfTheTestAbove()
    {
        string test = Packed(Repository.Read("Store.Tests/Docs/SerializerPageTests.cs"));
        string block = Repository.Read("docs/serializer.md").Split("```csharp\n")[1].Split("```")[0];
        Assert.All(block.Split('\n', StringSplitOptions.RemoveEmptyEntries), line => Assert.Contains("\n" + line.Trim() + "\n", test, StringComparison.Ordinal));
    }

    /// <summary>What "it" is in "derived from it" is the row above, and no row is silent of such a base.</summary>
    [Fact]
    public void TheTableOfExceptionsSaysOfWhichRowARowIsDerived()
    {
        (Type[] Types, string Cell)[] rows = Thrown();
        Type[] all = [.. rows.SelectMany(static row => row.Types)];
        Assert.Contains(typeof(NinoSchemaMismatchException), all);
        for (int i = 0; i < rows.Length; i++)
        {
            bool isStated = rows[i].Cell.EndsWith(", derived from it", StringComparison.Ordinal);
            foreach (Type type in rows[i].Types)
            {
                Type? above = all.Where(type.IsSubclassOf).SingleOrDefault();
                Assert.True(isStated == (above is not null), $"'{rows[i].Cell}' is derived from {above?.ToString() ?? "none of the others"}.");
                if (above is null) continue;
                int of = i;
                while (rows[of].Cell.EndsWith(", derived from it", StringComparison.Ordinal)) of--;
                Assert.Equal([above], rows[of].Types);
            }
        }
    }

    [Fact]
    public void EveryExceptionThatAVerbStatesIsInTheTable()
    {
        (Type[] Types, string Cell)[] rows = Thrown();
        Type[] stated = [.. Directory.GetFiles(Path.Combine(Repository.Root, "Store.Serialization"), "NinoSerializer*.cs").SelectMany(static path => Stated().Matches(File.ReadAllText(path))).Select(static match => Named(match.Groups[1].Value)).Distinct()];
        Assert.Contains(typeof(NinoSerializationException), stated);
        foreach (Type one in stated)
            Assert.True(rows.Any(row => row.Types.Contains(one) || (row.Cell.EndsWith(" and what is derived from it", StringComparison.Ordinal) && row.Types.Any(one.IsSubclassOf))), $"{one} is stated in the XML docs of NinoSerializer and has no row.");
        foreach ((Type[] types, string cell) in rows) Assert.All(types, type => Assert.True(stated.Contains(type), $"No verb states the {type} of the row '{cell}'."));
    }

    private static (Type[] Types, string Cell)[] Thrown()
    {
        string section = Repository.Read("docs/serializer.md").Split("\n## What is thrown\n")[1].Split("\n## ")[0];
        return [.. section.Split('\n').Where(static line => line.StartsWith('|')).Skip(2).Select(static line => line.Trim('|').Split('|')[0].Trim()).Select(static cell => (Exceptions().Matches(cell).Select(static match => Named(match.Groups[1].Value)).ToArray(), cell))];
    }

    private static Type Named(string name) => typeof(NinoSerializer).Assembly.GetType($"Store.Serialization.{name}") ?? Type.GetType($"System.{name}") ?? Type.GetType($"System.IO.{name}") ?? throw new InvalidOperationException($"There is no exception '{name}'.");

    [GeneratedRegex("`(\\w+Exception)`")]
    private static partial Regex Exceptions();

    [GeneratedRegex("<exception cref=\"(\\w+)\"")]
    private static partial Regex Stated();

    private static string Packed(string code) => string.Join('\n', code.Split('\n').Select(static line => line.Trim()));
}
