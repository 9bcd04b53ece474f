// What generated views share. The bound of every access is here: Fixed compares offset and width with the bytes, everything else reads through NinoReader.

using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Serialization.Codecs;
using Store.Serialization.Evolution;

namespace Store.Serialization;

/// <summary>Called by generated code. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NinoViews
{
    /// <summary>A member at a constant offset. Bound: offset and width are compared with the bytes.</summary>
    /// <exception cref="InvalidOperationException">The view is of null.</exception>
    /// <exception cref="NinoSerializationException">The bytes end before it, or its bits are no value.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Fixed<T, TCodec>(ReadOnlySpan<byte> body, int offset) where TCodec : struct, INinoCodec<T>
    {
        if ((uint)body.Length < (uint)(offset + TCodec.FixedSize)) ThrowTooShort(offset + TCodec.FixedSize, body.Length);
        return default(TCodec).ReadFixed(in Unsafe.Add(ref MemoryMarshal.GetReference(body), offset));
    }

    /// <summary>The bytes from an offset on.</summary>
    /// <inheritdoc cref="Fixed" path="/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> From(ReadOnlySpan<byte> body, int offset)
    {
        if ((uint)body.Length < (uint)offset || body.IsEmpty) ThrowTooShort(offset, body.Length);
        return body[offset..];
    }

    /// <summary>The bytes of a record, when there are at least so many.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> AtLeast(ReadOnlySpan<byte> record, int minBytes)
    {
        if (record.Length < minBytes) Throw.EndOfInput(minBytes, record.Length);
        return record;
    }

    /// <summary>Reads the presence byte at the beginning.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsPresent(ReadOnlySpan<byte> value)
    {
        if (value.IsEmpty) Throw.EndOfInput(1, 0);
        if (value[0] > 1) Throw.BadPresence(value[0]);
        return value[0] != 0;
    }

    /// <summary>A view of the value that the bytes begin with.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static TView At<TView>(ReadOnlySpan<byte> value) where TView : struct, INinoView<TView>, allows ref struct => TView.At(value);

    /// <summary>A view of the body that the bytes begin with.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static TView AtBody<TView>(ReadOnlySpan<byte> body) where TView : struct, INinoView<TView>, allows ref struct => TView.AtBody(body);

    /// <summary>Moves over a value of a member that has a view.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Skip<TView>(ref NinoReader reader) where TView : struct, INinoView<TView>, allows ref struct => TView.Skip(ref reader);

    /// <summary>Moves over a value of any codec, by what its schema says.</summary>
    public static void SkipValue<T, TCodec>(ref NinoReader reader) where TCodec : struct, INinoCodec<T> => ValueSkip<T, TCodec>.Node.Skip(ref reader);

    /// <summary>Makes the value that the bytes begin with.</summary>
    /// <exception cref="NinoSerializationException">The bytes are no such value, or code of its type refused it.</exception>
    /// <exception cref="NotSupportedException">It may hold references to objects elsewhere in the record.</exception>
    public static T Read<T, TCodec>(ReadOnlySpan<byte> value) where TCodec : struct, INinoCodec<T>
    {
        if (Part<T, TCodec>.HoldsReferences) ThrowHoldsReferences(typeof(T));
        var reader = new NinoReader(value);
        try
        {
            return default(TCodec).Read(ref reader);
        }
        catch (Exception error) when (error is not NinoSerializationException && RecordErrors.IsAboutTheRecord(error))
        {
            throw RecordErrors.Refused(error);
        }
    }

    /// <summary>Makes the object whose body the bytes begin with, or null of none.</summary>
    /// <inheritdoc cref="Read" path="/exception"/>
    public static T ReadBody<T, TCodec>(ReadOnlySpan<byte> body) where TCodec : struct, INinoCodec<T>
    {
        if (body.IsEmpty) return default!;
        if (Part<T, TCodec>.HoldsReferences) ThrowHoldsReferences(typeof(T));
        var reader = new NinoReader(body);
        try
        {
            return default(TCodec).ReadBody(ref reader);
        }
        catch (Exception error) when (error is not NinoSerializationException && RecordErrors.IsAboutTheRecord(error))
        {
            throw RecordErrors.Refused(error);
        }
    }

    /// <summary>The bytes of the value that they begin with.</summary>
    public static ReadOnlySpan<byte> Extent<TView>(ReadOnlySpan<byte> value) where TView : struct, INinoView<TView>, allows ref struct
    {
        var reader = new NinoReader(value);
        TView.Skip(ref reader);
        return value[..reader.Position];
    }

    /// <summary>The schema of records that a codec writes.</summary>
    public static NinoSchema SchemaOf<T, TCodec>() where TCodec : struct, INinoCodec<T> => ValueSkip<T, TCodec>.Schema;

    /// <summary>Reads the tag of a union.</summary>
    /// <param name="value">Tag and case.</param>
    /// <param name="hasExplicitTags">As in the schema.</param>
    /// <param name="hasLength">The length of the case stands behind the tag.</param>
    /// <param name="body">The case, and what follows it unless its length is stored; empty for null.</param>
    /// <returns>What is stored: 0 for null.</returns>
    public static uint Tag(ReadOnlySpan<byte> value, bool hasExplicitTags, bool hasLength, out ReadOnlySpan<byte> body)
    {
        var reader = new NinoReader(value);
        uint tag = hasExplicitTags ? reader.ReadCompact() : NinoGenerated.ReadTag(ref reader);
        body = default;
        if (tag == 0) return 0;
        if (hasLength)
        {
            int end = NinoGenerated.ReadCaseEnd(ref reader);
            body = value[reader.Position..(value.Length - end)];
        }
        else
        {
            body = value[reader.Position..];
        }

        if (body.IsEmpty) Throw.EndOfInput(1, 0);
        return tag;
    }

    /// <summary>Refuses null where a whole record stands.</summary>
    [DoesNotReturn]
    public static void ThrowNullRecord(Type type) => Throw.NullRecord(type);

    /// <summary>As codecs do: only strings have comparers that are kept.</summary>
    internal static void CheckComparer<TView>(KnownComparer comparer) where TView : struct, INinoView<TView>, allows ref struct
    {
        if (comparer != KnownComparer.Default && typeof(TView) != typeof(NinoStringView) && typeof(TView) != typeof(NinoUtf8View)) Throw.ComparerOfOtherThanStrings();
    }

    [DoesNotReturn]
    private static void ThrowTooShort(int needed, int length)
    {
        if (length == 0) ThrowNull();
        Throw.EndOfInput(needed, length);
    }

    [DoesNotReturn]
    internal static void ThrowNull() => throw new InvalidOperationException("The view is of null: ask IsNull (or HasValue) before its members.");

    [DoesNotReturn]
    private static void ThrowHoldsReferences(Type type) =>
        throw new NotSupportedException($"A value of '{type}' can hold objects of a type with [NinoType(References = true)], which may stand elsewhere in the record: a view cannot read it by itself. Read the whole record with NinoSerializer.Deserialize.");

    // Apart from ValueSkip, which builds more. What another assembly keeps in its types, and what NinoObjects adds, no generated code can know.
    private static class Part<T, TCodec> where TCodec : struct, INinoCodec<T>
    {
        public static readonly bool HoldsReferences = NinoSchema.Create(TCodec.Describe(new SchemaBuilder())).Definitions.Any(static type => type is ObjectDefinition { KeepsReferences: true } or UnionDefinition { KeepsReferences: true });
    }

    private static class ValueSkip<T, TCodec> where TCodec : struct, INinoCodec<T>
    {
        public static readonly NinoSchema Schema = NinoSchema.Create(TCodec.Describe(new SchemaBuilder()));

        public static readonly SkipNode Node = Create();

        private static SkipNode Create()
        {
            var nodes = new SkipNodes();
            SkipNode node = nodes.Of(Schema.Root);
            nodes.Finish();
            return node;
        }
    }
}
