using System.Collections.Immutable;
using Microsoft.CodeAnalysis;

namespace Store.Tests.Generator;

/// <summary>What the compiler does not see of another assembly's types is never lost without a word: it is reached by name, or reported.</summary>
public class AcrossAssembliesTests
{
    private const string Quiet = "#pragma warning disable CS0169, CS0649, CS0414\n";

    private const string Animal = "[NinoType] public class Animal { public int Id { get; set; } [NinoInclude] private int _age; public int Age() => _age; }";

    private const string Proto = """
        namespace ProtoBuf
        {
            public enum ImplicitFields { None, AllPublic, AllFields }
            public sealed class ProtoContractAttribute : Attribute { public ImplicitFields ImplicitFields { get; set; } }
            [AttributeUsage(AttributeTargets.Class, AllowMultiple = true)] public sealed class ProtoPartialMemberAttribute(int tag, string memberName) : Attribute { public int Tag => tag; public string MemberName => memberName; }
        }

        """;

    /// <summary>Id, the library, the program, and what the message must say. The diagnostic must sit on the text between ‹ and ›.</summary>
    public static TheoryData<string, string, string, string> Violations => new()
    {
        { "NINO002", "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)] public struct Either { [System.Runtime.InteropServices.FieldOffset(8)] public string? Text; [System.Runtime.InteropServices.FieldOffset(8)] private int[]? _all; public int Length() => _all!.Length; }", "‹[assembly: NinoSerializable(typeof(Either))]›", "it lies over '_all' in memory ([FieldOffset]), and what that puts there need be no value of this type; write a codec of your own" },
        { "NINO002", "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)] public struct Either { [System.Runtime.InteropServices.FieldOffset(0)] public long Number; [System.Runtime.InteropServices.FieldOffset(4)] public DateTime At; [System.Runtime.InteropServices.FieldOffset(12)] public int Kind; }", "‹[assembly: NinoSerializable(typeof(Either))]›", "it lies over 'Number' in memory" },
        { "NINO009", "public class Animal { public int Age { get; internal set; } }", "[NinoType] public class ‹Dog› : Animal { public int Id; }", "store it with [NinoInclude] there" },
        { "NINO011", "public abstract class Animal { public int Age; } public sealed class Cat : Animal;", "[NinoType] public class A { public List<Animal>? ‹B›; }", "an abstract class of another assembly: register it and the types derived from it that are stored, each as in [assembly: NinoSerializable(typeof(Animal))]" },
        { "NINO019", Animal, "[NinoType] public class ‹Dog› : Animal;", "'Animal._age'" },
        { "NINO019", Animal + " public class Cat : Animal;", "[NinoType] public class ‹Tiger› : Cat;", "'Animal._age'" },
        { "NINO019", "public class Animal { [NinoInclude] internal int Age { get; set; } }", "[NinoType] public class ‹Dog› : Animal { public int Id; }", "'Animal.Age'" },
        { "NINO019", "public class Animal { [NinoMember(1)] private protected int Age; }", "[NinoType] public class ‹Dog› : Animal { public int Id; }", "'Animal.Age'" },
        { "NINO019", "public class Animal { public int X; [NinoInclude] public int Age { private get; set; } }", "[NinoType] public class ‹Dog› : Animal;", "'Animal.Age'" },
        { "NINO019", "[NinoType] public sealed class Box<T> { public int Id; [NinoInclude] private T? _value; public T? Value() => _value; }", "[NinoType] public class A { public Box<int>? ‹B›; }", "'Box<int>._value'" },
        { "NINO019", "[NinoType] public struct Box<T> { public int Id; [NinoInclude] private T Value { get; set; } }", "[NinoType] public class A { public Box<int> ‹B›; }", "'Box<int>.Value'" },
        { "NINO019", "public class Outer<T> { [NinoType] public class Inner { public T? X; [NinoInclude] private int _y; public int Y() => _y; } }", "[NinoType] public class A { public Outer<int>.Inner? ‹B›; }", "'Outer<int>.Inner._y'" },
        { "NINO019", "public sealed class Plain { public int Id; [NinoInclude] private int _x; public int X() => _x; }", "‹[assembly: NinoSerializable(typeof(Plain))]›", "'Plain._x'" },
        { "NINO019", "[NinoType] public class Animal { public int Id; [NinoOnDeserialized] private void Woken() { } }", "[NinoType] public class ‹Dog› : Animal;", "'Animal.Woken', which is called as [NinoOnDeserialized]" },
        { "NINO019", "[NinoType] public class Box<T> { public int Id; public Box() { } [NinoConstructor] private Box(int id) => Id = id; }", "[NinoType] public class A { public Box<int>? ‹B›; }", "a constructor of 'Box<int>'" },
        { "NINO019", Proto + "[ProtoBuf.ProtoContract, ProtoBuf.ProtoPartialMember(1, \"_age\"), ProtoBuf.ProtoPartialMember(2, \"Id\")] public class Animal { public int Id { get; set; } private int _age; public int Age() => _age; }", "‹[assembly: NinoSerializable(typeof(Animal))]›", "'Animal._age'" },
        { "NINO020", Proto + "[ProtoBuf.ProtoContract(ImplicitFields = ProtoBuf.ImplicitFields.AllFields)] public class Animal { public int Id { get; set; } private int _age; public int Age() => _age; }", "‹[assembly: NinoSerializable(typeof(Animal))]›", "AllFields" },
        { "NINO020", "public class Account { private decimal _balance; public int Id { get; set; } public decimal Balance => _balance; public void Add(decimal d) => _balance += d; }", "‹[assembly: NinoSerializable(typeof(Account))]›", "'Balance'" },
        { "NINO020", "public class Account { private decimal _balance; public int Id { get; set; } public decimal Balance => _balance; public bool IsEmpty => _balance == 0; public void Add(decimal d) => _balance += d; }", "[NinoType] public class ‹Savings› : Account;", "'Balance', 'IsEmpty'" },
        { "NINO020", "public struct Total { private decimal _sum; public int Id { get; set; } public decimal Sum => _sum; public void Add(decimal d) => _sum += d; }", "‹[assembly: NinoSerializable(typeof(Total))]›", "'Sum'" },
        { "NINO020", "public interface ILayered { int Layer { get; set; } } public class Shape : ILayered { public int Id { get; set; } private int _layer; int ILayered.Layer { get => _layer; set => _layer = value; } }", "‹[assembly: NinoSerializable(typeof(Shape))]›", "lets 'ILayered.Layer' be got and set by the interface" },
        { "NINO020", "public interface IHas<T> { T Value { get; set; } } public class Both : IHas<int>, IHas<string?> { public int Id { get; set; } private int _number; private string? _text; int IHas<int>.Value { get => _number; set => _number = value; } string? IHas<string?>.Value { get => _text; set => _text = value; } }", "‹[assembly: NinoSerializable(typeof(Both))]›", "lets 'IHas<int>.Value', 'IHas<string>.Value' be got" },
        { "NINO020", "[NinoType] public abstract class Event { private readonly Guid _id; public Guid Id => _id; protected Event(Guid id) => _id = id; protected Event() : this(Guid.NewGuid()) { } }", "[NinoType] public class ‹Created› : Event { public string? Name { get; set; } }", "shows 'Id', which a constructor there takes" },
        { "NINO020", "[NinoType] public class Account { private readonly int _number; public int Number => _number; public Account(int number) => _number = number; }", "[NinoType] public class ‹Savings› : Account { public decimal Rate { get; set; } public Savings() : base(5) { } public Savings(int number, string why) : base(number) { _ = why; } }", "shows 'Number', which a constructor there takes" },
        { "NINO020", "[NinoType] public abstract class Event { [NinoIgnore] private readonly Guid _id; public Guid Id => _id; protected Event(Guid id) => _id = id; protected Event() : this(Guid.NewGuid()) { } } public class Created : Event { public string? Name { get; set; } }", "‹[assembly: NinoSerializable(typeof(Created))]›", "shows 'Id', which a constructor there takes" },
        { "NINO020", "public enum Kind { Round } [NinoType] public abstract class Shape { [NinoIgnore] private readonly Kind _kind; public Kind Kind => _kind; protected Shape(Kind kind) => _kind = kind; }", "[NinoType] public class ‹Circle›(Kind which) : Shape(which) { public Kind Which { get; set; } = which; }", "shows 'Kind', which a constructor there takes" },
        { "NINO020", "public enum Kind { Round } [NinoType] public class Options { public Kind Kind; } [NinoType] public abstract class Shape { [NinoIgnore] private readonly Kind _kind; public Kind Kind => _kind; protected Shape(Kind kind) => _kind = kind; }", "[NinoType] public class ‹Circle› : Shape { public Circle(Options options) : base(options.Kind) => Options = options; public Options Options { get; set; } }", "shows 'Kind', which a constructor there takes" },
        { "NINO034", "[System.Runtime.Serialization.KnownType(typeof(Hidden))] public class Shape { public int X; } internal class Hidden : Shape;", "‹[assembly: NinoSerializable(typeof(Shape))]›", "'Hidden'" },
    };

