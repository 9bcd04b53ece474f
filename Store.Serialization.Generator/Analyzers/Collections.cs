using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Parser;

namespace Store.Serialization.Generator.Analyzers;

internal static class Collections
{
    /// <summary>What a collection holds: an array, memory, or what can be enumerated as one type. Null for anything else.</summary>
    public static ITypeSymbol? ElementOf(ITypeSymbol type)
    {
        if (type is IArrayTypeSymbol array) return array.ElementType;
        if (type is not INamedTypeSymbol { SpecialType: not SpecialType.System_String } named) return null;
        if (TypeNames.Metadata(named.OriginalDefinition) is "System.Memory`1" or "System.ReadOnlyMemory`1") return named.TypeArguments[0];
        List<INamedTypeSymbol> sequences = [.. named.AllInterfaces.Prepend(named).Where(static one => one.OriginalDefinition.SpecialType == SpecialType.System_Collections_Generic_IEnumerable_T)];
        return sequences.Count == 1 ? sequences[0].TypeArguments[0] : null;
    }
}
