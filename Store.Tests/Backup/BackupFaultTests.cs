using Store.Faster;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.Backup;

/// <summary>Every call of a backup fails, in the source or in the copy, once or from then on. The copy opens, the source goes on, and the next backup is right.</summary>
public class BackupFaultTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void WhicheverCallFailsABackupTellsAndTheCopyOpens(bool inSource)
    {
        int failed = 0;
        foreach (FaultKind kind in Enum.GetValues<FaultKind>())
        {
            foreach (bool isForever in new[] { false, true })
            {
                for (long at = 1; ; at++)
                {
                    SimDirectory directory = new(), copied = new();
                    FaultDirectory source = new(directory), copy = new(copied, seed: (int)at);
                    NinoStore store = RetentionTests.Grown(source, segments: 2);
                    CursorTests.Commit(store.OpenCursor("mail"), 5);
                    long before = store.BackupTo(copy).LastSequence;
                    RetentionTests.Grow(store, source, 3);
                    store.TruncateBefore(RetentionTests.First(source, 2), RetentionHolds.Cursors);
                    FaultDirectory faulty = inSource ? source : copy;
                    faulty.Fault = new Fault(at, kind, isForever);
                    try
                    {
                        store.BackupTo(copy);
                    }
                    catch (Exception e) when (DiskTrouble.IsCauseOf(e))
                    {
                        // The failure that was asked for; anything else fails the test.
                    }

                    long struck = faulty.Failures;
                    faulty.Fault = null;
                    foreach (SimDirectory after in copied.CrashStates(limit: 1, seed: (int)at).Append(copied.KillProcess()))
                    {
                        using NinoStore opened = Simulated.Open(after, seed: 3);
                        Assert.InRange(opened.LastSequence, before, store.LastSequence);
                        Assert.All(opened.Recovery.Damage, static d => Assert.Equal(StoreDamageKind.TornTail, d.Kind));
                        RetentionTests.IsWhole(opened);
                    }

                    // A failing read or sync of the source's log would have stopped it; a backup only reads.
                    if (!inSource)
                    {
                        store.Append((int)store.LastSequence + 1);
                        store.BackupTo(copy);
                        using NinoStore right = Simulated.Open(copied.KillProcess(), seed: 4);
                        Assert.Equal((store.FirstSequence, store.LastSequence), (right.FirstSequence, right.LastSequence));
                        RetentionTests.IsWhole(right);
                    }

                    try
                    {
                        store.Dispose();
                    }
                    catch (StoreFailedException e) when (e.InnerException is InjectedFault)
                    {
                        // The fault struck the commit that a backup begins with.
                    }

                    if (struck == 0) break;
                    failed++;
                }
            }
        }

        Assert.True(failed > (inSource ? 20 : 60), $"{failed} faults");
        Effort.Tell(output, "injected faults", failed, "no chance in it", $"backup, in the {(inSource ? "source" : "copy")}");
    }

    [Fact]
    public async Task ACopyMakesItsKeyedStateAnewFromTheLog()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder["data"]);
        using (var prices = store.OpenKeyValue<string, decimal>("prices"))
        {
            for (int i = 0; i < 200; i++) prices.Put($"key {i % 50}", i);
            prices.Delete("key 7");
            await store.CheckpointAllAsync();
            prices.Put("key 8", 4711m);
        }

        await store.BackupToAsync(folder["copy"]);

        Assert.Empty(Directory.GetDirectories(folder["copy"]));
        await using NinoStore copy = NinoStore.Open(folder["copy"]);
        using var rebuilt = copy.OpenKeyValue<string, decimal>("prices");
        Assert.Equal(49, rebuilt.Count);
        Assert.True(rebuilt.TryGet("key 8", out decimal price) && price == 4711m);
        Assert.False(rebuilt.TryGet("key 7", out _));
    }
}
