// The serializers whose attributes are read of types that are registered without being touched: what each calls its attributes, and what it makes of them. Known by name; no such package is referenced.
// docs/models-of-others.md.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

/// <summary>When an attribute that says so leaves a member out: it may be on a property and not on what overrides that, or the other way round.</summary>
internal enum IgnoreRule
{
    /// <summary>It is on one of them.</summary>
    AnyDeclaration,

    /// <summary>It is on the last override.</summary>
    LastDeclaration,

    /// <summary>It is on the last override and on all others by which the class that declares them stores the member.</summary>
    EveryDeclaration,

    /// <summary>No attribute says that it is stored.</summary>
    Unmarked,
}

/// <summary>The words of one other serializer.</summary>
internal sealed class ForeignSerializer
{
    // Innermost first.
    private readonly string[] _namespace;

    private ForeignSerializer(params string[] space) => _namespace = space;

    /// <summary>The first whose mark a type carries counts: its attributes alone are read, so that two contracts on one type are never mixed.</summary>
    public static ForeignSerializer[] All { get; } =
    [
        new("MemoryPack") { SetsShown = true, CopiesStructs = true, TypeMark = "MemoryPackableAttribute", ReferencesOption = "CircularReference", HandWritten = "NoGenerate", Ignore = "MemoryPackIgnoreAttribute", Include = "MemoryPackIncludeAttribute", Order = "MemoryPackOrderAttribute", NumberedForms = ["VersionTolerant", "CircularReference"], Constructor = "MemoryPackConstructorAttribute" },
        new("MessagePack") { Ignoring = IgnoreRule.EveryDeclaration, TypeMark = "MessagePackObjectAttribute", IsMarkInherited = true, PrivateOption = "AllowPrivate", Ignore = "IgnoreMemberAttribute", Include = "KeyAttribute", Key = "KeyAttribute", FirstKey = 0, Naming = "KeyAttribute", PassesByKey = true, HeedsRuntimeIgnore = true, Constructor = "SerializationConstructorAttribute" },
        new("ProtoBuf") { Ignoring = IgnoreRule.EveryDeclaration, TypeMark = "ProtoContractAttribute", ReferencesOption = "AsReferenceDefault", MemberReferencesOption = "AsReference", Ignore = "ProtoIgnoreAttribute", Include = "ProtoMemberAttribute", Key = "ProtoMemberAttribute", FirstKey = 1, TypeIgnore = "ProtoPartialIgnoreAttribute", TypeInclude = "ProtoPartialMemberAttribute", CountsByClass = true, StoresOnlyIncluded = true, NumbersByOthers = true, AsksForPresence = true, SetsFields = true, UsesHiddenConstructor = true, AsksForEmptyConstructor = true, HeedsInterfaces = true },
        new("Serialization", "Runtime", "System") { Ignoring = IgnoreRule.Unmarked, TypeMark = "DataContractAttribute", ReferencesOption = "IsReference", Ignore = "IgnoreDataMemberAttribute", Include = "DataMemberAttribute", NamedOrder = "DataMemberAttribute", Naming = "DataMemberAttribute", StoresOnlyIncluded = true, TakesSerializable = true, SetsFields = true, UsesHiddenConstructor = true, SkipsConstructors = true, HeedsProtobuf = true, HeedsMarksOfOthers = true },
        new("Serialization", "Json", "Text", "System") { Ignoring = IgnoreRule.LastDeclaration, Ignore = "JsonIgnoreAttribute", Include = "JsonIncludeAttribute", Order = "JsonPropertyOrderAttribute", Naming = "JsonPropertyNameAttribute", Constructor = "JsonConstructorAttribute" },
    ];

    public static ForeignSerializer Json => All[All.Length - 1];

    public static ForeignSerializer Protobuf { get; } = Array.Find(All, static one => one.NumbersByOthers);

    /// <summary>The namespace of its attributes.</summary>
    public string Space => AttributeReading.Joined(_namespace);

    /// <summary>The attribute by which a type is known; null: any attribute of that serializer on a member or constructor.</summary>
    public string? TypeMark { get; private set; }

    /// <summary>A class derived from one with the mark has it too.</summary>
    public bool IsMarkInherited { get; private set; }

    /// <summary>Each class of a hierarchy has a contract of its own: the mark, or [Serializable], of which what is public is stored here.</summary>
    public bool TakesSerializable { get; private set; }

    /// <summary>The attribute of members that are not stored.</summary>
    public string Ignore { get; private set; } = "";

    /// <summary>When that leaves a member out.</summary>
    public IgnoreRule Ignoring { get; private set; }

    /// <summary>The attribute of members that are stored.</summary>
    public string Include { get; private set; } = "";

    /// <summary>On a type, names one of its members as <see cref="Ignore"/> on that member does.</summary>
    public string? TypeIgnore { get; private set; }

    /// <summary>On a type, names one of its members as <see cref="Include"/> on that member does, with the number in front of the name.</summary>
    public string? TypeInclude { get; private set; }

    /// <summary>An option of <see cref="TypeMark"/>, or a value of its enum, that asks for references to be kept.</summary>
    public string? ReferencesOption { get; private set; }

