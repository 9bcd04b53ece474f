using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.Text;
using Store.Serialization.CodeFixes;
using Store.Serialization.Generator.Diagnostics;
using static Store.Tests.Generator.Editor;

namespace Store.Tests.Generator;

/// <summary>What an editor offers for a diagnostic: the change, and that the diagnostic is gone after it.</summary>
public sealed class CodeFixTests
{
    /// <summary>Id, title of the fix, the source before, and after.</summary>
    public static TheoryData<string, string, string, string> Fixes => new()
    {
        { "NINO001", "Put [NinoType] on 'Line'", "public class Line { public int X; }\n[NinoType] public class A { public Line? L; }", "[NinoType]\npublic class Line { public int X; }\n[NinoType] public class A { public Line? L; }" },
        { "NINO001", "Put [NinoType] on 'Line'", "namespace N\n{\n    /// <summary>A line.</summary>\n    public class Line { public int X; }\n    [NinoType] public record A(Dictionary<int, Line[]> L);\n}", "namespace N\n{\n    /// <summary>A line.</summary>\n    [NinoType]\n    public class Line { public int X; }\n    [NinoType] public record A(Dictionary<int, Line[]> L);\n}" },
        { "NINO001", "Leave the member out with [NinoIgnore]", "public class Line { public int X; }\n[NinoType] public class A { public int Id; public Line? L { get; set; } }", "public class Line { public int X; }\n[NinoType] public class A { public int Id; [NinoIgnore] public Line? L { get; set; } }" },
        { "NINO001", "Register 'Line' with [NinoSerializable]", "[System.Runtime.Serialization.DataContract] public class Line { [System.Runtime.Serialization.DataMember] public int X; }\n[NinoType] public class A { public Line? L; }", "[assembly: NinoSerializable(typeof(Line))]\n[System.Runtime.Serialization.DataContract] public class Line { [System.Runtime.Serialization.DataMember] public int X; }\n[NinoType] public class A { public Line? L; }" },
        { "NINO001", "Register 'Line' with [NinoSerializable]", "public class Line { [System.Text.Json.Serialization.JsonInclude] public int X { get; private set; } }\n[NinoType] public class A { public List<Line>? L; }", "[assembly: NinoSerializable(typeof(Line))]\npublic class Line { [System.Text.Json.Serialization.JsonInclude] public int X { get; private set; } }\n[NinoType] public class A { public List<Line>? L; }" },
        { "NINO001", "Register 'Diagnostic' with [NinoSerializable]", "[NinoType] public class A { public Store.Foreign.Diagnostic? D; }", "[assembly: NinoSerializable(typeof(Store.Foreign.Diagnostic))]\n[NinoType] public class A { public Store.Foreign.Diagnostic? D; }" },
        { "NINO001", "Register 'Grid' with [NinoSerializable]", "[NinoType] public class A { public Store.Foreign.Grid<string?[][,]>? D; }", "[assembly: NinoSerializable(typeof(Store.Foreign.Grid<string[][,]>))]\n[NinoType] public class A { public Store.Foreign.Grid<string?[][,]>? D; }" },
        { "NINO001", "Register 'Grid' with [NinoSerializable]", "[NinoType] public class A { public Store.Foreign.Grid<(dynamic X, int?[,])>? D; }", "[assembly: NinoSerializable(typeof(Store.Foreign.Grid<System.ValueTuple<object, int?[,]>>))]\n[NinoType] public class A { public Store.Foreign.Grid<(dynamic X, int?[,])>? D; }" },
        { "NINO001", "Register 'event' with [NinoSerializable]", "[NinoType] public class A { public Store.Foreign.Grid<int>.@event? D; }", "[assembly: NinoSerializable(typeof(Store.Foreign.Grid<int>.@event))]\n[NinoType] public class A { public Store.Foreign.Grid<int>.@event? D; }" },
        { "NINO002", "Leave the member out with [NinoIgnore]", "[NinoType] public class A { public int Id; public Action? Run; }", "[NinoType] public class A { public int Id; [NinoIgnore] public Action? Run; }" },
        { "NINO003", "Make 'Inner' internal", "public class Outer { [NinoType] private class Inner { public int X; } }", "public class Outer { [NinoType] internal class Inner { public int X; } }" },
        { "NINO003", "Make 'Inner' internal", "public class Outer { [NinoType] sealed class Inner { public int X; } }", "public class Outer { [NinoType] internal sealed class Inner { public int X; } }" },
        { "NINO003", "Make 'A' internal", "[NinoType] file class A { public int X; }", "[NinoType] internal class A { public int X; }" },
        { "NINO003", "Make 'Inner' internal", "public partial class Outer { [NinoType] private partial class Inner { public int X; } }\npublic partial class Outer { private sealed partial class Inner; }", "public partial class Outer { [NinoType] internal partial class Inner { public int X; } }\npublic partial class Outer { internal sealed partial class Inner; }" },
        { "NINO003", "Make 'Inner' internal", "public partial class Outer { [NinoType] partial class Inner { public int X; } }\npublic partial class Outer { private partial class Inner; }", "public partial class Outer { [NinoType] partial class Inner { public int X; } }\npublic partial class Outer { internal partial class Inner; }" },
        { "NINO003", "Make 'Inner' internal", "public partial class Outer { [NinoType] partial class Inner { public int X; } }\npublic partial class Outer { sealed partial class Inner; }", "public partial class Outer { [NinoType] internal partial class Inner { public int X; } }\npublic partial class Outer { sealed partial class Inner; }" },
        { "NINO003", "Make 'Middle' internal", "public class Outer { private class Middle { [NinoType] protected internal class Inner { public int X; } } }", "public class Outer { internal class Middle { [NinoType] protected internal class Inner { public int X; } } }" },
        { "NINO003", "Make 'Middle' and 'Inner' internal", "public class Outer { class Middle { [NinoType] private class Inner { public int X; } } }", "public class Outer { internal class Middle { [NinoType] internal class Inner { public int X; } } }" },
        { "NINO003", "Make 'Inner' internal", "public class Outer { [NinoType] protected class Inner { public int X; } }", "public class Outer { [NinoType] protected internal class Inner { public int X; } }" },
        { "NINO003", "Make 'Inner' internal", "public class Outer { [NinoType] private protected class Inner { public int X; } }", "public class Outer { [NinoType] internal protected class Inner { public int X; } }" },
        { "NINO003", "Make 'Kind' internal", "[NinoType] public class A { public int X { get; } [NinoIgnore] public int K; [NinoConstructor] private A(int x, Kind kind = Kind.Some) { X = x; K = (int)kind; } private enum Kind { None, Some } }", "[NinoType] public class A { public int X { get; } [NinoIgnore] public int K; [NinoConstructor] private A(int x, Kind kind = Kind.Some) { X = x; K = (int)kind; } internal enum Kind { None, Some } }" },
        { "NINO005", "Read with A(int)", "[NinoType] public class A { public A(int x) { X = x; } public A(long y) { Y = y; } public int X { get; set; } public long Y { get; set; } }", "[NinoType] public class A { [NinoConstructor] public A(int x) { X = x; } public A(long y) { Y = y; } public int X { get; set; } public long Y { get; set; } }" },
        { "NINO007", "Give the member the id 3", "[NinoType] public class A { [NinoMember(1)] public int X; [NinoMember(2)] public int Z; [NinoMember(1)] public int Y; }", "[NinoType] public class A { [NinoMember(1)] public int X; [NinoMember(2)] public int Z; [NinoMember(3)] public int Y; }" },
        { "NINO008", "Leave the member out with [NinoIgnore]", "[NinoType] public class A { public int Id; public int[] Items { get; } = new int[2]; }", "[NinoType] public class A { public int Id; [NinoIgnore] public int[] Items { get; } = new int[2]; }" },
        { "NINO009", "Leave the member out with [NinoIgnore]", "[NinoType] public class A { public int Id; public int Born { get; } = System.Environment.ProcessId; }", "[NinoType] public class A { public int Id; [NinoIgnore] public int Born { get; } = System.Environment.ProcessId; }" },
        { "NINO009", "Store the member with [NinoInclude]", "[NinoType] public class A { public int Id { get; private set; } }", "[NinoType] public class A { [NinoInclude] public int Id { get; private set; } }" },
        { "NINO009", "Store the member with [NinoInclude]", "[NinoType] public class A { public string Secret { private get; set; } = \"\"; }", "[NinoType] public class A { [NinoInclude] public string Secret { private get; set; } = \"\"; }" },
        { "NINO009", "Store the member with [NinoInclude]", "[NinoType] public class A { public readonly int Born = 5; }", "[NinoType] public class A { [NinoInclude] public readonly int Born = 5; }" },
        { "NINO011", "Leave the member out with [NinoIgnore]", "public interface IShape; [NinoType] public class A { public int Id; public IShape? Shape; }", "public interface IShape; [NinoType] public class A { public int Id; [NinoIgnore] public IShape? Shape; }" },
        { "NINO001", "Put [NinoType] on 'Other'", "public class Other { public int X; }\n[NinoType] public class Box<T> { public T? Value; } [NinoType] public class A { public Box<Other>? B; }", "[NinoType]\npublic class Other { public int X; }\n[NinoType] public class Box<T> { public T? Value; } [NinoType] public class A { public Box<Other>? B; }" },
        { "NINO001", "Put [NinoType] on 'Other'", "namespace N;\npublic class Other { public int X; }\n[NinoType] public record Box<T>(List<T[]> Values); [NinoType] public class A { public Box<Other>? B; }", "namespace N;\n[NinoType]\npublic class Other { public int X; }\n[NinoType] public record Box<T>(List<T[]> Values); [NinoType] public class A { public Box<Other>? B; }" },
        { "NINO011", "Put [NinoType] on 'IShape' and 'Square'", "public interface IShape;\npublic class Square : IShape { public int X; }\n[NinoType] public class A { public IShape? Shape; }", "[NinoType]\npublic interface IShape;\n[NinoType]\npublic class Square : IShape { public int X; }\n[NinoType] public class A { public IShape? Shape; }" },
        { "NINO011", "Put [NinoType] on 'IShape', 'Square' and 'Dot'", "public interface IShape;\npublic class Square : IShape { public int X; }\npublic struct Dot : IShape { public int Y; }\n[NinoType] public class Round : IShape { public int Z; }\n[NinoType] public class A { public List<IShape>? Shapes; }", "[NinoType]\npublic interface IShape;\n[NinoType]\npublic class Square : IShape { public int X; }\n[NinoType]\npublic struct Dot : IShape { public int Y; }\n[NinoType] public class Round : IShape { public int Z; }\n[NinoType] public class A { public List<IShape>? Shapes; }" },
        { "NINO011", "Put [NinoType] on 'Circle'", "[NinoType] public abstract class Shape;\npublic class Circle : Shape { public int X; }\n[NinoType] public class A { public Shape? Shape; }", "[NinoType] public abstract class Shape;\n[NinoType]\npublic class Circle : Shape { public int X; }\n[NinoType] public class A { public Shape? Shape; }" },
        { "NINO017", "Store the member with [NinoInclude]", "[NinoType] public class A { public int Id; private int _count; public int Count => _count; public void Add() => _count++; }", "[NinoType] public class A { public int Id; [NinoInclude] private int _count; public int Count => _count; public void Add() => _count++; }" },
        { "NINO026", "Store the member with [NinoInclude]", "[assembly: NinoSerializable(typeof(A))] [Serializable] public class A { public int Id; [System.Runtime.Serialization.IgnoreDataMember] public int B; }", "[assembly: NinoSerializable(typeof(A))] [Serializable] public class A { public int Id; [NinoInclude] [System.Runtime.Serialization.IgnoreDataMember] public int B; }" },
        { "NINO027", "Leave the member out with [NinoIgnore]", "[NinoType] public class A { public int X { get; set; } public int Twice { get => X * 2; set => X = value / 2; } }", "[NinoType] public class A { public int X { get; set; } [NinoIgnore] public int Twice { get => X * 2; set => X = value / 2; } }" },
        { "NINO027", "Store the member with [NinoInclude]", "[NinoType] public class A { public int X { get; set; } public int Twice { get => X * 2; set => X = value / 2; } }", "[NinoType] public class A { public int X { get; set; } [NinoInclude] public int Twice { get => X * 2; set => X = value / 2; } }" },
        { "NINO028", "Store the member with [NinoInclude]", "[NinoType] public class A { public int Value { get; set => field = Math.Min(value, Max); } public int Max { get; set; } = 9; }", "[NinoType] public class A { [NinoInclude] public int Value { get; set => field = Math.Min(value, Max); } public int Max { get; set; } = 9; }" },
        { "NINO026", "Leave the member out with [NinoIgnore]", "[assembly: NinoSerializable(typeof(A))] [Serializable] public class A { public int Id; [System.Runtime.Serialization.IgnoreDataMember] public int B; }", "[assembly: NinoSerializable(typeof(A))] [Serializable] public class A { public int Id; [NinoIgnore] [System.Runtime.Serialization.IgnoreDataMember] public int B; }" },
        { "NINO017", "Leave the member out with [NinoIgnore]", "[NinoType] public class A { public int Id; private int _count; public int Count => _count; public void Add() => _count++; }", "[NinoType] public class A { public int Id; [NinoIgnore] private int _count; public int Count => _count; public void Add() => _count++; }" },
        { "NINO025", "Write 'Shop.Order'", "namespace Shop { [NinoType, NinoFormerName(\"Order\")] public record Purchase(int Id); }", "namespace Shop { [NinoType, NinoFormerName(\"Shop.Order\")] public record Purchase(int Id); }" },
        { "NINO025", "Write 'Shop.Events+Begun'", "namespace Shop { public class Events { [NinoType] [NinoFormerName(name: Former)] public record Opened(int Id); private const string Former = \"Begun\"; } }", "namespace Shop { public class Events { [NinoType] [NinoFormerName(name: \"Shop.Events+Begun\")] public record Opened(int Id); private const string Former = \"Begun\"; } }" },
        { "NINO032", "Name 'B' as case 4 of 'S'", "[NinoType, NinoUnion(3, typeof(A))] public abstract class S; [NinoType] public class A : S { public int X; }\n[NinoType] public class B : S { public int X; }", "[NinoUnion(4, typeof(B))]\n[NinoType, NinoUnion(3, typeof(A))] public abstract class S; [NinoType] public class A : S { public int X; }\n[NinoType] public class B : S { public int X; }" },
        { "NINO032", "Name 'C' as case 1 of 'S'", "[NinoType, NinoUnion(2147483647, typeof(A)), NinoUnion(0, typeof(B))] public abstract class S; [NinoType] public class A : S; [NinoType] public class B : S;\n[NinoType] public class C : S;", "[NinoUnion(1, typeof(C))]\n[NinoType, NinoUnion(2147483647, typeof(A)), NinoUnion(0, typeof(B))] public abstract class S; [NinoType] public class A : S; [NinoType] public class B : S;\n[NinoType] public class C : S;" },
        { "NINO060", "Put [NinoType] on 'Plain'", "public class Plain { public int X; }\npublic static class P { public static byte[] Put(Plain one) => NinoSerializer.Serialize(one); }", "[NinoType]\npublic class Plain { public int X; }\npublic static class P { public static byte[] Put(Plain one) => NinoSerializer.Serialize(one); }" },
        { "NINO060", "Register 'Plain' with [NinoSerializable]", "public class Plain { public int X; }\npublic static class P { public static long Put(Store.NinoStore store, List<Plain> some) => store.AppendBatch(some); }", "[assembly: NinoSerializable(typeof(Plain))]\npublic class Plain { public int X; }\npublic static class P { public static long Put(Store.NinoStore store, List<Plain> some) => store.AppendBatch(some); }" },
        { "NINO060", "Register 'Dictionary<int, Order>' with [NinoSerializable]", "[NinoType] public record Order(int Id);\npublic static class P { public static byte[] Put(List<Dictionary<int, Order>> all) => NinoSerializer.Serialize(all); }", "[assembly: NinoSerializable(typeof(System.Collections.Generic.Dictionary<int, Order>))]\n[NinoType] public record Order(int Id);\npublic static class P { public static byte[] Put(List<Dictionary<int, Order>> all) => NinoSerializer.Serialize(all); }" },
        { "NINO060", "Put [NinoType] on 'Plain'", "public class Plain { public int X; }\npublic static class P { public static object Put() => NinoCodec<Plain[]>.Default.Schema; }", "[NinoType]\npublic class Plain { public int X; }\npublic static class P { public static object Put() => NinoCodec<Plain[]>.Default.Schema; }" },
        { "NINO060", "Register 'Model' with [NinoSerializable]", "[System.Runtime.Serialization.DataContract] public class Model { [System.Runtime.Serialization.DataMember] public int X; }\npublic static class P { public static byte[] Put(Model one) => NinoSerializer.Serialize(one); }", "[assembly: NinoSerializable(typeof(Model))]\n[System.Runtime.Serialization.DataContract] public class Model { [System.Runtime.Serialization.DataMember] public int X; }\npublic static class P { public static byte[] Put(Model one) => NinoSerializer.Serialize(one); }" },
        { "NINO060", "Put [NinoType] on 'Sum'", "public class Sum { public int X; }\n[NinoType] public record Added(int By);\npublic static class P { public static object Open(Store.NinoStore store) => store.RestoreAsync<Sum, Added>(static (sum, e) => sum.X += e.By); }", "[NinoType]\npublic class Sum { public int X; }\n[NinoType] public record Added(int By);\npublic static class P { public static object Open(Store.NinoStore store) => store.RestoreAsync<Sum, Added>(static (sum, e) => sum.X += e.By); }" },
        { "NINO060", "Put [NinoType] on 'Added'", "[NinoType] public class Sum { public int X; }\npublic record Added(int By);\npublic static class P { public static object Open(Store.NinoStore store) => store.RestoreAsync<Sum, Added>(static (sum, e) => sum.X += e.By); }", "[NinoType] public class Sum { public int X; }\n[NinoType]\npublic record Added(int By);\npublic static class P { public static object Open(Store.NinoStore store) => store.RestoreAsync<Sum, Added>(static (sum, e) => sum.X += e.By); }" },
        { "NINO060", "Register 'Box<Order>' with [NinoSerializable]", "[NinoType] public record Order(int Id); [NinoType] public record Box<T>(T Value);\npublic static class P { public static object Get(Store.NinoStore store) => store.Read<Box<Order>>(); }", "[assembly: NinoSerializable(typeof(Box<Order>))]\n[NinoType] public record Order(int Id); [NinoType] public record Box<T>(T Value);\npublic static class P { public static object Get(Store.NinoStore store) => store.Read<Box<Order>>(); }" },
        { "NINO080", "Append the elements with AppendBatch", "[NinoType] public record Order(int Id);\npublic static class P { public static long Put(Store.NinoStore store, List<Order> orders) => store.Append(orders); }", "[NinoType] public record Order(int Id);\npublic static class P { public static long Put(Store.NinoStore store, List<Order> orders) => store.AppendBatch(orders); }" },
        { "NINO080", "Append the elements with AppendBatch", "[NinoType] public record Order(int Id);\npublic static class P { public static long? Put(Store.NinoStore? store, Order[] orders) => store?.Append(value: orders, expectedSequence: 5); }", "[NinoType] public record Order(int Id);\npublic static class P { public static long? Put(Store.NinoStore? store, Order[] orders) => store?.AppendBatch(values: orders, expectedSequence: 5); }" },
        { "NINO080", "Append the elements with AppendBatch", "[NinoType] public record Order(int Id);\npublic static class P { public static long Put(Store.NinoStore store, Order one) => store.Append<List<Order>>([one]); }", "[NinoType] public record Order(int Id);\npublic static class P { public static long Put(Store.NinoStore store, Order one) => store.AppendBatch<Order>([one]); }" },
        { "NINO080", "Append the elements with AppendBatchAsync", "[NinoType] public record Order(int Id);\npublic static class P { public static async System.Threading.Tasks.Task Put(Store.NinoStore store, Order[] orders) => await store.AppendAsync(orders, System.Threading.CancellationToken.None); }", "[NinoType] public record Order(int Id);\npublic static class P { public static async System.Threading.Tasks.Task Put(Store.NinoStore store, Order[] orders) => await store.AppendBatchAsync(orders, System.Threading.CancellationToken.None); }" },
    };

