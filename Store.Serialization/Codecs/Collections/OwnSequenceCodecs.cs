// Classes of the user's derived from queues, stacks and bags of the framework, which are no ICollection<T>: what the base keeps is written as the base is, and put back through the base. A method that
// hides one of the base's (a new Enqueue) is not called: what it makes of an element was made when it was called.

namespace Store.Serialization.Codecs;

/// <summary>How a collection is made of elements in order when it is there already: one of a class derived from it, which its constructor has made.</summary>
/// <typeparam name="TCollection">The collection.</typeparam>
/// <typeparam name="T">The element.</typeparam>
public interface IBaseForm<TCollection, T> : ISequenceForm<TCollection, T>
{
    /// <summary>How many elements it has.</summary>
    static abstract int Count(TCollection value);

    /// <summary>Puts in the elements in the order of the encoding.</summary>
    static abstract void Add(TCollection value, T[] elements);
}

/// <summary>A class of the user's derived from a queue, stack or bag of the framework, encoded as that.</summary>
/// <typeparam name="TCollection">The class.</typeparam>
/// <typeparam name="TBase">What it is derived from.</typeparam>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TCodec">Its codec.</typeparam>
/// <typeparam name="TForm">How elements are got from the base and put into it.</typeparam>
public readonly struct OwnSequenceCodec<TCollection, TBase, T, TCodec, TForm> : INinoCodec<TCollection>
    where TCollection : class, TBase, new()
    where TBase : class
    where TCodec : struct, INinoCodec<T>
    where TForm : struct, IBaseForm<TBase, T>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => SequenceCodec<TBase, T, TCodec, TForm>.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TCollection value)
    {
        if (value is not null && !OwnCollections<TCollection>.Keeps(value, static _ => OwnCollections.NoComparer, static one => TForm.Count(one))) CheckEmpty(new TCollection(), TForm.Count(value));
        TBase? elements = value;
        default(SequenceCodec<TBase, T, TCodec, TForm>).Write(ref writer, in elements!);
    }

    /// <inheritdoc/>
    public TCollection Read(ref NinoReader reader)
    {
        T[]? elements = ElementsCodec<T, TCodec>.ReadArray(ref reader);
        if (elements is null) return null!;

        var collection = new TCollection();
        CheckEmpty(collection, elements.Length);
        TForm.Add(collection, elements);
        return collection;
    }

    private static void CheckEmpty(TCollection made, int count)
    {
        if (TForm.Count(made) is > 0 and int own) Throw.OwnCollectionLoses(typeof(TCollection), count, count + own);
    }
}

/// <summary>A class of the user's derived from a <see cref="PriorityQueue{TElement, TPriority}"/>, encoded as that: with the default comparer only.</summary>
/// <typeparam name="TQueue">The class.</typeparam>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TPriority">The priority.</typeparam>
/// <typeparam name="TCodec">Codec of the element.</typeparam>
/// <typeparam name="TPriorityCodec">Codec of the priority.</typeparam>
public readonly struct OwnPriorityQueueCodec<TQueue, T, TPriority, TCodec, TPriorityCodec> : INinoCodec<TQueue>
    where TQueue : PriorityQueue<T, TPriority>, new()
    where TCodec : struct, INinoCodec<T>
    where TPriorityCodec : struct, INinoCodec<TPriority>
{
    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder) => PriorityQueueCodec<T, TPriority, TCodec, TPriorityCodec>.Describe(builder);

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in TQueue value)
    {
        PriorityQueue<T, TPriority>? queue = value;
        if (queue is not null && !OwnCollections<TQueue>.Keeps(value, static one => one.Comparer, static one => one.Count)) Check(new TQueue(), queue.Count);
        default(PriorityQueueCodec<T, TPriority, TCodec, TPriorityCodec>).Write(ref writer, in queue!);
    }

    /// <inheritdoc/>
    public TQueue Read(ref NinoReader reader)
    {
        int count = PriorityQueueCodec<T, TPriority, TCodec, TPriorityCodec>.ReadCount(ref reader);
        if (count < 0) return null!;

        var queue = new TQueue();
        Check(queue, count);
        PriorityQueueCodec<T, TPriority, TCodec, TPriorityCodec>.ReadItems(ref reader, queue, count);
        return queue;
    }

    private static void Check(PriorityQueue<T, TPriority> made, int count)
    {
        if (made.Count > 0) Throw.OwnCollectionLoses(typeof(TQueue), count, count + made.Count);
        PriorityQueueCodec<T, TPriority, TCodec, TPriorityCodec>.CheckComparer(made);
    }
}
