// What the metadata of another assembly has and the compiler does not import: private members, setters and constructors. Reference assemblies, which builds of projects hand on, have none of them; there nothing is known.

using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class CompiledMembers
{
    // The symbols of a referenced assembly are the same ones in every compilation until the reference changes: each is imported whole once.
    private static readonly ConditionalWeakTable<IAssemblySymbol, StrongBox<IAssemblySymbol?>> s_whole = new();

    /// <summary>The fields and properties of a type, without its bases, that the compiler does not show; null where that is not known, or its source is seen.</summary>
    public static IReadOnlyList<ISymbol>? Hidden(INamedTypeSymbol type, Compilation compilation) =>
        Whole(type, compilation) is { } whole
            ? [.. whole.GetMembers().Where(member => member is IFieldSymbol or IPropertySymbol && member is { IsStatic: false, CanBeReferencedByName: true } && type.GetMembers(member.Name).IsEmpty)]
            : null;

    /// <summary>A type, without its bases, has data fields that are those of no member which the compiler shows; null where that is not known, or its source is seen.</summary>
    public static bool? HidesState(INamedTypeSymbol type, Compilation compilation) =>
        Whole(type, compilation)?.GetMembers().OfType<IFieldSymbol>()
            .Any(field => field is { IsStatic: false, IsConst: false } && LostState.IsData(field.Type) && type.GetMembers(field.Name).IsEmpty && !(CompilerFields.OwnerOf(field) is { } owner && !type.GetMembers(owner).IsEmpty));

    /// <summary>A class has a constructor without parameters, of whatever access; null where that is not known, or its source is seen.</summary>
    public static bool? HasEmptyConstructor(INamedTypeSymbol type, Compilation compilation) =>
        Whole(type, compilation) is { } whole ? whole.InstanceConstructors.Any(static constructor => constructor.Parameters.IsEmpty) : null;

    /// <summary>The type as it is with all that its assembly hides.</summary>
    private static INamedTypeSymbol? Whole(INamedTypeSymbol type, Compilation compilation) =>
        type.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty && IsWhole(type)
            ? s_whole.GetValue(type.ContainingAssembly, assembly => new StrongBox<IAssemblySymbol?>(Import(assembly, compilation))).Value?.GetTypeByMetadataName(TypeNames.Metadata(type.OriginalDefinition))
            : null;

    private static IAssemblySymbol? Import(IAssemblySymbol assembly, Compilation compilation) =>
        compilation.RemoveAllSyntaxTrees().WithOptions(compilation.Options.WithMetadataImportOptions(MetadataImportOptions.All)).SourceModule.ReferencedAssemblySymbols.FirstOrDefault(other => other.Identity.Equals(assembly.Identity));

    /// <summary>A property has a setter, of whatever access; null where that is not known, or its source is seen.</summary>
    public static bool? HasSetter(IPropertySymbol property) =>
        IsWhole(property) && ReaderOf(property.OriginalDefinition) is { } reader
            ? !reader.GetPropertyDefinition((PropertyDefinitionHandle)MetadataTokens.EntityHandle(property.OriginalDefinition.MetadataToken)).GetAccessors().Setter.IsNil
            : null;

    /// <summary>The type of a property has a field of a name, of whatever access; null where that is not known, or its source is seen.</summary>
    public static bool? HasField(IPropertySymbol property, string name) =>
        IsWhole(property) && ReaderOf(property.ContainingType.OriginalDefinition) is { } reader
            ? reader.GetTypeDefinition((TypeDefinitionHandle)MetadataTokens.EntityHandle(property.ContainingType.OriginalDefinition.MetadataToken)).GetFields().Any(field => reader.StringComparer.Equals(reader.GetFieldDefinition(field).Name, name))
            : null;

    /// <summary>A type, without its bases, has instance fields; null where that is not known, or its source is seen.</summary>
    public static bool? HasFields(INamedTypeSymbol type) =>
        IsWhole(type) && ReaderOf(type.OriginalDefinition) is { } reader
            ? reader.GetTypeDefinition((TypeDefinitionHandle)MetadataTokens.EntityHandle(type.OriginalDefinition.MetadataToken)).GetFields().Any(field => (reader.GetFieldDefinition(field).Attributes & FieldAttributes.Static) == 0)
            : null;

    /// <summary>A field is marked with [NonSerialized], which is no attribute any more but a bit.</summary>
    public static bool IsNotSerialized(IFieldSymbol field) =>
        ReaderOf(field.OriginalDefinition) is { } reader && (reader.GetFieldDefinition((FieldDefinitionHandle)MetadataTokens.EntityHandle(field.OriginalDefinition.MetadataToken)).Attributes & FieldAttributes.NotSerialized) != 0;

    /// <summary>Where [FieldOffset], which is no attribute any more either, puts a field; null where it puts it nowhere, or its source is seen.</summary>
    public static int? OffsetOf(IFieldSymbol field) =>
        ReaderOf(field.OriginalDefinition) is { } reader && reader.GetFieldDefinition((FieldDefinitionHandle)MetadataTokens.EntityHandle(field.OriginalDefinition.MetadataToken)).GetOffset() is >= 0 and int offset ? offset : null;

    private static bool IsWhole(ISymbol symbol) => symbol.ContainingAssembly?.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name == "ReferenceAssemblyAttribute") == false;

    private static MetadataReader? ReaderOf(ISymbol definition) =>
        definition is { DeclaringSyntaxReferences.IsEmpty: true, MetadataToken: not 0, ContainingModule: { } module } && module.GetMetadata() is { } metadata ? metadata.GetMetadataReader() : null;
}
