// Which checkpoint does opening use, and what does it replay? Newest first; the first that passes every row is used:
//
//   the manifest reads and its checksum matches      else rejected: damaged
//   store id and name are ours                       else rejected: foreign
//   the types' schemas can be read as the program's  else SchemaMismatchException: nothing is touched; unless every change in the log can be, which then has another: rejected
//   they are encoded as the program's                else rejected: an older shape, its changes are read from the log; when the log no longer has
//                                                    them all, SchemaMismatchException: nothing is touched
//   it is not older than the state's beginning       else rejected: left by an earlier state of the name
//   its sequence is not beyond the log's end         else rejected: the log lost what it covers, so its effect must go too
//   its last record and its last change are in the   else rejected: the log has another history since (a restored backup)
//   log, unchanged
//   page size is the option's                        else rejected: other settings; when the log no longer has all the changes, StoreException that names
//                                                    both sizes: nothing is touched
//   FASTER's description of it asks for no more      else rejected: memory would be taken, and pages gone through, for what nobody has written
//   than its blocks have
//   every block of its files has its checksum        else rejected: damaged, short or missing, or on a sector that the disk cannot read
//   FASTER recovers it and returns our cookie        else rejected
//
// Then the log must begin no later than right behind the checkpoint, without one at the state's beginning (IChangeLog.Since): else StoreCorruptException, and nothing is touched. Where one was rejected, that part of the log is
// read once to its end as the replay will read it (LoggedChanges.cs): opening a store reads no sealed segment, and what is rejected here, of other pages or another shape, is whole to who opens it as it was. What a replay would
// fail at ends the opening here, and nothing is touched either. Only then rejected manifests are removed, durably, after retention keeps again what they held, and before the engine writes its first byte: their record log is about to
// be written over, and a rejected sequence number may come to exist again. Last, the log is replayed from there (KeyedReplay.cs).

using System.Diagnostics.CodeAnalysis;
using Store.Faster.Changes;
using Store.Faster.Checkpoints;
using Store.Faster.Engine;
using Store.IO;
using Store.KeyValue;
using Store.KeyValue.Changes;
using Store.Reading;
using Store.Serialization;

namespace Store.Faster;

/// <summary>A state as opening left it.</summary>
/// <param name="Engine">The engine, owned by the caller.</param>
/// <param name="Count">Number of keys.</param>
/// <param name="LastChange">Sequence of the last change applied, 0 for none.</param>
/// <param name="Checkpoints">The replay's: the one that was used, what it has written since, and what failed behind the last of these.</param>
/// <param name="CompactedBytes">Length of the record log after its last compaction.</param>
/// <param name="Uncovered">What was replayed and is in no checkpoint.</param>
/// <param name="CheckpointFailure">Why the last checkpoint that was due meanwhile was not written, or null.</param>
/// <param name="Recovery">The report.</param>
internal sealed record OpenedState(
    FasterEngine Engine, long Count, long LastChange, KeyedCheckpoints Checkpoints, long CompactedBytes, ReplayedChanges Uncovered, Exception? CheckpointFailure, KeyValueRecovery Recovery);

/// <summary>Opens one keyed state, once.</summary>
/// <param name="log">The log.</param>
/// <param name="format">What changes look like in it.</param>
/// <param name="directory">The folder.</param>
/// <param name="options">Settings.</param>
/// <param name="catalog">The checkpoints in the folder.</param>
/// <param name="watch">Who watches.</param>
internal sealed class KeyedStateOpening(IChangeLog log, ChangeFormat format, IStoreDirectory directory, FasterOptions options, CheckpointCatalog catalog, OpeningWatch watch)
{
    private readonly List<RejectedCheckpoint> _rejected = [];

    // Of the newest checkpoint that has another than the option says, and nothing else against it that was looked for.
    private int? _otherPageSizeBytes;

    // A checkpoint has an earlier shape: the types of then may open it.
    private bool _hasAnotherShape;

    // What was removed before FASTER refused a checkpoint that had passed: those newer than it, and the record log behind it. None of it could be used.
    private bool _hasRemoved;

