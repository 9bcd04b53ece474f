using Store.Faster;
using Store.Retention;
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
        int failed = 0, wentOn = 0, stopped = 0;
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
                    if (inSource) store.Append((int)store.LastSequence + 1);
                    FaultDirectory faulty = inSource ? source : copy;
                    faulty.Fault = new Fault(at, kind, isForever);
                    BackupResult? result = null;
                    try
                    {
                        result = store.BackupTo(copy);
                    }
                    catch (Exception e) when (DiskTrouble.IsCauseOf(e))
                    {
                        // The failure that was asked for; anything else fails the test.
                    }

                    long struck = faulty.Failures;
                    faulty.Fault = null;
                    if (struck == 0) Assert.Empty(result!.Omitted);
                    foreach (SimDirectory after in copied.CrashStates(limit: 1, seed: (int)at).Append(copied.KillProcess()))
                    {
                        using NinoStore opened = Simulated.Open(after, seed: 3);
                        Assert.InRange(opened.LastSequence, result?.LastSequence ?? before, store.LastSequence);
                        Assert.All(opened.Recovery.Damage, static d => Assert.Equal(StoreDamageKind.TornTail, d.Kind));
                        RetentionTests.IsWhole(opened);
                    }

                    // The commit that a backup begins with stops the source when a call of it fails; a read that fails is the backup's alone.
                    Exception? refused = Record.Exception(() => store.Append((int)store.LastSequence + 1));
                    if (refused is not null)
                    {
                        Assert.True(DiskTrouble.IsCauseOf(Assert.IsType<StoreFailedException>(refused)));
                        Assert.Contains(source.Trace.Calls, static c => c.Failure is InjectedFault && (c.ChangesBytes || c.Operation is IoOperation.SyncData || c.File == LogEnd.FileName));
                        Record.Exception(store.Dispose);
                        stopped++;
                    }
                    else
                    {
                        Assert.Empty(store.BackupTo(copy).Omitted);
                        using NinoStore right = Simulated.Open(copied.KillProcess(), seed: 4);
                        Assert.Equal((store.FirstSequence, store.LastSequence), (right.FirstSequence, right.LastSequence));
                        RetentionTests.IsWhole(right);
                        store.Dispose();
                        if (struck > 0) wentOn++;
                    }

                    if (struck == 0) break;
                    failed++;
                }
            }
        }

        Assert.True(failed > (inSource ? 20 : 60), $"{failed} faults");
        Assert.True(wentOn > (inSource ? 10 : 60), $"{wentOn} sources went on");
        Assert.Equal(inSource, stopped > 0);
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
