// Stored properties without a setter whose getter makes something else of what the constructor that reading calls is given in their name, as `Seconds => seconds % 60`: reading gives it what the getter made, and what else shows
// the value shows another one then. No semantic model: this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class ChangingGetters
{
    /// <summary>Each with its parameter. One with [NinoInclude] says that what its getter gives is all there is to store.</summary>
    public static IEnumerable<(IPropertySymbol Property, IParameterSymbol Parameter)> Of(ParsedType type, IMethodSymbol? constructor, Dictionary<ParsedMember, IParameterSymbol> matches)
    {
        if (constructor is not { MethodKind: MethodKind.Constructor }) yield break;
        foreach (ParsedMember member in type.Members)
        {
            if (member is not { Set: MemberSet.Constructor, IsMarked: false, Symbol: IPropertySymbol property } || !matches.TryGetValue(member, out IParameterSymbol given)) continue;
            if (MemberParser.IsAutoProperty(property) || MemberParser.IsCollection(property.Type) || GetterOf(property) is not { } getter || NameOfShown(getter) is not null) continue;
            HashSet<string> read = [.. AccessorCode.Mentions(getter).Select(AccessorCode.NameOf)];
            if (ConstructorParser.IsPrimary(constructor) ? read.Contains(given.Name) : KeptAsItIs(constructor, given).Any(read.Contains)) yield return (property, given);
        }
    }

    /// <summary>The member that the getter of a property gives as it is, or with something in the place of null.</summary>
    public static string? NameOfGiven(IPropertySymbol property) => GetterOf(property) is { } getter ? NameOfShown(getter) : null;

    /// <summary>What a getter gives where it does nothing else.</summary>
    private static ExpressionSyntax? GetterOf(IPropertySymbol property)
    {
        List<SyntaxNode> bodies = [.. AccessorCode.Bodies(property, onlyGetter: true)];
        if (bodies.Count != 1) return null;
        if (bodies[0] is ArrowExpressionClauseSyntax whole) return whole.Expression;
        if (bodies[0] is not AccessorDeclarationSyntax getter) return null;
        return getter.ExpressionBody?.Expression ?? (getter.Body is { Statements: { Count: 1 } only } && only[0] is ReturnStatementSyntax given ? given.Expression : null);
    }

    /// <summary>The member that an expression gives as it is, or with something in the place of null.</summary>
    public static string? NameOfShown(ExpressionSyntax expression) => expression switch
    {
        IdentifierNameSyntax name => name.Identifier.ValueText,
        MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax or BaseExpressionSyntax } access => access.Name.Identifier.ValueText,
        // Of what may be null.
        MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Value" } access => NameOfShown(access.Expression),
        // Nothing is given where there is nothing to give.
        ConditionalExpressionSyntax { WhenTrue: ThrowExpressionSyntax } choice => NameOfShown(choice.WhenFalse),
        ConditionalExpressionSyntax { WhenFalse: ThrowExpressionSyntax } choice => NameOfShown(choice.WhenTrue),
        ParenthesizedExpressionSyntax inner => NameOfShown(inner.Expression),
        CastExpressionSyntax cast => NameOfShown(cast.Expression),
        PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression } sure => NameOfShown(sure.Operand),
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression } either => NameOfShown(either.Left),
        AssignmentExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceAssignmentExpression } made => NameOfShown(made.Left),
        // Volatile.Read(ref _x).
        InvocationExpressionSyntax { ArgumentList.Arguments: { Count: 1 } arguments } when arguments[0].RefKindKeyword.IsKind(SyntaxKind.RefKeyword) || arguments[0].RefKindKeyword.IsKind(SyntaxKind.InKeyword) => NameOfShown(arguments[0].Expression),
        _ => null,
    };

    /// <summary>Members that a constructor sets to a parameter.</summary>
    private static IEnumerable<string> KeptAsItIs(IMethodSymbol constructor, IParameterSymbol parameter) =>
        AccessorCode.Declared(constructor).SelectMany(static declared => declared.DescendantNodes().OfType<AssignmentExpressionSyntax>())
            .Where(set => set.IsKind(SyntaxKind.SimpleAssignmentExpression) && NameOfShown(set.Right) == parameter.Name)
            .Select(static set => NameOfShown(set.Left)).OfType<string>();
}
