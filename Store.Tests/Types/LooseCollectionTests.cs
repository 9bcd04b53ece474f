using System.Collections;
using System.Collections.Specialized;
using System.Dynamic;
using Store.Serialization;
using Store.Tests.Generator;
using Store.Tests.Generator.Objects;
using Store.Tests.Generator.Polymorphism;
using Store.Tests.Generator.RoundTrips;

namespace Store.Tests.Types;

/// <summary>Collections without type arguments: what is in them is declared as object.</summary>
public sealed class LooseCollectionTests
{
    private static readonly object?[] s_values = [1, "a", null, 2.5m, new Circle("c", 1)];

    [Fact]
    public void TheirElementsAreObjects()
    {
        var stack = new Stack(s_values);
        Loosened copy = RoundTrip.Of(new Loosened { List = new(s_values), Queue = new(s_values), Stack = stack, Any = Enumerate(), Some = s_values, Listed = new ArrayList(s_values) });
        Assert.Equal(s_values, copy.List!.ToArray());
        Assert.Equal(s_values, copy.Queue!.ToArray());
        Assert.Equal(stack.ToArray(), copy.Stack!.ToArray());
        Assert.Equal(Enumerable.Range(0, 100).Cast<object?>(), Assert.IsType<List<object?>>(copy.Any));
        Assert.Equal(s_values, Assert.IsType<List<object?>>(copy.Some));
        Assert.Equal(s_values, Assert.IsType<List<object?>>(copy.Listed));

        static IEnumerable Enumerate()
        {
            for (int i = 0; i < 100; i++) yield return i;
        }
    }

    [Fact]
    public void TheirKeysAndValuesAreObjects()
    {
        var ordered = new OrderedDictionary { { "z", 1 }, { 5, null }, { "a", new Circle("c", 1) } };
        dynamic expando = new ExpandoObject();
        expando.Name = "n";
        expando.Count = 3;
        expando.Nothing = null;
        Loosened copy = RoundTrip.Of(new Loosened { Table = new() { ["k"] = 1 }, Sorted = new() { [3] = "c", [1] = "a", [2] = null }, Ordered = ordered, Map = new Dictionary<string, int> { ["b"] = 2 }, Expando = expando });
        Assert.Equal(1, copy.Table!["k"]);
        Assert.Equal(new object[] { 1, 2, 3 }, copy.Sorted!.Keys.Cast<object>());
        Assert.Equal(new object?[] { "a", null, "c" }, copy.Sorted.Values.Cast<object?>());
        Assert.Equal(new object[] { "z", 5, "a" }, copy.Ordered!.Keys.Cast<object>());
        Assert.Equal(new Circle("c", 1), copy.Ordered["a"]);
        Assert.Equal(2, Assert.IsType<Dictionary<object, object?>>(copy.Map)["b"]);
        dynamic read = copy.Expando!;
        Assert.Equal(("n", 3, true), ((string)read.Name, (int)read.Count, (object?)read.Nothing is null));
        Assert.Equal(["Name", "Count", "Nothing"], ((IDictionary<string, object?>)copy.Expando!).Keys);
    }

    [Fact]
    public void SpecializedOnesAreReadAsTheyWere() => Programs.Run("""
        using System.Collections.Specialized;
        using System.Linq;
        [NinoType] public sealed class Special
        {
            public StringCollection? Names;
            public ListDictionary? Short;
            public HybridDictionary? Hybrid;
            public ValueTuple Nothing;
            public ValueTuple? Perhaps;
            public List<ValueTuple> Many = [];
        }
        """, """
        var value = new Special { Names = new() { "b", "a", null, "b" }, Short = new() { { "z", 1 }, { 5, null }, { "a", 2.5m } }, Hybrid = new() { { "k", 1 } }, Perhaps = new ValueTuple(), Many = [default, default] };
        Special copy = Copy(value);
        Equal("b,a,,b", string.Join(",", copy.Names!.Cast<string?>()));
        Equal("z=1 5= a=2.5", string.Join(" ", copy.Short!.Cast<System.Collections.DictionaryEntry>().Select(pair => FormattableString.Invariant($"{pair.Key}={pair.Value}"))));
        Equal((1, 1), (copy.Hybrid!.Count, (int)copy.Hybrid["k"]!));
        Equal((true, 2), (copy.Perhaps.HasValue, copy.Many.Count));
        Special empty = Copy(new Special { Names = new(), Short = new() });
        Equal((0, 0, true, false), (empty.Names!.Count, empty.Short!.Count, empty.Hybrid is null, empty.Perhaps.HasValue));
        foreach (int count in new[] { 8, 9, 16, 17, 3000 })
        {
            var many = new Special { Short = new(), Hybrid = new() };
            for (int i = 0; i < count; i++) { many.Short.Add(i, -i); many.Hybrid.Add(i, -i); }
            copy = Copy(many);
            for (int i = 0; i < count; i++) Equal((-i, -i, count), ((int)copy.Short![i]!, (int)copy.Hybrid![i]!, copy.Hybrid.Count));
        }

        // 2,000 keys, each compared with those before it.
        var some = new Special { Short = new() };
        for (int i = 0; i < 2000; i++) some.Short.Add(i, null);
        byte[] bytes = NinoSerializer.Serialize(some);
        NinoSerializer.Deserialize<Special>(bytes, new NinoLimits { MaxKeyComparisons = 2_000_000 });
        try { NinoSerializer.Deserialize<Special>(bytes, new NinoLimits { MaxKeyComparisons = 1_990_000 }); }
        catch (NinoSerializationException error) when (error.Message.Contains("1990000 comparisons")) { return; }
        throw new InvalidOperationException("not counted");
        """);

