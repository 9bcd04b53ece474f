using Microsoft.CodeAnalysis;

namespace Store.Tests.Generator;

/// <summary>
/// Generated code, committed as text so that a review sees what a change of the generator does to it. A test whose file differs rewrites
/// the file and fails: look at the difference, commit it if it is meant, and run again.
/// </summary>
public class SnapshotTests
{
    public static TheoryData<string, string, string> Snapshots => new()
    {
        { "FixedStruct", "Shop_MoneyCodec", "namespace Shop; public enum Currency : byte { Euro } [NinoType] public record struct Money(decimal Amount, Currency Currency);" },
        { "Class", "Shop_OrderCodec", "namespace Shop; [NinoType] public class Order(int id) { public string? Customer { get; set; } public int Id { get; } = id; public required DateTime At { get; init; } public List<Money>? Prices { get; set; } public Money? Total; } [NinoType] public record struct Money(decimal Amount);" },
        { "PrivateMembers", "Shop_Secret_0int_2Codec", "namespace Shop; [NinoType] public sealed class Secret<T> where T : struct { [NinoInclude] private T _value; [NinoInclude] private string? Text { get; set; } [NinoConstructor] private Secret() { } public static Secret<T> Of(T value) => new() { _value = value }; public T Get() => _value; } [NinoType] public sealed class User { public Secret<int>? S; }" },
        { "Recursive", "Shop_TreeCodec", "namespace Shop; [NinoType] public sealed record Tree(int Value, Tree? Left, List<Tree>? Children);" },
        { "Filled", "Shop_BasketCodec", "namespace Shop; [NinoType] public sealed class Basket { public List<string> Items { get; } = []; public string? Name { get; set; } public Queue<Basket> Later { get; } = new(); private readonly Dictionary<string, int> _counts = []; public IDictionary<string, int> Counts => _counts; }" },
        { "FilledOfGiven", "Shop_BasketCodec", "namespace Shop; [NinoType] public sealed class Basket(int id) { public int Id { get; } = id; public IList<string> Items { get; } = id > 0 ? [] : new string[1]; public IDictionary<string, int> Counts { get; } = new Dictionary<string, int>(); public Queue<int> Later { get; } = new(); }" },
        { "FSharpUnion", "Microsoft_FSharp_Core_FSharpResult_0int_1string_2FSharpUnion", "[NinoType] public sealed record Outcome(Microsoft.FSharp.Core.FSharpResult<int, string> Result);" },
        { "Union", "Shop_ShapeUnion", "namespace Shop; [NinoType] public abstract class Shape; [NinoType] public sealed class Circle : Shape { public double Radius { get; set; } } [NinoType] public readonly record struct Dot(int X) : IMark; [NinoType] public interface IMark; [NinoType] public class Square : Shape { public int Side { get; set; } }" },
        { "SkippingUnion", "Shop_IMarkUnion", "namespace Shop; [NinoType(SkipUnknownCases = true), NinoUnion(1, typeof(Dot)), NinoUnion(2, typeof(Word))] public interface IMark; [NinoType] public readonly record struct Dot(int X) : IMark; [NinoType] public sealed record Word(string Text) : IMark;" },
        { "References", "Shop_PersonCodec", "namespace Shop; [NinoType(References = true)] public sealed record Person(int Id, string Name) { public required Person? Friend { get; init; } public List<Person>? Children { get; set; } [NinoOnDeserialized] private void Done() { } }" },
        { "EarlyReferences", "Shop_ParentCodec", "namespace Shop; [NinoType(References = true)] public sealed record Parent(string Name, List<Child> Children, HashSet<Child> Wards) { public required Parent? Other { get; init; } } [NinoType(References = true)] public sealed class Child { public Parent? Parent { get; set; } }" },
        { "ReferencesUnion", "Shop_ItemUnion", "namespace Shop; [NinoType(References = true)] public abstract class Item { public Item? Next { get; set; } } [NinoType] public sealed class Tool : Item;" },
        { "Callbacks", "Shop_CounterCodec", "namespace Shop; [NinoType] public struct Counter { public int Value; [NinoOnSerializing] private void Before() => Value++; [NinoOnDeserializing] public void Made() { } [NinoConstructor] private static Counter Create() => default; }" },
        { "ClassView", "Shop_OrderCodec.View", "namespace Shop; [NinoType] public class Order(int id) { public string? Customer { get; set; } public int Id { get; } = id; public List<Line>? Lines { get; set; } public Uri? Page; public Dictionary<string, decimal>? Prices; } [NinoType] public record struct Line(string? Text, int Count); internal static class Outer { [NinoType] public sealed record Inner(string A); }" },
        { "RecursiveView", "Shop_TreeCodec.View", "namespace Shop; [NinoType] public sealed record Tree(int Value, Tree? Left, List<Tree>? Children);" },
        { "StructView", "Shop_MoneyCodec.View", "namespace Shop; public enum Currency : byte { Euro } [NinoType] internal record struct Money(decimal Amount, Currency Currency);" },
        { "UnionView", "Shop_ShapeUnion.View", "namespace Shop; [NinoType] public abstract class Shape; [NinoType] public sealed class Circle : Shape { public double Radius { get; set; } } [NinoType(View = false)] public sealed class Square : Shape { public int Side { get; set; } }" },
        { "SkippingUnionView", "Shop_IMarkUnion.View", "namespace Shop; [NinoType(SkipUnknownCases = true), NinoUnion(1, typeof(Dot))] public interface IMark; [NinoType] public readonly record struct Dot(int X) : IMark;" },
        { "ViewLeftOut", "Shop_OrderCodec.View", "[assembly: NinoDefaults(View = false)] namespace Shop; [NinoType(View = true)] public sealed record Order(int Id, string? Customer, Line? Line, List<Line>? Lines); [NinoType] public sealed record Line(string? Text);" },
        { "Registration", "NinoRegistration", "[assembly: NinoSerializable(typeof(List<int>))] [NinoType] public sealed record Trade(int Id); [NinoType] public sealed record Box<T>(T Value); [NinoType] public sealed record Use(Box<Trade> Box);" },
    };

    [Theory]
    [MemberData(nameof(Snapshots))]
    public void GeneratedCodeIsAsCommitted(string name, string hintName, string source)
    {
        GeneratorRunResult result = GeneratorHarness.Generate(source);
        string version = typeof(Store.Serialization.Generator.NinoGenerator).Assembly.GetName().Version!.ToString(3);
        string generated = GeneratorHarness.SourceOf(result, hintName + ".g.cs").Replace($"\"{version}\"", "\"VERSION\"");
        string path = Path.Combine(Repository.Root, "Store.Tests", "Generator", "Snapshots", name + ".txt");
        string committed = File.Exists(path) ? File.ReadAllText(path).Replace("\r\n", "\n") : "";
        if (generated == committed) return;
        File.WriteAllText(path, generated);
        Assert.Fail($"The generated code differs from Snapshots/{name}.txt. The file has been rewritten: review the difference, then run the test again.");
    }
}
