// Which checkpoint does opening use, and what does it replay? Newest first; the first that passes every row is used:
//
//   the manifest reads and its checksum matches      else rejected: damaged
//   store id and name are ours                       else rejected: foreign
//   the types' schemas can be read as the program's  else SchemaMismatchException: nothing is touched
//   they are encoded as the program's                else rejected: an older shape, its changes are read from the log; when the log no longer has
//                                                    them all, SchemaMismatchException: nothing is touched
//   page size is the option's                        else rejected: other settings
//   its sequence is not beyond the log's end         else rejected: the log lost what it covers, so its effect must go too
//   its anchor record is in the log, unchanged       else rejected: the log has another history since (a restored backup)
//   every block of its files has its checksum        else rejected: damaged, short or missing
//   FASTER recovers it and returns our cookie        else rejected
//
// Then the log must begin no later than right behind the checkpoint, at 1 without one: else StoreCorruptException, and nothing is touched. Rejected manifests are
// removed, durably, before the engine writes its first byte: their record log is about to be written over, and a rejected sequence number may come to exist
// again. Last, the log is replayed from there.

using System.Buffers;
using Store.Faster.Changes;
using Store.Faster.Checkpoints;
using Store.Faster.Engine;
using Store.Framing;
using Store.IO;
using Store.KeyValue;
using Store.Serialization;

namespace Store.Faster;

/// <summary>A state as opening left it.</summary>
/// <param name="Engine">The engine, owned by the caller.</param>
/// <param name="Count">Number of keys.</param>
/// <param name="LastChange">Sequence of the last change applied, 0 for none.</param>
/// <param name="Anchor">Sequence and checksum of the last change that the checkpoint held, zeros without one.</param>
/// <param name="CompactedBytes">Length of the record log after its last compaction.</param>
/// <param name="Recovery">The report.</param>
internal sealed record OpenedState(FasterEngine Engine, long Count, long LastChange, (long Sequence, uint Checksum) Anchor, long CompactedBytes, KeyValueRecovery Recovery);

/// <summary>Opens keyed states.</summary>
internal static class KeyedStateOpening
{
    public static OpenedState Open(IChangeLog log, ChangeFormat format, IStoreDirectory directory, FasterOptions options, CheckpointCatalog catalog)
    {
        var rejected = new List<RejectedCheckpoint>();
        (FasterEngine engine, CheckpointManifest? used) = Recover(log, format, directory, options, catalog, rejected);
        try
        {
            (long count, long lastChange, long replayed) = Replay(log, format, engine, used, directory.Name);
            return new OpenedState(engine, count, lastChange, (used?.AnchorSequence ?? 0, used?.AnchorChecksum ?? 0), used?.CompactedBytes ?? 0, new KeyValueRecovery
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
                FasterEngine engine = Prepare(manifest, directory, options, catalog);
                try
                {
                    engine.Checkpoints.Recover(manifest);
                    return (engine, manifest);
                }
                catch (Exception e)
                {
                    // Verified and still refused by FASTER. Whatever the reason, the log has everything; the reason is reported.
                    engine.Dispose();
                    fault = new RejectedFile(CheckpointNames.Manifest(generation), $"FASTER could not recover it: {e.Message}");
                }
            }

            rejected.Add(new RejectedCheckpoint(fault.Name, fault.Problem));
        }

        RequireLogFrom(1, log, format, directory.Name, rejected);
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
            + $"and no usable checkpoint holds them. Nothing was changed. Restore the folder of the keyed state or the log from a backup.{why}", path);
    }

    /// <summary>The first record that the log has from one on, or 0.</summary>
    private static long FirstFrom(long sequence, IChangeLog log) => log.Read(sequence).Select(record => record.Sequence).FirstOrDefault();

    private static (CheckpointManifest? Manifest, RejectedFile? Fault) Judge(long generation, IChangeLog log, ChangeFormat format, FasterOptions options, CheckpointCatalog catalog)
    {
        string file = CheckpointNames.Manifest(generation);
        if (!catalog.TryRead(generation, out CheckpointManifest? manifest, out string? problem)) return (null, new RejectedFile(file, problem));
        if (manifest.StoreId != log.StoreId) return (null, new RejectedFile(file, $"It belongs to the store {manifest.StoreId}, this is {log.StoreId}."));
        if (manifest.Name != format.Name) return (null, new RejectedFile(file, $"It belongs to '{manifest.Name}', this is '{format.Name}'."));
        NinoSchema key = NinoSchema.Parse(manifest.KeySchema), value = NinoSchema.Parse(manifest.ValueSchema);
        if (!format.IsEncodedAlike(key, value, file))
        {
            if (FirstFrom(1, log) <= 1) return (null, new RejectedFile(file, "It holds an earlier shape of the key or value: the state is rebuilt from the log."));
            throw new SchemaMismatchException($"The keyed state '{format.Name}' holds keys of '{ChangeFormat.Text(key.Root)}' and values of '{ChangeFormat.Text(value.Root)}' in '{file}', an earlier shape than the program's, and the log no longer has the changes to rebuild it from. "
                + "Open it with the types it was written with, copy it into a keyed state of another name, and use that.", file);
        }

        if (manifest.PageSizeBytes != options.PageSizeBytes) return (null, new RejectedFile(file, $"It was written with pages of {manifest.PageSizeBytes} bytes, now they have {options.PageSizeBytes}."));
        if (!manifest.CoversLog) return (null, new RejectedFile(file, "It does not cover the record log."));
        if (manifest.Sequence > log.LastSequence) return (null, new RejectedFile(file, $"It covers the log up to {manifest.Sequence}, but the log ends at {log.LastSequence}."));
        if (!HasAnchor(log, manifest)) return (null, new RejectedFile(file, $"Record {manifest.AnchorSequence} of the log is not the one it was written after: the log was replaced or cut since."));
        return (manifest, catalog.Verify(manifest));
    }

    /// <summary>True when the last change that the checkpoint holds is in the log as it was. A log that begins later is believed: retention removed it.</summary>
    private static bool HasAnchor(IChangeLog log, CheckpointManifest manifest)
    {
        if (manifest.AnchorSequence == 0) return true;
        foreach (LogRecord record in log.Read(manifest.AnchorSequence))
            return record.Sequence > manifest.AnchorSequence || Crc32C.Compute(record.Payload.Span) == manifest.AnchorChecksum;
        return false;
    }

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
        long count = used?.Count ?? 0, lastChange = used?.AnchorSequence ?? 0, replayed = 0, next = (used?.Sequence ?? 0) + 1, last = log.LastSequence;
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
