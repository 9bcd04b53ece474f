using Store.Framing;
using Store.Serialization;
using Store.Shipping;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Shipping;

/// <summary>The bytes of a shipment: pinned, cut, flipped, forged. What reaches the log is the source's, or nothing does.</summary>
public class ShipmentDamageTests(ITestOutputHelper output)
{
    [Fact]
    public void TheExampleOfThePageIsWhatTheCodeWritesAndReads()
    {
        using NinoStore source = Simulated.Open(new SimDirectory());
        source.AppendBatch<int>([7, 300]);
        Simulated.Commit(source);
        byte[] shipment = Shipped.Shipment(source);
        output.WriteLine(Convert.ToHexStringLower(shipment)); // what the page must show

        byte[] page = Repository.HexBytes("docs/formats/shipment.md", "## Example");

        Assert.Equal(Convert.ToHexString(page), Convert.ToHexString(shipment));
        using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);
        Assert.Equal(new ImportResult(2, 1, 0, 2), Shipped.Import(follower, page));
        Assert.Equal([7, 300], follower.Read<int>().Select(static r => r.Value));
    }

    [Fact]
    public void AShipmentCutAtAnyByteGivesABeginningAndSaysSo()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 12);
        byte[] shipment = Shipped.Shipment(source);
        long last = 0;
        for (int length = 0; length < shipment.Length; length++)
        {
            using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);
            ShipmentException e = Shipped.Refused(ShipmentProblem.Truncated, () => Shipped.Import(follower, shipment[..length]));
            Assert.InRange(e.Offset, 0, length);
            Assert.True(follower.LastSequence >= last);
            if (follower.LastSequence > last) Shipped.IsPrefix(source, follower);
            last = follower.LastSequence;
        }

        Assert.Equal(source.LastSequence, last);
        Effort.Tell(output, "truncations", shipment.Length, "every byte of a shipment");
    }

    [Fact]
    public void EveryFlippedBitIsNoticedAndNoWrongRecordReachesTheLog()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 6);
        byte[] shipment = Shipped.Shipment(source);
        var records = Shipped.Records(source);
        for (int bit = 0; bit < shipment.Length * 8; bit++)
        {
            byte[] damaged = [.. shipment];
            damaged[bit / 8] ^= (byte)(1 << (bit % 8));
            using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);
            StoreException e = Assert.ThrowsAny<StoreException>(() => Shipped.Import(follower, damaged));
            Assert.True(e is ShipmentException { Problem: ShipmentProblem.Damaged }, $"bit {bit}: {e.Message}");
            Assert.Equal(records.Take((int)follower.LastSequence), Shipped.Records(follower));
        }

        Effort.Tell(output, "bit flips", shipment.Length * 8L, "every bit of a shipment");
    }

    [Fact]
    public void FramesThatAreLostRepeatedOrExchangedOnTheWayAreNoticed()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 12);
        byte[] shipment = Shipped.Shipment(source), other = Shipped.Shipment(source);
        List<(int Start, int Length)> frames = FramesOf(shipment);
        Assert.True(frames.Count > 10);
        for (int i = 0; i + 1 < frames.Count; i++)
        {
            byte[] frame = shipment.AsSpan(frames[i].Start, frames[i].Length).ToArray();
            byte[] lost = [.. shipment[..frames[i].Start], .. shipment[(frames[i].Start + frames[i].Length)..]];
            byte[] repeated = [.. shipment[..frames[i].Start], .. frame, .. shipment[frames[i].Start..]];
            byte[] foreign = [.. shipment[..frames[i].Start], .. other.AsSpan(frames[i].Start, frames[i].Length), .. shipment[(frames[i].Start + frames[i].Length)..]];
            foreach (byte[] damaged in new[] { lost, repeated, foreign })
            {
                using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);
                Shipped.Refused(ShipmentProblem.Damaged, () => Shipped.Import(follower, damaged));
                Shipped.IsPrefix(source, follower);
            }
        }
    }

    // Whoever forges a stream can make every checksum right. Then the records are whatever they say, but the log stays one that can be read.
    [Fact]
    public void ForgedFramesAreRefusedOrGiveALogThatIsWhole()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 4);
        byte[] shipment = Shipped.Shipment(source);
        Assert.True(ShipmentHead.TryRead(shipment, out ShipmentHead head, out _));
        List<(int Start, int Length)> frames = FramesOf(shipment);
        var random = new Random(Effort.Seed(1));
        int refused = 0, count = Math.Min(Effort.Mutations(100_000) / 20, 200_000);
        for (int i = 0; i < count; i++)
        {
            byte[] forged = [.. shipment];
            (int start, int length) = frames[random.Next(frames.Count)];
            for (int edits = random.Next(1, 4); edits > 0; edits--)
            {
                // The sizes stay, so that the frames after it are found.
                int at = start + (random.Next(2) == 0 ? random.Next(12, FrameFormat.HeaderSize) : random.Next(FrameFormat.HeaderSize, Math.Max(FrameFormat.HeaderSize + 1, length)));
                if (at < forged.Length) forged[at] = (byte)random.Next(256);
            }

            Reseal(forged, head, start);
            var directory = new SimDirectory();
            try
            {
                using NinoStore follower = Simulated.Open(directory, seed: 2);
                Shipped.Import(follower, forged);
            }
            catch (ShipmentException)
            {
                refused++;
            }

            using NinoStore opened = Simulated.Open(directory, seed: 3);
            Assert.Empty(opened.Recovery.Damage);
            Assert.Equal(opened.LastSequence, opened.ReadRecords().LongCount());
        }

        Assert.True(refused > count / 2, $"{refused} of {count}");
        Effort.Tell(output, "mutated inputs", count, "SEED=1", $"forged shipments with right checksums, {refused} refused");
    }

    // With another time it would be another frame: the same shipment would be refused when it comes a second time.
    [Fact]
    public void AFrameThatIsOlderThanTheOneBeforeItIsRefusedAndNotMadeYounger()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 4);
        byte[] shipment = Shipped.Shipment(source);
        Assert.True(ShipmentHead.TryRead(shipment, out ShipmentHead head, out _));
        int last = FramesOf(shipment).FindLast(frame => shipment[frame.Start + 12] == (byte)FrameKind.Records).Start;
        long ticks = BitConverter.ToInt64(shipment, last + 32), sequence = BitConverter.ToInt64(shipment, last + 24);
        BitConverter.TryWriteBytes(shipment.AsSpan(last + 32), ticks - TimeSpan.TicksPerHour);
        Reseal(shipment, head, last);
        using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);

        ShipmentException refused = Shipped.Refused(ShipmentProblem.Damaged, () => Shipped.Import(follower, shipment));

        Assert.Contains("older than the frame before it", refused.Message, StringComparison.Ordinal);
        Assert.Equal(sequence - 1, follower.LastSequence);
        Shipped.IsPrefix(source, follower);

        // The record before it ties them together; then what is right goes on.
        Shipped.Follow(source, follower, sequence);
        Shipped.AreEqual(source, follower);
    }

    [Fact]
    public void AStreamThatClaimsMuchAndSendsLittleAllocatesLittle()
    {
        byte[] bytes = new byte[ShipmentHead.Size + FrameFormat.HeaderSize + 1000];
        new ShipmentHead(Guid.NewGuid(), 7, 1, 1).Write(bytes);
        new FrameHeader { Kind = FrameKind.Records, PayloadLength = NinoStore.MaxBatchBytes, PayloadChecksum = 0, RecordCount = 1, FirstSequence = 1, TimeTicks = 1, SyncedThrough = 0 }.Write(bytes.AsSpan(ShipmentHead.Size), 7, ShipmentHead.Size);
        using NinoStore follower = Simulated.Open(new SimDirectory());
        long before = GC.GetAllocatedBytesForCurrentThread();

        Shipped.Refused(ShipmentProblem.Truncated, () => Shipped.Import(follower, bytes));

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1024 * 1024);
    }

    [Fact]
    public void TheLargestRecordFitsAShipmentAndNothingLargerDoes()
    {
        byte[] bytes = new byte[ShipmentHead.Size + FrameFormat.HeaderSize];
        new ShipmentHead(Guid.NewGuid(), 7, 1, 1).Write(bytes);
        using NinoStore follower = Simulated.Open(new SimDirectory());
        int largest = FrameBuilder.SizeFor(NinoStore.MaxBatchBytes) - FrameFormat.HeaderSize;
        foreach ((int length, ShipmentProblem problem) in new[] { (largest, ShipmentProblem.Truncated), (largest + 1, ShipmentProblem.Damaged) })
        {
            new FrameHeader { Kind = FrameKind.Records, PayloadLength = length, PayloadChecksum = 0, RecordCount = 1, FirstSequence = 1, TimeTicks = 1, SyncedThrough = 0 }.Write(bytes.AsSpan(ShipmentHead.Size), 7, ShipmentHead.Size);
            Shipped.Refused(problem, () => Shipped.Import(follower, bytes));
        }
    }

    [Fact]
    public void AnEndThatIsNoneOrContradictsWhatCameIsDamage()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 6);
        byte[] shipment = Shipped.Shipment(source);
        Assert.True(ShipmentHead.TryRead(shipment, out ShipmentHead head, out _));
        (int end, _) = FramesOf(shipment)[^1];
        Action<byte[]>[] forgeries =
        [
            forged => forged[end + 13] = 0, // not closed
            forged => BitConverter.TryWriteBytes(forged.AsSpan(end + 24), source.LastSequence + 2),
            forged => BitConverter.TryWriteBytes(forged.AsSpan(end + 24), source.LastSequence),
            forged => BitConverter.TryWriteBytes(forged.AsSpan(end + 40), source.LastSequence - 1),
            forged => (head with { FromSequence = source.LastSequence + 2 }).Write(forged), // ends before what was asked for
        ];
        foreach (Action<byte[]> forge in forgeries)
        {
            byte[] forged = [.. shipment];
            forge(forged);
            Reseal(forged, head, end);
            using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);
            Shipped.Refused(ShipmentProblem.Damaged, () => Shipped.Import(follower, forged));
        }

        // Begins behind what was asked for.
        byte[] late = Shipped.Shipment(source, source.LastSequence);
        Assert.True(ShipmentHead.TryRead(late, out ShipmentHead other, out _));
        (other with { FromSequence = 1 }).Write(late);
        using NinoStore empty = Simulated.Open(new SimDirectory(), seed: 2);
        Assert.Contains("was asked for", Shipped.Refused(ShipmentProblem.Damaged, () => Shipped.Import(empty, late)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AFrameMayNameEverySchemaNumberThereIsAndNoOther()
    {
        List<byte> payload = [];
        for (int round = 0; round < 2; round++)
        {
            for (uint id = 1; id <= ushort.MaxValue; id++) AddEmpty(payload, id);
        }

        List<int> ids = [];
        FrameRecordIds.Walk([.. payload], 2 * ushort.MaxValue, namesSchemas: true, ids);
        Assert.Equal(Enumerable.Range(1, ushort.MaxValue), ids);

        foreach (uint id in new uint[] { 0, ushort.MaxValue + 1, uint.MaxValue })
        {
            List<byte> forged = [];
            AddEmpty(forged, id);
            Assert.Throws<NinoSerializationException>(() => FrameRecordIds.Walk([.. forged], 1, namesSchemas: true, []));
        }

        static void AddEmpty(List<byte> payload, uint id)
        {
            Span<byte> prefix = stackalloc byte[5];
            payload.AddRange(prefix[..FrameBuilder.WriteCompact(prefix, id)]);
            payload.Add(0);
        }
    }

    [Fact]
    public void SchemasWithoutEndAreRefused()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 1);
        using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);
        RawFrame schema = source.ReadFrames().First();
        byte[] payload = new byte[65 * 1024 * 1024];
        payload[0] = 9;
        RawFrame forged = schema with { Payload = payload, Header = schema.Header with { PayloadLength = payload.Length, PayloadChecksum = Crc32C.Compute(payload) } };

        Assert.Contains("schemas of this reading", Shipped.Refused(ShipmentProblem.Damaged, () => follower.Import(forged)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AnImporterThatIsDisposedTakesNothing()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 1);
        using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);
        var importer = new FrameImporter(follower.Opened.Log, follower.Opened.Files, new FollowedStore(follower.Opened.Directory, follower.StoreId, follower.Options));
        importer.Dispose();

        Assert.Throws<ObjectDisposedException>(() => importer.Import(source.ReadFrames().First()));
    }

    [Fact]
    public void ANewerVersionIsNamed()
    {
        byte[] bytes = new byte[ShipmentHead.Size];
        new ShipmentHead(Guid.NewGuid(), 7, 1, 1).Write(bytes);
        bytes[8] = 2;
        BitConverter.TryWriteBytes(bytes.AsSpan(60), Crc32C.Compute(bytes.AsSpan(0, 60)));
        using NinoStore follower = Simulated.Open(new SimDirectory());

        Assert.Throws<StoreVersionException>(() => Shipped.Import(follower, bytes));
    }

    private static List<(int Start, int Length)> FramesOf(byte[] shipment)
    {
        Assert.True(ShipmentHead.TryRead(shipment, out ShipmentHead head, out _));
        List<(int, int)> frames = [];
        for (int at = ShipmentHead.Size; at < shipment.Length;)
        {
            Assert.True(FrameHeader.TryRead(shipment.AsSpan(at), head.ShipmentId, at, out FrameHeader header));
            frames.Add((at, (int)header.FrameLength));
            at += (int)header.FrameLength;
        }

        return frames;
    }

    private static void Reseal(byte[] shipment, ShipmentHead head, int at)
    {
        int length = BitConverter.ToInt32(shipment, at + 4);
        var header = new FrameHeader
        {
            PayloadLength = length,
            PayloadChecksum = Crc32C.Compute(shipment.AsSpan(at + FrameFormat.HeaderSize, length)),
            Kind = (FrameKind)shipment[at + 12],
            Flags = shipment[at + 13],
            SchemaId = BitConverter.ToUInt16(shipment, at + 14),
            RecordCount = BitConverter.ToInt32(shipment, at + 16),
            FirstSequence = BitConverter.ToInt64(shipment, at + 24),
            TimeTicks = BitConverter.ToInt64(shipment, at + 32),
            SyncedThrough = BitConverter.ToInt64(shipment, at + 40),
        };
        header.Write(shipment.AsSpan(at), head.ShipmentId, at);
    }
}
