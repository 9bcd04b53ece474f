// Which constructor reading calls: [NinoConstructor], which may mark a static method instead; else the primary constructor, which is an error where other assemblies would take another and store other members; else, of those that leave no state unset where there are such, the one that sets most of what nothing
// else can set, and of those the one with the fewest parameters.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class ConstructorParser
{
    /// <summary>Chooses the constructor, or reports why there is none.</summary>
    /// <param name="type">The type.</param>
    /// <param name="members">What may be stored of it.</param>
    /// <param name="graph">The compilation.</param>
    /// <param name="constructor">Null with true: one without parameters that no compiler shows, and whether there is one is seen when the program runs (<see cref="HiddenLevels"/>), or none is run (<see cref="ParsedType.Bare"/>).</param>
    /// <returns>False after reporting.</returns>
    public static bool TryChoose(ParsedType type, List<ParsedMember> members, TypeGraph graph, out IMethodSymbol? constructor)
    {
        constructor = Choose(type, members, graph, out bool isHidden);
        if (constructor is not null && KeyedParameters.ReportCrossed(constructor, members, type, graph)) constructor = null;
        return constructor is not null || isHidden;
    }

    private static IMethodSymbol? Choose(ParsedType type, List<ParsedMember> members, TypeGraph graph, out bool isHidden)
    {
        isHidden = false;
        INamedTypeSymbol symbol = type.Symbol;
        List<IMethodSymbol> marked = [.. symbol.GetMembers().OfType<IMethodSymbol>().Where(NinoAttributes.IsConstructor)];
        foreach (IMethodSymbol method in marked)
        {
            if (method.MethodKind == MethodKind.Constructor || WhyNoFactory(method) is not { } reason) continue;
            graph.Diagnostics.Report(NinoDiagnostics.BadFactory, DiagnosticSink.Place(method, type.Origin.Location), TypeNames.Message(symbol) + "." + method.Name, reason);
            return null;
        }
        bool isMarked = marked.Count > 0;
        ForeignContract? contract = ForeignContract.Of(symbol);
        if (marked.Count == 0 && contract is not null) marked = [.. contract.Constructors];
        if (marked.Count > 1) return Ambiguous("[NinoConstructor] marks more than one");
        if (marked.Count == 1) return Unmatched(marked[0], members, type, graph).Count == 0 ? marked[0] : ReportUnmatched(marked[0]);
        // They pass what has no member the default of its type: where there is such a parameter, the choice is open.
        List<IMethodSymbol> chosen = [.. ForeignContract.ConstructorsOfOthers(symbol, contract).Where(constructor => UnmatchedByName(constructor, members, type, graph).Count == 0)];
        if (chosen.Count == 1) return chosen[0];

        List<IMethodSymbol> open = [.. symbol.InstanceConstructors.Where(constructor => constructor.DeclaredAccessibility == Accessibility.Public && !IsCopyConstructor(constructor))];
        List<IMethodSymbol> usable = [.. open.Where(constructor => UnmatchedByName(constructor, members, type, graph).Count == 0)];
        if (usable.Count == 0) usable = [.. open.Where(constructor => KeyedParameters.Of(constructor, members, type, graph) is not null)];
        if (usable.Count == 0)
        {
            if ((contract?.HiddenConstructor ?? EmptyOfNonPublic(symbol)) is { } seen) return seen;
            if (contract is { SkipsConstructors: true }) type.Bare = HiddenLevels.HasEmptyConstructor(symbol, graph.Compilation) switch { true => BareModel.No, null => BareModel.WithoutEmpty, false => BareModel.Always };
            isHidden = contract is { SkipsConstructors: true } || HiddenLevels.MayHaveConstructor(symbol, contract, graph.Compilation);
            if (isHidden) return null;
            if (open.Count == 1) return ReportUnmatched(open[0]);
            string reason = open.Count == 0 ? $"none is public; {(IsOfOthers(symbol) ? WriteCodec(symbol) : "make one public, or mark one with [NinoConstructor]")}"
                : $"none of the public ones has only parameters that match members; {(IsOfOthers(symbol) ? WriteCodec(symbol) : "mark one with [NinoConstructor] to see what does not match")}";
            graph.Diagnostics.ReportTelling(NinoDiagnostics.NoUsableConstructor, DiagnosticSink.Place(symbol, type.Origin.Location), Others(), TypeNames.Message(symbol), reason);
            return null;
        }

        if (Primary(symbol) is { } primary && usable.Contains(primary, SymbolEqualityComparer.Default))
        {
            // Every assembly that closes a generic type, or registers one without a mark, writes a codec for it, and sees of another assembly's class not which one is in its head. What is computed and given to a constructor is stored, else it is not.
            IMethodSymbol? seen = SeenAsPrimary(symbol);
            List<IMethodSymbol> elsewhere = !IsClosedElsewhere(symbol) ? [primary] : seen is not null && usable.Contains(seen, SymbolEqualityComparer.Default) ? [seen] : Best(usable, members, type, graph);
            if (elsewhere.Count > 1 || elsewhere.Contains(primary, SymbolEqualityComparer.Default) || Given(primary).SetEquals(Given(elsewhere[0]))) return primary;
            return Ambiguous($"here the one in its head, and assemblies that use the class, which do not see that, '{Signature(elsewhere[0])}', with which they store other members; mark one with [NinoConstructor], that in the head with [method: NinoConstructor] in front of the class");
        }

        List<IMethodSymbol> best = Best(usable, members, type, graph);
        return best.Count == 1 ? best[0] : Ambiguous(string.Join(" and ", best.Select(static constructor => "'" + Signature(constructor) + "'")) + "; " + (IsOfOthers(symbol) ? WriteCodec(symbol) : "mark one with [NinoConstructor]"));

        HashSet<ParsedMember> Given(IMethodSymbol to) => [.. Match(to, members, type, graph).Keys.Where(static member => !member.CanBeSet)];

        IMethodSymbol? Ambiguous(string detail)
        {
            graph.Diagnostics.Report(NinoDiagnostics.AmbiguousConstructor, DiagnosticSink.Place(symbol, type.Origin.Location), TypeNames.Message(symbol), detail);
            return null;
        }

        IMethodSymbol? ReportUnmatched(IMethodSymbol constructor)
        {
            foreach ((IParameterSymbol parameter, string reason) in Unmatched(constructor, members, type, graph))
            {
                LocationModel? place = DiagnosticSink.Place(parameter, DiagnosticSink.Place(symbol, type.Origin.Location));
                graph.Diagnostics.ReportTelling(NinoDiagnostics.ParameterWithoutMember, place, Others(), parameter.Name, TypeNames.Message(symbol), reason);
            }

            return null;
        }

        string[] Others() => isMarked || IsOfOthers(symbol) ? [] : [.. symbol.InstanceConstructors.Where(other => IsUsableMarked(other, members, type, graph)).Select(static other => Signature(other.OriginalDefinition))];
    }

    /// <summary>Reading could call it if it had [NinoConstructor]: what an editor offers.</summary>
    private static bool IsUsableMarked(IMethodSymbol constructor, List<ParsedMember> members, ParsedType type, TypeGraph graph) =>
        !constructor.IsImplicitlyDeclared && !IsPrimary(constructor) && !IsCopyConstructor(constructor) && Unmatched(constructor, members, type, graph).Count == 0 && SetsState(constructor, members, type, graph)
        && constructor.Parameters.All(parameter => Hidden(parameter.Type, graph) is null);

    /// <summary>Other assemblies may write codecs for it: a generic class, of which they make constructions, or one that is registered and not marked.</summary>
    private static bool IsClosedElsewhere(INamedTypeSymbol type) => TypeGraph.IsShared(type) && GenerationParser.IsPublic(type);

    /// <summary>Those that set most of what nothing else can set, and of those the ones with the fewest parameters; before all, those that leave no state unset.</summary>
    private static List<IMethodSymbol> Best(List<IMethodSymbol> usable, List<ParsedMember> members, ParsedType type, TypeGraph graph)
    {
        // With any other, the state that it leaves unset would be an error.
        List<IMethodSymbol> whole = usable.FindAll(constructor => SetsState(constructor, members, type, graph));
        List<IMethodSymbol> best = [];
        (int Set, int Parameters) bestScore = (-1, 0);
        foreach (IMethodSymbol constructor in whole.Count > 0 ? whole : usable)
        {
            int set = Match(constructor, members, type, graph).Keys.Count(static member => !member.IsSettable);
            (int Set, int Parameters) score = (set, -constructor.Parameters.Length);
            if (score.CompareTo(bestScore) > 0 || best.Count == 0)
            {
                best = [constructor];
                bestScore = score;
            }
            else if (score == bestScore)
            {
                best.Add(constructor);
            }
        }

        return best;
    }

    /// <summary>A constructor takes all readonly fields and auto-properties that nothing else can set or fill; what is computed from them needs no parameter.</summary>
    private static bool SetsState(IMethodSymbol constructor, List<ParsedMember> members, ParsedType type, TypeGraph graph)
    {
        Dictionary<ParsedMember, IParameterSymbol> matches = Match(constructor, members, type, graph);
        return members.TrueForAll(member => member.CanBeSet || MemberParser.IsCollection(member.Type) || matches.ContainsKey(member) || (member.Symbol is IPropertySymbol property && !MemberParser.IsAutoProperty(property)));
    }

    /// <summary>The constructor without parameters, of whatever access, of a class with [NinoType(NonPublic = true)].</summary>
    public static IMethodSymbol? EmptyOfNonPublic(INamedTypeSymbol type) => NinoAttributes.StoresNonPublic(type) ? type.InstanceConstructors.FirstOrDefault(static constructor => constructor.Parameters.IsEmpty) : null;

    /// <summary>The members that a constructor takes.</summary>
    public static Dictionary<ParsedMember, IParameterSymbol> Match(IMethodSymbol constructor, List<ParsedMember> members, ParsedType type, TypeGraph graph) =>
        KeyedParameters.Of(constructor, members, type, graph) ?? MatchByName(constructor, members, graph);

    /// <summary>As <see cref="Match"/>, by names alone.</summary>
    public static Dictionary<ParsedMember, IParameterSymbol> MatchByName(IMethodSymbol constructor, List<ParsedMember> members, TypeGraph graph)
    {
        Dictionary<ParsedMember, IParameterSymbol> matches = [];
        foreach (IParameterSymbol parameter in constructor.Parameters)
        {
            if (Find(parameter, members, graph.Compilation) is { } member && IsConvertible(member, parameter, graph.Compilation)) matches[member] = parameter;
        }

        return matches;
    }

    /// <summary>The constructor declared in the head of a type. Of another assembly it is known of records with parameters only: the compiler takes them apart into these.</summary>
    public static IMethodSymbol? Primary(INamedTypeSymbol type)
    {
        if (!type.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty) return type.InstanceConstructors.FirstOrDefault(IsPrimary);
        return SeenAsPrimary(type);
    }

    /// <summary>What assemblies that use a type take for the constructor in its head. That a struct is a record they do not see, but that the compiler takes it apart.</summary>
    private static IMethodSymbol? SeenAsPrimary(INamedTypeSymbol type)
    {
        List<IMethodSymbol> deconstructing = [.. type.GetMembers("Deconstruct").OfType<IMethodSymbol>().Where(method => !method.IsStatic && (IsOfCompiler(method) || type is { IsRecord: true, IsReferenceType: true }))];
        return type.InstanceConstructors.Where(static constructor => !constructor.Parameters.IsEmpty).Select(constructor => (Constructor: constructor, Method: deconstructing.Find(method => TakesApart(method, constructor)))).Where(static one => one.Method is not null)
            .OrderByDescending(static one => IsOfCompiler(one.Method!)).ThenByDescending(static one => one.Constructor.Parameters.Length).FirstOrDefault().Constructor;
    }

    private static bool IsOfCompiler(IMethodSymbol method) => method.IsImplicitlyDeclared || method.GetAttributes().Any(static attribute => attribute.AttributeClass is { Name: "CompilerGeneratedAttribute", ContainingNamespace.Name: "CompilerServices" });

    public static bool IsPrimary(IMethodSymbol constructor) => constructor.DeclaringSyntaxReferences.Any(static reference => reference.Read() is TypeDeclarationSyntax);

    private static bool TakesApart(IMethodSymbol method, IMethodSymbol constructor) =>
        method.Parameters.Length == constructor.Parameters.Length
        && method.Parameters.Zip(constructor.Parameters, static (part, parameter) => part.RefKind == RefKind.Out && part.Name == parameter.Name && SymbolEqualityComparer.Default.Equals(part.Type, parameter.Type)).All(static isSame => isSame);

    public static ConstructionModel ToModel(ParsedType type, IMethodSymbol? constructor, Dictionary<ParsedMember, IParameterSymbol> matches, TypeGraph graph)
    {
        if (constructor is null) return new ConstructionModel(new EquatableArray<ArgumentModel>([]), new EquatableArray<string>([]), type.Bare == BareModel.Always ? null : Accessors.Constructor(type.Symbol), null, Bare: type.Bare);
        bool isFactory = constructor.MethodKind != MethodKind.Constructor;
        // There is no such method in the struct, so none that an accessor could reach.
        if (type.IsMadeFirst && constructor is { IsImplicitlyDeclared: true, Parameters.IsEmpty: true, ContainingType.IsValueType: true })
            return new ConstructionModel(new EquatableArray<ArgumentModel>([]), new EquatableArray<string>([]), null, null, IsDefault: true);
        // The compiler wants required members in an object initializer, which one that is made first does not have.
        bool isAccessible = Overloads.CanCall(constructor, graph) && (isFactory || !type.IsMadeFirst || NinoAttributes.SetsRequiredMembers(constructor) || !HasRequired(type.Symbol));
        // Where the compiler could take another one, or would tell a parameter that it is called by generated code, it is told all parameters and their types.
        bool isExact = isAccessible && (Overloads.MayTakeAnother(constructor, matches.Count, graph) || constructor.Parameters.Any(parameter => IsToldTheCaller(parameter) && !matches.ContainsValue(parameter)));
        List<ArgumentModel> arguments = [];
        foreach (IParameterSymbol parameter in constructor.Parameters)
        {
            int member = MemberOf(parameter);
            if (member < 0 && isAccessible && !isExact && parameter.IsOptional) continue;
            arguments.Add(new ArgumentModel(isAccessible && !isExact ? Accessors.Escape(parameter.Name) : null, member, Default(parameter), isExact ? TypeNames.Source(parameter.Type) : null));
        }

        if (!isAccessible) ReportHiddenParameters(type, constructor, graph);
        ConstructorAccessor? accessor = isAccessible ? null : Accessors.Constructor(constructor);
        IEnumerable<string> ignoredRequired = accessor is null && !isFactory && !NinoAttributes.SetsRequiredMembers(constructor) ? IgnoredRequired(type).Distinct() : [];
        return new ConstructionModel(new EquatableArray<ArgumentModel>(arguments), new EquatableArray<string>(ignoredRequired), accessor, isFactory && isAccessible ? TypeNames.Source(type.Symbol) + "." + Accessors.Escape(constructor.Name) : null, InPlace: InPlace());

        int MemberOf(IParameterSymbol parameter) =>
            type.Members.FindIndex(candidate => matches.TryGetValue(candidate, out IParameterSymbol match) && SymbolEqualityComparer.Default.Equals(match, parameter));

        InPlaceModel? InPlace() => type.KeepsReferences && !isFactory && CanBeNamed(constructor, graph.Compilation)
            ? new InPlaceModel(Accessors.Constructor(constructor), new EquatableArray<ArgumentModel>(constructor.Parameters.Select(parameter => new ArgumentModel(null, MemberOf(parameter), Default(parameter), null))))
            : null;
    }

    private static bool IsToldTheCaller(IParameterSymbol parameter) =>
        parameter.IsOptional && parameter.GetAttributes().Any(static attribute => attribute.AttributeClass is { Name: "CallerMemberNameAttribute" or "CallerFilePathAttribute" or "CallerLineNumberAttribute" or "CallerArgumentExpressionAttribute", ContainingNamespace.Name: "CompilerServices" });

    /// <summary>Generated code can spell the signature: all its types, and what an accessor of a generic type repeats.</summary>
    private static bool CanBeNamed(IMethodSymbol constructor, Compilation compilation) =>
        constructor.Parameters.All(static parameter => parameter.Type is not (IPointerTypeSymbol or IFunctionPointerTypeSymbol))
        && constructor.Parameters.Select(static parameter => parameter.Type).Concat(Accessors.Constraints(constructor.ContainingType)).All(type => Aliases.WhyNotNamed(type, compilation) is null);

    private static string? WhyNoFactory(IMethodSymbol method) =>
        !method.IsStatic ? "it is not static"
        : method.IsGenericMethod ? "it is generic"
        : method.ReturnsByRef || method.ReturnsByRefReadonly || !SymbolEqualityComparer.Default.Equals(method.ReturnType, method.ContainingType) ? $"it does not return '{TypeNames.Message(method.ContainingType)}'"
        : null;

    /// <summary>An accessor names all types of the parameters, also those of which it passes the default values.</summary>
    private static void ReportHiddenParameters(ParsedType type, IMethodSymbol constructor, TypeGraph graph)
    {
        foreach (IParameterSymbol parameter in constructor.OriginalDefinition.Parameters)
        {
            if (Hidden(parameter.Type, graph) is not { } hidden) continue;
            graph.Diagnostics.Report(NinoDiagnostics.TypeNotAccessible, DiagnosticSink.Place(hidden, type.Origin.Location), TypeNames.Message(hidden), $"; reading calls '{Signature(constructor)}', and the parameter '{parameter.Name}' has it");
            type.IsInvalid = true;
        }
    }

    private static INamedTypeSymbol? Hidden(ITypeSymbol type, TypeGraph graph) => type switch
    {
        IArrayTypeSymbol array => Hidden(array.ElementType, graph),
        INamedTypeSymbol named => TypeNames.AllArguments(named).Select(argument => Hidden(argument, graph)).FirstOrDefault(static one => one is not null) ?? (graph.IsAccessible(named.OriginalDefinition) ? null : named.OriginalDefinition),
        _ => null,
    };

    private static bool HasRequired(INamedTypeSymbol type) => FindRequired(type) is not null;

    /// <summary>A required member of a type, on any level, or null.</summary>
    public static ISymbol? FindRequired(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = level.BaseType)
        {
            if (level.GetMembers().FirstOrDefault(static member => member is IPropertySymbol { IsRequired: true } or IFieldSymbol { IsRequired: true }) is { } required) return required;
        }

        return null;
    }

    /// <summary>An accessor has no optional parameters: the default value is passed as an expression.</summary>
    private static string Default(IParameterSymbol parameter)
    {
        object? value = parameter.HasExplicitDefaultValue ? parameter.ExplicitDefaultValue : null;
        if (value is null) return $"default({TypeNames.Source(parameter.Type)})";
        string text = value switch
        {
            double.NaN or float.NaN => "0d / 0d",
            double.PositiveInfinity or float.PositiveInfinity => "1d / 0d",
            double.NegativeInfinity or float.NegativeInfinity => "-1d / 0d",
            // "-0" would be an integer, which has no sign.
            double zero when zero == 0 && 1 / zero < 0 => "-0d",
            float zero when zero == 0 && 1 / zero < 0 => "-0d",
            // Its text has no sign.
            decimal zero when zero == 0 && decimal.GetBits(zero)[3] is < 0 and int flags => $"new decimal(0, 0, 0, true, {((flags >> 16) & 0xFF).ToString(System.Globalization.CultureInfo.InvariantCulture)})",
            decimal number => number.ToString(System.Globalization.CultureInfo.InvariantCulture) + "m",
            // By way of a double the last bit may be another one.
            float number => number.ToString("R", System.Globalization.CultureInfo.InvariantCulture) + "f",
            DateTime time => $"new global::System.DateTime({time.Ticks.ToString(System.Globalization.CultureInfo.InvariantCulture)}L)",
            _ => SymbolDisplay.FormatPrimitive(value, quoteStrings: true, useHexadecimalNumbers: false)!,
        };
        return $"({TypeNames.Source(parameter.Type)})({text})";
    }

    private static IEnumerable<string> IgnoredRequired(ParsedType type)
    {
        for (INamedTypeSymbol? level = type.Symbol; level is not null; level = level.BaseType)
        {
            foreach (ISymbol member in level.GetMembers())
            {
                if (member is IPropertySymbol { IsRequired: true } or IFieldSymbol { IsRequired: true } && type.Members.TrueForAll(stored => stored.Name != member.Name)) yield return Accessors.Escape(member.Name);
            }
        }
    }

    private static List<(IParameterSymbol Parameter, string Reason)> Unmatched(IMethodSymbol constructor, List<ParsedMember> members, ParsedType type, TypeGraph graph) =>
        KeyedParameters.Of(constructor, members, type, graph) is not null ? [] : UnmatchedByName(constructor, members, type, graph);

    /// <summary>The parameters of a constructor that have no member of their name, or cannot be passed, each with what to do about it.</summary>
    public static List<(IParameterSymbol Parameter, string Reason)> UnmatchedByName(IMethodSymbol constructor, List<ParsedMember> members, ParsedType type, TypeGraph graph)
    {
        List<(IParameterSymbol, string)> unmatched = [];
        Dictionary<ParsedMember, IParameterSymbol> taken = [];
        foreach (IParameterSymbol parameter in constructor.Parameters)
        {
            ParsedMember? member = Find(parameter, members, graph.Compilation);
            string? reason = parameter.RefKind is RefKind.Ref or RefKind.Out ? $"ref and out parameters cannot be passed; {Or("")}"
                : HasPointer(parameter.Type) ? $"a pointer cannot be passed; {Or("")}"
                : member is not null && !IsConvertible(member, parameter, graph.Compilation) ? $"the member '{member.Name}' has another type, '{TypeNames.Message(member.Type)}'{(LosesDigits(member.Type, parameter.Type) ? ", which would be rounded" : "")}; {Or("give the two one type, or ")}"
                : member is not null && taken.TryGetValue(member, out IParameterSymbol same) ? $"the parameter '{same.Name}' takes the member '{member.Name}', too; {Or("give one of the two another name, and a member of that, or ")}"
                : member is null && !parameter.IsOptional && !IsIgnored(type, parameter) ? IsOfOthers(type.Symbol) ? WriteCodec(type.Symbol) : "add a property or field of that name (ignoring case), give the parameter a default value, which reading then always passes, or mark another constructor with [NinoConstructor]"
                : null;
            if (reason is not null) unmatched.Add((parameter, reason));
            else if (member is not null) taken.Add(member, parameter);
        }

        return unmatched;

        string Or(string change) => IsOfOthers(type.Symbol) ? WriteCodec(type.Symbol) : change + "mark another constructor with [NinoConstructor]";
    }

    /// <summary>Nobody here can change it.</summary>
    public static bool IsOfOthers(INamedTypeSymbol type) => type.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty;

    /// <summary>What is left for a type that nobody here can change.</summary>
    public static string WriteCodec(INamedTypeSymbol type) => $"it is a type of '{type.ContainingAssembly.Name}', so {TypeNames.OwnCodec(type)}";

    private static bool HasPointer(ITypeSymbol type) => type switch
    {
        IPointerTypeSymbol or IFunctionPointerTypeSymbol => true,
        IArrayTypeSymbol array => HasPointer(array.ElementType),
        INamedTypeSymbol named => TypeNames.AllArguments(named).Any(HasPointer),
        _ => false,
    };

    /// <summary>By exact name, else ignoring case and leading underscores; of several what holds something, before a property that is computed of it.</summary>
    public static ParsedMember? Find(IParameterSymbol parameter, List<ParsedMember> members, Compilation compilation) =>
        members.Find(member => member.Name == parameter.Name && !IsComputed(member))
        ?? members.Find(member => HasNameOf(member.Symbol, parameter) && !IsComputed(member) && IsConvertible(member, parameter, compilation))
        ?? members.Find(member => member.Name == parameter.Name)
        ?? members.Find(member => HasNameOf(member.Symbol, parameter));

    private static bool IsComputed(ParsedMember member) => !member.CanBeSet && member.Symbol is IPropertySymbol property && !MemberParser.IsAutoProperty(property);

    /// <summary>Ignoring case and leading underscores.</summary>
    public static bool HasNameOf(ISymbol member, IParameterSymbol parameter) =>
        string.Equals(member.Name.TrimStart('_'), parameter.Name.TrimStart('_'), StringComparison.OrdinalIgnoreCase);

    /// <summary>What a member holds can be passed a parameter as it is.</summary>
    public static bool IsConvertible(ParsedMember member, IParameterSymbol parameter, Compilation compilation) =>
        compilation.ClassifyConversion(member.Type, parameter.Type) is { IsImplicit: true, IsUserDefined: false } && !LosesDigits(member.Type, parameter.Type);

    /// <summary>C# converts these without a word, and rounds.</summary>
    private static bool LosesDigits(ITypeSymbol from, ITypeSymbol to) => (Inner(from).SpecialType, Inner(to).SpecialType) switch
    {
        (SpecialType.System_Int32 or SpecialType.System_UInt32, SpecialType.System_Single) => true,
        (SpecialType.System_Int64 or SpecialType.System_UInt64 or SpecialType.System_IntPtr or SpecialType.System_UIntPtr, SpecialType.System_Single or SpecialType.System_Double) => true,
        _ => Inner(from) is INamedTypeSymbol { IsTupleType: true } parts && Inner(to) is INamedTypeSymbol { IsTupleType: true } others && parts.TupleElements.Zip(others.TupleElements, static (part, other) => LosesDigits(part.Type, other.Type)).Contains(true),
    };

    private static ITypeSymbol Inner(ITypeSymbol type) => type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable ? nullable.TypeArguments[0] : type;

    /// <summary>The user left the parameter's member out: the parameter gets the default of its type.</summary>
    public static bool IsIgnored(ParsedType type, IParameterSymbol parameter)
    {
        ForeignContract? contract = ForeignContract.Of(type.Symbol);
        for (INamedTypeSymbol? level = type.Symbol; level is not null; level = level.BaseType)
        {
            foreach (ISymbol member in level.GetMembers())
            {
                if (HasNameOf(member, parameter) && member is IPropertySymbol or IFieldSymbol && (NinoAttributes.IsIgnored(member) || PlainModels.LeavesOut(member, type.Symbol, contract))) return true;
            }
        }

        return false;
    }

    public static bool IsCopyConstructor(IMethodSymbol constructor) =>
        constructor.ContainingType.IsRecord && constructor.Parameters.Length == 1 && SymbolEqualityComparer.Default.Equals(constructor.Parameters[0].Type, constructor.ContainingType);

    private static string Signature(IMethodSymbol constructor) =>
        (constructor.MethodKind == MethodKind.Constructor ? constructor.ContainingType.Name : constructor.Name) + "(" + string.Join(", ", constructor.Parameters.Select(static parameter => TypeNames.Message(parameter.Type))) + ")";
}
