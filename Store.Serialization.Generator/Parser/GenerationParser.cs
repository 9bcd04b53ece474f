// From the marked types of a compilation to the models of everything to generate: collects the roots, lets the graph visit what they reach,
// drops what has errors, then lays out every type.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class GenerationParser
{
    public const string GeneratedNamespace = "Store.Serialization.Generated";

    /// <param name="compilation">The compilation to read.</param>
    /// <param name="markedTypes">Metadata names of the types with [NinoType].</param>
    /// <param name="registeringTypes">Metadata names of the classes with [NinoSerializable]; that of the assembly itself is read from the compilation.</param>
    /// <param name="cancellation">Stops the parse when the user types on.</param>
    public static GenerationModel Parse(Compilation compilation, EquatableArray<string> markedTypes, EquatableArray<string> registeringTypes, CancellationToken cancellation)
    {
        var diagnostics = new DiagnosticSink();
        List<(ITypeSymbol Type, Origin Origin)> registered = [.. Registered(compilation, registeringTypes, diagnostics)];
        if ((registered.Count > 0 || markedTypes.Count > 0) && WhyNothingCompiles(compilation) is { } reason)
        {
            // One error in place of dozens of the compiler's, each in a file that nobody wrote.
            LocationModel? place = markedTypes.Select(compilation.Assembly.GetTypeByMetadataName).OfType<INamedTypeSymbol>().Select(static type => DiagnosticSink.Place(type, otherwise: null)).Concat(registered.Select(static root => root.Origin.Location)).FirstOrDefault(static place => place is not null);
            diagnostics.Report(reason.Error, place, reason.Argument);
            return new GenerationModel(default, default, default, UsesFSharp: false, default, default, Objects: null, default, default, diagnostics.ToModels());
        }

        registered.AddRange([.. ForeignCases.Of(registered, compilation, diagnostics)]);
        List<INamedTypeSymbol> marked = [.. markedTypes.Select(compilation.Assembly.GetTypeByMetadataName).OfType<INamedTypeSymbol>()];
        List<ISymbol> registering = [.. registeringTypes.Select(compilation.Assembly.GetTypeByMetadataName).OfType<ISymbol>().Prepend(compilation.Assembly)];
        var graph = new TypeGraph(compilation, registering, new Derivations(compilation, registered.Select(static root => root.Type).OfType<INamedTypeSymbol>().Concat(marked)), diagnostics, cancellation);
        graph.References.AddMarkedMembers(registered.Select(static root => root.Type));
        List<(ITypeSymbol Type, Origin Origin)> roots = [.. registered, .. Marked(marked)];
        foreach ((ITypeSymbol type, Origin _) in roots) graph.Allow(type);
        foreach ((ITypeSymbol type, ITypeSymbol codec, Origin origin) in RegisteredCodecs(compilation, registeringTypes)) graph.UseCodec(type, codec, origin);
        foreach (INamedTypeSymbol type in marked)
        {
            SourceReading.Touch(type);
            BaseChecks.Report(type, graph);
        }

        SortedDictionary<string, ResolvedCodec> registrations = new(StringComparer.Ordinal);
        foreach ((ITypeSymbol type, Origin origin) in roots.Concat(BasesOf(marked)))
        {
            // A marked type of another assembly registers itself there.
            if (graph.Resolve(type, origin) is { } codec && codec.Expression != BuiltInCodecs.Registered(codec.TypeName)) registrations[codec.TypeName] = codec;
        }

        graph.Visit();
        if (graph.Objects is { } objects)
        {
            objects.Fill(roots, graph);
            graph.Visit();
        }

        CopiedStructs.Report(graph);
        Templates.Report(marked, graph);
        NameChecks.Report(graph);
        BaseChecks.ReportSkippedReferences(graph);
        LoopingKeys.Report(graph);
        BaseChecks.ReportRegisteredOptions(registering, graph);
        DropInvalid(graph);

        List<ParsedType> types = [.. graph.Types.Where(static type => !type.IsInvalid).OrderBy(static type => type.Key, StringComparer.Ordinal)];
        List<ParsedUnion> unions = [.. graph.Unions.Where(static union => !union.IsInvalid && !union.Reaches.Any(static type => type.IsInvalid)).OrderBy(static union => union.Key, StringComparer.Ordinal)];
        List<ParsedFSharpUnion> fsharpUnions = [.. graph.FSharpUnions.Where(static union => !union.Reaches.Any(static type => type.IsInvalid)).OrderBy(static union => union.Key, StringComparer.Ordinal)];
        HashSet<ParsedType> recursive = Recursion.Find(types);
        Dictionary<string, string> hintNames = HintNames([.. types.Where(static type => type.Case is null).Select(static type => (type.Key, type.CodecName)), .. unions.Select(static union => ("union " + union.Key, union.CodecName)), .. fsharpUnions.Select(static union => ("union " + union.Key, union.CodecName))]);
        var layout = new Layout(recursive);
        List<TypeModel> typeModels = [.. types.Select(type => layout.ToModel(type, type.Case is null ? hintNames[type.Key] : ""))];
        foreach (ParsedType type in types)
        {
            List<ParsedMember> ordered = layout.InOrder(type);
            SettersOfOthers.Report(type, ordered, graph);
            SettersBeforeOthers.Report(type, ordered, member => layout.IsFixed(type, member), graph);
        }

        Dictionary<ParsedType, TypeModel> models = types.Zip(typeModels, static (type, model) => (type, model)).ToDictionary(static pair => pair.type, static pair => pair.model);
        List<UnionModel> unionModels = [.. unions.Select(union => union.ToModel(hintNames["union " + union.Key]))];
        var views = new ViewParser(graph, types, unions);
        return new GenerationModel(
            new EquatableArray<TypeModel>(typeModels.Where(static type => !type.IsCase)),
            new EquatableArray<UnionModel>(unionModels),
            new EquatableArray<FSharpUnionModel>(fsharpUnions.Select(union => union.ToModel(hintNames["union " + union.Key], models))),
            graph.UsesFSharp,
            new EquatableArray<ViewModel>(types.Zip(typeModels, views.ToModel).OfType<ViewModel>()),
            new EquatableArray<UnionViewModel>(unions.Zip(unionModels, views.ToModel).OfType<UnionViewModel>()),
            graph.Objects?.ToModel(compilation.Assembly.Name),
            new EquatableArray<RegistrationModel>(Enums(graph).Concat(Registrations(registrations.Values, unions, compilation))),
            CustomCodecs.Written(graph),
            diagnostics.ToModels());
    }

    private static (DiagnosticDescriptor Error, string Argument)? WhyNothingCompiles(Compilation compilation) =>
        compilation is CSharpCompilation { LanguageVersion: < LanguageVersion.CSharp12 and var version } ? (NinoDiagnostics.OldLanguage, version.ToDisplayString())
        : Aliases.OfEngine(compilation) is { } alias ? (NinoDiagnostics.EngineUnderAlias, alias)
        : null;

    private static IEnumerable<RegistrationModel> Enums(TypeGraph graph) =>
        graph.ForeignEnums.Select(static pair => new RegistrationModel(pair.Key, TypeNames.Source(pair.Value), RegistrationKind.CheckEnum));

    private static IEnumerable<RegistrationModel> Registrations(IEnumerable<ResolvedCodec> roots, List<ParsedUnion> unions, Compilation compilation)
    {
        Dictionary<string, ParsedUnion> byKey = unions.ToDictionary(static union => union.Key);
        foreach (ResolvedCodec root in roots)
        {
            if (root.Reaches.Any(static type => type.IsInvalid)) continue;
            // The base of another assembly: others may know other cases of it, and that assembly too.
            bool isWider = byKey.TryGetValue(root.TypeName, out ParsedUnion union) && !SymbolEqualityComparer.Default.Equals(union.Symbol.ContainingAssembly, compilation.Assembly);
            yield return new RegistrationModel(root.TypeName, root.Expression, isWider ? RegistrationKind.RegisterWider : RegistrationKind.Register);
        }

        // A base that is a class of its own may be a case of a base in an assembly that references this one.
        foreach (ParsedUnion union in unions)
        {
            // Of a generic base of another assembly, or one without a mark, nobody else says it.
            if (!SymbolEqualityComparer.Default.Equals(union.Symbol.ContainingAssembly, compilation.Assembly) && TypeGraph.HasOneCodec(union.Symbol, NinoAttributes.IsNinoType(union.Symbol))) continue;
            if (union.Cases.Find(one => SymbolEqualityComparer.Default.Equals(one.Symbol, union.Symbol)) is { } exact) yield return new RegistrationModel(union.Key, exact.Codec.Expression, RegistrationKind.RegisterExact);
        }
    }

    /// <summary>The bases that marked types close or widen: generic ones, and those of other assemblies.</summary>
    private static IEnumerable<(ITypeSymbol, Origin)> BasesOf(List<INamedTypeSymbol> marked)
    {
        foreach (INamedTypeSymbol type in marked)
        {
            if (IsOpen(type) || type.IsAbstract) continue;
            foreach (INamedTypeSymbol level in Derivations.BasesOf(type).Skip(1))
            {
                if (NinoAttributes.IsNinoType(level) && (level.IsGenericType || !SymbolEqualityComparer.Default.Equals(level.ContainingAssembly, type.ContainingAssembly)))
                    yield return (level, new Origin($"The base of '{TypeNames.Message(type)}'", DiagnosticSink.Place(type, null)) { MayHaveNoCases = true, IsOnlyBase = true });
            }
        }
    }

    private static IEnumerable<(ITypeSymbol, Origin)> Registered(Compilation compilation, EquatableArray<string> registeringTypes, DiagnosticSink diagnostics)
    {
        IEnumerable<ISymbol> holders = registeringTypes.Select(compilation.Assembly.GetTypeByMetadataName).OfType<ISymbol>().Distinct(SymbolEqualityComparer.Default);
        foreach ((ITypeSymbol type, AttributeData attribute) in holders.Prepend(compilation.Assembly).SelectMany(NinoAttributes.Registered))
        {
            LocationModel? place = DiagnosticSink.Place(attribute.ApplicationSyntaxReference is { } reference ? Location.Create(reference.SyntaxTree, reference.Span) : null);
            if (type is INamedTypeSymbol { IsUnboundGenericType: true } open)
            {
                string example = TypeNames.Message(Closed(open.OriginalDefinition, compilation));
                diagnostics.Report(NinoDiagnostics.OpenGeneric, place, TypeNames.Message(open.OriginalDefinition), example);
                continue;
            }

            yield return (type, new Origin("[NinoSerializable]", place) { IsRoot = true });
        }
    }

    /// <summary>The type with int for the type parameters of all levels: an example, whatever their constraints.</summary>
    private static INamedTypeSymbol Closed(INamedTypeSymbol type, Compilation compilation)
    {
        INamedTypeSymbol open = type.ContainingType is { } outer ? Closed(outer, compilation).GetTypeMembers(type.Name, type.Arity)[0] : type;
        return open.Arity == 0 ? open : open.Construct([.. open.TypeParameters.Select(_ => compilation.GetSpecialType(SpecialType.System_Int32))]);
    }

    /// <summary>What [NinoSerializable(..., Codec = ...)] names.</summary>
    private static IEnumerable<(ITypeSymbol, ITypeSymbol, Origin)> RegisteredCodecs(Compilation compilation, EquatableArray<string> registeringTypes)
    {
        IEnumerable<ISymbol> holders = registeringTypes.Select(compilation.Assembly.GetTypeByMetadataName).OfType<ISymbol>().Distinct(SymbolEqualityComparer.Default);
        foreach ((ITypeSymbol type, AttributeData attribute) in holders.Prepend(compilation.Assembly).SelectMany(NinoAttributes.Registered))
        {
            if (attribute.NamedArguments.FirstOrDefault(static argument => argument.Key == "Codec").Value.Value is not ITypeSymbol codec) continue;
            yield return (type, codec, new Origin("[NinoSerializable]", DiagnosticSink.Place(attribute.ApplicationSyntaxReference is { } reference ? Location.Create(reference.SyntaxTree, reference.Span) : null)));
        }
    }

    private static IEnumerable<(ITypeSymbol, Origin)> Marked(List<INamedTypeSymbol> marked)
    {
        foreach (INamedTypeSymbol type in marked)
        {
            // An open generic type is a template: its codecs are generated where it is closed.
            if (!IsOpen(type)) yield return (type, new Origin("[NinoType]", DiagnosticSink.Place(type, null)) { IsRoot = true, MayHaveNoCases = IsPublic(type) });
        }
    }

    /// <summary>Other assemblies see the type.</summary>
    public static bool IsPublic(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = level.ContainingType)
        {
            if (level.DeclaredAccessibility is not (Accessibility.Public or Accessibility.Protected or Accessibility.ProtectedOrInternal)) return false;
        }

        return true;
    }

    private static bool IsOpen(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = level.ContainingType)
        {
            if (!level.TypeParameters.IsEmpty) return true;
        }

        return false;
    }

    /// <summary>Spreads invalidity to every type that reaches an invalid one, against the arrows of the graph.</summary>
    private static void DropInvalid(TypeGraph graph)
    {
        foreach (ParsedType type in Reaching.WithUsers(graph.Nodes.Where(static type => type.IsInvalid), graph.Nodes)) type.IsInvalid = true;
    }

    /// <summary>File names must differ without regard to case; type names need not.</summary>
    private static Dictionary<string, string> HintNames(List<(string Key, string CodecName)> codecs)
    {
        Dictionary<string, string> names = [];
        foreach (IGrouping<string, (string Key, string CodecName)> group in codecs.GroupBy(static codec => codec.CodecName, StringComparer.OrdinalIgnoreCase))
        {
            bool isUnique = !group.Skip(1).Any();
            foreach ((string key, string codecName) in group) names.Add(key, codecName + (isUnique ? "" : "_" + TypeNames.Hash(key)) + ".g.cs");
        }

        return names;
    }
}
