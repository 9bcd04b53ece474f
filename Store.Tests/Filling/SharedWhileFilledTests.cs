using Store.Serialization.Codecs;
using Store.Tests.Generator;

namespace Store.Tests.Filling;

/// <summary>Collections that are filled, and are or show what another member has: what was different is refused, and what was the same is read.</summary>
public sealed class SharedWhileFilledTests
{
    /// <summary>A class that passes what its constructor takes to its base: both members hold one object then.</summary>
    [Theory]
    [InlineData("List<int>", "[1, 2]", "[3]")]
    [InlineData("List<int>", "[1, 2]", "[1, 3]")]
    [InlineData("Queue<string>", "new([\"a\"])", "new([\"b\"])")]
    [InlineData("Dictionary<string, int>", "new() { [\"a\"] = 1 }", "new() { [\"a\"] = 2 }")]
    [InlineData("HashSet<int>", "[1, 2]", "[2, 3]")]
    [InlineData("List<Item>", "[new(1)]", "[new(2)]")]
    [InlineData("List<byte[]>", "[new byte[] { 1 }]", "[new byte[] { 2 }]")]
    public void OneThatTheConstructorWasGivenForAnotherMemberIsRefusedWhereTheyDiffered(string type, string first, string second) => Programs.Run($$"""
        [assembly: NinoSerializable(typeof({{type}}))]
        [NinoType] public record Item(int X);
        [NinoType] public class Base { public {{type}} A { get; } public Base({{type}} a) => A = a; public Base() => A = {{first}}; }
        [NinoType] public class Passing : Base { public {{type}} B { get; set; } public Passing({{type}} b) : base(b) => B = b; }
        [NinoType] public class Copying : Base { public {{type}} @class { get; set; } public Copying({{type}} @class) : base(@class) => this.@class = new(@class); }
        [NinoType] public class Keeping : Base { public {{type}} B { get; } public Keeping({{type}} b) : base(b) => B = b; }
        [NinoType] public class Parting : Base { public {{type}} B { get; } public Parting({{type}} b) : base(b) => B = new(b); }
        [NinoType] public class Apart : Base { public {{type}} B { get; set; } public Apart({{type}} b) => B = b; }
        """, $$"""
        {{type}} one = {{first}}, two = {{second}};
        Passing same = Copy(new Passing(one)), given = new(one) { B = two };
        Same(same.A, one);
        Same(same.B, one);
        Refused(() => Copy(given), "changed 'B', which shares one of them");
        Copying copied = new(one);
        Same(Copy(copied).@class, one);
        copied.@class = two;
        Refused(() => Copy(copied), "changed 'class', which shares one of them");
        Keeping kept = Copy(new Keeping(two));
        Same(kept.A, two);
        Same(kept.B, two);
        Parting parted = new({{first}});
        parted.A.Clear();
        parted = Copy(parted);
        Equal(0, parted.A.Count);
        Same(parted.B, one);
        Apart apart = Copy(new Apart(two));
        Same(apart.A, one);
        Same(apart.B, two);

        static void Same({{type}} first, {{type}} second) => Equal(Convert.ToHexString(NinoSerializer.Serialize(first)), Convert.ToHexString(NinoSerializer.Serialize(second)));
        """);

