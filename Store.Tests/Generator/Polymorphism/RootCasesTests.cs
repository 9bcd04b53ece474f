// A polymorphic base at the root of records, of which several assemblies know cases: it has all of them, whichever assembly was used first.

namespace Store.Tests.Generator.Polymorphism;

/// <summary>Bases at the root, with libraries between that of the base and the program, and libraries beside each other.</summary>
public class RootCasesTests
{
    private const string Base = """
        namespace Lib;
        [NinoType] public abstract class Animal { public int Id; }
        [NinoType] public class Dog : Animal { public string? Name; }
        """;

    private const string First = "namespace P1; [NinoType] public class A1 : Lib.Animal { public int One; }";

    private const string Second = "namespace P2; [NinoType] public class A2 : Lib.Animal { public string? Two; }";

    private static readonly (string, string, int)[] Siblings = [("Base", Base, 0), ("P1", First, 1), ("P2", Second, 1)];

    [Theory]
    [InlineData("")]
    [InlineData("Copy(new Mid.Puppy());")]
    [InlineData("Copy(new Cat()); Copy(new Mid.Puppy());")]
    public void TheCodecWithAllCasesIsThatOfTheRootWhicheverAssemblyWasUsedFirst(string first) => Programs.RunWith([("Base", Base, 0), ("Mid", "namespace Mid; [NinoType] public class Puppy : Lib.Dog { public int Age; }", 1)], """
        using Lib;
        [assembly: NinoSerializable(typeof(Animal))]
        [NinoType] public class Cat : Animal { public int Lives; }
        [NinoType] public class Kit : Mid.Puppy { public int Size; }
        [NinoType] public class Has { public Animal? A; }
        """, $$"""
        {{first}}
        Animal[] all = [new Cat { Lives = 9 }, new Kit { Size = 3 }, new Mid.Puppy { Age = 2 }, new Dog { Name = "d" }];
        Equal(9, ((Cat)Copy<Animal>(all[0])).Lives);
        foreach (Animal one in all) Equal(one.GetType(), Copy<Animal>(one).GetType());
        foreach (Animal one in all) Equal(one.GetType(), NinoSerializer.Deserialize(typeof(Animal), NinoSerializer.Serialize(one, typeof(Animal))).GetType());
        Equal("Cat Kit Mid.Puppy Lib.Dog", string.Join(" ", System.Linq.Enumerable.Select(Copy(new List<Animal>(all)), one => one.GetType().FullName)));
        Equal("Cat Kit Mid.Puppy Lib.Dog", string.Join(" ", System.Linq.Enumerable.Select(Copy(all), one => one.GetType().FullName)));
        Equal(3, ((Kit)Copy<Dog>(new Kit { Size = 3 })).Size);
        Equal(3, ((Kit)Copy(new Has { A = all[1] }).A!).Size);
        Equal(NinoSerializer.SchemaOf<Animal>().Fingerprint, NinoSchema.Create(System.Linq.Enumerable.First(((ObjectDefinition)NinoSerializer.SchemaOf<Has>().Root.Definition!).Fields).Node).Fingerprint);
        """);

