// Types that carry the attributes of another serializer and are registered without being touched: which members that serializer stores, in which
// order, under which number, and how it makes the object. Known by name; no such package is referenced. docs/types.md, "Models of other serializers".

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

/// <summary>The contract of one type, in the words of one other serializer.</summary>
internal sealed class ForeignContract
{
    // The first that a type carries counts: its attributes alone are read, so that two contracts on one type are never mixed.
    private static readonly ForeignContract[] All =
    [
        new("MemoryPack") { SetsShown = true, TypeMark = "MemoryPackableAttribute", ReferencesOption = "CircularReference", HandWritten = "NoGenerate", Ignore = "MemoryPackIgnoreAttribute", Include = "MemoryPackIncludeAttribute", Order = "MemoryPackOrderAttribute", NumberedForms = ["VersionTolerant", "CircularReference"], Constructor = "MemoryPackConstructorAttribute" },
        new("MessagePack") { TypeMark = "MessagePackObjectAttribute", IsMarkInherited = true, PrivateOption = "AllowPrivate", Ignore = "IgnoreMemberAttribute", Include = "KeyAttribute", Key = "KeyAttribute", FirstKey = 0, Naming = "KeyAttribute", PassesByKey = true, HeedsRuntimeIgnore = true, Constructor = "SerializationConstructorAttribute" },
        new("ProtoBuf") { TypeMark = "ProtoContractAttribute", ReferencesOption = "AsReferenceDefault", MemberReferencesOption = "AsReference", Ignore = "ProtoIgnoreAttribute", Include = "ProtoMemberAttribute", Key = "ProtoMemberAttribute", FirstKey = 1, TypeIgnore = "ProtoPartialIgnoreAttribute", TypeInclude = "ProtoPartialMemberAttribute", CountsByClass = true, StoresOnlyIncluded = true, NumbersByOthers = true, AsksForPresence = true, SetsFields = true, UsesHiddenConstructor = true, AsksForEmptyConstructor = true, HeedsInterfaces = true },
        new("Serialization", "Runtime", "System") { TypeMark = "DataContractAttribute", ReferencesOption = "IsReference", Ignore = "IgnoreDataMemberAttribute", Include = "DataMemberAttribute", NamedOrder = "DataMemberAttribute", Naming = "DataMemberAttribute", StoresOnlyIncluded = true, TakesSerializable = true, UsesHiddenConstructor = true, HeedsProtobuf = true },
        new("Serialization", "Json", "Text", "System") { Ignore = "JsonIgnoreAttribute", Include = "JsonIncludeAttribute", Order = "JsonPropertyOrderAttribute", Naming = "JsonPropertyNameAttribute", Constructor = "JsonConstructorAttribute" },
    ];

    /// <summary>That of System.Text.Json.</summary>
    public static ForeignContract Json => All[All.Length - 1];

    private static readonly ForeignContract s_ofAllMembers = Array.Find(All, static contract => contract.PrivateOption is not null).OfAllMembers();

    private static readonly ForeignContract s_protobuf = Array.Find(All, static contract => contract.NumbersByOthers);

    // ImplicitFields of protobuf-net.
    private const int AllPublic = 1;
    private const int AllFields = 2;

    // Innermost first.
    private readonly string[] _namespace;

    private ForeignContract(params string[] space) => _namespace = space;

    /// <summary>The namespace of its attributes.</summary>
    public string Space => Joined(_namespace);

    /// <summary>The attribute by which a type is known; null: any attribute of that serializer on a member or constructor.</summary>
    private string? TypeMark { get; set; }

    /// <summary>A class derived from one with the mark has it too.</summary>
    private bool IsMarkInherited { get; set; }

    /// <summary>Each class of a hierarchy has a contract of its own: the mark, or [Serializable], of which what is public is stored here.</summary>
    private bool TakesSerializable { get; set; }

    /// <summary>The attribute of members that are not stored.</summary>
    public string Ignore { get; private set; } = "";

