// Types that carry the attributes of another serializer and are registered without being touched: which members that serializer stores, in which
// order, under which number, and how it makes the object. docs/models-of-others.md.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

/// <summary>The contract of one type, in the words of one other serializer.</summary>
internal sealed partial class ForeignContract
{
    // ImplicitFields of protobuf-net.
    private const int AllPublic = 1;
    private const int AllFields = 2;

    private readonly ForeignSerializer _words;
    private readonly INamedTypeSymbol _type;

    // What protobuf-net reads on a type that has only the mark of another serializer.
    private readonly ForeignContract? _protobuf;

    // All private members are stored, too.
    private readonly bool _storesPrivate;

    private ForeignContract(ForeignSerializer words, INamedTypeSymbol type)
    {
        _words = words;
        _type = type;
        _protobuf = words.HeedsProtobuf ? new ForeignContract(ForeignSerializer.Protobuf, type) : null;
        Beside = new MarksBeside(words, type, _protobuf);
        _storesPrivate = words.PrivateOption is { } option && words.MarkOf(type) is { } mark && mark.ConstructorArguments.FirstOrDefault().Value is true && AttributeReading.IsSet(mark, option);
    }

    /// <summary>The contract of a type without [NinoType], or null.</summary>
    public static ForeignContract? Of(INamedTypeSymbol type) =>
        !NinoAttributes.IsNinoType(type) && Array.Find(ForeignSerializer.All, one => one.Has(type)) is { } words ? new ForeignContract(words, type) : null;

    /// <summary>As <see cref="Of"/>; where no mark is seen that of System.Text.Json, which needs none on the type.</summary>
    public static ForeignContract OfHidden(INamedTypeSymbol type) => Of(type) ?? new ForeignContract(ForeignSerializer.Json, type);

    /// <summary>
    /// The contract of a base of a type, or null: what the base declares and its own contract stores is stored of the type too, whatever contract that has. protobuf-net takes that of another serializer for its own; the
    /// derived type that [ProtoInclude] names may have none; options of a mark are said of one class. System.Text.Json has no mark on a class, and looks at the type alone.
    /// </summary>
    private static ForeignContract? OfBase(INamedTypeSymbol level, INamedTypeSymbol type) => SymbolEqualityComparer.Default.Equals(level, type) || NinoAttributes.IsNinoType(type) || Of(level) is not { IsJson: false } own ? null : own;

    /// <summary>The declarations of a member that are in bases of a type which have contracts of their own, each with that.</summary>
    public static IEnumerable<(ISymbol Declared, ForeignContract Contract)> OfBases(ISymbol member, INamedTypeSymbol type) =>
        from declared in Declarations.Of(member)
        let contract = OfBase(declared.ContainingType, type)
        where contract is not null
        select (declared, contract);

    /// <summary>The contracts that say what is stored of one class or struct of a type, that of the type first; where that has none, that of System.Text.Json (<see cref="OfHidden"/>).</summary>
    public static IEnumerable<ForeignContract> OfLevel(INamedTypeSymbol level, INamedTypeSymbol type) =>
        OfBase(level, type) is { } own ? [OfHidden(type), own] : [OfHidden(type)];

    /// <summary>Attributes of another serializer say something about the type or its members. With [NinoType] they are not read, so it is to be registered.</summary>
    public static bool IsModel(INamedTypeSymbol type) => Of(type) is not null || ForeignCases.NamedBy(type).Any() || MarksOfOthers.AreNeededBy(type);

    /// <summary>The type has the mark of another serializer, whether that counts or not.</summary>
    public static bool Marks(INamedTypeSymbol type) => ForeignSerializer.All.Any(one => one.MarkOf(type) is not null);

    /// <summary>The other serializer writes an object of the class once, and what refers to it again as that object. Its word counts for what is derived from the class.</summary>
    public static bool KeepsReferences(INamedTypeSymbol type)
    {
        if (NinoAttributes.IsNinoType(type)) return false;
        foreach (ForeignSerializer one in ForeignSerializer.All)
        {
            // Not inherited: a base is asked itself.
            if (one.MarkOn(type) is not { } mark) continue;
            if (one.ReferencesOption is { } option && (AttributeReading.IsSet(mark, option) || AttributeReading.Takes(mark, option))) return true;
            if (!one.HeedsMarksOfOthers) return false;
        }

        return MarksOfOthers.KeepReferences(type);
    }

