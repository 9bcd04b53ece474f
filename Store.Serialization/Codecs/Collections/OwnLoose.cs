// What collections of the user's without type arguments share: what is known of their elements, which are objects, and of the classes that they are derived from.

using System.Collections;
using System.Collections.Specialized;

namespace Store.Serialization.Codecs;

/// <summary>Checks on writing, and counts on reading.</summary>
internal static class OwnLoose
{
    // Moving two references on takes this much less than a comparison.
    private const int MovesAComparison = 8;

    /// <summary>Code that was written for elements of one type casts to that.</summary>
    public static bool IsRefusal(Exception error) => NinoFillable.IsRefusal(error) || error is InvalidCastException;

    /// <summary>The method is that of the framework's class, and not one that overrides it.</summary>
    public static bool IsOf(Delegate add, Type framework) => add.Method.DeclaringType == framework;

    /// <summary>A new collection must show the same elements in the same order.</summary>
    public static void CheckOrder(object?[] elements, object?[] copy, Type type)
    {
        if (FirstOther(elements, copy) is >= 0 and int index) Throw.OwnCollectionReorders(type, index);
    }

    /// <summary>The place of the first element that is another one in the copy, or -1. Of an object, an Add that makes one of its own of it may be right; one of the others is not.</summary>
    public static int FirstOther(object?[] elements, object?[] copy)
    {
        HashSet<object?>? all = null;
        for (int i = 0; i < elements.Length; i++)
        {
            object? element = elements[i], found = i < copy.Length ? copy[i] : null;
            if (ReferenceEquals(element, found)) continue;
            if (IsTold(element) || IsTold(found) ? !Equals(element, found) : (all ??= new(elements, ReferenceEqualityComparer.Instance)).Contains(found)) return i;
        }

        return -1;
    }

    /// <summary>A new dictionary must have the same pairs; one that has an order, in the same order.</summary>
    public static void CheckPairs(KeyValuePair<object, object>[] pairs, KeyValuePair<object, object>[] copy, Type type, bool hasOrder)
    {
        if (hasOrder) CheckOrder(Array.ConvertAll(pairs, static pair => pair.Key), Array.ConvertAll(copy, static pair => pair.Key), type);
        if (!AreKept(pairs, copy)) Throw.OwnCollectionChanges(type);
    }

    /// <summary>The copy has the same pairs, as far as they are told apart by what they are.</summary>
    public static bool AreKept(KeyValuePair<object, object>[] pairs, KeyValuePair<object, object>[] copy)
    {
        var all = new Dictionary<object, object?>(pairs.Length);
        foreach ((object key, object? value) in pairs)
        {
            // Keys that only its own comparer keeps apart have no value that is the one of each.
            if (IsTold(key) && !all.TryAdd(key, value)) return true;
        }

        foreach ((object key, object? value) in copy)
        {
            if (key is not null && !IsTold(key)) continue;
            if (key is null || !all.TryGetValue(key, out object? stored) || ((IsTold(stored) || IsTold(value)) && !Equals(stored, value))) return false;
        }

        return true;
    }

    /// <summary>Counts what adding the keys takes, as far as it is known of what the class is derived from. What a list that is sorted moves is counted as it is added (<see cref="CountMoves"/>): a record of one is in its own order.</summary>
    public static void CountComparisons(ref NinoReader reader, IDictionary map, KeyValuePair<object, object>[] pairs)
    {
        if (pairs.Length <= KeyChains.FreeKeys) return;
        switch (map)
        {
            case Hashtable or DictionaryBase or OrderedDictionary:
                HashtableProbes.CheckGrowing(ref reader, pairs);
                break;
            case HybridDictionary:
                HashtableProbes.CheckGrowing(ref reader, pairs, HashtableProbes.OfHybrid);
                break;
            case ListDictionary:
                reader.SpendKeyComparisons((long)pairs.Length * (pairs.Length - 1) / 2);
                break;
        }
    }

    /// <summary>A key that went in front of others moved them.</summary>
    public static void CountMoves(ref NinoReader reader, SortedList map, object key)
    {
        int last = map.Count - 1;
        if (last < 0 || ReferenceEquals(map.GetKey(last), key)) return;
        int at;
        try
        {
            at = Math.Max(map.IndexOfKey(key), 0);
        }
        catch (Exception error) when (IsRefusal(error))
        {
            // Its Add made another key of it, with which this one cannot be compared: it may have moved all of them.
            at = 0;
        }

        reader.SpendKeyComparisons((last - at) / MovesAComparison);
    }

    /// <summary>Told apart by what it is, and not by which object it is.</summary>
    private static bool IsTold(object? value) => value is null or string or ValueType;
}
