// A snapshot of a history that the log does not have any more: its store's id is right, its sequence is in the log, and what it holds never was.

using System.Buffers.Binary;
using Store.Framing;
using Store.Inspect;
using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Inspect;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Snapshots;

public class SnapshotHistoryTests
{
    private static readonly string Newest = SnapshotSamples.NameOf(5);

    [Fact]
    public async Task ASnapshotOfAnotherHistoryOfTheLogIsPassedOver()
    {
        using SimDirectory lost = await WrittenAsync(number: 1, checkpoints: [3, 5]), now = await WrittenAsync(number: 10, checkpoints: [3]);
        FileBytes.Put(now, Newest, FileBytes.Of(lost, Newest));
        await using NinoStore store = Simulated.Open(now, 2);
        Assert.Equal(60, (await RestoreAsync(store)).Sum);
        Assert.Equal((SnapshotSamples.NameOf(3), 3L), (store.Recovery.SnapshotUsed, store.Recovery.RecordsReplayed));
        StoreDamage damage = Assert.Single(store.Recovery.Damage);
        Assert.Equal((Newest, 84L), (damage.File, damage.Offset));
        Assert.Contains("record 5 of this log is another one", damage.Message, StringComparison.Ordinal);
        using (SnapshotFile file = store.OpenSnapshot()!) Assert.Equal(3, file.Info.Sequence);

        // And it pushes out none that restores.
        await store.CheckpointAsync(new HistoryTotal { Sum = 60 });
        Assert.Equal([6, 5, 3], store.Snapshots.Select(static s => s.Sequence));
    }

    /// <summary>Also where nobody has restored or opened one: what counts generations asks the log too.</summary>
    [Fact]
    public async Task ASnapshotOfAnotherHistoryIsNoGeneration()
    {
        using SimDirectory lost = await WrittenAsync(number: 1, checkpoints: [3, 5]), now = await WrittenAsync(number: 10, checkpoints: [3]);
        FileBytes.Put(now, Newest, FileBytes.Of(lost, Newest));
        await using NinoStore store = Simulated.Open(now, 2);
        await store.CheckpointAsync(new HistoryTotal { Sum = 60 });
        Assert.Equal([6, 5, 3], store.Snapshots.Select(static s => s.Sequence));
    }

    [Fact]
    public async Task ASnapshotThatIsPutBackToItsOwnHistoryIsUsed()
    {
        using SimDirectory lost = await WrittenAsync(number: 1, checkpoints: [5]), now = await WrittenAsync(number: 1, checkpoints: []);
        FileBytes.Put(now, Newest, FileBytes.Of(lost, Newest));
        await using NinoStore store = Simulated.Open(now, 2);
        Assert.Equal(6, (await RestoreAsync(store)).Sum);
        Assert.Equal((Newest, 1L), (store.Recovery.SnapshotUsed, store.Recovery.RecordsReplayed));
        Assert.Empty(store.Recovery.Damage);
    }

    /// <summary>The record is damaged now: that says nothing about the snapshot behind it.</summary>
    [Fact]
    public async Task ASnapshotIsUsedWhereItsRecordCannotBeRead()
    {
        using SimDirectory directory = await WrittenAsync(number: 1, checkpoints: [5]);
        string segment = Store.Log.SegmentFormat.Name(1);
        await using NinoStore store = Simulated.Open(directory, 2);
        byte[] bytes = FileBytes.Of(directory, segment);
        bytes[200] ^= 1;
        FileBytes.Put(directory, segment, bytes);
        using SnapshotFile file = store.OpenSnapshot()!;
        Assert.Equal(5, file.Info.Sequence);
        Assert.ThrowsAny<StoreException>(() => store.Read<int>().Count());
    }

    /// <summary>Whether the segment goes on behind it or not, and whether something is to be replayed.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3)]
    public async Task ASnapshotIsKnownToBelongToTheLogHoweverLargeTheBatchBeforeIt(int behind)
    {
        using var directory = new SimDirectory();
        await using (NinoStore store = Simulated.Open(directory))
        {
            for (int i = 0; i < 100; i++) store.Append(i);
            store.AppendBatch(Enumerable.Repeat(new byte[1024 * 1024], 64).ToArray());
            await store.CheckpointAsync(new HistoryTotal { Sum = 60 });
            for (int i = 0; i < behind; i++) store.Append(1);
        }

        var counted = new CountingDirectory(directory);
        await using NinoStore again = Simulated.Open(counted, 2);
        long before = counted.BytesRead;
        using (SnapshotFile file = again.OpenSnapshot()!) Assert.Equal(164, file.Info.Sequence);
        Assert.InRange(counted.BytesRead - before, 0, 4 * 1024);

        // What lies behind is read from where it begins, and by the buffer.
        Assert.Equal(60 + behind, (await RestoreAsync(again)).Sum);
        Assert.Equal(behind, again.Recovery.RecordsReplayed);
        Assert.InRange(counted.BytesRead - before, 0, behind == 0 ? 16 * 1024 : 256 * 1024);
    }

