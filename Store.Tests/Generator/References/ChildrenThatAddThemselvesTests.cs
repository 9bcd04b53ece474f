namespace Store.Tests.Generator.References;

/// <summary>Children whose constructor, setter or init adds them to their parent's collections are there once, wherever the record begins: what is stored has the last word.</summary>
public sealed class ChildrenThatAddThemselvesTests
{
    // Reads what was written in each way, and looks that it is written again as it was.
    private const string Ways = """
        public sealed class Piece : System.Buffers.ReadOnlySequenceSegment<byte>
        {
            public Piece(byte[] memory, Piece? before)
            {
                Memory = memory;
                if (before is null) return;
                before.Next = this;
                RunningIndex = before.RunningIndex + before.Memory.Length;
            }
        }
        public static class Ways
        {
            public static void All<T>(T value, Action<T> look)
            {
                byte[] bytes = NinoSerializer.Serialize(value);
                Piece first = new([], null), last = first;
                foreach (byte one in bytes) last = new Piece([one], last);
                T? there = default;
                NinoSerializer.Deserialize(bytes, ref there!);
                T again = NinoSerializer.Deserialize<T>(bytes)!;
                NinoSerializer.Deserialize(bytes, ref again!);
                foreach (T read in new[] { Program.Copy(value), NinoSerializer.Deserialize<T>(new System.Buffers.ReadOnlySequence<byte>(first, 0, last, last.Memory.Length))!, there, again })
                {
                    look(read);
                    if (!NinoSerializer.Serialize(read).AsSpan().SequenceEqual(bytes)) throw new InvalidOperationException("It is written otherwise.");
                }
            }
        }
        """;

    [Fact]
    public void OfAConstructorTheyAreThereOnceWhereverTheRecordBegins() => Programs.Run("using System.Linq;\n" + Ways + """
        [NinoType(References = true)] public class Node
        {
            public Node? Parent { get; }
            public string Name { get; }
            public List<Node> Nodes { get; } = [];
            public Node(Node? parent, string name) { Parent = parent; Name = name; parent?.Nodes.Add(this); }
            public string Text() => Name + (Nodes.Count > 0 ? $"({string.Join(",", Nodes.Select(static node => node.Text()))})" : "");
        }
        [NinoType] public class Tree { public Node? Current { get; set; } public Node? Root { get; set; } public List<Node> Others { get; set; } = []; }
        [NinoType(References = true)] public class Document { public List<Paragraph> Paragraphs { get; } = []; }
        [NinoType(References = true)] public class Paragraph
        {
            public Document Document { get; }
            public string Text { get; }
            public Paragraph(Document document, string text) { Document = document; Text = text; document.Paragraphs.Add(this); }
        }
        [NinoType] public class Editor { public Paragraph? At { get; set; } public Document? Document { get; set; } }
        """, """
        Node root = new(null, "r"), a = new(root, "a"), b = new(root, "b"), aa = new(a, "aa"), ab = new(a, "ab");
        const string Text = "r(a(aa,ab),b)";
        Ways.All(root, static read => Equal(Text, read.Text()));
        foreach (Node node in new[] { a, b }) Ways.All(node, static read => Equal(Text, read.Parent!.Text()));
        foreach (Node node in new[] { aa, ab }) Ways.All(node, static read => Equal(Text, read.Parent!.Parent!.Text()));
        Ways.All(ab, static read => Equal(true, read.Parent!.Nodes[1] == read && read.Parent.Parent!.Nodes[0] == read.Parent && read.Parent.Nodes[0].Parent == read.Parent));
        foreach (Node node in new[] { a, b, aa, ab })
        {
            Ways.All(new Tree { Current = node, Root = root }, static read => Equal(Text, read.Root!.Text()));
            Ways.All(new Tree { Root = root, Others = [node, b, a] }, static read => Equal(Text, read.Root!.Text()));
        }

        var document = new Document();
        Paragraph first = new(document, "1"), second = new(document, "2");
        foreach (Paragraph paragraph in new[] { first, second })
        {
            Ways.All(paragraph, static read => Equal("1,2", string.Join(",", read.Document.Paragraphs.Select(static one => one.Text))));
            Ways.All(new Editor { At = paragraph, Document = document }, static read => Equal("1,2", string.Join(",", read.Document!.Paragraphs.Select(static one => one.Text))));
        }
        """);

