// Reads the attributes of Store.Serialization from symbols, by name: the generator does not reference that assembly.

using System.Text;
using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class NinoAttributes
{
    public const string Namespace = "Store.Serialization.";
    public const string NinoTypeName = Namespace + "NinoTypeAttribute";
    public const string NinoSerializableName = Namespace + "NinoSerializableAttribute";

    // SchemaEncoding of the engine.
    private const int SchemaNameBytesMax = 4096;

    public static bool IsNinoType(ITypeSymbol type) => Find(type.OriginalDefinition, "NinoTypeAttribute") is not null;

    /// <summary>The name set by [NinoType(Name = ...)], or null.</summary>
    public static string? SchemaName(ITypeSymbol type) => AskedName(type) is { } name && !string.IsNullOrWhiteSpace(name) ? name : null;

    /// <summary>Why what [NinoType(Name = ...)] sets can be no name in a schema, or null.</summary>
    public static string? WhyNoName(ITypeSymbol type) => AskedName(type) is { } name ? WhyNoSchemaName(name) : null;

    /// <summary>Why a text can be no name in a schema (SchemaEncoding of the engine), or null.</summary>
    public static string? WhyNoSchemaName(string name)
    {
        if (string.IsNullOrWhiteSpace(name)) return "it is empty";
        if (name.Any(char.IsControl)) return "it has control characters, and names are shown line by line";
        for (int i = 0; i < name.Length; i++)
        {
            if (char.IsSurrogatePair(name, i)) i++;
            else if (char.IsSurrogate(name[i])) return "it has half of a surrogate pair";
        }

        return Encoding.UTF8.GetByteCount(name) > SchemaNameBytesMax ? $"it takes more than {SchemaNameBytesMax} bytes of UTF-8" : null;
    }

    private static string? AskedName(ITypeSymbol type) =>
        Find(type.OriginalDefinition, "NinoTypeAttribute")?.NamedArguments.FirstOrDefault(static argument => argument.Key == "Name").Value.Value as string;

    /// <summary>[NinoType(References = true)] on the type itself.</summary>
    public static bool AsksForReferences(ITypeSymbol type) => Flag(type, "References");

    /// <summary>[NinoSerializable(..., References = true)].</summary>
    public static bool AsksForReferences(AttributeData attribute) => attribute.NamedArguments.FirstOrDefault(static argument => argument.Key == "References").Value.Value is true;

    /// <summary>[NinoType(NonPublic = true)] on the type itself.</summary>
    public static bool StoresNonPublic(ITypeSymbol type) => Flag(type, "NonPublic");

    public static bool SkipsUnknownCases(ITypeSymbol type) => Flag(type, "SkipUnknownCases");

    /// <summary>The [NinoUnion] attributes of a base.</summary>
    public static IEnumerable<AttributeData> Unions(ITypeSymbol type) => type.OriginalDefinition.GetAttributes().Where(static attribute => Is(attribute.AttributeClass, "NinoUnionAttribute"));

    /// <summary>What [NinoType(View = ...)] says, or null when it says nothing.</summary>
    public static bool? View(ITypeSymbol type) =>
        Find(type.OriginalDefinition, "NinoTypeAttribute")?.NamedArguments.FirstOrDefault(static argument => argument.Key == "View").Value.Value as bool?;

    /// <summary>[assembly: NinoDefaults(View = false)] is not there.</summary>
    public static bool ViewsByDefault(IAssemblySymbol assembly) =>
        Find(assembly, "NinoDefaultsAttribute")?.NamedArguments.FirstOrDefault(static argument => argument.Key == "View").Value.Value is not false;

    /// <summary>What an assembly says its types hide.</summary>
    public static IEnumerable<HiddenModel> Hidden(IAssemblySymbol assembly) =>
        from attribute in assembly.GetAttributes()
        where Is(attribute.AttributeClass, "NinoHiddenAttribute") && attribute.ConstructorArguments.Length == 3
        let type = attribute.ConstructorArguments[0].Value as string
        let member = attribute.ConstructorArguments[1].Value as string
        let kind = attribute.ConstructorArguments[2].Value as int?
        where type is not null && member is not null && kind is not null
        select new HiddenModel(type, member, (HiddenKind)kind);

    private static bool Flag(ITypeSymbol type, string name) =>
        Find(type.OriginalDefinition, "NinoTypeAttribute")?.NamedArguments.FirstOrDefault(argument => argument.Key == name).Value.Value is true;

    /// <summary>The types that [NinoSerializable] registers on an assembly or class, each with the attribute that names it.</summary>
    public static IEnumerable<(ITypeSymbol Type, AttributeData Attribute)> Registered(ISymbol symbol) =>
        from attribute in symbol.GetAttributes()
        where Is(attribute.AttributeClass, "NinoSerializableAttribute")
        let type = attribute.ConstructorArguments.FirstOrDefault().Value as ITypeSymbol
        where type is not null
        select (type, attribute);

    /// <summary>[NinoSerializable(typeof(object), SkipUnknownCases = true)] on one of the symbols.</summary>
    public static bool SkipsUnknownObjects(IEnumerable<ISymbol> registering) =>
        registering.SelectMany(Registered).Any(static one => one.Type.SpecialType == SpecialType.System_Object && SkipsUnknownCases(one.Attribute));

    public static bool SkipsUnknownCases(AttributeData attribute) => attribute.NamedArguments.FirstOrDefault(static argument => argument.Key == "SkipUnknownCases").Value.Value is true;

    /// <summary>[NinoIgnore] leaves the member out: on it, or on what it overrides, where no mark on an override stores it.</summary>
    public static bool IsIgnored(ISymbol member)
    {
        foreach (ISymbol declaration in Declarations.Of(member))
        {
            if (Find(declaration, "NinoIgnoreAttribute") is not null) return true;
            if ((Find(declaration, "NinoIncludeAttribute") ?? Find(declaration, "NinoMemberAttribute")) is not null) return false;
            // In the head of a record. Asked only where something could be left out behind it: it looks at all constructors.
            if (Declarations.Of(declaration).Skip(1).Any() && ParameterAttributes.Of(declaration) is { } parameter && Find(parameter, "NinoMemberAttribute") is not null) return false;
        }

        return false;
    }

    public static bool IsIncluded(ISymbol member) => FindInherited(member, "NinoIncludeAttribute") is not null;

    /// <summary>The codec that [NinoCodec] names on a type or member, or null.</summary>
    public static ITypeSymbol? Codec(ISymbol symbol) => FindOnMember(symbol, "NinoCodecAttribute")?.ConstructorArguments.FirstOrDefault().Value as ITypeSymbol;

    public static bool IsUtf8(ISymbol member) => FindOnMember(member, "NinoUtf8Attribute") is not null;

    /// <summary>The times at which a method is marked to be called.</summary>
    public static IEnumerable<CallbackTime> Callbacks(IMethodSymbol method)
    {
        foreach (AttributeData attribute in method.GetAttributes())
        {
            if (Is(attribute.AttributeClass, "NinoOnSerializingAttribute")) yield return CallbackTime.Serializing;
            else if (Is(attribute.AttributeClass, "NinoOnSerializedAttribute")) yield return CallbackTime.Serialized;
            else if (Is(attribute.AttributeClass, "NinoOnDeserializingAttribute")) yield return CallbackTime.Deserializing;
            else if (Is(attribute.AttributeClass, "NinoOnDeserializedAttribute")) yield return CallbackTime.Deserialized;
        }
    }

    public static bool IsConstructor(IMethodSymbol constructor) => Find(constructor, "NinoConstructorAttribute") is not null;

    /// <summary>Carries [Obsolete("...", error: true)], itself, on a type that it is nested in, or on an accessor.</summary>
    public static bool IsObsoleteError(ISymbol symbol)
    {
        if (symbol is IPropertySymbol property && ((property.GetMethod is { } getter && Has(getter)) || (property.SetMethod is { } setter && Has(setter)))) return true;
        for (ISymbol? level = symbol; level is not null; level = level.ContainingType)
        {
            if (Has(level)) return true;
        }

        return false;

        static bool Has(ISymbol symbol) => symbol.GetAttributes().Any(static attribute =>
            attribute.AttributeClass is { Name: "ObsoleteAttribute", ContainingNamespace: { Name: "System", ContainingNamespace.IsGlobalNamespace: true } } && attribute.ConstructorArguments.LastOrDefault().Value is true);
    }

    /// <summary>Its name has something in it that is obsolete as an error: itself, a type around it, an element, a type argument.</summary>
    public static bool NamesObsolete(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => NamesObsolete(array.ElementType),
        INamedTypeSymbol named => IsObsoleteError(named.OriginalDefinition) || TypeNames.AllArguments(named).Any(NamesObsolete),
        _ => false,
    };

    /// <summary>The id given by [NinoMember] on the member or on the constructor parameter that sets it, or null.</summary>
    public static int? MemberId(ISymbol member)
    {
        AttributeData? attribute = FindInherited(member, "NinoMemberAttribute") ?? ParameterAttributes.Of(member)?.GetAttributes().FirstOrDefault(static a => Is(a.AttributeClass, "NinoMemberAttribute"));
        return attribute?.ConstructorArguments.FirstOrDefault().Value as int?;
    }

    /// <summary>What [NinoFormerName] says a member was called, on the member, on what it overrides, or on the constructor parameter that sets it.</summary>
    public static IEnumerable<string> FormerMemberNames(ISymbol member)
    {
        IEnumerable<string> names = ParameterAttributes.Of(member) is { } parameter ? FormerNames(parameter) : [];
        return names.Concat(Declarations.Of(member).SelectMany(FormerNames)).Distinct();
    }

    /// <summary>What [NinoFormerName] on a symbol itself says.</summary>
    public static IEnumerable<string> FormerNames(ISymbol symbol) => FormerNameMarks(symbol).Select(static one => one.Name);

    /// <summary>As <see cref="FormerNames"/>, each with the attribute that says it.</summary>
    public static IEnumerable<(string Name, AttributeData Attribute)> FormerNameMarks(ISymbol symbol) =>
        from attribute in symbol.GetAttributes()
        where Is(attribute.AttributeClass, "NinoFormerNameAttribute")
        let name = attribute.ConstructorArguments.FirstOrDefault().Value as string
        where !string.IsNullOrWhiteSpace(name)
        select (name, attribute);

    /// <summary>Carries an attribute that is for a member: a parameter, or the field that the compiler keeps a property in.</summary>
    public static bool IsForMember(ISymbol symbol) =>
        symbol.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name is "NinoMemberAttribute" or "NinoUtf8Attribute" or "NinoCodecAttribute" or "NinoFormerNameAttribute" && Is(attribute.AttributeClass, attribute.AttributeClass.Name));

    /// <summary>Says both of itself. An override may leave out what its base stores, and store what that leaves out.</summary>
    public static bool IsIgnoredAndMarked(ISymbol member) => Find(member, "NinoIgnoreAttribute") is not null && (Find(member, "NinoIncludeAttribute") ?? Find(member, "NinoMemberAttribute")) is not null;

    /// <summary>Carries [NinoInclude] or [NinoMember] itself, or overrides what does.</summary>
    public static bool IsMarkedItself(ISymbol member) => IsIncluded(member) || FindInherited(member, "NinoMemberAttribute") is not null;

    /// <summary>On the member, what it overrides, or the constructor parameter that sets it.</summary>
    private static AttributeData? FindOnMember(ISymbol member, string name) =>
        FindInherited(member, name) ?? ParameterAttributes.Of(member)?.GetAttributes().FirstOrDefault(attribute => Is(attribute.AttributeClass, name));

    public static bool SetsRequiredMembers(IMethodSymbol constructor) =>
        constructor.GetAttributes().Any(static attribute => attribute.AttributeClass is { Name: "SetsRequiredMembersAttribute", ContainingNamespace.Name: "CodeAnalysis" });

    /// <summary>An override without the attribute takes it from the member it overrides.</summary>
    private static AttributeData? FindInherited(ISymbol member, string name) =>
        Declarations.Of(member).Select(symbol => Find(symbol, name)).FirstOrDefault(static attribute => attribute is not null);

    private static AttributeData? Find(ISymbol symbol, string name)
    {
        foreach (AttributeData attribute in symbol.GetAttributes())
        {
            if (Is(attribute.AttributeClass, name)) return attribute;
        }

        return null;
    }

    private static bool Is(INamedTypeSymbol? type, string name) =>
        type is not null && type.Name == name
        && type.ContainingNamespace is { Name: "Serialization", ContainingNamespace: { Name: "Store", ContainingNamespace.IsGlobalNamespace: true } };
}
