// The forms of the framework's queues, stacks, lists and views. Stacks are stored bottom first: pushing the elements in order makes them again.

using System.Collections.Concurrent;
using System.Collections.ObjectModel;

namespace Store.Serialization.Codecs;

/// <summary>First in, first out.</summary>
public readonly struct QueueForm<T> : IBaseForm<Queue<T>, T>
{
    /// <inheritdoc/>
    public static ReadOnlySpan<T> Elements(Queue<T> value, ref T[]? rented)
    {
        int count = value.Count;
        value.CopyTo(Borrowed.Rent(count, ref rented), 0);
        if (value.Count != count) Throw.ChangedWhileWritten();
        return rented.AsSpan(0, count);
    }

    /// <inheritdoc/>
    public static Queue<T> Create(T[] elements) => new(elements);

    /// <inheritdoc/>
    public static int Count(Queue<T> value) => value.Count;

    /// <inheritdoc/>
    public static void Add(Queue<T> value, T[] elements)
    {
        value.EnsureCapacity(elements.Length);
        foreach (T element in elements) value.Enqueue(element);
    }
}

/// <summary>Last in, first out; bottom first.</summary>
public readonly struct StackForm<T> : IBaseForm<Stack<T>, T>
{
    /// <inheritdoc/>
    public static ReadOnlySpan<T> Elements(Stack<T> value, ref T[]? rented)
    {
        int count = value.Count;
        value.CopyTo(Borrowed.Rent(count, ref rented), 0);
        if (value.Count != count) Throw.ChangedWhileWritten();
        Span<T> elements = rented.AsSpan(0, count);
        elements.Reverse();
        return elements;
    }

    /// <inheritdoc/>
    public static Stack<T> Create(T[] elements) => new(elements);

    /// <inheritdoc/>
    public static int Count(Stack<T> value) => value.Count;

    /// <inheritdoc/>
    public static void Add(Stack<T> value, T[] elements)
    {
        value.EnsureCapacity(elements.Length);
        foreach (T element in elements) value.Push(element);
    }
}

/// <summary>Nodes in order.</summary>
public readonly struct LinkedListForm<T> : ISequenceForm<LinkedList<T>, T>
{
    /// <inheritdoc/>
    public static ICollection<T>? Counted(LinkedList<T> value) => value;

    /// <inheritdoc/>
    public static LinkedList<T> Create(T[] elements) => new(elements);
}

/// <summary>A <see cref="Collection{T}"/> itself, not what derives from it.</summary>
public readonly struct CollectionForm<T> : ISequenceForm<Collection<T>, T>
{
    /// <inheritdoc/>
    public static ICollection<T>? Counted(Collection<T> value) => value;

    /// <inheritdoc/>
    public static Collection<T> Create(T[] elements) => new(new List<T>(elements));
}

/// <summary>Its elements; who observes it is not kept.</summary>
public readonly struct ObservableCollectionForm<T> : ISequenceForm<ObservableCollection<T>, T>
{
    /// <inheritdoc/>
    public static ICollection<T>? Counted(ObservableCollection<T> value) => value;

    /// <inheritdoc/>
    public static ObservableCollection<T> Create(T[] elements) => new(elements);
}

/// <summary>A view; read over an array of its own.</summary>
public readonly struct ReadOnlyCollectionForm<T> : ISequenceForm<ReadOnlyCollection<T>, T>
{
    /// <inheritdoc/>
    public static ICollection<T>? Counted(ReadOnlyCollection<T> value) => value;

    /// <inheritdoc/>
    public static ReadOnlyCollection<T> Create(T[] elements) => new(elements);
}

/// <summary>A view; read over an observable collection of its own.</summary>
public readonly struct ReadOnlyObservableCollectionForm<T> : ISequenceForm<ReadOnlyObservableCollection<T>, T>
{
    /// <inheritdoc/>
    public static ICollection<T>? Counted(ReadOnlyObservableCollection<T> value) => value;

    /// <inheritdoc/>
    public static ReadOnlyObservableCollection<T> Create(T[] elements) => new(new ObservableCollection<T>(elements));
}

/// <summary>A moment of a queue that other threads may change meanwhile.</summary>
public readonly struct ConcurrentQueueForm<T> : IBaseForm<ConcurrentQueue<T>, T>
{
    /// <inheritdoc/>
    public static ReadOnlySpan<T> Elements(ConcurrentQueue<T> value, ref T[]? rented) => value.ToArray();

    /// <inheritdoc/>
    public static ConcurrentQueue<T> Create(T[] elements) => new(elements);

    /// <inheritdoc/>
    public static int Count(ConcurrentQueue<T> value) => value.Count;

    /// <inheritdoc/>
    public static void Add(ConcurrentQueue<T> value, T[] elements)
    {
        foreach (T element in elements) value.Enqueue(element);
    }
}

/// <summary>A moment of a stack that other threads may change meanwhile; bottom first.</summary>
public readonly struct ConcurrentStackForm<T> : IBaseForm<ConcurrentStack<T>, T>
{
    /// <inheritdoc/>
    public static ReadOnlySpan<T> Elements(ConcurrentStack<T> value, ref T[]? rented) => Borrowed.Reversed(value.ToArray());

    /// <inheritdoc/>
    public static ConcurrentStack<T> Create(T[] elements) => new(elements);

    /// <inheritdoc/>
    public static int Count(ConcurrentStack<T> value) => value.Count;

    /// <inheritdoc/>
    public static void Add(ConcurrentStack<T> value, T[] elements)
    {
        foreach (T element in elements) value.Push(element);
    }
}

/// <summary>A moment of a bag. It shows the newest of a thread first, so it is stored reversed: adding the elements in order makes the same bag.</summary>
public readonly struct ConcurrentBagForm<T> : IBaseForm<ConcurrentBag<T>, T>
{
    /// <inheritdoc/>
    public static ReadOnlySpan<T> Elements(ConcurrentBag<T> value, ref T[]? rented) => Borrowed.Reversed(value.ToArray());

    /// <inheritdoc/>
    public static ConcurrentBag<T> Create(T[] elements) => new(elements);

    /// <inheritdoc/>
    public static int Count(ConcurrentBag<T> value) => value.Count;

    /// <inheritdoc/>
    public static void Add(ConcurrentBag<T> value, T[] elements)
    {
        foreach (T element in elements) value.Add(element);
    }
}

/// <summary>The interface of the three above and of what somebody wrote himself: what its enumerator shows, in that order. Read as a queue, which gives the elements in the order in which whatever was written showed them.</summary>
public readonly struct ProducerConsumerForm<T> : ISequenceForm<IProducerConsumerCollection<T>, T>
{
    /// <inheritdoc/>
    public static IEnumerable<T>? OneByOne(IProducerConsumerCollection<T> value) => value;

    /// <inheritdoc/>
    public static IProducerConsumerCollection<T> Create(T[] elements) => new ConcurrentQueue<T>(elements);
}

/// <summary>A moment of what waits in it. Read over a queue, without a bound and open for adding.</summary>
public readonly struct BlockingCollectionForm<T> : ISequenceForm<BlockingCollection<T>, T>
{
    /// <inheritdoc/>
    public static ReadOnlySpan<T> Elements(BlockingCollection<T> value, ref T[]? rented) => value.ToArray();

    /// <inheritdoc/>
    public static BlockingCollection<T> Create(T[] elements) => new(new ConcurrentQueue<T>(elements));
}
