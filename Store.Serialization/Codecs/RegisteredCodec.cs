namespace Store.Serialization.Codecs;

/// <summary>
/// The codec that a type of another assembly registered, found at run time: one virtual call a value. The encoding and the schema are those of the
/// type's own codec, so recompiling with either gives the same bytes.
/// </summary>
/// <typeparam name="T">A registered type.</typeparam>
/// <typeparam name="TChoice">Which of its codecs: <see cref="DeclaredChoice"/> or <see cref="ExactChoice"/>.</typeparam>
public readonly struct RegisteredCodec<T, TChoice> : INinoCodec<T> where TChoice : struct, ICodecChoice
{
    private static NinoCodec<T> Codec => TChoice.Of<T>();

    /// <inheritdoc/>
    public static CodecForm Form => Codec.Form;

    /// <inheritdoc/>
    public static int MinSize => Codec.MinSize;

    /// <inheritdoc/>
    public static int FixedSize => Codec.FixedValueSize;

    /// <inheritdoc/>
    public static int MinBodySize => Codec.MinBodySize;

    /// <inheritdoc/>
    public static int FixedBodySize => Codec.FixedBodySize;

    /// <inheritdoc/>
    public static bool CanReadInto => Codec.CanReadInto;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => Codec.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in T value) => Codec.Write(ref writer, in value);

    /// <inheritdoc/>
    public T Read(ref NinoReader reader) => Codec.Read(ref reader);

    /// <inheritdoc/>
    public void WriteFixed(ref byte destination, in T value) => Codec.WriteFixed(ref destination, in value);

    /// <inheritdoc/>
    public T ReadFixed(ref readonly byte source) => Codec.ReadFixed(in source);

    /// <inheritdoc/>
    public void WriteBody(ref NinoWriter writer, in T value) => Codec.WriteBody(ref writer, in value);

    /// <inheritdoc/>
    public T ReadBody(ref NinoReader reader) => Codec.ReadBody(ref reader);

    /// <inheritdoc/>
    public void WriteFixedBody(ref byte destination, in T value) => Codec.WriteFixedBody(ref destination, in value);

    /// <inheritdoc/>
    public T ReadFixedBody(ref readonly byte source) => Codec.ReadFixedBody(in source);

    /// <inheritdoc/>
    public void ReadInto(ref NinoReader reader, ref T value) => Codec.ReadInto(ref reader, ref value);

    /// <inheritdoc/>
    public void ReadBodyInto(ref NinoReader reader, ref T value) => Codec.ReadBodyInto(ref reader, ref value);
}

/// <summary>One of the codecs that a type registered.</summary>
public interface ICodecChoice
{
    /// <summary>The codec of a type.</summary>
    /// <exception cref="NinoTypeNotRegisteredException">The type registered none.</exception>
    static abstract NinoCodec<T> Of<T>();
}

/// <summary>The codec of values declared as the type: where it is a polymorphic base, of all the cases that its assembly knows.</summary>
public readonly struct DeclaredChoice : ICodecChoice
{
    /// <inheritdoc/>
    public static NinoCodec<T> Of<T>() => NinoCodec<T>.Owned;
}

/// <summary>The codec of objects of exactly the type, as a case of a polymorphic base or where object is declared: differs from the other where the type is a base itself.</summary>
public readonly struct ExactChoice : ICodecChoice
{
    /// <inheritdoc/>
    public static NinoCodec<T> Of<T>() => NinoCodec<T>.Exact;
}
