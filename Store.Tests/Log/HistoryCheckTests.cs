using Store.Tests.Simulation;
using Xunit.Sdk;

namespace Store.Tests.Log;

/// <summary>Histories of stores that are wrong in one way each are refused; of right ones, none. A checker that lets everything pass would make <see cref="LinearizabilityTests"/> say nothing.</summary>
public sealed class HistoryCheckTests
{
    private const int Last = 2000;

    // Ten records with the values of their sequences, one after the other.
    private static readonly AppendedCall[] Appended = [.. Enumerable.Range(1, 10).Select(static n => new AppendedCall(n * 10, (n * 10) + 5, n, [n]))];

    private static readonly HistoryStart Empty = new([], 1, new Dictionary<string, long> { ["one"] = 0, ["other"] = 0 });

    // A log that was truncated before.
    private static readonly HistoryStart Held = new([.. Enumerable.Range(1, Last)], 4, new Dictionary<string, long> { ["one"] = 5, ["other"] = 9 });

    [Fact]
    public void WhatHappenedOneAfterTheOtherPasses() => Passes(
        Empty,
        [
            .. Appended,
            new CommittedCall(106, 107, Store(10)),
            Seen(110, 111, 1, 10),
            new CursorMovedCall(120, 121, "one", 4),
            new CursorSeenCall(122, 123, "one", 4),
            new CursorCrashedCall(124, 125, "one", Copy(10, 1, ("one", 4), ("other", 0))),
            new BackedUpCall(150, 151, 1, 10, Copy(10, 1, ("one", 4), ("other", 0))),
            new ShippedCall(160, 161, 10, Store(10)),
        ]);

    [Fact]
    public void SoDoesATruncatedLogWithCursors() => Passes(
        Held,
        [
            Seen(1, 2, 4, Last),
            new CursorMovedCall(3, 4, "one", 6),
            new TruncatedCall(5, 6, 6, 4),
            new CursorRefusedCall(7, 8, "other", 2, 4),
            new CursorMovedCall(9, 10, "one", 3),
            new CursorSeenCall(11, 12, "one", 3),
            new BackedUpCall(13, 14, 4, Last, Copy(Last, 4, ("one", 3), ("other", 9))),
            new TruncatedCall(15, 16, 9, 4),
            new CopyRefusedCall(17, 18, 3),
        ]);

    // Reads, also newest first: both come as one kind of call.
    [Fact]
    public void AReadThatMissesWhatWasAppendedBeforeItBeganIsRefused() => IsRefused("was known before it began", Empty, [.. Appended, Seen(110, 111, 1, 9)]);

    [Fact]
    public void AReadWithAHoleIsRefused() => IsRefused("Assert.Equal", Empty, [.. Appended, new SeenCall(110, 111, 1, [.. Numbers(1, 4), .. Numbers(6, 10)], 0)]);

    [Fact]
    public void AReadOfAnotherValueIsRefused() => IsRefused("Assert.Equal", Empty, [.. Appended, new SeenCall(110, 111, 1, [.. Numbers(1, 9), (10, 11)], 0)]);

    [Fact]
    public void AReadOfWhatNobodyAppendedIsRefused() => IsRefused("nobody appended it", Empty, [.. Appended, Seen(110, 111, 1, 11)]);

    [Fact]
    public void AReadOfWhatIsAppendedLaterIsRefused() => IsRefused("read before it was appended", Empty, [.. Appended, Seen(86, 87, 1, 9)]);

    [Fact]
    public void AReadThatSeesLessThanOneBeforeIsRefused() => IsRefused("was known before it began", Empty, [.. Appended[..9], new AppendedCall(100, 200, 10, [10]), Seen(110, 111, 1, 10), Seen(112, 113, 1, 9)]);

    [Fact]
    public void AnAppendThatGetsALowerSequenceThanWhatWasSeenBeforeItIsRefused()
    {
        HistoryCall[] before = [.. Appended[..8], new AppendedCall(90, 200, 10, [10])];
        Passes(Empty, [.. before, Seen(110, 113, 1, 10), new AppendedCall(112, 115, 9, [9])]);
        IsRefused("was given after a later one was known", Empty, [.. before, Seen(110, 111, 1, 10), new AppendedCall(112, 115, 9, [9])]);
        IsRefused("was given after a later one was known", Empty, [.. before, new RefusedCall(110, 111, 7, 11), new AppendedCall(112, 115, 9, [9])]);
    }

