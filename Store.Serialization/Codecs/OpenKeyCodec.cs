namespace Store.Serialization.Codecs;

/// <summary>
/// The codec of a key in which code that finds or orders it may come upon a value declared as <c>object</c>: a struct, tuple or record that has one. What such a value holds is known when it is written and read
/// only, by types of other assemblies and those that <see cref="NinoObjects"/> adds, so there it is looked at, as <see cref="ObjectKeyCodec{TCases}"/> does with a key that is declared as object itself.
/// </summary>
/// <typeparam name="T">The key.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
public readonly struct OpenKeyCodec<T, TCodec> : INinoCodec<T> where TCodec : struct, INinoCodec<T>
{
    /// <inheritdoc/>
    public static CodecForm Form => TCodec.Form;

    /// <inheritdoc/>
    public static int MinSize => TCodec.MinSize;

    /// <inheritdoc/>
    public static int FixedSize => TCodec.FixedSize;

    /// <inheritdoc/>
    public static int MinBodySize => TCodec.MinBodySize;

    /// <inheritdoc/>
    public static int FixedBodySize => TCodec.FixedBodySize;

    /// <inheritdoc/>
    public static bool CanReadInto => TCodec.CanReadInto;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => TCodec.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in T value)
    {
        bool outer = writer.IsKey;
        writer.IsKey = true;
        default(TCodec).Write(ref writer, in value);
        writer.IsKey = outer;
    }

    /// <inheritdoc/>
    public T Read(ref NinoReader reader)
    {
        bool outer = reader.IsKey;
        reader.IsKey = true;
        T value = default(TCodec).Read(ref reader);
        reader.IsKey = outer;
        return value;
    }

    /// <inheritdoc/>
    public void WriteBody(ref NinoWriter writer, in T value)
    {
        bool outer = writer.IsKey;
        writer.IsKey = true;
        default(TCodec).WriteBody(ref writer, in value);
        writer.IsKey = outer;
    }

    /// <inheritdoc/>
    public T ReadBody(ref NinoReader reader)
    {
        bool outer = reader.IsKey;
        reader.IsKey = true;
        T value = default(TCodec).ReadBody(ref reader);
        reader.IsKey = outer;
        return value;
    }

    /// <inheritdoc/>
    public void ReadInto(ref NinoReader reader, ref T value)
    {
        bool outer = reader.IsKey;
        reader.IsKey = true;
        default(TCodec).ReadInto(ref reader, ref value);
        reader.IsKey = outer;
    }

    /// <inheritdoc/>
    public void ReadBodyInto(ref NinoReader reader, ref T value)
    {
        bool outer = reader.IsKey;
        reader.IsKey = true;
        default(TCodec).ReadBodyInto(ref reader, ref value);
        reader.IsKey = outer;
    }

    // No value with an object in it has one width: these are those of a key that has none.

    /// <inheritdoc/>
    public void WriteFixed(ref byte destination, in T value) => default(TCodec).WriteFixed(ref destination, in value);

    /// <inheritdoc/>
    public T ReadFixed(ref readonly byte source) => default(TCodec).ReadFixed(in source);

    /// <inheritdoc/>
    public void WriteFixedBody(ref byte destination, in T value) => default(TCodec).WriteFixedBody(ref destination, in value);

    /// <inheritdoc/>
    public T ReadFixedBody(ref readonly byte source) => default(TCodec).ReadFixedBody(in source);
}
