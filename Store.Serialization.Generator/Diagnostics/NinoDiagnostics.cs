// Every diagnostic of the generator: id, message, severity. Each id has a page in docs/diagnostics that says what, why and how to fix it.
// What cannot be serialized is an error, never left out in silence; only what is guessed is a warning. An error that is turned off leaves its type without a codec, which shows at the first
// use; where code is generated all the same, and would lose data or let bytes end the process, the error cannot be turned off.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Diagnostics;

internal static class NinoDiagnostics
{
    private const string Category = "NinoStore.Serialization";
    private const string StoreCategory = "NinoStore.Store";

    // There is no public home yet that a link could lead to: the pages are in the package.
    internal const string Pages = "The page of this diagnostic is in the package NinoStore.Serialization (and in its sources): docs/diagnostics/";

    // The one against #pragma, .editorconfig and NoWarn, the other against [SuppressMessage], which looks at the second alone.
    private static readonly string[] NotToBeTurnedOff = [WellKnownDiagnosticTags.NotConfigurable, WellKnownDiagnosticTags.Compiler];

    public static readonly DiagnosticDescriptor TypeNotMarked = new(
        "NINO001", "A reached type is not marked for serialization",
        "{0} has the type '{1}', which has no codec: {2}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO001.md.");

    public static readonly DiagnosticDescriptor TypeHasNoEncoding = new(
        "NINO002", "A type has no encoding",
        "{0} has the type '{1}', which cannot be serialized: {2}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO002.md.");

    public static readonly DiagnosticDescriptor TypeNotAccessible = new(
        "NINO003", "Generated code cannot reach a type",
        "The type '{0}' is not accessible from generated code: make it, and the types it is nested in, internal or public{1}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO003.md.");

    public static readonly DiagnosticDescriptor NoUsableConstructor = new(
        "NINO004", "No usable constructor",
        "The type '{0}' has no constructor that reading can use: {1}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO004.md.");

    public static readonly DiagnosticDescriptor AmbiguousConstructor = new(
        "NINO005", "The constructor is ambiguous",
        "The type '{0}' has several constructors that reading could use: {1}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO005.md.");

    public static readonly DiagnosticDescriptor ParameterWithoutMember = new(
        "NINO006", "A constructor parameter has no matching member",
        "The constructor parameter '{0}' of '{1}' matches no stored member: {2}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO006.md.");

    public static readonly DiagnosticDescriptor InvalidMemberId = new(
        "NINO007", "A member id is invalid",
        "The id {0} of the member '{1}' is invalid: {2}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO007.md.");

    public static readonly DiagnosticDescriptor GetOnlyCollection = new(
        "NINO008", "A get-only collection would be lost",
        "The collection '{0}' can neither be set nor filled when reading, so its elements would be lost: {1}; add a setter or init, add a constructor parameter of the same name, {2}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO008.md.");

    public static readonly DiagnosticDescriptor GetOnlyState = new(
        "NINO009", "State that cannot be set would be lost",
        "The {1} '{0}' holds state but cannot be set when reading, so it would be lost: {2}, {3}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO009.md.");

    public static readonly DiagnosticDescriptor MarkedMemberNotSettable = new(
        "NINO010", "A marked member cannot be read and set",
        "The member '{0}' is marked to be stored, but {1}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO010.md.");

    public static readonly DiagnosticDescriptor AbstractType = new(
        "NINO011", "An abstract class or interface cannot be serialized",
        "{0} has the type '{1}', {2}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO011.md.");

