// One type that cannot be serialized for each diagnostic: the id, the place and what the message names. And every id has its page.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Tests.Generator;

public class DiagnosticTests
{
    private static string LongName => "[NinoType] public class Box<T> { public T? Value; } [NinoType] public class A { public Box<Long>? ‹B›; } public enum Long;".Replace("Long", new string('L', 975));

    /// <summary>Id, the source, and what the message must say. The diagnostic must sit on the text between ‹ and ›.</summary>
    public static TheoryData<string, string, string> Violations => new()
    {
        { "NINO001", "class Other; [NinoType] public class A { [NinoInclude] internal Other? ‹Part› { get; set; } }", "put [NinoType] on 'Other'" },
        { "NINO001", "public class Other; [NinoType] public class A { public List<Dictionary<int, Other?[]>>? ‹Parts›; }", "'A.Parts'" },
        { "NINO001", "public class Other; [NinoType] public class Box<T> { public T? ‹Value›; } [NinoType] public class A { public Box<Other>? B; }", "'Box<Other>.Value'" },
        { "NINO001", "public struct Other { public int X; } [NinoType] public class A { public (int, ‹Other›) Both; }", "The member 'A.Both' has the type 'Other', which has no codec: put [NinoType] on 'Other', or leave the member out with [NinoIgnore]" },
        { "NINO002", "[NinoType] public class A { public KeyValuePair<int, Action> ‹Pair›; }", "The member 'A.Pair' has the type 'System.Action'" },
        { "NINO002", "[NinoType] public class A { public Action? ‹Run› { get; set; } }", "a delegate is code" },
        { "NINO002", "[NinoType] public class A { public TimeoutException? ‹Error›; }", "declare it as Exception" },
        { "NINO002", "public class Tags : List<string> { public string? Owner { get; set; } } [NinoType] public class A { public Tags? ‹Tags›; }", "its member 'Owner' would be lost" },
        { "NINO002", "public class Tags : List<string> { public Tags(int room) : base(room) { } } [NinoType] public class A { public Tags? ‹Tags›; }", "without a public parameterless constructor" },
        { "NINO002", "[NinoType] public unsafe class A { public int* ‹Pointer›; }", "pointers" },
        { "NINO002", "[NinoType] public unsafe struct A { public fixed int ‹Numbers›[4]; }", "a fixed buffer has no type of its own" },
        { "NINO002", "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)] [NinoType] public struct A { [System.Runtime.InteropServices.FieldOffset(8)] public string? ‹Text›; [System.Runtime.InteropServices.FieldOffset(8)] private int[]? _all; public int Length() => _all!.Length; }", "it lies over '_all' in memory" },
        { "NINO002", "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)] [NinoType] public struct A { [System.Runtime.InteropServices.FieldOffset(0)] public long Number; [System.Runtime.InteropServices.FieldOffset(4)] public DateTime ‹At›; }", "The member 'A.At' has the type 'System.DateTime', which cannot be serialized: it lies over 'Number' in memory" },
        { "NINO002", "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)] [NinoType] public class A { [field: System.Runtime.InteropServices.FieldOffset(0)] public bool ‹Is› { get; set; } [System.Runtime.InteropServices.FieldOffset(0)] public byte Number; }", "it lies over 'Number' in memory" },
        { "NINO002", "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)] [NinoType] public struct A { [System.Runtime.InteropServices.FieldOffset(0)] public System.Drawing.Rectangle Whole; [System.Runtime.InteropServices.FieldOffset(15)] public bool ‹Is›; }", "it lies over 'Whole' in memory" },
        { "NINO002", "public struct Two { public int X; public short Y; } [System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)] [NinoType] public struct A { [System.Runtime.InteropServices.FieldOffset(0)] [NinoInclude] private (int, int) _two; [System.Runtime.InteropServices.FieldOffset(4)] public decimal? ‹Price›; }", "leave such members out with [NinoIgnore]" },
        { "NINO002", "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)] public class Base { [System.Runtime.InteropServices.FieldOffset(0)] public string? ‹Text›; [System.Runtime.InteropServices.FieldOffset(0)] private int[]? _all; public int Length() => _all!.Length; } [NinoType] public class A : Base;", "it lies over '_all' in memory" },
        { "NINO002", "public struct Two { public byte X; public long Y; } [System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)] [NinoType] public struct A { [System.Runtime.InteropServices.FieldOffset(0)] [NinoCodec(typeof(TwoCodec))] public Two Whole; [System.Runtime.InteropServices.FieldOffset(12)] public bool ‹Is›; } public readonly struct TwoCodec : INinoCodec<Two> { public static int MinSize => 1; public static SchemaNode Describe(SchemaBuilder builder) => SchemaNode.Primitive(SchemaKind.Byte); public void Write(ref NinoWriter writer, in Two value) => writer.Take(1) = value.X; public Two Read(ref NinoReader reader) => new Two { X = reader.Take(1) }; }", "it lies over 'Whole' in memory" },
        { "NINO002", "[System.Runtime.CompilerServices.InlineArray(8)] public struct Eight { private byte _x; } [System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)] [NinoType] public struct A { [System.Runtime.InteropServices.FieldOffset(0)] public Eight Whole; [System.Runtime.InteropServices.FieldOffset(7)] public bool ‹Is›; }", "it lies over 'Whole' in memory" },
        { "NINO002", "[NinoType] public class A { public System.Threading.Timer? ‹Timer›; }", "keeps its state in private members" },
        { "NINO002", "[NinoType] public ref struct ‹A› { public int X; }", "a ref struct lives on the stack" },
        { "NINO002", "‹[assembly: NinoSerializable(typeof(System.Threading.Timer))]›", "keeps its state in private members" },
        { "NINO002", "‹[assembly: NinoSerializable(typeof(System.Threading.CancellationToken))]›", "keeps its state in private members" },
        { "NINO002", "[NinoType] public class ‹Orders› : List<int> { public string? Name { get; set; } }", "its base class 'System.Collections.Generic.List<int>'" },
        { "NINO002", "[NinoType] public class ‹Failure› : Exception { public int Code { get; set; } }", "declare a member as Exception to store what every exception tells" },
        { "NINO003", "public class Outer { [NinoType] private class ‹Inner› { public int X; } }", "internal or public" },
        { "NINO003", "[NinoType] file class ‹A› { public int X; }", "not file-local" },
        { "NINO003", "[NinoType] public class A { [NinoInclude] private Kind _kind; private enum ‹Kind› { None } public int K() => (int)_kind; }", "A.Kind" },
        { "NINO003", "[NinoType] public class A { public int X { get; } [NinoIgnore] public int K; [NinoConstructor] private A(int x, Kind kind = Kind.Some) { X = x; K = (int)kind; } private enum ‹Kind› { None, Some } }", "the parameter \'kind\'" },
        { "NINO003", "[NinoType] public class A { public int X { get; } [NinoIgnore] private readonly List<Part[]>? _parts; [NinoConstructor] private A(int x, List<Part[]>? parts) { X = x; _parts = parts; } private class ‹Part› { public int Count(A a) => a._parts!.Count; } }", "the parameter \'parts\'" },
        { "NINO003", "[NinoType] public class A { public int X { get; private set; } [NinoConstructor] private static A Make(int x, Kind? kind = null) => new() { X = x + (int)kind! }; private protected enum ‹Kind› { None } }", "the parameter \'kind\'" },
        { "NINO002", "public class Tree : List<Tree>; [NinoType] public class A { public Tree? ‹T›; }", "holds itself" },
        { "NINO002", "[NinoType] public interface ‹IShape› { static abstract int Sides { get; } } [NinoType] public sealed class Dot : IShape { public int X; public static int Sides => 0; }", "mark a base without them" },
        { "NINO002", "public interface IRoot { static abstract void Make(); } public interface IBase : IRoot; [NinoType] public interface ‹IShape› : IBase;", "an interface with static abstract members" },
        { "NINO002", "public interface IShape<T> { static abstract T Make(T from); } [NinoType] public class A { public IShape<int>? ‹S›; }", "an interface with static abstract members" },
        { "NINO002", "public class Tags : List<int> { [NinoIgnore] public required string Owner { get; set; } } [NinoType] public class A { public Tags? ‹T›; }", "put [SetsRequiredMembers] on that constructor" },
        { "NINO002", "public class Owned : List<int> { [NinoIgnore] public required string Owner; } public class Tags : Owned { public Tags() { } [SetsRequiredMembers] public Tags(int size) { Owner = \"\"; } } [NinoType] public class A { public Tags? ‹T›; }", "\'Owner\'" },
        { "NINO002", "public struct Bag : ICollection<int> { [NinoIgnore] public required string Owner { get; set; } public int Count => 0; public bool IsReadOnly => false; public void Add(int i) { } public void Clear() { } public bool Contains(int i) => false; public void CopyTo(int[] a, int i) { } public bool Remove(int i) => false; public IEnumerator<int> GetEnumerator() => throw new NotSupportedException(); System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => throw new NotSupportedException(); } [NinoType] public class A { public Bag ‹B›; }", "\'Owner\'" },
        { "NINO002", "public partial class Basket : List<int> { public partial string Owner { get; } public partial string Owner { get => field ?? \"\"; } } [NinoType] public class A { public Basket? ‹B›; }", "\'Owner\' would be lost" },
        { "NINO002", "public class Names : Dictionary<string, List<Names>>; [NinoType] public class A { public Names? ‹T›; }", "holds itself" },
        { "NINO002", "[System.Runtime.CompilerServices.InlineArray(2)] public struct S { private S[] _x; } [NinoType] public class A { public S ‹T›; }", "holds itself" },
        { "NINO002", "public class Left : List<Right>; public class Right : HashSet<Left>; [NinoType] public class A { public List<Left>? ‹T›; }", "'Left'" },
        { "NINO016", "public class Nest<T> : List<Nest<List<T>>>; [NinoType] public class A { public Nest<int>? ‹N›; }", "no end of codecs" },
        { "NINO002", "public class Basket : List<int> { public string Owner { get; private set; } = \"\"; } [NinoType] public class A { public Basket? ‹B›; }", "'Owner' would be lost" },
        { "NINO002", "namespace System.Collections.Generic { public class Named<T> : List<T> { public string? Owner { get; set; } } } [NinoType] public class A { public Named<int>? ‹B›; }", "'Owner' would be lost" },
        { "NINO002", "public class Roles : List<string>, System.Security.Principal.IIdentity { public string? Name { get; set; } public string? AuthenticationType => null; public bool IsAuthenticated => true; } [NinoType] public class A { public Roles? ‹R›; }", "'Name' would be lost" },
        { "NINO002", "public class Group : List<int>, System.Linq.IGrouping<string, int> { public string Key { get; set; } = \"\"; } [NinoType] public class A { public Group? ‹G›; }", "'Key' would be lost" },
        { "NINO002", "public class Tracked : List<int>, System.ComponentModel.IChangeTracking { public bool IsChanged { get; private set; } public void AcceptChanges() => IsChanged = false; } [NinoType] public class A { public Tracked? ‹T›; }", "'IsChanged' would be lost" },
        { "NINO002", "public class Basket : List<int> { public string Owner { get; init; } = \"\"; } [NinoType] public class A { public Basket? ‹B›; }", "'Owner' would be lost" },
        { "NINO002", "public class Basket : List<int> { public string Owner { get; } = \"\"; } [NinoType] public class A { public Basket? ‹B›; }", "'Owner' would be lost" },
        { "NINO002", "public class Basket : List<int> { public readonly string Owner = \"\"; } [NinoType] public class A { public Basket? ‹B›; }", "'Owner' would be lost" },
        { "NINO002", "public abstract class Owned : List<int> { public abstract string Owner { get; } } public class Basket : Owned { public override string Owner { get; } = \"\"; } [NinoType] public class A { public Basket? ‹B›; }", "'Owner' would be lost" },
        { "NINO009", "[NinoType] public class A { public int ‹X› { private get; set; } public int Y; }", "its getter is not public" },
        { "NINO009", "[NinoType] public class A { public int ‹X› { internal get; init; } public int Y; }", "its getter is not public" },
        { "NINO010", "[NinoType] public class A { public A([NinoMember(1)] int ‹other› = 0) { } public int X; }", "it is a constructor parameter that no stored member of 'A' takes its attributes from" },
        { "NINO010", "public record Base(int Id); [NinoType] public record A([NinoUtf8] int ‹Id›) : Base(Id);", "put the attributes on the member itself" },
        { "NINO016", "[NinoType] public class N<T> { public N<T[]>? ‹A›; public N<List<T>>? B; public N<HashSet<T>>? C; } [NinoType] public class U { public N<int>? N; }", "no end of codecs" },
        { "NINO017", "public class Basket : List<int> { private string ‹_owner› = \"\"; public string Owner => _owner; public void Give(string to) => _owner = to; } [NinoType] public class A { public Basket? B; }", "'Basket._owner'" },
        { "NINO004", "[NinoType] public class ‹A› { private A() { } public int X; }", "none is public" },
        { "NINO004", "[NinoType] public class ‹A› { public A(int a) { } public A(long b) { } public int X; }", "none of the public ones" },
        { "NINO005", "[NinoType] public class ‹A› { public A(int x) { X = x; } public A(long y) { Y = y; } public int X { get; } public long Y { get; } }", "'A(int)' and 'A(long)'" },
        { "NINO005", "[NinoType] public class ‹A› { [NinoConstructor] public A() { } [NinoConstructor] public A(int x) { X = x; } public int X; }", "[NinoConstructor] marks more than one" },
        { "NINO006", "[NinoType] public class A { public A(string ‹text›) { } public int X; }", "'text' of 'A'" },
        { "NINO006", "[NinoType] public class A { public A(int x, int ‹X›) => (this.X, Y) = (X, x); public int X { get; } [NinoIgnore] public int Y { get; } }", "the parameter 'x' takes the member 'X', too" },
        { "NINO006", "[NinoType] public class A(int ‹x›) { public string? X { get; } = x.ToString(); }", "another type, 'string'; give the two one type, or mark another constructor with [NinoConstructor]" },
        { "NINO006", "[NinoType] public unsafe class A { public int X; public A(int* ‹at› = null) { } }", "a pointer cannot be passed" },
        { "NINO006", "[NinoType] public unsafe class A { public int X; [NinoConstructor] private A(List<delegate*<void>[]>? ‹at› = null) { } }", "a pointer cannot be passed" },
        { "NINO007", "[NinoType] public class A { [NinoMember(0)] public int ‹X›; }", "ids start at 1" },
        { "NINO007", "[NinoType] public class A { [NinoMember(1)] public int X; [NinoMember(1)] public int ‹Y› { get; set; } }", "'X' has it already" },
        { "NINO008", "[NinoType] public class A { public int[] ‹Items› { get; } = new int[2]; }", "its type cannot be changed once it is made; add a setter" },
        { "NINO008", "[NinoType] public class A { public System.Collections.Immutable.ImmutableList<int> ‹Items› { get; } = []; }", "its type cannot be changed once it is made" },
        { "NINO008", "[NinoType] public class A { private readonly List<int> _all = []; public IReadOnlyList<int> ‹Items› => _all; }", "its type cannot be changed once it is made, but '_all', which it shows, can be stored instead with [NinoInclude]; add a setter" },
        { "NINO008", "[NinoType] public class A { public List<int>? ‹Items› { get; } }", "no constructor or initializer makes it" },
        { "NINO008", "[NinoType] public class A { private List<int>? _all = null; public List<int>? ‹Items› => _all; public void Make() => _all = []; }", "no constructor or initializer makes it" },
        { "NINO008", "[NinoType] public struct A { public int X; public List<int>? ‹Items› { get; } }", "no constructor or initializer makes it" },
        { "NINO008", "public class B { public List<int>? ‹Items› { get; } public B() { } public B(List<int> given) => Items = given; } public class C : B { public C() : base() { } } [NinoType] public class A : C { public int X; }", "no constructor or initializer makes it" },
        { "NINO008", "[NinoType] public class Bag : System.Collections.IEnumerable { public int Size; public System.Collections.IEnumerator GetEnumerator() => throw new NotSupportedException(); } [NinoType] public class A { public Bag ‹Items› { get; } = new(); }", "its type has [NinoType] and is stored as its members" },
        { "NINO008", "public class Tags : List<int> { public Tags(int size) : base(size) { } } [NinoType] public class A { public Tags ‹Items› { get; } = new(1); }", "it is a collection without a public parameterless constructor" },
        { "NINO009", "[NinoType] public class A { public int ‹Born› { get; } = Environment.ProcessId; }", "get-only property" },
        { "NINO009", "[NinoType] public partial class A { public partial int ‹Born› { get; } public partial int Born { get => field; } }", "get-only property" },
        { "NINO009", "[NinoType] public partial class Box<T> { public int Id; public partial T ‹Value› { get; } } public partial class Box<T> { public partial T Value { get => field; } } [NinoType] public class A { public Box<int>? B; }", "get-only property" },
        { "NINO009", "[NinoType] public class A { public readonly int ‹Born› = 5; }", "readonly field" },
        { "NINO009", "[NinoType] public class A { public int ‹Count› { get; private set; } }", "its setter is not public" },
        { "NINO009", "public interface IAge { int Age { get; set; } } [NinoType] public class A : IAge { public int X; int IAge.‹Age› { get; set; } }", "implement it by a public property" },
        { "NINO009", "public interface IAge<T> { T Age { get; } } public class B : IAge<int> { int IAge<int>.‹Age› { get; } = 5; } [NinoType] public class A : B { public int X; }", "'B.IAge<int>.Age'" },
        { "NINO010", "[NinoType] public class A { [NinoMember(1)] public int ‹Born› { get; } = 5; }", "no setter" },
        { "NINO010", "[NinoType] public class A { private int _x; [NinoInclude] public int ‹X› { set => _x = value; } public int Get() => _x; }", "no getter" },
        { "NINO010", "[NinoType] public class A { public int X; [NinoInclude] public static int ‹Count› { get; set; } }", "it is static" },
        { "NINO010", "[NinoType] public class A { public int X; [NinoMember(2)] public int ‹this›[int i] => i; }", "it is an indexer" },
        { "NINO010", "public interface IAge { int Age { get; set; } } [NinoType] public class A : IAge { public int X; [NinoInclude] int IAge.‹Age› { get; set; } }", "it implements an interface explicitly" },
        { "NINO011", "public interface IShape; [NinoType] public class A { public IShape? ‹Shape›; }", "concrete class or struct" },
        { "NINO011", "public abstract class Shape; [NinoType] public class A { public List<Shape>? ‹Shapes›; }", "put [NinoType] on it and on the types derived from it" },
        { "NINO011", "[NinoType] public class A { public System.ComponentModel.IBindingList? ‹Numbers›; }", "use a concrete collection" },
        { "NINO011", "[NinoType] internal interface ‹IShape›;", "no [NinoType] in reach is derived" },
        { "NINO011", "[NinoType] public abstract class Shape; [NinoType] public class A { public Shape? ‹S›; }", "no [NinoType] in reach is derived" },
        { "NINO011", "[NinoType] public class A { public System.IO.Stream? ‹S›; }", "of the framework: leave it out with [NinoIgnore], declare a concrete type, store what is needed of it in a type of your own, or give the member a codec of your own with [NinoCodec]" },
        { "NINO011", "[NinoType] public class A { public IServiceProvider? ‹S›; }", "an interface of the framework" },
        { "NINO011", "[NinoType] public class A { public List<System.Reflection.MethodInfo>? ‹M›; }", "an abstract class of the framework" },
        { "NINO011", "[NinoType] public class A { public System.Xml.XmlNode? ‹N›; }", "an abstract class, and it is part of a tree of XML: store its text (OuterXml) in a string, or write a codec of your own that does, and name it with [NinoCodec] or [assembly: NinoSerializable(typeof(System.Xml.XmlNode), Codec = typeof(...))]" },
        { "NINO011", "[NinoType] public class A { public List<System.Xml.Linq.XNode>? ‹N›; }", "an abstract class, and it is part of a tree of XML: store its text (ToString()) in a string" },
        { "NINO002", "[NinoType] public class A { public System.Xml.XmlDocument? ‹D›; }", "it is part of a tree of XML: store its text (OuterXml) in a string" },
        { "NINO002", "[NinoType] public class A { public System.Xml.Linq.XElement? ‹E›; }", "it is part of a tree of XML: store its text (ToString()) in a string" },
        { "NINO011", "namespace Newtonsoft.Json.Linq { public abstract class JToken : IEnumerable<JToken> { IEnumerator<JToken> IEnumerable<JToken>.GetEnumerator() => null!; System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => null!; } } namespace Shop { [NinoType] public class A { public Newtonsoft.Json.Linq.JToken? ‹T›; } }", "an abstract class, and it is part of a tree of JSON: store its text (ToString(Formatting.None)) in a string" },
        { "NINO002", "namespace Newtonsoft.Json.Linq { public abstract class JToken; public class JValue : JToken { public object? Value { get; set; } } } namespace Shop { [NinoType] public class A { public Newtonsoft.Json.Linq.JValue? ‹V›; } }", "it is part of a tree of JSON: store its text (ToString(Formatting.None)) in a string" },
        { "NINO002", "[NinoType] public class A { public RuntimeTypeHandle ‹T›; }", "a handle has no meaning outside the process" },
        { "NINO010", "[NinoType] public record struct A(int Y, [field: NinoMember(3)] int ‹X›);", "it is what the compiler keeps the property 'X' in; mark the property, in the head of a type with [property: ...]" },
        { "NINO010", "[NinoType] public class A { [field: NinoFormerName(\"Old\")] public int ‹X› { get; set; } }", "it is what the compiler keeps the property 'X' in; mark the property, in the head of a type with [property: ...]" },
        { "NINO010", "[NinoType] public class A { [field: NinoIgnore] public int ‹X› { get; set; } }", "it is what the compiler keeps the property 'X' in; mark the property, in the head of a type with [property: ...]" },
        { "NINO010", "[NinoType] public class A { public int Y; [NinoInclude, NinoIgnore] public int ‹X›; }", "it is left out with [NinoIgnore], too: remove one of the two" },
        { "NINO010", "[NinoType] public class A { public int Y; [NinoMember(3), NinoIgnore] public int ‹X› { get; set; } }", "remove one of the two" },
        { "NINO010", "[NinoType] public class A { public int Y; [NinoMember(3), NinoIgnore] private int ‹_x› = 1; public int X() => _x; }", "remove one of the two" },
        { "NINO050", "public class C; [NinoType] public class A { [NinoCodec(typeof(C))] public int ‹X›; }", "The codec 'C' of the member 'A.X' cannot be used" },
        { "NINO012", "‹[assembly: NinoSerializable(typeof(Box<>))]› public class Box<T> { public T? Value; }", "such as 'Box<int>'" },
        { "NINO013", "[NinoType(Name = \"same\")] public class A { public int X; } [NinoType(Name = \"same\")] public class ‹B› { public int X; }", "'same'" },
        { "NINO014", "[NinoType] public class A { public int X; } [NinoType] public class B : A { public new int ‹X›; }", "'B.X' hides 'A.X'" },
        { "NINO014", "[NinoType] public class A { [NinoInclude] private int _x; public int X() => _x++; } [NinoType] public class B : A { [NinoInclude] private int ‹_x›; public int Y() => _x++; }", "'B._x' has the name of 'A._x', which would be stored under that name: rename one of them, or leave 'A._x' out with [NinoIgnore], or 'B._x'" },
        { "NINO014", "[NinoType] public class A { public int X; } [NinoType] public class B : A { [NinoIgnore] public new string? ‹X›; }", "leave 'A.X' out with [NinoIgnore]" },
        { "NINO015", "[NinoType] public class ‹A› { private int _x; public int Next() => ++_x; }", "[NinoInclude]" },
        { "NINO016", "[NinoType] public class Nest<T> { public T? Value; public Nest<List<T>>? ‹Deeper›; } [NinoType] public class A { public Nest<int>? N; }", "no end of codecs" },
        { "NINO017", "[NinoType] public class A : IEnumerable<int> { private readonly List<int> ‹_all› = []; public int Id; public void Add(int i) => _all.Add(i); public IEnumerator<int> GetEnumerator() => _all.GetEnumerator(); System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator(); }", "although foreach over the object shows it" },
        { "NINO017", "[NinoType] public class A : IEnumerable<int> { private int ‹_last›; public int Id; public void To(int i) => _last = i; IEnumerator<int> IEnumerable<int>.GetEnumerator() { for (int i = 0; i < _last; i++) yield return i; } System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => throw new NotSupportedException(); }", "'A._last'" },
        { "NINO017", "[NinoType] public class A { public int Id; private decimal ‹_balance›; public decimal Balance => _balance; public void Add(decimal d) => _balance += d; }", "'A._balance'" },
        { "NINO017", "[NinoType] public class A { public int Id; private int ‹_count›; public bool IsLong { get { return this._count > 10; } } public void Add() => _count++; }", "'A.IsLong'" },
        { "NINO017", "[NinoType] public record struct A(int Id) { private int ‹_count› = 1; public readonly int Count => _count; }", "'A._count'" },
        { "NINO017", "[NinoType] public class A { public int Id; private int ‹_hash›; public int Password { set => _hash = value + 1; } public bool Is(int password) => _hash == password + 1; }", "the property 'A.Password', which can only be set, sets it" },
        { "NINO017", "[NinoType] public class A { public int Id; private int ‹Raw› { get; set; } public int Count => Raw; public void Add() => Raw++; }", "[NinoInclude]" },
        { "NINO017", "[NinoType] public partial class A { public int Id; private partial int ‹Raw› { get; set; } private partial int Raw { get => field; set => field = value; } public int Count => Raw; public void Add() => Raw++; }", "\'A.Raw\'" },
        { "NINO017", "[NinoType] public class A { public int Id; private int[] ‹_numbers› = [1]; public int this[int i] => _numbers[i]; }", "\'A.this[]\'" },
        { "NINO017", "[NinoType] public class A { public int Id; private int[] ‹_numbers› = [1]; public int this[int i] { get { return _numbers[i]; } set => _numbers[i] = value; } }", "\'A._numbers\'" },
        { "NINO017", "[NinoType] public class A(decimal net, decimal ‹rate› = 0.2m) { public decimal Net => net; public decimal Gross => net * (1 + rate); }", "add a property that shows it" },
        { "NINO017", "[NinoType] public struct A(int net, int ‹rate› = 2) { public readonly int Net { get; } = net; public readonly int Gross { get { return Net * rate; } } }", "'A.Gross'" },
        { "NINO017", "public interface IAge { int Age { get; set; } } [NinoType] public class A : IAge { public int Id; private int ‹_age›; int IAge.Age { get => _age; set => _age = value; } }", "'A._age'" },
        { "NINO017", "[NinoType] public struct A(int ‹count›, string name) { public readonly int Count => count; public string Name() => name; public int X { get; set; } }", "reading calls a constructor that does not take it" },
        { "NINO017", "[NinoType] public class A(int ‹count›, string name) { public A() : this(0, \"\") { } public int Count => count; public string Name() => name; public int X { get; set; } }", "'A.Count' is computed from it" },
        { "NINO017", "public class B(int ‹count›) { public int Count => count; } [NinoType] public class A : B { public A() : base(0) { } public A(int first) : base(first) { } public int X { get; set; } }", "[method: NinoConstructor]" },
        { "NINO017", "[NinoType] public unsafe struct A { public int Id; private fixed int ‹_all›[4]; public int First => _all[0]; public void Set(int i) => _all[0] = i; }", "'A._all'" },
        { "NINO017", "namespace CommunityToolkit.Mvvm.ComponentModel { [AttributeUsage(AttributeTargets.Field)] public class ObservablePropertyAttribute : Attribute; } [NinoType] public partial class A { public int Id; [CommunityToolkit.Mvvm.ComponentModel.ObservableProperty] private string? ‹_name›; public string? Name() => _name; public void Set(string to) => _name = to; }", "the property that another generator makes of it ([ObservableProperty]) shows it: store it with [NinoInclude]" },
        { "NINO017", "public class B { protected int ‹_count›; public int Count => _count; } [NinoType] public class A : B { public int Id { get => _count; } public int X; }", "'B._count'" },
        { "NINO018", "[NinoType] public class A { [NinoFormerName(\"X\")] public int ‹Y›; public int X; }", "'X' has that name now" },
        { "NINO018", "[NinoType] public class A { [NinoFormerName(\"Old\")] public int X; [NinoFormerName(\"Old\")] public int ‹Y›; }", "'X' says that it had that name too" },
        { "NINO021", "[NinoType, NinoFormerName(\"B\")] public class ‹A› { public int X; } [NinoType] public class B { public int X; }", "'B' has that name now" },
        { "NINO021", "[NinoType, NinoFormerName(\"Old\")] public class A { public int X; } [NinoType, NinoFormerName(\"Old\")] public class ‹B› { public int X; }", "'A' says that it had that name too" },
        { "NINO021", "[NinoType, NinoFormerName(\"Order\")] public abstract class ‹Event›; [NinoType] public class Opened : Event; [NinoType(Name = \"Order\")] public class Sale { public int X; }", "'Sale' has that name now" },
        { "NINO021", "[NinoType, NinoFormerName(\"Box\")] public class ‹Crate›<T> { public T? X; } [NinoType] public class Box<T> { public T? X; } [NinoType] public class A { public Crate<int>? X; public Box<string>? Y; }", "'Box<string>' has that name now" },
        { "NINO013", "[NinoType(Name = \"same\")] public abstract class U; [NinoType] public class C : U; [NinoType(Name = \"same\")] public abstract class ‹V›; [NinoType] public class D : V;", "'same'" },
        { "NINO013", "[NinoType(Name = \"same\")] public abstract class ‹U›; [NinoType] public class C : U; [NinoType(Name = \"same\")] public sealed class D { public int X; }", "'same'" },
        { "NINO022", "[NinoType(References = true)] public sealed record Node(int Id) { public Node? Next { get; set; } } [NinoType] public class A { public List<HashSet<Node>>? ‹Nodes›; public List<Node>? All; }", "finds or orders its keys by code of 'Node'" },
        { "NINO023", LongName, "whose full name takes 980 bytes" },
        { "NINO026", "[assembly: NinoSerializable(typeof(A))] [Serializable] public class A { public int X; [System.Runtime.Serialization.IgnoreDataMember] public int ‹Y›; }", "leave it out with [NinoIgnore]" },
        { "NINO027", "[NinoType] public class A { public int X { get; set; } public int ‹Twice› { get => X * 2; set => X = value / 2; } }", "Leave one of the two out with [NinoIgnore]" },
        { "NINO027", "[NinoType] public class A { private int _x; public int X { get => _x; set => _x = value; } public string ‹Text› { get => \"\" + _x; set { this._x = value.Length; } } }", "'A.Text' sets 'X'" },
        { "NINO027", "[NinoType] public class A { public int X, Y; public int ‹Both› { get => X + Y; set => (X, (Y, _)) = (value, (0, value)); } }", "'A.Both' sets 'X'" },
        { "NINO027", "[NinoType] public class A { public string? ‹Title› { get; set { field = value; IsDirty = true; } } public bool IsDirty { get; set; } }", "'A.Title' sets 'IsDirty'" },
        { "NINO027", "[NinoType] public class B<T> { public T? X { get; set; } } [NinoType] public class A : B<int> { public int ‹Twice› { get => X * 2; init => X = value / 2; } }", "'A.Twice' sets 'X'" },
        { "NINO027", "[NinoType] public partial class A { public int X; public partial int ‹Twice› { get; set; } public partial int Twice { get => X * 2; set => X = value / 2; } }", "'A.Twice' sets 'X'" },
        { "NINO027", "[NinoType] public class A(int x) { public string ‹Text› { get => \"\" + X; set => X = value.Length; } public int X { get; private set; } = x; }", "'A.Text' sets 'X'" },
        { "NINO027", "[assembly: NinoSerializable(typeof(A))] [System.Runtime.Serialization.DataContract] public class A { [System.Runtime.Serialization.DataMember] public int X { get; set; } [System.Runtime.Serialization.DataMember] public int ‹Twice› { get => X * 2; set => X = value / 2; } }", "Take [DataMember] off one of the two" },
        { "NINO028", "[NinoType] public class A { public int ‹Value› { get; set => field = Math.Clamp(value, 0, Max); } public int Max { get; set; } = 100; }", "Put 'Max' in front of it" },
        { "NINO029", "[NinoType] public class A(int b) { public int ‹B› { get; } = b + 1; }", "another value of its parameter 'b', and 'B' shows that" },
        { "NINO030", "[NinoType] public abstract class Shape; [NinoType(Name = \"T7654\")] public class A : Shape; [NinoType(Name = \"T16566\")] public class ‹B› : Shape;", "has the same hash" },
        { "NINO030", "[NinoType, NinoUnion(1, typeof(A)), ‹NinoUnion(1, typeof(B))›] public abstract class Shape; [NinoType] public class A : Shape; [NinoType] public class B : Shape;", "'A' has it already" },
        { "NINO030", "[NinoType, ‹NinoUnion(-1, typeof(A))›] public abstract class Shape; [NinoType] public class A : Shape;", "tags start at 0" },
        { "NINO031", "[NinoType, ‹NinoUnion(1, typeof(string))›] public abstract class Shape;", "not derived from the base" },
        { "NINO031", "[NinoType, ‹NinoUnion(1, typeof(A))›] public abstract class Shape; [NinoType] public abstract class A : Shape;", "it is abstract" },
        { "NINO031", "[NinoType, NinoUnion(1, typeof(A)), ‹NinoUnion(2, typeof(A))›] public abstract class Shape; [NinoType] public class A : Shape;", "named twice" },
        { "NINO031", "[NinoType, ‹NinoUnion(1, typeof(A<>))›] public abstract class Shape; [NinoType] public class A<T> : Shape { public T? X; }", "name a closed type" },
        { "NINO032", "[NinoType, NinoUnion(4, typeof(A))] public abstract class Shape; [NinoType] public class A : Shape; [NinoType] public class ‹B› : Shape;", "[NinoUnion(5, typeof(B))]" },
        { "NINO032", "[NinoType, NinoUnion(2147483647, typeof(A)), NinoUnion(0, typeof(B))] public abstract class Shape; [NinoType] public class A : Shape; [NinoType] public class B : Shape; [NinoType] public class ‹C› : Shape;", "[NinoUnion(1, typeof(C))]" },
        { "NINO011", "[NinoType] public class A { public System.IO.Stream? ‹S›; }", "an abstract class of the framework" },
        { "NINO011", "[NinoType] public class A { public IFormatProvider[]? ‹S›; }", "an interface of the framework" },
        { "NINO002", "[NinoType] public class A { public System.Collections.IEqualityComparer? ‹C›; }", "a comparer is code" },
        { "NINO002", "‹[assembly: NinoSerializable(typeof(void))]›", "it has no values" },
        { "NINO012", "‹[assembly: NinoSerializable(typeof(Nullable<>))]›", "such as 'int?'" },
        { "NINO012", "‹[assembly: NinoSerializable(typeof(Out<,>.Mid.In<>))]› public class Out<T, U> { public class Mid { [NinoType] public class In<V> { public V? Value; } } }", "'Out<T, U>.Mid.In<V>' in [NinoSerializable] is an open generic type: name the closed types that are serialized, such as 'Out<int, int>.Mid.In<int>'" },
        { "NINO033", "[NinoType(Name = \"\")] public sealed class ‹A› { public int X; }", "it is empty" },
        { "NINO033", "[NinoType(Name = \"a\\nb\")] public sealed class ‹A› { public int X; }", "control characters" },
        { "NINO033", "[NinoType(Name = \"a\\uDE00\")] public sealed class ‹A› { public int X; }", "half of a surrogate pair" },
        { "NINO033", "[NinoType(Name = Names.Long)] public sealed class ‹A› { public int X; } public static class Names { public const string Long = Ten + Ten; const string Ten = One + One + One + One + One + One + One + One + One + One; const string One = \"" + new string('\u00E9', 103) + "\"; }", "4096 bytes" },
        { "NINO033", "[NinoType(SkipUnknownCases = true)] public sealed class ‹A› { public int X; }", "it has no cases" },
        { "NINO033", "[NinoType, NinoUnion(1, typeof(A))] public sealed class ‹A› { public int X; }", "it has no cases" },
        { "NINO033", "[NinoType(References = true)] public struct ‹A› { public int X; }", "no identity" },
        { "NINO033", "[NinoType(References = true, SkipUnknownCases = true)] public abstract class ‹A›;", "lose count" },
        { "NINO033", "[NinoType(SkipUnknownCases = true)] public abstract class ‹A›; [NinoType] public sealed class B : A { public List<C>? Many; } [NinoType(References = true)] public sealed class C { public int X; }", "a case reaches 'C'" },
        { "NINO040", "[NinoType] public class A { public int X; [NinoOnSerialized] private static void ‹Done›() { } }", "it is static" },
        { "NINO040", "public interface IAfter { [NinoOnDeserialized] void ‹After›(); } [NinoType] public class A : IAfter { public int X; public void After() { } }", "it is of an interface: mark the method of 'A' that implements it" },
        { "NINO040", "public interface IAfter { [NinoOnSerialized] void ‹After›() { } } [NinoType] public class A : IAfter { public int X; }", "it is of an interface" },
        { "NINO040", "[NinoType] public partial class A { public int X; [NinoOnDeserialized] partial void ‹Done›(); }", "a partial method without a body here" },
        { "NINO040", "[NinoType] public class A { public int X; [NinoOnDeserialized] public void ‹Done›(int x) { } }", "it has parameters" },
        { "NINO040", "[NinoType] public class A { public int X; [NinoOnDeserializing] public bool ‹Done›() => true; }", "it returns something" },
        { "NINO040", "[NinoType] public class A { public int X; [NinoOnSerializing] public async void ‹Done›() { await System.Threading.Tasks.Task.Yield(); } }", "async" },
        { "NINO040", "public class Lines : List<int> { [NinoOnDeserialized] private void ‹Attach›() { } } [NinoType] public class A { public Lines? One; public List<Lines>? All; }", "'Lines' is a collection, which is stored as its elements" },
        { "NINO040", "public abstract class Owned { [NinoOnSerialized] protected void ‹Done›() { } } public class Bag : Owned, ICollection<int> { public int Count => 0; public bool IsReadOnly => false; public void Add(int item) { } public void Clear() { } public bool Contains(int item) => false; public void CopyTo(int[] array, int arrayIndex) { } public bool Remove(int item) => false; public IEnumerator<int> GetEnumerator() => throw new Exception(); System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator(); } [NinoType] public class A { public Bag? One; }", "nothing calls its methods" },
        { "NINO041", "[NinoType] public class A { public int X; [NinoConstructor] public static object ‹Make›() => new A(); }", "does not return 'A'" },
        { "NINO041", "[NinoType] public class A { public int X; [NinoConstructor] public A ‹Make›() => new A(); }", "it is not static" },
        { "NINO005", "[NinoType] public class ‹A› { public int X; [NinoConstructor] public A() { } [NinoConstructor] public static A Make() => new A(); }", "marks more than one" },
        { "NINO006", "[NinoType] public class A { public int X; private A() { } [NinoConstructor] public static A Make(string ‹text›) => new A(); }", "'text' of 'A'" },
        { "NINO050", "public class C; [NinoType] public class A { [NinoCodec(typeof(C))] public int ‹X›; }", "it must be a struct that implements INinoCodec<int>" },
        { "NINO050", "[NinoSerializable(typeof(DateTime), Codec = typeof(Store.Serialization.Codecs.DateTimeCodec))] [‹NinoSerializable(typeof(DateTime), Codec = typeof(Store.Serialization.Codecs.Int64Codec))›] public static class Registers;", "The codec 'Store.Serialization.Codecs.Int64Codec' of the type 'System.DateTime' cannot be used: 'Store.Serialization.Codecs.DateTimeCodec' is registered for it, too: name one of the two" },
        { "NINO050", "[NinoType] public class A { [NinoCodec(typeof(Store.Serialization.Codecs.StringCodec))] public int ‹X›; }", "it is a codec of 'string', and INinoCodec<int> is needed" },
        { "NINO050", "[NinoType] public record A([property: NinoIgnore] int Y, [NinoCodec(typeof(DateTime))] int ‹X›);", "it must implement INinoCodec<int>" },
        { "NINO050", "file struct C : INinoCodec<int> { public static int MinSize => 4; public static SchemaNode Describe(SchemaBuilder b) => SchemaNode.Primitive(SchemaKind.Int32); public void Write(ref NinoWriter writer, in int value) { } public int Read(ref NinoReader reader) => 0; } [NinoType] public class A { [NinoCodec(typeof(C))] public int ‹X›; }", "generated code is in another file, and it is file-local" },
        { "NINO050", "file class Holder { public struct C : INinoCodec<int> { public static int MinSize => 4; public static SchemaNode Describe(SchemaBuilder b) => SchemaNode.Primitive(SchemaKind.Int32); public void Write(ref NinoWriter writer, in int value) { } public int Read(ref NinoReader reader) => 0; } } [NinoType] public class A { [NinoCodec(typeof(Holder.C))] public int ‹X›; }", "it is file-local" },
        { "NINO050", "file struct Tag; public struct C<T> : INinoCodec<int> { public static int MinSize => 4; public static SchemaNode Describe(SchemaBuilder b) => SchemaNode.Primitive(SchemaKind.Int32); public void Write(ref NinoWriter writer, in int value) { } public int Read(ref NinoReader reader) => 0; } [NinoType] public class A { [NinoCodec(typeof(C<List<Tag>>))] public int ‹X›; }", "'Tag' in its name is file-local" },
        { "NINO050", "[NinoCodec(typeof(Store.Serialization.Codecs.ListCodec<,>))] public class Odd; [NinoType] public class A { public Odd? ‹X›; }", "name a closed type" },
        { "NINO050", "‹[assembly: NinoSerializable(typeof(Uri), Codec = typeof(Store.Serialization.Codecs.StringCodec))]›", "it is a codec of 'string'" },
        { "NINO050", "public struct C : INinoCodec<B> { public static int MinSize => 4; public static SchemaNode Describe(SchemaBuilder b) => SchemaNode.Primitive(SchemaKind.Int32); public void Write(ref NinoWriter w, in B v) { } public B Read(ref NinoReader r) => new B(); } [NinoType] public abstract class S; [NinoType, NinoCodec(typeof(C))] public class ‹B› : S;", "a case is stored by its members" },
        { "NINO051", "[NinoType] public class A { [NinoUtf8] public int ‹X›; }", "there are no strings" },
        { "NINO070", "[NinoType] public class ‹A› { public int X; } public class AView;", "there is a type 'AView' already" },
        { "NINO070", "namespace Shop; [NinoType] public class ‹A› { public string? X; } public class AView;", "there is a type 'Shop.AView' already" },
        { "NINO070", "namespace Shop { [NinoType] public class ‹A› { public int X; } } namespace Shop.AView { public class Other; }", "there is a namespace 'Shop.AView' already" },
        { "NINO070", "namespace @event; [NinoType] public class ‹A› { public string? X; } public class AView;", "there is a type '@event.AView' already" },
        { "NINO070", "[NinoType(View = true)] public class ‹A› { public object? X; } [NinoType(References = true)] public class B { public int X; }", "holds objects that do" },
        { "NINO070", "[NinoType(References = true, View = true)] public class ‹A› { public int X; }", "it keeps references" },
        { "NINO070", "[NinoType(View = true)] public class ‹A› { public List<B>? X; } [NinoType(References = true)] public class B { public int X; }", "holds objects that do" },
        { "NINO070", "[NinoType(View = true)] public abstract class ‹A›; [NinoType] public class B : A { public C? X; } [NinoType(References = true, View = false)] public class C { public int X; }", "holds objects that do" },
    };

