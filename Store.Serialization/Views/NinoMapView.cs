// Pairs as they lie in a record: key, value, key, value.

using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>A dictionary, or null, over its bytes: its pairs in order. To look one up, enumerate; nothing is hashed.</summary>
/// <typeparam name="TKey">The view of a key.</typeparam>
/// <typeparam name="TValue">The view of a value.</typeparam>
public readonly ref struct NinoMapView<TKey, TValue> : INinoView<NinoMapView<TKey, TValue>>
    where TKey : struct, INinoView<TKey>, allows ref struct
    where TValue : struct, INinoView<TValue>, allows ref struct
{
    private readonly ReadOnlySpan<byte> _pairs;
    private readonly int _countOrNull;

    private NinoMapView(ReadOnlySpan<byte> pairs, int count)
    {
        _pairs = pairs;
        _countOrNull = count + 1;
    }

    /// <summary>True for null.</summary>
    public bool IsNull => _countOrNull == 0;

    /// <summary>How many pairs; 0 for null.</summary>
    public int Count => Math.Max(_countOrNull - 1, 0);

    /// <summary>The pairs in order.</summary>
    public Enumerator GetEnumerator() => new(this);

    /// <summary>A key with its value.</summary>
    public readonly ref struct Pair
    {
        private readonly ReadOnlySpan<byte> _key;
        private readonly ReadOnlySpan<byte> _value;

        internal Pair(ReadOnlySpan<byte> pair, int keyLength)
        {
            _key = pair;
            _value = pair[keyLength..];
        }

        /// <summary>The key.</summary>
        public TKey Key => TKey.At(_key);

        /// <summary>The value.</summary>
        public TValue Value => TValue.At(_value);

        /// <summary>Both.</summary>
        public void Deconstruct(out TKey key, out TValue value)
        {
            key = Key;
            value = Value;
        }
    }

    /// <summary>For <c>foreach</c>.</summary>
    public ref struct Enumerator
    {
        private ReadOnlySpan<byte> _rest;
        private int _left;
        private int _keyLength;
        private bool _isStarted;

        internal Enumerator(NinoMapView<TKey, TValue> view)
        {
            _rest = view._pairs;
            _left = view.Count;
        }

        /// <summary>The pair at hand.</summary>
        public readonly Pair Current => new(_rest, _keyLength);

        /// <summary>Moves to the next pair.</summary>
        /// <exception cref="NinoSerializationException">The bytes end before it, or before its value.</exception>
        public bool MoveNext()
        {
            if (_left == 0) return false;
            var reader = new NinoReader(_rest);
            if (_isStarted)
            {
                if (--_left == 0) return false;
                reader.Take(_keyLength);
                TValue.Skip(ref reader);
            }

            int start = reader.Position;
            TKey.Skip(ref reader);
            _keyLength = reader.Position - start;
            _rest = _rest[start..];
            return _isStarted = true;
        }
    }

    static int INinoView<NinoMapView<TKey, TValue>>.FixedSize => 0;

    static int INinoView<NinoMapView<TKey, TValue>>.MinSize => 1;

    static int INinoView<NinoMapView<TKey, TValue>>.MinBodySize => 0;

    static int INinoView<NinoMapView<TKey, TValue>>.FixedBodySize => 0;

    static NinoMapView<TKey, TValue> INinoView<NinoMapView<TKey, TValue>>.At(ReadOnlySpan<byte> value)
    {
        var reader = new NinoReader(value);
        int count = reader.ReadCount(TKey.MinSize + TValue.MinSize, out KnownComparer comparer);
        NinoViews.CheckComparer<TKey>(comparer);
        return count < 0 ? default : new(value[reader.Position..], count);
    }

    static NinoMapView<TKey, TValue> INinoView<NinoMapView<TKey, TValue>>.AtBody(ReadOnlySpan<byte> body) => throw new NotSupportedException();

    static void INinoView<NinoMapView<TKey, TValue>>.Skip(ref NinoReader reader)
    {
        int count = reader.ReadCount(TKey.MinSize + TValue.MinSize, out KnownComparer comparer);
        NinoViews.CheckComparer<TKey>(comparer);
        if (TKey.FixedSize > 0 && TValue.FixedSize > 0)
        {
            long bytes = (long)Math.Max(count, 0) * (TKey.FixedSize + TValue.FixedSize);
            if (bytes > reader.Remaining) Throw.EndOfInput(bytes, reader.Remaining);
            reader.Take((int)bytes);
            return;
        }

        for (int i = 0; i < count; i++)
        {
            TKey.Skip(ref reader);
            TValue.Skip(ref reader);
        }
    }

    static void INinoView<NinoMapView<TKey, TValue>>.SkipBody(ref NinoReader reader) => throw new NotSupportedException();
}
