// Does a checkpoint of items that have to be waited for leave its thread free, and is it otherwise as any other?

using System.Threading.Channels;
using Store.Snapshots;
using Store.State;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Store.Tests.State;

namespace Store.Tests.Snapshots;

public class SnapshotAsyncTests
{
    private readonly SimDirectory _directory = new();

    /// <summary>Run on the caller's own thread, a checkpoint returns when there is no item yet: so no thread waits for one.</summary>
    [Fact]
    public async Task NoThreadWaitsForAnItem()
    {
        await using NinoStore store = Simulated.Open(_directory);
        store.Append(1);
        Channel<Score> items = Channel.CreateUnbounded<Score>();
        ValueTask<SnapshotInfo> checkpoint = store.CheckpointPartsAsync(new SnapshotParts().Add("first", new Score(1)).AddItems("items", items.Reader.ReadAllAsync()));
        Assert.False(checkpoint.IsCompleted);
        for (int i = 0; i < 1000; i++) items.Writer.TryWrite(new Score(i));
        Assert.False(checkpoint.IsCompleted);

        // The store is as free as the thread.
        store.Append(2);
        items.Writer.Complete();
        SnapshotInfo info = await checkpoint;
        Assert.Equal(1, info.Sequence);
        using SnapshotFile file = store.OpenSnapshot()!;
        Assert.Equal(SnapshotPartTests.Scores(1000), file.Part("items").Items<Score>());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task AStreamThatFailsOrIsCancelledLeavesNothing(bool isCancelled)
    {
        await using NinoStore store = Simulated.Open(_directory);
        using var source = new CancellationTokenSource();
        Channel<Score> items = Channel.CreateUnbounded<Score>();
        ValueTask<SnapshotInfo> checkpoint = store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", items.Reader.ReadAllAsync()), cancellationToken: source.Token);
        items.Writer.TryWrite(new Score(1));
        if (isCancelled) await source.CancelAsync();
        else items.Writer.Complete(new InvalidDataException("no more"));
        Exception? failure = await Record.ExceptionAsync(async () => await checkpoint);
        Assert.True(isCancelled ? failure is OperationCanceledException : failure is InvalidDataException, failure?.ToString());
        Assert.DoesNotContain(_directory.List(), entry => entry.Name.StartsWith("snapshot", StringComparison.Ordinal));
        await store.CheckpointAsync(new Score(2));
        Assert.Single(store.Snapshots);
    }

    /// <summary>Who gives the items looks at no token and never answers: cancelling ends the checkpoint all the same, and the next one is written.</summary>
    [Fact]
    public async Task CancellingEndsTheWaitForAnItemThatNeverComes()
    {
        await using NinoStore store = Simulated.Open(_directory);
        using var source = new CancellationTokenSource();
        var stuck = new StuckItems();
        Task<SnapshotInfo> checkpoint = store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", stuck), cancellationToken: source.Token).AsTask();
        Task<SnapshotInfo> next = store.CheckpointAsync(new Score(2)).AsTask();
        Assert.False(next.IsCompleted);
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => checkpoint.WaitAsync(TimeSpan.FromMinutes(1)));
        await next.WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Single(store.Snapshots);

        // It is disposed when it has answered, and not before.
        Assert.False(stuck.IsDisposed.Task.IsCompleted);
        stuck.Answer.SetResult(true);
        await stuck.IsDisposed.Task.WaitAsync(TimeSpan.FromMinutes(1));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ClosingTheStoreEndsTheWaitForAnItemThatNeverComes(bool withState)
    {
        NinoStore store = Simulated.Open(_directory, 1, static o => o with { RunsInline = false });
        if (withState) (await store.OpenStateAsync<Bank>(Bank.Events_, new StateOptions { CheckpointOnDispose = true })).Apply(new Deposited("ann", 1));
        var stuck = new StuckItems();
        Task<SnapshotInfo> checkpoint = store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", stuck)).AsTask();
        await stuck.IsAsked.Task.WaitAsync(TimeSpan.FromMinutes(1));
        await Task.Run(store.Dispose).WaitAsync(TimeSpan.FromMinutes(1));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => checkpoint.WaitAsync(TimeSpan.FromMinutes(1)));
        await using NinoStore again = Simulated.Open(_directory, 2);
        Assert.Equal(withState ? 1 : 0, again.Snapshots.Count);
    }

