using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Parser;

namespace Store.Serialization.Generator.Analyzers;

/// <summary>Which types are records of their own: those with [NinoType], and those that this project, or the one that declares them, registers.</summary>
internal sealed class RecordTypes(Compilation compilation)
{
    // Every type of the project may register some: looked through once, and only where a collection is appended.
    private readonly Lazy<HashSet<ITypeSymbol>> _registered = new(() => new HashSet<ITypeSymbol>(
        TypesIn(compilation.Assembly.GlobalNamespace).Prepend<ISymbol>(compilation.Assembly).SelectMany(NinoAttributes.Registered).Select(static one => one.Type), SymbolEqualityComparer.Default));

    public bool IsRecord(ITypeSymbol type) =>
        type is not ({ SpecialType: SpecialType.System_Object } or ITypeParameterSymbol)
        && (NinoAttributes.IsNinoType(type) || _registered.Value.Contains(type)
            || (type.ContainingAssembly is { } assembly && NinoAttributes.Registered(assembly).Any(one => SymbolEqualityComparer.Default.Equals(one.Type, type))));

    private static IEnumerable<INamedTypeSymbol> TypesIn(INamespaceOrTypeSymbol holder)
    {
        foreach (ISymbol member in holder.GetMembers())
        {
            if (member is not INamespaceOrTypeSymbol inner) continue;
            if (inner is INamedTypeSymbol type) yield return type;
            foreach (INamedTypeSymbol nested in TypesIn(inner)) yield return nested;
        }
    }
}
