using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Analyzers;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Tests.Generator;

/// <summary>A type of the project that is stored and that nobody registers throws when the call runs: a warning at the call.</summary>
public sealed class UnregisteredRecordTests
{
    private const string Types = """
        [assembly: NinoSerializable(typeof(Registered))] [assembly: NinoSerializable(typeof(Box<int>))]
        [assembly: NinoSerializable(typeof(Dictionary<string, Order>))] [assembly: NinoSerializable(typeof((long, Order)))] [assembly: NinoSerializable(typeof(Colour))]
        [assembly: NinoSerializable(typeof(List<Order>))] [assembly: NinoSerializable(typeof(Spot?[]))]
        [NinoType] public record Order(int Id, Box<string>? Note, Dictionary<int, Order>? Others = null);
        [NinoType] public record Box<T>(T Value);
        [NinoType, NinoUnion(1, typeof(Opened))] public abstract record Event;
        [NinoType] public record Opened : Event;
        [NinoSerializable(typeof(Named))] internal static class Names;
        public class Registered { public int X { get; set; } }
        public class Named { public int X { get; set; } }
        public class Plain { public int X { get; set; } }
        public struct Dot { public int X; }
        [NinoType] public struct Spot { public int X; }
        public enum Mood { Bad, Good }
        public enum Colour { Red }
        public interface IShape;
        public class Pair<T> { public T? One { get; set; } }
        [NinoType] public abstract class Base<T> { public T? Value { get; set; } }
        [NinoType] public class Derived : Base<int>;
        public class ByHand<T>;
        public readonly struct ByHandCodec<T> : INinoCodec<ByHand<T>>
        {
            public static int MinSize => 1;
            public static SchemaNode Describe(SchemaBuilder builder) => throw new NotSupportedException();
            public void Write(ref NinoWriter writer, in ByHand<T> value) => throw new NotSupportedException();
            public ByHand<T> Read(ref NinoReader reader) => throw new NotSupportedException();
        }
        """;

    private static readonly (string Call, string Type, string Advice)[] s_reported =
    [
        ("NinoSerializer.‹Serialize›(new Plain())", "'Plain'", "put [NinoType] on it, or add [assembly: NinoSerializable(typeof(Plain))]"),
        ("NinoSerializer.‹Deserialize<Dot>›(new byte[4])", "'Dot'", "[NinoType]"),
        ("NinoSerializer.‹Deserialize<IShape>›(new byte[4])", "'IShape'", "[NinoType]"),
        ("NinoSerializer.‹Clone›(new List<Plain>())", "'Plain'", "[NinoType]"),
        ("NinoSerializer.‹Clone›(new List<Plain[]>())", "'Plain[]'", "add [assembly: NinoSerializable(typeof(Plain[]))]"),
        ("NinoSerializer.‹Serialize›(new List<Order[]>())", "'Order[]'", "typeof(Order[])"),
        ("NinoSerializer.‹Serialize›(new Order[1, 1])", "'Order[,]'", "typeof(Order[,])"),
        ("NinoSerializer.‹GetSize›(new Box<Order>(null!))", "'Box<Order>'", "add [assembly: NinoSerializable(typeof(Box<Order>))], for each of its closed forms"),
        ("NinoSerializer.‹Serialize›(new Box<string>(\"\"))", "'Box<string>'", "typeof(Box<string>)"),
        ("NinoSerializer.‹Serialize›(new Box<Plain>(null!))", "'Box<Plain>'", "typeof(Box<Plain>)"),
        ("NinoSerializer.‹Serialize›(new Pair<int>())", "'Pair<int>'", "typeof(Pair<int>)"),
        ("NinoSerializer.‹Serialize›(new { A = 1 })", "A", "declare a type with [NinoType]"),
        ("NinoSerializer.‹Serialize›(new Dictionary<int, Plain>())", "'System.Collections.Generic.Dictionary<int, Plain>'", "add [assembly: NinoSerializable(typeof(System.Collections.Generic.Dictionary<int, Plain>))]"),
        ("NinoSerializer.‹Serialize›(new Dictionary<int, Order>())", "'System.Collections.Generic.Dictionary<int, Order>'", "typeof("),
        ("NinoSerializer.‹Serialize<IReadOnlyList<Order>>›([])", "'System.Collections.Generic.IReadOnlyList<Order>'", "typeof("),
        ("NinoSerializer.‹Serialize›((1, new Order(1, null)))", "'System.ValueTuple<int, Order>'", "typeof(System.ValueTuple<int, Order>)"),
        ("NinoSerializer.‹Serialize<Spot?>›(null)", "Spot", "typeof("),
        ("NinoSerializer.‹Serialize›(Mood.Good)", "'Mood'", "add [assembly: NinoSerializable(typeof(Mood))]"),
        ("NinoCodec<Plain>.‹Default›", "'Plain'", "'Default' throws"),
        ("store.‹Append›(new Plain())", "'Plain'", "'Append' throws"),
        ("store.‹Append›(new HashSet<Plain>())", "'System.Collections.Generic.HashSet<Plain>'", "'Append' throws"),
        ("store.‹AppendBatch›(new Plain[3])", "'Plain'", "'AppendBatch' throws"),
        ("store.‹OpenAppender<Plain>›()", "'Plain'", "'OpenAppender' throws"),
        ("store.‹Read<Box<long>>›()", "'Box<long>'", "'Read' throws"),
        ("store.‹CheckpointAsync›(new Plain())", "'Plain'", "'CheckpointAsync' throws"),
        ("store.‹RestoreAsync<Plain, Order>›((state, e) => { })", "'Plain'", "'RestoreAsync' throws"),
        ("store.‹RestoreAsync<Registered, Plain>›((state, e) => { })", "'Plain'", "'RestoreAsync' throws"),
        ("store.‹RestoreAsync<Plain>›((state, record) => { })", "'Plain'", "'RestoreAsync' throws"),
        ("Store.StateStoreExtensions.‹OpenStateAsync<Plain>›(store, events => { })", "'Plain'", "'OpenStateAsync' throws"),
        ("Store.StateStoreExtensions.OpenStateAsync<Registered>(store, events => events.‹On<Plain>›((state, e) => { }))", "'Plain'", "'On' throws"),
        ("Store.CheckpointScheduleExtensions.‹Capture›(store, new Plain())", "'Plain'", "'Capture' throws"),
        ("new Store.Snapshots.SnapshotParts().‹AddItems›(\"\", new Plain[1])", "'Plain'", "'AddItems' throws"),
        ("store.OpenSnapshot(\"\")!.‹Read<Plain>›()", "'Plain'", "'Read' throws"),
        ("default(Store.LogRecord).‹As<Plain>›()", "'Plain'", "'As' throws"),
        ("Store.KeyValue.KeyValueLog.‹Open<int, Plain>›(store, \"\")", "'Plain'", "'Open' throws"),
        ("Store.KeyValue.KeyValueLog.‹Open<Mood, Order>›(store, \"\")", "'Mood'", "'Open' throws"),
    ];

