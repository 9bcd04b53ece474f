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

    /// <summary>Its exception stays what it is. Records of a frame of one type are gone through in one loop, others one by one.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task AHandlerThatThrowsWhileAStateIsOpenedSaysAtWhichRecord(bool isMixed)
    {
        await using NinoStore store = Simulated.Open(_directory);
        for (int i = 1; i <= 5; i++)
        {
            store.Append(new Deposited("ann", i));
            if (isMixed) store.Append(new Withdrawn("ann", 1));
        }

        long poison = isMixed ? 5 : 3;
        Exception[] thrown =
        [
            await Assert.ThrowsAsync<FormatException>(async () => await store.OpenStateAsync<Bank>(on => on.On<Deposited>((bank, e) => Carry(e)))),
            await Assert.ThrowsAsync<FormatException>(async () => await store.RestoreAsync<Bank, Deposited>((bank, e) => Carry(e))),
            await Assert.ThrowsAsync<FormatException>(async () => await store.RestoreAsync<Bank>((bank, record) =>
            {
                if (record.Is<Deposited>()) Carry(record.As<Deposited>());
            })),
        ];
        Assert.All(thrown, e => Assert.Equal((poison, NinoSerializer.SchemaOf<Deposited>().Name), ((long)e.Data["NinoStore.Sequence"]!, e.Data["NinoStore.RecordType"])));

        // One object that is thrown again, somewhere else, has the new place.
        FormatException same = new("the same");
        for (long at = 1; at <= 2; at++)
        {
            long left = at;
            await Assert.ThrowsAsync<FormatException>(async () => await store.RestoreAsync<Bank, Deposited>((_, _) =>
            {
                if (--left == 0) throw same;
            }));
            Assert.Equal(isMixed ? (2 * at) - 1 : at, same.Data["NinoStore.Sequence"]);
        }

        // Nothing is left open: corrected, the state opens.
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal(isMixed ? 10 : 5, bank.LastSequence);

        void Carry(Deposited e)
        {
            if (e.Amount == 3) throw new FormatException("an amount of 3");
        }
    }

    [Fact]
    public async Task AStateWhoseHandlerThrewIsDisposedAndOpenedAgainOnTheSameStore()
    {
        await using NinoStore store = Simulated.Open(_directory);
        bool isCorrected = false;
        StateStore<Bank> bank = await OpenAsync();
        StoreFailedException failed = Assert.Throws<StoreFailedException>(() => bank.Apply(new Deposited("ann", 7)));
        Assert.Contains("dispose the state and open it again", failed.Message, StringComparison.Ordinal);
        await bank.DisposeAsync();
        isCorrected = true;
        await using StateStore<Bank> again = await OpenAsync();
        Assert.Equal(7, again.Read(static b => b.Events));

        async Task<StateStore<Bank>> OpenAsync() => await store.OpenStateAsync<Bank>(on => on.On<Deposited>((bank, e) => bank.Events += isCorrected ? e.Amount : throw new FormatException("not yet")));
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
