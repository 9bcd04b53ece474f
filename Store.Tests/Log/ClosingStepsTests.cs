using System.Runtime.CompilerServices;
using Store.IO;
using Store.Tests.Shipping;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Closing a store is several steps, and each is made whatever becomes of the others.</summary>
public class ClosingStepsTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public void WhatWasOpenedOnAStoreIsClosedAlsoWhenTheStepsBeforeFail(bool endingFails, bool importerFails)
    {
        var directory = new SimDirectory();
        var files = new UnclosableFiles(directory);
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 40);
        NinoStore store = Simulated.Open(files, seed: 2);
        Shipped.Follow(source, store);
        Simulated.Commit(store);

        // A reading that nobody has finished holds a file.
        foreach (RawFrame frame in source.ReadFrames().Take(10)) store.Import(frame);
        var opened = new Opened();
        store.Companions.Add(opened);
        using CancellationTokenRegistration registered = endingFails ? Ended(store).Token.Register(static () => throw new NotSupportedException("ending fails")) : default;
        files.IsBroken = importerFails;

        Exception failure = Assert.IsType<Exception>(Record.Exception(store.Dispose), exactMatch: false);

        Assert.True(opened.IsDisposed);
        Assert.Equal(importerFails, files.Failures > 0);
        if (endingFails) Assert.Equal("ending fails", Assert.Single(Assert.IsType<AggregateException>(failure).InnerExceptions).Message);
        else Assert.Equal("closing fails", Assert.IsType<IOException>(failure).Message);

        // And what comes behind them: the lock is given back, the log closed.
        using NinoStore again = Simulated.Open(directory, seed: 3);
        Assert.Equal((source.LastSequence, true), (again.LastSequence, again.Recovery.CleanClose));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task WhoDisposesAStoreThatIsBeingClosedWaitsUntilItIs(bool asynchronously)
    {
        var directory = new SimDirectory();
        var disk = new StallingDirectory(directory);
        NinoStore store = Simulated.Open(disk, change: static o => o with { RunsInline = false });
        store.Append(1);
        disk.Stall();
        Task first = Task.Run(store.Dispose);
        Assert.True(disk.Stands.Wait(Patience));

        // Interrupted, it waits on.
        Task second = asynchronously ? store.DisposeAsync().AsTask() : Task.Factory.StartNew(() =>
        {
            Thread.CurrentThread.Interrupt();
            store.Dispose();
            Assert.Throws<ThreadInterruptedException>(static () => Thread.Sleep(Timeout.Infinite));
        }, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        await Task.WhenAny(second, Task.Delay(100));
        Assert.False(second.IsCompleted);
        Assert.False(first.IsCompleted);
        disk.GoOn();

        // Whoever comes from it may open the store again, whether the first has returned or not.
        await second.WaitAsync(Patience);
        using NinoStore again = Simulated.Open(directory, seed: 2);
        Assert.Equal((1, true), (again.LastSequence, again.Recovery.CleanClose));
        await first.WaitAsync(Patience);
    }

    [Fact]
    public async Task WhatClosingCallsMayDisposeTheStoreAgainAndGoesOn()
    {
        NinoStore store = Simulated.Open(new SimDirectory());
        bool wentOn = false;
        using CancellationTokenRegistration registered = Ended(store).Token.Register(() =>
        {
            store.Dispose();
            wentOn = true;
        });

        await Task.Run(store.Dispose).WaitAsync(Patience);

        Assert.True(wentOn);
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_ended")]
    private static extern ref CancellationTokenSource Ended(NinoStore store);

    private sealed class Opened : IStoreCompanion
    {
        public bool IsDisposed { get; private set; }

        public bool IsClosed => IsDisposed;

        public string Title => "what was opened";

        public bool IsInsideCallback => false;

        public ValueTask CheckpointAsync(CancellationToken cancellationToken) => default;

        public void Dispose() => IsDisposed = true;
    }

    /// <summary>Files that were opened for reading and cannot be closed, once.</summary>
    private sealed class UnclosableFiles(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public bool IsBroken { get; set; }

        public int Failures { get; private set; }

        public override IStoreFile OpenRead(string name) => new UnclosableFile(this, base.OpenRead(name));

        private sealed class UnclosableFile(UnclosableFiles directory, IStoreFile inner) : PassThroughFile(inner)
        {
            public override void Dispose()
            {
                base.Dispose();
                if (!directory.IsBroken) return;
                directory.IsBroken = false;
                directory.Failures++;
                throw new IOException("closing fails");
            }
        }
    }
}
