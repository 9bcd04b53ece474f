// Makes the framework's collections, and other generic types, of values that somebody draws.

using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Store.Tests.Generator.RandomPrograms;

internal static class Collections
{
    /// <summary>Makes a value of a generic type of the framework.</summary>
    /// <param name="type">The type.</param>
    /// <param name="count">How many elements it gets, if it has no fewer.</param>
    /// <param name="values">What makes them.</param>
    /// <param name="depth">How many levels they may have.</param>
    /// <param name="isPlain">It has the comparer that a new one has.</param>
    public static object Make(Type type, int count, RandomValues values, int depth, bool isPlain = false)
    {
        Type[] arguments = type.GetGenericArguments();
        Type definition = type.GetGenericTypeDefinition();
        if (type.Namespace == "Own") return OwnTypes.Make(type, count, values, depth);
        if (typeof(ITuple).IsAssignableFrom(type)) return Activator.CreateInstance(type, [.. arguments.Select(argument => values.Make(argument, depth))])!;
        string name = arguments.Length == 1 ? nameof(OfOne) : nameof(OfTwo);
        return typeof(Collections).GetMethod(name, BindingFlags.Static | BindingFlags.NonPublic)!.MakeGenericMethod(arguments).Invoke(null, BindingFlags.DoNotWrapExceptions, null, [definition, count, values, depth, isPlain], null)!;
    }

    /// <summary>The class that a program makes where the interface is declared.</summary>
    public static Type MadeFor(Type type)
    {
        if (!type.IsInterface) return type;
        Type definition = type.GetGenericTypeDefinition();
        Type made = definition == typeof(IDictionary<,>) ? typeof(Dictionary<,>) : definition == typeof(ISet<>) ? typeof(HashSet<>) : typeof(List<>);
        return made.MakeGenericType(type.GetGenericArguments());
    }

    /// <summary>All elements of a sequence.</summary>
    public static object Segments(object sequence) => typeof(Collections).GetMethod(nameof(SegmentsOf), BindingFlags.Static | BindingFlags.NonPublic)!.MakeGenericMethod(sequence.GetType().GetGenericArguments()).Invoke(null, [sequence])!;

    private static T[] SegmentsOf<T>(ReadOnlySequence<T> sequence) => sequence.ToArray();

    private static readonly HashSet<Type> Sets =
    [
        typeof(HashSet<>), typeof(SortedSet<>), typeof(ReadOnlySet<>), typeof(ImmutableHashSet<>), typeof(ImmutableSortedSet<>), typeof(FrozenSet<>), typeof(ISet<>), typeof(IReadOnlySet<>), typeof(IImmutableSet<>),
    ];

    private static object OfOne<T>(Type definition, int count, RandomValues values, int depth, bool isPlain)
    {
        (IEqualityComparer<T>? equality, IComparer<T>? order) = Comparers.Draw<T>(values, isPlain);
        bool isSet = Sets.Contains(definition);
        T[] items = new T[count];
        for (int i = 0; i < count; i++) items[i] = (T)values.Make(typeof(T), depth, isNeeded: isSet, isKey: isSet)!;
        if (definition == typeof(List<>)) return new List<T>(items);
        if (definition == typeof(LinkedList<>)) return new LinkedList<T>(items);
        if (definition == typeof(Queue<>)) return new Queue<T>(items);
        if (definition == typeof(Stack<>)) return new Stack<T>(items);
        if (definition == typeof(HashSet<>)) return new HashSet<T>(items, equality);
        if (definition == typeof(SortedSet<>)) return new SortedSet<T>(items, order);
        if (definition == typeof(Collection<>)) return new Collection<T>([.. items]);
        if (definition == typeof(ObservableCollection<>)) return new ObservableCollection<T>(items);
        if (definition == typeof(ReadOnlyCollection<>)) return new ReadOnlyCollection<T>(items);
        if (definition == typeof(ReadOnlyObservableCollection<>)) return new ReadOnlyObservableCollection<T>(new ObservableCollection<T>(items));
        if (definition == typeof(ReadOnlySet<>)) return new ReadOnlySet<T>(new HashSet<T>(items));
        if (definition == typeof(ConcurrentQueue<>)) return new ConcurrentQueue<T>(items);
        if (definition == typeof(ConcurrentStack<>)) return new ConcurrentStack<T>(items);
        if (definition == typeof(ConcurrentBag<>)) return new ConcurrentBag<T>(items);
        if (definition == typeof(BlockingCollection<>)) return new BlockingCollection<T>(new ConcurrentQueue<T>(items));
        if (definition == typeof(IProducerConsumerCollection<>)) return values.Next(2) == 0 ? new ConcurrentQueue<T>(items) : new ConcurrentStack<T>(items);
        if (definition == typeof(ImmutableArray<>)) return values.Next(5) == 0 ? default : ImmutableArray.Create(items);
        if (definition == typeof(ImmutableList<>) || definition == typeof(IImmutableList<>)) return ImmutableList.Create(items);
        if (definition == typeof(ImmutableQueue<>) || definition == typeof(IImmutableQueue<>)) return ImmutableQueue.Create(items);
        if (definition == typeof(ImmutableStack<>) || definition == typeof(IImmutableStack<>)) return ImmutableStack.Create(items);
        if (definition == typeof(ImmutableHashSet<>) || definition == typeof(IImmutableSet<>)) return ImmutableHashSet.Create(equality, items);
        if (definition == typeof(ImmutableSortedSet<>)) return ImmutableSortedSet.Create(order, items);
        if (definition == typeof(FrozenSet<>)) return items.ToFrozenSet(equality);
        if (definition == typeof(ISet<>) || definition == typeof(IReadOnlySet<>)) return new HashSet<T>(items, equality);
        if (definition == typeof(Memory<>)) return new Memory<T>(items);
        if (definition == typeof(ReadOnlyMemory<>)) return new ReadOnlyMemory<T>(items);
        if (definition == typeof(ReadOnlySequence<>)) return new ReadOnlySequence<T>(items);
        if (definition == typeof(ArraySegment<>)) return values.Next(5) == 0 ? default : new ArraySegment<T>(items);
        if (definition == typeof(Lazy<>)) return Made((T)values.Make(typeof(T), depth)!);
        if (definition == typeof(IList<>) || definition == typeof(ICollection<>)) return new List<T>(items);
        // What is read is a list, whatever was written.
        return values.Next(2) == 0 ? new List<T>(items) : items;
    }

