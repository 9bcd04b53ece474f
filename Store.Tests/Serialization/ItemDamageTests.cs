using System.IO.Pipelines;
using Store.Serialization;

namespace Store.Tests.Serialization;

/// <summary>Streams of items that are cut or damaged: the items before come out as they went in, and then the error says of what type the items are, and where.</summary>
public sealed class ItemDamageTests
{
    [Fact]
    public async Task AStreamCutAnywhereGivesWholeItemsAndThenTheTypedError()
    {
        string[] items = ["one", "two", "three"];
        byte[] bytes = await ItemStreamTests.Write(items);
        int[] ends = Ends(items, bytes);
        for (int length = 0; length < bytes.Length; length++)
        {
            (List<string> read, NinoSerializationException? error) = await ReadUntilDamage(new MemoryStream(bytes, 0, length));
            Assert.Equal(items.Where((_, i) => ends[i] <= length), read);
            Assert.Equal(("String", length), (Assert.IsType<NinoSerializationException>(error).TypeName, error.ByteOffset));
            Assert.StartsWith($"Items 'String', byte {length}: they end {(length < ends[0] - 5 ? "before their header does" : $"after {read.Count} without")}", error.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task AnyBitFlippedGivesTheItemsBeforeItAndThenTheTypedErrorOrTheFlippedLetter()
    {
        string[] items = ["one", "two"];
        byte[] bytes = await ItemStreamTests.Write(items);
        int[] ends = Ends(items, bytes);
        // An item is its length, the length of its text, and three letters.
        const int Item = 5;
        int header = ends[0] - Item, refused = 0;
        for (int bit = 0; bit < bytes.Length * 8; bit++)
        {
            int at = bit / 8;
            byte[] flipped = [.. bytes];
            flipped[at] ^= (byte)(1 << (bit % 8));
            (List<string> read, NinoSerializationException? error) = await ReadUntilDamage(new MemoryStream(flipped));
            if (at >= header && at < ends[^1] && (at - header) % Item >= 2)
            {
                Assert.Null(error);
                Assert.Equal(items.Select((item, i) => string.Concat(item.Select((letter, j) => header + (Item * i) + 2 + j == at ? (char)flipped[at] : letter))), read);
                continue;
            }

            if (error is null)
            {
                // Strings of the other kind, of which these have the same bytes.
                Assert.Equal((header - 1, SchemaKind.Utf8String), (at, (SchemaKind)flipped[at]));
                Assert.Equal(items, read);
                continue;
            }

            refused++;
            Assert.Equal(items.Where((_, i) => ends[i] <= at), read);
            Assert.Equal("String", error.TypeName);
            if (error is NinoSchemaMismatchException)
            {
                Assert.Equal(header - 1, at);
                continue;
            }

            Assert.InRange(error.ByteOffset, 0, flipped.Length);
            // What is no header is told at the byte that was flipped.
            if (at <= 8) Assert.Equal(at, error.ByteOffset);
            if (at < header) Assert.Matches($"^(Header of items|Items) 'String', byte {error.ByteOffset}: ", error.Message);
            else Assert.Matches($"^(Item {read.Count}, byte [0-9]+ of the items: Record 'String', byte {error.ByteOffset}: |Items 'String', byte {flipped.Length}: they end after {read.Count} )", error.Message);
        }

        Assert.Equal((8 * (bytes.Length - 6)) - 1, refused);
    }

    [Fact]
    public async Task ADamagedLengthOfAnItemIsToldWithItsPlace()
    {
        string[] items = ["one", "two"];
        byte[] bytes = await ItemStreamTests.Write(items);
        int second = Ends(items, bytes)[0];
        bytes[second] = 0xFF;
        (List<string> read, NinoSerializationException? error) = await ReadUntilDamage(new MemoryStream(bytes));
        Assert.Equal(["one"], read);
        Assert.Equal(("String", second), (error!.TypeName, error.ByteOffset));
        Assert.StartsWith($"Item 1, byte {second} of the items: A length or count starts with the byte 255", error.Message, StringComparison.Ordinal);
    }

    /// <summary>However many reads it takes to come there.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(1 << 20)]
    public async Task ADamagedItemIsToldWithItsPlaceInTheStreamAndInItself(int bytesAtATime)
    {
        string[] items = ["one", "two", "three"];
        byte[] bytes = await ItemStreamTests.Write(items);
        int third = Ends(items, bytes)[1];
        bytes[third + 1] = 0xFF;
        (List<string> read, NinoSerializationException? error) = await ReadUntilDamage(new TrickleStream(new MemoryStream(bytes), bytesAtATime));
        Assert.Equal(["one", "two"], read);
        Assert.Equal(("String", 0), (error!.TypeName, error.ByteOffset));
        Assert.StartsWith($"Item 2, byte {third} of the items: Record 'String', byte 0: ", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ADamagedSchemaIsToldWithItsPlace(bool isTyped)
    {
        byte[] bytes = await ItemStreamTests.Write(["one"]);
        int schema = bytes.AsSpan().IndexOf(NinoSerializer.SchemaOf<string>().CanonicalBytes.Span);
        for (int at = schema; at < schema + 3; at++)
        {
            byte[] damaged = [.. bytes];
            damaged[at] = 0xFF;
            NinoSerializationException error = await Assert.ThrowsAsync<NinoSerializationException>(async () => _ = isTyped
                ? await NinoSerializer.DeserializeItemsAsync<string>(new MemoryStream(damaged)).CountAsync()
                : await NinoSerializer.DeserializeItemsAsync(typeof(string), new MemoryStream(damaged)).CountAsync());
            Assert.Equal(("String", at), (error.TypeName, error.ByteOffset));
            Assert.StartsWith($"Header of items 'String', byte {at}: Schema, byte {at - schema}: ", error.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task AnItemBeyondTheLimitIsRefusedBeforeItIsWaitedFor()
    {
        var pipe = new Pipe();
        string[] items = [new string('x', 5000)];
        byte[] bytes = await ItemStreamTests.Write(items);
        await pipe.Writer.WriteAsync(bytes.AsMemory(0, 100));
        await using IAsyncEnumerator<string> read = NinoSerializer.DeserializeItemsAsync<string>(pipe.Reader, new NinoLimits { MaxRecordBytes = 1000 }).GetAsyncEnumerator();
        var error = await Assert.ThrowsAsync<NinoSerializationException>(async () => await read.MoveNextAsync());
        Assert.Contains("the limit is 1000", error.Message, StringComparison.Ordinal);
        // In front of the record are three bytes of its length, and behind it one for the end.
        Assert.Equal(("String", bytes.Length - 1 - NinoSerializer.Serialize(items[0]).Length - 3), (error.TypeName, error.ByteOffset));
    }

    /// <summary>Where each item ends, of items whose length is one byte.</summary>
    private static int[] Ends(string[] items, byte[] bytes)
    {
        int[] lengths = [.. items.Select(static item => 1 + NinoSerializer.Serialize(item).Length)];
        int start = bytes.Length - 1 - lengths.Sum();
        return [.. lengths.Select((_, i) => start + lengths[..(i + 1)].Sum())];
    }

    private static async Task<(List<string> Read, NinoSerializationException? Error)> ReadUntilDamage(Stream stream)
    {
        var read = new List<string>();
        try
        {
            await foreach (string item in NinoSerializer.DeserializeItemsAsync<string>(stream)) read.Add(item);
            return (read, null);
        }
        catch (NinoSerializationException error)
        {
            return (read, error);
        }
    }
}