    /// <summary>Asking the log about a snapshot flushes nothing: what was appended and nobody waits for stays to be told.</summary>
    [Fact]
    public async Task ALostRecordIsToldByDisposingAlsoWhenASnapshotWasOpenedMeanwhile()
    {
        using SimDirectory directory = await WrittenAsync(number: 1, checkpoints: [5]);
        var faulty = new FaultDirectory(directory);
        NinoStore store = Simulated.Open(faulty, 2);
        store.Append(7);
        faulty.Fault = new Fault(1, FaultKind.NoSpace, IsForever: true);
        using (SnapshotFile file = store.OpenSnapshot()!) Assert.Equal(5, file.Info.Sequence);
        Assert.IsType<InjectedFault>(Assert.Throws<StoreFailedException>(store.Dispose).InnerException);
    }

    /// <summary>It restores nothing, however whole its bytes are in the copy.</summary>
    [Fact]
    public async Task ASnapshotOfAnotherHistoryTakesNoneFromABackup()
    {
        using SimDirectory lost = await WrittenAsync(number: 1, checkpoints: [3, 5]), now = await WrittenAsync(number: 10, checkpoints: [3]), copy = new();
        await using NinoStore store = Simulated.Open(now, 2);
        store.BackupTo(copy);
        FileBytes.Put(now, Newest, FileBytes.Of(lost, Newest));
        now.Delete(SnapshotSamples.NameOf(3));

        BackupResult result = store.BackupTo(copy);

        Assert.Contains(SnapshotSamples.NameOf(3), copy.List().Select(static f => f.Name));
        Assert.Contains("another history", Assert.Single(result.Omitted).Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task InspectSaysThatASnapshotIsOfAnotherHistoryAndNamesTheNotedOnes()
    {
        using var folder = new TemporaryFolder();
        using (SimDirectory lost = await WrittenAsync(number: 1, checkpoints: [5]), now = await WrittenAsync(number: 10, checkpoints: [3]))
        {
            foreach (Store.IO.StoreFileEntry entry in now.List()) File.WriteAllBytes(folder[entry.Name], FileBytes.Of(now, entry.Name));
            ToolRun whole = ToolRun.Of(folder.Path);
            Assert.Equal(ExitCode.Clean, whole.ExitCode);
            using SnapshotFile file = SnapshotFile.Open(folder[SnapshotSamples.NameOf(3)]);
            Assert.Contains($"1 checkpoint, the last up to record 3: {SnapshotSamples.NameOf(3)}, id {file.SnapshotId:x16}", whole.Output, StringComparison.Ordinal);
            File.WriteAllBytes(folder[Newest], FileBytes.Of(lost, Newest));
        }

        ToolRun run = ToolRun.Of("verify", folder.Path);
        Assert.Equal(ExitCode.Corrupt, run.ExitCode);
        Assert.Contains("another history of the log", run.Output + run.Error, StringComparison.Ordinal);
    }

    /// <summary>A version that knew of no place wrote the mark alone: then the record is looked for, and its mark decides.</summary>
    [Theory]
    [InlineData(1, true)]
    [InlineData(10, false)]
    public async Task ASnapshotThatSaysNotWhereItsRecordIsIsToldByTheRecordsMark(int number, bool isUsed)
    {
        using SimDirectory lost = await WrittenAsync(number: 1, checkpoints: [5]), now = await WrittenAsync(number, checkpoints: []);
        byte[] bytes = FileBytes.Of(lost, Newest);
        Assert.NotEqual(0u, BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(84)));
        Assert.NotEqual(0, BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(88)));
        bytes.AsSpan(88, 20).Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(8), Crc32C.Compute(bytes.AsSpan(12, BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(12)) - 12)));
        FileBytes.Put(now, Newest, bytes);
        await using NinoStore store = Simulated.Open(now, 2);
        Assert.Equal(6 * number, (await RestoreAsync(store)).Sum);
        Assert.Equal(isUsed ? Newest : null, store.Recovery.SnapshotUsed);
        if (isUsed) Assert.Empty(store.Recovery.Damage);
        else Assert.Contains("record 5 of this log is another one", Assert.Single(store.Recovery.Damage).Message, StringComparison.Ordinal);
    }

    private static ValueTask<HistoryTotal> RestoreAsync(NinoStore store) => store.RestoreAsync<HistoryTotal, int>(static (total, record) => total.Sum += record);

    private static async Task<SimDirectory> WrittenAsync(int number, int[] checkpoints)
    {
        var directory = new SimDirectory();
        await using NinoStore store = Simulated.Open(directory);
        for (int i = 1; i <= 6; i++)
        {
            store.Append(number);
            if (checkpoints.Contains(i)) await store.CheckpointAsync(new HistoryTotal { Sum = number * i });
        }

        return directory;
    }
}

/// <summary>The sum of all records.</summary>
[NinoType]
public sealed partial class HistoryTotal
{
    public int Sum { get; set; }
}
