// The contract between generated code, built-in codecs and the engine. Codecs are empty structs with static members, so that a loop over
// ListCodec<Trade, TradeCodec> is compiled with direct calls: no delegate, no interface call, no boxing.

namespace Store.Serialization;

/// <summary>
/// Writes and reads values of <typeparamref name="T"/> in the record format (docs/formats/record.md). Implemented by empty structs, most of them generated.
/// Stateless and safe for any number of threads.
/// </summary>
/// <typeparam name="T">The type of the value.</typeparam>
public interface INinoCodec<T>
{
    /// <summary>The least number of bytes any value takes, at least 1: an object without members writes one zero byte, so that no element of a collection is free. A count read from input is checked against it before anything is allocated.</summary>
    static abstract int MinSize { get; }

    /// <summary>Describes the encoding, for the schema stored beside the records.</summary>
    /// <param name="builder">Collects the definitions of named types, each once, so that recursive types end.</param>
    static abstract SchemaNode Describe(SchemaBuilder builder);

    /// <summary>Writes one value. Null is written where the type allows it, else it is a <see cref="NinoSerializationException"/>.</summary>
    static abstract void Write(ref NinoWriter writer, in T value);

    /// <summary>Reads one value. Every byte is checked: throws <see cref="NinoSerializationException"/>, and nothing else, on input that no writer produced.</summary>
    static abstract T Read(ref NinoReader reader);
}

/// <summary>A codec of a reference type with a body: the presence byte can be left out where the surrounding format already says that the value is there.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
public interface INinoBodyCodec<T> : INinoCodec<T>
{
    /// <summary>The least number of bytes any body takes.</summary>
    static abstract int MinBodySize { get; }

    /// <summary>Writes a value that is not null, without a presence byte.</summary>
    static abstract void WriteBody(ref NinoWriter writer, in T value);

    /// <summary>Reads a value that <see cref="WriteBody"/> wrote.</summary>
    static abstract T ReadBody(ref NinoReader reader);
}

/// <summary>
/// A codec whose every value takes the same number of bytes, so that generated code can put it at a constant offset after one check for the whole
/// fixed prefix of an object.
/// </summary>
/// <typeparam name="T">The type of the value.</typeparam>
public interface INinoFixedCodec<T> : INinoCodec<T>
{
    /// <summary>The number of bytes of every value.</summary>
    static abstract int Size { get; }

    /// <summary>Stores a value. Bound: the caller has reserved at least <see cref="Size"/> bytes at <paramref name="destination"/>.</summary>
    static abstract void WriteFixed(ref byte destination, in T value);

    /// <summary>Loads a value and validates its bits. Bound: the caller has checked that <see cref="Size"/> bytes are readable at <paramref name="source"/>.</summary>
    static abstract T ReadFixed(ref readonly byte source);
}
