using System.Buffers;

namespace Store.Tests;

/// <summary>Sequences of pieces of memory.</summary>
internal static class Pieces
{
    /// <summary>The pieces one after the other, empty ones too.</summary>
    public static ReadOnlySequence<T> Of<T>(params ReadOnlySpan<ReadOnlyMemory<T>> pieces)
    {
        var first = new Piece<T>(pieces[0], 0);
        Piece<T> last = first;
        foreach (ReadOnlyMemory<T> piece in pieces[1..]) last = last.Append(piece);
        return new ReadOnlySequence<T>(first, 0, last, last.Memory.Length);
    }

    private sealed class Piece<T> : ReadOnlySequenceSegment<T>
    {
        public Piece(ReadOnlyMemory<T> memory, long runningIndex) => (Memory, RunningIndex) = (memory, runningIndex);

        public Piece<T> Append(ReadOnlyMemory<T> memory)
        {
            var next = new Piece<T>(memory, RunningIndex + Memory.Length);
            Next = next;
            return next;
        }
    }
}
