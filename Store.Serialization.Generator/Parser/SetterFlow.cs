// What the value that a setter keeps, or what it refuses, depends on beside what it is given. A guess from the syntax, without semantic model: this runs at every key stroke. What only decides whether something is done at all,
// as `if (IsLocked) return;`, is none of it: what the object was when it was set is not known.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal sealed class SetterFlow
{
    private const string Given = "value";

    private readonly SyntaxNode _setter;
    private readonly SetterAsked _asked;
    private readonly bool _onlyComputed;
    private readonly HashSet<SyntaxNode> _followed = [];
    private readonly HashSet<string> _kept = [];

    private SetterFlow(SyntaxNode setter, SetterAsked asked, bool onlyComputed) => (_setter, _asked, _onlyComputed) = (setter, asked, onlyComputed);

    /// <summary>A value that is refused depends on it.</summary>
    public bool Throws { get; private set; }

    /// <summary>What is set to something that depends on it: members, the keyword <c>field</c> and locals.</summary>
    public IReadOnlyCollection<string> Kept => _kept;

    /// <summary>Something is set to what arithmetic makes of what is given.</summary>
    public bool Computes { get; private set; }

    /// <summary>What depends on a member that a setter reads; null where nothing does.</summary>
    public static SetterFlow? Of(SyntaxNode setter, SetterAsked asked)
    {
        List<ExpressionSyntax> read = [.. AccessorCode.Mentions(setter, asked.Name).Where(mention => !AccessorCode.IsSet(mention) && !asked.MayBeType(mention))];
        // It is ready for nothing.
        bool isReady = (asked.MayBeNull && read.Exists(IsAskedForNull)) || (asked.IsZero && read.Exists(IsAskedForZero));
        if (read.Count == 0 || (!asked.IsAskedByGetter && (isReady || asked.IsWithoutLimit))) return null;
        var flow = new SetterFlow(setter, asked, isReady);
        foreach (ExpressionSyntax mention in read)
        {
            if (!(asked.IsLifted && mention.Parent is BinaryExpressionSyntax { RawKind: (int)SyntaxKind.LessThanExpression or (int)SyntaxKind.LessThanOrEqualExpression or (int)SyntaxKind.GreaterThanExpression or (int)SyntaxKind.GreaterThanOrEqualExpression })
                && !asked.DoesNothing(mention) && !AskedAtLeast.DoesNothing(asked, mention)) flow.Follow(mention);
        }

        return flow.Throws || flow._kept.Count > 0 ? flow : null;
    }

    /// <summary>Names of which code in a setter asks nothing but whether they are true: <c>if (_loading) return;</c>.</summary>
    public static IEnumerable<string> Switches(SyntaxNode setter) =>
        from choice in setter.DescendantNodes().OfType<IfStatementSyntax>()
        from mention in AccessorCode.Mentions(choice.Condition)
        where AccessorCode.NameOf(mention) != Given && IsSwitch(mention, choice.Condition)
        select AccessorCode.NameOf(mention);

    private static bool IsSwitch(ExpressionSyntax mention, ExpressionSyntax condition)
    {
        SyntaxNode? node = mention;
        for (; node is not null && node != condition; node = node.Parent)
        {
            if (node.Parent is not (ParenthesizedExpressionSyntax or PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalNotExpression } or BinaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalAndExpression or (int)SyntaxKind.LogicalOrExpression })) return false;
        }

        return true;
    }

    private static bool IsAskedForNull(ExpressionSyntax mention) => mention.Parent switch
    {
        ConditionalAccessExpressionSyntax access => access.Expression == mention,
        IsPatternExpressionSyntax => true,
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression } either => either.Left == mention,
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.EqualsExpression or (int)SyntaxKind.NotEqualsExpression } comparison => (comparison.Left == mention ? comparison.Right : comparison.Left).IsKind(SyntaxKind.NullLiteralExpression),
        MemberAccessExpressionSyntax access => access.Expression == mention && access.Name.Identifier.ValueText == "HasValue",
        ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "IsNullOrEmpty" or "IsNullOrWhiteSpace" } } } => true,
        _ => false,
    };

    // Max > 0 && value > Max.
    private static bool IsAskedForZero(ExpressionSyntax mention) => mention.Parent switch
    {
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.GreaterThanExpression or (int)SyntaxKind.NotEqualsExpression or (int)SyntaxKind.EqualsExpression or (int)SyntaxKind.LessThanOrEqualExpression } comparison => comparison.Left == mention && IsZero(comparison.Right),
        IsPatternExpressionSyntax { Pattern: RelationalPatternSyntax { RawKind: (int)SyntaxKind.RelationalPattern, OperatorToken.RawKind: (int)SyntaxKind.GreaterThanToken } more } => IsZero(more.Expression),
        IsPatternExpressionSyntax { Pattern: ConstantPatternSyntax constant } => IsZero(constant.Expression),
        IsPatternExpressionSyntax { Pattern: UnaryPatternSyntax { Pattern: ConstantPatternSyntax constant } } => IsZero(constant.Expression),
        _ => false,
    };

    private static bool IsZero(ExpressionSyntax expression) => expression is LiteralExpressionSyntax { Token.Value: 0 or 0L or 0d or 0f or 0m or 0u or 0ul } || expression.ToString() is "TimeSpan.Zero" or "decimal.Zero";

    /// <summary>Goes from where something is read to what its value goes into.</summary>
    private void Follow(SyntaxNode from)
    {
        if (!_followed.Add(from)) return;
        SyntaxNode? condition = null;
        for (SyntaxNode node = from; node != _setter && node.Parent is { } parent; node = parent)
        {
            // The part of a condition that the value that is set takes part in.
            if (condition is null && node is ExpressionSyntax && IsBoolean(node)) condition = node;
            switch (parent)
            {
                case AssignmentExpressionSyntax assignment:
                    // What takes the place of null, or of what is none: what is stored is what took it.
                    if (assignment.Left is IdentifierNameSyntax { Identifier.ValueText: Given } && (assignment.IsKind(SyntaxKind.CoalesceAssignmentExpression) || (assignment.Right == node && assignment.Ancestors().TakeWhile(around => around != _setter).OfType<IfStatementSyntax>().Any(static choice => IsOfGivenAlone(choice.Condition))))) return;
                    // What is set inside of it is another object's.
                    if (assignment.Left == node || (_onlyComputed && !IsComputed(assignment.Right))) return;
                    Computes |= IsComputed(assignment.Right);
                    Keep(assignment.Left);
                    break;
                case EqualsValueClauseSyntax { Parent: VariableDeclaratorSyntax local }:
                    FollowLocal(local.Identifier.ValueText, local.Span.End);
                    return;
                case ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax call } argument:
                    Throws |= IsThrowHelper(call) && NamesGiven(call) && !_onlyComputed;
                    Computes |= IsComputed(argument.Expression);
                    // SetProperty(ref _x, value * Scale).
                    if (NamesGiven(argument) || (argument.Expression is IdentifierNameSyntax passed && IsLocal(passed.Identifier.ValueText))) call.ArgumentList.Arguments.Where(IsWritten).Select(static other => other.Expression).ToList().ForEach(Keep);
                    break;
                case ConditionalExpressionSyntax choice when choice.Condition == node:
                    if (choice.WhenTrue is ThrowExpressionSyntax || choice.WhenFalse is ThrowExpressionSyntax)
                    {
                        Throws |= NamesGiven(condition ?? node) && !_onlyComputed;
                        return;
                    }

                    if (!NamesGiven(condition ?? node) && !(_asked.IsAskedByGetter && (IsComputed(choice.WhenTrue) || IsComputed(choice.WhenFalse)))) return;
                    break;
                // What takes the place of a value that is none: what is stored is what took it.
                case ConditionalExpressionSyntax choice when choice.Condition != node && !IsComputed((ExpressionSyntax)node) && IsGiven(choice.WhenTrue == node ? choice.WhenFalse : choice.WhenTrue):
                case BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression } either when either.Right == node && IsGiven(either.Left):
                    return;
                case IfStatementSyntax choice when choice.Condition == node:
                    if (_onlyComputed) return;
                    if (NamesGiven(condition ?? node) || AsksGivenItself(choice.Condition)) Decide(choice);
                    else if (_asked.IsAskedByGetter && choice.Else is not null && Assigned(choice.Statement).Concat(Assigned(choice.Else.Statement)).Any(IsComputed)) Decide(choice);
                    return;
                case StatementSyntax or AnonymousFunctionExpressionSyntax or ArrowExpressionClauseSyntax:
                    return;
            }
        }
    }

    // if (value && Keys < 1), of a bool.
    private static bool AsksGivenItself(ExpressionSyntax condition) =>
        condition.DescendantNodes().Any(static one => one is IdentifierNameSyntax { Identifier.ValueText: Given, Parent: BinaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalAndExpression or (int)SyntaxKind.LogicalOrExpression } or PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalNotExpression } });

    private static bool IsOfGivenAlone(ExpressionSyntax condition) =>
        condition is IsPatternExpressionSyntax { Expression: IdentifierNameSyntax { Identifier.ValueText: Given } }
        || condition is BinaryExpressionSyntax { RawKind: (int)SyntaxKind.EqualsExpression, Left: IdentifierNameSyntax { Identifier.ValueText: Given }, Right.RawKind: (int)SyntaxKind.NullLiteralExpression }
        || condition is InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "IsNullOrEmpty" or "IsNullOrWhiteSpace" } };

    private void FollowLocal(string name, int from)
    {
        foreach (IdentifierNameSyntax use in _setter.DescendantNodes().OfType<IdentifierNameSyntax>().Where(use => use.SpanStart >= from && use.Identifier.ValueText == name && use.Parent is not MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax }))
        {
            Follow(use);
        }
    }

    /// <summary>Something is set to what depends on it.</summary>
    private void Keep(ExpressionSyntax target)
    {
        switch (target)
        {
            case IdentifierNameSyntax { Identifier.ValueText: Given }:
                FollowLocal(Given, target.Span.End);
                break;
            case IdentifierNameSyntax name when IsLocal(name.Identifier.ValueText):
                FollowLocal(name.Identifier.ValueText, target.Span.End);
                break;
            case IdentifierNameSyntax or MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax or BaseExpressionSyntax }:
                _kept.Add(AccessorCode.NameOf(target));
                break;
            default:
                if (IsField(target)) _kept.Add("field");
                break;
        }
    }

    /// <summary>What is done, and what is done behind it where one of two ways ends there, depends on it.</summary>
    private void Decide(IfStatementSyntax choice)
    {
        List<StatementSyntax> ways = choice.Else is null ? [choice.Statement] : [choice.Statement, choice.Else.Statement];
        if (ways.Exists(Leaves) && choice.Parent is BlockSyntax block) ways.AddRange(block.Statements.SkipWhile(statement => statement != choice).Skip(1));
        foreach (SyntaxNode node in ways.SelectMany(static way => way.DescendantNodesAndSelf()))
        {
            if (node is ThrowStatementSyntax or ThrowExpressionSyntax || (node is InvocationExpressionSyntax call && IsThrowHelper(call))) Throws |= ways.Take(choice.Else is null ? 1 : 2).Any(way => way.Span.Contains(node.Span));
            else if (node is AssignmentExpressionSyntax assignment) Keep(assignment.Left);
        }

        static bool Leaves(StatementSyntax way) => way is ReturnStatementSyntax || (way is BlockSyntax block && block.Statements.LastOrDefault() is ReturnStatementSyntax);
    }

    private static IEnumerable<ExpressionSyntax> Assigned(StatementSyntax way) => way.DescendantNodesAndSelf().OfType<AssignmentExpressionSyntax>().Where(static set => set.IsKind(SyntaxKind.SimpleAssignmentExpression)).Select(static set => set.Right);

    /// <summary>Another number than what was given, each time.</summary>
    private static bool IsComputed(ExpressionSyntax expression) => Computed.OfName(expression, Given);

    private static bool IsBoolean(SyntaxNode node) =>
        node.Parent is IfStatementSyntax || (node.Parent is ConditionalExpressionSyntax choice && choice.Condition == node)
        || node.Parent is PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalNotExpression } or BinaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalAndExpression or (int)SyntaxKind.LogicalOrExpression };

    private static bool IsWritten(ArgumentSyntax argument) => argument.RefKindKeyword.IsKind(SyntaxKind.RefKeyword) || argument.RefKindKeyword.IsKind(SyntaxKind.OutKeyword);

    private static bool IsThrowHelper(InvocationExpressionSyntax call) =>
        (call.Expression is MemberAccessExpressionSyntax access ? access.Name : call.Expression as SimpleNameSyntax)?.Identifier.ValueText.StartsWith("Throw", StringComparison.Ordinal) == true;

    private static bool NamesGiven(SyntaxNode node) => node.DescendantNodesAndSelf().Any(static one => one is IdentifierNameSyntax { Identifier.ValueText: Given, Parent: not MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax } });

    /// <summary>It is what the setter is given.</summary>
    public static bool IsGiven(ExpressionSyntax expression) => expression is ParenthesizedExpressionSyntax inner ? IsGiven(inner.Expression) : expression is IdentifierNameSyntax { Identifier.ValueText: Given };

    private static bool IsField(ExpressionSyntax expression) => expression.ToString() == "field";

    private bool IsLocal(string name) => _setter.DescendantNodes().Any(node => node is VariableDeclaratorSyntax variable && variable.Identifier.ValueText == name);
}
