// Members without a setter whose collection is filled (docs/types.md, "Collections without a setter"): the object has made the collection, and it stays that
// object's. It is emptied and given the stored elements; what cannot be given is an error, never left out. Elements come out of a collection of the declared type
// that the member's codec read and checked; a list, set or dictionary that codecs fill themselves is read into without a second one.

using System.Collections.Concurrent;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>Called by generated code. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NinoFill
{
    /// <summary>Reads a member into the collection that its object has.</summary>
    /// <typeparam name="TCollection">The declared type.</typeparam>
    /// <typeparam name="T">The element.</typeparam>
    /// <typeparam name="TCodec">The member's codec.</typeparam>
    /// <param name="reader">In front of the member.</param>
    /// <param name="target">What the getter gives.</param>
    /// <param name="isNew">The object was just made. What its constructor put into the collection may belong to others: it is taken out, not read into.</param>
    /// <param name="member">The member, for messages.</param>
    /// <exception cref="NinoSerializationException">The collection cannot hold what is stored.</exception>
    public static void ReadElements<TCollection, T, TCodec>(ref NinoReader reader, TCollection? target, bool isNew, string member)
        where TCollection : class, ICollection<T>
        where TCodec : struct, INinoCodec<TCollection>
    {
        TCollection? value = TCodec.CanReadInto && target is not null && (target.GetType() == typeof(List<T>) || target.GetType() == typeof(HashSet<T>)) && !MayBeReached<T>(in reader) ? target : null;
        if (isNew && value is { Count: > 0 }) value.Clear();
        NinoReuse.Read<TCollection, TCodec>(ref reader, ref value!);
        Elements(ref reader, target, value, member);
    }

    // Where references are kept, code of an element may have the object that has the collection, and change that (a child that adds itself to its parent's list when its Parent is set).
    private static bool MayBeReached<T>(ref readonly NinoReader reader) => typeof(T) != typeof(string) && RuntimeHelpers.IsReferenceOrContainsReferences<T>() && reader.ReferenceCount > 0;

    /// <summary>As <see cref="ReadElements"/>, of a dictionary.</summary>
    /// <typeparam name="TMap">The declared type.</typeparam>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    /// <typeparam name="TCodec">The member's codec.</typeparam>
    /// <inheritdoc cref="ReadElements" path="/param"/>
    /// <inheritdoc cref="ReadElements" path="/exception"/>
    public static void ReadPairs<TMap, TKey, TValue, TCodec>(ref NinoReader reader, TMap? target, bool isNew, string member)
        where TMap : class, IDictionary<TKey, TValue>
        where TKey : notnull
        where TCodec : struct, INinoCodec<TMap>
    {
        TMap? value = TCodec.CanReadInto && target is not null && target.GetType() == typeof(Dictionary<TKey, TValue>) && !MayBeReached<TValue>(in reader) && !MayBeReached<TKey>(in reader) ? target : null;
        if (isNew && value is { Count: > 0 }) value.Clear();
        NinoReuse.Read<TMap, TCodec>(ref reader, ref value!);
        Pairs(ref reader, target, value, member);
    }

    /// <summary>As <see cref="ReadElements"/>, of pairs in what may be a dictionary: that is filled as <see cref="ReadPairs"/> does it.</summary>
    /// <typeparam name="TCollection">The declared type.</typeparam>
    /// <typeparam name="TKey">The key.</typeparam>
    /// <typeparam name="TValue">The value.</typeparam>
    /// <typeparam name="TCodec">The member's codec.</typeparam>
    /// <inheritdoc cref="ReadElements" path="/param"/>
    /// <inheritdoc cref="ReadElements" path="/exception"/>
    public static void ReadEntries<TCollection, TKey, TValue, TCodec>(ref NinoReader reader, TCollection? target, bool isNew, string member)
        where TCollection : class, ICollection<KeyValuePair<TKey, TValue>>
        where TKey : notnull
        where TCodec : struct, INinoCodec<TCollection>
    {
        if (target is not IDictionary<TKey, TValue>) ReadElements<TCollection, KeyValuePair<TKey, TValue>, TCodec>(ref reader, target, isNew, member);
        else Entries(ref reader, target, default(TCodec).Read(ref reader), member);
    }

    /// <summary>Gives the collection of an object the elements that were read.</summary>
    /// <param name="reader">Counts comparisons for the record.</param>
    /// <param name="target">What the getter gives.</param>
    /// <param name="source">What was read: null empties the collection, and the collection itself is filled already.</param>
    /// <param name="member">The member, for messages.</param>
    /// <exception cref="NinoSerializationException">The collection cannot hold them.</exception>
    public static void Elements<T>(ref NinoReader reader, ICollection<T>? target, ICollection<T>? source, string member)
    {
        if (ReferenceEquals(target, source) || !TryEmpty(target, source?.Count ?? 0, member) || source is null) return;
        if (target!.GetType() == typeof(List<T>))
        {
            Unsafe.As<List<T>>(target).AddRange(source);
            KeptElements.Of(in reader, target);
            return;
        }

        Put(ref reader, target, source, member);
        int unfinished = reader.OutermostUnfinished(source);
        if (unfinished >= 0 && !OwnCollections.AsksNothing(target))
        {
            PutAgain(in reader, unfinished, target, source, member);
            return;
        }

        NinoFillable.CheckKept(target, source, member);
        KeptElements.Of(in reader, target);
    }

    // Apart, so that nothing is made for it where nothing waits. What was read is filled again before it, because it began to wait before.
    private static void PutAgain<T>(ref readonly NinoReader reader, int unfinished, ICollection<T> target, ICollection<T> source, string member) => reader.Await(unfinished, (ref NinoReader later) =>
    {
        NinoFillable.Empty(target, member);
        Put(ref later, target, source, member);
        NinoFillable.CheckKept(target, source, member);
    });

    private static void Put<T>(ref NinoReader reader, ICollection<T> target, ICollection<T> source, string member)
    {
        if (target is HashSet<T> set) MakeRoom(ref reader, set, source);
        int i = 0;
        foreach (T element in source)
        {
            try
            {
                target.Add(element);
            }
            catch (Exception error) when (NinoFillable.IsRefusal(error))
            {
                throw NinoFillable.Refused(target.GetType(), i, member, error);
            }

            i++;
        }

        if (target.Count != source.Count) throw NinoFillable.Lost(target.GetType(), source.Count, target.Count, member);
    }

    /// <summary>As <see cref="Elements"/>, of a dictionary.</summary>
    /// <inheritdoc cref="Elements" path="/param"/>
    /// <inheritdoc cref="Elements" path="/exception"/>
    public static void Pairs<TKey, TValue>(ref NinoReader reader, IDictionary<TKey, TValue>? target, IDictionary<TKey, TValue>? source, string member) where TKey : notnull =>
        Put(ref reader, target, source, member);

    /// <summary>As <see cref="Elements"/>, of pairs in what may be a dictionary.</summary>
    /// <inheritdoc cref="Elements" path="/param"/>
    /// <inheritdoc cref="Elements" path="/exception"/>
    public static void Entries<TKey, TValue>(ref NinoReader reader, ICollection<KeyValuePair<TKey, TValue>>? target, ICollection<KeyValuePair<TKey, TValue>>? source, string member) where TKey : notnull
    {
        if (target is IDictionary<TKey, TValue> map) Put(ref reader, map, source, member);
        else Elements(ref reader, target, source, member);
    }

    private static void Put<TKey, TValue>(ref NinoReader reader, IDictionary<TKey, TValue>? target, ICollection<KeyValuePair<TKey, TValue>>? source, string member) where TKey : notnull
    {
        if (ReferenceEquals(target, source) || !TryEmpty(target, source?.Count ?? 0, member) || source is null) return;
        KeyValuePair<TKey, TValue>[] pairs = Enumerated.Of(source);
        Put(ref reader, target!, pairs, member);
        int unfinished = reader.OutermostUnfinished(pairs);
        if (unfinished >= 0) PutAgain(in reader, unfinished, target!, source, member);
    }

    private static void PutAgain<TKey, TValue>(ref readonly NinoReader reader, int unfinished, IDictionary<TKey, TValue> target, ICollection<KeyValuePair<TKey, TValue>> source, string member) where TKey : notnull => reader.Await(unfinished, (ref NinoReader later) =>
    {
        NinoFillable.Empty(target, member);
        Put(ref later, target, Enumerated.Of(source), member);
    });

    private static void Put<TKey, TValue>(ref NinoReader reader, IDictionary<TKey, TValue> target, KeyValuePair<TKey, TValue>[] pairs, string member) where TKey : notnull
    {
        MakeRoom(ref reader, target, pairs);
        for (int i = 0; i < pairs.Length; i++)
        {
            try
            {
                target.Add(pairs[i].Key, pairs[i].Value);
            }
            catch (Exception error) when (NinoFillable.IsRefusal(error))
            {
                throw NinoFillable.Refused(target.GetType(), i, member, error);
            }
        }

        if (target.Count != pairs.Length) throw NinoFillable.Lost(target.GetType(), pairs.Length, target.Count, member);
        if (!OwnCollections.IsOfFramework(target.GetType())) OwnCollections.CheckSame(pairs, Enumerated.Of<KeyValuePair<TKey, TValue>>(target), target.GetType());
    }

    /// <summary>False where there is nothing to fill and nothing to fill it with.</summary>
    private static bool TryEmpty<T>(ICollection<T>? target, int count, string member)
    {
        if (target is null)
        {
            if (count > 0) throw NinoFillable.NothingThere(count, member);
            return false;
        }

        if (target.IsReadOnly)
        {
            if (count > 0 || target.Count > 0) throw NinoFillable.IsFixed(target.GetType(), member);
            return false;
        }

        NinoFillable.Empty(target, member);
        return true;
    }

    private static void MakeRoom<T>(ref NinoReader reader, HashSet<T> set, ICollection<T> source)
    {
        int capacity = set.EnsureCapacity(source.Count);
        if (source.Count > KeyChains.FreeKeys) KeyAudit.Check(ref reader, Enumerated.Of(source), capacity, set.Comparer);
    }

    // With room for all of them no dictionary has other buckets on the way than those that the keys are counted for.
    internal static void MakeRoom<TKey, TValue>(ref NinoReader reader, IDictionary<TKey, TValue> map, KeyValuePair<TKey, TValue>[] pairs) where TKey : notnull
    {
        switch (map)
        {
            case Dictionary<TKey, TValue> hashed:
                KeyAudit.Check(ref reader, pairs, hashed.EnsureCapacity(pairs.Length), hashed.Comparer);
                break;
            case OrderedDictionary<TKey, TValue> ordered:
                KeyAudit.Check(ref reader, pairs, ordered.EnsureCapacity(pairs.Length), ordered.Comparer);
                break;
            case ConcurrentDictionary<TKey, TValue> concurrent:
                KeyAudit.CheckGrowing(ref reader, pairs, concurrent.Comparer);
                break;
            case SortedList<TKey, TValue> sorted:
                // Inserting keys that come in another order one by one would cost their square.
                Sort(pairs, sorted);
                break;
        }
    }

    private static void Sort<TKey, TValue>(KeyValuePair<TKey, TValue>[] pairs, SortedList<TKey, TValue> map) where TKey : notnull
    {
        try
        {
            Array.Sort(pairs, (a, b) => map.Comparer.Compare(a.Key, b.Key));
        }
        catch (InvalidOperationException error)
        {
            throw new NinoSerializationException($"The comparer of a '{map.GetType()}' refused keys: {(error.InnerException ?? error).Message} The record is damaged, or it was written from one with another comparer.", error);
        }
    }
}
