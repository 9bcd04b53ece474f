// Elements of three words in places of four, as a number and a date are: the commonest struct with a gap. Two of them fill a vector of memory and three quarters of one of the encoding, and stores that overlap cost
// more than the moving. So eight are moved together: each vector of memory is brought into an order once, such that its words lie where the next two vectors of the encoding want them.
//
//   memory      |0 0 0 . 1 1 1 .|2 2 2 . 3 3 3 .|4 4 4 . 5 5 5 .|6 6 6 . 7 7 7 .|
//   in order    |0 0 0 1 1 1 . .|2 3 3 3 . . 2 2|5 5 . . 4 4 4 5|. . 6 6 6 7 7 7|
//   encoding    |0 0 0 1 1 1 2 2|2 3 3 3 4 4 4 5|5 5 6 6 6 7 7 7|
//
// Measured: docs/performance.md, "Arrays of structs".

using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Store.Serialization.Codecs;

/// <summary>Moves structs of 16 bytes whose encoding is three of their four words. Where AVX2 is supported.</summary>
internal sealed class TwelveBytes
{
    /// <summary>Length of an element's encoding.</summary>
    public const int PackedBytes = 12;

    /// <summary>How many are moved together.</summary>
    public const int Elements = 8;

    private const int VectorBytes = 32;

    private readonly Vector256<int> _first, _second, _third, _fourth;

    /// <param name="words">The places in two elements of memory of the six words of their encodings; two more that do not matter.</param>
    public TwelveBytes(Vector256<int> words)
    {
        (int a, int b, int c, int d, int e, int f) = (words[0], words[1], words[2], words[3], words[4], words[5]);
        _first = Vector256.Create(a, b, c, d, e, f, 0, 0);
        _second = Vector256.Create(c, d, e, f, 0, 0, a, b);
        _third = Vector256.Create(e, f, 0, 0, a, b, c, d);
        _fourth = Vector256.Create(0, 0, a, b, c, d, e, f);
    }

    /// <summary>Encodes elements from the first on, in eights.</summary>
    /// <param name="memory">The elements.</param>
    /// <param name="packed">Where their encodings go.</param>
    /// <param name="count">How many there are.</param>
    /// <param name="seen">All bits that any of them had.</param>
    /// <returns>How many were encoded.</returns>
    /// <remarks>Bound: <paramref name="count"/> elements readable at <paramref name="memory"/>, their encodings reserved at <paramref name="packed"/>; eights touch nothing behind them.</remarks>
    public int Pack(ref byte memory, ref byte packed, int count, out Vector256<ulong> seen)
    {
        // Locals: what is stored through a reference could be these fields, as far as the JIT knows.
        (Vector256<int> first, Vector256<int> second, Vector256<int> third, Vector256<int> fourth) = (_first, _second, _third, _fourth);
        Vector256<int> seens = Vector256<int>.Zero;
        int whole = count / Elements;
        for (int i = 0; i < whole; i++)
        {
            Vector256<int> a = Vector256.LoadUnsafe(ref memory).AsInt32();
            Vector256<int> b = Vector256.LoadUnsafe(ref memory, VectorBytes).AsInt32();
            Vector256<int> c = Vector256.LoadUnsafe(ref memory, 2 * VectorBytes).AsInt32();
            Vector256<int> d = Vector256.LoadUnsafe(ref memory, 3 * VectorBytes).AsInt32();
            seens |= a | b | (c | d);
            a = Avx2.PermuteVar8x32(a, first);
            b = Avx2.PermuteVar8x32(b, second);
            c = Avx2.PermuteVar8x32(c, third);
            d = Avx2.PermuteVar8x32(d, fourth);
            Avx2.Blend(a, b, 0b1100_0000).AsByte().StoreUnsafe(ref packed);
            Avx2.Blend(b, c, 0b1111_0000).AsByte().StoreUnsafe(ref packed, VectorBytes);
            Avx2.Blend(c, d, 0b1111_1100).AsByte().StoreUnsafe(ref packed, 2 * VectorBytes);
            memory = ref Unsafe.Add(ref memory, 4 * VectorBytes);
            packed = ref Unsafe.Add(ref packed, 3 * VectorBytes);
        }

        seen = seens.AsUInt64();
        return whole * Elements;
    }
}
