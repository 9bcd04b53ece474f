// Which types are the framework's: by the key that their assembly is signed with, as anybody may name a namespace System.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class Framework
{
    // With this one Microsoft signs libraries of every kind, and the framework's for desktop windows, which are in System.Windows.
    private const ulong Desktop = 0x31BF3856AD364E35;

    public static bool Has(INamedTypeSymbol type) => KeyOf(type.ContainingAssembly) switch
    {
        // NinoObjects.IsFramework of the engine knows these too.
        0x7CEC85D7BEA7798E or 0xB03F5F7F11D50A3A or 0xB77A5C561934E089 or 0xCC7B13FFCD2DDD51 => true,
        Desktop => IsInSystem(type),
        _ => false,
    };

    private static bool IsInSystem(INamedTypeSymbol type)
    {
        INamespaceSymbol? space = type.ContainingNamespace;
        while (space is { ContainingNamespace.IsGlobalNamespace: false }) space = space.ContainingNamespace;
        return space?.Name == "System";
    }

    private static ulong KeyOf(IAssemblySymbol? assembly)
    {
        ulong key = 0;
        if (assembly is not null && assembly.Identity.PublicKeyToken is { IsDefault: false } token) foreach (byte part in token) key = (key << 8) | part;
        return key;
    }
}