    [Theory]
    [MemberData(nameof(Violations))]
    public void EveryViolationIsReportedAtItsPlace(string id, string source, string message)
    {
        int start = source.IndexOf('‹');
        int end = source.IndexOf('›') - 1;
        Diagnostic diagnostic = Assert.Single(GeneratorHarness.Diagnose(source.Replace("‹", "").Replace("›", "")));
        Assert.Equal(id, diagnostic.Id);
        // A warning may be wrong: it rests on how a property is written, or on what a base means to leave out.
        Assert.Equal(id is "NINO017" or "NINO026" or "NINO027" or "NINO028" or "NINO029" or "NINO032" or "NINO070" ? DiagnosticSeverity.Warning : DiagnosticSeverity.Error, diagnostic.DefaultSeverity);
        Assert.Contains(message, diagnostic.GetMessage());
        Assert.Equal("File0.cs", diagnostic.Location.GetLineSpan().Path);
        int offset = GeneratorHarness.Usings.Length;
        string place = (GeneratorHarness.Usings + source.Replace("‹", "").Replace("›", "")).Substring(diagnostic.Location.SourceSpan.Start, diagnostic.Location.SourceSpan.Length);
        Assert.True(diagnostic.Location.SourceSpan.Start >= offset + start && diagnostic.Location.SourceSpan.End <= offset + end, $"reported on '{place}'");
    }

