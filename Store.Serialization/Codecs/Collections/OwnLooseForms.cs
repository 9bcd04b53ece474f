// What collections of the user's without type arguments are filled by: IList, or the methods of a queue or stack.

using System.Collections;

namespace Store.Serialization.Codecs;

/// <summary>How elements are put into a collection without a type argument that its constructor has made.</summary>
/// <typeparam name="TCollection">The user's class or struct.</typeparam>
/// <typeparam name="T">The element: object, or string where the framework's collection is one of strings.</typeparam>
public interface IOwnLooseForm<TCollection, T>
{
    /// <summary>True where it shows first what was put in last.</summary>
    static virtual bool IsLastFirst => false;

    /// <summary>How many elements it has.</summary>
    static abstract int Count(TCollection collection);

    /// <summary>Puts in an element. By reference: a struct is changed itself.</summary>
    static abstract void Add(ref TCollection collection, T element);

    /// <summary>Takes out all of them.</summary>
    static abstract void Clear(ref TCollection collection);

    /// <summary>True where it is known that what is put in is asked nothing: no code of the user's sees it.</summary>
    static abstract bool AsksNothing(TCollection collection);
}

/// <summary>An <see cref="IList"/> of the user's.</summary>
/// <typeparam name="TCollection">It.</typeparam>
/// <typeparam name="T">The element.</typeparam>
public readonly struct OwnListForm<TCollection, T> : IOwnLooseForm<TCollection, T> where TCollection : IList
{
    /// <inheritdoc/>
    public static int Count(TCollection collection) => collection.Count;

    /// <inheritdoc/>
    public static void Add(ref TCollection collection, T element) => collection.Add(element);

    /// <inheritdoc/>
    public static void Clear(ref TCollection collection) => collection.Clear();

    /// <inheritdoc/>
    public static bool AsksNothing(TCollection collection) => collection is ArrayList list && OwnLoose.IsOf((Func<object?, int>)list.Add, typeof(ArrayList));
}

/// <summary>A class of the user's derived from a <see cref="Queue"/>.</summary>
/// <typeparam name="TCollection">It.</typeparam>
public readonly struct OwnLooseQueueForm<TCollection> : IOwnLooseForm<TCollection, object> where TCollection : Queue
{
    /// <inheritdoc/>
    public static int Count(TCollection collection) => collection.Count;

    /// <inheritdoc/>
    public static void Add(ref TCollection collection, object element) => collection.Enqueue(element);

    /// <inheritdoc/>
    public static void Clear(ref TCollection collection) => collection.Clear();

    /// <inheritdoc/>
    public static bool AsksNothing(TCollection collection) => OwnLoose.IsOf((Action<object?>)collection.Enqueue, typeof(Queue));
}

/// <summary>A class of the user's derived from a <see cref="Stack"/>; bottom first.</summary>
/// <typeparam name="TCollection">It.</typeparam>
public readonly struct OwnLooseStackForm<TCollection> : IOwnLooseForm<TCollection, object> where TCollection : Stack
{
    /// <inheritdoc/>
    public static bool IsLastFirst => true;

    /// <inheritdoc/>
    public static int Count(TCollection collection) => collection.Count;

    /// <inheritdoc/>
    public static void Add(ref TCollection collection, object element) => collection.Push(element);

    /// <inheritdoc/>
    public static void Clear(ref TCollection collection) => collection.Clear();

    /// <inheritdoc/>
    public static bool AsksNothing(TCollection collection) => OwnLoose.IsOf((Action<object?>)collection.Push, typeof(Stack));
}
