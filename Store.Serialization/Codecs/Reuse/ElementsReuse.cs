// Elements read into an array or list that is there: an array of the same length is filled, a list always, and every element that can be is filled in turn.

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Store.Serialization.Codecs;

internal static class ElementsReuse<T, TCodec> where TCodec : struct, INinoCodec<T>
{
    public static void ReadArray(ref NinoReader reader, ref T[]? value)
    {
        T[]? array = value;
        int count = ElementsCodec<T, TCodec>.ReadCount(ref reader, out bool hasNulls);
        // The exact type: an array of a derived element type would refuse elements, one of another integer type would lie about its own.
        if (array is null || array.Length != count || array.GetType() != typeof(T[])) value = ElementsCodec<T, TCodec>.ReadArray(ref reader, count, hasNulls);
        else Fill(ref reader, array, hasNulls);
    }

    public static void ReadList(ref NinoReader reader, ref List<T>? value)
    {
        List<T>? list = value;
        if (list is null || list.GetType() != typeof(List<T>))
        {
            value = ElementsCodec<T, TCodec>.ReadList(ref reader);
            return;
        }

        int count = ElementsCodec<T, TCodec>.ReadCount(ref reader, out bool hasNulls);
        if (count < 0)
        {
            value = null;
            return;
        }

        // As many as are there cost no memory; beyond them room grows as when a list is read anew.
        bool anyNull = false;
        int read = 0, room = Math.Min(count, Math.Max(ElementsCodec<T, TCodec>.RoomFor(in reader, count), list.Count));
        while (true)
        {
            CollectionsMarshal.SetCount(list, room);
            List<T>.Enumerator unchanged = list.GetEnumerator();
            Span<T> elements = CollectionsMarshal.AsSpan(list);
            Fill(ref reader, elements[read..], hasNulls, ref anyNull);
            // Code of an element that got hold of the list: what was read may be elsewhere now. The enumerator refuses that, and does not notice another capacity.
            unchanged.MoveNext();
            if (!Unsafe.AreSame(ref MemoryMarshal.GetReference(elements), ref MemoryMarshal.GetReference(CollectionsMarshal.AsSpan(list)))) Throw.ChangedWhileFilled(typeof(List<T>));
            if (room == count) break;
            (read, room) = (room, (int)Math.Min(count, 2L * room));
        }

        if (hasNulls && !anyNull) Throw.NoNullElement();
    }

    private static void Fill(ref NinoReader reader, Span<T> elements, bool hasNulls)
    {
        bool anyNull = false;
        Fill(ref reader, elements, hasNulls, ref anyNull);
        if (hasNulls && !anyNull) Throw.NoNullElement();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Fill(ref NinoReader reader, Span<T> elements, bool hasNulls, ref bool anyNull)
    {
        if (!TCodec.CanReadInto)
        {
            ElementsCodec<T, TCodec>.Read(ref reader, elements, hasNulls, ref anyNull);
        }
        else if (TCodec.Form == CodecForm.Object && !hasNulls)
        {
            foreach (ref T element in elements) default(TCodec).ReadBodyInto(ref reader, ref element);
        }
        else
        {
            foreach (ref T element in elements)
            {
                default(TCodec).ReadInto(ref reader, ref element);
                if (TCodec.Form == CodecForm.Object) anyNull |= element is null;
            }
        }
    }
}
