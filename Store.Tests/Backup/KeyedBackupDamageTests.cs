// What does a backup say of a keyed state whose checkpoint is damaged, and what helps?

using Store.IO;
using Store.KeyValue;
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

    /// <summary>A copy's disk, or the way there, says nothing of the checkpoint: it is not written anew, and the next copy has it.</summary>
    [Fact]
    public void ACopyThatIsDamagedOnItsWayIsNoDamageOfTheCheckpoint()
    {
        using var bed = new KeyedBackupBed(new());
        bed.Checkpoint();
        bed.Checkpoint();
        string[] manifests = KeyedBackupBed.Files(bed.Directory, ".manifest");

        string reason = Assert.Single(bed.Store.BackupTo(new FlippingDirectory(new SimDirectory())).Omitted).Reason;

        Assert.Contains("The checkpoint itself is whole", reason, StringComparison.Ordinal);
        bed.Checkpoint();
        Assert.Equal(manifests, KeyedBackupBed.Files(bed.Directory, ".manifest"));
        SimDirectory copy = new();
        Assert.Empty(bed.Store.BackupTo(copy).Omitted);
        bed.AssertHolds(copy.KillProcess());
    }

    /// <summary>Too many open files are not a damage; a sector that cannot be read is.</summary>
    [Theory]
    [InlineData(24, false)]
    [InlineData(116, false)]
    [InlineData(5, true)]
    public void ACheckpointThatCannotBeHeldAtTheMomentIsNotDamagedForThat(int error, bool isDamage)
    {
        SimDirectory directory = new();
        var faulty = new FaultDirectory(directory);
        using var bed = new KeyedBackupBed(directory, faulty);
        bed.Checkpoint();
        bed.Checkpoint();
        string[] manifests = KeyedBackupBed.Files(directory, ".manifest");

        faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: true, Strikes: static o => o == IoOperation.OpenRead, Files: static file => file.EndsWith(".manifest", StringComparison.Ordinal), Error: error);
        Exception? failure = Record.Exception(() => ((IKeyValueCheckpointFiles)bed.Keyed).HoldCheckpoint());
        Assert.Equal(isDamage, failure is StoreCorruptException);
        Assert.IsAssignableFrom<IOException>(isDamage ? failure!.InnerException : failure);
        if (isDamage) Assert.Contains("cannot be read", Assert.Single(bed.Store.BackupTo(new SimDirectory()).Omitted).Reason, StringComparison.Ordinal);
        faulty.Fault = null;

        bed.Checkpoint();
        Assert.Equal(isDamage, !manifests.SequenceEqual(KeyedBackupBed.Files(directory, ".manifest")));
        Assert.Empty(bed.Store.BackupTo(new SimDirectory()).Omitted);
    }

    [Fact]
    public void ACheckpointThatIsGoneIsOmittedAndDoesNotEndTheBackup()
    {
        using var bed = new KeyedBackupBed(new());
        bed.Checkpoint();
        bed.Directory.Delete(KeyedBackupBed.Files(bed.Directory, ".manifest")[^1]);

        Assert.Contains("Write a new one (CheckpointAsync)", Assert.Single(bed.Store.BackupTo(new SimDirectory()).Omitted).Reason, StringComparison.Ordinal);

        bed.Checkpoint();
        Assert.Empty(bed.Store.BackupTo(new SimDirectory()).Omitted);
    }

    /// <summary>What was held is not there any more, or on a sector that cannot be read. The rest of the store is copied.</summary>
    [Theory]
    [InlineData(".index", null)]
    [InlineData(".snapshot", null)]
    [InlineData(".index", nameof(IoOperation.OpenRead))]
    [InlineData(".snapshot", nameof(IoOperation.Read))]
    public void AFileOfACheckpointThatCannotBeReadIsToldAndDoesNotEndTheBackup(string part, string? failing)
    {
        SimDirectory directory = new(), copy = new();
        var faulty = new FaultDirectory(directory);
        using var bed = new KeyedBackupBed(directory, faulty);
        bed.Checkpoint();
        string file = KeyedBackupBed.Files(directory, part)[^1];
        if (failing is not null) faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: true, Strikes: o => o.ToString() == failing, Files: name => name.EndsWith(file, StringComparison.Ordinal));
        else directory.Delete(file);

        BackupResult result = bed.Store.BackupTo(copy);

        string reason = Assert.Single(result.Omitted).Reason;
        Assert.Contains("cannot be read", reason, StringComparison.Ordinal);
        Assert.Contains("Write a new one (CheckpointAsync)", reason, StringComparison.Ordinal);
        Assert.Equal(bed.Store.LastSequence, result.LastSequence);
        Assert.DoesNotContain(copy.List(), static entry => entry.Name.EndsWith(FolderExchange.StagedSuffix, StringComparison.Ordinal));

        // Without a change: the one that cannot be read counts for none.
        faulty.Fault = null;
        bed.Checkpoint();
        Assert.Empty(bed.Store.BackupTo(copy).Omitted);
        bed.AssertHolds(copy);
    }

    /// <summary>As of one that is open: the rest of the store is copied, and what the copy had of it stays.</summary>
    [Theory]
    [InlineData(".index", nameof(IoOperation.Read))]
    [InlineData(".snapshot", nameof(IoOperation.OpenRead))]
    [InlineData(".manifest", nameof(IoOperation.Read))]
    public void AFileOfAKeyedStateThatIsNotOpenWhichCannotBeReadIsToldAndDoesNotEndTheBackup(string part, string failing)
    {
        SimDirectory directory = new(), copy = new();
        var faulty = new FaultDirectory(directory);
        using var bed = new KeyedBackupBed(directory, faulty);
        long from = bed.Store.BackupTo(copy).FirstSequence;
        for (int i = 0; i < 2; i++)
        {
            bed.Change(200);
            bed.Checkpoint();
        }

        bed.Store.TruncateBefore(long.MaxValue);
        bed.Close();
        string file = KeyedBackupBed.Files(directory, part)[^1];
        faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: true, Strikes: o => o.ToString() == failing, Files: name => name == file);

        BackupResult result = bed.Store.BackupTo(copy);

        BackupOmission omitted = Assert.Single(result.Omitted);
        Assert.Equal(KeyedBackupBed.Name, omitted.Name);
        Assert.Contains(file, omitted.Reason, StringComparison.Ordinal);
        Assert.Contains("back up while it is open", omitted.Reason, StringComparison.Ordinal);
        Assert.Equal((from, bed.Store.LastSequence), (result.FirstSequence, result.LastSequence));
        Assert.DoesNotContain(copy.List(), static entry => entry.Name.EndsWith(FolderExchange.StagedSuffix, StringComparison.Ordinal));
        Assert.Equal(bed.Store.LastSequence, bed.AssertHolds(copy.KillProcess()));

        // What the reason advises helps: opening removes the checkpoint that cannot be read, and the next file of that name lies elsewhere.
        bed.Reopen();
        faulty.Fault = null;
        bed.Change(1);
        bed.Checkpoint();
        Assert.Empty(bed.Store.BackupTo(copy).Omitted);
        bed.AssertHolds(copy);
    }

    /// <summary>What the copy's disk cannot read is no reason to leave anything of the store out.</summary>
    [Fact]
    public void ACopyThatCannotBeReadEndsTheBackupOfAKeyedStateThatIsNotOpen()
    {
        SimDirectory directory = new(), copy = new();
        using var bed = new KeyedBackupBed(directory);
        bed.Close();
        bed.Store.BackupTo(copy);
        var faulty = new FaultDirectory(copy);
        string file = KeyedBackupBed.Files(copy, ".index")[^1];
        faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: true, Strikes: static o => o == IoOperation.Read, Files: name => name == file);
        Assert.IsType<InjectedFault>(Record.Exception(() => bed.Store.BackupTo(faulty)));
        faulty.Fault = null;
        Assert.Empty(bed.Store.BackupTo(faulty).Omitted);
        bed.AssertHolds(copy);
    }

    /// <summary>A disk that writes other bytes than it is given, of indexes.</summary>
    private sealed class FlippingDirectory(IStoreDirectory inner) : PassThroughDirectory(inner)
    {
        public override IStoreFile Create(string name) => name.Contains(".index", StringComparison.Ordinal) ? new FlippingFile(base.Create(name)) : base.Create(name);

        private sealed class FlippingFile(IStoreFile inner) : PassThroughFile(inner)
        {
            public override void Write(ReadOnlySpan<byte> source, long offset)
            {
                byte[] other = source.ToArray();
                other[0] ^= 1;
                base.Write(other, offset);
            }
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
