using Store.Framing;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Recovery;

/// <summary>Opening that fails, and what opening leaves to be done once it has succeeded.</summary>
public class OpeningFaultTests(ITestOutputHelper output)
{
    [Fact]
    public void AnOpeningThatFailsTellsTheFirstFailureAndReleasesTheLock()
    {
        int failures = 0;
        foreach (FaultKind kind in Enum.GetValues<FaultKind>())
        {
            foreach (bool isForever in (bool[])[false, true])
            {
                for (int at = 1; ; at++)
                {
                    var faulty = new FaultDirectory(new SimDirectory()) { Fault = new Fault(at, kind, isForever) };
                    NinoStore? opened = null;
                    Exception? failure = Record.Exception(() => opened = Simulated.Open(faulty));
                    long struck = faulty.Failures;
                    faulty.Fault = null;
                    opened?.Dispose();
                    if (failure is null && struck == 0) break;
                    if (failure is not null)
                    {
                        failures++;
                        Assert.IsType<InjectedFault>(failure is StoreReadOnlyException ? failure.InnerException : failure);
                    }

                    // Not "in use": whatever failed, and however often.
                    using NinoStore again = Simulated.Open(faulty, seed: 2);
                    Assert.Equal(1, again.Append(1));
                }
            }
        }

        Assert.True(failures > 50, $"{failures} openings failed");
        Effort.Tell(output, "injected faults", failures, "no chance in it", "opening");
    }

    [Fact]
    public void WhatAKilledProcessLeftIsMarkedAsDurableOnceTheStoreIsOpen()
    {
        var directory = new SimDirectory();
        NinoStore store = Simulated.Open(directory, change: static o => o with { FirstSegmentSizeBytes = 32 * 1024 });
        for (int i = 1; i <= 100; i++) store.Append(i);
        Assert.Equal(100, store.Read<int>().Count());
        SimDirectory after = directory.KillProcess();
        Assert.DoesNotContain(Frames.Of(after, 1), static f => f.SyncedThrough > 0);

        NinoStore reopened = Simulated.Open(after, seed: 2, change: static o => o with { RunsInline = false, FlushIntervalMs = 1 });
        Assert.Equal(100, reopened.DurableSequence);

        // Nothing is appended, and yet damage to these records is no torn tail any more.
        Assert.True(SpinWait.SpinUntil(() => Frames.Of(after, 1).Any(static f => f.Kind == FrameKind.Mark && f.SyncedThrough == 100), TimeSpan.FromSeconds(20)));
        reopened.Dispose();
    }
}
