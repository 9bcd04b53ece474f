namespace Store.Serialization.Codecs;

/// <summary>
/// The codec that a type of another assembly registered, found at run time: one virtual call a value. The encoding and the schema are those of the
/// type's own codec, so recompiling with either gives the same bytes.
/// </summary>
/// <typeparam name="T">A registered type.</typeparam>
public readonly struct RegisteredCodec<T> : INinoCodec<T>
{
    /// <inheritdoc/>
    public static CodecForm Form => NinoCodec<T>.Default.Form;

    /// <inheritdoc/>
    public static int MinSize => NinoCodec<T>.Default.MinSize;

    /// <inheritdoc/>
    public static int FixedSize => NinoCodec<T>.Default.FixedValueSize;

    /// <inheritdoc/>
    public static int MinBodySize => NinoCodec<T>.Default.MinBodySize;

    /// <inheritdoc/>
    public static int FixedBodySize => NinoCodec<T>.Default.FixedBodySize;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => NinoCodec<T>.Default.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in T value) => NinoCodec<T>.Default.Write(ref writer, in value);

    /// <inheritdoc/>
    public T Read(ref NinoReader reader) => NinoCodec<T>.Default.Read(ref reader);

    /// <inheritdoc/>
    public void WriteFixed(ref byte destination, in T value) => NinoCodec<T>.Default.WriteFixed(ref destination, in value);

    /// <inheritdoc/>
    public T ReadFixed(ref readonly byte source) => NinoCodec<T>.Default.ReadFixed(in source);

    /// <inheritdoc/>
    public void WriteBody(ref NinoWriter writer, in T value) => NinoCodec<T>.Default.WriteBody(ref writer, in value);

    /// <inheritdoc/>
    public T ReadBody(ref NinoReader reader) => NinoCodec<T>.Default.ReadBody(ref reader);

    /// <inheritdoc/>
    public void WriteFixedBody(ref byte destination, in T value) => NinoCodec<T>.Default.WriteFixedBody(ref destination, in value);

    /// <inheritdoc/>
    public T ReadFixedBody(ref readonly byte source) => NinoCodec<T>.Default.ReadFixedBody(in source);
}
