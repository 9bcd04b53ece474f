// A sync of the log waits for what the disk was given before it: while somebody syncs, one piece of a large file is on its way at most, and else as much as keeps the disk at work.

using Store.IO;
using Store.Tests.Simulation;

namespace Store.Tests.IO;

public sealed class WritebackPaceTests
{
    private const long MiB = 1 << 20;
    private const long Alone = WritebackPace.AloneBytes / MiB, Shared = WritebackPace.SharedBytes / MiB;

    [Fact]
    public void WhereNobodySyncsEightPiecesAreOnTheirWayAndWhatIsFurtherBehindIsWaitedFor()
    {
        (long From, long End)[] calls = Calls(pieces: 12, syncsBefore: static _ => 5);
        var expected = new List<(long, long)>();
        for (long end = 1; end <= 12; end++)
        {
            if (end > Alone) expected.Add((0, end - Alone));
            expected.Add((end - 1, end));
        }

        Assert.Equal(expected, calls);
    }

    [Fact]
    public void WhereItIsNotKnownWhoSyncsEachPieceWaitsForTheOnesBefore() =>
        Assert.Equal(Enumerable.Range(1, 12).Select(static end => (0L, (long)end)), Calls(pieces: 12, syncsBefore: null));

    /// <summary>From the first sync on, and not for ever behind the last one.</summary>
    [Fact]
    public void ASyncOfTheLogLeavesOnePieceOnItsWayForAWhile()
    {
        (long From, long End)[] calls = Calls(pieces: (int)Shared + 20, syncsBefore: static piece => piece < 3 ? 5 : 6);
        Assert.Equal([(0, 1), (1, 2)], calls[..2]);
        Assert.Equal(Enumerable.Range(3, (int)Shared).Select(static end => (0L, (long)end)), calls[2..(int)(Shared + 2)]);
        Assert.Equal([(0, Shared + 3 - Alone), (Shared + 2, Shared + 3)], calls[(int)(Shared + 2)..(int)(Shared + 4)]);
    }

    [Fact]
    public void ADiskThatIsSyncedAgainAndAgainIsNeverTakenForFree()
    {
        (long From, long End)[] calls = Calls(pieces: (int)(3 * Shared), syncsBefore: static piece => piece / (Shared / 2));
        Assert.Equal(Enumerable.Range((int)(Shared / 2), (int)((3 * Shared) - (Shared / 2) + 1)).Select(static end => (0L, (long)end)), calls[^(int)((3 * Shared) - (Shared / 2) + 1)..]);
    }

    /// <summary>Segments are small beside it.</summary>
    [Fact]
    public void TheNextFileGoesOnWhereTheOneBeforeEnded()
    {
        var directory = new FaultDirectory(new SimDirectory());
        long syncs = 1;
        var pace = new WritebackPace(() => syncs);
        using IStoreFile first = directory.Create("a"), second = directory.Create("b");
        syncs++;
        pace.Start(first, 0, MiB);
        pace.Start(second, 0, MiB);
        pace.Start(second, MiB, 2 * MiB);
        Assert.Equal([("a", 0, 1), ("b", 0, 1), ("b", 0, 2)], directory.Trace.Calls.Where(static call => call.Operation == IoOperation.StartWriteback).Select(static call => (call.File, call.Offset / MiB, call.LengthBytes / MiB)));
    }

    // What was asked of the file, in MiB.
    private static (long From, long End)[] Calls(int pieces, Func<long, long>? syncsBefore)
    {
        var directory = new FaultDirectory(new SimDirectory());
        using IStoreFile file = directory.Create("a");
        long piece = 0;
        var pace = new WritebackPace(syncsBefore is null ? null : () => syncsBefore(piece));
        for (piece = 1; piece <= pieces; piece++) pace.Start(file, (piece - 1) * MiB, piece * MiB);
        return [.. directory.Trace.Calls.Where(static call => call.Operation == IoOperation.StartWriteback).Select(static call => (call.Offset / MiB, (call.Offset + call.LengthBytes) / MiB))];
    }
}
