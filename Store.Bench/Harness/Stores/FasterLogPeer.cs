// FasterLog in the three settings that matter: as it comes, with large pages, and with its fast commit and per-entry checksum.

using FASTER.core;

namespace Store.Bench.Harness.Stores;

/// <summary>Settings of a FasterLog row.</summary>
public enum FasterLogTuning
{
    /// <summary>Nothing set but the device.</summary>
    Default,

    /// <summary>32 MiB pages, 256 MiB of memory, 1 GiB segments.</summary>
    Tuned,

    /// <summary>Tuned, and a commit record in the log instead of a metadata file for each commit (one in 64); needs the XOR checksum.</summary>
    FastCommit,
}

/// <summary>FasterLog on a local device.</summary>
public sealed class FasterLogPeer : IGroupCommitPeer, IBatchPeer
{
    private readonly IDevice _device;
    private readonly DeviceLogCommitCheckpointManager? _commits;
    private readonly FasterLog _log;
    private readonly CancellationTokenSource _stop = new();
    private readonly Lazy<Task> _committer;
    private readonly Repeated _batch = new();

    public FasterLogPeer(string directory, FasterLogTuning tuning)
    {
        _device = Devices.CreateLogDevice(Path.Combine(directory, "faster.log"));
        var settings = new FasterLogSettings { LogDevice = _device };
        if (tuning != FasterLogTuning.Default)
        {
            settings.PageSizeBits = 25;
            settings.MemorySizeBits = 28;
            settings.SegmentSizeBits = 30;
        }
        if (tuning == FasterLogTuning.FastCommit)
        {
            _commits = new DeviceLogCommitCheckpointManager(new LocalStorageNamedDeviceFactory(), new DefaultCheckpointNamingScheme(directory), removeOutdated: true, fastCommitThrottleFreq: 64);
            settings.LogCommitManager = _commits;
            settings.FastCommitMode = true;
            settings.LogChecksum = LogChecksumType.PerEntry;
        }
        _log = new FasterLog(settings);
        _committer = new Lazy<Task>(() => Task.Run(CommitLoopAsync));
    }

    public void Append(byte[] record, int count)
    {
        for (int i = 0; i < count; i++) _log.Enqueue(record.AsSpan());
    }

    /// <summary>Appends one record made elsewhere.</summary>
    public void Append(ReadOnlySpan<byte> record) => _log.Enqueue(record);

    /// <summary>Waits until everything appended is durable, as <c>Commit(true)</c> does it: spinning.</summary>
    public void Commit() => _log.Commit(spinWait: true);

    /// <summary>A batch has to fit on a page: 4 MiB by default.</summary>
    public void AppendBatch(byte[] record, int count)
    {
        (_batch.Record, _batch.Count) = (record, count);
        _log.Enqueue(_batch);
    }

    /// <summary>Appends records made elsewhere as one batch, which has to fit on a page.</summary>
    public void AppendBatch(IReadOnlySpanBatch batch) => _log.Enqueue(batch);

    public void AppendDurable(byte[] record, int count)
    {
        if (count == 1) Append(record, 1);
        else AppendBatch(record, count);
        Commit();
    }

    public ValueTask<long> AppendDurableAsync(byte[] record)
    {
        _ = _committer.Value;
        return _log.EnqueueAndWaitForCommitAsync(record, _stop.Token);
    }

    public long Scan()
    {
        var counter = new Counter();
        using FasterLogScanIterator scan = _log.Scan(_log.BeginAddress, _log.CommittedUntilAddress);
        while (scan.TryConsumeNext(counter)) { }
        return counter.Records;
    }

    public void Dispose()
    {
        _stop.Cancel();
        try
        {
            if (_committer.IsValueCreated) _committer.Value.GetAwaiter().GetResult();
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // The loop ends by the token and by nothing else.
        }
        _log.Dispose();
        _commits?.Dispose();
        _device.Dispose();
        _stop.Dispose();
    }

    // Somebody has to commit for the waiters; this is the loop that FasterLog's own samples have.
    private async Task CommitLoopAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            await _log.CommitAsync(_stop.Token).ConfigureAwait(false);
            await Task.Yield();
        }
    }

    private sealed class Repeated : IReadOnlySpanBatch
    {
        public byte[] Record = [];
        public int Count;

        public int TotalEntries() => Count;

        public ReadOnlySpan<byte> Get(int index) => Record;
    }

    private sealed class Counter : ILogEntryConsumer
    {
        public long Records;

        public void Consume(ReadOnlySpan<byte> entry, long currentAddress, long nextAddress) => Records++;
    }
}
