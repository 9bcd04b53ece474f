using Store.Faster;
using Store.IO;
using Store.Snapshots;
using Store.Tests.Retention;
using Store.Tests.Shipping;
using Store.Tests.Simulation;
using Store.Tests.Snapshots;

namespace Store.Tests.Log;

/// <summary>A store that cannot be written, or must not be: everything can be read, nothing is touched, every change is a clear exception.</summary>
public class ReadOnlyTests
{
    private static NinoStoreOptions ReadOnly(NinoStoreOptions options) => options with { ReadOnly = true };

    [Fact]
    public async Task DisposingEndsAFollowingQuietly()
    {
        SimDirectory directory = new();
        using NinoStore writer = Simulated.Open(directory, 1);
        writer.Append(1);
        Simulated.Commit(writer);
        NinoStore store = Simulated.Open(directory, 2, ReadOnly);
        await using var records = store.TailAsync<int>().GetAsyncEnumerator();
        Assert.True(await records.MoveNextAsync());
        Task<bool> next = records.MoveNextAsync().AsTask();

        store.Dispose();

        Assert.False(await next.WaitAsync(TimeSpan.FromSeconds(30)));
    }

    [Fact]
    public async Task EverythingIsReadAndEveryChangeIsRefused()
    {
        SimDirectory directory = new(), copy = new();
        using (NinoStore writer = RetentionTests.Grown(directory, segments: 4))
        {
            await writer.CheckpointAsync(new List<int> { 7 });
            CursorTests.Commit(writer.OpenCursor("mail"), 9);
            writer.AppendBatch<int>([.. Enumerable.Range((int)writer.LastSequence + 1, 10)]);
        }

        long operations = directory.OperationCount;
        using NinoStore store = Simulated.Open(directory, 2, ReadOnly);

        Assert.True(store.IsReadOnly);
        RetentionTests.IsWhole(store);
        Assert.Equal(store.LastSequence, store.DurableSequence);
        Assert.Equal("mail", Assert.Single(store.Cursors).Name);
        Assert.Equal(store.LastSequence, store.Read<int>(new ReadOptions { NewestFirst = true }).First().Value);
        Assert.Equal(20, store.Read<int>(20).First().Value);
        int scanned = 0;
        foreach (ScannedRecord record in store.Scan()) scanned += record.Payload.Length > 0 ? 1 : 0;
        Assert.Equal(store.LastSequence, scanned);
        List<int> restored = await store.RestoreAsync<List<int>, int>(static (state, value) => state.Add(value));
        Assert.Equal(11, restored.Count);
        using (SnapshotFile? snapshot = store.OpenSnapshot()) Assert.NotNull(snapshot);
        Assert.Equal(store.LastSequence, store.ReadFrames().Last().LastSequence);
        Assert.Equal(store.LastSequence, Shipped.Done(store.ShipToAsync(Stream.Null)));
        Assert.Equal(store.LastSequence, store.BackupTo(copy).LastSequence);
        using (NinoStore opened = Simulated.Open(copy.KillProcess(), seed: 3)) RetentionTests.IsWhole(opened);

        RawFrame frame = store.ReadFrames().First();
        (string Name, Func<Task> Change)[] changes =
        [
            ("Append", () => Run(() => store.Append(1))),
            ("Append expected", () => Run(() => store.Append(1, 1))),
            ("AppendRecord", () => Run(() => store.AppendRecord(Store.Serialization.NinoCodec<int>.Default.Schema, [1, 0, 0, 0]))),
            ("AppendBatch", () => Run(() => store.AppendBatch<int>([1]))),
            ("AppendBatch of none", () => Run(() => store.AppendBatch<int>([]))),
            ("AppendBatch of a list", () => Run(() => store.AppendBatch((IReadOnlyList<int>)[1]))),
            ("AppendAsync", () => store.AppendAsync(1).AsTask()),
            ("OpenPipe", () => Run(() => store.OpenPipe())),
            ("OpenAppender", () => Run(() => store.OpenAppender<int>())),
            ("Commit", () => Run(store.Commit)),
            ("CommitAsync", () => store.CommitAsync().AsTask()),
            ("CheckpointAsync", () => store.CheckpointAsync(new List<int>()).AsTask()),
            ("CheckpointPartsAsync", () => store.CheckpointPartsAsync(new SnapshotParts().Add("a", 1)).AsTask()),
            ("CheckpointAllAsync", () => store.CheckpointAllAsync().AsTask()),
            ("TruncateBefore", () => Run(() => store.TruncateBefore(10))),
            ("ApplyRetention", () => Run(() => store.ApplyRetention(new RetentionPolicy { MaxRecords = 1 }))),
            ("OpenCursor", () => Run(() => store.OpenCursor("other"))),
            ("DeleteCursor", () => Run(() => store.DeleteCursor("mail"))),
            ("ForgetKeyedState", () => Run(() => store.ForgetKeyedState("x"))),
            ("Import", () => Run(() => store.Import(frame))),
            ("ImportAsync", () => store.ImportAsync(Stream.Null).AsTask()),
            ("TailFramesAsync", () => Run(() => store.TailFramesAsync())),
            ("OpenKeyValue", () => Run(() => store.OpenKeyValue<int, int>("x"))),
            ("OpenStateAsync", () => store.OpenStateAsync<List<int>>(static on => on.On<int>(static (state, value) => state.Add(value))).AsTask()),
        ];
        foreach ((string name, Func<Task> change) in changes)
        {
            StoreReadOnlyException e = await Assert.ThrowsAsync<StoreReadOnlyException>(change);
            Assert.True(e.Message.Contains("reading only", StringComparison.Ordinal), $"{name}: {e.Message}");
        }

        store.Dispose();
        Assert.Equal(operations, directory.OperationCount);
    }

