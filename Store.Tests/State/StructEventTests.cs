// Events, commands and states that are structs or hold them: nothing is boxed on the way into the log and the state.

using Store.Serialization;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

[NinoType]
public readonly partial record struct Moved(int Steps, long Total);

[NinoType]
public sealed partial class Walk
{
    public long Total { get; set; }

    public int Moves { get; set; }
}

public sealed class StructEventTests : IDisposable
{
    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task ACommandBecomesAStructEventOrNone()
    {
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Walk> walk = await OpenAsync(store);
            Assert.Equal(1, Move(walk, 3));
            Assert.Equal(0, Move(walk, 0));
            Assert.Equal(2, Move(walk, 4));
            Assert.Throws<InvalidOperationException>(() => walk.Decide<int, Moved>(0, static (_, _) => throw new InvalidOperationException("refused")));

            // The default of the struct is an event as any other.
            Assert.Equal(3, walk.Decide<int, Moved>(0, static (_, _) => default(Moved)));
            Assert.Equal((3, 7L, 3), (store.LastSequence, walk.Read(static w => w.Total), walk.Read(static w => w.Moves)));
            Assert.Equal([new Moved(3, 3), new Moved(4, 7), default], store.Read<Moved>().Select(static r => r.Value));
        }

        await using NinoStore again = Simulated.Open(_directory);
        await using StateStore<Walk> restored = await OpenAsync(again);
        Assert.Equal((7L, 3), (restored.Read(static w => w.Total), restored.Read(static w => w.Moves)));
    }

    [Fact]
    public async Task AnEventWithoutAHandlerIsRefused()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Walk> walk = await OpenAsync(store);
        Assert.Throws<ArgumentException>(() => walk.Decide<int, Unhandled>(0, static (_, _) => new Unhandled(1)));
        Assert.Throws<ArgumentNullException>(() => walk.Decide<int, Moved>(0, (Func<Walk, int, Moved?>)null!));
        Assert.Equal(0, store.LastSequence);
    }

    [Fact]
    public async Task DecidingAndApplyingStructsAllocatesNothing()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder["store"]);
        await using StateStore<Walk> walk = await OpenAsync(store);
        for (int i = 0; i < 1000; i++) Work();
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 1000; i++) Work();
        }));

        void Work()
        {
            Move(walk, 1);
            Move(walk, 0);
            walk.Apply(new Moved(1, 1));
            walk.ApplyBatch<Moved>([new Moved(1, 1), new Moved(2, 3)]);
        }
    }

    private static long Move(StateStore<Walk> walk, int steps) => walk.Decide(steps, static (Walk w, int steps) => steps > 0 ? new Moved(steps, w.Total + steps) : (Moved?)null);

    private static ValueTask<StateStore<Walk>> OpenAsync(NinoStore store) => store.OpenStateAsync<Walk>(static on => on.On<Moved>(static (walk, e) =>
    {
        walk.Total += e.Steps;
        walk.Moves++;
    }));
}

[NinoType]
public readonly partial record struct Unhandled(int Value);
