// What does a backup say of a keyed state whose checkpoint is damaged, and what helps?

using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Backup;

public class KeyedBackupDamageTests
{
    [Fact]
    public void ADamagedCheckpointTakesTheCopysPlaceOfNone()
    {
        SimDirectory copy = new();
        using var bed = new KeyedBackupBed(new());
        long from = bed.Store.BackupTo(copy).FirstSequence;
        for (int i = 0; i < 2; i++)
        {
            bed.Change(200);
            bed.Checkpoint();
        }

        bed.Store.TruncateBefore(long.MaxValue);
        string index = KeyedBackupBed.Files(bed.Directory, ".index")[^1];
        Damage(bed, index);

        BackupResult result = bed.Store.BackupTo(copy);

        BackupOmission omitted = Assert.Single(result.Omitted);
        Assert.Equal(KeyedBackupBed.Name, omitted.Name);
        Assert.Contains("damaged", omitted.Reason, StringComparison.Ordinal);
        Assert.Equal(from, result.FirstSequence);
        Assert.Equal(bed.Store.LastSequence, bed.AssertHolds(copy.KillProcess()));
        bed.Change(10);
        bed.Checkpoint();
        Assert.Empty(bed.Store.BackupTo(copy).Omitted);
        bed.AssertHolds(copy.KillProcess());
    }

    /// <summary>What the omission advises helps, though nothing was changed: a new checkpoint is written, and the one before the damaged one stays until there are two that nobody found damaged.</summary>
    [Theory]
    [InlineData(".index")]
    [InlineData(".snapshot")]
    [InlineData(".manifest")]
    public void AfterADamagedCheckpointWasToldANewOneIsWrittenAlsoWithoutAChange(string part)
    {
        SimDirectory copy = new();
        using var bed = new KeyedBackupBed(new());
        string[] manifests = KeyedBackupBed.Files(bed.Directory, ".manifest");
        bed.Checkpoint();
        bed.Checkpoint();
        Assert.Equal(2, manifests.Length);
        manifests = KeyedBackupBed.Files(bed.Directory, ".manifest");
        bed.Checkpoint();
        Assert.Equal(manifests, KeyedBackupBed.Files(bed.Directory, ".manifest"));
        string file = KeyedBackupBed.Files(bed.Directory, part)[^1];
        Damage(bed, file);

        Assert.Contains("Write a new one (CheckpointAsync)", Assert.Single(bed.Store.BackupTo(copy).Omitted).Reason, StringComparison.Ordinal);
        bed.Checkpoint();

        string[] now = KeyedBackupBed.Files(bed.Directory, ".manifest");
        Assert.Equal([manifests[0], Assert.Single(now.Except(manifests))], now);
        Assert.Empty(bed.Store.BackupTo(copy).Omitted);
        bed.AssertHolds(copy.KillProcess());

        // Once, not for ever: and the log is kept behind the older of the two, for the day when the newer one is damaged.
        bed.Checkpoint();
        Assert.Equal(now, KeyedBackupBed.Files(bed.Directory, ".manifest"));
        bed.Store.TruncateBefore(long.MaxValue);
        bed.Restart(() => bed.Directory.Delete(now[^1]));
        Assert.Equal(bed.Store.LastSequence, bed.AssertHolds(bed.Directory.KillProcess(), mayReject: true));
    }

    /// <summary>The cold pages are the same bytes of the same files for all checkpoints: a new one does not help, and the omission says what may.</summary>
    [Fact]
    public void DamageInWhatAllCheckpointsShareIsToldAsSuch()
    {
        SimDirectory copy = new();
        using var bed = new KeyedBackupBed(new());
        string file = KeyedBackupBed.Files(bed.Directory).Last(static f => f.Contains("records-", StringComparison.Ordinal));
        Damage(bed, file, every: 4096);
        for (int round = 0; round < 2; round++)
        {
            string reason = Assert.Single(bed.Store.BackupTo(copy).Omitted).Reason;
            Assert.Contains("records-", reason, StringComparison.Ordinal);
            Assert.Contains("All checkpoints share that file", reason, StringComparison.Ordinal);
            Assert.Contains("restore it from an earlier backup", reason, StringComparison.Ordinal);
            bed.Checkpoint();
        }
    }

    // One bit, or one in each so many bytes.
    private static void Damage(KeyedBackupBed bed, string file, int every = int.MaxValue)
    {
        byte[] bytes = FileBytes.Of(bed.Directory, file);
        for (long at = 100; at < bytes.Length; at += every) bytes[at] ^= 1;
        FileBytes.Put(bed.Directory, file, bytes);
    }
}
