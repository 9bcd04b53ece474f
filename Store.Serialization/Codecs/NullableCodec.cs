using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

/// <summary>
/// A value type that may be absent: a presence byte (0 or 1), then the value. A fixed-width value takes its bytes even when absent, as zeros,
/// so that the whole stays fixed-width; other values are left out.
/// </summary>
/// <typeparam name="T">The value type.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
public readonly struct NullableCodec<T, TCodec> : INinoCodec<T?>
    where T : struct
    where TCodec : struct, INinoCodec<T>
{
    private static bool IsFixed
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => TCodec.Form is CodecForm.Fixed or CodecForm.Blittable;
    }

    /// <inheritdoc/>
    public static CodecForm Form => IsFixed ? CodecForm.Fixed : CodecForm.Value;

    /// <inheritdoc/>
    public static int FixedSize => IsFixed ? 1 + TCodec.FixedSize : 0;

    /// <inheritdoc/>
    public static int MinSize => IsFixed ? 1 + TCodec.FixedSize : 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Nullable(TCodec.Describe(builder));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteFixed(ref byte destination, in T? value)
    {
        if (value.HasValue)
        {
            destination = 1;
            default(TCodec).WriteFixed(ref Unsafe.Add(ref destination, 1), in Nullable.GetValueRefOrDefaultRef(in value));
        }
        else
        {
            Unsafe.InitBlockUnaligned(ref destination, 0, 1 + (uint)TCodec.FixedSize);
        }
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T? ReadFixed(ref readonly byte source)
    {
        if (source == 1) return default(TCodec).ReadFixed(in Unsafe.Add(ref Unsafe.AsRef(in source), 1));
        if (!IsZero(in source)) Throw.BadAbsentValue(source);
        return null;
    }

    // Of a size known when it is compiled, so that nothing is left of the loop for usual ones: a call of a search took longer than the value.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsZero(ref readonly byte source)
    {
        ref byte start = ref Unsafe.AsRef(in source);
        int size = 1 + TCodec.FixedSize;
        if (size > 17) return !MemoryMarshal.CreateReadOnlySpan(in source, size).ContainsAnyExcept((byte)0);
        if (size > 8) return (Unsafe.ReadUnaligned<ulong>(ref start) | Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, size - 8)) | Unsafe.Add(ref start, 8)) == 0;
        if (size >= 4) return (Unsafe.ReadUnaligned<uint>(ref start) | Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, size - 4))) == 0;
        return (start | Unsafe.Add(ref start, size >> 1) | Unsafe.Add(ref start, size - 1)) == 0;
    }

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in T? value)
    {
        if (IsFixed)
        {
            WriteFixed(ref writer.Take(1 + TCodec.FixedSize), in value);
        }
        else if (value.HasValue)
        {
            writer.Take(1) = 1;
            default(TCodec).Write(ref writer, in Nullable.GetValueRefOrDefaultRef(in value));
        }
        else
        {
            writer.Take(1) = 0;
        }
    }

    /// <inheritdoc/>
    public T? Read(ref NinoReader reader)
    {
        if (IsFixed) return ReadFixed(in reader.Take(1 + TCodec.FixedSize));
        if (reader.ReadPresence()) return default(TCodec).Read(ref reader);
        reader.CountAbsent<T>();
        return null;
    }

    /// <inheritdoc/>
    public static bool CanReadInto => !IsFixed && TCodec.CanReadInto;

    /// <inheritdoc/>
    public void ReadInto(ref NinoReader reader, ref T? value)
    {
        if (!reader.ReadPresence())
        {
            value = null;
            return;
        }

        T present = value.GetValueOrDefault();
        default(TCodec).ReadInto(ref reader, ref present);
        value = present;
    }
}