    /// <summary>With a chunk written while the next is filled, the file is the same.</summary>
    [Fact]
    public async Task WritingInTheBackgroundGivesTheSameFileAndFailsTheSame()
    {
        byte[] expected, actual;
        Counter[] items = [.. Enumerable.Range(0, 4000).Select(i => Counter.Numbered(i, 1000))];
        SnapshotParts parts = new SnapshotParts().Add("large", Counter.Numbered(3, 5_000_000)).AddItems("items", items);
        using (var file = new MemoryFile(keepsBytes: true))
        {
            await new SnapshotWriter(new BytesDirectory()).WriteFileAsync(file, parts.Create(), SnapshotSamples.GoldenStamp, null, CancellationToken.None);
            expected = file.ToArray();
        }

        using (var file = new MemoryFile(keepsBytes: true))
        {
            await new SnapshotWriter(new BytesDirectory(), inBackground: true).WriteFileAsync(file, parts.Create(), SnapshotSamples.GoldenStamp, null, CancellationToken.None);
            actual = file.ToArray();
        }

        Assert.True(expected.AsSpan().SequenceEqual(actual));

        // Every write fails once; in which order they come is the threads' affair, what comes of it is not.
        for (int n = 1; ; n++)
        {
            var sim = new SimDirectory();
            var faulty = new FaultDirectory(sim) { Fault = new Fault(n, FaultKind.IoError, Strikes: operation => operation == IoOperation.Write) };
            var store = new SnapshotStore(faulty, SnapshotSamples.StoreId, new NinoStoreOptions());
            Exception? failure = await Record.ExceptionAsync(async () => await store.WriteAsync(parts.Create(), n, SnapshotSamples.Time));
            if (faulty.Failures == 0)
            {
                Assert.True(n > 8, $"{n} writes");
                Assert.Null(failure);
                break;
            }

            Assert.IsType<InjectedFault>(failure);
            Assert.Empty(sim.List());
        }
    }

    /// <summary>A type that was renamed goes on with the generations it had, states and items alike.</summary>
    [Fact]
    public async Task ARenamedTypeKeepsItsGenerationsAndIsFoundUnderItsFormerName()
    {
        await using NinoStore store = Simulated.Open(_directory);
        var before = new Evolution.Before.Small(1, "one");
        for (int i = 0; i < 2; i++)
        {
            store.Append(i);
            await store.CheckpointAsync(before);
            await store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", [before]));
        }

        using (SnapshotFile? former = store.OpenSnapshot<Evolution.After.Renamed>()) Assert.Equal(1, former!.Read<Evolution.After.Renamed>().Number);
        Assert.Null(store.OpenSnapshot<Score>());
        for (int i = 0; i < 2; i++)
        {
            store.Append(i);
            await store.CheckpointAsync(new Evolution.After.Renamed(2, "two"));
            await store.CheckpointPartsAsync(new SnapshotParts().AddItems("items", [new Evolution.After.Renamed(3, "three")]));
        }

        Assert.Equal(["After+Renamed", "After+Renamed", "After+Renamed[]", "After+Renamed[]"], store.Snapshots.Select(s => s.TypeName.Split('.')[^1]).Order(StringComparer.Ordinal));
        using SnapshotFile newest = store.OpenSnapshot<Evolution.After.Renamed>()!;
        Assert.Equal(2, newest.Read<Evolution.After.Renamed>().Number);
    }

    /// <summary>A stream that is asked for one item and does not answer before it is told to.</summary>
    private sealed class StuckItems : IAsyncEnumerable<Score>, IAsyncEnumerator<Score>
    {
        public TaskCompletionSource IsAsked { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource<bool> Answer { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource IsDisposed { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Score Current => new(1);

        public IAsyncEnumerator<Score> GetAsyncEnumerator(CancellationToken cancellationToken = default) => this;

        public ValueTask<bool> MoveNextAsync()
        {
            IsAsked.TrySetResult();
            return new ValueTask<bool>(Answer.Task);
        }

        public ValueTask DisposeAsync()
        {
            IsDisposed.SetResult();
            return default;
        }
    }
}
