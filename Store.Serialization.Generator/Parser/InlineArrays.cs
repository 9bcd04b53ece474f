// Structs marked [InlineArray]: one field that stands for as many.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class InlineArrays
{
    /// <summary>The type of the elements, or null for any other struct.</summary>
    public static ITypeSymbol? ElementOf(INamedTypeSymbol type) =>
        type.TypeKind == TypeKind.Struct
        && type.GetAttributes().Any(IsMark)
            ? type.GetMembers().OfType<IFieldSymbol>().FirstOrDefault(static field => !field.IsStatic && !field.IsConst)?.Type
            : null;

    /// <summary>How many elements it has, or 0 while the attribute is being typed.</summary>
    public static int LengthOf(INamedTypeSymbol type) =>
        type.GetAttributes().FirstOrDefault(IsMark)?.ConstructorArguments.FirstOrDefault().Value is int length ? System.Math.Max(length, 0) : 0;

    private static bool IsMark(AttributeData attribute) => attribute.AttributeClass is { Name: "InlineArrayAttribute", ContainingNamespace.Name: "CompilerServices" };
}