    [Theory]
    [MemberData(nameof(Fixes))]
    public Task AFixChangesWhatItSaysAndTheDiagnosticIsGone(string id, string title, string before, string after) => AssertFixedAsync(id, title, before, after);

    /// <summary>The source of what is not offered to be made internal, because the compiler would refuse it.</summary>
    [Theory]
    [InlineData("public class Outer { private class Hidden; [NinoType] private class A { public int X; [NinoIgnore] public Hidden? H; } }")]
    [InlineData("public class Outer { private class Hidden; [NinoType] private class A { public int X; internal List<Hidden[]> Make() => []; } }")]
    [InlineData("public class Outer { private class Hidden; [NinoType] private class A : Hidden { public int X; } }")]
    [InlineData("public class Outer { private class Hidden; [NinoType] private class A { public int X; public class Inner { public Hidden? H; } } }")]
    [InlineData("public class Outer { private interface IHidden; [NinoType] private class A { public int X; public void Put<T>(T one) where T : IHidden { } } }")]
    [InlineData("public class Outer { private interface IHidden; [NinoType] private class A { public int X; public class Of<T> where T : IHidden; } }")]
    [InlineData("public class Outer { private class Hidden; [NinoType] private class A { public int X; public delegate Hidden Made(); } }")]
    [InlineData("public class Of<T> { public class Inner; } public class Outer { private class Hidden; [NinoType] private class A { public int X; public static Of<Hidden>.Inner? I; } }")]
    [InlineData("file class Hidden; [NinoType] file class A { public int X; private Hidden? _h; public bool Has() => _h is not null; }")]
    public async Task NothingIsMadeInternalThatWouldShowWhatStaysHidden(string source)
    {
        using var workspace = new AdhocWorkspace();
        Document document = Open(workspace, GeneratorHarness.Usings + source);
        Diagnostic diagnostic = Assert.Single(await DiagnoseAsync(document), static one => one.Id == "NINO003");
        Assert.Empty(await ActionsAsync(document, diagnostic));
        string shown = source.Replace("[NinoType] private class A", "[NinoType] internal class A", StringComparison.Ordinal).Replace("[NinoType] file class A", "[NinoType] internal class A", StringComparison.Ordinal);
        Assert.Contains(GeneratorHarness.Compile(shown).GetDiagnostics(), static one => one is { Severity: DiagnosticSeverity.Error, IsWarningAsError: false });
    }

