using System.Buffers;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Serialization;

/// <summary>Sets and dictionaries of more keys than are free of counting are read by loops of their own: what is refused of small ones is refused of them, wherever it stands, when they are new and when they are read into.</summary>
public sealed class LargeKeyedDamageTests
{
    private const int Count = 3 * KeyChains.FreeKeys;

    public static TheoryData<int, int> Twice => new() { { 0, 1 }, { 0, Count - 1 }, { 7, KeyChains.FreeKeys - 24 }, { KeyChains.FreeKeys - 1, KeyChains.FreeKeys }, { KeyChains.FreeKeys, KeyChains.FreeKeys + 1 }, { (2 * KeyChains.FreeKeys) - 48, Count - 73 }, { Count - 2, Count - 1 } };

    [Theory]
    [MemberData(nameof(Twice))]
    public void AnElementTwiceInASetIsRefusedWithItsPlace(int first, int second)
    {
        int[] elements = [.. Enumerable.Range(0, Count)];
        byte[] whole = Encoded<List<int>, ListCodec<int, Int32Codec>>([.. elements]);
        elements[second] = elements[first];
        byte[] bytes = Encoded<List<int>, ListCodec<int, Int32Codec>>([.. elements]);
        var codec = new CodecAdapter<HashSet<int>, HashSetCodec<int, Int32Codec>>();
        Assert.Equal(Count, codec.Decode(whole).Count);
        foreach (HashSet<int>? present in (HashSet<int>?[])[null, [], [.. Enumerable.Range(0, Count)], [.. Enumerable.Range(0, Count / 2)], [.. Enumerable.Range(Count, Count)]])
        {
            NinoSerializationException error = Refused(codec, bytes, present);
            Assert.Contains($"Element {second} of a set is equal", error.Message, StringComparison.Ordinal);
            Assert.Equal($"[{second}]", error.MemberPath);
        }
    }

    [Theory]
    [MemberData(nameof(Twice))]
    public void AKeyTwiceInADictionaryIsRefusedWithItsPlace(int first, int second)
    {
        var codec = new CodecAdapter<Dictionary<int, int>, DictionaryCodec<int, int, Int32Codec, Int32Codec>>();
        byte[] bytes = Encoded<Dictionary<int, int>, DictionaryCodec<int, int, Int32Codec, Int32Codec>>(Numbers(0));
        int start = bytes.Length - (8 * Count);
        bytes.AsSpan(start + (8 * first), 4).CopyTo(bytes.AsSpan(start + (8 * second)));
        foreach (Dictionary<int, int>? present in (Dictionary<int, int>?[])[null, [], Numbers(0), Numbers(Count)])
        {
            NinoSerializationException error = Refused(codec, bytes, present);
            Assert.Contains($"Key {second} of a dictionary is equal", error.Message, StringComparison.Ordinal);
            Assert.StartsWith($"[{second}]", error.MemberPath, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(5)]
    [InlineData(KeyChains.FreeKeys + 1)]
    [InlineData(Count - 1)]
    public void AKeyThatIsAbsentIsRefused(int at)
    {
#pragma warning disable CS8714 // A user's code may have it with a warning; it works as long as no key is null.
        var codec = new CodecAdapter<Dictionary<int?, int>, DictionaryCodec<int?, int, NullableCodec<int, Int32Codec>, Int32Codec>>();
        byte[] bytes = Encoded<Dictionary<int?, int>, DictionaryCodec<int?, int, NullableCodec<int, Int32Codec>, Int32Codec>>(Enumerable.Range(0, Count).ToDictionary(static i => (int?)i, static i => i));
#pragma warning restore CS8714
        bytes.AsSpan(bytes.Length - (9 * Count) + (9 * at), 5).Clear();
        Assert.Contains($"Key {at} of a dictionary is null", Refused(codec, bytes, null).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(3)]
    [InlineData(Count)]
    public void AMarkForNullsWhereThereAreNoneIsRefused(int count)
    {
        byte[] bytes = Marked(count);
        AssertNoNull(new CodecAdapter<HandWritten.Node[], ArrayCodec<HandWritten.Node, HandWritten.NodeCodec>>(), bytes, [], new HandWritten.Node[count]);
        AssertNoNull(new CodecAdapter<List<HandWritten.Node>, ListCodec<HandWritten.Node, HandWritten.NodeCodec>>(), bytes, [], [new()]);
        AssertNoNull(new CodecAdapter<HashSet<HandWritten.Node>, HashSetCodec<HandWritten.Node, HandWritten.NodeCodec>>(), bytes, [], [new()]);
    }

    private static void AssertNoNull<T>(NinoCodec<T> codec, byte[] bytes, params T[] present) where T : class
    {
        foreach (T? one in (T?[])[null, .. present]) Assert.Contains("A list is marked to hold null elements and holds none", Refused(codec, bytes, one).Message, StringComparison.Ordinal);
    }

    // Objects, and a null behind them that is taken off again, which the count in front then does not have.
    private static byte[] Marked(int count)
    {
        HandWritten.Node?[] elements = [.. Enumerable.Range(0, count).Select(static i => new HandWritten.Node { Name = $"{i}" }), null];
        byte[] with = Encoded<HandWritten.Node[], ArrayCodec<HandWritten.Node, HandWritten.NodeCodec>>(elements!);
        return [.. Header(((uint)count << 1) + 2), .. with.AsSpan(Header((((uint)count + 1) << 1) + 2).Length..^1)];
    }

    private static byte[] Header(uint number)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new NinoWriter(output);
        writer.WriteCompact(number);
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }

    private static Dictionary<int, int> Numbers(int first) => Enumerable.Range(first, Count).ToDictionary(static i => i, static i => -i);

    private static byte[] Encoded<T, TCodec>(T value) where TCodec : struct, INinoCodec<T>
    {
        var output = new ArrayBufferWriter<byte>();
        new CodecAdapter<T, TCodec>().Encode(output, in value);
        return output.WrittenSpan.ToArray();
    }

    private static NinoSerializationException Refused<T>(NinoCodec<T> codec, byte[] bytes, T? present) where T : class => Assert.Throws<NinoSerializationException>(() =>
    {
        if (present is null) return codec.Decode(bytes);
        codec.Decode(bytes, ref present);
        return present;
    });
}
