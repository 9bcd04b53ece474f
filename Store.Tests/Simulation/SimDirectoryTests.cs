// Does the simulator lose what a power failure may lose, and nothing that a sync covered?

using System.Text;
using Store.IO;
using static Store.Tests.Simulation.SimFolders;

namespace Store.Tests.Simulation;

public class SimDirectoryTests
{
    [Fact]
    public void AWriteWithoutSyncCanBeLostAndCanSurvive()
    {
        var sim = WithSyncedFile("a", "old");
        sim.OpenWrite("a").Write("new"u8, 0);
        Assert.Equal(["new", "old"], ContentsAfterCrash(sim, "a"));
    }

    [Fact]
    public void ASyncedWriteIsNeverLost()
    {
        var sim = WithSyncedFile("a", "old");
        using var file = sim.OpenWrite("a");
        file.Write("new"u8, 0);
        file.SyncData();
        Assert.Equal(["new"], ContentsAfterCrash(sim, "a"));
        file.Write("newer"u8, 0);
        Assert.All(ContentsAfterCrash(sim, "a"), static content => Assert.StartsWith("new", content, StringComparison.Ordinal));
    }

    [Fact]
    public void SyncingAFileDoesNotMakeItsNameDurable()
    {
        var sim = new SimDirectory();
        using var file = sim.Create("a");
        file.Write("x"u8, 0);
        file.SyncData();
        Assert.Equal([null, "x"], ContentsAfterCrash(sim, "a"));
        sim.SyncDirectory();
        Assert.Equal(["x"], ContentsAfterCrash(sim, "a"));
    }

    [Fact]
    public void SyncingTheFolderDoesNotMakeBytesDurable()
    {
        var sim = new SimDirectory();
        using var file = sim.Create("a");
        file.Write("x"u8, 0);
        sim.SyncDirectory();
        Assert.Equal(["", "\0", "x"], ContentsAfterCrash(sim, "a"));
    }

    [Fact]
    public void ARenameWithoutAFolderSyncCanBeLost()
    {
        var sim = WithSyncedFile("a", "x");
        sim.Rename("a", "b");
        Assert.Equal(["a", "b"], sim.CrashStates(100, 1).Select(s => Assert.Single(s.List()).Name).Order());
        sim.SyncDirectory();
        Assert.Equal("b", Assert.Single(sim.CrashStates(100, 1).Select(s => Assert.Single(s.List()).Name)));
    }

    [Fact]
    public void ARenameThatReplacesLeavesTheOldOrTheNewFile()
    {
        var sim = WithSyncedFile("a", "old");
        using (var file = sim.Create("a.tmp"))
        {
            file.Write("new"u8, 0);
            file.SyncData();
        }
        sim.Rename("a.tmp", "a");
        Assert.Equal(["new", "old"], ContentsAfterCrash(sim, "a"));
    }

    [Fact]
    public void ARenameBeforeTheSyncOfTheFileCanLeaveTheNewNameWithoutBytes()
    {
        // The mistake that AtomicFile exists to prevent is one the simulator finds.
        var sim = WithSyncedFile("a", "old");
        using (var file = sim.Create("a.tmp"))
            file.Write("new"u8, 0);
        sim.Rename("a.tmp", "a");
        sim.SyncDirectory();
        Assert.Equal(["", "\0\0\0", "new"], ContentsAfterCrash(sim, "a"));
    }

    [Fact]
    public void ARemovalWithoutAFolderSyncCanComeBack()
    {
        var sim = WithSyncedFile("a", "x");
        sim.Delete("a");
        Assert.Equal([null, "x"], ContentsAfterCrash(sim, "a"));
        sim.SyncDirectory();
        Assert.Equal([null], ContentsAfterCrash(sim, "a"));
    }