    /// <summary>The collection that is filled need not be the one that was given.</summary>
    [Theory]
    [InlineData("a wrapper", "List<int>", "Collection<int>", "new(given)", "[1]", "[1]")]
    [InlineData("an own collection", "List<int>", "Showing", "new(given)", "[1]", "new([1])")]
    public void OneThatShowsWhatTheConstructorWasGivenIsRefusedToo(string what, string given, string filled, string made, string value, string other) => Programs.Run($$"""
        using System.Collections;
        using System.Collections.ObjectModel;
        public class Showing(List<int> values) : ICollection<int>
        {
            public Showing() : this([]) { }
            public int Count => values.Count;
            public bool IsReadOnly => false;
            public void Add(int item) => values.Add(item);
            public void Clear() => values.Clear();
            public bool Contains(int item) => values.Contains(item);
            public void CopyTo(int[] array, int index) => values.CopyTo(array, index);
            public bool Remove(int item) => values.Remove(item);
            public IEnumerator<int> GetEnumerator() => values.GetEnumerator();
            IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
        }
        [NinoType] public class Taking({{given}} given) { public {{given}} Given { get; set; } = given; public {{filled}} Shown { get; } = {{made}}; }
        [NinoType] public class Setting { private {{given}} _given = {{value}}; private {{filled}} _shown = {{other}}; public {{given}} Given { get => _given; set { _given = value; _shown = Show(value); } } public {{filled}} Shown => _shown; private static {{filled}} Show({{given}} given) => {{made}}; }
        """, $$"""
        _ = "{{what}}";
        Taking taking = Copy(new Taking({{value}}));
        Equal(1, taking.Shown.Count);
        taking.Given = {{value}};
        taking.Shown.Add(7);
        Refused(() => Copy(taking), "changed 'Given', which shares one of them");
        Taking? reused = Copy(new Taking({{value}}));
        Refused(() => NinoSerializer.Deserialize(NinoSerializer.Serialize(taking), ref reused), "changed 'Given'");
        Equal(1, Copy(new Setting()).Shown.Count);
        Setting setting = new();
        setting.Shown.Add(7);
        Refused(() => Copy(setting), "changed 'Given', which shares one of them");
        """);

    /// <summary>The order of its keys comes of how large it was when they came.</summary>
    [Theory]
    [InlineData(3)]
    [InlineData(20)]
    [InlineData(100)]
    [InlineData(1000)]
    public void AConcurrentDictionaryThatItWasGivenIsRead(int count) => Programs.Run("""
        using System.Collections.Concurrent;
        [NinoType] public class Base(ConcurrentDictionary<string, int> a) { public ConcurrentDictionary<string, int> A { get; } = a; }
        [NinoType] public class Passing(ConcurrentDictionary<string, int> b) : Base(b) { public ConcurrentDictionary<string, int> B { get; set; } = b; }
        """, $$"""
        for (int round = 0; round < 20; round++)
        {
            ConcurrentDictionary<string, int> map = new();
            for (int i = 0; i < {{count}}; i++) map[Guid.NewGuid().ToString()] = i;
            Passing copy = Copy(new Passing(map));
            Equal(({{count}}, {{count}}), (copy.A.Count, copy.B.Count));
        }

        ConcurrentDictionary<string, int> one = new() { ["a"] = 1, ["b"] = 2 }, other = new() { ["a"] = 2, ["b"] = 1 };
        Refused(() => Copy(new Passing(one) { B = other }), "changed 'B', which shares one of them");
        """);

    /// <summary>What cannot be written again, or not twice alike, tells nothing.</summary>
    [Fact]
    public void BesideWhatCannotBeComparedItIsFilled() => Programs.Run("""
        using Store.Serialization.Codecs;
        [NinoType] public class Made { public List<int> A { get; } public Old B { get; set; } public Odd C { get; set; } public Made(Old b, Odd c) { A = Of(b); B = b; C = c; } private static List<int> Of(Old old) => []; }
        [NinoCodec(typeof(OldCodec))] public class Old { public int X; }
        [NinoCodec(typeof(OddCodec))] public class Odd { public int X; }
        public readonly struct OldCodec : INinoCodec<Old>
        {
            public static bool Writes = true;
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Old value) => default(StringCodec).Write(ref writer, Writes ? value.X.ToString() : throw new NotSupportedException("only read"));
            public Old Read(ref NinoReader reader) => new() { X = int.Parse(default(StringCodec).Read(ref reader)!) };
        }
        public readonly struct OddCodec : INinoCodec<Odd>
        {
            private static int s_time;
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Odd value) => default(StringCodec).Write(ref writer, value.X + ":" + s_time++);
            public Odd Read(ref NinoReader reader) => new() { X = int.Parse(default(StringCodec).Read(ref reader)!.Split(':')[0]) };
        }
        """, """
        Made made = new(new Old { X = 1 }, new Odd { X = 2 }) { A = { 3 } };
        Equal((3, 1, 2), (Copy(made).A[0], Copy(made).B.X, Copy(made).C.X));
        byte[] record = NinoSerializer.Serialize(made);
        OldCodec.Writes = false;
        Equal(3, NinoSerializer.Deserialize<Made>(record).A[0]);
        """);

