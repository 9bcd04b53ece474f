using System.Buffers;
using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Store.Tests.Values;

namespace Store.Tests.Evolution;

/// <summary>What a record of another shape becomes is bounded by its own length, whatever schema the sender wrote in front of it.</summary>
public class GrowthTests
{
    private const int Objects = 200_000;

    // What 200,000 bytes may become, in buffers that double, tried by the direct way and by the plan: far less than the 800 MB that the texts alone would take.
    private const long MostAllocated = 40 << 20;

    [Fact]
    public async Task ObjectsThatCostTheSenderAByteAreRefused()
    {
        var sent = new WasCrate([.. Enumerable.Range(0, Objects).Select(static _ => new WasItem())]);
        byte[] record = NinoSerializer.Serialize(sent), framed = NinoSerializer.Serialize(sent, NinoHeader.Schema);
        NinoSchema stored = NinoSerializer.SchemaOf<WasCrate>();
        Assert.InRange(record.Length, Objects, Objects + 10);

        AssertRefused(() => NinoCodec<GrownCrate>.Default.Decode(record, stored));
        AssertRefused(() => NinoSerializer.Deserialize<GrownCrate>(framed, NinoHeader.Schema));
        AssertRefused(() => _ = NinoView.Open<GrownCrateView>(record, stored, new NinoViewBuffer()));
        AssertRefused(() =>
        {
            GrownCrate? into = null;
            NinoCodec<GrownCrate>.Default.Decode(record, stored, ref into);
        });

        var items = new MemoryStream();
        await NinoSerializer.SerializeItemsAsync(items, One(sent));
        items.Position = 0;
        AssertGrowth(await Assert.ThrowsAsync<NinoSerializationException>(async () => await NinoSerializer.DeserializeItemsAsync<GrownCrate>(items).GetAsyncEnumerator().MoveNextAsync()));
    }

    [Fact]
    public void ObjectsThatAreMappedByThePlanAloneAreRefusedToo()
    {
        byte[] record = NinoSerializer.Serialize(new WasNode([.. Enumerable.Range(0, Objects).Select(static _ => new WasLeaf())]));
        AssertRefused(() => NinoCodec<GrownNode>.Default.Decode(record, NinoSerializer.SchemaOf<WasNode>()));
    }

    [Fact]
    public void TheLimitIsWhatItSays()
    {
        // Of 600 bytes each: 1 MiB is 1,745 of them, and beyond that it is the factor.
        NinoRecordMapper mapper = Mapper(SchemaNode.List(Shapes.Struct("S")), SchemaNode.List(Shapes.Struct("S", [.. Enumerable.Range(0, 75).Select(static i => ($"M{i}", Shapes.Of(SchemaKind.Int64)))])));
        Assert.Equal(3 + (1745 * 600), mapper.Map(Empty(1745), new ArrayBufferWriter<byte>()));
        Assert.Throws<ArgumentOutOfRangeException>(static () => new NinoLimits { MaxGrowth = 0 });
        AssertGrowth(Assert.Throws<NinoSerializationException>(() => mapper.Map(Empty(1748), new ArrayBufferWriter<byte>())));
        AssertGrowth(Assert.Throws<NinoSerializationException>(() => mapper.Map(Empty(3000), new ArrayBufferWriter<byte>(), new NinoLimits { MaxGrowth = 599 })));
        Assert.Equal(3 + (3000 * 600), mapper.Map(Empty(3000), new ArrayBufferWriter<byte>(), new NinoLimits { MaxGrowth = 600 }));

        static byte[] Empty(int count) => new RecordBytes().Count(count).Raw(new byte[count]);
    }

    [Fact]
    public void MemoryThatHasRoomForMoreDoesNotChangeTheLimit()
    {
        NinoRecordMapper mapper = NinoRecordMapper.Create(NinoSerializer.SchemaOf<WasCrate>(), NinoSerializer.SchemaOf<GrownCrate>());
        Assert.True(mapper.HasDirectWay);
        Assert.True(IsMapped(500));
        Assert.False(IsMapped(530));

        bool IsMapped(int count)
        {
            byte[] record = NinoSerializer.Serialize(new WasCrate([.. Enumerable.Range(0, count).Select(static _ => new WasItem())]));
            ContiguousBuffer buffer = ContiguousBuffer.Rent();
            try
            {
                buffer.GetSpan(4 << 20);
                return mapper.TryMapDirect(record, buffer, null);
            }
            finally
            {
                buffer.Return();
            }
        }
    }