    /// <summary>As <see cref="KeepsReferences(INamedTypeSymbol)"/>, of the objects that one member of a type, or of a base of it, leads to: said on the member.</summary>
    public static bool KeepsReferencesTo(ISymbol member, INamedTypeSymbol type) =>
        !NinoAttributes.IsNinoType(type) && !NinoAttributes.IsNinoType(member.ContainingType) && (Of(member.ContainingType) ?? Of(type)) is var own
        && (((own?._protobuf ?? own) is { _words.MemberReferencesOption: { } option } contract && contract.Inclusion(member) is { } mark && AttributeReading.IsSet(mark, option))
            || (own is null or { IsJson: true } or { _words.HeedsMarksOfOthers: true } && MarksOfOthers.KeepReferencesTo(member)));

    /// <summary>The namespace of the serializer's attributes.</summary>
    public string Space => _words.Space;

    /// <summary>The attributes of members that are stored, and of those that are not.</summary>
    public string Include => _words.Include;

    public string Ignore => _words.Ignore;

    /// <summary>What is marked to be stored is left out where it is marked not to be, too.</summary>
    public bool LeavesOutMarked => _words.Ignoring != IgnoreRule.Unmarked;

    /// <summary><see cref="Include"/> as source has it.</summary>
    public string IncludeMark => AttributeReading.Mark(Include);

    /// <summary><see cref="Ignore"/> as source has it.</summary>
    public string IgnoreMark => AttributeReading.Mark(Ignore);

    /// <summary>It is that of System.Text.Json.</summary>
    public bool IsJson => _words == ForeignSerializer.Json;

    /// <summary>Where members have numbers, a constructor's first parameter takes the member with the first number, the next one that with the next, however they are called.</summary>
    public bool PassesByKey => _words.PassesByKey;

    /// <summary>A method or property of the model may say that a member is not given.</summary>
    public bool AsksForPresence => _words.AsksForPresence;

    /// <summary>What the other serializer stores whole, for the middle of a sentence: all of the memory of the struct; null where it goes by members.</summary>
    public string? CopiesMemory => _words.CopiesStructs && _type.IsUnmanagedType ? $"{_words.Space} stores all of the memory of such a struct" : null;

    /// <summary>It stores the memory of a struct without references as it is, whatever that carries.</summary>
    public bool CopiesStructs => _words.CopiesStructs;

    /// <summary>An auto-property without a setter, or a readonly field, is set by the field.</summary>
    public bool SetsField(ISymbol member) =>
        _words.SetsFields || CopiesMemory is not null || TakesFieldsOf(member.ContainingType);

    /// <summary>The other serializer makes objects by a constructor without parameters, so there is one.</summary>
    public bool AsksForEmptyConstructor => _words.AsksForEmptyConstructorOf(_type);

    /// <summary>The other serializer makes objects of the class without running a constructor.</summary>
    public bool SkipsConstructors => _type is { TypeKind: TypeKind.Class, IsAbstract: false } && _words.SkipsConstructorsOf(_type);

    /// <summary>The constructors that the other serializer would use, if it says so.</summary>
    public IEnumerable<IMethodSymbol> Constructors =>
        _words.Constructor is { } constructor ? _type.InstanceConstructors.Where(one => _words.Find(one, constructor) is not null) : [];

    /// <summary>As <see cref="Constructors"/>, by the marks of serializers that are not here, where those count: also on a type without a contract.</summary>
    public static IEnumerable<IMethodSymbol> ConstructorsOfOthers(INamedTypeSymbol type, ForeignContract? contract) =>
        !NinoAttributes.IsNinoType(type) && contract is null or { IsJson: true } or { _words.HeedsMarksOfOthers: true } ? MarksOfOthers.ConstructorsOf(type) : [];

