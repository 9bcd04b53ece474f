// Which checkpoint does opening use, and what does it replay? Newest first; the first that passes every row is used:
//
//   the manifest reads and its checksum matches      else rejected: damaged
//   store id and name are ours                       else rejected: foreign
//   the types' schemas can be read as the program's  else SchemaMismatchException: nothing is touched
//   they are encoded as the program's                else rejected: an older shape, its changes are read from the log; when the log no longer has
//                                                    them all, SchemaMismatchException: nothing is touched
//   page size is the option's                        else rejected: other settings
//   it is not older than the state's beginning       else rejected: left by an earlier state of the name
//   its sequence is not beyond the log's end         else rejected: the log lost what it covers, so its effect must go too
//   its last record and its last change are in the   else rejected: the log has another history since (a restored backup)
//   log, unchanged
//   every block of its files has its checksum        else rejected: damaged, short or missing, or on a sector that the disk cannot read
//   FASTER recovers it and returns our cookie        else rejected
//
// Then the log must begin no later than right behind the checkpoint, without one at the state's beginning (IChangeLog.Since): else StoreCorruptException, and nothing is touched. Rejected manifests are
// removed, durably, after retention keeps again what they held, and before the engine writes its first byte: their record log is about to be written over, and a rejected sequence number may come to exist
// again. Last, the log is replayed from there.

using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Store.Faster.Changes;
using Store.Faster.Checkpoints;
using Store.Faster.Engine;
using Store.IO;
using Store.KeyValue;
using Store.KeyValue.Changes;
using Store.Serialization;

namespace Store.Faster;

/// <summary>A state as opening left it.</summary>
/// <param name="Engine">The engine, owned by the caller.</param>
/// <param name="Count">Number of keys.</param>
/// <param name="LastChange">Sequence of the last change applied, 0 for none.</param>
/// <param name="Anchor">Sequence and mark of the last change that the checkpoint held, zeros without one.</param>
/// <param name="CompactedBytes">Length of the record log after its last compaction.</param>
/// <param name="Recovery">The report.</param>
internal sealed record OpenedState(FasterEngine Engine, long Count, long LastChange, (long Sequence, uint Mark) Anchor, long CompactedBytes, KeyValueRecovery Recovery);

/// <summary>Opens keyed states.</summary>
internal static class KeyedStateOpening
{
    public static OpenedState Open(IChangeLog log, ChangeFormat format, IStoreDirectory directory, FasterOptions options, CheckpointCatalog catalog)
    {
        try
        {
            return Read(log, format, directory, options, catalog);
        }
        catch (IOException e) when (e.InnerException is ObjectDisposedException)
        {
            // No failure of the disk: the store was closed meanwhile, and what the engine was writing was refused.
            throw new ObjectDisposedException($"The store was closed while the keyed state '{format.Name}' was opened.", e);
        }
    }

    private static OpenedState Read(IChangeLog log, ChangeFormat format, IStoreDirectory directory, FasterOptions options, CheckpointCatalog catalog)
    {
        var rejected = new List<RejectedCheckpoint>();
        (FasterEngine engine, CheckpointManifest? used) = Recover(log, format, directory, options, catalog, rejected);
        try
        {
            (long count, long lastChange, long replayed) = Replay(log, format, engine, used, directory.Name);
            return new OpenedState(engine, count, lastChange, (used?.AnchorSequence ?? 0, used?.AnchorMark ?? 0), used?.CompactedBytes ?? 0, new KeyValueRecovery
            {
                CheckpointSequence = used?.Sequence ?? 0,
                RebuiltFromLog = used is null,
                ChangesReplayed = replayed,
                Rejected = rejected,
            });
        }
        catch
        {
            engine.Dispose();
            throw;
        }
    }

