// A state whose type cannot be made from nothing: the program says how it begins.

using Store.Serialization;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class InitialStateTests : IDisposable
{
    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task ItBeginsAsTheProgramSaysAndGoesOnFromTheSnapshot()
    {
        int made = 0;
        Till Begin()
        {
            made++;
            return new Till("till 1", 100);
        }

        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Till> till = await store.OpenStateAsync(Begin, Till.Events);
            till.Apply(new Deposited("x", 5));
            Assert.Equal(105, till.Read(static t => t.Sum));
            await till.CheckpointAsync();
            till.Apply(new Deposited("x", 1));
        }

        await using NinoStore again = Simulated.Open(_directory, 2);
        await using (StateStore<Till> till = await again.OpenStateAsync(Begin, Till.Events)) Assert.Equal(("till 1", 106), till.Read(static t => (t.Name, t.Sum)));
        Till restored = await again.RestoreAsync(Begin, static (Till t, Deposited e) => t.With(e));
        Assert.Equal(106, restored.Sum);
        Assert.Equal(1, made);
    }

    /// <summary>Also where the log has no event of it, so that no handler meets it.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public async Task AStateThatBeginsAsNullIsRefusedNamingTheCallback(int events)
    {
        await using NinoStore store = Simulated.Open(_directory);
        for (int i = 0; i < events; i++) store.Append(new Deposited("x", 1));
        InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(async () => await store.OpenStateAsync<Till>(static () => null!, Till.Events));
        Assert.Contains("'Till' before its first event gave null", refused.Message, StringComparison.Ordinal);
        await using StateStore<Till> till = await store.OpenStateAsync(static () => new Till("t", 0), Till.Events);
        Assert.Equal(events, till.Read(static t => t.Sum));
    }

    [Fact]
    public async Task WithoutASnapshotEveryRecordIsCarriedIntoWhatTheProgramGives()
    {
        await using NinoStore store = Simulated.Open(_directory);
        for (int i = 1; i <= 4; i++) store.Append(new Deposited("x", i));
        Assert.Equal(("t", 20), await store.RestoreAsync(static () => new Till("t", 10), static (Till t, Deposited e) => t.With(e)) is var typed ? (typed.Name, typed.Sum) : default);
        Till all = await store.RestoreAsync(static () => new Till("t", 30), static (t, record) => t.Sum += record.As<Deposited>().Amount);
        Assert.Equal(40, all.Sum);
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await store.RestoreAsync((Func<Till>)null!, static (t, record) => t.Sum++));
    }
}

/// <summary>It has no constructor without parameters.</summary>
[NinoType]
public sealed partial class Till(string name, long sum)
{
    public string Name { get; } = name;

    public long Sum { get; set; } = sum;

    public static void Events(StateHandlers<Till> on) => on.On<Deposited>(static (till, e) => till.Sum += e.Amount);

    public Till With(Deposited e)
    {
        Sum += e.Amount;
        return this;
    }
}
