// Checkpoints that cannot be used go for the log that has what they held. Opening a store does not read sealed segments: what if that log is damaged in its middle, or has a change that does not fit? Then they stay, for whoever
// opens the state as it was: of other pages, of another shape, or when a backup has the log again.

using System.Security.Cryptography;
using Store.Faster;
using Store.Faster.Checkpoints;
using Store.Framing;
using Store.IO;
using Store.KeyValue;
using Store.Log;
using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Xunit.Abstractions;

namespace Store.Tests.KeyValue;

public class KeyValueUnreadableLogTests(ITestOutputHelper output)
{
    private const string Name = "state";
    private const int Changes = 400, SectorBytes = 64;
    private static readonly int Seed = Effort.Seed(20261124);
    private static readonly FasterOptions OtherPages = KeyValueBed.Tiny with { PageSizeBytes = 8192, MemorySizeBytes = 32 * 1024 };

    // Sealed, behind the older checkpoint and before the newer one.
    private static readonly string Middle = SegmentFormat.Name(3);

    private static Dictionary<int, string> Expected { get; } = Enumerable.Range(0, 40).ToDictionary(static key => key, static key => Value(Changes - 40 + key));

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task CheckpointsOfOtherPagesStayWhenTheLogIsDamagedAndOpenWithTheirOwn(bool isRot)
    {
        using SimDirectory directory = await PreparedAsync();
        AssertRefused(directory, isRot, static store => store.OpenKeyValue<int, string>(Name, OtherPages), "Open it with FasterOptions.PageSizeBytes = 4096");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task CheckpointsOfAnEarlierShapeStayWhenTheLogIsDamagedAndOpenWithTheirTypes(bool isRot)
    {
        using SimDirectory directory = await PreparedAsync();
        AssertRefused(directory, isRot, static store => store.OpenKeyValue<long, string>(Name, KeyValueBed.Tiny), "Open it with the types that it was written with");
    }

    /// <summary>Opened with its own pages again it need not even be read anew.</summary>
    [Fact]
    public async Task CheckpointsOfLargerPagesStayWhenAChangeDoesNotFitASmallerOne()
    {
        using SimDirectory directory = await PreparedAsync(OtherPages, large: 200);
        string[] before = Files(directory);
        using NinoStore store = Simulated.Open(directory, 2);
        RecordTooLargeException refused = Assert.Throws<RecordTooLargeException>(() => store.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny));
        Assert.Contains("Record 201 of the log", refused.Message, StringComparison.Ordinal);
        Assert.Equal(before, Files(directory));
        AssertOpensFromItsCheckpoint(store, OtherPages);
    }

