// A NinoWriter is a struct: a codec of somebody's may keep a copy of the one that it is lent and go back to it. That is a way to try something, as long as the writer got no other memory meanwhile: then the copy's cursor
// is in memory that the buffer writer has counted as written, or has given back. So each move to other memory of a writer that is lent gets a number, which that writer knows and its copies do not. Costs nothing where no
// codec of somebody's has the writer.

namespace Store.Serialization;

/// <summary>The moves to other memory of the writers that a thread has lent to codecs that it does not know.</summary>
internal sealed class WriterMoves
{
    [ThreadStatic]
    private static WriterMoves? t_ofThread;

    private long _lendings;
    private long _moves;

    // The last move of all: whose it was, its number, and whether one of that lending was made by another copy than the one before.
    private long _lending;
    private long _move;
    private bool _isTorn;

    private WriterMoves() { }

    /// <summary>Those of this thread: a writer never leaves it.</summary>
    public static WriterMoves OfThread() => t_ofThread ??= new WriterMoves();

    /// <summary>Begins a lending.</summary>
    /// <returns>Its number.</returns>
    public long Begin() => ++_lendings;

    /// <summary>Notes that a lent writer goes to other memory.</summary>
    /// <param name="lending">The number of the lending.</param>
    /// <param name="move">The number of the move that this writer, or what it is a copy of, made last; 0 before the first.</param>
    /// <returns>The number of this move.</returns>
    public long Note(long lending, long move)
    {
        _isTorn = AreTorn(lending, move);
        _lending = lending;
        return _move = ++_moves;
    }

    /// <summary>True when another copy of the writer has moved since this one did. Not known once a writer of another lending has moved: codecs that serialize with a writer of their own between the two are not caught.</summary>
    public bool AreTorn(long lending, long move) => _lending == lending && (_isTorn || _move != move);
}
