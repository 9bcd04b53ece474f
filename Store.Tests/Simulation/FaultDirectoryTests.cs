// Does the fault injector fail what was asked, and does the trace tell a synced write from an unsynced one?

using System.Text;
using Store.IO;
using Store.Tests.IO;

namespace Store.Tests.Simulation;

/// <summary>Without a fault the wrapper is invisible.</summary>
public sealed class FaultDirectoryContractTests : DirectoryContractTests
{
    protected override IStoreDirectory CreateDirectory() => new FaultDirectory(new SimDirectory());

    protected override IStoreDirectory OpenReadOnly(IStoreDirectory directory)
    {
        var readOnly = new SimDirectory();
        foreach (var entry in directory.List())
        {
            using var source = directory.OpenRead(entry.Name);
            using var copy = readOnly.Create(entry.Name);
            copy.Write(Bytes(source), 0);
        }
        return new FaultDirectory(readOnly.AsReadOnly());
    }
}

public class FaultDirectoryTests
{
    public static TheoryData<int, bool> Faults => new() { { (int)FaultKind.IoError, false }, { (int)FaultKind.IoError, true }, { (int)FaultKind.NoSpace, false }, { (int)FaultKind.NoSpace, true }, { (int)FaultKind.ReadOnlyFileSystem, false }, { (int)FaultKind.ReadOnlyFileSystem, true }, { (int)FaultKind.ShortWrite, false }, { (int)FaultKind.ShortWrite, true } };

    [Theory]
    [MemberData(nameof(Faults))]
    public void PublishingFailsWithTheFaultAndKeepsTheOldFileWhicheverCallFails(int kind, bool isForever)
    {
        var failures = 0;
        for (var n = 1; ; n++)
        {
            var sim = new SimDirectory();
            AtomicFile.Publish(sim, "s", file => file.Write("old"u8, 0));
            var faulty = new FaultDirectory(sim) { Fault = new Fault(n, (FaultKind)kind, isForever) };
            var failure = Record.Exception(() => AtomicFile.Publish(faulty, "s", file =>
            {
                file.Write("n"u8, 0);
                file.Write("ew"u8, 1);
            }));
            if (faulty.Failures == 0)
            {
                Assert.Null(failure);
                break;
            }
            failures++;
            Assert.IsType<InjectedFault>(failure);
            var isFolderSync = faulty.Trace.Calls.First(c => c.Failure is InjectedFault).Operation == IoOperation.SyncDirectory;
            Assert.Equal(isFolderSync ? "new" : "old", ContentOf(sim, "s"));
            if (!isForever)
                Assert.Single(sim.List()); // nothing is left behind when only one call failed
            foreach (var state in sim.CrashStates(200, n))
                Assert.Contains(ContentOf(state, "s"), isFolderSync ? ["new", "old"] : new[] { "old" });
        }
        Assert.True(failures >= 2);
    }

    [Fact]
    public void AShortWriteStoresItsFirstHalf()
    {
        var faulty = new FaultDirectory(new SimDirectory()) { Fault = new Fault(1, FaultKind.ShortWrite) };
        using var file = faulty.Create("a");
        var failure = Assert.Throws<InjectedFault>(() => file.Write("0123456789"u8, 0));
        Assert.Equal(IoFailure.NoSpace, failure.HResult);
        Assert.Equal(5, file.LengthBytes);
        file.Write("0123456789"u8, 0);
        Assert.Equal(10, file.LengthBytes);
    }

    [Fact]
    public void AFaultForeverFailsEveryCallFromItsNumberOn()
    {
        var faulty = new FaultDirectory(new SimDirectory()) { Fault = new Fault(2, FaultKind.IoError, IsForever: true, operation => operation == IoOperation.SyncData) };
        using var file = faulty.Create("a");
        file.SyncData();
        for (var i = 0; i < 3; i++)
        {
            Assert.Equal(IoFailure.IoError, Assert.Throws<InjectedFault>(file.SyncData).HResult);
            file.Write("x"u8, i);
        }
        Assert.Equal(3, faulty.Failures);
    }

