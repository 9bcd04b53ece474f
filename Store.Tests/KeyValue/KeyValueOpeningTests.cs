// One test for each row of the table in KeyedStateOpening.cs, and for what the log must still have.

using Store.Faster;
using Store.Faster.Checkpoints;
using Store.KeyValue;
using Store.Reading;
using Store.Serialization;
using Store.Tests.Serialization.HandWritten;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class KeyValueOpeningTests
{
    private readonly MemoryChangeLog _log = new();
    private readonly SimDirectory _directory = new();

    [Fact]
    public void AChangeThatReachedTheLogOnlyIsAppliedAtTheNextOpening()
    {
        using (FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory)) kv.Put(1, 1);

        // What a crash between append and apply leaves: the record, and an engine that never saw it. Layout: operation, key, presence byte, value.
        Store.Serialization.NinoSchema schema = _log.Read(1).First().Schema;
        _log.Append(schema, [1, 2, 0, 0, 0, 1, 22, 0, 0, 0]);
        _log.Append(schema, [2, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
        using FasterKeyValueStore<int, int> again = KeyValueBed.Open<int, int>(_log, _directory);
        Assert.Equal(3, again.Recovery.ChangesReplayed);
        KeyValueBed.AssertHolds(again, new Dictionary<int, int> { [2] = 22 }, [1]);
    }

    [Fact]
    public async Task ACheckpointBeyondTheEndOfTheLogIsNotUsed()
    {
        await Checkpointed(100);
        _log.LoseTail(40);
        using FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory);
        Assert.True(kv.Recovery.RebuiltFromLog);
        Assert.Contains("the log ends at 60", Assert.Single(kv.Recovery.Rejected).Message, StringComparison.Ordinal);
        KeyValueBed.AssertHolds(kv, Enumerable.Range(0, 60).ToDictionary(i => i), Enumerable.Range(60, 40));
    }

    /// <summary>A manifest that is whole, of this log and no lie in itself, but not of the checkpoint that FASTER wrote: used, it would lose the changes between the two sequences.</summary>
    [Theory]
    [InlineData(22)]
    [InlineData(19)]
    public async Task AManifestOfAnotherSequenceThanTheCookiesIsRejectedByName(long sequence)
    {
        using (FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory))
        {
            for (int i = 0; i < 20; i++) kv.Put(i % 10, i);
            await kv.CheckpointAsync();
            for (int i = 0; i < 5; i++) kv.Put(100 + i, i);
        }

        const string file = "checkpoint-0000000000000001.manifest";
        Assert.True(CheckpointManifest.TryParse(_directory.Bytes(file), out CheckpointManifest? manifest, out _));
        Assert.Equal(20, manifest.Sequence);
        _directory.Replace(file, (manifest with { Sequence = sequence, SequenceMark = RecordMark.Of(_log.Read(sequence).First()) }).Encode());
        Assert.True(CheckpointManifest.TryParse(_directory.Bytes(file), out _, out _));
        using FasterKeyValueStore<int, int> again = KeyValueBed.Open<int, int>(_log, _directory);
        RejectedCheckpoint rejected = Assert.Single(again.Recovery.Rejected);
        Assert.Equal(file, rejected.File);
        Assert.Contains("commit cookie names another", rejected.Message, StringComparison.Ordinal);
        Assert.Equal((true, 25L, 0L), (again.Recovery.RebuiltFromLog, again.Recovery.ChangesReplayed, again.Recovery.CheckpointSequence));
        KeyValueBed.AssertHolds(again, Enumerable.Range(0, 10).ToDictionary(i => i, i => 10 + i).Concat(Enumerable.Range(0, 5).ToDictionary(i => 100 + i, i => i)).ToDictionary());
    }

    /// <summary>A manifest with a right checksum whose schema is none: rejected like any other that cannot be used, where its parser's exception once ended the opening.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task AManifestWithASchemaThatIsNoneIsRejectedByName(bool ofKeys)
    {
        using (FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory))
        {
            kv.Put(1, 2);
            await kv.CheckpointAsync();
        }

        const string file = "checkpoint-0000000000000001.manifest";
        Assert.True(CheckpointManifest.TryParse(_directory.Bytes(file), out CheckpointManifest? manifest, out _));
        _directory.Replace(file, (ofKeys ? manifest with { KeySchema = [1, 2, 3] } : manifest with { ValueSchema = [] }).Encode());
        using FasterKeyValueStore<int, int> again = KeyValueBed.Open<int, int>(_log, _directory);
        Assert.Contains("schema of its keys or values cannot be read", Assert.Single(again.Recovery.Rejected).Message, StringComparison.Ordinal);
        Assert.Equal((true, 1L, 1L), (again.Recovery.RebuiltFromLog, again.Recovery.ChangesReplayed, again.Count));
    }

    /// <summary>A manifest that is whole, and names fewer bytes than its checkpoint consists of. Read again it will name no more: it is rejected for good, and is no failure of the disk that may pass.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task AManifestThatLeavesOutBytesThatRecoveryNeedsIsRejectedByName(bool ofTheIndex)
    {
        using (FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory))
        {
            for (int i = 0; i < 300; i++) kv.Put(i, i);
            await kv.CheckpointAsync();
        }

        const string file = "checkpoint-0000000000000001.manifest";
        Assert.True(CheckpointManifest.TryParse(_directory.Bytes(file), out CheckpointManifest? manifest, out _));
        _directory.Replace(file, (ofTheIndex ? manifest with { IndexBlocks = manifest.IndexBlocks[1..] } : manifest with { SnapshotBlocks = manifest.SnapshotBlocks[1..] }).Encode());
        using FasterKeyValueStore<int, int> again = KeyValueBed.Open<int, int>(_log, _directory);
        Assert.Contains("do not add up", Assert.Single(again.Recovery.Rejected).Message, StringComparison.Ordinal);
        Assert.Equal((true, 300L), (again.Recovery.RebuiltFromLog, again.Recovery.ChangesReplayed));
        KeyValueBed.AssertHolds(again, Enumerable.Range(0, 300).ToDictionary(static i => i));
    }

    /// <summary>The newer of two was damaged, and went when the older one was to be used, which FASTER refuses: "nothing was changed" would not be true.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task WhatWasRemovedBeforeAnOpeningThatFailsIsTold(bool isRefused)
    {
        using (FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory))
        {
            for (int generation = 1; generation <= 2; generation++)
            {
                for (int i = 0; i < 300; i++) kv.Put(i, i);
                await kv.CheckpointAsync();
            }
        }

        const string older = "checkpoint-0000000000000001.manifest", newer = "checkpoint-0000000000000002.manifest";
        Assert.True(CheckpointManifest.TryParse(_directory.Bytes(older), out CheckpointManifest? first, out _));
        Assert.True(CheckpointManifest.TryParse(_directory.Bytes(newer), out CheckpointManifest? second, out _));

        // Its manifest says that it covers all of the log; its cookie does not.
        if (isRefused) _directory.Replace(older, (first with { Sequence = second.Sequence, SequenceMark = second.SequenceMark, AnchorSequence = second.AnchorSequence, AnchorMark = second.AnchorMark }).Encode());
        byte[] damaged = _directory.Bytes(newer);
        damaged[^20] ^= 1;
        _directory.Replace(newer, damaged);
        _log.Retain(600);
        string message = Assert.Throws<StoreCorruptException>(() => KeyValueBed.Open<int, int>(_log, _directory)).Message;
        bool isThere = _directory.List().Any(static entry => entry.Name == newer);
        Assert.True(isThere == message.Contains("Nothing was changed", StringComparison.Ordinal), message);
        Assert.True(isThere != message.Contains("were removed", StringComparison.Ordinal), message);
        Assert.True(isRefused != isThere, message);
    }

    /// <summary>The same of a name: the folder of one state, renamed and made to say that it is the other's.</summary>
    [Fact]
    public async Task AManifestOfAnotherNameThanTheCookiesIsRejectedByName()
    {
        using (FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory, name: "other"))
        {
            kv.Put(1, 1);
            await kv.CheckpointAsync();
        }

        const string file = "checkpoint-0000000000000001.manifest";
        Assert.True(CheckpointManifest.TryParse(_directory.Bytes(file), out CheckpointManifest? manifest, out _));
        _directory.Replace(file, (manifest with { Name = "test" }).Encode());
        using FasterKeyValueStore<int, int> again = KeyValueBed.Open<int, int>(_log, _directory);
        Assert.Contains("commit cookie names another", Assert.Single(again.Recovery.Rejected).Message, StringComparison.Ordinal);
        Assert.Equal((true, 0L, 0L), (again.Recovery.RebuiltFromLog, again.Recovery.ChangesReplayed, again.Count));
    }

    [Fact]
    public async Task ACheckpointOfAnotherHistoryOfTheLogIsNotUsed()
    {
        // The log is put back from a backup and grows again past the checkpoint, without anybody opening the keyed state.
        for (int i = 0; i < 60; i++)
        {
            using FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, new SimDirectory());
            kv.Put(i, i);
        }

        MemoryChangeLog backup = _log.Fork();
        using (FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory))
        {
            for (int i = 60; i < 100; i++) kv.Put(i, i);
            await kv.CheckpointAsync();
        }

        using (FasterKeyValueStore<int, int> elsewhere = KeyValueBed.Open<int, int>(backup, new SimDirectory()))
        {
            for (int i = 0; i < 50; i++) elsewhere.Put(1000 + i, i);
        }

        using FasterKeyValueStore<int, int> restored = KeyValueBed.Open<int, int>(backup, _directory);
        Assert.Contains("replaced or cut", Assert.Single(restored.Recovery.Rejected).Message, StringComparison.Ordinal);
        KeyValueBed.AssertHolds(restored, Enumerable.Range(0, 60).ToDictionary(i => i).Concat(Enumerable.Range(0, 50).ToDictionary(i => 1000 + i, i => i)).ToDictionary());
    }

    [Fact]
    public async Task ARejectedCheckpointDoesNotComeBackWhenTheLogGrowsAgain()
    {
        await Checkpointed(100);
        _log.LoseTail(40);
        using (FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory))
        {
            for (int i = 0; i < 50; i++) kv.Put(-1 - i, i);
        }

        using FasterKeyValueStore<int, int> again = KeyValueBed.Open<int, int>(_log, _directory);
        Assert.Empty(again.Recovery.Rejected);
        Assert.Equal(110, again.Count);
    }

    /// <summary>Its last change is in both histories: only the record at its end tells them apart.</summary>
    [Fact]
    public async Task ACheckpointIsNotUsedWhenAnotherEngineChangedTheStateInTheHistoryThatTookItsPlace()
    {
        await Checkpointed(100);
        MemoryChangeLog backup = _log.Fork();
        using (FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory))
        {
            for (int i = 0; i < 30; i++) _log.Append(NinoCodec<int>.Default.Schema, BitConverter.GetBytes(i));
            await kv.CheckpointAsync();
        }

        using (FasterKeyValueStore<int, int> elsewhere = KeyValueBed.Open<int, int>(backup, new SimDirectory()))
        {
            for (int i = 0; i < 50; i++) elsewhere.Put(i, -i);
        }

        using FasterKeyValueStore<int, int> restored = KeyValueBed.Open<int, int>(backup, _directory);
        Assert.Contains("Record 130 of the log is not the one", restored.Recovery.Rejected[0].Message, StringComparison.Ordinal);
        Assert.Equal(100, restored.Recovery.CheckpointSequence);
        KeyValueBed.AssertHolds(restored, Enumerable.Range(0, 100).ToDictionary(i => i, i => i < 50 ? -i : i));
    }

    [Fact]
    public async Task ACheckpointOfAnotherStoreIsNotUsed()
    {
        await Checkpointed(10);
        _log.StoreId = Guid.NewGuid();
        using FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory);
        Assert.True(kv.Recovery.RebuiltFromLog);
        Assert.Contains("belongs to the store", Assert.Single(kv.Recovery.Rejected).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ACheckpointOfAnotherNameIsNotUsed()
    {
        await Checkpointed(10);
        using FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory, name: "other");
        Assert.Contains("belongs to 'test'", Assert.Single(kv.Recovery.Rejected).Message, StringComparison.Ordinal);
        Assert.Equal(0, kv.Count);
    }

    [Fact]
    public async Task AnotherPageSizeRebuildsTheState()
    {
        await Checkpointed(100);
        FasterOptions larger = KeyValueBed.Tiny with { PageSizeBytes = 8192, MemorySizeBytes = 32768 };
        using FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory, larger);
        Assert.True(kv.Recovery.RebuiltFromLog);
        Assert.Contains("pages of 4096", Assert.Single(kv.Recovery.Rejected).Message, StringComparison.Ordinal);
        KeyValueBed.AssertHolds(kv, Enumerable.Range(0, 100).ToDictionary(i => i));
    }

    [Fact]
    public async Task AnotherIndexOrMemorySizeUsesTheCheckpoint()
    {
        await Checkpointed(1000);
        using FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory, KeyValueBed.Tiny with { IndexSizeBytes = 1 << 16, MemorySizeBytes = 1 << 18 });
        Assert.Equal((false, 0L), (kv.Recovery.RebuiltFromLog, kv.Recovery.ChangesReplayed));
        KeyValueBed.AssertHolds(kv, Enumerable.Range(0, 1000).ToDictionary(i => i), [-1, 1000]);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ValuesOfAnotherTypeAreRefusedNamingBoth(bool withCheckpoint)
    {
        if (withCheckpoint) await Checkpointed(10);
        else WithoutCheckpoint(10);
        string[] files = [.. _directory.List().Select(entry => entry.Name)];
        var error = Assert.Throws<SchemaMismatchException>(() => KeyValueBed.Open<int, Point>(_log, _directory));
        Assert.Contains("Int32", error.Message, StringComparison.Ordinal);
        Assert.Contains("Store.Tests.Serialization.HandWritten.Point", error.Message, StringComparison.Ordinal);
        Assert.Throws<SchemaMismatchException>(() => KeyValueBed.Open<string, int>(_log, _directory));
        if (withCheckpoint) Assert.Equal(files, _directory.List().Select(entry => entry.Name));
        using FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory);
        Assert.Equal(10, kv.Count);
    }

    /// <summary>An earlier shape is read from the log; of a log without a record nothing can be read, whatever its last sequence.</summary>
    [Theory]
    [InlineData(50)]
    [InlineData(101)]
    public async Task AnEarlierShapeIsRefusedAsSuchWhenTheLogHasNotAllOfIt(int firstLeft)
    {
        using (FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory))
        {
            for (int i = 0; i < 100; i++) kv.Put(i, i);
            await kv.CheckpointAsync();
        }

        _log.Retain(firstLeft);
        string[] files = [.. _directory.List().Select(entry => entry.Name)];
        SchemaMismatchException error = Assert.Throws<SchemaMismatchException>(() => KeyValueBed.Open<int, long>(_log, _directory));
        Assert.Contains("an earlier shape", error.Message, StringComparison.Ordinal);
        Assert.Equal(files, _directory.List().Select(entry => entry.Name));
        if (firstLeft > 100) return;
        using FasterKeyValueStore<int, int> again = KeyValueBed.Open<int, int>(_log, _directory);
        Assert.Equal(100, again.Count);
    }

    [Fact]
    public async Task ALogThatBeginsBehindTheCheckpointIsEnough()
    {
        await Checkpointed(100);
        using (FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory)) kv.Put(100, 100);
        _log.Retain(101);
        using FasterKeyValueStore<int, int> again = KeyValueBed.Open<int, int>(_log, _directory);
        Assert.Equal((100, 1), (again.Recovery.CheckpointSequence, again.Recovery.ChangesReplayed));
        KeyValueBed.AssertHolds(again, Enumerable.Range(0, 101).ToDictionary(i => i));
    }

    [Fact]
    public async Task AStateThatNeitherLogNorCheckpointHasIsRefusedNotOpenedInPart()
    {
        await Checkpointed(100);
        using (FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory)) kv.Put(100, 100);
        _log.Retain(101);
        foreach (Store.IO.StoreFileEntry entry in _directory.List().Where(entry => entry.Name.EndsWith(".snapshot", StringComparison.Ordinal))) _directory.Replace(entry.Name, []);
        string[] files = [.. _directory.List().Select(entry => entry.Name)];
        var error = Assert.Throws<StoreCorruptException>(() => KeyValueBed.Open<int, int>(_log, _directory));
        Assert.Contains("needs the log from record 1 on", error.Message, StringComparison.Ordinal);
        Assert.Equal(files, _directory.List().Select(entry => entry.Name));
    }

    [Fact]
    public async Task LeftoversOfAnUnfinishedCheckpointAreRemovedByTheNext()
    {
        await Checkpointed(10);
        _directory.Create("checkpoint-0000000000000007.index").Dispose();
        _directory.Create("checkpoint-0000000000000007.manifest.tmp").Dispose();
        using FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory);
        kv.Put(1, 2);
        await kv.CheckpointAsync();
        Assert.DoesNotContain(_directory.List(), entry => entry.Name.Contains("07.", StringComparison.Ordinal));
    }

    private async Task Checkpointed(int keys)
    {
        using FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory);
        for (int i = 0; i < keys; i++) kv.Put(i, i);
        await kv.CheckpointAsync();
    }

    private void WithoutCheckpoint(int keys)
    {
        using FasterKeyValueStore<int, int> kv = KeyValueBed.Open<int, int>(_log, _directory);
        for (int i = 0; i < keys; i++) kv.Put(i, i);
    }
}
