using Store.Tests.Generator;

namespace Store.Tests.Filling;

/// <summary>A collection without a setter is filled when every setter has run: one that empties it takes nothing away.</summary>
public sealed class ClearingSetterTests
{
    private const string Types = """
        [NinoType] public class Selection
        {
            private string? _filter;
            public List<int> Ids { get; } = [];
            public Dictionary<string, int> Counts { get; } = [];
            public string? Filter { get => _filter; set { if (_filter != value) { Ids.Clear(); Counts.Clear(); } _filter = value; } }
            public HashSet<int> Last { get; } = [];
        }
        [NinoType] public sealed class Hidden
        {
            private string? _filter;
            public List<int> Ids { get; } = [];
            [NinoInclude] public string? Filter { get => _filter; private set { Ids.Clear(); _filter = value; } }
            public Hidden With(string filter, params int[] ids) { Filter = filter; Ids.AddRange(ids); return this; }
        }
        [NinoType] public sealed class First
        {
            private string? _filter;
            private int _calls;
            public List<int> Ids { get; } = [];
            public string? Filter { get => _filter; set { Ids.Clear(); _filter = value; } }
            [NinoOnDeserializing] private void Before() => _calls++;
            public int Calls() => _calls;
        }
        [NinoType(References = true)] public sealed class Node
        {
            private Node? _other;
            public List<Node> Nodes { get; } = [];
            public Node? Other { get => _other; set { Nodes.Clear(); _other = value; } }
            public List<int> Numbers { get; } = [];
            public string? Name;
            public List<Node> Last { get; } = [];
        }
        """;

    [Fact]
    public void WhatALaterSetterEmptiesIsThereWhenTheObjectIsRead() => Programs.Run(Types, """
        Equal("1,2", string.Join(",", Copy(new Hidden().With("f", 1, 2)).Ids));
        First first = Copy(new First { Filter = "f", Ids = { 3, 4 } });
        Equal(("3,4", 1), (string.Join(",", first.Ids), first.Calls()));
        Selection selection = Copy(new Selection { Filter = "f", Ids = { 5 }, Counts = { ["k"] = 6 }, Last = { 7 } });
        Equal((5, 6, "f", true), (selection.Ids[0], selection.Counts["k"], selection.Filter, selection.Last.Contains(7)));
        """);

    [Fact]
    public void ItIsThereWhenTheObjectIsReadIntoAnother() => Programs.Run(Types, """
        Selection? there = new Selection { Filter = "old", Ids = { 9 }, Last = { 10 } };
        Selection same = there;
        Selection stored = Copy(new Selection { Filter = "f", Ids = { 5 }, Counts = { ["k"] = 6 }, Last = { 7 } });
        NinoSerializer.Deserialize(NinoSerializer.Serialize(stored), ref there);
        Equal((true, 1, 5, 6, "f", 1, true), (ReferenceEquals(same, there), there!.Ids.Count, there.Ids[0], there.Counts["k"], there.Filter, there.Last.Count, there.Last.Contains(7)));
        """);

    [Fact]
    public void ItIsThereInObjectsThatReferToEachOther() => Programs.Run(Types, """
        var node = new Node { Name = "n", Numbers = { 1, 2 } };
        node.Other = new Node { Name = "o", Numbers = { 3 } };
        node.Nodes.Add(node);
        node.Nodes.Add(node.Other);
        node.Last.Add(node.Other);
        Node copy = Copy(node);
        Equal(("n", 2, "1,2", "o", 3), (copy.Name, copy.Nodes.Count, string.Join(",", copy.Numbers), copy.Other!.Name, copy.Other.Numbers[0]));
        Equal((true, true, true), (ReferenceEquals(copy, copy.Nodes[0]), ReferenceEquals(copy.Other, copy.Nodes[1]), ReferenceEquals(copy.Other, copy.Last[0])));
        """);

