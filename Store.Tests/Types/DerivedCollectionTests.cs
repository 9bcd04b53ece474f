using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Classes of the user's derived from queues, stacks, bags and lists of the framework: stored as their base is.</summary>
public sealed class DerivedCollectionTests
{
    private const string Classes = """
        using System.Collections.Concurrent;
        [assembly: NinoSerializable(typeof(Jobs))] [assembly: NinoSerializable(typeof(Queue<string>))]
        [assembly: NinoSerializable(typeof(Pile))] [assembly: NinoSerializable(typeof(Stack<Item>))]
        [assembly: NinoSerializable(typeof(Ranks))] [assembly: NinoSerializable(typeof(PriorityQueue<Item, int>))]
        [assembly: NinoSerializable(typeof(SharedJobs))] [assembly: NinoSerializable(typeof(ConcurrentQueue<int>))]
        [assembly: NinoSerializable(typeof(SharedPile))] [assembly: NinoSerializable(typeof(ConcurrentStack<int>))]
        [assembly: NinoSerializable(typeof(Bag))] [assembly: NinoSerializable(typeof(ConcurrentBag<int>))]
        [assembly: NinoSerializable(typeof(Chain))] [assembly: NinoSerializable(typeof(LinkedList<int>))]
        [assembly: NinoSerializable(typeof(Sorted))] [assembly: NinoSerializable(typeof(SortedSet<int>))]
        [NinoType] public sealed record Item(int Id, string? Name);
        public class Jobs : Queue<string?>;
        public sealed class Pile : Stack<Item?>;
        public sealed class Ranks : PriorityQueue<Item, int>;
        public abstract class Shared<T> : ConcurrentQueue<T>;
        public sealed class SharedJobs : Shared<int>;
        public sealed class SharedPile : ConcurrentStack<int>;
        public sealed class Bag : ConcurrentBag<int>;
        public sealed class Chain : LinkedList<int>;
        public sealed class Sorted : SortedSet<int>;
        public static class Make
        {
            public static T Of<T>(Action<T> fill) where T : new() { var made = new T(); fill(made); return made; }
            public static T Jobs<T>() where T : Queue<string?>, new() => Of<T>(static one => { one.Enqueue("gone"); one.Enqueue("a"); one.Enqueue(null); one.Dequeue(); });
            public static T Pile<T>() where T : Stack<Item?>, new() => Of<T>(static one => { one.Push(new(1, "bottom")); one.Push(null); one.Push(new(3, null)); });
            public static T Ranks<T>() where T : PriorityQueue<Item, int>, new() => Of<T>(static one => { one.Enqueue(new(1, "last"), 9); one.Enqueue(new(2, "first"), 1); one.Enqueue(new(3, null), 5); });
            public static T SharedJobs<T>() where T : ConcurrentQueue<int>, new() => Of<T>(static one => { one.Enqueue(1); one.Enqueue(2); });
            public static T SharedPile<T>() where T : ConcurrentStack<int>, new() => Of<T>(static one => { one.Push(1); one.Push(2); });
            public static T Bag<T>() where T : ConcurrentBag<int>, new() => Of<T>(static one => { one.Add(1); one.Add(2); });
            public static T Numbers<T>() where T : ICollection<int>, new() => Of<T>(static one => { one.Add(1); one.Add(2); });
        }

        """;

