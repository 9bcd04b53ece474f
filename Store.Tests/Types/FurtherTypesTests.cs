using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Store.Tests.Generator;

namespace Store.Tests.Types;

/// <summary>Types without a mark are told with all that they lead to, so that registering a model takes one round and not one for each level.</summary>
public sealed class FurtherTypesTests
{
    private const string Models = """
        namespace Lib
        {
            public class Order { public Line[]? Lines { get; set; } public Known? Known { get; set; } }
            public class Line { public Tax? Tax { get; set; } public Dictionary<string, Money>? Prices { get; set; } public Line? Next { get; set; } public Known? Known { get; set; } }
            public class Tax { public Rate Rate { get; set; } public Order? Back { get; set; } }
            public class Money { public decimal Amount { get; set; } }
            public struct Rate { public int Percent { get; set; } }
            public class Known { public Deep? Deep { get; set; } }
            public class Deep { public int X { get; set; } }
        }
        """;

    [Fact]
    public void AllThatAModelLeadsToIsToldAtOnce()
    {
        const string Register = "[assembly: NinoSerializable(typeof(Lib.Order))] [assembly: NinoSerializable(typeof(Lib.Known))] [assembly: NinoSerializable(typeof(Lib.Deep))]";
        Diagnostic told = Assert.Single(GeneratorHarness.DiagnoseWithLibrary(Models, Register, isReferenceAssembly: true));
        Assert.Equal("NINO001", told.Id);
        const string More = "[assembly: NinoSerializable(typeof(Lib.Tax))], [assembly: NinoSerializable(typeof(Lib.Money))], [assembly: NinoSerializable(typeof(Lib.Rate))]";
        Assert.EndsWith("add [assembly: NinoSerializable(typeof(Lib.Line))], or leave the member out with [IgnoreDataMember] there; what it leads to needs that too: " + More, told.GetMessage());
        Assert.Empty(GeneratorHarness.DiagnoseWithLibrary(Models, Register + " [assembly: NinoSerializable(typeof(Lib.Line))] " + More.Replace(",", "", StringComparison.Ordinal), isReferenceAssembly: true));
    }

    [Fact]
    public void TypesOfTheProgramAreToldByTheirNames() => Assert.EndsWith("; what it leads to needs that too: [NinoType] on 'C', [NinoType] on 'Out.D'", Assert.Single(GeneratorHarness.Diagnose(
        "[NinoType] public class A { public B? B; } public class B { public List<C>? C; public B? Next; } public class C { public Out.D D; } public static class Out { public struct D { public int X; } }")).GetMessage());

    [Fact]
    public void WhatSeveralLeadToIsToldWithTheFirst()
    {
        ImmutableArray<Diagnostic> told = GeneratorHarness.Diagnose("[NinoType] public class A { public B? B; public C? C; public B? Again; } public class B { public D? D; } public class C { public D? D; public E? E; } public class D { public int X; } public class E { public int X; }");
        Assert.Equal(["[NinoType] on 'D'", "[NinoType] on 'E'", "[NinoType] on 'D'"], told.Select(static one => one.GetMessage().Split("too: ")[1]));
    }

    [Fact]
    public void OneThatLeadsNowhereIsToldAsItIs() => Assert.EndsWith("or leave the member out with [NinoIgnore]", Assert.Single(GeneratorHarness.Diagnose("[NinoType] public class A { public B? B; } public class B { public int X; }")).GetMessage());

    [Fact]
    public void ManyAreCounted()
    {
        string types = string.Concat(Enumerable.Range(1, 50).Select(static one => $"public class T{one} {{ public T{one + 1}? Next; }} "));
        string message = Assert.Single(GeneratorHarness.Diagnose("[NinoType] public class A { public T1? First; } " + types + "public class T51 { public int X; }")).GetMessage();
        Assert.EndsWith("[NinoType] on 'T31' and 20 more", message);
    }

    /// <summary>A generic type that grows without end is told as that, once it has a mark.</summary>
    [Fact]
    public void OnesWithoutEndEnd() => Assert.Contains(GeneratorHarness.Diagnose("[NinoType] public class A { public B<int>? B; } public class B<T> { public B<List<T>>? Next; }"), static told => told.Id == "NINO001");
}
