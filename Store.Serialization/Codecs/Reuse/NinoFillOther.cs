// The collections of the framework that are no ICollection<T>: queues, stacks, bags. What they are filled with is a collection of the same type that their codec read.

using System.Collections.Concurrent;
using System.ComponentModel;

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
        Refill(target!, elements, member);
        T[] found = target!.ToArray();
        // Fewer: somebody takes them already.
        if (found.Length != elements.Length || IsSame(found, elements)) return;
        // What it keeps them in is a stack or bag, which shows the newest element first.
        Array.Reverse(found);
        if (!IsSame(found, elements)) throw NinoFillable.Reordered(target.GetType(), member);
        Refill(target, BottomFirst(elements), member);
    }

    private static void Refill<T>(BlockingCollection<T> target, T[] elements, string member)
    {
        while (target.TryTake(out _))
        {
        }

        for (int i = 0; i < elements.Length; i++)
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
            if (typeof(T).IsValueType ? !EqualityComparer<T>.Default.Equals(found[i], elements[i]) : !ReferenceEquals(found[i], elements[i])) return false;
        }

        return true;
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
