// Arrays of small structs at the speed of memory. The encoding of a struct is packed and in the order of its schema, its memory has padding and an order
// that the runtime chose; where every member's encoding is its memory, one byte shuffle turns the one into the other:
//
//   memory    | CreatedAt (8) | Id (4) | padding (4) |        a struct of an int and a date
//   encoding  | Id (4) | CreatedAt (8) |
//
// The places are learned from the codec itself, once a type (Learn), and bits that no value has (a bool of 2, a date of the year 10000) are looked for on the way:
// where some are suspected the codec is asked again, element by element, and says what is wrong. Measured against the loop over codecs: docs/performance.md.

using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Store.Serialization.Codecs;

internal sealed class StructMoves
{
    private const int VectorBytes = 16;
    private const byte Nowhere = 0x80;

    private static ReadOnlySpan<byte> Identity => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

    // Bytes of one step in memory and in the encoding. Several elements a step, a power of two, where both are the same size.
    private readonly int _memoryBytes;
    private readonly int _packedBytes;
    private readonly int _stepShift;

    // How many steps at the end are left to the codec, because a vector there would end behind the elements; and how many are left where pairs are moved by words.
    private readonly int _lastSteps;
    private readonly int _lastPairs;

    // Nothing changes its place: bytes that are looked at as they are copied.
    private readonly bool _isCopy;

    private readonly Vector128<byte> _pack;
    private readonly Vector128<byte> _unpack;

    // Two elements of 16 bytes whose members are whole numbers of 4 bytes: one load, one order of words, one store. Back again words that are padding are cleared.
    private readonly bool _hasWords;
    private readonly Vector256<int> _words;
    private readonly Vector256<int> _wordsBack;
    private readonly Vector256<int> _wordsKept;

    // Three of those words an element: eight elements are three vectors without a gap (TwelveBytes).
    private readonly TwelveBytes? _twelve;

    // What a value in memory may not have: any bit of _forbidden, more ticks (_ticks) than _mostTicks.
    private readonly Vector128<ulong> _forbidden;
    private readonly Vector128<ulong> _ticks;
    private readonly Vector128<ulong> _mostTicks;

    private StructMoves(ReadOnlySpan<byte> members, ReadOnlySpan<int> places, int memoryBytes, int packedBytes)
    {
        int repeat = memoryBytes == packedBytes && VectorBytes % memoryBytes == 0 ? VectorBytes / memoryBytes : 1;
        _memoryBytes = memoryBytes * repeat;
        _packedBytes = packedBytes * repeat;
        _stepShift = BitOperations.Log2((uint)repeat);
        _lastSteps = ((VectorBytes + _packedBytes - 1) / _packedBytes) - 1;
        _lastPairs = 2 * VectorBytes / _packedBytes;
        // Arrays, as where places are learned (StructMemory).
        Span<byte> pack = new byte[VectorBytes];
        Span<byte> unpack = new byte[VectorBytes];
        Span<byte> forbidden = new byte[VectorBytes];
        Span<ulong> ticks = new ulong[2];
        pack.Fill(Nowhere);
        unpack.Fill(Nowhere);
        for (int element = 0; element < repeat; element++)
        {
            int encoded = element * packedBytes;
            for (int member = 0; member < places.Length; member++)
            {
                int place = (element * memoryBytes) + places[member];
                for (int i = 0; i < members[2 * member]; i++)
                {
                    pack[encoded + i] = (byte)(place + i);
                    unpack[place + i] = (byte)(encoded + i);
                }

                encoded += members[2 * member];
                switch ((MemoryBits)members[(2 * member) + 1])
                {
                    case MemoryBits.Boolean:
                        forbidden[place] = 0xFE;
                        break;
                    case MemoryBits.DateTime:
                        ticks[place / 8] = DateTimeBits.Ticks;
                        break;
                }
            }
        }

        _isCopy = _memoryBytes == VectorBytes && _packedBytes == VectorBytes && pack.SequenceEqual(Identity);
        _pack = Vector128.Create<byte>(pack);
        _unpack = Vector128.Create<byte>(unpack);
        _hasWords = !_isCopy && TryOrderWords(pack, _packedBytes, out _words) && _memoryBytes == VectorBytes;
        if (_hasWords) OrderWordsBack(_words, _packedBytes / sizeof(int), out _wordsBack, out _wordsKept);
        if (_hasWords && _packedBytes == TwelveBytes.PackedBytes && Avx2.IsSupported) _twelve = new TwelveBytes(_words);
        _forbidden = Vector128.Create<byte>(forbidden).AsUInt64();
        _ticks = Vector128.Create<ulong>(ticks);
        _mostTicks = Vector128.Create((ulong)DateTime.MaxValue.Ticks) & _ticks;
    }

