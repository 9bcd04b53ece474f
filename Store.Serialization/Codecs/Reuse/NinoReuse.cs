// How reading uses what a variable holds already: the calls between codecs. A codec that cannot is asked to read anew, and because that is a constant of
// the codec one side of each branch vanishes. What is kept and what is not: docs/reading-into.md.

using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Store.Serialization;

/// <summary>Called by generated code and by codecs. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NinoReuse
{
    /// <summary>Reads a value into what the variable holds, or a new one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Read<T, TCodec>(ref NinoReader reader, ref T value) where TCodec : struct, INinoCodec<T>
    {
        if (TCodec.CanReadInto) default(TCodec).ReadInto(ref reader, ref value);
        else value = default(TCodec).Read(ref reader);
    }

    /// <summary>Reads the body of an object into the one that the variable holds, or a new one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void ReadBody<T, TCodec>(ref NinoReader reader, ref T value) where TCodec : struct, INinoCodec<T>
    {
        if (TCodec.CanReadInto) default(TCodec).ReadBodyInto(ref reader, ref value);
        else value = default(TCodec).ReadBody(ref reader);
    }

    /// <summary>Reads a case of a polymorphic base with its length in front.</summary>
    public static void ReadSized<T, TCodec>(ref NinoReader reader, ref T value) where TCodec : struct, INinoCodec<T>
    {
        int end = NinoGenerated.ReadCaseEnd(ref reader);
        if (TCodec.Form == CodecForm.Object) ReadBody<T, TCodec>(ref reader, ref value);
        else Read<T, TCodec>(ref reader, ref value);
        NinoGenerated.CheckCaseEnd(in reader, end);
    }

    /// <summary>The object as a case, when it is of exactly that class, else null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T? AsCase<T>(object? value) where T : class => value is not null && value.GetType() == typeof(T) ? Unsafe.As<T>(value) : null;
}
