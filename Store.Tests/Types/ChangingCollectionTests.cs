using System.Buffers;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.ObjectModel;
using Store.Serialization;
using Store.Serialization.Codecs;

namespace Store.Tests.Types;

/// <summary>Collections that other threads change while they are written, and collections whose Count says something else than their enumerator: what is written is what was in them.</summary>
public sealed class ChangingCollectionTests
{
    private const int Writes = 3000;
    private const int Rounds = 20_000;

    [Fact]
    public void AConcurrentDictionaryIsWrittenWithPairsThatWereInIt()
    {
        var map = new ConcurrentDictionary<int, int>();
        WhileItChanges(map, () => CheckPairs(Copy<ConcurrentDictionary<int, int>, MapFormCodec<ConcurrentDictionary<int, int>, int, int, Int32Codec, Int32Codec, ConcurrentDictionaryForm<int, int>>>(map)));
    }

    [Fact]
    public void SoIsOneBehindAReadOnlyDictionary()
    {
        var map = new ConcurrentDictionary<int, int>();
        var view = new ReadOnlyDictionary<int, int>(map);
        WhileItChanges(map, () => CheckPairs(Copy<ReadOnlyDictionary<int, int>, MapFormCodec<ReadOnlyDictionary<int, int>, int, int, Int32Codec, Int32Codec, ReadOnlyDictionaryForm<int, int>>>(view)));
    }

    [Fact]
    public void SoIsOneBehindAnInterfaceOfDictionaries()
    {
        var map = new ConcurrentDictionary<int, int>();
        WhileItChanges(map, () => CheckPairs(Copy<IReadOnlyDictionary<int, int>, MapCodec<IReadOnlyDictionary<int, int>, int, int, Int32Codec, Int32Codec>>(map)));
    }

    [Fact]
    public void SoIsOneBehindASequenceOfPairs()
    {
        var map = new ConcurrentDictionary<int, int>();
        WhileItChanges(map, () => CheckPairs(NinoSerializer.Deserialize<Pairs>(NinoSerializer.Serialize(new Pairs { All = map })).All!));
    }

    [Fact]
    public void ABagBehindAnInterfaceIsWrittenWithWhatWasInIt()
    {
        var bag = new ConcurrentBag<int>();
        WhileItChanges(bag.Add, () => bag.TryTake(out _), () => Assert.DoesNotContain(0, Copy<IReadOnlyCollection<int>, CollectionCodec<IReadOnlyCollection<int>, int, Int32Codec>>(bag)));
    }

    [Fact]
    public void AQueueBehindAnInterfaceIsWrittenWithWhatWasInIt()
    {
        var queue = new ConcurrentQueue<int>();
        WhileItChanges(queue.Enqueue, () => queue.TryDequeue(out _), () => Assert.DoesNotContain(0, Copy<IEnumerable<int>, CollectionCodec<IEnumerable<int>, int, Int32Codec>>(queue)));
    }

    [Fact]
    public void ASynchronizedArrayListIsWrittenWithWhatWasInIt()
    {
        ArrayList list = ArrayList.Synchronized([]);
        WhileItChanges(i => list.Add(i), () => RemoveLast(list), () => Assert.DoesNotContain(null, Copy<ArrayList, SequenceCodec<ArrayList, object, NotNullCodec, ArrayListForm>>(list).Cast<object?>()));
    }

