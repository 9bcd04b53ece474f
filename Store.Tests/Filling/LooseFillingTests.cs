using Store.Tests.Generator;

namespace Store.Tests.Filling;

/// <summary>Collections of the user's without type arguments and without a setter: reading fills the one that the object has made.</summary>
public sealed class LooseFillingTests
{
    [Fact]
    public void TheCollectionThatTheObjectHasMadeIsEmptiedAndFilled() => Programs.Run("""
        using System.Collections;
        using System.Collections.Specialized;
        [NinoType] public sealed class Model
        {
            public static List<object> Made = [];
            public int Id { get; set; }
            public Notes Notes { get; } = new() { "made" };
            public Jobs Jobs { get; } = new();
            public Pile Pile { get; } = new();
            public Names Names { get; } = new() { "made" };
            public readonly Table Table = new() { ["made"] = 1 };
            public Items Items { get; } = new();
            public Prices Prices { get; } = new();
            public Model() => Made.Add(Notes);
        }
        [NinoType] public sealed class Set { public int Id { get; set; } public Notes? Notes { get; set; } public Jobs? Jobs { get; set; } public Pile? Pile { get; set; } public Names? Names { get; set; } public Table? Table { get; set; } public Items? Items { get; set; } public Prices? Prices { get; set; } }
        public sealed class Notes : ArrayList;
        public sealed class Jobs : Queue;
        public sealed class Pile : Stack;
        public sealed class Names : StringCollection;
        public sealed class Table : Hashtable;
        public sealed class Items : CollectionBase { public void Add(int item) => List.Add(item); }
        public sealed class Prices : DictionaryBase { public decimal this[string name] { get => (decimal)Dictionary[name]!; set => Dictionary[name] = value; } }
        """, """
        var model = new Model { Id = 1, Items = { 7, 8 }, Prices = { ["p"] = 1.5m } };
        model.Notes.Clear();
        model.Notes.Add("a");
        model.Notes.Add(null);
        model.Jobs.Enqueue("first");
        model.Jobs.Enqueue(2);
        model.Pile.Push("bottom");
        model.Pile.Push("top");
        model.Names[0] = "n";
        model.Table.Clear();
        model.Table["k"] = "v";
        Model copy = Copy(model);
        Check(copy);
        Equal(true, Model.Made.Contains(copy.Notes));
        Set set = new() { Id = 1, Notes = model.Notes, Jobs = model.Jobs, Pile = model.Pile, Names = model.Names, Table = model.Table, Items = model.Items, Prices = model.Prices };
        byte[] bytes = NinoSerializer.Serialize(model);
        Equal(Convert.ToHexString(NinoSerializer.Serialize(set)), Convert.ToHexString(bytes));
        Model? into = new();
        Notes notes = into.Notes;
        into.Jobs.Enqueue("old");
        into.Prices["old"] = 1;
        NinoSerializer.Deserialize(bytes, ref into);
        Equal(true, ReferenceEquals(notes, into!.Notes));
        Check(into);
        // Null empties them.
        Model empty = NinoSerializer.Deserialize<Model>(NinoSerializer.Serialize(new Set { Id = 3 }));
        Equal((3, 0, 0, 0, 0, 0, 0, 0), (empty.Id, empty.Notes.Count, empty.Jobs.Count, empty.Pile.Count, empty.Names.Count, empty.Table.Count, empty.Items.Count, empty.Prices.Count));

        static void Check(Model read)
        {
            Equal("1 2 a  2 first 2 2 top bottom 1 n 1 v 2 1 1.5", string.Join(" ", read.Id, read.Notes.Count, read.Notes[0], read.Notes[1], read.Jobs.Count, read.Jobs.ToArray()[0], read.Jobs.ToArray()[1], read.Pile.Count, read.Pile.ToArray()[0], read.Pile.ToArray()[1],
                read.Names.Count, read.Names[0], read.Table.Count, read.Table["k"], read.Items.Count, read.Prices.Count, FormattableString.Invariant($"{read.Prices["p"]}")));
        }
        """);

    [Fact]
    public void OneThatDoesNotTakeWhatIsStoredIsRefused() => Programs.Run("""
        using System.Collections;
        [NinoType] public sealed class Lists { public List<object?>? Items { get; set; } }
        [NinoType] public sealed class Model
        {
            public static int Kind;
            public Items Items { get; } = new(Kind);
        }
        public sealed class Items : CollectionBase
        {
            private readonly int _kind;
            public Items() { }
            public Items(int kind) => _kind = kind;
            protected override void OnInsert(int index, object? value) { if (_kind == 1 && value is 2) throw new InvalidOperationException("It takes no 2."); }
            protected override void OnInsertComplete(int index, object? value) { if (_kind == 2) InnerList.Reverse(); else if (_kind == 3) InnerList.Add(value); }
            protected override void OnClear() { if (_kind == 4) throw new NotSupportedException("It stays as it is."); }
        }
        """, """
        byte[] bytes = NinoSerializer.Serialize(new Lists { Items = [1, 2, 3] });
        Equal(3, Copy(NinoSerializer.Deserialize<Model>(bytes)).Items.Count);
        string[] messages = ["Element 1 was refused by the 'Items' that the member 'Model.Items' holds: It takes no 2.", "shows its elements in an order of its own", "has 6 elements after 3 were put into it", "cannot be emptied (It stays as it is.)"];
        for (Model.Kind = 1; Model.Kind <= 4; Model.Kind++) Refused(() => NinoSerializer.Deserialize<Model>(bytes), messages[Model.Kind - 1]);
        """);

    /// <summary>The record meets the child first, and its parent's collection holds it when it has no name yet.</summary>
    [Fact]
    public void WhatTheyHoldBeforeItIsWholeIsPutInOnceMore() => Programs.Run("""
        using System.Collections;
        [NinoType(References = true)] public sealed class Node { public Node? Parent { get; set; } public Nodes Children { get; } = new(); public Ids Named { get; } = new(); public string? Name { get; set; } }
        public sealed class Nodes : CollectionBase
        {
            private readonly Dictionary<string, Node> _byName = [];
            public void Add(Node node) => List.Add(node);
            public Node? Find(string name) => _byName.GetValueOrDefault(name);
            protected override void OnInsertComplete(int index, object? value) => _byName[((Node)value!).Name ?? ""] = (Node)value;
            protected override void OnClearComplete() => _byName.Clear();
        }
        public sealed class Ids : DictionaryBase
        {
            private readonly List<string> _seen = [];
            public string Seen() => string.Join(",", _seen);
            public void Add(int id, Node node) => Dictionary.Add(id, node);
            protected override void OnInsertComplete(object key, object? value) => _seen.Add(((Node)value!).Name ?? "nobody");
            protected override void OnClearComplete() => _seen.Clear();
        }
        """, """
        var parent = new Node { Name = "parent" };
        var child = new Node { Name = "child", Parent = parent };
        parent.Children.Add(child);
        parent.Named.Add(1, child);
        Node copy = Copy(child);
        Equal((true, null, "child"), (ReferenceEquals(copy, copy.Parent!.Children.Find("child")), copy.Parent.Children.Find(""), copy.Parent.Named.Seen()));
        """);
}
