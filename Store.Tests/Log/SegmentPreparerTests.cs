using Microsoft.Extensions.Logging.Abstractions;
using Store.IO;
using Store.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>The next segment, made ahead: whatever goes wrong with it is no failure of the log, and keeps no room of the disk.</summary>
public class SegmentPreparerTests
{
    [Fact]
    public async Task APreparedSegmentThatCannotBeRemovedHidesNothing()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        NinoStore store = Simulated.Open(faulty, change: static o => o with { RunsInline = false, FirstSegmentSizeBytes = 64 * 1024 });
        store.AppendBatch<int>([.. Enumerable.Range(0, 8_000)]);
        await store.CommitAsync();
        faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: true, static operation => operation is IoOperation.Delete);

        store.Dispose();

        Assert.Equal(1, faulty.Failures);
        faulty.Fault = null;
        using NinoStore reopened = Simulated.Open(faulty, seed: 2);
        Assert.True(reopened.Recovery.CleanClose);
        Assert.True(SegmentFormat.IsPrepared(Assert.Single(reopened.Recovery.FilesRemoved), null));
    }

    [Fact]
    public void AHalfPreparedSegmentDoesNotKeepTheRoomOfAFullDisk()
    {
        var faulty = new FaultDirectory(new SimDirectory()) { Fault = new Fault(3, FaultKind.NoSpace, IsForever: false, static operation => operation is IoOperation.Write) };
        var preparer = new SegmentPreparer(faulty, "next.tmp", inBackground: true, NullLogger.Instance);

        preparer.Start(4 * 1024 * 1024, writesZeros: true);
        preparer.Close();

        Assert.Equal(1, faulty.Failures);
        Assert.Empty(faulty.List());
        using IStoreFile file = preparer.Take(1024 * 1024, 1024 * 1024, writesZeros: true);
        Assert.Equal(1024 * 1024, file.LengthBytes);
    }

    // Of the framework's own exceptions some system calls have one each: a file too large is an ArgumentOutOfRangeException. On the preparer's thread any of them would end the process.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void WhateverPreparingThrowsTheSegmentIsMadeWhenItIsNeeded(bool inRemove)
    {
        var strange = new StrangeDirectory(new SimDirectory()) { IsStrange = true, RemovesStrangely = inRemove };
        var preparer = new SegmentPreparer(strange, "next.tmp", inBackground: true, NullLogger.Instance);

        preparer.Start(64 * 1024, writesZeros: true);
        preparer.Close();

        strange.IsStrange = false;
        using IStoreFile file = preparer.Take(64 * 1024, 64 * 1024, writesZeros: true);
        Assert.Equal(64 * 1024, file.LengthBytes);
    }

    [Fact]
    public void WithoutAThreadToPrepareASegmentItIsMadeWhenItIsNeeded()
    {
        int asked = 0;
        var preparer = new SegmentPreparer(new SimDirectory(), "next.tmp", inBackground: true, NullLogger.Instance, _ =>
        {
            asked++;
            throw new OutOfMemoryException("as asked");
        });
        for (int i = 0; i < 3; i++) preparer.Start(64 * 1024, writesZeros: true);
        Assert.Equal(1, asked);

        using (IStoreFile file = preparer.Take(64 * 1024, 64 * 1024, writesZeros: true)) Assert.Equal(64 * 1024, file.LengthBytes);
        preparer.Used();
        preparer.Start(64 * 1024, writesZeros: true);
        Assert.Equal(2, asked);
        preparer.Close();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void ASegmentThatCannotBeMadeKeepsNoRoom(bool isTaken)
    {
        var disk = new SimDirectory { CapacityBytes = 32 * 1024 };
        var preparer = new SegmentPreparer(disk, "next.tmp", inBackground: !isTaken, NullLogger.Instance);
        preparer.Start(64 * 1024, writesZeros: true);
        Assert.Throws<IOException>(() => preparer.Take(64 * 1024, 64 * 1024, writesZeros: true));
        Assert.Empty(disk.List());
        preparer.Close();
    }

    /// <summary>A commit waits for what the disk was given before it: never for more zeros than a step, unless the log itself waits for the rest.</summary>
    [Fact]
    public void ZerosAreSyncedInStepsUntilSomebodyWaitsForTheSegment()
    {
        const int Step = 1024 * 1024, Steps = 8, Before = 3;
        using var reached = new ManualResetEventSlim();
        using var goOn = new ManualResetEventSlim();
        var counted = new SyncCountingDirectory(new SimDirectory())
        {
            OnSync = syncs =>
            {
                if (syncs != Before) return;
                reached.Set();
                goOn.Wait();
            },
        };
        var preparer = new SegmentPreparer(counted, "next.tmp", inBackground: true, NullLogger.Instance);
        preparer.Start(Steps * Step, writesZeros: true);
        Assert.True(reached.Wait(TimeSpan.FromMinutes(1)));
        Assert.Equal([Step, Step, Step], counted.BytesBetweenSyncs);

        Task<IStoreFile> taken = Task.Run(() => preparer.Take(Steps * Step, Steps * Step, writesZeros: true));
        while (!preparer.IsWaitedFor) Thread.Yield();
        goOn.Set();
#pragma warning disable xUnit1031 // it ends when the filler does
        using IStoreFile file = taken.Result;
#pragma warning restore xUnit1031
        Assert.Equal([Step, Step, Step, (Steps - Before) * Step], counted.BytesBetweenSyncs);
        Assert.Equal(Steps * Step, file.LengthBytes);
    }

    private sealed class SyncCountingDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        private int _written;

        public List<int> BytesBetweenSyncs { get; } = [];

        public required Action<int> OnSync { get; init; }

        public override IStoreFile Create(string name) => new SyncCountingFile(this, base.Create(name));

        private sealed class SyncCountingFile(SyncCountingDirectory directory, IStoreFile inner) : PassThroughFile(inner)
        {
            public override void Write(ReadOnlySpan<byte> source, long offset)
            {
                base.Write(source, offset);
                directory._written += source.Length;
            }

            public override void SyncData()
            {
                base.SyncData();
                directory.BytesBetweenSyncs.Add(directory._written);
                directory._written = 0;
                directory.OnSync(directory.BytesBetweenSyncs.Count);
            }
        }
    }

    private sealed class StrangeDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public bool IsStrange { get; set; }

        public bool RemovesStrangely { get; init; }

        public override IStoreFile Create(string name) => new StrangeFile(this, base.Create(name));

        public override void Delete(string name)
        {
            if (IsStrange && RemovesStrangely) throw new OperationCanceledException("as asked");
            base.Delete(name);
        }

        private sealed class StrangeFile(StrangeDirectory directory, IStoreFile inner) : PassThroughFile(inner)
        {
            public override void SyncData()
            {
                if (directory.IsStrange) throw new ArgumentOutOfRangeException("value", "as asked");
                base.SyncData();
            }
        }
    }
}
