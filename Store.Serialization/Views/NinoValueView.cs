// Values that have no view of their own, as elements, keys and values of collections; and nullable structs.


namespace Store.Serialization;

/// <summary>A value of a fixed width, such as a number, over its bytes.</summary>
/// <typeparam name="T">The value.</typeparam>
/// <typeparam name="TCodec">Its codec, of a fixed form.</typeparam>
public readonly ref struct NinoValueView<T, TCodec> : INinoView<NinoValueView<T, TCodec>> where TCodec : struct, INinoCodec<T>
{
    private readonly ReadOnlySpan<byte> _bytes;

    private NinoValueView(ReadOnlySpan<byte> bytes) => _bytes = bytes;

    /// <summary>The value.</summary>
    /// <exception cref="NinoSerializationException">Its bits are no value.</exception>
    public T Value => NinoViews.Fixed<T, TCodec>(_bytes, 0);

    /// <summary>The value.</summary>
    public static implicit operator T(NinoValueView<T, TCodec> view) => view.Value;

    /// <summary>The value as text.</summary>
    public override string? ToString() => Value?.ToString();

    static int INinoView<NinoValueView<T, TCodec>>.FixedSize => TCodec.FixedSize;

    static int INinoView<NinoValueView<T, TCodec>>.MinSize => TCodec.FixedSize;

    static int INinoView<NinoValueView<T, TCodec>>.MinBodySize => 0;

    static int INinoView<NinoValueView<T, TCodec>>.FixedBodySize => 0;

    static NinoValueView<T, TCodec> INinoView<NinoValueView<T, TCodec>>.At(ReadOnlySpan<byte> value) => new(NinoViews.AtLeast(value, TCodec.FixedSize));

    static NinoValueView<T, TCodec> INinoView<NinoValueView<T, TCodec>>.AtBody(ReadOnlySpan<byte> body) => throw new NotSupportedException();

    static void INinoView<NinoValueView<T, TCodec>>.Skip(ref NinoReader reader) => reader.Take(TCodec.FixedSize);

    static void INinoView<NinoValueView<T, TCodec>>.SkipBody(ref NinoReader reader) => throw new NotSupportedException();
}

/// <summary>A nullable struct over its bytes.</summary>
/// <typeparam name="TView">The view of the struct.</typeparam>
public readonly ref struct NinoOptionalView<TView> : INinoView<NinoOptionalView<TView>> where TView : struct, INinoView<TView>, allows ref struct
{
    private readonly TView _value;

    private NinoOptionalView(TView value)
    {
        _value = value;
        HasValue = true;
    }

    /// <summary>False for null.</summary>
    public bool HasValue { get; }

    /// <summary>The value.</summary>
    /// <exception cref="InvalidOperationException">It is null.</exception>
    public TView Value
    {
        get
        {
            if (!HasValue) NinoViews.ThrowNull();
            return _value;
        }
    }

    static int INinoView<NinoOptionalView<TView>>.FixedSize => TView.FixedSize == 0 ? 0 : 1 + TView.FixedSize;

    static int INinoView<NinoOptionalView<TView>>.MinSize => 1 + TView.FixedSize;

    static int INinoView<NinoOptionalView<TView>>.MinBodySize => 0;

    static int INinoView<NinoOptionalView<TView>>.FixedBodySize => 0;

    static NinoOptionalView<TView> INinoView<NinoOptionalView<TView>>.At(ReadOnlySpan<byte> value) => NinoViews.IsPresent(value) ? new(TView.At(value[1..])) : default;

    static NinoOptionalView<TView> INinoView<NinoOptionalView<TView>>.AtBody(ReadOnlySpan<byte> body) => throw new NotSupportedException();

    static void INinoView<NinoOptionalView<TView>>.Skip(ref NinoReader reader)
    {
        if (TView.FixedSize > 0) reader.Take(1 + TView.FixedSize);
        else if (reader.ReadPresence()) TView.Skip(ref reader);
    }

    static void INinoView<NinoOptionalView<TView>>.SkipBody(ref NinoReader reader) => throw new NotSupportedException();
}
