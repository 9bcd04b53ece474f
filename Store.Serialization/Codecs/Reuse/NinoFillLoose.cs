// Members without a setter that hold a collection of the user's without type arguments. What they are filled with is a collection of the same type that their codec read.

using System.Collections;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>Called by generated code, as <see cref="NinoFill"/>. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NinoFillLoose
{
    /// <summary>Gives the collection of an object the elements that were read.</summary>
    /// <param name="reader">It knows which objects are read to their end.</param>
    /// <param name="target">What the getter gives.</param>
    /// <param name="source">What was read: null empties the collection.</param>
    /// <param name="member">The member, for messages.</param>
    /// <exception cref="NinoSerializationException">There is no collection, or it does not take the elements.</exception>
    public static void List(ref NinoReader reader, IList? target, IList? source, string member)
    {
        if (IsThere(target, source, member, target is not null && NinoFillable.IsFixed(target))) Put(ref reader, target, Of(source), target.Clear, element => target.Add(element), static list => OwnListForm<IList, object>.AsksNothing((IList)list), isLastFirst: false, member);
    }

    /// <inheritdoc cref="List"/>
    public static void Queue(ref NinoReader reader, Queue? target, Queue? source, string member)
    {
        if (IsThere(target, source, member)) Put(ref reader, target, Of(source), target.Clear, target.Enqueue, static queue => OwnLooseQueueForm<Queue>.AsksNothing((Queue)queue), isLastFirst: false, member);
    }

    /// <inheritdoc cref="List"/>
    public static void Stack(ref NinoReader reader, Stack? target, Stack? source, string member)
    {
        if (IsThere(target, source, member)) Put(ref reader, target, Of(source, isLastFirst: true), target.Clear, target.Push, static stack => OwnLooseStackForm<Stack>.AsksNothing((Stack)stack), isLastFirst: true, member);
    }

    /// <summary>As <see cref="List"/>, of a dictionary.</summary>
    /// <inheritdoc cref="List"/>
    public static void Map(ref NinoReader reader, IDictionary? target, IDictionary? source, string member)
    {
        if (!IsThere(target, source, member, target is not null && NinoFillable.IsFixed(target))) return;
        KeyValuePair<object, object>[] pairs = source is null ? [] : Enumerated.Of(LooseMaps.Pairs(source));
        PutPairs(ref reader, target, pairs, member);
        int unfinished = reader.OutermostUnfinished(pairs);
        if (unfinished >= 0) reader.Await(unfinished, (ref NinoReader later) => PutPairs(ref later, target, pairs, member));
    }

    private static void PutPairs(ref NinoReader reader, IDictionary target, KeyValuePair<object, object>[] pairs, string member)
    {
        Empty(target, target.Clear, member);
        OwnLoose.CountComparisons(ref reader, target, pairs);
        for (int i = 0; i < pairs.Length; i++)
        {
            try
            {
                target.Add(pairs[i].Key, pairs[i].Value);
            }
            catch (Exception error) when (OwnLoose.IsRefusal(error))
            {
                throw NinoFillable.Refused(target.GetType(), i, member, error);
            }

            if (i >= KeyChains.FreeKeys && target is SortedList sorted) OwnLoose.CountMoves(ref reader, sorted, pairs[i].Key);
        }

        if (target.Count != pairs.Length) throw NinoFillable.Lost(target.GetType(), pairs.Length, target.Count, member);
        if (!OwnLoose.AreKept(pairs, Enumerated.Of(LooseMaps.Pairs(target)))) Throw.OwnCollectionChanges(target.GetType());
    }

    private static void Put(ref NinoReader reader, ICollection target, object?[] elements, Action clear, Action<object?> add, Func<ICollection, bool> asksNothing, bool isLastFirst, string member)
    {
        Fill();
        int unfinished = reader.OutermostUnfinished(elements);
        if (unfinished >= 0 && !asksNothing(target)) reader.Await(unfinished, (ref NinoReader _) => Fill());

        void Fill()
        {
            Empty(target, clear, member);
            for (int i = 0; i < elements.Length; i++)
            {
                try
                {
                    add(elements[i]);
                }
                catch (Exception error) when (OwnLoose.IsRefusal(error))
                {
                    throw NinoFillable.Refused(target.GetType(), i, member, error);
                }
            }

            if (target.Count != elements.Length) throw NinoFillable.Lost(target.GetType(), elements.Length, target.Count, member);
            if (OwnLoose.FirstOther(elements, Of(target, isLastFirst)) >= 0) throw NinoFillable.Reordered(target.GetType(), member);
        }
    }

    private static object?[] Of(IEnumerable? source, bool isLastFirst = false)
    {
        List<object?> elements = [];
        foreach (object? element in source ?? Array.Empty<object>()) elements.Add(element);
        if (isLastFirst) elements.Reverse();
        return [.. elements];
    }

    /// <summary>False where there is nothing to fill and nothing to fill it with.</summary>
    private static bool IsThere([NotNullWhen(true)] ICollection? target, ICollection? source, string member, bool isFixed = false)
    {
        int count = source?.Count ?? 0;
        if (target is null && count > 0) throw NinoFillable.NothingThere(count, member);
        if (isFixed && (count > 0 || target!.Count > 0)) throw NinoFillable.IsFixed(target!.GetType(), member);
        return target is not null && !isFixed;
    }

    private static void Empty(object target, Action clear, string member)
    {
        try
        {
            clear();
        }
        catch (Exception error) when (NinoFillable.IsRefusal(error))
        {
            throw NinoFillable.CannotBeEmptied(target.GetType(), member, error);
        }
    }
}