    private static readonly string[] s_notReported =
    [
        "NinoSerializer.Serialize(new Order(1, null))",
        "NinoSerializer.Serialize(new List<Order>())",
        "NinoSerializer.Serialize(new List<Order?>[1])",
        "NinoSerializer.Serialize(new Registered())",
        "NinoSerializer.Serialize(new Named())",
        "NinoSerializer.Serialize(new Box<int>(1))",
        "NinoSerializer.Serialize<Base<int>>(new Derived())",
        "NinoSerializer.Serialize<Event>(new Opened())",
        "NinoSerializer.Serialize(new Dictionary<string, Order>())",
        "NinoSerializer.Serialize((A: 1L, B: new Order(1, null)))",
        "NinoSerializer.Serialize(new List<(long C, Order D)>())",
        "NinoSerializer.Serialize(Colour.Red)",
        "NinoSerializer.Serialize<Spot?[]>([])",
        "NinoSerializer.Serialize(5)",
        "NinoCodec<Order>.Default",
        "NinoCodec<Dictionary<string, Order?>>.Default",
    ];

    public static IEnumerable<object[]> Reported => s_reported.Select(static row => new object[] { row.Call, row.Type, row.Advice });

    public static TheoryData<string> NotReported => new(s_notReported);

    [Theory]
    [MemberData(nameof(Reported))]
    public async Task ATypeThatNobodyRegistersIsReportedAtTheCallThatStoresIt(string call, string type, string advice)
    {
        string source = Program(call);
        Diagnostic diagnostic = Assert.Single(await DiagnoseAsync(source.Replace("‹", "").Replace("›", "")));
        Assert.Equal((NinoDiagnostics.UnregisteredRecord.Id, DiagnosticSeverity.Warning), (diagnostic.Id, diagnostic.DefaultSeverity));
        foreach (string part in new[] { type, advice }) Assert.Contains(part, diagnostic.GetMessage());
        AnalyzedProgram.AssertPlace(source, diagnostic);
    }

