using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Tests.Generator;

/// <summary>What generated code adds to the names of an assembly: docs/generated-code.md.</summary>
public sealed class GeneratedNamesTests
{
    private const string FSharp = "[NinoType] public sealed record Outcome(Microsoft.FSharp.Core.FSharpResult<int, string> Result, Microsoft.FSharp.Core.FSharpOption<int> Some, Microsoft.FSharp.Collections.FSharpList<object> All, Microsoft.FSharp.Core.FSharpChoice<int, long>? One);";

    private static IEnumerable<string> Sources => ((IEnumerable<object[]>)GeneratedCodeTests.Sources).Select(static row => (string)row[0]).Where(static source => !source.Contains("Nope")).Append(FSharp);

    [Fact]
    public void WhatOneFileAloneUsesIsLocalToItAndEverythingElseIsHidden()
    {
        foreach (string source in Sources)
        {
            CSharpCompilation compilation = GeneratorHarness.Compile(source);
            GeneratorDriver driver = GeneratorHarness.Driver().RunAbroad(compilation, out Compilation output, out _);
            SyntaxTree[] trees = [.. Assert.Single(driver.GetRunResult().Results).GeneratedSources.Select(static one => one.SyntaxTree)];
            ILookup<string, SyntaxTree> uses = trees.SelectMany(static tree => tree.GetRoot().DescendantTokens().Where(static token => token.IsKind(SyntaxKind.IdentifierToken)).Select(static token => token.ValueText).Distinct().Select(name => (name, tree))).ToLookup(static one => one.name, static one => one.tree);
            foreach (SyntaxTree tree in trees)
            {
                foreach (TypeDeclarationSyntax declared in tree.GetRoot().DescendantNodes().OfType<TypeDeclarationSyntax>()) Check(output.GetSemanticModel(tree).GetDeclaredSymbol(declared)!, tree, uses);
            }
        }
    }

    [Fact]
    public void FriendsHaveCodecsOfTheSameNames() => Programs.RunWith(
        [
            ("P1", Friend("P1"), 0),
            ("P2", Friend("P2"), 1),
        ],
        "[NinoType] public class Own { public (int, string) Pair; public Microsoft.FSharp.Core.FSharpResult<int, string> Result; public Microsoft.FSharp.Collections.FSharpList<int>? List; public object? Any; public P1.A? First; public P2.A? Second; }", """
        Own copy = Copy(new Own { Pair = (1, "p"), Result = Microsoft.FSharp.Core.FSharpResult<int, string>.NewOk(3), Any = 4, First = new P1.A { Pair = (5, "q") }, Second = new P2.A { Any = 6L } });
        Equal((1, "p", 3, 4, 5, 6L), (copy.Pair.Item1, copy.Pair.Item2, copy.Result.ResultValue, (int)copy.Any!, copy.First!.Pair.Item1, (long)copy.Second!.Any!));
        """);

    private static string Friend(string name) =>
        $"[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Shop\"), System.Runtime.CompilerServices.InternalsVisibleTo(\"P2\")] namespace {name}; [NinoType] public class A {{ public (int, string) Pair; public Microsoft.FSharp.Core.FSharpResult<int, string> Result; public Microsoft.FSharp.Collections.FSharpList<int>? List; public object? Any; }}";

    private static void Check(INamedTypeSymbol type, SyntaxTree file, ILookup<string, SyntaxTree> uses)
    {
        if (type.ContainingType is not null)
        {
            Assert.True(type.DeclaredAccessibility == Accessibility.Private, $"'{type}' is seen.");
            return;
        }

        Assert.True(Has(type, "GeneratedCodeAttribute"), $"'{type}' is not marked.");
        Assert.True(type.IsFileLocal || type.IsRefLikeType || Has(type, "EditorBrowsableAttribute"), $"'{type}' is offered.");
        if (type.IsFileLocal || type.IsRefLikeType) return;
        Assert.Equal((Accessibility.Internal, "Store.Serialization.Generated"), (type.DeclaredAccessibility, type.ContainingNamespace.ToDisplayString()));
        // The forms of F# are printed together, whichever are used.
        Assert.True(uses[type.Name].Any(other => other != file) || file.FilePath.Contains("FSharpForms", StringComparison.Ordinal), $"'{type}' could be file-local.");
        ISymbol?[] ofInterfaces = [.. type.AllInterfaces.SelectMany(static one => one.GetMembers()).Select(type.FindImplementationForInterfaceMember)];
        foreach (ISymbol member in type.GetMembers())
        {
            if (member.IsImplicitlyDeclared || member.DeclaredAccessibility == Accessibility.Private || member is IMethodSymbol { AssociatedSymbol: not null }) continue;
            Assert.True(ofInterfaces.Contains(member, SymbolEqualityComparer.Default), $"'{member}' could be private.");
        }
    }

    private static bool Has(INamedTypeSymbol type, string attribute) => type.GetAttributes().Any(one => one.AttributeClass?.Name == attribute);
}
