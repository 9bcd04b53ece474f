// To which objects references are kept: [NinoType(References = true)], what another serializer's attribute says of the same, on a class or on a member that leads to it, and [NinoSerializable(..., References = true)] of this assembly.

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

    /// <summary>
    /// Looks at the members of registered models: what one of them says of the objects that it holds counts for their type, wherever that is met. Here an object is written once or it is not, whoever leads to it.
    /// </summary>
    public void AddMarkedMembers(IEnumerable<ITypeSymbol> models)
    {
        foreach ((INamedTypeSymbol model, ISymbol member) in models.OfType<INamedTypeSymbol>().SelectMany(static model => Derivations.BasesOf(model).SelectMany(static level => level.GetMembers()).Select(member => (model, member))))
        {
            ITypeSymbol? held = member is IPropertySymbol property ? property.Type : (member as IFieldSymbol)?.Type;
            if (held is null || !ForeignContract.KeepsReferencesTo(member, model)) continue;
            // A collection is none of the objects: its elements are, of a dictionary the values.
            while (held is IArrayTypeSymbol || held is INamedTypeSymbol { IsGenericType: true } one && one.AllInterfaces.Append(one).Any(static face => face.SpecialType == SpecialType.System_Collections_IEnumerable))
                held = held is IArrayTypeSymbol array ? array.ElementType : ((INamedTypeSymbol)held).TypeArguments.Last();
            if (held is INamedTypeSymbol { IsValueType: false } type && !NinoAttributes.IsNinoType(type)) _registered.Add(type);
        }
    }

    /// <summary>References are asked for on the type or on anything it derives from: one object can be reached through several declared types.</summary>
    public bool AreKept(INamedTypeSymbol type) =>
        !type.IsValueType && Derivations.BasesOf(type).Any(level => NinoAttributes.AsksForReferences(level) || _registered.Contains(level) || ForeignContract.KeepsReferences(level));
}
