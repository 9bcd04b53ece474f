using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Recovery;

/// <summary>Files that are missing, shortened, exchanged or not ours: each is named, and nothing is changed.</summary>
public class SegmentChainTests
{
    private static SimDirectory FourSegments(int seed = 1)
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory, seed);
        while (directory.List().Count(f => SegmentFormat.TryParseName(f.Name, out _)) < 4)
        {
            for (int i = 0; i < 50; i++) store.Append(new string((char)('a' + i), 40));
            store.CommitAsync().AsTask().GetAwaiter().GetResult();
        }

        return directory;
    }

    private static StoreCorruptException Refused(SimDirectory directory)
    {
        string[] before = Files(directory);
        StoreCorruptException e = Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, seed: 9));
        Assert.Equal(before, Files(directory));
        return e;
    }

    private static string[] Files(SimDirectory directory) =>
        [.. directory.List().Where(f => f.Name != SegmentFormat.LockName).Select(f => f.Name + " " + Convert.ToHexString(System.Security.Cryptography.SHA256.HashData(FileBytes.Of(directory, f.Name))))];

    [Theory]
    [InlineData(1, "segments 1 to 1 are missing")]
    [InlineData(2, "segments 2 to 2 are missing")]
    [InlineData(3, "segments 3 to 3 are missing")]
    public void AMissingSegmentIsNamed(int number, string message)
    {
        SimDirectory directory = FourSegments();
        directory.Delete(SegmentFormat.Name(number));
        directory.SyncDirectory();

        Assert.Contains(message, Refused(directory).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AShortenedSegmentIsNamed()
    {
        SimDirectory directory = FourSegments();
        byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(2));
        FileBytes.Put(directory, SegmentFormat.Name(2), bytes.AsSpan(0, bytes.Length / 2));

        string message = Refused(directory).Message;
        Assert.Contains(SegmentFormat.Name(2), message, StringComparison.Ordinal);
        Assert.Contains("shortened", message, StringComparison.Ordinal);
    }

    [Fact]
    public void ExchangedSegmentsAreNamed()
    {
        SimDirectory directory = FourSegments();
        byte[] second = FileBytes.Of(directory, SegmentFormat.Name(2)), third = FileBytes.Of(directory, SegmentFormat.Name(3));
        FileBytes.Put(directory, SegmentFormat.Name(2), third);
        FileBytes.Put(directory, SegmentFormat.Name(3), second);

        Assert.Contains("not the one its name says", Refused(directory).Message, StringComparison.Ordinal);
    }

    // A writer that lost the log to another goes on by itself, and files of both come together: the first segment of both, the second of the newer, the third of the older.
    [Fact]
    public void ASegmentOfAnOlderWriterBehindOneOfANewerIsNamed()
    {
        var directory = new SimDirectory();
        using NinoStore older = Simulated.Open(directory);
        Fill(older, directory, 1);
        SimDirectory other = directory.KillProcess();
        Fill(older, directory, 4);
        using (NinoStore newer = Simulated.Open(other, seed: 2)) Fill(newer, other, 2);
        SimDirectory mixed = other.KillProcess();
        FileBytes.Put(mixed, SegmentFormat.Name(3), FileBytes.Of(directory, SegmentFormat.Name(3)));

        string message = Refused(mixed).Message;

        Assert.Contains(SegmentFormat.Name(3), message, StringComparison.Ordinal);
        Assert.Contains("begun by an opening with the epoch 1, and the one before it by a later opening, with the epoch 2", message, StringComparison.Ordinal);
        Assert.Contains(RetentionTests.Look(mixed).Verify().Damage, static d => d.File == SegmentFormat.Name(3) && d.Message.Contains("with the epoch 2", StringComparison.Ordinal));
        using NinoStore salvaged = Simulated.Open(mixed, seed: 3, static o => o with { Recovery = RecoveryMode.Salvage });
        Assert.Contains(salvaged.Recovery.Damage, static d => d.File == SegmentFormat.Name(3) && d.Message.Contains("epoch", StringComparison.Ordinal));
        Assert.Contains(mixed.List(), static f => f.Name == SegmentFormat.Name(3) + ".salvaged");
    }

    // An epoch is that of an opening, and an opening that begins no segment leaves it to the next.
    [Fact]
    public void AlongALogThatWasOpenedTruncatedSalvagedAndPutBackEpochsNeverFall()
    {
        var directory = new SimDirectory();
        List<long> epochs = [];
        var copy = new SimDirectory();
        for (int opening = 1; opening <= 8; opening++)
        {
            // Also damaged in the middle once, and once put back from a backup.
            if (opening == 4) FileBytes.Put(directory, SegmentFormat.Name(Headers(directory)[^1].Number), new byte[4096]);
            if (opening == 6) directory = copy.KillProcess();
            using NinoStore store = Simulated.Open(directory, seed: opening, static o => o with { Recovery = RecoveryMode.Salvage });
            if (opening % 3 != 0) Fill(store, directory, (int)Headers(directory)[^1].Number + 2);
            if (opening == 5) store.BackupTo(copy);
            if (opening == 7) store.TruncateBefore(store.LastSequence);
            epochs = [.. Headers(directory).Select(static h => h.Epoch)];
            Assert.Equal(epochs.Order(), epochs);
        }

        Assert.True(epochs.Distinct().Count() > 1, string.Join(' ', epochs));
    }

    private static void Fill(NinoStore store, SimDirectory directory, int segments)
    {
        do
        {
            for (int i = 0; i < 20; i++) store.Append(new string((char)('a' + i), 40));
            Simulated.Commit(store);
        }
        while (!directory.List().Any(f => f.Name == SegmentFormat.Name(segments)));
    }

    private static List<SegmentHeader> Headers(SimDirectory directory)
    {
        List<SegmentHeader> headers = [];
        foreach (StoreFileEntry entry in directory.List().Where(static f => SegmentFormat.TryParseName(f.Name, out _)))
        {
            using IStoreFile file = directory.OpenRead(entry.Name);
            Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
            headers.Add(header);
        }

        return headers;
    }

    // In the middle it takes another's place, behind the last one it looks like a segment that was begun.
    [Theory]
    [InlineData(1, 2)]
    [InlineData(2, 3)]
    [InlineData(3, 2)]
    [InlineData(4, 1)]
    [InlineData(2, 5)]
    [InlineData(4, 5)]
    public void ASegmentThatIsThereTwiceIsNamed(int number, int copy)
    {
        SimDirectory directory = FourSegments();
        FileBytes.Put(directory, SegmentFormat.Name(copy), FileBytes.Of(directory, SegmentFormat.Name(number)));

        string message = Refused(directory).Message;

        Assert.Contains(SegmentFormat.Name(copy), message, StringComparison.Ordinal);
        Assert.Contains("not the one its name says", message, StringComparison.Ordinal);
    }

    // Taken for one, the log went on in a segment whose link to this one nobody could follow: what it acknowledged there, the next opening refused.
    [Theory]
    [InlineData(RecoveryMode.TruncateTorn)]
    [InlineData(RecoveryMode.Salvage)]
    public void AFooterOfAnotherLengthIsNone(RecoveryMode mode)
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            for (int i = 0; i < 5; i++)
            {
                store.Append($"record {i} of more bytes than a footer has, by far, and so not to be taken for one");
                Simulated.Commit(store);
            }
        }

        // The third record's frame says that it is a footer, under a right checksum; what follows it is gone.
        directory.Delete(LogEnd.FileName);
        byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(1));
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(bytes, out SegmentHeader header));
        int at = SegmentFormat.HeaderSize;
        FrameHeader frame;
        while (FrameHeader.TryRead(bytes.AsSpan(at), header.SegmentId, at, out frame) && !(frame.Kind == FrameKind.Records && frame.FirstSequence == 3)) at += (int)frame.FrameLength;
        (frame with { Kind = FrameKind.Footer, RecordCount = 0, SchemaId = 0 }).Write(bytes.AsSpan(at), header.SegmentId, at);
        bytes.AsSpan(at + (int)frame.FrameLength).Clear();
        FileBytes.Put(directory, SegmentFormat.Name(1), bytes);

        for (int life = 1; life <= 2; life++)
        {
            using NinoStore store = Simulated.Open(directory, seed: life, options => options with { Recovery = mode });
            Assert.Equal(1 + life, store.LastSequence);
            store.Append("behind");
            Simulated.Commit(store);
        }

        using NinoStore opened = Simulated.Open(directory, seed: 3);
        Assert.Equal(4, opened.ReadRecords().Count());
    }

    [Fact]
    public void ASegmentOfAnotherStoreIsNamed()
    {
        SimDirectory directory = FourSegments();
        FileBytes.Put(directory, SegmentFormat.Name(3), FileBytes.Of(FourSegments(seed: 77), SegmentFormat.Name(3)));

        Assert.Contains("belongs to store", Refused(directory).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void ADamagedFooterOfASealedSegmentIsNoticedWithoutReadingTheSegment()
    {
        SimDirectory directory = FourSegments();
        byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(2));
        int last = bytes.AsSpan().LastIndexOfAnyExcept((byte)0);
        bytes.AsSpan(last - 90, 60).Fill(0x55);
        FileBytes.Put(directory, SegmentFormat.Name(2), bytes);

        Assert.Contains(SegmentFormat.Name(2), Refused(directory).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void SalvageSetsAsideEverythingAfterAMissingSegment()
    {
        SimDirectory directory = FourSegments();
        long second = SegmentFirst(directory, 2), third = SegmentFirst(directory, 3);
        directory.Delete(SegmentFormat.Name(3));
        directory.SyncDirectory();

        using NinoStore store = Simulated.Open(directory, 9, o => o with { Recovery = RecoveryMode.Salvage });

        Assert.True(second < third);
        Assert.Equal(third - 1, store.LastSequence);
        Assert.Equal(third - 1, store.ReadRecords().Count());
        Assert.Contains(directory.List(), f => f.Name == SegmentFormat.Name(4) + ".salvaged");
        Assert.Equal(StoreDamageKind.Corruption, Assert.Single(store.Recovery.Damage).Kind);
        Assert.Equal(third, store.Append("goes on"));
    }

    [Fact]
    public void SnapshotsWithoutALogAreNotTakenForANewStore()
    {
        var directory = new SimDirectory();
        FileBytes.Put(directory, "snapshot-0000000000000001-00000001.nino", [1, 2, 3]);

        Assert.Contains("the log was removed", Refused(directory).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("this is a text file and no log at all, though its name says so; it is long enough to hold a header of a segment, which it does not")]
    public void AForeignFileIsRefused(string content)
    {
        var directory = new SimDirectory();
        FileBytes.Put(directory, SegmentFormat.Name(1), System.Text.Encoding.ASCII.GetBytes(content));

        Assert.Contains(SegmentFormat.Name(1), Refused(directory).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void ANewerFormatVersionIsRefusedByThatName()
    {
        SimDirectory directory = FourSegments();
        byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(1));
        bytes[8] = 2;
        BitConverter.TryWriteBytes(bytes.AsSpan(124), Store.Framing.Crc32C.Compute(bytes.AsSpan(0, 124)));
        FileBytes.Put(directory, SegmentFormat.Name(1), bytes);

        StoreVersionException e = Assert.Throws<StoreVersionException>(() => Simulated.Open(directory, seed: 9));
        Assert.Contains("newer format version", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(RecoveryMode.TruncateTorn)]
    [InlineData(RecoveryMode.Salvage)]
    public void ASegmentOfANewerVersionIsNeverSetAside(RecoveryMode mode)
    {
        SimDirectory directory = FourSegments();
        byte[] damaged = FileBytes.Of(directory, SegmentFormat.Name(2)), newer = FileBytes.Of(directory, SegmentFormat.Name(4));
        damaged[30] ^= 1;
        FileBytes.Put(directory, SegmentFormat.Name(2), damaged);
        newer[8] = 2;
        BitConverter.TryWriteBytes(newer.AsSpan(124), Store.Framing.Crc32C.Compute(newer.AsSpan(0, 124)));
        FileBytes.Put(directory, SegmentFormat.Name(4), newer);

        Exception refused = Assert.ThrowsAny<StoreException>(() => Simulated.Open(directory, 9, o => o with { Recovery = mode }));

        if (mode == RecoveryMode.Salvage) Assert.Contains(SegmentFormat.Name(4), Assert.IsType<StoreVersionException>(refused).Message, StringComparison.Ordinal);
        Assert.Equal([1, 2, 3, 4], Store.Tests.Retention.RetentionTests.Segments(directory));
    }

    [Fact]
    public void ASegmentThatCannotBeReadIsSetAsideBehindADamagedOne()
    {
        SimDirectory directory = FourSegments();
        byte[] damaged = FileBytes.Of(directory, SegmentFormat.Name(2));
        damaged[30] ^= 1;
        FileBytes.Put(directory, SegmentFormat.Name(2), damaged);
        var faulty = new FaultDirectory(directory) { Fault = new Fault(1, FaultKind.IoError, IsForever: true, Strikes: static operation => operation is IoOperation.OpenRead or IoOperation.Read, Files: static name => name == SegmentFormat.Name(4)) };

        using NinoStore store = Simulated.Open(faulty, 9, o => o with { Recovery = RecoveryMode.Salvage });

        Assert.Equal([1], Store.Tests.Retention.RetentionTests.Segments(directory));
        Assert.Contains(directory.List(), static f => f.Name == SegmentFormat.Name(4) + ".salvaged");
    }

    private static long SegmentFirst(SimDirectory directory, int number)
    {
        using Store.IO.IStoreFile file = directory.OpenRead(SegmentFormat.Name(number));
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
        return header.FirstSequence;
    }
}
