// Which state is left out although the type shows it: non-public fields and auto-properties that a computed property reads, or the enumerator that foreach asks for, or that a property sets which can only
// be set. A guess from the syntax of the accessors, so a warning: it asks for [NinoInclude] or [NinoIgnore] where neither was given. No semantic model: this runs at every key stroke.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

internal static class LostState
{
    private const string AsyncEnumerable = "IAsyncEnumerable";

    /// <param name="type">The type.</param>
    /// <param name="constructor">The one that reading calls.</param>
    /// <param name="matches">What reading passes it.</param>
    /// <param name="graph">The graph.</param>
    public static void Report(ParsedType type, IMethodSymbol? constructor, Dictionary<ParsedMember, IParameterSymbol> matches, TypeGraph graph)
    {
        // Parameters of the constructor that no member gives: their default values are passed.
        List<IParameterSymbol> left = [.. (constructor?.Parameters ?? []).Where(parameter => parameter.IsOptional && !matches.ContainsValue(parameter))];
        List<IParameterSymbol> changed = [.. HeadArguments.Changed(type, constructor, matches, left)], set = [.. HeadArguments.SetSince(type, constructor, matches)];
        List<(IPropertySymbol Property, IParameterSymbol Parameter)> made = [.. ChangingGetters.Of(type, constructor, matches)];
        // Code in the type sees those in its head, unless a member has the name.
        IEnumerable<IParameterSymbol> captured = left.Where(static parameter => ConstructorParser.IsPrimary((IMethodSymbol)parameter.ContainingSymbol)).Concat(NotGiven(type, constructor)).Concat(set).Concat(changed).Concat(made.Select(static one => one.Parameter).Where(static parameter => ConstructorParser.IsPrimary((IMethodSymbol)parameter.ContainingSymbol)))
            .Where(parameter => !ConstructorParser.IsIgnored(type, parameter)).Concat(NotShown(type)).Distinct<IParameterSymbol>(SymbolEqualityComparer.Default)
            .Where(static parameter => parameter.ContainingType.GetMembers(parameter.Name).IsEmpty && IsData(parameter.Type));
        // Found once: there may be hundreds of members, and of what is asked.
        HashSet<ISymbol> stored = new(type.Members.SelectMany(static member => Declarations.Of(member.Symbol)), SymbolEqualityComparer.Default);
        ForeignContract? contract = ForeignContract.Of(type.Symbol);
        Report(Levels(type.Symbol), captured, Advise, showsElements: true, symbol => stored.Contains(symbol) || IsLeftOut(symbol), type.Origin, graph, state => StoredBy(state, type), made: property => made.Exists(one => SymbolEqualityComparer.Default.Equals(one.Property, property)));
        ReportUnseen(type, constructor, matches, graph);
        FieldsBehindGetters.Report(type, graph);

        string Advise(IParameterSymbol parameter) =>
            matches.FirstOrDefault(match => SymbolEqualityComparer.Default.Equals(match.Value, parameter)).Key is { } member && set.Contains(parameter, SymbolEqualityComparer.Default) ? $"reading passes what '{member.Name}' holds, which may have been set since: read that instead, or keep the value in a member of its own, stored with [NinoInclude]"
            : made.Find(one => SymbolEqualityComparer.Default.Equals(one.Parameter, parameter)).Property is { } getter ? $"reading passes what the getter of '{getter.Name}' makes of it: keep the value in a member of its own, stored with [NinoInclude], or put that on the property when what it gives is all that is to be stored"
            : left.Contains(parameter, SymbolEqualityComparer.Default) ? "add a property that shows it, or one of its name with [NinoIgnore] when it may be lost and reading may pass its default value"
            : changed.Contains(parameter, SymbolEqualityComparer.Default) ? "reading passes it what the members hold then, or a default value, and not what the object was made with: hold the value in a member that can be set, or show it by a property that is stored; or mark a member of its name with [NinoIgnore] when it may be lost"
            : SymbolEqualityComparer.Default.Equals(parameter.ContainingSymbol, constructor) ? "store a property of its name that shows it, with [NinoInclude] where that has code, or mark such a one with [NinoIgnore] when it may be lost"
            : "reading calls a constructor that does not take it: let it call one that does ([NinoConstructor], in front of a type [method: NinoConstructor] for that in its head), or hold the value in a member that can be set; or mark a member of its name with [NinoIgnore] when it may be lost";

        // By a mark of the serializer whose model it is.
        bool IsLeftOut(ISymbol symbol) => symbol is IFieldSymbol && contract?.IsUnmarked(symbol) != true && PlainModels.LeavesOut(symbol, type.Symbol, contract);
    }