    [Theory]
    [InlineData("[NinoType] public class A(string name) : Shape(name) { public int X; }")]
    [InlineData("[NinoType] public class A() : Shape(\"a\") { public int X; }")]
    [InlineData("[NinoType] public class A(string name) : Shape(name) { public int X; public override string Name { get; } = name; }")]
    public void WhatAConstructorOfAMarkedBaseTakesIsNotToldWhereReadingPassesItOrAllPassTheSame(string program) => Assert.Empty(GeneratorHarness.DiagnoseWithLibrary(
        "[NinoType] public abstract class Shape { private readonly string _name; public virtual string Name => _name; public string Text => _name + 1; protected Shape(string name) => _name = name; }", program, isReferenceAssembly: true));

    /// <summary>What the assembly of a base says of its code decides: whether a property shows state, and what the head keeps beside a member.</summary>
    [Theory]
    [InlineData("[NinoType] public class Base { public int Amount { get; set; } public string Unit { get; set; } = \"\"; public Base() { } public Base(string text) { (Amount, Unit) = (text.Length, text); } public string Text => $\"{Amount} {Unit}\"; }", "[NinoType] public class A : Base { public int X; }", null)]
    [InlineData("[NinoType] public class Base { public List<string> Parts { get; set; } = []; public Base() { } public Base(string text) => Parts = [text]; private const string Space = \" \"; public int Count => Parts.Count; public string Text => string.Join(Space, Parts) + Count; }", "[NinoType] public class A : Base { public int X; }", null)]
    [InlineData("[NinoType] public class Base { [NinoIgnore] private string _text = \"\"; public int Amount { get; set; } public Base() { } public Base(string text) => _text = text; public string Text => _text; }", "[NinoType] public class A : Base { public int X; }", "shows 'Text', which a constructor there takes")]
    [InlineData("[NinoType] public class Base { private string _text = \"\"; public int Amount { get; set; } public Base() { } public Base(string text) => _text = text; private string Get() => _text; public string Text => Get(); }", "[NinoType] public class A : Base { public int X; }", "shows 'Text', which a constructor there takes")]
    [InlineData("[NinoType] public abstract class Base { [NinoIgnore] private readonly Guid _id; public Guid Id => _id; protected Base(Guid id) => _id = id; } [NinoType] public abstract class Between : Base { protected Between(Guid key) : base(key) { } }", "[NinoType] public class A : Between { public int X; public A() : base(Guid.NewGuid()) { } }", "shows 'Id', which a constructor there takes")]
    [InlineData("[NinoType] public abstract class Base { [NinoIgnore] private readonly Guid _id; public Guid Id => _id; protected Base(Guid id) => _id = id; } [NinoType] public abstract class Between : Base { protected Between(Guid key) : base(key) { } }", "[NinoType] public class A(Guid key) : Between(key) { public int X; public Guid Key { get; } = key; }", null)]
    [InlineData("[NinoType] public abstract class Base { [NinoIgnore] private readonly Guid _id; public Guid Id => _id; protected Base(Guid id) => _id = id; } [NinoType] public abstract class Between : Base { public Guid Owner { get; set; } protected Between(Guid owner) : base(Guid.Empty) => Owner = owner; }", "[NinoType] public class A : Between { public int X; public A() : base(Guid.NewGuid()) { } }", null)]
    [InlineData("#pragma warning disable CS9124\n[NinoType] public abstract class Base(int x) { public int X { get; set; } = x; public int First => x; }", "[NinoType] public class A(int x) : Base(x) { public int Y { get; set; } }", "shows what its constructor is given as 'x' beside the member of that name")]
    [InlineData("#pragma warning disable CS9124\n[NinoType] public abstract class Base(int x) { public int X { get; set; } = x; public int First => x; }", "[NinoType] public class A(int z = 3) : Base(z) { public int Y { get; set; } }", "shows what its constructor is given as 'x' beside the member of that name")]
    [InlineData("#pragma warning disable CS9124\n[NinoType] public abstract class Base(int x) { public int X { get; set; } = x; public int First => x; }", "[NinoType] public class A() : Base(3) { public int Y { get; set; } }", null)]
    [InlineData("[NinoType] public abstract class Base(int x) { public int X { get; set; } = x; public int Twice => X * 2; }", "[NinoType] public class A(int x) : Base(x) { public int Y { get; set; } }", null)]
    public void WhatAMarkedBaseShowsOfItsConstructorIsToldWhereThatIsLost(string library, string program, string? told)
    {
        foreach (bool isReferenceAssembly in new[] { false, true })
        {
            List<Diagnostic> all = [.. GeneratorHarness.DiagnoseWithLibrary(library, program, isReferenceAssembly)];
            Assert.Equal(told is null ? [] : ["NINO020"], all.Select(static one => one.Id));
            if (told is not null) Assert.Contains(told, all[0].GetMessage(), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("[NinoType] public class Circle : Shape { public Circle() : base(Kind.Round) { } public Circle(int x) : base(Kind.Round) => X = x; public int X { get; set; } }")]
    [InlineData("[NinoType] public class Circle : Round { public Circle() { } public Circle(int x) => X = x; public int X { get; set; } }")]
    [InlineData("[NinoType] public class Circle(Kind which) : Shape(which) { public Kind Which { get; } = which; }")]
    public void WhatAMarkedBaseIsPassedAsOneConstantOrOfStoredMembersIsNotTold(string program) => Assert.Empty(GeneratorHarness.DiagnoseWithLibrary(
        "public enum Kind { Round, Square } [NinoType] public abstract class Shape { [NinoIgnore] private readonly Kind _kind; public Kind Kind => _kind; protected Shape(Kind kind) => _kind = kind; } [NinoType] public abstract class Round : Shape { protected Round() : base(Kind.Round) { } }", program, isReferenceAssembly: true));

    [Theory]
    [MemberData(nameof(Violations))]
    public void WhatTheProgramCannotSeeIsReportedAtItsPlace(string id, string library, string program, string message)
    {
        int start = GeneratorHarness.Usings.Length + program.IndexOf('‹');
        int end = GeneratorHarness.Usings.Length + program.IndexOf('›') - 1;
        foreach (bool isReferenceAssembly in new[] { false, true })
        {
            Diagnostic diagnostic = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(Quiet + library, program.Replace("‹", "").Replace("›", ""), isReferenceAssembly));
            Assert.Equal(id, diagnostic.Id);
            Assert.Equal(id is "NINO020" or "NINO034" ? DiagnosticSeverity.Warning : DiagnosticSeverity.Error, diagnostic.DefaultSeverity);
            Assert.Contains(message, diagnostic.GetMessage());
            Assert.True(diagnostic.Location.SourceSpan.Start >= start && diagnostic.Location.SourceSpan.End <= end, diagnostic.Location.ToString());
        }
    }

    [Theory]
    [InlineData("[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Shop\")] [NinoType] public class Animal { public int Id; [NinoInclude] internal int Age; [NinoOnSerialized] internal void Done() { } }", "[NinoType] public class Dog : Animal;")]
    [InlineData("[NinoType] public class Animal { public int Id; [NinoInclude] protected int Age; [NinoOnSerialized] protected void Done() { } }", "[NinoType] public class Dog : Animal;")]
    [InlineData("[NinoType] public class Animal { public int Id; [NinoConstructor] private Animal(int id) => Id = id; protected Animal() { } }", "[NinoType] public class Dog : Animal;")]
    [InlineData("[NinoType] public sealed class Customer { public int Id; [NinoInclude] private int _age; public int Age() => _age; }", "[NinoType] public class A { public Customer? C; }")]
    [InlineData("[NinoType] public class Animal { public int Id; private int _age; public int Age() => _age; [NinoIgnore] private int _none; public int None() => _none; }", "[NinoType] public class Dog : Animal;")]
    [InlineData("public class Poco { public Poco(int id) => Id = id; public int Id { get; } public static int All => 1; public int this[int i] => i; [NinoIgnore] public int Twice => Id * 2; public Func<int>? Run => null; }", "[assembly: NinoSerializable(typeof(Poco))]")]
    [InlineData("public struct Point { public int X { get; set; } public int Y; public int Sum => X + Y; }", "[assembly: NinoSerializable(typeof(Point))]")]
    [InlineData("public abstract class Account { public abstract int Balance { get; } public virtual int Limit => 0; }", "[NinoType] public class Savings : Account { public override int Balance => 1; public override int Limit { get; } public Savings(int limit) => Limit = limit; }")]
    [InlineData("public class Account { public virtual int Limit => 0; }", "[NinoType] public class Savings : Account { public int Id; public override int Limit => Id * 2; }")]
    [InlineData("public class Account { public virtual int Limit => 0; }", "[NinoType] public class Savings : Account { public int Id; public override int Limit => Id * 2; } [NinoType] public class Special : Savings { public int More; public override int Limit => More; }")]
    [InlineData("public interface ILayered { object Layer { get; set; } int Twice { get; } } public class Shape : ILayered { public int Layer { get; set; } object ILayered.Layer { get => Layer; set => Layer = (int)value; } int ILayered.Twice => Layer * 2; }", "[assembly: NinoSerializable(typeof(Shape))]")]
    [InlineData("public interface ILayered { int Layer { get; set; } } [System.Runtime.Serialization.DataContract] public class Shape : ILayered { [System.Runtime.Serialization.DataMember] public int Id { get; set; } private int _layer; int ILayered.Layer { get => _layer; set => _layer = value; } }", "[assembly: NinoSerializable(typeof(Shape))]")]
    public void WhatIsSeenOrNotStoredOrOfAnotherCodecIsNotReported(string library, string program)
    {
        foreach (bool isReferenceAssembly in new[] { false, true }) Assert.Empty(GeneratorHarness.DiagnoseWithLibrary(Quiet + library, program, isReferenceAssembly));
    }

    /// <summary>Of a whole assembly it is known that the code gets and sets what is stored; of a reference assembly nothing is.</summary>
    [Fact]
    public void APropertyOfAnInterfaceOverWhatIsShownIsReportedOfAReferenceAssemblyOnly()
    {
        const string Library = "public interface ILayered { int Layer { get; set; } } public class Shape : ILayered { public int Depth { get; set; } int ILayered.Layer { get => Depth; set => Depth = value; } }";
        foreach (bool isReferenceAssembly in new[] { false, true })
            Assert.Equal(isReferenceAssembly ? ["NINO020"] : [], GeneratorHarness.DiagnoseWithLibrary(Library, "[assembly: NinoSerializable(typeof(Shape))]", isReferenceAssembly).Select(static one => one.Id));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AHiddenSetterOfAMemberThatIsShownIsReachedByItsName(bool seesReferenceAssembly) => Programs.Run("""
        [NinoType] public sealed class Order : Lib.Entity { public string? Text { get; set; } }
        [NinoType] public sealed class Ours { public Lib.Box<int>? Box { get; set; } }
        """, """
        var order = new Order { Text = "t" };
        order.Change(5, "n");
        Order copy = Copy(order);
        Equal((5, "n", "t"), (copy.Id, copy.Name, copy.Text));
        var box = new Lib.Box<int>();
        box.Put(7);
        Equal((7, 1), (Copy(new Ours { Box = box }).Box!.Value, Copy(new Ours { Box = box }).Box!.Times));
        // The library closes the type too: both write the same.
        Equal(Convert.ToHexString(Lib.Theirs.Of(box)), Convert.ToHexString(NinoSerializer.Serialize(new Ours { Box = box })));
        """, """
        namespace Lib;
        public abstract class Entity { [NinoInclude] public int Id { get; private set; } [NinoInclude] public string? Name { get; internal set; } public void Change(int id, string name) => (Id, Name) = (id, name); }
        [NinoType] public sealed class Box<T> { [NinoInclude] public T? Value { get; private set; } [NinoInclude] public int Times { get; private set; } public void Put(T value) => (Value, Times) = (value, Times + 1); }
        [NinoType] public sealed class Theirs { public Box<int>? Box { get; set; } public static byte[] Of(Box<int> box) => NinoSerializer.Serialize(new Theirs { Box = box }); }
        """, seesReferenceAssembly);

    /// <summary>It is stored there without a mark, so it is stored here: with a body, where nothing shows that there is a setter, it would be lost without a word.</summary>
    [Theory]
    [InlineData("internal set", false)]
    [InlineData("internal set", true)]
    [InlineData("protected internal set", false)]
    [InlineData("protected internal set", true)]
    public void ASetterThatIsInternalToAMarkedTypesAssemblyIsReachedByItsName(string setter, bool seesReferenceAssembly) => Programs.Run("""
        [NinoType] public sealed class Dog : Lib.Animal { public int Legs { get; set; } }
        [NinoType] public sealed class Ours { public Lib.Sack<int>? Sack { get; set; } }
        """, """
        var dog = new Dog { Legs = 4 };
        dog.Be(3, "x");
        Dog copy = Copy(dog);
        Equal((3, "x", 4), (copy.Age, copy.Tag, copy.Legs));
        var sack = new Lib.Sack<int>();
        sack.Put(7);
        Equal(7, Copy(new Ours { Sack = sack }).Sack!.Thing);
        Equal(Convert.ToHexString(Lib.Theirs.Of(sack)), Convert.ToHexString(NinoSerializer.Serialize(new Ours { Sack = sack })));
        """, """
        namespace Lib;
        [NinoType] public class Animal { private int _age; public int Age { get => _age; internal set => _age = value; } public string Tag { get; internal set; } = ""; [NinoIgnore] public int Left { get; internal set; } public void Be(int age, string tag) => (Age, Tag, Left) = (age, tag, 1); }
        [NinoType] public class Sack<T> { private T? _thing; public T? Thing { get => _thing; internal set => _thing = value; } public void Put(T thing) => Thing = thing; }
        [NinoType] public sealed class Theirs { public Sack<int>? Sack { get; set; } public static byte[] Of(Sack<int> sack) => NinoSerializer.Serialize(new Theirs { Sack = sack }); }
        """.Replace("internal set", setter), seesReferenceAssembly);

    /// <summary>What may override it elsewhere can have no setter but a protected one, or none of its own.</summary>
    [Theory]
    [InlineData("public override int Age { get; protected set; }", "protected internal set")]
    [InlineData("public override int Age { protected set => base.Age = value + 0; }", "protected internal set")]
    [InlineData("public override int Age => base.Age;", "protected internal set")]
    [InlineData("public override int Age => base.Age;", "internal set")]
    public void AnOverrideOfAPropertyWhoseSetterIsInternalToItsAssemblyIsStored(string overriding, string setter) => Programs.Run($$"""
        [NinoType] public sealed class Dog : Lib.Animal { {{overriding}} public int Legs { get; set; } }
        """, """
        var dog = new Dog { Legs = 4 };
        dog.Be(3);
        Dog copy = Copy(dog);
        Equal((3, 4), (copy.Age, copy.Legs));
        """, $$"""
        namespace Lib;
        [NinoType] public class Animal { public virtual int Age { get; {{setter}}; } public void Be(int age) => Age = age; }
        """);

    [Fact]
    public void WhatIsProtectedInternalIsStoredWhereItIsMarkedAndCalledWhereItIsACallback() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Lib.Made<int>))]
        [NinoType] public sealed class Dog : Lib.Animal { public int Legs { get; set; } }
        """, """
        var dog = new Dog { Legs = 4 };
        dog.Be();
        Dog copy = Copy(dog);
        Equal((1, 2, 3, true, 4), (copy.Sum.A, copy.Sum.B, copy.Sum.C, copy.WasRead, copy.Legs));
        Equal((5, 6), (Copy(new Lib.Made<int>(5) { More = 6 }).Value, Copy(new Lib.Made<int>(5) { More = 6 }).More));
        """, """
        namespace Lib;
        [NinoType] public class Animal
        {
            [NinoInclude] protected internal int A { get; set; }
            [NinoInclude] protected internal int B;
            [NinoInclude] public int C { get; private protected set; }
            [NinoIgnore] public bool WasRead;
            [NinoOnDeserialized] protected internal void Read() => WasRead = true;
            public void Be() => (A, B, C) = (1, 2, 3);
            [NinoIgnore] public (int A, int B, int C) Sum => (A, B, C);
        }
        [NinoType] public class Made<T>
        {
            public Made(T value) => Value = value;
            [NinoConstructor] protected internal Made(T value, int more) { Value = value; More = more; }
            public T Value { get; }
            public int More { get; set; }
        }
        """);

    [Fact]
    public void WhatNoOtherAssemblyCanReachIsNotWrittenDown()
    {
        ImmutableArray<GeneratedSourceResult> sources = GeneratorHarness.Generate("""
            [NinoType] internal class Inner { public int Id { get; set; } [NinoInclude] private int _a = 1; public int A() => _a; }
            [NinoType] public sealed class Sealed { public int Id { get; set; } [NinoInclude] private int _b = 1; public int B() => _b; }
            [NinoType] public class Shown { public int Id { get; set; } [NinoInclude] private int _c = 1; public int C() => _c; }
            """).GeneratedSources;
        string text = Assert.Single(sources, static source => source.HintName == "NinoHidden.g.cs").SourceText.ToString();
        Assert.Contains("\"Shown\", \"_c\"", text, StringComparison.Ordinal);
        Assert.DoesNotContain("Inner", text, StringComparison.Ordinal);
        Assert.DoesNotContain("Sealed", text, StringComparison.Ordinal);
    }
}
