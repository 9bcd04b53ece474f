// protobuf-net takes an interface for a base: what that marks is stored of every class that it names as a case. A base may have the member and only what is derived from it the interface. docs/models-of-others.md.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class InterfaceMarks
{
    private static readonly string[] s_space = ["ProtoBuf"];

    /// <summary>The members that a property implements for a class or a base of it, of the interfaces which are contracts and name that class, a base of it or what is derived from it.</summary>
    /// <param name="member">The property, of the class or of a base.</param>
    /// <param name="type">The class.</param>
    public static IEnumerable<IPropertySymbol> ImplementedBy(ISymbol member, INamedTypeSymbol type) =>
        member is not IPropertySymbol { IsStatic: false, IsIndexer: false } ? [] :
            from level in Derivations.BasesOf(type)
            where level.TypeKind == TypeKind.Class
            from contract in level.AllInterfaces
            where AttributeReading.Has(contract, "ProtoContractAttribute", s_space) && Names(contract, level)
            from declared in contract.GetMembers().OfType<IPropertySymbol>()
            where SymbolEqualityComparer.Default.Equals(level.FindImplementationForInterfaceMember(declared), member)
            select declared;

    private static bool Names(INamedTypeSymbol contract, INamedTypeSymbol type) =>
        ForeignCases.NamedBy(contract).Any(one => AttributeReading.IsIn(one.Attribute.AttributeClass, s_space) && (IsOrIsDerivedFrom(type, one.Named) || IsOrIsDerivedFrom(one.Named, type)));

    private static bool IsOrIsDerivedFrom(INamedTypeSymbol type, INamedTypeSymbol other) =>
        Derivations.BasesOf(type).Any(level => SymbolEqualityComparer.Default.Equals(level.OriginalDefinition, other.OriginalDefinition));
}