    private static (FasterEngine Engine, CheckpointManifest? Used) Recover(
        IChangeLog log, ChangeFormat format, IStoreDirectory directory, FasterOptions options, CheckpointCatalog catalog, List<RejectedCheckpoint> rejected)
    {
        foreach (long generation in catalog.Generations())
        {
            (CheckpointManifest? manifest, RejectedFile? fault) = Judge(generation, log, format, options, catalog);
            if (fault is null)
            {
                RequireLogFrom(manifest!.Sequence + 1, log, format, directory.Name, rejected);
                log.KeepAgain(manifest.Sequence);
                FasterEngine engine = Prepare(manifest, directory, options, catalog);
                try
                {
                    engine.Checkpoints.Recover(manifest);
                    return (engine, manifest);
                }
                catch (Exception e)
                {
                    engine.Dispose();
                    if (!IsForGood(e)) throw;

                    // Verified and still refused by FASTER: an older one, or the log, has what it held; the reason is reported.
                    fault = new RejectedFile(CheckpointNames.Manifest(generation), $"FASTER could not recover it: {e.Message}");
                }
            }

            rejected.Add(new RejectedCheckpoint(fault.Name, fault.Problem));
        }

        RequireLogFrom(log.Since + 1, log, format, directory.Name, rejected);

        // Before they go: when the replay is interrupted, or fails, the log is all there is.
        log.KeepAgain(log.Since);
        catalog.RemoveExcept(_ => false);
        catalog.RemoveLogSegmentsAbove(-1);
        return (new FasterEngine(directory, options), null);
    }

    /// <summary>Refuses a log that lacks the records from one on: retention removed them, or they are lost. Called before anything is removed, so that a damaged checkpoint is still there to be looked at.</summary>
    private static void RequireLogFrom(long sequence, IChangeLog log, ChangeFormat format, string path, List<RejectedCheckpoint> rejected)
    {
        if (log.LastSequence < sequence) return;
        long first = FirstFrom(sequence, log);
        if (first == sequence) return;
        string why = rejected.Count == 0 ? "" : $" Checkpoints that could not be used: {string.Join(' ', rejected.Select(checkpoint => $"{checkpoint.File}: {checkpoint.Message}"))}";
        throw new StoreCorruptException($"The keyed state '{format.Name}' needs the log from record {sequence} on, but {(first == 0 ? "there is none" : $"the next record there is {first}")}: the changes between are gone, "
            + $"and no usable checkpoint holds them. Nothing was changed. Restore the folder of the keyed state or the log from a backup; one that is to begin anew: remove its folder, and call {nameof(NinoStore.ForgetKeyedState)}.{why}", path);
    }

    /// <summary>The first record that the log has from one on, or 0.</summary>
    private static long FirstFrom(long sequence, IChangeLog log) => log.Read(sequence).Select(record => record.Sequence).FirstOrDefault();

    private static (CheckpointManifest? Manifest, RejectedFile? Fault) Judge(long generation, IChangeLog log, ChangeFormat format, FasterOptions options, CheckpointCatalog catalog)
    {
        string file = CheckpointNames.Manifest(generation);
        if (!TryRead(generation, catalog, out CheckpointManifest? manifest, out string? problem)) return (null, new RejectedFile(file, problem));
        if (manifest.StoreId != log.StoreId) return (null, new RejectedFile(file, $"It belongs to the store {manifest.StoreId}, this is {log.StoreId}."));
        if (manifest.Name != format.Name) return (null, new RejectedFile(file, $"It belongs to '{manifest.Name}', this is '{format.Name}'."));
        NinoSchema key = NinoSchema.Parse(manifest.KeySchema), value = NinoSchema.Parse(manifest.ValueSchema);
        if (!format.IsEncodedAlike(key, value, file))
        {
            if (log.LastSequence <= log.Since || FirstFrom(log.Since + 1, log) == log.Since + 1) return (null, new RejectedFile(file, "It holds an earlier shape of the key or value: the state is rebuilt from the log."));
            throw new SchemaMismatchException($"The keyed state '{format.Name}' holds keys of '{ChangeFormat.Text(key.Root)}' and values of '{ChangeFormat.Text(value.Root)}' in '{file}', an earlier shape than the program's, and the log no longer has the changes to rebuild it from. "
                + "Open it with the types it was written with, copy it into a keyed state of another name, and use that.", file);
        }

        if (manifest.PageSizeBytes != options.PageSizeBytes) return (null, new RejectedFile(file, $"It was written with pages of {manifest.PageSizeBytes} bytes, now they have {options.PageSizeBytes}."));
        if (!manifest.CoversLog) return (null, new RejectedFile(file, "It does not cover the record log."));
        if (manifest.Sequence < log.Since) return (null, new RejectedFile(file, $"It covers the log up to {manifest.Sequence}, and this keyed state begins behind {log.Since}: it is that of an earlier one of the name."));
        if (manifest.Sequence > log.LastSequence) return (null, new RejectedFile(file, $"It covers the log up to {manifest.Sequence}, but the log ends at {log.LastSequence}."));
        if (!Has(log, manifest.Sequence, manifest.SequenceMark)) return (null, new RejectedFile(file, $"Record {manifest.Sequence} of the log is not the one it was written after: the log was replaced or cut since."));
        if (!Has(log, manifest.AnchorSequence, manifest.AnchorMark)) return (null, new RejectedFile(file, $"Record {manifest.AnchorSequence} of the log is not the last change that it holds: the log was replaced or cut since."));
        return (manifest, Verify(manifest, catalog));
    }