    [Fact]
    public void TheLimitOfAllRecordsHoldsForWhatARecordBecomesAndIsNamedWhereItIsTheNearerOne()
    {
        byte[] record = NinoSerializer.Serialize(new WasCrate([.. Enumerable.Range(0, 400).Select(static _ => new WasItem())]));
        NinoSchema stored = NinoSerializer.SchemaOf<WasCrate>();
        Assert.Equal(400, NinoCodec<GrownCrate>.Default.Decode(record, stored).Items.Count);
        var error = Assert.Throws<NinoSerializationException>(() => NinoCodec<GrownCrate>.Default.Decode(record, stored, new NinoLimits { MaxRecordBytes = 100_000 }));
        Assert.Contains("MaxRecordBytes", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("MaxGrowth", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void TheMessageIsAboutTheGrowthAndItsPlaceAlsoWhereTheRecordIsDamagedBehindThat()
    {
        byte[] record = NinoSerializer.Serialize(new WasCrate([.. Enumerable.Range(0, 2000).Select(static _ => new WasItem())]));
        // The count takes three bytes, and each item one.
        int item = AssertItem<GrownCrate>(record, NinoSerializer.SchemaOf<WasCrate>(), 3);
        record[^1] = 9;
        Assert.Equal(item, AssertItem<GrownCrate>(record, NinoSerializer.SchemaOf<WasCrate>(), 3));
    }

    [Fact]
    public void ThePlaceIsThatOfWhatGrewAlsoWhereMembersStandInAnotherOrder()
    {
        byte[] record = NinoSerializer.Serialize(new WasStack("first", [.. Enumerable.Range(0, 2000).Select(static _ => new WasItem())], "last"));
        AssertItem<GrownStack>(record, NinoSerializer.SchemaOf<WasStack>(), 6 + 3);
    }

    [Fact]
    public void HonestChangesStayWithinIt()
    {
        // The widest of all conversions, and elements of ten bytes that become a hundred.
        Assert.Equal(5 + (16 * 500_000), Mapper(SchemaNode.List(Shapes.Of(SchemaKind.Byte)), SchemaNode.List(Shapes.Of(SchemaKind.Decimal))).Map(new RecordBytes().Count(500_000).Raw(new byte[500_000]), new ArrayBufferWriter<byte>()));
        (string, SchemaNode)[] ten = [("A", Shapes.Of(SchemaKind.Int64)), ("B", Shapes.Of(SchemaKind.Int16))];
        (string, SchemaNode)[] hundred = [.. ten, .. Enumerable.Range(0, 11).Select(static i => ($"N{i}", Shapes.Of(SchemaKind.Int64))), ("Z", Shapes.Of(SchemaKind.Int16))];
        Assert.Equal(5 + (100 * 200_000), Mapper(SchemaNode.List(Shapes.Struct("S", ten)), SchemaNode.List(Shapes.Struct("S", hundred))).Map(new RecordBytes().Count(200_000).Raw(new byte[2_000_000]), new ArrayBufferWriter<byte>()));

        // Five hundred objects that had nothing and have 2,000 characters now: a megabyte.
        var crate = new WasCrate([.. Enumerable.Range(0, 500).Select(static _ => new WasItem())]);
        Assert.Equal(500, NinoCodec<GrownCrate>.Default.Decode(NinoSerializer.Serialize(crate), NinoSerializer.SchemaOf<WasCrate>()).Items.Count);
    }

    /// <summary>An element without members takes a byte all the same: a count is a claim about bytes, whatever the schema calls them.</summary>
    [Fact]
    public void AThousandMillionEmptyElementsThatAreNotThereCostNothing()
    {
        // Of the list of classes, of structs, and of lists in lists; the lowest bit of the first says whether there are nulls.
        SchemaNode empty = Shapes.Class("Store.Tests.Evolution.WasItem"), blank = Shapes.Struct("Blank");
        (SchemaNode List, uint Claimed)[] claims = [(SchemaNode.List(empty), 2_000_000_000), (SchemaNode.List(blank), 1_000_000_000), (SchemaNode.List(SchemaNode.List(blank)), 1_000_000_000), (SchemaNode.List(SchemaNode.Nullable(blank)), 1_000_000_000), (SchemaNode.Map(Shapes.Of(SchemaKind.Byte), empty), 1_000_000_000)];
        foreach ((SchemaNode list, uint claimed) in claims)
        {
            var output = new ArrayBufferWriter<byte>();
            var writer = new NinoWriter(output);
            writer.WriteCompact(claimed + 1);
            writer.WriteBytes(new byte[100]);
            writer.Flush();
            byte[] record = output.WrittenSpan.ToArray();
            NinoSchema stored = NinoSchema.Create(Shapes.Class("Store.Tests.Evolution.WasCrate", ("Items", list)));
            if (list.Element!.Definition?.Name == "Store.Tests.Evolution.WasItem" && list.Kind == SchemaKind.List)
            {
                AssertCheap(() => NinoCodec<GrownCrate>.Default.Decode(record, stored));
                AssertCheap(() => NinoCodec<EmptyCrate>.Default.Decode(record, stored));
            }

            AssertCheap(() => NinoValue.Decode(stored, record));
            AssertCheap(() => Mapper(list, list).Map(record, new ArrayBufferWriter<byte>()));
        }

        static void AssertCheap(Action read)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            NinoSerializationException error = Assert.Throws<NinoSerializationException>(read);
            Assert.Contains("count", error.Message, StringComparison.Ordinal);
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);
        }
    }

    /// <summary>And those that are there cost what they cost in any record: an object and its place in the list, for its byte.</summary>
    [Fact]
    public void EmptyElementsThatAreThereCostAnObjectForAByte()
    {
        byte[] record = NinoSerializer.Serialize(new WasCrate([.. Enumerable.Range(0, Objects).Select(static _ => new WasItem())]));
        NinoSchema stored = NinoSerializer.SchemaOf<WasCrate>();
        NinoCodec<EmptyCrate>.Default.Decode(record, stored);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal(Objects, NinoCodec<EmptyCrate>.Default.Decode(record, stored).Items.Count);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 32L * Objects, 40L * Objects + (2 << 20));
    }

