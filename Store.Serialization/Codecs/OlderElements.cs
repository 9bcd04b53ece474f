// Lists and arrays of an older shape of objects that are members of a fixed width and strings. Rewriting such a list and reading what became of it took nearly twice as
// long as reading one of the present shape (docs/performance.md, "Views, reading into what is there, older shapes"): most of it went into the strings, which are where they were before.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Store.Serialization.Evolution;

namespace Store.Serialization.Codecs;

/// <summary>Reads elements of an older shape from where they lie: only the members of a fixed width are rewritten, one element's at a time.</summary>
internal static class OlderElements<T, TCodec> where TCodec : struct, INinoCodec<T>
{
    /// <summary>True for elements that are members of a fixed width, in front of nothing or of a few strings.</summary>
    public static bool AreReadable => TCodec.IsFlat || TCodec.FixedBodySize > 0;

    /// <summary>How many bytes the members of a fixed width have.</summary>
    public static int HeadSize => TCodec.IsFlat ? TCodec.HeadSize : TCodec.FixedBodySize;

    /// <inheritdoc cref="INinoCodec{T}.TryReadOlder"/>
    public static bool TryReadArray(ref NinoReader reader, FlatPlan plan, long maxBytes, ref int begun, out T[] value)
    {
        int count = ReadCount(ref reader, plan, maxBytes);
        value = count > 0 ? new T[count] : [];
        if (count < 0) return false;
        Read(ref reader, plan, ref begun, value);
        return true;
    }

    /// <inheritdoc cref="INinoCodec{T}.TryReadOlder"/>
    public static bool TryReadList(ref NinoReader reader, FlatPlan plan, long maxBytes, ref int begun, out List<T> value)
    {
        int count = ReadCount(ref reader, plan, maxBytes);
        value = count > 0 ? new List<T>(count) : [];
        if (count < 0) return false;
        CollectionsMarshal.SetCount(value, count);
        Read(ref reader, plan, ref begun, CollectionsMarshal.AsSpan(value));
        return true;
    }

    // -1: not to be read this way.
    private static int ReadCount(ref NinoReader reader, FlatPlan plan, long maxBytes)
    {
        if (!plan.Makes(HeadSize)) return -1;
        int length = reader.Remaining;
        uint header = reader.ReadHeader(out KnownComparer comparer);
        if (comparer != KnownComparer.Default || header == 0) return -1;
        uint count = header - 1;
        if (TCodec.Form == CodecForm.Object)
        {
            // Nulls among them.
            if ((count & 1) != 0) return -1;
            count >>= 1;
        }

        reader.CheckCount(count, plan.MinBytes);
        bool isAllowed = count <= (uint)Array.MaxLength && length + ((long)count * (HeadSize - plan.StoredBytes)) <= maxBytes;
        if (!isAllowed) return -1;
        reader.Texts.Expect((int)count);
        return (int)count;
    }

    // A method of its own, with the inliner's budget for itself: nothing inside is to be a call.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Read(ref NinoReader reader, FlatPlan plan, ref int begun, scoped Span<T> elements)
    {
        TCodec codec = default;
        Unsafe.SkipInit(out FlatHead head);
        foreach (ref T element in elements)
        {
            begun++;
            ReadOnlySpan<byte> stored = reader.Rest;
            reader.Take(plan.StoredBytes);
            plan.Run(stored, ref head);
            element = TCodec.IsFlat ? codec.ReadBehindHead(ref reader, in head[0]) : codec.ReadFixedBody(in head[0]);
        }
    }
}
