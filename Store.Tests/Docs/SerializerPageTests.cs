using System.Buffers;
using System.Text;
using System.Text.Json;
using Store.Serialization;

namespace Store.Tests.Docs;

/// <summary>The code of docs/serializer.md, compiled and run.</summary>
public sealed class SerializerPageTests
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

    private static string Packed(string code) => string.Join('\n', code.Split('\n').Select(static line => line.Trim()));
}