    private static IEnumerable<KeyValuePair<TKey, TValue>> Distinct<TKey, TValue>(IEnumerable<KeyValuePair<TKey, TValue>> pairs, IEqualityComparer<TKey>? comparer) => pairs.DistinctBy(static pair => pair.Key, comparer);

    // Keys that are two may be one in the order of a culture.
    private static IDictionary<TKey, TValue> Into<TKey, TValue>(IDictionary<TKey, TValue> sorted, Dictionary<TKey, TValue> pairs) where TKey : notnull
    {
        foreach ((TKey key, TValue value) in pairs) sorted[key] = value;
        return sorted;
    }

    private static Lazy<T> Made<T>(T value) => new(value);

    private static object OfTwo<TKey, TValue>(Type definition, int count, RandomValues values, int depth, bool isPlain) where TKey : notnull
    {
        (IEqualityComparer<TKey>? equality, IComparer<TKey>? order) = Comparers.Draw<TKey>(values, isPlain);
        if (definition == typeof(KeyValuePair<,>)) return new KeyValuePair<TKey, TValue>((TKey)values.Make(typeof(TKey), depth)!, (TValue)values.Make(typeof(TValue), depth)!);
        if (definition == typeof(PriorityQueue<,>))
        {
            var queue = new PriorityQueue<TKey, TValue>();
            for (int i = 0; i < count; i++) queue.Enqueue((TKey)values.Make(typeof(TKey), depth)!, (TValue)values.Make(typeof(TValue), depth, isNeeded: true, isKey: true)!);
            return queue;
        }

        // A grouping that the framework makes has an element; one of a lookup's missing key cannot be had.
        if (definition == typeof(IGrouping<,>))
        {
            TKey key = (TKey)values.Make(typeof(TKey), depth)!;
            TValue[] items = [.. Enumerable.Range(0, Math.Max(1, count)).Select(_ => (TValue)values.Make(typeof(TValue), depth)!)];
            return items.GroupBy(_ => key, new Never<TKey>()).First();
        }

        var pairs = new OrderedDictionary<TKey, TValue>();
        for (int i = 0; i < count; i++) pairs[(TKey)values.Make(typeof(TKey), depth, isNeeded: true, isKey: true)!] = (TValue)values.Make(typeof(TValue), depth)!;
        if (definition == typeof(ILookup<,>)) return pairs.ToLookup(static pair => pair.Key, static pair => pair.Value);
        if (definition == typeof(OrderedDictionary<,>)) return new OrderedDictionary<TKey, TValue>(new Dictionary<TKey, TValue>(Distinct(pairs, equality)), equality);
        var hashed = new Dictionary<TKey, TValue>(Distinct(pairs, equality), equality);
        if (definition == typeof(SortedDictionary<,>)) return Into(new SortedDictionary<TKey, TValue>(order), hashed);
        if (definition == typeof(SortedList<,>)) return Into(new SortedList<TKey, TValue>(order), hashed);
        if (definition == typeof(ReadOnlyDictionary<,>)) return new ReadOnlyDictionary<TKey, TValue>(hashed);
        if (definition == typeof(ConcurrentDictionary<,>)) return new ConcurrentDictionary<TKey, TValue>(hashed, equality);
        if (definition == typeof(ImmutableDictionary<,>) || definition == typeof(IImmutableDictionary<,>)) return hashed.ToImmutableDictionary(equality);
        if (definition == typeof(ImmutableSortedDictionary<,>)) return ImmutableSortedDictionary<TKey, TValue>.Empty.WithComparers(order).SetItems(hashed);
        if (definition == typeof(FrozenDictionary<,>)) return hashed.ToFrozenDictionary(equality);
        return hashed;
    }

    /// <summary>Everything is one key: so that a key of any type makes one group.</summary>
    private sealed class Never<TKey> : IEqualityComparer<TKey>
    {
        public bool Equals(TKey? one, TKey? other) => true;

        public int GetHashCode(TKey key) => 0;
    }
}
