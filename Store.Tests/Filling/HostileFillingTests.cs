using Store.Tests.Generator;

namespace Store.Tests.Filling;

/// <summary>
/// What strangers wrote into collections without a setter: nothing but the one exception comes out, and memory is bounded by the input. The types are compiled for the test alone, so that no
/// object of another fuzzed type holds one.
/// </summary>
public sealed class HostileFillingTests
{
    private const string Types = """
        using System.Collections.Concurrent; using System.Collections.ObjectModel;
        [NinoType] public sealed class Lists
        {
            public List<string> List { get; } = [];
            public LinkedList<int> Linked { get; } = new();
            public IList<int> AnyList { get; } = new ObservableCollection<int>();
            public Collection<string?> Collection { get; } = [];
            public Queue<int> Queue { get; } = new();
            public Stack<string> Stack { get; } = new();
            public PriorityQueue<string, int> Priority { get; } = new();
            public ConcurrentQueue<int> ConcurrentQueue { get; } = new();
            public ConcurrentStack<int> ConcurrentStack { get; } = new();
            public ConcurrentBag<int> Bag { get; } = [];
            public BlockingCollection<int> Bounded { get; } = new(2);
            public Names Own { get; } = [];
            public List<long> Last { get; } = [1];
        }
        [NinoType] public sealed class Keyed
        {
            public HashSet<string> Set { get; } = new(StringComparer.OrdinalIgnoreCase);
            public SortedSet<int> Sorted { get; } = [];
            public ISet<int> AnySet { get; } = new SortedSet<int>();
            public Dictionary<string, int> Map { get; } = new(StringComparer.OrdinalIgnoreCase);
            public SortedDictionary<int, string> SortedMap { get; } = [];
            public SortedList<int, string> SortedList { get; } = [];
            public OrderedDictionary<int, string> Ordered { get; } = [];
            public ConcurrentDictionary<int, string> Concurrent { get; } = new();
            public IDictionary<int, string> AnyMap { get; } = new Dictionary<int, string>();
            public Dictionary<int, Inner> Last { get; } = [];
        }
        [NinoType] public sealed class Inner { public HashSet<int> Numbers { get; } = []; public List<Inner> More { get; } = []; }
        [NinoType] public sealed class Given(int id) { public int Id { get; } = id; public IList<string> Values { get; } = id % 2 == 0 ? new List<string>() : Array.AsReadOnly(new[] { "fixed" }); public List<int> Last { get; } = []; }
        public sealed class Names : Collection<string>;
        """;

    private const string Values = """
        var lists = new Lists { List = { "a", "b" }, AnyList = { 1, 2 }, Collection = { "c", null }, Bag = { 5 }, Bounded = { 6, 7 }, Own = { "n" }, Last = { 8 } };
        lists.Linked.AddLast(1);
        lists.Queue.Enqueue(2);
        lists.Stack.Push("s");
        lists.Priority.Enqueue("p", 3);
        lists.ConcurrentQueue.Enqueue(4);
        lists.ConcurrentStack.Push(5);
        var keyed = new Keyed
        {
            Set = { "a", "b" }, Sorted = { 1, 2 }, AnySet = { 3, 4 }, Map = { ["k"] = 1, ["l"] = 2 }, SortedMap = { [1] = "x", [2] = "y" }, SortedList = { [3] = "z", [4] = "w" }, Ordered = { [5] = "o", [6] = "q" }, AnyMap = { [7] = "m" },
            Last = { [9] = new Inner { Numbers = { 1, 2 }, More = { new Inner(), new Inner { Numbers = { 3 } } } } },
        };
        keyed.Concurrent[8] = "c";
        Hostile(lists);
        Hostile(keyed);
        Hostile(new Given(4) { Values = { "v" }, Last = { 1 } });
        """;

    [Fact]
    public void HugeCountsAtEveryPlaceOfARecordAreRefusedCheaply() => Programs.Run(Types, Values + """
        static void Hostile<T>(T value) where T : class
        {
            byte[] record = NinoSerializer.Serialize(Copy(value));
            string[] counts = ["FE00000080", "FEFFFFFFFF", "FEFFFFFF7F", "FE01000080", "FDFFFF", "FC", "FE00000040", "FF03FEFFFFFF7F", "FB"];
            for (int at = 0; at < record.Length; at++)
            {
                foreach (string count in counts)
                {
                    Try<T>([.. record[..at], .. Convert.FromHexString(count), .. record[(at + 1)..]]);
                    Try<T>([.. record[..at], .. Convert.FromHexString(count), .. new byte[1000]]);
                }
            }
        }
        """ + Try);