    [Fact]
    public void ASetterThatOnlyStoresHasTheLastWordOverWhatFillingChangesInAllThreeWaysOfReading() => Programs.Run("""
        using System.Collections.ObjectModel;
        [NinoType] public sealed class Cart
        {
            public Cart() => Lines.CollectionChanged += (_, _) => { Note = "changed"; Open = "changed"; Changes++; };
            public int Changes { get; set; }
            public ObservableCollection<string> Lines { get; } = [];
            [NinoInclude] public string? Note { get; private set; }
            public string? Open { get; set; }
            public Cart Noted(string note) { Note = note; return this; }
        }
        [NinoType(References = true)] public sealed class Shared
        {
            private string? _filter;
            public Shared() => Lines.CollectionChanged += (_, _) => { Note = "changed"; Open = "changed"; Changes++; };
            public int Changes { get; set; }
            public ObservableCollection<string> Lines { get; } = [];
            public string? Filter { get => _filter; set { _filter = value; Lines.Clear(); } }
            [NinoInclude] public string? Note { get; private set; }
            public string? Open { get; set; }
            public Shared Noted(string note) { Note = note; return this; }
        }
        """, """
        Cart cart = new Cart { Lines = { "a" }, Open = "open" }.Noted("note");
        Cart copy = Copy(cart);
        Equal((1, 1), (cart.Changes, copy.Changes));
        Equal(("a", "note", "changed"), (copy.Lines[0], copy.Note, new Cart { Lines = { "a" } }.Note));
        Equal("open", copy.Open);
        Cart? there = new Cart { Lines = { "b" } };
        NinoSerializer.Deserialize(NinoSerializer.Serialize(cart), ref there);
        Equal(("a", "note", "open", 1), (there!.Lines[0], there.Note, there.Open, there.Changes));
        Shared shared = Copy(new Shared { Lines = { "a" }, Open = "open" }.Noted("note"));
        Equal(("a", "note", "open", 1), (shared.Lines[0], shared.Note, shared.Open, shared.Changes));
        """);

    [Fact]
    public void SoHasARequiredOneAndAnInitOneOnlyWhereReferencesAreKept() => Programs.Run("""
        using System.Collections.ObjectModel;
        [NinoType] public sealed class Cart
        {
            public Cart() => Lines.CollectionChanged += (_, _) => { Open = "changed"; Field = "changed"; };
            public ObservableCollection<string> Lines { get; } = [];
            public required string Open { get; set; }
            public required string Field;
        }
        [NinoType] public struct Slip
        {
            public Slip() => Lines = [];
            public Collection<string> Lines { get; }
            public required string Open { get; set; }
        }
        [NinoType] public sealed class Fixed
        {
            public Fixed(int number) { Number = number; Lines.CollectionChanged += (_, _) => typeof(Fixed).GetProperty("Init")!.SetValue(this, "changed"); }
            public int Number { get; }
            public ObservableCollection<string> Lines { get; } = [];
            public string? Init { get; init; }
        }
        [NinoType(References = true)] public sealed class Shared
        {
            public Shared() => Lines.CollectionChanged += (_, _) => { Open = "changed"; typeof(Shared).GetProperty("Init")!.SetValue(this, "changed"); };
            public ObservableCollection<string> Lines { get; } = [];
            public required string Open { get; set; }
            public string? Init { get; init; }
        }
        """, """
        Cart cart = new() { Open = "", Field = "" };
        cart.Lines.Add("a");
        (cart.Open, cart.Field) = ("open", "field");
        Cart copy = Copy(cart);
        Equal(("a", "open", "field"), (copy.Lines[0], copy.Open, copy.Field));
        Cart? there = new Cart { Lines = { "b" }, Open = "", Field = "" };
        NinoSerializer.Deserialize(NinoSerializer.Serialize(cart), ref there);
        Equal(("a", "open", "field"), (there!.Lines[0], there.Open, there.Field));
        Slip slip = Copy(new Slip { Lines = { "a" }, Open = "open" });
        Equal(("a", "open"), (slip.Lines[0], slip.Open));
        Fixed stored = new(1) { Init = "init" };
        stored.Lines.Add("a");
        typeof(Fixed).GetProperty("Init")!.SetValue(stored, "init");
        Fixed @fixed = Copy(stored);
        Equal((1, "a", "changed"), (@fixed.Number, @fixed.Lines[0], @fixed.Init));
        Shared graph = new() { Open = "" };
        graph.Lines.Add("a");
        graph.Open = "open";
        typeof(Shared).GetProperty("Init")!.SetValue(graph, "init");
        Shared shared = Copy(graph);
        Equal(("a", "open", "init"), (shared.Lines[0], shared.Open, shared.Init));
        """);
}