    [Theory]
    [MemberData(nameof(NotReported))]
    [InlineData("NinoSerializer.Serialize(new ByHand<int>())")]
    [InlineData("NinoSerializer.Serialize((object)new Plain())")]
    [InlineData("NinoSerializer.Serialize(new Plain(), typeof(Plain))")]
    [InlineData("NinoSerializer.Serialize(new Dictionary<int, int>())")]
    [InlineData("store.Append(new Order(1, null))")]
    [InlineData("store.Append(new HashSet<Order>())")]
    [InlineData("store.RestoreAsync<Registered, Order>((state, e) => { })")]
    [InlineData("store.RestorePartsAsync<Plain, Order>(file => new(), (state, e) => { })")]
    [InlineData("Store.StateStoreExtensions.OpenStateAsync<Registered>(store, events => events.On<Order>((state, e) => { }))")]
    [InlineData("Store.KeyValue.KeyValueLog.Open<System.Guid, Order>(store, \"\")")]
    [InlineData("Generic(new Box<Plain>(null!))")]
    [InlineData("Other.Serialize(new Plain())")]
    [InlineData("Other.Default")]
    public async Task WhatIsRegisteredOrMayBeSomewhereElseIsNotReported(string call) => Assert.Empty(await DiagnoseAsync(Program(call)));

    [Fact]
    public void EveryCallOfTheSerializerThatIsReportedThrowsAndNoOther() => Programs.Run(Types, """
        void Throws(Func<object?> call)
        {
            try { call(); }
            catch (NinoTypeNotRegisteredException) { return; }
            throw new InvalidOperationException("It is a record.");
        }
        Copy(new Order(1, null));
        """ + string.Concat(s_reported.Select(static row => row.Call.Replace("‹", "").Replace("›", "")).Where(static call => call.StartsWith("Nino", StringComparison.Ordinal)).Select(static call => $"Throws(() => {call});\n"))
            + string.Concat(s_notReported.Select(static call => $"_ = {call};\n")));

    /// <summary>With [NinoType] its attributes would not be read: what they store of private members would be lost.</summary>
    [Theory]
    [InlineData("[System.Runtime.Serialization.DataContract] public class Model { [System.Runtime.Serialization.DataMember] private int _x; public int X() => _x++; }")]
    [InlineData("public class Model { [System.Text.Json.Serialization.JsonInclude] private int _x; public int X() => _x++; }")]
    [InlineData("[System.Runtime.Serialization.KnownType(typeof(Later))] public class Model { public int X { get; set; } } public class Later : Model;")]
    public async Task AModelOfAnotherSerializerIsToBeRegisteredAndNotMarked(string model) =>
        Assert.EndsWith(": add [assembly: NinoSerializable(typeof(Model))]", Assert.Single(await DiagnoseAsync(model + " public static class P { public static byte[] Run() => NinoSerializer.Serialize(new List<Model>()); }")).GetMessage());

    [Fact]
    public async Task ATypeOfAnotherAssemblyIsNotReported() => Assert.Empty(await DiagnoseAsync(Program("NinoSerializer.Serialize(new System.Text.StringBuilder())")));

    [Fact]
    public void AFormOfAGenericTypeThatOnlyAMemberLeadsToIsNoRecord() => Programs.Run("""
        [assembly: NinoSerializable(typeof(Box<int>))]
        [NinoType] public record Order(int Id, Box<string>? Note);
        [NinoType] public record Box<T>(T Value);
        [NinoType] public abstract class Base<T> { public T? Value { get; set; } }
        [NinoType] public class Derived : Base<int>;
        """, """
        Equal(new Order(1, new("n")), Copy(new Order(1, new("n"))));
        Equal(new Box<int>(1), Copy(new Box<int>(1)));
        Equal(5, Copy<Base<int>>(new Derived { Value = 5 }).Value);
        try { NinoSerializer.Serialize(new Box<string>("")); }
        catch (NinoTypeNotRegisteredException) { return; }
        throw new InvalidOperationException("It is a record.");
        """);

    private static string Program(string call) => Types + $$"""
         public static class P { public static void Run(Store.NinoStore store) { _ = {{call}}; } private static byte[] Generic<T>(T value) => NinoSerializer.Serialize(value); }
        public static class Other { public static byte[] Serialize<T>(T value) => []; public static Plain Default => new(); }
        """;

    private static Task<ImmutableArray<Diagnostic>> DiagnoseAsync(string source) => AnalyzedProgram.DiagnoseAsync(source, new UnregisteredRecordAnalyzer());
}
