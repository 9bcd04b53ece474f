// Types without [NinoType] that no other serializer has marked: those that DataContractSerializer, XmlSerializer and the formatters of [Serializable] types take as they are, and what they leave out then. docs/models-of-others.md.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

internal static class PlainModels
{
    // Innermost first.
    private static readonly string[] s_runtime = ["Serialization", "Runtime", "System"];
    private static readonly string[] s_xml = ["Serialization", "Xml", "System"];
    private static readonly string[] s_system = ["System"];

    private const string Specified = "Specified";
    private const string Ignore = "IgnoreDataMemberAttribute";
    private const string XmlIgnore = "XmlIgnoreAttribute";
    private const string XmlChoice = "XmlChoiceIdentifierAttribute";
    private const string NonSerialized = "NonSerializedAttribute";

    /// <summary>Why what such a class ignores is stored, for the middle of a sentence.</summary>
    public const string StoresEveryField = "of a class that is only [Serializable], DataContractSerializer and the formatters store every field, whatever that is on";

    /// <summary>The attributes of another serializer leave the member out of a type, whichever that is; those on a [NinoType] are not read, and [NinoInclude] and [NinoMember] have the last word.</summary>
    /// <param name="member">The member.</param>
    /// <param name="type">The type that is stored; the member may be of a base.</param>
    /// <param name="contract">The type's.</param>
    public static bool LeavesOut(ISymbol member, INamedTypeSymbol type, ForeignContract? contract) =>
        !NinoAttributes.IsNinoType(type) && !MemberParser.IsMarked(member) && IsLeftOut(member, type, contract) && (IsChosen(member, contract) || !StoringBases(member, type).Any());

    private static bool IsLeftOut(ISymbol member, INamedTypeSymbol type, ForeignContract? contract) =>
        contract?.LeavesOut(member) ?? (IsIgnoredAsPlain(member) || IsNotSerialized(member) || IsIgnoredByXml(member, type));

    private static bool IsIgnoredByXml(ISymbol member, INamedTypeSymbol type) => Carries(member, XmlIgnore, s_xml) && !TellsPresence(member, type) && !TellsChoice(member, type);

    /// <summary>An attribute of the type's own serializer leaves the member out. Without a mark on the class, as System.Text.Json has none, nobody knows whose the type is: what the contract of a base stores may not be lost.</summary>
    private static bool IsChosen(ISymbol member, ForeignContract? contract) => contract is { IsJson: false } && !contract.IsUnmarked(member);

    /// <summary>The declarations of a member in bases of a type whose contracts do not leave it out, each with that.</summary>
    private static IEnumerable<(ISymbol Declared, ForeignContract Contract)> StoringBases(ISymbol member, INamedTypeSymbol type) =>
        ForeignContract.OfBases(member, type).Where(static one => !one.Contract.LeavesOut(one.Declared));

    /// <summary>The attributes of another serializer store the member of a type, whatever access it has.</summary>
    /// <param name="member">The member.</param>
    /// <param name="type">The type that is stored; the member may be of a base.</param>
    /// <param name="contract">The type's.</param>
    public static bool Stores(ISymbol member, INamedTypeSymbol type, ForeignContract? contract) =>
        !NinoAttributes.IsNinoType(type) && ((contract?.Includes(member) ?? MarksOfOthers.Store(type, member)) || ForeignContract.OfBases(member, type).Any(static one => one.Contract.Has(one.Declared)));

    /// <summary>The other serializer sets the field of a get-only auto-property, and a readonly field.</summary>
    /// <inheritdoc cref="Stores"/>
    public static bool SetsField(ISymbol member, INamedTypeSymbol type, ForeignContract? contract) =>
        !NinoAttributes.IsNinoType(type) && !Framework.Has(member.ContainingType)
        // Of a [Serializable] class DataContractSerializer and the formatters set every field.
        && ((contract?.SetsField(member) ?? member.ContainingType.IsSerializable) || ForeignContract.OfBases(member, type).Any(static one => one.Contract.SetsField(one.Declared) && !one.Contract.LeavesOut(one.Declared)));

    /// <summary>The full name of [IgnoreDataMember].</summary>
    public static string IgnoreName => AttributeReading.Joined(s_runtime) + "." + Ignore;

    /// <summary>[IgnoreDataMember] on one declaration of a member, or null.</summary>
    public static AttributeData? IgnoreOn(ISymbol declaration) => AttributeReading.On(declaration, Ignore, s_runtime).FirstOrDefault();

    /// <summary>
    /// Carries [IgnoreDataMember] where it counts in a class without a contract: of a [Serializable] one DataContractSerializer and the formatters take every field, and only [NonSerialized] leaves one out. What is overridden is
    /// stored by its first declaration.
    /// </summary>
    private static bool IsIgnoredAsPlain(ISymbol member) => Carries(member, Ignore, s_runtime, static symbol => !symbol.ContainingType.IsSerializable && symbol is not IPropertySymbol { OverriddenProperty: not null });