    [Fact]
    public void ACommitWithoutWhatWasSeenBeforeItIsRefused()
    {
        HistoryCall[] before = [.. Appended[..9], new AppendedCall(100, 200, 10, [10]), Seen(110, 111, 1, 10)];
        Passes(Empty, [.. before, new CommittedCall(112, 113, Store(10))]);
        IsRefused("10 was promised", Empty, [.. before, new CommittedCall(112, 113, Store(9))]);
    }

    [Fact]
    public void ACommitAfterWhichThePowerFailureTakesTheBeginningIsRefused()
    {
        Passes(Held, [new CommittedCall(1, 2, Copy(Last, 4))]);
        IsRefused("Assert.InRange", new HistoryStart(Held.Values, 1, Held.Cursors), [new CommittedCall(1, 2, Copy(Last, 4))]);
    }

    [Fact]
    public void AReadOfHalfABatchIsRefused() => IsRefused("Assert.Equal", Empty, [new AppendedCall(1, 9, 1, [1, 2, 3]), Seen(3, 4, 1, 2)]);

    [Fact]
    public void AReadThatEndsWithATruncationToWhereNoneWentIsRefused()
    {
        SeenCall read = new(1, 3, 4, Numbers(4, 5), 7);
        Passes(Held, [new TruncatedCall(1, 2, 7, 6), new SeenCall(1, 3, 4, [(4, 4)], 6)]);
        IsRefused("Assert.InRange", Held, [new TruncatedCall(1, 2, 7, 6), read]);
        IsRefused("Assert.Contains", new HistoryStart(Held.Values, 4, new Dictionary<string, long> { ["one"] = 20, ["other"] = 20 }), [new TruncatedCall(1, 2, 9, 9), read]);
    }

    [Fact]
    public void AReadThatBeginsLateThoughNothingWasRemovedIsRefused() => IsRefused("Assert.InRange", Empty, [.. Appended, new SeenCall(110, 111, 1, Numbers(2, 10), 0)]);

    [Fact]
    public void AReadOfWhatWasRemovedBeforeItBeganIsRefused() => IsRefused("Assert.InRange", Held, [Seen(1, 2, 3, Last)]);

    [Fact]
    public void AReadThatEndsWithATruncationWhichNobodyMadeIsRefused() => IsRefused("Assert.InRange", Held, [new SeenCall(1, 2, 4, Numbers(4, 5), 8)]);

    [Fact]
    public void AReadThatEndsWithATruncationOfWhatItHasReadIsRefused() =>
        IsRefused("Assert.InRange", Held, [new TruncatedCall(1, 2, 6, 6), new SeenCall(1, 3, 4, Numbers(4, 7), 6)]);

    [Fact]
    public void ACursorThatStandsWhereNobodyMovedItIsRefused() => HasNoOrder(Held, [new CursorSeenCall(1, 2, "one", 6)]);

    [Fact]
    public void ACursorThatForgetsAMoveIsRefused() => HasNoOrder(Held, [new CursorMovedCall(1, 2, "one", 7), new CursorSeenCall(3, 4, "one", 5)]);

    [Fact]
    public void ACursorThatKnowsOfAMoveBeforeItBeganIsRefused() => HasNoOrder(Held, [new CursorSeenCall(1, 2, "one", 7), new CursorMovedCall(3, 4, "one", 7)]);

    // While it is moved it may be seen at either place, but not here, there and here again.
    [Fact]
    public void ACursorThatGoesBackByItselfIsRefused()
    {
        HistoryCall[] seen = [new CursorSeenCall(2, 3, "one", 5), new CursorMovedCall(1, 20, "one", 7), new CursorSeenCall(4, 5, "one", 7)];
        Passes(Held, seen);
        HasNoOrder(Held, [.. seen, new CursorSeenCall(6, 7, "one", 5)]);
    }

    [Fact]
    public void ACursorThatMovesWithAnotherIsRefused() => HasNoOrder(Held, [new CursorMovedCall(1, 2, "one", 7), new CursorSeenCall(3, 4, "other", 7)]);

