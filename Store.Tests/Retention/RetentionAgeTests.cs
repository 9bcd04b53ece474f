using Store.Tests.Log;
using Store.Tests.Simulation;
using Store.Tests.State;
using static Store.Tests.Retention.RetentionTests;

namespace Store.Tests.Retention;

/// <summary>Retention by age under clocks that are set: nothing goes before its time because of one, and what is kept longer goes in the end.</summary>
public sealed class RetentionAgeTests
{
    private static readonly TimeSpan Age = TimeSpan.FromHours(1), Minute = TimeSpan.FromMinutes(1), Year = TimeSpan.FromDays(365);
    private static readonly RetentionPolicy Hour = new() { MaxAge = Age };

    // A policy that is applied at every new segment, and a clock that only moves when the test moves it.
    private static NinoStore Open(SimDirectory directory, SetClock clock, int seed = 1, RetentionPolicy? policy = null) =>
        Simulated.Open(directory, seed, o => o with { TimeProvider = clock, Retention = policy, FirstSegmentSizeBytes = 64 * 1024, SegmentSizeBytes = 64 * 1024 });

    // One segment more, a minute after the one before. Takes down when records were really appended.
    private static void Live(NinoStore store, SimDirectory directory, SetClock clock, List<(long Last, TimeSpan At)> appended, int segments)
    {
        for (int i = 0; i < segments; i++)
        {
            clock.Pass(Minute);
            long newest = Segments(directory)[^1];
            while (Segments(directory)[^1] == newest)
            {
                store.AppendBatch<int>([.. Enumerable.Range((int)store.LastSequence + 1, 6000)]);
                appended.Add((store.LastSequence, clock.Passed));
                store.Commit();
            }

            // The youngest of what was removed is old enough.
            long removed = store.FirstSequence - 1;
            if (removed > 0) Assert.True(clock.Passed - appended.First(batch => batch.Last >= removed).At >= Age, $"record {removed} was removed too early");
        }
    }

    [Fact]
    public void AClockThatGoesRightKeepsTheRecordsOfTheAgeAndASegmentMore()
    {
        var (directory, clock, appended) = (new SimDirectory(), new SetClock(), new List<(long, TimeSpan)>());
        using NinoStore store = Open(directory, clock, policy: Hour);

        Live(store, directory, clock, appended, segments: 200);

        // 60 of a minute each, the one that is written, and the one in which the hour began.
        Assert.InRange(Segments(directory).Length, 60, 62);
        IsWhole(store);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(24 * 365)]
    public void AClockThatIsSetForwardRemovesNothingThatIsYounger(int hours)
    {
        var (directory, clock, appended) = (new SimDirectory(), new SetClock(), new List<(long, TimeSpan)>());
        using (NinoStore first = Open(directory, clock)) Live(first, directory, clock, appended, segments: 5);

        using NinoStore store = Open(directory, clock, seed: 2, Hour);
        Live(store, directory, clock, appended, segments: 10);
        Assert.Equal(1, store.FirstSequence);
        clock.Set(TimeSpan.FromHours(hours));

        // Segments from before this opening, from before the setting and from after it: each goes when its hour is over, and no sooner.
        Live(store, directory, clock, appended, segments: 40);
        Assert.Equal(1, store.FirstSequence);
        Assert.Equal(0, store.ApplyRetention(Hour).SegmentsRemoved);
        Live(store, directory, clock, appended, segments: 100);
        Assert.InRange(Segments(directory).Length, 60, 62);
        IsWhole(store);
    }

    [Fact]
    public void AClockThatIsSetBackKeepsRecordsLonger()
    {
        var (directory, clock, appended) = (new SimDirectory(), new SetClock(), new List<(long, TimeSpan)>());
        using NinoStore store = Open(directory, clock, policy: Hour);
        Live(store, directory, clock, appended, segments: 10);
        clock.Set(-2 * Age);
        long[] before = Segments(directory);
        DateTimeOffset latest = store.ReadRecords(store.LastSequence).Single().Timestamp;

        // Two hours until the clock has caught up with the records' times, which stand still meanwhile, and one more.
        Live(store, directory, clock, appended, segments: 119);
        Assert.Equal(latest, store.ReadRecords(store.LastSequence).Single().Timestamp);
        Assert.Equal(1, store.FirstSequence);
        Live(store, directory, clock, appended, segments: 120);
        Assert.True(Segments(directory)[0] > before[^1]);
        Assert.InRange(Segments(directory).Length, 60, 62);
        IsWhole(store);
    }

