// Which types the compiler refuses as they are declared or closed, most often because somebody is still typing them. It says so itself; code for them would only
// add errors in files that nobody wrote. It may also be that another generator writes what is missing, and then the program compiles: so it is told that there is no codec (NINO024).

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

/// <summary>Why a type gets no codec.</summary>
/// <param name="Type">The type that is refused: the one that was asked for, or one that it is derived from, nested in or closed over.</param>
/// <param name="Reason">What is wrong with it.</param>
/// <param name="IsDeclaration">Its declaration is wrong, not the place that names it.</param>
internal sealed record Refusal(INamedTypeSymbol Type, string Reason, bool IsDeclaration);

internal sealed class RefusedTypes(Derivations derivations)
{
    private const string OtherGenerators = "what other source generators write is not seen, so where one of them does it, write it in the source";

    private readonly Dictionary<INamedTypeSymbol, Refusal?> _known = new(SymbolEqualityComparer.Default);

    /// <summary>The error that the compiler has for the type, or for one that it is derived from, nested in or closed over; null when there is none.</summary>
    public Refusal? Of(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => Of(array.ElementType),
        IErrorTypeSymbol missing => Missing(missing),
        INamedTypeSymbol named => OfDeclaration(named.OriginalDefinition) ?? Misfit(named) ?? named.TypeArguments.Select(Of).FirstOrDefault(static refusal => refusal is not null) ?? (named.ContainingType is { } outer ? Of(outer) : null),
        _ => null,
    };

    public static Refusal Missing(IErrorTypeSymbol type) => new(type, $"no such type is known here; {OtherGenerators}", IsDeclaration: false);

    /// <summary>Tells that a type gets no codec: at what is wrong, and at the type or attribute that asks for one.</summary>
    public static void Report(ITypeSymbol type, Refusal refusal, Origin origin, DiagnosticSink diagnostics)
    {
        // It is still to get a name; or it is told of the type that is derived from it.
        if (refusal.Type.Name.Length == 0 || (origin.IsOnlyBase && type.TypeKind == TypeKind.Class)) return;
        string name = TypeNames.Message(refusal.Type);
        bool isAskedFor = origin.IsRoot && !SymbolEqualityComparer.Default.Equals(type, refusal.Type);
        if (isAskedFor) diagnostics.Report(NinoDiagnostics.RefusedType, origin.Location, TypeNames.Message(type), $"none is generated for '{name}'; {refusal.Reason}");
        // One that is only named there has no other place.
        if (refusal.IsDeclaration || !isAskedFor) diagnostics.Report(NinoDiagnostics.RefusedType, refusal.IsDeclaration ? DiagnosticSink.Place(refusal.Type, origin.Location) : origin.Location, name, refusal.Reason);
    }

    private Refusal? Misfit(INamedTypeSymbol type) => derivations.Misfit(type) is var (parameter, argument)
        ? new Refusal(type, $"'{TypeNames.Message(argument)}' is not what the constraints of '{parameter.Name}' ask for; {OtherGenerators}", IsDeclaration: false)
        : null;

    private Refusal? OfDeclaration(INamedTypeSymbol definition)
    {
        // What other assemblies have was compiled.
        if (definition.DeclaringSyntaxReferences.IsEmpty) return null;
        if (_known.TryGetValue(definition, out Refusal? known)) return known;
        // A type that is derived from itself is met again.
        _known.Add(definition, null);
        // A base that is not known is no part of the shape: what is stored of the type is what is seen.
        return _known[definition] = (BadHead(definition) ?? BadMembers(definition)) is { } reason ? new Refusal(definition, reason, IsDeclaration: true)
            : definition.BaseType is { TypeKind: not TypeKind.Error } level ? Of(level)
            : null;
    }

    private static string? BadHead(INamedTypeSymbol type)
    {
        if (type.Name.Length == 0 || type.TypeParameters.Any(static parameter => parameter.Name.Length == 0)) return "its declaration breaks off";
        foreach (ITypeParameterSymbol parameter in type.TypeParameters)
        {
            if (parameter.ConstraintTypes.FirstOrDefault(static constraint => constraint.TypeKind == TypeKind.Error) is { } missing)
                return missing.Name.Length == 0 ? "its declaration breaks off" : $"the constraint '{TypeNames.Message(missing)}' of its type parameter '{parameter.Name}' is no type that is known here; {OtherGenerators}";
        }

        if (type.TypeParameters.GroupBy(static parameter => parameter.Name).FirstOrDefault(static same => same.Skip(1).Any()) is { } twice) return $"it declares the type parameter '{twice.Key}' twice";
        return type.DeclaringSyntaxReferences.Any(static reference => reference.Read() is BaseTypeDeclarationSyntax { ContainsDiagnostics: true } part && IsBrokenOff(part)) ? "its declaration breaks off" : null;
    }

    /// <summary>Something is missing in front of the braces. What is missing between them is the members' own affair.</summary>
    private static bool IsBrokenOff(BaseTypeDeclarationSyntax part) =>
        HasError(part.Identifier)
        || part.Modifiers.Any(HasError)
        || HasError(part.BaseList)
        || (part is TypeDeclarationSyntax type && (HasError(type.Keyword) || HasError(type.TypeParameterList) || HasError(type.ParameterList) || type.ConstraintClauses.Any(HasError)));

    // Warnings count as nothing: those of comments and directives in front of a token are its own.
    private static bool HasError(SyntaxToken token) => token.ContainsDiagnostics && token.GetDiagnostics().Any(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);

    private static bool HasError(SyntaxNode? node) => node is { ContainsDiagnostics: true } && node.GetDiagnostics().Any(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);

    private static string? BadMembers(INamedTypeSymbol type)
    {
        HashSet<string> names = [], methods = [];
        List<IMethodSymbol> constructors = [];
        foreach (ISymbol member in type.GetMembers())
        {
            if (member is IMethodSymbol { MethodKind: MethodKind.Constructor } constructor) constructors.Add(constructor);
            if (member.IsImplicitlyDeclared || !member.CanBeReferencedByName) continue;
            if (member is IMethodSymbol) methods.Add(member.Name);
            else if (member is not INamedTypeSymbol && !names.Add(member.Name)) return Twice(member.Name);
            if (IsRequiredInVain(member, type)) return $"its required member '{member.Name}' cannot be set by everybody who may make one";
        }

        if (names.FirstOrDefault(methods.Contains) is { } both) return Twice(both);
        return constructors.Where((one, index) => constructors.Take(index).Any(other => HaveSameParameters(one, other))).Any() ? "two of its constructors have the same parameters" : null;

        static string Twice(string name) => $"it declares '{name}' twice";
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
