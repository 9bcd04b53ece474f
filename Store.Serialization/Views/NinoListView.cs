// Elements that have views, as they lie in a record: strings, objects, collections. Of differing lengths, so they are walked; of one length, also indexed at once.
//
//   header    compact number: 0 = null, else count + 1; of objects of a reference type ((count << 1) | hasNulls) + 1
//   elements  one behind the other; of objects bare bodies, or presence byte and body where hasNulls is 1

using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>An array, list or set, or null, over its bytes. Enumerating it allocates nothing.</summary>
/// <typeparam name="TView">The view of an element.</typeparam>
public readonly ref struct NinoListView<TView> : INinoView<NinoListView<TView>> where TView : struct, INinoView<TView>, allows ref struct
{
    private readonly ReadOnlySpan<byte> _elements;
    private readonly int _countOrNull;
    private readonly bool _areBodies;

    private NinoListView(ReadOnlySpan<byte> elements, int count, bool areBodies)
    {
        _elements = elements;
        _countOrNull = count + 1;
        _areBodies = areBodies;
    }

    /// <summary>True for null.</summary>
    public bool IsNull => _countOrNull == 0;

    /// <summary>How many elements; 0 for null.</summary>
    public int Count => Math.Max(_countOrNull - 1, 0);

    /// <summary>One element. Walks over those before it, unless all elements are equally long.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is none.</exception>
    /// <exception cref="NinoSerializationException">The bytes end before it.</exception>
    public TView this[int index]
    {
        get
        {
            if ((uint)index >= (uint)Count) throw new ArgumentOutOfRangeException(nameof(index), index, $"There are {Count} elements.");
            int size = SizeOf(_areBodies);
            var reader = new NinoReader(_elements);
            if (size > 0) reader.Take((int)Math.Min((long)index * size, int.MaxValue));
            else for (int i = 0; i < index; i++) Skip(ref reader, _areBodies);
            return At(_elements[reader.Position..], _areBodies);
        }
    }

    /// <summary>The elements in order.</summary>
    public Enumerator GetEnumerator() => new(this);

    /// <summary>For <c>foreach</c>.</summary>
    public ref struct Enumerator
    {
        private readonly bool _areBodies;
        private ReadOnlySpan<byte> _rest;
        private int _left;
        private bool _isStarted;

        internal Enumerator(NinoListView<TView> view)
        {
            _rest = view._elements;
            _left = view.Count;
            _areBodies = view._areBodies;
        }

        /// <summary>The element at hand.</summary>
        /// <exception cref="NinoSerializationException">Its bytes are damaged.</exception>
        public readonly TView Current => At(_rest, _areBodies);

        /// <summary>Moves to the next element.</summary>
        /// <exception cref="NinoSerializationException">The bytes end before it.</exception>
        public bool MoveNext()
        {
            if (_left == 0) return false;
            if (_isStarted)
            {
                // Nobody asks where the last one ends.
                if (--_left == 0) return false;
                var reader = new NinoReader(_rest);
                NinoListView<TView>.Skip(ref reader, _areBodies);
                _rest = _rest[reader.Position..];
            }

            return _isStarted = true;
        }
    }

    static int INinoView<NinoListView<TView>>.FixedSize => 0;

    static int INinoView<NinoListView<TView>>.MinSize => 1;

    static int INinoView<NinoListView<TView>>.MinBodySize => 0;

    static int INinoView<NinoListView<TView>>.FixedBodySize => 0;

    static NinoListView<TView> INinoView<NinoListView<TView>>.At(ReadOnlySpan<byte> value)
    {
        var reader = new NinoReader(value);
        int count = ReadCount(ref reader, out bool areBodies);
        return count < 0 ? default : new(value[reader.Position..], count, areBodies);
    }

    static NinoListView<TView> INinoView<NinoListView<TView>>.AtBody(ReadOnlySpan<byte> body) => throw new NotSupportedException();

    static void INinoView<NinoListView<TView>>.Skip(ref NinoReader reader)
    {
        int count = ReadCount(ref reader, out bool areBodies);
        int size = SizeOf(areBodies);
        if (size > 0)
        {
            long bytes = (long)Math.Max(count, 0) * size;
            if (bytes > reader.Remaining) Throw.EndOfInput(bytes, reader.Remaining);
            reader.Take((int)bytes);
            return;
        }

        for (int i = 0; i < count; i++) Skip(ref reader, areBodies);
    }

    static void INinoView<NinoListView<TView>>.SkipBody(ref NinoReader reader) => throw new NotSupportedException();

    private static int SizeOf(bool areBodies) => areBodies ? TView.FixedBodySize : TView.FixedSize;

    private static TView At(ReadOnlySpan<byte> element, bool isBody) => isBody ? TView.AtBody(element) : TView.At(element);

    private static void Skip(ref NinoReader reader, bool isBody)
    {
        if (isBody) TView.SkipBody(ref reader);
        else TView.Skip(ref reader);
    }

    // As ElementsCodec.ReadCount: what the elements take at least is compared with the bytes left.
    private static int ReadCount(ref NinoReader reader, out bool areBodies)
    {
        areBodies = false;
        uint header = reader.ReadHeader(out KnownComparer comparer);
        NinoViews.CheckComparer<TView>(comparer);
        if (header == 0) return -1;
        uint count = header - 1;
        int minSize = TView.MinSize;
        if (TView.MinBodySize > 0)
        {
            areBodies = (count & 1) == 0;
            count >>= 1;
            if (areBodies) minSize = TView.MinBodySize;
            else if (count == 0) Throw.NoNullElement();
        }

        reader.CheckCount(count, minSize);
        return (int)count;
    }
}
