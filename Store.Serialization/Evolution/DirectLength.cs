// Where does a value end that is copied as it is? As SkipNode answers it, over the bytes themselves; what is unusual (a long string, a comparer's mark, bytes that are
// missing or wrong) is left to it, so there is one place that knows all forms.

using System.Runtime.CompilerServices;

namespace Store.Serialization.Evolution;

internal static class DirectLength
{
    /// <summary>The place behind a value.</summary>
    /// <exception cref="NinoSerializationException">There is none.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int End(SkipNode node, ReadOnlySpan<byte> source, int at, NinoLimits limits) => node.Length switch
    {
        LengthForm.Fixed => node.FixedSize <= source.Length - at ? at + node.FixedSize : Otherwise(node, source, at, limits),
        LengthForm.String => EndOfString(node, source, at, limits),
        LengthForm.Run => EndOfRun(node, source, at, limits),
        LengthForm.Pairs => EndOfPairs(node, source, at, limits),
        _ => Otherwise(node, source, at, limits),
    };

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

    /// <summary>The place behind a value that nobody reads afterwards, when it is one that has nothing to check but its length: a string that is null or short and of one byte a char.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryPass(SkipNode node, ReadOnlySpan<byte> source, ref int at)
    {
        if (node.Length != LengthForm.String || (uint)at >= (uint)source.Length) return false;
        int header = source[at];
        if (header >= CompactNumber.Marker16 || (header != 0 && (header & 1) == 0) || header >> 1 > source.Length - at - 1) return false;
        at += 1 + (header >> 1);
        return true;
    }

    // 0 is null, 1 is empty, and behind that a bit says which of two widths the characters have.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int LengthOf(int header) => header == 0 ? 0 : ((header - 1) >> 1) << ((header - 1) & 1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int EndOfRun(SkipNode node, ReadOnlySpan<byte> source, int at, NinoLimits limits)
    {
        if ((uint)at < (uint)source.Length && source[at] < CompactNumber.Marker16)
        {
            long end = at + 1 + (Math.Max(source[at] - 1, 0) * node.RunBytes);
            if (end <= source.Length) return (int)end;
        }

        return Otherwise(node, source, at, limits);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int EndOfPairs(SkipNode node, ReadOnlySpan<byte> source, int at, NinoLimits limits)
    {
        if ((uint)at >= (uint)source.Length || source[at] >= CompactNumber.Marker16) return Otherwise(node, source, at, limits);
        int keyBytes = node.Key!.FixedSize, valueBytes = node.Element!.FixedSize;
        int end = at + 1;
        TextLength keys = default, values = default;
        for (int left = source[at] - 1; left > 0; left--)
        {
            if (keyBytes > 0) end += keyBytes;
            else if (!keys.TryPass(source, ref end)) return Otherwise(node, source, at, limits);
            if (valueBytes > 0) end += valueBytes;
            else if (!values.TryPass(source, ref end)) return Otherwise(node, source, at, limits);
            if ((uint)end > (uint)source.Length) return Otherwise(node, source, at, limits);
        }

        return end;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Otherwise(SkipNode node, ReadOnlySpan<byte> source, int at, NinoLimits limits)
    {
        var reader = new NinoReader(source[at..], limits);
        node.Skip(ref reader);
        return at + reader.Position;
    }

    // Strings in a column are often equally long. Where a header is the one before it, the next place does not wait for it to be loaded: the processor foretells the comparison and goes on.
    private struct TextLength
    {
        private int _header;
        private int _bytes;

        /// <summary>Moves behind a short string, perhaps behind the source; false where it must be looked at more closely.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public bool TryPass(ReadOnlySpan<byte> source, ref int at)
        {
            if ((uint)at >= (uint)source.Length) return false;
            int header = source[at];
            if (header == _header && header != 0)
            {
                at += _bytes;
                return true;
            }

            if (header >= CompactNumber.Marker16) return false;
            _header = header;
            _bytes = 1 + LengthOf(header);
            at += _bytes;
            return true;
        }
    }
}
