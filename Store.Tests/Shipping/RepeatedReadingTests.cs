using Store.IO;
using Store.Log;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Shipping;

/// <summary>Comparing what is there already keeps no file open behind the reading.</summary>
public class RepeatedReadingTests
{
    [Fact]
    public void AReadingThatOnlyRepeatsLeavesNoFileOpen()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 120);
        var files = new OpenFiles(new SimDirectory());
        using NinoStore follower = Simulated.Open(files, seed: 2);
        Shipped.Follow(source, follower);
        Simulated.Commit(follower);
        byte[] shipment = Shipped.Shipment(source);
        int before = files.Open;

        Shipped.Follow(source, follower, fromSequence: 1);
        Assert.Equal((before, true), (files.Open, files.Opened > 0));
        Assert.True(Shipped.Import(follower, shipment).FramesRepeated > 0);
        Assert.Equal(before, files.Open);

        // One that is cut off in the middle, through a stream; and one that nobody finishes, until the next begins.
        Assert.Throws<ShipmentException>(() => Shipped.Import(follower, shipment[..(shipment.Length / 2)]));
        Assert.Equal(before, files.Open);
        foreach (RawFrame frame in source.ReadFrames().Take(20)) follower.Import(frame);
        Shipped.Follow(source, follower, fromSequence: source.LastSequence);
        Assert.Equal(before, files.Open);
    }

    [Fact]
    public void AConflictLeavesNoFileOpen()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 20);
        var files = new OpenFiles(new SimDirectory());
        using NinoStore follower = Simulated.Open(files, seed: 2);
        Shipped.Follow(source, follower);
        Simulated.Commit(follower);
        int before = files.Open;
        RawFrame[] frames = Shipped.FramesOf(source);
        int at = Array.FindIndex(frames, 3, static f => !f.IsSchema);
        byte[] other = frames[at].Payload.ToArray();
        other[^1] ^= 1;
        frames[at] = frames[at] with { Payload = other, Header = frames[at].Header with { PayloadChecksum = Store.Framing.Crc32C.Compute(other) } };

        Assert.Throws<ShipmentException>(() =>
        {
            foreach (RawFrame frame in frames) follower.Import(frame);
        });

        Assert.Equal(before, files.Open);
    }

    [Fact]
    public void ARepeatWhoseReadFailsIsRepeatedAndIsNoConflict()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 20);
        var faulty = new FaultDirectory(new SimDirectory());
        using NinoStore follower = Simulated.Open(faulty, seed: 2);
        Shipped.Follow(source, follower);
        Simulated.Commit(follower);
        RawFrame[] frames = Shipped.FramesOf(source);
        int failed = 0;
        for (long at = 1; ; at++)
        {
            faulty.Fault = new Fault(at, FaultKind.IoError, Strikes: static operation => operation is IoOperation.Read or IoOperation.OpenRead or IoOperation.Map, Files: static name => SegmentFormat.TryParseName(name, out _));
            foreach (RawFrame frame in frames)
            {
                try
                {
                    Assert.False(follower.Import(frame));
                }
                catch (InjectedFault)
                {
                    Assert.False(follower.Import(frame));
                }
            }

            if (faulty.Failures == 0) break;
            failed++;
        }

        Assert.True(failed > 3, $"{failed} calls");
    }

    [Fact]
    public void ARepeatThatRetentionOvertakesIsNoConflict()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 120);
        var hooked = new HookedOpens(new SimDirectory());
        using NinoStore follower = Simulated.Open(hooked, seed: 2);
        Shipped.Follow(source, follower);
        Simulated.Commit(follower);
        Assert.True(follower.Opened.Log.Segments.Length > 2);
        long last = follower.LastSequence;
        hooked.Before = () => follower.TruncateBefore(follower.LastSequence);

        Shipped.Follow(source, follower, fromSequence: 1);

        Assert.Null(hooked.Before);
        Assert.True(follower.FirstSequence > 1);
        Assert.Equal(last, follower.LastSequence);
    }

    /// <summary>Does something before a segment is opened for reading, once.</summary>
    private sealed class HookedOpens(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public Action? Before { get; set; }

        public override IStoreFile OpenRead(string name)
        {
            if (SegmentFormat.TryParseName(name, out _) && Before is { } before)
            {
                Before = null;
                before();
            }

            return base.OpenRead(name);
        }
    }

    /// <summary>Counts the files that are open for reading, and their mappings.</summary>
    private sealed class OpenFiles(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public int Open { get; private set; }

        public int Opened { get; private set; }

        public override IStoreFile OpenRead(string name)
        {
            IStoreFile file = base.OpenRead(name);
            Open++;
            Opened++;
            return new CountedFile(file, this);
        }

        private sealed class CountedFile(IStoreFile inner, OpenFiles owner) : PassThroughFile(inner)
        {
            private bool _closed;

            public override void Dispose()
            {
                base.Dispose();
                if (!_closed) owner.Open--;
                _closed = true;
            }
        }
    }
}
