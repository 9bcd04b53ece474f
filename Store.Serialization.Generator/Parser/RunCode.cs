// Which of the code in a body is run when that is: not what is inside of lambdas and local functions that are kept for later. A guess from the syntax, without semantic model: this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

/// <summary>Each body with lambdas or local functions is looked at once.</summary>
internal sealed class RunCode
{
    // Methods that call what they are given later, if at all.
    private static readonly HashSet<string> s_keeping = ["Add", "ContinueWith", "Enqueue", "Push", "Register", "Subscribe", "TryAdd"];

    private readonly Dictionary<SyntaxNode, HashSet<SyntaxNode>> _called = [];

    /// <summary>A node is run. Whom a lambda is handed to calls it at once, as far as anybody knows; who subscribes it, keeps it in a member or makes a lazy value of it does so later.</summary>
    public bool Has(SyntaxNode node)
    {
        HashSet<SyntaxNode>? called = null;
        foreach (SyntaxNode around in node.Ancestors())
        {
            if (IsBody(around)) break;
            if (IsFunction(around) && !(called ??= CalledIn(around)).Contains(around)) return false;
        }

        return true;
    }

    private static bool IsBody(SyntaxNode node) => node is MemberDeclarationSyntax or AccessorDeclarationSyntax;

    private static bool IsFunction(SyntaxNode node) => node is AnonymousFunctionExpressionSyntax or LocalFunctionStatementSyntax;

    private HashSet<SyntaxNode> CalledIn(SyntaxNode function)
    {
        SyntaxNode body = function.Ancestors().FirstOrDefault(IsBody) ?? function;
        if (_called.TryGetValue(body, out HashSet<SyntaxNode>? called)) return called;
        _called.Add(body, called = []);
        ILookup<string, ExpressionSyntax> names = body.DescendantNodes().OfType<SimpleNameSyntax>().ToLookup(static name => name.Identifier.ValueText, static name => (ExpressionSyntax)name);
        ILookup<string, VariableDeclaratorSyntax> locals = body.DescendantNodes().OfType<VariableDeclaratorSyntax>().ToLookup(static local => local.Identifier.ValueText);
        var left = body.DescendantNodesAndSelf().Where(IsFunction).Select(one => (Function: one, Uses: Uses(one, names, locals))).ToList();
        // From what is run itself on: those that only each other call are called by nobody.
        while (left.RemoveAll(one => one.Uses.Exists(IsRun) && called.Add(one.Function)) > 0)
        {
        }

        return called;

        bool IsRun(SyntaxNode use) => use.Ancestors().TakeWhile(around => around != body).Where(IsFunction).All(called.Contains);
    }

    /// <summary>Where a function is called or handed on, by itself, its name or the locals that it is given to.</summary>
    private static List<SyntaxNode> Uses(SyntaxNode function, ILookup<string, ExpressionSyntax> names, ILookup<string, VariableDeclaratorSyntax> locals)
    {
        List<SyntaxNode> uses = [];
        HashSet<string> met = [];
        Stack<ExpressionSyntax> left = new();
        if (function is LocalFunctionStatementSyntax local) Follow(local.Identifier.ValueText);
        else left.Push((ExpressionSyntax)function);
        while (left.Count > 0)
        {
            ExpressionSyntax value = left.Pop();
            switch (value.Parent)
            {
                case ParenthesizedExpressionSyntax or CastExpressionSyntax or ConditionalExpressionSyntax or BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression }:
                    left.Push((ExpressionSyntax)value.Parent);
                    break;
                // By Invoke() or Start().
                case MemberAccessExpressionSyntax { Parent: InvocationExpressionSyntax } access when access.Expression == value:
                case ConditionalAccessExpressionSyntax asked when asked.Expression == value:
                case InvocationExpressionSyntax:
                case ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax call } when !s_keeping.Contains(NameOf(call)):
                    uses.Add(value);
                    break;
                case ArgumentSyntax { Parent.Parent: BaseObjectCreationExpressionSyntax made } when made is not ObjectCreationExpressionSyntax { Type: GenericNameSyntax { Identifier.ValueText: "Lazy" } }:
                    left.Push(made);
                    break;
                case EqualsValueClauseSyntax { Parent: VariableDeclaratorSyntax declared }:
                    Follow(declared.Identifier.ValueText);
                    break;
                case AssignmentExpressionSyntax { RawKind: (int)SyntaxKind.SimpleAssignmentExpression, Left: IdentifierNameSyntax to } set when set.Right == value && locals.Contains(to.Identifier.ValueText):
                    Follow(to.Identifier.ValueText);
                    break;
            }
        }

        return uses;

        void Follow(string name)
        {
            if (!met.Add(name)) return;
            foreach (ExpressionSyntax one in names[name]) left.Push(one);
        }
    }

    private static string NameOf(InvocationExpressionSyntax call) => call.Expression switch
    {
        MemberAccessExpressionSyntax access => access.Name.Identifier.ValueText,
        MemberBindingExpressionSyntax binding => binding.Name.Identifier.ValueText,
        SimpleNameSyntax name => name.Identifier.ValueText,
        _ => "",
    };
}
