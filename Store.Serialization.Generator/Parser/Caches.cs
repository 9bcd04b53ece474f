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
    /// <param name="given">What is given by others, and by whom (<see cref="Given"/>).</param>
    public static bool Is(ISymbol state, ITypeSymbol type, List<IPropertySymbol> setting, HashSet<(ISymbol Class, string Name)> given) =>
        setting.TrueForAll(property => AccessorCode.Bodies(property, onlyGetter: true).SelectMany(body => AccessorCode.Mentions(body, state.Name)).Where(AccessorCode.IsSet).All(IsFilled) && !MadeWhenAsked.Is(property, state, type) && !IsMadeEmpty(property, state, type))
        && !(state.DeclaredAccessibility == Accessibility.Private ? given.Contains((state.ContainingType.OriginalDefinition, state.Name)) : given.Any(one => one.Name == state.Name));

    /// <summary>Only where something is the case is it set there, as where it is still null, or each time anew of what the object holds.</summary>
    public static bool IsFilled(ExpressionSyntax mention)
    {
        string name = mention.RawKind == (int)SyntaxKind.FieldExpression ? "field" : AccessorCode.NameOf(mention);
        switch (mention.Parent)
        {
            case AssignmentExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceAssignmentExpression }:
                return true;
            case AssignmentExpressionSyntax { RawKind: (int)SyntaxKind.SimpleAssignmentExpression } assignment:
                // `_text = _text ?? ...`, and what is made at each call, in front of all that reads it.
                if (assignment.Right is BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression } or ConditionalExpressionSyntax && AccessorCode.Mentions(assignment, name).Count() > 1) return true;
                if (IsAlways(assignment) && AccessorCode.Mentions(assignment).Any(other => AccessorCode.NameOf(other) != name) && !AccessorCode.Mentions(assignment, name).Any(other => other != mention) && BodyOf(mention) is { } body && AccessorCode.Mentions(body, name).All(other => other.SpanStart >= mention.SpanStart)) return true;
                break;
            // A sum that begins in the same branch.
            case AssignmentExpressionSyntax or PrefixUnaryExpressionSyntax or PostfixUnaryExpressionSyntax:
                return Branches(mention).Any(branch => AccessorCode.Mentions(branch, name).Any(static other => other.Parent is AssignmentExpressionSyntax { RawKind: (int)SyntaxKind.SimpleAssignmentExpression } first && first.Left == other));
            case ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: var method } } }:
                if (!s_setting.Contains(method)) return true;
                if (method is not ("Write" or "Exchange")) return false;
                break;
            case ArgumentSyntax:
                break;
            default:
                return false;
        }

        return Branches(mention).Any()
            // Behind `if (_x is not null) return _x;`.
            || mention.AncestorsAndSelf().TakeWhile(static around => around is not (MemberDeclarationSyntax or AccessorDeclarationSyntax)).OfType<StatementSyntax>().Any(static statement => statement.Parent is BlockSyntax block && block.Statements.TakeWhile(one => one != statement).Any(static before => before is IfStatementSyntax));
    }

    private static IEnumerable<SyntaxNode> Branches(ExpressionSyntax mention) => mention.Ancestors().TakeWhile(static around => around is not (MemberDeclarationSyntax or AccessorDeclarationSyntax))
        .Where(static around => around is IfStatementSyntax or ConditionalExpressionSyntax or SwitchStatementSyntax or SwitchExpressionSyntax or BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression });

    private static bool IsAlways(AssignmentExpressionSyntax assignment) => assignment.Parent is ExpressionStatementSyntax { Parent: BlockSyntax { Parent: AccessorDeclarationSyntax } };

    private static SyntaxNode? BodyOf(ExpressionSyntax mention) => mention.Ancestors().FirstOrDefault(static around => around is AccessorDeclarationSyntax);

    /// <summary>A collection that the getter makes without elements: they come from elsewhere.</summary>
    private static bool IsMadeEmpty(IPropertySymbol property, ISymbol state, ITypeSymbol type) =>
        AccessorCode.Bodies(property, onlyGetter: true).SelectMany(body => AccessorCode.Mentions(body, state.Name)).Where(AccessorCode.IsSet)
            .Any(mention => MadeWhenAsked.Made(mention) is CollectionExpressionSyntax { Elements.Count: 0 } or BaseObjectCreationExpressionSyntax { ArgumentList.Arguments.Count: 0, Initializer: null }
                && MemberParser.IsCollection(type)
                // Unless it is filled there, or by what is called next.
                && mention.FirstAncestorOrSelf<StatementSyntax>() is not { Parent: BlockSyntax { Statements.Count: > 1, Parent: IfStatementSyntax } }
                && !AccessorCode.Bodies(property, onlyGetter: true).SelectMany(body => AccessorCode.Mentions(body, state.Name)).Any(static other => AccessorCode.ChangesElements(other) || other.Parent is ArgumentSyntax { RefKindKeyword.RawKind: 0 } || other.Parent?.Parent is ParenthesizedExpressionSyntax { Parent: MemberAccessExpressionSyntax { Name.Identifier.ValueText: "GetOrAdd" } }));

    /// <summary>What methods, setters and constructors set to what they are given, or count in, unless they ask it first; each with the class of the code.</summary>
    /// <param name="levels">The type and its bases.</param>
    /// <param name="names">What getters name.</param>
    public static HashSet<(ISymbol Class, string Name)> Given(IReadOnlyCollection<INamedTypeSymbol> levels, AccessorNames names)
    {
        List<ISymbol> members = [.. levels.SelectMany(static level => level.GetMembers())];
        ILookup<string, IPropertySymbol> properties = members.OfType<IPropertySymbol>().ToLookup(static property => property.Name);
        ILookup<string, IMethodSymbol> methods = members.OfType<IMethodSymbol>().Where(static method => method.MethodKind == MethodKind.Ordinary).ToLookup(static method => method.Name);
        HashSet<string> held = [.. members.Where(static member => !member.IsStatic && member is IFieldSymbol or IPropertySymbol).Select(static member => member.Name)];
        Dictionary<IPropertySymbol, HashSet<string>> reached = new(SymbolEqualityComparer.Default);
        HashSet<string> known = [.. members.Select(static member => member.Name)];
        return [.. members.SelectMany(member => GivenBy(member).Concat(GivenByMethod(member)).Select(name => ((ISymbol)member.ContainingType.OriginalDefinition, name)))];

        // A method sets a state to something of its own: not where it begins it anew, nor of what the object holds besides.
        IEnumerable<string> GivenByMethod(ISymbol member)
        {
            if (member is not IMethodSymbol { MethodKind: MethodKind.Ordinary } method) yield break;
            List<ExpressionSyntax> mentions = [.. AccessorCode.Bodies(method, onlyGetter: false).SelectMany(static body => AccessorCode.Mentions(body))];
            HashSet<string>? changed = null;
            foreach (ExpressionSyntax mention in mentions)
            {
                string name = AccessorCode.NameOf(mention);
                if (mention.Parent is AssignmentExpressionSyntax { RawKind: (int)SyntaxKind.SimpleAssignmentExpression } set && set.Left == mention && IsOfItsOwn(set.Right, name, method)) yield return name;
                // SetField(ref _name, name).
                else if (mention.Parent is ArgumentSyntax { RefKindKeyword.RawKind: (int)SyntaxKind.RefKeyword or (int)SyntaxKind.OutKeyword, Parent: ArgumentListSyntax list } && list.Arguments.Any(argument => argument.Expression != mention && NamesParameter(argument, method))) yield return name;
                // By way of the property that makes the collection when it is asked for.
                else if (properties.Contains(name) && IsGivenElements(mention))
                {
                    changed ??= [.. mentions.Where(IsGivenElements).Select(AccessorCode.NameOf)];
                    foreach (string shown in properties[name].Where(made => names.SetByGetter(made).Count > 0 && !IsKeptInStep(made, changed)).SelectMany(names.SetByGetter)) yield return shown;
                }
            }
        }

        static bool IsGivenElements(ExpressionSyntax mention) => AccessorCode.ChangesElements(mention) && mention.Parent is not MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Clear" };

        // An index that is there is given what what it is made of is given.
        bool IsKeptInStep(IPropertySymbol made, HashSet<string> changed)
        {
            HashSet<string> own = names.SetByGetter(made), of = [.. Reached(made).Where(name => name != made.Name && !own.Contains(name) && held.Contains(name))];
            // Not another one that is made when it is asked for.
            return changed.Any(other => other != made.Name && !own.Contains(other) && properties[other].All(shown => names.SetByGetter(shown).Count == 0) && (of.Contains(other) || properties[other].Any(shown => Reached(shown).Overlaps(of))));
        }

        // What a getter names, and the getters and methods that it names.
        HashSet<string> Reached(IPropertySymbol property)
        {
            if (reached.TryGetValue(property, out HashSet<string>? found)) return found;
            reached.Add(property, found = []);
            Queue<ISymbol> left = new([property]);
            while (left.Count > 0)
            {
                foreach (string name in names.NamedByGetter(left.Dequeue()))
                {
                    if (!found.Add(name)) continue;
                    foreach (ISymbol next in properties[name].Concat<ISymbol>(methods[name])) left.Enqueue(next);
                }
            }

            return found;
        }

        bool IsOfItsOwn(ExpressionSyntax made, string name, IMethodSymbol method)
        {
            if (NamesParameter(made, method)) return true;
            if (IsReset(made) || made is IdentifierNameSyntax local && !known.Contains(local.Identifier.ValueText)) return false;
            return !AccessorCode.Mentions(made.Parent!).Where(other => other.Span.Start >= made.SpanStart).Select(AccessorCode.NameOf).Any(other => other != name && known.Contains(other) && !properties[other].Any(property => names.SetByGetter(property).Contains(name)));
        }
    }

    private static bool NamesParameter(SyntaxNode node, IMethodSymbol method) =>
        method.Parameters.Length > 0 && node.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Any(name => method.Parameters.Any(parameter => parameter.Name == name.Identifier.ValueText) && name.Parent is not MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax });

    // It is to be made again.
    private static bool IsReset(ExpressionSyntax made) => made switch
    {
        LiteralExpressionSyntax literal => literal.RawKind is (int)SyntaxKind.NullLiteralExpression or (int)SyntaxKind.DefaultLiteralExpression or (int)SyntaxKind.FalseLiteralExpression or (int)SyntaxKind.TrueLiteralExpression || literal.Token.Value is 0 or "",
        PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.UnaryMinusExpression, Operand: LiteralExpressionSyntax } or DefaultExpressionSyntax or CollectionExpressionSyntax { Elements.Count: 0 } => true,
        PostfixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.SuppressNullableWarningExpression } sure => IsReset(sure.Operand),
        BaseObjectCreationExpressionSyntax { ArgumentList: null or { Arguments.Count: 0 }, Initializer: null } => true,
        MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Empty" or "NaN" or "MinValue" or "None" } => true,
        _ => false,
    };

    private static IEnumerable<string> GivenBy(ISymbol member)
    {
        IEnumerable<SyntaxNode> bodies = member switch
        {
            IPropertySymbol property => AccessorCode.Setters(property),
            IMethodSymbol { MethodKind: MethodKind.Ordinary } => AccessorCode.Bodies(member, onlyGetter: false),
            IMethodSymbol { MethodKind: MethodKind.Constructor } constructor => AccessorCode.Declared(constructor).Select(static one => (SyntaxNode?)one.Body ?? one.ExpressionBody).OfType<SyntaxNode>(),
            _ => [],
        };
        bool isMade = member is IMethodSymbol { MethodKind: MethodKind.Constructor };
        return bodies.SelectMany(static body => AccessorCode.Mentions(body)).Where(mention => mention.Parent switch
        {
            AssignmentExpressionSyntax { RawKind: (int)SyntaxKind.SimpleAssignmentExpression } assignment => assignment.Left == mention && (isMade ? assignment.Right : Leftmost(assignment.Right)) is IdentifierNameSyntax name && IsParameter(name.Identifier.ValueText),
            AssignmentExpressionSyntax assignment => assignment.Left == mention && assignment.RawKind is (int)SyntaxKind.AddAssignmentExpression or (int)SyntaxKind.SubtractAssignmentExpression && !IsAsked(mention),
            PrefixUnaryExpressionSyntax or PostfixUnaryExpressionSyntax => AccessorCode.IsSet(mention) && !IsAsked(mention),
            ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Expression: IdentifierNameSyntax { Identifier.ValueText: "Interlocked" }, Name.Identifier.ValueText: var call } } } => s_setting.Contains(call),
            _ => false,
        }).Select(AccessorCode.NameOf);

        bool IsParameter(string name) => member is IMethodSymbol method ? method.Parameters.Any(parameter => parameter.Name == name) : name == "value";

        // A total that is kept up to date where it is there.
        static bool IsAsked(ExpressionSyntax mention) => Branches(mention).OfType<IfStatementSyntax>().Any(branch => branch.Condition.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Any(name => name.Identifier.ValueText == AccessorCode.NameOf(mention)));
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