    [Fact]
    public void OfManyMembersWithOneNameEachIsReportedAgainstTheNearestOnly()
    {
        string source = "[NinoType] public class A0 { public int X; }" + string.Concat(Enumerable.Range(1, 9).Select(static i => $" [NinoType] public class A{i} : A{i - 1} {{ public new int X; }}"));
        Assert.Equal(
            Enumerable.Range(1, 9).Select(static i => $"'A{i}.X' hides 'A{i - 1}.X'"),
            GeneratorHarness.Diagnose(source).Select(static diagnostic => string.Join(' ', diagnostic.GetMessage().Split(' ', ',')[2..5])));
    }

    [Fact]
    public void ACollectionMayHoldItselfByWayOfAClass() =>
        GeneratorHarness.Generate("public class Trees : List<Tree>; [NinoType] public class Tree { public Trees? Children; } public class Pairs : List<(int, Pairs)>; [NinoType] public class A { public Pairs? P; }");

    [Fact]
    public void AWarningCanBeSuppressedAtItsPlace() =>
        Assert.True(Assert.Single(GeneratorHarness.Diagnose("\n#pragma warning disable NINO017\n[NinoType] public class A { public int Id; private int _count; public int Count => _count; public void Add() => _count++; }")).IsSuppressed);

    [Fact]
    public void AnEventArgsMayBeARecord() => Assert.Empty(GeneratorHarness.Diagnose("[NinoType] public class Changed : EventArgs { public int Id { get; set; } } [NinoType] public class Marked : Attribute { public int Id { get; set; } }"));

