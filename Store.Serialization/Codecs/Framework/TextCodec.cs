// Framework types that are best kept as the text that makes them again: encoded as strings, so that every tool shows what they are.

namespace Store.Serialization.Codecs;

/// <summary>How a type becomes text and is made again from it.</summary>
/// <typeparam name="T">The type.</typeparam>
public interface ITextForm<T>
{
    /// <summary>False for a struct: it has no null, and null in the bytes is damage.</summary>
    static virtual bool HasNull => true;

    /// <summary>What a struct is where nothing is stored.</summary>
    static virtual T Zero => default!;

    /// <summary>True when every text that <see cref="TryParse"/> takes is the normal one, so that it need not be compared with what would be written.</summary>
    static virtual bool IsNormal => false;

    /// <summary>True when there is no text, and no null, that is refused.</summary>
    static virtual bool TakesEveryText => false;

    /// <summary>The text of a value that is not null.</summary>
    /// <exception cref="NinoSerializationException">The value holds what the text cannot say.</exception>
    static abstract string ToText(T value);

    /// <summary>Makes the value. False when the text is none.</summary>
    /// <exception cref="NinoSerializationException">The text is one, and this system does not know what it names.</exception>
    static abstract bool TryParse(string text, out T value);
}

/// <summary>A value kept as text. Only the text that would be written is accepted, so every value has one encoding.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <typeparam name="TForm">Its text.</typeparam>
public readonly struct TextCodec<T, TForm> : INinoCodec<T> where TForm : struct, ITextForm<T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode node = SchemaNode.Primitive(SchemaKind.String);
        if (!TForm.TakesEveryText) node = node.WithRule(SchemaRule.As(typeof(T)));
        return TForm.HasNull ? node : node.WithZero(static () => NinoGenerated.Encode<T, TextCodec<T, TForm>>(TForm.Zero));
    }

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in T value)
    {
        if (TForm.HasNull && value is null) writer.Take(1) = 0;
        else default(StringCodec).Write(ref writer, TForm.ToText(value));
    }

    /// <inheritdoc/>
    public T Read(ref NinoReader reader)
    {
        string? text = default(StringCodec).Read(ref reader);
        if (text is null)
        {
            if (!TForm.HasNull) Throw.NullOf(typeof(T));
            return default!;
        }

        if (!TForm.TryParse(text, out T value) || (!TForm.IsNormal && TForm.ToText(value) != text)) Throw.BadText(typeof(T), text);
        return value;
    }
}
