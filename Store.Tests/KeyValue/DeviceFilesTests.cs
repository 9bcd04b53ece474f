// Who waits for the sync of a file of the record log? Nobody but who asked for it. And how many of its files are open at once?

using Store.Faster;
using Store.Faster.Engine;
using Store.IO;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public sealed class DeviceFilesTests : IDisposable
{
    private const int FileBytes = 8192;
    private static readonly TimeSpan Long = TimeSpan.FromMinutes(1);

    private readonly SimDirectory _simulated = new();
    private readonly HaltedSyncs _directory;

    public DeviceFilesTests() => _directory = new HaltedSyncs(_simulated);

    public void Dispose()
    {
        _directory.GoOn();
        _directory.Dispose();
    }

    /// <summary>The sync of a checkpoint stands still: puts that fill page after page go on, and so does the first read of a file that is not open.</summary>
    [Fact]
    public async Task PutsAndReadsGoOnWhileTheRecordLogIsSynced()
    {
        FasterOptions options = KeyValueBed.Tiny with { MemorySizeBytes = 64 * 1024, RecordFileSizeBits = 13 };
        var log = new MemoryChangeLog();
        using (FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(log, _directory, options))
        {
            for (int i = 0; i < 250; i++) kv.Put(i, new string('a', 400));
            await kv.CheckpointAsync();
        }

        using FasterKeyValueStore<int, string> reopened = KeyValueBed.Open<int, string>(log, _directory, options);
        Assert.False(reopened.Recovery.RebuiltFromLog);
        for (int i = 250; i < 270; i++) reopened.Put(i, new string('b', 400));
        Assert.Equal(0, _directory.OpenOf("records-00000000"));
        long begin = reopened.State.Engine.BeginAddress;
        _directory.Halt();
        Task checkpoint = Task.Run(() => reopened.CheckpointAsync().AsTask());
        _directory.WaitUntilStanding();
        Assert.Equal(begin, reopened.State.Engine.BeginAddress);

        // On threads of their own, which may wait for nobody: the reader's file is opened by it.
        Task reads = Started(() => Assert.Equal(new string('a', 400), reopened.TryGet(0, out string? value) ? value : null));
        Task puts = Started(() =>
        {
            for (int i = 1; i <= 60; i++) reopened.Put(i, new string('c', 401));
        });
        Assert.Same(reads, await Task.WhenAny(reads, Task.Delay(Long)));
        Assert.Same(puts, await Task.WhenAny(puts, Task.Delay(Long)));
        await Task.WhenAll(reads, puts);
        Assert.False(checkpoint.IsCompleted);
        Assert.Equal(1, _directory.OpenOf("records-00000000"));
        _directory.GoOn();
        await checkpoint;
        for (int i = 0; i < 270; i++) Assert.Equal(i is >= 1 and <= 60 ? 'c' : i < 250 ? 'a' : 'b', reopened.TryGet(i, out string? value) ? value[0] : '-');
    }

    [Fact]
    public async Task WhatIsWrittenWhileItsFileIsSyncedIsOfTheNextSync()
    {
        StoreDevice device = Device();
        Write(device, 0, 0);
        Write(device, 1, 0);
        _directory.Halt();
        Task sync = Started(device.Sync);
        _directory.WaitUntilStanding();
        await Started(() => Write(device, 0, 512)).WaitAsync(Long);
        Assert.Equal(7, await Task.Run(() => Read(device, 1, 0)).WaitAsync(Long));
        _directory.GoOn();
        await sync.WaitAsync(Long);
        Assert.Equal((1, 1), (_directory.SyncsOf(Name(0)), _directory.SyncsOf(Name(1))));
        device.Sync();
        Assert.Equal((2, 1), (_directory.SyncsOf(Name(0)), _directory.SyncsOf(Name(1))));
        device.Sync();
        Assert.Equal((2, 1), (_directory.SyncsOf(Name(0)), _directory.SyncsOf(Name(1))));
        device.Close();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task AFileIsNotClosedWhileItIsSynced(bool closes)
    {
        StoreDevice device = Device();
        Write(device, 0, 0);
        _directory.Halt();
        Task sync = Started(device.Sync);
        _directory.WaitUntilStanding();
        if (closes) device.Close();
        else device.Forget(FileBytes);
        Assert.Equal(1, _directory.OpenNow);
        _directory.GoOn();
        await sync.WaitAsync(Long);
        Assert.False(_directory.WasClosedInSync);
        Assert.Equal(0, _directory.OpenNow);
        device.Close();
    }

    [Fact]
    public void ASyncThatFailedOnceIsNeverBelievedAgain()
    {
        var faulty = new FaultDirectory(_simulated);
        StoreDevice device = Device(faulty);
        Write(device, 0, 0);
        faulty.Fault = new Fault(1, FaultKind.IoError, Strikes: static operation => operation == IoOperation.SyncData);
        Assert.Throws<InjectedFault>(device.Sync);
        faulty.Fault = null;
        Assert.IsType<InjectedFault>(Assert.Throws<IOException>(device.Sync).InnerException);
        Assert.IsType<InjectedFault>(device.Failure);
        device.Close();

        // Of two that sync one file, the second must not take the silence behind a failure for success.
        var files = new DeviceFiles(faulty, Name);
        using (DeviceFiles.Use use = files.ForWriting(1)) use.File.Write([1], 0);
        faulty.Fault = new Fault(1, FaultKind.IoError, Strikes: static operation => operation == IoOperation.SyncData);
        Assert.Throws<InjectedFault>(files.Sync);
        Assert.IsType<InjectedFault>(Assert.Throws<IOException>(files.Sync).InnerException);
        files.Close();
    }

    [Theory]
    [InlineData(4096, 64 << 20)]
    [InlineData(1 << 20, 64 << 20)]
    [InlineData(4 << 20, 256 << 20)]
    [InlineData(256 << 20, 1 << 30)]
    public void AFileOfTheRecordLogHas64PagesAndAtLeast64MiBAndAtMostOneGiB(int pageSizeBytes, long fileBytes) =>
        Assert.Equal(fileBytes, 1L << new FasterOptions { PageSizeBytes = pageSizeBytes }.RecordFileSizeBits);

    /// <summary>A file a page, and hundreds of them: written without a checkpoint, read by four threads, scanned, checkpointed, opened again.</summary>
    [Fact]
    public async Task OfHundredsOfFilesFewAreOpen()
    {
        const int Keys = 4000, Most = DeviceFiles.MostOpen + 8;
        FasterOptions options = KeyValueBed.Tiny with { RecordFileSizeBits = 12, IndexSizeBytes = 256 * 1024 };
        var log = new MemoryChangeLog();
        using (FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(log, _directory, options))
        {
            for (int i = 0; i < Keys; i++) kv.Put(i, new string((char)('a' + (i % 26)), 300));
            Assert.InRange(_directory.OpenMost, 1, Most);
            await ReadByFourAsync(kv);
            Assert.Equal(Keys, kv.Scan().Count());
            await kv.CheckpointAsync();
        }

        Assert.Equal(0, _directory.OpenNow);
        Assert.True(_directory.List().Count(static file => file.Name.StartsWith("records-", StringComparison.Ordinal)) > 2 * Most);
        using (FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(log, _directory, options))
        {
            Assert.False(kv.Recovery.RebuiltFromLog);
            await ReadByFourAsync(kv);
            Assert.True(_directory.OpenNow > DeviceFiles.MostOpen / 2, $"{_directory.OpenNow} are open");
        }

        Assert.InRange(_directory.OpenMost, 1, Most);
        Assert.Equal(0, _directory.OpenNow);

        static Task ReadByFourAsync(FasterKeyValueStore<int, string> kv) => Task.WhenAll(Enumerable.Range(0, 4).Select(reader => Task.Run(() =>
        {
            var random = new Random(reader);
            for (int i = 0; i < 2000; i++)
            {
                int key = random.Next(Keys);
                Assert.True(kv.TryGet(key, out string? value));
                Assert.Equal(new string((char)('a' + (key % 26)), 300), value);
            }
        })));
    }

    /// <summary>A file that is closed to make room was synced before: nothing that was written is left out of a sync.</summary>
    [Fact]
    public void OfManyFilesWithUnsyncedBytesTheOldestAreSyncedByWhoeverWritesOn()
    {
        StoreDevice device = Device();
        for (int segment = 0; segment < 100; segment++)
        {
            Write(device, segment, 0);
            Assert.InRange(Enumerable.Range(0, segment + 1).Count(written => _directory.SyncsOf(Name(written)) == 0), 1, DeviceFiles.MostUnsynced);
        }

        Assert.InRange(_directory.OpenMost, 1, DeviceFiles.MostOpen + 1);
        device.Sync();
        Assert.All(Enumerable.Range(0, 100), segment => Assert.Equal(1, _directory.SyncsOf(Name(segment))));

        // Opened again for it, a file that was closed is written and synced as any other.
        Assert.Equal(0, _directory.OpenOf(Name(0)));
        Write(device, 0, 512);
        device.Sync();
        Assert.Equal(2, _directory.SyncsOf(Name(0)));
        Assert.Equal(7, Read(device, 0, 512));
        device.Close();
        Assert.Equal(0, _directory.OpenNow);
    }

    private static Task Started(Action action) => Task.Factory.StartNew(action, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private static string Name(int segment) => $"records-{segment:D8}";

    private StoreDevice Device(IStoreDirectory? directory = null)
    {
        StoreDevice device = StoreDevice.Segmented(directory ?? _directory, Name, 0, new PieceChecksums());
        device.Initialize(FileBytes);
        return device;
    }

    private static unsafe void Write(StoreDevice device, int segment, long offset)
    {
        byte[] bytes = new byte[512];
        Array.Fill(bytes, (byte)7);
        fixed (byte* start = bytes) device.WriteAsync((IntPtr)start, segment, (ulong)offset, (uint)bytes.Length, static (_, _, _) => { }, new object());
        device.ThrowIfFailed();
    }

    private static unsafe byte Read(StoreDevice device, int segment, long offset)
    {
        byte[] bytes = new byte[512];
        fixed (byte* start = bytes) device.ReadAsync(segment, (ulong)offset, (IntPtr)start, (uint)bytes.Length, static (_, _, _) => { }, new object());
        device.ThrowIfFailed();
        return bytes[511];
    }
}
