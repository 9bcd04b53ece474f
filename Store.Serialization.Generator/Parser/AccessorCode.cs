// What the code of accessors and methods names and sets of the object itself. A guess from the syntax, without semantic model: this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class AccessorCode
{
    // Methods of collections that leave other elements behind.
    private static readonly HashSet<string> s_changing =
    [
        "Add", "AddFirst", "AddLast", "AddOrUpdate", "AddRange", "Append", "AppendLine", "Clear", "Dequeue", "Enqueue", "GetOrAdd", "Insert", "InsertRange", "Pop", "Push", "Remove", "RemoveAll", "RemoveAt", "RemoveRange", "TryAdd", "TryRemove",
    ];

    /// <summary>The code of a method, or of the accessors of a property.</summary>
    public static IEnumerable<SyntaxNode> Bodies(ISymbol member, bool onlyGetter)
    {
        IEnumerable<SyntaxReference> references = member.DeclaringSyntaxReferences;
        if ((member as IPropertySymbol)?.PartialImplementationPart is { } implementation) references = references.Concat(implementation.DeclaringSyntaxReferences);
        foreach (SyntaxReference reference in references)
        {
            if (reference.Read() is MethodDeclarationSyntax method)
            {
                // Not its head: a type may have the name of a member.
                if (((SyntaxNode?)method.Body ?? method.ExpressionBody) is { } code) yield return code;
                continue;
            }

            if (reference.Read() is not BasePropertyDeclarationSyntax declaration) continue;
            if ((declaration as PropertyDeclarationSyntax)?.ExpressionBody is { } expression) yield return expression;
            if ((declaration as IndexerDeclarationSyntax)?.ExpressionBody is { } indexed) yield return indexed;
            foreach (AccessorDeclarationSyntax accessor in declaration.AccessorList?.Accessors ?? default)
            {
                if (!onlyGetter || accessor.IsKind(SyntaxKind.GetAccessorDeclaration)) yield return accessor;
            }
        }
    }

    /// <summary>A constructor as it is declared in source; not one in the head of a type.</summary>
    public static IEnumerable<ConstructorDeclarationSyntax> Declared(IMethodSymbol constructor) =>
        constructor.DeclaringSyntaxReferences.Select(static reference => reference.Read()).OfType<ConstructorDeclarationSyntax>();

    /// <summary>The setter of a property, where that is in source.</summary>
    public static IEnumerable<SyntaxNode> Setters(IPropertySymbol property) =>
        Bodies(property, onlyGetter: false).Where(static body => body.RawKind is (int)SyntaxKind.SetAccessorDeclaration or (int)SyntaxKind.InitAccessorDeclaration);

    /// <summary>What the setter of a property sets of the object itself, where that is in source.</summary>
    public static IEnumerable<string> SetBy(IPropertySymbol property)
    {
        var run = new RunCode();
        return Setters(property).SelectMany(static body => Mentions(body)).Where(mention => IsSet(mention) && run.Has(mention)).Select(NameOf)
            // A discard.
            .Where(static name => name != "_");
    }

    /// <summary>Collections of the object itself to which the setter of a property adds, or from which it takes, where that is in source.</summary>
    public static IEnumerable<string> ElementsChangedBy(IPropertySymbol property)
    {
        var run = new RunCode();
        return Setters(property).SelectMany(static body => Mentions(body)).Where(mention => ChangesElements(mention) && run.Has(mention)).Select(NameOf);
    }

    /// <summary>The elements of a collection that is mentioned are changed there.</summary>
    public static bool ChangesElements(ExpressionSyntax mention) => mention.Parent switch
    {
        MemberAccessExpressionSyntax { Parent: InvocationExpressionSyntax } call => s_changing.Contains(call.Name.Identifier.ValueText),
        ConditionalAccessExpressionSyntax { WhenNotNull: InvocationExpressionSyntax { Expression: MemberBindingExpressionSyntax call } } => s_changing.Contains(call.Name.Identifier.ValueText),
        ElementAccessExpressionSyntax element => element.Expression == mention && IsSet(element),
        _ => false,
    };

    /// <summary>The setter of a property leaves what it does not mean of a member as it was: <c>_flags |= 1</c>, <c>_flags = value ? _flags | 1 : _flags &amp; ~1</c>, <c>_at = new Point(value, _at.Y)</c>, <c>_at = _at with { X = value }</c>.</summary>
    public static bool SetsBitsOnly(IPropertySymbol property, string name) =>
        Setters(property).SelectMany(body => Mentions(body, name)).Where(IsSet).All(mention => mention.Parent is AssignmentExpressionSyntax assignment
            && (assignment.RawKind is (int)SyntaxKind.OrAssignmentExpression or (int)SyntaxKind.AndAssignmentExpression or (int)SyntaxKind.ExclusiveOrAssignmentExpression
                || Mentions(assignment, name).Any(read => read != mention && read.Parent is BinaryExpressionSyntax { RawKind: (int)SyntaxKind.BitwiseOrExpression or (int)SyntaxKind.BitwiseAndExpression or (int)SyntaxKind.ExclusiveOrExpression } or WithExpressionSyntax or MemberAccessExpressionSyntax { Parent: not InvocationExpressionSyntax })));

    /// <summary>Where a member of the object itself is named: <c>_x</c>, <c>this._x</c> or <c>self._x</c> behind <c>var self = this</c>, but not <c>other._x</c>, <c>new Other { _x = 1 }</c> or <c>nameof(_x)</c>, nor a local or parameter of its name.</summary>
    /// <param name="body">The code.</param>
    /// <param name="name">The member; null for all.</param>
    public static IEnumerable<ExpressionSyntax> Mentions(SyntaxNode body, string? name = null)
    {
        HashSet<string>? locals = null, aliases = null;
        foreach (IdentifierNameSyntax identifier in body.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>())
        {
            if (name is not null && identifier.Identifier.ValueText != name) continue;
            ExpressionSyntax mention = identifier;
            switch (identifier.Parent)
            {
                case MemberAccessExpressionSyntax access when access.Name == identifier:
                    if (!IsItself(access.Expression))
                    {
                        if (access.Expression is not IdentifierNameSyntax other || !(aliases ??= Aliases(body)).Contains(other.Identifier.ValueText)) continue;
                        // That of a struct is a copy.
                        if (IsSet(access) && body.FirstAncestorOrSelf<TypeDeclarationSyntax>() is StructDeclarationSyntax or RecordDeclarationSyntax { RawKind: (int)SyntaxKind.RecordStructDeclaration }) continue;
                    }

                    mention = access;
                    break;
                case NameColonSyntax { Parent: SubpatternSyntax { Parent: PropertyPatternClauseSyntax { Parent: PatternSyntax pattern } } } when IsOfItself(pattern):
                    break;
                case MemberBindingExpressionSyntax or NameColonSyntax or NameEqualsSyntax:
                case AssignmentExpressionSyntax { Parent: InitializerExpressionSyntax } assignment when assignment.Left == identifier:
                    continue;
                default:
                    // A type may have the name of a member.
                    if (SyntaxFacts.IsInTypeOnlyContext(identifier) || (locals ??= Locals(body)).Contains(identifier.Identifier.ValueText)) continue;
                    break;
            }

            if (!mention.Ancestors().OfType<InvocationExpressionSyntax>().Any(static call => call.Expression is IdentifierNameSyntax { Identifier.ValueText: "nameof" })) yield return mention;
        }
    }

    /// <summary>What code declares, wherever in it, and the parameters of what it is of.</summary>
    private static HashSet<string> Locals(SyntaxNode body)
    {
        IEnumerable<SyntaxNode> parameters = body.Ancestors().TakeWhile(static around => around is not TypeDeclarationSyntax)
            .SelectMany(static around => around is BaseMethodDeclarationSyntax method ? method.ParameterList.Parameters : around is IndexerDeclarationSyntax indexer ? indexer.ParameterList.Parameters : default(IEnumerable<SyntaxNode>) ?? []);
        return [.. body.DescendantNodes().Concat(parameters).Select(static node => node switch
        {
            VariableDeclaratorSyntax variable => variable.Identifier.ValueText,
            ParameterSyntax parameter => parameter.Identifier.ValueText,
            SingleVariableDesignationSyntax designation => designation.Identifier.ValueText,
            ForEachStatementSyntax loop => loop.Identifier.ValueText,
            FromClauseSyntax from => from.Identifier.ValueText,
            LetClauseSyntax let => let.Identifier.ValueText,
            JoinClauseSyntax join => join.Identifier.ValueText,
            JoinIntoClauseSyntax into => into.Identifier.ValueText,
            QueryContinuationSyntax continued => continued.Identifier.ValueText,
            CatchDeclarationSyntax caught => caught.Identifier.ValueText,
            _ => null,
        }).OfType<string>()];
    }

    /// <summary>Locals that are the object itself.</summary>
    private static HashSet<string> Aliases(SyntaxNode body) =>
        [.. body.DescendantNodes().OfType<VariableDeclaratorSyntax>().Where(static local => local.Initializer is { Value: { } made } && IsItself(made)).Select(static local => local.Identifier.ValueText)];

    /// <summary><c>this</c> or <c>base</c>, however it is written: <c>this!</c>, <c>((IShape)this)</c>.</summary>
    private static bool IsItself(ExpressionSyntax expression) => expression switch
    {
        ThisExpressionSyntax or BaseExpressionSyntax => true,
        ParenthesizedExpressionSyntax inner => IsItself(inner.Expression),
        CastExpressionSyntax cast => IsItself(cast.Expression),
        PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression } sure => IsItself(sure.Operand),
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.AsExpression } cast => IsItself(cast.Left),
        _ => false,
    };

    /// <summary>A pattern that the object itself is compared with, and not what another pattern is in.</summary>
    private static bool IsOfItself(PatternSyntax pattern) => pattern.Parent switch
    {
        PatternSyntax around => IsOfItself(around),
        IsPatternExpressionSyntax comparison => IsItself(comparison.Expression),
        SwitchExpressionArmSyntax { Parent: SwitchExpressionSyntax choice } => IsItself(choice.GoverningExpression),
        CasePatternSwitchLabelSyntax { Parent.Parent: SwitchStatementSyntax choice } => IsItself(choice.Expression),
        _ => false,
    };

    /// <summary>The name in a mention.</summary>
    public static string NameOf(ExpressionSyntax mention) => (mention is MemberAccessExpressionSyntax access ? access.Name : (SimpleNameSyntax)mention).Identifier.ValueText;

    /// <summary>A mention says <c>base</c>.</summary>
    public static bool IsOfBase(ExpressionSyntax mention) => mention is MemberAccessExpressionSyntax { Expression: BaseExpressionSyntax };

    /// <summary>A mention is set there.</summary>
    public static bool IsSet(ExpressionSyntax mention) => mention.Parent switch
    {
        AssignmentExpressionSyntax assignment => assignment.Left == mention,
        ArgumentSyntax { Parent: TupleExpressionSyntax tuple } => IsSet(tuple),
        ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax call } when OnlyReads(call) => false,
        ArgumentSyntax argument => argument.RefKindKeyword.IsKind(SyntaxKind.RefKeyword) || argument.RefKindKeyword.IsKind(SyntaxKind.OutKeyword),
        PrefixUnaryExpressionSyntax unary => unary.IsKind(SyntaxKind.PreIncrementExpression) || unary.IsKind(SyntaxKind.PreDecrementExpression),
        PostfixUnaryExpressionSyntax unary => unary.IsKind(SyntaxKind.PostIncrementExpression) || unary.IsKind(SyntaxKind.PostDecrementExpression),
        _ => false,
    };

    /// <summary><c>Volatile.Read(ref x)</c>, <c>Interlocked.Read(ref x)</c>, or <c>Interlocked.CompareExchange(ref x, 0, 0)</c>, which does the same.</summary>
    private static bool OnlyReads(InvocationExpressionSyntax call) =>
        call.Expression is MemberAccessExpressionSyntax access && access.Expression.ToString() is var on && (on.EndsWith("Volatile", StringComparison.Ordinal) || on.EndsWith("Interlocked", StringComparison.Ordinal))
        && (access.Name.Identifier.ValueText == "Read" || (access.Name.Identifier.ValueText == "CompareExchange" && call.ArgumentList.Arguments is { Count: 3 } arguments && arguments[1].ToString() == arguments[2].ToString()));
}