    /// <summary>The constructor without parameters that the other serializer calls whatever access it has, where it is seen.</summary>
    public IMethodSymbol? HiddenConstructor => _words.UsesHiddenConstructor ? _type.InstanceConstructors.FirstOrDefault(static constructor => constructor.Parameters.IsEmpty) : null;

    /// <summary>The option by which the other serializer converts the type to another one, or leaves it to code, or null.</summary>
    public string? Surrogate =>
        _words.MarkOn(_type)?.NamedArguments.Select(static argument => argument is { Key: "Surrogate" or "Serializer", Value.IsNull: false } ? argument.Key : null).FirstOrDefault(static option => option is not null) is { } option
            ? $"[{AttributeReading.Short(_words.TypeMark!)}({option} = ...)]" : null;

    /// <summary>What says that the other serializer makes no code for the type, which writes itself, or null.</summary>
    public string? WritesItself =>
        _words.HandWritten is { } option && _words.MarkOn(_type) is { } mark && AttributeReading.Takes(mark, option) ? $"[{AttributeReading.Short(_words.TypeMark!)}({option})]" : null;

    /// <summary>What says that a collection is stored as its members, for the middle of a sentence; null where its elements are all.</summary>
    public string? StoresMembers =>
        (_words.TakesSerializable ? _words.MarkOn(_type) : _words.MarkOf(_type)) is not { } mark ? null
        : _words == ForeignSerializer.Protobuf ? AttributeReading.IsSet(mark, "IgnoreListHandling") ? $"[{AttributeReading.Short(_words.TypeMark!)}(IgnoreListHandling = true)]" : null
        : AttributeReading.Takes(mark, "Collection") || WritesItself is not null ? null
        : AttributeReading.Mark(_words.TypeMark!);

    /// <summary>That a model of another assembly shows nothing is no sign of state that is lost: it has a mark of its own, what that stores of private members is looked for when the program runs, and all that is shown is left out by it.</summary>
    public bool MayBeEmpty =>
        _words.TypeMark is not null && UnaskedCode.WriterOf(_type) is null
        // Such members have no mark that could be looked for.
        && Derivations.BasesOf(_type).Where(static level => level.TypeKind == TypeKind.Class).All(level => ImplicitFields(level) != AllFields && level.GetMembers().All(member => !IsState(member) || Exclusion(member) is not null));

    /// <summary>The member is not stored, although it is public.</summary>
    public bool LeavesOut(ISymbol member) =>
        Exclusion(member) is { } ignore ? !IsConditional(ignore) : IsUnmarked(member);

    /// <summary>The member is stored, or would be where it is public.</summary>
    public bool Has(ISymbol member) => Includes(member) && !LeavesOut(member);

    /// <summary>An attribute says that the member is not stored, and counts, also against what the contract of a base stores: not where nobody chose a serializer by a mark on the class.</summary>
    public bool Excludes(ISymbol member) => !IsJson && Exclusion(member) is { } ignore && !IsConditional(ignore);

    /// <summary>The full names of the attributes by which it does.</summary>
    public IEnumerable<string> Excluding => IsJson ? [] : _words.HeedsRuntimeIgnore ? [$"{Space}.{Ignore}", PlainModels.IgnoreName] : [$"{Space}.{Ignore}"];

    /// <summary>It is not stored because nothing says that it is.</summary>
    public bool IsUnmarked(ISymbol member) =>
        Exclusion(member) is null && _words.StoresOnlyIncluded && !Includes(member) && !IsImplicit(member) && !IsOfSerializable(member) && !Beside.StoresPublic(member)
        && !MayBeMarkedUnseen(member);