    [Theory]
    [InlineData("new P1.A1(); new P2.A2();")]
    [InlineData("new P2.A2(); new P1.A1();")]
    public void CasesOfLibrariesThatDoNotKnowEachOtherArePutTogether(string use) => Programs.RunWith(Siblings, "using Lib; [NinoType] public class Has { public Animal? A; }", $$"""
        {{use}}
        Animal[] all = [new P1.A1 { One = 1 }, new P2.A2 { Two = "2" }, new Dog { Name = "d" }];
        foreach (Animal one in all) Equal(one.GetType(), Copy<Animal>(one).GetType());
        Equal("2", ((P2.A2)Copy<Animal>(all[1])).Two);
        Equal("P1.A1 P2.A2 Lib.Dog", string.Join(" ", System.Linq.Enumerable.Select(Copy(new List<Animal>(all)), one => one.GetType().FullName)));
        Equal("P1.A1 P2.A2 Lib.Dog", string.Join(" ", System.Linq.Enumerable.Select(Copy(all), one => one.GetType().FullName)));
        Equal((true, "2"), (Copy(new List<Animal> { null!, all[1] })[0] is null, ((P2.A2)Copy(new List<Animal> { null!, all[1] })[1]).Two!));
        Equal("2", ((P2.A2)NinoSerializer.Deserialize(typeof(Animal), NinoSerializer.Serialize(all[1], typeof(Animal)))).Two);

        // Into what is there: of the same class the same object.
        var there = new P2.A2 { Two = "old" };
        Animal value = there;
        NinoSerializer.Deserialize(NinoSerializer.Serialize(all[1]), ref value);
        Equal((true, "2"), (ReferenceEquals(there, value), there.Two));
        NinoSerializer.Deserialize(NinoSerializer.Serialize(all[0]), ref value);
        Equal(1, ((P1.A1)value).One);

        // The same bytes and the same schema as an assembly has that knows all of them; the order of use does not show.
        Equal(NinoSerializer.SchemaOf<Animal>().Fingerprint, NinoSchema.Create(System.Linq.Enumerable.First(((ObjectDefinition)NinoSerializer.SchemaOf<Has>().Root.Definition!).Fields).Node).Fingerprint);
        Equal(Convert.ToHexString(NinoSerializer.Serialize(new Has { A = all[1] })), Convert.ToHexString(NinoSerializer.Serialize(all[1])));
        try { NinoSerializer.Deserialize<Animal>(new byte[] { 1, 2, 3, 4, 5, 6, 7, 8 }); }
        catch (NinoSerializationException error) when (error.Message.Contains("the tag 0x04030201") && error.Message.Contains("P1.A1") && error.Message.Contains("P2.A2")) { return; }
        throw new InvalidOperationException("A tag that nobody knows was read.");
        """);

    [Fact]
    public void CasesThatKeepReferencesAndCasesThatAreSkippedArePutTogetherToo() => Programs.RunWith(
        [
            ("Base", "namespace Lib; [NinoType(References = true)] public abstract class Node { public Node? Next; } [NinoType(SkipUnknownCases = true)] public abstract class Mark { public int Id; } [NinoType] public class Own : Mark; [NinoType] public class End : Node;", 0),
            ("P1", "namespace P1; [NinoType(References = true)] public class N1 : Lib.Node { public Lib.Node? Other; public Thing? Thing; } [NinoType(References = true)] public class Thing { public int X; } [NinoType] public class M1 : Lib.Mark { public int One; }", 1),
            ("P2", "namespace P2; [NinoType(References = true)] public class N2 : Lib.Node { public string? Two; } [NinoType] public class M2 : Lib.Mark { public string? Two; }", 1),
        ],
        "using Lib;", """
        new P1.N1(); new P2.N2();
        var node = new P1.N1(); node.Other = node;
        Node copy = Copy<Node>(node);
        Equal(true, ReferenceEquals(copy, ((P1.N1)copy).Other));
        var two = new P2.N2 { Two = "t" };
        List<Node> nodes = Copy(new List<Node> { two, node, two, node });
        Equal((true, true, "t"), (ReferenceEquals(nodes[0], nodes[2]), ReferenceEquals(nodes[1], nodes[3]), ((P2.N2)nodes[2]).Two!));
        List<Node> none = Copy(new List<Node> { null!, two, null! });
        Equal((true, "t", true), (none[0] is null, ((P2.N2)none[1]).Two!, none[2] is null));

        // The number of another object that the record holds, and no node.
        var holder = new P1.N1 { Thing = new P1.Thing() };
        byte[] twice = NinoSerializer.Serialize(new List<Node> { holder, holder });
        twice[^1]++;
        try { NinoSerializer.Deserialize<List<Node>>(twice); throw new InvalidOperationException("A thing is no node."); }
        catch (NinoSerializationException error) when (error.Message.Contains("refers to an object of 'P1.Thing' where 'Lib.Node' is declared")) { }

        // Into what is there: objects that are numbered are made anew.
        Node into = new P2.N2 { Two = "old" };
        NinoSerializer.Deserialize(NinoSerializer.Serialize<Node>(two), ref into);
        Equal((false, "t"), (ReferenceEquals(two, into), ((P2.N2)into).Two!));
        List<Mark> marks = Copy(new List<Mark> { new P1.M1 { One = 1 }, null!, new P2.M2 { Two = "2" }, new Own { Id = 3 } });
        Equal((1, true, "2", 3), (((P1.M1)marks[0]).One, marks[1] is null, ((P2.M2)marks[2]).Two!, marks[3].Id));
        byte[] unknown = NinoSerializer.Serialize(new List<Mark> { new P1.M1 { One = 1 }, new Own() });
        unknown[1]++;
        Equal((true, 0), (NinoSerializer.Deserialize<List<Mark>>(unknown)[0] is null, NinoSerializer.Deserialize<List<Mark>>(unknown)[1].Id));
        """);

