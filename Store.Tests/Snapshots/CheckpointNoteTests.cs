using Store.Framing;
using Store.IO;
using Store.Log;
using Store.Snapshots;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Snapshots;

/// <summary>The frame by which the log names its snapshots.</summary>
public class CheckpointNoteTests
{
    [Fact]
    public async Task EveryCheckpointIsNotedInTheLogBehindWhatItCovers()
    {
        var directory = new SimDirectory();
        List<SnapshotInfo> written = [];
        using (NinoStore store = Simulated.Open(directory))
        {
            for (int i = 1; i <= 3; i++)
            {
                store.Append(i);
                written.Add(await store.CheckpointAsync($"state {i}"));
            }
        }

        List<(long Sequence, string Name, long Behind)> noted = [];
        using IStoreFile file = directory.OpenRead(SegmentFormat.Name(1));
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
        using var scanner = new SegmentScanner(file, header);
        while (scanner.Next() == FrameReadStatus.Frame)
        {
            if (scanner.Frame.Kind != FrameKind.Checkpoint) continue;
            Assert.True(CheckpointNote.TryDecode(scanner.PayloadSpan, out long sequence, out string name));
            noted.Add((sequence, name, scanner.NextSequence - 1));
        }

        Assert.Equal(written.Select(static s => (s.Sequence, s.FileName, s.Sequence)), noted);
    }

    /// <summary>The log fails while the snapshot is written. What is published is in force, and saying that there is none would be wrong; the log's failure is told to whoever appends.</summary>
    [Fact]
    public async Task ACheckpointThatIsPublishedIsToldThoughTheLogCannotNoteItAnyMore()
    {
        var directory = new SimDirectory();
        var faulty = new FaultDirectory(directory);
        SnapshotInfo written;
        using (NinoStore store = Simulated.Open(faulty))
        {
            store.Append("kept");
            written = await store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", WhileTheLogFails(store, faulty)));
            Assert.Equal(written.FileName, Assert.Single(store.Snapshots).FileName);
            Assert.Throws<StoreFailedException>(() => store.Append("lost"));
        }

        using NinoStore again = Simulated.Open(directory, 2);
        Assert.Equal((1L, written.FileName), (written.Sequence, Assert.Single(again.Snapshots).FileName));
        using SnapshotFile file = again.OpenSnapshot(verification: SnapshotVerification.All)!;
        Assert.Equal([1, 2], file.Part("items").Items<int>());
    }

    private static IEnumerable<int> WhileTheLogFails(NinoStore store, FaultDirectory faulty)
    {
        yield return 1;
        faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: true, static operation => operation == IoOperation.Write);
        store.Append("never written");
        Assert.ThrowsAny<Exception>(store.Commit);
        faulty.Fault = null;
        yield return 2;
    }
}
