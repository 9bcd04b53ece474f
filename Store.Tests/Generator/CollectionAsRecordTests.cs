using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Analyzers;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Tests.Generator;

/// <summary>A collection of records that is appended as one record is most likely meant as a batch: a warning at the call.</summary>
public sealed class CollectionAsRecordTests
{
    private const string Types = """
        [assembly: NinoSerializable(typeof(Plain))] [assembly: NinoSerializable(typeof(List<Page>))]
        [NinoType] public record Order(int Id);
        [NinoType] public abstract record Event;
        [NinoType] public record Opened : Event;
        [NinoType] public struct Dot { public int X; }
        [NinoType] public record Page(int Id);
        [NinoType] public record Box<T>(T Value);
        [NinoType] public class Basket : IEnumerable<Order>
        {
            public int Size;
            public IEnumerator<Order> GetEnumerator() => throw new NotSupportedException();
            System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => throw new NotSupportedException();
        }
        public class Plain { public int X { get; set; } }
        public class Named { public int X { get; set; } }
        public class Unknown { public int X { get; set; } }
        public class Orders : List<Order>;
        [NinoSerializable(typeof(Named))] internal static class Registered;
        """;

    [Theory]
    [InlineData("store.‹Append›(new List<Order>())", "the 'List<Order>' as one record", "'Order'", "with AppendBatch,")]
    [InlineData("store.‹Append›(new[] { new Order(1) })", "'Order[]'", "'Order'", "with AppendBatch,")]
    [InlineData("store.‹Append›(new Order[2, 2])", "'Order[,]'", "'Order'", "with AppendBatch, which takes a list: [.. them],")]
    [InlineData("store.‹Append›(new Order[1], 5)", "'Order[]'", "'Order'", "with AppendBatch,")]
    [InlineData("store.‹Append<IReadOnlyList<Order>>›([])", "'IReadOnlyList<Order>'", "'Order'", "with AppendBatch,")]
    [InlineData("store.‹Append<IEnumerable<Order>>›([])", "'IEnumerable<Order>'", "'Order'", "with AppendBatch, which takes a list: [.. them],")]
    [InlineData("store.‹AppendAsync›(new List<Event> { new Opened() })", "'List<Event>'", "'Event'", "with AppendBatchAsync,")]
    [InlineData("store.‹AppendAsync›(new Dot[1], 5)", "'Dot[]'", "'Dot'", "with AppendBatchAsync,")]
    [InlineData("store.‹Append›(new HashSet<Box<int>>())", "'HashSet<Box<int>>'", "'Box<int>'", "with AppendBatch, which takes a list: [.. them],")]
    [InlineData("store.‹Append›(new ReadOnlyMemory<Order>([]))", "'ReadOnlyMemory<Order>'", "'Order'", "with AppendBatch, which takes a list: [.. them],")]
    [InlineData("store.‹Append›(System.Collections.Immutable.ImmutableArray<Order>.Empty)", "'ImmutableArray<Order>'", "'Order'", "with AppendBatch,")]
    [InlineData("store.‹Append›(new Orders())", "'Orders'", "'Order'", "with AppendBatch,")]
    [InlineData("store.‹Append›(new Queue<Plain>())", "'Queue<Plain>'", "'Plain'", "with AppendBatch, which takes a list: [.. them],")]
    [InlineData("store.‹Append›(new Named[0])", "'Named[]'", "'Named'", "with AppendBatch,")]
    [InlineData("store.OpenAppender<Order[]>().‹Append›([])", "'Order[]'", "'Order'", "with an appender of 'Order'")]
    public async Task ACollectionOfRecordsThatIsAppendedAsOneIsReportedAtTheCall(string call, string collection, string element, string advice)
    {
        string source = Types + $" public static class P {{ public static void Run(Store.NinoStore store) {{ _ = {call}; }} }}";
        Diagnostic diagnostic = Assert.Single(await DiagnoseAsync(source.Replace("‹", "").Replace("›", "")));
        Assert.Equal((NinoDiagnostics.CollectionAsRecord.Id, DiagnosticSeverity.Warning), (diagnostic.Id, diagnostic.DefaultSeverity));
        foreach (string part in new[] { collection, element, advice }) Assert.Contains(part, diagnostic.GetMessage());
        AnalyzedProgram.AssertPlace(source, diagnostic);
    }

    [Theory]
    [InlineData("store.Append(new Order(1))")]
    [InlineData("store.Append(new Basket())")]
    [InlineData("store.Append(new Box<List<Order>>([]))")]
    [InlineData("store.Append(\"text\")")]
    [InlineData("store.Append(new byte[3])")]
    [InlineData("store.Append(new List<string>())")]
    [InlineData("store.Append(new Unknown[0])")]
    [InlineData("store.Append(new Dictionary<int, Order>())")]
    [InlineData("store.Append(new List<Page>())")]
    [InlineData("store.AppendBatch(new List<Order>())")]
    [InlineData("store.AppendBatchAsync(new Order[1])")]
    [InlineData("store.OpenAppender<Order>().Append(new Order(1))")]
    [InlineData("new System.Text.StringBuilder().Append(new Order[1])")]
    public async Task WhatIsARecordItselfOrNoCollectionOfRecordsIsNotReported(string call) =>
        Assert.Empty(await DiagnoseAsync(Types + $" public static class P {{ public static void Run(Store.NinoStore store) {{ _ = {call}; }} }}"));

    [Fact]
    public async Task WhereOneRecordIsMeantTheWarningIsTurnedOff() => Assert.Empty(await DiagnoseAsync(Types + """
        public static class P
        {
            public static void Run(Store.NinoStore store)
            {
        #pragma warning disable NINO080
                store.Append(new List<Order>());
        #pragma warning restore NINO080
            }
        }
        """));

    [Fact]
    public async Task AProgramWithoutTheStoreIsNotLookedAt() => Assert.Empty(await GeneratorHarness.AnalyzeAsync(GeneratorHarness.Compile("public class NinoStore { public void Append<T>(T value) { } public void Run() => Append(new A[1]); } [NinoType] public class A { public int X; }"), new CollectionAsRecordAnalyzer()));

    private static Task<ImmutableArray<Diagnostic>> DiagnoseAsync(string source) => AnalyzedProgram.DiagnoseAsync(source, new CollectionAsRecordAnalyzer());
}