    /// <summary>Id, the source, and how the titles begin of what is not offered, because it would only bring the next error.</summary>
    [Theory]
    [InlineData("NINO011", "public interface IShape; [NinoType] public class A { public int Id; public IShape? Shape; }", "Put")]
    [InlineData("NINO011", "public class Outer { public interface IShape; private class Square : IShape; [NinoType] public class A { public int Id; public IShape? Shape; } }", "Put")]
    [InlineData("NINO001", "public class Outer { private class Part { public int X; } [NinoType] public class A { public int Id; [NinoInclude] private Part? _part; public bool Has() => _part is not null; } }", "Put")]
    [InlineData("NINO011", "[System.Text.Json.Serialization.JsonDerivedType(typeof(Square))] public abstract class Shape; public class Square : Shape { [System.Text.Json.Serialization.JsonInclude] public int X { get; private set; } } [NinoType] public class A { public int Id; public Shape? S; }", "Put")]
    [InlineData("NINO011", "public interface IShape; [System.Runtime.Serialization.DataContract] public class Square : IShape { [System.Runtime.Serialization.DataMember] public int X { get; private set; } } [NinoType] public class A { public int Id; public IShape? S; }", "Put")]
    [InlineData("NINO001", "public class Line { [System.Text.Json.Serialization.JsonInclude] public int X { get; private set; } } [NinoType] public class A { public int Id; public Line? L; }", "Put")]
    public Task NothingIsOfferedThatBringsTheNextError(string id, string source, string title) => AssertNotOfferedAsync(id, source, title);