    /// <summary>The attribute of members that are stored.</summary>
    public string Include { get; private set; } = "";

    /// <summary><see cref="Include"/> as source has it.</summary>
    public string IncludeMark => $"[{Short(Include)}]";

    /// <summary><see cref="Ignore"/> as source has it.</summary>
    public string IgnoreMark => $"[{Short(Ignore)}]";

    /// <summary>The attribute on a member, or that which names it on its class, by which it is stored, as source has it; null where there is none.</summary>
    public string? MarkOf(ISymbol member) =>
        FindInherited(member, Include, TypeInclude) is { AttributeClass.Name: { } mark } ? $"[{Short(mark)}]" : NumberOfOthers(member) is not null ? NumbersOfOthers.MarkOf(member)
        : IsOfProtobuf(member) ? s_protobuf.MarkOf(member) : null;

    /// <summary>The attribute on a member without which it would not be stored, as source has it; null where there is none.</summary>
    public string? MarkThatStores(ISymbol member) => StoresOnlyIncluded && FindInherited(member, Include) is not null ? IncludeMark : null;

    /// <summary>On a type, names one of its members as <see cref="Ignore"/> on that member does.</summary>
    private string? TypeIgnore { get; set; }

    /// <summary>On a type, names one of its members as <see cref="Include"/> on that member does, with the number in front of the name.</summary>
    private string? TypeInclude { get; set; }

    /// <summary>An option of <see cref="TypeMark"/>, or a value of its enum, that asks for references to be kept.</summary>
    private string? ReferencesOption { get; set; }

    /// <summary>An option of <see cref="Include"/> that asks for references to the member's objects to be kept.</summary>
    private string? MemberReferencesOption { get; set; }

    private string? Order { get; set; }

    private string? NamedOrder { get; set; }

    /// <summary>The values of <see cref="TypeMark"/>'s enum with which the numbers of <see cref="Order"/> are what the other serializer knows members by.</summary>
    private string[] NumberedForms { get; set; } = [];

    /// <summary>The attribute that gives a member a name, as its argument or as <c>Name</c>.</summary>
    private string? Naming { get; set; }

    private string? Key { get; set; }

    /// <summary>The least number of a member; ids start at 1.</summary>
    private int FirstKey { get; set; }

    /// <summary>Each class of a hierarchy has numbers of its own.</summary>
    private bool CountsByClass { get; set; }

    private string? Constructor { get; set; }

    /// <summary>Where members have numbers, a constructor's first parameter takes the member with the first number, the next one that with the next, however they are called.</summary>
    public bool PassesByKey { get; private set; }

    /// <summary>The value of <see cref="TypeMark"/>'s enum with which a type is written by its own code.</summary>
    private string? HandWritten { get; set; }

    /// <summary>A member without the including attribute is not stored.</summary>
    private bool StoresOnlyIncluded { get; set; }

    /// <summary>An option of <see cref="TypeMark"/> by which private members are stored, too: those without <see cref="Include"/> as well where the mark's argument says that no member needs it.</summary>
    private string? PrivateOption { get; set; }

    /// <summary>So is it here.</summary>
    private bool StoresPrivate { get; set; }

    /// <summary>Public properties are set by whatever setter they have, without a mark.</summary>
    private bool SetsShown { get; set; }

    /// <summary>A method or property of the model may say that a member is not given.</summary>
    public bool AsksForPresence { get; private set; }

    /// <summary>[IgnoreDataMember] leaves a member out too.</summary>
    private bool HeedsRuntimeIgnore { get; set; }

    /// <summary>Auto-properties without a setter are set by their fields.</summary>
    public bool SetsFields { get; private set; }

    /// <summary>A class with the mark of one of <see cref="NumbersOfOthers"/> beside its own has its members stored that are numbered there.</summary>
    private bool NumbersByOthers { get; set; }

    /// <summary>protobuf-net takes this mark on a class for its own, and stores what its attributes mark there.</summary>
    private bool HeedsProtobuf { get; set; }