    [Fact]
    public void NoLockIsTakenAndNothingOfTheFolderChanges()
    {
        // The writer is not to write a mark meanwhile.
        using var folder = new TemporaryFolder();
        using NinoStore writer = NinoStore.Open(folder["data"], new NinoStoreOptions { FlushIntervalMs = 60_000 });
        writer.Append(1);
        writer.Commit();
        var before = Look(folder["data"]);

        using (NinoStore first = NinoStore.Open(folder["data"], new NinoStoreOptions { ReadOnly = true }), second = NinoStore.Open(folder["data"], new NinoStoreOptions { ReadOnly = true }))
        {
            Assert.Equal((1, 1), (first.Read<int>().Single().Value, second.Read<int>().Single().Value));
            Assert.False(first.Recovery.CleanClose);
            Assert.Empty(first.Recovery.Damage);
        }

        Assert.Equal(before, Look(folder["data"]));
        Assert.Equal(2, writer.Append(2));
    }

    /// <summary>What the writer has published since is no damage: restoring uses what goes with the log as it was seen.</summary>
    [Fact]
    public async Task SnapshotsThatTheWriterPublishesLaterAreNoDamage()
    {
        var directory = new SimDirectory();
        await using NinoStore writer = Simulated.Open(directory, 1);
        for (int i = 1; i <= 3; i++) writer.Append(i);
        await writer.CheckpointAsync(new Score(6));
        writer.Append(4);
        writer.Commit();
        using NinoStore view = Simulated.Open(directory, 2, static o => o with { ReadOnly = true });
        writer.Append(5);
        await writer.CheckpointAsync(new Score(15));
        Assert.Equal(10, (await view.RestoreAsync<Score, int>(static () => default, static (sum, value) => new Score(sum.Points + value))).Points);
        Assert.Equal(1, view.Recovery.RecordsReplayed);
        using (SnapshotFile? older = view.OpenSnapshot()) Assert.Equal(3, older!.Info.Sequence);

        // Both are replaced; the log as it was seen has every record.
        writer.Append(6);
        await writer.CheckpointAsync(new Score(21));
        Assert.Equal(10, (await view.RestoreAsync<Score, int>(static () => default, static (sum, value) => new Score(sum.Points + value))).Points);
        Assert.Null(view.OpenSnapshot());
        Assert.Empty(view.Recovery.Damage);
    }

