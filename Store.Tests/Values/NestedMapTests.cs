using System.Buffers;
using System.Text.Json;
using Store.Serialization;
using Store.Serialization.Values;

namespace Store.Tests.Values;

/// <summary>Maps inside of maps as JSON: each becomes an object or pairs by its own keys, and its keys are looked at once, however deep it lies.</summary>
public sealed class NestedMapTests
{
    private const int Depth = 60;

    [Fact]
    public void EveryLevelIsAnObjectOrPairsByItsOwnKeys()
    {
        MapOfMaps value = Nested(Depth);
        using JsonDocument document = JsonDocument.Parse(Json(value, out _), new JsonDocumentOptions { MaxDepth = 1000 });
        JsonElement at = document.RootElement;
        for (int depth = Depth; depth > 0; depth--)
        {
            // Half a surrogate pair is no name, nor is a floating-point number.
            bool isObject = depth % 3 != 0;
            JsonElement map = at.GetProperty(depth % 3 == 2 ? "Texts" : "Characters");
            Assert.Equal((depth, isObject ? JsonValueKind.Object : JsonValueKind.Array), (depth, map.ValueKind));
            Assert.Equal((depth, JsonValueKind.Array), (depth, at.GetProperty("Numbers").ValueKind));
            at = isObject ? map.GetProperty("b") : map[1].GetProperty("value");
        }
    }

    [Fact]
    public void EveryPairIsLookedAtOnce()
    {
        Json(Nested(Depth), out long seen);
        // Four pairs a level: two of the map that leads on, two of the map of numbers. That of the outermost level is inside of no other, and its keys can be no names.
        Assert.Equal((4 * Depth) - 2, seen);
    }

    [Fact]
    public void APairUnderKeysThatAreNoNamesIsLookedAtOnlyInside()
    {
        var value = new MapOfMaps { Numbers = new() { [1.5] = Nested(2), [2.5] = null } };
        Json(value, out long seen);
        Assert.Equal(6, seen);
    }

    private static MapOfMaps Nested(int depth)
    {
        if (depth == 0) return new MapOfMaps();
        var value = new MapOfMaps { Numbers = new() { [1.5] = null, [2.5] = null } };
        MapOfMaps inner = Nested(depth - 1);
        if (depth % 3 == 2) value.Texts = new() { ["a"] = null, ["b"] = inner };
        else value.Characters = new() { [depth % 3 == 0 ? '\uD800' : 'a'] = null, ['b'] = inner };
        return value;
    }

    private static byte[] Json(MapOfMaps value, out long seen)
    {
        var output = new ArrayBufferWriter<byte>();
        using var writer = new Utf8JsonWriter(output);
        MapKeys keys = MapKeys.Rent();
        var sink = new JsonSink(writer, keys);
        RecordDecoder.Decode(NinoSerializer.SchemaOf<MapOfMaps>(), NinoSerializer.Serialize(value), null, ref sink);
        seen = keys.PairsSeen;
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }
}

[NinoType]
public sealed class MapOfMaps
{
    public Dictionary<double, MapOfMaps?>? Numbers;
    public Dictionary<char, MapOfMaps?>? Characters;
    public Dictionary<string, MapOfMaps?>? Texts;
}
