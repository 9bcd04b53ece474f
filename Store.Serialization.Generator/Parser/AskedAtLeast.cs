// A setter that compares what it is given with a member that has the least value of its type, or no elements, in a new object: nothing is less. No semantic model: this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class AskedAtLeast
{
    private static readonly HashSet<string> s_withoutLess = ["System.DateTime", "System.DateTimeOffset", "System.DateOnly", "System.TimeOnly", "System.UInt128", "System.UIntPtr"];

    /// <summary>What is done where a value is less than the member is never done: <c>if (value &lt; Start) throw</c>, <c>value &lt; Least ? Least : value</c>, <c>Math.Max(value, Least)</c>.</summary>
    /// <param name="asked">The member.</param>
    /// <param name="mention">Where the setter names it.</param>
    public static bool DoesNothing(SetterAsked asked, ExpressionSyntax mention)
    {
        ExpressionSyntax? least = asked.IsZeroAtFirst && HasZeroAsLeast(asked.Type) ? mention
            : mention.Parent is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Count" or "Length" } counted && counted.Expression == mention && !asked.IsFilledByConstructor && asked.Initial is CollectionExpressionSyntax { Elements.Count: 0 } or BaseObjectCreationExpressionSyntax { ArgumentList: null or { Arguments.Count: 0 }, Initializer: null } ? mention.Parent as ExpressionSyntax
            : null;
        if (least is null) return false;
        return least.Parent switch
        {
            BinaryExpressionSyntax { RawKind: (int)SyntaxKind.LessThanExpression or (int)SyntaxKind.LessThanOrEqualExpression } less => less.Right == least && SetterFlow.IsGiven(less.Left) && IsForWhatIsNot(less),
            BinaryExpressionSyntax { RawKind: (int)SyntaxKind.GreaterThanExpression or (int)SyntaxKind.GreaterThanOrEqualExpression } more => more.Left == least && SetterFlow.IsGiven(more.Right) && IsForWhatIsNot(more),
            ConditionalExpressionSyntax choice => choice.WhenTrue == least && IsNever(choice.Condition),
            AssignmentExpressionSyntax set => set.Right == least && set.FirstAncestorOrSelf<IfStatementSyntax>() is { } choice && choice.Statement.Span.Contains(set.Span) && IsNever(choice.Condition),
            ArgumentSyntax { Parent: ArgumentListSyntax { Parent: InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax called } } list } => called.Name.Identifier.ValueText is "Max" or "ThrowIfLessThan" && list.Arguments.Count > 0 && (called.Name.Identifier.ValueText == "Max" || SetterFlow.IsGiven(list.Arguments[0].Expression)),
            _ => false,
        };

        bool IsNever(ExpressionSyntax condition) => condition.DescendantNodes().OfType<ExpressionSyntax>().Any(one => one.ToString() == mention.ToString() && one.Parent is BinaryExpressionSyntax && DoesNothing(asked, one));
    }

    private static bool HasZeroAsLeast(ITypeSymbol type) =>
        type.SpecialType is SpecialType.System_Byte or SpecialType.System_UInt16 or SpecialType.System_UInt32 or SpecialType.System_UInt64 or SpecialType.System_Char || s_withoutLess.Contains(TypeNames.Metadata(type));

    /// <summary>Where the condition holds, what is given is not kept.</summary>
    private static bool IsForWhatIsNot(ExpressionSyntax condition)
    {
        SyntaxNode node = condition;
        while (node.Parent is ParenthesizedExpressionSyntax or BinaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalAndExpression or (int)SyntaxKind.LogicalOrExpression }) node = node.Parent;
        SyntaxNode? way = node.Parent switch
        {
            IfStatementSyntax choice when choice.Condition == node => choice.Statement,
            ConditionalExpressionSyntax choice when choice.Condition == node => choice.WhenTrue,
            _ => null,
        };
        return way is not null && way.DescendantNodesAndSelf().OfType<ExpressionSyntax>().Where(SetterFlow.IsGiven).All(static given => given.Ancestors().OfType<ThrowStatementSyntax>().Any() || given.Ancestors().OfType<ThrowExpressionSyntax>().Any() || given.Parent is AssignmentExpressionSyntax { Left: var left } && left == given);
    }
}
