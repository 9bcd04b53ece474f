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

        Assert.Equal(written.Select(static s => (new CheckpointNote(s.Sequence, s.SnapshotId, s.FileName), s.Sequence)), NotesIn(directory));
        Assert.Equal(3, written.DistinctBy(static s => s.SnapshotId).Count());
    }

    /// <summary>Whatever a power failure leaves of the moment when the call has returned.</summary>
    [Fact]
    public async Task ThePowerCutBehindACheckpointTakesItsNoteFromNoLog()
    {
        using var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        store.Append(1);
        SnapshotInfo written = await store.CheckpointAsync("state");
        int states = 0;
        foreach (SimDirectory left in directory.CrashStates(200, seed: 1))
        {
            states++;
            Assert.Equal((new CheckpointNote(1, written.SnapshotId, written.FileName), 1L), Assert.Single(NotesIn(left)));
        }

        Assert.True(states > 0);
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

    internal static List<(CheckpointNote Note, long Behind)> NotesIn(SimDirectory directory)
    {
        List<(CheckpointNote Note, long Behind)> noted = [];
        using IStoreFile file = directory.OpenRead(SegmentFormat.Name(1));
        Assert.Equal(SegmentHeaderStatus.Valid, SegmentHeader.TryRead(file, out SegmentHeader header));
        using var scanner = new SegmentScanner(file, header);
        while (scanner.Next() == FrameReadStatus.Frame)
        {
            if (scanner.Frame.Kind != FrameKind.Checkpoint) continue;
            Assert.True(CheckpointNote.TryDecode(scanner.PayloadSpan, out CheckpointNote note));
            noted.Add((note, scanner.NextSequence - 1));
        }

        return noted;
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