    [Fact]
    public void ACursorThatGoesBackBeforeTheLogsBeginningIsRefused() => HasNoOrder(Held, [new CursorMovedCall(1, 2, "one", 2)]);

    [Fact]
    public void ACursorThatMayNotGoBackThoughItsRecordIsThereIsRefused() => HasNoOrder(Held, [new CursorRefusedCall(1, 2, "other", 3, 4)]);

    [Fact]
    public void ATruncationOfWhatACursorHasBeforeItIsRefused()
    {
        Passes(Held, [new TruncatedCall(1, 2, 9, 6)]);
        HasNoOrder(Held, [new TruncatedCall(1, 2, 9, 7)]);
    }

    [Fact]
    public void ATruncationThatForgetsWhatACursorHoldsSinceItWentBackIsRefused()
    {
        Passes(Held, [new CursorMovedCall(1, 2, "one", 9), new TruncatedCall(3, 4, 9, 9)]);
        HasNoOrder(Held, [new CursorMovedCall(1, 2, "one", 9), new CursorMovedCall(3, 4, "one", 4), new TruncatedCall(5, 6, 9, 9)]);
    }

    [Fact]
    public void ATruncationThatBringsBackWhatWasRemovedIsRefused() => HasNoOrder(Held, [new TruncatedCall(1, 2, 5, 5), new TruncatedCall(3, 4, 4, 4)]);

    [Fact]
    public void AMovedCursorThatAPowerFailureMovesBackIsRefused()
    {
        HistoryCall[] seen = [new CursorMovedCall(1, 2, "one", 7)];
        Passes(Held, [.. seen, new CursorCrashedCall(3, 4, "one", Copy(Last, 4, ("one", 7), ("other", 9)))]);
        IsRefused("Assert.Contains", Held, [.. seen, new CursorCrashedCall(3, 4, "one", Copy(Last, 4, ("one", 5), ("other", 9)))]);
    }

    [Fact]
    public void ACursorThatAPowerFailureLeavesAheadOfItsRecordsIsRefused() => IsRefused("Corruption", Held, [new CursorMovedCall(1, 2, "one", 9), new CursorCrashedCall(3, 4, "one", Ahead(shorter: 7, position: 9))]);

    [Fact]
    public void ACursorThatAPowerFailureRemovesIsRefused() => IsRefused("Assert.Contains", Held, [new CursorCrashedCall(3, 4, "one", Copy(Last, 4, ("other", 9)))]);

    [Fact]
    public void ABackupThatMissesWhatWasAppendedBeforeItBeganIsRefused() => IsRefused("was promised", Empty, [.. Appended, new BackedUpCall(110, 111, 1, 9, Copy(9, 1, ("one", 0), ("other", 0)))]);

    [Fact]
    public void ABackupOfOtherValuesIsRefused() => IsRefused("Assert.Equal", Empty, [.. Appended, new BackedUpCall(110, 111, 1, 10, Copy(10, 1, offset: 1, ("one", 0), ("other", 0)))]);

    [Fact]
    public void ABackupOfWhatIsAppendedLaterIsRefused() => IsRefused("was there before it was appended", Empty, [.. Appended, new BackedUpCall(50, 51, 1, 10, Copy(10, 1, ("one", 0), ("other", 0)))]);

    [Fact]
    public void ABackupThatHoldsAnotherLogThanItSaysIsRefused() => IsRefused("Assert.Equal", Empty, [.. Appended, new BackedUpCall(110, 111, 1, 9, Copy(10, 1, ("one", 0), ("other", 0)))]);

    [Fact]
    public void ABackupThatBeginsLaterThanTheLogIsRefused() => HasNoOrder(Empty, [.. Appended, new BackedUpCall(110, 111, 4, 10, Store(10))]);

    [Fact]
    public void ABackupOfACursorWhereItNeverStoodIsRefused() => IsRefused("Assert.Contains", Held, [new BackedUpCall(1, 2, 4, Last, Copy(Last, 4, ("one", 6), ("other", 9)))]);

    [Fact]
    public void AShipmentThatMissesWhatWasDurableBeforeItBeganIsRefused()
    {
        HistoryCall[] seen = [.. Appended, new CommittedCall(106, 107, Store(10))];
        Passes(Empty, [.. seen, new ShippedCall(105, 110, 9, Store(9))]);
        IsRefused("was promised", Empty, [.. seen, new ShippedCall(108, 110, 9, Store(9))]);
    }