    [Theory]
    [InlineData("public class Outer { private class Hidden; [NinoType] private class A { public int X; private Hidden? _h; public bool Has() => _h is not null; } }")]
    [InlineData("public class Outer { [NinoType] private class A { public int X; [NinoIgnore] public A? Next; public class Inner { public A? Outer; } } }")]
    public async Task ATypeThatKeepsWhatIsHiddenToItselfCanBeMadeInternal(string source)
    {
        using var workspace = new AdhocWorkspace();
        Document document = Open(workspace, GeneratorHarness.Usings + source);
        CodeAction action = Assert.Single(await ActionsAsync(document, Assert.Single(await DiagnoseAsync(document), static one => one.Id == "NINO003")), static one => one.Title == "Make 'A' internal");
        Document changed = (await action.GetOperationsAsync(CancellationToken.None)).OfType<ApplyChangesOperation>().Single().ChangedSolution.GetDocument(document.Id)!;
        Assert.DoesNotContain((await changed.Project.GetCompilationAsync())!.GetDiagnostics(), static one => one.Severity == DiagnosticSeverity.Error);
    }

    /// <summary>Id, what is done, the source before, and after it was done to all of the id at once.</summary>
    [Theory]
    [InlineData("NINO001", "Put [NinoType]", "public class P { public int X; }\npublic class Q { public int X; }\n[NinoType] public class A { public P? P; public Q? Q; public Dictionary<P, Q>? D; }", "[NinoType]\npublic class P { public int X; }\n[NinoType]\npublic class Q { public int X; }\n[NinoType] public class A { public P? P; public Q? Q; public Dictionary<P, Q>? D; }")]
    [InlineData("NINO002", "Leave the member out with [NinoIgnore]", "[NinoType] public class A { public int Id; public Action? R, S; public Action? T { get; set; } }", "[NinoType] public class A { public int Id; [NinoIgnore] public Action? R, S; [NinoIgnore] public Action? T { get; set; } }")]
    [InlineData("NINO003", "Make internal", "public class O { [NinoType] private class A { public int X; } class M { [NinoType] private class C { public int X; } [NinoType] private class D { public int X; } } }", "public class O { [NinoType] internal class A { public int X; } internal class M { [NinoType] internal class C { public int X; } [NinoType] internal class D { public int X; } } }")]
    [InlineData("NINO009", "Store the member with [NinoInclude]", "[NinoType] public class A { public int X { get; private set; } public int Y { get; private set; } }", "[NinoType] public class A { [NinoInclude] public int X { get; private set; } [NinoInclude] public int Y { get; private set; } }")]
    public Task AllOfAnIdAreFixedAtOnce(string id, string kind, string before, string after) => AssertAllFixedAsync(id, kind, before, after);