    /// <summary>An attribute says that the member is not stored, and the other serializer stores it all the same.</summary>
    /// <returns>The attribute, as source has it, why, and what leaves it out in an assembly without a reference to this package, for parts of a sentence; null where there is none.</returns>
    public (string Mark, string Why, string LeaveOut)? IgnoredInVain(ISymbol member)
    {
        if (AnyIgnore(member) is not { AttributeClass.Name: { } name } ignore || IsConditional(ignore) || LeavesOut(member)) return null;
        string mark = AttributeReading.Mark(name);
        if (TakesFieldsOf(member.ContainingType)) return (mark, PlainModels.StoresEveryField, member is IFieldSymbol ? "leave it out with [NonSerialized] there" : TypeNames.OwnCodec(_type));
        List<string> marks = [.. MarksOf(member)];
        return _words.Ignoring switch
        {
            _ when CopiesMemory is { } all => (mark, $"{all}, whatever that is on", TypeNames.OwnCodec(_type)),
            IgnoreRule.LastDeclaration => (mark, "its serializer looks at the override alone", $"leave the override out with {mark} there"),
            // A mark of Ceras on the class.
            IgnoreRule.Unmarked when marks.Count == 0 => (mark, "[MemberConfig] of its class counts", "leave it out with [Exclude] there"),
            IgnoreRule.Unmarked => (mark, $"{AttributeReading.Listed(marks)} {(marks.Count == 1 ? "counts" : "count")}", $"take {AttributeReading.Listed(marks)} off it, or off what it overrides, there"),
            _ when Declarations.Of(member).Any(StoresField) => (mark, "its serializer stores all fields of the class (ImplicitFields.AllFields), and that is on the property", TypeNames.OwnCodec(_type)),
            _ => (mark, "its serializer stores it by another declaration, which does not carry that", $"leave each declaration of it out with {mark} there"),
        };
    }

    /// <summary>The attribute that leaves the member out, as source has it, or null.</summary>
    public string? IgnoringMark(ISymbol member) => Exclusion(member) is { AttributeClass.Name: { } name } ? AttributeReading.Mark(name) : null;

    /// <summary>How a member that the contract stores is left out where it is declared, for the middle of a sentence.</summary>
    public string LeaveOut(ISymbol member) => !LeavesOutMarked && MarksThatStore(member) is { } marks ? $"take {marks} off '{TypeName}.{member.Name}' there" : $"leave '{TypeName}.{member.Name}' out with {IgnoreMark} there";

    /// <summary>The type, for messages.</summary>
    public string TypeName => TypeNames.Message(_type);

    /// <summary>The member is stored, although it may not be public.</summary>
    public bool Includes(ISymbol member) =>
        Inclusion(member) is not null || Beside.Stores(member) || ((_words.SetsShown || _storesPrivate) && IsShown(member)) || (_storesPrivate && IsPrivateState(member))
        || (ImplicitFields(member.ContainingType) == AllFields && IsField(member) && member is not IPropertySymbol { SetMethod: null, DeclaredAccessibility: Accessibility.Public });

    /// <summary>The attribute on a member, or that which names it on its class, by which it is stored, as source has it; null where there is none.</summary>
    public string? MarkOf(ISymbol member) => MarksOf(member).FirstOrDefault();

    /// <summary>All such attributes of a member. That of the contract's own serializer comes first.</summary>
    public IEnumerable<string> MarksOf(ISymbol member) =>
        (Inclusion(member) is { AttributeClass.Name: { } own } ? [AttributeReading.Mark(own)] : Enumerable.Empty<string>()).Concat(Beside.MarksOf(member));

    /// <summary>The attributes on a member without which it would not be stored, for the middle of a sentence; null where there is none, or one on its class names it.</summary>
    public string? MarksThatStore(ISymbol member)
    {
        if (!_words.StoresOnlyIncluded) return null;
        string? own = FindInherited(member, Include) is not null ? IncludeMark : null;
        return own is null && Inclusion(member) is not null ? null
            : Beside.MarksOf(member).Prepend(own).OfType<string>().ToList() is { Count: > 0 } marks ? AttributeReading.Listed(marks) : null;
    }

    /// <summary>What says that all members of a class are stored, whatever their access, for the middle of a sentence; null where nothing does.</summary>
    public string? AllOf(INamedTypeSymbol level) =>
        ImplicitFields(level) == AllFields ? "fields (ImplicitFields.AllFields)"
        : Beside.AllOf(level) is { } all ? all
        : _storesPrivate ? $"members ([{AttributeReading.Short(_words.TypeMark!)}(true, {_words.PrivateOption} = true)])"
        : null;