    /// <summary>What an interface marks counts for the member that implements it (<see cref="InterfaceMarks"/>).</summary>
    private bool HeedsInterfaces { get; set; }

    /// <summary>A parameterless constructor may be non-public.</summary>
    private bool UsesHiddenConstructor { get; set; }

    private bool AsksForEmptyConstructor { get; set; }

    /// <summary>The other serializer makes objects of the class by a constructor without parameters, so it has one.</summary>
    public bool AsksForEmptyConstructorOf(INamedTypeSymbol type) => AsksForEmptyConstructor && !(Find(type, TypeMark!) is { } mark && IsSet(mark, "SkipConstructor"));

    /// <summary>The other serializer writes an object of the class once, and what refers to it again as that object. Its word counts for what is derived from the class.</summary>
    public static bool KeepsReferences(INamedTypeSymbol type)
    {
        if (NinoAttributes.IsNinoType(type)) return false;
        foreach (ForeignContract contract in All)
        {
            // Not inherited: a base is asked itself.
            if (contract.TypeMark is null || contract.Find(type, contract.TypeMark) is not { } mark) continue;
            return contract.ReferencesOption is { } option && (IsSet(mark, option) || Takes(mark, option));
        }

        return false;
    }

    /// <summary>As <see cref="KeepsReferences(INamedTypeSymbol)"/>, of the objects that one member leads to: said on the member.</summary>
    public static bool KeepsReferencesTo(ISymbol member) =>
        Of(member.ContainingType) is { } own && (own.HeedsProtobuf ? s_protobuf : own) is { MemberReferencesOption: { } option } contract
        && contract.FindInherited(member, contract.Include, contract.TypeInclude) is { } mark && IsSet(mark, option);

    /// <summary>The type has the mark of another serializer, whether that counts or not.</summary>
    public static bool Marks(INamedTypeSymbol type) => All.Any(contract => contract.TypeMark is { } mark && contract.MarkOf(type, mark) is not null);

    /// <summary>The contract of a type without [NinoType], or null.</summary>
    public static ForeignContract? Of(INamedTypeSymbol type)
    {
        if (NinoAttributes.IsNinoType(type)) return null;
        foreach (ForeignContract contract in All)
        {
            if (contract.TypeMark is not { } mark ? contract.IsUsedIn(type) : contract.MarkOf(type, mark) is not null) return contract.AsksForAllMembers(type) ? s_ofAllMembers : contract;
        }

        return null;
    }

    /// <summary>The member is not stored, although it is public.</summary>
    public bool LeavesOut(ISymbol member, INamedTypeSymbol type) =>
        FindInherited(member, Ignore, TypeIgnore) is { } ignore ? !IsConditional(ignore)
        : (HeedsRuntimeIgnore && PlainModels.IsIgnored(member)) || (StoresOnlyIncluded && !Includes(member) && !IsImplicit(member, type) && !IsOfSerializable(member));

    /// <summary>The member is stored, although it may not be public.</summary>
    public bool Includes(ISymbol member) => FindInherited(member, Include, TypeInclude) is not null || NumberOfOthers(member) is not null || IsOfProtobuf(member) || (SetsShown && IsShown(member)) || (StoresPrivate && IsPrivateState(member))
        || (ImplicitFields(member.ContainingType) == AllFields && IsField(member) && member is not IPropertySymbol { SetMethod: null, DeclaredAccessibility: Accessibility.Public });

    /// <summary>The identity that the other serializer gives a member of a type by number, or 0.</summary>
    public int Id(ISymbol member, INamedTypeSymbol type) =>
        Key is not null && FindInherited(member, Key, TypeInclude) is { } mark ? mark.ConstructorArguments.FirstOrDefault().Value is int key ? IdOf(key) : 0
        : NumberOfOthers(member) ?? (OrderOf(member) is { } order && NumberedForms.Length > 0 && Find(type, TypeMark!) is { } form && NumberedForms.Any(name => Takes(form, name)) ? IdOf(order) : 0);

