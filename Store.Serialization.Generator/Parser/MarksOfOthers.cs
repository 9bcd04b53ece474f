// Marks by which serializers store members that are not public, of which no more is read than that: whose types carry none of ForeignSerializer, or [DataContract], would lose such members in silence. Known by name; no package is referenced.
// docs/models-of-others.md.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class MarksOfOthers
{
    // MemberSerialization.OptOut and Fields of Newtonsoft.Json.
    private const int AllPublic = 0;

    private const int AllFields = 2;

    // TargetMember of Ceras.
    private const int PublicFields = 1, PrivateFields = 2, PublicProperties = 4, PrivateProperties = 8;

    // Innermost first.
    private static readonly string[] s_newtonsoft = ["Json", "Newtonsoft"];

    private static readonly string[] s_ceras = ["Ceras"];

    private static readonly string[] s_mongo = ["Attributes", "Serialization", "Bson", "MongoDB"];

    private static readonly string[] s_nino = ["Core", "Nino"];

    // Their generated code stores what a collection is derived from, and its marked members.
    private static readonly string[][] s_generating = [["Orleans"], ["Hagar"]];

    private static readonly (string[] Space, string Name)[] s_odin = [(["Serialization", "Sirenix"], "OdinSerializeAttribute"), (["OdinSerializer"], "OdinSerializeAttribute")];

    private static readonly (string[] Space, string Name)[] s_marks =
    [
        (s_newtonsoft, "JsonPropertyAttribute"),
        (s_newtonsoft, "JsonRequiredAttribute"),
        (s_newtonsoft, "JsonExtensionDataAttribute"),
        (["Orleans"], "IdAttribute"),
        (["MessagePack", "Nerdbank"], "KeyAttribute"),
        (["PolyType"], "PropertyShapeAttribute"),
        // What says how MongoDB maps a member maps it (its own IBsonMemberMapAttributes; those that a program writes itself are not looked for).
        (s_mongo, "BsonElementAttribute"),
        (s_mongo, "BsonExtraElementsAttribute"),
        (s_mongo, "BsonIdAttribute"),
        (s_mongo, "BsonRepresentationAttribute"),
        (s_mongo, "BsonRequiredAttribute"),
        (s_mongo, "BsonDefaultValueAttribute"),
        (s_mongo, "BsonIgnoreIfNullAttribute"),
        (s_mongo, "BsonIgnoreIfDefaultAttribute"),
        (s_mongo, "BsonDateTimeOptionsAttribute"),
        (s_mongo, "BsonDateOnlyOptionsAttribute"),
        (s_mongo, "BsonTimeOnlyOptionsAttribute"),
        (s_mongo, "BsonTimeSpanOptionsAttribute"),
        (s_mongo, "BsonDictionaryOptionsAttribute"),
        (s_mongo, "BsonGuidRepresentationAttribute"),
        (s_mongo, "BsonSerializerAttribute"),
        (s_mongo, "BinaryVectorAttribute"),
        (["Firestore", "Cloud", "Google"], "FirestorePropertyAttribute"),
        (["Serialization", "MsgPack"], "MessagePackMemberAttribute"),
        (s_ceras, "IncludeAttribute"),
        (["UnityEngine"], "SerializeField"),
        (["UnityEngine"], "SerializeReference"),
        .. s_odin,
        (["FullSerializer"], "fsPropertyAttribute"),
        (["Attributes", "Cbor", "Dahomey"], "CborPropertyAttribute"),
        (["Hagar"], "IdAttribute"),
    ];

    // What leaves a member out of those of its own library, and of no other.
    private static readonly (string[] Space, string Name)[] s_ignores = [(s_newtonsoft, "JsonIgnoreAttribute"), (s_mongo, "BsonIgnoreAttribute"), (s_ceras, "ExcludeAttribute"), (s_ceras, "IgnoreAttribute")];

    // What chooses a constructor in the same libraries.
    private static readonly (string[] Space, string Name)[] s_constructors =
    [
        (s_newtonsoft, "JsonConstructorAttribute"),
        (s_mongo, "BsonConstructorAttribute"),
        (["PolyType"], "ConstructorShapeAttribute"),
        (["Serialization", "MsgPack"], "MessagePackDeserializationConstructorAttribute"),
        (["Attributes", "Cbor", "Dahomey"], "CborConstructorAttribute"),
    ];

    /// <summary>The full names of the attributes.</summary>
    public static IEnumerable<string> Names { get; } = [.. s_marks.Select(static mark => AttributeReading.Joined(mark.Space) + "." + mark.Name)];

    /// <summary>The member of an object of the type is stored by one of the marks, whatever access it has, where that has no mark of another serializer.</summary>
    public static bool Store(INamedTypeSymbol type, ISymbol member) => IsMarked(type, member) && IsState(member) && !PlainModels.LeavesOut(member, member.ContainingType, contract: null);

    /// <summary>The member has one of the marks, whatever of the framework's may leave it out.</summary>
    public static bool Mark(INamedTypeSymbol type, ISymbol member) => IsMarked(type, member) && IsStateOrField(member);

    /// <summary>The member has a mark that counts beside [IgnoreDataMember]: Newtonsoft.Json asks for that where it stores all that is not ignored.</summary>
    public static bool MarkBesideIgnore(INamedTypeSymbol type, ISymbol member) =>
        IsStateOrField(member) && (IsTarget(type, member) || FindMarks(member).Any(mark => mark.Space != s_newtonsoft || SerializationOf(type) is not (AllPublic or AllFields)));

    /// <summary>The constructors, of whatever access, by which such serializers make objects of the type.</summary>
    public static IEnumerable<IMethodSymbol> ConstructorsOf(INamedTypeSymbol type) => type.InstanceConstructors.Where(static one => s_constructors.Any(mark => AttributeReading.Has(one, mark.Name, mark.Space)));

    /// <summary>Members of the type are stored by such marks alone.</summary>
    public static bool AreNeededBy(INamedTypeSymbol type) =>
        !NinoAttributes.IsNinoType(type) && Derivations.BasesOf(type).Where(static level => level.TypeKind is TypeKind.Class or TypeKind.Struct && !Framework.Has(level))
            .Any(level => level.GetMembers().Any(member => member is IFieldSymbol or IPropertySymbol && (member.DeclaredAccessibility != Accessibility.Public || member is IPropertySymbol { SetMethod.DeclaredAccessibility: not Accessibility.Public }) && Store(type, member)));

    /// <summary>The marks by which a member is stored, as source has them.</summary>
    public static IEnumerable<string> MarksOf(ISymbol member) => FindMarks(member).Select(static mark => AttributeReading.Mark(mark.Name)).Distinct();

    /// <summary>Odin's mark stores a field that [NonSerialized] is on: Unity is to leave it to Odin.</summary>
    public static bool OutweighNonSerialized(ISymbol member) => AttributesOf(member).Any(static one => s_odin.Any(mark => Is(one, mark)));

    private static IEnumerable<(string[] Space, string Name)> FindMarks(ISymbol member) =>
        (from symbol in Declarations.Of(member)
        from attribute in AttributesOf(symbol)
        from mark in s_marks
        where Is(attribute, mark) && !AttributeReading.IsSet(attribute, "Ignore") && !IsIgnoredIn(member, mark.Space)
        select mark).Concat(Declarations.Of(member).Select(NumbersOfOthers.MarkByXml).OfType<(string[] Space, string Name)>());

    private static IEnumerable<AttributeData> AttributesOf(ISymbol declaration) => Declarations.PlacesOf(declaration).SelectMany(static place => place.GetAttributes());

    private static bool Is(AttributeData attribute, (string[] Space, string Name) mark) => attribute.AttributeClass?.Name == mark.Name && AttributeReading.IsIn(attribute.AttributeClass, mark.Space);

    /// <summary>What says that all that one class of a type declares is stored, whatever its access, for the middle of a sentence; null where nothing does.</summary>
    public static string? AllOf(INamedTypeSymbol type, INamedTypeSymbol level) =>
        HasAllFields(type) || HasAllFields(level) ? "fields ([JsonObject(MemberSerialization.Fields)])"
        : (NinoOf(type) ?? NinoOf(level)) is { } mark && StoresNonPublic(mark) ? "members ([NinoType] of Nino with containNonPublicMembers)"
        : ConfigOf(type) is not { } config ? null
        : (config.Targets & (PrivateFields | PrivateProperties)) switch
        {
            0 => null,
            PrivateFields => "fields ([MemberConfig])",
            PrivateProperties => "properties ([MemberConfig])",
            _ => "fields and properties ([MemberConfig])",
        };

    // [NinoType(containNonPublicMembers: true)] of Nino: fields, and properties with both accessors.
    private static bool IsOneOfNino(INamedTypeSymbol type, ISymbol member) =>
        member is IFieldSymbol { AssociatedSymbol: null, IsImplicitlyDeclared: false, IsConst: false } or IPropertySymbol { IsIndexer: false, GetMethod: not null, SetMethod: not null } && !member.IsStatic && !Declarations.IsOfEveryRecord(member)
        && (NinoOf(type) ?? NinoOf(member.ContainingType)) is { } mark && StoresNonPublic(mark)
        // Where it is told to collect nothing by itself, what has a number.
        && (mark.ConstructorArguments[0].Value is false ? AttributeReading.Has(member, "NinoMemberAttribute", s_nino) : !AttributeReading.Has(member, "NinoIgnoreAttribute", s_nino));

    private static AttributeData? NinoOf(INamedTypeSymbol type) => AttributeReading.On(type, "NinoTypeAttribute", s_nino).FirstOrDefault();

    private static bool StoresNonPublic(AttributeData mark) => mark.ConstructorArguments.Length > 1 && mark.ConstructorArguments[1].Value is true;

    /// <summary>Newtonsoft.Json stores the member of an object of the type because it is public: [JsonObject] says so of all of them, also beside [DataContract].</summary>
    public static bool StoresPublic(INamedTypeSymbol type, ISymbol member) =>
        member is { DeclaredAccessibility: Accessibility.Public } and (IFieldSymbol { Type.TypeKind: not TypeKind.Delegate } or IPropertySymbol { Type.TypeKind: not TypeKind.Delegate, GetMethod.DeclaredAccessibility: Accessibility.Public })
        && IsStateOrField(member) && SerializationOf(type) == AllPublic && !IsIgnoredIn(member, s_newtonsoft);

    private static bool HasAllFields(INamedTypeSymbol type) => SerializationOf(type) == AllFields;

    /// <summary>Attributes of MongoDB are on the type or a member.</summary>
    public static bool IsOfMongo(INamedTypeSymbol type) =>
        Derivations.BasesOf(type).Where(static level => level.TypeKind is TypeKind.Class or TypeKind.Struct && !Framework.Has(level)).SelectMany(static level => level.GetMembers().Prepend(level)).Any(static one => one.GetAttributes().Any(static mark => AttributeReading.IsIn(mark.AttributeClass, s_mongo)));

    /// <summary>[JsonObject(IsReference = true)] of Newtonsoft.Json: objects of the class are written once.</summary>
    public static bool KeepReferences(INamedTypeSymbol type) => AttributeReading.On(type, "JsonObjectAttribute", s_newtonsoft).Any(static mark => AttributeReading.IsSet(mark, "IsReference"));

    /// <summary>As <see cref="KeepReferences"/>, of the objects that a member holds, or a collection there.</summary>
    public static bool KeepReferencesTo(ISymbol member) =>
        ((member as IPropertySymbol)?.Type ?? (member as IFieldSymbol)?.Type) is { } type
        && AttributeReading.On(member, "JsonPropertyAttribute", s_newtonsoft).Any(mark => AttributeReading.IsSet(mark, MemberParser.IsCollection(type) ? "ItemIsReference" : "IsReference"));

    /// <summary>What says that such a serializer stores the members of a collection too, and not its elements alone, as source has it; null where nothing does.</summary>
    public static string? StoreMembers(INamedTypeSymbol collection) =>
        SerializationOf(collection) is not null ? "[JsonObject]"
        : s_generating.Any(space => AttributeReading.Has(collection, "GenerateSerializerAttribute", space)) ? "[GenerateSerializer]"
        : null;

    // Each class says it of what is derived from it, too; the last word is that of the type itself. Null where none says it.
    private static int? SerializationOf(INamedTypeSymbol type)
    {
        foreach (INamedTypeSymbol level in Derivations.BasesOf(type))
        {
            if (AttributeReading.On(level, "JsonObjectAttribute", s_newtonsoft).FirstOrDefault() is not { } mark) continue;
            return (mark.ConstructorArguments.FirstOrDefault() is { Kind: TypedConstantKind.Enum } argument ? argument.Value : AttributeReading.Option(mark, "MemberSerialization")) as int? ?? AllPublic;
        }

        return null;
    }

    // What the class of the object says is said of its bases, too.
    private static bool IsOneOfAllFields(INamedTypeSymbol type, ISymbol member) =>
        member switch
        {
            IFieldSymbol { AssociatedSymbol: null, IsImplicitlyDeclared: false } field => field.Type,
            IPropertySymbol property when MemberParser.IsAutoProperty(property) => property.Type,
            _ => null,
        } is { TypeKind: not TypeKind.Delegate } && !Declarations.IsOfEveryRecord(member) && (HasAllFields(type) || HasAllFields(member.ContainingType)) && !IsIgnoredIn(member, s_newtonsoft);

    // [MemberConfig] of Ceras, which chooses by kind and access; of a property the getter's. The last word is that of the type itself.
    private static bool IsTarget(INamedTypeSymbol type, ISymbol member) =>
        ConfigOf(type) is { } config && !member.IsStatic && !IsIgnoredIn(member, s_ceras) && !Declarations.IsOfEveryRecord(member) && member switch
        {
            IFieldSymbol { AssociatedSymbol: null, IsImplicitlyDeclared: false, IsConst: false, Type.TypeKind: not TypeKind.Delegate } field =>
                (!field.IsReadOnly || ReadonlyConfigOf(field, config.Readonly) != 0) && (config.Targets & (field.DeclaredAccessibility == Accessibility.Public ? PublicFields : PrivateFields)) != 0,
            IPropertySymbol { IsIndexer: false, Type.TypeKind: not TypeKind.Delegate, GetMethod: { } getter } => (config.Targets & (getter.DeclaredAccessibility == Accessibility.Public ? PublicProperties : PrivateProperties)) != 0,
            _ => false,
        };

    private static (int Targets, int Readonly)? ConfigOf(INamedTypeSymbol type) =>
        Derivations.BasesOf(type).Select(static level => AttributeReading.On(level, "MemberConfigAttribute", s_ceras).FirstOrDefault()).FirstOrDefault(static mark => mark is not null) is { } mark
            ? (Number(mark, "TargetMembers", 0, PublicFields), Number(mark, "ReadonlyFieldHandling", 1, 0))
            : null;

    private static int ReadonlyConfigOf(IFieldSymbol field, int ofType) =>
        AttributeReading.On(field, "ReadonlyConfigAttribute", s_ceras).FirstOrDefault() is { } mark ? Number(mark, "ReadonlyFieldHandling", 0, 0) : ofType;

    private static int Number(AttributeData mark, string option, int argument, int otherwise) =>
        (AttributeReading.Option(mark, option) ?? (mark.ConstructorArguments.ElementAtOrDefault(argument) is { Kind: TypedConstantKind.Enum } given ? given.Value : null)) as int? ?? otherwise;

    /// <summary>Not what is computed, which is only shown by the mark, and not another name under which something is only read.</summary>
    private static bool IsState(ISymbol member) =>
        member is not IPropertySymbol property || (Declarations.Accessor(property, static one => one.GetMethod) is not null && CanBeRestored(property));

    private static bool IsMarked(INamedTypeSymbol type, ISymbol member) => FindMarks(member).Any() || IsOneOfAllFields(type, member) || IsTarget(type, member) || IsOneOfNino(type, member);

    // Where fields can be set a getter alone is enough.
    private static bool IsStateOrField(ISymbol member) => IsState(member) || (member is IPropertySymbol property && MemberParser.IsAutoProperty(property));

    private static bool CanBeRestored(IPropertySymbol property) =>
        Declarations.Accessor(property, static one => one.SetMethod) is not null || (MemberParser.IsCollection(property.Type) && MemberParser.IsAutoProperty(property))
        || (property.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty && CompiledMembers.HasSetter(property) is { } has ? has : property.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty && MemberParser.IsAutoProperty(property));

    private static bool IsIgnoredIn(ISymbol member, string[] space) => s_ignores.Any(ignore => ignore.Space == space && AttributeReading.Has(member, ignore.Name, ignore.Space));
}
