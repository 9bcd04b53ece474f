// A collection of the user's is filled a second time when it is written, to see what it keeps. What its Add does to an element, such as giving it an owner or listening to it, is done to a copy then: writing changes nothing.

using System.Runtime.CompilerServices;

namespace Store.Serialization.Codecs;

/// <summary>Elements that a collection may be tried with.</summary>
internal static class TrialElements
{
    /// <summary>A copy of each element, alone: what it refers to is the same.</summary>
    public static T[] Of<T>(T[] elements) => IsCopied<T>() ? Array.ConvertAll(elements, Copy) : elements;

    /// <inheritdoc cref="Of{T}(T[])"/>
    public static KeyValuePair<TKey, TValue>[] Of<TKey, TValue>(KeyValuePair<TKey, TValue>[] pairs) =>
        IsCopied<TKey>() || IsCopied<TValue>() ? Array.ConvertAll(pairs, static pair => new KeyValuePair<TKey, TValue>(Copy(pair.Key), Copy(pair.Value))) : pairs;

    private static bool IsCopied<T>() => !typeof(T).IsValueType && typeof(T) != typeof(string);

    // What the core of the framework has, as texts and cultures, knows of no owner, and some of it there is once only.
    private static T Copy<T>(T element)
    {
        if (!IsCopied<T>() || element is null || element.GetType().Assembly == typeof(object).Assembly) return element;
        object copy = MemberwiseClone(element);
        // What that frees is the element's.
        GC.SuppressFinalize(copy);
        return (T)copy;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method)]
    private static extern object MemberwiseClone(object of);
}
