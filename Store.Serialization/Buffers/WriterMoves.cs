// A NinoWriter is a struct: code that has one may keep a copy and go back to it. That is a way to try something, as long as the writer got no other memory meanwhile: then the copy's cursor is in memory that the
// buffer writer has counted as written, or has given back. What the copies of one writer do is seen here, and looked for after code of somebody else's had one: only where any writer of the process has moved meanwhile.

using System.Buffers;
using System.Runtime.CompilerServices;

namespace Store.Serialization;

/// <summary>Which writer of a thread has gone to other memory last.</summary>
internal static class WriterMoves
{
    private static long s_count;

    [ThreadStatic]
    private static (long Number, int Output, int Moves) t_last;

    /// <summary>How many moves there were, of all writers.</summary>
    public static long Count => Volatile.Read(ref s_count);

    /// <summary>Notes a move.</summary>
    /// <param name="output">What the writer writes to.</param>
    /// <param name="moves">How many moves of that writer there were, this one included.</param>
    /// <param name="lentSince"><see cref="Count"/> when code of somebody else's got the writer: a copy that moves after another one went further does not hide that.</param>
    public static void Note(IBufferWriter<byte> output, int moves, long lentSince)
    {
        int identity = RuntimeHelpers.GetHashCode(output);
        if (t_last.Number > lentSince && t_last.Output == identity) moves = Math.Max(moves, t_last.Moves);
        t_last = (Interlocked.Increment(ref s_count), identity, moves);
    }

    /// <summary>True when a writer over the same buffer writer has moved more often than this one, and did so since.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static bool HasGoneOn(IBufferWriter<byte> output, int moves, long since) => t_last.Number > since && t_last.Moves > moves && t_last.Output == RuntimeHelpers.GetHashCode(output);
}
