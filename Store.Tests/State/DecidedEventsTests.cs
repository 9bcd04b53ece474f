// A decision of several events is one frame and one step, of whatever types they are: all are in the log and in the state, or none is.

using Store.Buffers;
using Store.Framing;
using Store.Log;
using Store.Serialization;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.State;

public sealed class DecidedEventsTests : IDisposable
{
    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task SeveralEventsOfSeveralTypesAreOneFrameAndOneStep()
    {
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointEveryEvents = 3 });
            Assert.Equal(1, Transfer(bank, ["ann", "bob", "cid"], 5));
            Assert.Equal((3, "3: ann=-10, bob=5, cid=5"), (bank.LastSequence, bank.Read(static b => b.Text())));
            Assert.Equal(3, Assert.Single(store.Snapshots).Sequence);
            Assert.Equal(0, Transfer(bank, ["ann"], 5));
            Assert.Equal(4, Transfer(bank, ["bob", "cid"], 1));
            LogRecord[] records = [.. store.ReadRecords()];
            Assert.Equal([new Withdrawn("ann", 10), new Withdrawn("bob", 1)], records.Where(static r => r.Is<Withdrawn>()).Select(static r => r.As<Withdrawn>()));
            Assert.Equal([new Deposited("bob", 5), new Deposited("cid", 5), new Deposited("cid", 1)], records.Where(static r => r.Is<Deposited>()).Select(static r => r.As<Deposited>()));

            // The clock moves for every frame.
            Assert.Single(records.Take(3).Select(static r => r.Timestamp).Distinct());
            Assert.Single(records.Skip(3).Select(static r => r.Timestamp).Distinct());
        }

        await using NinoStore again = Simulated.Open(_directory);
        Assert.Equal("5: ann=-10, bob=4, cid=6", await Bank.OpenedTextAsync(again));
    }

    /// <summary>Several of one type are a batch without the number of a type in front of each record: as <c>ApplyBatch</c> writes it.</summary>
    [Fact]
    public async Task SeveralEventsOfOneTypeAreABatchAsAnyOther()
    {
        Deposited[] deposits = [new("ann", 1), new("bob", 2)];
        using var other = new SimDirectory();
        await using (NinoStore store = Simulated.Open(_directory), twin = Simulated.Open(other))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_), batched = await twin.OpenStateAsync<Bank>(Bank.Events_);
            Assert.Equal(1, bank.Decide(deposits, static (_, deposits, events) =>
            {
                foreach (Deposited deposited in deposits) events.Add(deposited);
                Assert.Equal(2, events.Count);
            }));
            Assert.Equal(1, batched.ApplyBatch<Deposited>(deposits));
            Assert.Equal(batched.Read(static b => b.Text()), bank.Read(static b => b.Text()));
        }

        Assert.Equal(RecordFrames(other), RecordFrames(_directory));
    }

    [Fact]
    public async Task WhatADecisionThrowsLeavesNothingOfWhatItAdded()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Throws<ArithmeticException>(() => bank.Decide(0, static (_, _, events) =>
        {
            events.Add(new Deposited("ann", 1));
            events.Add(new Withdrawn("ann", 1));
            if (events.Count == 2) throw new ArithmeticException("refused");
        }));
        Assert.Throws<LockRecursionException>(() => bank.Decide(bank, static (_, bank, events) =>
        {
            events.Add(new Deposited("ann", 1));
            bank.Apply(new Deposited("ann", 1));
        }));
        Assert.Throws<ArgumentNullException>(() => bank.Decide(0, (Action<Bank, int, DecidedEvents<Bank>>)null!));
        Assert.Equal((0, "0: "), (store.LastSequence, bank.Read(static b => b.Text())));
    }

    [Fact]
    public async Task AnEventThatIsRefusedIsNotAmongThem()
    {
        await using NinoStore store = Simulated.Open(_directory, change: static options => options with { MaxRecordSizeBytes = 1000 });
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal(1, bank.Decide(new string('x', 2000), static (_, tooLong, events) =>
        {
            events.Add(new Deposited("ann", 1));
            Assert.Throws<ArgumentNullException>(() => events.Add<Deposited>(null!));
            Assert.Throws<RecordTooLargeException>(() => events.Add(new Withdrawn(tooLong, 1)));
            Assert.Contains("Remark", Assert.Throws<ArgumentException>(() => events.Add(new Remark("?"))).Message, StringComparison.Ordinal);
            events.Add(new Withdrawn(new string('y', 500), 2));
            events.Add(new Deposited("bob", 3));
            Assert.Equal(3, events.Count);
        }));
        Assert.Equal(3, store.LastSequence);
        Assert.Equal(Bank.Of(store).Text(), bank.Read(static b => b.Text()));
        Assert.Equal([new Deposited("ann", 1), new Deposited("bob", 3)], store.Read<Deposited>().Select(static r => r.Value));
    }

    /// <summary>A frame has the number of its schema in front of each record when there are several types. Where that makes them too many, the event is refused that does it, while whoever decides can still do without.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task EventsThatAreTooManyForAFrameAreRefusedWhereTheyAreAdded(bool areMixed)
    {
        const int LimitBytes = 1000;
        await using NinoStore store = Simulated.Open(_directory);
        var handlers = new StateHandlers<Bank>();
        Bank.Events_(handlers);
        RecordBuffer buffer = RecordBuffer.Rent(NinoStore.MaxBatchBytes, "batch");
        var events = new DecidedEvents<Bank>(store, handlers, buffer, LimitBytes);
        if (areMixed) events.Add(new Withdrawn("ann", 1));
        Exception? refusal = null;
        for (int i = 0; i < LimitBytes && refusal is null; i++) refusal = Record.Exception(() => events.Add(new Deposited("bob", 1)));
        Assert.Contains($"{LimitBytes} bytes", Assert.IsType<RecordTooLargeException>(refusal).Message, StringComparison.Ordinal);
        int count = events.Count, each = buffer.Written.Length / count;

        // Of one type, the first of another makes room necessary in front of each.
        if (!areMixed) Assert.Throws<RecordTooLargeException>(() => events.Add(new Withdrawn("", 0)));
        Assert.Equal((count, count * each), (events.Count, buffer.Written.Length));
        events.Complete();

        // What the log would refuse is what is refused, to the byte, the schemas' numbers taken for as long as they may be.
        long perRecord = areMixed ? each + 3 : each;
        Assert.Equal(LimitBytes / perRecord, count);
        Assert.Equal(count * (each + 3L), events.Batch.MostLengthBytes);
        if (areMixed) Assert.InRange(events.Batch.MostLengthBytes, LimitBytes - perRecord + 1, LimitBytes);
        buffer.Return();
    }

    [Fact]
    public async Task NothingIsAddedToADecisionThatIsMade()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        DecidedEvents<Bank> kept = null!;
        bank.Decide(0, (_, _, events) =>
        {
            kept = events;
            events.Add(new Deposited("ann", 1));
        });
        Assert.Contains("'Deposited'", Assert.Throws<InvalidOperationException>(() => kept.Add(new Deposited("ann", 1))).Message, StringComparison.Ordinal);
        Assert.Throws<ArithmeticException>(() => bank.Decide(0, (_, _, events) =>
        {
            kept = events;
            if (kept.Count == 0) throw new ArithmeticException("refused");
        }));
        Assert.Throws<InvalidOperationException>(() => kept.Add(new Deposited("ann", 1)));
        Assert.Equal((1, "1: ann=1"), (store.LastSequence, bank.Read(static b => b.Text())));
    }

    /// <summary>A continuation comes when it comes: what it would write into may be another decision's by then.</summary>
    [Fact]
    public async Task AnotherThreadAddsNothingToADecision()
    {
        await using NinoStore store = Simulated.Open(_directory);
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        Assert.Equal(1, bank.Decide(0, static (_, _, events) =>
        {
            events.Add(new Deposited("ann", 1));
            Exception? refused = null;
            var other = new Thread(() => refused = Record.Exception(() => events.Add(new Deposited("bob", 1))));
            other.Start();
            other.Join();
            Assert.Contains("another thread", Assert.IsType<InvalidOperationException>(refused).Message, StringComparison.Ordinal);
            events.Add(new Deposited("cid", 1));
        }));
        Assert.Equal((2, "2: ann=1, cid=1"), (store.LastSequence, bank.Read(static b => b.Text())));
    }

    /// <summary>An async lambda would be an async void, whose exception ends the process.</summary>
    [Theory]
    [InlineData("async (state, command, events) => { await Task.Yield(); events.Add(1); }", "CS0619")]
    [InlineData("async (_, _, events) => { events.Add(1); await new ValueTask(); }", "CS0619")]
    [InlineData("(_, _, _) => Task.CompletedTask", "CS0619")]
    [InlineData("Later", "CS0619")]
    [InlineData("(_, _, _) => throw new System.ArithmeticException()", "CS0619")]
    [InlineData("(_, _, _) => new ValueTask()", "CS0619")]
    [InlineData("(state, command, events) => { if (command > 0) events.Add(1); }", null)]
    [InlineData("static (_, command, events) => events.Add(command)", null)]
    [InlineData("(_, command) => command > 0 ? state : null", null)]
    [InlineData("(_, command) => command > 0 ? command : default(int?)", null)]
    [InlineData("AtOnce", null)]
    public void ADecisionThatAwaitsDoesNotCompile(string decide, string? error)
    {
        string source = $$"""
            using System.Threading.Tasks; using Store.State;
            static class Program
            {
                static long Decide(StateStore<string> store, string state) => store.Decide(1, {{decide}});
                static async Task Later(string state, int command, DecidedEvents<string> events) => await Task.Yield();
                static void AtOnce(string state, int command, DecidedEvents<string> events) { }
            }
            """;
        AssertCompiles(source, error);
    }

    /// <summary>Likewise.</summary>
    [Theory]
    [InlineData("async (state, e) => await Task.Yield()", "CS0619")]
    [InlineData("static async (_, _) => { await new ValueTask(); }", "CS0619")]
    [InlineData("Later", "CS0619")]
    [InlineData("(_, _) => new ValueTask()", "CS0619")]
    [InlineData("(state, e) => state.ToString()", null)]
    [InlineData("(state, e) => { state.ToString(); }", null)]
    [InlineData("(state, e) => state + e", null)]
    [InlineData("(_, _) => throw new System.ArithmeticException()", null)]
    [InlineData("AtOnce", null)]
    public void AHandlerThatAwaitsDoesNotCompile(string apply, string? error)
    {
        string source = $$"""
            using System.Threading.Tasks; using Store.State;
            static class Program
            {
                static void Handle(StateHandlers<string> on) => on.On<int>({{apply}});
                static async Task Later(string state, int e) => await Task.Yield();
                static void AtOnce(string state, int e) { }
            }
            """;
        AssertCompiles(source, error);
    }

    [Fact]
    public async Task AHandlerThatThrowsForTheSecondEventStopsTheStateAndTheNextOpeningReplaysAllOfThem()
    {
        bool throws = true;
        void Events(StateHandlers<Bank> on) => on.On<Deposited>(static (bank, e) => bank.Apply(e)).On<Withdrawn>((bank, e) =>
        {
            if (throws) throw new ArithmeticException("no money");
            bank.Apply(e);
        });
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Events);
            Assert.IsType<ArithmeticException>(Assert.Throws<StoreFailedException>(() => bank.Decide(0, static (_, _, events) =>
            {
                events.Add(new Deposited("ann", 1));
                events.Add(new Withdrawn("ann", 1));
                events.Add(new Deposited("bob", 1));
            })).InnerException);
            Assert.Throws<StoreFailedException>(() => bank.Read(static b => b.Text()));
            Assert.Throws<StoreFailedException>(() => bank.Decide(0, static (_, _, events) => events.Add(new Deposited("ann", 1))));
            Assert.Equal((1, 3), (bank.LastSequence, store.LastSequence));
        }

        throws = false;
        await using NinoStore again = Simulated.Open(_directory);
        Assert.Equal("3: ann=0, bob=1", await Bank.OpenedTextAsync(again));
    }

    [Fact]
    public async Task WhereTheLogHasFailedNothingIsApplied()
    {
        var faulty = new FaultDirectory(_directory);
        NinoStore store = Simulated.Open(faulty);
        StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        Transfer(bank, ["ann", "bob"], 1);
        faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: true);
        await Assert.ThrowsAnyAsync<Exception>(async () => await bank.CommitAsync());
        Assert.Throws<StoreFailedException>(() => Transfer(bank, ["ann", "bob", "cid"], 1));
        Assert.Equal((2, "2: ann=-1, bob=1"), (bank.LastSequence, bank.Read(static b => b.Text())));
        faulty.Fault = null;
        bank.Dispose();
        store.Dispose();
    }

    /// <summary>Each segment declares the types of a decision before it, however little room it had left.</summary>
    [Fact]
    public async Task DecisionsAreWholeInEverySegment()
    {
        const int Decisions = 300;
        await using (NinoStore store = Simulated.Open(_directory))
        {
            await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
            for (int i = 0; i < Decisions; i++) Transfer(bank, [new string('a', 15 * i), "b", "c"], i);
            Assert.All(store.ReadRecords().Chunk(3), static records => Assert.Single(records.Select(static r => r.Timestamp).Distinct()));
        }

        Assert.NotEmpty(Frames.Of(_directory, 10));
        await using NinoStore again = Simulated.Open(_directory);
        Assert.Equal(3 * Decisions, again.LastSequence);
        Assert.Empty(again.Recovery.Damage);
        Assert.Equal(Bank.Of(again).Text(), await Bank.OpenedTextAsync(again));
    }

    [Fact]
    public async Task ReadersSeeAllOfADecisionOrNothing()
    {
        await using NinoStore store = NinoStore.Open("sim", new NinoStoreOptions { Directory = _directory });
        await using StateStore<Bank> bank = await store.OpenStateAsync<Bank>(Bank.Events_);
        Task writing = Task.Run(() =>
        {
            for (int i = 0; i < 3000; i++) Transfer(bank, ["ann", "bob", "cid"], i);
        });
        while (!writing.IsCompleted) Assert.Equal(0, bank.Read(static b => b.Accounts.Values.Sum()));
        await writing;
        Assert.Equal(9000, bank.Read(static b => b.Events));
    }

    [Fact]
    public void TheNumbersOfTheSchemasStandBeforeTheRecordsWhateverTheirSize()
    {
        int[] ids = [7, 300, ushort.MaxValue];
        NinoSchema[] schemas = [NinoCodec<Deposited>.Default.Schema, NinoCodec<Withdrawn>.Default.Schema, NinoCodec<Remark>.Default.Schema];
        byte[] records = [2, 10, 11, 1, 20, 0, 3, 30, 31, 32];
        var batch = new MixedBatch();
        batch.Add(schemas[0], 0, 3);
        batch.Add(schemas[1], 3, 2);
        batch.Add(schemas[0], 5, 1);
        batch.Add(schemas[2], 6, 4);
        batch.Complete(records);
        Assert.Equal(schemas, batch.Schemas);
        batch.Number(ids);
        byte[] payload = new byte[batch.LengthBytes];
        Assert.True(batch.TryWrite(payload));
        Assert.Equal([7, 2, 10, 11, 253, 44, 1, 1, 20, 7, 0, 253, 255, 255, 3, 30, 31, 32], payload);
        Assert.InRange(batch.LengthBytes, 0, batch.MostLengthBytes);
    }

    private static (int Schema, int Records, uint Payload)[] RecordFrames(SimDirectory directory) =>
        [.. Frames.Of(directory, 1).Where(static frame => frame.Kind == FrameKind.Records).Select(static frame => ((int)frame.SchemaId, frame.RecordCount, frame.PayloadChecksum))];

    // From the first account, to each of the others; none when there is no other.
    private static long Transfer(StateStore<Bank> bank, string[] accounts, long amount) => bank.Decide((accounts, amount), static (_, transfer, events) =>
    {
        if (transfer.accounts.Length < 2) return;
        events.Add(new Withdrawn(transfer.accounts[0], transfer.amount * (transfer.accounts.Length - 1)));
        foreach (string account in transfer.accounts[1..]) events.Add(new Deposited(account, transfer.amount));
    });

    private static void AssertCompiles(string source, string? error)
    {
        var compilation = Generator.GeneratorHarness.Compile(source).AddReferences(Microsoft.CodeAnalysis.MetadataReference.CreateFromFile(typeof(NinoStore).Assembly.Location));
        Assert.Equal(error is null ? [] : [error], compilation.GetDiagnostics().Where(static d => d.Severity == Microsoft.CodeAnalysis.DiagnosticSeverity.Error).Select(static d => d.Id));
    }
}
