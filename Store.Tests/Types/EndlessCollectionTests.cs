using System.Collections;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Store.Serialization;

namespace Store.Tests.Types;

/// <summary>Collections of the user's, and whatever may be behind an interface: their enumerators may have no end, and their counts may be anything.</summary>
public sealed class EndlessCollectionTests
{
    private static readonly NinoLimits Limits = new() { MaxRecordBytes = 1000 };

    public static TheoryData<string> Interfaces => [.. typeof(Bottomless).GetProperties().Where(static property => property.PropertyType.IsInterface).Select(static property => property.Name)];

    public static TheoryData<string, object> Own => new()
    {
        { nameof(Bottomless.OwnElements), new EndlessElements { HasNoEnd = true } },
        { nameof(Bottomless.OwnNumbers), new EndlessNumbers { HasNoEnd = true } },
        { nameof(Bottomless.OwnPairs), new EndlessPairs { HasNoEnd = true } },
        { nameof(Bottomless.OwnObjects), new EndlessObjects { HasNoEnd = true } },
        { nameof(Bottomless.OwnEntries), new EndlessEntries { HasNoEnd = true } },
        { nameof(Bottomless.Table), new EndlessTable() },
        { nameof(Bottomless.Fixed), new ReadOnlyDictionary<int, int>((IDictionary<int, int>)NoEnd.Behind(typeof(IDictionary<int, int>))) },
        { nameof(Bottomless.Sorted), new EndlessSorted() },
    };

    public static TheoryData<string, object> Claims => new()
    {
        { nameof(Bottomless.Over), new Collection<int>((IList<int>)NoEnd.Behind(typeof(IList<int>))) },
        { nameof(Bottomless.View), new ReadOnlyCollection<int>((IList<int>)NoEnd.Behind(typeof(IList<int>))) },
        { nameof(Bottomless.Adapted), ArrayList.Adapter((IList)NoEnd.Behind(typeof(IList))) },
    };

    /// <summary>In memory there is no more of it than the record could have had.</summary>
    [Theory, MemberData(nameof(Interfaces))]
    public void WhatHasNoEndBehindAnInterfaceIsRefusedWhenItIsLargerThanTheRecordMayBe(string member) => AssertRefused(member, NoEnd.Behind(typeof(Bottomless).GetProperty(member)!.PropertyType));

    [Theory, MemberData(nameof(Own))]
    [SuppressMessage("Usage", "xUnit1045", Justification = "Only made here.")]
    public void ACollectionOfOnesOwnThatHasNoEndIsRefusedToo(string member, object endless) => AssertRefused(member, endless);

    /// <summary>Memory for all of them is made before there is one.</summary>
    [Theory, MemberData(nameof(Claims))]
    [SuppressMessage("Usage", "xUnit1045", Justification = "Only made here.")]
    public void ACountThatNoRecordHoldsIsRefusedBeforeThereIsMemoryForAsMany(string member, object claiming) => AssertRefused(member, claiming);