    [Fact]
    public void AGenericTypeThatIsOnlyDeclaredNeedsNothing() => Assert.Empty(GeneratorHarness.Diagnose("[NinoType] public class Box<T> { public T? Value; public Comparer<T>? Any; }"));

    [Fact]
    public void ATypeThatTheCompilerReportsGetsNoSecondError()
    {
        Microsoft.CodeAnalysis.CSharp.CSharpCompilation compilation = GeneratorHarness.Compile("[NinoType] public class A { public Missing? X; public int Y; } [NinoType] public struct S { public S Inner; }");
        GeneratorHarness.Driver().RunAbroad(compilation, out _, out System.Collections.Immutable.ImmutableArray<Diagnostic> diagnostics);
        Assert.Equal(NinoDiagnostics.RefusedType.Id, Assert.Single(diagnostics).Id);
        Assert.Contains("'Missing'", diagnostics[0].GetMessage());
    }

    [Fact]
    public void TypesThatReachABadTypeAreDroppedWithoutMoreErrors()
    {
        Diagnostic only = Assert.Single(GeneratorHarness.Diagnose("[NinoType] public class Bad { public Comparer<int>? X; } [NinoType] public class User { public Bad? B; public List<User>? C; } [NinoType] public class Third { public Dictionary<int, User>? U; }"));
        Assert.Equal("NINO002", only.Id);
    }