    // What FASTER makes of bytes that are as they were written will be the same another time; that there is no memory, no disk or no store will not.
    private static bool IsForGood(Exception e) => e switch
    {
        OutOfMemoryException or ObjectDisposedException => false,
        IOException io when IoFailure.IsPassing(io) => false,
        { InnerException: { } inner } => IsForGood(inner),
        _ => true,
    };

    // A sector that the disk cannot read is damage like any other: an older checkpoint, or the log, has what it held. Every other failure of a call may be another time's success, and ends the opening.
    private static bool TryRead(long generation, CheckpointCatalog catalog, [NotNullWhen(true)] out CheckpointManifest? manifest, [NotNullWhen(false)] out string? problem)
    {
        try
        {
            return catalog.TryRead(generation, out manifest, out problem);
        }
        catch (IOException e) when (IoFailure.IsUnreadable(e))
        {
            (manifest, problem) = (null, $"It cannot be read: {e.Message}");
            return false;
        }
    }

    private static RejectedFile? Verify(CheckpointManifest manifest, CheckpointCatalog catalog)
    {
        try
        {
            return catalog.Verify(manifest);
        }
        catch (IOException e) when (IoFailure.IsUnreadable(e))
        {
            return new RejectedFile(CheckpointNames.Manifest(manifest.Generation), $"What it describes cannot be read: {e.Message}");
        }
    }

    private static bool Has(IChangeLog log, long sequence, uint mark) => RecordMark.IsIn(sequence, mark, log.Read(Math.Max(1, sequence)));

    /// <summary>Removes what must not survive the use of a checkpoint: every newer one, and the record log behind it.</summary>
    private static FasterEngine Prepare(CheckpointManifest manifest, IStoreDirectory directory, FasterOptions options, CheckpointCatalog catalog)
    {
        catalog.RemoveExcept(generation => generation <= manifest.Generation);
        int lastSegment = catalog.LastSegmentOf(manifest);
        catalog.RemoveLogSegmentsAbove(lastSegment);
        return new FasterEngine(directory, options, lastSegment);
    }

    private static (long Count, long LastChange, long Replayed) Replay(IChangeLog log, ChangeFormat format, FasterEngine engine, CheckpointManifest? used, string path)
    {
        long count = used?.Count ?? 0, lastChange = used?.AnchorSequence ?? 0, replayed = 0, next = (used?.Sequence ?? log.Since) + 1, last = log.LastSequence;
        var mapped = new ArrayBufferWriter<byte>();
        foreach (LogRecord record in log.Read(next))
        {
            if (record.Sequence != next) throw new StoreCorruptException($"Record {record.Sequence} of the log follows {next - 1}: the keyed state '{format.Name}' cannot be rebuilt over a gap.", path);
            next++;
            if (record.Schema.Name != format.Schema.Name) continue;
            Change change;
            if (format.MapperFrom(record.Schema, record.Sequence) is { } mapper)
            {
                mapped.ResetWrittenCount();
                mapper.Map(record.Payload.Span, mapped);
                change = format.Parse(mapped.WrittenSpan, wasMapped: true);
            }
            else
            {
                change = format.Parse(record.Payload.Span);
            }

            bool existed;
            if (change.Operation == ChangeOperation.Put)
            {
                if (!engine.Fits(change.Key.Length, change.Value.Length))
                {
                    throw new RecordTooLargeException($"Record {record.Sequence} of the log, a change of '{format.Name}', does not fit a page. "
                        + $"Open it with the {nameof(FasterOptions)}.{nameof(FasterOptions.PageSizeBytes)} it was written with, or a larger one.");
                }

                existed = engine.Put(change.Key, change.Value);
                if (!existed) count++;
            }
            else
            {
                existed = engine.Contains(change.Key);
                engine.Delete(change.Key);
                if (existed) count--;
            }

            lastChange = record.Sequence;
            replayed++;
        }

        if (next <= last) throw new StoreCorruptException($"The log ends at record {next - 1} where {last} was promised; the keyed state '{format.Name}' cannot be rebuilt.", path);
        return (count, lastChange, replayed);
    }
}
