namespace Store.Serialization.Codecs;

/// <summary>
/// The codec that a type of another assembly registered, found at run time: one virtual call a value. The encoding and the schema are those of the
/// type's own codec, so recompiling with either gives the same bytes.
/// </summary>
/// <typeparam name="T">A registered type.</typeparam>
public readonly struct RegisteredCodec<T> : INinoCodec<T>
{
    /// <inheritdoc/>
    public static CodecForm Form => NinoCodec<T>.Owned.Form;

    /// <inheritdoc/>
    public static int MinSize => NinoCodec<T>.Owned.MinSize;

    /// <inheritdoc/>
    public static int FixedSize => NinoCodec<T>.Owned.FixedValueSize;

    /// <inheritdoc/>
    public static int MinBodySize => NinoCodec<T>.Owned.MinBodySize;

    /// <inheritdoc/>
    public static int FixedBodySize => NinoCodec<T>.Owned.FixedBodySize;

    /// <inheritdoc/>
    public static bool CanReadInto => NinoCodec<T>.Owned.CanReadInto;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => NinoCodec<T>.Owned.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in T value) => NinoCodec<T>.Owned.Write(ref writer, in value);

    /// <inheritdoc/>
    public T Read(ref NinoReader reader) => NinoCodec<T>.Owned.Read(ref reader);

    /// <inheritdoc/>
    public void WriteFixed(ref byte destination, in T value) => NinoCodec<T>.Owned.WriteFixed(ref destination, in value);

    /// <inheritdoc/>
    public T ReadFixed(ref readonly byte source) => NinoCodec<T>.Owned.ReadFixed(in source);

    /// <inheritdoc/>
    public void WriteBody(ref NinoWriter writer, in T value) => NinoCodec<T>.Owned.WriteBody(ref writer, in value);

    /// <inheritdoc/>
    public T ReadBody(ref NinoReader reader) => NinoCodec<T>.Owned.ReadBody(ref reader);

    /// <inheritdoc/>
    public void WriteFixedBody(ref byte destination, in T value) => NinoCodec<T>.Owned.WriteFixedBody(ref destination, in value);

    /// <inheritdoc/>
    public T ReadFixedBody(ref readonly byte source) => NinoCodec<T>.Owned.ReadFixedBody(in source);

    /// <inheritdoc/>
    public void ReadInto(ref NinoReader reader, ref T value) => NinoCodec<T>.Owned.ReadInto(ref reader, ref value);

    /// <inheritdoc/>
    public void ReadBodyInto(ref NinoReader reader, ref T value) => NinoCodec<T>.Owned.ReadBodyInto(ref reader, ref value);
}
