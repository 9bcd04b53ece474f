using System.Buffers;

namespace Store.Tests.Fuzz;

/// <summary>A sequence of pieces of memory.</summary>
internal sealed class Pieces : ReadOnlySequenceSegment<byte>
{
    private Pieces(ReadOnlyMemory<byte> memory, long runningIndex) => (Memory, RunningIndex) = (memory, runningIndex);

    public static ReadOnlySequence<byte> Of(params ReadOnlySpan<ReadOnlyMemory<byte>> pieces)
    {
        var first = new Pieces(pieces[0], 0);
        Pieces last = first;
        foreach (ReadOnlyMemory<byte> piece in pieces[1..])
        {
            var next = new Pieces(piece, last.RunningIndex + last.Memory.Length);
            last.Next = next;
            last = next;
        }

        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }
}
