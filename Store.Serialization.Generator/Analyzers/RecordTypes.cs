using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Parser;

namespace Store.Serialization.Generator.Analyzers;

/// <summary>Which types are records of their own: those with [NinoType], and those that this project, or the one that declares them, registers.</summary>
internal sealed class RecordTypes(Compilation compilation)
{
    // Every type of the project may register some: looked through once, and only where a call asks. By name, for tuples are the same type whatever their elements are called.
    private readonly Lazy<HashSet<string>> _registered = new(() => [
        .. Derivations.TypesIn(compilation.Assembly.GlobalNamespace).Prepend<ISymbol>(compilation.Assembly).SelectMany(NinoAttributes.Registered).Select(static one => TypeNames.Source(one.Type))]);

    private readonly Lazy<HashSet<ITypeSymbol>> _encoded = new(() => Encoded(compilation, byGenerator: true));
    private readonly Lazy<HashSet<ITypeSymbol>> _encodedByHand = new(() => Encoded(compilation, byGenerator: false));
    private readonly Lazy<HashSet<ITypeSymbol>> _bases = new(() => new(Derivations.TypesIn(compilation.Assembly.GlobalNamespace).Where(NinoAttributes.IsNinoType).SelectMany(Derivations.BasesOf), SymbolEqualityComparer.Default));

    public bool IsRecord(ITypeSymbol type) =>
        type is not ({ SpecialType: SpecialType.System_Object } or ITypeParameterSymbol)
        && (NinoAttributes.IsNinoType(type) || _registered.Value.Contains(TypeNames.Source(type))
            || (type.ContainingAssembly is { } assembly && NinoAttributes.Registered(assembly).Any(one => SymbolEqualityComparer.Default.Equals(one.Type, type))));

    /// <summary>What a collection holds that is no record itself, of records. Null for anything else.</summary>
    public ITypeSymbol? RecordIn(ITypeSymbol type) => Collections.ElementOf(type) is { } element && IsRecord(element) && !IsRecord(type) ? element : null;

    /// <summary>What nobody makes a record of, though a call stores it: the type, or what it is an array or a list of, for these are registered with it. Null where there is nothing to say.</summary>
    /// <param name="type">The type that a call stores.</param>
    /// <param name="isElement">It is the element that has to be registered.</param>
    public ITypeSymbol? UnregisteredIn(ITypeSymbol type, out bool isElement)
    {
        ITypeSymbol? element = ElementOf(type);
        isElement = element is not null;
        return IsUnregistered(type) && (element is null || IsUnregistered(element)) ? element ?? type : null;
    }

    // A type that this project declares, or one around it, which nothing in the project makes a record of. Any other may be registered anywhere; so may what has a codec by hand, and what the attributes of another serializer name has a generated one.
    private bool IsUnregistered(ITypeSymbol type)
    {
        if (!IsOfProject(type) || HasOpenArgument(type) || _registered.Value.Contains(TypeNames.Source(type))) return false;
        if (type is not INamedTypeSymbol named) return type is IArrayTypeSymbol;
        if (named is not { TypeKind: TypeKind.Class or TypeKind.Struct or TypeKind.Interface or TypeKind.Enum, SpecialType: SpecialType.None }) return false;
        if (_encodedByHand.Value.Contains(named) || _encodedByHand.Value.Contains(named.OriginalDefinition)) return false;
        if (!named.IsGenericType) return !IsRecord(named) && !_encoded.Value.Contains(named);
        // Of a generic [NinoType] each closed form is registered for itself, or as the base of a type that is. That a member leads to it makes a codec and no record.
        if (NinoAttributes.IsNinoType(named)) return !_bases.Value.Contains(named);
        return !IsDeclaredHere(named) || !_encoded.Value.Contains(named);
    }

    private bool IsDeclaredHere(ITypeSymbol type) => SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly);

    private bool IsOfProject(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => IsOfProject(array.ElementType),
        INamedTypeSymbol named => IsDeclaredHere(named) || named.TypeArguments.Any(IsOfProject) || (named.ContainingType is { } outer && IsOfProject(outer)),
        _ => false,
    };

    private static ITypeSymbol? ElementOf(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol { IsSZArray: true } array => array.ElementType,
        INamedTypeSymbol named when TypeNames.Metadata(named.OriginalDefinition) == "System.Collections.Generic.List`1" => named.TypeArguments[0],
        _ => null,
    };

    // What has a codec; of a codec with type parameters, which some code registers for the forms that it needs, the definition.
    private static HashSet<ITypeSymbol> Encoded(Compilation compilation, bool byGenerator)
    {
        INamedTypeSymbol? codec = compilation.GetTypeByMetadataName("Store.Serialization.INinoCodec`1");
        return new(
            Derivations.TypesIn(compilation.Assembly.GlobalNamespace).Where(type => byGenerator == (type.ContainingNamespace.ToDisplayString() == GenerationParser.GeneratedNamespace)).SelectMany(static type => type.AllInterfaces)
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
}