    [Fact]
    public async Task OfSeveralTypesOfAMemberTheOneThatIsMeantIsOffered()
    {
        using var workspace = new AdhocWorkspace();
        Document document = Open(workspace, GeneratorHarness.Usings + "public class P { public int X; } public class Q { [System.Text.Json.Serialization.JsonPropertyOrder(1)] public int X { get; set; } } [NinoType] public class A { [NinoIgnore] public int Id; public Dictionary<P, Q>? D; }");
        // Of the other it is told when this one has a mark.
        Diagnostic diagnostic = Assert.Single(await DiagnoseAsync(document), static one => one.Id == "NINO001");
        Assert.Equal(["Put [NinoType] on 'P'"], (await ActionsAsync(document, diagnostic)).Select(static one => one.Title).Where(static title => !title.StartsWith("Leave", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task WithoutTheNamespaceAnAttributeIsWrittenInFull()
    {
        using var workspace = new AdhocWorkspace();
        Document document = Open(workspace, "[Store.Serialization.NinoType] public class A { public int Id; public System.Action? Run; }");
        CodeAction action = Assert.Single(await ActionsAsync(document, Assert.Single(await DiagnoseAsync(document))));
        Document changed = (await action.GetOperationsAsync(CancellationToken.None)).OfType<ApplyChangesOperation>().Single().ChangedSolution.GetDocument(document.Id)!;
        Assert.Contains("[Store.Serialization.NinoIgnore] public System.Action? Run;", (await changed.GetTextAsync()).ToString());
    }

    /// <summary>A file, with the place of the attribute between ‹ and ›.</summary>
    public static TheoryData<string> Registrations => new()
    {
        "extern alias old;\n‹›public class A;",
        "using System;\n‹›\n// Why it is there.\npublic class A;",
        "using System;\n#if !NEVER\nusing System.Text;\n#endif\n‹›public class A;",
        "using System;\n#if NEVER\nusing System.Text;\n#endif\n‹›public class A;",
        "#if !NEVER\n#if !EVER\nusing System;\n#endif\nusing System.Text;\n#endif\n‹›public class A;",
        "#define EVER\n// The file.\n‹›#if EVER\npublic class A;\n#endif\n",
        "// The file.\n\n‹›/// <summary>A.</summary>\npublic class A;",
    };

    [Theory]
    [MemberData(nameof(Registrations))]
    public async Task ATypeIsRegisteredWhereTheCompilerTakesAnAttributeOfTheAssembly(string file)
    {
        using var workspace = new AdhocWorkspace();
        string before = file.Replace("public class A;", "[Store.Serialization.NinoType] public class A { public Store.Foreign.Diagnostic? D; }");
        Document document = Open(workspace, before.Replace("‹›", ""));
        CodeAction action = Assert.Single(await ActionsAsync(document, Assert.Single(await DiagnoseAsync(document))), static one => one.Title == "Register 'Diagnostic' with [NinoSerializable]");
        Document changed = (await action.GetOperationsAsync(CancellationToken.None)).OfType<ApplyChangesOperation>().Single().ChangedSolution.GetDocument(document.Id)!;
        Assert.Equal(before.Replace("‹›", "[assembly: Store.Serialization.NinoSerializable(typeof(Store.Foreign.Diagnostic))]\n"), (await changed.GetTextAsync()).ToString());
        Assert.Empty(await DiagnoseAsync(changed));
        Assert.DoesNotContain((await changed.Project.GetCompilationAsync())!.GetDiagnostics(), static one => one.Severity == DiagnosticSeverity.Error);
    }

    [Fact]
    public async Task NothingIsOfferedToRegisterATypeWhereNoPlaceIsOutsideOfIf()
    {
        using var workspace = new AdhocWorkspace();
        Document document = Open(workspace, "#if !NEVER\nusing System;\n[Store.Serialization.NinoType] public class A { public Store.Foreign.Diagnostic? D; }\n#endif\n");
        Assert.DoesNotContain(await ActionsAsync(document, Assert.Single(await DiagnoseAsync(document))), static one => one.Title.StartsWith("Register", StringComparison.Ordinal));
    }

    [Fact]
    public async Task EveryPartOfATypeIsMadeInternalInWhicheverFileItIs()
    {
        using var workspace = new AdhocWorkspace();
        Document document = Open(workspace, GeneratorHarness.Usings + "public partial class Outer { [NinoType] private partial class Inner { public int X; } }");
        Document other = workspace.AddDocument(document.Project.Id, "Other.cs", SourceText.From("public partial class Outer { private partial class Inner; }"));
        document = workspace.CurrentSolution.GetDocument(document.Id)!;
        CodeAction action = Assert.Single(await ActionsAsync(document, Assert.Single(await DiagnoseAsync(document))));
        Solution changed = (await action.GetOperationsAsync(CancellationToken.None)).OfType<ApplyChangesOperation>().Single().ChangedSolution;
        Assert.Contains("internal partial class Inner;", (await changed.GetDocument(other.Id)!.GetTextAsync()).ToString());
        Assert.Empty(await DiagnoseAsync(changed.GetDocument(document.Id)!));
        Assert.DoesNotContain((await changed.Projects.Single().GetCompilationAsync())!.GetDiagnostics(), static one => one.Severity == DiagnosticSeverity.Error);
    }

    [Fact]
    public async Task NothingIsOfferedForACollectionThatABatchDoesNotTake()
    {
        using var workspace = new AdhocWorkspace();
        Document document = Open(workspace, GeneratorHarness.Usings + "[NinoType] public record Order(int Id); public static class P { public static long Put(Store.NinoStore store, HashSet<Order> orders) => store.Append(orders); public static long Lend(Store.NinoStore store, Order[] orders) => store.OpenAppender<Order[]>().Append(orders); }");
        IReadOnlyList<Diagnostic> diagnostics = await DiagnoseAsync(document);
        Assert.Equal(2, diagnostics.Count);
        foreach (Diagnostic diagnostic in diagnostics) Assert.Empty(await ActionsAsync(document, diagnostic));
    }

    [Fact]
    public void EveryFixIsTestedForEveryIdAndThePageOfTheIdNamesIt()
    {
        string[] known = [.. NinoDiagnostics.All.Select(static descriptor => descriptor.Id)];
        HashSet<string> tested = [.. Fixes.Concat(RemovingFixTests.Fixes).Concat(AddingFixTests.Fixes).Select(static row => (string)row[0])];
        foreach (string id in Providers.SelectMany(static provider => provider.FixableDiagnosticIds).Distinct())
        {
            Assert.Contains(id, known);
            Assert.Contains(id, tested);
        }

        foreach (string id in known)
        {
            string page = Repository.Read($"docs/diagnostics/{id}.md");
            Assert.Equal(tested.Contains(id), page.Contains("An editor offers", StringComparison.Ordinal));
        }
    }

    [Fact]
    public void TheGeneratorDoesNotKnowTheFixes()
    {
        Assert.DoesNotContain(typeof(Store.Serialization.Generator.NinoGenerator).Assembly.GetReferencedAssemblies(), static name => name.Name!.Contains("Workspaces") || name.Name.Contains("CodeFixes"));
        Assert.DoesNotContain(typeof(MarkTypeFix).Assembly.GetTypes(), static type => type.IsSubclassOf(typeof(Microsoft.CodeAnalysis.Diagnostics.DiagnosticAnalyzer)) || typeof(IIncrementalGenerator).IsAssignableFrom(type));
    }
}
