// What the value of a member is to collections of its object that have no setter and are filled: docs/types.md, "Collections without a setter".

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class FilledBeside
{
    /// <summary>Nothing can be added to or taken from arrays and structs.</summary>
    public static MemberContent ContentOf(ITypeSymbol type) =>
        type.SpecialType == SpecialType.System_Object || type is IDynamicTypeSymbol ? MemberContent.Object
        : type.IsReferenceType && type is not IArrayTypeSymbol && MemberParser.IsCollection(type) ? MemberContent.Collection
        : MemberContent.Other;

    /// <summary>A number, time or text, or a tuple of such.</summary>
    public static bool IsValue(ITypeSymbol type) =>
        type.IsUnmanagedType || type.SpecialType == SpecialType.System_String
        || (type is INamedTypeSymbol named && (TypeNames.Metadata(named.OriginalDefinition) is "System.Numerics.BigInteger" or "System.Uri" or "System.Version" or "System.Drawing.Color" or "System.Net.IPAddress" or "System.TimeZoneInfo"
            || (named.IsTupleType && named.TupleElements.All(static element => IsValue(element.Type)))
            || (named.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T && IsValue(named.TypeArguments[0]))));
}
