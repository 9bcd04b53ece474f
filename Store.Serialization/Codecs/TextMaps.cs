// The pairs of a dictionary with strings in it. Generic code whose type arguments include a reference type is compiled once for all reference types and finds
// its callees in tables; here the type arguments that are left are value types, so each of them has code of its own, into which the loop is inlined.

using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>Writes the pairs of a dictionary whose header, with so many as their count, is written. One that another thread changes meanwhile is not written with a wrong count: that throws.</summary>
internal static class TextMaps
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void WriteTexts(ref NinoWriter writer, Dictionary<string, string> map, int count) => WritePairs<string, string, StringCodec, StringCodec>(ref writer, map, count);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void WriteTextValues<TKey, TKeyCodec>(ref NinoWriter writer, Dictionary<TKey, string> map, int count)
        where TKey : notnull
        where TKeyCodec : struct, INinoCodec<TKey>
    {
        if (TKeyCodec.Form is CodecForm.Fixed or CodecForm.Blittable) WriteTextsOfNumbers<TKey, TKeyCodec>(ref writer, map, count);
        else WritePairs<TKey, string, TKeyCodec, StringCodec>(ref writer, map, count);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void WriteTextKeys<TValue, TValueCodec>(ref NinoWriter writer, Dictionary<string, TValue> map, int count)
        where TValueCodec : struct, INinoCodec<TValue> => WritePairs<string, TValue, StringCodec, TValueCodec>(ref writer, map, count);

    // No foreach: its clean-up, which does nothing for this enumerator, would keep the loop from being inlined.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WritePairs<TKey, TValue, TKeyCodec, TValueCodec>(ref NinoWriter writer, Dictionary<TKey, TValue> map, int count)
        where TKey : notnull
        where TKeyCodec : struct, INinoCodec<TKey>
        where TValueCodec : struct, INinoCodec<TValue>
    {
        Dictionary<TKey, TValue>.Enumerator pairs = map.GetEnumerator();
        while (pairs.MoveNext())
        {
            TKey key = pairs.Current.Key;
            TValue element = pairs.Current.Value;
            default(TKeyCodec).Write(ref writer, in key);
            default(TValueCodec).Write(ref writer, in element);
            count--;
        }

        if (count != 0) Throw.ChangedWhileWritten();
    }

    // The place to write to stays in a register: through the writer every pair would wait for the cursor that the one before it stored. Bound: a pair is
    // stored where Open's room holds all of it; every other one goes through the writer.
    private static void WriteTextsOfNumbers<TKey, TKeyCodec>(ref NinoWriter writer, Dictionary<TKey, string> map, int count)
        where TKey : notnull
        where TKeyCodec : struct, INinoCodec<TKey>
    {
        ref byte place = ref writer.Open(out int room);
        ref byte end = ref Unsafe.Add(ref place, room);
        Dictionary<TKey, string>.Enumerator pairs = map.GetEnumerator();
        while (pairs.MoveNext())
        {
            TKey key = pairs.Current.Key;
            string text = pairs.Current.Value;
            count--;
            if (TKeyCodec.FixedSize + StringCodec.RoomFor(text) <= Unsafe.ByteOffset(ref place, ref end))
            {
                default(TKeyCodec).WriteFixed(ref place, in key);
                int size = TKeyCodec.FixedSize + StringCodec.WriteAt(ref Unsafe.Add(ref place, TKeyCodec.FixedSize), text);
                place = ref Unsafe.Add(ref place, size);
                continue;
            }

            writer.AdvanceTo(ref place);
            WritePair<TKey, TKeyCodec>(ref writer, key, text);
            place = ref writer.Open(out room);
            end = ref Unsafe.Add(ref place, room);
        }

        writer.AdvanceTo(ref place);
        if (count != 0) Throw.ChangedWhileWritten();
    }

    // Apart from the loop, which would otherwise keep key and text in memory instead of registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WritePair<TKey, TKeyCodec>(ref NinoWriter writer, TKey key, string text)
        where TKeyCodec : struct, INinoCodec<TKey>
    {
        default(TKeyCodec).Write(ref writer, in key);
        default(StringCodec).Write(ref writer, in text);
    }
}
