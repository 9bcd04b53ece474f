// A priority queue as a list, least priority first, of values named like "Prioritized<String, Int32>":
//
//   Element   the element
//   Priority  its priority
//
// Ordered, so that the bytes say in which order they leave the queue and do not depend on how the framework builds its heap.

namespace Store.Serialization.Codecs;

/// <summary>A <see cref="PriorityQueue{TElement, TPriority}"/> or null. One with a comparer other than the default one is refused: its order would be lost.</summary>
/// <typeparam name="T">The element.</typeparam>
/// <typeparam name="TPriority">The priority.</typeparam>
/// <typeparam name="TCodec">Codec of the element.</typeparam>
/// <typeparam name="TPriorityCodec">Codec of the priority.</typeparam>
public readonly struct PriorityQueueCodec<T, TPriority, TCodec, TPriorityCodec> : INinoCodec<PriorityQueue<T, TPriority>>
    where TCodec : struct, INinoCodec<T>
    where TPriorityCodec : struct, INinoCodec<TPriority>
{
    private static bool IsNesting => Nesting<PriorityQueue<T, TPriority>, PriorityQueueCodec<T, TPriority, TCodec, TPriorityCodec>>.Counts;

    /// <inheritdoc/>
    public static int MinSize => 1;

    /// <inheritdoc/>
    public static SchemaNode Describe(SchemaBuilder builder)
    {
        SchemaNode element = TCodec.Describe(builder), priority = TPriorityCodec.Describe(builder);
        return SchemaNode.List(builder.Shape(NinoSchema.NamesOf(element, priority).Select(static names => $"Prioritized<{names}>"), isReference: false, fields =>
        {
            fields.Add("Element", 0, element);
            fields.Add("Priority", 0, priority);
        }));
    }

    /// <inheritdoc/>
    public void Write(ref NinoWriter writer, in PriorityQueue<T, TPriority> value)
    {
        PriorityQueue<T, TPriority>? queue = value;
        if (queue is null)
        {
            writer.WriteCompact(0);
            return;
        }

        CheckComparer(queue);
        (T Element, TPriority Priority)[] items = [.. queue.UnorderedItems.OrderBy(static item => item.Priority)];
        writer.WriteCompact((uint)items.Length + 1);
        // An element counts, not the queue: one without elements takes no depth.
        bool isNesting = items.Length > 0 && IsNesting;
        if (isNesting) writer.Enter();
        foreach (ref readonly (T Element, TPriority Priority) item in items.AsSpan())
        {
            default(TCodec).Write(ref writer, in item.Element);
            default(TPriorityCodec).Write(ref writer, in item.Priority);
        }

        if (isNesting) writer.Leave();
    }

    /// <inheritdoc/>
    public PriorityQueue<T, TPriority> Read(ref NinoReader reader)
    {
        int count = ReadCount(ref reader);
        if (count < 0) return null!;

        var queue = new PriorityQueue<T, TPriority>();
        ReadItems(ref reader, queue, count);
        return queue;
    }

    /// <summary>Refuses a queue whose order would be lost.</summary>
    internal static void CheckComparer(PriorityQueue<T, TPriority> queue)
    {
        if (!ReferenceEquals(queue.Comparer, Comparer<TPriority>.Default)) Throw.OrderingComparer(queue.Comparer.GetType());
    }

    /// <summary>Reads how many there are, or -1 for null.</summary>
    internal static int ReadCount(ref NinoReader reader)
    {
        int count = reader.ReadCount(TCodec.MinSize + TPriorityCodec.MinSize);
        reader.TakeRoom<(T, TPriority)>(count, TCodec.MinSize + TPriorityCodec.MinSize);
        return count;
    }

    /// <summary>Reads as many into a queue that is empty.</summary>
    internal static void ReadItems(ref NinoReader reader, PriorityQueue<T, TPriority> queue, int count)
    {
        queue.EnsureCapacity(Math.Min(count, HashedRoom.Max(in reader)));
        bool isNesting = count > 0 && IsNesting;
        if (isNesting) reader.Enter();
        for (int i = 0; i < count; i++)
        {
            T element = default(TCodec).Read(ref reader);
            queue.Enqueue(element, default(TPriorityCodec).Read(ref reader));
        }

        if (isNesting) reader.Leave();
    }
}
