// How is the engine brought up to the log's end? Change by change, in order, on one thread. That may take hours and write many times what lives: so checkpoints are written on the way, when the options make
// one due, each of the state as it was at the record just replayed; they compact the record log as any other does, and a replay that is interrupted begins at the last of them. They release nothing of the log.
//
// One is due no sooner than a quarter of the bytes that it writes were replayed: with much memory and the usual limits, opening would be busy with nothing else.

using System.Runtime.ExceptionServices;
using Microsoft.Extensions.Logging;
using Store.Faster.Changes;
using Store.Faster.Checkpoints;
using Store.Faster.Engine;
using Store.IO;
using Store.KeyValue;
using Store.KeyValue.Changes;
using Store.Threading;

namespace Store.Faster;

/// <summary>What was replayed and is in no checkpoint.</summary>
/// <param name="Changes">Number of changes.</param>
/// <param name="Bytes">Bytes of their records.</param>
internal readonly record struct ReplayedChanges(long Changes, long Bytes);

/// <summary>One replay of the log into an engine that nobody else has. Used by one thread, once.</summary>
internal sealed partial class KeyedReplay
{
    private const int ReportEvery = 4096;

    private readonly IChangeLog _log;
    private readonly ChangeFormat _format;
    private readonly FasterEngine _engine;
    private readonly OpeningWatch _watch;
    private readonly LoggedChanges _logged;
    private readonly ReplayedLog _replayed;
    private readonly KeyedCore _core;
    private readonly KeyedCompaction _compaction;
    private readonly KeyedCheckpoints _checkpoints;
    private readonly long _from;
    private long _uncoveredSinceTicks;

    /// <param name="log">The log.</param>
    /// <param name="format">What changes look like in it.</param>
    /// <param name="engine">The engine, as its checkpoint left it.</param>
    /// <param name="used">That checkpoint, or null for an empty engine.</param>
    /// <param name="directory">The folder.</param>
    /// <param name="options">Settings.</param>
    /// <param name="catalog">The checkpoints in the folder.</param>
    /// <param name="watch">Who watches.</param>
    public KeyedReplay(IChangeLog log, ChangeFormat format, FasterEngine engine, CheckpointManifest? used, IStoreDirectory directory, FasterOptions options, CheckpointCatalog catalog, OpeningWatch watch)
    {
        (_log, _format, _engine, _watch) = (log, format, engine, watch);
        _logged = new LoggedChanges(log, format, options, directory.Name, watch.Token);
        (_from, Count, LastChange) = (used?.Sequence ?? log.Since, used?.Count ?? 0, used?.AnchorSequence ?? 0);
        _replayed = new ReplayedLog(log);
        _core = new KeyedCore(_replayed, format, options, engine, new StripedLocks(), new KeyedHealth(format.Name, directory.Name, this), watch.Logger);
        _compaction = new KeyedCompaction(_core, new KeyedScans(_core, runsInline: true), used?.CompactedBytes ?? 0);
        CheckpointInForce begins = used is null ? default : new CheckpointInForce(used.Generation, used.Sequence, (used.AnchorSequence, used.AnchorMark));
        _checkpoints = new KeyedCheckpoints(_core, _compaction, directory, catalog, begins, () => Count, runsInline: true) { Written = log.BeginsWithFiles };
    }

    /// <summary>Number of keys.</summary>
    public long Count { get; private set; }

    /// <summary>Sequence of the last change applied, 0 for none.</summary>
    public long LastChange { get; private set; }

    /// <summary>Changes replayed.</summary>
    public long Changes { get; private set; }

    /// <summary>Of these, what no checkpoint has.</summary>
    public ReplayedChanges Uncovered { get; private set; }

    /// <summary>The checkpoints: the one that was used, and what was written since.</summary>
    public KeyedCheckpoints Checkpoints => _checkpoints;

    /// <summary>Length of the record log after its last compaction, 0 without one.</summary>
    public long CompactedBytes => _compaction.CompactedBytes;

    /// <summary>Why the last checkpoint that was due was not written, or null. What failed behind one that was, its checkpoints say.</summary>
    public Exception? CheckpointFailure { get; private set; }

    /// <summary>Replays to the log's end.</summary>
    public void Run()
    {
        long last = _log.LastSequence;
        Report(_from, last);
        long end = _logged.Read(_from + 1, Apply, sequence =>
        {
            if ((sequence - _from) % ReportEvery == 0) Report(sequence, Math.Max(last, sequence));
        });
        Report(end, end);
    }

    private void Report(long sequence, long last) => _watch.Progress?.Report(new KeyValueOpeningProgress(_from, sequence, last, Changes));

    private void Apply(in LogRecord record, in Change change)
    {
        if (change.Operation == ChangeOperation.Put)
        {
            if (!_engine.Put(change.Key, change.Value)) Count++;
        }
        else
        {
            bool existed = _engine.Reads.Contains(change.Key);
            _engine.Delete(change.Key);
            if (existed) Count--;
        }

        LastChange = record.Sequence;
        Changes++;
        if (Uncovered.Changes == 0 && IsTimed) _uncoveredSinceTicks = _watch.Time.GetUtcNow().UtcTicks;
        Uncovered = new ReplayedChanges(Uncovered.Changes + 1, Uncovered.Bytes + record.Payload.Length);
        if (IsDue()) Checkpoint();
    }

    private bool IsTimed => _core.Options.CheckpointEvery != TimeSpan.MaxValue;

    private bool IsDue()
    {
        FasterOptions options = _core.Options;
        if (Uncovered.Changes < options.CheckpointEveryChanges && Uncovered.Bytes < options.CheckpointEveryBytes && !(IsTimed && _watch.Time.GetUtcNow().UtcTicks - _uncoveredSinceTicks >= options.CheckpointEvery.Ticks)) return false;
        return Uncovered.Bytes >= (options.IndexSizeBytes + Math.Min(options.MemorySizeBytes, _engine.TailAddress - _engine.BeginAddress)) / 4;
    }

    // One that fails costs itself, as an automatic one does, unless the engine fails with it.
    private void Checkpoint()
    {
        _replayed.LastSequence = LastChange;
        _core.Stripes.SetLastChange(LastChange);
        try
        {
            Uninterrupted.Await(_checkpoints.WriteAsync(_watch.Token).AsTask());
            CheckpointFailure = null;
        }
        catch (Exception e)
        {
            // What the engine failed with, not what a state that is open would say of it.
            if (_core.Health.Failure is { } failure) ExceptionDispatchInfo.Throw(failure);
            if (e is OperationCanceledException or ObjectDisposedException or IOException { InnerException: ObjectDisposedException }) throw;
            CheckpointFailure = e;
            LogFailure(_core.Logger, e, _format.Name);
        }

        Uncovered = default;
    }

    [LoggerMessage(1, LogLevel.Warning, "A checkpoint of the keyed state '{Name}' failed while it was opened; the changes are in the log, and the next one tries again.")]
    private static partial void LogFailure(ILogger logger, Exception exception, string name);
}
