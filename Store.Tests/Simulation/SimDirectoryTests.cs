// Does the simulator lose what a power failure may lose, and nothing that a sync covered?

using System.Diagnostics;
using System.Text;
using Store.IO;
using Xunit.Abstractions;

namespace Store.Tests.Simulation;

public class SimDirectoryTests(ITestOutputHelper output)
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
        Assert.DoesNotContain(ContentsAfterCrash(sim, "a"), content => content is not null && !content.StartsWith("new", StringComparison.Ordinal));
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
    public void ACrashStateIsIndependentOfTheFolderItWasMadeFrom()
    {
        var sim = WithSyncedFile("a", "old");
        using var file = sim.OpenWrite("a");
        file.Write("new"u8, 0);
        var image = sim.TakeImage();
        var states = sim.CrashStates(100, 1);
        var after = image.Build(image.EverythingSurvives);
        file.Write("xxx"u8, 0);
        file.SyncData();
        sim.Delete("a");
        sim.SyncDirectory();
        using (var other = after.OpenWrite("a"))
            other.Write("yyy"u8, 0);
        Assert.Equal("old", ContentOf(image.Build(image.NothingSurvives), "a"));
        Assert.Equal("new", ContentOf(image.Build(image.EverythingSurvives), "a"));
        Assert.Equal(2, states.Count());
        Assert.Empty(sim.List());
    }

    [Fact]
    public void ACrashStateHasNothingUnsynced()
    {
        var sim = RandomFolder(7);
        foreach (var state in sim.CrashStates(50, 7))
            Assert.Equal(Fingerprint(state), Fingerprint(Assert.Single(state.CrashStates(50, 8))));
    }

    [Fact]
    public void TenUnsyncedChangesAreEnumeratedCompletely()
    {
        var sim = WithSyncedFile("a", new string('.', 5120));
        using var file = sim.OpenWrite("a");
        for (var i = 0; i < 10; i++)
            file.Write("x"u8, i * 512);
        var states = sim.CrashStates(100_000, 1).Select(Fingerprint).ToList();
        Assert.Equal(1024, states.Count);
        Assert.Equal(1024, states.Distinct().Count());
        Assert.Equal(1024, sim.Statistics.ExhaustiveStates);
    }

    [Fact]
    public void ManyUnsyncedChangesAreSampledUpToTheLimit()
    {
        var sim = RandomFolder(3);
        Assert.Equal(500, sim.CrashStates(500, 3).Count());
        Assert.Equal(500, sim.Statistics.SampledStates);
    }

    [Fact]
    public void TheSameSeedGivesTheSameStates()
    {
        var first = RandomFolder(5).CrashStates(300, 11).Select(Fingerprint).ToList();
        Assert.Equal(first, RandomFolder(5).CrashStates(300, 11).Select(Fingerprint));
        Assert.NotEqual(first, RandomFolder(5).CrashStates(300, 12).Select(Fingerprint));
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
    public void APublishedFileIsOldOrNewAtEveryPowerFailure()
    {
        const int Seed = 20_261_121;
        var statistics = new SimStatistics();
        for (var n = 1; ; n++)
        {
            var sim = new SimDirectory(statistics: statistics);
            AtomicFile.Publish(sim, "s", file => file.Write(Filled('o', 3000), 0));
            sim.PowerOffAt = sim.OperationCount + n;
            var acknowledged = false;
            try
            {
                AtomicFile.Publish(sim, "s", file =>
                {
                    file.Write(Filled('n', 1000), 0);
                    file.Write(Filled('n', 4000), 1000);
                });
                acknowledged = true;
            }
            catch (SimulatedPowerFailure)
            {
                Assert.True(sim.IsPowerOff);
            }
            foreach (var state in sim.CrashStates(2000, Seed))
            {
                var content = ContentOf(state, "s");
                Assert.True(content == new string('n', 5000) || (!acknowledged && content == new string('o', 3000)), $"operation {n}: {content?.Length} bytes");
            }
            if (acknowledged)
                break;
        }
        Assert.True(statistics.ExhaustiveStates > 20 && statistics.SampledStates > 1000, statistics.Describe(Seed));
        output.WriteLine(statistics.Describe(Seed));
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

    [Fact]
    public void CrashStatesOfASmallStoreComeByTheThousands()
    {
        // A 64 KiB segment with twelve frames no sync has covered, a snapshot, and a new file not yet in the folder.
        var sim = WithSyncedFile("1.log", new string('\0', 65_536));
        AtomicFile.Publish(sim, "1.snapshot", file => file.Write(new byte[20_000], 0));
        using var log = sim.OpenWrite("1.log");
        for (var i = 0; i < 12; i++)
            log.Write(new byte[300], i * 300);
        sim.Create("2.log.tmp").Dispose();
        _ = sim.CrashStates(2000, 1).Count();
        var watch = Stopwatch.StartNew();
        const int States = 20_000;
        foreach (var state in sim.CrashStates(States, 9))
            _ = state.List();
        var perSecond = States / watch.Elapsed.TotalSeconds;
        output.WriteLine($"{perSecond:N0} crash states a second");
        Assert.True(perSecond > 1_000, $"{perSecond:N0} crash states a second"); // the goal is 20,000; the bound only catches a wrong order of cost on a busy machine
    }

    private static SimDirectory WithSyncedFile(string name, string text)
    {
        var sim = new SimDirectory();
        using var file = sim.Create(name);
        file.Write(Encoding.UTF8.GetBytes(text), 0);
        file.SyncData();
        sim.SyncDirectory();
        return sim;
    }

    /// <summary>A few files, partly synced, with more unsynced changes than are enumerated.</summary>
    private static SimDirectory RandomFolder(int seed)
    {
        var random = new Random(seed);
        var sim = new SimDirectory();
        for (var i = 0; i < 4; i++)
        {
            using var file = sim.Create($"{i}.log");
            for (var n = 0; n < 6; n++)
            {
                var bytes = new byte[random.Next(1, 3000)];
                random.NextBytes(bytes);
                file.Write(bytes, random.Next(0, 16_000));
                if (n == 2)
                    file.SyncData();
            }
            if (i == 1)
                sim.SyncDirectory();
        }
        sim.Rename("0.log", "9.log");
        return sim;
    }

    private static byte[] Filled(char value, int length) => Encoding.UTF8.GetBytes(new string(value, length));

    /// <summary>The different contents that a file has in all crash states, null for a missing one.</summary>
    private static List<string?> ContentsAfterCrash(SimDirectory sim, string name) =>
        [.. sim.CrashStates(5000, 1).Select(state => ContentOf(state, name)).Distinct().Order(StringComparer.Ordinal)];

    private static string? ContentOf(SimDirectory sim, string name)
    {
        if (!sim.List().Any(e => e.Name == name))
            return null;
        using var file = sim.OpenRead(name);
        var bytes = new byte[file.LengthBytes];
        file.Read(bytes, 0);
        return Encoding.Latin1.GetString(bytes);
    }

    private static string Fingerprint(SimDirectory sim) => string.Join('\n', sim.List().Select(e => $"{e.Name} {e.LengthBytes} {Store.Framing.Crc32C.Compute(Encoding.Latin1.GetBytes(ContentOf(sim, e.Name)!)):x8}"));
}
