// What generated codecs share: the checks that would otherwise be repeated in every one of them.

using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Store.Serialization;

/// <summary>Called by generated code. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NinoGenerated
{
    /// <summary>Checks the one byte of an object without members.</summary>
    /// <exception cref="NinoSerializationException">The byte is not 0.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void CheckEmpty(byte stored)
    {
        if (stored != 0) Throw.BadEmptyObject(stored);
    }

    /// <summary>The body of an object, without presence byte: what <see cref="SchemaBuilder.FieldList.Defaults"/> is given.</summary>
    public static byte[] BodyOf<T, TCodec>(T value) where TCodec : struct, INinoCodec<T>
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        var writer = new NinoWriter(output);
        if (TCodec.Form == CodecForm.Object) default(TCodec).WriteBody(ref writer, in value);
        else default(TCodec).Write(ref writer, in value);
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }

    /// <summary>Refuses an object whose run-time type is derived from the declared one: what the derived type adds would be lost.</summary>
    /// <exception cref="NinoSerializationException">Always.</exception>
    [DoesNotReturn]
    public static void ThrowDerived(Type actual, Type declared) =>
        throw new NinoSerializationException($"A value of type '{actual}' was found where '{declared}' is declared: what the derived type adds would be lost. Store it as its own type, or seal '{declared.Name}'.") { TypeName = declared.FullName };
}