    /// <summary>Tells of a stored member that says of itself that it is to be ignored, where that does not count (NINO026).</summary>
    public static void ReportStored(ParsedType type, ISymbol member, TypeGraph graph)
    {
        if (NinoAttributes.IsNinoType(type.Symbol) || MemberParser.IsMarked(member) || IgnoredInVain(type.Symbol, member, graph) is not var (mark, why, leaveOut)) return;
        graph.Diagnostics.Report(NinoDiagnostics.StoredThoughIgnored, DiagnosticSink.Place(member, type.Origin.Location), TypeNames.Message(member.ContainingType) + "." + member.Name, mark, why, graph.IsLocal(member) ? "leave it out with [NinoIgnore]" : leaveOut);
    }

    private static (string Mark, string Why, string LeaveOut)? IgnoredInVain(INamedTypeSymbol type, ISymbol member, TypeGraph graph)
    {
        ForeignContract? contract = ForeignContract.Of(type);
        if (contract is null or { IsJson: true } && IsLeftOut(member, type, contract) && StoringBases(member, type).FirstOrDefault() is { Contract: { } storing, Declared: var declared })
            return (contract?.IgnoringMark(member) ?? AttributeReading.Mark(IsIgnoredAsPlain(member) ? Ignore : IsNotSerialized(member) ? NonSerialized : XmlIgnore), $"the contract of '{storing.TypeName}' stores it, and '{TypeNames.Message(type)}' has none of its own", storing.LeaveOut(declared));
        if (contract is not null && !contract.TakesFieldsOf(member.ContainingType))
            return contract.IgnoredInVain(member) ?? ForeignContract.OfBases(member, type).Select(static one => one.Contract.IgnoredInVain(one.Declared)).FirstOrDefault(static told => told is not null);
        if (!Carries(member, Ignore, s_runtime) || IsIgnoredAsPlain(member)) return null;
        string mark = AttributeReading.Mark(Ignore);
        return Carries(member, Ignore, s_runtime, static symbol => symbol.ContainingType.IsSerializable)
            ? (mark, StoresEveryField, MemberAdvice.LeaveOut(type, member, graph))
            : (mark, "DataContractSerializer stores an override by what it overrides, which does not carry that", $"leave what it overrides out with {mark} there");
    }

    /// <summary>Carries an attribute, or overrides what does.</summary>
    private static bool Carries(ISymbol member, string name, string[] space, Predicate<ISymbol>? counts = null) =>
        Declarations.Of(member).Any(symbol => AttributeReading.Has(symbol, name, space) && counts?.Invoke(symbol) != false);

    /// <summary>By <c>CountSpecified</c> XmlSerializer is told whether there is a <c>Count</c>: it is no element of its own, and set when there was one. Here it is stored as what it is.</summary>
    private static bool TellsPresence(ISymbol member, INamedTypeSymbol type) =>
        member.Name.EndsWith(Specified, System.StringComparison.Ordinal) && member is IPropertySymbol { Type.SpecialType: SpecialType.System_Boolean } or IFieldSymbol { Type.SpecialType: SpecialType.System_Boolean }
        && Derivations.BasesOf(type).Any(level => level.GetMembers(member.Name.Substring(0, member.Name.Length - Specified.Length)).Any(static one => one is IPropertySymbol or IFieldSymbol));

    /// <summary>By what <c>[XmlChoiceIdentifier]</c> of another member names XmlSerializer is told which of its elements that is: it is no element of its own, and set by the name of the one that was read. Here it is stored as what it is.</summary>
    private static bool TellsChoice(ISymbol member, INamedTypeSymbol type) =>
        Derivations.BasesOf(type).SelectMany(static level => level.GetMembers()).SelectMany(static one => AttributeReading.On(one, XmlChoice, s_xml))
            .Any(mark => mark.ConstructorArguments.Concat(mark.NamedArguments.Select(static named => named.Value)).Any(argument => argument.Value is string name && name == member.Name));

    /// <summary>The mark is on a field, or on what an auto-property keeps its value in, of which another assembly shows nothing. It counts in a [Serializable] type.</summary>
    public static bool IsNotSerialized(ISymbol member) =>
        member.ContainingType.IsSerializable && (member as IFieldSymbol ?? (member is IPropertySymbol property ? MemberParser.SeenField(property) : null)) is { } field && (AttributeReading.Has(field, NonSerialized, s_system) || CompiledMembers.IsNotSerialized(field))
        && !MarksOfOthers.OutweighNonSerialized(member);
}