    [Fact]
    public async Task AWriterThatHasReplacedEverySnapshotIsToldAndNotCalledDamage()
    {
        var directory = new SimDirectory();
        await using NinoStore writer = Simulated.Open(directory, 1);
        while (writer.TruncateBefore(long.MaxValue).FirstSequence == 1)
        {
            writer.AppendBatch<int>([.. Enumerable.Range(0, 2000)]);
            await writer.CheckpointAsync(new Score(1));
        }

        using NinoStore view = Simulated.Open(directory, 2, static o => o with { ReadOnly = true });
        for (int i = 0; i < 2; i++)
        {
            writer.Append(i);
            await writer.CheckpointAsync(new Score(2));
        }

        StoreException told = await Assert.ThrowsAsync<StoreException>(async () => await view.RestoreAsync<Score, int>(static () => default, static (sum, _) => sum));
        Assert.Contains("Open the store again", told.Message, StringComparison.Ordinal);
        Assert.Throws<StoreException>(() => view.OpenSnapshot<Score>());
        Assert.Empty(view.Recovery.Damage);
        using NinoStore again = Simulated.Open(directory, 2, static o => o with { ReadOnly = true });
        Assert.Equal(2, (await again.RestoreAsync<Score, int>(static () => default, static (sum, _) => sum)).Points);
    }

