using Microsoft.CodeAnalysis;

namespace Store.Serialization.CodeFixes;

/// <summary>The types that a project declares itself.</summary>
internal static class SourceTypes
{
    public static IEnumerable<INamedTypeSymbol> Of(Compilation compilation) => In(compilation.Assembly.GlobalNamespace);

    /// <summary>The types that can be made and stand where a base is declared, as far as generated code reaches them.</summary>
    public static IEnumerable<INamedTypeSymbol> DerivedFrom(INamedTypeSymbol type, Compilation compilation) =>
        Of(compilation).Where(one => one is { IsAbstract: false, TypeKind: TypeKind.Class or TypeKind.Struct, Arity: 0 } && !HiddenTypes.IsHidden(one) && Bases(one).Any(level => SymbolEqualityComparer.Default.Equals(level, type)));

    private static IEnumerable<INamedTypeSymbol> In(INamespaceOrTypeSymbol space)
    {
        foreach (INamespaceOrTypeSymbol member in space.GetMembers().OfType<INamespaceOrTypeSymbol>())
        {
            if (member is INamedTypeSymbol type) yield return type;
            foreach (INamedTypeSymbol inside in In(member)) yield return inside;
        }
    }

    private static IEnumerable<INamedTypeSymbol> Bases(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type.BaseType; level is not null; level = level.BaseType) yield return level;
        foreach (INamedTypeSymbol level in type.AllInterfaces) yield return level;
    }
}
