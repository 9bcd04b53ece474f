using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Store.Tests.Generator.HotReload;

/// <summary>Code that changes under a running program: docs/generated-code.md, "Hot reload".</summary>
public sealed class HotReloadTests
{
    private const string Types = """
        using Store.Serialization;

        namespace Shop;

        [NinoType]
        public sealed class Order
        {
            public int Id { get; set; }
            public Line? Line { get; set; }
            public int Twice() => Id * 2;
        }

        [NinoType]
        public sealed class Line
        {
            public int Count { get; set; }
        }

        """;

    // A record is looked at by the schema that stands beside it, as another process would.
    private const string Program = """
        using Store.Serialization;
        using Shop;

        for (int i = 0; i < 9_000; i++)
        {
            byte[] record = NinoSerializer.Serialize(new Order { Id = 7, Line = new Line { Count = 3 } });
            string fits;
            try
            {
                fits = NinoValue.Decode(NinoSerializer.SchemaOf<Order>(), record).ToString()!;
            }
            catch (NinoSerializationException error)
            {
                fits = "WRONG " + error.Message;
            }

            Console.WriteLine($"process {Environment.ProcessId} twice {new Order { Id = 7 }.Twice()} bytes {record.Length} {fits}");
            Thread.Sleep(100);
        }

        """;

    [Fact]
    public void DotnetWatchStartsAProgramAgainWhenWhatIsStoredChangesAndNotWhenAMethodDoes()
    {
        using var program = new WatchedProgram(("Types.cs", Types), ("Program.cs", Program));
        string first = Process(program.WaitFor(static line => line.Contains(" twice 14 bytes ", StringComparison.Ordinal)));
        program.WaitFor(static line => line.Contains("Waiting for changes", StringComparison.Ordinal));

        program.Write("Types.cs", Types.Replace("Id * 2", "Id * 3"));
        Assert.Equal(first, Process(program.WaitFor(static line => line.Contains(" twice 21 bytes ", StringComparison.Ordinal))));

        program.Write("Types.cs", Types.Replace("Id * 2", "Id * 4").Replace("public int Count { get; set; }", "public int Count { get; set; } public long Price { get; set; }"));
        Assert.NotEqual(first, Process(program.WaitFor(static line => line.Contains(" bytes 17 ", StringComparison.Ordinal) || line.Contains(" twice 28 ", StringComparison.Ordinal))));
        Assert.DoesNotContain("WRONG", program.Printed, StringComparison.Ordinal);

        static string Process(string line) => line.Split(' ').SkipWhile(static word => word != "process").ElementAt(1);
    }

    public static TheoryData<string, string> ChangesOfWhatIsStored => new()
    {
        { "public int Count { get; set; }", "public int Count { get; set; } public int More { get; set; }" },
        { "public int Count { get; set; }", "public int Number { get; set; }" },
        { "public int Count { get; set; }", "public long Count { get; set; }" },
        { "public int Count { get; set; }", "public int? Count { get; set; }" },
        { "public int Count { get; set; }", "[NinoMember(3)] public int Count { get; set; }" },
        { "public int Count { get; set; }", "[NinoFormerName(\"Number\")] public int Count { get; set; }" },
        { "public int Count { get; set; }", "[NinoIgnore] public int Count { get; set; }" },
        { "public string? Name { get; set; } public Line? Line { get; set; }", "public Line? Line { get; set; } public string? Name { get; set; }" },
        { "public string? Name", "[NinoUtf8] public string? Name" },
        { "T? Value", "T? Value, T? Other" },
        { "Circle : Shape;", "Circle : Shape; [NinoType] public sealed class Square : Shape;" },
        { "[NinoType] public sealed class Alone", "[NinoType] public sealed class Fresh; [NinoType] public sealed class Alone" },
        { "[NinoType] public sealed class Line", "[NinoType(Name = \"line\")] public sealed class Line" },
        { "[NinoType] public sealed class Line", "[NinoType(References = true)] public sealed class Line" },
        { "[NinoType] public abstract class Shape", "[NinoType(SkipUnknownCases = true)] public abstract class Shape" },
        { "FSharpResult<int, string>", "FSharpResult<long, string>" },
        { "Write(ref writer, value);", "Write(ref writer, value + 1);" },
        { "Write(ref writer, value.Number);", "Write(ref writer, value.Number + 1);" },
    };

    [Theory]
    [MemberData(nameof(ChangesOfWhatIsStored))]
    public void WhatIsStoredDoesNotChangeWithoutAConstantThatNoToolExchanges(string before, string after)
    {
        Assert.Contains(before, Stored, StringComparison.Ordinal);
        Dictionary<string, ulong> was = Constants(Stored), now = Constants(Stored.Replace(before, after));
        Assert.Contains(now, one => was.TryGetValue(one.Key, out ulong other) && other != one.Value);
    }