    /// <summary>Where references are kept, an object in the list may not be finished yet.</summary>
    [Fact]
    public void OneThatItWasGivenWithObjectsThatLeadBackIsRead() => Programs.Run("""
        [NinoType(References = true)] public class Half { private string? _name; public Tree? Parent { get; set; } public string Name { get => _name ?? throw new InvalidOperationException("unset"); set => _name = value; } }
        [NinoType(References = true)] public class Tree { public List<Half> A { get; } public List<Half> B { get; } public Tree(List<Half> b) { A = b; B = b; } }
        [NinoType(References = true)] public class Setting { private List<int> _given = [1], _shown = [1]; public List<int> Given { get => _given; set { _given = value; _shown = value; } } public List<int> Shown => _shown; public void Part() => _shown = [7]; }
        """, """
        Half half = new() { Name = "k" };
        half.Parent = new Tree([half]);
        Half copy = Copy(half);
        Equal(true, ReferenceEquals(copy, copy.Parent!.A[0]) && ReferenceEquals(copy, copy.Parent.B[0]));
        Setting setting = new();
        Equal((1, 1), (Copy(setting).Given[0], Copy(setting).Shown[0]));
        setting.Part();
        Refused(() => Copy(setting), "changed 'Given', which shares one of them");
        """);

    /// <summary>Neither has a setter, and both are one object in every new one.</summary>
    [Fact]
    public void TwoThatAreOneCollectionInANewObjectAreRefusedWhereTheyDiffered() => Programs.Run("""
        [NinoType] public class Two { public List<int> X { get; } public List<int> Y { get; } public Two() { X = []; Y = X; } public Two(int unrelated) { X = []; Y = []; } }
        """, """
        Two same = new() { X = { 1 } }, copy = Copy(same);
        Equal((1, 1), (copy.X[0], copy.Y[0]));
        Two differing = new(0) { X = { 1 }, Y = { 2 } };
        Refused(() => Copy(differing), "changed 'X', which shares one of them");
        Refused(() => NinoSerializer.Deserialize(NinoSerializer.Serialize(differing), ref copy!), "changed 'X'");
        """);

    /// <summary>Of one whose members may be one object, reading fills none that is there: the second record would be read over the first.</summary>
    [Fact]
    public void AnObjectThatMayHoldOneCollectionTwiceIsMadeAnew() => Programs.Run("""
        [NinoType] public class Base(List<int> a) { public List<int> A { get; } = a; }
        [NinoType] public class Passing(List<int> b) : Base(b) { public List<int> B { get; set; } = b; }
        [NinoType] public class Apart { public List<int> A { get; } = [4]; public List<string> C { get; } public List<int> B { get; set; } public Apart(List<int> b) { C = new(4); B = b; } }
        """, """
        Passing? read = Copy(new Passing([1, 2])), before = read;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new Passing([3])), ref read);
        Equal((false, 2, 1), (ReferenceEquals(read, before), before.A.Count, read!.A.Count));
        Apart? kept = Copy(new Apart([1, 2])), one = kept;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new Apart([3])), ref kept);
        Equal((false, 4, 3), (ReferenceEquals(kept, one), kept!.A[0], kept.B[0]));
        """);

