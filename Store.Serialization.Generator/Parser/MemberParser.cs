// Which fields and properties of a type are stored, and how each is read and set. What would be lost in silence is a diagnostic.

using System.Collections.Immutable;
using System.Globalization;
using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class MemberParser
{
    public static void Parse(ParsedType type, TypeGraph graph)
    {
        if (type.Case is not null)
        {
            FSharpUnions.ParseMembers(type, graph);
            return;
        }

        if (HiddenMembers.Report(type, graph) | UnseenMembers.Report(type, graph))
        {
            type.IsInvalid = true;
            return;
        }

        List<ParsedMember> candidates = Collect(type, graph);
        ParameterAttributes.Report(type, candidates, graph);
        type.Callbacks = CallbackParser.Parse(type, graph);
        if (!ConstructorParser.TryChoose(type, candidates, graph, out IMethodSymbol? constructor))
        {
            type.IsInvalid = true;
            return;
        }

        Dictionary<ParsedMember, IParameterSymbol> parameters = constructor is null ? [] : ConstructorParser.Match(constructor, candidates, type, graph);
        foreach (ParsedMember member in candidates)
        {
            if (!MemberSetter.TryChoose(type, member, parameters.TryGetValue(member, out IParameterSymbol parameter) ? parameter : null, constructor, candidates, graph)) continue;
            CheckId(type, member, graph);
            PlainModels.ReportStored(type, member.Symbol, graph);
            member.Codec = MemberCodecs.Resolve(member, OriginOf(type, member), graph);
            if (member.Codec is null) type.IsInvalid = true;
            type.Members.Add(member);
        }

        CheckNames(type, graph);
        Overlaps.Check(type, graph);
        ContractNames.Settle(type);
        FormerNames.Check(type, graph);
        if (type.Members.Count == 0 && !type.IsInvalid) EmptyTypes.Check(type, graph);
        type.Members.Sort(EncodingOrder(type.Members));
        if (type.IsInvalid) return;
        ImmutableArray<IParameterSymbol> taken = constructor?.Parameters ?? [];
        ChangingConstructors.Report(type, constructor, parameters, graph);
        if (CopiedStructs.CanBeCopied(type.Symbol)) type.TellLost = () => LostState.Report(type, constructor, parameters, graph);
        else LostState.Report(type, constructor, parameters, graph);
        UnaskedCode.Report(type, graph);
        if (type.IsMadeFirst) MemberSetter.AfterConstruction(type);
        type.Constructor = constructor;
        type.Construction = ConstructorParser.ToModel(type, constructor, parameters, graph);
        Aliases.Check(type, constructor, graph);
        type.UsesObsolete = (constructor is not null && NinoAttributes.IsObsoleteError(constructor)) || taken.Any(static parameter => NinoAttributes.NamesObsolete(parameter.Type))
            || Derivations.BasesOf(type.Symbol).Any(NinoAttributes.NamesObsolete) || Derivations.BasesOf(type.Symbol).SelectMany(Accessors.Constraints).Any(NinoAttributes.NamesObsolete)
            || Derivations.BasesOf(type.Symbol).SelectMany(static level => level.GetMembers().OfType<IMethodSymbol>()).Any(method => NinoAttributes.IsObsoleteError(method) && (NinoAttributes.Callbacks(method).Any() || ForeignCallbacks.Marks(method, ForeignCallbacks.Spaces(type.Symbol)).Any()))
            || type.Members.Exists(static member => NinoAttributes.IsObsoleteError(member.Symbol) || NinoAttributes.NamesObsolete(member.Type));
        type.HasPlainFields = PlainMemory.HasPlainFields(type, constructor);
    }

    /// <summary>Tells what of a type is lost where another assembly closes it or derives from it, and does not see it (<see cref="Templates"/>).</summary>
    /// <param name="type">The type, as it is declared.</param>
    /// <param name="silent">For what is told where that is done.</param>
    /// <param name="graph">The graph.</param>
    public static void LookAt(ParsedType type, TypeGraph silent, TypeGraph graph)
    {
        List<ParsedMember> candidates = Collect(type, silent);
        IMethodSymbol? constructor = null;
        if (!type.Symbol.IsAbstract && !ConstructorParser.TryChoose(type, candidates, silent, out constructor)) return;
        Dictionary<ParsedMember, IParameterSymbol> parameters = constructor is null ? [] : ConstructorParser.Match(constructor, candidates, type, silent);
        foreach (ParsedMember member in candidates)
        {
            // A constructor of what is derived may take what it hands on.
            bool isTaken = type.Symbol.IsAbstract && type.Symbol.InstanceConstructors.Any(one => one.Parameters.Any(parameter => ConstructorParser.HasNameOf(member.Symbol, parameter)));
            if (isTaken || MemberSetter.TryChoose(type, member, parameters.TryGetValue(member, out IParameterSymbol parameter) ? parameter : null, constructor, candidates, silent)) type.Members.Add(member);
            // Of a getter with code nobody sees from there that there is a field behind it.
            else if (member.Symbol is IPropertySymbol property && IsAutoProperty(property) && !PlainMemory.IsStored(property)) MemberSetter.TryChoose(type, member, null, constructor, candidates, graph);
        }

        LostState.Report(type, constructor, parameters, graph);
        ChangingConstructors.Report(type, constructor, parameters, graph);
    }

    /// <summary>Every field and property that is public or marked, and not ignored: base classes first, in order of declaration, of a type that several assemblies write codecs for fields in front of properties; an override takes the place of what it overrides.</summary>
    private static List<ParsedMember> Collect(ParsedType type, TypeGraph graph)
    {
        Stack<INamedTypeSymbol> levels = new();
        for (INamedTypeSymbol? level = type.Symbol; level is not null && level.SpecialType is not (SpecialType.System_Object or SpecialType.System_ValueType); level = level.BaseType) levels.Push(level);

        ForeignContract? contract = ForeignContract.Of(type.Symbol);
        bool isFSharpRecord = FSharpTypes.IsRecord(type.Symbol);
        List<ParsedMember> members = [];
        bool isShared = TypeGraph.IsShared(type.Symbol);
        foreach (INamedTypeSymbol level in levels)
        {
            // Of another assembly the compiler shows fields first, wherever they are declared.
            foreach (ISymbol symbol in isShared ? level.GetMembers().OrderBy(static member => member is IPropertySymbol) : (IEnumerable<ISymbol>)level.GetMembers())
            {
                if (WhyNeverStored(symbol) is { } reason)
                {
                    ReportExplicit(type, symbol, contract, graph);
                    ReportUnspellable(type, symbol, contract, graph);
                    if (symbol is not (IFieldSymbol or IPropertySymbol) || !(IsMarked(symbol) || IsMarkedBehind(symbol))) continue;
                    graph.Diagnostics.Report(NinoDiagnostics.MarkedMemberNotSettable, Place(type, symbol), TypeNames.Message(type.Symbol) + "." + symbol.Name, reason);
                    type.IsInvalid = true;
                    continue;
                }

                // A tuple shows its elements under the names of its source and under those of its fields: Item1 to Item7 and Rest. Only the latter are the type's.
                if (level.IsTupleType && level.OriginalDefinition.GetMembers(symbol.Name).IsEmpty) continue;
                // What else a record of F# shows is computed from its fields.
                if (isFSharpRecord && !FSharpTypes.IsField(symbol)) continue;
                ParsedMember? member = symbol switch
                {
                    IFieldSymbol { AssociatedSymbol: null, IsConst: false } field when level.IsTupleType || !field.IsImplicitlyDeclared => Field(type, field, contract, graph),
                    IPropertySymbol property => Property(type, property, contract, graph),
                    _ => null,
                };
                int overridden = symbol is IPropertySymbol { OverriddenProperty: not null } ? members.FindIndex(m => Declarations.Overrides(symbol, m.Symbol)) : -1;
                if (overridden >= 0) members.RemoveAt(overridden);
                if (NinoAttributes.IsIgnoredAndMarked(symbol))
                {
                    graph.Diagnostics.Report(NinoDiagnostics.MarkedMemberNotSettable, Place(type, symbol), TypeNames.Message(type.Symbol) + "." + symbol.Name, "it is left out with [NinoIgnore], too: remove one of the two");
                    type.IsInvalid = true;
                }

                if (member is null || NinoAttributes.IsIgnored(symbol) || PlainModels.LeavesOut(symbol, type.Symbol, contract)) continue;
                members.Insert(overridden >= 0 ? overridden : members.Count, member);
            }
        }

        contract?.SettleOrders(members);
        contract?.OrderByClass(members);
        return members;
    }

    /// <summary>The field that the compiler keeps a property in carries a mark that is meant for the property.</summary>
    private static bool IsMarkedBehind(ISymbol symbol) =>
        symbol is IFieldSymbol { AssociatedSymbol: { } owner } && (NinoAttributes.IsForMember(symbol) || (NinoAttributes.IsIgnored(symbol) && !NinoAttributes.IsIgnored(owner)));

    private static string? WhyNeverStored(ISymbol member) => member switch
    {
        { IsStatic: true } => "it is static",
        IPropertySymbol { IsIndexer: true } => "it is an indexer",
        IPropertySymbol { ExplicitInterfaceImplementations.IsEmpty: false } => "it implements an interface explicitly",
        IPropertySymbol { RefKind: not RefKind.None } => "it returns a reference",
        IFieldSymbol { AssociatedSymbol: IPropertySymbol property } => $"it is what the compiler keeps the property '{property.Name}' in; mark the property, in the head of a type with [property: ...]",
        { CanBeReferencedByName: false } => "C# cannot spell its name",
        _ => null,
    };

    /// <summary>An auto-property that implements an interface explicitly holds state that no name leads to.</summary>
    private static void ReportExplicit(ParsedType type, ISymbol symbol, ForeignContract? contract, TypeGraph graph)
    {
        if (symbol is not IPropertySymbol { IsStatic: false, IsIndexer: false, ExplicitInterfaceImplementations: { Length: > 0 } implemented } property || !IsAutoProperty(property)) return;
        if (IsMarked(property) || NinoAttributes.IsIgnored(property) || PlainModels.LeavesOut(property, type.Symbol, contract)) return;
        string name = TypeNames.Message(property.ContainingType) + "." + TypeNames.Message(implemented[0].ContainingType) + "." + implemented[0].Name;
        graph.Diagnostics.Report(NinoDiagnostics.GetOnlyState, Place(type, property), name, "explicitly implemented property", "implement it by a public property of the same name, or by a body over a member that is stored", MemberAdvice.OrLeaveOut(type.Symbol, property, graph));
        type.IsInvalid = true;
    }

    /// <summary>Other languages may give a member a name that generated code cannot use.</summary>
    private static void ReportUnspellable(ParsedType type, ISymbol symbol, ForeignContract? contract, TypeGraph graph)
    {
        if (symbol.CanBeReferencedByName || symbol is IPropertySymbol { ExplicitInterfaceImplementations.IsEmpty: false } || symbol is IFieldSymbol field && CompilerFields.IsCompilers(field)) return;
        bool isState = FSharpTypes.IsRecord(type.Symbol) ? FSharpTypes.IsField(symbol) : ForeignContract.IsState(symbol);
        // A mark on it is told as such.
        if (!isState || IsMarked(symbol) || NinoAttributes.IsIgnored(symbol) || PlainModels.LeavesOut(symbol, type.Symbol, contract)) return;
        bool isPublic = symbol is IPropertySymbol property ? property.GetMethod is not { DeclaredAccessibility: not Accessibility.Public } : symbol.DeclaredAccessibility == Accessibility.Public;
        if (!isPublic && !PlainModels.Stores(symbol, type.Symbol, contract)) return;
        graph.Diagnostics.Report(NinoDiagnostics.GetOnlyState, Place(type, symbol), TypeNames.Message(symbol.ContainingType) + "." + symbol.Name, symbol is IFieldSymbol ? "field" : "property", "C# cannot spell its name, so give it another", MemberAdvice.OrLeaveOut(type.Symbol, symbol, graph));
        type.IsInvalid = true;
    }

    private static ParsedMember? Field(ParsedType type, IFieldSymbol field, ForeignContract? contract, TypeGraph graph)
    {
        bool isMarked = IsMarked(field) || PlainModels.Stores(field, type.Symbol, contract);
        bool isReachable = graph.IsAccessible(field);
        if (!isMarked && field.DeclaredAccessibility != Accessibility.Public) return null;
        return new ParsedMember(field, field.Type, isMarked)
        {
            Id = NinoAttributes.MemberId(field) ?? contract?.Id(field) ?? 0,
            Order = contract?.OrderOf(field),
            SchemaName = contract?.NameOf(field) ?? field.Name,
            IsReadable = isReachable,
            IsSettable = isReachable && !field.IsReadOnly,
            IsSettableByAccessor = isMarked || IsSetThoughReadOnly(type, field, contract),
            IsRequired = field.IsRequired,
        };
    }

    /// <summary>The model's serializer sets the field though it is readonly. A collection is filled, or what the constructor made of it.</summary>
    private static bool IsSetThoughReadOnly(ParsedType type, IFieldSymbol field, ForeignContract? contract) =>
        field.IsReadOnly && !IsCollection(field.Type) && PlainModels.SetsField(field, type.Symbol, contract);

    private static ParsedMember? Property(ParsedType type, IPropertySymbol property, ForeignContract? contract, TypeGraph graph)
    {
        bool isMarked = IsMarked(property) || PlainModels.Stores(property, type.Symbol, contract);
        IMethodSymbol? getter = Declarations.Accessor(property, static p => p.GetMethod);
        IMethodSymbol? setter = Declarations.Accessor(property, static p => p.SetMethod);
        if (!isMarked && getter?.DeclaredAccessibility != Accessibility.Public)
        {
            if (getter is not null && setter is { DeclaredAccessibility: Accessibility.Public } && !NinoAttributes.IsIgnored(property) && !PlainModels.LeavesOut(property, type.Symbol, contract))
            {
                graph.Diagnostics.Report(NinoDiagnostics.GetOnlyState, Place(type, property), TypeNames.Message(type.Symbol) + "." + property.Name, "property", $"its getter is not public, so make it public, store it with {MemberAdvice.Include(type.Symbol, property, graph)}", MemberAdvice.OrLeaveOut(type.Symbol, property, graph));
                type.IsInvalid = true;
            }

            return null;
        }

        bool hasHiddenSetter = HiddenMembers.HasSetter(property, graph), isSetByField = PlainModels.SetsField(property, type.Symbol, contract) && IsBacked(property);
        bool mayHaveSetter = getter is not null && HiddenLevels.MayHaveSetter(property, type.Symbol, contract);
        return new ParsedMember(property, property.Type, isMarked)
        {
            Id = NinoAttributes.MemberId(property) ?? contract?.Id(property) ?? 0,
            Order = contract?.OrderOf(property),
            SchemaName = contract?.NameOf(property) ?? property.Name,
            IsReadable = getter is not null && graph.IsAccessible(getter),
            IsSettable = setter is not null && graph.IsAccessible(setter),
            IsSettableByAccessor = getter is not null
                && (setter is null ? hasHiddenSetter : (isMarked || hasHiddenSetter || IsCollectionWithHiddenSetter(property) || (isSetByField && !IsCollection(property.Type))) && (graph.IsAccessible(getter) || SymbolEqualityComparer.Default.Equals(getter.ContainingType, setter.ContainingType))),
            MayHaveSetter = mayHaveSetter,
            IsBacked = getter is not null && setter is null && isSetByField && !hasHiddenSetter && !(mayHaveSetter && CompiledMembers.HasSetter(property) == true),
            IsRequired = property.IsRequired,
            IsInitOnly = setter is { IsInitOnly: true },
        };
    }

    /// <summary>A public auto-property of a collection that only its class can replace: <c>Items { get; private set; } = []</c>. It needs no more of a mark than one without a setter.</summary>
    public static bool IsCollectionWithHiddenSetter(IPropertySymbol property) =>
        property is { IsStatic: false, IsIndexer: false, ExplicitInterfaceImplementations.IsEmpty: true, GetMethod.DeclaredAccessibility: Accessibility.Public, SetMethod.DeclaredAccessibility: not Accessibility.Public } && IsCollection(property.Type) && IsAutoProperty(property);

    private static void CheckId(ParsedType type, ParsedMember member, TypeGraph graph)
    {
        int? id = NinoAttributes.MemberId(member.Symbol) ?? (member.Id > 0 ? member.Id : null);
        if (id is null) return;
        string? problem = id <= 0 ? "ids start at 1"
            : type.Members.Find(other => other.Id == id) is { } other ? $"the member '{other.Name}' has it already"
            : null;
        if (problem is null) return;
        graph.Diagnostics.Report(NinoDiagnostics.InvalidMemberId, Place(type, member.Symbol), id.Value.ToString(CultureInfo.InvariantCulture), TypeNames.Message(type.Symbol) + "." + member.Name, problem);
        type.IsInvalid = true;
    }

    /// <summary>A hidden member cannot be told from the one that hides it: neither by name in the schema nor by generated code.</summary>
    private static void CheckNames(ParsedType type, TypeGraph graph)
    {
        bool any = false;
        foreach (ParsedMember member in type.Members)
        {
            // Of many that hide it the nearest: the others hide that one.
            ISymbol? hiding = null;
            for (INamedTypeSymbol? level = type.Symbol; level is not null && !SymbolEqualityComparer.Default.Equals(level, member.Symbol.ContainingType); level = level.BaseType)
                hiding = level.GetMembers(member.Name).FirstOrDefault(graph.IsAccessible) ?? hiding;
            if (hiding is null) continue;
            graph.Diagnostics.Report(NinoDiagnostics.MemberNameCollision, Place(type, hiding), Full(hiding), Full(member.Symbol), "hides", LeaveOut(member) + "; that on the hiding one does not help", OrCodec());
            any = true;
        }

        type.IsInvalid |= any;
        if (!any && type.Members.GroupBy(static member => member.Name).FirstOrDefault(static group => group.Count() > 1) is { } same)
        {
            // Neither hides the other: they are private.
            graph.Diagnostics.Report(NinoDiagnostics.MemberNameCollision, Place(type, same.Last().Symbol), Full(same.Last().Symbol), Full(same.First().Symbol), "has the name of", LeaveOut(same.First()) + $", or '{Full(same.Last().Symbol)}'", OrCodec());
            type.IsInvalid = true;
        }

        string LeaveOut(ParsedMember member) => MemberAdvice.LeaveOut(type.Symbol, member.Symbol, graph, $"'{Full(member.Symbol)}'");

        string OrCodec() => graph.IsLocal(type.Symbol) ? "" : $"; or {TypeNames.OwnCodec(type.Symbol)}";

        static string Full(ISymbol member) => TypeNames.Message(member.ContainingType) + "." + member.Name;
    }

    /// <summary>Members with an id first, by id; then by the place that another serializer gives them; then in order of declaration. The layout later moves fixed-width ones to the front and keeps this order among them.</summary>
    private static IComparer<ParsedMember> EncodingOrder(List<ParsedMember> members)
    {
        Dictionary<ParsedMember, int> position = [];
        foreach (ParsedMember member in members) position.Add(member, position.Count);
        return Comparer<ParsedMember>.Create((a, b) => Rank(a).CompareTo(Rank(b)));

        (bool HasNoId, int Place, int Position) Rank(ParsedMember member) => (member.Id == 0, member.Id > 0 ? member.Id : member.Order ?? int.MaxValue, position[member]);
    }

    /// <summary>Carries [NinoInclude] or [NinoMember], or is stored as though it did.</summary>
    public static bool IsMarked(ISymbol member) => NinoAttributes.IsIncluded(member) || NinoAttributes.MemberId(member) is not null || NonPublicState.IsStored(member);

    public static bool IsCollection(ITypeSymbol type) =>
        type.SpecialType != SpecialType.System_String
        && (type.SpecialType == SpecialType.System_Collections_IEnumerable || type.AllInterfaces.Any(static i => i.SpecialType == SpecialType.System_Collections_IEnumerable));

    /// <summary>The compiler marks the accessors of auto-properties in other assemblies; in source it gives them, and those that name it, a backing field.</summary>
    public static bool IsAutoProperty(IPropertySymbol property) =>
        BackingField(property) is not null
        || (property.GetMethod is { } getter && getter.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name == "CompilerGeneratedAttribute"));

    /// <summary>An auto-property whose value is in a field that the compiler gave it. A reference assembly does not show the field: that it is one, the getter says.</summary>
    private static bool IsBacked(IPropertySymbol property) =>
        property is { IsStatic: false, IsAbstract: false, IsIndexer: false } && !FSharpTypes.IsRecord(property.ContainingType)
        && (property.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty ? IsAutoProperty(property) && CompiledMembers.HasField(property, CompilerFields.OfProperty(property.Name)) != false
            : BackingField(property) is not null && PlainMemory.IsStored(property));

    /// <summary>In source, what an auto-property, or one that names it, keeps its value in.</summary>
    public static IFieldSymbol? BackingField(IPropertySymbol property) =>
        property.OriginalDefinition.ContainingType.GetMembers(CompilerFields.OfProperty(property.Name)).OfType<IFieldSymbol>().FirstOrDefault(field => SymbolEqualityComparer.Default.Equals(OwnerOf(field), property.OriginalDefinition));

    /// <summary>As <see cref="BackingField"/>; also of a struct of another assembly, all of whose fields are seen.</summary>
    public static IFieldSymbol? SeenField(IPropertySymbol property) =>
        BackingField(property) ?? property.OriginalDefinition.ContainingType.GetMembers(CompilerFields.OfProperty(property.Name)).OfType<IFieldSymbol>().FirstOrDefault();

    /// <summary>What a backing field of a definition belongs to. Of a partial property that is the part with the body, and the members of a type are the parts that declare them.</summary>
    private static ISymbol? OwnerOf(IFieldSymbol field) => (field.AssociatedSymbol as IPropertySymbol)?.PartialDefinitionPart ?? field.AssociatedSymbol;

    // Nobody can do anything to a member of a tuple or pair: told is the one that has it.
    private static Origin OriginOf(ParsedType type, ParsedMember member) => BuiltInCodecs.IsPlainData(type.Symbol)
        ? new Origin(type.Origin.Subject, Place(type, member.Symbol)) { Member = type.Origin.Member }
        : new Origin($"The member '{TypeNames.Message(type.Symbol)}.{member.Name}'", Place(type, member.Symbol)) { Member = (type.Symbol, member.Symbol) };

    private static LocationModel? Place(ParsedType type, ISymbol symbol) => DiagnosticSink.Place(symbol, type.Origin.Location);
}
