// Registered types of other assemblies may have private members that their own serializer stores. Compilers see neither those nor private setters and constructors: the former are looked
// for when the program runs, the latter are called by their names, and whether there is one is looked at then, too.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class HiddenLevels
{
    /// <summary>The levels of a type to look at, those of the bases first.</summary>
    public static IEnumerable<HiddenLevel> Of(ParsedType type)
    {
        if (type.Case is not null || NinoAttributes.IsNinoType(type.Symbol)) yield break;
        foreach (INamedTypeSymbol level in Derivations.BasesOf(type.Symbol).Where(static level => level.TypeKind != TypeKind.Interface).Reverse())
        {
            if (!IsUnseen(level)) continue;
            List<ForeignContract> contracts = [.. ForeignContract.OfLevel(level, type.Symbol)];
            yield return new HiddenLevel(
                TypeNames.Source(level),
                MarksOf(level, contracts),
                Names(level.GetMembers().Where(member => IsNamed(member) && contracts.Exists(one => one.Includes(member))).Select(static member => member.MetadataName).Concat(contracts[0].LeftOutBy(level)).Concat(FieldsShown(type, level))),
                PropertiesSetUnseen(type, level),
                PropertiesBacked(type, level),
                type.Constructor is null && type.Bare == BareModel.No && SymbolEqualityComparer.Default.Equals(level, type.Symbol),
                type.IsTakenAsEmpty);
        }
    }

    /// <summary>What the type's serializer and the base's own store of a level. Where both are one serializer's, its attributes are the same.</summary>
    private static EquatableArray<HiddenMarks> MarksOf(INamedTypeSymbol level, List<ForeignContract> contracts) => new((contracts.Exists(static one => one.Beside.TakesXml) ? MarksByXml(level) : []).Concat(
        from words in contracts.GroupBy(static one => one.Space)
        let contract = words.First()
        let isOfType = words.Contains(contracts[0])
        select new HiddenMarks(
            contract.Space,
            contract.Include,
            contract.Ignore,
            contract.LeavesOutMarked,
            Names(words.SelectMany(one => one.LeftOutBy(level)).Except(contracts[0].LeftOutBy(level))),
            new EquatableArray<string>(isOfType ? [] : contracts[0].Excluding),
            new EquatableArray<string>(contract.Beside.NumberingOf(level)),
            contract.Beside.LeastNumberOf(level),
            new EquatableArray<string>(contract.Beside.NotNumberedBy(level)))));

    /// <summary>What protobuf-net stores of a class that only [XmlType] marks for it.</summary>
    private static IEnumerable<HiddenMarks> MarksByXml(INamedTypeSymbol level)
    {
        ForeignSerializer words = ForeignSerializer.Protobuf;
        EquatableArray<string> numbering = new(NumbersOfOthers.AttributesOfXml(level));
        return numbering.Count > 0 ? [new HiddenMarks(words.Space, words.Include, words.Ignore, LeavesOutMarked: true, default, default, numbering, LeastNumber: 1, default)] : [];
    }

    private static EquatableArray<string> Names(IEnumerable<string> names) => new(names.Distinct().OrderBy(static name => name, StringComparer.Ordinal));

    private static bool IsNamed(ISymbol member) => member is IFieldSymbol field ? !CompilerFields.IsHidden(field) : member is IPropertySymbol { IsIndexer: false };

    private static IEnumerable<ParsedMember> MembersOf(ParsedType type, INamedTypeSymbol level) => type.Members.Where(member => SymbolEqualityComparer.Default.Equals(member.Symbol.ContainingType, level));

    /// <summary>What a field holds that the compiler gave a stored property is stored, whatever mark is on the field.</summary>
    private static IEnumerable<string> FieldsShown(ParsedType type, INamedTypeSymbol level) =>
        MembersOf(type, level).Where(static member => member.Symbol is IPropertySymbol).Select(static member => CompilerFields.OfProperty(member.Symbol.MetadataName));

    private static EquatableArray<string> PropertiesSetUnseen(ParsedType type, INamedTypeSymbol level) =>
        new(MembersOf(type, level).Where(static member => member.IsSetUnseen).Select(static member => member.Name));

    private static EquatableArray<string> PropertiesBacked(ParsedType type, INamedTypeSymbol level) =>
        new(MembersOf(type, level).Where(static member => member is { LooksForSetter: true, IsBacked: true, Set: MemberSet.Accessor }).Select(static member => member.Name));

    /// <summary>The model's serializer stores the property, and it may have a setter that no compiler shows.</summary>
    public static bool MayHaveSetter(IPropertySymbol property, INamedTypeSymbol type, ForeignContract? contract) =>
        property is { SetMethod: null, OverriddenProperty: null, ContainingType.TypeKind: not TypeKind.Interface } && IsUnseen(property.ContainingType) && CompiledMembers.HasSetter(property) != false && PlainModels.Stores(property, type, contract);

    /// <summary>The model's serializer makes its objects, and no constructor is seen that could: there is one without parameters that no compiler shows.</summary>
    public static bool MayHaveConstructor(INamedTypeSymbol type, ForeignContract? contract, Compilation compilation) =>
        contract is not null && type is { TypeKind: TypeKind.Class, IsAbstract: false } && IsUnseen(type) && CompiledMembers.HasEmptyConstructor(type, compilation) != false
        && type.InstanceConstructors.All(constructor => ConstructorParser.IsCopyConstructor(constructor) || (contract.AsksForEmptyConstructor && !constructor.Parameters.IsEmpty));

    /// <summary>A class has a constructor without parameters, of whatever access; null where nobody knows before the program runs.</summary>
    public static bool? HasEmptyConstructor(INamedTypeSymbol type, Compilation compilation) =>
        type.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty ? CompiledMembers.HasEmptyConstructor(type, compilation) : type.InstanceConstructors.Any(static constructor => constructor.Parameters.IsEmpty);

    /// <summary>What other serializers store of the type, and hide, is not seen here.</summary>
    public static bool IsUnseen(INamedTypeSymbol level) =>
        level.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty && !Framework.Has(level) && !NinoAttributes.IsNinoType(level) && !FSharpTypes.IsRecord(level) && !level.IsTupleType;
}