    [Fact]
    public void MutatedRecordsAreReadOrRefusedAndNothingElse() => Programs.Run(Types, Values + """
        static void Hostile<T>(T value) where T : class
        {
            byte[] record = NinoSerializer.Serialize(Copy(value));
            var random = new Random(7);
            int read = 0;
            const int Inputs = 8_000;
            for (int i = 0; i < Inputs; i++)
            {
                List<byte> bytes = [.. record];
                for (int edits = random.Next(1, 4); edits > 0 && bytes.Count > 0; edits--)
                {
                    int at = random.Next(bytes.Count), length = Math.Min(random.Next(1, 9), bytes.Count - at);
                    switch (random.Next(7))
                    {
                        case 0: bytes[at] ^= (byte)(1 << random.Next(8)); break;
                        case 1: bytes[at] = (byte)random.Next(256); break;
                        case 2: bytes.RemoveRange(at, length); break;
                        case 3: bytes.InsertRange(at, bytes.GetRange(at, length)); break;
                        case 4: bytes.Reverse(at, length); break;
                        case 5: bytes[at] = (byte)random.Next(4); break;
                        // A key that is that of its neighbour for all but the comparer.
                        case 6: bytes[at] = (byte)(bytes[Math.Max(0, at - random.Next(9))] ^ 0x20); break;
                    }
                }

                if (Try<T>([.. bytes])) read++;
            }

            // Both happen, or nothing was tried.
            if (read is < Inputs / 100 or > Inputs * 99 / 100) throw new InvalidOperationException($"{read} of {Inputs} mutated records of {typeof(T)} were read");
        }
        """ + Try);

    [Fact]
    public void ADictionaryBehindACollectionOfPairsIsCountedAndSoIsOneOfTheUsersOwn() => Programs.Run("""
        using System.Collections.Concurrent;
        [NinoType] public sealed class Hashed { public ICollection<KeyValuePair<long, int>> Pairs { get; } = new Dictionary<long, int>(); }
        [NinoType] public sealed class Ordered { public IList<KeyValuePair<long, int>> Pairs { get; } = new OrderedDictionary<long, int>(); public string? Name { get; set; } }
        [NinoType] public sealed class Shared { public ICollection<KeyValuePair<long, int>> Pairs { get; } = new ConcurrentDictionary<long, int>(); public string? Name { get; set; } }
        [NinoType] public sealed class Listed { public ICollection<KeyValuePair<long, int>> Pairs { get; } = new List<KeyValuePair<long, int>>(); }
        public sealed class OwnShared : ConcurrentDictionary<long, int>;
        [NinoType] public sealed class Owners { public OwnShared? Shared; }
        """, """
        // One hash code, in falling order.
        KeyValuePair<long, int>[] pairs = [.. System.Linq.Enumerable.Select(System.Linq.Enumerable.Range(0, 3000), static i => new KeyValuePair<long, int>((3000L - i << 32) | (3000L - i), i))];
        Try<Hashed>(new Hashed(), static one => one.Pairs, isCounted: true);
        Try<Ordered>(new Ordered(), static one => one.Pairs, isCounted: true);
        Try<Shared>(new Shared(), static one => one.Pairs, isCounted: true);
        Try<Listed>(new Listed(), static one => one.Pairs, isCounted: false);
        Try<Owners>(new Owners { Shared = new() }, static one => one.Shared!, isCounted: true);
        void Try<T>(T value, Func<T, ICollection<KeyValuePair<long, int>>> get, bool isCounted)
        {
            foreach (KeyValuePair<long, int> pair in pairs) get(value).Add(pair);
            byte[] record = NinoSerializer.Serialize(value);
            T copy = Copy(value);
            Equal(true, System.Linq.Enumerable.SequenceEqual(pairs, System.Linq.Enumerable.OrderBy(get(copy), static pair => pair.Value)));
            Equal(typeof(T) + " " + isCounted, typeof(T) + " " + !IsRead(() => NinoSerializer.Deserialize<T>(record, new NinoLimits { MaxKeyComparisons = 10_000 })));
        }
        static bool IsRead(Action read)
        {
            try { read(); return true; }
            catch (NinoSerializationException error) when (error.Message.Contains("MaxKeyComparisons")) { return false; }
        }
        """);

