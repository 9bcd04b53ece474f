using Store.Tests.Generator;

namespace Store.Tests.Filling;

/// <summary>A <c>BlockingCollection</c> without a setter keeps its order, whatever it keeps its elements in, while others take from it.</summary>
public sealed class BlockingCollectionTests
{
    // A collection over a stack, and somebody who is there whenever it is looked at.
    private const string Watched = """
        using System.Collections.Concurrent;
        public sealed class Watched : IProducerConsumerCollection<string>
        {
            public readonly ConcurrentStack<string> Stack = new();
            public Func<string[]>? Show;
            public bool TryAdd(string item) { Stack.Push(item); return true; }
            public bool TryTake([MaybeNullWhen(false)] out string item) => Stack.TryPop(out item);
            public string[] ToArray() => Show is null ? Stack.ToArray() : Show();
            public int Count => Stack.Count;
            public bool IsSynchronized => false;
            public object SyncRoot => throw new NotSupportedException();
            public void CopyTo(string[] array, int index) => Stack.CopyTo(array, index);
            public void CopyTo(Array array, int index) => throw new NotSupportedException();
            public IEnumerator<string> GetEnumerator() => Stack.GetEnumerator();
            System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
        }
        [NinoType] public sealed class Work
        {
            public static Func<BlockingCollection<string>, ConcurrentStack<string>, string[]>? Look;
            private readonly Watched _store = new();
            public Work()
            {
                Jobs = new(_store);
                if (Look is { } look) _store.Show = () => look(Jobs, _store.Stack);
            }

            public BlockingCollection<string> Jobs { get; }
        }
        """;

    [Fact]
    public void ABlockingCollectionOverAStackOrABagKeepsItsOrder() => Programs.Run("""
        using System.Collections.Concurrent;
        [NinoType] public sealed class Work
        {
            public BlockingCollection<string> Queue { get; } = new();
            public BlockingCollection<string> Stack { get; } = new(new ConcurrentStack<string>());
            public BlockingCollection<int> Bag { get; } = new(new ConcurrentBag<int>(), 3);
        }
        """, """
        var value = new Work();
        foreach (int i in new[] { 1, 2, 3 })
        {
            value.Queue.Add("q" + i);
            value.Stack.Add("s" + i);
            value.Bag.Add(i);
        }

        Work copy = Copy(value);
        Equal((string.Join(",", value.Queue), string.Join(",", value.Stack), string.Join(",", value.Bag)), (string.Join(",", copy.Queue), string.Join(",", copy.Stack), string.Join(",", copy.Bag)));
        Equal(("q1", "s3", 3), (copy.Queue.Take(), copy.Stack.Take(), copy.Bag.Take()));
        """);

    [Fact]
    public void ABlockingCollectionWhoseElementsAreTakenMeanwhileGivesEachOnce() => Programs.Run(Watched, """
        var work = new Work { Jobs = { "a", "b", "c" } };
        Equal("c,b,a", string.Join(",", Copy(work).Jobs));
        List<string> taken = [];
        Work.Look = (jobs, stack) =>
        {
            string[] there = stack.ToArray();
            // Somebody takes one when its order was seen.
            if (taken.Count == 0 && there.Length > 0) taken.Add(jobs.Take());
            return there;
        };
        Work copy = Copy(work);
        Equal(1, taken.Count);
        Equal("a,b,c", string.Join(",", System.Linq.Enumerable.Order(System.Linq.Enumerable.Concat(taken, copy.Jobs))));
        """);

    [Fact]
    public void ABlockingCollectionOfWhichAnElementIsTakenAndPutBackMeanwhileHasDroppedNone() => Programs.Run(Watched, """
        byte[] bytes = NinoSerializer.Serialize(new Work { Jobs = { "a", "b", "c" } });
        int returned = 0;
        Work.Look = (jobs, stack) =>
        {
            if (returned > 0 || stack.IsEmpty) return stack.ToArray();
            // Somebody takes one in front of the look, and puts it back in front of the count.
            string taken = jobs.Take();
            string[] there = stack.ToArray();
            jobs.Add(taken);
            returned++;
            return there;
        };
        Work read = NinoSerializer.Deserialize<Work>(bytes);
        Equal((1, "c,b,a"), (returned, string.Join(",", read.Jobs)));
        Work.Look = null;
        Copy(read);
        """);

