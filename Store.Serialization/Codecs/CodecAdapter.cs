namespace Store.Serialization.Codecs;

/// <summary>
/// A codec struct as an object: the one place where a virtual call leads into generated code. (IsValueType stands before each comparison with null
/// because code that is not optimized yet boxes a struct for it.)
/// </summary>
internal sealed class CodecAdapter<T, TCodec> : NinoCodec<T> where TCodec : struct, INinoCodec<T>
{
    public override void WriteRecord(ref NinoWriter writer, in T value)
    {
        if (!typeof(T).IsValueType && value is null) throw new ArgumentNullException(nameof(value), $"A record of type '{typeof(T)}' cannot be null.");
        writer.BeginRecord();
        if (TCodec.Form == CodecForm.Object) default(TCodec).WriteBody(ref writer, in value);
        else default(TCodec).Write(ref writer, in value);
        writer.EndRecord();
    }

    public override T ReadRecord(ref NinoReader reader)
    {
        reader.BeginRecord();
        try
        {
            if (TCodec.Form == CodecForm.Object) return default(TCodec).ReadBody(ref reader);
            T value = default(TCodec).Read(ref reader);
            if (!typeof(T).IsValueType && value is null) Throw.NullRecord(typeof(T));
            return value;
        }
        catch (Exception error) when (error is not (NinoSerializationException or NinoTypeNotRegisteredException or OutOfMemoryException or MissingMemberException or TypeLoadException))
        {
            // Not those of a program that is put together wrongly. Bytes can be well formed and still be refused by the constructors, setters or key comparers of the user's types.
            throw RecordErrors.Refused(error);
        }
    }

    internal override CodecForm Form => TCodec.Form;

    internal override int MinSize => TCodec.MinSize;

    internal override int FixedValueSize => TCodec.FixedSize;

    internal override int MinBodySize => TCodec.MinBodySize;

    internal override int FixedBodySize => TCodec.FixedBodySize;

    internal override SchemaNode Describe(SchemaBuilder builder) => TCodec.Describe(builder);

    internal override void Write(ref NinoWriter writer, in T value) => default(TCodec).Write(ref writer, in value);

    internal override T Read(ref NinoReader reader) => default(TCodec).Read(ref reader);

    internal override void WriteFixed(ref byte destination, in T value) => default(TCodec).WriteFixed(ref destination, in value);

    internal override T ReadFixed(ref readonly byte source) => default(TCodec).ReadFixed(in source);

    internal override void WriteBody(ref NinoWriter writer, in T value) => default(TCodec).WriteBody(ref writer, in value);

    internal override T ReadBody(ref NinoReader reader) => default(TCodec).ReadBody(ref reader);
}
