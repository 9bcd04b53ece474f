// How is a checkpoint of FASTER taken, and brought back? By driving its state machine on the thread that asks, and by checking what its recovery left: it leaves holes, and says nothing.

using FASTER.core;
using Store.Faster.Checkpoints;
using Session = FASTER.core.ClientSession<FASTER.core.SpanByte, FASTER.core.SpanByte, Store.Faster.Engine.EngineInput, Store.Faster.Engine.ReadResult, FASTER.core.Empty, Store.Faster.Engine.SpanByteCallbacks>;

namespace Store.Faster.Engine;

/// <summary>The checkpoints of one engine. One at a time; reads go on beside it, and changes as each member says.</summary>
/// <param name="kv">The engine's store.</param>
/// <param name="sessions">Its sessions.</param>
/// <param name="log">Device of the record log.</param>
/// <param name="devices">Where FASTER puts checkpoints.</param>
/// <param name="pageSizeBytes">Page of the record log.</param>
internal sealed class EngineCheckpoints(FasterKV<SpanByte, SpanByte> kv, SessionPool sessions, StoreDevice log, CheckpointDevices devices, int pageSizeBytes)
{
    private Session? _driver;

    /// <summary>Where the record log ended in the checkpoint that was brought back; 0 without one. What lies behind was written by this process.</summary>
    public long RecoveredEndAddress { get; private set; }

    /// <summary>Brings back a verified checkpoint. Call once, before anything else; after an exception the engine is only to be disposed.</summary>
    public void Recover(CheckpointManifest manifest)
    {
        log.AdoptBlocks(manifest.LogBlocks);
        devices.BeginRecovering(CheckpointNames.Index(manifest.Generation), CheckpointNames.Snapshot(manifest.Generation), manifest.IndexMetadata, manifest.LogMetadata);
        devices.Index.AdoptBlocks(manifest.IndexBlocks);
        devices.Snapshot.AdoptBlocks(manifest.SnapshotBlocks);
        try
        {
            kv.Recover(manifest.Token, manifest.Token);
            CompleteRecordLog(manifest.Token);
            RecoveredEndAddress = kv.Log.TailAddress;
            log.ThrowIfFailed();
            devices.Index.ThrowIfFailed();
            devices.Snapshot.ThrowIfFailed();
        }
        catch (Exception e) when (e is not IOException)
        {
            // FASTER was given zeros where a device failed: what it makes of them is no reason.
            log.ThrowIfFailed();
            devices.Index.ThrowIfFailed();
            devices.Snapshot.ThrowIfFailed();
            throw;
        }
        finally
        {
            devices.Close();
        }

        if (!CheckpointCookie.Encode(manifest.StoreId, manifest.Sequence, manifest.Name).AsSpan().SequenceEqual(kv.RecoveredCommitCookie))
            throw new InvalidDataException("FASTER's commit cookie names another store, sequence or name than the manifest.");
    }

    /// <summary>
    /// Draws the line of a checkpoint: what was changed before is in it, what is changed after is not. The caller keeps all changes away until this returns. The index is in the hands of the
    /// operating system then; the records are written by <see cref="CompleteCapture"/>.
    /// </summary>
    public EngineCapture BeginCapture(long generation, byte[] cookie)
    {
        devices.BeginTaking(CheckpointNames.Index(generation), CheckpointNames.Snapshot(generation));

        // From the line on FASTER changes no record below it: it puts new versions behind. So their pages can be written later, beside changes.
        devices.Snapshot.HoldWrites();
        kv.CommitCookie = cookie;
        _driver ??= sessions.Open();

        // FASTER declares the last checkpoint over an instant after its state says so.
        Guid token;
        SpinWait spin = default;
        while (!kv.TryInitiateFullCheckpoint(out token, CheckpointType.Snapshot)) spin.SpinOnce();
        Drive(until: Phase.WAIT_FLUSH);

        // FASTER notes how far the record log is written when the checkpoint's records are, not here. Were that beyond the line, recovery would take what was changed after it for written and below its
        // end: pages read back over others, and records that are never written again. So the page that the line is in, and those behind it, are written when the checkpoint has its own.
        log.HoldWrites(PageOf(kv.Log.TailAddress));
        return new EngineCapture(token, kv.Log.BeginAddress, kv.Log.TailAddress);
    }

    /// <summary>Hands the records of the checkpoint to the operating system; nothing is durable yet. Changes go on until memory is full of what is not in the checkpoint, and wait then; nothing may be given up meanwhile.</summary>
    public CapturedCheckpoint CompleteCapture(EngineCapture capture)
    {
        try
        {
            devices.Snapshot.ReleaseWrites();
            Drive(until: Phase.REST);
        }
        finally
        {
            log.ReleaseWrites();
        }

        LogFileInfo extent = kv.GetLogFileSize(capture.Token);
        if (extent.hybridLogFileEndAddress > capture.TailAddress)
            throw new InvalidOperationException($"FASTER took its record log for written up to {extent.hybridLogFileEndAddress} in a checkpoint whose line is at {capture.TailAddress}: no such checkpoint can be recovered.");
        return new CapturedCheckpoint(capture.Token, devices.IndexMetadata, devices.LogMetadata, capture.LogBeginAddress, extent.hybridLogFileEndAddress, devices.Index, devices.Snapshot);
    }

    /// <summary>Ends the session that drives checkpoints: before the store is closed.</summary>
    public void CloseSession() => _driver?.Dispose();

    /// <summary>Closes the files of the last checkpoint: when the store is closed.</summary>
    public void CloseFiles() => devices.Close();

    private long PageOf(long address) => address - (address % pageSizeBytes);

    // By this thread, not by FASTER's tasks: with changes held back, a starved thread pool must not be what we wait for.
    private void Drive(Phase until)
    {
        SpinWait spin = default;
        for (; ; )
        {
            Phase phase = kv.SystemState.Phase;
            if (phase == Phase.REST || phase == until || (until == Phase.WAIT_FLUSH && phase == Phase.PERSISTENCE_CALLBACK)) return;
            _driver!.Refresh();
            spin.SpinOnce(sleep1Threshold: -1);
        }
    }

    /// <summary>
    /// Writes to the record log what recovery put neither there nor into memory. A snapshot of more pages than memory now has is brought back by writing its first pages to the
    /// record log; when the log's tail stands at the very start of a page, FASTER 2.6 counts one page too few: its slot is cleared for the tail, and its records were gone.
    /// </summary>
    /// <exception cref="InvalidDataException">A page below the memory is not in the snapshot either.</exception>
    private void CompleteRecordLog(Guid token)
    {
        long begin = kv.Log.BeginAddress, snapshotStart = kv.Log.TailAddress - kv.GetLogFileSize(token).snapshotFileEndAddress;
        for (long page = PageOf(begin); page + pageSizeBytes <= kv.Log.HeadAddress; page += pageSizeBytes)
        {
            if (log.Covers(page, page + pageSizeBytes)) continue;
            if (snapshotStart % pageSizeBytes != 0 || page < snapshotStart) throw new InvalidDataException($"FASTER recovered, but the records from address {page} on are neither in memory nor in the record log.");
            log.CopyFrom(devices.Snapshot, page - snapshotStart, page, pageSizeBytes);
        }
    }
}