    [Fact]
    public void ASyncThatIsRetriedAfterAFailureReportsSuccessForLostBytes()
    {
        // What Linux does, and why the store must never retry.
        var lost = 0;
        for (var seed = 0; seed < 20; seed++)
        {
            var sim = new SimDirectory();
            AtomicFile.Publish(sim, "a", file => file.Write("old"u8, 0));
            var faulty = new FaultDirectory(sim, seed) { Fault = new Fault(1, FaultKind.IoError, Strikes: operation => operation == IoOperation.SyncData) };
            using var file = faulty.OpenWrite("a");
            file.Write("new"u8, 0);
            Assert.Throws<InjectedFault>(file.SyncData);
            file.Write("!"u8, 3);
            file.SyncData();
            Assert.Equal("new!", ContentOf(sim, "a"));
            var onDisk = ContentOf(Assert.Single(sim.CrashStates(100, seed)), "a");
            Assert.Contains(onDisk, new[] { "old!", "new!" });
            lost += onDisk == "old!" ? 1 : 0;
        }
        Assert.InRange(lost, 1, 19);
    }

    [Fact]
    public void TheTraceNamesTheFileWhoseWriteNoSyncCovers()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        using var a = faulty.Create("a.tmp");
        using var b = faulty.Create("b");
        a.Write("x"u8, 0);
        faulty.Rename("a.tmp", "a");
        b.Write("x"u8, 0);
        b.SyncData();
        Assert.Equal(["a.tmp"], faulty.Trace.UnsyncedFiles(faulty.Trace.Now, faulty.Trace.Now));
        Assert.Equal(["a.tmp", "b"], faulty.Trace.UnsyncedNames(faulty.Trace.Now, faulty.Trace.Now));
        var written = faulty.Trace.Now;
        using (var again = faulty.OpenWrite("a"))
            again.SyncData(); // through another name and another handle: the same file
        faulty.SyncDirectory();
        Assert.Empty(faulty.Trace.UnsyncedFiles(written, faulty.Trace.Now));
        Assert.Empty(faulty.Trace.UnsyncedNames(written, faulty.Trace.Now));
        Assert.Equal(["a.tmp"], faulty.Trace.UnsyncedFiles(written, written)); // it was not covered at that time
        a.Write("y"u8, 0);
        Assert.Empty(faulty.Trace.UnsyncedFiles(written, faulty.Trace.Now));
        Assert.NotEmpty(faulty.Trace.UnsyncedFiles(faulty.Trace.Now, faulty.Trace.Now));
    }

    [Fact]
    public void AFailedSyncCoversNothing()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        using var file = faulty.Create("a");
        file.Write("x"u8, 0);
        faulty.Fault = new Fault(1, FaultKind.IoError);
        Assert.Throws<InjectedFault>(file.SyncData);
        Assert.Equal(["a"], faulty.Trace.UnsyncedFiles(faulty.Trace.Now, faulty.Trace.Now));
    }

    [Fact]
    public void TheTraceHasOffsetsAndLengths()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        using (var file = faulty.Create("a"))
        {
            file.Write(new byte[10], 5);
            file.StartWriteback(5, 10);
            file.Read(new byte[3], 7);
            file.Truncate(9);
            file.Map().Dispose();
        }
        Assert.Equal(
            ["Create a 0 0", "Write a 5 10", "StartWriteback a 5 10", "Read a 7 3", "Truncate a 0 9", "Map a 0 9"],
            faulty.Trace.Calls.Select(c => $"{c.Operation} {c.File} {c.Offset} {c.LengthBytes}"));
    }

    private static string ContentOf(SimDirectory sim, string name)
    {
        using var file = sim.OpenRead(name);
        var bytes = new byte[file.LengthBytes];
        file.Read(bytes, 0);
        return Encoding.UTF8.GetString(bytes);
    }
}