    [Fact]
    public void KeysWithoutHashCodesAreReadWhereTheyCouldBeWrittenToo() => Programs.Run("""
        using System.Collections;
        using System.Collections.Specialized;
        [NinoType] public sealed class Key : IComparable
        {
            public static bool HasNoHashCode;
            public int Id;
            public override bool Equals(object? other) => other is Key key && key.Id == Id;
            public override int GetHashCode() => HasNoHashCode ? throw new InvalidOperationException("no hash code") : Id;
            public int CompareTo(object? other) => Id.CompareTo(((Key)other!).Id);
        }
        [NinoType] public sealed class Kept
        {
            public SortedList? Sorted;
            public ListDictionary? Short;
            public HybridDictionary? Hybrid;
        }
        """, """
        Key first = new() { Id = 1 }, second = new() { Id = 2 };
        byte[] shorts = NinoSerializer.Serialize(new Kept { Short = new() { { first, 1 }, { second, 2 } } }), hybrids = NinoSerializer.Serialize(new Kept { Hybrid = new() { { first, 1 }, { second, 2 } } });
        Equal(2, NinoSerializer.Deserialize<Kept>(shorts)!.Short!.Count);
        Equal(2, NinoSerializer.Deserialize<Kept>(hybrids)!.Hybrid!.Count);
        Key.HasNoHashCode = true;
        // Ordered, or alone: nobody asks for one.
        Kept copy = Copy(new Kept { Sorted = new() { { second, 2 }, { first, 1 } }, Short = new() { { first, 1 } }, Hybrid = new() { { second, 2 } } });
        Equal((1, 2, 1, 2), ((int)copy.Sorted![first]!, (int)copy.Sorted[second]!, (int)copy.Short![first]!, (int)copy.Hybrid![second]!));
        foreach (byte[] bytes in new[] { shorts, hybrids })
        {
            try { NinoSerializer.Deserialize<Kept>(bytes); }
            catch (NinoSerializationException error) when (error.InnerException is InvalidOperationException { Message: "no hash code" }) { continue; }
            throw new InvalidOperationException("read, and could not be written");
        }
        """);

    [Fact]
    public void ASortedListThatCouldNotBeReadAgainIsRefusedOnWriting()
    {
        var byLength = Comparer<object>.Create(static (a, b) => ((string)a).Length.CompareTo(((string)b).Length));
        Refused(new SortedList(byLength) { ["bb"] = 1, ["aaa"] = 2, ["a"] = 3 });
        Refused(new SortedList(Comparer<object>.Create(static (a, b) => a.GetHashCode().CompareTo(b.GetHashCode()))) { [new Circle("a", 1)] = 1, [new Circle("b", 2)] = 2 });
        Refused(new SortedList(Comparer<object>.Create(static (a, b) => ((int)b).CompareTo((int)a))) { [1] = 1, [2] = 2 });
        Refused(new SortedList(Comparer<object>.Create(static (a, b) => Convert.ToInt64(a, null).CompareTo(Convert.ToInt64(b, null)))) { [1] = 1, [2L] = 2 });

        static void Refused(SortedList list) => Assert.Contains("default comparer", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Loosened { Sorted = list })).Message);
    }

    [Fact]
    public void AnExpandoObjectOfTooManyMembersIsRefusedOnWriting()
    {
        IDictionary<string, object?> members = new ExpandoObject();
        for (int i = 0; i < 1024; i++) members.Add($"m{i}", i);
        Assert.Equal(1024, RoundTrip.Of(new Loosened { Expando = (ExpandoObject)members }).Expando!.Count());
        members.Add("one more", 0);
        Assert.Contains("1024", Assert.Throws<NinoSerializationException>(() => NinoSerializer.Serialize(new Loosened { Expando = (ExpandoObject)members })).Message);
    }

    [Fact]
    public void NullAndEmptyAreKeptApart()
    {
        Loosened copy = RoundTrip.Of(new Loosened { List = [], Table = [], Expando = new() });
        Assert.Empty(copy.List!);
        Assert.Empty(copy.Table!);
        Assert.Empty(copy.Expando!);
        Assert.Null(copy.Queue);
        Assert.Null(copy.Ordered);
        Assert.Null(copy.Any);
    }

    [Fact]
    public void WhatNobodyRegisteredIsRefusedInThemToo()
    {
        Assert.Throws<NinoSerializationException>(static () => NinoSerializer.Serialize(new Loosened { List = [new LooseCollectionTests()] }));
        Assert.Throws<NinoSerializationException>(static () => NinoSerializer.Serialize(new Loosened { Table = new() { [new LooseCollectionTests()] = 1 } }));
        // Kept apart by a comparer that cannot be seen.
        Assert.Throws<NinoSerializationException>(static () => NinoSerializer.Serialize(new Loosened { Map = new Dictionary<Same, int>(new ByReference()) { [new(1)] = 1, [new(1)] = 2 } }));
    }

    [Fact]
    public void KeysThatCannotBeOrderedAreADamagedRecord()
    {
        byte[] bytes = NinoSerializer.Serialize(new Loosened { Map = new Dictionary<object, object> { [1] = 1, ["a"] = 2 } });
        // The pairs of Map in the place of Sorted: two nulls more behind them, two less in front.
        int at = Array.FindIndex(bytes, static part => part == 3);
        byte[] moved = [.. bytes.AsSpan(0, at - 2), .. bytes.AsSpan(at, bytes.Length - at), 0, 0];
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(() => NinoSerializer.Deserialize<Loosened>(moved));
        Assert.IsType<InvalidOperationException>(error.InnerException);
    }
}

[NinoType]
public sealed record Same(int Id);

internal sealed class ByReference : IEqualityComparer<Same>
{
    public bool Equals(Same? x, Same? y) => ReferenceEquals(x, y);

    public int GetHashCode(Same obj) => System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(obj);
}