    /// <summary>Parameters in the head of a type, or of a base, to which reading gives what another constructor passes on, or zero in a struct, and not what the object was made with.</summary>
    private static IEnumerable<IParameterSymbol> NotGiven(ParsedType type, IMethodSymbol? constructor)
    {
        // What those pass that derive from it elsewhere is not known.
        if (type.Symbol.IsAbstract) return [];
        // Where there is one constructor, or all others lead to the one in the head and reading calls that, a base has what it had: its arguments are the same.
        if (constructor is not null && ConstructorParser.IsPrimary(constructor)) return [];
        bool hasOthers = type.Symbol.InstanceConstructors.Any(other => !SymbolEqualityComparer.Default.Equals(other, constructor) && !ConstructorParser.IsCopyConstructor(other));
        return hasOthers
            ? Levels(type.Symbol).Select(ConstructorParser.Primary).Where(primary => primary is not null && !SymbolEqualityComparer.Default.Equals(primary, constructor))
                .SelectMany(static primary => primary!.Parameters).Where(parameter => (SymbolEqualityComparer.Default.Equals(parameter.ContainingType, type.Symbol) || !type.Members.Exists(member => ConstructorParser.HasNameOf(member.Symbol, parameter))) && !HeadArguments.IsAlwaysOneConstant(type.Symbol, parameter))
            : [];
    }

    /// <summary>Parameters in the head of a class of which its serializer stores all fields, those in which the compiler keeps what code in the class names among them, that no stored member has the name of.</summary>
    private static IEnumerable<IParameterSymbol> NotShown(ParsedType type) =>
        from level in Levels(type.Symbol)
        where ForeignContract.OfLevel(level, type.Symbol).Any(one => one.StoresAllFieldsOf(level))
        from parameter in ConstructorParser.Primary(level)?.Parameters ?? []
        where !type.Members.Exists(member => ConstructorParser.HasNameOf(member.Symbol, parameter)) && !level.GetMembers().Any(member => ConstructorParser.HasNameOf(member, parameter) && NinoAttributes.IsIgnored(member))
        select parameter;

    /// <summary>Warns of what a type of another assembly, or one of its bases, may keep to itself (NINO020).</summary>
    public static void WarnUnseen(ParsedType type, INamedTypeSymbol level, string why, TypeGraph graph, ISymbol? member = null) =>
        WarnUnseen(member ?? type.Symbol, type.Origin, level, why, graph);

    /// <summary>As <see cref="WarnUnseen(ParsedType, INamedTypeSymbol, string, TypeGraph, ISymbol?)"/>, of what was reached at an origin.</summary>
    public static void WarnUnseen(ISymbol place, Origin origin, INamedTypeSymbol level, string why, TypeGraph graph) =>
        graph.Diagnostics.Report(NinoDiagnostics.UnseenState, DiagnosticSink.Place(place, origin.Location), TypeNames.Message(level), why);

