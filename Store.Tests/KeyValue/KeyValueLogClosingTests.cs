// In which order are a store, an engine and its log closed, and what is refused meanwhile and afterwards?

using Store.KeyValue;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class KeyValueLogClosingTests
{
    private readonly SimDirectory _directory = new();

    [Fact]
    public async Task ClosingTheStoreClosesTheEngineFirstAndItsLogWithIt()
    {
        var engine = new CountingEngine<int, string>();
        KeyValueLog<int, string> log;
        using (NinoStore store = KeyValueLogBed.Open(_directory))
        {
            log = KeyValueLog.Open<int, string>(store, "state");
            Assert.Empty(log.ReadChanges());
            log.Attach(engine);
            await store.CheckpointAllAsync();
            engine.Closing = () => Assert.Equal(1, store.Append(7));
        }

        Assert.Equal((1, 1), (engine.Checkpoints, engine.Disposals));
        Assert.Throws<ObjectDisposedException>(log.NewChanges);
        Assert.Throws<ObjectDisposedException>(log.Cut);
        Assert.Throws<ObjectDisposedException>(log.OpenFolder);
        Assert.Throws<ObjectDisposedException>(() => log.ReadChanges());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => log.WaitAsync(1).AsTask());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => log.CommitAsync().AsTask());
    }

    /// <summary>Between the moment in which an engine refuses everything and the one in which it is off the store.</summary>
    [Fact]
    public async Task AnEngineThatIsBeingClosedIsPassedOverByCheckpointsOfTheStore()
    {
        using NinoStore store = KeyValueLogBed.Open(_directory);
        using KeyValueLog<int, string> log = KeyValueLog.Open<int, string>(store, "state");
        Assert.Empty(log.ReadChanges());
        var engine = new CountingEngine<int, string>();
        log.Attach(engine);
        int checkpointed = 0;
        engine.Closing = () =>
        {
            Assert.Throws<ObjectDisposedException>(() => engine.CheckpointAsync().GetAwaiter().GetResult());
            store.CheckpointAllAsync().AsTask().GetAwaiter().GetResult();
            store.CheckpointAsync(1).AsTask().GetAwaiter().GetResult();
            checkpointed++;
        };
        engine.Dispose();
        Assert.Equal((1, 0), (checkpointed, engine.Checkpoints));

        // One that is open and cannot: that is for the caller to know.
        using KeyValueLog<int, string> other = KeyValueLog.Open<int, string>(store, "other");
        Assert.Empty(other.ReadChanges());
        other.Attach(new CountingEngine<int, string> { Failure = new ObjectDisposedException("a file of its own") });
        await Assert.ThrowsAsync<ObjectDisposedException>(() => store.CheckpointAllAsync().AsTask());
    }

    [Fact]
    public void AnEngineOfAClosedStoreIsNotAttached()
    {
        KeyValueLog<int, string> log;
        using (NinoStore store = KeyValueLogBed.Open(_directory)) log = KeyValueLog.Open<int, string>(store, "state");
        Assert.ThrowsAny<Exception>(() => log.Attach(new CountingEngine<int, string>()));
        using NinoStore closed = KeyValueLogBed.Open(_directory);
        closed.Dispose();
        Assert.Throws<ObjectDisposedException>(() => KeyValueLog.Open<int, string>(closed, "state"));
    }
}
