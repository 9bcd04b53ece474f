using System.Buffers;
using System.IO.Pipelines;
using Store.Serialization;
using Store.Serialization.Codecs;
using Store.Tests.Serialization.HandWritten;

namespace Store.Tests.Serialization;

/// <summary>A few bytes never cost much memory, stack or time.</summary>
public sealed class HostileInputTests
{
    internal static IReadOnlyList<string> Huge { get; } = ["FE 00000080", "FE FFFFFFFF", "FE FFFFFF7F", "FE 01000080", "FD FFFF", "FC", "01 00 00 00 80"];

    public static TheoryData<string> HugeCounts => [.. Huge];

    [Theory]
    [MemberData(nameof(HugeCounts))]
    public void AHugeCountIsRefusedBeforeMemoryIsMadeForIt(string hex)
    {
        byte[] bytes = Convert.FromHexString(hex.Replace(" ", ""));
        AssertRefusedCheaply<int[]>(bytes);
        AssertRefusedCheaply<List<string>>(bytes);
        AssertRefusedCheaply<string>(bytes);
        AssertRefusedCheaply<Node[]>(bytes);
        AssertRefusedCheaply(bytes, new CodecAdapter<HashSet<int>, HashSetCodec<int, Int32Codec>>());
        AssertRefusedCheaply(bytes, new CodecAdapter<Dictionary<int, int>, DictionaryCodec<int, int, Int32Codec, Int32Codec>>());
        AssertRefusedCheaply(bytes, new CodecAdapter<Dictionary<string, string>, DictionaryCodec<string, string, StringCodec, StringCodec>>());
    }