    [Fact]
    public void AShipmentOfOtherValuesIsRefused() => IsRefused("Assert.Equal", Empty, [.. Appended, new ShippedCall(110, 111, 9, Copy(9, 1, offset: 1))]);

    [Fact]
    public void AShipmentOfWhatIsAppendedLaterIsRefused() => IsRefused("was there before it was appended", Empty, [.. Appended, new ShippedCall(50, 51, 10, Store(10))]);

    [Fact]
    public void AShipmentOfHalfABatchIsRefused() => IsRefused("Assert.Equal", Empty, [new AppendedCall(1, 2, 1, [1, 2, 3]), new ShippedCall(3, 4, 2, Store(2))]);

    [Fact]
    public void AFollowerThatAPowerFailureTakesBackBehindWhatItSaidIsRefused() => IsRefused("Assert.Equal", Empty, [.. Appended, new ShippedCall(110, 111, 9, Store(8))]);

    [Fact]
    public void ACopyThatIsRefusedThoughTheLogReachesBackToItIsRefused() => IsRefused("copying behind record 4 was refused", Held, [new CopyRefusedCall(1, 2, 4)]);

    [Fact]
    public void ARestartThatForgetsACursorsPositionIsRefused()
    {
        var check = new HistoryCheck(Held, [new CursorMovedCall(1, 2, "one", 7)]);
        using (NinoStore right = Simulated.Open(Copy(Last, 4, ("one", 7), ("other", 9)), seed: 7)) Assert.Equal(7, check.Reopened(right, Last).Cursors["one"]);
        using NinoStore wrong = Simulated.Open(Copy(Last, 4, ("one", 5), ("other", 9)), seed: 7);
        Assert.ThrowsAny<XunitException>(() => check.Reopened(wrong, Last));
    }

    private static void Passes(HistoryStart start, HistoryCall[] calls) => new HistoryCheck(start, calls).Run();

    private static void HasNoOrder(HistoryStart start, HistoryCall[] calls) => IsRefused("no order of the calls", start, calls);

    private static void IsRefused(string why, HistoryStart start, HistoryCall[] calls) =>
        Assert.Contains(why, Assert.ThrowsAny<XunitException>(new HistoryCheck(start, calls).Run).Message, StringComparison.Ordinal);

    private static (long Sequence, int Value)[] Numbers(int from, int to) => [.. Enumerable.Range(from, to - from + 1).Select(static n => ((long)n, n))];

    private static SeenCall Seen(long begin, long end, int from, int to) => new(begin, end, from, Numbers(from, to), 0);

    private static SimDirectory Store(int records) => Copy(records, 1);

    private static SimDirectory Copy(int records, int first, params (string Name, long Position)[] cursors) => Copy(records, first, 0, cursors);

    // A store with so many records. One that begins with the fourth has all from there on in its second segment.
    private static SimDirectory Copy(int records, int first, int offset, params (string Name, long Position)[] cursors)
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        Append(store, 1, first == 4 ? 3 : records, offset);
        if (first == 4) store.AppendBatch<int>([.. Enumerable.Range(4, records - 3)]);
        store.Commit();
        Assert.Equal(first, store.TruncateBefore(first).FirstSequence);
        foreach ((string name, long position) in cursors) store.OpenCursor(name, position);
        return directory.KillProcess();
    }

    // A cursor of a store that had more records, beside the log of one that has fewer.
    private static SimDirectory Ahead(int shorter, long position)
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        Append(store, 1, shorter, 0);
        store.OpenCursor("other", shorter);
        SimDirectory before = directory.KillProcess();
        Append(store, shorter + 1, 10, 0);
        store.OpenCursor("one", position);
        string file = directory.List().Select(static f => f.Name).Single(name => before.List().All(f => f.Name != name) && name.EndsWith(".nino", StringComparison.Ordinal) && !name.StartsWith("segment", StringComparison.Ordinal));
        FileBytes.Put(before, file, FileBytes.Of(directory, file));
        return before;
    }

    private static void Append(NinoStore store, int from, int to, int offset)
    {
        for (int n = from; n <= to; n++)
        {
            store.Append(n + offset);
            store.Commit();
        }
    }
}