    /// <summary>An option of <see cref="Include"/> that asks for references to the member's objects to be kept.</summary>
    public string? MemberReferencesOption { get; private set; }

    public string? Order { get; private set; }

    public string? NamedOrder { get; private set; }

    /// <summary>The values of <see cref="TypeMark"/>'s enum with which the numbers of <see cref="Order"/> are what the other serializer knows members by.</summary>
    public string[] NumberedForms { get; private set; } = [];

    /// <summary>The attribute that gives a member a name, as its argument or as <c>Name</c>.</summary>
    public string? Naming { get; private set; }

    public string? Key { get; private set; }

    /// <summary>The least number of a member; ids start at 1.</summary>
    public int FirstKey { get; private set; }

    /// <summary>Each class of a hierarchy has numbers of its own.</summary>
    public bool CountsByClass { get; private set; }

    public string? Constructor { get; private set; }

    /// <summary>Where members have numbers, a constructor's first parameter takes the member with the first number, the next one that with the next, however they are called.</summary>
    public bool PassesByKey { get; private set; }

    /// <summary>The value of <see cref="TypeMark"/>'s enum with which a type is written by its own code.</summary>
    public string? HandWritten { get; private set; }

    /// <summary>A member without the including attribute is not stored.</summary>
    public bool StoresOnlyIncluded { get; private set; }

    /// <summary>An option of <see cref="TypeMark"/> by which private members are stored, too: those without <see cref="Include"/> as well where the mark's argument says that no member needs it.</summary>
    public string? PrivateOption { get; private set; }

    /// <summary>Public properties are set by whatever setter they have, without a mark.</summary>
    public bool SetsShown { get; private set; }

    /// <summary>Stores the memory of a struct without references as it is.</summary>
    public bool CopiesStructs { get; private set; }

    /// <summary>A method or property of the model may say that a member is not given.</summary>
    public bool AsksForPresence { get; private set; }

    /// <summary>[IgnoreDataMember] leaves a member out too.</summary>
    public bool HeedsRuntimeIgnore { get; private set; }

    /// <summary>Auto-properties without a setter are set by their fields: by protobuf-net, which takes the contracts of DataContract for its own. DataContractSerializer itself takes such a mark on the field alone, or on a collection.</summary>
    public bool SetsFields { get; private set; }

    /// <summary>A class with the mark of one of <see cref="NumbersOfOthers"/> beside its own has its members stored that are numbered there.</summary>
    public bool NumbersByOthers { get; private set; }

    /// <summary>protobuf-net takes this mark on a class for its own, and stores what its attributes mark there.</summary>
    public bool HeedsProtobuf { get; private set; }

    /// <summary>Serializers that are not here take this mark on a class for their own, or ask for none, and store what they mark there (<see cref="MarksOfOthers"/>).</summary>
    public bool HeedsMarksOfOthers { get; private set; }

    /// <summary>What an interface marks counts for the member that implements it (<see cref="InterfaceMarks"/>).</summary>
    public bool HeedsInterfaces { get; private set; }

    /// <summary>A parameterless constructor may be non-public.</summary>
    public bool UsesHiddenConstructor { get; private set; }

    public bool AsksForEmptyConstructor { get; private set; }

    /// <summary>Makes objects of a class by a constructor without parameters, so that it has one.</summary>
    public bool AsksForEmptyConstructorOf(INamedTypeSymbol type) => AsksForEmptyConstructor && !IsToldToSkip(type);

    /// <summary>Makes objects without running a constructor.</summary>
    public bool SkipsConstructors { get; private set; }

    /// <summary>Makes objects of a class so.</summary>
    public bool SkipsConstructorsOf(INamedTypeSymbol type) => SkipsConstructors || (AsksForEmptyConstructor && IsToldToSkip(type));

    private bool IsToldToSkip(INamedTypeSymbol type) => MarkOn(type) is { } mark && AttributeReading.IsSet(mark, "SkipConstructor");

    /// <summary>The mark that a type has, itself or by a base.</summary>
    public AttributeData? MarkOf(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = IsMarkInherited || IsOnlySerializable(level) ? level.BaseType : null)
        {
            if (MarkOn(level) is { } found) return found;
        }

        return null;
    }

    /// <summary>The mark on a type itself.</summary>
    public AttributeData? MarkOn(INamedTypeSymbol type) => TypeMark is { } mark ? Find(type, mark) : null;

    /// <summary>A class has [Serializable] in place of the mark.</summary>
    public bool IsOnlySerializable(INamedTypeSymbol level) => TakesSerializable && level.IsSerializable && MarkOn(level) is null;

    /// <summary>The type is a model of it.</summary>
    public bool Has(INamedTypeSymbol type) => TypeMark is null ? IsUsedIn(type) : MarkOf(type) is not null;

    public AttributeData? Find(ISymbol symbol, string name) => On(symbol, name).FirstOrDefault();

    public IEnumerable<AttributeData> On(ISymbol symbol, string name) => AttributeReading.On(symbol, name, _namespace);

    private bool IsUsedIn(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = level.BaseType)
        {
            if (level.GetMembers().Any(member => member.GetAttributes().Any(attribute => AttributeReading.IsIn(attribute.AttributeClass, _namespace)))) return true;
        }

        return false;
    }
}
