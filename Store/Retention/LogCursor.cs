using Store.Retention;

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
    private Exception? _failure;
    private bool _deleted;

    internal LogCursor(CursorStore cursors, Marker marker, bool wasAhead)
    {
        _cursors = cursors;
        _marker = marker;
        WasAhead = wasAhead;
    }

    /// <summary>Its name.</summary>
    public string Name => _marker.Name;

    /// <summary>Last sequence dealt with, durable; 0 before the first. Reading continues with the next one.</summary>
    public long Position
    {
        get { lock (_writing) return _marker.Sequence; }
    }

    /// <summary>True when the cursor stood behind the end of the log when it was opened, because a salvage gave up records: it stands at the end now.</summary>
    public bool WasAhead { get; }

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
        _cursors.CheckPosition(sequence);

        // A position ahead of what is durable would skip the records that take those sequences after a power failure.
        await _cursors.MakeDurableAsync(sequence, cancellationToken).ConfigureAwait(false);
        await _cursors.RunAsync(() => Write(sequence), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Moves forward only, as far as the log reaches; blocks. The records up to there must be durable.</summary>
    internal void Advance(long sequence)
    {
        if (sequence > Position) WriteForward(sequence);
    }

    internal void MarkDeleted()
    {
        lock (_writing) _deleted = true;
    }

    private bool Write(long sequence)
    {
        if (sequence >= Position) return WriteForward(sequence);

        // Going back: no truncation may begin between the look at where the log begins and the moment when the cursor holds it.
        lock (_cursors.Gate)
        {
            _cursors.CheckPosition(sequence);
            return WriteForward(sequence);
        }
    }

    private bool WriteForward(long sequence)
    {
        lock (_writing)
        {
            if (_deleted) throw new InvalidOperationException($"The cursor '{Name}' was deleted.");
            if (_failure is not null) throw new StoreFailedException($"The cursor '{Name}' could not be written earlier ({_failure.Message}): which position is on the disk is unknown. Open the store again.", _cursors.Path, _failure);
            if (sequence == _marker.Sequence) return true;
            Marker next = _marker with { Sequence = sequence, Generation = _marker.Generation + 1, Ticks = _cursors.Ticks };
            try
            {
                _cursors.Write(next);
            }
            catch (IOException e)
            {
                _failure = e;
                throw new StoreFailedException($"The cursor '{Name}' could not be written: {e.Message}. Which position is on the disk is unknown. Open the store again.", _cursors.Path, e);
            }

            _marker = next;
            return true;
        }
    }
}

/// <summary>A cursor as it lies in the folder.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Position">Last sequence dealt with; of a cursor that is not open, one that is certainly on the disk.</param>
/// <param name="Timestamp">When it was last committed (UTC).</param>
/// <param name="Problem">What is wrong with its file; null when nothing is. A damaged cursor keeps retention from removing anything until it is deleted.</param>
public sealed record CursorInfo(string Name, long Position, DateTimeOffset Timestamp, string? Problem);