    [Fact]
    public void OfASetterOrInitTheyAreThereOnceWhereverTheRecordBegins() => Programs.Run("using System.Linq;\n" + Ways + """
        [NinoType(References = true)] public class Node
        {
            public Node? Parent { get; set { field = value; value?.Nodes.Add(this); } }
            public string Name { get; set; } = "";
            public List<Node> Nodes { get; } = [];
        }
        [NinoType(References = true)] public class Shape
        {
            public Shape? Parent { get; init { field = value; value?.Shapes.Add(this); } }
            public string Name { get; init; } = "";
            public System.Collections.ObjectModel.ObservableCollection<Shape> Shapes { get; } = [];
        }
        [NinoType(References = true)] public class Garage { public List<Car> Cars { get; set; } = []; }
        [NinoType(References = true)] public class Car
        {
            public Garage? Garage { get; set { field = value; value?.Cars.Insert(0, this); } }
            public string Name { get; set; } = "";
        }
        """, """
        var root = new Node { Name = "r" };
        Node one = new() { Name = "1", Parent = root }, two = new() { Name = "2", Parent = root }, inner = new() { Name = "i", Parent = one };
        Ways.All(root, static read => Equal((2, 1), (read.Nodes.Count, read.Nodes[0].Nodes.Count)));
        foreach (Node node in new[] { one, two }) Ways.All(node, static read => Equal((2, 1), (read.Parent!.Nodes.Count, read.Parent.Nodes[0].Nodes.Count)));
        Ways.All(inner, static read => Equal((2, 1), (read.Parent!.Parent!.Nodes.Count, read.Parent.Nodes.Count)));

        var whole = new Shape { Name = "w" };
        Shape left = new() { Name = "l", Parent = whole }, right = new() { Name = "r", Parent = whole };
        Ways.All(whole, static read => Equal("l,r", string.Join(",", read.Shapes.Select(static shape => shape.Name))));
        foreach (Shape shape in new[] { left, right }) Ways.All(shape, static read => Equal("l,r", string.Join(",", read.Parent!.Shapes.Select(static shape => shape.Name))));

        var garage = new Garage();
        Car[] cars = [.. Enumerable.Range(0, 30).Select(i => new Car { Name = $"{i}", Garage = garage })];
        Ways.All(garage, static read => Equal(30, read.Cars.Count));
        foreach (Car car in cars) Ways.All(car, read => Equal((true, 29 - int.Parse(car.Name)), (read.Garage!.Cars.Select(static one => one.Name).SequenceEqual(garage.Cars.Select(static one => one.Name)), read.Garage.Cars.IndexOf(read))));
        """);

    [Fact]
    public void ListsOfEveryKindArePutRight() => Programs.Run("using System.Linq;\n" + Ways + """
        public class Own : List<Car>;
        [NinoType(References = true)] public class Garage
        {
            public IList<Car> List { get; } = new List<Car>();
            public ICollection<Car> Collection { get; set; } = new List<Car>();
            public System.Collections.ObjectModel.Collection<Car> Others { get; set; } = [];
            public System.Collections.ObjectModel.ObservableCollection<Car> Observed { get; } = [];
            public Own Own { get; } = [];
            public Own OtherOwn { get; set; } = [];
            public string Text() => string.Join(" ", new IEnumerable<Car>[] { List, Collection, Others, Observed, Own, OtherOwn }.Select(static cars => string.Concat(cars.Select(static car => car.Name))));
        }
        [NinoType(References = true)] public class Car
        {
            public Garage Garage { get; }
            public string Name { get; }
            public Car(Garage garage, string name)
            {
                (Garage, Name) = (garage, name);
                garage.List.Insert(0, this);
                garage.Collection.Add(this);
                garage.Others.Insert(0, this);
                garage.Observed.Add(this);
                garage.Own.Add(this);
                garage.OtherOwn.Insert(0, this);
            }
        }
        """, """
        var garage = new Garage();
        Car[] cars = [new(garage, "1"), new(garage, "2"), new(garage, "3")];
        string text = garage.Text();
        Ways.All(garage, read => Equal(text, read.Text()));
        foreach (Car car in cars) Ways.All(car, read => Equal(text, read.Garage.Text()));
        """);

