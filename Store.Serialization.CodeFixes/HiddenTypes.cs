// Whether a type that is made internal would show one that stays hidden, which the compiler refuses: CS0050 to CS0061, of file-local types CS9051.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.CodeFixes;

internal static class HiddenTypes
{
    /// <summary>Somewhere in a type that is made internal stands one that would be less accessible.</summary>
    /// <param name="type">The type.</param>
    /// <param name="shown">What is made internal with it.</param>
    public static bool ShowsOne(INamedTypeSymbol type, IReadOnlyList<INamedTypeSymbol> shown)
    {
        if (type.BaseType is { } level && Hides(level, isPrivate: false, shown)) return true;
        if (type.TypeKind == TypeKind.Interface && type.Interfaces.Any(one => Hides(one, isPrivate: false, shown))) return true;
        if (Constraints(type.TypeParameters).Any(constraint => Hides(constraint, isPrivate: false, shown))) return true;
        // Its method counts as one that nobody declared.
        if (type.DelegateInvokeMethod is { } call && Named(call).Any(named => Hides(named, isPrivate: false, shown))) return true;
        return type.GetMembers().Any(member => member is INamedTypeSymbol nested
            ? nested.DeclaredAccessibility != Accessibility.Private && ShowsOne(nested, shown)
            : !member.IsImplicitlyDeclared && Named(member).Any(named => Hides(named, member.DeclaredAccessibility == Accessibility.Private, shown)));
    }

    /// <summary>Generated code cannot name the type: it, or one that it is nested in, is private, protected or file-local.</summary>
    public static bool IsHidden(INamedTypeSymbol type) => Levels(type).Any(static level => level.IsFileLocal || IsNarrow(level));

    /// <summary>As <see cref="IsHidden"/>, of a type or one in its name: what an array is of, or a type argument.</summary>
    public static bool NamesOne(ITypeSymbol type) => Hides(type, isPrivate: false, shown: []);

    // A file-local type may not be named by a private member either, unless its holder is file-local.
    private static bool Hides(ITypeSymbol type, bool isPrivate, IReadOnlyList<INamedTypeSymbol> shown) => type switch
    {
        IArrayTypeSymbol array => Hides(array.ElementType, isPrivate, shown),
        IPointerTypeSymbol pointer => Hides(pointer.PointedAtType, isPrivate, shown),
        IFunctionPointerTypeSymbol pointer => Named(pointer.Signature).Any(named => Hides(named, isPrivate, shown)),
        INamedTypeSymbol named => Levels(named).Any(level => level.TypeArguments.Any(argument => Hides(argument, isPrivate, shown))
            || (!shown.Contains(level.OriginalDefinition, SymbolEqualityComparer.Default) && (level.IsFileLocal || (!isPrivate && IsNarrow(level))))),
        _ => false,
    };

    private static IEnumerable<ITypeSymbol> Named(ISymbol member) => member switch
    {
        IFieldSymbol field => [field.Type],
        IPropertySymbol property => property.Parameters.Select(static parameter => parameter.Type).Prepend(property.Type),
        IEventSymbol one => [one.Type],
        IMethodSymbol method => method.Parameters.Select(static parameter => parameter.Type).Concat(Constraints(method.TypeParameters)).Prepend(method.ReturnType),
        _ => [],
    };

    private static IEnumerable<ITypeSymbol> Constraints(IEnumerable<ITypeParameterSymbol> parameters) => parameters.SelectMany(static parameter => parameter.ConstraintTypes);

    private static bool IsNarrow(INamedTypeSymbol type) => type.DeclaredAccessibility is Accessibility.Private or Accessibility.Protected or Accessibility.ProtectedAndInternal;

    private static IEnumerable<INamedTypeSymbol> Levels(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = level.ContainingType) yield return level;
    }
}