    /// <summary>Of the cases that are put together, those of one assembly are structs: there is nothing in them to read into.</summary>
    [Theory]
    [InlineData("new P1.S1(); new P2.C2();")]
    [InlineData("new P2.C2(); new P1.S1();")]
    public void WhatIsThereIsReadIntoWhereTheCodecOfTheCaseCan(string use) => Programs.RunWith(
        [
            ("Base", "namespace Lib; [NinoType] public interface IShape;", 0),
            ("P1", "namespace P1; [NinoType] public struct S1 : Lib.IShape { public int One; }", 1),
            ("P2", "namespace P2; [NinoType] public class C2 : Lib.IShape { public string? Two; }", 1),
        ],
        "using Lib;", $$"""
        {{use}}
        byte[] one = NinoSerializer.Serialize<IShape>(new P1.S1 { One = 1 }), two = NinoSerializer.Serialize<IShape>(new P2.C2 { Two = "2" });
        IShape value = Copy<IShape>(new P1.S1());
        NinoSerializer.Deserialize(one, ref value);
        Equal(1, ((P1.S1)value).One);
        NinoSerializer.Deserialize(two, ref value);
        IShape there = value;
        Equal("2", ((P2.C2)value).Two);
        ((P2.C2)there).Two = "old";
        NinoSerializer.Deserialize(two, ref value);
        Equal((true, "2"), (ReferenceEquals(there, value), ((P2.C2)there).Two!));
        NinoSerializer.Deserialize(one, ref value);
        Equal(1, ((P1.S1)value).One);
        List<IShape> list = [new P1.S1(), there, null!];
        NinoSerializer.Deserialize(NinoSerializer.Serialize(new List<IShape> { new P1.S1 { One = 4 }, new P2.C2 { Two = "4" }, new P2.C2 { Two = "5" } }), ref list);
        Equal((4, true, "4", "5"), (((P1.S1)list[0]).One, ReferenceEquals(there, list[1]), ((P2.C2)there).Two!, ((P2.C2)list[2]).Two!));
        """);

    [Fact]
    public void WhatIsRegisteredAfterTheFirstUseIsNoCaseAndTheMessageSaysWhatToDo() => Programs.RunWith(Siblings, "using Lib;", """
        Copy<Animal>(new P1.A1());
        NinoCodec<Animal> codec = NinoCodec<Animal>.Default;
        ulong fingerprint = codec.Schema.Fingerprint;
        Later();
        static void Later()
        {
            try { NinoSerializer.Serialize<Animal>(new P2.A2()); }
            catch (NinoSerializationException error) when (error.Message.Contains("'P2.A2' is no known case of 'Lib.Animal'") && error.Message.Contains("[assembly: NinoSerializable(typeof(Lib.Animal))] into the program")
                && error.Message.Contains("The cases that 'P2' knows came after the first use of 'Lib.Animal'")) { return; }
            throw new InvalidOperationException("It was written.");
        }
        Equal((true, fingerprint), (ReferenceEquals(codec, NinoCodec<Animal>.Default), NinoCodec<Animal>.Default.Schema.Fingerprint));
        """);

