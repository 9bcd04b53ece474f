// To which objects references are kept: [NinoType(References = true)], what another serializer's attribute says of the same, and [NinoSerializable(..., References = true)] of this assembly.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal sealed class References
{
    private readonly HashSet<ITypeSymbol> _registered = new(SymbolEqualityComparer.Default);

    public References(IEnumerable<ISymbol> registering)
    {
        foreach ((ITypeSymbol type, AttributeData attribute) in registering.SelectMany(NinoAttributes.Registered))
        {
            if (NinoAttributes.AsksForReferences(attribute)) _registered.Add(type);
        }
    }

    /// <summary>References are asked for on the type or on anything it derives from: one object can be reached through several declared types.</summary>
    public bool AreKept(INamedTypeSymbol type) =>
        !type.IsValueType && Derivations.BasesOf(type).Any(level => NinoAttributes.AsksForReferences(level) || _registered.Contains(level) || ForeignContract.KeepsReferences(level));
}