    /// <summary>Of an assembly there is neither code nor private state to look at. What a type with [NinoType] shows was looked at where it is compiled.</summary>
    private static void ReportUnseen(ParsedType type, IMethodSymbol? constructor, Dictionary<ParsedMember, IParameterSymbol> matches, TypeGraph graph)
    {
        ForeignContract? contract = ForeignContract.Of(type.Symbol);
        for (INamedTypeSymbol? level = type.Symbol; level is not null; level = level.BaseType)
        {
            if (ShowsAll(level))
            {
                // What a base with a mark shows was looked at in its assembly, with its own constructors.
                if (NinoAttributes.IsNinoType(level) && !graph.IsLocal(level) && !SymbolEqualityComparer.Default.Equals(level, type.Symbol)) PassedToBases.Report(type, level, level.GetMembers().OfType<IPropertySymbol>().Where(IsUnseen), constructor, matches, graph);
                continue;
            }

            List<IPropertySymbol> properties = [.. level.GetMembers().OfType<IPropertySymbol>()];
            List<IPropertySymbol> unseen = properties.FindAll(IsUnseen), unread = unseen.Count > 0 ? [] : properties.FindAll(IsUnread);
            string? told = Listed(unseen) is { } shown ? $"shows {shown}, which cannot be set and whose code is in another assembly: unless it is computed from what is stored, it is lost"
                : Listed(unread) is { } set ? $"lets {set} be set and shows no getter outside of its assembly: what it holds is not stored"
                : null;
            if (told is not null) WarnUnseen(type, level, told, graph);
            List<ISymbol> hidden = [.. HiddenFields(level), .. HiddenOfSerializable(level)];
            // Each property that is told may show one of them; but not that of an auto-property that is not seen.
            bool IsOfSeen(ISymbol one) => one is IFieldSymbol field && (CompilerFields.OwnerOf(field) is not { } owner || !level.GetMembers(owner).IsEmpty);
            if (told is not null && hidden.Count(IsOfSeen) <= CodeStored(level) + unseen.Count + unread.Count) hidden.RemoveAll(IsOfSeen);
            if (Names(hidden.Select(static one => one is IFieldSymbol field && CompilerFields.OwnerOf(field) is { } owner ? owner : one.Name)) is { } kept) WarnUnseen(type, level, $"keeps {kept} to itself, which is not stored and which no property that is stored shows: it is lost", graph);
            else if (told is null && Names(properties.Where(IsBehindInterface).Select(static property => TypeNames.Message(property.ExplicitInterfaceImplementations[0].ContainingType) + "." + property.ExplicitInterfaceImplementations[0].Name)) is { } behind && (level.IsValueType || CompiledMembers.HidesState(level, graph.Compilation) != false))
                WarnUnseen(type, level, $"lets {behind} be got and set by the interface, and that code is in another assembly: unless what it holds is stored as another member, it is lost", graph);
        }

        static string? Listed(IEnumerable<ISymbol> members) => Names(members.Select(static member => member.Name));

        static string? Names(IEnumerable<string> names) => string.Join(", ", names.Select(static name => $"'{name}'")) is { Length: > 0 } text ? text : null;

        // An auto-property is an error of its own. What has the name of a stored member most likely gets and sets that.
        bool IsBehindInterface(IPropertySymbol property) =>
            property is { IsStatic: false, IsIndexer: false } && IsShownByInterface(property) && !MemberParser.IsAutoProperty(property)
            && !NinoAttributes.IsIgnored(property) && !PlainModels.LeavesOut(property, type.Symbol, contract) && IsData(property.Type)
            && !type.Members.Exists(member => member.Name == property.ExplicitInterfaceImplementations[0].Name);

        // An auto-property has a getter. One without is code that sets other members.
        bool IsUnread(IPropertySymbol property) =>
            property is { IsStatic: false, IsIndexer: false, GetMethod: null, OverriddenProperty: null, SetMethod: { DeclaredAccessibility: Accessibility.Public } setter }
            && setter.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name == "CompilerGeneratedAttribute")
            && !NinoAttributes.IsIgnored(property) && !PlainModels.LeavesOut(property, type.Symbol, contract) && IsData(property.Type);

        // The private fields of a struct are seen, whatever hides those of a class. Each property with code that is stored may stand for one. What MemoryPack makes of a struct is all of its memory; other serializers leave out what they do not mark.
        List<IFieldSymbol> HiddenFields(INamedTypeSymbol level)
        {
            if (!level.IsValueType || contract is not (null or { Space: "MemoryPack" })) return [];
            List<IFieldSymbol> fields = [.. level.GetMembers().OfType<IFieldSymbol>().Where(field => (IsHiddenState(field) || IsOfHidden(field)) && !type.Members.Exists(member => SymbolEqualityComparer.Default.Equals(member.Symbol, field)) && !PlainModels.LeavesOut(field, type.Symbol, contract))];
            return fields.Count > CodeStored(level) ? fields : [];
        }

        // As those of a struct, where the assembly is whole: DataContractSerializer and the formatters store every field.
        List<ISymbol> HiddenOfSerializable(INamedTypeSymbol level)
        {
            // One that is written by code is told for that.
            if (level.IsValueType || !(contract?.TakesFieldsOf(level) ?? level.IsSerializable) || UnaskedCode.WriterOf(type.Symbol) is not null) return [];
            List<ISymbol> hidden = [.. (CompiledMembers.Hidden(level, graph.Compilation) ?? []).Where(member => IsHiddenState(member) && !PlainModels.IsNotSerialized(member) && !type.Members.Exists(stored => stored.Name == member.Name))];
            // A property that an attribute leaves out shows one, too.
            return hidden.Count > CodeStored(level) + level.GetMembers().OfType<IPropertySymbol>().Count(property => !MemberParser.IsAutoProperty(property) && (NinoAttributes.IsIgnored(property) || PlainModels.LeavesOut(property, type.Symbol, contract))) ? hidden : [];
        }