    [Fact]
    public void TheProgramThatNamesTheBaseNeedsNoOrder() => Programs.RunWith(Siblings, "[assembly: NinoSerializable(typeof(Lib.Animal))]", """
        Copy<Lib.Animal>(new P1.A1());
        Later();
        static void Later() => Equal("2", ((P2.A2)Copy<Lib.Animal>(new P2.A2 { Two = "2" })).Two);
        """);

    [Theory]
    [InlineData("new P1.S1(); new P2.S2();")]
    [InlineData("new P2.S2(); new P1.S1();")]
    public void CasesOfAGenericBaseArePutTogetherToo(string use) => Programs.RunWith(
        [
            ("Base", "namespace Lib; [NinoType] public abstract class Shape<T> { public T? Value; [NinoType] public abstract class Part { public T? Id; } } [NinoType] public class Plain<T> : Shape<T>;", 0),
            ("P1", "namespace P1; [NinoType] public class S1 : Lib.Shape<int> { public int One; } [NinoType] public class A1 : Lib.Shape<int>.Part;", 1),
            ("P2", "namespace P2; [NinoType] public class S2 : Lib.Shape<int> { public string? Two; } [NinoType] public class A2 : Lib.Shape<int>.Part { public string? Two; }", 1),
        ],
        "using Lib;", $$"""
        {{use}}
        Shape<int>[] all = [new P1.S1 { One = 1, Value = 5 }, new P2.S2 { Two = "2" }, new Plain<int> { Value = 3 }];
        foreach (Shape<int> one in all) Equal(one.GetType(), Copy<Shape<int>>(one).GetType());
        foreach (Shape<int> one in all) Equal(one.GetType(), NinoSerializer.Deserialize(typeof(Shape<int>), NinoSerializer.Serialize(one, typeof(Shape<int>))).GetType());
        Equal((5, "2", 3), (Copy<Shape<int>>(all[0]).Value, ((P2.S2)Copy<Shape<int>>(all[1])).Two!, Copy<Shape<int>>(all[2]).Value));
        Equal("S1 S2 Plain`1", string.Join(" ", System.Linq.Enumerable.Select(Copy(new List<Shape<int>>(all)), one => one.GetType().Name)));
        Equal("S1 S2 Plain`1", string.Join(" ", System.Linq.Enumerable.Select(Copy(all), one => one.GetType().Name)));
        Equal("2", ((P2.S2)Copy(new List<Shape<int>>(all))[1]).Two);
        foreach (Shape<int> one in all[..2]) Equal(true, NinoSchemaFile.Describe(one.GetType().Assembly).Contains("Lib.Shape"));
        Equal("2", ((P2.A2)Copy<Shape<int>.Part>(new P2.A2 { Two = "2" })).Two);
        Equal(7, Copy<Shape<int>.Part>(new P1.A1 { Id = 7 }).Id);
        """);

    /// <summary>A construction that others may stand for is that of whoever registers it.</summary>
    [Theory]
    [InlineData("new P1.Text(); new P2.Link();", "")]
    [InlineData("new P2.Link(); new P1.Text();", "")]
    [InlineData("new P1.Text();", "[assembly: NinoSerializable(typeof(Lib.IOut<object>))]")]
    public void CasesOfAVariantInterfaceArePutTogetherWhereItIsRegistered(string use, string registration) => Programs.RunWith(
        [
            ("Base", "namespace Lib; [NinoType] public interface IOut<out T>;", 0),
            ("P1", "[assembly: NinoSerializable(typeof(Lib.IOut<object>))] namespace P1; [NinoType] public class Text : Lib.IOut<string> { public string? Value; }", 1),
            ("P2", "[assembly: NinoSerializable(typeof(Lib.IOut<object>))] namespace P2; [NinoType] public class Link : Lib.IOut<Uri> { public Uri? Value; }", 1),
        ],
        registration + " [NinoType] public class Own : Lib.IOut<int[]> { public int Id; }", $$"""
        {{use}}
        Equal("t", ((P1.Text)Copy<Lib.IOut<object>>(new P1.Text { Value = "t" })).Value);
        Equal("http://a/", ((P2.Link)Copy<Lib.IOut<object>>(new P2.Link { Value = new Uri("http://a/") })).Value!.ToString());
        {{(registration.Length > 0 ? "Equal(4, ((Own)Copy<Lib.IOut<object>>(new Own { Id = 4 })).Id);" : "")}}
        """);

