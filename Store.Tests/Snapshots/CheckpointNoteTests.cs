using Store.Framing;
using Store.IO;
using Store.Log;
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
}