    [Fact]
    public void TheSyncOfOneFolderDoesNotVouchForNamesOfAnother()
    {
        string[] names = ["a", "kv-x.a", "kv-xy.a", "kv-xy.b"];
        SimDirectory With(params string[] synced)
        {
            var sim = new SimDirectory();
            foreach (var name in names)
                sim.Create(name).Dispose();
            foreach (var folder in synced)
            {
                if (folder.Length == 0) sim.SyncDirectory();
                else sim.SyncDirectory(folder);
            }

            return sim;
        }

        foreach (string[] synced in new[] { [], [""], ["kv-x."], ["kv-xy."], ["", "kv-x."], new[] { "kv-xy.", "", "kv-x." } })
        {
            var sim = With(synced);
            string[] durable = [.. names.Where(name => synced.Contains(SimDirectory.FolderOf(name)))];
            var states = sim.CrashStates(100, 1).Select(static s => s.List().Select(static e => e.Name).ToArray()).ToList();
            Assert.Equal(1 << (names.Length - durable.Length), states.Count);
            Assert.All(states, left => Assert.Equal(durable, left.Intersect(durable)));

            // Removals and renames too, and after a kill that kept them.
            sim.SyncAllFolders();
            sim.Delete("a");
            sim.Rename("kv-xy.b", "kv-xy.c");
            sim = sim.KillProcess();
            if (synced.Contains("")) sim.SyncDirectory();
            if (synced.Contains("kv-xy.")) sim.SyncDirectory("kv-xy.");
            states = [.. sim.CrashStates(100, 1).Select(static s => s.List().Select(static e => e.Name).ToArray())];
            Assert.Equal(!synced.Contains(""), states.Exists(static left => left.Contains("a")));
            Assert.Equal(!synced.Contains("kv-xy."), states.Exists(static left => left.Contains("kv-xy.b")));
            Assert.All(states, static left => Assert.Single(left, static name => name is "kv-xy.b" or "kv-xy.c"));
        }

        Assert.Throws<NotSupportedException>(() => With().Rename("a", "kv-x.b"));
        Assert.Throws<ArgumentException>(() => With().SyncDirectory("kv-"));
    }