    [Theory]
    [InlineData("=> Id * 2", "=> Id * 3")]
    [InlineData("[NinoType] public sealed class Alone", "/* moved */\n\npublic sealed class Unmarked { public int X; } [NinoType] public sealed class Alone")]
    [InlineData("Write(ref writer, value);", "Write(ref writer, value); // as before")]
    [InlineData("Write(ref writer, value.Number);", "Write(ref writer, value.Number); // as before")]
    [InlineData("public static class Start {", "public static class Start { public static int Two() => 2;")]
    public void OtherEditsChangeNoneOfThem(string before, string after)
    {
        Assert.Contains(before, Stored, StringComparison.Ordinal);
        Dictionary<string, ulong> was = Constants(Stored);
        Assert.NotEmpty(was);
        Assert.Equal(was, Constants(Stored.Replace(before, after)));
    }

    /// <summary>Views and the forms of F# store nothing and keep nothing.</summary>
    [Fact]
    public void EveryCodecAndWhatRegistersThemHaveOne()
    {
        string[] fixedTypes = [.. Constants(Stored).Keys.Order(StringComparer.Ordinal)];
        string[] all = [.. GeneratorHarness.Generate(Stored).GeneratedSources
            .SelectMany(static source => source.SyntaxTree.GetRoot().ChildNodes().OfType<Microsoft.CodeAnalysis.CSharp.Syntax.BaseNamespaceDeclarationSyntax>())
            .Where(static space => space.Name.ToString() == "Store.Serialization.Generated")
            .SelectMany(static space => space.Members.OfType<Microsoft.CodeAnalysis.CSharp.Syntax.TypeDeclarationSyntax>())
            .Select(static type => type.Identifier.ValueText).Where(static name => !name.StartsWith("FSharp", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];
        Assert.Equal(all, fixedTypes);
        Assert.All((string[])["NinoRegistration", "ObjectCases", "Shop_ShapeUnion", "Shop_LineCodec", "Shop_Box_0int_2Codec"], name => Assert.Contains(name, all));
        Assert.Contains(all, static name => name.EndsWith("FSharpUnion", StringComparison.Ordinal));
    }

    private const string Stored = """
        namespace Shop;
        [NinoType] public sealed class Order { public int Id { get; set; } public string? Name { get; set; } public Line? Line { get; set; } public Box<int>? Box { get; set; } public object? Any { get; set; } public Microsoft.FSharp.Core.FSharpResult<int, string> Result { get; set; } public Microsoft.FSharp.Collections.FSharpList<int>? List { get; set; } public int Twice() => Id * 2; }
        [NinoType] public sealed class Line { public int Count { get; set; } }
        [NinoType] public sealed record Box<T>(T? Value);
        [NinoType] public abstract class Shape { public int Id { get; set; } }
        [NinoType] public sealed class Circle : Shape;
        [NinoType] public sealed class Alone { [NinoCodec(typeof(OwnCodec))] public long Own { get; set; } }
        public readonly struct OwnCodec : INinoCodec<long>
        {
            public static int MinSize => 8;
            public static SchemaNode Describe(SchemaBuilder builder) => Store.Serialization.Codecs.Int64Codec.Describe(builder);
            public void Write(ref NinoWriter writer, in long value) => default(Store.Serialization.Codecs.Int64Codec).Write(ref writer, value);
            public long Read(ref NinoReader reader) => default(Store.Serialization.Codecs.Int64Codec).Read(ref reader);
        }
        """ + Chosen;

    /// <summary>Where nothing else is stored, too.</summary>
    [Fact]
    public void ACodecThatIsChosenAtRunTimeCountsInAnAssemblyWithoutTypes()
    {
        string source = "namespace Shop;\n" + Chosen;
        ulong was = Assert.Single(Constants(source)).Value;
        Assert.NotEqual(was, Assert.Single(Constants(source.Replace("value.Number);", "value.Number + 1);"))).Value);
        Assert.Empty(Constants(source.Replace("NinoObjects.Register<Price, PriceCodec>(\"price\")", "System.Console.WriteLine()")));
    }

    private const string Chosen = """

        public readonly record struct Price(long Number);
        public readonly struct PriceCodec : INinoCodec<Price>
        {
            public static int MinSize => 8;
            public static SchemaNode Describe(SchemaBuilder builder) => Store.Serialization.Codecs.Int64Codec.Describe(builder);
            public void Write(ref NinoWriter writer, in Price value) => default(Store.Serialization.Codecs.Int64Codec).Write(ref writer, value.Number);
            public Price Read(ref NinoReader reader) => new(default(Store.Serialization.Codecs.Int64Codec).Read(ref reader));
        }
        public static class Start { public static void Run() => NinoObjects.Register<Price, PriceCodec>("price"); }
        """;

    private static Dictionary<string, ulong> Constants(string source)
    {
        CSharpCompilation compilation = GeneratorHarness.Compile(source);
        GeneratorHarness.Driver().RunAbroad(compilation, out Compilation output, out _);
        Assert.DoesNotContain(output.GetDiagnostics(), static one => one is { Severity: DiagnosticSeverity.Error, IsWarningAsError: false });
        IEnumerable<IFieldSymbol> fields = output.GetSymbolsWithName("ChangesNeedRestart", SymbolFilter.Member).OfType<IFieldSymbol>();
        return fields.ToDictionary(static field => field.ContainingType.Name, static field => (ulong)field.ConstantValue!);
    }
}
