using Store.IO;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Shipping;

/// <summary>The power fails, or a call fails, at every step of an import; then it is resumed. The follower always holds a beginning of the source, and in the end all of it.</summary>
public class ShippingCrashTests(ITestOutputHelper output)
{
    [Fact]
    public void WhereverThePowerFailsAnImportIsResumedToTheSameLog()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 70);
        byte[] shipment = Shipped.Shipment(source);
        int states = 0;
        for (long at = 1; ; at++)
        {
            var directory = new SimDirectory { PowerOffAt = at };
            long acknowledged = Import(directory, shipment, source);
            foreach (SimDirectory after in directory.CrashStates(limit: 24, seed: (int)at))
            {
                states++;
                using NinoStore follower = Simulated.Open(after, seed: 3);
                Assert.InRange(follower.LastSequence, acknowledged, source.LastSequence);
                Assert.All(follower.Recovery.Damage, static d => Assert.Equal(StoreDamageKind.TornTail, d.Kind));
                Shipped.IsPrefix(source, follower);
                if (states % 3 == 0) Shipped.Import(follower, shipment);
                else Shipped.Follow(source, follower);
                Simulated.Commit(follower);
                Shipped.AreEqual(source, follower);
            }

            if (!directory.IsPowerOff) break;
        }

        Assert.True(states > 300, $"{states} states");
        Effort.Tell(output, "crash states", states, "no chance in it", "power failures during an import");
    }

    [Fact]
    public void WhicheverCallFailsAnImportIsResumedToTheSameLog()
    {
        using NinoStore source = Shipped.Source(new SimDirectory(), rounds: 70);
        byte[] shipment = Shipped.Shipment(source);
        int failed = 0;
        foreach (FaultKind kind in Enum.GetValues<FaultKind>())
        {
            foreach (bool isForever in new[] { false, true })
            {
                for (long at = 1; ; at++)
                {
                    var disk = new SimDirectory();
                    var faulty = new FaultDirectory(disk, seed: (int)at) { Fault = new Fault(at, kind, isForever) };
                    long acknowledged = Import(faulty, shipment, source);
                    if (faulty.Failures == 0) break;
                    failed++;
                    foreach (SimDirectory after in disk.CrashStates(limit: 1, seed: (int)at).Append(disk.KillProcess()))
                    {
                        using NinoStore follower = Simulated.Open(after, seed: 3);
                        Assert.True(follower.LastSequence >= acknowledged);
                        Shipped.IsPrefix(source, follower);
                        Shipped.Import(follower, shipment);
                        Shipped.AreEqual(source, follower);
                    }
                }
            }
        }

        Assert.True(failed > 300, $"{failed} faults");
        Effort.Tell(output, "injected faults", failed, "no chance in it", "failing calls of the follower during an import");
    }

    [Fact]
    public void WhicheverReadFailsTheSourceSaysSoAndTheFollowerHoldsABeginning()
    {
        int failed = 0;
        foreach (bool isForever in new[] { false, true })
        {
            for (long at = 1; ; at++)
            {
                var faulty = new FaultDirectory(new SimDirectory());
                using NinoStore source = Simulated.Open(faulty, seed: 1);
                Shipped.Append(source, 70);
                using NinoStore follower = Simulated.Open(new SimDirectory(), seed: 2);
                faulty.Fault = new Fault(at, FaultKind.IoError, isForever, static o => o is IoOperation.Read or IoOperation.OpenRead or IoOperation.Map or IoOperation.List);
                bool said = false;
                try
                {
                    Shipped.Follow(source, follower);
                }
                catch (InjectedFault)
                {
                    // What came before it is there.
                    said = true;
                }

                bool done = faulty.Failures == 0;
                faulty.Fault = null;
                Shipped.IsPrefix(source, follower);
                Assert.True(said || follower.LastSequence == source.LastSequence, $"Read {at} failed and nothing was said: the follower ends at {follower.LastSequence} instead of {source.LastSequence}.");
                Shipped.Follow(source, follower);
                Shipped.AreEqual(source, follower);
                if (done) break;
                failed++;
            }
        }

        Assert.True(failed > 10, $"{failed} faults");
        Effort.Tell(output, "injected faults", failed, "no chance in it", "failing reads of the source while it is shipped");
    }

    // Returns what was acknowledged as durable when the fault stopped it. The shipment first, then commits between.
    private static long Import(IStoreDirectory directory, byte[] shipment, NinoStore source)
    {
        long acknowledged = 0;
        var trouble = new DiskTrouble();
        try
        {
            using (NinoStore follower = Simulated.Open(directory, seed: 2))
            {
                foreach (RawFrame frame in source.ReadFrames())
                {
                    if (frame.LastSequence > source.LastSequence / 2) break;
                    if (!follower.Import(frame) || frame.LastSequence % 3 != 0) continue;
                    Simulated.Commit(follower);
                    acknowledged = follower.LastSequence;
                }
            }

            using NinoStore again = Simulated.Open(directory, seed: 4);
            acknowledged = Shipped.Import(again, shipment).LastSequence;
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            // What was promised until now is checked.
            trouble.ThrowOther();
        }

        return acknowledged;
    }
}
