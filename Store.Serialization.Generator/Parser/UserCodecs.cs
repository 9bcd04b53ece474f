using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

/// <summary>The codecs that users wrote, as one graph has met them.</summary>
internal sealed class UserCodecs
{
    private readonly Dictionary<ITypeSymbol, ITypeSymbol> _registered = new(SymbolEqualityComparer.Default);
    private readonly Dictionary<string, ITypeSymbol> _registeredByName = [];
    private readonly HashSet<INamedTypeSymbol> _written = new(SymbolEqualityComparer.Default);

    /// <summary>Types with the codecs that registrations give them.</summary>
    public IReadOnlyDictionary<ITypeSymbol, ITypeSymbol> Registered => _registered;

    /// <summary>Those that were written in this compilation.</summary>
    public IReadOnlyCollection<INamedTypeSymbol> Written => _written;

    /// <summary>Notes that a registration gives a type a codec.</summary>
    /// <returns>Another codec that one gave it before, which counts then; else null.</returns>
    public ITypeSymbol? Register(ITypeSymbol type, ITypeSymbol codec)
    {
        if (_registeredByName.TryGetValue(TypeNames.Source(type), out ITypeSymbol other) && !SymbolEqualityComparer.Default.Equals(other, codec)) return other;
        _registered[type] = _registeredByName[TypeNames.Source(type)] = codec;
        return null;
    }

    /// <summary>Notes one that was written in this compilation.</summary>
    public void AddWritten(INamedTypeSymbol codec) => _written.Add(codec);

    /// <summary>The name of the codec that the user wrote for a type, or null.</summary>
    public string? Of(INamedTypeSymbol type) => CustomCodecs.Of(type) is { } codec ? TypeNames.Message(codec) : _registered.TryGetValue(type, out ITypeSymbol registered) || _registeredByName.TryGetValue(TypeNames.Source(type), out registered) ? TypeNames.Message(registered) : null;
}
