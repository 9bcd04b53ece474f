using System.Diagnostics;
using Store.Faster;
using Store.IO;
using Store.Log;
using Store.Snapshots;
using Store.Tests.Retention;
using Store.Tests.Shipping;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>A store that cannot be written, or must not be: everything can be read, nothing is touched, every change is a clear exception.</summary>
public class ReadOnlyTests
{
    private static NinoStoreOptions ReadOnly(NinoStoreOptions options) => options with { ReadOnly = true };

    [Fact]
    public async Task LookingBesideAWriterThatNeverRestsIsBounded()
    {
        SimDirectory directory = new();
        Simulated.Open(directory, 1).Dispose();
        using var restless = new RestlessDirectory(directory);

        await Assert.ThrowsAsync<StoreInUseException>(() => Task.Run(() => Simulated.Open(restless, 2, ReadOnly)).WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.True(restless.Looks > 10);
    }

    [Theory]
    [InlineData(RecoveryMode.Strict)]
    [InlineData(RecoveryMode.TruncateTorn)]
    [InlineData(RecoveryMode.Salvage)]
    public void AWriterThatIsAlwaysInTheMiddleOfAFrameIsNotTakenForDamage(RecoveryMode mode)
    {
        SimDirectory directory = new();
        using NinoStore writer = Simulated.Open(directory, 1, static o => o with { FirstSegmentSizeBytes = 64 * 1024 });
        using var halfWritten = new HalfWrittenDirectory(directory, () =>
        {
            writer.Append((int)writer.LastSequence + 1);
            Simulated.Commit(writer);
        });

        using NinoStore reader = Simulated.Open(halfWritten, 2, o => o with { ReadOnly = true, Recovery = mode });

        Assert.Empty(reader.Recovery.Damage);
        Assert.True(reader.LastSequence > 100);
        RetentionTests.IsWhole(reader);

        // Of a writer that is dead the same bytes stay as they are.
        halfWritten.Stop();
        if (mode == RecoveryMode.Strict) Assert.Throws<StoreCorruptException>(() => Simulated.Open(halfWritten, 3, o => o with { ReadOnly = true, Recovery = mode }));
        else Assert.Single(Simulated.Open(halfWritten, 3, o => o with { ReadOnly = true, Recovery = mode }).Recovery.Damage);
    }

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
        Assert.Throws<StoreReadOnlyException>(() => NinoStore.Open(folder["log.bin"], options));
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
    public void ATornTailIsReportedAndStays()
    {
        SimDirectory directory = new();
        RetentionTests.Grown(directory, segments: 1).Dispose();
        byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(1));
        int end = bytes.AsSpan().LastIndexOfAnyExcept((byte)0) + 1;
        bytes.AsSpan(end + 16, 9).Fill(0xAA);
        FileBytes.Put(directory, SegmentFormat.Name(1), bytes);

        using (NinoStore store = Simulated.Open(directory, 2, ReadOnly))
        {
            Assert.Equal(StoreDamageKind.TornTail, Assert.Single(store.Recovery.Damage).Kind);
            Assert.Equal((0L, null), (store.Recovery.BytesCut, store.Recovery.CutBytesFile));
            RetentionTests.IsWhole(store);
        }

        Assert.Equal(bytes, FileBytes.Of(directory, SegmentFormat.Name(1)));
        Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, 3, o => o with { ReadOnly = true, Recovery = RecoveryMode.Strict }));
    }

    [Fact]
    public void LostAcknowledgedRecordsAreRefusedAndSalvageReadsWhatIsBeforeThem()
    {
        SimDirectory directory = new();
        RetentionTests.Grown(directory, segments: 3).Dispose();
        byte[] bytes = FileBytes.Of(directory, SegmentFormat.Name(3));
        bytes.AsSpan(SegmentFormat.HeaderSize + 64, 64).Clear();
        FileBytes.Put(directory, SegmentFormat.Name(3), bytes);

        Assert.Throws<StoreCorruptException>(() => Simulated.Open(directory, 2, ReadOnly));
        using NinoStore store = Simulated.Open(directory, 3, o => o with { ReadOnly = true, Recovery = RecoveryMode.Salvage });

        Assert.Equal(StoreDamageKind.Corruption, Assert.Single(store.Recovery.Damage).Kind);
        Assert.True(store.LastSequence < RetentionTests.First(directory, 3) + 100);
        RetentionTests.IsWhole(store);
        Assert.Equal(bytes, FileBytes.Of(directory, SegmentFormat.Name(3)));
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
    public void WhicheverCallFailsOpeningForReadingTellsItOrReadsARightBeginning()
    {
        SimDirectory directory = new();
        RetentionTests.Grown(directory, segments: 3).Dispose();
        for (long at = 1; ; at++)
        {
            var faulty = new FaultDirectory(directory) { Fault = new Fault(at, FaultKind.IoError, IsForever: at % 2 == 0) };
            try
            {
                using NinoStore store = Simulated.Open(faulty, 2, ReadOnly);
                RetentionTests.IsWhole(store);
            }
            catch (InjectedFault)
            {
                // The typed failure that was asked for; anything else fails the test.
            }

            if (faulty.Failures == 0) break;
        }
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
            using Process process = Process.Start(new ProcessStartInfo(command, arguments) { RedirectStandardError = true })!;
            process.WaitForExit();
            return process.ExitCode == 0;
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

    /// <summary>A folder whose log goes on before each look at it, and whose last bytes are never written yet.</summary>
    private sealed class HalfWrittenDirectory(IStoreDirectory inner, Action goOn) : IStoreDirectory
    {
        private bool _stopped;

        public string Name => inner.Name;

        public bool IsReadOnly => true;

        public void Stop() => _stopped = true;

        public IReadOnlyList<StoreFileEntry> List()
        {
            if (!_stopped) goOn();
            return inner.List();
        }

        public IStoreFile OpenRead(string name) => name == SegmentFormat.Name(1) ? new HalfWrittenFile(inner.OpenRead(name)) : inner.OpenRead(name);

        public IStoreFile Create(string name) => throw new InvalidOperationException();

        public IStoreFile OpenWrite(string name) => throw new InvalidOperationException();

        public void Rename(string name, string newName) => throw new InvalidOperationException();

        public void Delete(string name) => throw new InvalidOperationException();

        public void SyncDirectory() => throw new InvalidOperationException();

        public IDisposable? TryLock(string name) => null;

        public void Dispose() { }

        private sealed class HalfWrittenFile(IStoreFile inner) : IStoreFile
        {
            private readonly long _end = Store.Recovery.TailScan.LastNonZero(inner, 0);

            public string Name => inner.Name;

            public long LengthBytes => inner.LengthBytes;

            // A frame has been begun behind the last one: some of its bytes are there.
            public int Read(Span<byte> destination, long offset)
            {
                int read = inner.Read(destination, offset);
                for (long at = (_end + 7) / 8 * 8; at < _end + 24; at++)
                    if (at >= offset && at < offset + read) destination[(int)(at - offset)] = 0xAA;
                return read;
            }

            public void Write(ReadOnlySpan<byte> source, long offset) => throw new InvalidOperationException();

            public void SyncData() => throw new InvalidOperationException();

            public void StartWriteback(long offset, long lengthBytes) => throw new InvalidOperationException();

            public void Truncate(long lengthBytes) => throw new InvalidOperationException();

            public IStoreMapping Map() => throw new InvalidOperationException();

            public void Dispose() => inner.Dispose();
        }
    }

    /// <summary>A folder in which something else is missing whenever somebody looks.</summary>
    private sealed class RestlessDirectory(IStoreDirectory inner) : IStoreDirectory
    {
        public int Looks { get; private set; }

        public string Name => inner.Name;

        public bool IsReadOnly => true;

        public IReadOnlyList<StoreFileEntry> List() => inner.List();

        public IStoreFile Create(string name) => inner.Create(name);

        public IStoreFile OpenWrite(string name) => inner.OpenWrite(name);

        public IStoreFile OpenRead(string name) => throw new FileNotFoundException($"{name} is missing, look {++Looks}");

        public void Rename(string name, string newName) => inner.Rename(name, newName);

        public void Delete(string name) => inner.Delete(name);

        public void SyncDirectory() => inner.SyncDirectory();

        public IDisposable? TryLock(string name) => inner.TryLock(name);

        public void Dispose() => inner.Dispose();
    }
}