    [Fact]
    public void ANameMayHaveWholePairsOfSurrogates() => GeneratorHarness.Generate("[NinoType(Name = \"a\\uD83D\\uDE00b\")] public sealed class A { public int X; }");

    [Fact]
    public void ATypeMayHaveTheNameOfAGenericOneAndOfABaseThatIsAClassItself() => GeneratorHarness.Generate("""
        [NinoType, NinoFormerName("Box")] public class Crate { public int X; }
        [NinoType] public class Box<T> { public T? X; }
        [NinoType] public class A { public Box<int>? I; public Box<string>? S; }
        [NinoType, NinoFormerName("Creature")] public class Animal { public int X; }
        [NinoType] public class Dog : Animal;
        """);

    [Fact]
    public void FieldsThatLieOverEachOtherAreStoredWhereEveryPatternIsAValueOfAll() => Assert.Empty(GeneratorHarness.Diagnose("""
        using System.Runtime.InteropServices;
        public enum Kind { None }
        public struct Pair { public int Low, High; }
        [StructLayout(LayoutKind.Explicit), NinoType] public struct A { [FieldOffset(0)] public int I; [FieldOffset(0)] public float F; [FieldOffset(0)] public Kind K; [FieldOffset(0)] public Guid G; [FieldOffset(0)] public char C; [FieldOffset(8)] public TimeSpan T; [FieldOffset(8), NinoIgnore] public Pair P; }
        [StructLayout(LayoutKind.Explicit), NinoType] public struct Area { [FieldOffset(0)] public System.Drawing.Rectangle Whole; [FieldOffset(0)] public System.Drawing.Point Corner; [FieldOffset(8)] public System.Drawing.SizeF Size; [FieldOffset(0)] public nint First; }
        [StructLayout(LayoutKind.Explicit), NinoType] public struct Beside { [FieldOffset(0)] public bool B; [FieldOffset(1)] public byte N; [FieldOffset(8)] public string? S; [FieldOffset(16)] public DateTime D; }
        [StructLayout(LayoutKind.Explicit), NinoType] public struct Same { [FieldOffset(0)] public object? O; [FieldOffset(0)] public object? P; [FieldOffset(8)] public DateTime D; [FieldOffset(8)] private long _ticks; public readonly long Ticks() => _ticks; }
        [StructLayout(LayoutKind.Sequential, Pack = 1), NinoType] public struct Packed { public bool B; public string? S; }
        """));

