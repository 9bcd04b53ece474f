// Sectors of what an opening reads that the disk cannot read, each in turn: headers, footers, the last segment, the marks. Salvage keeps every frame before such a sector; the other modes refuse, say where, and change nothing.

using Store.Log;
using Store.Retention;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Recovery;

public class UnreadableLogTests(ITestOutputHelper output)
{
    private const int SectorBytes = 4096;
    private const int Segments = 5;

    [Theory]
    [InlineData(true, 1)]
    [InlineData(false, 1)]
    [InlineData(false, 3)]
    public void SalvageKeepsEveryFrameBeforeTheSectorAndTheOtherModesRefuseAndChangeNothing(bool isClosed, int badSectors)
    {
        SimDirectory whole = Log(isClosed, out long last);
        int salvaged = 0, unneeded = 0, refused = 0;
        foreach ((string name, long length) in Files(whole))
        {
            SegmentFormat.TryParseName(name, out long number);
            List<PlacedFrame> frames = Frames.WithPlaces(whole, number);
            for (long sector = 0; sector * SectorBytes < length; sector++)
            {
                SimDirectory sim = whole.KillProcess();
                var disk = new BadSectorDirectory(sim, SectorBytes);
                disk.Spoil(name, sector * SectorBytes, badSectors * SectorBytes);
                if (Refusal(disk, RecoveryMode.Strict, isReadOnly: true) is not { } strict)
                {
                    // In the middle of a segment that is complete: no opening reads it.
                    Assert.Null(Refusal(disk, RecoveryMode.Salvage, isReadOnly: true));
                    unneeded++;
                    continue;
                }

                Exception torn = Refusal(disk, RecoveryMode.TruncateTorn, isReadOnly: false)!;
                foreach (Exception told in new[] { strict, torn }) Assert.Contains(name, Assert.IsType<IOException>(told, exactMatch: false).Message, StringComparison.Ordinal);

                foreach ((string unchanged, _) in Files(whole)) Assert.Equal(FileBytes.Of(whole, unchanged), FileBytes.Of(sim, unchanged));
                if (number == 1 && sector == 0)
                {
                    // Nothing is before it.
                    Assert.IsType<StoreCorruptException>(Refusal(disk, RecoveryMode.Salvage, isReadOnly: false));
                    refused++;
                    continue;
                }

                // Of a header nothing is known; of a footer the segment is, and none that follows.
                long kept = frames.Where(frame => frame.End <= sector * SectorBytes).Select(static frame => frame.Header.LastSequence).LastOrDefault(frames[0].Header.FirstSequence - 1);
                using (NinoStore store = Simulated.Open(disk, 2, static o => o with { Recovery = RecoveryMode.Salvage }))
                {
                    // Behind the end of a log that was closed nothing is lost, and nothing is known to be wrong.
                    bool isBehind = isClosed && kept == last && number == Segments && sector * SectorBytes >= frames[^1].End;
                    if (isBehind) disk.Mend();
                    Assert.Equal(!isBehind, store.Recovery.Damage.Any(static damage => damage.Message.Contains("cannot be read (", StringComparison.Ordinal)));
                    Assert.Equal(Enumerable.Range(1, (int)kept), store.Read<int>().Select(static r => r.Value));
                    Assert.All(store.Recovery.Damage, static damage => Assert.Equal(StoreDamageKind.Corruption, damage.Kind));
                    Assert.Equal(kept + 1, store.Append((int)kept + 1));
                    Simulated.Commit(store);
                }

                disk.Mend();
                using (NinoStore again = Simulated.Open(disk, 3, static o => o with { Recovery = RecoveryMode.Strict }))
                {
                    Assert.Empty(again.Recovery.Damage);
                    Assert.Equal(Enumerable.Range(1, (int)kept + 1), again.Read<int>().Select(static r => r.Value));
                }

                salvaged++;
            }
        }

        output.WriteLine($"{salvaged} sectors salvaged, {unneeded} that no opening reads, {refused} refused; the log ended with {last}");
        Assert.True(salvaged > 5 && unneeded > 3 && refused == 1, $"{salvaged} salvaged, {unneeded} unneeded, {refused} refused");
    }

    [Theory]
    [InlineData(RecoveryMode.Strict, true)]
    [InlineData(RecoveryMode.TruncateTorn, true)]
    [InlineData(RecoveryMode.Salvage, false)]
    public void AFailureThatPassesCostsNothing(RecoveryMode mode, bool isTold)
    {
        SimDirectory sim = Log(isClosed: false, out long last);
        BadSectorDirectory disk = null!;
        disk = new BadSectorDirectory(sim, SectorBytes, () => disk.Mend());
        disk.Spoil(SegmentFormat.Name(Segments), Frames.WithPlaces(sim, Segments)[3].Offset);

        if (isTold) Assert.NotNull(Refusal(disk, mode, isReadOnly: false));
        using NinoStore store = Simulated.Open(disk, 2, o => o with { Recovery = mode });

        Assert.Empty(store.Recovery.Damage);
        Assert.Equal(Enumerable.Range(1, (int)last), store.Read<int>().Select(static r => r.Value));
        Assert.Equal(1, disk.FailedReads);
    }

