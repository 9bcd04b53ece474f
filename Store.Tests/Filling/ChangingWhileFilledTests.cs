using Store.Tests.Generator;

namespace Store.Tests.Filling;

/// <summary>A collection that code of its elements changes while it is read into has what is stored afterwards, or is refused: no element twice, and no null that nobody stored.</summary>
public sealed class ChangingWhileFilledTests
{
    [Fact]
    public void AChildThatAddsItselfToItsParentIsThereOnce() => Programs.Run("""
        using System.Linq;
        [NinoType(References = true)] public sealed class Parent
        {
            public List<Child> Children { get; } = [];
        }
        [NinoType(References = true)] public sealed class Child
        {
            private Parent? _parent;
            public int Id { get; set; }
            public Parent? Parent { get => _parent; set { _parent = value; if (value is not null && !value.Children.Contains(this)) value.Children.Add(this); } }
        }
        [NinoType(References = true)] public sealed class House
        {
            public Dictionary<int, Room> Rooms { get; } = [];
        }
        [NinoType(References = true)] public sealed class Room
        {
            private House? _house;
            public int Id { get; set; }
            public House? House { get => _house; set { _house = value; value?.Rooms.TryAdd(Id, this); } }
        }
        [NinoType(References = true)] public sealed class Team
        {
            public HashSet<Member> Members { get; } = [];
        }
        [NinoType(References = true)] public sealed class Member
        {
            private Team? _team;
            public int Id { get; set; }
            public Team? Team { get => _team; set { _team = value; value?.Members.Add(this); } }
        }
        """, """
        foreach (int count in new[] { 1, 2, 3, 4, 9, 3000 })
        {
            var parent = new Parent();
            var house = new House();
            var team = new Team();
            for (int i = 0; i < count; i++) _ = (new Child { Id = i, Parent = parent }, new Room { Id = i, House = house }, new Member { Id = i, Team = team });
            Parent read = Copy(parent);
            Equal(string.Join(",", Enumerable.Range(0, count)), string.Join(",", read.Children.Select(static child => child?.Id)));
            Equal(true, read.Children.TrueForAll(child => child.Parent == read));
            House copy = Copy(house);
            Equal((count, true), (copy.Rooms.Count, copy.Rooms.All(room => room.Value.Id == room.Key && room.Value.House == copy)));
            Team other = Copy(team);
            Equal((count, true), (other.Members.Count, other.Members.All(member => member.Team == other)));
        }
        """);

    [Fact]
    public void AListThatHoldsAnObjectWithTheSameListIsRefused() => Programs.Run("""
        [NinoType] public sealed class Node
        {
            public int Id;
            public List<Node>? Nodes;
            public Dictionary<int, Node>? ById;
        }
        """, """
        byte[] bytes = NinoSerializer.Serialize(new Node { Id = 1, Nodes = [new Node { Id = 2, Nodes = [] }, new Node { Id = 3, Nodes = [] }] });
        Equal(2, Copy(new Node { Nodes = [new Node(), new Node()] }).Nodes!.Count);
        Node? there = new Node { Nodes = [] };
        there.Nodes!.AddRange([there, there]);
        Equal(true, System.Threading.Tasks.Task.Run(() => Refused(() => NinoSerializer.Deserialize(bytes, ref there), "modified")).Wait(TimeSpan.FromSeconds(30)));
        """);

    [Fact]
    public void AListThatCodeOfItsElementsChangesWhileItIsReadIntoIsRefused() => Programs.Run("""
        [NinoType] public sealed class Order
        {
            public static Order? Last;
            public List<Line> Lines { get; } = [];
            public Order() => Last = this;
        }
        [NinoType] public sealed class Line
        {
            private int _count;
            public string Name { get; set; } = "";
            public int Count { get => _count; set { _count = value; if (value == 7) Order.Last!.Lines.Clear(); if (value == 8) Order.Last!.Lines.Add(this); } }
        }
        """, """
        Equal(1, Copy(new Order { Lines = { new Line { Name = "a", Count = 1 } } }).Lines.Count);
        foreach (int count in new[] { 7, 8 })
        {
            byte[] bytes = NinoSerializer.Serialize(new Order { Lines = { new Line { Name = "a" }, new Line { Name = "b" } } });
            bytes[bytes.AsSpan().IndexOf("a"u8) - 5] = (byte)count;
            Equal(true, System.Threading.Tasks.Task.Run(() => Refused(() => NinoSerializer.Deserialize<Order>(bytes), "modified")).Wait(TimeSpan.FromSeconds(30)));
        }
        """);

    [Fact]
    public void WhatCodeOfAValueTakesOutOrMovesWhileItIsReadIntoIsRefused() => Programs.Run("""
        [NinoType] public sealed class Order
        {
            public List<Line>? Lines { get; set; }
            public Dictionary<int, Line>? ByNumber { get; set; }
        }
        [NinoType] public sealed class Line
        {
            public static Action? Next;
            private int _count;
            public string? Name { get; set; }
            public int Count { get => _count; set { _count = value; Next?.Invoke(); } }
        }
        """, """
        static Line[] Lines(int count) => [.. System.Linq.Enumerable.Select(System.Linq.Enumerable.Range(0, count), static i => new Line { Name = "line", Count = i })];
        static Dictionary<int, Line> Map(int count) => System.Linq.Enumerable.ToDictionary(Lines(count), static line => line.Count);

        Order? order = null;
        Action[] changes = [() => order!.Lines!.TrimExcess(), () => order!.Lines!.Capacity = 100, () => order!.Lines!.Clear(), () => order!.ByNumber!.Clear(), () => order!.ByNumber!.Remove(0)];
        foreach (Action change in changes)
        {
            byte[] bytes = NinoSerializer.Serialize(Array.IndexOf(changes, change) < 3 ? new Order { Lines = [.. Lines(5)] } : new Order { ByNumber = Map(5) });
            for (int there = 0; there <= 5; there += 5)
            {
                order = new Order { Lines = new List<Line>(Lines(there)) { Capacity = 50 }, ByNumber = Map(there) };
                Line.Next = change;
                Refused(() => NinoSerializer.Deserialize(bytes, ref order));
                Line.Next = null;
                NinoSerializer.Deserialize(bytes, ref order);
                Equal(5, order!.Lines?.Count ?? order.ByNumber!.Count);
            }
        }

        Equal(5, Copy(new Order { ByNumber = Map(5) }).ByNumber!.Count);
        """);
}
