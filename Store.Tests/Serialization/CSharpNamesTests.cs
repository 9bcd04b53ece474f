using System.Collections.Concurrent;
using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Store.Serialization;
using Store.Tests.Generator;

namespace Store.Tests.Serialization;

/// <summary>What a message tells to write is C# that means exactly the type it is about.</summary>
public sealed partial class CSharpNamesTests
{
    public static class Outer<T>
    {
        public sealed class Inner;

        public sealed class @class<TOther, TThird>;

        private protected sealed class Hidden;

        public static Type HiddenOne => typeof(Hidden);
    }

    private sealed class Own;

    public static TheoryData<Type> Named =>
    [
        typeof(int), typeof(string), typeof(object), typeof(nint), typeof(int?), typeof(DayOfWeek?[]),
        typeof(int[]), typeof(int[,]), typeof(int[][]), typeof(int[][,]), typeof(int[,][]), typeof(int[,][][,,]), typeof(int[][][,,][,]), typeof(List<string[][,]>[,][]),
        typeof(Dictionary<string, int[,][]>), typeof(KeyValuePair<int, (int A, string[,,] B)>), typeof((int, int, int, int, int, int, int, int)), typeof(Dictionary<int, byte>.KeyCollection),
        typeof(Outer<int[][,]>.Inner), typeof(Outer<Outer<int>.Inner[,]>.@class<string, int?>), typeof(Outer<int>.@class<string, Outer<long>.@class<int, int>>[][,]), typeof(@event.@dynamic), typeof(@event.@dynamic.@lock<int>), typeof(Größe<int[,][]>),
    ];

    public static TheoryData<Type> Unnamed =>
    [
        typeof(Own), typeof(List<Own>), typeof(Own[,][]), typeof(Outer<Own>.Inner), Outer<int>.HiddenOne, new { A = 1 }.GetType(), typeof(FileLocal), typeof(List<FileLocal[]>), Enumerable.Range(0, 3).Select(static i => i).GetType(),
        Array.CreateInstance(typeof(int), [1], [1]).GetType(), typeof(int*), typeof(List<>), typeof(List<>).GetGenericArguments()[0], StringComparer.Ordinal.GetType(),
    ];