    [Fact]
    public void ABlockingCollectionOfStructsThatAreEqualKeepsTheirOrder() => Programs.Run("""
        using System.Collections.Concurrent;
        [NinoType] public readonly struct Job(int priority, string payload) : IEquatable<Job>
        {
            public int Priority { get; } = priority;
            public string Payload { get; } = payload;
            public bool Equals(Job other) => Priority == other.Priority;
            public override bool Equals(object? other) => other is Job job && Equals(job);
            public override int GetHashCode() => Priority;
        }
        [NinoType] public sealed class Work
        {
            public BlockingCollection<Job> Stack { get; } = new(new ConcurrentStack<Job>());
            public BlockingCollection<decimal> Numbers { get; } = new(new ConcurrentStack<decimal>());
            public BlockingCollection<Job> Queue { get; } = new();
        }
        """, """
        Work value = new() { Stack = { new(1, "a"), new(1, "b"), new(1, "c") }, Numbers = { 1.0m, 1.00m }, Queue = { new(1, "a"), new(1, "b") } };
        Work copy = Copy(value);
        Equal("c,b,a", string.Join(",", System.Linq.Enumerable.Select(copy.Stack, static job => job.Payload)));
        Equal("a,b", string.Join(",", System.Linq.Enumerable.Select(copy.Queue, static job => job.Payload)));
        Equal("1.00,1.0", string.Join(",", System.Linq.Enumerable.Select(copy.Numbers, static number => number.ToString(System.Globalization.CultureInfo.InvariantCulture))));
        """);

    [Fact]
    public void ABlockingCollectionThatDropsOrSortsElementsIsRefused() => Programs.Run("""
        using System.Collections.Concurrent;
        public sealed class Odd(bool drops) : IProducerConsumerCollection<int>
        {
            private readonly List<int> _items = [];
            public bool TryAdd(int item) { if (!drops || item < 3) _items.Add(item); _items.Sort(); return true; }
            public bool TryTake(out int item) { item = _items.Count > 0 ? _items[0] : 0; if (_items.Count == 0) return drops; _items.RemoveAt(0); return true; }
            public int[] ToArray() => _items.ToArray();
            public int Count => _items.Count;
            public bool IsSynchronized => false;
            public object SyncRoot => throw new NotSupportedException();
            public void CopyTo(int[] array, int index) => _items.CopyTo(array, index);
            public void CopyTo(Array array, int index) => throw new NotSupportedException();
            public IEnumerator<int> GetEnumerator() => _items.GetEnumerator();
            System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
        }
        [NinoType] public sealed class Work
        {
            public static int Kind;
            public BlockingCollection<int> Jobs { get; } = Kind == 0 ? new(new ConcurrentQueue<int>()) : new(new Odd(drops: Kind == 1));
        }
        """, """
        byte[] rising = NinoSerializer.Serialize(new Work { Jobs = { 1, 2, 3 } }), falling = NinoSerializer.Serialize(new Work { Jobs = { 3, 2, 1 } });
        Equal(3, Copy(new Work { Jobs = { 1, 2, 3 } }).Jobs.Count);
        Work.Kind = 1;
        Refused(rising, "has 2 elements after 3 were put into it");
        Work.Kind = 2;
        Equal("1,2,3", string.Join(",", NinoSerializer.Deserialize<Work>(rising).Jobs));
        Refused(falling, "shows its elements in an order of its own");
        static void Refused(byte[] record, string message)
        {
            try { NinoSerializer.Deserialize<Work>(record); }
            catch (NinoSerializationException error) when (error.Message.Contains(message)) { return; }
            throw new InvalidOperationException("it was read");
        }
        """);

    [Fact]
    public void OneThatWasCompletedIsReadOpenAndOneThatTheConstructorCompletesIsRefused() => Programs.Run("""
        using System.Collections.Concurrent;
        [NinoType] public sealed class Work { public BlockingCollection<int> Jobs { get; } = new(); }
        [NinoType] public sealed class Done { public Done() => Jobs.CompleteAdding(); public BlockingCollection<int> Jobs { get; } = new() { 1 }; }
        [NinoType] public sealed class Given
        {
            public Given(bool isDone) { IsDone = isDone; if (isDone) Jobs.CompleteAdding(); }
            public bool IsDone { get; }
            public BlockingCollection<int> Jobs { get; } = new() { 1 };
        }
        """, """
        Work work = new() { Jobs = { 1, 2 } };
        work.Jobs.CompleteAdding();
        Equal(("1,2", false), (string.Join(",", Copy(work).Jobs), Copy(work).Jobs.IsAddingCompleted));
        Equal(true, Told(() => NinoSerializer.Serialize(new Done())).Contains("Done.Jobs' has no setter, and it is completed for adding in a new object, so reading could not fill it"));
        Equal(1, Copy(new Given(false)).Jobs.Count);
        byte[] bytes = NinoSerializer.Serialize(new Given(true));
        Equal(true, Told(() => NinoSerializer.Deserialize<Given>(bytes)).Contains("Element 0 was refused by the 'System.Collections.Concurrent.BlockingCollection`1[System.Int32]' that the member 'Given.Jobs' holds"));
        static string Told(Action act)
        {
            try { act(); }
            catch (NinoSerializationException error) { return error.Message; }
            return "nothing";
        }
        """);
}