    // A disk, or the way to it, may come back a moment later: what Salvage would have given up by then is not given up.
    [Theory]
    [InlineData(1, 0)]
    [InlineData(3, 0)]
    [InlineData(Segments, 3)]
    public void AFailureThatPassesBeforeTheSecondLookGivesUpNothing(int segment, int frame)
    {
        SimDirectory sim = Log(isClosed: false, out long last);
        Dictionary<string, byte[]> before = Files(sim).ToDictionary(static f => f.Name, f => FileBytes.Of(sim, f.Name), StringComparer.Ordinal);
        BadSectorDirectory disk = null!;
        disk = new BadSectorDirectory(sim, SectorBytes, () =>
        {
            // The first look asks for the sector twice.
            if (disk.FailedReads == 2) disk.Mend();
        });
        disk.Spoil(SegmentFormat.Name(segment), frame == 0 ? 0 : Frames.WithPlaces(sim, segment)[frame].Offset);

        Assert.IsType<InjectedFault>(Refusal(disk, RecoveryMode.Salvage, isReadOnly: false));

        Assert.Equal(2, disk.FailedReads);
        Assert.All(before, file => Assert.Equal(file.Value, FileBytes.Of(sim, file.Key)));
        using NinoStore store = Simulated.Open(disk, 2, static o => o with { Recovery = RecoveryMode.Salvage });
        Assert.Empty(store.Recovery.Damage);
        Assert.Equal(Enumerable.Range(1, (int)last), store.Read<int>().Select(static r => r.Value));
    }

    // Each mark has two copies in different sectors.
    [Fact]
    public void ASectorOfAMarkThatCannotBeReadKeepsNobodyOutAndNoPositionIsLost()
    {
        SimDirectory whole = Log(isClosed: false, out long last);
        using (NinoStore store = Simulated.Open(whole, 2))
        {
            CursorTests.Commit(store.OpenCursor("mail", 0), last - 6);
            CursorTests.Commit(store.OpenCursor("mail", 0), last - 5);
            store.TruncateBefore(RetentionTests.First(whole, 2));
        }

        string[] marks = [LogEnd.FileName, LogStart.FileName, CursorName.FileOf("mail", MarkerKind.Cursor)];
        foreach (string mark in marks)
        {
            foreach (int copy in new[] { 0, MarkerFile.SecondSlot })
            {
                SimDirectory sim = whole.KillProcess();
                var disk = new BadSectorDirectory(sim, SectorBytes);
                disk.Spoil(mark, copy);
                using (NinoStore read = Simulated.Open(disk, 3, static o => o with { ReadOnly = true })) Assert.Equal(last, read.LastSequence);
                using (NinoStore store = Simulated.Open(disk, 3))
                {
                    Assert.Equal(last, store.LastSequence);
                    
                    // The copy that can be read may be the one before.
                    Assert.InRange(store.OpenCursor("mail", 0).Position, mark == marks[2] ? last - 6 : last - 5, last - 5);
                    store.Append((int)last + 1);
                    Simulated.Commit(store);
                }

                using NinoStore again = Simulated.Open(disk, 4, static o => o with { Recovery = RecoveryMode.Strict });
                Assert.Equal(last + 1, again.LastSequence);
                Assert.Empty(again.Recovery.Damage);
            }
        }
    }

    private static SimDirectory Log(bool isClosed, out long last)
    {
        var sim = new SimDirectory();
        NinoStore store = RetentionTests.Grown(sim, Segments);
        for (int i = 0; i < 10; i++)
        {
            store.Append((int)store.LastSequence + 1);
            Simulated.Commit(store);
        }

        last = store.LastSequence;
        if (!isClosed) return sim.KillProcess();
        store.Dispose();
        return sim;
    }

    private static IEnumerable<(string Name, long LengthBytes)> Files(SimDirectory sim) => sim.List().Where(static f => SegmentFormat.TryParseName(f.Name, out _)).Select(static f => (f.Name, f.LengthBytes));

    private static Exception? Refusal(BadSectorDirectory disk, RecoveryMode mode, bool isReadOnly)
    {
        try
        {
            Simulated.Open(disk, 2, o => o with { Recovery = mode, ReadOnly = isReadOnly }).Dispose();
            return null;
        }
        catch (Exception e) when (e is IOException or StoreCorruptException)
        {
            return e;
        }
    }
}