    [Theory]
    [MemberData(nameof(Named))]
    public void ANameCompilesToItsType(Type type)
    {
        CSharpCompilation compilation = GeneratorHarness.Compile($"public static class C {{ public static Type Get() => typeof({CSharpNames.Of(type)}); }}").AddReferences(MetadataReference.CreateFromFile(typeof(CSharpNamesTests).Assembly.Location));
        using var image = new MemoryStream();
        Assert.Empty(compilation.Emit(image).Diagnostics.Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error));
        Assert.Equal(type, Assembly.Load(image.ToArray()).GetType("C")!.GetMethod("Get")!.Invoke(null, null));
    }

    [Theory]
    [MemberData(nameof(Unnamed))]
    public void WhatOtherCodeCannotNameHasNoName(Type type) => Assert.Null(CSharpNames.Of(type));

    [Fact]
    public void TheAttributeThatAnUnregisteredTypeAsksForRegistersIt()
    {
        var values = new object[] { new short[][,] { new short[,] { { 1, 2 } } }, new short[,][] { { [3] } }, new ConcurrentQueue<short[,][]>([new short[,][] { { [4] } }]) };
        string attributes = string.Concat(values.Select(static value => Attribute().Match(Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.Serialize(value, value.GetType())).Message).Value));
        Programs.Run(attributes, """
            Equal(2, Copy(new short[][,] { new short[,] { { 1, 2 } } })[0][0, 1]);
            Equal(3, Copy(new short[,][] { { [3] } })[0, 0][0]);
            Equal(4, System.Linq.Enumerable.Single(Copy(new System.Collections.Concurrent.ConcurrentQueue<short[,][]>([new short[,][] { { [4] } }])))[0, 0][0]);
            """);
        foreach (object value in values) Assert.NotEmpty(NinoSerializer.Serialize(value, value.GetType()));
    }

    [Fact]
    public void AQueryOrAnAnonymousObjectIsToldToBecomeATypeThatCanBeNamed()
    {
        foreach (object value in new object[] { Enumerable.Range(0, 3).Select(static i => i), new { A = 1 }, new List<Own>() })
            Assert.Contains("Convert it to a type that can be named", Assert.Throws<NinoTypeNotRegisteredException>(() => NinoSerializer.Serialize(value, value.GetType())).Message, StringComparison.Ordinal);
    }

    /// <summary>Afterwards the type is known.</summary>
    [Fact]
    public void AModuleInitializerThatUsesATypeOfItsAssemblyIsToldThatItComesFirst() => Programs.Run("""
        [NinoType] public class Early { public int Id { get; set; } }
        public static class First
        {
            public static string Told = "";
            [System.Runtime.CompilerServices.ModuleInitializer] internal static void Run()
            {
                try { NinoSerializer.Serialize(new Early()); }
                catch (NinoTypeNotRegisteredException error) { Told = error.Message; }
            }
        }
        """, """
        if (!First.Told.Contains("module initializers")) throw new InvalidOperationException(First.Told);
        Equal(3, Copy(new Early { Id = 3 }).Id);
        """);

    /// <summary>Nobody is sent to put the mark where it is: a bare pragma turns the generator's errors off, too.</summary>
    [Fact]
    public void ATypeWhoseErrorIsTurnedOffIsToldThatItHasTheMarkAndNoCodec() => Programs.Run("""
        #pragma warning disable
        namespace Shop
        {
            [NinoType] public class Order { public int Id { get; set; } public Comparer<int>? Kind { get; set; } }
            [NinoType] public class Basket { public Order? Order { get; set; } }
        }
        public static class Say
        {
            public static string Of(Action action)
            {
                try { action(); }
                catch (NinoTypeNotRegisteredException error) { return error.Message; }
                throw new InvalidOperationException("Nothing was thrown.");
            }
        }
        """, """
        Copy(1);
        string assembly = $"'{typeof(Shop.Order).Assembly.GetName().Name}' has no codec for it";
        foreach ((string message, string name) in new[]
        {
            (Say.Of(() => NinoSerializer.Serialize(new Shop.Order())), "Shop.Order"),
            (Say.Of(() => NinoSerializer.Serialize(new Shop.Basket())), "Shop.Basket"),
            (Say.Of(() => NinoSerializer.Serialize(new Shop.Order[1])), "Shop.Order"),
            (Say.Of(() => NinoSerializer.Serialize(new List<Shop.Order>())), "Shop.Order"),
            (Say.Of(() => NinoSerializer.Serialize((object)new Shop.Order(), typeof(Shop.Order))), "Shop.Order"),
        })
        {
            foreach (string part in new[] { $"'{name}' has [NinoType]", assembly, "#pragma warning disable", "NINO024", "brings the generator" })
                if (!message.Contains(part)) throw new InvalidOperationException($"Not '{part}': {message}");
            if (message.Contains("Put [NinoType]") || message.Contains("needs [")) throw new InvalidOperationException(message);
        }
        """);

    /// <summary>What the generator asks for, too.</summary>
    [Fact]
    public void TheAttributeThatTheGeneratorAsksForRegistersTheType()
    {
        const string Library = "namespace Lib; public class Grid<T> { public T? Value { get; set; } } public class @event { public int Id { get; set; } }";
        const string Program = "[NinoType] public class A { public Lib.Grid<int[][,]>[,][]? G; public Lib.Grid<dynamic>? D; public List<Lib.@event>? E; }";
        string[] attributes = [.. GeneratorHarness.DiagnoseWithLibrary(Library, Program, isReferenceAssembly: false).Select(static diagnostic => Attribute().Match(diagnostic.GetMessage()).Value)];
        Assert.Equal(3, attributes.Length);
        Assert.Empty(GeneratorHarness.DiagnoseWithLibrary(Library, string.Concat(attributes) + Program, isReferenceAssembly: false));
    }

    [GeneratedRegex(@"\[assembly: NinoSerializable\(typeof\(.*?\)\)\]")]
    private static partial Regex Attribute();
}

file sealed class FileLocal;

public sealed class Größe<T>;

#pragma warning disable CA1050, CS8981
public static class @event
{
    public sealed class @dynamic
    {
        public sealed class @lock<T>;
    }
}