    private int IdOf(int number) => number >= FirstKey && number < int.MaxValue ? number - FirstKey + 1 : 0;

    /// <summary>The name by which the other serializer knows a member where that has no number, or null: its own. Also null for what is no name in a schema.</summary>
    public string? NameOf(ISymbol member)
    {
        if (Naming is null || FindInherited(member, Naming) is not { } mark) return null;
        object? value = mark.ConstructorArguments.IsEmpty ? Option(mark, "Name") : mark.ConstructorArguments[0].Value;
        return value is string name && NinoAttributes.WhyNoSchemaName(name) is null ? name : null;
    }

    /// <summary>Takes numbers for places, where classes of a hierarchy give the same ones: those of the base first. They are no identity then.</summary>
    public void OrderByClass(List<ParsedMember> members)
    {
        List<ParsedMember> numbered = [.. members.Where(member => member.Id > 0 && NinoAttributes.MemberId(member.Symbol) is null)];
        // Where none is given twice they are: records that have them are read by them.
        if (!CountsByClass || numbered.Select(static member => member.Id).Distinct().Count() == numbered.Count) return;
        int place = 0;
        foreach (ParsedMember member in numbered.GroupBy<ParsedMember, ISymbol>(static member => member.Symbol.ContainingType, SymbolEqualityComparer.Default).SelectMany(static level => level.OrderBy(static member => member.Id)).ToList())
        {
            member.Order = place++;
            member.Id = 0;
        }
    }

    /// <summary>Where the other serializer puts a member, or null.</summary>
    public int? OrderOf(ISymbol member) =>
        Order is not null ? FindInherited(member, Order)?.ConstructorArguments.FirstOrDefault().Value as int?
        : NamedOrder is not null ? FindInherited(member, NamedOrder) is { } named ? Option(named, "Order") as int? : null
        : null;

    /// <summary>The constructors that the other serializer would use, if it says so.</summary>
    public IEnumerable<IMethodSymbol> Constructors(INamedTypeSymbol type) =>
        Constructor is null ? [] : type.InstanceConstructors.Where(constructor => Find(constructor, Constructor) is not null);

    /// <summary>The constructor without parameters that the other serializer calls whatever access it has, where it is seen.</summary>
    public IMethodSymbol? HiddenConstructor(INamedTypeSymbol type) => UsesHiddenConstructor ? type.InstanceConstructors.FirstOrDefault(static constructor => constructor.Parameters.IsEmpty) : null;

    /// <summary>The option by which the other serializer converts the type to another one, or leaves it to code, or null.</summary>
    public string? Surrogate(INamedTypeSymbol type) =>
        TypeMark is not null && Find(type, TypeMark)?.NamedArguments.Select(static argument => argument is { Key: "Surrogate" or "Serializer", Value.IsNull: false } ? argument.Key : null).FirstOrDefault(static option => option is not null) is { } option
            ? $"[{Short(TypeMark)}({option} = ...)]" : null;

    /// <summary>What says that the other serializer makes no code for the type, which writes itself, or null.</summary>
    public string? WritesItself(INamedTypeSymbol type) =>
        HandWritten is not null && Find(type, TypeMark!) is { } mark && Takes(mark, HandWritten) ? $"[{Short(TypeMark!)}({HandWritten})]" : null;

    /// <summary>That a model of another assembly shows nothing is no sign of state that is lost: it has a mark of its own, what that stores of private members is looked for when the program runs, and all that is shown is left out by it.</summary>
    public bool MayBeEmpty(INamedTypeSymbol type) =>
        TypeMark is not null && UnaskedCode.WriterOf(type) is null
        // Such members have no mark that could be looked for.
        && Derivations.BasesOf(type).Where(static level => level.TypeKind == TypeKind.Class).All(level => ImplicitFields(level) != AllFields && level.GetMembers().All(member => !IsState(member) || FindInherited(member, Ignore, TypeIgnore) is not null));