    private static bool TryOrderWords(ReadOnlySpan<byte> pack, int packedBytes, out Vector256<int> words)
    {
        Span<int> order = new int[2 * VectorBytes / sizeof(int)];
        words = default;
        if (packedBytes % sizeof(int) != 0) return false;
        int count = packedBytes / sizeof(int);
        for (int i = 0; i < packedBytes; i++)
        {
            if (pack[i] % sizeof(int) != i % sizeof(int) || pack[i] / sizeof(int) != pack[i - (i % sizeof(int))] / sizeof(int)) return false;
            order[i / sizeof(int)] = pack[i] / sizeof(int);
            order[count + (i / sizeof(int))] = (VectorBytes + pack[i]) / sizeof(int);
        }

        words = Vector256.Create<int>(order);
        return true;
    }

    private static void OrderWordsBack(Vector256<int> words, int packedWords, out Vector256<int> back, out Vector256<int> kept)
    {
        Span<int> order = new int[Vector256<int>.Count], mask = new int[Vector256<int>.Count];
        for (int i = 0; i < 2 * packedWords; i++) (order[words[i]], mask[words[i]]) = (i, -1);
        (back, kept) = (Vector256.Create<int>(order), Vector256.Create<int>(mask));
    }

    /// <summary>The moves of a type, or null where a loop over its codec is the way.</summary>
    public static StructMoves? Make(ReadOnlySpan<byte> members, ReadOnlySpan<int> places, int memoryBytes, int packedBytes)
    {
        if (!Vector128.IsHardwareAccelerated || memoryBytes > VectorBytes) return null;
        for (int i = 0; i < places.Length; i++)
        {
            if ((MemoryBits)members[(2 * i) + 1] == MemoryBits.DateTime && places[i] % 8 != 0) return null;
        }

        return new StructMoves(members, places, memoryBytes, packedBytes);
    }

    /// <summary>Encodes elements from the first on.</summary>
    /// <returns>How many: the last ones may be left to the codec, and all of them are when one may have bits that its codec would not move as they are.</returns>
    /// <remarks>Bound: <paramref name="count"/> elements readable at <paramref name="memory"/>, their encodings reserved at <paramref name="packed"/>; <see cref="Steps"/>.</remarks>
    public int Pack(ref byte memory, ref byte packed, int count) => _isCopy ? Copy(ref memory, ref packed, count) : PackSteps(ref memory, ref packed, count);

    /// <summary>Decodes elements from the first on; otherwise as <see cref="Pack"/>.</summary>
    public int Unpack(ref byte packed, ref byte memory, int count) => _isCopy ? Copy(ref packed, ref memory, count) : UnpackSteps(ref packed, ref memory, count);

