using Store.Tests.Generator;

namespace Store.Tests.Filling;

/// <summary>Collections without a setter that are of classes derived from the declared one, or behind interfaces: what their Add makes of the elements is seen when they are filled.</summary>
public class ChangedElementsTests
{
    private const string Types = """
        using System.Collections.ObjectModel;
        public sealed class NewestFirst<T> : ObservableCollection<T> { protected override void InsertItem(int index, T item) => base.InsertItem(0, item); }
        public sealed class Ordered : Collection<int> { protected override void InsertItem(int index, int item) { int at = 0; while (at < Count && this[at] < item) at++; base.InsertItem(at, item); } }
        public sealed class Doubled : Collection<int> { protected override void InsertItem(int index, int item) => base.InsertItem(index, item * 2); }
        public sealed class Loud : HashSet<string>, ICollection<string> { void ICollection<string>.Add(string item) => base.Add(item + "!"); }
        public sealed class Raised : Dictionary<string, int>, IDictionary<string, int> { void IDictionary<string, int>.Add(string key, int value) => base.Add(key, value + 1); }
        [NinoType(References = true)] public sealed class Node { public int Id { get; set; } public ObservableCollection<Node> Children { get; } = new NewestFirst<Node>(); }
        [NinoType] public sealed class Names { public ObservableCollection<string> All { get; } = new NewestFirst<string>(); }
        [NinoType] public sealed class Numbers { public IList<int> All { get; } = new Doubled(); }
        [NinoType] public sealed class Words { public ISet<string> All { get; } = new Loud(); }
        [NinoType] public sealed class Counts { public IDictionary<string, int> All { get; } = new Raised(); }
        [NinoType] public sealed class Sorted { public Collection<int> All { get; } = new Ordered(); }
        """;

    [Fact]
    public void ACollectionThatMakesSomethingElseOfItsElementsIsRefused() => Programs.Run(Types, """
        Refused(() => Copy(new Names { All = { "a", "b" } }), "All", "in an order of its own");
        Refused(() => Copy(new Numbers { All = { 1 } }), "All", "has made others of them");
        Refused(() => Copy(new Words { All = { "a" } }), "All", "its Add makes something else of them");
        Refused(() => Copy(new Counts { All = { ["a"] = 1 } }), "All", "its Add makes something else of them");
        Refused(() => Copy(new Node { Children = { new Node { Id = 1 }, new Node { Id = 2 } } }), "Children", "in an order of its own");
        """);

    [Fact]
    public void WhatComesBackAsItWasIsRead() => Programs.Run(Types, """
        Equal("1,2,3", string.Join(",", Copy(new Sorted { All = { 3, 1, 2 } }).All));
        Equal("a", string.Join(",", Copy(new Names { All = { "a" } }).All));
        Equal(1, Copy(new Node { Children = { new Node { Id = 1 } } }).Children[0].Id);
        Equal(0, Copy(new Numbers()).All.Count);
        """);
}
