// Does source show that each object makes the collection that is filled of nothing that it is given, and hands it to nobody while it is made? Then filling it changes no other member, and nothing has to be
// compared (NinoGiven). Goes by names alone, and says no where it is not sure: that costs time and refuses nothing.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class MadeApart
{
    // Their own members are comparers and numbers.
    private static readonly HashSet<string> s_holders = ["StringComparer", "Environment"];

    // What a collection is asked for without showing itself to anybody.
    private static readonly HashSet<string> s_kept = ["Add", "AddRange", "TryAdd", "AddFirst", "AddLast", "Insert", "Enqueue", "Push", "Remove", "RemoveAt", "Clear", "Contains", "ContainsKey", "Count", "Capacity", "EnsureCapacity"];

    /// <summary>Source shows it.</summary>
    /// <param name="type">The type that is stored.</param>
    /// <param name="member">Its member that is filled.</param>
    public static bool Shows(INamedTypeSymbol type, ISymbol member)
    {
        ISymbol? state = member.OriginalDefinition;
        if (state is IPropertySymbol property && !PlainMemory.IsStored(property)) state = Filling.Shown(property, out _);
        if (state is IFieldSymbol { AssociatedSymbol: IPropertySymbol owner }) state = owner;
        if (state is not (IFieldSymbol or IPropertySymbol { SetMethod: null }) || state.DeclaringSyntaxReferences.IsEmpty) return false;
        List<ISymbol> members = [.. LostState.Levels(type).SelectMany(static level => level.GetMembers()).Where(static one => !one.IsStatic)];
        // What a base out of sight overrides or asks for, it may hand on.
        HashSet<string> names = [state.Name];
        foreach (IPropertySymbol shown in members.OfType<IPropertySymbol>())
        {
            if (!SymbolEqualityComparer.Default.Equals(shown, state) && (PlainMemory.IsStored(shown) || !SymbolEqualityComparer.Default.Equals(Filling.Shown(shown, out _)?.OriginalDefinition, state))) continue;
            if (shown.IsOverride && Root(shown).DeclaringSyntaxReferences.IsEmpty) return false;
            names.Add(shown.Name);
        }

        return Filling.Initializers(state).All(IsNew) && RunWhenMade(members, names).All(code => code.DescendantNodes().All(node => node switch
        {
            IdentifierNameSyntax identifier when names.Contains(identifier.Identifier.ValueText) => KeepsApart(identifier),
            ThisExpressionSyntax self => self.Parent is MemberAccessExpressionSyntax or ElementAccessExpressionSyntax or ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax { Expression: MemberBindingExpressionSyntax { Name.Identifier.ValueText: "Invoke" } } },
            _ => true,
        }));
    }

    private static IPropertySymbol Root(IPropertySymbol property)
    {
        while (property.OverriddenProperty is { } overridden) property = overridden;
        return property.OriginalDefinition;
    }

    // Constructors, setters, initializers, callbacks and what a base out of sight may call, and whatever these name; of the getters that show the collection, how it is made.
    private static List<SyntaxNode> RunWhenMade(List<ISymbol> members, HashSet<string> showing)
    {
        List<SyntaxNode> code = [];
        List<ISymbol> left = members;
        HashSet<string> called = [.. showing];
        for (bool isFirst = true, goesOn = true; goesOn; isFirst = false)
        {
            List<ISymbol> found = left.FindAll(one => (isFirst && RunsByItself(one)) || called.Contains(one.Name));
            left = [.. left.Except(found, SymbolEqualityComparer.Default)];
            List<SyntaxNode> bodies = [.. found.SelectMany(static one => Filling.Declarations(one)).Where(static node => node is not TypeDeclarationSyntax).Distinct()];
            code.AddRange(bodies);
            called.UnionWith(bodies.SelectMany(static body => body.DescendantNodes()).OfType<SimpleNameSyntax>().Select(static name => name.Identifier.ValueText));
            goesOn = found.Count > 0;
        }

        // The arguments in the head of a class go to its base.
        code.AddRange(members.Select(static one => one.ContainingType.OriginalDefinition).Distinct<INamedTypeSymbol>(SymbolEqualityComparer.Default).SelectMany(static level => level.DeclaringSyntaxReferences).Select(static reference => (reference.GetSyntax() as TypeDeclarationSyntax)?.BaseList).OfType<BaseListSyntax>());
        return code;
    }

    private static bool RunsByItself(ISymbol member) => member switch
    {
        IMethodSymbol method => method.MethodKind is MethodKind.Constructor or MethodKind.PropertySet || (method.IsOverride && method.Name is not (nameof(ToString) or nameof(Equals) or nameof(GetHashCode))) || !method.ExplicitInterfaceImplementations.IsEmpty || NinoAttributes.Callbacks(method).Any() || method.GetAttributes().Length > 0,
        IFieldSymbol or IPropertySymbol => !Filling.Initializers(member).All(static one => one is LiteralExpressionSyntax),
        _ => false,
    };

    private static bool KeepsApart(IdentifierNameSyntax name)
    {
        // A type of the same name.
        if (name.Parent is PropertyDeclarationSyntax or VariableDeclarationSyntax or ParameterSyntax or MethodDeclarationSyntax or ObjectCreationExpressionSyntax or TypeArgumentListSyntax or NullableTypeSyntax) return true;
        ExpressionSyntax place = name.Parent is MemberAccessExpressionSyntax access && access.Name == name ? access : name;
        return place.Parent switch
        {
            MemberAccessExpressionSyntax receiver => receiver.Expression == place && s_kept.Contains(receiver.Name.Identifier.ValueText),
            ElementAccessExpressionSyntax or ForEachStatementSyntax => true,
            AssignmentExpressionSyntax assignment when assignment.Left == place => assignment switch
            {
                { RawKind: (int)SyntaxKind.SimpleAssignmentExpression, Parent: ExpressionStatementSyntax or ArrowExpressionClauseSyntax } => IsNew(assignment.Right),
                // In a getter that shows it.
                { RawKind: (int)SyntaxKind.CoalesceAssignmentExpression } => IsNew(assignment.Right) && IsShown(assignment),
                // What another object is given behind its constructor.
                { Parent: InitializerExpressionSyntax } => assignment.Right is InitializerExpressionSyntax,
                _ => false,
            },
            _ => IsShown(place),
        };
    }

    // The whole of a getter.
    private static bool IsShown(ExpressionSyntax expression) => expression.Parent switch
    {
        ArrowExpressionClauseSyntax { Parent: PropertyDeclarationSyntax or AccessorDeclarationSyntax { Keyword.ValueText: "get" } } => true,
        ReturnStatementSyntax { Parent.Parent: AccessorDeclarationSyntax { Keyword.ValueText: "get" } } => true,
        _ => false,
    };

    // Of nothing but literals and what types have.
    private static bool IsNew(ExpressionSyntax expression) => expression switch
    {
        BaseObjectCreationExpressionSyntax creation => (creation.ArgumentList?.Arguments.All(static argument => IsFixed(argument.Expression)) ?? true) && (creation.Initializer?.Expressions.All(IsFixed) ?? true),
        CollectionExpressionSyntax collection => collection.Elements.All(static element => element is ExpressionElementSyntax one && IsFixed(one.Expression)),
        _ => false,
    };

    private static bool IsFixed(ExpressionSyntax expression) => expression switch
    {
        LiteralExpressionSyntax or TypeOfExpressionSyntax => true,
        MemberAccessExpressionSyntax { Expression: GenericNameSyntax } => true,
        MemberAccessExpressionSyntax { Expression: IdentifierNameSyntax holder } => s_holders.Contains(holder.Identifier.ValueText),
        InitializerExpressionSyntax initializer => initializer.Expressions.All(IsFixed),
        AssignmentExpressionSyntax { Left: ImplicitElementAccessSyntax element } assignment => element.ArgumentList.Arguments.All(static argument => IsFixed(argument.Expression)) && IsFixed(assignment.Right),
        _ => IsNew(expression),
    };
}
