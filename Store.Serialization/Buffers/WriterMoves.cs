// A NinoWriter is a struct: a codec of somebody's may keep a copy of the one that it is lent and go back to it. That is a way to try something, as long as the writer got no other memory meanwhile: then the copy's cursor
// is in memory that the buffer writer has counted as written, or has given back. So each move to other memory of a writer that is lent gets a number, which that writer knows and its copies do not. Costs nothing where no
// codec of somebody's has the writer.

namespace Store.Serialization;

/// <summary>The moves to other memory of the writers that a thread has lent to codecs that it does not know.</summary>
internal static class WriterMoves
{
    [ThreadStatic]
    private static State t_state;

    /// <summary>Begins a lending.</summary>
    /// <returns>Its number: of this thread, not 0.</returns>
    public static int Begin() => ++t_state.Lendings == 0 ? ++t_state.Lendings : t_state.Lendings;

    /// <summary>Notes that a lent writer goes to other memory.</summary>
    /// <param name="lending">The number of the lending.</param>
    /// <param name="move">The number of the move that this writer, or what it is a copy of, made last; 0 before the first.</param>
    /// <returns>The number of this move.</returns>
    public static int Note(int lending, int move)
    {
        ref State state = ref t_state;
        state.IsTorn = AreTorn(lending, move);
        state.Lending = lending;
        return state.Move = ++state.Moves;
    }

    /// <summary>True when another copy of the writer has moved since this one did. Not known once a writer of another lending has moved: codecs that serialize with a writer of their own between the two are not caught.</summary>
    public static bool AreTorn(int lending, int move) => t_state.Lending == lending && (t_state.IsTorn || t_state.Move != move);

    private struct State
    {
        public int Lendings, Moves;

        // The last move of all: whose it was, its number, and whether one of that lending was made by another copy than the one before.
        public int Lending, Move;
        public bool IsTorn;
    }
}
