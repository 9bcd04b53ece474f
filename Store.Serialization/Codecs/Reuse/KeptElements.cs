// Where references are kept, a constructor or setter of an object may run when a list that holds the object has been read, and add the object to it once more: a child does that to the list of the parent that it is given, where
// the record meets the child first. What is stored has the last word (docs/types.md, "References").

using System.Collections.ObjectModel;
using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>Looks for lists to which objects may be added that they hold. Where no object is handed out before its code has run, nothing is made and no element is looked at.</summary>
internal static class KeptElements
{
    /// <summary>When all of the elements have been read, those are taken out again that were put into the list a second time since.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Of<T>(ref readonly NinoReader reader, IEnumerable<T>? collection)
    {
        if (!typeof(T).IsValueType && reader.IsChangeExpected) Keep(in reader, collection);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Keep<T>(ref readonly NinoReader reader, IEnumerable<T>? collection)
    {
        if (collection is List<T> or Collection<T> && reader.OutermostUnfinished(collection) is >= 0 and int unfinished) reader.Await(unfinished, new KeptElements<T>((IList<T>)collection).TakeOut);
    }
}

/// <summary>A list, and what it held when it had been read.</summary>
internal sealed class KeptElements<T>(IList<T> list)
{
    private readonly T[] _elements = [.. list];

    /// <summary>
    /// Takes out what was added. Only where the list is what it was, in its order, and beside that holds some of its own elements again: what else was made of it stays, as an owner's constructor, setter or callback may have
    /// sorted it or thrown something out.
    /// </summary>
    public void TakeOut(ref NinoReader reader)
    {
        List<int>? added = null;
        int kept = 0;
        for (int i = 0; i < list.Count; i++)
        {
            if (kept < _elements.Length && ReferenceEquals(list[i], _elements[kept])) kept++;
            else (added ??= []).Add(i);
        }

        if (added is null || kept < _elements.Length) return;
        var own = new HashSet<object?>(_elements.Length, ReferenceEqualityComparer.Instance);
        foreach (T element in _elements) own.Add(element);
        if (!added.TrueForAll(i => own.Contains(list[i]))) return;
        for (int i = added.Count - 1; i >= 0; i--) list.RemoveAt(added[i]);
    }
}
