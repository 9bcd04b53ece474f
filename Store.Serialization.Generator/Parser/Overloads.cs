// Does a call in generated code take the constructor, or factory, that was chosen? The compiler chooses again, among all that it sees.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class Overloads
{
    /// <summary>Generated code can call it, if need be with all parameters and their exact types. Else it is reached by an accessor, as are operators and getters, which have no name.</summary>
    public static bool CanCall(IMethodSymbol constructor, TypeGraph graph) =>
        graph.IsAccessible(constructor) && constructor.MethodKind is MethodKind.Constructor or MethodKind.Ordinary && !Others(constructor, graph).Any(other => HasPriority(other) || HasSameTypes(other, constructor));

    /// <summary>Another one could be taken by a call that passes so many parameters by name.</summary>
    public static bool MayTakeAnother(IMethodSymbol constructor, int passed, TypeGraph graph) =>
        Others(constructor, graph).Any(other => other.Parameters.Length >= passed || other.Parameters.Any(static parameter => parameter.IsParams));

    private static IEnumerable<IMethodSymbol> Others(IMethodSymbol constructor, TypeGraph graph) =>
        constructor.ContainingType.GetMembers(constructor.Name).OfType<IMethodSymbol>()
            .Where(other => !SymbolEqualityComparer.Default.Equals(other, constructor) && other.IsStatic == constructor.IsStatic && graph.IsAccessible(other));

    private static bool HasPriority(IMethodSymbol method) => method.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name == "OverloadResolutionPriorityAttribute");

    /// <summary>They differ in <c>in</c> and the like.</summary>
    private static bool HasSameTypes(IMethodSymbol one, IMethodSymbol other) =>
        one.Parameters.Length == other.Parameters.Length && one.Parameters.Zip(other.Parameters, static (a, b) => SymbolEqualityComparer.Default.Equals(a.Type, b.Type)).All(static isSame => isSame);
}
