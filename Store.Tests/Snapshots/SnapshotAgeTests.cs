// Snapshots kept for their age under clocks that are set: none goes before its time because of one, and none stays for good.

using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Snapshots;

public sealed class SnapshotAgeTests
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1), Year = TimeSpan.FromDays(365);

    private readonly SimDirectory _directory = new();
    private readonly SetClock _clock = new();
    private int _openings;

    /// <summary>Set forward and back again, between checkpoints that lie minutes apart.</summary>
    [Theory]
    [InlineData(10)]
    [InlineData(-50)]
    public async Task AClockThatIsSetMakesNoSnapshotOfThisOpeningOlder(int years)
    {
        await using NinoStore store = Open();
        for (int i = 1; i <= 10; i++)
        {
            _clock.Set(i % 2 == 0 ? years * Year : -years * Year);
            await CheckpointAsync(store, TimeSpan.FromMinutes(5));
            Assert.Equal(i, store.Snapshots.Count);
        }

        // And each goes when its hour has really passed.
        for (int i = 0; i < 5; i++)
        {
            await CheckpointAsync(store, 2 * Hour);
        }

        Assert.Equal(2, store.Snapshots.Count);
    }

    /// <summary>Written while the clock was ten years ahead, and left by an opening that has ended.</summary>
    [Fact]
    public async Task OneOfTheFutureGoesWhenTheNextIsOldEnough()
    {
        _clock.Set(10 * Year);
        await using (NinoStore store = Open())
        {
            for (int i = 0; i < 3; i++) await CheckpointAsync(store, TimeSpan.FromMinutes(1));
        }

        _clock.Set(-10 * Year);
        await using (NinoStore store = Open())
        {
            await CheckpointAsync(store, TimeSpan.FromMinutes(1));
            Assert.Equal([4, 3, 2, 1], store.Snapshots.Select(static s => s.Sequence));
        }

        _clock.Pass(2 * Hour);
        await using (NinoStore store = Open())
        {
            await CheckpointAsync(store, TimeSpan.FromMinutes(1));
            Assert.Equal([5, 4], store.Snapshots.Select(static s => s.Sequence));
        }
    }

    /// <summary>Written before the clock was set after a start without one, and read by the next opening: it is no older than the one before it.</summary>
    [Fact]
    public async Task OneOfThePastIsNoOlderThanTheOneBeforeIt()
    {
        await using (NinoStore store = Open()) await CheckpointAsync(store, TimeSpan.FromMinutes(1));
        _clock.Set(-50 * Year);
        await using (NinoStore store = Open()) await CheckpointAsync(store, TimeSpan.FromMinutes(1));
        _clock.Set(50 * Year);
        await using (NinoStore store = Open())
        {
            for (int i = 0; i < 3; i++) await CheckpointAsync(store, TimeSpan.FromMinutes(1));
            Assert.Equal([5, 4, 3, 2, 1], store.Snapshots.Select(static s => s.Sequence));
        }

        _clock.Pass(2 * Hour);
        await using (NinoStore store = Open())
        {
            await CheckpointAsync(store, TimeSpan.FromMinutes(1));
            Assert.Equal([6, 5], store.Snapshots.Select(static s => s.Sequence));
        }
    }

    private async Task CheckpointAsync(NinoStore store, TimeSpan after)
    {
        _clock.Pass(after);
        store.Append(1);
        await store.CheckpointAsync(new Score(store.LastSequence));
    }

    private NinoStore Open() => Simulated.Open(_directory, ++_openings, o => o with { SnapshotKeepFor = Hour, TimeProvider = _clock });
}
