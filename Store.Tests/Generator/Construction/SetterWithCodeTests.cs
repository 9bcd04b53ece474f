namespace Store.Tests.Generator.Construction;

/// <summary>Setters that are code of the user's are called in the order of the encoding, and find what stands in front of them.</summary>
public sealed class SetterWithCodeTests
{
    /// <summary>Members of a fixed width come first, then the others in the order of their declaration.</summary>
    [Fact]
    public void ASetterFindsWhatStandsInFrontOfItInTheRecord() => Programs.Run("""
        [NinoType] public class Ranged
        {
            public int Most { get; set; }
            public int Value { get => field; set { if (value > Most) throw new ArgumentOutOfRangeException(nameof(value)); field = value; } }
            public string Prefix { get; set; } = "";
            public string Name { get => field; set { if (!value.StartsWith(Prefix)) throw new ArgumentException(Prefix); field = value; } } = "";
        }
        """, """
        Ranged copy = Copy(new Ranged { Most = 10, Value = 7, Prefix = "a", Name = "ab" });
        Equal((10, 7, "a", "ab"), (copy.Most, copy.Value, copy.Prefix, copy.Name));
        """);

    /// <summary>Also where members in front of it are private, which no object initializer sets.</summary>
    [Fact]
    public void ASetterFindsPrivateMembersThatStandInFrontOfIt() => Programs.Run("""
        [NinoType] public class Ranged { [NinoInclude] private int _most; public Ranged() { } public Ranged(int most) => _most = most; public int Value { get => field; set => field = Math.Min(value, _most); } public required string Unit { get; set; } }
        [NinoType] public class Titled { [NinoInclude] public string Title { get => field; private set { field = value; State = "reset"; } } = ""; public string State { get; set; } = ""; public void Name(string title) => Title = title; }
        """, """
        Equal((7, "m"), (Copy(new Ranged(10) { Value = 7, Unit = "m" }).Value, Copy(new Ranged(10) { Value = 7, Unit = "m" }).Unit));
        Titled titled = new();
        titled.Name("a");
        titled.State = "s";
        Equal(("a", "s"), (Copy(titled).Title, Copy(titled).State));
        """);

    [Fact]
    public void TheLastSetterHasTheLastWord() => Programs.Run("""
        [NinoType] public class Document { public bool IsDirty { get; set; } public string Title { get => field; set { field = value; IsDirty = true; } } = ""; public string State { get; set; } = ""; }
        [NinoType] public class Saved { [NinoIgnore] public bool IsDirty { get; set; } public string Title { get => field; set { field = value; IsDirty = true; } } = ""; [NinoOnDeserialized] private void Read() => IsDirty = false; }
        """, """
        Document document = new() { Title = "a", State = "s" };
        document.IsDirty = false;
        Equal((true, "a", "s"), (Copy(document).IsDirty, Copy(document).Title, Copy(document).State));
        Equal(false, Copy(new Saved { Title = "a" }).IsDirty);
        """);

    /// <summary>The property that was stored before sets what came in its place, which such a record does not have.</summary>
    [Fact]
    public void WhatASetterComputesOfAnOlderRecordStays() => Programs.Run("""
        namespace Old { [NinoType] public class Person { public string FullName { get; set; } = ""; } [NinoType] public struct Heat { public double Fahrenheit { get; set; } } [NinoType] public class Row { public string Cells { get; set; } = ""; public List<int> Marks { get; } = []; } }
        namespace Now
        {
            [NinoType, NinoFormerName("Old.Person")] public class Person { public string? First { get; set; } public string? Last { get; set; } public string FullName { get => (First + " " + Last).Trim(); set { string[] parts = value.Split(' ', 2); First = parts[0]; Last = parts.Length > 1 ? parts[1] : ""; } } }
            [NinoType, NinoFormerName("Old.Heat")] public struct Heat { public double Celsius { get; set; } public double Fahrenheit { get => (Celsius * 9 / 5) + 32; set => Celsius = (value - 32) * 5 / 9; } }
            [NinoType, NinoFormerName("Old.Row")] public class Row { public List<string> Parts { get; set; } = []; public string Cells { get => string.Join(",", Parts); set => Parts = [.. value.Split(',')]; } public List<int> Marks { get; } = []; }
        }
        """, """
        Now.Person person = Evolve<Old.Person, Now.Person>(new Old.Person { FullName = "Ada Lovelace" });
        Equal(("Ada", "Lovelace"), (person.First, person.Last));
        Now.Row row = Evolve<Old.Row, Now.Row>(new Old.Row { Cells = "p,q", Marks = { 1 } });
        Equal(("q", "p,q", 1), (row.Parts[1], row.Cells, row.Marks[0]));
        Equal(100.0, Evolve<Old.Heat, Now.Heat>(new Old.Heat { Fahrenheit = 212 }).Celsius);
        """);
}