    [Fact]
    public void ASynchronizedQueueAndStackAreWrittenWithWhatWasInThem()
    {
        Queue queue = Queue.Synchronized(new Queue());
        Stack stack = Stack.Synchronized(new Stack());
        Action<int> add = i => queue.Enqueue(i);
        WhileItChanges(add + (i => stack.Push(i)), Remove, () =>
        {
            Copy<Queue, SequenceCodec<Queue, object, NotNullCodec, LooseQueueForm>>(queue);
            Copy<Stack, SequenceCodec<Stack, object, NotNullCodec, LooseStackForm>>(stack);
        });

        void Remove()
        {
            queue.Dequeue();
            stack.Pop();
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(7)]
    public void ACountThatIsNotThatOfTheElementsIsNotBelieved(int count)
    {
        var wrong = new WrongCount<int>(count, [5, 6, 7]);
        Assert.Equal([5, 6, 7], Copy<ICollection<int>, CollectionCodec<ICollection<int>, int, Int32Codec>>(wrong));
        Assert.Equal([5, 6, 7], Copy<IEnumerable<int>, CollectionCodec<IEnumerable<int>, int, Int32Codec>>(wrong));
        Assert.Equal([5, 6, 7], Copy<ISet<int>, SetInterfaceCodec<ISet<int>, int, Int32Codec>>(wrong).Order());
        // A view over a set without elements, as far as its count goes, does not enumerate it.
        if (count > 0) Assert.Equal([5, 6, 7], Copy<ReadOnlySet<int>, SetInterfaceCodec<ReadOnlySet<int>, int, Int32Codec>>(new ReadOnlySet<int>(wrong)).Order());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    public void WhatChangesAfterItWasCountedIsWrittenAsItIs(int more)
    {
        CheckChanged(static map => Copy<ConcurrentDictionary<int, int>, MapFormCodec<ConcurrentDictionary<int, int>, int, int, Int32Codec, Int32Codec, ConcurrentDictionaryForm<int, int>>>(map));
        CheckChanged(static map => Copy<ReadOnlyDictionary<int, int>, MapFormCodec<ReadOnlyDictionary<int, int>, int, int, Int32Codec, Int32Codec, ReadOnlyDictionaryForm<int, int>>>(new(map)));
        CheckChanged(static map => Copy<IDictionary<int, int>, MapCodec<IDictionary<int, int>, int, int, Int32Codec, Int32Codec>>(map));
        CheckChanged(static map => NinoSerializer.Deserialize<Pairs>(NinoSerializer.Serialize(new Pairs { All = map })).All!);

        void CheckChanged(Func<ChangesWhenCounted, IEnumerable<KeyValuePair<int, int>>> copy)
        {
            var map = new ChangesWhenCounted(more) { [1] = -1, [2] = -2, [3] = -3 };
            CheckPairs(copy(map));
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    public void AListQueueOrStackIsWrittenAsItIsWhateverItsCountSays(int more)
    {
        Assert.Equal([1, 2, 3], Copy<ArrayList, SequenceCodec<ArrayList, object, NotNullCodec, ArrayListForm>>(new MiscountedList(more) { 1, 2, 3 }).Cast<int>());
        Assert.Equal([1, 2, 3], Copy<Queue, SequenceCodec<Queue, object, NotNullCodec, LooseQueueForm>>(new MiscountedQueue(more)).Cast<int>());
        Assert.Equal([3, 2, 1], Copy<Stack, SequenceCodec<Stack, object, NotNullCodec, LooseStackForm>>(new MiscountedStack(more)).Cast<int>());
    }

    private static void RemoveLast(ArrayList list)
    {
        lock (list.SyncRoot) list.RemoveAt(list.Count - 1);
    }

    private static void CheckPairs(IEnumerable<KeyValuePair<int, int>> pairs)
    {
        foreach ((int key, int value) in pairs) Assert.Equal((true, -key), (key > 0, value));
    }

    private static void WhileItChanges(ConcurrentDictionary<int, int> map, Action check)
    {
        int last = 0;
        WhileItChanges(i => map[i] = -i, () => map.TryRemove(++last, out _), check);
    }

    /// <summary>Writes again and again while another thread adds 16 elements and takes them away, over and over.</summary>
    private static void WhileItChanges(Action<int> add, Action remove, Action write)
    {
        const int AtOnce = 16;
        bool isDone = false;
        int rounds = 0;
        var changes = new WatchedThread(() =>
        {
            for (int i = 1; !Volatile.Read(ref isDone); i += AtOnce)
            {
                for (int k = 0; k < AtOnce; k++) add(i + k);
                for (int k = 0; k < AtOnce; k++) remove();
                Interlocked.Increment(ref rounds);
            }
        });
        changes.Start();
        try
        {
            for (int i = 0; changes.IsAlive && (i < Writes || Volatile.Read(ref rounds) < Rounds); i++) write();
        }
        finally
        {
            Volatile.Write(ref isDone, true);
            changes.Join();
        }
    }

    private static T Copy<T, TCodec>(T value) where TCodec : struct, INinoCodec<T>
    {
        var codec = new CodecAdapter<T, TCodec>();
        var output = new ArrayBufferWriter<byte>();
        codec.Encode(output, value);
        return codec.Decode(output.WrittenSpan);
    }

    /// <summary>An object that is a number, and never null.</summary>
    private readonly struct NotNullCodec : INinoCodec<object>
    {
        public static int MinSize => 4;

        public static SchemaNode Describe(SchemaBuilder builder) => Int32Codec.Describe(builder);

        public void Write(ref NinoWriter writer, in object value) => default(Int32Codec).Write(ref writer, Assert.IsType<int>(value));

        public object Read(ref NinoReader reader) => default(Int32Codec).Read(ref reader);
    }

    /// <summary>Is changed in the moment after somebody asked how much is in it, as another thread could.</summary>
    private sealed class ChangesWhenCounted(int more) : ConcurrentDictionary<int, int>, ICollection<KeyValuePair<int, int>>
    {
        private int _last = 3;

        int ICollection<KeyValuePair<int, int>>.Count
        {
            get
            {
                int count = Count;
                if (more > 0) this[++_last] = -_last;
                else TryRemove(_last--, out _);
                return count;
            }
        }
    }

    private sealed class MiscountedList(int more) : ArrayList
    {
        public override int Count => base.Count + more;
    }

    private sealed class MiscountedQueue : Queue
    {
        private readonly int _more;

        public MiscountedQueue(int more)
        {
            foreach (int i in (int[])[1, 2, 3]) Enqueue(i);
            _more = more;
        }

        public override int Count => base.Count + _more;
    }

    private sealed class MiscountedStack : Stack
    {
        private readonly int _more;

        public MiscountedStack(int more)
        {
            foreach (int i in (int[])[1, 2, 3]) Push(i);
            _more = more;
        }

        public override int Count => base.Count + _more;
    }

    private sealed class WrongCount<T>(int count, T[] elements) : ISet<T>
    {
        public int Count => count;

        public bool IsReadOnly => true;

        public IEnumerator<T> GetEnumerator() => ((IEnumerable<T>)elements).GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => elements.GetEnumerator();

        public void CopyTo(T[] array, int arrayIndex) => elements.AsSpan(0, Math.Min(elements.Length, array.Length - arrayIndex)).CopyTo(array.AsSpan(arrayIndex));

        public bool Contains(T item) => elements.Contains(item);

        void ICollection<T>.Add(T item) => throw new NotSupportedException();

        public bool Add(T item) => throw new NotSupportedException();

        public bool Remove(T item) => throw new NotSupportedException();

        public void Clear() => throw new NotSupportedException();

        public void ExceptWith(IEnumerable<T> other) => throw new NotSupportedException();

        public void IntersectWith(IEnumerable<T> other) => throw new NotSupportedException();

        public void SymmetricExceptWith(IEnumerable<T> other) => throw new NotSupportedException();

        public void UnionWith(IEnumerable<T> other) => throw new NotSupportedException();

        public bool IsSubsetOf(IEnumerable<T> other) => throw new NotSupportedException();

        public bool IsSupersetOf(IEnumerable<T> other) => throw new NotSupportedException();

        public bool IsProperSubsetOf(IEnumerable<T> other) => throw new NotSupportedException();

        public bool IsProperSupersetOf(IEnumerable<T> other) => throw new NotSupportedException();

        public bool Overlaps(IEnumerable<T> other) => throw new NotSupportedException();

        public bool SetEquals(IEnumerable<T> other) => throw new NotSupportedException();
    }
}

[NinoType]
public sealed class Pairs
{
    public IEnumerable<KeyValuePair<int, int>>? All;
}