    // Of the checkpoint that was verified last.
    private PieceChecksums _pieces = new();

    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public OpenedState Open()
    {
        try
        {
            return Read();
        }
        catch (IOException e) when (e.InnerException is ObjectDisposedException)
        {
            // No failure of the disk: the store was closed meanwhile, and what the engine was writing was refused.
            throw new ObjectDisposedException($"The store was closed while the keyed state '{format.Name}' was opened.", e);
        }
    }

    private OpenedState Read()
    {
        (FasterEngine engine, CheckpointManifest? used) = Recover();
        try
        {
            var replay = new KeyedReplay(log, format, engine, used, directory, options, catalog, watch);
            replay.Run();
            return new OpenedState(engine, replay.Count, replay.LastChange, replay.Checkpoints, replay.CompactedBytes, replay.Uncovered, replay.CheckpointFailure, new KeyValueRecovery
            {
                CheckpointSequence = used?.Sequence ?? 0,
                RebuiltFromLog = used is null,
                ChangesReplayed = replay.Changes,
                Rejected = _rejected,
            });
        }
        catch
        {
            engine.Dispose();
            throw;
        }
    }

    private (FasterEngine Engine, CheckpointManifest? Used) Recover()
    {
        foreach (long generation in catalog.Generations())
        {
            (CheckpointManifest? manifest, RejectedFile? fault) = Judge(generation);
            if (fault is null)
            {
                RequireLogFrom(manifest!.Sequence + 1);
                RequireReadableFrom(manifest.Sequence + 1);
                log.KeepAgain(manifest.Sequence);
                FasterEngine engine = Prepare(manifest);
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

            _rejected.Add(new RejectedCheckpoint(fault.Name, fault.Problem));
        }

        RequireLogFrom(log.Since + 1);
        RequireReadableFrom(log.Since + 1);

        // Before they go: when the replay is interrupted, or fails, the log is all there is.
        log.KeepAgain(log.Since);
        catalog.RemoveExcept(_ => false);
        catalog.RemoveLogSegmentsAbove(-1);
        return (new FasterEngine(directory, options), null);
    }

    /// <summary>Refuses a log that lacks the records from one on: retention removed them, or they are lost. Called before anything is removed, so that a damaged checkpoint is still there to be looked at.</summary>
    private void RequireLogFrom(long sequence)
    {
        if (log.LastSequence < sequence) return;
        long first = FirstFrom(sequence);
        if (first == sequence) return;
        if (_otherPageSizeBytes is { } pageSizeBytes)
        {
            throw new StoreException($"The keyed state '{format.Name}' was written with pages of {pageSizeBytes} bytes, and {nameof(FasterOptions)}.{nameof(FasterOptions.PageSizeBytes)} is {options.PageSizeBytes}: with another size it is rebuilt from the log, which no longer has all its changes. "
                + $"{Untouched} Open it with {nameof(FasterOptions.PageSizeBytes)} = {pageSizeBytes}; to have other pages, copy it then ({nameof(IKeyValueStore<,>.Scan)}, {nameof(IKeyValueStore<,>.PutBatch)}) into a keyed state of another name.{Rejections}", directory.Name);
        }

        throw new StoreCorruptException($"The keyed state '{format.Name}' needs the log from record {sequence} on, but {(first == 0 ? "there is none" : $"the next record there is {first}")}: the changes between are gone, "
            + $"and no usable checkpoint holds them. {Untouched} Restore the folder of the keyed state or the log from a backup; one that is to begin anew: remove its folder, and call {nameof(NinoStore.ForgetKeyedState)}.{Rejections}", directory.Name);
    }

    private string Untouched => _hasRemoved ? "Checkpoints that could not be used were removed, and nothing else was changed." : "Nothing was changed.";

    private string Rejections => _rejected.Count == 0 ? "" : $" Checkpoints that could not be used: {string.Join(' ', _rejected.Select(checkpoint => $"{checkpoint.File}: {checkpoint.Message}"))}";

    /// <summary>Refuses a log that a replay would fail at, where checkpoints were rejected and are about to be removed: they may be whole to other settings or types, and it is all that takes their place. Read to its end for that, once more than else.</summary>
    private void RequireReadableFrom(long sequence)
    {
        if (_rejected.Count == 0) return;
        try
        {
            new LoggedChanges(log, format, options, directory.Name, watch.Token).Read(sequence);
        }
        catch (StoreCorruptException e)
        {
            throw new StoreCorruptException(Advised(e), e.Path, e) { Offset = e.Offset };
        }
        catch (NinoSerializationException e)
        {
            throw new NinoSerializationException(Advised(e), e) { TypeName = e.TypeName, MemberPath = e.MemberPath, ByteOffset = e.ByteOffset };
        }
        catch (IOException e) when (IoFailure.IsUnreadable(e))
        {
            throw new IOException(Advised(e), e) { HResult = e.HResult };
        }
    }

    // A change without a conversion, or one that does not fit, says itself what to open with.
    private string Advised(Exception e)
    {
        List<string> with = [];
        if (_otherPageSizeBytes is { } pageSizeBytes) with.Add($"{nameof(FasterOptions)}.{nameof(FasterOptions.PageSizeBytes)} = {pageSizeBytes}");
        if (_hasAnotherShape) with.Add("the types that it was written with");
        string advice = with.Count == 0 ? "Restore the log, or the folder of the keyed state, from a backup." : $"Open it with {string.Join(" and ", with)}: a checkpoint of then needs less of the log.";
        return $"{e.Message} The keyed state '{format.Name}' cannot be made anew from the log. {Untouched} {advice}{Rejections}";
    }

    /// <summary>The first record that the log has from one on, or 0.</summary>
    private long FirstFrom(long sequence) => log.Read(sequence).Select(record => record.Sequence).FirstOrDefault();

    private (CheckpointManifest? Manifest, RejectedFile? Fault) Judge(long generation)
    {
        string file = CheckpointNames.Manifest(generation);
        if (!TryRead(generation, out CheckpointManifest? manifest, out string? problem)) return (null, new RejectedFile(file, problem));
        if (manifest.StoreId != log.StoreId) return (null, new RejectedFile(file, $"It belongs to the store {manifest.StoreId}, this is {log.StoreId}."));
        if (manifest.Name != format.Name) return (null, new RejectedFile(file, $"It belongs to '{manifest.Name}', this is '{format.Name}'."));
        if (!TryParse(manifest.KeySchema, out NinoSchema? key, out problem) || !TryParse(manifest.ValueSchema, out NinoSchema? value, out problem)) return (null, new RejectedFile(file, problem));
        if (!IsEncodedAlike(key, value, file))
        {
            if (log.LastSequence <= log.Since || FirstFrom(log.Since + 1) == log.Since + 1)
            {
                _hasAnotherShape = true;
                return (null, new RejectedFile(file, "It holds an earlier shape of the key or value, or one that the log is not of: the state is rebuilt from the log."));
            }

            throw new SchemaMismatchException($"The keyed state '{format.Name}' holds keys of '{ChangeFormat.Text(key.Root)}' and values of '{ChangeFormat.Text(value.Root)}' in '{file}', an earlier shape than the program's, and the log no longer has the changes to rebuild it from. "
                + "Open it with the types it was written with, copy it into a keyed state of another name, and use that.", file);
        }

        if (!manifest.CoversLog) return (null, new RejectedFile(file, "It does not cover the record log."));
        if (manifest.Sequence < log.Since) return (null, new RejectedFile(file, $"It covers the log up to {manifest.Sequence}, and this keyed state begins behind {log.Since}: it is that of an earlier one of the name."));
        if (manifest.Sequence > log.LastSequence) return (null, new RejectedFile(file, $"It covers the log up to {manifest.Sequence}, but the log ends at {log.LastSequence}."));
        if (!Has(manifest.Sequence, manifest.SequenceMark)) return (null, new RejectedFile(file, $"Record {manifest.Sequence} of the log is not the one it was written after: the log was replaced or cut since."));
        if (!Has(manifest.AnchorSequence, manifest.AnchorMark)) return (null, new RejectedFile(file, $"Record {manifest.AnchorSequence} of the log is not the last change that it holds: the log was replaced or cut since."));
        if (manifest.PageSizeBytes != options.PageSizeBytes)
        {
            _otherPageSizeBytes ??= manifest.PageSizeBytes;
            return (null, new RejectedFile(file, $"It was written with pages of {manifest.PageSizeBytes} bytes, now they have {options.PageSizeBytes}."));
        }

        if (EngineMetadata.FindProblem(manifest) is { } foreign) return (null, new RejectedFile(file, foreign));
        return (manifest, Verify(manifest));
    }

    // A replay that was given up, or met a change that has no conversion, may have left a checkpoint in a shape that the log is not of. It must not stand in the way of the types that the log is of.
    private bool IsEncodedAlike(NinoSchema key, NinoSchema value, string file)
    {
        try
        {
            return format.IsEncodedAlike(key, value, file);
        }
        catch (SchemaMismatchException)
        {
            if (FirstFrom(log.Since + 1) > log.Since + 1 || !CanReadEveryChange()) throw;
            return false;
        }
    }

    private bool CanReadEveryChange()
    {
        try
        {
            foreach (LogRecord record in log.Read(log.Since + 1))
            {
                watch.Token.ThrowIfCancellationRequested();
                if (record.Schema.Name == format.Schema.Name) format.MapperFrom(record.Schema, record.Sequence);
            }

            return true;
        }
        catch (SchemaMismatchException)
        {
            return false;
        }
    }

    // What FASTER makes of bytes that are as they were written will be the same another time; that there is no memory, no disk or no store will not. Of the disk's failures only a sector that it cannot read lasts: a
    // network that is gone, a right that was taken away or a number that nobody here knows may be another time's success.
    private static bool IsForGood(Exception e) => e switch
    {
        OutOfMemoryException or ObjectDisposedException => false,
        { InnerException: { } inner } => IsForGood(inner),
        IOException io => IoFailure.IsUnreadable(io),
        _ => true,
    };

    // A sector that the disk cannot read is damage like any other: an older checkpoint, or the log, has what it held. Every other failure of a call may be another time's success, and ends the opening.
    private bool TryRead(long generation, [NotNullWhen(true)] out CheckpointManifest? manifest, [NotNullWhen(false)] out string? problem)
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

    private static bool TryParse(byte[] bytes, [NotNullWhen(true)] out NinoSchema? schema, [NotNullWhen(false)] out string? problem)
    {
        try
        {
            (schema, problem) = (NinoSchema.Parse(bytes), null);
            return true;
        }
        catch (NinoSerializationException e)
        {
            (schema, problem) = (null, $"The schema of its keys or values cannot be read: {e.Message}");
            return false;
        }
    }

    private RejectedFile? Verify(CheckpointManifest manifest)
    {
        try
        {
            _pieces = new PieceChecksums();
            return catalog.Verify(manifest, watch.Token, _pieces);
        }
        catch (IOException e) when (IoFailure.IsUnreadable(e))
        {
            return new RejectedFile(CheckpointNames.Manifest(manifest.Generation), $"What it describes cannot be read: {e.Message}");
        }
    }

    private bool Has(long sequence, uint mark) => RecordMark.IsIn(sequence, mark, log.Read(Math.Max(1, sequence)));

    /// <summary>Removes what must not survive the use of a checkpoint: every newer one, and the record log behind it.</summary>
    private FasterEngine Prepare(CheckpointManifest manifest)
    {
        int lastSegment = catalog.LastSegmentOf(manifest);
        _hasRemoved |= catalog.Generations().Any(generation => generation > manifest.Generation) || catalog.LastLogSegment() > lastSegment;
        catalog.RemoveExcept(generation => generation <= manifest.Generation);
        catalog.RemoveLogSegmentsAbove(lastSegment);
        return new FasterEngine(directory, options, lastSegment, _pieces);
    }
}
