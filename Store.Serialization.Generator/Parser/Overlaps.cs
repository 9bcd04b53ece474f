// Fields that lie over each other in memory ([FieldOffset]). Where every bit pattern is a value of all of them, writing and setting each gives the same memory again. A reference, bool or date read there would be taken from what
// another field has put: a string that is an array, or a record that is written and then refused.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

internal static class Overlaps
{
    // Of references and pointers, and what a date is.
    private const int WordSize = 8;

    // While the user types, a struct may contain itself.
    private const int DepthMax = 16;

    /// <summary>Reports stored members whose memory another field changes to what is no value of theirs. Of a class of another assembly its hidden fields are not seen.</summary>
    public static void Check(ParsedType type, TypeGraph graph)
    {
        for (INamedTypeSymbol? level = type.Symbol; level is not null; level = level.BaseType) Check(type, level, graph);
    }

    // Offsets are those in one class.
    private static void Check(ParsedType type, INamedTypeSymbol level, TypeGraph graph)
    {
        List<(IFieldSymbol Field, ISymbol Member, int Offset)> placed = [];
        foreach (IFieldSymbol field in level.GetMembers().OfType<IFieldSymbol>())
        {
            if (!field.IsStatic && OffsetOf(field) is { } offset) placed.Add((field, field.AssociatedSymbol ?? field, offset));
        }

        foreach ((IFieldSymbol field, ISymbol member, int offset) in placed)
        {
            if (IsPlain(field.Type) || !IsStored(member)) continue;
            foreach ((IFieldSymbol other, ISymbol otherMember, int otherOffset) in placed)
            {
                // What is only looked at by a stored value cannot be made wrong by one; a reference is wrong whoever put another there.
                if (SymbolEqualityComparer.Default.Equals(field.Type, other.Type) || (field.Type.SpecialType == SpecialType.System_Object && other.Type.IsReferenceType) || (!HoldsReferences(field.Type) && !IsStored(otherMember))) continue;
                if (offset >= otherOffset + SizeOf(other.Type) || otherOffset >= offset + SizeOf(field.Type)) continue;
                graph.Diagnostics.Report(NinoDiagnostics.TypeHasNoEncoding, DiagnosticSink.Place(member, type.Origin.Location), $"The member '{TypeNames.Message(type.Symbol)}.{member.Name}'", TypeNames.Message(field.Type),
                    $"it lies over '{otherMember.Name}' in memory ([FieldOffset]), and what that puts there need be no value of this type; {(graph.IsLocal(type.Symbol) ? "leave such members out with [NinoIgnore], and store properties in their place that look which of them holds a value" : TypeNames.OwnCodec(type.Symbol))}");
                type.IsInvalid = true;
                break;
            }
        }

        bool IsStored(ISymbol member) => type.Members.Exists(one => SymbolEqualityComparer.Default.Equals(one.Symbol, member));
    }

    private static int? OffsetOf(IFieldSymbol field) =>
        field.GetAttributes().FirstOrDefault(static attribute => attribute.AttributeClass is { Name: "FieldOffsetAttribute", ContainingNamespace.Name: "InteropServices" }) is { ConstructorArguments: { Length: 1 } arguments } && arguments[0].Value is int offset ? offset : CompiledMembers.OffsetOf(field);

    /// <summary>Every bit pattern is a value.</summary>
    private static bool IsPlain(ITypeSymbol type, int depth = 0) => type switch
    {
        { TypeKind: TypeKind.Enum or TypeKind.Pointer } or { SpecialType: SpecialType.System_IntPtr or SpecialType.System_UIntPtr } => true,
        INamedTypeSymbol { IsValueType: true } named => PlainMemory.IsAnyPattern(named, out _) || (depth < DepthMax && (named.IsTupleType || !Framework.Has(named)) && Fields(named).All(field => IsPlain(field.Type, depth + 1))),
        _ => false,
    };

    private static bool HoldsReferences(ITypeSymbol type) => !type.IsUnmanagedType;

    /// <summary>At least.</summary>
    private static int SizeOf(ITypeSymbol type, int depth = 0) => type switch
    {
        { IsReferenceType: true } or { TypeKind: TypeKind.Pointer } or { SpecialType: SpecialType.System_DateTime or SpecialType.System_IntPtr or SpecialType.System_UIntPtr } => WordSize,
        { SpecialType: SpecialType.System_Decimal } => 16,
        INamedTypeSymbol { TypeKind: TypeKind.Enum, EnumUnderlyingType: { } number } => SizeOf(number),
        INamedTypeSymbol { IsValueType: true } named => PlainMemory.IsAnyPattern(named, out int size) ? size : depth < DepthMax ? Math.Max(1, End(named, depth + 1)) : 1,
        _ => 1,
    };

    private static int End(INamedTypeSymbol type, int depth)
    {
        if (InlineArrays.ElementOf(type) is { } element) return (int)Math.Min((long)InlineArrays.LengthOf(type) * SizeOf(element, depth), int.MaxValue / 2);
        int end = 0;
        bool isAligned = IsAligned(type);
        foreach (IFieldSymbol field in Fields(type))
        {
            int start = OffsetOf(field) ?? (isAligned ? Aligned(end, AlignmentOf(field.Type, depth)) : end);
            end = Math.Max(end, start + SizeOf(field.Type, depth));
        }

        return end;
    }

    private static int Aligned(int place, int alignment) => (place + alignment - 1) / alignment * alignment;

    /// <summary>The fields lie one behind the other, each at a multiple of what it asks for: nothing is said of the layout, and the run time does not choose another one.</summary>
    private static bool IsAligned(INamedTypeSymbol type) => !type.IsTupleType && type.IsUnmanagedType && !type.DeclaringSyntaxReferences.IsEmpty && !type.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name == "StructLayoutAttribute");

    /// <summary>At least.</summary>
    private static int AlignmentOf(ITypeSymbol type, int depth) => type switch
    {
        INamedTypeSymbol { IsValueType: true, TypeKind: not TypeKind.Enum, SpecialType: SpecialType.None } named => depth < DepthMax && IsAligned(named) ? Fields(named).Select(field => AlignmentOf(field.Type, depth + 1)).DefaultIfEmpty(1).Max() : 1,
        _ => SizeOf(type, depth) is var size && size is 1 or 2 or 4 or 8 ? size : 1,
    };

    private static IEnumerable<IFieldSymbol> Fields(INamedTypeSymbol type) => type.IsTupleType ? type.TupleElements : type.GetMembers().OfType<IFieldSymbol>().Where(static field => !field.IsStatic);
}
