// What the tool says is to be done about damage: whoever follows it must not lose by it what was still to be had.

using Store.Inspect;
using Store.Log;
using Store.Snapshots;
using Store.Tests.Log;
using Store.Tests.Simulation;
using Store.Tests.Snapshots;

namespace Store.Tests.Inspect;

public class DamageAdviceTests
{
    private const string CopyFirst = "Copy the files before anything else", LogIsWhole = "No acknowledged record of the log is concerned", TornOnly = "Nothing that was acknowledged is lost by a torn tail";

    private static readonly string Newest = SnapshotSamples.NameOf(5);

    /// <summary>Opening the store would set the snapshot aside, and the log would grow over the sequences that it lost.</summary>
    [Fact]
    public async Task WhereASnapshotTellsThatTheLogsEndIsLostTheFilesAreToBeCopiedFirst()
    {
        using SimDirectory whole = await WrittenAsync(records: 6, checkpoints: [5]), cut = await WrittenAsync(records: 3);
        FileBytes.Put(cut, Newest, FileBytes.Of(whole, Newest));
        Advises(cut, "the log ends with 3: the end of the log is lost", CopyFirst);
    }

    [Fact]
    public async Task WhereASnapshotIsOfAnotherHistoryTheFilesAreToBeCopiedFirst()
    {
        using SimDirectory lost = await WrittenAsync(records: 6, checkpoints: [5]), now = await WrittenAsync(records: 6, value: 10);
        FileBytes.Put(now, Newest, FileBytes.Of(lost, Newest));
        Advises(now, "another history of the log", CopyFirst);
    }

    [Fact]
    public async Task WhereASnapshotIsOfAnotherStoreTheFilesAreToBeCopiedFirst()
    {
        using SimDirectory other = await WrittenAsync(records: 6, checkpoints: [5], seed: 7), now = await WrittenAsync(records: 6);
        FileBytes.Put(now, Newest, FileBytes.Of(other, Newest));
        Advises(now, "the snapshot belongs to the store", CopyFirst);
    }

    [Fact]
    public async Task DamageToASnapshotsBytesConcernsNoRecordOfTheLog()
    {
        using SimDirectory directory = await WrittenAsync(records: 6, checkpoints: [3, 5]);
        Damage(directory, Newest, fromEnd: 0);
        Advises(directory, "damaged", LogIsWhole);
    }

    /// <summary>Also where not even the header can be read.</summary>
    [Fact]
    public async Task DamageToASnapshotsHeaderConcernsNoRecordOfTheLog()
    {
        using SimDirectory directory = await WrittenAsync(records: 6, checkpoints: [3, 5]);
        byte[] bytes = FileBytes.Of(directory, Newest);
        bytes[50] ^= 1;
        FileBytes.Put(directory, Newest, bytes);
        Advises(directory, "damaged", LogIsWhole);
    }

    /// <summary>An opening as usual deals with both: nothing is to be salvaged.</summary>
    [Fact]
    public async Task ATornTailBesideADamagedSnapshotIsNothingToSalvage()
    {
        using SimDirectory directory = await WrittenAsync(records: 6, checkpoints: [3, 5], isTorn: true);
        Damage(directory, Newest, fromEnd: 0);
        Advises(directory, "damaged", LogIsWhole, TornOnly);
    }

    [Fact]
    public async Task ATornTailAloneIsNoDamage()
    {
        using SimDirectory directory = await WrittenAsync(records: 6, checkpoints: [3], isTorn: true);
        Advises(directory, "torn", TornOnly);
    }

    [Fact]
    public async Task ADamagedLogIsToBeCopiedFirstWhateverElseIsDamaged()
    {
        using SimDirectory directory = await WrittenAsync(records: 6, checkpoints: [3, 5], isTorn: true);
        Damage(directory, Newest, fromEnd: 0);
        byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(1));
        bytes[SegmentFormat.HeaderSize + 80] ^= 1;
        FileBytes.Put(directory, SegmentFormat.Name(1), bytes);
        Advises(directory, "damaged", CopyFirst);
    }

    /// <summary>The reason is a value for programs too.</summary>
    [Fact]
    public async Task DamageOfASnapshotSaysWhyItCannotBeUsed()
    {
        using SimDirectory whole = await WrittenAsync(records: 6, checkpoints: [5]), cut = await WrittenAsync(records: 3);
        FileBytes.Put(cut, Newest, FileBytes.Of(whole, Newest));
        using StoreReader reader = StoreReader.Open(new KeptOpen(cut), "sim", null, static _ => false);
        Assert.Equal(SnapshotFailureKind.AheadOfLog, Assert.Single(reader.Verify().Damage).SnapshotFailure);
    }

    private static void Advises(SimDirectory directory, string says, params string[] advice)
    {
        foreach (string[] verb in (string[][])[["verify"], []])
        {
            ToolRun run = ToolRun.With([.. verb, "sim"], open: path => StoreReader.Open(new KeptOpen(directory), path, null, static _ => false));
            Assert.Equal(advice is [TornOnly] ? ExitCode.TornTail : ExitCode.Corrupt, run.ExitCode);
            Assert.Contains(says, run.Output, StringComparison.Ordinal);
            Assert.Equal(advice, new[] { CopyFirst, LogIsWhole, TornOnly }.Where(text => run.Output.Contains(text, StringComparison.Ordinal)));
        }
    }

    private static void Damage(SimDirectory directory, string name, int fromEnd)
    {
        byte[] bytes = FileBytes.Of(directory, name);
        bytes[^(1 + fromEnd)] ^= 1;
        FileBytes.Put(directory, name, bytes);
    }

    private static async Task<SimDirectory> WrittenAsync(int records, int value = 1, int seed = 1, int[]? checkpoints = null, bool isTorn = false)
    {
        var directory = new SimDirectory();
        byte[] live;
        await using (NinoStore store = Simulated.Open(directory, seed))
        {
            for (int i = 1; i <= records; i++)
            {
                store.Append(value);
                if (checkpoints?.Contains(i) == true) await store.CheckpointAsync(new HistoryTotal { Sum = value * i });
            }

            await store.CommitAsync();
            live = FileBytes.Of(directory, SegmentFormat.Name(1));
        }

        if (!isTorn) return directory;
        int end = live.AsSpan().LastIndexOfAnyExcept((byte)0) + 1;
        "unfinished bytes"u8.CopyTo(live.AsSpan((end + 15) & ~7));
        FileBytes.Put(directory, SegmentFormat.Name(1), live);
        return directory;
    }
}
