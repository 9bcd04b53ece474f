// Removing the beginning of the log. Order, so that a crash at any step leaves a log that opens:
//   1. what the log needs next is durable: the first kept segment has a record on the disk
//   2. the mark of the log's start is durable
//   3. the writer and new readers forget the segments
//   4. the files are unlinked, oldest first, and the folder is synced; what a crash leaves of them is below the mark and removed by the next opening

using System.Globalization;
using Microsoft.Extensions.Logging;
using Store.IO;
using Store.Log;
using Store.Recovery;
using Store.Snapshots;
using Store.Threading;

namespace Store.Retention;

/// <summary>Truncation of one open log. Safe for any number of threads.</summary>
internal sealed class LogRetention(IStoreDirectory directory, Guid storeId, AppendLog log, SnapshotStore snapshots, CursorStore cursors, NinoStoreOptions options, ILogger logger)
{
    private static readonly TimeSpan LongestLook = TimeSpan.FromHours(1), ShortestLook = TimeSpan.FromSeconds(1);

    private readonly Lock _truncating = new();
    private readonly HeldBack _heldBack = new(logger, directory.Name);
    private readonly SegmentAges _ages = new(options.TimeProvider, log.Segments[^1].Number, startsNow: options.Retention?.MaxAge is not null);
    private Countdown? _byAge;
    private int _rolls;
    private bool _closed;
    private bool _isMarkUnsure;

    // True while files may be left of segments that are below the mark: of another opening, or because removing them failed.
    private bool _mayBeLeft = true;

    /// <summary>Removes whole segments that hold only records below a sequence.</summary>
    public TruncateResult TruncateBefore(long sequence, RetentionHolds ignore)
    {
        lock (_truncating)
        {
            ObjectDisposedException.ThrowIf(_closed, typeof(NinoStore));
            SegmentHeader first;
            string? heldBy;
            long was = log.Segments[0].Number;
            lock (cursors.Gate) (first, heldBy) = Begin(sequence, ignore);
            (int removed, long bytes) = first.Number == was && !_mayBeLeft ? (0, 0) : RemoveBelow(first.Number);
            return new TruncateResult(first.FirstSequence, removed, bytes, heldBy);
        }
    }

    /// <summary>Runs while nothing is removed; truncations wait.</summary>
    public T Without<T>(Func<T> work)
    {
        lock (_truncating)
        {
            ObjectDisposedException.ThrowIf(_closed, typeof(NinoStore));
            return work();
        }
    }

    /// <summary>Applies a policy.</summary>
    public TruncateResult Apply(RetentionPolicy policy) => Apply(Limit(policy));

    private TruncateResult Apply(long limit)
    {
        lock (_truncating)
        {
            // The folder is not listed for nothing with every segment that is begun: what holds the log is asked when something would go.
            SegmentHeader[] segments = log.Segments;
            bool isNothing = segments.Length < 2 || segments[1].FirstSequence > limit;
            if (isNothing && !_closed && !_isMarkUnsure && !_mayBeLeft) return new TruncateResult(segments[0].FirstSequence, 0, 0, null);
            TruncateResult result = TruncateBefore(limit, RetentionHolds.None);
            return isNothing ? result with { HeldBy = null } : result;
        }
    }

    /// <summary>
    /// Applies a policy that has an age also by time, because a log that stands still begins no segment: every quarter of the age, at least once an hour. Not at once: whoever opens the store says first what he restores from, and what holds
    /// the log for it. Called once, when the store is open. Not in a simulator, which has one thread.
    /// </summary>
    public void Start()
    {
        if (options.Retention is not { MaxAge: { } age } policy || options.RunsInline) return;
        _byAge = new Countdown(options.TimeProvider, TimeSpan.FromTicks(Math.Clamp(age.Ticks / 4, ShortestLook.Ticks, LongestLook.Ticks)), runsInline: false, () =>
        {
            ApplySoon(policy);
            _byAge!.Begin();
        });
        _byAge.Open();
        _byAge.Begin();
    }

    /// <summary>A segment was begun: applies the policy, elsewhere than on the flusher. A failure is told and tried again with the next segment.</summary>
    public void Rolled()
    {
        SeeQuietly();
        if (options.Retention is { } policy) ApplySoon(policy);
    }

    private void ApplySoon(RetentionPolicy policy)
    {
        if (Interlocked.Increment(ref _rolls) != 1) return;
        if (options.RunsInline) ApplyForRolls(policy);
        else ThreadPool.UnsafeQueueUserWorkItem(static work => work.Retention.ApplyForRolls(work.Policy), (Retention: this, Policy: policy), preferLocal: false);
    }

    /// <summary>The last segment is complete, and the next append needs room for another: applies the policy before, so that a disk that is full gives what it may. A failure is told, and tried again when a segment is begun.</summary>
    public void BeforeSegment()
    {
        if (options.Retention is { } policy) ApplyQuietly(policy);
    }

    /// <summary>Waits for a truncation under way; later ones do nothing.</summary>
    public void Close()
    {
        _byAge?.Dispose();
        using (Uninterrupted.Enter(_truncating)) _closed = true;
    }

    // The clock is the caller's, and this is the flusher's thread. A segment that was not seen is younger than it is, which keeps it longer.
    private void SeeQuietly()
    {
        try
        {
            _ages.See(log.Segments);
        }
        catch (Exception e)
        {
            logger.LogWarning(e, "{Directory}: the clock failed when a segment was begun; its age counts from when it is asked for next.", directory.Name);
        }
    }

    // A segment that is begun while the policy is applied may be one more than it knows of.
    private void ApplyForRolls(RetentionPolicy policy)
    {
        int seen;
        do
        {
            seen = Volatile.Read(ref _rolls);
            ApplyQuietly(policy);
        }
        while (Interlocked.Add(ref _rolls, -seen) > 0);
    }

