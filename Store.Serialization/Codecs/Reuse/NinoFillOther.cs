// The collections of the framework that are no ICollection<T>: queues, stacks, bags. What they are filled with is a collection of the same type that their codec read.

using System.Collections.Concurrent;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using Store.Serialization.Codecs;

namespace Store.Serialization;

/// <summary>Called by generated code, as <see cref="NinoFill"/>. Users do not call it.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NinoFillOther
{
    /// <summary>Gives the collection of an object the elements that were read.</summary>
    /// <param name="target">What the getter gives.</param>
    /// <param name="source">What was read: null empties the collection.</param>
    /// <param name="member">The member, for messages.</param>
    /// <exception cref="NinoSerializationException">There is no collection, or it does not take the elements.</exception>
    public static void Other<T>(Queue<T>? target, Queue<T>? source, string member)
    {
        if (!IsThere(target, source?.Count, member)) return;
        target!.Clear();
        target.EnsureCapacity(source?.Count ?? 0);
        foreach (T element in source ?? []) target.Enqueue(element);
    }

    /// <inheritdoc cref="Other{T}(Queue{T}, Queue{T}, string)"/>
    public static void Other<T>(Stack<T>? target, Stack<T>? source, string member)
    {
        if (!IsThere(target, source?.Count, member)) return;
        target!.Clear();
        target.EnsureCapacity(source?.Count ?? 0);
        foreach (T element in BottomFirst(source?.ToArray())) target.Push(element);
    }

    /// <inheritdoc cref="Other{T}(Queue{T}, Queue{T}, string)"/>
    public static void Other<TElement, TPriority>(PriorityQueue<TElement, TPriority>? target, PriorityQueue<TElement, TPriority>? source, string member)
    {
        if (!IsThere(target, source?.Count, member)) return;
        target!.Clear();
        if (source is not null) target.EnqueueRange(source.UnorderedItems);
    }

    /// <inheritdoc cref="Other{T}(Queue{T}, Queue{T}, string)"/>
    public static void Other<T>(ConcurrentQueue<T>? target, ConcurrentQueue<T>? source, string member)
    {
        if (!IsThere(target, source?.Count, member)) return;
        target!.Clear();
        foreach (T element in source ?? []) target.Enqueue(element);
    }

    /// <inheritdoc cref="Other{T}(Queue{T}, Queue{T}, string)"/>
    public static void Other<T>(ConcurrentStack<T>? target, ConcurrentStack<T>? source, string member)
    {
        if (!IsThere(target, source?.Count, member)) return;
        target!.Clear();
        foreach (T element in BottomFirst(source?.ToArray())) target.Push(element);
    }

    /// <inheritdoc cref="Other{T}(Queue{T}, Queue{T}, string)"/>
    public static void Other<T>(ConcurrentBag<T>? target, ConcurrentBag<T>? source, string member)
    {
        if (!IsThere(target, source?.Count, member)) return;
        target!.Clear();
        // A bag shows its newest element first, as a stack does.
        foreach (T element in BottomFirst(source?.ToArray())) target.Add(element);
    }

    /// <inheritdoc cref="Other{T}(Queue{T}, Queue{T}, string)"/>
    public static void Other<T>(BlockingCollection<T>? target, BlockingCollection<T>? source, string member)
    {
        if (!IsThere(target, source?.Count, member)) return;
        T[] elements = source?.ToArray() ?? [];
        Drain(target!);
        Put(target!, elements, member);
        if (IsOrdered(target!, elements, member)) return;
        // What it keeps them in is a stack or bag, which shows the newest element first: put in again in the order in which it gives them. What somebody took meanwhile is theirs.
        List<T> taken = Drain(target!);
        Put(target!, taken, member);
        if (taken.Count == elements.Length && !IsOrdered(target!, elements, member)) throw NinoFillable.Reordered(target!.GetType(), member);
    }

    /// <summary>False where the elements stand in the opposite order.</summary>
    private static bool IsOrdered<T>(BlockingCollection<T> target, T[] elements, string member)
    {
        T[] found = target.ToArray();
        // Fewer: somebody takes them already. It counts what it was given until that is taken, so one that counts more than it shows has dropped them, if it still does: what was taken may have been put back in between.
        if (found.Length < elements.Length && target.Count > found.Length)
        {
            T[] before = found;
            found = target.ToArray();
            if (found.Length == before.Length && IsSame(found, before) && target.Count > found.Length) throw NinoFillable.Lost(target.GetType(), elements.Length, found.Length, member);
        }

        if (found.Length != elements.Length) return true;
        int differences = Differences(found, elements);
        if (differences == 0) return true;
        T[] opposite = BottomFirst((T[])found.Clone());
        bool isSame = IsSame(found, elements), isOpposite = IsSame(opposite, elements);
        if (!isSame && !isOpposite) throw NinoFillable.Reordered(target.GetType(), member);
        // Equal ones may differ in what their equality does not look at.
        return isSame && (!isOpposite || differences <= Differences(opposite, elements));
    }

    private static List<T> Drain<T>(BlockingCollection<T> target)
    {
        List<T> taken = [];
        while (target.TryTake(out T? element)) taken.Add(element);
        return taken;
    }

    private static void Put<T>(BlockingCollection<T> target, IReadOnlyList<T> elements, string member)
    {
        for (int i = 0; i < elements.Count; i++)
        {
            try
            {
                // One with a bound would wait for somebody who takes.
                if (!target.TryAdd(elements[i])) throw new InvalidOperationException($"It is full: its bound is {target.BoundedCapacity}.");
            }
            catch (Exception error) when (NinoFillable.IsRefusal(error))
            {
                throw NinoFillable.Refused(target.GetType(), i, member, error);
            }
        }
    }

    private static bool IsSame<T>(T[] found, T[] elements)
    {
        for (int i = 0; i < found.Length; i++)
        {
            if (!SameBits.Of(in found[i], in elements[i]) && !(typeof(T).IsValueType && EqualityComparer<T>.Default.Equals(found[i], elements[i]))) return false;
        }

        return true;
    }

    private static int Differences<T>(T[] found, T[] elements)
    {
        int differences = 0;
        for (int i = 0; i < found.Length; i++)
        {
            // Of a struct that holds objects: its memory, that is the same objects.
            if (!SameBits.Of(in found[i], in elements[i]) && !RuntimeHelpers.Equals(found[i], elements[i])) differences++;
        }

        return differences;
    }

    private static bool IsThere(object? target, int? count, string member)
    {
        if (target is null && count > 0) throw NinoFillable.NothingThere(count.Value, member);
        return target is not null;
    }

    private static T[] BottomFirst<T>(T[]? elements)
    {
        if (elements is null) return [];
        Array.Reverse(elements);
        return elements;
    }
}