    /// <summary>All fields of a class are stored, whatever their access and whatever is on properties.</summary>
    public bool StoresAllFieldsOf(INamedTypeSymbol level) => (ImplicitFields(level) ?? ImplicitFields(_type)) == AllFields;

    /// <summary>The class has [Serializable] in place of the mark: it goes by what the formatters leave out.</summary>
    public bool TakesFieldsOf(INamedTypeSymbol level) => _words.IsOnlySerializable(level);

    /// <summary>The attribute on the field that the compiler gave a property by which that is stored, as source has it; null where there is none, or the property has it too.</summary>
    public string? MarkOnField(IPropertySymbol property, IFieldSymbol field) => _words.Find(property, Include) is null && _words.Find(field, Include) is not null ? IncludeMark : null;

    /// <summary>The members that a class names as stored by an attribute of its own.</summary>
    public IEnumerable<string> NamedBy(INamedTypeSymbol level) => _protobuf?.NamedBy(level) ?? NamedBy(level, _words.TypeInclude).Except(LeftOutBy(level));

    /// <summary>The members that a class names as not stored by an attribute of its own.</summary>
    public IEnumerable<string> LeftOutBy(INamedTypeSymbol level) => NamedBy(level, _words.TypeIgnore);

    /// <summary>What the attributes of other serializers say of members that this one stores too.</summary>
    public MarksBeside Beside { get; }

    /// <summary>The member has the serializer's own attribute, and that counts.</summary>
    public bool StoresByMark(ISymbol member) => Inclusion(member) is not null && Exclusion(member) is null;

    /// <summary>What names members as stored on their class, as source has it.</summary>
    public string NamingMark => _protobuf?.NamingMark ?? AttributeReading.Mark(_words.TypeInclude!);

    /// <summary>The identity that the other serializer gives a member by number, or 0.</summary>
    public int Id(ISymbol member) =>
        _words.Key is { } key && FindInherited(member, key, _words.TypeInclude) is { } mark ? mark.ConstructorArguments.FirstOrDefault().Value is int number ? IdOf(number) : 0
        : Beside.NumberOf(member) ?? (OrderOf(member) is { } order && _words.NumberedForms.Length > 0 && _words.MarkOn(_type) is { } form && _words.NumberedForms.Any(name => AttributeReading.Takes(form, name)) ? IdOf(order) : 0);

    private int IdOf(int number) => number >= _words.FirstKey && number < int.MaxValue ? number - _words.FirstKey + 1 : 0;

    /// <summary>The name by which the other serializer knows a member where that has no number, or null: its own. Also null for what is no name in a schema.</summary>
    public string? NameOf(ISymbol member) => _words.Naming is { } naming && FindInherited(member, naming) is { } mark ? NameIn(mark) : null;

    /// <summary>The names that attributes of any serializer give a member, whether they count or not.</summary>
    public static IEnumerable<string> NamesGiven(ISymbol member) =>
        from words in ForeignSerializer.All
        where words.Naming is not null
        let mark = Declarations.Of(member).SelectMany(Declarations.PlacesOf).Select(place => words.Find(place, words.Naming!)).FirstOrDefault(static found => found is not null)
        where mark is not null
        let name = NameIn(mark)
        where name is not null
        select name;

    private static string? NameIn(AttributeData mark)
    {
        object? value = mark.ConstructorArguments.IsEmpty ? AttributeReading.Option(mark, "Name") : mark.ConstructorArguments[0].Value;
        return value is string name && NinoAttributes.WhyNoSchemaName(name) is null ? name : null;
    }

    /// <summary>Where the other serializer puts a member, or null.</summary>
    public int? OrderOf(ISymbol member) =>
        _words.Order is { } order ? FindInherited(member, order)?.ConstructorArguments.FirstOrDefault().Value as int?
        : _words.NamedOrder is { } named && FindInherited(member, named) is { } mark ? AttributeReading.Option(mark, "Order") as int?
        : null;

