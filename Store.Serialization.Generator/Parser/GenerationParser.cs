// From the marked types of a compilation to the models of everything to generate: collects the roots, lets the graph visit what they reach,
// drops what has errors, then lays out every type.

using Microsoft.CodeAnalysis;
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
        var graph = new TypeGraph(compilation, diagnostics, cancellation);
        List<(ITypeSymbol Type, Origin Origin)> roots = [.. Registered(compilation, registeringTypes, diagnostics), .. Marked(compilation, markedTypes)];
        foreach ((ITypeSymbol type, Origin _) in roots) graph.Allow(type);
        foreach ((ITypeSymbol type, ITypeSymbol codec, Origin origin) in RegisteredCodecs(compilation, registeringTypes)) graph.UseCodec(type, codec, origin);

        SortedDictionary<string, ResolvedCodec> registrations = new(StringComparer.Ordinal);
        foreach ((ITypeSymbol type, Origin origin) in roots)
        {
            // A marked type of another assembly registers itself there.
            if (graph.Resolve(type, origin) is { } codec && codec.Expression != BuiltInCodecs.Registered(codec.TypeName)) registrations[codec.TypeName] = codec;
        }

        graph.Visit();
        ReportNameCollisions(graph, diagnostics);
        DropInvalid(graph);

        List<ParsedType> types = [.. graph.Types.Where(static type => !type.IsInvalid).OrderBy(static type => type.Key, StringComparer.Ordinal)];
        HashSet<ParsedType> recursive = Recursion.Find(types);
        Dictionary<ParsedType, string> hintNames = HintNames(types);
        var layout = new Layout();
        return new GenerationModel(
            new EquatableArray<TypeModel>(types.Select(type => layout.ToModel(type, hintNames[type], recursive.Contains(type)))),
            new EquatableArray<RegistrationModel>(registrations.Values.Where(static codec => !codec.Reaches.Any(static type => type.IsInvalid)).Select(static codec => new RegistrationModel(codec.TypeName, codec.Expression))),
            diagnostics.ToModels());
    }

    private static IEnumerable<(ITypeSymbol, Origin)> Registered(Compilation compilation, EquatableArray<string> registeringTypes, DiagnosticSink diagnostics)
    {
        IEnumerable<ISymbol> holders = registeringTypes.Select(compilation.Assembly.GetTypeByMetadataName).OfType<ISymbol>().Distinct(SymbolEqualityComparer.Default);
        foreach ((ITypeSymbol type, AttributeData attribute) in holders.Prepend(compilation.Assembly).SelectMany(NinoAttributes.Registered))
        {
            LocationModel? place = DiagnosticSink.Place(attribute.ApplicationSyntaxReference is { } reference ? Location.Create(reference.SyntaxTree, reference.Span) : null);
            if (type is INamedTypeSymbol { IsUnboundGenericType: true } open)
            {
                string example = open.Name + "<" + string.Join(", ", open.OriginalDefinition.TypeParameters.Select(static _ => "int")) + ">";
                diagnostics.Report(NinoDiagnostics.OpenGeneric, place, TypeNames.Message(open), example);
                continue;
            }

            yield return (type, new Origin("[NinoSerializable]", place));
        }
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

    private static IEnumerable<(ITypeSymbol, Origin)> Marked(Compilation compilation, EquatableArray<string> markedTypes)
    {
        foreach (string name in markedTypes)
        {
            // An open generic type is a template: its codecs are generated where it is closed.
            if (compilation.Assembly.GetTypeByMetadataName(name) is not { } type || IsOpen(type)) continue;
            yield return (type, new Origin("[NinoType]", DiagnosticSink.Place(type, null)));
        }
    }

    private static bool IsOpen(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? level = type; level is not null; level = level.ContainingType)
        {
            if (!level.TypeParameters.IsEmpty) return true;
        }

        return false;
    }

    private static void ReportNameCollisions(TypeGraph graph, DiagnosticSink diagnostics)
    {
        foreach (IGrouping<string, ParsedType> group in graph.Types.OrderBy(static type => type.Key, StringComparer.Ordinal).GroupBy(static type => type.SchemaName))
        {
            ParsedType first = group.First();
            foreach (ParsedType other in group.Skip(1))
            {
                LocationModel? place = DiagnosticSink.Place(other.Symbol, other.Origin.Location);
                diagnostics.Report(NinoDiagnostics.SchemaNameCollision, place, TypeNames.Message(first.Symbol), TypeNames.Message(other.Symbol), group.Key);
            }
        }
    }

    /// <summary>Spreads invalidity to every type that reaches an invalid one, against the arrows of the graph.</summary>
    private static void DropInvalid(TypeGraph graph)
    {
        Dictionary<ParsedType, List<ParsedType>> users = [];
        foreach (ParsedType type in graph.Types)
        {
            foreach (ParsedType reached in type.Reaches())
            {
                if (!users.TryGetValue(reached, out List<ParsedType> list)) users.Add(reached, list = []);
                list.Add(type);
            }
        }

        Queue<ParsedType> invalid = new(graph.Types.Where(static type => type.IsInvalid));
        while (invalid.Count > 0)
        {
            if (!users.TryGetValue(invalid.Dequeue(), out List<ParsedType> affected)) continue;
            foreach (ParsedType type in affected)
            {
                if (type.IsInvalid) continue;
                type.IsInvalid = true;
                invalid.Enqueue(type);
            }
        }
    }

    /// <summary>File names must differ without regard to case; type names need not.</summary>
    private static Dictionary<ParsedType, string> HintNames(List<ParsedType> types)
    {
        Dictionary<ParsedType, string> names = [];
        foreach (IGrouping<string, ParsedType> group in types.GroupBy(static type => type.CodecName, StringComparer.OrdinalIgnoreCase))
        {
            bool isUnique = !group.Skip(1).Any();
            foreach (ParsedType type in group) names.Add(type, type.CodecName + (isUnique ? "" : "_" + TypeNames.Hash(type.Key)) + ".g.cs");
        }

        return names;
    }
}
