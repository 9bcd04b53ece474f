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
        [NinoType] public record Order(int Id, Box<string>? Note);
        [NinoType] public record Box<T>(T Value);
        [NinoType, NinoUnion(1, typeof(Opened))] public abstract record Event;
        [NinoType] public record Opened : Event;
        [NinoSerializable(typeof(Named))] internal static class Names;
        public class Registered { public int X { get; set; } }
        public class Named { public int X { get; set; } }
        public class Plain { public int X { get; set; } }
        public struct Dot { public int X; }
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

    [Theory]
    [InlineData("NinoSerializer.‹Serialize›(new Plain())", "'Plain'", "put [NinoType] on it, or add [assembly: NinoSerializable(typeof(Plain))]")]
    [InlineData("NinoSerializer.‹Deserialize<Dot>›(new byte[4])", "'Dot'", "[NinoType]")]
    [InlineData("NinoSerializer.‹Deserialize<IShape>›(new byte[4])", "'IShape'", "[NinoType]")]
    [InlineData("NinoSerializer.‹Clone›(new List<Plain[]>())", "'Plain'", "[NinoType]")]
    [InlineData("NinoSerializer.‹GetSize›(new Box<Order>(null!))", "'Box<Order>'", "add [assembly: NinoSerializable(typeof(Box<Order>))], for each of its closed forms")]
    [InlineData("NinoSerializer.‹Serialize›(new Box<string>(\"\"))", "'Box<string>'", "typeof(Box<string>)")]
    [InlineData("NinoSerializer.‹Serialize›(new Box<Plain>(null!))", "'Box<Plain>'", "typeof(Box<Plain>)")]
    [InlineData("NinoSerializer.‹Serialize›(new Pair<int>())", "'Pair<int>'", "typeof(Pair<int>)")]
    [InlineData("NinoSerializer.‹Serialize›(new { A = 1 })", "A", "declare a type with [NinoType]")]
    [InlineData("store.‹Append›(new Plain())", "'Plain'", "'Append' throws")]
    [InlineData("store.‹AppendBatch›(new Plain[3])", "'Plain'", "'AppendBatch' throws")]
    [InlineData("store.‹OpenAppender<Plain>›()", "'Plain'", "'OpenAppender' throws")]
    [InlineData("store.‹Read<Box<long>>›()", "'Box<long>'", "'Read' throws")]
    [InlineData("store.‹CheckpointAsync›(new Plain())", "'Plain'", "'CheckpointAsync' throws")]
    public async Task ATypeThatNobodyRegistersIsReportedAtTheCallThatStoresIt(string call, string type, string advice)
    {
        string source = Program(call);
        Diagnostic diagnostic = Assert.Single(await DiagnoseAsync(source.Replace("‹", "").Replace("›", "")));
        Assert.Equal((NinoDiagnostics.UnregisteredRecord.Id, DiagnosticSeverity.Warning), (diagnostic.Id, diagnostic.DefaultSeverity));
        foreach (string part in new[] { type, advice }) Assert.Contains(part, diagnostic.GetMessage());
        AnalyzedProgram.AssertPlace(source, diagnostic);
    }

    [Theory]
    [InlineData("NinoSerializer.Serialize(new Order(1, null))")]
    [InlineData("NinoSerializer.Serialize(new List<Order[]>())")]
    [InlineData("NinoSerializer.Serialize(new Registered())")]
    [InlineData("NinoSerializer.Serialize(new Named())")]
    [InlineData("NinoSerializer.Serialize(new Box<int>(1))")]
    [InlineData("NinoSerializer.Serialize<Base<int>>(new Derived())")]
    [InlineData("NinoSerializer.Serialize<Event>(new Opened())")]
    [InlineData("NinoSerializer.Serialize(new ByHand<int>())")]
    [InlineData("NinoSerializer.Serialize(5)")]
    [InlineData("NinoSerializer.Serialize(new Dictionary<int, Plain>())")]
    [InlineData("NinoSerializer.Serialize((1, new Plain()))")]
    [InlineData("NinoSerializer.Serialize((object)new Plain())")]
    [InlineData("NinoSerializer.Serialize(new Plain(), typeof(Plain))")]
    [InlineData("store.Append(new Order(1, null))")]
    [InlineData("Generic(new Box<Plain>(null!))")]
    [InlineData("Other.Serialize(new Plain())")]
    public async Task WhatIsRegisteredOrMayBeSomewhereElseIsNotReported(string call) => Assert.Empty(await DiagnoseAsync(Program(call)));

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
        public static class Other { public static byte[] Serialize<T>(T value) => []; }
        """;

    private static Task<ImmutableArray<Diagnostic>> DiagnoseAsync(string source) => AnalyzedProgram.DiagnoseAsync(source, new UnregisteredRecordAnalyzer());
}