    [Fact]
    public void WhatWasWrittenWhileTheClockWasAheadIsKeptUntilItHasCaughtUp()
    {
        var (directory, clock, appended) = (new SimDirectory(), new SetClock(), new List<(long, TimeSpan)>());
        using NinoStore store = Open(directory, clock, policy: Hour);
        clock.Set(2 * Age);
        Live(store, directory, clock, appended, segments: 3);
        clock.Set(-2 * Age);

        Live(store, directory, clock, appended, segments: 150);
        Assert.Equal(1, store.FirstSequence);
        Live(store, directory, clock, appended, segments: 100);
        Assert.InRange(Segments(directory).Length, 60, 62);

        // A limit by size does not ask the clock.
        clock.Set(-Year);
        Assert.True(store.ApplyRetention(new RetentionPolicy { MaxAge = Age, MaxBytes = 3 * 64 * 1024 }).SegmentsRemoved > 50);
        IsWhole(store);
    }

    [Fact]
    public void AClockThatIsWrongWhenTheStoreIsOpenedIsBelieved()
    {
        var (directory, clock, appended) = (new SimDirectory(), new SetClock(), new List<(long, TimeSpan)>());
        using (NinoStore first = Open(directory, clock)) Live(first, directory, clock, appended, segments: 5);
        clock.Set(Year);

        using NinoStore store = Open(directory, clock, seed: 2, Hour);

        Assert.Equal(5, store.ApplyRetention().SegmentsRemoved);
    }

    [Fact]
    public async Task ALogThatStandsStillGivesUpWhatHasBecomeTooOld()
    {
        var (directory, clock) = (new SimDirectory(), new HandTimers());
        NinoStore store = Grown(directory, segments: 4, change: o => o with { TimeProvider = clock, Retention = Hour, RunsInline = false });
        clock.Pass(Age - Minute);
        Assert.Equal([1, 2, 3, 4], Segments(directory));

        clock.Pass(Age / 4);

        await Until.HoldsAsync(() => Segments(directory) is [4], TimeSpan.FromSeconds(60));
        IsWhole(store);
        Assert.Equal(1, clock.Waiting);
        store.Dispose();
        Assert.Equal(0, clock.Open);
    }

    [Fact]
    public async Task OpeningRemovesNothingByAgeAndTheTimeAfterItDoes()
    {
        var (directory, clock) = (new SimDirectory(), new HandTimers());
        Grown(directory, segments: 4, change: o => o with { TimeProvider = clock }).Dispose();
        clock.Pass(2 * Age);
        using NinoStore store = Simulated.Open(directory, 2, o => o with { TimeProvider = clock, Retention = Hour, RunsInline = false });
        clock.Pass((Age / 4) - Minute);
        Assert.Equal([1, 2, 3, 4], Segments(directory));

        // What is kept for somebody stays, here too.
        store.OpenCursor("mail", First(directory, 3));
        clock.Pass(Minute);
        await Until.HoldsAsync(() => Segments(directory) is [3, 4], TimeSpan.FromSeconds(60));
        IsWhole(store);
    }

    [Fact]
    public async Task WhoWasToldThatTheLogHasFailedIsNotToldAgainBecauseTimePasses()
    {
        var (faulty, clock) = (new FaultDirectory(new SimDirectory()), new HandTimers());
        NinoStore store = Grown(faulty, segments: 4, change: o => o with { TimeProvider = clock, Retention = Hour, RunsInline = false });
        faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: true);
        await Assert.ThrowsAsync<StoreFailedException>(async () => await store.AppendAsync(1));

        clock.Pass(2 * Age);
        await Until.HoldsAsync(() => clock.Waiting == 1, TimeSpan.FromSeconds(60));

        store.Dispose();
        Assert.Equal(0, clock.Open);
    }
}
