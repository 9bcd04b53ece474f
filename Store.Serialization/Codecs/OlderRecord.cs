// Records of an older shape that are read from where they lie, for CodecAdapter: nothing of them is rewritten but the members of a fixed width.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Serialization.Evolution;

namespace Store.Serialization.Codecs;

/// <summary>Reads records of an older shape that differ from present ones only in members of a fixed width: objects of such members and a few strings, and lists of them.</summary>
internal static class OlderRecord<T, TCodec> where TCodec : struct, INinoCodec<T>
{
    /// <summary>Reads a record, unless there is something else to it, or something wrong: then it is rewritten first, which finds and names it.</summary>
    /// <param name="record">The bytes of the record, all of them.</param>
    /// <param name="mapper">From the shape that it has.</param>
    /// <param name="limits">Bounds for the stored record and for the record it becomes.</param>
    /// <param name="value">The value; undefined when false.</param>
    /// <returns>False where it was not read.</returns>
    /// <exception cref="NinoSerializationException">Code of the type threw another exception: it is not asked again, as it is where the bytes are wrong or the engine refuses what it made.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryDecode(ReadOnlySpan<byte> record, NinoRecordMapper mapper, NinoLimits? limits, out T? value)
    {
        value = default;
        if (TCodec.HasOlderElements) return TryReadList(record, mapper, limits ?? NinoLimits.Default, out value);
        return OlderElements<T, TCodec>.AreReadable && TryReadObject(record, mapper, limits ?? NinoLimits.Default, out value);
    }

    private static bool TryReadList(ReadOnlySpan<byte> record, NinoRecordMapper mapper, NinoLimits limits, out T? value)
    {
        value = default;
        FlatPlan plan = mapper.Flat;
        if (plan.IsNone || record.Length > limits.MaxRecordBytes) return false;
        int begun = 0;
        var reader = new NinoReader(record, limits);
        try
        {
            return default(TCodec).TryReadOlder(ref reader, plan, limits.MostGrown(record.Length), ref begun, out value) && reader.Remaining == 0;
        }
        catch (Exception error) when (RecordErrors.IsAboutTheRecord(error))
        {
            // Told once more, with its place, by who rewrites the record.
            if (error is NinoSerializationException) return false;
            throw Refused(error, record, mapper, reader.Position + (begun * (plan.TargetBytes - plan.StoredBytes)), limits);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryReadObject(ReadOnlySpan<byte> record, NinoRecordMapper mapper, NinoLimits limits, out T? value)
    {
        value = default;
        FlatPlan plan = mapper.Flat;
        if (!plan.Makes(OlderElements<T, TCodec>.HeadSize) || record.Length < plan.StoredBytes) return false;
        // The record that it becomes has the same strings.
        long mapped = (long)record.Length - plan.StoredBytes + plan.TargetBytes;
        if (record.Length > limits.MaxRecordBytes || mapped > limits.MostGrown(record.Length)) return false;
        Unsafe.SkipInit(out FlatHead head);
        try
        {
            plan.Run(record, ref head);
            if (TCodec.IsFlat)
            {
                int end = default(TCodec).ReadAt(in head[0], in MemoryMarshal.GetReference(record), record.Length, plan.StoredBytes, out value);
                return end == record.Length || (end < 0 && TryReadUnusual(record[plan.StoredBytes..], in head, limits, out value));
            }

            if (record.Length != plan.StoredBytes) return false;
            value = default(TCodec).ReadFixedBody(in head[0]);
            return true;
        }
        catch (Exception error) when (RecordErrors.IsAboutTheRecord(error))
        {
            // As above. (One handler with a filter: the compiler inlines a method that has one, and none with a handler of one class.)
            if (error is NinoSerializationException) return false;
            throw Refused(error, record, mapper, (int)mapped, limits);
        }
    }

    // Strings that are long or not of one byte a char, or damaged ones.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool TryReadUnusual(ReadOnlySpan<byte> texts, ref readonly FlatHead head, NinoLimits limits, out T? value)
    {
        var reader = new NinoReader(texts, limits);
        value = default(TCodec).ReadBehindHead(ref reader, in head[0]);
        return reader.Remaining == 0;
    }

    // Named with the member that the object was refused for, so as if the record had been rewritten before and read up to there.
    private static Exception Refused(Exception error, ReadOnlySpan<byte> record, NinoRecordMapper mapper, int position, NinoLimits limits)
    {
        ContiguousBuffer buffer = ContiguousBuffer.Rent();
        try
        {
            mapper.TryMapDirect(record, buffer, limits);
            return NinoCodec<T>.Unfit(RecordErrors.Refused(error), record, mapper, buffer.Written, position, limits);
        }
        finally
        {
            buffer.Return();
        }
    }
}