    /// <summary>Their elements were read twice, and are equal to nothing but themselves.</summary>
    [Theory]
    [InlineData("List<Item>", "[new Item { X = 1 }]")]
    [InlineData("List<byte[]>", "[new byte[] { 1 }]")]
    [InlineData("Dictionary<string, List<int>>", "new() { [\"a\"] = [1] }")]
    [InlineData("PriorityQueue<string, int>", "new([(\"a\", 1)])")]
    public void OneThatItWasGivenWithObjectsIsRead(string type, string value) => Programs.Run($$"""
        [NinoType] public class Item { public int X { get; set; } }
        [NinoType] public class Base { public {{type}} A { get; } public Base({{type}} a) => A = a; public Base() => A = new(); }
        [NinoType] public class Passing : Base { public {{type}} B { get; set; } public Passing({{type}} b) : base(b) => B = b; }
        """, $$"""
        Passing copy = Copy(new Passing({{value}}));
        Equal((1, 1), (copy.A.Count, copy.B.Count));
        """);

    /// <summary>What makes it may be a local, or a method, to which another member was given.</summary>
    [Theory]
    [InlineData("public Made(List<int> given) { Given = given; var local = given; Shown = new(local); }")]
    [InlineData("public Made(List<int> given) { Given = given; Shown = new(Last()); } private IList<int> Last() => Given;")]
    public void OneThatIsMadeOfALocalOrBySomeMethodIsRefusedWhereItDiffered(string constructor) => Programs.Run($$"""
        using System.Collections.ObjectModel;
        [NinoType] public class Made { public List<int> Given { get; set; } public Collection<int> Shown { get; } {{constructor}} }
        """, """
        Equal(1, Copy(new Made([1])).Shown[0]);
        Refused(() => Copy(new Made([1]) { Given = [2] }), "changed 'Given'");
        """);

    /// <summary>It is made around a member that nothing but reading sets.</summary>
    [Fact]
    public void OneThatItsGetterMakesAroundAPlainMemberIsRefusedWhereItDiffered() => Programs.Run("""
        using System.Collections.ObjectModel;
        [NinoType] public class Around { private Collection<int>? _shown; public List<int> Plain { get; set; } = []; public Collection<int> Shown => _shown ??= new(Plain); }
        [NinoType] public class Apart { private List<int>? _shown; public List<int> Plain { get; set; } = []; public List<int> Shown => _shown ??= new(4); }
        """, """
        Around around = new() { Plain = [1, 2] };
        Equal((2, 2), (Copy(around).Plain.Count, Copy(around).Shown[1]));
        around.Shown.Add(3);
        Equal(3, Copy(around).Plain[2]);
        around.Plain = [4];
        Refused(() => Copy(around), "changed 'Plain', which shares one of them");
        Equal((1, 2), (Copy(new Apart { Plain = { 1 }, Shown = { 2 } }).Plain[0], Copy(new Apart { Plain = { 1 }, Shown = { 2 } }).Shown[0]));
        """);

