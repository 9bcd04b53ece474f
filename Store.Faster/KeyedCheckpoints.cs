// How does a checkpoint come to hold exactly the changes up to a sequence, and when is it one? All stripes are held while the engine hands over its index and draws its line; the records
// below the line are written while changes go on above it. Then log and files are made durable, and the manifest, published last, says so. From there on it is in force, whatever fails behind it.

using Microsoft.Extensions.Logging;
using Store.Faster.Checkpoints;
using Store.Faster.Engine;
using Store.IO;
using Store.KeyValue;
using Store.Reading;
using Store.Threading;

namespace Store.Faster;

/// <summary>Writes the checkpoints of one keyed state, one at a time. Safe for any number of threads.</summary>
internal sealed partial class KeyedCheckpoints
{
    private readonly KeyedCore _core;
    private readonly KeyedCompaction _compaction;
    private readonly IStoreDirectory _directory;
    private readonly CheckpointCatalog _catalog;
    private readonly Func<long> _count;
    private readonly bool _runsInline;
    private readonly AsyncMutex _writing = new();

    // Held while what is kept is decided and what is not is removed, never while a checkpoint is written.
    private readonly Lock _keeping = new();
    private readonly KeptCheckpoints _kept;
    private long _lastSequence;
    private (long Sequence, uint Mark) _anchor;

    /// <param name="core">The state.</param>
    /// <param name="compaction">What a checkpoint begins with, when it is due.</param>
    /// <param name="directory">Its folder.</param>
    /// <param name="catalog">The checkpoints in it.</param>
    /// <param name="inForce">The newest checkpoint in it; whoever opened has removed every newer one.</param>
    /// <param name="count">The number of keys, asked while nothing changes.</param>
    /// <param name="runsInline">Blocks the caller instead of a thread of the pool.</param>
    public KeyedCheckpoints(KeyedCore core, KeyedCompaction compaction, IStoreDirectory directory, CheckpointCatalog catalog, CheckpointInForce inForce, Func<long> count, bool runsInline)
    {
        (_core, _compaction, _directory, _catalog, _count, _runsInline) = (core, compaction, directory, catalog, count, runsInline);
        (_lastSequence, _anchor) = (inForce.Sequence, inForce.Anchor);
        _kept = new KeptCheckpoints(inForce, catalog.Generations());
    }

    /// <summary>Those of a state that a replay has brought up to the log's end: goes on with what it has left, also with what failed behind its last one.</summary>
    /// <param name="core">The state.</param>
    /// <param name="compaction">What a checkpoint begins with, when it is due.</param>
    /// <param name="replayed">The replay's, which writes none any more.</param>
    /// <param name="count">The number of keys, asked while nothing changes.</param>
    /// <param name="runsInline">Blocks the caller instead of a thread of the pool.</param>
    public KeyedCheckpoints(KeyedCore core, KeyedCompaction compaction, KeyedCheckpoints replayed, Func<long> count, bool runsInline)
    {
        (_core, _compaction, _directory, _catalog, _count, _runsInline) = (core, compaction, replayed._directory, replayed._catalog, count, runsInline);
        (_lastSequence, _anchor, _kept, TidyingFailure) = (replayed._lastSequence, replayed._anchor, replayed._kept, replayed.TidyingFailure);
    }

    /// <summary>Told, with every stripe held, that a checkpoint has everything so far.</summary>
    public Action? CutLocked { get; set; }

    /// <summary>Told, by who has the turn, that the checkpoint that had everything up to its line was given up.</summary>
    public Action? GivenUp { get; set; }

    /// <summary>Told when a checkpoint is in force.</summary>
    public Action? Written { get; set; }

    /// <summary>True when there are changes behind the checkpoint in force. Exact while nothing changes.</summary>
    public bool MissesChanges => _core.Stripes.LastChange() > _lastSequence;

    /// <summary>What failed behind the last checkpoint that is in force, or null: too many files stay, or too much of the log, until the next one.</summary>
    public Exception? TidyingFailure { get; private set; }