    private void ApplyQuietly(RetentionPolicy policy)
    {
        // A log that has failed gives up nothing any more, and whoever was told of it need not hear of it again.
        if (log.Failure.First is not null) return;
        try
        {
            long limit = Limit(policy);
            string? heldBy = Apply(limit).HeldBy;
            _heldBack.See(heldBy is null ? 0 : log.Segments.Skip(1).Count(segment => segment.FirstSequence <= limit), heldBy);
        }
        catch (ObjectDisposedException)
        {
            // The store was closed before its turn came: the next one to open it applies its own policy.
        }
        catch (Exception e)
        {
            // Whatever it is, also of the caller's clock: on a thread of the pool it would end the process.
            logger.LogWarning(e, "{Directory}: old segments could not be removed; it is tried again when the next one is begun, or by time where the policy has an age.", directory.Name);
            if (e is StoreFailedException) log.Failure.WasOnlyLogged();
        }
    }

    // From here on the log begins later, whatever happens to the files before.
    private (SegmentHeader First, string? HeldBy) Begin(long sequence, RetentionHolds ignore)
    {
        SegmentHeader[] segments = log.Segments;
        (long keepFrom, string? heldBy) = Hold(sequence, ignore);
        long durable = log.DurableSequence;
        int count = 0;
        while (count + 1 < segments.Length && segments[count + 1].FirstSequence <= keepFrom && segments[count + 1].FirstSequence <= durable) count++;
        if (count > 0 || _isMarkUnsure) Mark(segments[count]);
        return (segments[count], heldBy);
    }

    // A mark that failed may be there all the same: nothing is removed before one is durable, and from the moment it has its name the next opening goes by it.
    private void Mark(SegmentHeader first)
    {
        var start = new LogStart(storeId, first.Number, first.FirstSequence);
        long ticks = options.TimeProvider.GetUtcNow().UtcTicks;
        log.ThrowIfTaken();
        try
        {
            start.Publish(directory, ticks);
            _isMarkUnsure = false;
        }
        catch
        {
            _isMarkUnsure = true;
            if (MayBeThere(start)) Forget(first);
            throw;
        }

        Forget(first);
    }

    private bool MayBeThere(LogStart start)
    {
        try
        {
            return LogStart.Read(directory, out _) is { } there && there.Segment >= start.Segment;
        }
        catch (Exception e)
        {
            logger.LogWarning(e, "{Directory}: whether the mark of the log's start was moved cannot be read; the log is taken to begin with record {Sequence}.", directory.Name, start.Sequence);
            return true;
        }
    }

    private void Forget(SegmentHeader first)
    {
        log.Forget(first.Number);
        _ages.Forget(first.Number);
    }

    // First sequence to keep, and what holds it.
    private (long KeepFrom, string? HeldBy) Hold(long sequence, RetentionHolds ignore)
    {
        string? heldBy = null;
        if (!ignore.HasFlag(RetentionHolds.Snapshots) && snapshots.Needed is { } needed && needed.Sequence + 1 < sequence)
            (sequence, heldBy) = (needed.Sequence + 1, string.Create(CultureInfo.InvariantCulture, $"{needed.What}, after record {needed.Sequence}"));
        foreach ((CursorInfo cursor, MarkerKind kind, long held) in cursors.List())
        {
            PositionKind of = PositionKind.Of(kind);
            if (ignore.HasFlag(of.Hold) || held + 1 >= sequence) continue;
            (sequence, heldBy) = (held + 1, string.Create(CultureInfo.InvariantCulture, $"the {of.What} '{cursor.Name}', after record {held}{(cursor.Problem is { } problem ? $" ({problem})" : "")}"));
        }

        return (sequence, heldBy);
    }

    private long Limit(RetentionPolicy policy)
    {
        SegmentHeader[] segments = log.Segments;
        long limit = 0;
        if (policy.MaxRecords is { } records) limit = Math.Max(limit, log.LastSequence - records + 1);
        if (policy.MaxAge is { } age)
        {
            _ages.See(segments);

            // A segment is created no earlier than the last record of the one before it.
            for (int i = 1; i < segments.Length && _ages.Of(segments[i]) >= age; i++) limit = Math.Max(limit, segments[i].FirstSequence);
        }

        if (policy.MaxBytes is { } most)
        {
            Dictionary<string, long> lengths = directory.List().ToDictionary(static f => f.Name, static f => f.LengthBytes, StringComparer.Ordinal);
            long total = segments.Sum(s => lengths.GetValueOrDefault(log.NameOf(s)));
            for (int i = 0; i + 1 < segments.Length && total > most; i++)
            {
                total -= lengths.GetValueOrDefault(log.NameOf(segments[i]));
                limit = Math.Max(limit, segments[i + 1].FirstSequence);
            }
        }

        return limit;
    }

    // Files are removed by their names: whoever has lost the log, or its folder, would remove another writer's. Also what an earlier attempt could not remove: Windows may not remove a file that somebody has open.
    private (int Files, long Bytes) RemoveBelow(long number)
    {
        _mayBeLeft = true;
        List<StoreFileEntry> old = [.. directory.List().Where(f => SegmentFormat.TryParseName(TailRepair.SegmentOf(f.Name), out long found) && found < number)];
        if (old.Count > 0)
        {
            log.ThrowIfTaken();
            foreach (StoreFileEntry entry in old) directory.Delete(entry.Name);
            directory.SyncDirectory();
        }

        _mayBeLeft = false;
        return (old.Count(static f => SegmentFormat.TryParseName(f.Name, out _)), old.Sum(static f => f.LengthBytes));
    }
}
