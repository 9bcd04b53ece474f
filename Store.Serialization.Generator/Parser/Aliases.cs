// Assemblies that are referenced under an alias only (extern alias): generated code names every type from the global namespace, in which theirs are not.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class Aliases
{
    /// <summary>Why generated code cannot name a type, or null.</summary>
    public static string? WhyNotNamed(ITypeSymbol type, Compilation compilation)
    {
        if (type.ContainingAssembly is not { } assembly || SymbolEqualityComparer.Default.Equals(assembly, compilation.Assembly)) return null;
        if (compilation.GetMetadataReference(assembly)?.Properties.Aliases is not { IsDefaultOrEmpty: false } aliases || aliases.Contains("global")) return null;
        return $"its assembly '{assembly.Name}' is referenced under the alias '{aliases[0]}' only, and generated code names types from the global namespace; add 'global' to the aliases of the reference, or convert it to a type of your own";
    }
}
