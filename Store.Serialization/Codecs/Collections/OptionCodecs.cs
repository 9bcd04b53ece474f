// Options of F#: a value or nothing, as T? is in C#. What the null of C# cannot say (an option of an option, of a unit, of a struct that is a union) is boxed:
//
//   of a value type       presence byte, value (NullableCodec); zeros as wide as the value where it has a fixed width
//   of a reference type   the value itself; nothing is its null: MinSize zeros
//   boxed                 presence byte, object of a value type with the one field "Value"
//
// The engine references no FSharp.Core: generated code brings the forms. Page: docs/types.md, "F#".

using System.Diagnostics.CodeAnalysis;

namespace Store.Serialization.Codecs;

/// <summary>How an option is opened and made.</summary>
/// <typeparam name="TOption">The option.</typeparam>
/// <typeparam name="T">Its value.</typeparam>
public interface IOptionForm<TOption, T>
{
    /// <summary>The option without a value.</summary>
    static abstract TOption None { get; }

    /// <summary>The option of a value.</summary>
    static abstract TOption Some(T value);

    /// <summary>The value, if there is one.</summary>
    static abstract bool TryGet(in TOption option, [MaybeNullWhen(false)] out T value);
}

/// <summary>An option of a value type: encoded as <c>T?</c> is.</summary>
/// <typeparam name="TOption">The option.</typeparam>
/// <typeparam name="T">Its value.</typeparam>
/// <typeparam name="TCodec">Codec of the value.</typeparam>
/// <typeparam name="TForm">How the option is opened and made.</typeparam>
public readonly struct ValueOptionCodec<TOption, T, TCodec, TForm> : INinoCodec<TOption>
    where T : struct
    where TCodec : struct, INinoCodec<T>
    where TForm : struct, IOptionForm<TOption, T>
{
    /// <inheritdoc/>
    public static CodecForm Form => NullableCodec<T, TCodec>.Form;

    /// <inheritdoc/>
    public static int FixedSize => NullableCodec<T, TCodec>.FixedSize;

    /// <inheritdoc/>
    public static int MinSize => NullableCodec<T, TCodec>.MinSize;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => NullableCodec<T, TCodec>.Describe(builder);

    /// <inheritdoc/>
    public void WriteFixed(ref byte destination, in TOption value) => default(NullableCodec<T, TCodec>).WriteFixed(ref destination, Open(in value));

    /// <inheritdoc/>
    public TOption ReadFixed(ref readonly byte source) => Close(default(NullableCodec<T, TCodec>).ReadFixed(in source));

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TOption value) => default(NullableCodec<T, TCodec>).Write(ref writer, Open(in value));

    /// <inheritdoc/>
    public TOption Read(ref NinoReader reader) => Close(default(NullableCodec<T, TCodec>).Read(ref reader));

    private static T? Open(in TOption option) => TForm.TryGet(in option, out T value) ? value : null;

    private static TOption Close(T? value) => value is { } present ? TForm.Some(present) : TForm.None;
}

