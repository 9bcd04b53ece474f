using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>Reads elements into a set, counted as keys are: see <see cref="KeyChains"/>.</summary>
internal static class ManyElements<T, TCodec> where TCodec : struct, INinoCodec<T>
{
    /// <summary>Reads all elements. (With few arguments: others would be made room for by who has few elements too.)</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static HashSet<T> Read(ref NinoReader reader, HashSet<T> set, int count, bool hasNulls)
    {
        Read(ref reader, set, count, hasNulls, [], hasElement: false, default!);
        return set;
    }

    /// <summary>Reads all elements but the first ones, which are known.</summary>
    /// <param name="reader">Behind the first ones, or behind the next one.</param>
    /// <param name="set">An empty set with room and the default comparer.</param>
    /// <param name="count">How many elements it will have.</param>
    /// <param name="hasNulls">The mark in front of them.</param>
    /// <param name="first">The first ones.</param>
    /// <param name="hasElement">The next one is read already.</param>
    /// <param name="element">That one.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Read(ref NinoReader reader, HashSet<T> set, int count, bool hasNulls, ReadOnlySpan<T> first, bool hasElement, T element)
    {
        bool anyNull = false;
        KeyChains chains = default;
        chains.Begin(set.Capacity);
        int i = 0, look = chains.Distance();
        for (; i < first.Length; i++)
        {
            if (i == look) look += Look(ref reader, ref chains, set, first[i]);
            set.Add(first[i]);
        }

        // What is between two elements that are looked at is read as in a set of few.
        while (i < count)
        {
            if (!hasElement && i < look)
            {
                int end = Math.Min(look, count);
                anyNull |= ReadRun(ref reader, set, i, end, hasNulls);
                i = end;
                if (i == count) break;
            }

            if (!hasElement) element = ElementsCodec<T, TCodec>.ReadOne(ref reader, hasNulls, ref anyNull);
            hasElement = false;
            if (i == look) look += Look(ref reader, ref chains, set, element);
            if (!set.Add(element)) Throw.DuplicateElement(i);
            i++;
        }

        if (hasNulls && !anyNull) Throw.NoNullElement();
        chains.Return();
    }

    // Apart from the loop around it, which would take its registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool ReadRun(ref NinoReader reader, HashSet<T> set, int start, int end, bool hasNulls)
    {
        bool anyNull = false;
        for (int i = start; i < end; i++)
        {
            if (!set.Add(ElementsCodec<T, TCodec>.ReadOne(ref reader, hasNulls, ref anyNull))) Throw.DuplicateElement(i);
        }

        return anyNull;
    }

    /// <summary>Looks at an element that is about to be added, and tells when to look again.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Look(ref NinoReader reader, ref KeyChains chains, HashSet<T> set, T element)
    {
        if (chains.BeginIfGrown(set.Count, set.Capacity))
        {
            foreach (T one in set) chains.Count(KeyChains.HashOf(one));
        }

        uint hash = KeyChains.HashOf(element);
        if (!chains.CountsAll)
        {
            if (!chains.Look(hash)) return chains.Distance();
            chains.BeginAll(set.Capacity);
            foreach (T one in set) chains.Add(ref reader, KeyChains.HashOf(one));
        }

        chains.Add(ref reader, hash);
        return 1;
    }
}