    [Fact]
    public void TheyHaveTheSchemaAndTheBytesOfTheirBase() => Programs.Run(Classes + """
        [NinoType] public sealed class Derived { public Jobs? Jobs { get; set; } public Ranks? Ranks { get; set; } public Pile? Pile { get; set; } }
        [NinoType] public sealed class Plain { public Queue<string?>? Jobs { get; set; } public PriorityQueue<Item, int>? Ranks { get; set; } public Stack<Item?>? Pile { get; set; } }
        """, """
        Same(Make.Jobs<Jobs>(), Make.Jobs<Queue<string?>>());
        Same(Make.Pile<Pile>(), Make.Pile<Stack<Item?>>());
        Same(Make.Ranks<Ranks>(), Make.Ranks<PriorityQueue<Item, int>>());
        Same(Make.SharedJobs<SharedJobs>(), Make.SharedJobs<ConcurrentQueue<int>>());
        Same(Make.SharedPile<SharedPile>(), Make.SharedPile<ConcurrentStack<int>>());
        Same(Make.Bag<Bag>(), Make.Bag<ConcurrentBag<int>>());
        Same(Make.Numbers<Chain>(), Make.Numbers<LinkedList<int>>());
        Same(Make.Numbers<Sorted>(), Make.Numbers<SortedSet<int>>());
        Same<Jobs, Queue<string?>>(new(), new());
        SameBytes(new Derived(), new Plain());
        SameBytes(new Derived { Jobs = new(), Ranks = new(), Pile = new() }, new Plain { Jobs = new(), Ranks = new(), Pile = new() });
        Equal((null, null, null), (Copy(new Derived()).Jobs, Copy(new Derived()).Ranks, Copy(new Derived()).Pile));
        Equal((0, 0, 0), (Copy(new Derived { Jobs = new() }).Jobs!.Count, Copy(new Derived { Ranks = new() }).Ranks!.Count, Copy(new Derived { Pile = new() }).Pile!.Count));
        static void SameBytes<T, TBase>(T value, TBase plain) => Equal(Convert.ToHexString(NinoSerializer.Serialize(plain)), Convert.ToHexString(NinoSerializer.Serialize(value)));
        static void Same<T, TBase>(T value, TBase plain) where T : TBase
        {
            string expected = Convert.ToHexString(NinoSerializer.Serialize(plain));
            Equal(expected, Convert.ToHexString(NinoSerializer.Serialize(value)));
            T copy = Copy(value);
            Equal(typeof(T), copy!.GetType());
            Equal(expected, Convert.ToHexString(NinoSerializer.Serialize(copy)));
            Equal(NinoSerializer.SchemaOf<TBase>().Fingerprint, NinoSerializer.SchemaOf<T>().Fingerprint);
        }
        """);

    [Fact]
    public void TheyLeaveInTheOrderInWhichTheyWould() => Programs.Run(Classes, """
        Jobs jobs = Copy(Make.Jobs<Jobs>());
        Equal(("a", null, 0), (jobs.Dequeue(), jobs.Dequeue(), jobs.Count));
        Pile pile = Copy(Make.Pile<Pile>());
        Equal((3, null, "bottom"), (pile.Pop()!.Id, pile.Pop(), pile.Pop()!.Name));
        Ranks ranks = Copy(Make.Ranks<Ranks>());
        Equal((2, 3, 1), (ranks.Dequeue().Id, ranks.Dequeue().Id, ranks.Dequeue().Id));
        SharedJobs shared = Copy(Make.SharedJobs<SharedJobs>());
        Equal((true, 1), (shared.TryDequeue(out int first), first));
        SharedPile piled = Copy(Make.SharedPile<SharedPile>());
        Equal((true, 2), (piled.TryPop(out int top), top));
        Equal("2,1", string.Join(",", Copy(Make.Bag<Bag>())));
        Equal("1,2", string.Join(",", Copy(Make.Numbers<Chain>())));
        """);