    [Fact]
    public void ANestingBombIsRefusedAtTheDepthLimit()
    {
        // Every Node is: name null, next present, and so on without end.
        byte[] bytes = [.. Enumerable.Repeat<byte[]>([0, 1], 100_000).SelectMany(static x => x)];
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Node>(bytes));
        Assert.Contains("limit of 64", error.Message);
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Node>(bytes, new NinoLimits { MaxDepth = 1000 }));
    }

    [Fact]
    public void AChainAsDeepAsTheLimitIsReadAndOneDeeperIsRefused()
    {
        Assert.NotNull(NinoSerializer.Deserialize<Node>(NinoSerializer.Serialize(Chain(64))));

        var limits = new NinoLimits { MaxDepth = 65 };
        byte[] deeper = NinoSerializer.Serialize(Chain(65), limits);
        Assert.NotNull(NinoSerializer.Deserialize<Node>(deeper, limits));
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Node>(deeper));
        Assert.StartsWith("Next.Next.Next.", error.MemberPath);
    }

    [Fact]
    public void AnObjectThatContainsItselfIsRefusedOnWriting()
    {
        var node = new Node();
        node.Next = node;
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(node));
        Assert.Contains("contain itself", error.Message);
        Assert.Equal("Store.Tests.Serialization.HandWritten.Node", error.TypeName);

        // The memory of the thread is whole again.
        Assert.Equal(1, NinoSerializer.Deserialize<int>(NinoSerializer.Serialize(1)));
    }

    [Fact]
    public void NestedListsThatAllClaimTheRestCostNoMoreThanAFewTimesTheInput()
    {
        // Sixty nested nodes, each with a list of as many children as the bytes left allow.
        const int Length = 1 << 20;
        byte[] bytes = new byte[Length];
        int at = 0;
        for (int i = 0; i < 60; i++)
        {
            bytes[at++] = 0;
            bytes[at++] = 0;
            bytes[at++] = 254;
            int count = (Length - at - 4) / 3;
            BitConverter.TryWriteBytes(bytes.AsSpan(at), (count << 1) + 1);
            at += 4;
        }

        bytes.AsSpan(at).Fill(1);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Node>(bytes));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 4 * Length);
    }

    [Fact]
    public void NoneOfManyNestedChildrenIsLost()
    {
        var node = new Node { Children = [.. Enumerable.Range(0, 10_000).Select(static i => new Node { Name = i.ToString() })] };
        Node copy = NinoSerializer.Deserialize<Node>(NinoSerializer.Serialize(node));
        Assert.Equal(node.Children.Select(static child => child!.Name), copy.Children!.Select(static child => child!.Name));
    }

    [Fact]
    public void ARecordAboveTheLimitIsRefusedOnWritingAndOnReading()
    {
        var limits = new NinoLimits { MaxRecordBytes = 100 };
        byte[] largest = NinoSerializer.Serialize(new byte[99], limits);
        Assert.Equal(99, NinoSerializer.Deserialize<byte[]>(largest, limits).Length);
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new byte[100], limits));
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<byte[]>(NinoSerializer.Serialize(new byte[100]), limits));
    }

    // Of one megabyte again and again: the bytes are never looked at.
    [Fact]
    public void BytesThatNoArrayCanHoldAreRefusedWhateverTheLimitIs()
    {
        const int PieceBytes = 1 << 20;
        var limits = new NinoLimits { MaxRecordBytes = int.MaxValue };
        byte[] piece = new byte[PieceBytes];
        foreach (long bytes in (long[])[Array.MaxLength + 1L, int.MaxValue, int.MaxValue + 1L])
        {
            ReadOnlySequence<byte> all = Pieces.Of([.. Enumerable.Repeat<ReadOnlyMemory<byte>>(piece, (int)(bytes / PieceBytes)), piece.AsMemory(0, (int)(bytes % PieceBytes)), default]);
            Assert.Equal(bytes, all.Length);
            int[]? into = null;
            Refused(() => NinoSerializer.Deserialize<int[]>(all, limits));
            Refused(() => NinoSerializer.Deserialize<int[]>(all, NinoHeader.Fingerprint, limits));
            Refused(() => NinoSerializer.Deserialize(all, ref into, limits));
            Refused(() => NinoSerializer.Deserialize(typeof(int[]), all, NinoHeader.Schema, limits));
            Refused(() => NinoSerializer.DeserializeAsync<int[]>(PipeReader.Create(all), NinoHeader.Schema, limits).AsTask().GetAwaiter().GetResult());
        }

        static void Refused(Action read) => Assert.Contains($"larger than {Array.MaxLength} bytes", Assert.Throws<NinoSerializationException>(read).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void TheLimitHoldsForEachRecordOfAWriterThatTakesMany()
    {
        var limits = new NinoLimits { MaxRecordBytes = 100 };
        var writer = new NinoWriter(new byte[1000], limits);
        for (int i = 0; i < 9; i++) NinoCodec<byte[]>.Default.WriteRecord(ref writer, new byte[99]);
        Assert.Equal(900, writer.BytesWritten);
    }

    [Theory]
    [InlineData("02 61", "a presence byte that is neither 0 nor 1")]
    [InlineData("00 00000001", "bytes under an absent value")]
    public void AnAbsentValueHasOneForm(string hex, string _)
    {
        byte[] bytes = [.. Convert.FromHexString(hex.Replace(" ", "")), .. new byte[5]];
        var codec = new CodecAdapter<int?[], ArrayCodec<int?, NullableCodec<int, Int32Codec>>>();
        Assert.Throws<NinoSerializationException>(() => codec.Decode([2, .. bytes.AsSpan(0, 5)]));
    }

    [Theory]
    [InlineData("03 01000000 01000000")]
    public void AnElementTwiceInASetIsRefused(string hex)
    {
        var codec = new CodecAdapter<HashSet<int>, HashSetCodec<int, Int32Codec>>();
        var error = Assert.Throws<NinoSerializationException>(() => codec.Decode(Convert.FromHexString(hex.Replace(" ", ""))));
        Assert.Equal("[1]", error.MemberPath);
        Assert.Equal(5, error.ByteOffset);
    }

    [Fact]
    public void AKeyTwiceInADictionaryIsRefusedWithItsPlace()
    {
        var quote = new Quote(1, "A", 1, default, Side.Buy, null, null, new() { ["k"] = 1, ["l"] = 2 });
        byte[] bytes = NinoSerializer.Serialize(quote);
        bytes[bytes.AsSpan().IndexOf((byte)'l')] = (byte)'k';
        var error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Quote>(bytes));
        Assert.Contains("Key 1 of a dictionary", error.Message);
        Assert.StartsWith("Counts[1].", error.MemberPath);
    }

    [Fact]
    public void AnAbsentKeyOfANullableKindIsRefusedLikeANullKey()
    {
#pragma warning disable CS8714 // A user's code may have it with a warning; it works as long as no key is null.
        var codec = new CodecAdapter<Dictionary<int?, int>, DictionaryCodec<int?, int, NullableCodec<int, Int32Codec>, Int32Codec>>();
        var error = Assert.Throws<NinoSerializationException>(() => codec.Decode([2, 0, 0, 0, 0, 0, 9, 0, 0, 0]));
        Assert.Contains("Key 0 of a dictionary is null", error.Message);
        Assert.Equal(9, codec.Decode([2, 1, 5, 0, 0, 0, 9, 0, 0, 0])[5]);
#pragma warning restore CS8714
    }

    [Fact]
    public void AMapWithANullKeyIsRefusedOnWritingSinceNoReaderWouldTakeIt()
    {
        var codec = new CodecAdapter<IReadOnlyDictionary<string, int>, MapCodec<IReadOnlyDictionary<string, int>, string, int, StringCodec, Int32Codec>>();
        var error = Assert.Throws<NinoSerializationException>(() => codec.Encode(new System.Buffers.ArrayBufferWriter<byte>(), new PairMap<string, int>([new(null!, 1)])));
        Assert.Contains("null", error.Message);
    }

    [Fact]
    public void EqualElementsUnderAComparerOfTheirOwnAreRefusedOnWritingSinceNoReaderWouldTakeThem()
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        string twin = new('a', 1);
        var set = new CodecAdapter<HashSet<string>, HashSetCodec<string, StringCodec>>();
        Assert.Contains("comparer", Assert.Throws<NinoSerializationException>(() => set.Encode(output, new HashSet<string>(ReferenceEqualityComparer.Instance) { "a", twin })).Message);
        var map = new CodecAdapter<Dictionary<string, int>, DictionaryCodec<string, int, StringCodec, Int32Codec>>();
        Assert.Contains("comparer", Assert.Throws<NinoSerializationException>(() => map.Encode(output, new Dictionary<string, int>(ReferenceEqualityComparer.Instance) { ["a"] = 1, [twin] = 2 })).Message);

        // One of each is fine, and so are comparers that find more equal than the default.
        Assert.Single(set.Decode(Encoded(set, new HashSet<string>(ReferenceEqualityComparer.Instance) { "a" })));
        Assert.Single(map.Decode(Encoded(map, new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["a"] = 1, ["A"] = 2 })));
    }

    // Of the stack the runtime keeps 128 KiB for itself: what is left is 16 bytes an object, in which no frame has room, however well it was compiled.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AChainThatWouldOverflowASmallStackIsRefused(bool isWritten)
    {
        var limits = new NinoLimits { MaxDepth = 1000 };
        byte[] bytes = NinoSerializer.Serialize(Chain(1000), limits);
        Exception? failure = OwnStack.Run(144 << 10, () =>
        {
            if (isWritten) NinoSerializer.Serialize(Chain(1000), limits);
            else NinoSerializer.Deserialize<Node>(bytes, limits);
        });
        Assert.Contains("stack", Assert.IsType<NinoSerializationException>(failure).Message);
    }

    // Eight thousand bytes an object on the stack, and more: what the runtime keeps in reserve, 128 KiB, is gone before the sixteenth.
    [Fact]
    public void AChainOfObjectsWithLargeStructsThatWouldOverflowTheStackIsRefused()
    {
        StackedNode? value = null;
        for (int i = 0; i < 64; i++) value = new StackedNode(default, value);
        byte[] bytes = [];
        Assert.Null(OwnStack.Run(64 << 20, () => bytes = NinoSerializer.Serialize(value)));
        for (int size = 256 << 10; size <= 512 << 10; size += 32 << 10)
        {
            Exception? failure = OwnStack.Run(size, () => NinoSerializer.Deserialize<StackedNode>(bytes));
            Assert.Contains("stack", Assert.IsType<NinoSerializationException>(failure).Message);
        }
    }

    // A case that can be skipped is written by a writer of its own, which goes on where the one around it is.
    [Fact]
    public void AChainOfCasesThatCanBeSkippedIsRefusedOnAShortStack()
    {
        SkippedNode value = new SkippedLink(null);
        for (int i = 0; i < 980; i++) value = new SkippedLink(value);
        var deep = new NinoLimits { MaxDepth = 1000 };
        byte[] bytes = [];
        Assert.Null(OwnStack.Run(64 << 20, () => bytes = NinoSerializer.Serialize(value, deep)));
        Exception? written = OwnStack.Run(144 << 10, () => NinoSerializer.Serialize(value, deep));
        Exception? read = OwnStack.Run(144 << 10, () => NinoSerializer.Deserialize<SkippedNode>(bytes, deep));
        Assert.Contains("stack", Assert.IsType<NinoSerializationException>(written).Message);
        Assert.Contains("stack", Assert.IsType<NinoSerializationException>(read).Message);
    }

    [Fact]
    public void AShallowRecordNeedsNoMoreStackThanItTakes()
    {
        byte[] bytes = NinoSerializer.Serialize(Chain(3));
        Exception? failure = OwnStack.Run(128 << 10, () => NinoSerializer.Deserialize<Node>(bytes));
        Assert.Null(failure);
    }

    private static byte[] Encoded<T>(NinoCodec<T> codec, T value)
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        codec.Encode(output, in value);
        return output.WrittenSpan.ToArray();
    }

    /// <summary>A dictionary that refuses nothing.</summary>
    private sealed class PairMap<TKey, TValue>(List<KeyValuePair<TKey, TValue>> pairs) : IReadOnlyDictionary<TKey, TValue>
    {
        public int Count => pairs.Count;
        public IEnumerable<TKey> Keys => pairs.Select(static pair => pair.Key);
        public IEnumerable<TValue> Values => pairs.Select(static pair => pair.Value);
        public TValue this[TKey key] => throw new NotSupportedException();
        public bool ContainsKey(TKey key) => throw new NotSupportedException();
        public bool TryGetValue(TKey key, out TValue value) => throw new NotSupportedException();
        public IEnumerator<KeyValuePair<TKey, TValue>> GetEnumerator() => pairs.GetEnumerator();
        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
    }

    private static Node Chain(int length)
    {
        var node = new Node();
        for (int i = 1; i < length; i++) node = new Node { Next = node };
        return node;
    }

    private static void AssertRefusedCheaply<T>(byte[] bytes) => AssertRefusedCheaply(bytes, NinoCodec<T>.Default);

    private static void AssertRefusedCheaply<T>(byte[] bytes, NinoCodec<T> codec)
    {
        _ = codec.Schema;
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Throws<NinoSerializationException>(() => codec.Decode(bytes));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 65_536);
    }
}

/// <summary>An object whose struct lies whole on the stack while what follows it is read.</summary>
[NinoType]
public sealed record StackedNode(Types.Thousand Numbers, StackedNode? Next);

[NinoType(SkipUnknownCases = true)]
public abstract record SkippedNode;

[NinoType]
public sealed record SkippedLink(SkippedNode? Next) : SkippedNode;