    [Fact]
    public void WhatTheLibraryOfTheBaseHidesIsACaseAtTheRootToo() => Programs.RunWith(
        [("Base", Base + " [NinoType] internal class Secret : Animal { public int Key; } public static class Secrets { public static Animal Make() => new Secret { Key = 4 }; public static int KeyOf(Animal one) => ((Secret)one).Key; }", 0)],
        "using Lib; [NinoType] public class Cat : Animal { public int Lives; }", """
        Equal(4, Secrets.KeyOf(Copy<Animal>(Secrets.Make())));
        Equal(9, ((Cat)Copy<Animal>(new Cat { Lives = 9 })).Lives);
        Equal(4, Secrets.KeyOf(Copy(new List<Animal> { new Cat(), Secrets.Make() })[1]));
        """);

    [Fact]
    public void WhatTheLibraryOfTheBaseHidesIsPutTogetherWithTheCasesOfOthers() => Programs.RunWith(
        [("Base", Base + " [NinoType] internal class Secret : Animal { public int Key; } public static class Secrets { public static Animal Make() => new Secret { Key = 4 }; public static int KeyOf(Animal one) => ((Secret)one).Key; }", 0), ("P1", First, 1), ("P2", Second, 1)],
        "using Lib;", """
        new P1.A1(); new P2.A2();
        Equal(4, Secrets.KeyOf(Copy<Animal>(Secrets.Make())));
        Equal("2", ((P2.A2)Copy<Animal>(new P2.A2 { Two = "2" })).Two);
        """);

    [Theory]
    [InlineData("new P1.A1(); new P2.A2();")]
    [InlineData("new P2.A2(); new P1.A1();")]
    public void ABaseWithoutAMarkHasTheCasesOfWhoeverRegistersIt(string use) => Programs.RunWith(
        [
            ("Base", "namespace Lib; public abstract class Animal { public int Id; } public class Dog : Animal { public string? Name; }", 0),
            ("P1", "[assembly: NinoSerializable(typeof(Lib.Animal))] [assembly: NinoSerializable(typeof(Lib.Dog))] " + First, 1),
            ("P2", "[assembly: NinoSerializable(typeof(Lib.Animal))] " + Second, 1),
        ],
        "using Lib;", $$"""
        {{use}}
        Animal[] all = [new P1.A1 { One = 1 }, new P2.A2 { Two = "2" }, new Dog { Name = "d" }];
        foreach (Animal one in all) Equal(one.GetType(), Copy(one).GetType());
        Equal("P1.A1 P2.A2 Lib.Dog", string.Join(" ", System.Linq.Enumerable.Select(Copy(new List<Animal>(all)), one => one.GetType().FullName)));
        foreach (Animal one in all[..2]) Equal(true, NinoSchemaFile.Describe(one.GetType().Assembly).Contains("Lib.Animal"));
        """);

    [Theory]
    [InlineData("[NinoType]", "[NinoType(SkipUnknownCases = true)]", "[NinoType]")]
    [InlineData("[NinoType]", "[NinoType(Name = \"Beast\")]", "[NinoType]")]
    public void LibrariesThatWereCompiledAgainstContradictingVersionsOfTheBaseAreRefusedByName(string first, string second, string now) => AssertRefused(first, second, now, static source => source);

