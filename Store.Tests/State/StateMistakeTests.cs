// What a program does wrong with a state, and what it is told: at once, and what to do instead.

using Store.Serialization;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class StateMistakeTests : IDisposable
{
    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    /// <summary>Whoever keeps the list of handlers and adds one later would have a state that missed the records before, and whose event anybody may append beside it.</summary>
    [Fact]
    public async Task AnEventIsNamedBeforeTheStateIsOpenedOrNotAtAll()
    {
        await using NinoStore store = Simulated.Open(_directory);
        StateHandlers<Bank>? kept = null;
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(on => kept = on.On<Deposited>(static (bank, e) => bank.Apply(e)));
        Assert.Contains("'Withdrawn'", Assert.Throws<InvalidOperationException>(() => kept!.On<Withdrawn>(static (bank, e) => bank.Apply(e))).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => bank.Apply(new Withdrawn("ann", 1)));
        Assert.Equal(0, store.LastSequence);
    }

    [Fact]
    public async Task ACaseIsToldThatItsBaseIsTheEvent()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(static on => on.On<Movement>(static (bank, e) => bank.Events += e.Amount));
        ArgumentException refused = Assert.Throws<ArgumentException>(() => bank.Apply(new Shifted(3)));
        Assert.Contains("Its base 'Store.Tests.State.Movement' is", refused.Message, StringComparison.Ordinal);
        bank.Apply<Movement>(new Shifted(3));
        Assert.Equal(3, bank.Read(static b => b.Events));
    }

    [Fact]
    public async Task ReadingInsideACallbackIsToldWhatToDo()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        LockRecursionException[] refused =
        [
            Assert.Throws<LockRecursionException>(() => bank.Read(_ => bank.Read(static b => b.Events))),
            Assert.Throws<LockRecursionException>(() => bank.Decide<int, Deposited>(0, (_, _) => new Deposited("ann", bank.Read(static b => b.Events)))),
        ];
        Assert.All(refused, static e => Assert.Contains("the state 'Bank'", e.Message, StringComparison.Ordinal));
        Assert.Equal(0, bank.Read(static b => b.Events));
    }
}

/// <summary>An event of which there are several sorts.</summary>
[NinoType]
public abstract partial record Movement(long Amount);

/// <summary>One of them.</summary>
[NinoType]
public sealed partial record Shifted(long Amount) : Movement(Amount);
