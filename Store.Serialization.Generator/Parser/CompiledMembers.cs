// What the metadata of another assembly has and the compiler does not import: private setters and fields. Reference assemblies, which builds of projects hand on, have none of them; there nothing is known.

using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class CompiledMembers
{
    /// <summary>A property has a setter, of whatever access; null where that is not known, or its source is seen.</summary>
    public static bool? HasSetter(IPropertySymbol property) =>
        IsWhole(property) && ReaderOf(property.OriginalDefinition) is { } reader
            ? !reader.GetPropertyDefinition((PropertyDefinitionHandle)MetadataTokens.EntityHandle(property.OriginalDefinition.MetadataToken)).GetAccessors().Setter.IsNil
            : null;

    /// <summary>A type, without its bases, has instance fields; null where that is not known, or its source is seen.</summary>
    public static bool? HasFields(INamedTypeSymbol type) =>
        IsWhole(type) && ReaderOf(type.OriginalDefinition) is { } reader
            ? reader.GetTypeDefinition((TypeDefinitionHandle)MetadataTokens.EntityHandle(type.OriginalDefinition.MetadataToken)).GetFields().Any(field => (reader.GetFieldDefinition(field).Attributes & FieldAttributes.Static) == 0)
            : null;

    /// <summary>A field is marked with [NonSerialized], which is no attribute any more but a bit.</summary>
    public static bool IsNotSerialized(IFieldSymbol field) =>
        ReaderOf(field.OriginalDefinition) is { } reader && (reader.GetFieldDefinition((FieldDefinitionHandle)MetadataTokens.EntityHandle(field.OriginalDefinition.MetadataToken)).Attributes & FieldAttributes.NotSerialized) != 0;

    private static bool IsWhole(ISymbol symbol) => symbol.ContainingAssembly?.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name == "ReferenceAssemblyAttribute") == false;

    private static MetadataReader? ReaderOf(ISymbol definition) =>
        definition is { DeclaringSyntaxReferences.IsEmpty: true, MetadataToken: not 0, ContainingModule: { } module } && module.GetMetadata() is { } metadata ? metadata.GetMetadataReader() : null;
}