    /// <summary>The older of two can be used, and the newer one goes for what the log has behind it: that is damaged.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ANewerCheckpointStaysWhenTheLogBehindTheOlderOneIsDamaged(bool hasAnotherShape)
    {
        using SimDirectory directory = await PreparedAsync();
        Rot(directory);
        string newest = directory.List().Select(static file => file.Name).Where(static name => name.EndsWith(".manifest", StringComparison.Ordinal)).Max(StringComparer.Ordinal)!;
        byte[] whole = directory.Bytes(newest);
        Assert.True(CheckpointManifest.TryParse(whole, out CheckpointManifest? manifest, out _));
        byte[] narrower = (manifest with { KeySchema = NinoCodec<short>.Default.Schema.CanonicalBytes.ToArray() }).Encode(), damaged = [.. whole];
        damaged[^1] ^= 1;
        directory.Replace(newest, hasAnotherShape ? narrower : damaged);
        string[] before = Files(directory);
        using NinoStore store = Simulated.Open(directory, 2);
        StoreCorruptException refused = Assert.Throws<StoreCorruptException>(() => store.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny));
        Assert.Contains("Nothing was changed.", refused.Message, StringComparison.Ordinal);
        Assert.Contains(hasAnotherShape ? "Open it with the types that it was written with" : "from a backup", refused.Message, StringComparison.Ordinal);
        Assert.Equal(before, Files(directory));
        directory.Replace(newest, whole);
        AssertOpensFromItsCheckpoint(store, KeyValueBed.Tiny);
    }

    /// <summary>Where the log is damaged, nothing is changed at any step; where it is whole, the state is made anew: either way, the pages that it was written with open all of it after each step.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task WhereverThePowerFailsInAnOpeningWithOtherPagesTheirOwnOpenEverything(bool isDamaged)
    {
        using SimDirectory intact = await PreparedAsync();
        if (isDamaged) Rot(intact);
        intact.SyncAllFolders();
        int states = 0, points = 0;
        foreach (long at in Effort.Points(every: 1, Effort.CrashScale, out int statesEach))
        {
            using SimDirectory directory = intact.KillProcess();
            directory.PowerOffAt = directory.OperationCount + at;
            bool isRefused = OpensUntilThePowerFails(directory);
            Assert.True(directory.IsPowerOff || isRefused == isDamaged, "An opening over a damaged log should be refused, and no other.");
            points++;
            foreach (SimDirectory left in directory.CrashStates(limit: 3 * statesEach, seed: Seed + (int)at).Append(directory.KillProcess()))
            {
                states++;
                using NinoStore store = Simulated.Open(left, 3);
                using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, KeyValueBed.Tiny);
                KeyValueBed.AssertHolds(kv, Expected, [41]);
            }

            if (!directory.IsPowerOff) break;
        }

        output.WriteLine($"an opening with other pages over a {(isDamaged ? "damaged" : "whole")} log: {states} states of {points} crash points");
        Assert.True(Effort.IsSlice || points > 5, $"{points} points");
    }

    private static void AssertRefused<TKey>(SimDirectory directory, bool isRot, Func<NinoStore, IKeyValueStore<TKey, string>> open, string advice)
    {
        var disk = new BadSectorDirectory(directory, SectorBytes);
        if (isRot) Rot(directory);
        string[] before = Files(directory);
        using NinoStore store = Simulated.Open(disk, 2);
        if (!isRot) disk.Spoil(Middle, Place(directory));
        Exception refused = Assert.ThrowsAny<Exception>(() => open(store));
        if (isRot) Assert.IsType<StoreCorruptException>(refused);
        else Assert.IsAssignableFrom<IOException>(refused);
        Assert.Contains(Middle, refused.Message, StringComparison.Ordinal);
        Assert.Contains("Nothing was changed.", refused.Message, StringComparison.Ordinal);
        Assert.Contains(advice, refused.Message, StringComparison.Ordinal);
        Assert.Equal(before, Files(directory));
        AssertOpensFromItsCheckpoint(store, KeyValueBed.Tiny);
    }

    private static void AssertOpensFromItsCheckpoint(NinoStore store, FasterOptions options)
    {
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, options);
        Assert.Equal((false, 351L, 0), (kv.Recovery.RebuiltFromLog, kv.Recovery.CheckpointSequence, kv.Recovery.Rejected.Count));
        KeyValueBed.AssertHolds(kv, Expected, [41]);
    }

    /// <returns>True when it was refused for the log.</returns>
    private static bool OpensUntilThePowerFails(SimDirectory directory)
    {
        var trouble = new DiskTrouble();
        try
        {
            using NinoStore store = Simulated.Open(directory, 2);
            try
            {
                using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, OtherPages);
                KeyValueBed.AssertHolds(kv, Expected, [41]);
            }
            catch (StoreCorruptException)
            {
                return true;
            }
        }
        catch (Exception e) when (trouble.Ends(e))
        {
            // The power is off: what is on the disk is looked at next.
            trouble.ThrowOther();
        }

        return false;
    }

    // Its own files, and up to where the log is let go for it.
    private static string[] Files(SimDirectory directory) =>
        [.. directory.List().Select(static file => file.Name).Where(static name => name.StartsWith("kv-", StringComparison.Ordinal)).Select(name => $"{name} {Convert.ToHexString(SHA256.HashData(directory.Bytes(name)))}"), $"kept behind {KeyValueHoldBed.Mark.Read(directory)}"];

    private static void Rot(SimDirectory directory)
    {
        byte[] bytes = directory.Bytes(Middle);
        bytes[Place(directory)] ^= 1;
        directory.Replace(Middle, bytes);
        using IStoreFile file = directory.OpenWrite(Middle);
        file.SyncData();
    }

    // In a frame in the middle of it.
    private static int Place(SimDirectory directory)
    {
        List<PlacedFrame> frames = Frames.WithPlaces(directory, 3);
        PlacedFrame frame = frames[frames.Count / 2];
        Assert.InRange(frame.Header.FirstSequence, 62, 350);
        return (int)frame.Offset + FrameFormat.HeaderSize + 10;
    }

    private static string Value(int i) => $"{i} {new string('v', 100)}";

    /// <summary>Two checkpoints, behind change 61 and 351, and all of the log.</summary>
    private static async Task<SimDirectory> PreparedAsync(FasterOptions? options = null, int large = -1)
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        using IKeyValueStore<int, string> kv = store.OpenKeyValue<int, string>(Name, options ?? KeyValueBed.Tiny);
        for (int i = 0; i < Changes; i++)
        {
            kv.Put(i % 40, i == large ? new string('l', 6000) : Value(i));
            if (i % 10 == 9) Simulated.Commit(store);
            if (i is 60 or 350) await kv.CheckpointAsync();
        }

        Simulated.Commit(store);
        return directory;
    }
}
