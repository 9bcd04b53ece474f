// Where does a value end that is copied as it is? As SkipNode answers it, over the bytes themselves; what is unusual (a long string, a comparer's mark, bytes that are
// missing or wrong) is left to it, so there is one place that knows all forms.

using System.Runtime.CompilerServices;

namespace Store.Serialization.Evolution;

internal static class DirectLength
{
    /// <summary>The place behind a value.</summary>
    /// <exception cref="NinoSerializationException">There is none.</exception>
    public static int End(SkipNode node, ReadOnlySpan<byte> source, int at, NinoLimits limits)
    {
        if (node.FixedSize > 0) return node.FixedSize <= source.Length - at ? at + node.FixedSize : Otherwise(node, source, at, limits);
        return node.Schema.Kind switch
        {
            SchemaKind.String => EndOfString(node, source, at, limits),
            SchemaKind.List when node.Element!.FixedSize > 0 => EndOfRun(node, node.Element.FixedSize, source, at, limits),
            SchemaKind.Map when node.Key!.FixedSize > 0 && node.Element!.FixedSize > 0 => EndOfRun(node, (long)node.Key.FixedSize + node.Element.FixedSize, source, at, limits),
            SchemaKind.Map when IsSimple(node.Key!) && IsSimple(node.Element!) => EndOfPairs(node, source, at, limits),
            _ => Otherwise(node, source, at, limits),
        };
    }

    /// <summary>The place behind a string whose length is one byte; else as for every value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int EndOfString(SkipNode node, ReadOnlySpan<byte> source, int at, NinoLimits limits)
    {
        if ((uint)at < (uint)source.Length)
        {
            int header = source[at];
            int length = LengthOf(header);
            if (header < CompactNumber.Marker16 && length <= source.Length - at - 1) return at + 1 + length;
        }

        return Otherwise(node, source, at, limits);
    }

    // Two of the widest behind one another are no number yet that could be taken for a place in the source.
    private static bool IsSimple(SkipNode node) => node.FixedSize is > 0 and < 1 << 24 || node.Schema.Kind == SchemaKind.String;

    // 0 is null, 1 is empty, and behind that a bit says which of two widths the characters have.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int LengthOf(int header) => header == 0 ? 0 : ((header - 1) >> 1) << ((header - 1) & 1);

    private static int EndOfRun(SkipNode node, long size, ReadOnlySpan<byte> source, int at, NinoLimits limits)
    {
        if ((uint)at < (uint)source.Length && source[at] < CompactNumber.Marker16)
        {
            long end = at + 1 + (Math.Max(source[at] - 1, 0) * size);
            if (end <= source.Length) return (int)end;
        }

        return Otherwise(node, source, at, limits);
    }

    private static int EndOfPairs(SkipNode node, ReadOnlySpan<byte> source, int at, NinoLimits limits)
    {
        if ((uint)at >= (uint)source.Length || source[at] >= CompactNumber.Marker16) return Otherwise(node, source, at, limits);
        int keyBytes = node.Key!.FixedSize, valueBytes = node.Element!.FixedSize;
        int end = at + 1;
        for (int left = source[at] - 1; left > 0; left--)
        {
            end = keyBytes > 0 ? end + keyBytes : EndOfText(source, end);
            end = valueBytes > 0 ? end + valueBytes : EndOfText(source, end);
            if ((uint)end > (uint)source.Length) return Otherwise(node, source, at, limits);
        }

        return end;
    }

    /// <summary>The place behind a string, or -1 where it must be looked at more closely. It may be behind the source.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int EndOfText(ReadOnlySpan<byte> source, int at)
    {
        if ((uint)at >= (uint)source.Length) return int.MinValue;
        int header = source[at];
        return header < CompactNumber.Marker16 ? at + 1 + LengthOf(header) : int.MinValue;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Otherwise(SkipNode node, ReadOnlySpan<byte> source, int at, NinoLimits limits)
    {
        var reader = new NinoReader(source[at..], limits);
        node.Skip(ref reader);
        return at + reader.Position;
    }
}