    /// <summary>The one that was looked at is the one that memory is made for.</summary>
    [Fact]
    public void ACountIsAskedForOnceAndANegativeOneIsRefused()
    {
        var growing = new Counting(1, 600_000_000);
        Assert.Equal([7], NinoSerializer.Clone(new Bottomless { Over = new Collection<int>(growing) }, Limits).Over!);
        growing = new Counting(1, 600_000_000);
        Assert.Equal([7], NinoSerializer.Clone(new Bottomless { View = new ReadOnlyCollection<int>(growing) }, Limits).View!);
        foreach (Bottomless value in (Bottomless[])[new() { Over = new Collection<int>(new Counting(-1)) }, new() { View = new ReadOnlyCollection<int>(new Counting(-1)) }])
            Assert.Contains("says that it has -1 elements", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(value, Limits)).Message, StringComparison.Ordinal);
    }

    /// <summary>Their chars count where they are objects, too.</summary>
    [Fact]
    public void LongStringsWithoutEndAreRefusedAsObjectsAfterAsManyAsTheRecordMayHave()
    {
        int asked = 0;
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Bottomless { Any = Texts() }, Limits));
        Assert.InRange(asked, 9, 3 * 10);
        asked = 0;
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Bottomless { Objects = Texts() }, Limits));
        Assert.InRange(asked, 9, 3 * 10);

        IEnumerable<string> Texts()
        {
            string text = new('a', 100);
            while (asked++ < NoEnd.Most) yield return text;
        }
    }

    /// <summary>Nothing is refused that would fit: an element takes what its codec needs at least.</summary>
    [Fact]
    public void WhatFitsIsWrittenToTheLastByte()
    {
        // What stands for null in the other members takes a byte each.
        foreach (Bottomless value in (Bottomless[])
        [
            new() { Any = Enumerable.Repeat<object?>(null, 60).Where(static _ => true) }, new() { Listed = Enumerable.Repeat("abcde", 20).ToList() }, new() { Some = Enumerable.Range(0, 30).ToArray() },
            new() { Loose = new Hashtable { ["a"] = 1, ["b"] = "text" } }, new() { Map = new SortedDictionary<int, int> { [1] = 2, [2] = 3 } }, new() { Set = new SortedSet<int>(Enumerable.Range(0, 60)) },
            new() { Group = Enumerable.Range(0, 60).GroupBy(static _ => 1).Single() }, new() { Groups = Enumerable.Range(0, 60).ToLookup(static i => i / 2) },
            new() { Over = [.. Enumerable.Range(0, 60)], View = Enumerable.Range(0, 60).ToList().AsReadOnly(), Adapted = new ArrayList(Enumerable.Range(0, 20).ToArray()) },
            new() { Shared = new System.Collections.Concurrent.ConcurrentQueue<int>([1, 2, 3]), OwnObjects = [1, "text"], OwnEntries = new() { ["a"] = 1 } },
            new() { Names = ["abcd", "", "efg"], Frozen = ImmutableList.Create(1, 2, 3), Queued = ImmutableQueue.Create(1, 2), Stacked = ImmutableStack.Create(1, 2, 3) },
            new() { Boxes = Enumerable.Range(0, 30).Select(static i => i % 3 == 0 ? null : new SmallBox { A = (byte)i }) }, new() { Points = Enumerable.Range(0, 30).Select(static i => new SmallPoint(1, (byte)i)) },
        ])
        {
            AssertFits(value);
        }

        // The first takes what its members take, and the others their number.
        var shared = new SharedBox { A = 1, B = 2, C = 3 };
        AssertFits(new ManyShared { All = Enumerable.Repeat(shared, 50).Select(static one => one) });
    }

    private static void AssertFits<T>(T value)
    {
        int size = (int)NinoSerializer.GetSize(value);
        Assert.Equal(size, NinoSerializer.Serialize(value, new NinoLimits { MaxRecordBytes = size }).Length);
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(value, new NinoLimits { MaxRecordBytes = size - 1 }));
    }

    /// <summary>A stack behind its interface is stored bottom first whoever made it, and a list or queue in order.</summary>
    [Fact]
    public void ImmutableCollectionsOfOthersKeepTheirOrder()
    {
        Bottomless copy = NinoSerializer.Clone(new Bottomless
        {
            Frozen = (IImmutableList<int>)NoEnd.Behind(typeof(IImmutableList<int>), [1, 2, 3]),
            Queued = (IImmutableQueue<int>)NoEnd.Behind(typeof(IImmutableQueue<int>), [1, 2, 3]),
            Stacked = (IImmutableStack<int>)NoEnd.Behind(typeof(IImmutableStack<int>), [1, 2, 3]),
            Distinct = (IImmutableSet<int>)NoEnd.Behind(typeof(IImmutableSet<int>), [1, 2, 3]),
        });
        Assert.Equal([1, 2, 3], copy.Frozen!.AsEnumerable());
        Assert.Equal([1, 2, 3], copy.Queued!.AsEnumerable());
        Assert.Equal([1, 2, 3], copy.Stacked!.AsEnumerable());
        Assert.Equal([1, 2, 3], copy.Distinct!.Order().AsEnumerable());
    }

    private static void AssertRefused(string member, object endless)
    {
        var value = new Bottomless();
        typeof(Bottomless).GetProperty(member)!.SetValue(value, endless);
        NoEnd.Furthest = 0;
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(value, Limits));
        Assert.Contains("larger than the limit of 1000 bytes. Raise NinoLimits.MaxRecordBytes or split the record.", error.Message, StringComparison.Ordinal);
        Assert.Equal((typeof(Bottomless).FullName, member), (error.TypeName, error.MemberPath?.Split('.')[0]));
        Assert.InRange(NoEnd.Furthest, 0, Limits.MaxRecordBytes);
        Assert.Throws<NinoSerializationException>(() => NinoSerializer.GetSize(value, Limits));
    }
}