    [Fact]
    public void ASortedListGetsKeysThatComeInFallingOrderInRisingOrder() => Programs.Run("""
        public sealed class Watched : SortedList<long, int>, IDictionary<long, int>
        {
            public static List<long> Added = [];
            void IDictionary<long, int>.Add(long key, int value) { Added.Add(key); Add(key, value); }
        }
        [NinoType] public sealed class Sorted { public ICollection<KeyValuePair<long, int>> Pairs { get; } = new Watched(); }
        [NinoType] public sealed class SortedMap { public IDictionary<long, int> Pairs { get; } = new Watched(); }
        [NinoType] public sealed class Owner { public Watched? Pairs; }
        [NinoType] public sealed class Listed { public ICollection<KeyValuePair<long, int>> Pairs { get; } = new List<KeyValuePair<long, int>>(); }
        [NinoType] public sealed class Mapped { public Dictionary<long, int>? Pairs; }
        """, """
        var listed = new Listed();
        var mapped = new Mapped { Pairs = [] };
        for (int i = 3000; i > 0; i--)
        {
            listed.Pairs.Add(new(i, -i));
            mapped.Pairs.Add(i, -i);
        }

        Copy(mapped);
        Rising<Sorted>(NinoSerializer.Serialize(listed), static one => one.Pairs);
        Rising<SortedMap>(NinoSerializer.Serialize(mapped), static one => one.Pairs);
        Rising<Owner>(NinoSerializer.Serialize(mapped), static one => one.Pairs!);
        static void Rising<T>(byte[] record, Func<T, ICollection<KeyValuePair<long, int>>> get)
        {
            NinoSerializer.Serialize(Activator.CreateInstance<T>());
            Watched.Added.Clear();
            ICollection<KeyValuePair<long, int>> read = get(NinoSerializer.Deserialize<T>(record));
            Equal((3000, true), (read.Count, System.Linq.Enumerable.All(read, static pair => pair.Key == -pair.Value)));
            Equal((3000, true), (Watched.Added.Count, System.Linq.Enumerable.SequenceEqual(Watched.Added, System.Linq.Enumerable.Order(Watched.Added))));
        }
        """);

    /// <summary>Each of them gives its collection the elements that another member has, so that each is encoded with all that is in it.</summary>
    [Theory]
    [InlineData("Dictionary<string, Node?>", 60, "new() { [\"k\"] = null }", "node.Other[\"k\"] = null", "node.Other[\"x\"] = inner")]
    [InlineData("List<Held>", 30, "[new()]", "node.Other.Add(new())", "node.Other.Add(new() { Node = inner })")]
    public void ObjectsInsideOfOneAnotherAreComparedUpToTheLimit(string type, int levels, string first, string same, string holds) => Programs.Run($$"""
        [NinoType] public struct Held { public Node? Node { get; set; } }
        [NinoType] public class Node { public {{type}} Kept { get; } = {{first}}; public {{type}} Other { get; set; } = []; public byte[]? Bytes { get; set; } }
        """, $$"""
        // A megabyte inside of all.
        byte[] deep = Nested({{levels}}, isSame: true), flat = Nested(4, isSame: true), other = Nested({{levels}}, isSame: false);
        Copy(new Node());
        Refused(() => NinoSerializer.Deserialize<Node>(deep, new NinoLimits { MaxKeyComparisons = 100_000_000 }), "MaxKeyComparisons");
        Equal(Convert.ToHexString(deep), Convert.ToHexString(NinoSerializer.Serialize(NinoSerializer.Deserialize<Node>(deep, new NinoLimits { MaxKeyComparisons = long.MaxValue }))));
        Equal(Convert.ToHexString(flat), Convert.ToHexString(NinoSerializer.Serialize(NinoSerializer.Deserialize<Node>(flat, new NinoLimits { MaxKeyComparisons = 0 }))));
        long before = GC.GetAllocatedBytesForCurrentThread();
        NinoSerializer.Deserialize<Node>(other, new NinoLimits { MaxKeyComparisons = 0 });
        Equal(true, GC.GetAllocatedBytesForCurrentThread() - before < 2_000_000);
        static byte[] Nested(int depth, bool isSame)
        {
            Node? inner = null;
            for (int i = 0; i < depth; i++)
            {
                Node node = new() { Bytes = new byte[i == 0 ? 1_000_000 : 1] };
                node.Kept.Clear();
                if (isSame) {{same}};
                if (inner is not null) {{holds}};
                inner = node;
            }

            return NinoSerializer.Serialize(inner!);
        }
        """);

    private const string Try = """
        static bool Try<T>(byte[] input) where T : class
        {
            // An exception with its trace, and what the bytes could hold times the memory of an entry.
            long allowed = 65_536 + (512 * input.Length), before = GC.GetAllocatedBytesForCurrentThread();
            bool isRead = IsRead(() => NinoSerializer.Deserialize<T>(input));
            long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            if (allocated > allowed)
            {
                // What the process makes once, for the first exception of a kind or a method that is compiled anew, is not the record's.
                before = GC.GetAllocatedBytesForCurrentThread();
                Equal(isRead, IsRead(() => NinoSerializer.Deserialize<T>(input)));
                allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            }
            if (allocated > allowed) throw new InvalidOperationException($"reading {Convert.ToHexString(input)} allocated {allocated} bytes");
            T? there = NinoSerializer.Deserialize<T>(Records[^1].Bytes);
            Equal(isRead, IsRead(() => NinoSerializer.Deserialize(input, ref there)));
            return isRead;
        }
        static bool IsRead(Action read)
        {
            try { read(); return true; }
            catch (NinoSerializationException) { return false; }
        }
        """;
}
