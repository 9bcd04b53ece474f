// Elements read into a hashed set that is there, as MapReuse does with pairs: kept while they are the same in the same order, then cleared and added.

using System.Buffers;
using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

internal static class SetReuse<T, TCodec> where TCodec : struct, INinoCodec<T>
{
    public static void Read(ref NinoReader reader, ref HashSet<T>? value)
    {
        HashSet<T>? set = value;
        if (set is null || set.GetType() != typeof(HashSet<T>))
        {
            value = default(HashSetCodec<T, TCodec>).Read(ref reader);
            return;
        }

        int count = ElementsCodec<T, TCodec>.ReadCount(ref reader, out bool hasNulls, out KnownComparer comparer);
        if (count < 0)
        {
            value = null;
            return;
        }

        if (!KnownComparers.TryFind(set.Comparer, out KnownComparer present) || present != comparer) value = set = new HashSet<T>(comparer == KnownComparer.Default ? null : KnownComparers.Equality<T>(comparer));
        int kept = 0;
        T element = default!;
        bool isOther = false;
        if (KeptKeys<T, TCodec>.Any)
        {
            foreach (T known in set)
            {
                if (kept == count) break;
                element = known;
                NinoReuse.Read<T, TCodec>(ref reader, ref element);
                isOther = !SameBits.Of(in element, in known);
                if (isOther) break;
                kept++;
            }
        }

        if (kept < count || set.Count > kept) ReadRest(ref reader, set, kept, count, hasNulls, isOther, element);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReadRest(ref NinoReader reader, HashSet<T> set, int kept, int count, bool hasNulls, bool hasElement, T element)
    {
        T[]? first = kept > 0 ? ArrayPool<T>.Shared.Rent(kept) : null;
        if (first is not null) set.CopyTo(first, 0, kept);
        set.Clear();
        set.EnsureCapacity(Math.Min(count, HashedRoom.Max(in reader)));
        bool areCounted = KeyChains.AreCounted<T>(count);
        if (areCounted) ManyElements<T, TCodec>.Read(ref reader, set, count, hasNulls, first.AsSpan(0, kept), hasElement, element);
        else for (int i = 0; i < kept; i++) set.Add(first![i]);
        if (first is not null) ArrayPool<T>.Shared.Return(first, clearArray: true);
        if (areCounted) return;

        bool anyNull = false;
        for (int i = kept; i < count; i++)
        {
            if (!hasElement) element = ElementsCodec<T, TCodec>.ReadOne(ref reader, hasNulls, ref anyNull);
            hasElement = false;
            if (!set.Add(element)) Throw.DuplicateElement(i);
        }

        if (set.Count != count) Throw.ChangedWhileFilled(set.GetType());

        if (hasNulls && !anyNull) Throw.NoNullElement();
    }
}