    /// <summary>Out of sight a getter may do so, too.</summary>
    [Fact]
    public void OneThatAGetterOfAnotherAssemblyMakesAroundAListIsRefusedWhereItDiffered() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Lib.Around))]
        """, """
        Lib.Around around = new() { Plain = [1, 2] };
        Equal((2, 2), (Copy(around).Plain.Count, Copy(around).Shown[1]));
        _ = around.Shown;
        around.Plain = [4];
        Refused(() => Copy(around), "changed 'Plain', which shares one of them");
        """, """
        namespace Lib { public class Around { private System.Collections.ObjectModel.Collection<int>? _shown; public List<int> Plain { get; set; } = []; public System.Collections.ObjectModel.Collection<int> Shown => _shown ??= new(Plain); } }
        """);

    /// <summary>Neither has a setter; the second shows what the first holds.</summary>
    [Fact]
    public void OneThatWrapsAnotherThatIsFilledIsRefusedWhereTheyDiffered() => Programs.Run("""
        using System.Collections.ObjectModel;
        [NinoType] public class Two { public List<int> X { get; } = []; public Collection<int> Y { get; } public Two() => Y = new(X); public Two(int unrelated) => Y = []; }
        [NinoType] public class Before { public Collection<int> W { get; } public List<int> X { get; } = []; public Before() => W = new(X); public Before(int unrelated) => W = []; }
        """, """
        Equal(2, Copy(new Before { X = { 1, 2 } }).W.Count);
        Two same = new() { X = { 1 } };
        Equal((1, 1), (Copy(same).X[0], Copy(same).Y[0]));
        Equal(0, Copy(new Two()).Y.Count);
        Refused(() => Copy(new Two(0) { X = { 1 }, Y = { 2 } }), "changed 'X', which shares one of them");
        Refused(() => Copy(new Two(0) { Y = { 2 } }), "changed 'X', which shares one of them");
        Refused(() => Copy(new Two(0) { X = { 1 } }), "changed 'X', which shares one of them");
        Refused(() => Copy(new Before(0) { W = { 2 }, X = { 1 } }), "changed 'W'");
        """);

    /// <summary>What a new object puts into its collection is nothing of others': those are not encoded to know it.</summary>
    [Fact]
    public void BesideACollectionThatANewObjectPutsElementsIntoNothingIsEncoded() => Programs.Run("""
        using Store.Serialization.Codecs;
        [NinoType] public class Item { public int X { get; set; } }
        [NinoType] public class Node { public List<Item> Defaults { get; } = [new() { X = 1 }]; public List<Counted> Others { get; set; } = []; public List<Counted> More { get; } = []; }
        [NinoCodec(typeof(CountedCodec))] public class Counted;
        public readonly struct CountedCodec : INinoCodec<Counted>
        {
            public static int Written;
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => StringCodec.Describe(builder);
            public void Write(ref NinoWriter writer, in Counted value) { Written++; default(StringCodec).Write(ref writer, "x"); }
            public Counted Read(ref NinoReader reader) { _ = default(StringCodec).Read(ref reader); return new(); }
        }
        """, """
        Node copy = Copy(new Node { Others = { new(), new() }, More = { new() } });
        Equal((1, 2, 1, 3), (copy.Defaults.Count, copy.Others.Count, copy.More.Count, CountedCodec.Written));
        """);

    /// <summary>It tells how many elements it has by an interface that only its codec knows.</summary>
    [Fact]
    public void BesideACollectionThatIsFilledNoOtherIsEnumeratedToBeCounted() => Programs.Run("""
        using System.Collections;
        public class Watched : ICollection<int>
        {
            private readonly List<int> _all = [];
            public static int Looks;
            public int Count => _all.Count;
            public bool IsReadOnly => false;
            public void Add(int item) => _all.Add(item);
            public void Clear() => _all.Clear();
            public bool Contains(int item) => _all.Contains(item);
            public void CopyTo(int[] array, int index) => _all.CopyTo(array, index);
            public bool Remove(int item) => _all.Remove(item);
            public IEnumerator<int> GetEnumerator() { Looks++; return _all.GetEnumerator(); }
            IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
        }
        [NinoType] public class Model { public Watched Plain { get; set; } = new(); public List<int> Filled { get; } = []; }
        """, """
        byte[] record = NinoSerializer.Serialize(Copy(new Model { Plain = { 1, 2 }, Filled = { 3 } }));
        Watched.Looks = 0;
        Model read = NinoSerializer.Deserialize<Model>(record);
        Equal((2, 1, 0), (read.Plain.Count, read.Filled.Count, Watched.Looks));
        """);

    [Fact]
    public void HowManyElementsASetOrMapHasItsCodecTells()
    {
        Assert.Equal(2, Count<HashSetCodec<int, Int32Codec>>(new HashSet<int> { 1, 2 }));
        Assert.Equal(2, Count<SetInterfaceCodec<IReadOnlySet<int>, int, Int32Codec>>(new HashSet<int> { 1, 2 }));
        Assert.Equal(1, Count<MapCodec<IReadOnlyDictionary<int, int>, int, int, Int32Codec, Int32Codec>>(new Dictionary<int, int> { [1] = 2 }));
        Assert.Equal(-1, Count<CollectionCodec<IEnumerable<int>, int, Int32Codec>>(Enumerable.Range(0, 3).Where(static one => one > 0)));

        static int Count<TCodec>(object collection) where TCodec : struct => Assert.IsAssignableFrom<ICountedElements>(default(TCodec)).Count(collection);
    }
}