    [Fact]
    public void EntryChangesSurviveInEverySubset()
    {
        var sim = new SimDirectory();
        foreach (var name in new[] { "a", "b", "c" })
            sim.Create(name).Dispose();
        var listings = sim.CrashStates(100, 1).Select(s => string.Concat(s.List().Select(e => e.Name))).ToList();
        Assert.Equal(["", "a", "ab", "abc", "ac", "b", "bc", "c"], listings.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void AFileNeverHasTwoNamesWhicheverRenamesAreLost()
    {
        var sim = WithSyncedFile("a", "x");
        sim.Rename("a", "b");
        sim.Rename("b", "c");
        Assert.Equal(["a", "b", "c"], sim.CrashStates(100, 1).Select(s => Assert.Single(s.List()).Name).Distinct().Order());
    }

    [Fact]
    public void AWriteTearsAtSectorsAndNowhereElse()
    {
        var sim = WithSyncedFile("a", new string('o', 4096));
        sim.OpenWrite("a").Write(Encoding.UTF8.GetBytes(new string('n', 2000)), 100);
        var tears = 0;
        foreach (var content in ContentsAfterCrash(sim, "a"))
        {
            Assert.NotNull(content);
            Assert.Equal(4096, content.Length);
            for (var sector = 0; sector < 8; sector++)
            {
                var written = content[Math.Clamp(sector * 512, 100, 2100)..Math.Clamp((sector + 1) * 512, 100, 2100)];
                Assert.True(written.Distinct().Count() <= 1, $"sector {sector} is torn");
            }
            Assert.DoesNotContain('n', content[..100] + content[2100..]);
            tears += content[100..2100].Distinct().Count() == 2 ? 1 : 0;
        }
        Assert.Equal((1 << 5) - 2, tears); // five sectors: every subset but none and all
    }

    [Fact]
    public void AnUnsyncedExtensionCanBeZeros()
    {
        var sim = WithSyncedFile("a", "12");
        sim.OpenWrite("a").Write("3456"u8, 2);
        Assert.Equal(["12", "12\0\0\0\0", "123456"], ContentsAfterCrash(sim, "a"));
    }

    [Fact]
    public void ALaterWriteCanSurviveAnEarlierOne()
    {
        var sim = WithSyncedFile("a", new string('.', 1024));
        using var file = sim.OpenWrite("a");
        file.Write("1"u8, 0);
        file.Write("2"u8, 600);
        Assert.Equal(["..", ".2", "1.", "12"], ContentsAfterCrash(sim, "a").Select(c => $"{c![0]}{c[600]}").Order(StringComparer.Ordinal));
    }

    [Fact]
    public void ACutCanBeLost()
    {
        var sim = WithSyncedFile("a", "0123456789");
        using var file = sim.OpenWrite("a");
        file.Truncate(4);
        Assert.Equal(["0123", "0123456789"], ContentsAfterCrash(sim, "a"));
        file.SyncData();
        Assert.Equal(["0123"], ContentsAfterCrash(sim, "a"));
    }

    [Fact]
    public void TheRunningProgramSeesItsUnsyncedWrites()
    {
        var sim = WithSyncedFile("a", "old");
        using var writer = sim.OpenWrite("a");
        using var reader = sim.OpenRead("a");
        using var mapping = reader.Map();
        writer.Write("new"u8, 0);
        var buffer = new byte[3];
        reader.Read(buffer, 0);
        Assert.Equal("new"u8, buffer);
        Assert.Equal("new"u8, mapping.Span(0, 3));
    }

    [Fact]
    public void AKilledProcessLosesItsLocksAndNoWrites()
    {
        var sim = WithSyncedFile("a", "old");
        using var writer = sim.OpenWrite("a");
        Assert.NotNull(sim.TryLock("lock"));
        writer.Write("new"u8, 0);
        var killed = sim.KillProcess();
        writer.Write("NEW"u8, 0); // the killed process writes no more into the killed state
        Assert.Equal("new", ContentOf(killed, "a"));
        Assert.NotNull(killed.TryLock("lock"));
        Assert.Null(sim.TryLock("lock"));
        Assert.Equal(["new", "old"], ContentsAfterCrash(killed, "a"));
    }

    [Fact]
    public void AfterThePowerFailsNothingChangesAndEveryCallFails()
    {
        for (var n = 1; ; n++)
        {
            var sim = WithSyncedFile("a", "old");
            sim.PowerOffAt = sim.OperationCount + n;
            var log = new List<string>();
            sim.OnOperation = (_, operation) => log.Add(operation);
            try
            {
                AtomicFile.Publish(sim, "a", file => file.Write("new"u8, 0));
                Assert.Equal(["remove a.tmp", "create a.tmp", "write a.tmp", "sync a.tmp", "rename a.tmp", "sync the folder sim"], log);
                break;
            }
            catch (SimulatedPowerFailure)
            {
                Assert.True(sim.IsPowerOff);
                Assert.Equal(n - 1, log.Count);
                var before = sim.CrashStates(100, 1).Select(Fingerprint).ToList();
                Assert.Throws<SimulatedPowerFailure>(() => sim.Create("x"));
                Assert.Throws<SimulatedPowerFailure>(() => sim.OpenRead("a"));
                Assert.Throws<SimulatedPowerFailure>(() => sim.List());
                Assert.Equal(before, sim.CrashStates(100, 1).Select(Fingerprint));
            }
        }
    }

    [Fact]
    public void AgainstAModelTheRunningProgramReadsWhatItWroteAndTheDiskKeepsWhatWasSynced()
    {
        // One file as a plain array: the cached bytes always match; each byte of a crash state is one that the byte has had since the last sync.
        const int Seed = 42, Size = 6000;
        var random = new Random(Seed);
        var sim = WithSyncedFile("a", new string('\0', Size));
        using var file = sim.OpenWrite("a");
        var model = new byte[Size];
        var possible = Enumerable.Range(0, Size).Select(_ => new HashSet<byte> { 0 }).ToArray();
        for (var step = 0; step < 400; step++)
        {
            if (random.Next(8) == 0)
            {
                file.SyncData();
                for (var i = 0; i < Size; i++)
                    possible[i] = [model[i]];
            }
            else
            {
                var offset = random.Next(Size);
                var bytes = new byte[random.Next(1, Math.Min(3000, Size - offset) + 1)];
                random.NextBytes(bytes);
                file.Write(bytes, offset);
                bytes.CopyTo(model, offset);
                for (var i = 0; i < bytes.Length; i++)
                    possible[offset + i].Add(bytes[i]);
            }
            var buffer = new byte[Size];
            file.Read(buffer, 0);
            Assert.Equal(model, buffer);
            using var crashed = sim.Crash(random).OpenRead("a");
            Assert.Equal(Size, crashed.Read(buffer, 0));
            for (var i = 0; i < Size; i++)
                Assert.Contains(buffer[i], possible[i]);
        }
    }
}