    /// <summary>What is shown of a type may hold something.</summary>
    public static bool IsState(ISymbol member) =>
        member is IFieldSymbol { IsStatic: false, IsConst: false } or IPropertySymbol { IsStatic: false, IsIndexer: false, SetMethod: not null } || (member is IPropertySymbol { IsStatic: false, IsIndexer: false } property && MemberParser.IsAutoProperty(property)
            && !Declarations.IsOfEveryRecord(property));

    /// <summary>A public auto-property that is not left out. One of another assembly may have a setter that is not seen.</summary>
    private bool IsShown(ISymbol member) =>
        member is IPropertySymbol { IsStatic: false, IsIndexer: false, GetMethod.DeclaredAccessibility: Accessibility.Public } property && (property.SetMethod is not null || (property.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty && CompiledMembers.HasSetter(property) != false))
        && MemberParser.IsAutoProperty(property) && Exclusion(member) is null;

    /// <summary>A field that is not public, or a property one of whose accessors is not and that can be set or has a field of its own; not what is left out.</summary>
    private bool IsPrivateState(ISymbol member) =>
        member is { IsStatic: false, IsImplicitlyDeclared: false, CanBeReferencedByName: true }
        && (member is IFieldSymbol { AssociatedSymbol: null, IsConst: false, DeclaredAccessibility: not Accessibility.Public }
            || (member is IPropertySymbol { IsIndexer: false, GetMethod: { } getter } property && (property.SetMethod is { } setter
                ? getter.DeclaredAccessibility != Accessibility.Public || setter.DeclaredAccessibility != Accessibility.Public
                : getter.DeclaredAccessibility != Accessibility.Public && MemberParser.IsAutoProperty(property))))
        && Exclusion(member) is null;

    /// <summary>[JsonIgnore(Condition = ...)] other than Always stores the member, in some cases.</summary>
    private static bool IsConditional(AttributeData ignore) =>
        AttributeReading.Option(ignore, "Condition") is int condition && condition != 1;

    /// <summary>Stored without [ProtoMember], by [ProtoContract(ImplicitFields = ...)] on the class that declares the member; where that has no contract, on the type.</summary>
    private bool IsImplicit(ISymbol member) => (ImplicitFields(member.ContainingType) ?? ImplicitFields(_type)) switch
    {
        AllPublic => !IsDelegate(member),
        // Of another assembly the fields are not seen: what its properties show stands for them.
        AllFields => !IsDelegate(member) && (IsField(member) || member.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty),
        _ => false,
    };

    /// <summary>F# takes marks for the field of a record (<c>[&lt;field: DataMember&gt;]</c>) as well as for its property, and shows no field of a class to other compilers: one of an unmarked property is not told from one that is marked so.</summary>
    private static bool MayBeMarkedUnseen(ISymbol member) =>
        FSharpTypes.IsRecord(member.ContainingType) && FSharpTypes.IsField(member) && !IsDelegate(member) && (member as IPropertySymbol)?.Type is not INamedTypeSymbol { Name: "FSharpFunc" };

    /// <summary>Stored without [DataMember], by [Serializable] on the class that declares the member, or what it overrides.</summary>
    private bool IsOfSerializable(ISymbol member)
    {
        foreach (ISymbol symbol in Declarations.Of(member))
        {
            if (_words.IsOnlySerializable(symbol.ContainingType)) return !PlainModels.IsNotSerialized(symbol);
        }

        return false;
    }

    /// <summary>What [ProtoContract(ImplicitFields = ...)] on a type says; null where it has no contract.</summary>
    private int? ImplicitFields(INamedTypeSymbol type) =>
        !_words.StoresOnlyIncluded || _words.MarkOn(type) is not { } mark ? null
        : AttributeReading.Option(mark, "ImplicitFields") is int fields ? fields : 0;

    /// <summary>A field, or a property that has one of its own.</summary>
    private static bool IsField(ISymbol member) => !IsDelegate(member) && member is IFieldSymbol or IPropertySymbol && (member is not IPropertySymbol property || MemberParser.IsAutoProperty(property));