    // Of a base with tags that is not generic everybody has the codec of its own assembly.
    [Fact]
    public void SoAreThoseWhoseVersionsOfAGenericBaseGiveOneTagToTwoCases() => AssertRefused(
        "[NinoType, NinoUnion(1, typeof(Dog)), NinoUnion(2, typeof(Cat))]", "[NinoType, NinoUnion(1, typeof(Dog)), NinoUnion(2, typeof(Cow))]", "[NinoType, NinoUnion(1, typeof(Dog))]",
        static source => source.Replace("class Animal", "class Animal<T>", StringComparison.Ordinal).Replace(": Animal", ": Animal<int>", StringComparison.Ordinal).Replace("Lib.Animal", "Lib.Animal<int>", StringComparison.Ordinal).Replace("Serialize<Animal>", "Serialize<Animal<int>>", StringComparison.Ordinal));

    private static void AssertRefused(string first, string second, string now, Func<string, string> with) => Programs.RunWithVersions(
        ("Base", with(Version(now))),
        [("P1", with(Version(first)), with("[assembly: NinoSerializable(typeof(Lib.Animal))] " + First)), ("P2", with(Version(second)), with("[assembly: NinoSerializable(typeof(Lib.Animal))] " + Second))], with("""
        Copy(1); new P1.A1(); new P2.A2();
        try { NinoSerializer.Serialize<Animal>(new Dog()); }
        catch (InvalidOperationException error) when (error.Message.Contains("'P1' and 'P2' know different cases of 'Lib.") && error.Message.Contains("different versions")) { return; }
        throw new InvalidProgramException("It was written.");
        """));

    private static string Version(string marks) => $"\n#pragma warning disable NINO032\nnamespace Lib; {marks} public abstract class Animal {{ public int Id; }} [NinoType] public class Dog : Animal; [NinoType] public class Cat : Animal; [NinoType] public class Cow : Animal;";

    [Fact]
    public void CasesOfOneNameInTwoLibrariesAreRefusedByName() => Programs.RunWith(
        [("Base", Base, 0), ("P1", "namespace Same; [NinoType] public class X : Lib.Animal { public int One; }", 1), ("P2", "namespace Other; [NinoType(Name = \"Same.X\")] public class Y : Lib.Animal;", 1)],
        "using Lib;", """
        Copy(new Same.X()); new Other.Y();
        try { NinoSerializer.Serialize<Animal>(new Dog()); }
        catch (InvalidOperationException error) when (error.Message.Contains("'P1' and 'P2'") && error.Message.Contains("'Same.X' and 'Other.Y'") && error.Message.Contains("[NinoType(Name = ...)]")) { return; }
        throw new InvalidOperationException("Two types have one tag.");
        """);

    [Fact]
    public void ThreadsThatAskFirstGetOneCodec() => Programs.RunWith(Siblings, "using Lib;", """
        new P1.A1(); new P2.A2();
        var codecs = new NinoCodec<Animal>[8];
        var lists = new NinoCodec<List<Animal>>[8];
        using var start = new System.Threading.Barrier(8);
        var threads = new List<System.Threading.Thread>();
        for (int i = 0; i < 8; i++)
        {
            int number = i;
            threads.Add(new System.Threading.Thread(() => { start.SignalAndWait(); if (number % 2 == 0) codecs[number] = NinoCodec<Animal>.Default; lists[number] = NinoCodec<List<Animal>>.Default; codecs[number] = NinoCodec<Animal>.Default; NinoSerializer.Clone<Animal>(new P2.A2()); }));
        }
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        foreach (NinoCodec<Animal> codec in codecs) Equal(true, ReferenceEquals(codec, codecs[0]));
        foreach (NinoCodec<List<Animal>> codec in lists) Equal(true, ReferenceEquals(codec, lists[0]));
        Copy(new List<Animal> { new P1.A1(), new P2.A2() });
        """);
}
