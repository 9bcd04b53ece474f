using Store.IO;
using Store.Serialization;
using Store.Tests.Log;
using Store.Tests.Simulation;
using static Store.Tests.Reading.ReaderStores;

namespace Store.Tests.Reading;

/// <summary>Reading from outside: whole, live and foreign files.</summary>
public sealed class StoreReaderTests
{
    [Fact]
    public void AllRecordsComeInOrderWithTheirSchemas()
    {
        StoreReader reader = Open(StoreOf(200));
        LogRecord[] records = [.. reader.ReadRecords().Select(static r => r with { Payload = r.Payload.ToArray() })];

        Assert.Equal(Enumerable.Range(1, 200).Select(static i => (long)i), records.Select(static r => r.Sequence));
        Assert.All(records, static r => Assert.Equal(r.Sequence % 5 == 0 ? "Note" : "Line", r.Schema.Name));
        Assert.Equal("note 200", NinoValue.Decode(records[^1].Schema, records[^1].Payload.Span)["Text"].AsString());
        Assert.True(reader.Files.Count(static f => f.Kind == StoreFileKind.Segment) >= 2);
        Assert.All(reader.Files.Where(static f => f.Kind == StoreFileKind.Segment).SkipLast(1), static f => Assert.True(f.IsSealed && f.LastSequence >= f.FirstSequence));
    }

    [Fact]
    public void ARangeOfSequencesOrTimesIsReadAlone()
    {
        StoreReader reader = Open(StoreOf(200));
        Assert.Equal([37, 38, 39], reader.ReadRecords(new ReadOptions { FromSequence = 37, ToSequence = 39 }).Select(static r => r.Sequence));
        Assert.Empty(reader.ReadRecords(new ReadOptions { FromSequence = 201 }));
        LogRecord[] all = [.. reader.ReadRecords()];
        DateTimeOffset from = all[50].Timestamp, to = all[120].Timestamp;
        Assert.Equal(
            all.Where(r => r.Timestamp >= from && r.Timestamp <= to).Select(static r => r.Sequence),
            reader.ReadRecords(new ReadOptions { FromTime = from, ToTime = to }).Select(static r => r.Sequence));
    }

    [Fact]
    public void VerifyingAWholeStoreCountsEverythingAndFindsNothing()
    {
        StoreReader reader = Open(StoreOf(200));
        var progress = new Collected();
        VerifyReport report = reader.Verify(progress);

        Assert.Empty(report.Damage);
        Assert.Equal((200, 160, 40), (report.Records, report.Types.Single(static t => t.Schema.Name == "Line").Records, report.Types.Single(static t => t.Schema.Name == "Note").Records));
        Assert.Equal(["Line", "Note"], report.Schemas.Select(static s => s.Name));
        Assert.Equal(160 * 4, report.Types.Single(static t => t.Schema.Name == "Line").RecordBytes);
        Assert.All(report.Files.SkipLast(1), static f => Assert.True(f.IsSealed));
        Assert.True(report.Files[^1].IsClosed);
        Assert.Equal(reader.LengthBytes, report.BytesRead);
        Assert.Equal(report.BytesRead, progress.Last);
        Assert.Equal((1, 200), (report.Files[0].FirstSequence, report.Files[^1].LastSequence));
    }

    [Fact]
    public void ALiveStoreIsReadWhileItsWriterHasTheLock()
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        AppendLine(store, 1);
        store.Commit();
        Assert.Equal([1], Open(directory).ReadRecords().Select(static r => r.Sequence));
        AppendLine(store, 2);
        store.Commit();
        StoreReader reader = Open(directory);
        Assert.Equal([1, 2], reader.ReadRecords().Select(static r => r.Sequence));
        Assert.Empty(reader.Verify().Damage);
        Assert.False(reader.Verify().Files[^1].IsClosed);
    }

    [Fact]
    public void ForeignFilesAndFoldersAreNoDamage()
    {
        var directory = new SimDirectory();
        Assert.Throws<NotAStoreException>(() => Open(directory));
        FileBytes.Put(directory, "readme.txt", "hello"u8);
        FileBytes.Put(directory, "empty.bin", []);
        FileBytes.Put(directory, "zeros.bin", new byte[4096]);
        Assert.Contains("it starts neither like", Assert.Throws<NotAStoreException>(() => Open(directory, "readme.txt")).Message, StringComparison.Ordinal);
        Assert.Contains("it is empty", Assert.Throws<NotAStoreException>(() => Open(directory, "empty.bin")).Message, StringComparison.Ordinal);
        Assert.Contains("it starts neither like", Assert.Throws<NotAStoreException>(() => Open(directory, "zeros.bin")).Message, StringComparison.Ordinal);
        Assert.Contains("3 other files, empty.bin first", Assert.Throws<NotAStoreException>(() => Open(directory)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AForeignFileIsRefusedByItsPath()
    {
        using var folder = new TemporaryFolder();
        string path = folder["readme.txt"];
        File.WriteAllText(path, "hello");
        NotAStoreException refusal = Assert.Throws<NotAStoreException>(() => StoreReader.Open(path));
        Assert.Contains(path, refusal.Message, StringComparison.Ordinal);
        Assert.Equal(path, refusal.Path);
    }

    private sealed class Collected : IProgress<long>
    {
        public long Last { get; private set; }

        public void Report(long value) => Last = value;
    }

    [Fact]
    public void DurableOnlyEndsWithWhatTheFramesSay()
    {
        var directory = new SimDirectory();
        NinoStore store = Simulated.Open(directory);
        for (int i = 1; i <= 5; i++) store.Append(i);
        Simulated.Commit(store);
        store.Append(6);
        Assert.Equal(6, store.Read<int>().Count());
        StoreReader reader = StoreReader.Open(directory.KillProcess(), "sim", null, static _ => false);

        // The frame of the sixth record says that five are durable.
        Assert.Equal([1, 2, 3, 4, 5], reader.ReadRecords(new ReadOptions { DurableOnly = true }).Select(static r => r.As<int>()));
        Assert.Equal(6, reader.ReadRecords().Count());
    }

    [Fact]
    public async Task ASnapshotThatALiveStoreRemovesMeanwhileIsNoError()
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        store.Append(1);
        SnapshotInfo old = await store.CheckpointAsync("old");
        store.Append(2);
        SnapshotInfo kept = await store.CheckpointAsync("kept");
        StoreReader before = Open(directory);

        var vanishing = new ListsOneMore(directory, new StoreFileEntry(old.FileName, old.LengthBytes));
        directory.Delete(old.FileName);
        StoreReader during = StoreReader.Open(vanishing, "sim", null, static _ => false);

        Assert.Equal([kept.FileName], during.Snapshots.Select(static s => s.FileName));
        Assert.Empty(before.Verify().Damage);
    }

    /// <summary>A folder whose first listing has a file that is gone by the next.</summary>
    private sealed class ListsOneMore(IStoreDirectory inner, StoreFileEntry more) : PassThroughDirectory(inner)
    {
        private bool _listed;

        public override IReadOnlyList<StoreFileEntry> List()
        {
            if (_listed) return base.List();
            _listed = true;
            return [.. base.List().Append(more).OrderBy(static f => f.Name, StringComparer.Ordinal)];
        }
    }
}