    private static bool IsDelegate(ISymbol member) => member is IFieldSymbol { Type.TypeKind: TypeKind.Delegate } or IPropertySymbol { Type.TypeKind: TypeKind.Delegate };

    private AttributeData? Inclusion(ISymbol member) => FindInherited(member, Include, _words.TypeInclude);

    /// <summary>The attribute that leaves a member out, or null.</summary>
    private AttributeData? Exclusion(ISymbol member)
    {
        // A [Serializable] class goes by what the formatters leave out; what is in memory that is copied cannot be left out.
        if (TakesFieldsOf(member.ContainingType) || AnyIgnore(member) is not { } ignore || (CopiesMemory is not null && IsField(member))) return null;
        return _words.Ignoring switch
        {
            IgnoreRule.LastDeclaration => IgnoreOn(member),
            IgnoreRule.EveryDeclaration => Declarations.Of(member).Any(one => (IgnoreOn(one) is null || StoresField(one)) && (ReferenceEquals(one, member) || IsMarked(one))) ? null : ignore,
            IgnoreRule.Unmarked => Inclusion(member) is null && !Beside.CountsBesideIgnore(member) ? ignore : null,
            _ => ignore,
        };
    }

    /// <summary>The first attribute on a declaration of a member that says that it is not stored, whether that counts or not; or null.</summary>
    private AttributeData? AnyIgnore(ISymbol member) => Declarations.Of(member).Select(IgnoreOn).FirstOrDefault(static found => found is not null);

    /// <summary>The attribute on one declaration of a member, or that which names it on its class, that says that it is not stored.</summary>
    private AttributeData? IgnoreOn(ISymbol declaration) =>
        FindOn(declaration, Ignore, _words.TypeIgnore) ?? (_words.HeedsRuntimeIgnore ? PlainModels.IgnoreOn(declaration) : null);

    private bool IsMarked(ISymbol declaration) => FindOn(declaration, Include, _words.TypeInclude) is not null || IsImplicit(declaration);

    /// <summary>By ImplicitFields.AllFields the field of an auto-property is stored, whatever is on the property.</summary>
    private bool StoresField(ISymbol declaration) => declaration is IPropertySymbol && StoresAllFieldsOf(declaration.ContainingType) && IsField(declaration);

    /// <summary>An override without the attribute takes it from the member it overrides.</summary>
    /// <param name="member">The member.</param>
    /// <param name="name">The attribute on a member.</param>
    /// <param name="onType">The attribute on the class that declares a member, which names it; null: there is none.</param>
    private AttributeData? FindInherited(ISymbol member, string name, string? onType = null) =>
        Declarations.Of(member).Select(one => FindOn(one, name, onType)).FirstOrDefault(static found => found is not null);

    /// <summary>As <see cref="FindInherited"/>, of one declaration.</summary>
    private AttributeData? FindOn(ISymbol symbol, string name, string? onType)
    {
        if (_words.Find(symbol, name) is { } attribute) return attribute;
        // What leaves a field out says nothing of its property.
        if (name == Include && symbol is IPropertySymbol property && MemberParser.SeenField(property) is { } field && _words.Find(field, name) is { } onField) return onField;
        if (_words.HeedsInterfaces && InterfaceMarks.ImplementedBy(symbol, _type).Select(declared => _words.Find(declared, name)).FirstOrDefault(static mark => mark is not null) is { } declared) return declared;
        return onType is null ? null : _words.On(symbol.ContainingType, onType).FirstOrDefault(one => NamedBy(one) == symbol.Name);
    }

    /// <summary>The members that attributes on a type name.</summary>
    private IEnumerable<string> NamedBy(INamedTypeSymbol type, string? attribute) => attribute is null ? [] : _words.On(type, attribute).Select(NamedBy).OfType<string>();

    private static string? NamedBy(AttributeData attribute) => attribute.ConstructorArguments.LastOrDefault() is { Kind: TypedConstantKind.Primitive, Value: string name } ? name : null;
}
