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
        new("MemoryPack") { TypeMark = "MemoryPackableAttribute", Ignore = "MemoryPackIgnoreAttribute", Include = "MemoryPackIncludeAttribute", Order = "MemoryPackOrderAttribute", Constructor = "MemoryPackConstructorAttribute" },
        new("MessagePack") { TypeMark = "MessagePackObjectAttribute", Ignore = "IgnoreMemberAttribute", Include = "KeyAttribute", Key = "KeyAttribute", FirstKey = 0, Constructor = "SerializationConstructorAttribute" },
        new("ProtoBuf") { TypeMark = "ProtoContractAttribute", Ignore = "ProtoIgnoreAttribute", Include = "ProtoMemberAttribute", Key = "ProtoMemberAttribute", FirstKey = 1, CountsByClass = true, StoresOnlyIncluded = true, UsesHiddenConstructor = true },
        new("Serialization", "Runtime", "System") { TypeMark = "DataContractAttribute", Ignore = "IgnoreDataMemberAttribute", Include = "DataMemberAttribute", NamedOrder = "DataMemberAttribute", StoresOnlyIncluded = true, UsesHiddenConstructor = true },
        new("Serialization", "Json", "Text", "System") { Ignore = "JsonIgnoreAttribute", Include = "JsonIncludeAttribute", Order = "JsonPropertyOrderAttribute", Constructor = "JsonConstructorAttribute" },
    ];

    // Innermost first.
    private readonly string[] _namespace;

    private ForeignContract(params string[] space) => _namespace = space;

    /// <summary>The namespace of its attributes.</summary>
    public string Space => string.Join(".", ((IEnumerable<string>)_namespace).Reverse());

    /// <summary>The attribute by which a type is known; null: any attribute of that serializer on a member or constructor.</summary>
    private string? TypeMark { get; set; }

    private string Ignore { get; set; } = "";

    private string Include { get; set; } = "";

    private string? Order { get; set; }

    private string? NamedOrder { get; set; }

    private string? Key { get; set; }

    /// <summary>The least number of a member; ids start at 1.</summary>
    private int FirstKey { get; set; }

    /// <summary>Each class of a hierarchy has numbers of its own.</summary>
    private bool CountsByClass { get; set; }

    private string? Constructor { get; set; }

    /// <summary>A member without the including attribute is not stored.</summary>
    private bool StoresOnlyIncluded { get; set; }

    /// <summary>A parameterless constructor may be non-public.</summary>
    private bool UsesHiddenConstructor { get; set; }

    /// <summary>The contract of a type without [NinoType], or null.</summary>
    public static ForeignContract? Of(INamedTypeSymbol type)
    {
        if (NinoAttributes.IsNinoType(type)) return null;
        foreach (ForeignContract contract in All)
        {
            if (contract.TypeMark is { } mark ? contract.Find(type, mark) is not null : contract.IsUsedIn(type)) return contract;
        }

        return null;
    }

    /// <summary>The member is not stored, although it is public.</summary>
    public bool LeavesOut(ISymbol member, INamedTypeSymbol type) =>
        FindInherited(member, Ignore) is { } ignore ? !IsConditional(ignore)
        : StoresOnlyIncluded && !Includes(member) && !HasImplicitFields(type);

    /// <summary>The member is stored, although it may not be public.</summary>
    public bool Includes(ISymbol member) => FindInherited(member, Include) is not null;

    /// <summary>The identity that the other serializer gives a member by number, or 0.</summary>
    public int Id(ISymbol member) =>
        Key is not null && FindInherited(member, Key)?.ConstructorArguments.FirstOrDefault().Value is int key && key >= FirstKey && key < int.MaxValue ? key - FirstKey + 1 : 0;

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
        : NamedOrder is not null ? FindInherited(member, NamedOrder)?.NamedArguments.FirstOrDefault(static argument => argument.Key == "Order").Value.Value as int?
        : null;

    /// <summary>The constructors that the other serializer would use, if it says so.</summary>
    public IEnumerable<IMethodSymbol> Constructors(INamedTypeSymbol type)
    {
        if (Constructor is not null) return type.InstanceConstructors.Where(constructor => Find(constructor, Constructor) is not null);
        bool hasOpen = type.InstanceConstructors.Any(static constructor => constructor.DeclaredAccessibility == Accessibility.Public);
        return UsesHiddenConstructor && !hasOpen ? type.InstanceConstructors.Where(static constructor => constructor.Parameters.IsEmpty) : [];
    }

    /// <summary>[JsonIgnore(Condition = ...)] other than Always stores the member, in some cases.</summary>
    private static bool IsConditional(AttributeData ignore) =>
        ignore.NamedArguments.FirstOrDefault(static argument => argument.Key == "Condition").Value.Value is int condition && condition != 1;

    /// <summary>[ProtoContract(ImplicitFields = ...)] stores members without [ProtoMember].</summary>
    private bool HasImplicitFields(INamedTypeSymbol type) =>
        TypeMark is not null && Find(type, TypeMark)?.NamedArguments.FirstOrDefault(static argument => argument.Key == "ImplicitFields").Value.Value is int fields && fields != 0;

    private bool IsUsedIn(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = level.BaseType)
        {
            if (level.GetMembers().Any(member => member.GetAttributes().Any(attribute => IsOurs(attribute.AttributeClass)))) return true;
        }

        return false;
    }

    /// <summary>An override without the attribute takes it from the member it overrides.</summary>
    private AttributeData? FindInherited(ISymbol member, string name)
    {
        for (ISymbol? symbol = member; symbol is not null; symbol = (symbol as IPropertySymbol)?.OverriddenProperty)
        {
            if (Find(symbol, name) is { } attribute) return attribute;
        }

        return null;
    }

    private AttributeData? Find(ISymbol symbol, string name) =>
        symbol.GetAttributes().FirstOrDefault(attribute => attribute.AttributeClass?.Name == name && IsOurs(attribute.AttributeClass));

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
