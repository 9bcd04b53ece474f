// Which of the code in a body is run when that is: not what is inside of lambdas and local functions that are kept for later. A guess from the syntax, without semantic model: this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

/// <summary>Each lambda and local function is looked at once.</summary>
internal sealed class RunCode
{
    // Methods that call what they are given later, if at all.
    private static readonly HashSet<string> s_keeping = ["Add", "ContinueWith", "Enqueue", "Push", "Register", "Subscribe", "TryAdd"];

    private readonly Dictionary<SyntaxNode, bool> _known = [];

    /// <summary>A node is run. Whom a lambda is handed to calls it at once, as far as anybody knows; who subscribes it, keeps it in a member or makes a lazy value of it does so later.</summary>
    public bool Has(SyntaxNode node)
    {
        foreach (SyntaxNode around in node.Ancestors().TakeWhile(static around => !IsBody(around)))
        {
            if (around is (AnonymousFunctionExpressionSyntax or LocalFunctionStatementSyntax) && !IsCalled(around)) return false;
        }

        return true;
    }

    private static bool IsBody(SyntaxNode node) => node is MemberDeclarationSyntax or AccessorDeclarationSyntax;

    private bool IsCalled(SyntaxNode function)
    {
        if (_known.TryGetValue(function, out bool known)) return known;
        // One that only itself calls, in a circle or not, is called by nobody.
        _known[function] = false;
        return _known[function] = function is LocalFunctionStatementSyntax local ? IsNamed(local, local.Identifier.ValueText) : IsHanded((ExpressionSyntax)function);
    }

    /// <summary>Code that is run calls it by its name, or hands it on.</summary>
    private bool IsNamed(SyntaxNode declared, string name) =>
        declared.Ancestors().FirstOrDefault(IsBody)?.DescendantNodes().OfType<SimpleNameSyntax>().Any(one => one.Identifier.ValueText == name && !declared.Span.Contains(one.Span) && IsHanded(one) && Has(one)) == true;

    private bool IsHanded(ExpressionSyntax function) => function.Parent switch
    {
        ParenthesizedExpressionSyntax or CastExpressionSyntax or ConditionalExpressionSyntax or BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression } => IsHanded((ExpressionSyntax)function.Parent),
        InvocationExpressionSyntax => true,
        // By Invoke() or Start().
        MemberAccessExpressionSyntax { Parent: InvocationExpressionSyntax } access => access.Expression == function,
        ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax call } => (call.Expression as MemberAccessExpressionSyntax)?.Name.Identifier.ValueText is not { } name || !s_keeping.Contains(name),
        ArgumentSyntax { Parent.Parent: BaseObjectCreationExpressionSyntax made } => made is not ObjectCreationExpressionSyntax { Type: GenericNameSyntax { Identifier.ValueText: "Lazy" } } && IsHanded(made),
        EqualsValueClauseSyntax { Parent: VariableDeclaratorSyntax local } => IsNamed(local, local.Identifier.ValueText),
        _ => false,
    };
}