/// <summary>A list that says something else each time it is asked how long it is, the last of it from then on.</summary>
internal sealed class Counting(params int[] counts) : IList<int>
{
    private int _asked;

    public int Count => counts[Math.Min(_asked++, counts.Length - 1)];

    public bool IsReadOnly => true;

    public int this[int index]
    {
        get => 7;
        set => throw new NotSupportedException();
    }

    public void CopyTo(int[] array, int arrayIndex) => array[arrayIndex] = 7;

    public IEnumerator<int> GetEnumerator() => Enumerable.Repeat(7, counts[0]).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    public int IndexOf(int item) => throw new NotSupportedException();

    public void Insert(int index, int item) => throw new NotSupportedException();

    public void RemoveAt(int index) => throw new NotSupportedException();

    public void Add(int item) => throw new NotSupportedException();

    public void Clear() => throw new NotSupportedException();

    public bool Contains(int item) => throw new NotSupportedException();

    public bool Remove(int item) => throw new NotSupportedException();
}

/// <summary>What has no end, and says that it has as many elements as a number can tell. A codec that does not stop is stopped before it has eaten the memory of the machine.</summary>
[SuppressMessage("Design", "CA1852", Justification = "The framework derives from it.")]
public class NoEnd : DispatchProxy
{
    public const int Most = 1_000_000;

    // What is asked for on the thread of the test: its tests do not meet others.
    [ThreadStatic]
    public static int Furthest;

    private IEnumerable<int>? _elements;

    /// <summary>An object behind an interface of a collection.</summary>
    public static object Behind(Type type, IEnumerable<int>? elements = null)
    {
        object proxy = Create(type, typeof(NoEnd));
        ((NoEnd)proxy)._elements = elements;
        return proxy;
    }

    public static IEnumerable<T> Of<T>(T element)
    {
        for (int i = 1; i <= Most; i++)
        {
            Furthest = Math.Max(Furthest, i);
            yield return element;
        }

        throw new InvalidOperationException($"It was asked for more than {Most} elements.");
    }

    protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) => (targetMethod!.Name, targetMethod.ReturnType) switch
    {
        ("get_Count", _) => int.MaxValue,
        ("get_Key", _) => 0,
        ("GetEnumerator", { IsGenericType: true } type) => _elements?.GetEnumerator() ?? ((IEnumerable)typeof(NoEnd).GetMethod(nameof(Of))!.MakeGenericMethod(type.GetGenericArguments()).Invoke(null, [null])!).GetEnumerator(),
        ("GetEnumerator", var type) when type == typeof(IDictionaryEnumerator) => new Entries(),
        ("GetEnumerator", _) => Of<object>(1).GetEnumerator(),
        _ => throw new InvalidOperationException($"It was asked for '{targetMethod}'."),
    };

    /// <summary>Entries of a dictionary without type arguments.</summary>
    public sealed class Entries : IDictionaryEnumerator
    {
        private readonly IEnumerator<int> _entries = Of(2).GetEnumerator();
        private int _key;

        // Each key is behind the one before it, so that it is not their order that is refused.
        public DictionaryEntry Entry => new(_key, _entries.Current);

        public object Key => Entry.Key;

        public object? Value => Entry.Value;

        public object Current => Entry;

        public bool MoveNext()
        {
            _key++;
            return _entries.MoveNext();
        }

        public void Reset() => throw new NotSupportedException();
    }
}

/// <summary>Its own count is right, and its enumerator goes on.</summary>
public sealed class EndlessElements : ICollection<string>
{
    private readonly List<string> _elements = [];

    /// <summary>What is read has an end.</summary>
    [NinoIgnore]
    public bool HasNoEnd;

    public int Count => _elements.Count;

    public bool IsReadOnly => false;

    public void Add(string item) => _elements.Add(item);

    public void Clear() => _elements.Clear();

    public bool Contains(string item) => _elements.Contains(item);