    /// <summary>One that was there before the log was looked at, and covers more: the log has lost records, whoever looks.</summary>
    [Fact]
    public async Task ASnapshotThatWasAheadWhenItWasOpenedIsDamage()
    {
        var directory = new SimDirectory();
        SimDirectory early;
        await using (NinoStore writer = Simulated.Open(directory, 1))
        {
            writer.Append(1);
            writer.Commit();
            early = directory.KillProcess();
            writer.Append(2);
            SnapshotInfo info = await writer.CheckpointAsync(new Score(3));
            FileBytes.Put(early, info.FileName, FileBytes.Of(directory, info.FileName));
        }

        using NinoStore view = Simulated.Open(early, 2, static o => o with { ReadOnly = true });
        Assert.Equal(1, (await view.RestoreAsync<Score, int>(static () => default, static (sum, value) => new Score(sum.Points + value))).Points);
        Assert.Contains("has lost records", Assert.Single(view.Recovery.Damage).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task AReadOnlyStoreFollowsTheOneThatWrites()
    {
        using var folder = new TemporaryFolder();
        using NinoStore writer = NinoStore.Open(folder["data"]);
        writer.Append(1);
        writer.Commit();
        using NinoStore reader = NinoStore.Open(folder["data"], new NinoStoreOptions { ReadOnly = true });
        using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(30));
        List<int> seen = [];

        await foreach (LogRecord<int> record in reader.TailAsync<int>(cancellationToken: stop.Token))
        {
            seen.Add(record.Value);
            if (seen.Count == 5) break;
            await writer.AppendAsync(seen.Count + 1);
        }

        Assert.Equal([1, 2, 3, 4, 5], seen);
        Assert.Equal(1, reader.LastSequence);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AFolderThatCannotBeWrittenIsOpenedForReading(bool turnsWhenTried)
    {
        SimDirectory directory = new();
        RetentionTests.Grown(directory, segments: 2).Dispose();
        IStoreDirectory refusing = turnsWhenTried ? new FaultDirectory(directory) { Fault = new Fault(1, FaultKind.ReadOnlyFileSystem, IsForever: true) } : directory.AsReadOnly();

        using NinoStore store = Simulated.Open(refusing, seed: 2);

        Assert.True(store.IsReadOnly);
        RetentionTests.IsWhole(store);
        Assert.Contains("cannot be written", Assert.Throws<StoreReadOnlyException>(() => store.Append(1)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void WhereThereIsNothingToReadItSaysSo()
    {
        using var folder = new TemporaryFolder();
        var options = new NinoStoreOptions { ReadOnly = true };

        Assert.Contains("no store", Assert.Throws<StoreReadOnlyException>(() => NinoStore.Open(folder.Path, options)).Message, StringComparison.Ordinal);
        Assert.Throws<DirectoryNotFoundException>(() => NinoStore.Open(folder["nowhere"], options));
        Assert.Throws<DirectoryNotFoundException>(() => NinoStore.Open(folder["log.bin"], options));
        Assert.Throws<StoreReadOnlyException>(() => NinoLog.Create(folder["log.bin"], options));
        Assert.Empty(Directory.GetFileSystemEntries(folder.Path));
    }

    [Fact]
    public void AOneFileLogIsReadWithoutALockFile()
    {
        using var folder = new TemporaryFolder();
        using (NinoStore log = NinoLog.Create(folder["log.bin"])) log.AppendBatch<int>([1, 2, 3]);
        File.Delete(folder["log.bin.lock"]);

        using NinoStore store = NinoStore.Open(folder["log.bin"], new NinoStoreOptions { ReadOnly = true });

        Assert.Equal([1, 2, 3], store.Read<int>().Select(static r => r.Value));
        Assert.True(store.Recovery.CleanClose);
        Assert.Equal([folder["log.bin"]], Directory.GetFileSystemEntries(folder.Path));
    }

    [Fact]
    public void RetentionOfTheWriterIsToldToAReader()
    {
        SimDirectory directory = new();
        using NinoStore writer = RetentionTests.Grown(directory, segments: 4);
        using NinoStore reader = Simulated.Open(directory, 2, ReadOnly);
        writer.TruncateBefore(RetentionTests.First(directory, 3));

        Assert.Equal(writer.FirstSequence, reader.FirstSequence);
        RetentionTests.IsWhole(reader);
        RetentionTests.Grow(writer, directory, 4);
        writer.TruncateBefore(long.MaxValue);
        Assert.True(writer.FirstSequence <= reader.LastSequence || Assert.Throws<LogTruncatedException>(() => reader.ReadRecords().Count()).FirstSequence == writer.FirstSequence);
    }

    [Fact]
    public void AFolderOfAReadOnlyMountIsOpenedForReading()
    {
        if (!OperatingSystem.IsLinux()) return;
        using var folder = new TemporaryFolder();
        using (NinoStore store = NinoStore.Open(folder["data"])) store.AppendBatch<int>([1, 2, 3]);
        Directory.CreateDirectory(folder["seen"]);

        // Permissions do not keep out a superuser, a mount does; who is none cannot mount, and is kept out by permissions.
        bool mounted = Mount("mount", "--bind", folder["data"], folder["seen"]) && Mount("mount", "-o", "remount,bind,ro", folder["seen"]);
        string path = mounted ? folder["seen"] : folder["data"];
        if (!mounted) File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        try
        {
            if (!mounted && Environment.IsPrivilegedProcess) return;
            using NinoStore store = NinoStore.Open(path);
            Assert.True(store.IsReadOnly);
            Assert.Equal([1, 2, 3], store.Read<int>().Select(static r => r.Value));
            Assert.Throws<StoreReadOnlyException>(() => store.Append(4));
        }
        finally
        {
            if (!mounted) File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            Mount("umount", folder["seen"]);
        }
    }

    private static bool Mount(string command, params string[] arguments)
    {
        try
        {
            return EndedProcess.Of(command, arguments).ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }

    private static List<(string, long, DateTime)> Look(string folder) => [.. Directory.GetFiles(folder).Order(StringComparer.Ordinal).Select(static f => (f, new FileInfo(f).Length, File.GetLastWriteTimeUtc(f)))];

    private static async Task Run(Action change)
    {
        await Task.CompletedTask;
        change();
    }
}
