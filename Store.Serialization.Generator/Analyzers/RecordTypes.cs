using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Parser;

namespace Store.Serialization.Generator.Analyzers;

/// <summary>Which types are records of their own: those with [NinoType], and those that this project, or the one that declares them, registers.</summary>
internal sealed class RecordTypes(Compilation compilation)
{
    // Every type of the project may register some: looked through once, and only where a collection is appended.
    private readonly Lazy<HashSet<ITypeSymbol>> _registered = new(() => new HashSet<ITypeSymbol>(
        TypesIn(compilation.Assembly.GlobalNamespace).Prepend<ISymbol>(compilation.Assembly).SelectMany(NinoAttributes.Registered).Select(static one => one.Type), SymbolEqualityComparer.Default));

    private readonly Lazy<HashSet<ITypeSymbol>> _encoded = new(() => Encoded(compilation, byGenerator: true));
    private readonly Lazy<HashSet<ITypeSymbol>> _encodedByHand = new(() => Encoded(compilation, byGenerator: false));
    private readonly Lazy<HashSet<ITypeSymbol>> _bases = new(() => new(TypesIn(compilation.Assembly.GlobalNamespace).Where(NinoAttributes.IsNinoType).SelectMany(Derivations.BasesOf), SymbolEqualityComparer.Default));

    public bool IsRecord(ITypeSymbol type) =>
        type is not ({ SpecialType: SpecialType.System_Object } or ITypeParameterSymbol)
        && (NinoAttributes.IsNinoType(type) || _registered.Value.Contains(type)
            || (type.ContainingAssembly is { } assembly && NinoAttributes.Registered(assembly).Any(one => SymbolEqualityComparer.Default.Equals(one.Type, type))));

    /// <summary>
    /// A type that this project declares, and nothing in it makes a record of. A type of another assembly, or one of the framework around one of this project, may be registered anywhere; so may what has a codec by hand, and what the attributes of another serializer name has a generated one.
    /// </summary>
    public bool IsUnregistered(INamedTypeSymbol type)
    {
        if (type is not { TypeKind: TypeKind.Class or TypeKind.Struct or TypeKind.Interface, SpecialType: SpecialType.None } || HasOpenArgument(type)) return false;
        if (!SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly) || (type.IsGenericType ? _registered.Value.Contains(type) : IsRecord(type))) return false;
        if (_encodedByHand.Value.Contains(type) || _encodedByHand.Value.Contains(type.OriginalDefinition)) return false;
        // Of a generic [NinoType] each closed form is registered for itself, or as the base of a type that is. That a member leads to it makes a codec and no record.
        return !(type.IsGenericType && NinoAttributes.IsNinoType(type) ? _bases : _encoded).Value.Contains(type);
    }

    // What has a codec; of a codec with type parameters, which some code registers for the forms that it needs, the definition.
    private static HashSet<ITypeSymbol> Encoded(Compilation compilation, bool byGenerator)
    {
        INamedTypeSymbol? codec = compilation.GetTypeByMetadataName("Store.Serialization.INinoCodec`1");
        return new(
            TypesIn(compilation.Assembly.GlobalNamespace).Where(type => byGenerator == (type.ContainingNamespace.ToDisplayString() == GenerationParser.GeneratedNamespace)).SelectMany(static type => type.AllInterfaces)
                .Where(one => SymbolEqualityComparer.Default.Equals(one.OriginalDefinition, codec)).Select(static one => HasOpenArgument(one.TypeArguments[0]) ? one.TypeArguments[0].OriginalDefinition : one.TypeArguments[0]),
            SymbolEqualityComparer.Default);
    }

    private static bool HasOpenArgument(ITypeSymbol type) => type switch
    {
        ITypeParameterSymbol or IErrorTypeSymbol => true,
        IArrayTypeSymbol array => HasOpenArgument(array.ElementType),
        INamedTypeSymbol named => named.TypeArguments.Any(HasOpenArgument) || (named.ContainingType is { } outer && HasOpenArgument(outer)),
        _ => false,
    };

    private static IEnumerable<INamedTypeSymbol> TypesIn(INamespaceOrTypeSymbol holder)
    {
        foreach (ISymbol member in holder.GetMembers())
        {
            if (member is not INamespaceOrTypeSymbol inner) continue;
            if (inner is INamedTypeSymbol type) yield return type;
            foreach (INamedTypeSymbol nested in TypesIn(inner)) yield return nested;
        }
    }
}
