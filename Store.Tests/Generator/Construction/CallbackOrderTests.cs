namespace Store.Tests.Generator.Construction;

/// <summary>When callbacks run, on what, and how often.</summary>
public class CallbackOrderTests
{
    private const string Log = """
        public static class Log
        {
            private static readonly List<string> Lines = [];
            public static void Add(string line) => Lines.Add(line);
            public static string Take() { string all = string.Join(", ", Lines); Lines.Clear(); return all; }
        }

        """;

    private const string Part = Log + """
        [NinoType] public sealed class Part
        {
            public int Id { get; set; }
            [NinoOnSerializing] private void Before() => Log.Add($"writing {Id}");
            [NinoOnSerialized] private void After() => Log.Add($"wrote {Id}");
            [NinoOnDeserializing] private void Begin() => Log.Add($"reading {Id}");
            [NinoOnDeserialized] private void End() => Log.Add($"read {Id}");
        }

        """;

    [Fact]
    public void CallbacksOfWhatAnObjectHoldsAreInsideOfItsOwn() => Programs.Run(Part + """
        [NinoType] public sealed class Whole
        {
            public Part? One { get; set; }
            public List<Part>? More { get; set; }
            public Part? Last { get; init; }
            [NinoOnSerializing] private void Before() => Log.Add("writing all");
            [NinoOnSerialized] private void After() => Log.Add("wrote all");
            [NinoOnDeserialized] private void End() => Log.Add("read all");
        }
        """, """
        byte[] bytes = NinoSerializer.Serialize(new Whole { One = new() { Id = 1 }, More = [new() { Id = 2 }, new() { Id = 3 }], Last = new() { Id = 4 } });
        Equal("writing all, writing 1, wrote 1, writing 2, wrote 2, writing 3, wrote 3, writing 4, wrote 4, wrote all", Log.Take());
        NinoSerializer.Deserialize<Whole>(bytes);
        Equal("reading 0, read 1, reading 0, read 2, reading 0, read 3, reading 0, read 4, read all", Log.Take());
        Records.Add((bytes, NinoSerializer.SchemaOf<Whole>()));
        """);

    [Fact]
    public void WhateverWritesAnObjectCallsItBackAndWhatOnlyShowsARecordDoesNot() => Programs.Run(Part, """
        var part = new Part { Id = 1 };
        Equal(4L, NinoSerializer.GetSize(part));
        Equal("writing 1, wrote 1", Log.Take());
        Equal(1, NinoSerializer.Clone(part).Id);
        Equal("writing 1, wrote 1, reading 0, read 1", Log.Take());
        Equal(false, NinoSerializer.TrySerialize(part, new byte[3], out _));
        Equal("writing 1, wrote 1", Log.Take());
        byte[] bytes = NinoSerializer.Serialize(part);
        Log.Take();
        Equal("1", NinoValue.Decode(NinoSerializer.SchemaOf<Part>(), bytes)["Id"].ToString());
        Equal("", Log.Take());
        Copy(part);
        """);

    [Fact]
    public void AnObjectIsCalledBackAsOftenAsItIsStored() => Programs.Run(Part + """
        [NinoType] public sealed class Twice { public Part? A { get; set; } public Part? B { get; set; } }
        [NinoType(References = true)] public sealed class Node { public Node? Other { get; set; } [NinoOnSerializing] private void Before() => Log.Add("writing"); [NinoOnDeserialized] private void End() => Log.Add("read"); }
        """, """
        var part = new Part { Id = 1 };
        Copy(new Twice { A = part, B = part });
        Equal("writing 1, wrote 1, writing 1, wrote 1, reading 0, read 1, reading 0, read 1", Log.Take());
        var node = new Node();
        node.Other = node;
        Copy(node);
        Equal("writing, read", Log.Take());
        """);

    [Fact]
    public void AStructIsWrittenOfACopyBehindAnInterfaceToo() => Programs.Run("""
        [NinoType] public interface ICounter;
        [NinoType] public struct Counter : ICounter { public int Count; [NinoOnSerializing] private void Up() => Count++; }
        [NinoType] public sealed class Holder { public ICounter? Any { get; set; } public Counter Own; public Counter[]? All { get; set; } public object? Boxed { get; set; } }
        """, """
        var holder = new Holder { Any = new Counter { Count = 1 }, Own = new() { Count = 2 }, All = [new() { Count = 3 }], Boxed = new Counter { Count = 4 } };
        Holder copy = Copy(holder);
        Equal((2, 3, 4, 5), (((Counter)copy.Any!).Count, copy.Own.Count, copy.All![0].Count, ((Counter)copy.Boxed!).Count));
        Equal((1, 2, 3, 4), (((Counter)holder.Any).Count, holder.Own.Count, holder.All[0].Count, ((Counter)holder.Boxed).Count));
        """);

    [Fact]
    public void ARecordOfAnOlderShapeCallsBackTheObjectThatItBecomes() => Programs.Run("""
        [NinoType] public sealed record Old(int Id);
        [NinoType, NinoFormerName("Old")] public sealed class Now
        {
            public long Id { get; set; }
            public int Added { get; set; } = 7;
            [NinoIgnore] public string Seen { get; private set; } = "";
            [NinoOnSerializing] private void Before() => Seen += "written, ";
            [NinoOnDeserializing] private void Begin() => Seen += $"{Id} {Added}, ";
            [NinoOnDeserialized] private void End() => Seen += $"{Id} {Added}";
        }
        """, """
        Equal("0 7, 3 7", Evolve<Old, Now>(new Old(3)).Seen);
        """);

    /// <summary>Without the mark it is stored as its elements, and a callback is an error (DiagnosticTests).</summary>
    [Fact]
    public void ACollectionThatIsStoredAsItsMembersIsCalledBackAsAnyObject() => Programs.Run("""
        [NinoType] public sealed class Bag : ICollection<int>
        {
            [NinoInclude] private List<int> _items = [];
            [NinoIgnore] public int Sum { get; private set; }
            public int Count => _items.Count;
            public bool IsReadOnly => false;
            public void Add(int item) => _items.Add(item);
            public void Clear() => _items.Clear();
            public bool Contains(int item) => _items.Contains(item);
            public void CopyTo(int[] array, int arrayIndex) => _items.CopyTo(array, arrayIndex);
            public bool Remove(int item) => _items.Remove(item);
            public IEnumerator<int> GetEnumerator() => _items.GetEnumerator();
            System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
            [NinoOnDeserialized] private void Add() { foreach (int item in _items) Sum += item; }
        }
        [NinoType] public sealed class Holder { public Bag? Bag { get; set; } }
        """, """
        Bag copy = Copy(new Holder { Bag = [3, 4] }).Bag!;
        Equal((2, 7), (copy.Count, copy.Sum));
        """);
}
