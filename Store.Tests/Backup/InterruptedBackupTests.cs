using Store.IO;
using Store.Log;
using Store.Tests.Log;
using Store.Tests.Retention;
using Store.Tests.Simulation;

namespace Store.Tests.Backup;

/// <summary>What happens to the store while it is copied: it is closed, or somebody else truncates it. The copy opens all the same.</summary>
public class InterruptedBackupTests
{
    [Fact]
    public void ClosingTheStoreEndsItsBackup()
    {
        SimDirectory directory = new(), copy = new();
        NinoStore store = RetentionTests.Grown(directory, segments: 6);
        long last = store.LastSequence;
        Thread closing = new(store.Dispose);
        copy.OnOperation = (_, what) =>
        {
            if (closing.ThreadState != ThreadState.Unstarted || !what.StartsWith($"rename {SegmentFormat.Name(2)}", StringComparison.Ordinal)) return;

            // It waits for the copy by now, having told it to end.
            closing.Start();
            Assert.True(SpinWait.SpinUntil(() => closing.ThreadState == ThreadState.WaitSleepJoin, TimeSpan.FromSeconds(30)));
        };

        Assert.Contains("closed while it was copied", Assert.Throws<ObjectDisposedException>(() => store.BackupTo(copy)).Message, StringComparison.Ordinal);

        Assert.True(closing.Join(TimeSpan.FromSeconds(30)));
        Assert.Equal([1, 2], RetentionTests.Segments(copy));
        Assert.DoesNotContain(copy.List(), static f => f.Name.EndsWith(".tmp", StringComparison.Ordinal));
        Assert.Throws<ObjectDisposedException>(() => store.BackupTo(copy));
        using (NinoStore opened = Simulated.Open(copy.KillProcess(), seed: 2)) RetentionTests.IsWhole(opened);

        copy.OnOperation = null;
        using NinoStore again = Simulated.Open(directory, seed: 3);
        BackupResult rest = again.BackupTo(copy);
        Assert.Equal((last, 2), (rest.LastSequence, rest.FilesKept));
        using NinoStore whole = Simulated.Open(copy.KillProcess(), seed: 4);
        RetentionTests.IsWhole(whole);
        Assert.Equal(last, whole.LastSequence);
    }

    [Fact]
    public void ACancelledBackupIsToldFromAClosedStore()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore store = RetentionTests.Grown(directory, segments: 3);
        using var stop = new CancellationTokenSource();
        copy.OnOperation = (_, _) => stop.Cancel();

        Assert.ThrowsAny<OperationCanceledException>(() => store.BackupTo(copy, cancellationToken: stop.Token));
    }

    [Fact]
    public void SegmentsThatAnotherProcessRemovesMeanwhileAreNamed()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore writer = RetentionTests.Grown(directory, segments: 5);
        var looking = new View(directory);
        using NinoStore reader = Simulated.Open(looking, 2, o => o with { ReadOnly = true });
        long first = RetentionTests.First(directory, 4);
        looking.Opening = name =>
        {
            if (name == SegmentFormat.Name(2)) writer.TruncateBefore(first);
        };

        LogTruncatedException removed = Assert.Throws<LogTruncatedException>(() => reader.BackupTo(copy));

        Assert.Equal(first, removed.FirstSequence);
        using NinoStore opened = Simulated.Open(copy.KillProcess(), seed: 3);
        RetentionTests.IsWhole(opened);
    }

    [Fact]
    public void CursorsThatAnotherProcessDeletesMeanwhileAreLeftOut()
    {
        SimDirectory directory = new(), copy = new();
        using NinoStore writer = RetentionTests.Grown(directory, segments: 2);
        var looking = new View(directory);
        foreach (string name in new[] { "a", "b", "c", "d" }) writer.OpenCursor(name);
        using NinoStore reader = Simulated.Open(looking, 2, o => o with { ReadOnly = true });
        looking.Opening = name =>
        {
            if (name == "cursor-b.nino") writer.DeleteCursor("b");
            if (name == "cursor-d.nino") writer.DeleteCursor("d");
        };

        Assert.Equal(["a", "c"], reader.Cursors.Select(static c => c.Name));

        writer.OpenCursor("d");
        reader.BackupTo(copy);
        Assert.Equal(["cursor-a.nino", "cursor-c.nino"], copy.List().Select(static f => f.Name).Where(static n => n.StartsWith("cursor", StringComparison.Ordinal)));
        using NinoStore opening = Simulated.Open(looking, 3, o => o with { ReadOnly = true });
        Assert.Empty(opening.Recovery.Damage);
    }

    /// <summary>Another process's look at the folder.</summary>
    private sealed class View(IStoreDirectory inner) : LookOnlyDirectory(inner)
    {
        public Action<string>? Opening { get; set; }

        public override IStoreFile OpenRead(string name)
        {
            Opening?.Invoke(name);
            return base.OpenRead(name);
        }
    }
}