    /// <summary>What is shown of a type may hold something.</summary>
    public static bool IsState(ISymbol member) =>
        member is IFieldSymbol { IsStatic: false, IsConst: false } or IPropertySymbol { IsStatic: false, IsIndexer: false, SetMethod: not null } || (member is IPropertySymbol { IsStatic: false, IsIndexer: false } property && MemberParser.IsAutoProperty(property)
            // The compiler writes it for every record.
            && property is not { Name: "EqualityContract", ContainingType.IsRecord: true });

    /// <summary>A public auto-property that is not left out. One of another assembly may have a setter that is not seen.</summary>
    private bool IsShown(ISymbol member) =>
        member is IPropertySymbol { IsStatic: false, IsIndexer: false, GetMethod.DeclaredAccessibility: Accessibility.Public } property && (property.SetMethod is not null || (property.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty && CompiledMembers.HasSetter(property) != false))
        && MemberParser.IsAutoProperty(property) && FindInherited(member, Ignore) is null;

    /// <summary>A field that is not public, or a property one of whose accessors is not and that can be set or has a field of its own; not what is left out.</summary>
    private bool IsPrivateState(ISymbol member) =>
        member is { IsStatic: false, IsImplicitlyDeclared: false, CanBeReferencedByName: true }
        && (member is IFieldSymbol { AssociatedSymbol: null, IsConst: false, DeclaredAccessibility: not Accessibility.Public }
            || (member is IPropertySymbol { IsIndexer: false, GetMethod: { } getter } property && (property.SetMethod is { } setter
                ? getter.DeclaredAccessibility != Accessibility.Public || setter.DeclaredAccessibility != Accessibility.Public
                : getter.DeclaredAccessibility != Accessibility.Public && MemberParser.IsAutoProperty(property))))
        && FindInherited(member, Ignore) is null && !(HeedsRuntimeIgnore && PlainModels.IsIgnored(member));

    /// <summary>[JsonIgnore(Condition = ...)] other than Always stores the member, in some cases.</summary>
    private static bool IsConditional(AttributeData ignore) =>
        Option(ignore, "Condition") is int condition && condition != 1;

    /// <summary>What says that all members of a class are stored, whatever their access, for the middle of a sentence; null where nothing does.</summary>
    public string? AllOf(INamedTypeSymbol level) =>
        ImplicitFields(level) == AllFields ? "fields (ImplicitFields.AllFields)"
        : StoresPrivate ? $"members ([{Short(TypeMark!)}(true, {PrivateOption} = true)])"
        : null;

    /// <summary>The members that a class names as stored by an attribute of its own.</summary>
    public IEnumerable<string> NamedBy(INamedTypeSymbol level) => NamedBy(level, TypeInclude).Except(NamedBy(level, TypeIgnore));

    /// <summary><see cref="TypeInclude"/> as source has it.</summary>
    public string NamingMark => $"[{Short(TypeInclude!)}]";

    /// <summary>What says that a collection is stored as its members, for the middle of a sentence; null where its elements are all.</summary>
    public string? StoresMembersOf(INamedTypeSymbol collection) =>
        TypeMark is null || (TakesSerializable ? Find(collection, TypeMark) : MarkOf(collection, TypeMark)) is not { } mark ? null
        : Space == "ProtoBuf" ? IsSet(mark, "IgnoreListHandling") ? $"[{Short(TypeMark)}(IgnoreListHandling = true)]" : null
        : Takes(mark, "Collection") || WritesItself(collection) is not null ? null
        : $"[{Short(TypeMark)}]";

    /// <summary>Stored without [ProtoMember], by [ProtoContract(ImplicitFields = ...)] on the class that declares the member; where that has no contract, on the type.</summary>
    private bool IsImplicit(ISymbol member, INamedTypeSymbol type) => (ImplicitFields(member.ContainingType) ?? ImplicitFields(type)) switch
    {
        AllPublic => !IsDelegate(member),
        // Of another assembly the fields are not seen: what its properties show stands for them.
        AllFields => !IsDelegate(member) && (IsField(member) || member.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty),
        _ => false,
    };

