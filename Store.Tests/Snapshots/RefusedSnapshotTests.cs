// A snapshot that is whole, and whose type has changed its mind about a value: the caller is told, nothing is called damaged, no older state is taken for the newest, and the last one that restores is not removed.

using Microsoft.Extensions.Logging;
using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Snapshots;

public class RefusedSnapshotTests
{
    [Fact]
    public async Task AStateThatASetterRefusesIsToldAndNoReasonToGoBack()
    {
        SimDirectory directory = await WrittenAsync();
        await using NinoStore store = Simulated.Open(directory, 2);
        using (Limited.To(9))
        {
            SchemaMismatchException told = await Assert.ThrowsAsync<SchemaMismatchException>(() => RestoreAsync(store));
            Assert.IsType<NinoSerializationException>(told.InnerException);
            Assert.Contains("ten is too much", told.Message, StringComparison.Ordinal);
            Assert.Contains(SnapshotSamples.NameOf(2), told.Message, StringComparison.Ordinal);
            Assert.Empty(store.Recovery.Damage);
            await Assert.ThrowsAsync<SchemaMismatchException>(async () => await store.OpenStateAsync<Limited>(static on => on.On<int>(static (_, _) => { })));
        }

        Assert.Equal(10, await RestoreAsync(store));
    }

    [Fact]
    public async Task AStateWithAValueThatDoesNotFitANarrowedMemberIsToldAndNoReasonToGoBack()
    {
        var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        store.Append(1);
        await store.CheckpointAsync(new WideState { Number = 7 });
        store.Append(2);
        await store.CheckpointAsync(new WideState { Number = 300 });
        SchemaMismatchException told = await Assert.ThrowsAsync<SchemaMismatchException>(async () => await store.RestoreAsync<NarrowState, int>(static (state, _) => state));
        Assert.Contains("300", told.Message, StringComparison.Ordinal);
        Assert.Empty(store.Recovery.Damage);
        Assert.Equal(300, (await store.RestoreAsync<WideState, int>(static (state, _) => state)).Number);
    }

    [Fact]
    public async Task AnItemThatItsTypeRefusesIsNoDamageEither()
    {
        var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        SnapshotInfo info = await store.CheckpointPartsAsync(new SnapshotParts().AddItems<Limited>("items", [new Limited { Number = 1 }, new Limited { Number = 10 }]));
        using SnapshotFile file = SnapshotFile.Open(directory, info.FileName);
        using (Limited.To(9))
        {
            Assert.Equal(1, file.Parts[0].Item<Limited>(0).Number);
            Assert.Throws<SchemaMismatchException>(() => file.Parts[0].Item<Limited>(1));
        }
    }

    /// <summary>Whether restoring has met it, it was opened and read through, or a checkpoint is the first to read it.</summary>
    [Theory]
    [InlineData("restored")]
    [InlineData("verified")]
    [InlineData("not read")]
    public async Task OneThatTheTypeRefusesDoesNotPushOutTheLastThatRestores(string before)
    {
        SimDirectory directory = await WrittenAsync();
        await using NinoStore store = Simulated.Open(directory, 2);
        using (Limited.To(9))
        {
            if (before == "restored") await Assert.ThrowsAsync<SchemaMismatchException>(() => RestoreAsync(store));
            if (before == "verified") store.OpenSnapshot(null, SnapshotVerification.All)!.Dispose();
            await CheckpointAsync(store, 3, 1);
            Assert.Equal([3, 2, 1], store.Snapshots.Select(static s => s.Sequence));
            directory.Delete(SnapshotSamples.NameOf(3));
            directory.Delete(SnapshotSamples.NameOf(2));
            Assert.Equal(1, await RestoreAsync(store));
        }
    }

    /// <summary>What a trimmed program lacks is nothing that is wrong with the checkpoint which is published: it is told, noted in the log, and counted.</summary>
    [Fact]
    public async Task ACheckpointIsPublishedThoughTheProgramLacksWhatItTakesToReadTheOneBefore()
    {
        SimDirectory directory = await WrittenAsync();
        var logger = new Told();
        await using (NinoStore store = Simulated.Open(directory, 2, options => options with { LoggerFactory = logger }))
        {
            using (Limited.To(9, lacksMember: true))
            {
                await CheckpointAsync(store, 3, 1);
                Assert.Equal([3, 2, 1], store.Snapshots.Select(static s => s.Sequence));
                Assert.IsType<MissingMethodException>(Assert.Single(logger.Failures));
                await CheckpointAsync(store, 4, 1);
                Assert.Equal([4, 3], store.Snapshots.Select(static s => s.Sequence));
            }
        }

        Assert.Equal([1, 2, 3, 4], CheckpointNoteTests.NotesIn(directory).Select(static note => note.Note.Sequence));
    }

    /// <summary>When two that restore are newer, it goes like any other.</summary>
    [Fact]
    public async Task OneThatTheTypeRefusesGoesWithTheOthersWhenTwoNewerOnesRestore()
    {
        SimDirectory directory = await WrittenAsync();
        await using NinoStore store = Simulated.Open(directory, 2);
        using (Limited.To(9))
        {
            await CheckpointAsync(store, 3, 3);
            await CheckpointAsync(store, 4, 4);
        }

        Assert.Equal([4, 3], store.Snapshots.Select(static s => s.Sequence));
    }

    // Behind the records 1 and 2, the numbers 1 and 10.
    private static async Task<SimDirectory> WrittenAsync()
    {
        var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        await CheckpointAsync(store, 1, 1);
        await CheckpointAsync(store, 2, 10);
        return directory;
    }

    private static async Task CheckpointAsync(NinoStore store, int record, int number)
    {
        store.Append(record);
        await store.CheckpointAsync(new Limited { Number = number });
    }

    private static async Task<int> RestoreAsync(NinoStore store) => (await store.RestoreAsync<Limited, int>(static (state, _) => state)).Number;

    /// <summary>What was logged with an exception.</summary>
    private sealed class Told : ILoggerFactory, ILogger
    {
        public List<Exception> Failures { get; } = [];

        public void AddProvider(ILoggerProvider provider) { }

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (exception is not null) Failures.Add(exception);
        }

        public void Dispose() { }
    }
}

/// <summary>A state that refuses large numbers while a test says so.</summary>
[NinoType]
public sealed partial class Limited
{
    [ThreadStatic]
    private static int? _most;

    [ThreadStatic]
    private static bool _lacksMember;

    public int Number { get; set => field = value > (_most ?? int.MaxValue) ? throw (_lacksMember ? new MissingMethodException("it was trimmed") : new ArgumentOutOfRangeException(nameof(value), "ten is too much")) : value; }

    /// <summary>On this thread, until the result is disposed.</summary>
    internal static IDisposable To(int most, bool lacksMember = false)
    {
        (_most, _lacksMember) = (most, lacksMember);
        return new Lifted();
    }

    private sealed class Lifted : IDisposable
    {
        public void Dispose() => _most = null;
    }
}

/// <summary>A state before its member became narrower.</summary>
[NinoType]
public sealed partial class WideState
{
    public int Number { get; set; }
}

/// <summary>The same state later.</summary>
[NinoType, NinoFormerName("Store.Tests.Snapshots.WideState")]
public sealed partial class NarrowState
{
    public byte Number { get; set; }
}
