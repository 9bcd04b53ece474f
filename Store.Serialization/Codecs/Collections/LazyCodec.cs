using System.Diagnostics.CodeAnalysis;

namespace Store.Serialization.Codecs;

/// <summary>
/// A <see cref="Lazy{T}"/> or null: an object of a reference type named like "Lazy&lt;Int32&gt;" with the one field <c>Value</c>. Writing makes the value if
/// nobody asked for it before; a read one has it.
/// </summary>
/// <typeparam name="T">The value.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
public readonly struct LazyCodec<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T, TCodec> : INinoCodec<Lazy<T>>
    where TCodec : struct, INinoCodec<T>
{
    private static bool IsNesting => Nesting<Lazy<T>, LazyCodec<T, TCodec>>.Counts;

    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Object;

    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static int MinBodySize => TCodec.MinSize;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode value = TCodec.Describe(builder);
        return builder.Shape(NinoSchema.NamesOf(value).Select(static name => $"Lazy<{name}>"), isReference: true, fields => fields.Add("Value", 0, value));
    }

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in Lazy<T> value)
    {
        if (value is null)
        {
            writer.Take(1) = 0;
            return;
        }

        writer.Take(1) = 1;
        WriteBody(ref writer, in value);
    }

    /// <inheritdoc/>
    public Lazy<T> Read(ref NinoReader reader) => reader.ReadPresence() ? ReadBody(ref reader) : null!;

    /// <inheritdoc/>
    public void WriteBody(ref NinoWriter writer, in Lazy<T> value)
    {
        bool isNesting = IsNesting;
        if (isNesting) writer.Enter();
        T inner = value.Value;
        default(TCodec).Write(ref writer, in inner);
        if (isNesting) writer.Leave();
    }

    /// <inheritdoc/>
    public Lazy<T> ReadBody(ref NinoReader reader)
    {
        bool isNesting = IsNesting;
        if (isNesting) reader.Enter();
        T inner = default(TCodec).Read(ref reader);
        if (isNesting) reader.Leave();
        return new Lazy<T>(inner);
    }
}