    /// <summary>Stored without [DataMember], by [Serializable] on the class that declares the member, or what it overrides.</summary>
    private bool IsOfSerializable(ISymbol member)
    {
        for (ISymbol? symbol = TakesSerializable ? member : null; symbol is not null; symbol = (symbol as IPropertySymbol)?.OverriddenProperty)
        {
            if (IsOnlySerializable(symbol.ContainingType)) return !PlainModels.IsNotSerialized(symbol);
        }

        return false;
    }

    private bool IsOnlySerializable(INamedTypeSymbol level) => TakesSerializable && level.IsSerializable && Find(level, TypeMark!) is null;

    /// <summary>What [ProtoContract(ImplicitFields = ...)] on a type says; null where it has no contract.</summary>
    private int? ImplicitFields(INamedTypeSymbol type) =>
        !StoresOnlyIncluded || TypeMark is null || Find(type, TypeMark) is not { } mark ? null
        : Option(mark, "ImplicitFields") is int fields ? fields : 0;

    /// <summary>A field, or a property that has one of its own.</summary>
    private static bool IsField(ISymbol member) => !IsDelegate(member) && member is IFieldSymbol or IPropertySymbol && (member is not IPropertySymbol property || MemberParser.IsAutoProperty(property));

    private static bool IsDelegate(ISymbol member) => member is IFieldSymbol { Type.TypeKind: TypeKind.Delegate } or IPropertySymbol { Type.TypeKind: TypeKind.Delegate };

    /// <summary>protobuf-net stores the member by an attribute of its own, on a class that has only this mark.</summary>
    private bool IsOfProtobuf(ISymbol member) =>
        HeedsProtobuf && s_protobuf.FindInherited(member, s_protobuf.Include, s_protobuf.TypeInclude) is not null && s_protobuf.FindInherited(member, s_protobuf.Ignore, s_protobuf.TypeIgnore) is null;

    /// <summary>The full names of the attributes of others that number members of a class, by which this serializer stores them too.</summary>
    public IEnumerable<string> NumberingOf(INamedTypeSymbol level) =>
        HeedsProtobuf ? [$"{s_protobuf.Space}.{s_protobuf.Include}"] : NumberingMarkOf(level) is { } mark ? NumbersOfOthers.AttributesOf(level, mark) : [];

    /// <summary>The least number that counts: -1, that of a member without one, where numbers are given by name.</summary>
    public int LeastNumberOf(INamedTypeSymbol level) => HeedsProtobuf ? -1 : NumberingMarkOf(level) is { } mark ? NumbersOfOthers.Least(mark) : 1;

    /// <summary>The number that an attribute of another of the class's serializers gives a member, by which this one stores it too; 0 where that gives it one by its name; null where there is none.</summary>
    private int? NumberOfOthers(ISymbol member)
    {
        for (ISymbol? symbol = member; symbol is not null; symbol = (symbol as IPropertySymbol)?.OverriddenProperty)
        {
            if (NumberingMarkOf(symbol.ContainingType) is { } mark && NumbersOfOthers.Of(symbol, mark) is { } number) return number;
        }

        return null;
    }

    private AttributeData? NumberingMarkOf(INamedTypeSymbol level) => NumbersByOthers ? Find(level, TypeMark!) : null;

    /// <summary>An option of an attribute is true.</summary>
    public static bool IsSet(AttributeData mark, string option) => Option(mark, option) is true;

    /// <summary>What an attribute says by name, or null.</summary>
    public static object? Option(AttributeData mark, string name) => mark.NamedArguments.FirstOrDefault(argument => argument.Key == name).Value.Value;

    /// <summary>A symbol carries an attribute of this name, of a namespace whose names are given innermost first.</summary>
    public static bool Has(ISymbol symbol, string name, string[] space) => symbol.GetAttributes().Any(attribute => attribute.AttributeClass?.Name == name && IsIn(attribute.AttributeClass, space));