    [Fact]
    public void WhatAStoreWroteItReadsHoweverMuchItsTypesGained()
    {
        // An odd length and an even one: times the greatest growth they differ in the sign of what is left of them in 32 bits.
        foreach (int count in (int[])[2000, 2001])
        {
            var sent = new WasCrate([.. Enumerable.Range(0, count).Select(static _ => new WasItem())]);
            Assert.Throws<NinoSerializationException>(() => NinoCodec<GrownCrate>.Default.Decode(NinoSerializer.Serialize(sent), NinoSerializer.SchemaOf<WasCrate>()));
            using NinoStore store = Simulated.Open(new SimDirectory());
            store.Append(sent);
            Assert.Equal(count, store.Read<GrownCrate>().Single().Value.Items.Count);
        }
    }

    private static NinoRecordMapper Mapper(SchemaNode stored, SchemaNode own) => NinoRecordMapper.Create(NinoSchema.Create(stored), NinoSchema.Create(own));

    private static void AssertRefused(Action read)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        AssertGrowth(Assert.Throws<NinoSerializationException>(read));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, MostAllocated);
    }

    /// <summary>A megabyte is 523 texts of 2,003 bytes. That it is exceeded is noticed when the memory at hand is full.</summary>
    private static int AssertItem<T>(byte[] record, NinoSchema stored, int firstOffset)
    {
        var error = Assert.Throws<NinoSerializationException>(() => NinoCodec<T>.Default.Decode(record, stored));
        AssertGrowth(error);
        int item = (int)error.ByteOffset - firstOffset;
        Assert.Equal($"Items[{item}]", error.MemberPath);
        Assert.InRange(item, 523, 1999);
        return item;
    }

    private static void AssertGrowth(NinoSerializationException error) => Assert.Contains("NinoLimits.MaxGrowth", error.Message, StringComparison.Ordinal);

    private static async IAsyncEnumerable<T> One<T>(T item)
    {
        await Task.Yield();
        yield return item;
    }
}

[NinoType]
public sealed class WasItem;

[NinoType]
public sealed record WasCrate(List<WasItem> Items);

[NinoType, NinoFormerName("Store.Tests.Evolution.WasItem")]
public sealed class GrownItem
{
    public string Text { get; set; } = new('x', 2000);
}

[NinoType, NinoFormerName("Store.Tests.Evolution.WasCrate")]
public sealed record GrownCrate(List<GrownItem> Items);

[NinoType, NinoFormerName("Store.Tests.Evolution.WasItem")]
public sealed class EmptyItem;

[NinoType, NinoFormerName("Store.Tests.Evolution.WasCrate")]
public sealed record EmptyCrate(List<EmptyItem> Items, string? Added);

[NinoType]
public sealed record WasStack(string First, List<WasItem> Items, string Last);

[NinoType, NinoFormerName("Store.Tests.Evolution.WasStack")]
public sealed record GrownStack(string Last, List<GrownItem> Items, string First);

[NinoType]
public sealed class WasLeaf;

[NinoType]
public sealed record WasNode(List<WasLeaf> Leaves);

[NinoType, NinoFormerName("Store.Tests.Evolution.WasLeaf")]
public sealed class GrownLeaf
{
    public string Text { get; set; } = new('x', 2000);
    public GrownLeaf? Inside { get; set; }
}

[NinoType, NinoFormerName("Store.Tests.Evolution.WasNode")]
public sealed record GrownNode(List<GrownLeaf> Leaves);