    [Fact]
    public void EveryIdIsTestedAndHasAPageAndEveryPageAnId()
    {
        string[] ids = [.. NinoDiagnostics.All.Select(static descriptor => descriptor.Id)];
        Assert.Equal(ids.Length, ids.Distinct().Count());
        Assert.Equal(ids, Violations.Select(static row => (string)row[0]).Concat(AcrossAssembliesTests.Violations.Select(static row => (string)row[0])).Append(NinoDiagnostics.RefusedType.Id).Append(NinoDiagnostics.FormerNameNotFull.Id).Append(NinoDiagnostics.UnregisteredRecord.Id).Append(NinoDiagnostics.CollectionAsRecord.Id).Append(NinoDiagnostics.OldLanguage.Id).Append(NinoDiagnostics.EngineUnderAlias.Id).Distinct().Order());

        string pages = Path.Combine(Repository.Root, "docs", "diagnostics");
        Assert.Equal(ids, Directory.EnumerateFiles(pages, "NINO*.md").Select(Path.GetFileNameWithoutExtension).Order());
        foreach (DiagnosticDescriptor descriptor in NinoDiagnostics.All)
        {
            string page = File.ReadAllText(Path.Combine(pages, descriptor.Id + ".md"));
            Assert.StartsWith($"# {descriptor.Id}: {descriptor.Title}\n", page);
            Assert.EndsWith($" docs/diagnostics/{descriptor.Id}.md.", descriptor.Description.ToString(System.Globalization.CultureInfo.InvariantCulture));
            foreach (string section in new[] { "## Violation", "## Why", "## Fix", "## Example" }) Assert.Contains(section, page);
        }
    }
}