    private AttributeData? MarkOf(INamedTypeSymbol type, string mark)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = IsMarkInherited || IsOnlySerializable(level) ? level.BaseType : null)
        {
            if (Find(level, mark) is { } found) return found;
        }

        return null;
    }

    private bool AsksForAllMembers(INamedTypeSymbol type) =>
        PrivateOption is not null && MarkOf(type, TypeMark!) is { } mark && mark.ConstructorArguments.FirstOrDefault().Value is true && IsSet(mark, PrivateOption);

    private ForeignContract OfAllMembers()
    {
        var contract = (ForeignContract)MemberwiseClone();
        contract.StoresPrivate = contract.SetsShown = true;
        return contract;
    }

    private bool IsUsedIn(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = level.BaseType)
        {
            if (level.GetMembers().Any(member => member.GetAttributes().Any(attribute => IsOurs(attribute.AttributeClass)))) return true;
        }

        return false;
    }

    /// <summary>An override without the attribute takes it from the member it overrides.</summary>
    /// <param name="member">The member.</param>
    /// <param name="name">The attribute on a member.</param>
    /// <param name="onType">The attribute on the class that declares a member, which names it; null: there is none.</param>
    private AttributeData? FindInherited(ISymbol member, string name, string? onType = null)
    {
        for (ISymbol? symbol = member; symbol is not null; symbol = (symbol as IPropertySymbol)?.OverriddenProperty)
        {
            if (Find(symbol, name) is { } attribute) return attribute;
            if (HeedsInterfaces && InterfaceMarks.ImplementedBy(symbol).Select(declared => Find(declared, name)).FirstOrDefault(static mark => mark is not null) is { } declared) return declared;
            if (onType is not null && On(symbol.ContainingType, onType).FirstOrDefault(one => NamedBy(one) == symbol.Name) is { } naming) return naming;
        }

        return null;
    }

    /// <summary>The members that attributes on a type name.</summary>
    private IEnumerable<string> NamedBy(INamedTypeSymbol type, string? attribute) => attribute is null ? [] : On(type, attribute).Select(NamedBy).OfType<string>();

    private static string? NamedBy(AttributeData attribute) => attribute.ConstructorArguments.LastOrDefault() is { Kind: TypedConstantKind.Primitive, Value: string name } ? name : null;

    private AttributeData? Find(ISymbol symbol, string name) => On(symbol, name).FirstOrDefault();

    private IEnumerable<AttributeData> On(ISymbol symbol, string name) => symbol.GetAttributes().Where(attribute => attribute.AttributeClass?.Name == name && IsOurs(attribute.AttributeClass));

    /// <summary>The name of a namespace.</summary>
    /// <param name="space">Its names, innermost first.</param>
    public static string Joined(IEnumerable<string> space) => string.Join(".", space.Reverse());

    /// <summary>An argument is the value of an enum that has this name.</summary>
    private static bool Takes(AttributeData mark, string value) =>
        mark.ConstructorArguments.Any(argument => argument is { Kind: TypedConstantKind.Enum, Type: { } kind } && kind.GetMembers(value).OfType<IFieldSymbol>().Any(field => Equals(field.ConstantValue, argument.Value)));

    private static string Short(string attribute) => attribute.Substring(0, attribute.Length - "Attribute".Length);

    private bool IsOurs(INamedTypeSymbol? attribute) => IsIn(attribute, _namespace);

    /// <summary>The type is in a namespace.</summary>
    /// <param name="type">The type.</param>
    /// <param name="names">The names of the namespace, innermost first.</param>
    public static bool IsIn(INamedTypeSymbol? type, IEnumerable<string> names)
    {
        INamespaceSymbol? space = type?.ContainingNamespace;
        foreach (string name in names)
        {
            if (space is null || space.Name != name) return false;
            space = space.ContainingNamespace;
        }

        return space is { IsGlobalNamespace: true };
    }
}
