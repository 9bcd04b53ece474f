// Elements of a fixed width as they lie in a record: packed, at any address. Indexed without a walk.

using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>An array, list or set of values of a fixed width, or null, over its bytes.</summary>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TCodec">Its codec, of a fixed form.</typeparam>
public readonly ref struct NinoArrayView<T, TCodec> : INinoView<NinoArrayView<T, TCodec>> where TCodec : struct, INinoCodec<T>
{
    private readonly ReadOnlySpan<byte> _elements;
    private readonly int _countOrNull;

    // A default view is one of null: the count is stored with 1 added.
    private NinoArrayView(ReadOnlySpan<byte> elements, int count)
    {
        _elements = elements;
        _countOrNull = count + 1;
    }

    /// <summary>True for null.</summary>
    public bool IsNull => _countOrNull == 0;

    /// <summary>How many elements; 0 for null.</summary>
    public int Count => Math.Max(_countOrNull - 1, 0);

    /// <summary>The encoded elements: packed, little-endian (docs/formats/record.md).</summary>
    public ReadOnlySpan<byte> Bytes => _elements;

    /// <summary>One element.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is none.</exception>
    /// <exception cref="NinoSerializationException">Its bits are no value.</exception>
    public T this[int index]
    {
        // Bound: the elements were measured when the view was made, and the index is compared with their count.
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            if ((uint)index >= (uint)Count) ThrowIndex(index, Count);
            return default(TCodec).ReadFixed(in Unsafe.Add(ref MemoryMarshal.GetReference(_elements), (nint)index * TCodec.FixedSize));
        }
    }

    /// <summary>Copies the elements to the beginning of a span: one copy of memory where the encoding allows it.</summary>
    /// <exception cref="ArgumentException">The span is shorter than <see cref="Count"/>.</exception>
    /// <exception cref="NinoSerializationException">The bits of an element are no value.</exception>
    public void CopyTo(Span<T> destination)
    {
        if (destination.Length < Count) throw new ArgumentException("The destination is too short.", nameof(destination));
        var reader = new NinoReader(_elements);
        ElementsCodec<T, TCodec>.ReadAll(ref reader, destination[..Count], hasNulls: false);
    }

    /// <summary>Makes an array of the elements, or null.</summary>
    public T[]? Read()
    {
        if (IsNull) return null;
        var array = new T[Count];
        CopyTo(array);
        return array;
    }

    /// <summary>The elements in order.</summary>
    public Enumerator GetEnumerator() => new(this);

    /// <summary>For <c>foreach</c>.</summary>
    public ref struct Enumerator
    {
        private readonly NinoArrayView<T, TCodec> _view;
        private int _index;

        internal Enumerator(NinoArrayView<T, TCodec> view)
        {
            _view = view;
            _index = -1;
        }

        /// <summary>The element at hand.</summary>
        public readonly T Current => _view[_index];

        /// <summary>Moves to the next element.</summary>
        public bool MoveNext() => ++_index < _view.Count;
    }

    static int INinoView<NinoArrayView<T, TCodec>>.FixedSize => 0;

    static int INinoView<NinoArrayView<T, TCodec>>.MinSize => 1;

    static int INinoView<NinoArrayView<T, TCodec>>.MinBodySize => 0;

    static int INinoView<NinoArrayView<T, TCodec>>.FixedBodySize => 0;

    static NinoArrayView<T, TCodec> INinoView<NinoArrayView<T, TCodec>>.At(ReadOnlySpan<byte> value)
    {
        var reader = new NinoReader(value);
        int count = Take(ref reader, out int bytes);
        return count < 0 ? default : new(value.Slice(reader.Position - bytes, bytes), count);
    }

    static NinoArrayView<T, TCodec> INinoView<NinoArrayView<T, TCodec>>.AtBody(ReadOnlySpan<byte> body) => throw new NotSupportedException();

    static void INinoView<NinoArrayView<T, TCodec>>.Skip(ref NinoReader reader) => Take(ref reader, out _);

    static void INinoView<NinoArrayView<T, TCodec>>.SkipBody(ref NinoReader reader) => throw new NotSupportedException();

    // Moves over header and elements. That these fit is what ReadCount checks.
    private static int Take(ref NinoReader reader, out int bytes)
    {
        int count = reader.ReadCount(TCodec.FixedSize, out KnownComparer comparer);
        if (comparer != KnownComparer.Default) Throw.ComparerOfOtherThanStrings();
        bytes = Math.Max(count, 0) * TCodec.FixedSize;
        reader.Take(bytes);
        return count;
    }

    [DoesNotReturn]
    private static void ThrowIndex(int index, int count) => throw new ArgumentOutOfRangeException(nameof(index), index, $"There are {count} elements.");
}
