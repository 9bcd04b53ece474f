using Store.Retention;
using Store.Threading;

namespace Store;

/// <summary>
/// How far a reader has come, kept in the store under a name. What lies behind it is not removed by retention. Positions are committed, not moved by
/// reading: after a crash the reader continues behind the last position it committed, so it sees every record at least once. Safe for any number of threads.
/// </summary>
public sealed class LogCursor
{
    private readonly CursorStore _cursors;
    private readonly Lock _writing = new();
    private Marker _marker;

    // Of the last write; of a cursor for good. A state's next checkpoint writes its mark anew.
    private Exception? _failure;
    private long? _unsure;
    private bool _deleted;
    private bool _closed;

    internal LogCursor(CursorStore cursors, Marker marker)
    {
        _cursors = cursors;
        _marker = marker;
    }

    /// <summary>Its name.</summary>
    public string Name => _marker.Name;

    /// <summary>Last sequence dealt with, durable; 0 before the first. Reading continues with the next one.</summary>
    public long Position
    {
        get { lock (_writing) return _marker.Sequence; }
    }

    /// <summary>A position that is certainly kept: after a write that failed, the lower of the two that may be on the disk.</summary>
    internal long Held
    {
        get { lock (_writing) return Math.Min(_marker.Sequence, _unsure ?? long.MaxValue); }
    }

    /// <summary>True after a write that failed: the disk may have a position that is ahead.</summary>
    internal bool IsUnsure
    {
        get { lock (_writing) return _failure is not null; }
    }

    /// <summary>
    /// True when records up to the cursor's position are not in the log: a salvage gave them up, or the store is a backup from before. When the store was opened, before anything was appended, the cursor was moved to the
    /// log's end, so that no new record is passed over. Every opening of the cursor tells it until a position is committed.
    /// </summary>
    public bool WasAhead
    {
        get { lock (_writing) return _marker.Segment != 0; }
    }

    /// <summary>Moves the cursor. When the task completes, the position and the records up to it survive a power failure. It may also go back, as far as the log reaches.</summary>
    /// <param name="sequence">Last sequence dealt with; at most the last one appended.</param>
    /// <param name="cancellationToken">Gives up before the position is written, never after.</param>
    /// <exception cref="ArgumentOutOfRangeException">The log has no such record yet.</exception>
    /// <exception cref="LogTruncatedException">The record after it is no longer in the log.</exception>
    /// <exception cref="InvalidOperationException">The cursor was deleted.</exception>
    /// <exception cref="StoreFailedException">A write of this cursor, or of the log, failed: open the store again.</exception>
    /// <exception cref="ObjectDisposedException">The store is closed.</exception>
    public async ValueTask CommitAsync(long sequence, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _closed), typeof(NinoStore));
        _cursors.CheckPosition(sequence);

        // A position ahead of what is durable would skip the records that take those sequences after a power failure.
        await _cursors.MakeDurableAsync(sequence, cancellationToken).ConfigureAwait(false);
        await _cursors.RunAsync(() => Write(sequence), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Called before each attempt to write a position, outside every lock of the cursor's own: so that a test can let others go first.</summary>
    internal Action? BeforeWriting { get; set; }

    /// <summary>Of a state: <see cref="Marker.Since"/>.</summary>
    internal long Since => _marker.Since;

    /// <summary>Moves forward only, as far as the log reaches; blocks. The records up to there must be durable. After a failure it is tried again, with a file of its own.</summary>
    internal void Advance(long sequence)
    {
        if (sequence > Position) TryWrite(sequence, mayGoBack: false);
    }

    /// <summary>Moves it to a sequence, forwards or back; durable on return.</summary>
    /// <exception cref="LogTruncatedException">The log begins later.</exception>
    internal void MoveTo(long sequence) => Write(sequence);

    internal void MarkDeleted()
    {
        lock (_writing) _deleted = true;
    }

    /// <summary>The store is closed: waits for a write under way, and lets no other begin. From here on the file may be another writer's.</summary>
    internal void MarkClosed()
    {
        using (Uninterrupted.Enter(_writing)) _closed = true;
    }

    // A cursor's position is the program's knowledge of what it has dealt with: after a failure it decides. A state's is how much of the log it needs, where less than it could be is never wrong.
    private bool IsOfProgram => _marker.Kind == MarkerKind.Cursor;

    private bool Write(long sequence)
    {
        if (TryWrite(sequence, mayGoBack: false)) return true;

        // Going back: no truncation may begin between the look at where the log begins and the moment when the cursor holds it.
        lock (_cursors.Gate)
        {
            _cursors.CheckPosition(sequence);
            return TryWrite(sequence, mayGoBack: true);
        }
    }

    // False, and nothing done, where that would be going back and it may not: what is forward is decided where nobody else moves the cursor.
    private bool TryWrite(long sequence, bool mayGoBack)
    {
        BeforeWriting?.Invoke();
        lock (_writing)
        {
            ObjectDisposedException.ThrowIf(_closed, typeof(NinoStore));
            if (_deleted) throw new InvalidOperationException($"The cursor '{Name}' was deleted.");
            if (_failure is not null && IsOfProgram) throw new StoreFailedException($"The cursor '{Name}' could not be written earlier ({_failure.Message}): which position is on the disk is unknown. Open the store again.", _cursors.Path, _failure);
            if (sequence < _marker.Sequence && !mayGoBack) return false;
            if (sequence == _marker.Sequence && _marker.Segment == 0 && _failure is null) return true;
            Marker next = _marker with { Sequence = sequence, Segment = 0, Generation = _marker.Generation + 1, Ticks = _cursors.Ticks };
            try
            {
                if (_failure is not null)
                {
                    // Which of the two copies the disk has is not known: both are replaced, in a file of its own, behind whatever the failed write may have left.
                    _cursors.Replace(next = next with { Generation = next.Generation + 1 });
                }
                else
                {
                    _cursors.Write(next);

                    // Going back, the other copy holds a position that is ahead: should the disk lose this one, records would be passed over.
                    if (sequence < _marker.Sequence) _cursors.Write(next = next with { Generation = next.Generation + 1 });
                }
            }
            catch (IOException e)
            {
                (_failure, _unsure) = (e, Math.Min(sequence, _unsure ?? sequence));
                throw new StoreFailedException(IsOfProgram
                    ? $"The cursor '{Name}' could not be written: {e.Message}. Which position is on the disk is unknown. Open the store again."
                    : $"The mark of the {PositionKind.Of(_marker.Kind).What} '{Name}' could not be written: {e.Message}. The log stays from record {Math.Min(_marker.Sequence, _unsure.Value) + 1} on; the next checkpoint writes it anew.", _cursors.Path, e);
            }

            (_marker, _failure, _unsure) = (next, null, null);
            return true;
        }
    }
}

/// <summary>A cursor as it lies in the folder.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Position">Last sequence dealt with. Of a cursor of which a write has failed, the lower of the two that may be on the disk.</param>
/// <param name="Timestamp">When it was last committed (UTC).</param>
/// <param name="Problem">What is wrong with its file; null when nothing is. A damaged cursor keeps retention from removing anything until it is deleted.</param>
public sealed record CursorInfo(string Name, long Position, DateTimeOffset Timestamp, string? Problem);
