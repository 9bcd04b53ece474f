using Store.Framing;
using Store.IO;
using Store.Log;
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

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void AnOpeningThatFailsClosesEveryFileAndKeepsNothingPrepared(bool isNew)
    {
        int failures = 0;
        for (int at = 1; ; at++)
        {
            var directory = new SimDirectory();
            if (!isNew)
            {
                using NinoStore before = Simulated.Open(directory);
                before.Append(1);
            }

            var counted = new CountedFiles(directory);
            var faulty = new FaultDirectory(counted) { Fault = new Fault(at, FaultKind.IoError) };
            NinoStore? opened = null;
            Exception? failure = Record.Exception(() => opened = Simulated.Open(faulty, seed: 2));
            Record.Exception(() => opened?.Dispose());
            if (failure is null && faulty.Failures == 0) break;
            Assert.Equal(0, counted.Open);
            if (failure is null) continue;
            failures++;
            Assert.DoesNotContain(directory.List(), static f => SegmentFormat.IsPrepared(f.Name, null));
        }

        Assert.True(failures > 10, $"{failures} openings failed");
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

    /// <summary>Counts the files that are open.</summary>
    private sealed class CountedFiles(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public int Open { get; private set; }

        public override IStoreFile Create(string name) => new CountedFile(this, base.Create(name));

        public override IStoreFile OpenWrite(string name) => new CountedFile(this, base.OpenWrite(name));

        public override IStoreFile OpenRead(string name) => new CountedFile(this, base.OpenRead(name));

        private sealed class CountedFile : PassThroughFile
        {
            private readonly CountedFiles _directory;
            private bool _closed;

            public CountedFile(CountedFiles directory, IStoreFile inner)
                : base(inner)
            {
                _directory = directory;
                directory.Open++;
            }

            public override void Dispose()
            {
                if (!_closed) _directory.Open--;
                _closed = true;
                base.Dispose();
            }
        }
    }
}
