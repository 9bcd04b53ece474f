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

    /// <summary>The form of a struct whose <see cref="INinoCodec.Memory"/> limits no bits: one copy an array, where its memory is its encoding.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static CodecForm FormOf<T, TCodec>() where TCodec : struct, INinoCodec<T> => Codecs.StructMemory<T, TCodec>.IsCopy ? CodecForm.Blittable : CodecForm.Fixed;

    /// <summary>How many bytes <see cref="WriteTextAt"/> may store, more than any buffer has where it cannot be used. At most eight of these are added up.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long RoomForText(string? text) => Codecs.StringCodec.RoomFor(text);

    /// <summary>The most bytes that <see cref="WriteUsualTextAt"/> stores. No constant: that would be the one of the version a program was compiled with, and what is stored is that of the one it runs with.</summary>
    public static int UsualTextRoom
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Codecs.StringCodec.UsualRoom;
    }

    /// <summary>True for a string that is not null and of as many chars as most are.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsUsualText(string? text) => text is not null && Latin1.IsFourToSixteen(text.Length);

    /// <summary>Stores a string as a member is encoded. Bound: <see cref="IsUsualText"/>, and <see cref="UsualTextRoom"/> bytes can be stored at <paramref name="destination"/>.</summary>
    /// <returns>How many bytes it takes.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int WriteUsualTextAt(ref byte destination, string text) => Codecs.StringCodec.WriteUsualAt(ref destination, text);

    /// <summary>Stores a string as a member is encoded. Bound: <see cref="RoomForText"/> bytes can be stored at <paramref name="destination"/>.</summary>
    /// <returns>How many bytes it takes.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int WriteTextAt(ref byte destination, string? text) => Codecs.StringCodec.WriteAt(ref destination, text);

    /// <summary>Reads a string that is null, empty or short and of one byte a char.</summary>
    /// <param name="source">The first byte of what is read.</param>
    /// <param name="length">How many bytes it has.</param>
    /// <param name="position">Where the string begins, at least 0; then where it ends.</param>
    /// <param name="text">The string.</param>
    /// <returns>False when something else is there.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryReadTextAt(ref readonly byte source, int length, ref int position, out string text) => Codecs.StringCodec.TryReadAt(in source, length, ref position, out text);

    /// <summary>Takes so many bytes and reads the string behind them.</summary>
    /// <returns>The first of the bytes. Bound: the caller loads at most <paramref name="size"/>.</returns>
    /// <exception cref="NinoSerializationException">Fewer bytes are there, or no string is behind them.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref readonly byte TakeBeforeText(ref NinoReader reader, int size, out string text) => ref Codecs.StringCodec.ReadBehind(ref reader, size, out text);

    /// <summary>One value as a member is encoded: what <see cref="SchemaBuilder.FieldList.Defaults"/> is given.</summary>
    public static byte[] Encode<T, TCodec>(T value) where TCodec : struct, INinoCodec<T> => Encode<T, TCodec>(value, limits: null);

    internal static byte[] Encode<T, TCodec>(T value, NinoLimits? limits) where TCodec : struct, INinoCodec<T>
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        var writer = new NinoWriter(output, limits) { IsUnasked = t_isUnasked };
        default(TCodec).Write(ref writer, in value);
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }

    /// <summary>False while an object is written that nobody asked for: the one whose members older records lack. Callbacks are not run on it.</summary>
    public static bool CallsBackFrom(ref readonly NinoWriter writer) => !writer.IsUnasked;

    /// <summary>As <see cref="CallsBackFrom"/>, for structs of fixed width, which know no writer.</summary>
    public static bool CallsBack => !t_isUnasked;

    [ThreadStatic]
    private static bool t_isUnasked;

    /// <summary>As <see cref="Encode{T, TCodec}(T)"/>, of an object that nobody asked for.</summary>
    internal static TResult Unasked<TResult>(Func<TResult> encode)
    {
        bool before = SwapUnasked(true);
        try
        {
            return encode();
        }
        finally
        {
            SwapUnasked(before);
        }
    }

    /// <summary>Whether what this thread writes from here on was asked for by nobody; returns what it was.</summary>
    internal static bool SwapUnasked(bool isUnasked)
    {
        bool before = t_isUnasked;
        t_isUnasked = isUnasked;
        return before;
    }

    /// <summary>Writes the tag of a case: the hash of its name, or 0 for null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteTag(ref NinoWriter writer, uint tag) => Unsafe.WriteUnaligned(ref writer.Take(4), tag);

    /// <summary>Reads what <see cref="WriteTag"/> wrote.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint ReadTag(ref NinoReader reader) => Unsafe.ReadUnaligned<uint>(in reader.Take(4));

    /// <summary>Writes a case with its length in front.</summary>
    /// <typeparam name="T">The case.</typeparam>
    /// <typeparam name="TCodec">Its codec: of the object form for a class.</typeparam>
    /// <exception cref="NinoSerializationException">The case holds objects to which references are kept.</exception>
    public static void WriteSized<T, TCodec>(ref NinoWriter writer, in T value) where TCodec : struct, INinoCodec<T>
    {
        int size = TCodec.Form == CodecForm.Object ? TCodec.FixedBodySize : TCodec.FixedSize;
        if (size > 0)
        {
            writer.WriteCompact((uint)size);
            WriteCase<T, TCodec>(ref writer, in value);
            return;
        }

        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            NinoWriter part = writer.Part(buffer);
            WriteCase<T, TCodec>(ref part, in value);
            part.Flush();
            if (part.HasReferences) Throw.ReferencesInSkippable(typeof(T));
            writer.WriteCompact((uint)buffer.Written.Length);
            writer.WriteBytes(buffer.Written);
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>Reads what <see cref="WriteSized"/> wrote.</summary>
    /// <inheritdoc cref="WriteSized" path="/typeparam"/>
    public static T ReadSized<T, TCodec>(ref NinoReader reader) where TCodec : struct, INinoCodec<T>
    {
        int end = ReadCaseEnd(ref reader);
        T value = TCodec.Form == CodecForm.Object ? default(TCodec).ReadBody(ref reader) : default(TCodec).Read(ref reader);
        CheckCaseEnd(in reader, end);
        return value;
    }

    /// <summary>Moves over a case that is not known.</summary>
    public static void SkipCase(ref NinoReader reader)
    {
        int end = ReadCaseEnd(ref reader);
        reader.Take(reader.Remaining - end);
    }

    /// <summary>Reads the object, or null, that a stored reference other than 1 names.</summary>
    /// <exception cref="NinoSerializationException">There is no such object yet, or it is of another type.</exception>
    public static T ReadReference<T>(ref NinoReader reader, uint reference) where T : class
    {
        if (reference == 0) return null!;
        object value = reader.Resolve(reference);
        if (value.GetType() != typeof(T)) Throw.ReferenceOfAnotherType(value.GetType().ToString(), typeof(T).ToString());
        return (T)value;
    }

    /// <summary>As <see cref="ReadReference"/> for a polymorphic base: the object is of one of its cases.</summary>
    /// <inheritdoc cref="ReadReference" path="/exception"/>
    public static T ReadCaseReference<T>(ref NinoReader reader, uint reference, ReadOnlySpan<Type> cases) where T : class
    {
        if (reference == 0) return null!;
        object value = reader.Resolve(reference);
        if (!cases.Contains(value.GetType())) Throw.ReferenceOfAnotherType(value.GetType().ToString(), typeof(T).ToString());
        return (T)value;
    }

    /// <summary>Reads a struct that is a case of a base which keeps references: its box is the object that is numbered.</summary>
    public static TBase ReadNumbered<TBase, T, TCodec>(ref NinoReader reader) where TBase : class where T : struct where TCodec : struct, INinoCodec<T>
    {
        int number = reader.AddReference();
        object box = default(TCodec).Read(ref reader);
        reader.SetReference(number, box);
        reader.EndReference(number);
        return (TBase)box;
    }

    /// <summary>True when the object is of one of the cases.</summary>
    public static bool IsCase(object value, ReadOnlySpan<Type> cases) => cases.Contains(value.GetType());

    /// <summary>An object of which no constructor has run: every field is zero.</summary>
    public static T MakeBare<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors | DynamicallyAccessedMemberTypes.NonPublicConstructors)] T>() where T : class =>
        (T)RuntimeHelpers.GetUninitializedObject(typeof(T));

    /// <summary>Refuses null from a factory method: no object can be made of what was read.</summary>
    /// <exception cref="NinoSerializationException">It is null.</exception>
    public static T CheckMade<T>(T value) where T : class =>
        value ?? throw new NinoSerializationException($"The factory method of '{typeof(T)}' returned null for the values read.");

    /// <summary>Refuses a case that is null: null has a tag of its own.</summary>
    /// <exception cref="NinoSerializationException">It is null.</exception>
    public static T CheckCase<T>(T value) where T : class
    {
        if (value is null) Throw.NullCase();
        return value;
    }

    /// <summary>Refuses a set that became smaller than the elements it was made of.</summary>
    /// <exception cref="NinoSerializationException">Some of them are equal.</exception>
    public static TSet CheckElements<TSet>(TSet set, int count, int elements)
    {
        if (count != elements) Throw.EqualElements(elements - count);
        return set;
    }

    /// <summary>Refuses a tag that no known case has.</summary>
    /// <param name="name">Schema name of the base.</param>
    /// <param name="tag">The tag, as it is shown.</param>
    /// <param name="known">The known cases with their tags.</param>
    /// <exception cref="NinoSerializationException">Always.</exception>
    [DoesNotReturn]
    public static void ThrowUnknownTag(string name, string tag, string known) => Throw.UnknownTag(name, tag, known);

    /// <summary>Refuses to write an object that is no case of its declared type.</summary>
    /// <exception cref="NinoSerializationException">Always.</exception>
    [DoesNotReturn]
    public static void ThrowUnknownCase(Type actual, Type declared, string known)
    {
        string late = NinoRegistry.LateFor(declared) is { } assemblies ? $" (The cases that '{assemblies}' knows came after the first use of '{declared}', when its cases were settled.)" : "";
        throw new NinoSerializationException($"A value of type '{actual}' is no known case of '{declared}' ({known}). {CaseAdvice.ForCase(actual, declared)}{late}") { TypeName = declared.FullName };
    }

    /// <summary>Reads the length of a case.</summary>
    /// <returns>How many bytes are left after the case.</returns>
    internal static int ReadCaseEnd(ref NinoReader reader)
    {
        uint length = reader.ReadCompact();
        if (length == 0) Throw.EmptyCase();
        if (length > (uint)reader.Remaining) Throw.EndOfInput(length, reader.Remaining);
        return reader.Remaining - (int)length;
    }

    internal static void CheckCaseEnd(ref readonly NinoReader reader, int end)
    {
        if (reader.Remaining != end) Throw.BadCaseLength(reader.Remaining - end);
    }

    private static void WriteCase<T, TCodec>(ref NinoWriter writer, in T value) where TCodec : struct, INinoCodec<T>
    {
        if (TCodec.Form == CodecForm.Object) default(TCodec).WriteBody(ref writer, in value);
        else default(TCodec).Write(ref writer, in value);
    }

    /// <summary>Refuses an object whose run-time type is derived from the declared one: what the derived type adds would be lost.</summary>
    /// <exception cref="NinoSerializationException">Always.</exception>
    [DoesNotReturn]
    public static void ThrowDerived(Type actual, Type declared) =>
        throw new NinoSerializationException($"A value of type '{actual}' was found where '{declared}' is declared: what the derived type adds would be lost. {CaseAdvice.ForCase(actual, declared)} A '{declared.Name}' is a polymorphic base where the mark of a derived type is in reach of the compilation. Or store it as its own type.") { TypeName = declared.FullName, RefusesWholeObject = true };
}
