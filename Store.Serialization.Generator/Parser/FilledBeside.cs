// What the value of a member is to collections of its object that have no setter and are filled: docs/types.md, "Collections without a setter".

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class FilledBeside
{
    private const int DepthMax = 4;

    /// <summary>Nothing can be added to or taken from arrays and structs.</summary>
    public static MemberContent ContentOf(ITypeSymbol type) =>
        type.SpecialType == SpecialType.System_Object || type is IDynamicTypeSymbol ? MemberContent.Object
        : type.IsReferenceType && type is not IArrayTypeSymbol && MemberParser.IsCollection(type) ? MemberContent.Collection
        : MemberContent.Other;

    /// <summary>A number, time or text, or a struct of such.</summary>
    public static bool IsValue(ITypeSymbol type) => IsValue(type, depth: 0);

    public static bool IsObject(ITypeSymbol type) => type is { IsReferenceType: true, SpecialType: not SpecialType.System_Object } and not IArrayTypeSymbol and not IDynamicTypeSymbol && !IsValue(type) && !MemberParser.IsCollection(type);

    // While the user types, a struct may contain itself.
    private static bool IsValue(ITypeSymbol type, int depth) =>
        type.IsUnmanagedType || type.SpecialType == SpecialType.System_String
        || (type is INamedTypeSymbol named && (TypeNames.Metadata(named.OriginalDefinition) is "System.Numerics.BigInteger" or "System.Uri" or "System.Version" or "System.Drawing.Color" or "System.Net.IPAddress" or "System.TimeZoneInfo"
            || (named.IsTupleType && named.TupleElements.All(element => IsValue(element.Type, depth)))
            || (named.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T && IsValue(named.TypeArguments[0], depth))
            || (named.IsValueType && depth < DepthMax && named.GetMembers().OfType<IFieldSymbol>().Where(static field => !field.IsStatic).ToList() is { Count: > 0 } fields && fields.TrueForAll(field => IsValue(field.Type, depth + 1)))));
}
