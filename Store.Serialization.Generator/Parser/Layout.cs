// Where each member goes in the encoding: fixed-width members first, at constant offsets, then the others. Format page: docs/formats/record.md.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal sealed class Layout
{
    /// <summary>Width of a struct, or 0 where values differ, and the least size of a value.</summary>
    private readonly Dictionary<ParsedType, (int FixedSize, int MinSize)> _structs = [];

    public TypeModel ToModel(ParsedType type, string hintName, bool isRecursive)
    {
        List<ParsedMember> ordered = [.. type.Members.Where(IsFixed), .. type.Members.Where(member => !IsFixed(member))];
        List<MemberModel> members = [];
        int fixedBytes = 0;
        int minBytes = 0;
        foreach (ParsedMember member in ordered)
        {
            (int size, int minSize) = SizeOf(member.Codec!);
            int offset = size > 0 ? fixedBytes : -1;
            fixedBytes += size;
            minBytes += minSize;
            members.Add(new MemberModel(Accessors.Escape(member.Name), member.Name, member.Id, member.Codec!.ToModel(), offset, member.Set, Accessors.Member(member)));
        }

        bool isClass = type.Symbol.IsReferenceType;
        return new TypeModel(
            type.Key,
            type.CodecName,
            hintName,
            type.SchemaName,
            isClass ? TypeShape.Class : SizeOf(type).FixedSize > 0 ? TypeShape.FixedStruct : TypeShape.ValueStruct,
            ChecksRunTimeType: isClass && !type.Symbol.IsSealed,
            isRecursive,
            fixedBytes,
            System.Math.Max(1, minBytes),
            new EquatableArray<MemberModel>(members),
            Reorder(type, ordered));
    }

    /// <summary>The constructor's arguments point at members by index: follow them to their new places.</summary>
    private static ConstructionModel Reorder(ParsedType type, List<ParsedMember> ordered) => type.Construction! with
    {
        Arguments = new EquatableArray<ArgumentModel>(type.Construction!.Arguments.Select(argument =>
            argument.Member < 0 ? argument : argument with { Member = ordered.IndexOf(type.Members[argument.Member]) })),
    };

    private bool IsFixed(ParsedMember member) => SizeOf(member.Codec!).FixedSize > 0;

    private (int FixedSize, int MinSize) SizeOf(ResolvedCodec codec)
    {
        if (codec.Struct is null) return (codec.FixedSize, codec.FixedSize > 0 ? codec.FixedSize : 1);
        (int fixedSize, int minSize) = SizeOf(codec.Struct);
        if (!codec.IsNullable) return (fixedSize, minSize);
        return fixedSize > 0 ? (1 + fixedSize, 1 + fixedSize) : (0, 1);
    }

    private (int FixedSize, int MinSize) SizeOf(ParsedType type)
    {
        if (_structs.TryGetValue(type, out (int FixedSize, int MinSize) known)) return known;

        // While the user types, a struct may contain itself, which the compiler reports: it must only not loop here.
        _structs[type] = (0, 1);
        bool isFixed = true;
        int fixedSize = 0;
        int minSize = 0;
        foreach (ParsedMember member in type.Members)
        {
            (int memberFixed, int memberMin) = SizeOf(member.Codec!);
            isFixed &= memberFixed > 0;
            fixedSize += memberFixed;
            minSize += memberMin;
        }

        // An empty struct writes one zero byte.
        return _structs[type] = (isFixed ? System.Math.Max(1, fixedSize) : 0, System.Math.Max(1, minSize));
    }
}
