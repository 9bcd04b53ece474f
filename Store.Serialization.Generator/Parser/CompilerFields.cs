// Fields that the compiler gave to a type: those of auto-properties and of parameters that code of the type uses. Every compiler sees those of a struct, and the properties only where they are public.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class CompilerFields
{
    /// <summary>The name of the field of an auto-property.</summary>
    public static string OfProperty(string name) => $"<{name}>k__BackingField";

    /// <summary>The property or parameter that the field is for; null for one that source declares, or that implements an interface explicitly.</summary>
    public static string? OwnerOf(IFieldSymbol field) =>
        field.Name.StartsWith("<", StringComparison.Ordinal) && field.Name.IndexOf('>') is > 1 and int end && field.Name.Substring(1, end - 1) is var owner && !owner.Contains('.') ? owner : null;

    /// <summary>A compiler named it, and no source: C# by an angle bracket, F# by an at sign.</summary>
    public static bool IsCompilers(IFieldSymbol field) => field.Name.IndexOfAny(['<', '@']) >= 0;

    /// <summary>What it is for is not seen.</summary>
    public static bool IsHidden(IFieldSymbol field) => OwnerOf(field) is { } owner && !field.ContainingType.GetMembers(owner).Any(static member => member is IPropertySymbol);

    /// <summary>A public getter shows what it holds, or nothing is known of it.</summary>
    public static bool IsShown(IFieldSymbol field) =>
        OwnerOf(field) is not { } owner || field.ContainingType.GetMembers(owner).Any(static member => member is IPropertySymbol { GetMethod.DeclaredAccessibility: Accessibility.Public });
}
