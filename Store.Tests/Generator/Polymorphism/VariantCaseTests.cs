namespace Store.Tests.Generator.Polymorphism;

/// <summary>Interfaces whose type parameters are <c>in</c> or <c>out</c>: an <c>IOut&lt;string&gt;</c> may stand where an <c>IOut&lt;object&gt;</c> is declared.</summary>
public class VariantCaseTests
{
    private const string Types = """
        [NinoType] public interface IOut<out T> { T? Get(); }
        [NinoType] public class Box<T> : IOut<T> { public T? Value { get; set; } public T? Get() => Value; }

        """;

    [Fact]
    public void ATypeThatImplementsANarrowerConstructionIsACaseOfTheWiderOne() => Programs.Run(Types + """
        [NinoType] public sealed class Text : IOut<string> { public string? Value { get; set; } public string? Get() => Value; }
        [NinoType] public sealed class Both : IOut<string>, IOut<Uri> { public int Id { get; set; } string? IOut<string>.Get() => "both"; Uri? IOut<Uri>.Get() => null; }
        [NinoType] public sealed class Number : IOut<int> { public int Value { get; set; } public int Get() => Value; }
        [NinoType] public sealed class Holder { public IOut<object>? Any { get; set; } public IOut<IEnumerable<char>>[]? Chars { get; set; } public IOut<int>? Whole { get; set; } }
        """, """
        Holder copy = Copy(new Holder { Any = new Text { Value = "t" }, Chars = [new Both { Id = 2 }, new Text { Value = "u" }], Whole = new Number { Value = 3 } });
        Equal(("t", 2, "u", 3), ((string)copy.Any!.Get()!, ((Both)copy.Chars![0]).Id, (string)copy.Chars[1].Get()!, copy.Whole!.Get()));
        """);

    [Fact]
    public void ATypeThatTakesMoreIsACaseOfTheConstructionThatTakesLess() => Programs.Run("""
        [NinoType] public interface IRule<in T, out TResult> where T : class { }
        [NinoType] public sealed class Length : IRule<object, string> { public int Least { get; set; } }
        [NinoType] public sealed class Holder { public IRule<string, object>? Rule { get; set; } }
        """, """
        Equal(4, ((Length)Copy(new Holder { Rule = new Length { Least = 4 } }).Rule!).Least);
        """);

    /// <summary>No value type is another one's variant, and no base is its derived type's.</summary>
    [Fact]
    public void WhatTheCompilerWouldNotAssignIsNoCase()
    {
        foreach (string member in (string[])["IOut<long>", "IOut<string>"])
        {
            string message = Assert.Single(GeneratorHarness.Diagnose($$"""
                [NinoType] public interface IOut<out T> { }
                [NinoType] public sealed class Number : IOut<int>;
                [NinoType] public sealed class Any : IOut<object>;
                [NinoType] public sealed class Holder { public {{member}}? M { get; set; } }
                """)).GetMessage();
            Assert.Contains("from which no [NinoType] in reach is derived", message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void AConstructionThatNobodyRegisteredIsRefusedWithAnAdviceThatMakesItACase()
    {
        const string Holder = "[NinoType] public sealed class Holder { public IOut<object>? Any { get; set; } }";
        const string Run = """
            var holder = new Holder { Any = new Box<string[][,]> { Value = [new[,] { { "x" } }] } };
            """;
        Programs.Run(Types + Holder + "[NinoType] public sealed class Started { public int Id; }", Run + """
            Copy(new Started());
            var error = new NinoSerializationException("");
            try { NinoSerializer.Serialize(holder); } catch (NinoSerializationException e) { error = e; }
            Equal(true, error.Message.Contains("[assembly: NinoSerializable(typeof(Box<System.String[][,]>))]"));
            """);
        Programs.Run("[assembly: NinoSerializable(typeof(Box<System.String[][,]>))]\n" + Types + Holder, Run + """
            Equal("x", ((string[][,])Copy(holder).Any!.Get()!)[0][0, 0]);
            """);
    }

    [Fact]
    public void ABaseMayNameAVariantCase() => Programs.Run("""
        [NinoType, NinoUnion(3, typeof(Text))] public interface IOut<out T> { }
        [NinoType] public sealed record Text(string Value) : IOut<string>;
        [NinoType] public sealed record Holder(IOut<object> Any, IOut<string> Same);
        """, """
        var holder = new Holder(new Text("a"), new Text("b"));
        Equal(holder, Copy(holder));
        Equal(2 * (1 + 2), NinoSerializer.Serialize(holder).Length);
        """);

    [Fact]
    public void ReferencesToAVariantCaseAreKept() => Programs.Run("""
        [NinoType(References = true)] public interface INode<out T> { INode<object>? Next { get; set; } }
        [NinoType(References = true)] public sealed class Node : INode<string> { public INode<object>? Next { get; set; } }
        [NinoType] public sealed class Holder { public INode<object>? First { get; set; } }
        """, """
        var node = new Node();
        node.Next = node;
        INode<object> first = Copy(new Holder { First = node }).First!;
        Equal(true, ReferenceEquals(first, first.Next));
        """);
}
