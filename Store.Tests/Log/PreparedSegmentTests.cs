using Store.IO;
using Store.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Segments are prepared ahead, and never more than one: whatever the speed of the writer and of the disk.</summary>
public sealed class PreparedSegmentTests
{
    private const int SegmentBytes = 64 * 1024;

    /// <summary>Who is slow: the thread that appends, the disk while a segment is prepared, the disk while records are written, nobody.</summary>
    public enum Slow
    {
        Nobody,
        Appending,
        Preparing,
        Writing,
        Syncing,
    }

    public static TheoryData<Slow, bool> Speeds
    {
        get
        {
            var data = new TheoryData<Slow, bool>();
            foreach (Slow slow in Enum.GetValues<Slow>())
            {
                data.Add(slow, true);
                data.Add(slow, false);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Speeds))]
    public void NeverIsMoreThanOneSegmentAhead(Slow slow, bool commits)
    {
        var watched = new WatchedDirectory(new SimDirectory(), slow);
        NinoStore store = Simulated.Open(watched, change: static o => o with { RunsInline = false, FlushIntervalMs = 1, FirstSegmentSizeBytes = SegmentBytes, SegmentSizeBytes = SegmentBytes });
        byte[] record = new byte[1000];
        for (int i = 1; i <= 1500; i++)
        {
            store.Append(record);
            if (slow == Slow.Appending && i % 10 == 0) Thread.Sleep(1);
            if (commits && i % 20 == 0) store.Commit();
        }

        store.Commit();
        Assert.True(watched.Prepared >= 20, $"{watched.Prepared} segments were prepared");
        Assert.Equal(1, watched.MostPrepared);
        Assert.InRange(watched.MostBytesAhead, SegmentBytes, SegmentBytes);

        store.Dispose();
        Assert.DoesNotContain(watched.List(), static f => SegmentFormat.IsPrepared(f.Name, null));
    }

    // What nobody uses is not left behind, and what another writer left is removed before one more is prepared.
    [Fact]
    public void WhatAKilledWriterHadPreparedIsRemovedBeforeAnotherIsPrepared()
    {
        var directory = new SimDirectory();
        var watched = new WatchedDirectory(directory, Slow.Nobody);
        NinoStore store = Simulated.Open(watched, change: static o => o with { RunsInline = false, FirstSegmentSizeBytes = SegmentBytes, SegmentSizeBytes = SegmentBytes });
        for (int i = 0; i < 40; i++)
        {
            store.Append(new byte[1000]);
            store.Commit();
        }

        Assert.True(SpinWait.SpinUntil(() => watched.List().Any(static f => SegmentFormat.IsPrepared(f.Name, null) && f.LengthBytes == SegmentBytes), TimeSpan.FromSeconds(60)));
        SimDirectory killed = directory.KillProcess();
        store.Dispose();
        Assert.Single(killed.List(), static f => SegmentFormat.IsPrepared(f.Name, null));

        using NinoStore next = Simulated.Open(killed, seed: 2);
        Assert.Contains(next.Recovery.FilesRemoved, static name => SegmentFormat.IsPrepared(name, null));
        Assert.DoesNotContain(killed.List(), static f => SegmentFormat.IsPrepared(f.Name, null));
    }

    [Fact]
    public void WhatIsPreparedGivesItsRoomBackToRecordsThatFindNone()
    {
        var directory = new SimDirectory();
        NinoStore store = Simulated.Open(directory, change: static o => o with { RunsInline = false, FirstSegmentSizeBytes = SegmentBytes, SegmentSizeBytes = SegmentBytes });
        byte[] record = new byte[1000];

        // Nothing is synced: the second segment has no blocks of its own. Then something is, and the third is prepared with zeros.
        while (RetentionTests.Segments(directory).Length < 2)
        {
            store.Append(record);
            store.Opened.Log.Wait(Durability.PageCache);
        }

        store.Commit();
        directory.CapacityBytes = directory.UsedBytes + SegmentBytes + 45_000;
        bool isPrepared = false;
        for (int i = 0; i < 60 && !isPrepared; i++)
        {
            store.Append(record);
            store.Commit();
            isPrepared = i > 30 && SpinWait.SpinUntil(() => directory.List().Any(static f => SegmentFormat.IsPrepared(f.Name, null) && f.LengthBytes == SegmentBytes), TimeSpan.FromMilliseconds(i < 50 ? 20 : 6000));
        }

        Assert.True(isPrepared);
        directory.CapacityBytes = directory.UsedBytes;
        store.Append(record);
        store.Commit();

        Assert.DoesNotContain(directory.List(), static f => SegmentFormat.IsPrepared(f.Name, null));
        for (int i = 0; i < 10; i++) store.Append(record);
        store.Commit();
        long last = store.LastSequence;
        store.Dispose();
        using NinoStore again = Simulated.Open(directory, seed: 2);
        Assert.Equal(last, again.LastSequence);
    }

    /// <summary>A folder that counts, after every call that makes a file or makes it longer, what is prepared and is no segment yet.</summary>
    private sealed class WatchedDirectory(IStoreDirectory inner, Slow slow) : PassThroughDirectory(inner)
    {
        private readonly Lock _gate = new();

        public int Prepared { get; private set; }

        public int MostPrepared { get; private set; }

        public long MostBytesAhead { get; private set; }

        public override IStoreFile Create(string name)
        {
            IStoreFile file = base.Create(name);
            if (SegmentFormat.IsPrepared(name, null))
            {
                lock (_gate) Prepared++;
            }

            Look();
            return new WatchedFile(this, file);
        }

        public override IStoreFile OpenWrite(string name) => new WatchedFile(this, base.OpenWrite(name));

        private void Look()
        {
            StoreFileEntry[] ahead = [.. base.List().Where(static f => SegmentFormat.IsPrepared(f.Name, null))];
            lock (_gate)
            {
                MostPrepared = Math.Max(MostPrepared, ahead.Length);
                MostBytesAhead = Math.Max(MostBytesAhead, ahead.Sum(static f => f.LengthBytes));
            }
        }

        private sealed class WatchedFile(WatchedDirectory directory, IStoreFile inner) : PassThroughFile(inner)
        {
            public override void Write(ReadOnlySpan<byte> source, long offset)
            {
                if (directory.Delays(Name)) Thread.Sleep(1);
                base.Write(source, offset);
                directory.Look();
            }

            public override void SyncData()
            {
                if (directory.DelaysSync) Thread.Sleep(1);
                base.SyncData();
            }
        }

        private bool DelaysSync => slow == Slow.Syncing;

        private bool Delays(string name) => slow switch
        {
            Slow.Preparing => SegmentFormat.IsPrepared(name, null),
            Slow.Writing => SegmentFormat.TryParseName(name, out _),
            _ => false,
        };
    }
}