        int CodeStored(INamedTypeSymbol level) => type.Members.Count(member => member.Symbol is IPropertySymbol property && SymbolEqualityComparer.Default.Equals(property.ContainingType, level) && !MemberParser.IsAutoProperty(property));

        // A property may be seen and not be public. Where the whole assembly is seen, marks on one that is not count.
        bool IsOfHidden(IFieldSymbol field) =>
            !CompilerFields.IsShown(field) && CompilerFields.OwnerOf(field) is { } owner && IsData(field.Type) && !type.Members.Exists(member => member.Name == owner)
            && !field.ContainingType.GetMembers(owner).Concat(CompiledMembers.Hidden(field.ContainingType, graph.Compilation) ?? []).Any(member => member.Name == owner && (NinoAttributes.IsIgnored(member) || PlainModels.LeavesOut(member, type.Symbol, contract)));

        bool IsUnseen(IPropertySymbol property) =>
            property is { IsStatic: false, IsAbstract: false, IsIndexer: false, RefKind: RefKind.None, GetMethod.DeclaredAccessibility: Accessibility.Public }
            && Declarations.Accessor(property, static one => one.SetMethod) is null
            && !type.Members.Exists(member => member.Name == property.Name)
            && !NinoAttributes.IsIgnored(property)
            && !IsOverridden(property)
            && !PlainModels.LeavesOut(property, type.Symbol, contract)
            && IsData(property.Type);

