namespace Store.Serialization.Codecs;

/// <summary>
/// The codec of objects of exactly one type of another assembly, as a case of a polymorphic base: where the type is a base itself, its registered codec is
/// that of all its cases, and this one is not.
/// </summary>
/// <typeparam name="T">A registered type.</typeparam>
public readonly struct ExactCodec<T> : INinoCodec<T>
{
    /// <inheritdoc/>
    public static CodecForm Form => NinoCodec<T>.Exact.Form;

    /// <inheritdoc/>
    public static int MinSize => NinoCodec<T>.Exact.MinSize;

    /// <inheritdoc/>
    public static int FixedSize => NinoCodec<T>.Exact.FixedValueSize;

    /// <inheritdoc/>
    public static int MinBodySize => NinoCodec<T>.Exact.MinBodySize;

    /// <inheritdoc/>
    public static int FixedBodySize => NinoCodec<T>.Exact.FixedBodySize;

    /// <inheritdoc/>
    public static bool CanReadInto => NinoCodec<T>.Exact.CanReadInto;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => NinoCodec<T>.Exact.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in T value) => NinoCodec<T>.Exact.Write(ref writer, in value);

    /// <inheritdoc/>
    public T Read(ref NinoReader reader) => NinoCodec<T>.Exact.Read(ref reader);

    /// <inheritdoc/>
    public void WriteFixed(ref byte destination, in T value) => NinoCodec<T>.Exact.WriteFixed(ref destination, in value);

    /// <inheritdoc/>
    public T ReadFixed(ref readonly byte source) => NinoCodec<T>.Exact.ReadFixed(in source);

    /// <inheritdoc/>
    public void WriteBody(ref NinoWriter writer, in T value) => NinoCodec<T>.Exact.WriteBody(ref writer, in value);

    /// <inheritdoc/>
    public T ReadBody(ref NinoReader reader) => NinoCodec<T>.Exact.ReadBody(ref reader);

    /// <inheritdoc/>
    public void WriteFixedBody(ref byte destination, in T value) => NinoCodec<T>.Exact.WriteFixedBody(ref destination, in value);

    /// <inheritdoc/>
    public T ReadFixedBody(ref readonly byte source) => NinoCodec<T>.Exact.ReadFixedBody(in source);

    /// <inheritdoc/>
    public void ReadInto(ref NinoReader reader, ref T value) => NinoCodec<T>.Exact.ReadInto(ref reader, ref value);

    /// <inheritdoc/>
    public void ReadBodyInto(ref NinoReader reader, ref T value) => NinoCodec<T>.Exact.ReadBodyInto(ref reader, ref value);
}
