// Fields that a getter fills, so that they need not be stored: only where they were empty, of what the object holds, and nobody else gives them a value of his own. A guess from the syntax, without semantic model: this runs at
// every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class Caches
{
    // Methods that set what they are given by reference, whatever it holds.
    private static readonly HashSet<string> s_setting = ["Add", "And", "Decrement", "Exchange", "Increment", "Or", "Write"];

    /// <summary>A state is one.</summary>
    /// <param name="state">The field or auto-property.</param>
    /// <param name="type">What it holds.</param>
    /// <param name="setting">The properties whose getters set it, at least one.</param>
    /// <param name="levels">The classes that may set it.</param>
    public static bool Is(ISymbol state, ITypeSymbol type, List<IPropertySymbol> setting, IEnumerable<INamedTypeSymbol> levels) =>
        setting.TrueForAll(property => AccessorCode.Bodies(property, onlyGetter: true).SelectMany(body => AccessorCode.Mentions(body, state.Name)).Where(AccessorCode.IsSet).All(IsFilled) && !MadeWhenAsked.Is(property, state, type) && !IsMadeEmpty(property, state, type))
        && !levels.SelectMany(static level => level.GetMembers()).Any(member => IsGivenBy(member, state));

    /// <summary>Only where something is the case is it set there, as where it is still null.</summary>
    public static bool IsFilled(ExpressionSyntax mention)
    {
        if (mention.Parent is AssignmentExpressionSyntax assignment)
        {
            if (assignment.RawKind == (int)SyntaxKind.CoalesceAssignmentExpression) return true;
            if (assignment.RawKind != (int)SyntaxKind.SimpleAssignmentExpression) return false;
            // `_text = _text ?? ...`.
            if (assignment.Right is BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression } or ConditionalExpressionSyntax && mention is IdentifierNameSyntax && AccessorCode.Mentions(assignment, AccessorCode.NameOf(mention)).Count() > 1) return true;
        }
        else if (mention.Parent is ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax call })
        {
            return !(call.Expression is MemberAccessExpressionSyntax { Name.Identifier.ValueText: var method } && s_setting.Contains(method));
        }
        else if (mention.Parent is not ArgumentSyntax)
        {
            return false;
        }

        return mention.Ancestors().TakeWhile(static around => around is not (MemberDeclarationSyntax or AccessorDeclarationSyntax))
            .Any(static around => around is IfStatementSyntax or ConditionalExpressionSyntax or SwitchStatementSyntax or SwitchExpressionSyntax or BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression })
            // Behind `if (_x is not null) return _x;`.
            || mention.FirstAncestorOrSelf<StatementSyntax>() is { Parent: BlockSyntax block } statement && block.Statements.TakeWhile(one => one != statement).Any(static before => before is IfStatementSyntax);
    }

    /// <summary>A collection that the getter makes without elements: they come from elsewhere.</summary>
    private static bool IsMadeEmpty(IPropertySymbol property, ISymbol state, ITypeSymbol type) =>
        AccessorCode.Bodies(property, onlyGetter: true).SelectMany(body => AccessorCode.Mentions(body, state.Name)).Where(AccessorCode.IsSet)
            .Any(mention => MadeWhenAsked.Made(mention) is CollectionExpressionSyntax { Elements.Count: 0 } or BaseObjectCreationExpressionSyntax { ArgumentList.Arguments.Count: 0, Initializer: null }
                && MemberParser.IsCollection(type)
                // Unless it is filled there, or by what is called next.
                && mention.FirstAncestorOrSelf<StatementSyntax>() is not { Parent: BlockSyntax { Statements.Count: > 1, Parent: IfStatementSyntax } }
                && !AccessorCode.Bodies(property, onlyGetter: true).SelectMany(body => AccessorCode.Mentions(body, state.Name)).Any(AccessorCode.ChangesElements));

    /// <summary>A method or setter sets it to what it is given, or counts in it.</summary>
    private static bool IsGivenBy(ISymbol member, ISymbol state)
    {
        if (state.DeclaredAccessibility == Accessibility.Private && !SymbolEqualityComparer.Default.Equals(member.ContainingType.OriginalDefinition, state.ContainingType.OriginalDefinition)) return false;
        bool isMade = member is IMethodSymbol { MethodKind: MethodKind.Constructor };
        IEnumerable<SyntaxNode> bodies = member switch
        {
            IPropertySymbol property => AccessorCode.Setters(property),
            IMethodSymbol { MethodKind: MethodKind.Ordinary } => AccessorCode.Bodies(member, onlyGetter: false),
            IMethodSymbol { MethodKind: MethodKind.Constructor } => member.DeclaringSyntaxReferences.Select(static reference => reference.GetSyntax()).OfType<ConstructorDeclarationSyntax>().Select(static one => (SyntaxNode?)one.Body ?? one.ExpressionBody).OfType<SyntaxNode>(),
            _ => [],
        };
        HashSet<string> given = member is IMethodSymbol method ? [.. method.Parameters.Select(static parameter => parameter.Name)] : ["value"];
        return bodies.SelectMany(body => AccessorCode.Mentions(body, state.Name)).Any(mention => mention.Parent switch
        {
            AssignmentExpressionSyntax { RawKind: (int)SyntaxKind.SimpleAssignmentExpression } assignment => assignment.Left == mention && (isMade ? assignment.Right : Leftmost(assignment.Right)) is IdentifierNameSyntax name && given.Contains(name.Identifier.ValueText),
            AssignmentExpressionSyntax assignment => assignment.Left == mention && assignment.RawKind is (int)SyntaxKind.AddAssignmentExpression or (int)SyntaxKind.SubtractAssignmentExpression,
            PrefixUnaryExpressionSyntax or PostfixUnaryExpressionSyntax => AccessorCode.IsSet(mention),
            ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Expression: IdentifierNameSyntax { Identifier.ValueText: "Interlocked" }, Name.Identifier.ValueText: var call } } } => s_setting.Contains(call),
            _ => false,
        });
    }

    // Of `text.Trim()` and `text ?? throw ...` that is `text`.
    private static ExpressionSyntax Leftmost(ExpressionSyntax expression) => expression switch
    {
        InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax access } => Leftmost(access.Expression),
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression } either => Leftmost(either.Left),
        ParenthesizedExpressionSyntax inner => Leftmost(inner.Expression),
        _ => expression,
    };
}