        // What is shown then is the override's, which is looked at where it stands.
        bool IsOverridden(IPropertySymbol property)
        {
            for (INamedTypeSymbol? level = type.Symbol; level is not null && !SymbolEqualityComparer.Default.Equals(level, property.ContainingType); level = level.BaseType)
            {
                if (level.GetMembers(property.Name).Any(other => Declarations.Overrides(other, property))) return true;
            }

            return false;
        }
    }

    /// <summary>A type or one level of it hides nothing that is not looked at elsewhere: it is in source, of the framework, says itself what it stores, or shows its fields.</summary>
    public static bool ShowsAll(INamedTypeSymbol level) =>
        !level.DeclaringSyntaxReferences.IsEmpty || Framework.Has(level) || level.IsTupleType || NinoAttributes.IsNinoType(level) || FSharpTypes.IsRecord(level) || ShowsAllFields(level);

    /// <summary>The fields of a struct are seen, whatever their accessibility: all of them are public, or are those of properties, which are seen themselves.</summary>
    public static bool ShowsAllFields(INamedTypeSymbol type) =>
        type.IsValueType && type.GetMembers().OfType<IFieldSymbol>().All(static field => field.IsStatic || field.DeclaredAccessibility == Accessibility.Public || (!field.CanBeReferencedByName && CompilerFields.IsShown(field)));

    /// <summary>The type and its bases, as far as they are in source.</summary>
    public static IEnumerable<INamedTypeSymbol> Levels(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type; level is not null && !level.DeclaringSyntaxReferences.IsEmpty; level = level.BaseType) yield return level;
    }

    /// <summary>Tells of each state of some levels that is not stored, and that something shows.</summary>
    /// <param name="levels">The levels.</param>
    /// <param name="captured">Parameters in their heads that are state.</param>
    /// <param name="advise">What to do about such a one.</param>
    /// <param name="showsElements">What <c>foreach</c> shows counts.</param>
    /// <param name="isStored">A member is stored.</param>
    /// <param name="origin">How the type was reached.</param>
    /// <param name="graph">The graph.</param>
    /// <param name="storedBy">Who stores a state though nothing shows it.</param>
    /// <param name="made">A stored property shows something else than what it reads.</param>
    /// <param name="advice">What to do about a field or property.</param>
    public static void Report(IEnumerable<INamedTypeSymbol> levels, IEnumerable<IParameterSymbol> captured, Func<IParameterSymbol, string> advise, bool showsElements, Predicate<ISymbol> isStored, Origin origin, TypeGraph graph, Func<ISymbol, string?>? storedBy = null, Predicate<IPropertySymbol>? made = null, string advice = "store it with [NinoInclude], or mark it with [NinoIgnore] when it may be lost")
    {
        List<INamedTypeSymbol> all = [.. levels];
        List<ISymbol> hidden = [.. captured];
        List<IPropertySymbol> properties = [];
        List<ISymbol> computed = [];
        List<IPropertySymbol> inner = [];
        List<IPropertySymbol> writeOnly = [];
        foreach (INamedTypeSymbol level in all)
        {
            hidden.AddRange(level.GetMembers().Where(member => (IsHiddenState(member) || IsShownState(member)) && !isStored(member) && (IsHiddenState(member) || storedBy?.Invoke(member) is not null)));
            properties.AddRange(level.GetMembers().OfType<IPropertySymbol>().Where(static property => !property.IsStatic));
            if (showsElements) computed.AddRange(level.GetMembers().OfType<IMethodSymbol>().Where(IsEnumerator));
        }

        if (hidden.Count == 0) return;

        // Once for all that is hidden: there may be hundreds of both.
        var names = new AccessorNames();
        HashSet<(ISymbol Class, string Name)>? given = null;
        // What a stored property reads or writes is stored with it; what one with [NinoIgnore] reads was left out knowingly; what a getter sets is a cache.
        foreach (IPropertySymbol property in properties)
        {
            if (isStored(property) || NinoAttributes.IsIgnored(property))
            {
                HashSet<string> named = names.Named(property);
                if (named.Count > 0 && made?.Invoke(property) != true) hidden.RemoveAll(state => named.Contains(state.Name) && IsSeenBy(property, state));
            }
            else if (property.GetMethod?.DeclaredAccessibility == Accessibility.Public || IsShownByInterface(property))
                computed.Add(property);
            else if (property.SetMethod?.DeclaredAccessibility == Accessibility.Public && Declarations.Accessor(property, static one => one.GetMethod) is null)
                writeOnly.Add(property);
            else if (property.GetMethod is not null && !MemberParser.IsAutoProperty(property))
                inner.Add(property);
        }

        foreach (ISymbol state in hidden)
        {
            bool Sets(ISymbol member) => names.SetByGetter(member).Contains(state.Name) && IsSeenBy(member, state);

            // What an enumerator sets is no cache of a property, and no state that it shows.
            List<IPropertySymbol> setting = [.. computed.Concat(inner).OfType<IPropertySymbol>().Where(Sets)];
            if (setting.Count > 0 && Caches.Is(state, TypeOf(state), setting, given ??= Caches.Given(all, names))) continue;
            if (GeneratedProperties.MarkOf(state) is { } mark)
            {
                graph.Diagnostics.Report(NinoDiagnostics.LostState, DiagnosticSink.Place(state, origin.Location), "field", Full(state), $"the property that another generator makes of it ({mark}) shows it", advice);
                continue;
            }

            string? serializer = storedBy?.Invoke(state);
            if (serializer is not null && state is not IParameterSymbol)
            {
                graph.Diagnostics.Report(NinoDiagnostics.LostState, DiagnosticSink.Place(state, origin.Location), state is IFieldSymbol ? "field" : "property", Full(state), serializer, advice);
                continue;
            }

            ISymbol? reader = computed.Find(member => Reads(member, state) && !(member is IMethodSymbol && Sets(member)));
            // By way of properties that are not public.
            if (reader is null && Readers(state, inner) is { Count: > 0 } between) reader = computed.Find(member => between.Exists(one => Reads(member, one)) && !(member is IMethodSymbol && Sets(member)));
            IPropertySymbol? setter = reader is null ? writeOnly.Find(property => IsSeenBy(property, state) && AccessorCode.Bodies(property, onlyGetter: false).Any(body => AccessorCode.Mentions(body, state.Name).Any(AccessorCode.IsSet))) : null;
            string? why = setter is not null ? $"the property '{Full(setter)}', which can only be set, sets it"
                : reader is null ? serializer
                : reader is IMethodSymbol ? "foreach over the object shows it"
                : IsLazy(state) || setting.Exists(property => MadeWhenAsked.Is(property, state, TypeOf(state))) ? $"the property '{Full(reader)}' makes it when it is first asked for, of nothing that is stored, and shows it"
                : $"the property '{Full(reader)}' is computed from it";
            if (why is null) continue;
            graph.Diagnostics.Report(NinoDiagnostics.LostState, DiagnosticSink.Place(state, origin.Location), state is IParameterSymbol ? "constructor parameter" : state is IFieldSymbol ? "field" : "property", Full(state), why,
                state is IParameterSymbol parameter ? advise(parameter) : advice);
        }

        bool Reads(ISymbol member, ISymbol state) => names.NamedByGetter(member).Contains(state.Name) && IsSeenBy(member, state);

        // Those of some properties that read a state, or another one of them that does.
        List<IPropertySymbol> Readers(ISymbol state, List<IPropertySymbol> properties)
        {
            List<IPropertySymbol> readers = properties.FindAll(property => Reads(property, state));
            for (int i = 0; i < readers.Count; i++) readers.AddRange(properties.FindAll(property => !readers.Contains(property) && Reads(property, readers[i])));
            return readers;
        }

        static string Full(ISymbol member) => TypeNames.Message(member.ContainingType.OriginalDefinition) + "." + member.Name;
    }

    /// <summary>The name of the state means it in the code of a member: a class and its base may each have a private field of one name.</summary>
    private static bool IsSeenBy(ISymbol member, ISymbol state)
    {
        if (state is IParameterSymbol) return IsOf(member.ContainingType, state.ContainingType);
        for (INamedTypeSymbol? level = member.ContainingType; level is not null; level = level.BaseType)
        {
            if (IsOf(level, state.ContainingType)) return state.DeclaredAccessibility != Accessibility.Private || SeesPrivate(level);
            bool isHidden = level.GetMembers(state.Name).Any(other => other.DeclaredAccessibility != Accessibility.Private || SeesPrivate(level));
            if (isHidden && !(IsOf(level, member.ContainingType) && AccessorCode.Bodies(member, onlyGetter: false).Any(body => AccessorCode.Mentions(body, state.Name).Any(AccessorCode.IsOfBase)))) return false;
        }

        return false;

        // As code of the class itself does, and of those that lie in it.
        bool SeesPrivate(INamedTypeSymbol level)
        {
            for (INamedTypeSymbol? around = member.ContainingType; around is not null; around = around.ContainingType)
            {
                if (IsOf(around, level)) return true;
            }

            return false;
        }

        static bool IsOf(INamedTypeSymbol level, INamedTypeSymbol other) => SymbolEqualityComparer.Default.Equals(level.OriginalDefinition, other.OriginalDefinition);
    }

    /// <summary>Who stores a field without a mark that is not public, or that in which the compiler keeps a parameter, though nothing shows it, for the middle of a sentence; null where nobody does.</summary>
    private static string? StoredBy(ISymbol state, ParsedType parsed)
    {
        if (parsed.CopiedBy is { } copied && !IsShownState(state) && (state is not IParameterSymbol || IsKept(state))) return copied;
        INamedTypeSymbol type = parsed.Symbol;
        if (NinoAttributes.IsNinoType(type)) return null;
        ForeignContract? contract = ForeignContract.Of(type);
        if (state is not IParameterSymbol && contract?.MarkThatDoesNotCount(state) is { } mark) return $"{mark} is on it, by which another serializer stores it, and {contract.ModelMark} on its class counts";
        if (IsShownState(state)) return null;
        if (state is IParameterSymbol ? !IsKept(state) : PlainModels.LeavesOut(state, type, contract) && contract?.TakesFieldsOf(state.ContainingType) != true) return null;
        return contract?.CopiesMemory
            ?? (state is IParameterSymbol && contract?.StoresAllFieldsOf(state.ContainingType) == true ? "its serializer stores all fields of the class (ImplicitFields.AllFields), that in which the compiler keeps it among them" : null)
            ?? (state.ContainingType.IsSerializable && !(state is not IParameterSymbol && PlainModels.IsNotSerialized(state)) && contract?.TakesFieldsOf(state.ContainingType) != false ? "DataContractSerializer and the formatters store every field of a [Serializable] class" : null)
            // One of the framework that writes itself knows no field of what is derived from it.
            ?? (state is not IParameterSymbol && UnaskedCode.WriterOf(type) is { } writer && (writer != UnaskedCode.RuntimeWriter || UnaskedCode.WritesItself(type)) ? $"code of its own writes the type ({writer}) and may store it" : null);
    }

    /// <summary>Code of a class names a parameter in its head, so that the compiler keeps it in a field. What makes a member when the object is made does not.</summary>
    private static bool IsKept(ISymbol parameter) =>
        parameter.ContainingType.GetMembers().Any(member => member is IMethodSymbol or IPropertySymbol && AccessorCode.Bodies(member, onlyGetter: false).Any(body => AccessorCode.Mentions(body, parameter.Name).Any()));

    /// <summary>Who has the object as an interface gets and sets it. What can only be got may be any view of the object.</summary>
    private static bool IsShownByInterface(IPropertySymbol property) =>
        property is { ExplicitInterfaceImplementations.IsEmpty: false, GetMethod: not null } && (property.SetMethod is not null || IsSetByAnother(property)) && !PlainModels.LeavesOut(property, property.ContainingType, ForeignContract.Of(property.ContainingType));

    /// <summary>One interface gets it, and another one sets what has its name.</summary>
    private static bool IsSetByAnother(IPropertySymbol property) =>
        property.ContainingType.GetMembers().OfType<IPropertySymbol>().Any(other => other is { ExplicitInterfaceImplementations.IsEmpty: false, SetMethod: not null } && other.ExplicitInterfaceImplementations[0].Name == property.ExplicitInterfaceImplementations[0].Name);

    /// <summary>A public member that holds something. One that is not stored is left out by what its class says.</summary>
    private static bool IsShownState(ISymbol member) =>
        member is { IsStatic: false, IsImplicitlyDeclared: false, CanBeReferencedByName: true } && !NinoAttributes.IsIgnored(member)
        && (member is IFieldSymbol { IsConst: false, DeclaredAccessibility: Accessibility.Public } || (member is IPropertySymbol { IsIndexer: false, GetMethod.DeclaredAccessibility: Accessibility.Public } property && MemberParser.IsAutoProperty(property)));

    private static bool IsHiddenState(ISymbol member)
    {
        if (member.IsStatic || member.IsImplicitlyDeclared || !member.CanBeReferencedByName || MemberParser.IsMarked(member) || NinoAttributes.IsIgnored(member)) return false;
        return member switch
        {
            IFieldSymbol { AssociatedSymbol: null, DeclaredAccessibility: not Accessibility.Public } field => field.IsFixedSizeBuffer || IsData(field.Type) || IsLazy(field) || (field is { Type.SpecialType: SpecialType.System_Object, IsReadOnly: false } && !Filling.Initializers(field).Any(static made => made is BaseObjectCreationExpressionSyntax)),
            IPropertySymbol { GetMethod.DeclaredAccessibility: not Accessibility.Public } property => MemberParser.IsAutoProperty(property) && (IsData(property.Type) || property is { Type.SpecialType: SpecialType.System_Object, SetMethod: not null }),
            _ => false,
        };
    }

    private static bool IsLazy(ISymbol state) => state is IFieldSymbol && MadeWhenAsked.IsLazy(state, TypeOf(state));

    private static ITypeSymbol TypeOf(ISymbol state) => state is IFieldSymbol field ? field.Type : state is IPropertySymbol property ? property.Type : ((IParameterSymbol)state).Type;

    /// <summary>False for types that serve the code rather than hold a value: locks, lazy values, delegates.</summary>
    public static bool IsData(ITypeSymbol type) =>
        type is not { TypeKind: TypeKind.Delegate or TypeKind.Error or TypeKind.Pointer or TypeKind.FunctionPointer }
        && type.SpecialType != SpecialType.System_Object
        && TypeNames.Metadata(type.OriginalDefinition) is var name && name != "System.Lazy`1" && !name.StartsWith("System.Threading.", StringComparison.Ordinal);

    /// <summary>What <c>foreach</c> or <c>await foreach</c> over the object asks for, under its own name or that of the interface.</summary>
    private static bool IsEnumerator(IMethodSymbol method) =>
        !method.IsStatic
        && (IsEnumerator(method, method.DeclaredAccessibility == Accessibility.Public) || method.ExplicitInterfaceImplementations.Any(static implemented => IsEnumerator(implemented, implemented.ContainingType.Name is "IEnumerable" or AsyncEnumerable)));

    // The asynchronous one takes a token.
    private static bool IsEnumerator(IMethodSymbol method, bool isSeen) =>
        isSeen && (method is { Name: "GetEnumerator", Parameters.IsEmpty: true } or { Name: "GetAsyncEnumerator", Parameters.Length: <= 1 });
}
