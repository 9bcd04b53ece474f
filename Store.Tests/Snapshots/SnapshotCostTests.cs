using Store.Serialization;
using Store.Snapshots;
using static Store.Tests.Snapshots.SnapshotSamples;

namespace Store.Tests.Snapshots;

public class SnapshotCostTests
{
    private const int MiB = 1024 * 1024;

    [Fact]
    public void WritingALargeStateTakesTheMemoryOfAFewChunks()
    {
        WriteDiscarded(new Huge(MiB / 8));
        long before = GC.GetAllocatedBytesForCurrentThread();
        MemoryFile file = WriteDiscarded(new Huge(128 * MiB / 8));
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(file.LengthBytes > 128 * MiB);
        Assert.True(file.LargestWriteBytes <= SnapshotOutput.ChunkSize, $"one write of {file.LargestWriteBytes} bytes");
        Assert.True(file.Writes < 140, $"{file.Writes} writes");
        Assert.True(allocated < 2 * MiB, $"{allocated} bytes were allocated");
    }

    [Fact]
    public void ALargeStateReadsBackPageByPage()
    {
        byte[] bytes = Write(new Huge(4 * MiB / 8), sequence: 1);
        Assert.Null(TryRead(bytes, out Huge state));
        Assert.Equal(4 * MiB / 8, state.Count);
        using SnapshotFile file = SnapshotFile.Open(new BytesDirectory { ["file"] = bytes }, "file");
        Assert.Equal(65, file.Sections[2].LengthBytes / 4);
    }

    /// <summary>Opening looks at the header and the schema, whatever the size: counted, not timed.</summary>
    [Fact]
    public void OpeningTouchesTheSameBytesWhateverTheSize()
    {
        (long Size, long Touched) small = Open(64 * 1024), large = Open(64 * MiB);
        Assert.True(large.Size > 900 * small.Size);

        // The reader asks for the first 4 KiB, which both have, and for up to 63 zeros before each section.
        Assert.InRange(small.Touched, 4096, 5000);
        Assert.Equal(small.Touched, large.Touched, tolerance: 2 * 63);

        static (long, long) Open(int dataBytes)
        {
            var folder = new BytesDirectory { ["file"] = Write(new Huge(dataBytes / 8), sequence: 1) };
            using SnapshotFile file = SnapshotFile.Open(folder, "file");
            return (file.DataLengthBytes, folder.BytesTouched);
        }
    }

    [Fact]
    public void OpeningAllocatesNothingThatGrowsWithTheData()
    {
        var folder = new BytesDirectory { ["small"] = Write(new Huge(1), sequence: 1), ["large"] = Write(new Huge(64 * MiB / 8), sequence: 1) };
        Allocated("large");
        Assert.Equal(Allocated("small"), Allocated("large"));

        long Allocated(string name)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            SnapshotFile.Open(folder, name).Dispose();
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    [Fact]
    public void EachPageIsVerifiedOnce()
    {
        var folder = new BytesDirectory { ["file"] = Write(new Huge(MiB / 8), sequence: 1) };
        using SnapshotFile file = SnapshotFile.Open(folder, "file");
        long opened = folder.BytesTouched;
        Length(file, 100, 1);
        
        // The first touch verifies the page table too: 17 pages.
        Assert.Equal((17 * 4) + 65536 + 4 + 1, folder.BytesTouched - opened);
        Length(file, 200, 1);
        Assert.Equal((17 * 4) + 65536 + 4 + 2, folder.BytesTouched - opened);
    }

    [Fact]
    public void AStateAboveTheLimitIsRefusedWithAMessageThatSaysSo()
    {
        var writer = new SnapshotWriter(new BytesDirectory(), limits: new NinoLimits { MaxRecordBytes = 2 * MiB });
        using var file = new MemoryFile(keepsBytes: false);
        foreach (int bytes in new[] { (2 * MiB) + 1, 3 * MiB, 64 * MiB })
        {
            var state = new Huge(bytes / 8);
            var e = Assert.Throws<NinoSerializationException>(() => writer.WriteFile(file, [new SnapshotState<Huge>("", NinoCodec<Huge>.Default, state)], GoldenStamp, null, CancellationToken.None));
            Assert.Contains($"{2 * MiB} bytes", e.Message);
        }

        Assert.True(file.LengthBytes <= 4 * MiB, "the limit is noticed on the way, not at the end");
    }

    private static MemoryFile WriteDiscarded(Huge state)
    {
        var file = new MemoryFile(keepsBytes: false);
        new SnapshotWriter(new BytesDirectory()).WriteFile(file, [new SnapshotState<Huge>("", NinoCodec<Huge>.Default, state)], GoldenStamp, null, CancellationToken.None);
        return file;
    }
}
