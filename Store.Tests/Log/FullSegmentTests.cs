using Store.Framing;
using Store.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>A segment whose last frame leaves no room for a mark beside the footer: the footer says what the mark would have.</summary>
public class FullSegmentTests
{
    // Enough to end a segment of 4 KiB with every number of bytes left.
    private const int Counts = 900;

    [Fact]
    public void ALogThatIsClosedWhereItsSegmentIsFullWasClosedProperlyAndGoesOn()
    {
        int full = 0;
        foreach ((SimDirectory sim, int count, NinoStore store) in Filled())
        {
            store.Dispose();
            if (LastFrame(sim).Kind == FrameKind.Footer) full++;
            using (NinoStore again = Simulated.Open(sim, 2))
            {
                Assert.Equal((true, count), (again.Recovery.CleanClose, again.LastSequence));
                again.Append(count + 1);
                Simulated.Commit(again);
                RetentionTests.IsWhole(again);
            }

            using NinoStore third = Simulated.Open(sim, 3);
            Assert.Equal((true, count + 1), (third.Recovery.CleanClose, third.LastSequence));
        }

        Assert.True(full > 0, "no segment was full");
    }

    [Fact]
    public void ALogThatFallsIdleWhereItsSegmentIsFullSaysWhatIsOnTheDisk()
    {
        int full = 0;
        foreach ((SimDirectory sim, int count, NinoStore store) in Filled())
        {
            Simulated.Commit(store);
            FallIdle(store);
            bool isFull = LastFrame(sim).Kind == FrameKind.Footer;
            if (isFull) full++;

            // It says so, and says it once.
            Assert.Equal(count, LastFrame(sim).SyncedThrough);
            long frames = Frames.Of(sim, RetentionTests.Segments(sim)[^1]).Count;
            FallIdle(store);
            Assert.Equal(frames, Frames.Of(sim, RetentionTests.Segments(sim)[^1]).Count);

            // What was acknowledged and is damaged is then known to be no torn tail.
            SimDirectory killed = sim.KillProcess();
            if (isFull) IsMissedWhenDamaged(killed, count);
            using (NinoStore again = Simulated.Open(killed, 2)) Assert.Equal((count, 0L), (again.LastSequence, again.Recovery.BytesCut));
            Assert.Equal(count + 1, store.Append(count + 1));
            store.Dispose();
            using NinoStore third = Simulated.Open(sim, 3);
            Assert.Equal((true, count + 1), (third.Recovery.CleanClose, third.LastSequence));
            RetentionTests.IsWhole(third);
        }

        Assert.True(full > 0, "no segment was full");
    }

    private static void IsMissedWhenDamaged(SimDirectory killed, int count)
    {
        SimDirectory damaged = killed.KillProcess();
        string name = SegmentFormat.Name(RetentionTests.Segments(damaged)[^1]);
        PlacedFrame last = Frames.WithPlaces(damaged, RetentionTests.Segments(damaged)[^1]).Last(static frame => frame.Header.RecordCount > 0);
        Assert.Equal(count, last.Header.LastSequence);
        using (Store.IO.IStoreFile file = damaged.OpenWrite(name)) file.Write([0xEE], last.Offset + FrameFormat.HeaderSize);
        Assert.Throws<StoreCorruptException>(() => Simulated.Open(damaged, 2));
    }

    // Every number of records, in frames as full as they become.
    private static IEnumerable<(SimDirectory Directory, int Count, NinoStore Store)> Filled()
    {
        for (int count = 1; count <= Counts; count++)
        {
            var sim = new SimDirectory();
            NinoStore store = Simulated.Open(sim);
            for (int i = 1; i <= count; i++) store.Append(i);
            yield return (sim, count, store);
        }
    }

    private static FrameHeader LastFrame(SimDirectory sim) => Frames.Of(sim, RetentionTests.Segments(sim)[^1])[^1];

    // What the flusher's thread does when nobody asked for anything; here there is only this one.
    private static void FallIdle(NinoStore store)
    {
        IFlusherWork work = store.Opened.Log;
        work.FallIdleLocked();
        work.Flush();
    }
}
