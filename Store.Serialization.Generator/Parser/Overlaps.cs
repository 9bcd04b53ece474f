// Fields that lie over each other in memory ([FieldOffset]). Where every bit pattern is a value of all of them, writing and setting each gives the same memory again. A reference, bool or date read there would be taken from what
// another field has put: a string that is an array, or a record that is written and then refused.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

internal static class Overlaps
{
    // Of references and pointers, and what a date is.
    private const int WordSize = 8;

    // While the user types, a struct may contain itself; of what is nested deeper nothing is known.
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
                if (offset >= otherOffset + SizeOf(other, []) || otherOffset >= offset + SizeOf(field, [])) continue;
                graph.Diagnostics.Report(NinoDiagnostics.TypeHasNoEncoding, DiagnosticSink.Place(member, type.Origin.Location), $"The member '{TypeNames.Message(level)}.{member.Name}'", TypeNames.Message(field.Type),
                    $"it lies over '{otherMember.Name}' in memory ([FieldOffset]), and what that puts there need be no value of this type; {(graph.IsLocal(level) ? "leave such members out with [NinoIgnore], and store properties in their place that look which of them holds a value" : TypeNames.OwnCodec(type.Symbol))}");
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
    /// <param name="field">A field.</param>
    /// <param name="around">The structs that it lies in.</param>
    private static int SizeOf(IFieldSymbol field, List<ITypeSymbol> around) =>
        field.IsFixedSizeBuffer ? field.FixedSize * SizeOf(((IPointerTypeSymbol)field.Type).PointedAtType, around) : SizeOf(field.Type, around);

    private static int SizeOf(ITypeSymbol type, List<ITypeSymbol> around) => type switch
    {
        { IsReferenceType: true } or { TypeKind: TypeKind.Pointer } or { SpecialType: SpecialType.System_DateTime or SpecialType.System_IntPtr or SpecialType.System_UIntPtr } => WordSize,
        { SpecialType: SpecialType.System_Decimal } => 16,
        INamedTypeSymbol { TypeKind: TypeKind.Enum, EnumUnderlyingType: { } number } => SizeOf(number, around),
        INamedTypeSymbol { IsValueType: true } named => PlainMemory.IsAnyPattern(named, out int size) ? size : Within(named, around, 1, End),
        _ => 1,
    };

    private static int End(INamedTypeSymbol type, List<ITypeSymbol> around)
    {
        if (InlineArrays.ElementOf(type) is { } element) return (int)Math.Min((long)InlineArrays.LengthOf(type) * SizeOf(element, around), int.MaxValue / 2);
        int end = 0;
        bool isAligned = IsAligned(type, around);
        foreach (IFieldSymbol field in Fields(type))
        {
            int start = OffsetOf(field) ?? (isAligned ? Aligned(end, AlignmentOf(field, around)) : end);
            end = Math.Max(end, start + SizeOf(field, around));
        }

        return Math.Max(1, end);
    }

    private static int Aligned(int place, int alignment) => (place + alignment - 1) / alignment * alignment;

    /// <summary>The fields lie one behind the other, each at a multiple of what it asks for: nothing is said of the layout, and the run time does not choose another one, as it does where a date or a tuple lies in it.</summary>
    private static bool IsAligned(INamedTypeSymbol type, List<ITypeSymbol> around) =>
        !type.IsTupleType && type.IsUnmanagedType && !type.DeclaringSyntaxReferences.IsEmpty && !type.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name == "StructLayoutAttribute")
        && Fields(type).All(field => field.IsFixedSizeBuffer || field.Type switch
        {
            { TypeKind: TypeKind.Enum or TypeKind.Pointer } => true,
            { SpecialType: SpecialType.System_DateTime } => false,
            { SpecialType: not SpecialType.None } => true,
            INamedTypeSymbol named => PlainMemory.IsAnyPattern(named, out _) || Within(named, around, false, IsAligned),
            _ => false,
        });

    /// <summary>At least.</summary>
    private static int AlignmentOf(IFieldSymbol field, List<ITypeSymbol> around) => AlignmentOf(field.IsFixedSizeBuffer ? ((IPointerTypeSymbol)field.Type).PointedAtType : field.Type, around);

    private static int AlignmentOf(ITypeSymbol type, List<ITypeSymbol> around) => type switch
    {
        INamedTypeSymbol { IsValueType: true, TypeKind: not TypeKind.Enum, SpecialType: SpecialType.None } named =>
            Within(named, around, 1, static (one, others) => IsAligned(one, others) ? Fields(one).Select(field => AlignmentOf(field, others)).DefaultIfEmpty(1).Max() : 1),
        _ => SizeOf(type, around) is var size && size is 1 or 2 or 4 or 8 ? size : 1,
    };

    /// <summary>Looks into a struct; not where it contains itself.</summary>
    private static T Within<T>(INamedTypeSymbol type, List<ITypeSymbol> around, T otherwise, Func<INamedTypeSymbol, List<ITypeSymbol>, T> look)
    {
        if (around.Count == DepthMax || around.Contains(type, SymbolEqualityComparer.Default)) return otherwise;
        around.Add(type);
        T found = look(type, around);
        around.RemoveAt(around.Count - 1);
        return found;
    }

    private static IEnumerable<IFieldSymbol> Fields(INamedTypeSymbol type) => type.IsTupleType ? type.TupleElements : type.GetMembers().OfType<IFieldSymbol>().Where(static field => !field.IsStatic);
}
