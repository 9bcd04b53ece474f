// Expressions that make another value of one each time that they are given what they made: what arithmetic with something else, or text around it, makes of a number or text. Not what comes to rest: rounding, trimming, what
// takes the place of null. No semantic model: this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class Computed
{
    // A text may be put together of thousands.
    private const int StepsMax = 64;

    /// <summary>It is one, of what has a name.</summary>
    public static bool OfName(ExpressionSyntax expression, string name)
    {
        List<(SyntaxKind Kind, string With)> steps = [];
        return Leads(expression, name, steps) && steps.Count > 0
            // To multiples of something: x / 10 * 10.
            && !steps.Exists(divided => divided.Kind is SyntaxKind.DivideExpression or SyntaxKind.RightShiftExpression && steps.Exists(times => times.Kind is SyntaxKind.MultiplyExpression or SyntaxKind.LeftShiftExpression && times.With == divided.With));
    }

    /// <summary>What has the name goes through nothing but such steps.</summary>
    private static bool Leads(ExpressionSyntax expression, string name, List<(SyntaxKind Kind, string With)> steps)
    {
        if (steps.Count > StepsMax) return false;
        switch (expression)
        {
            case IdentifierNameSyntax identifier:
                return identifier.Identifier.ValueText == name;
            case MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Value" } access:
                return Leads(access.Expression, name, steps);
            case ParenthesizedExpressionSyntax inner:
                return Leads(inner.Expression, name, steps);
            case CastExpressionSyntax cast:
                return Leads(cast.Expression, name, steps);
            case CheckedExpressionSyntax inner:
                return Leads(inner.Expression, name, steps);
            case PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression } sure:
                return Leads(sure.Operand, name, steps);
            case BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression } either:
                return Leads(either.Left, name, steps);
            case PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.UnaryMinusExpression or (int)SyntaxKind.LogicalNotExpression or (int)SyntaxKind.BitwiseNotExpression } turned:
                steps.Add((turned.Kind(), ""));
                return Leads(turned.Operand, name, steps);
            case BinaryExpressionSyntax { RawKind: (int)SyntaxKind.AddExpression or (int)SyntaxKind.SubtractExpression or (int)SyntaxKind.MultiplyExpression or (int)SyntaxKind.DivideExpression or (int)SyntaxKind.LeftShiftExpression or (int)SyntaxKind.RightShiftExpression } step:
                (ExpressionSyntax of, ExpressionSyntax with) = Names(step.Left, name) ? (step.Left, step.Right) : (step.Right, step.Left);
                // x - x % 10.
                if (Names(with, name)) return false;
                if (!DoesNothing(step, with)) steps.Add((step.Kind(), with.ToString()));
                return Leads(of, name, steps);
            case InterpolatedStringExpressionSyntax text:
                List<InterpolationSyntax> holes = [.. text.Contents.OfType<InterpolationSyntax>().Where(hole => Names(hole.Expression, name))];
                if (holes.Count != 1 || holes[0] is { FormatClause: not null } or { AlignmentClause: not null }) return false;
                if (text.Contents.Count > 1) steps.Add((text.Kind(), ""));
                return Leads(holes[0].Expression, name, steps);
            default:
                return false;
        }
    }

    private static bool Names(ExpressionSyntax expression, string name) => expression.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Any(identifier => identifier.Identifier.ValueText == name);

    /// <summary>It adds zero or an empty text, or multiplies by one: <c>x / 1.0m</c>.</summary>
    private static bool DoesNothing(BinaryExpressionSyntax step, ExpressionSyntax with)
    {
        if (with is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Empty" }) return true;
        if (with is not LiteralExpressionSyntax literal) return false;
        bool isFactor = step.RawKind is (int)SyntaxKind.MultiplyExpression or (int)SyntaxKind.DivideExpression;
        return literal.Token.Value switch
        {
            string text => text.Length == 0,
            int number => number == (isFactor ? 1 : 0),
            long number => number == (isFactor ? 1 : 0),
            double number => number == (isFactor ? 1 : 0),
            decimal number => number == (isFactor ? 1 : 0),
            float number => number == (isFactor ? 1 : 0),
            _ => false,
        };
    }
}
