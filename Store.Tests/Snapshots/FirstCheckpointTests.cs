// What does the first checkpoint of a process read of the snapshots before it? Those that are to be counted as kept, once, unless they were read in full before; and cancelling that leaves the new one in force.

using Store.IO;
using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Snapshots;

public class FirstCheckpointTests
{
    private const int PayloadBytes = Holder.PayloadBytes;

    [Fact]
    public async Task TheSnapshotBeforeIsReadOnceAProcess()
    {
        SimDirectory sim = await WrittenAsync();
        var counting = new CountingDirectory(sim);
        await using NinoStore store = Simulated.Open(counting, 2);
        Assert.InRange(await CheckpointAsync(store, counting, 3), PayloadBytes, 2 * PayloadBytes);
        Assert.InRange(await CheckpointAsync(store, counting, 4), 0, PayloadBytes / 4);
        Assert.Equal([4, 3], store.Snapshots.Select(static s => s.Sequence));
    }

    /// <summary>The common start, restore and then checkpoint: what restoring has read need not be read again.</summary>
    [Fact]
    public async Task WhatWasRestoredFromIsNotReadAgain()
    {
        SimDirectory sim = await WrittenAsync();
        var counting = new CountingDirectory(sim);
        await using NinoStore store = Simulated.Open(counting, 2);
        Assert.Equal(2, (await store.RestoreAsync<Holder, int>(static (state, _) => state)).Number);
        Assert.InRange(await CheckpointAsync(store, counting, 3), 0, PayloadBytes / 4);
        Assert.Equal([3, 2], store.Snapshots.Select(static s => s.Sequence));
    }

    /// <summary>That every byte of it is right does not say that its type reads it.</summary>
    [Fact]
    public async Task WhatWasVerifiedIsDecodedOnce()
    {
        SimDirectory sim = await WrittenAsync();
        var counting = new CountingDirectory(sim);
        await using NinoStore store = Simulated.Open(counting, 2);
        store.OpenSnapshot(verification: SnapshotVerification.All)!.Dispose();
        Assert.InRange(await CheckpointAsync(store, counting, 3), PayloadBytes, 2 * PayloadBytes);
        Assert.InRange(await CheckpointAsync(store, counting, 4), 0, PayloadBytes / 4);
    }

    /// <summary>Opening without verifying all proves nothing.</summary>
    [Fact]
    public async Task WhatWasOnlyOpenedIsRead()
    {
        SimDirectory sim = await WrittenAsync();
        var counting = new CountingDirectory(sim);
        await using NinoStore store = Simulated.Open(counting, 2);
        store.OpenSnapshot()!.Dispose();
        Assert.InRange(await CheckpointAsync(store, counting, 3), PayloadBytes, 2 * PayloadBytes);
    }

    /// <summary>Cancelled at each read of the older snapshots in turn: the new one is there and told, and the next checkpoint removes what this one left.</summary>
    [Fact]
    public async Task CancellingWhileOlderSnapshotsAreReadOnlyPutsTheirRemovalOff()
    {
        int cancelled = 0;
        for (int at = 1; ; at++)
        {
            SimDirectory sim = await WrittenAsync();
            using var cancellation = new CancellationTokenSource();
            var directory = new CancellingDirectory(sim, cancellation) { Left = at };
            await using NinoStore store = Simulated.Open(directory, 2);
            store.Append(3);
            directory.Reads = 0;
            directory.IsArmed = true;
            SnapshotInfo info = await store.CheckpointAsync(Holder.Numbered(3), cancellation.Token);
            directory.IsArmed = false;
            Assert.Equal((3, info.FileName), (info.Sequence, store.Snapshots[0].FileName));
            Assert.Equal(3, (await store.RestoreAsync<Holder, int>(static (state, _) => state)).Number);
            if (!cancellation.IsCancellationRequested) break;
            cancelled += store.Snapshots.Count == 3 ? 1 : 0;

            store.Append(4);
            await store.CheckpointAsync(Holder.Numbered(4));
            Assert.Equal([4, 3], store.Snapshots.Select(static s => s.Sequence));
        }

        Assert.True(cancelled >= 2, $"{cancelled} removals were put off");
    }

    private static async Task<SimDirectory> WrittenAsync()
    {
        var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        for (int i = 1; i <= 2; i++)
        {
            store.Append(i);
            await store.CheckpointAsync(Holder.Numbered(i));
        }

        return directory;
    }

    private static async Task<long> CheckpointAsync(NinoStore store, CountingDirectory counting, int number)
    {
        store.Append(number);
        long before = counting.BytesRead;
        await store.CheckpointAsync(Holder.Numbered(number));
        return counting.BytesRead - before;
    }

    /// <summary>Cancels at a read of a snapshot.</summary>
    private sealed class CancellingDirectory(IStoreDirectory inner, CancellationTokenSource cancellation) : PassThroughDirectory(inner)
    {
        public int Left { get; init; }

        public bool IsArmed { get; set; }

        public int Reads { get; set; }

        public override IStoreFile OpenRead(string name) => new CancellingFile(this, base.OpenRead(name));

        private void Count(string name)
        {
            if (IsArmed && SnapshotName.TryParse(name, out _) && ++Reads == Left) cancellation.Cancel();
        }

        private sealed class CancellingFile(CancellingDirectory directory, IStoreFile inner) : PassThroughFile(inner)
        {
            public override int Read(Span<byte> destination, long offset)
            {
                directory.Count(Name);
                return base.Read(destination, offset);
            }
        }
    }
}

/// <summary>A state of several pages.</summary>
[NinoType]
public sealed partial class Holder
{
    public const int PayloadBytes = 300_000;

    public int Number { get; set; }

    public byte[] Payload { get; set; } = [];

    public static Holder Numbered(int number) => new() { Number = number, Payload = Counter.Numbered(number, PayloadBytes).Payload };
}