    [Fact]
    public void AMethodThatHidesOneOfTheBaseIsNotCalled() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Loud))] [assembly: NinoSerializable(typeof(Pile))] [assembly: NinoSerializable(typeof(Ranks))]
        public sealed class Loud : Queue<int>
        {
            public static int Calls;
            public new int Count { get { Calls++; return 7; } }
            public new void Enqueue(int item) { Calls++; base.Enqueue(item + 100); }
            public new int[] ToArray() { Calls++; return []; }
            public new void CopyTo(int[] array, int index) => Calls++;
            public new IEnumerator<int> GetEnumerator() { Calls++; return base.GetEnumerator(); }
        }
        public sealed class Pile : Stack<int> { public new void Push(int item) => base.Push(item + 100); }
        public sealed class Ranks : PriorityQueue<int, int> { public new void Enqueue(int item, int priority) => base.Enqueue(item, -priority); public new int Count => 7; }
        """, """
        var loud = new Loud();
        loud.Enqueue(1);
        Loud.Calls = 0;
        Loud copy = Copy(loud);
        Equal((0, 101, 0), (Loud.Calls, copy.Dequeue(), ((Queue<int>)copy).Count));
        var pile = new Pile();
        pile.Push(1);
        Equal(101, Copy(pile).Pop());
        var ranks = new Ranks();
        ranks.Enqueue(1, 1);
        ranks.Enqueue(2, 2);
        Ranks read = Copy(ranks);
        Equal((2, 1), (read.Dequeue(), read.Dequeue()));
        """);

    [Fact]
    public void MembersWithAndWithoutASetterAreFilledAndReadIntoWhatIsThere() => Programs.Run(Classes + """
        [NinoType] public sealed class Holder
        {
            public int Id { get; set; }
            public Jobs? Set { get; set; }
            public Jobs Jobs { get; } = new();
            public Pile Pile { get; } = new();
            public Ranks Ranks { get; } = new();
            public SharedJobs SharedJobs { get; } = new();
            public readonly SharedPile SharedPile = new();
            public Bag Bag { get; } = new();
            public Chain Chain { get; } = new();
            public static Holder Filled()
            {
                var made = new Holder { Id = 1, Set = Make.Jobs<Jobs>(), Bag = { 1, 2 } };
                made.Jobs.Enqueue("a");
                made.Jobs.Enqueue("b");
                made.Pile.Push(new(1, "bottom"));
                made.Pile.Push(new(2, "top"));
                made.Ranks.Enqueue(new(1, "last"), 2);
                made.Ranks.Enqueue(new(2, "first"), 1);
                made.SharedJobs.Enqueue(3);
                made.SharedPile.Push(4);
                made.SharedPile.Push(5);
                made.Chain.AddLast(6);
                return made;
            }
        }
        """, """
        byte[] bytes = NinoSerializer.Serialize(Holder.Filled());
        Holder copy = Copy(Holder.Filled());
        Equal((2, "top", "first", 1, 5, 6), (copy.Jobs.Count, copy.Pile.Peek()!.Name, copy.Ranks.Peek().Name, copy.SharedJobs.Count, System.Linq.Enumerable.First(copy.SharedPile), copy.Chain.First!.Value));
        Holder? into = Holder.Filled();
        Jobs jobs = into.Jobs;
        jobs.Enqueue("another");
        into.Ranks.Enqueue(new(9, "another"), 0);
        NinoSerializer.Deserialize(bytes, ref into);
        Equal((true, 2, 2), (ReferenceEquals(jobs, into!.Jobs), jobs.Count, into.Ranks.Count));
        Equal(Convert.ToHexString(bytes), Convert.ToHexString(NinoSerializer.Serialize(into)));
        """);

    [Fact]
    public void AMemberThatBecomesOneIsReadAsAnyCollectionIs() => Programs.Run(Classes + """
        [NinoType, NinoFormerName("Queued")] public sealed class Single { public int Value { get; set; } public string? Name { get; set; } }
        [NinoType] public sealed class Listed { public List<int>? Value { get; set; } public string?[]? Name { get; set; } }
        [NinoType, NinoFormerName("Single"), NinoFormerName("Listed")] public sealed class Queued { public SharedJobs? Value { get; set; } public Jobs? Name { get; set; } public Ranks? Added { get; set; } }
        """, """
        Queued one = Evolve<Single, Queued>(new Single { Value = 3, Name = "n" });
        Equal((true, 3, "n", null), (one.Value!.TryPeek(out int value), value, one.Name!.Peek(), one.Added));
        Queued all = Evolve<Listed, Queued>(new Listed { Value = [1, 2], Name = ["a", null] });
        Equal("1,2 a,", string.Join(",", all.Value!) + " " + string.Join(",", all.Name!));
        Equal((3, "n"), (Evolve<Queued, Single>(one).Value, Evolve<Queued, Single>(one).Name));
        """);

    [Fact]
    public void TheyStandWhereObjectIsDeclaredAndToolsAndViewsReadThem() => Programs.Run(Classes + """
        [NinoType] public sealed class Any { public object? Value { get; set; } public Ranks? Ranks { get; set; } public SharedJobs? Numbers { get; set; } public Pile? Pile { get; set; } }
        """, """
        Any any = Copy(new Any { Value = Make.Jobs<Jobs>() });
        Equal((typeof(Jobs), 2), (any.Value!.GetType(), ((Jobs)any.Value).Count));
        Equal(typeof(Ranks), Copy(new Any { Value = Make.Ranks<Ranks>() }).Value!.GetType());
        byte[] bytes = NinoSerializer.Serialize(new Any { Ranks = Make.Ranks<Ranks>(), Numbers = Make.SharedJobs<SharedJobs>(), Pile = Make.Pile<Pile>() });
        var stream = new System.IO.MemoryStream();
        using (var writer = new System.Text.Json.Utf8JsonWriter(stream)) NinoJson.Write(writer, NinoSerializer.SchemaOf<Any>(), bytes);
        string json = System.Text.Encoding.UTF8.GetString(stream.ToArray());
        Equal(true, json.Contains("\"Ranks\":[{\"Element\":{\"Id\":2,\"Name\":\"first\"},\"Priority\":1}"));
        Equal(true, json.Contains("\"Numbers\":[1,2]"));
        AnyView view = NinoView.Open<AnyView>(bytes, NinoSerializer.SchemaOf<Any>());
        Equal((2, 2, 3, "bottom", 3), (view.Numbers.Count, view.Numbers[1], view.Pile.Count, view.Pile[0].Name.ToString(), view.ReadRanks()!.Count));
        """);

    [Fact]
    public void AClassThatHoldsOneOfItselfIsReadAsDeepAsTheLimitAllows() => Programs.Run("""
        [NinoType] public sealed class Tree { public int Id { get; set; } public Trees? Children { get; set; } public Ranks Ranked { get; } = new(); }
        public sealed class Trees : Queue<Tree>;
        public sealed class Ranks : PriorityQueue<Tree, Tree>;
        """, """
        Tree root = new(), last = root;
        for (int i = 1; i < 10; i++)
        {
            Tree next = new() { Id = i };
            if (i % 2 == 0) last.Ranked.Enqueue(next, new Tree { Id = -i });
            else (last.Children = new()).Enqueue(next);
            last = next;
        }

        Tree copy = Copy(root);
        Equal((1, 2, -2), (copy.Children!.Peek().Id, copy.Children.Peek().Ranked.Peek().Id, System.Linq.Enumerable.First(copy.Children.Peek().Ranked.UnorderedItems).Priority.Id));
        byte[] bytes = NinoSerializer.Serialize(root);
        int depth = 1;
        while (!Reads(depth)) depth++;
        Equal(true, depth is > 9 and < 20);
        bool Reads(int most)
        {
            try { return NinoSerializer.Deserialize<Tree>(bytes, new NinoLimits { MaxDepth = most }) is not null; }
            catch (NinoSerializationException error) when (error.Message.Contains("nests deeper")) { return false; }
        }
        """);

    [Fact]
    public void OneThatWouldHaveMoreOrAnotherOrderWhenItIsReadIsRefused() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Queue<int>))] [assembly: NinoSerializable(typeof(Started))]
        [assembly: NinoSerializable(typeof(PriorityQueue<string, int>))] [assembly: NinoSerializable(typeof(StartedRanks))] [assembly: NinoSerializable(typeof(Falling))] [assembly: NinoSerializable(typeof(Either))]
        public sealed class Started : Queue<int> { public Started() => Enqueue(0); }
        public sealed class StartedRanks : PriorityQueue<string, int> { public StartedRanks() => Enqueue("first", 0); }
        public sealed class Falling : PriorityQueue<string, int> { public Falling() : base(Comparer<int>.Create(static (a, b) => b - a)) { } }
        public sealed class Either : PriorityQueue<string, int> { public Either() { } public Either(IComparer<int> comparer) : base(comparer) { } }
        """, """
        byte[] two = NinoSerializer.Serialize(new Queue<int>([1, 2])), ranked = NinoSerializer.Serialize(new PriorityQueue<string, int>([("a", 1)]));
        Refused("has 1 elements, and 2 once they are added to a new one", () => NinoSerializer.Serialize(new Started()));
        Refused("has 2 elements, and 3 once they are added to a new one", () => NinoSerializer.Deserialize<Started>(two));
        Refused("has 1 elements, and 2 once they are added to a new one", () => NinoSerializer.Serialize(new StartedRanks()));
        Refused("has 1 elements, and 2 once they are added to a new one", () => NinoSerializer.Deserialize<StartedRanks>(ranked));
        Refused("which records do not keep", () => NinoSerializer.Serialize(new Falling()));
        Refused("which records do not keep", () => NinoSerializer.Deserialize<Falling>(ranked));
        Refused("which records do not keep", () => NinoSerializer.Serialize(new Either(Comparer<int>.Create(static (a, b) => b - a))));
        Equal("a", NinoSerializer.Deserialize<Either>(ranked).Peek());
        Copy(new Either());
        static void Refused(string message, Func<object?> act)
        {
            try { act(); }
            catch (NinoSerializationException error) when (error.Message.Contains(message)) { return; }
            throw new InvalidOperationException("not refused: " + message);
        }
        """);

    [Fact]
    public void AGenericOneOfAnotherAssemblyIsStoredOverWhateverItHolds() => Programs.Run("""
        [NinoType] public sealed record Item(int Id);
        [NinoType] public sealed class Holder
        {
            public Lib.Line<Item?>? Items { get; set; }
            [NinoUtf8] public Lib.Line<string>? Texts { get; set; }
            public Lib.Ranked<string> Ranked { get; } = new();
        }
        """, """
        Holder holder = new() { Items = new(), Texts = new() };
        holder.Items.Enqueue(new(1));
        holder.Items.Enqueue(null);
        holder.Texts.Enqueue("é");
        holder.Ranked.Enqueue("last", 2);
        holder.Ranked.Enqueue("first", 1);
        Holder copy = Copy(holder);
        Equal((1, null, "é"), (copy.Items!.Dequeue()!.Id, copy.Items.Dequeue(), copy.Texts!.Dequeue()));
        Equal(("first", "last"), (copy.Ranked.Dequeue(), copy.Ranked.Dequeue()));
        Equal(true, Copy(new Holder()).Items is null);
        """, """
        namespace Lib;
        public class Line<T> : Queue<T>;
        public class Ranked<T> : PriorityQueue<T, int>;
        """);

    [Theory]
    [InlineData("public sealed class Jobs : Queue<int> { public Jobs(int room) : base(room) { } }", "NINO002", "without a public parameterless constructor")]
    [InlineData("public sealed class Jobs : PriorityQueue<int, int> { private Jobs() { } }", "NINO002", "without a public parameterless constructor")]
    [InlineData("public sealed class Jobs : Stack<int> { public string? Name { get; set; } }", "NINO002", "its member 'Name' would be lost")]
    [InlineData("public sealed class Jobs : System.Collections.Concurrent.ConcurrentBag<int> { public string? Name; }", "NINO002", "its member 'Name' would be lost")]
    [InlineData("public sealed class Jobs : PriorityQueue<int, int> { private int _most; public int Most => _most; public void Set(int most) => _most = most; }", "NINO017", "'Jobs._most'")]
    [InlineData("public sealed class Jobs : Queue<Jobs>;", "NINO002", "it is a collection that holds itself")]
    [InlineData("public sealed class Jobs : Queue<Action>;", "NINO002", "a delegate is code, not data")]
    [InlineData("public sealed class Jobs : System.Collections.Concurrent.BlockingCollection<int>;", "NINO002", "keeps its state in private members")]
    [InlineData("public sealed class Jobs(IList<int> all) : System.Collections.ObjectModel.ReadOnlyCollection<int>(all);", "NINO002", "without a public parameterless constructor")]
    [InlineData("public sealed class Jobs() : System.Collections.ObjectModel.ReadOnlyCollection<int>([1]);", "NINO002", "is made with its elements and takes no more")]
    [InlineData("public sealed class Jobs() : System.Collections.ObjectModel.ReadOnlyDictionary<int, int>(new Dictionary<int, int>());", "NINO002", "is made with its elements and takes no more")]
    [InlineData("public sealed class Jobs : System.Collections.ReadOnlyCollectionBase;", "NINO002", "its base class 'System.Collections.ReadOnlyCollectionBase' keeps its state in private members, which would be lost; hold it in a member instead of deriving from it")]
    [InlineData("public sealed class Jobs : System.Collections.Specialized.StringDictionary;", "NINO002", "its base class 'System.Collections.Specialized.StringDictionary' keeps its state in private members, which would be lost; hold it in a member instead of deriving from it")]
    [InlineData("public sealed class Jobs : System.Collections.Specialized.NameValueCollection;", "NINO002", "its base class 'System.Collections.Specialized.NameValueCollection' keeps its state in private members, which would be lost; hold it in a member instead of deriving from it")]
    [InlineData("public sealed class Jobs : System.Data.DataView;", "NINO002", "its base class 'System.Data.DataView' keeps its state in private members")]
    [InlineData("public sealed class Jobs : System.Data.DataTable;", "NINO002", "its base class 'System.Data.DataTable' keeps its state in private members")]
    [InlineData("public sealed class Jobs : System.Collections.ArrayList { public Jobs(int room) : base(room) { } }", "NINO002", "without a public parameterless constructor")]
    [InlineData("public sealed class Jobs : System.Collections.CollectionBase { public string? Name { get; set; } }", "NINO002", "its member 'Name' would be lost")]
    [InlineData("public sealed class Jobs : System.Collections.Hashtable { public string? Name; }", "NINO002", "its member 'Name' would be lost")]
    [InlineData("public sealed class Jobs : System.Collections.Queue { private int _most; public int Most => _most; public void Set(int most) => _most = most; }", "NINO017", "'Jobs._most'")]
    [InlineData("[NinoType] public sealed class Jobs : System.Collections.ArrayList;", "NINO002", "keeps its state in private members, which would be lost; without [NinoType] it is stored as its elements")]
    [InlineData("[NinoType] public sealed class Jobs : Queue<int>;", "NINO002", "keeps its state in private members, which would be lost; without [NinoType] it is stored as its elements")]
    [InlineData("[NinoType] public sealed class Jobs : List<int> { public string? Name; }", "NINO002", "which would be lost; hold it in a member")]
    public void WhatCannotBeIsADiagnostic(string declared, string id, string message)
    {
        ImmutableArray<Diagnostic> diagnostics = GeneratorHarness.Diagnose(declared + " [NinoType] public sealed class A { public Jobs? X { get; set; } }");
        Assert.Contains(diagnostics, diagnostic => diagnostic.Id == id && diagnostic.GetMessage().Contains(message, StringComparison.Ordinal));
    }

    [Fact]
    public void StateThatMayBeLostIsLeftOut() => Programs.Run("""
        public sealed class Jobs : Queue<int> { [NinoIgnore] public string? Name { get; set; } [NinoIgnore] private int _most; public int Most => _most; public void Set(int most) => _most = most; }
        [NinoType] public sealed class Holder { public Jobs? Jobs { get; set; } }
        """, """
        var jobs = new Jobs { Name = "n" };
        jobs.Set(3);
        jobs.Enqueue(1);
        Jobs copy = Copy(new Holder { Jobs = jobs }).Jobs!;
        Equal((null, 0, 1), (copy.Name, copy.Most, copy.Dequeue()));
        """);
}