    public static readonly DiagnosticDescriptor OpenGeneric = new(
        "NINO012", "An open generic type cannot be registered",
        "'{0}' in [NinoSerializable] is an open generic type: name the closed types that are serialized, such as '{1}'",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO012.md.");

    public static readonly DiagnosticDescriptor SchemaNameCollision = new(
        "NINO013", "Two types have the same schema name",
        "The types '{0}' and '{1}' have the same schema name '{2}': records are found by it, so give one of them another name with [NinoType(Name = ...)]",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO013.md.", customTags: NotToBeTurnedOff);

    public static readonly DiagnosticDescriptor MemberNameCollision = new(
        "NINO014", "Two stored members have the same name",
        "The member '{0}' {2} '{1}', which would be stored under that name: rename one of them, or {3}{4}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO014.md.");

    public static readonly DiagnosticDescriptor NothingStored = new(
        "NINO015", "No member of a type is stored",
        "Nothing of the type '{0}' would be stored: {1}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO015.md.");

    public static readonly DiagnosticDescriptor EndlessGeneric = new(
        "NINO016", "A generic type reaches itself without end",
        "{0} has the type '{1}': every construction of it reaches a larger one, so there is no end of codecs to generate",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO016.md.");

    public static readonly DiagnosticDescriptor LostState = new(
        "NINO017", "State behind a computed property is not stored",
        "The {0} '{1}' is not stored, although {2}: {3}",
        Category, DiagnosticSeverity.Warning, isEnabledByDefault: true, description: Pages + "NINO017.md.");

    public static readonly DiagnosticDescriptor FormerNameTaken = new(
        "NINO018", "A former name is another member's",
        "The former name '{0}' of the member '{1}' is ambiguous: {2}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO018.md.");

    public static readonly DiagnosticDescriptor HiddenMember = new(
        "NINO019", "A member of another assembly is out of sight",
        "The codec of '{0}' would leave out {1}, which {2} and which only '{3}' itself sees: make it {4}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO019.md.");

    public static readonly DiagnosticDescriptor UnseenState = new(
        "NINO020", "A type of another assembly may show state that is not stored",
        "The type '{0}' {1}, so store a type of your own instead, or turn this warning off here",
        Category, DiagnosticSeverity.Warning, isEnabledByDefault: true, description: Pages + "NINO020.md.");

    public static readonly DiagnosticDescriptor FormerTypeNameTaken = new(
        "NINO021", "A former name is another type's",
        "The former name '{0}' of the type '{1}' is ambiguous: {2}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO021.md.");

    public static readonly DiagnosticDescriptor LoopingKey = new(
        "NINO022", "A key may lead back to itself",
        "{0} has the type '{1}', which finds or orders its keys by code of '{2}', and an object of that may lead back to itself: a damaged or hostile record can send that code around without end, which ends the process; use a key without references, a list, or for '{2}' a class without an equality of its own",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO022.md.", customTags: NotToBeTurnedOff);

    public static readonly DiagnosticDescriptor LongName = new(
        "NINO023", "The full name of a type is too long",
        "{0} has a construction of '{1}' as its type, whose full name takes {2} bytes, and the compiler can write no codec for more than {3}: put a type of your own in its place that is not generic (a record with its parts as members, or a class derived from it), or give what it is made of shorter names",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO023.md.");

    public static readonly DiagnosticDescriptor RefusedType = new(
        "NINO024", "The compiler seems to refuse a type",
        "No codec is generated for '{0}', nor for what reaches it: {1}",
        Category, DiagnosticSeverity.Warning, isEnabledByDefault: true, description: Pages + "NINO024.md.");

    /// <summary>Of an analyzer beside the generator: it is about the attribute, whatever is made of the type.</summary>
    public static readonly DiagnosticDescriptor FormerNameNotFull = new(
        "NINO025", "A former name is no full name",
        "The former name '{0}' of the type '{1}' is most likely no full name, which records have, so none is found by it: write the one that the type had, '{2}' if it was in the same place, or turn this warning off where it had no other",
        Category, DiagnosticSeverity.Warning, isEnabledByDefault: true, description: Pages + "NINO025.md.");

    public static readonly DiagnosticDescriptor StoredThoughIgnored = new(
        "NINO026", "An attribute that leaves a member out does not count here",
        "{1} is on the member '{0}', or on what it overrides, and it is stored all the same: {2}; {3}, or turn this warning off where it is meant",
        Category, DiagnosticSeverity.Warning, isEnabledByDefault: true, description: Pages + "NINO026.md.");

    public static readonly DiagnosticDescriptor SetterOfOther = new(
        "NINO027", "A setter that reading calls sets another stored member",
        "The setter of '{0}' sets '{1}'{3}, and reading calls it once '{1}' is set: it has the last word over what was stored of that, also where a record of an older version lacks this property and its setter is given what a new object has. {2}, or say with [NinoInclude] on this property that it is meant so.",
        Category, DiagnosticSeverity.Warning, isEnabledByDefault: true, description: Pages + "NINO027.md.");

    public static readonly DiagnosticDescriptor SetterBeforeOther = new(
        "NINO028", "A setter that reading calls asks a member that is set behind it",
        "The setter of '{0}' asks '{1}', and reading calls it before '{1}' is set: it finds what a new object has there, by which {2}. {3}; or say with [NinoInclude] on this property that it is meant so.",
        Category, DiagnosticSeverity.Warning, isEnabledByDefault: true, description: Pages + "NINO028.md.");

    public static readonly DiagnosticDescriptor ChangingConstructor = new(
        "NINO029", "A constructor changes what reading passes it",
        "The constructor of '{0}' that reading calls makes another value of its parameter '{1}'{3}, and '{2}' shows that: what is stored of it is passed again, so {4}. {5}; or let reading call a constructor that takes it as it is ([NinoConstructor]); or say with [NinoInclude] on '{2}' that it is meant so.",
        Category, DiagnosticSeverity.Warning, isEnabledByDefault: true, description: Pages + "NINO029.md.");

    public static readonly DiagnosticDescriptor InvalidTag = new(
        "NINO030", "The tag of a case is invalid",
        "The tag {0} of the case '{1}' of '{2}' is invalid: {3}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO030.md.");

    public static readonly DiagnosticDescriptor NotACase = new(
        "NINO031", "A type cannot be a case of a base",
        "{0} names '{1}', which cannot be a case of '{2}': {3}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO031.md.");

    public static readonly DiagnosticDescriptor MissingCase = new(
        "NINO032", "A derived type is not named as a case",
        "The type '{0}' is derived from '{1}', which names its cases, and is not one of them: add [NinoUnion({2}, typeof({0}))] to the base, or objects of it cannot be written where the base is declared",
        Category, DiagnosticSeverity.Warning, isEnabledByDefault: true, description: Pages + "NINO032.md.");

    public static readonly DiagnosticDescriptor InvalidBaseOption = new(
        "NINO033", "An option of [NinoType] or [NinoSerializable] does not fit the type",
        "{0} does not fit '{1}': {2}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO033.md.");

    public static readonly DiagnosticDescriptor UnreachableCase = new(
        "NINO034", "A derived type of another assembly is out of reach",
        "[{0}] of '{1}' names '{2}', which generated code cannot reach: it is no case of '{1}', and writing an object of it is an error{3}",
        Category, DiagnosticSeverity.Warning, isEnabledByDefault: true, description: Pages + "NINO034.md.");

    public static readonly DiagnosticDescriptor BadCallback = new(
        "NINO040", "A callback has the wrong shape",
        "The method '{0}' cannot be called as [{1}]: {2}; a callback is an instance method that returns nothing, without parameters (or for another serializer's attribute with a StreamingContext)",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO040.md.");

    public static readonly DiagnosticDescriptor BadFactory = new(
        "NINO041", "A factory method has the wrong shape",
        "The method '{0}' cannot stand for a constructor: {1}; a factory is a static method of the type that returns the type",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO041.md.");

    public static readonly DiagnosticDescriptor UnusableCodec = new(
        "NINO050", "A codec cannot be used",
        "The codec '{0}' of {1} cannot be used: {2}",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO050.md.");

    public static readonly DiagnosticDescriptor NoStrings = new(
        "NINO051", "[NinoUtf8] has nothing to act on",
        "{0} has [NinoUtf8] and the type '{1}', in which there are no strings of its own: put the attribute on members that are strings or collections of strings",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO051.md.");

    /// <summary>Of an analyzer beside the generator, as <see cref="CollectionAsRecord"/>.</summary>
    public static readonly DiagnosticDescriptor UnregisteredRecord = new(
        "NINO060", "A type that is stored is not registered",
        "The type '{0}' is not registered, and '{1}' throws NinoTypeNotRegisteredException for it: {2}",
        Category, DiagnosticSeverity.Warning, isEnabledByDefault: true, description: Pages + "NINO060.md.");

    public static readonly DiagnosticDescriptor NoView = new(
        "NINO070", "A type gets no view",
        "The type '{0}' gets no view: {1}",
        Category, DiagnosticSeverity.Warning, isEnabledByDefault: true, description: Pages + "NINO070.md.");

    /// <summary>Of the analyzer beside the generator: it is about calls, not types.</summary>
    public static readonly DiagnosticDescriptor CollectionAsRecord = new(
        "NINO080", "A collection of records is appended as one record",
        "This appends the '{0}' as one record, which reading records of '{1}' does not return: append its elements with {2}, or turn this warning off where one record is meant",
        StoreCategory, DiagnosticSeverity.Warning, isEnabledByDefault: true, description: Pages + "NINO080.md.");

    public static readonly DiagnosticDescriptor OldLanguage = new(
        "NINO090", "The language version is too old",
        "No codec is generated: this project is compiled as C# {0}, and generated code needs C# 12 or newer: take <LangVersion> out of the project, or raise it",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO090.md.");

    public static readonly DiagnosticDescriptor EngineUnderAlias = new(
        "NINO091", "The serializer is referenced under an alias only",
        "No codec is generated: this project references NinoStore.Serialization under the alias '{0}' only, and generated code names its types from the global namespace: add 'global' to the aliases of the reference",
        Category, DiagnosticSeverity.Error, isEnabledByDefault: true, description: Pages + "NINO091.md.");

    public static IReadOnlyList<DiagnosticDescriptor> All { get; } =
    [
        TypeNotMarked, TypeHasNoEncoding, TypeNotAccessible, NoUsableConstructor, AmbiguousConstructor, ParameterWithoutMember, InvalidMemberId, GetOnlyCollection,
        GetOnlyState, MarkedMemberNotSettable, AbstractType, OpenGeneric, SchemaNameCollision, MemberNameCollision, NothingStored, EndlessGeneric,
        LostState, FormerNameTaken, HiddenMember, UnseenState, FormerTypeNameTaken, LoopingKey, LongName, RefusedType, FormerNameNotFull, StoredThoughIgnored, SetterOfOther, SetterBeforeOther, ChangingConstructor, InvalidTag, NotACase, MissingCase, InvalidBaseOption, UnreachableCase, BadCallback, BadFactory, UnusableCodec, NoStrings, UnregisteredRecord, NoView, CollectionAsRecord, OldLanguage, EngineUnderAlias,
    ];

    private static readonly Dictionary<string, DiagnosticDescriptor> ById = All.ToDictionary(static descriptor => descriptor.Id);

    public static void Report(SourceProductionContext output, EquatableArray<DiagnosticModel> diagnostics, Compilation? compilation)
    {
        foreach (DiagnosticModel diagnostic in diagnostics)
        {
            // In the tree itself: a place in a file that the compiler does not know is out of reach of #pragma and .editorconfig.
            Location location = diagnostic.Location is not { } place ? Location.None
                : compilation?.SyntaxTrees.FirstOrDefault(tree => tree.FilePath == place.Path && place.Span.End <= tree.Length) is { } tree ? Location.Create(tree, place.Span)
                : Location.Create(place.Path, place.Span, place.Lines);
            output.ReportDiagnostic(Diagnostic.Create(ById[diagnostic.Id], location, FixProperties.Of(diagnostic), [.. diagnostic.Arguments]));
        }
    }
}
