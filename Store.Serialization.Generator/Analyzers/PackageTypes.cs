using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Analyzers;

internal static class PackageTypes
{
    /// <summary>The assembly of the store.</summary>
    public const string Store = "NinoStore";

    /// <summary>A type of ours, which nothing here references: known by its name and that of its assembly. Null where the project does not reference it.</summary>
    public static INamedTypeSymbol? Find(string name, string assembly, Compilation compilation) =>
        compilation.GetTypesByMetadataName(name).FirstOrDefault(type => type.ContainingAssembly.Name == assembly);
}