/// <summary>An option of a reference type: encoded as the value is, whose null stands for none. A value that is null itself is refused on writing.</summary>
/// <typeparam name="TOption">The option.</typeparam>
/// <typeparam name="T">Its value, with an encoding of null that is as many zeros as its codec's least size.</typeparam>
/// <typeparam name="TCodec">Codec of the value.</typeparam>
/// <typeparam name="TForm">How the option is opened and made.</typeparam>
public readonly struct ObjectOptionCodec<TOption, T, TCodec, TForm> : INinoCodec<TOption>
    where T : class
    where TCodec : struct, INinoCodec<T>
    where TForm : struct, IOptionForm<TOption, T>
{
    // A list of objects asks its elements for null, and an option that is a struct never is.
    private static bool IsBoxed => TCodec.Form == CodecForm.Object && typeof(TOption).IsValueType;

    /// <inheritdoc/>
    public static CodecForm Form => IsBoxed ? BoxedOptionCodec<TOption, T, TCodec, TForm>.Form : TCodec.Form;

    /// <inheritdoc/>
    public static int FixedSize => IsBoxed ? BoxedOptionCodec<TOption, T, TCodec, TForm>.FixedSize : 0;

    /// <inheritdoc/>
    public static int MinSize => IsBoxed ? BoxedOptionCodec<TOption, T, TCodec, TForm>.MinSize : TCodec.MinSize;

    /// <inheritdoc/>
    public static int MinBodySize => IsBoxed ? 0 : TCodec.MinBodySize;

    /// <inheritdoc/>
    public static int FixedBodySize => IsBoxed ? 0 : TCodec.FixedBodySize;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => IsBoxed ? BoxedOptionCodec<TOption, T, TCodec, TForm>.Describe(builder) : TCodec.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TOption value)
    {
        if (IsBoxed)
        {
            default(BoxedOptionCodec<TOption, T, TCodec, TForm>).Write(ref writer, in value);
            return;
        }

        if (!TForm.TryGet(in value, out T? present))
        {
            System.Runtime.InteropServices.MemoryMarshal.CreateSpan(ref writer.Take(TCodec.MinSize), TCodec.MinSize).Clear();
            return;
        }

        if (present is null) Throw.NullInOption(typeof(T));
        default(TCodec).Write(ref writer, in present);
    }

    /// <inheritdoc/>
    public TOption Read(ref NinoReader reader)
    {
        if (IsBoxed) return default(BoxedOptionCodec<TOption, T, TCodec, TForm>).Read(ref reader);
        if (reader.Remaining >= TCodec.MinSize)
        {
            NinoReader ahead = reader;
            if (!ahead.TakeSpan(TCodec.MinSize).ContainsAnyExcept((byte)0))
            {
                reader.Take(TCodec.MinSize);
                return TForm.None;
            }
        }

        T value = default(TCodec).Read(ref reader);
        // An unknown case that is skipped is null.
        return value is null ? TForm.None : TForm.Some(value);
    }

    /// <inheritdoc/>
    public void WriteBody(ref NinoWriter writer, in TOption value)
    {
        T present = Present(in value);
        default(TCodec).WriteBody(ref writer, in present);
    }

    /// <inheritdoc/>
    public TOption ReadBody(ref NinoReader reader) => TForm.Some(default(TCodec).ReadBody(ref reader));

    /// <inheritdoc/>
    public void WriteFixedBody(ref byte destination, in TOption value)
    {
        T present = Present(in value);
        default(TCodec).WriteFixedBody(ref destination, in present);
    }

    /// <inheritdoc/>
    public TOption ReadFixedBody(ref readonly byte source) => TForm.Some(default(TCodec).ReadFixedBody(in source));

    private static T Present(in TOption option)
    {
        if (!TForm.TryGet(in option, out T? value) || value is null) Throw.NullInOption(typeof(T));
        return value;
    }
}

/// <summary>An option of something that has a meaning for null itself, or none: encoded as a nullable struct with the one field <c>Value</c>.</summary>
/// <typeparam name="TOption">The option.</typeparam>
/// <typeparam name="T">Its value.</typeparam>
/// <typeparam name="TCodec">Codec of the value.</typeparam>
/// <typeparam name="TForm">How the option is opened and made.</typeparam>
public readonly struct BoxedOptionCodec<TOption, T, TCodec, TForm> : INinoCodec<TOption>
    where TCodec : struct, INinoCodec<T>
    where TForm : struct, IOptionForm<TOption, T>
{
    /// <inheritdoc/>
    public static CodecForm Form => NullableCodec<OptionBox<T>, OptionBoxCodec<T, TCodec>>.Form;

    /// <inheritdoc/>
    public static int FixedSize => NullableCodec<OptionBox<T>, OptionBoxCodec<T, TCodec>>.FixedSize;

    /// <inheritdoc/>
    public static int MinSize => NullableCodec<OptionBox<T>, OptionBoxCodec<T, TCodec>>.MinSize;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => NullableCodec<OptionBox<T>, OptionBoxCodec<T, TCodec>>.Describe(builder);

    /// <inheritdoc/>
    public void WriteFixed(ref byte destination, in TOption value) => default(NullableCodec<OptionBox<T>, OptionBoxCodec<T, TCodec>>).WriteFixed(ref destination, Open(in value));

    /// <inheritdoc/>
    public TOption ReadFixed(ref readonly byte source) => Close(default(NullableCodec<OptionBox<T>, OptionBoxCodec<T, TCodec>>).ReadFixed(in source));

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TOption value) => default(NullableCodec<OptionBox<T>, OptionBoxCodec<T, TCodec>>).Write(ref writer, Open(in value));

    /// <inheritdoc/>
    public TOption Read(ref NinoReader reader) => Close(default(NullableCodec<OptionBox<T>, OptionBoxCodec<T, TCodec>>).Read(ref reader));

    private static OptionBox<T>? Open(in TOption option) => TForm.TryGet(in option, out T? value) ? new OptionBox<T>(value) : null;

    private static TOption Close(OptionBox<T>? box) => box is { } present ? TForm.Some(present.Value) : TForm.None;
}