    // The last vector overlaps the one before it by whole elements. A method of its own, as the other two: it is small, and they have more values than there are registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int Copy(ref byte source, ref byte target, int count)
    {
        nint last = ((nint)count * VectorBytes >> _stepShift) - VectorBytes;
        if (last < 0) return 0;
        Vector256<ulong> seens = Vector256<ulong>.Zero;
        nint at = 0;
        for (; at <= last - VectorBytes; at += 2 * VectorBytes)
        {
            Vector256<byte> two = Vector256.LoadUnsafe(ref source, (nuint)at);
            two.StoreUnsafe(ref target, (nuint)at);
            seens |= two.AsUInt64();
        }

        Vector128<ulong> seen = seens.GetLower() | seens.GetUpper();
        if (at < last)
        {
            Vector128<byte> one = Vector128.LoadUnsafe(ref source, (nuint)at);
            one.StoreUnsafe(ref target, (nuint)at);
            seen |= one.AsUInt64();
        }

        Vector128<byte> end = Vector128.LoadUnsafe(ref source, (nuint)last);
        end.StoreUnsafe(ref target, (nuint)last);
        return IsAllowed(end.AsUInt64() | seen) ? count : 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int PackSteps(ref byte memory, ref byte packed, int count)
    {
        int steps = Steps(count);
        int step = 0;
        Vector128<ulong> seen = Vector128<ulong>.Zero;
        // Locals: what is stored through a reference could be these fields, as far as the JIT knows.
        nint memoryBytes = _memoryBytes;
        nint packedBytes = _packedBytes;
        if (Avx2.IsSupported)
        {
            Vector256<byte> order = Vector256.Create(_pack, _pack);
            Vector256<int> words = _words;
            Vector256<ulong> seens = Vector256<ulong>.Zero;
            if (_twelve is { } twelve && count >= TwelveBytes.Elements)
            {
                step = twelve.Pack(ref memory, ref packed, count, out seens);
                memory = ref Unsafe.Add(ref memory, step * memoryBytes);
                packed = ref Unsafe.Add(ref packed, step * packedBytes);
            }

            for (int whole = _hasWords ? steps - _lastPairs : 0; step < whole; step += 2)
            {
                Vector256<int> two = Vector256.LoadUnsafe(ref memory).AsInt32();
                Avx2.PermuteVar8x32(two, words).AsByte().StoreUnsafe(ref packed);
                seens |= two.AsUInt64();
                memory = ref Unsafe.Add(ref memory, 2 * VectorBytes);
                packed = ref Unsafe.Add(ref packed, 2 * packedBytes);
            }

            for (; step + 1 < steps; step += 2)
            {
                Vector256<byte> two = LoadTwo(ref memory, memoryBytes);
                StoreTwo(Avx2.Shuffle(two, order), ref packed, packedBytes);
                seens |= two.AsUInt64();
                memory = ref Unsafe.Add(ref memory, 2 * memoryBytes);
                packed = ref Unsafe.Add(ref packed, 2 * packedBytes);
            }

            seen = seens.GetLower() | seens.GetUpper();
        }

        for (; step < steps; step++)
        {
            Vector128<byte> one = Vector128.LoadUnsafe(ref memory);
            Vector128.ShuffleNative(one, _pack).StoreUnsafe(ref packed);
            seen |= one.AsUInt64();
            memory = ref Unsafe.Add(ref memory, memoryBytes);
            packed = ref Unsafe.Add(ref packed, packedBytes);
        }

        return IsAllowed(seen) ? Math.Max(step, steps) << _stepShift : 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int UnpackSteps(ref byte packed, ref byte memory, int count)
    {
        int steps = Steps(count);
        int step = 0;
        Vector128<ulong> seen = Vector128<ulong>.Zero;
        nint memoryBytes = _memoryBytes;
        nint packedBytes = _packedBytes;
        if (Avx2.IsSupported)
        {
            Vector256<byte> order = Vector256.Create(_unpack, _unpack);
            Vector256<ulong> seens = Vector256<ulong>.Zero;
            (Vector256<int> back, Vector256<int> kept) = (_wordsBack, _wordsKept);
            for (int whole = _hasWords ? steps - _lastPairs : 0; step < whole; step += 2)
            {
                Vector256<int> two = Avx2.PermuteVar8x32(Vector256.LoadUnsafe(ref packed).AsInt32(), back) & kept;
                two.AsByte().StoreUnsafe(ref memory);
                seens |= two.AsUInt64();
                packed = ref Unsafe.Add(ref packed, 2 * packedBytes);
                memory = ref Unsafe.Add(ref memory, 2 * VectorBytes);
            }

            for (; step + 1 < steps; step += 2)
            {
                Vector256<byte> two = Avx2.Shuffle(LoadTwo(ref packed, packedBytes), order);
                if (memoryBytes == VectorBytes) two.StoreUnsafe(ref memory);
                else StoreTwo(two, ref memory, memoryBytes);
                seens |= two.AsUInt64();
                packed = ref Unsafe.Add(ref packed, 2 * packedBytes);
                memory = ref Unsafe.Add(ref memory, 2 * memoryBytes);
            }

            seen = seens.GetLower() | seens.GetUpper();
        }

        for (; step < steps; step++)
        {
            Vector128<byte> one = Vector128.ShuffleNative(Vector128.LoadUnsafe(ref packed), _unpack);
            one.StoreUnsafe(ref memory);
            seen |= one.AsUInt64();
            packed = ref Unsafe.Add(ref packed, packedBytes);
            memory = ref Unsafe.Add(ref memory, memoryBytes);
        }

        return IsAllowed(seen) ? steps << _stepShift : 0;
    }

    // All bits that any element had, in one vector. They say at once that no element is wrong; that one is, they only suspect (dates
    // together may have the bits of more ticks than each has), and then the codec looks at each.
    private bool IsAllowed(Vector128<ulong> seen) =>
        (seen & _forbidden) == Vector128<ulong>.Zero && Vector128.LessThanOrEqualAll(seen & _ticks, _mostTicks);

    // A step moves whole vectors, so the last may begin no later than a vector before the end of the encoding, which is never longer than the memory.
    // Steps overlap where a stride is below 16: they go forward, so that what one spills the next overwrites, and what the last spills the codec does.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Steps(int count) => Math.Max((count >> _stepShift) - _lastSteps, 0);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<byte> LoadTwo(ref byte source, nint stride) =>
        Vector256.Create(Vector128.LoadUnsafe(ref source), Vector128.LoadUnsafe(ref Unsafe.Add(ref source, stride)));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void StoreTwo(Vector256<byte> two, ref byte target, nint stride)
    {
        two.GetLower().StoreUnsafe(ref target);
        two.GetUpper().StoreUnsafe(ref Unsafe.Add(ref target, stride));
    }
}
