// Expressions that make another value of one each time that they are given what they made: what arithmetic with something else, or text around it, makes of a number or text. Not what comes to rest: rounding, trimming, what
// takes the place of null. No semantic model: this runs at every key stroke.

using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class Computed
{
    // A text may be put together of thousands.
    private const int StepsMax = 64;

    private static readonly Dictionary<string, object?> s_nothing = [];

    /// <summary>It is one, of what has a name.</summary>
    /// <param name="expression">The expression.</param>
    /// <param name="name">The name.</param>
    /// <param name="known">What other names stand for, where that is known.</param>
    public static bool OfName(ExpressionSyntax expression, string name, IReadOnlyDictionary<string, object?>? known = null)
    {
        List<(SyntaxKind Kind, string With)> steps = [];
        return Leads(expression, name, steps, known ?? s_nothing) && steps.Count > 0
            // To multiples of something: x / 10 * 10.
            && !steps.Exists(divided => divided.Kind is SyntaxKind.DivideExpression or SyntaxKind.RightShiftExpression && steps.Exists(times => times.Kind is SyntaxKind.MultiplyExpression or SyntaxKind.LeftShiftExpression && times.With == divided.With));
    }

    /// <summary>What has the name goes through nothing but such steps, and none of them does something.</summary>
    public static bool IsAsGiven(ExpressionSyntax expression, string name, IReadOnlyDictionary<string, object?> known)
    {
        List<(SyntaxKind Kind, string With)> steps = [];
        return Leads(expression, name, steps, known) && steps.Count == 0;
    }

    /// <summary>What has the name goes through nothing but such steps.</summary>
    private static bool Leads(ExpressionSyntax expression, string name, List<(SyntaxKind Kind, string With)> steps, IReadOnlyDictionary<string, object?> known)
    {
        if (steps.Count > StepsMax) return false;
        switch (expression)
        {
            case IdentifierNameSyntax identifier:
                return identifier.Identifier.ValueText == name;
            case MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Value" } access:
                return Leads(access.Expression, name, steps, known);
            case ParenthesizedExpressionSyntax inner:
                return Leads(inner.Expression, name, steps, known);
            case CastExpressionSyntax cast:
                return Leads(cast.Expression, name, steps, known);
            case CheckedExpressionSyntax inner:
                return Leads(inner.Expression, name, steps, known);
            case PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression } sure:
                return Leads(sure.Operand, name, steps, known);
            case BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression } either:
                return Leads(either.Left, name, steps, known);
            case PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.UnaryMinusExpression or (int)SyntaxKind.LogicalNotExpression or (int)SyntaxKind.BitwiseNotExpression } turned:
                steps.Add((turned.Kind(), ""));
                return Leads(turned.Operand, name, steps, known);
            case BinaryExpressionSyntax { RawKind: (int)SyntaxKind.AddExpression or (int)SyntaxKind.SubtractExpression or (int)SyntaxKind.MultiplyExpression or (int)SyntaxKind.DivideExpression or (int)SyntaxKind.LeftShiftExpression or (int)SyntaxKind.RightShiftExpression } step:
                (ExpressionSyntax of, ExpressionSyntax with) = Names(step.Left, name) ? (step.Left, step.Right) : (step.Right, step.Left);
                // x - x % 10.
                if (Names(with, name)) return false;
                // 0 - x is another number.
                bool mayDoNothing = with == step.Right || step.RawKind is (int)SyntaxKind.AddExpression or (int)SyntaxKind.MultiplyExpression;
                if (!(mayDoNothing && DoesNothing(step, with, known))) steps.Add((step.Kind(), with.ToString()));
                return Leads(of, name, steps, known);
            case InterpolatedStringExpressionSyntax text:
                List<InterpolationSyntax> holes = [.. text.Contents.OfType<InterpolationSyntax>().Where(hole => Names(hole.Expression, name))];
                if (holes.Count != 1 || holes[0] is { FormatClause: not null } or { AlignmentClause: not null }) return false;
                if (text.Contents.Any(part => part != holes[0] && !(part is InterpolationSyntax { Expression: IdentifierNameSyntax empty } && known.TryGetValue(empty.Identifier.ValueText, out object? shown) && shown is ""))) steps.Add((text.Kind(), ""));
                return Leads(holes[0].Expression, name, steps, known);
            default:
                return false;
        }
    }

    private static bool Names(ExpressionSyntax expression, string name) => expression.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Any(identifier => identifier.Identifier.ValueText == name);

    /// <summary>It adds zero or an empty text, or multiplies by one: <c>x / 1.0m</c>.</summary>
    private static bool DoesNothing(BinaryExpressionSyntax step, ExpressionSyntax with, IReadOnlyDictionary<string, object?> known)
    {
        if (with is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Empty" }) return true;
        object? value = with switch
        {
            LiteralExpressionSyntax literal => literal.Token.Value,
            IdentifierNameSyntax name when known.TryGetValue(name.Identifier.ValueText, out object? given) => given,
            _ => null,
        };
        bool isFactor = step.RawKind is (int)SyntaxKind.MultiplyExpression or (int)SyntaxKind.DivideExpression;
        return value switch
        {
            string text => text.Length == 0,
            sbyte or byte or short or ushort or int or uint or long or ulong or float or double or decimal => Convert.ToDouble(value, CultureInfo.InvariantCulture) == (isFactor ? 1 : 0),
            _ => false,
        };
    }
}