/// <summary>A value that is there, whatever it is.</summary>
internal readonly struct OptionBox<T>(T value)
{
    public readonly T Value = value;
}

/// <summary>A box: an object of a value type with the one field <c>Value</c>, named by its structure.</summary>
internal readonly struct OptionBoxCodec<T, TCodec> : INinoCodec<OptionBox<T>> where TCodec : struct, INinoCodec<T>
{
    private static bool IsFixed => TCodec.Form is CodecForm.Fixed or CodecForm.Blittable;

    // Fixed-width values hold no other objects.
    private static bool IsNesting => !IsFixed && Nesting<OptionBox<T>, OptionBoxCodec<T, TCodec>>.Counts;

    public static CodecForm Form => IsFixed ? CodecForm.Fixed : CodecForm.Value;

    public static int FixedSize => IsFixed ? TCodec.FixedSize : 0;

    public static int MinSize => TCodec.MinSize;

    public static SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode value = TCodec.Describe(builder);
        return builder.Shape(NinoSchema.NamesOf(value).Select(static name => $"Option<{name}>"), isReference: false, fields => fields.Add("Value", 0, value));
    }

    public void WriteFixed(ref byte destination, in OptionBox<T> value) => default(TCodec).WriteFixed(ref destination, in value.Value);

    public OptionBox<T> ReadFixed(ref readonly byte source) => new(default(TCodec).ReadFixed(in source));

    public void Write(ref NinoWriter writer, in OptionBox<T> value)
    {
        bool isNesting = IsNesting;
        if (isNesting) writer.Enter();
        default(TCodec).Write(ref writer, in value.Value);
        if (isNesting) writer.Leave();
    }

    public OptionBox<T> Read(ref NinoReader reader)
    {
        bool isNesting = IsNesting;
        if (isNesting) reader.Enter();
        T value = default(TCodec).Read(ref reader);
        if (isNesting) reader.Leave();
        return new OptionBox<T>(value);
    }
}

/// <summary>A type with one value, which is null (the unit of F#): an object of a value type without members, one zero byte.</summary>
/// <typeparam name="T">The type.</typeparam>
public readonly struct UnitCodec<T> : INinoCodec<T> where T : class
{
    /// <inheritdoc/>
    public static CodecForm Form => CodecForm.Fixed;

    /// <inheritdoc/>
    public static int FixedSize => 1;

    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => builder.Shape("Unit", isReference: false, static _ => { });

    /// <inheritdoc/>
    public void WriteFixed(ref byte destination, in T value) => destination = 0;

    /// <inheritdoc/>
    public T ReadFixed(ref readonly byte source)
    {
        NinoGenerated.CheckEmpty(source);
        return null!;
    }

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in T value) => writer.Take(1) = 0;

    /// <inheritdoc/>
    public T Read(ref NinoReader reader)
    {
        reader.ReadEmptyBody();
        return null!;
    }
}