    public void CopyTo(string[] array, int arrayIndex) => _elements.CopyTo(array, arrayIndex);

    public bool Remove(string item) => _elements.Remove(item);

    public IEnumerator<string> GetEnumerator() => HasNoEnd ? NoEnd.Of("endless").GetEnumerator() : _elements.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

public sealed class EndlessNumbers : List<int>, IEnumerable<int>
{
    [NinoIgnore]
    public bool HasNoEnd;

    IEnumerator<int> IEnumerable<int>.GetEnumerator() => HasNoEnd ? NoEnd.Of(1).GetEnumerator() : GetEnumerator();
}

public sealed class EndlessPairs : Dictionary<int, int>, IEnumerable<KeyValuePair<int, int>>
{
    [NinoIgnore]
    public bool HasNoEnd;

    IEnumerator<KeyValuePair<int, int>> IEnumerable<KeyValuePair<int, int>>.GetEnumerator() => HasNoEnd ? NoEnd.Of(new KeyValuePair<int, int>(1, 2)).GetEnumerator() : GetEnumerator();
}

public sealed class EndlessTable : Hashtable
{
    public override IDictionaryEnumerator GetEnumerator() => new NoEnd.Entries();
}

public sealed class EndlessSorted : SortedList
{
    public override IDictionaryEnumerator GetEnumerator() => new NoEnd.Entries();
}

public sealed class EndlessObjects : ArrayList
{
    [NinoIgnore]
    public bool HasNoEnd;

    public override IEnumerator GetEnumerator() => HasNoEnd ? NoEnd.Of<object>(1).GetEnumerator() : base.GetEnumerator();
}

public sealed class EndlessEntries : Hashtable
{
    [NinoIgnore]
    public bool HasNoEnd;

    public override IDictionaryEnumerator GetEnumerator() => HasNoEnd ? new NoEnd.Entries() : base.GetEnumerator();
}

public sealed class OwnNames : List<string>;

[NinoType(View = false)]
public sealed class Bottomless
{
    public IEnumerable? Any { get; set; }

    public ICollection? Some { get; set; }

    public IList? Listed { get; set; }

    public IDictionary? Loose { get; set; }

    public IEnumerable<object>? Objects { get; set; }

    public IList<int>? Numbers { get; set; }

    public IDictionary<int, int>? Map { get; set; }

    public IReadOnlyDictionary<string, string?>? Texts { get; set; }

    public ISet<int>? Set { get; set; }

    public IReadOnlySet<int>? Seen { get; set; }

    public IGrouping<int, int>? Group { get; set; }

    public ILookup<int, int>? Groups { get; set; }

    public IImmutableList<int>? Frozen { get; set; }

    public IImmutableQueue<int>? Queued { get; set; }

    public IImmutableStack<int>? Stacked { get; set; }

    public IImmutableSet<int>? Distinct { get; set; }

    public IImmutableDictionary<int, int>? Keyed { get; set; }

    public ReadOnlyDictionary<int, int>? Fixed { get; set; }

    public Hashtable? Table { get; set; }

    public SortedList? Sorted { get; set; }

    public EndlessElements? OwnElements { get; set; }

    public EndlessNumbers? OwnNumbers { get; set; }

    public EndlessPairs? OwnPairs { get; set; }

    public OwnNames? Names { get; set; }

    public Collection<int>? Over { get; set; }

    public ReadOnlyCollection<int>? View { get; set; }

    public ArrayList? Adapted { get; set; }

    public System.Collections.Concurrent.IProducerConsumerCollection<int>? Shared { get; set; }

    public EndlessObjects? OwnObjects { get; set; }

    public EndlessEntries? OwnEntries { get; set; }

    public IEnumerable<SmallBox?>? Boxes { get; set; }

    public IEnumerable<SmallPoint>? Points { get; set; }
}

[NinoType]
public sealed class SmallBox
{
    public byte A { get; set; }
}

[NinoType]
public readonly record struct SmallPoint(byte X, byte Y);

[NinoType(References = true)]
public sealed class SharedBox
{
    public long A { get; set; }

    public long B { get; set; }

    public long C { get; set; }
}

[NinoType]
public sealed class ManyShared
{
    public IEnumerable<SharedBox>? All { get; set; }
}
