// State that a getter makes when it is first asked for: no cache, which could be made again, but an object that whoever asked may have changed since, or a moment or identity that is another one each time. A guess from the syntax,
// without semantic model: this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal static class MadeWhenAsked
{
    private const string EnsureInitialized = "EnsureInitialized";

    /// <summary>The getter of a property makes the value of a state of nothing that the object holds, and what it makes can be changed, or is never the same.</summary>
    public static bool Is(IPropertySymbol property, ISymbol state, ITypeSymbol type) =>
        AccessorCode.Bodies(property, onlyGetter: true).Any(body => AccessorCode.Mentions(body, state.Name).Where(AccessorCode.IsSet).Any(mention => Made(mention) is { } made && (IsOfNothing(made, type, state.ContainingType) || IsNeverTheSame(made, state.ContainingType))));

    /// <summary>What a property without a setter keeps is made by its getter alone where it is not yet there, of what the object holds: <c>field ??= First + Last</c>.</summary>
    public static bool IsCache(IPropertySymbol property)
    {
        property = property.OriginalDefinition;
        List<SyntaxNode> bodies = [.. AccessorCode.Bodies(property, onlyGetter: true)];
        if (bodies.Count == 0 || Filling.Initializers(property).Any() || Constants.IsNamedByConstructor(property)) return false;
        List<ExpressionSyntax> set = [.. bodies.SelectMany(static body => body.DescendantNodes()).Where(static node => node.RawKind == (int)SyntaxKind.FieldExpression).Cast<ExpressionSyntax>().Where(AccessorCode.IsSet)];
        return set.Count > 0 && set.TrueForAll(one => Caches.IsFilled(one) && one.Parent is AssignmentExpressionSyntax assignment
            && AccessorCode.Mentions(assignment).Any(mention => assignment.Right.Contains(mention) && Named(mention).Any(static member => member is { IsStatic: false } and (IFieldSymbol or IPropertySymbol)))
            && !AccessorCode.Mentions(assignment).Any(mention => Named(mention).Any(static member => member is IMethodSymbol { IsStatic: false })) && !IsNeverTheSame(assignment.Right, property.ContainingType));

        IEnumerable<ISymbol> Named(ExpressionSyntax mention) => Derivations.BasesOf(property.ContainingType).SelectMany(level => level.GetMembers(AccessorCode.NameOf(mention)));
    }

    /// <summary>A lazy field or auto-property makes its value of nothing that the object holds, and what it makes can be changed, or is never the same.</summary>
    public static bool IsLazy(ISymbol state, ITypeSymbol type) =>
        type is INamedTypeSymbol { Arity: 1 } lazy && TypeNames.Metadata(lazy.OriginalDefinition) == "System.Lazy`1"
        && Filling.Initializers(state).Any(made => made is BaseObjectCreationExpressionSyntax { ArgumentList.Arguments: var arguments } && (arguments.Count == 0 ? IsChanged(lazy.TypeArguments[0]) : arguments[0].Expression is LambdaExpressionSyntax { ExpressionBody: { } value } && IsOfNothing(value, lazy.TypeArguments[0], state.ContainingType)));

    /// <summary>An expression names nothing of the object, and makes an object that can be changed, or what is never the same.</summary>
    public static bool IsOfNothing(ExpressionSyntax made, ITypeSymbol type, INamedTypeSymbol owner) =>
        made switch
        {
            BaseObjectCreationExpressionSyntax or InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: EnsureInitialized } } => IsChanged(type),
            InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax } or MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Now" or "UtcNow" or "Today" } => IsMomentOrIdentity(type),
            _ => false,
        }
        && !made.DescendantNodes().Any(static node => node is ThisExpressionSyntax or BaseExpressionSyntax)
        && !Arguments(made).Any(part => NamesMember(part, owner));

    private static bool NamesMember(SyntaxNode part, INamedTypeSymbol owner) =>
        part.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Any(name => !(name.Parent is MemberAccessExpressionSyntax { Expression: not (ThisExpressionSyntax or BaseExpressionSyntax) } access && access.Name == name) && Derivations.BasesOf(owner).Any(level => level.GetMembers(name.Identifier.ValueText).Any(static member => member is not INamedTypeSymbol)));

    /// <summary>A number or text is made by chance, whatever else it is made of, or is a moment: <c>Guid.NewGuid().ToString()</c>, <c>DateTime.UtcNow.Ticks</c>.</summary>
    private static bool IsNeverTheSame(ExpressionSyntax made, INamedTypeSymbol owner)
    {
        foreach (MemberAccessExpressionSyntax access in made.DescendantNodesAndSelf().OfType<MemberAccessExpressionSyntax>())
        {
            string on = access.Expression is MemberAccessExpressionSyntax inner ? inner.Name.Identifier.ValueText : (access.Expression as SimpleNameSyntax)?.Identifier.ValueText ?? "", name = access.Name.Identifier.ValueText;
            if ((on == "Guid" && name is "NewGuid" or "CreateVersion7") || (on == "Random" && name == "Shared") || on == "RandomNumberGenerator") return true;
            // How long ago something was is made of it.
            if (((on is "DateTime" or "DateTimeOffset" && name is "Now" or "UtcNow" or "Today") || (on == "Environment" && name is "TickCount" or "TickCount64") || (on == "Stopwatch" && name == "GetTimestamp")) && !NamesMember(made, owner)) return true;
        }

        return false;
    }

    // What is made may have the name of a member: `Settings Settings => _settings ??= new Settings()`.
    private static IEnumerable<SyntaxNode> Arguments(ExpressionSyntax made) => made switch
    {
        BaseObjectCreationExpressionSyntax created => [.. created.ArgumentList?.Arguments ?? default(IEnumerable<SyntaxNode>) ?? [], .. created.Initializer?.Expressions ?? default(IEnumerable<SyntaxNode>) ?? []],
        InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: EnsureInitialized } } => [],
        InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Expression: not SimpleNameSyntax { Identifier.ValueText: "Guid" or "DateTime" or "DateTimeOffset" } } on } call => [on.Expression, .. call.ArgumentList.Arguments],
        InvocationExpressionSyntax call => call.ArgumentList.Arguments,
        MemberAccessExpressionSyntax { Expression: not SimpleNameSyntax { Identifier.ValueText: "DateTime" or "DateTimeOffset" } } on => [on.Expression],
        _ => [],
    };

    /// <summary>Whoever asks for such an object may change it: it is of a class with [NinoType], or of one in source, with members that can be set.</summary>
    private static bool IsChanged(ITypeSymbol type) =>
        type is INamedTypeSymbol { TypeKind: TypeKind.Class } named && (NinoAttributes.IsNinoType(named) || !named.DeclaringSyntaxReferences.IsEmpty) && !MemberParser.IsCollection(named)
        && Derivations.BasesOf(named).Any(static level => level.GetMembers().Any(CanBeSet));

    private static bool IsMomentOrIdentity(ITypeSymbol type)
    {
        if (type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable) type = nullable.TypeArguments[0];
        return type.SpecialType == SpecialType.System_DateTime || TypeNames.Metadata(type.OriginalDefinition) is "System.Guid" or "System.DateTimeOffset";
    }

    private static bool CanBeSet(ISymbol member) =>
        member is IPropertySymbol { IsStatic: false, SetMethod: { DeclaredAccessibility: Accessibility.Public, IsInitOnly: false } } or IFieldSymbol { IsStatic: false, IsConst: false, IsReadOnly: false, DeclaredAccessibility: Accessibility.Public };

    /// <summary>What a mention is set to: <c>x ??= made</c>, <c>x = made</c>, or by LazyInitializer.</summary>
    public static ExpressionSyntax? Made(ExpressionSyntax mention) => mention.Parent switch
    {
        AssignmentExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceAssignmentExpression or (int)SyntaxKind.SimpleAssignmentExpression } assignment => assignment.Right,
        ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name.Identifier.ValueText: EnsureInitialized } } call } => call.ArgumentList.Arguments.Count switch
        {
            // By its constructor without parameters.
            1 => call,
            _ => (call.ArgumentList.Arguments.Last().Expression as LambdaExpressionSyntax)?.ExpressionBody,
        },
        _ => null,
    };
}