    /// <summary>Writes a checkpoint; without a record in the log since the last one there is nothing to do, unless that one was found damaged.</summary>
    /// <param name="cancellationToken">Gives up what is not in force yet.</param>
    /// <param name="failed">Told of a failure before the next checkpoint may begin, so that one that is written later clears it.</param>
    /// <exception cref="InvalidOperationException">Called inside a callback of this state, which holds a lock that a checkpoint waits for.</exception>
    public async ValueTask WriteAsync(CancellationToken cancellationToken, Action<Exception>? failed = null)
    {
        _core.Health.ThrowIfWouldWaitForItself("asks for a checkpoint of");
        using AsyncMutex.Scope turn = await _writing.EnterAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await WriteInTurnAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception failure) when (failed is not null)
        {
            failed(failure);
            throw;
        }
    }

    private async ValueTask WriteInTurnAsync(CancellationToken cancellationToken)
    {
        _core.Health.ThrowIfUnusable();
        if (_core.Log.LastSequence == _lastSequence && !IsNewestDamaged())
        {
            // What the last one has left is done again.
            if (TidyingFailure is not null) await RunAsync(Tidy, CancellationToken.None).ConfigureAwait(false);
            return;
        }

        // Compacting, copying and syncing block: not on the caller's thread.
        Cut cut = await RunAsync(() =>
        {
            _compaction.RunIfDue(cancellationToken);
            return TakeCut();
        }, cancellationToken).ConfigureAwait(false);
        try
        {
            await _core.Log.CommitAsync(cancellationToken).ConfigureAwait(false);
            await RunAsync(() => Publish(cut), cancellationToken).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            cut.Close();
            Withdraw(cut, failure);
            GivenUp?.Invoke();
            throw;
        }

        cut.Close();

        _lastSequence = cut.Sequence;
        using (Uninterrupted.Enter(_keeping)) _kept.Add(cut.Generation, cut.Sequence);
        Written?.Invoke();
        await RunAsync(Tidy, CancellationToken.None).ConfigureAwait(false);
    }

    /// <summary>Holds the newest checkpoint in force: its files stay as they are until the result is disposed. Null when there is none.</summary>
    /// <exception cref="StoreCorruptException">It cannot be read.</exception>
    public IKeyValueCheckpointHold? Hold()
    {
        using (Uninterrupted.Enter(_keeping))
        {
            _core.Health.ThrowIfClosed();
            long generation = _kept.Newest;
            if (generation == 0) return null;
            try
            {
                if (!_catalog.TryRead(generation, out CheckpointManifest? manifest, out string? problem)) throw new StoreCorruptException($"{_directory.Name}: {CheckpointNames.Manifest(generation)}: {problem}", _directory.Name);
                var hold = new HeldCheckpoint(manifest, _catalog.FilesOf(manifest), _catalog, _core.Options, () => Note(_kept.NoteDamage), () => Note(_kept.LetGo));
                _kept.Hold(generation);
                return hold;
            }
            catch (Exception e) when (HeldCheckpoint.IsOfTheCheckpoint(e))
            {
                _kept.NoteDamage(generation);
                if (e is StoreCorruptException) throw;
                throw new StoreCorruptException($"{_directory.Name}: checkpoint {generation} cannot be read: {e.Message}", _directory.Name, e);
            }

            void Note(Action<long> what)
            {
                using (Uninterrupted.Enter(_keeping)) what(generation);
            }
        }
    }

    /// <summary>Waits for the checkpoint under way and closes, with none beside it. The wait is never interrupted: closing would be left half done, and the name given free.</summary>
    /// <param name="close">Closes; called once more where it is closed already.</param>
    /// <param name="writesLast">Writes one before, if it is open and there is something to cover.</param>
    public void Close(Action close, bool writesLast)
    {
        using (_writing.Enter())
        {
            try
            {
                // In the same turn: nobody has closed it in between.
                if (writesLast && !_core.Health.IsClosed && MissesChanges) Uninterrupted.Await(WriteInTurnAsync(CancellationToken.None).AsTask());
            }
            finally
            {
                close();
            }
        }
    }

    private Cut TakeCut()
    {
        long generation = _catalog.NextGeneration();
        try
        {
            long sequence, count, lastChange;
            EngineCapture capture;
            _core.Stripes.EnterAll();
            try
            {
                // Appends of other records go on: the sequence is read first, so it covers no change that is not applied, because there is none.
                sequence = _core.Log.LastSequence;
                (count, lastChange) = (_count(), _core.Stripes.LastChange());
                capture = _core.Engine.Checkpoints.BeginCapture(generation, CheckpointCookie.Encode(_core.Log.StoreId, sequence, _core.Format.Name));
                _compaction.HoldLocked();
                CutLocked?.Invoke();
            }
            finally
            {
                _core.Stripes.ExitAll();
            }

            try
            {
                return new Cut(generation, sequence, count, lastChange, _core.Engine.Checkpoints.CompleteCapture(capture));
            }
            finally
            {
                _compaction.Release();
            }
        }
        catch (Exception e)
        {
            // FASTER's state machine may be left half way: no later checkpoint can be trusted.
            throw _core.Health.Fail(e);
        }
    }

    private bool Publish(Cut cut)
    {
        try
        {
            _core.Engine.Log.Sync();
        }
        catch (Exception e)
        {
            throw _core.Health.Fail(e);
        }

        // A failure of these two costs this checkpoint; the state itself is well.
        cut.Captured.Index.Sync();
        cut.Captured.Snapshot.Sync();

        // Asked once a change, and kept: retention may take the record away while no other change comes.
        if (cut.LastChange != _anchor.Sequence) _anchor = (cut.LastChange, MarkOf(cut.LastChange));
        CheckpointManifest manifest = new()
        {
            PageSizeBytes = _core.Options.PageSizeBytes,
            StoreId = _core.Log.StoreId,
            Token = cut.Captured.Token,
            Generation = cut.Generation,
            Sequence = cut.Sequence,
            Count = cut.Count,
            AnchorSequence = cut.LastChange,
            AnchorMark = _anchor.Mark,
            SequenceMark = cut.Sequence == cut.LastChange ? _anchor.Mark : MarkOf(cut.Sequence),
            LogEndAddress = cut.Captured.LogEndAddress,
            Name = _core.Format.Name,
            KeySchema = _core.Format.KeySchema.CanonicalBytes.ToArray(),
            ValueSchema = _core.Format.ValueSchema.CanonicalBytes.ToArray(),
            IndexMetadata = cut.Captured.IndexMetadata,
            LogMetadata = cut.Captured.LogMetadata,
            LogBeginAddress = cut.Captured.LogBeginAddress,
            CompactedBytes = _compaction.CompactedBytes,
            LogBlocks = _core.Engine.Log.BlocksBetween(cut.Captured.LogBeginAddress - (cut.Captured.LogBeginAddress % _core.Options.PageSizeBytes), cut.Captured.LogEndAddress),
            SnapshotBlocks = cut.Captured.Snapshot.BlocksBetween(0, long.MaxValue),
            IndexBlocks = cut.Captured.Index.BlocksBetween(0, long.MaxValue),
        };
        if (!manifest.CoversLog) throw new InvalidOperationException($"FASTER's record log up to {manifest.LogEndAddress} was not written in whole pages; the checkpoint was given up.");
        if (!manifest.CoversItsFiles) throw new InvalidOperationException("FASTER has written its index or what was in memory in pieces that do not follow one another; the checkpoint was given up.");
        if (EngineMetadata.FindProblem(manifest) is { } problem) throw new InvalidOperationException($"{problem} It was given up.");
        _catalog.Publish(manifest);
        return true;
    }

    /// <summary>Removes what the checkpoint makes superfluous. It is in force already, so a failure here is no failure of it: it is kept and logged, and the next checkpoint does it again.</summary>
    private bool Tidy()
    {
        try
        {
            long? needed;
            using (Uninterrupted.Enter(_keeping))
            {
                _catalog.RemoveExcept(_kept.Stays);
                needed = _kept.NeededAfter;
            }

            _core.Engine.Log.Forget(_catalog.RemoveLogSegmentsNobodyNeeds());
            if (needed is { } sequence) _core.Log.KeepAfter(sequence);
            TidyingFailure = null;
        }
        catch (Exception e) when (e is not ObjectDisposedException)
        {
            TidyingFailure = e;
            LogTidyingFailure(_core.Logger, e, _core.Format.Name);
        }

        return true;
    }

    private bool IsNewestDamaged()
    {
        using (Uninterrupted.Enter(_keeping)) return _kept.IsNewestDamaged;
    }

    private uint MarkOf(long sequence) => RecordMark.Find(sequence, _core.Log.Read(Math.Max(1, sequence)), _core.Format.Name, _directory.Name);

    /// <summary>Takes away what a checkpoint that was given up has written, or it would stay until the next one succeeds: on a full disk, never.</summary>
    private void Withdraw(Cut cut, Exception failure)
    {
        try
        {
            _catalog.RemoveExcept(generation => generation != cut.Generation);
        }
        catch (Exception second)
        {
            failure.Data[$"Could not remove checkpoint {cut.Generation}"] = second.Message;
        }
    }

    private ValueTask<T> RunAsync<T>(Func<T> work, CancellationToken cancellationToken) => _runsInline ? new ValueTask<T>(work()) : new ValueTask<T>(Task.Run(work, cancellationToken));

    [LoggerMessage(1, LogLevel.Warning, "A checkpoint of the keyed state '{Name}' is in force, but what it makes superfluous could not be removed; the next one tries again.")]
    private static partial void LogTidyingFailure(ILogger logger, Exception exception, string name);

    private sealed record Cut(long Generation, long Sequence, long Count, long LastChange, CapturedCheckpoint Captured)
    {
        public void Close()
        {
            Captured.Index.Close();
            Captured.Snapshot.Close();
        }
    }
}
