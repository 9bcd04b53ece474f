// protobuf-net takes an interface for a base: what that marks is stored of every class that it names as a case. Of a member is looked at the class that declares it: a base without the interface has none. docs/types.md, "Models of other serializers".

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class InterfaceMarks
{
    private static readonly string[] s_space = ["ProtoBuf"];

    /// <summary>The members that a property implements, of the interfaces which are contracts and name its class, a base of it or what is derived from it.</summary>
    public static IEnumerable<IPropertySymbol> ImplementedBy(ISymbol member)
    {
        if (member is not IPropertySymbol { IsStatic: false, IsIndexer: false, ContainingType: { TypeKind: TypeKind.Class } type }) yield break;
        foreach (INamedTypeSymbol contract in type.AllInterfaces.Where(one => ForeignContract.Has(one, "ProtoContractAttribute", s_space) && Names(one, type)))
        {
            foreach (IPropertySymbol declared in contract.GetMembers().OfType<IPropertySymbol>())
            {
                if (SymbolEqualityComparer.Default.Equals(type.FindImplementationForInterfaceMember(declared), member)) yield return declared;
            }
        }
    }

    private static bool Names(INamedTypeSymbol contract, INamedTypeSymbol type) =>
        ForeignCases.NamedBy(contract).Any(one => ForeignContract.IsIn(one.Attribute.AttributeClass, s_space) && (IsOrIsDerivedFrom(type, one.Named) || IsOrIsDerivedFrom(one.Named, type)));

    private static bool IsOrIsDerivedFrom(INamedTypeSymbol type, INamedTypeSymbol other) =>
        Derivations.BasesOf(type).Any(level => SymbolEqualityComparer.Default.Equals(level.OriginalDefinition, other.OriginalDefinition));
}
