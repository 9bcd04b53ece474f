// Which checkpoints stay, and from where on is the log needed?

using Store.Faster.Checkpoints;

namespace Store.Tests.KeyValue;

public class KeptCheckpointsTests
{
    [Fact]
    public void TheTwoNewestStayAndTheLogBehindTheOlder()
    {
        KeptCheckpoints kept = new(default, []);
        Assert.Equal(0, kept.Newest);
        foreach (long generation in new long[] { 1, 2, 3 }) kept.Add(generation, 10 * generation);
        Assert.Equal([2, 3], Staying(kept));
        Assert.Equal((3, 20L), (kept.Newest, kept.NeededAfter));
        kept.Hold(2);
        kept.Add(4, 40);
        Assert.Equal([2, 3, 4], Staying(kept));
        kept.LetGo(2);
        Assert.Equal([3, 4], Staying(kept));
    }

    /// <summary>5 failed behind its rename while the state was opened, and could not be removed.</summary>
    [Fact]
    public void OneThatOpeningGaveUpAndCouldNotRemoveIsNone()
    {
        KeptCheckpoints kept = new(new CheckpointInForce(4, 40, default), [5, 4, 3]);
        Assert.Equal(4, kept.Newest);
        Assert.Equal([3, 4], Staying(kept));
        kept.Add(6, 60);
        Assert.Equal([4, 6], Staying(kept));
        Assert.Equal(40, kept.NeededAfter);
    }

    [Fact]
    public void BesideADamagedOneAllStayUntilThereAreTwoOthers()
    {
        KeptCheckpoints kept = new(new CheckpointInForce(1, 10, default), [1]);
        kept.NoteDamage(1);
        Assert.True(kept.IsNewestDamaged);
        kept.Add(2, 10);
        Assert.False(kept.IsNewestDamaged);
        Assert.Equal([1, 2], Staying(kept));
        Assert.Null(kept.NeededAfter);
        kept.NoteDamage(2);
        kept.Add(3, 10);
        Assert.Equal([1, 2, 3], Staying(kept));
        Assert.Null(kept.NeededAfter);
        kept.Add(4, 40);
        Assert.Equal([3, 4], Staying(kept));
        Assert.Equal(10, kept.NeededAfter);
    }

    private static long[] Staying(KeptCheckpoints kept) => [.. Enumerable.Range(0, 10).Select(static generation => (long)generation).Where(kept.Stays)];
}