    [Fact]
    public void WhatOthersMadeOfTheListStays() => Programs.Run("using System.Linq;\n" + """
        [NinoType(References = true)] public class Order
        {
            public List<Line> Lines { get; set { field = value; for (int i = 1; i < value.Count; i++) value[i].Previous = value[i - 1]; } } = [];
        }
        [NinoType(References = true)] public class Line { public Order? Order { get; set { field = value; } } [NinoIgnore] public Line? Previous { get; set; } public string Name { get; set; } = ""; }
        [NinoType(References = true)] public class Car { public Garage? Garage { get; set { field = value; } } public int Age { get; set; } }
        [NinoType] public class Garage { public List<Car> Cars { get; set; } = []; [NinoOnDeserialized] private void Clean() { Cars.RemoveAll(static car => car.Age > 9); Cars.Reverse(); } }
        [NinoType(References = true)] public class Shop
        {
            public Shop(List<Item> items) { items.Reverse(); Items = items; }
            public List<Item> Items { get; }
        }
        [NinoType(References = true)] public class Item { public Shop? Shop { get; set { field = value; } } public string Name { get; set; } = ""; }
        """, """
        var order = new Order();
        Line one = new() { Name = "1", Order = order }, two = new() { Name = "2", Order = order };
        order.Lines = [one, two];
        Equal(("1", "1"), (Copy(order).Lines[1].Previous!.Name, Copy(two).Previous!.Name));
        var garage = new Garage();
        garage.Cars = [new() { Age = 1, Garage = garage }, new() { Age = 10, Garage = garage }, new() { Age = 2, Garage = garage }];
        Equal("2,1", string.Join(",", Copy(garage.Cars[0]).Garage!.Cars.Select(static car => car.Age)));
        var shop = new Shop([]);
        shop.Items.AddRange([new() { Name = "a", Shop = shop }, new() { Name = "b", Shop = shop }]);
        Equal("b,a", string.Join(",", Copy(shop.Items[0]).Shop!.Items.Select(static item => item.Name)));
        """);

    [Fact]
    public void ADictionaryThatRefusesAChildASecondTimeIsTheErrorThatItIs() => Programs.Run("""
        [NinoType(References = true)] public class House { public Dictionary<int, Room> Rooms { get; } = []; }
        [NinoType(References = true)] public class Room
        {
            public House House { get; }
            public int Id { get; }
            public Room(House house, int id) { (House, Id) = (house, id); house.Rooms.Add(id, this); }
        }
        """, """
        var house = new House();
        Room room = new(house, 1);
        Equal(1, Copy(house).Rooms.Count);
        Refused(() => NinoSerializer.Deserialize<Room>(NinoSerializer.Serialize(room)), "same key");
        """);

    [Fact]
    public void WhatIsNotChangedIsNotTouched() => Programs.Run("""
        [NinoType(References = true)] public class Node
        {
            public int Changes;
            public Node? Parent { get; }
            public System.Collections.ObjectModel.ObservableCollection<Node> Nodes { get; } = [];
            public Node(Node? parent)
            {
                Parent = parent;
                Nodes.CollectionChanged += (_, _) => Seen++;
                if (parent is not null && !parent.Nodes.Contains(this)) parent.Nodes.Add(this);
            }
            [NinoIgnore] public int Seen;
        }
        """, """
        var root = new Node(null);
        Node a = new(root), b = new(root);
        // The other one adds itself, the stored ones are put in its place: nothing behind that.
        foreach (Node node in new[] { a, b }) Equal((2, 4), (Copy(node).Parent!.Nodes.Count, Copy(node).Parent!.Seen));
        """);
}
