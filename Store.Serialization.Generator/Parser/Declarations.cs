// A property that overrides another one is declared at least twice, and attributes, accessors and fields may be on any of the declarations.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class Declarations
{
    /// <summary>A member and what it overrides, the member first.</summary>
    public static IEnumerable<ISymbol> Of(ISymbol member)
    {
        for (ISymbol? symbol = member; symbol is not null; symbol = (ISymbol?)(symbol as IPropertySymbol)?.OverriddenProperty ?? (symbol as IMethodSymbol)?.OverriddenMethod) yield return symbol;
    }

    /// <summary>As <see cref="Of(ISymbol)"/>, of a property.</summary>
    public static IEnumerable<IPropertySymbol> Of(IPropertySymbol property) => Of((ISymbol)property).Cast<IPropertySymbol>();

    /// <summary>Where an attribute of one declaration may stand: on it, and on the field that the compiler gives a property, as <c>[field: DataMember]</c> does.</summary>
    public static IEnumerable<ISymbol> PlacesOf(ISymbol declaration) => declaration is IPropertySymbol property && MemberParser.SeenField(property) is { } field ? [declaration, field] : [declaration];

    /// <summary>The compiler writes it for every record: it holds nothing.</summary>
    public static bool IsOfEveryRecord(ISymbol member) => member is IPropertySymbol { Name: "EqualityContract", ContainingType.IsRecord: true };

    /// <summary>The getter or setter that a property has, if need be from what it overrides.</summary>
    public static IMethodSymbol? Accessor(IPropertySymbol property, System.Func<IPropertySymbol, IMethodSymbol?> select) =>
        Of(property).Select(select).FirstOrDefault(static accessor => accessor is not null);

    /// <summary>A property or method overrides the other one.</summary>
    public static bool Overrides(ISymbol symbol, ISymbol member) =>
        Of(symbol).Skip(1).Any(overridden => SymbolEqualityComparer.Default.Equals(overridden, member));
}
