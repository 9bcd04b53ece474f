// What the value of a member is to collections of its object that have no setter and are filled: docs/types.md, "Collections without a setter".

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class FilledBeside
{
    /// <summary>Of arrays and structs nothing can be added to or taken from, but a setter that is code may add what they hold to what it has, and an observer may change what is in an array.</summary>
    public static MemberContent ContentOf(ParsedMember member) =>
        member.Type.SpecialType == SpecialType.System_Object || member.Type is IDynamicTypeSymbol ? MemberContent.Object
        : IsFlat(member.Type) || (MemberParser.IsCollection(member.Type) && ((member.Type.IsReferenceType && member.Type is not IArrayTypeSymbol) || !PlainMemory.IsStored(member.Symbol))) ? MemberContent.Collection
        : MemberContent.Other;

    /// <summary>An object that can be changed where it is and holds numbers, times and texts alone, so that encoding it takes no longer than reading it did.</summary>
    public static bool IsFlat(ITypeSymbol type) => type switch
    {
        { SpecialType: SpecialType.System_String } or { IsValueType: true } => false,
        IArrayTypeSymbol array => IsValue(array.ElementType),
        INamedTypeSymbol named => TypeNames.Metadata(named.OriginalDefinition) switch
        {
            "System.Text.StringBuilder" or "System.Collections.BitArray" => true,
            "System.Collections.Generic.PriorityQueue`2" => named.TypeArguments.All(IsValue),
            _ => named.AllInterfaces.Prepend(named).Where(static one => one.OriginalDefinition.SpecialType == SpecialType.System_Collections_Generic_IEnumerable_T).Select(static one => one.TypeArguments[0]).ToList() is { Count: > 0 } elements
                && elements.TrueForAll(static one => IsValue(one) || IsPair(one)),
        },
        _ => false,
    };

    private static bool IsValue(ITypeSymbol type) => type.IsUnmanagedType || type.SpecialType == SpecialType.System_String;

    private static bool IsPair(ITypeSymbol type) => type is INamedTypeSymbol { TypeArguments.Length: 2 } pair && TypeNames.Metadata(pair.OriginalDefinition) == "System.Collections.Generic.KeyValuePair`2" && pair.TypeArguments.All(IsValue);
}
