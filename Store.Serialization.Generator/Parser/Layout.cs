// Where each member goes in the encoding: fixed-width members first, at constant offsets, then the others. Format page: docs/formats/record.md.
// Of a type that several assemblies write codecs for, each must come to the same answer: what only one of them can know, none may use.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal sealed class Layout(HashSet<ParsedType> recursive)
{
    // Lengths multiply where inline arrays hold each other.
    private const int MinMax = 1 << 20;

    private readonly Dictionary<ParsedType, Size> _structs = [];

    public TypeModel ToModel(ParsedType type, string hintName)
    {
        bool isShared = IsShared(type);
        List<ParsedMember> ordered = InOrder(type);
        List<MemberModel> members = [];
        int fixedBytes = 0;
        int minBytes = 0;
        foreach (ParsedMember member in ordered)
        {
            Size size = SizeOf(member.Codec!, isShared);
            int offset = size.Fixed > 0 ? fixedBytes : -1;
            fixedBytes += size.Fixed;
            minBytes += size.Min;
            members.Add(new MemberModel(Accessors.Escape(member.Name), member.SchemaName, member.Id, member.Codec!.ToModel(), offset, member.Set, Accessors.Member(member), member.IsRequired, new EquatableArray<string>(member.FormerNames), ResetOf(member), type.Case is null && PlainMemory.IsStored(member.Symbol), member.Type is IDynamicTypeSymbol, HolderOf(type, member), member.Fill, member.LooksForSetter || member.LooksForField ? TypeNames.Source(member.Symbol.ContainingType) : null, member.LooksForField, FilledBeside.ContentOf(member.Type), FilledBeside.IsValue(member.Type), FilledBeside.IsObject(member.Type)));
        }

        bool isClass = type.Symbol.IsReferenceType;
        Size own = SizeOf(type);
        int madeAfter = MadeAfter(type, ordered);
        ConstructionModel construction = Reorder(type, ordered);
        return new TypeModel(
            type.Case is null ? type.Key : TypeNames.Source(type.Symbol),
            type.CodecName,
            hintName,
            type.SchemaName,
            isClass ? TypeShape.Class : own.Fixed > 0 ? TypeShape.FixedStruct : own.IsOpen ? TypeShape.OpenStruct : TypeShape.ValueStruct,
            ChecksRunTimeType: isClass && !type.Symbol.IsSealed && type.Case is null,
            recursive.Contains(type),
            fixedBytes,
            Math.Max(1, minBytes),
            new EquatableArray<MemberModel>(members),
            ordered.Take(madeAfter).Any(member => MayLeadBack(type, member)) ? construction : construction with { InPlace = null },
            type.KeepsReferences,
            madeAfter,
            new EquatableArray<CallbackModel>(type.Callbacks),
            new EquatableArray<string>(type.Case is null ? FormerTypeNames.Of(type.Symbol) : FSharpUnions.FormerNames(type.Case)),
            DefaultValues.MayDiffer(type),
            new EquatableArray<byte>(own.Fixed > 0 ? PlainMemory.Of(type, ordered) ?? [] : []),
            MakesMore(type),
            type.UsesObsolete,
            new EquatableArray<HiddenLevel>(HiddenLevels.Of(type)),
            IsCase: type.Case is not null);
    }

    /// <summary>The members of a type in the order of the encoding, which is that in which reading sets them.</summary>
    public List<ParsedMember> InOrder(ParsedType type)
    {
        return [.. type.Members.Where(member => IsFixed(type, member)), .. type.Members.Where(member => !IsFixed(type, member))];
    }

    /// <summary>A member of a type has a fixed width.</summary>
    public bool IsFixed(ParsedType type, ParsedMember member) => SizeOf(member.Codec!, IsShared(type)).Fixed > 0;

    private static int MadeAfter(ParsedType type, List<ParsedMember> ordered) =>
        !type.IsMadeFirst ? -1
        : type.KeepsReferences ? 1 + ordered.FindLastIndex(static member => member.Set is MemberSet.Constructor or MemberSet.ConstructorAndInitializer or MemberSet.ConstructorAndAccessor)
        : ordered.Count;

    /// <summary>What is read of the member may hold the object that has it. Of what a codec of the user's or of another assembly reads nothing is known.</summary>
    private bool MayLeadBack(ParsedType type, ParsedMember member) =>
        (recursive.Contains(type) && member.Codec!.Reaches.Any(recursive.Contains)) || BuiltInCodecs.IsReadElsewhere(member.Codec!.Expression);

    private static bool IsShared(ParsedType type) => TypeGraph.IsShared(type.Symbol);

    private static string? HolderOf(ParsedType type, ParsedMember member) =>
        type.Case is null || SymbolEqualityComparer.Default.Equals(member.Symbol.ContainingType, type.Symbol) ? null : TypeNames.Source(member.Symbol.ContainingType);

    private static MemberReset ResetOf(ParsedMember member) =>
        member.Set == MemberSet.Fill ? MemberReset.ByFilling
        : member.IsInitOnly || member.IsBacked || (member.LooksForSetter && member.Set == MemberSet.ConstructorAndAccessor) ? MemberReset.Never
        : member.IsSettable ? MemberReset.ByName
        : member.Set is MemberSet.Accessor or MemberSet.ConstructorAndAccessor && member.Symbol is not IFieldSymbol { IsReadOnly: true } ? MemberReset.ByAccessor
        : MemberReset.Never;

    /// <summary>The constructor takes members, and the type has fields that are not theirs, or might: of another assembly not all are seen, and the head of a class has a field for each parameter that code mentions.</summary>
    private static bool MakesMore(ParsedType type)
    {
        if (type.Symbol.IsValueType || type.Constructor is null || type.Construction!.Arguments.All(static argument => argument.Member < 0)) return false;
        for (INamedTypeSymbol? level = type.Symbol; level is { SpecialType: not SpecialType.System_Object }; level = level.BaseType)
        {
            if (level.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty || (!level.IsRecord && level.InstanceConstructors.Any(static one => one.Parameters.Length > 0 && ConstructorParser.IsPrimary(one)))) return true;
            foreach (IFieldSymbol field in level.GetMembers().OfType<IFieldSymbol>())
            {
                if (!field.IsStatic && !type.Members.Exists(member => SymbolEqualityComparer.Default.Equals(member.Symbol, field.AssociatedSymbol ?? field))) return true;
            }
        }

        return false;
    }

    /// <summary>The constructor's arguments point at members by index: follow them to their new places.</summary>
    private static ConstructionModel Reorder(ParsedType type, List<ParsedMember> ordered)
    {
        ConstructionModel construction = type.Construction!;
        return construction with { Arguments = Moved(construction.Arguments), InPlace = construction.InPlace is { } inPlace ? inPlace with { Arguments = Moved(inPlace.Arguments) } : null };

        EquatableArray<ArgumentModel> Moved(EquatableArray<ArgumentModel> arguments) => new(arguments.Select(argument =>
            argument.Member < 0 ? argument : argument with { Member = ordered.IndexOf(type.Members[argument.Member]) }));
    }

    private Size SizeOf(ResolvedCodec codec, bool isShared)
    {
        // As InlineArrayCodec.MinSize has it: a count, and every element; of a class each takes a byte at least.
        if (codec.Repeated is { } repeated) return new Size(0, (int)Math.Min(1 + ((long)repeated.Length * SizeOf(repeated.Element, isShared).Min), MinMax), false);
        if (codec.Struct is null) return codec.FixedSize > 0 ? new Size(codec.FixedSize, codec.FixedSize, false) : new Size(0, codec.Min, codec.IsOpen);

        Size inner = SizeOf(codec.Struct);
        // Another assembly than the struct's own sees a codec and no members: it finds out the width when it runs.
        if (isShared && inner.Fixed > 0 && !IsShared(codec.Struct)) inner = new Size(0, 1, true);
        if (!codec.IsNullable) return inner;
        int presence = 1 + codec.MorePresenceBytes;
        return inner.Fixed > 0 ? new Size(presence + inner.Fixed, presence + inner.Fixed, false) : new Size(0, 1, inner.IsOpen);
    }

    private Size SizeOf(ParsedType type)
    {
        if (_structs.TryGetValue(type, out Size known)) return known;

        // While the user types, a struct may contain itself, which the compiler reports: it must only not loop here.
        _structs[type] = new Size(0, 1, false);
        bool isShared = IsShared(type);
        List<Size> sizes = [.. type.Members.Select(member => SizeOf(member.Codec!, isShared))];
        int total = sizes.Sum(static size => size.Fixed);
        int min = Math.Max(1, sizes.Sum(static size => size.Min));

        // An empty struct writes one zero byte.
        Size result = sizes.TrueForAll(static size => size.Fixed > 0) ? new Size(Math.Max(1, total), min, false)
            : new Size(0, min, sizes.TrueForAll(static size => size.Fixed > 0 || size.IsOpen));
        return _structs[type] = result;
    }

    /// <param name="Fixed">Bytes of every value, or 0 where values differ or the size is open.</param>
    /// <param name="Min">Least bytes of a value.</param>
    /// <param name="IsOpen">Whether the type is fixed-width depends on a struct of another assembly.</param>
    private readonly record struct Size(int Fixed, int Min, bool IsOpen);
}
