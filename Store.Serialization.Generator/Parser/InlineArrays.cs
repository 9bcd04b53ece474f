// Structs marked [InlineArray]: one field that stands for as many.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class InlineArrays
{
    /// <summary>The type of the elements, or null for any other struct.</summary>
    public static ITypeSymbol? ElementOf(INamedTypeSymbol type) =>
        type.TypeKind == TypeKind.Struct
        && type.GetAttributes().Any(static attribute => attribute.AttributeClass is { Name: "InlineArrayAttribute", ContainingNamespace.Name: "CompilerServices" })
            ? type.GetMembers().OfType<IFieldSymbol>().FirstOrDefault(static field => !field.IsStatic && !field.IsConst)?.Type
            : null;
}
