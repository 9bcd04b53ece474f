// Which types the compiler refuses as they are declared or closed, most often because somebody is still typing them. It says so itself; code for them would only
// add errors in files that nobody wrote.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.Generator.Parser;

internal sealed class RefusedTypes(Derivations derivations)
{
    private readonly Dictionary<INamedTypeSymbol, bool> _known = new(SymbolEqualityComparer.Default);

    /// <summary>The compiler has an error for the type, or for one that it is derived from, nested in or closed over.</summary>
    public bool Has(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => Has(array.ElementType),
        INamedTypeSymbol named => !derivations.FitsConstraints(named) || IsDeclaredBadly(named.OriginalDefinition) || named.TypeArguments.Any(Has) || (named.ContainingType is { } outer && Has(outer)),
        _ => false,
    };

    private bool IsDeclaredBadly(INamedTypeSymbol definition)
    {
        // What other assemblies have was compiled.
        if (definition.DeclaringSyntaxReferences.IsEmpty) return false;
        if (_known.TryGetValue(definition, out bool known)) return known;
        // A type that is derived from itself is met again.
        _known.Add(definition, false);
        return _known[definition] = HasBadHead(definition) || HasBadMembers(definition) || (definition.BaseType is { } level && Has(level));
    }

    private static bool HasBadHead(INamedTypeSymbol type) =>
        type.Name.Length == 0
        || type.TypeParameters.Any(static parameter => parameter.Name.Length == 0 || parameter.ConstraintTypes.Any(static constraint => constraint.TypeKind == TypeKind.Error))
        || type.TypeParameters.Select(static parameter => parameter.Name).Distinct().Count() < type.TypeParameters.Length
        || type.DeclaringSyntaxReferences.Any(static reference => reference.GetSyntax() is BaseTypeDeclarationSyntax { ContainsDiagnostics: true } part && IsBrokenOff(part));

    /// <summary>Something is missing in front of the braces. What is missing between them is the members' own affair.</summary>
    private static bool IsBrokenOff(BaseTypeDeclarationSyntax part) =>
        HasError(part.Identifier)
        || part.Modifiers.Any(HasError)
        || HasError(part.BaseList)
        || (part is TypeDeclarationSyntax type && (HasError(type.Keyword) || HasError(type.TypeParameterList) || HasError(type.ParameterList) || type.ConstraintClauses.Any(HasError)));

    // Warnings count as nothing: those of comments and directives in front of a token are its own.
    private static bool HasError(SyntaxToken token) => token.ContainsDiagnostics && token.GetDiagnostics().Any(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);

    private static bool HasError(SyntaxNode? node) => node is { ContainsDiagnostics: true } && node.GetDiagnostics().Any(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);

    private static bool HasBadMembers(INamedTypeSymbol type)
    {
        HashSet<string> names = [], methods = [];
        List<IMethodSymbol> constructors = [];
        foreach (ISymbol member in type.GetMembers())
        {
            if (member is IMethodSymbol { MethodKind: MethodKind.Constructor } constructor) constructors.Add(constructor);
            if (member.IsImplicitlyDeclared || !member.CanBeReferencedByName) continue;
            if (member is IMethodSymbol) methods.Add(member.Name);
            else if (member is not INamedTypeSymbol && !names.Add(member.Name)) return true;
            if (IsRequiredInVain(member, type)) return true;
        }

        return names.Overlaps(methods) || constructors.Where((one, index) => constructors.Take(index).Any(other => HaveSameParameters(one, other))).Any();
    }

    /// <summary>A required member that nobody who makes an object could set.</summary>
    private static bool IsRequiredInVain(ISymbol member, INamedTypeSymbol type) => member switch
    {
        IFieldSymbol { IsRequired: true } field => field.IsReadOnly || IsLessVisible(field, type),
        IPropertySymbol { IsRequired: true } property => property.SetMethod is not { } setter || IsLessVisible(setter, type),
        _ => false,
    };

    private static bool IsLessVisible(ISymbol member, INamedTypeSymbol type) => member.DeclaredAccessibility switch
    {
        Accessibility.Public => false,
        Accessibility.Internal or Accessibility.ProtectedOrInternal => IsSeenOutside(type),
        _ => true,
    };

    // A public type in an internal one is seen no further than that.
    private static bool IsSeenOutside(INamedTypeSymbol type) =>
        type.DeclaredAccessibility is Accessibility.Public or Accessibility.Protected or Accessibility.ProtectedOrInternal && (type.ContainingType is not { } outer || IsSeenOutside(outer));

    private static bool HaveSameParameters(IMethodSymbol one, IMethodSymbol other) =>
        one.IsStatic == other.IsStatic && one.Parameters.Length == other.Parameters.Length && one.Parameters.Zip(other.Parameters, static (a, b) => (a.RefKind == RefKind.None) == (b.RefKind == RefKind.None) && SymbolEqualityComparer.Default.Equals(a.Type, b.Type)).All(static same => same);
}
