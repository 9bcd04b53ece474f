// What tells the types of F#: the attribute with which its compiler says what a type or member was in the source. Known by name; no FSharp.Core is referenced.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class FSharpTypes
{
    // Numbers of SourceConstructFlags.
    private const int SumType = 1;
    private const int RecordType = 2;
    private const int Field = 4;
    private const int UnionCase = 8;
    private const int KindMask = 31;

    /// <summary>Types of FSharp.Core that are neither collections of <see cref="FrameworkTypes.Generic"/> nor unions told by their attributes, by metadata name.</summary>
    public static readonly IReadOnlyList<string> Special = ["Microsoft.FSharp.Core.FSharpOption`1", "Microsoft.FSharp.Core.FSharpValueOption`1", Unit];

    public const string Unit = "Microsoft.FSharp.Core.Unit";

    public static bool IsOption(ITypeSymbol type) =>
        type is INamedTypeSymbol { IsGenericType: true, Name: "FSharpOption" or "FSharpValueOption" } named && IsCore(named) && Special.Contains(TypeNames.Metadata(named.OriginalDefinition));

    public static bool IsUnit(ITypeSymbol type) => type is INamedTypeSymbol { Name: "Unit" } named && IsCore(named) && TypeNames.Metadata(named) == Unit;

    public static bool IsUnion(ITypeSymbol type) => Kind(type) == SumType;

    public static bool IsRecord(ITypeSymbol type) => Kind(type) == RecordType;

    /// <summary>A type of F#'s own library: it needs no mark.</summary>
    public static bool IsCore(ITypeSymbol type) => type.ContainingAssembly?.Name == "FSharp.Core" && type.ContainingNamespace is { IsGlobalNamespace: false };

    /// <summary>Written in F#, where no generator runs: a [NinoType] there has its codec wherever it is used.</summary>
    public static bool IsFSharp(IAssemblySymbol? assembly) =>
        assembly?.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name == "FSharpInterfaceDataVersionAttribute") == true;

    /// <summary>A property that is a field of a record.</summary>
    public static bool IsField(ISymbol member) => Mapping(member) is { } mapping && (mapping[0] & KindMask) == Field;

    /// <summary>Of a property that is a field of a case: the place in it. Cases of a struct may share a field of one name and type, and then a property.</summary>
    public static int? PlaceInCase(ISymbol member, int index)
    {
        foreach (int[] mapping in Mappings(member))
        {
            if (mapping.Length == 3 && (mapping[0] & KindMask) == Field && mapping[1] == index) return mapping[2];
        }

        return null;
    }

    /// <summary>Of a static method that makes a case, or the getter of the only value of one: the case.</summary>
    public static int? CaseOf(IMethodSymbol maker) => maker.IsStatic && Mapping(maker) is { Length: 2 } mapping && (mapping[0] & KindMask) == UnionCase ? mapping[1] : null;

    // A class of another language that carries the attributes is what it is there.
    private static int Kind(ITypeSymbol type) =>
        type.OriginalDefinition is INamedTypeSymbol { TypeKind: TypeKind.Class or TypeKind.Struct, DeclaringSyntaxReferences.IsEmpty: true } && Mapping(type.OriginalDefinition) is { Length: > 0 } mapping && (IsCore(type) || IsFSharp(type.ContainingAssembly)) ? mapping[0] & KindMask : 0;

    /// <summary>The numbers of the first [CompilationMapping], or null.</summary>
    private static int[]? Mapping(ISymbol symbol) => Mappings(symbol).FirstOrDefault();

    private static IEnumerable<int[]> Mappings(ISymbol symbol)
    {
        foreach (AttributeData attribute in symbol.OriginalDefinition.GetAttributes())
        {
            if (attribute.AttributeClass is not { Name: "CompilationMappingAttribute", ContainingNamespace: { Name: "Core", ContainingNamespace.Name: "FSharp" } }) continue;
            // Other forms of the attribute name resources, not numbers.
            yield return [.. attribute.ConstructorArguments.Select(static argument => argument.Kind != TypedConstantKind.Array && argument.Value is int number ? number : -1)];
        }
    }
}
