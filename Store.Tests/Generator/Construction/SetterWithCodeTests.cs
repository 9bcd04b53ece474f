namespace Store.Tests.Generator.Construction;

/// <summary>Setters that are code of the user's: what they change in members that are only stored is put back to what was stored, and they find what was stored in front of them.</summary>
public sealed class SetterWithCodeTests
{
    [Fact]
    public void WhatASetterChangesInAMemberThatIsOnlyStoredIsWhatWasStored() => Programs.Run("""
        [NinoType] public class Document
        {
            public bool IsDirty { get; set; }
            public int Edits;
            public string Title { get => field; set { field = value; IsDirty = true; Edits++; } } = "";
            public List<string>? Tags { get; set; }
            public int Size { get => field; set { field = value; Tags = null; } }
        }
        [NinoType] public class Taken(bool isDirty) { public bool IsDirty { get; set; } = isDirty; public string Title { get => field; set { field = value; IsDirty = true; } } = ""; public required int Id { get; init; } }
        [NinoType] public struct Count { public int Sets; public int Value { get => field; set { field = value; Sets++; } } }
        [NinoType] public record struct Pair(int Sets, string Text) { public int Value { get => field; set { field = value; Sets++; } } }
        [NinoType] public class Hidden { [NinoInclude] private bool _isDirty; public string Title { get => field; set { field = value; _isDirty = true; } } = ""; public bool IsDirty() => _isDirty; public void Save() => _isDirty = false; }
        [NinoType(References = true)] public class Node { public Node? Next { get; set; } public bool IsDirty { get; init; } public string Title { get => field; set { field = value; Next = null; } } = ""; }
        [NinoType] public class Base { public bool IsDirty { get; set; } }
        [NinoType] public class Derived : Base { public string Title { get => field; set { field = value; IsDirty = true; } } = ""; }
        """, """
        Document saved = new() { Title = "a", Size = 3 };
        (saved.IsDirty, saved.Edits, saved.Tags) = (false, 7, ["x"]);
        Check(Copy(saved));
        Document into = new() { Title = "other", IsDirty = true };
        NinoSerializer.Deserialize(NinoSerializer.Serialize(saved), ref into);
        Check(into);
        Check(NinoSerializer.Clone(saved));
        Taken taken = Copy(new Taken(true) { Title = "b", Id = 4, IsDirty = false });
        Equal((false, "b", 4), (taken.IsDirty, taken.Title, taken.Id));
        Count count = new() { Value = 5 };
        count.Sets = 9;
        Equal((9, 5), (Copy(count).Sets, Copy(count).Value));
        Pair pair = new(1, "c") { Value = 6 };
        Equal(pair, Copy(pair));
        Hidden hidden = new() { Title = "d" };
        hidden.Save();
        Equal((false, "d"), (Copy(hidden).IsDirty(), Copy(hidden).Title));
        Node node = new() { Title = "e" };
        node.Next = node;
        Node read = Copy(node);
        Equal((true, "e", false), (ReferenceEquals(read, read.Next), read.Title, read.IsDirty));
        Derived derived = new() { Title = "f" };
        derived.IsDirty = false;
        Equal((false, "f"), (Copy(derived).IsDirty, Copy(derived).Title));
        static void Check(Document one) => Equal(("a", 3, false, 7, "x"), (one.Title, one.Size, one.IsDirty, one.Edits, one.Tags![0]));
        """);

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

    [Fact]
    public void WhatAFactoryMadeIsNotSetAgain() => Programs.Run("""
        [NinoType] public class Unit
        {
            private static readonly Unit s_one = new() { Code = "M" };
            public string Code { get; set; } = "";
            public int Digits { get => field; set => field = value; }
            [NinoConstructor] public static Unit Of(string code) => s_one;
        }
        """, """
        Unit one = Unit.Of(""), copy = Copy(new Unit { Code = "m", Digits = 2 });
        Equal((true, "M", 2), (ReferenceEquals(one, copy), copy.Code, copy.Digits));
        """);

    /// <summary>As a type that has no such setter is made: nothing is set twice there.</summary>
    [Fact]
    public void WhereNoSetterHasCodeEachMemberIsSetOnce()
    {
        string generated = GeneratorHarness.Generate("[NinoType] public class Plain(int c) { public int A { get; set; } public string B = \"\"; public int C { get; set; } = c; }").GeneratedSources.Aggregate("", static (all, one) => all + one.SourceText);
        Assert.DoesNotContain("result.", generated, StringComparison.Ordinal);
    }
}
