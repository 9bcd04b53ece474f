// The cases of a polymorphic base and their tags: those that [NinoUnion] names, else every derived type in reach under the hash of its schema name.

using System.Security.Cryptography;
using System.Text;
using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

/// <summary>A polymorphic base that gets a generated codec.</summary>
internal sealed class ParsedUnion(INamedTypeSymbol symbol, string key)
{
    public INamedTypeSymbol Symbol { get; } = symbol;

    public string Key { get; } = key;

    // No codec of an object ends so: the names never meet.
    public string CodecName { get; } = TypeNames.Identifier(symbol) + "Union";

    public string SchemaName { get; } = TypeNames.Schema(symbol);

    public bool HasExplicitTags { get; set; }

    /// <summary>Objects are numbered, whatever case they are.</summary>
    public bool KeepsReferences { get; init; }

    public List<ParsedCase> Cases { get; } = [];

    /// <summary>Has an error of its own.</summary>
    public bool IsInvalid { get; set; }

    public string Expression => "global::" + GenerationParser.GeneratedNamespace + "." + CodecName;

    public int MinSize => HasExplicitTags || KeepsReferences ? 1 : 4;

    public IReadOnlyList<ParsedType> Reaches => [.. Cases.SelectMany(static one => one.Codec.Reaches).Distinct()];

    public UnionModel ToModel(string hintName)
    {
        return new UnionModel(
            Key,
            CodecName,
            hintName,
            SchemaName,
            HasExplicitTags,
            NinoAttributes.SkipsUnknownCases(Symbol),
            KeepsReferences,
            NinoAttributes.NamesObsolete(Symbol) || Cases.Exists(static one => NinoAttributes.NamesObsolete(one.Symbol)),
            new EquatableArray<string>(FormerTypeNames.Of(Symbol)),
            new EquatableArray<CaseModel>(Cases.OrderBy(static one => one.Tag).Select(one => new CaseModel(
                one.Tag,
                one.Codec.ToModel(),
                TypeNames.Schema(one.Symbol),
                one.Symbol.IsValueType ? CaseShape.Struct : !KeepsReferences && one.KeepsReferences ? CaseShape.Numbered : CaseShape.Class))));
    }
}

internal sealed record ParsedCase(uint Tag, INamedTypeSymbol Symbol, ResolvedCodec Codec, bool KeepsReferences);

internal static class UnionParser
{
    /// <summary>Finds the cases of a base and adds them, or reports what is wrong with one.</summary>
    public static void Parse(ParsedUnion union, IReadOnlyList<(INamedTypeSymbol Type, int? Tag, LocationModel? Place)> cases, Origin origin, TypeGraph graph)
    {
        string name = TypeNames.Message(union.Symbol);
        foreach ((INamedTypeSymbol type, int? explicitTag, LocationModel? place) in cases)
        {
            uint tag = explicitTag is { } number ? unchecked((uint)number) : Hash(TypeNames.Schema(type));
            string? problem = explicitTag < 0 ? "tags start at 0"
                : tag == 0 && explicitTag is null ? "its hash is that of null: give the cases tags with [NinoUnion], or this one another name with [NinoType(Name = ...)]"
                : union.Cases.Find(other => other.Tag == tag) is not { } same ? null
                : explicitTag is null ? $"the name of '{TypeNames.Message(same.Symbol)}' has the same hash: give the cases tags with [NinoUnion], or one of the two another name with [NinoType(Name = ...)]"
                : $"'{TypeNames.Message(same.Symbol)}' has it already";
            if (problem is not null)
            {
                graph.Diagnostics.Report(NinoDiagnostics.InvalidTag, place ?? DiagnosticSink.Place(type, origin.Location), Show(tag, explicitTag), TypeNames.Message(type), name, problem);
                union.IsInvalid = true;
                continue;
            }

            if (graph.UserCodecs.Of(type) is { } custom)
            {
                // Which case it is stands in front of an object's members; what a codec of the user's writes may be anything.
                graph.Diagnostics.Report(NinoDiagnostics.UnusableCodec, place ?? DiagnosticSink.Place(type, origin.Location), custom, $"the case '{TypeNames.Message(type)}' of '{name}'", "a case is stored by its members; put the codec on members of the case, or on a type that the case holds");
                union.IsInvalid = true;
                continue;
            }

            if (graph.ResolveCase(type, new Origin($"The base '{name}'", place ?? DiagnosticSink.Place(type, origin.Location))) is { } codec) union.Cases.Add(new ParsedCase(tag, type, codec, graph.References.AreKept(type)));
            else union.IsInvalid = true;
        }
    }

    /// <summary>What [NinoUnion] names on a base, checked; null when there is none.</summary>
    public static List<(INamedTypeSymbol Type, int? Tag, LocationModel? Place)>? Explicit(INamedTypeSymbol type, Origin origin, TypeGraph graph, out bool isInvalid)
    {
        isInvalid = false;
        List<(INamedTypeSymbol, int?, LocationModel?)> cases = [];
        bool any = false;
        foreach (AttributeData attribute in NinoAttributes.Unions(type))
        {
            any = true;
            LocationModel? place = attribute.ApplicationSyntaxReference is { } reference ? DiagnosticSink.Place(Location.Create(reference.SyntaxTree, reference.Span)) : origin.Location;
            if (attribute.ConstructorArguments.Length != 2 || attribute.ConstructorArguments[0].Value is not int tag || attribute.ConstructorArguments[1].Value is not ITypeSymbol named) continue;
            if (named is IErrorTypeSymbol missing)
            {
                RefusedTypes.Report(missing, RefusedTypes.Missing(missing), new Origin($"The base '{TypeNames.Message(type)}'", place), graph.Diagnostics);
                isInvalid = true;
                continue;
            }

            INamedTypeSymbol? closed = (named as INamedTypeSymbol) is { } candidate ? graph.Derivations.Close(candidate, type) : null;
            if (closed is null && named is INamedTypeSymbol derived && graph.Derivations.IsOfAnother(derived, type)) continue;
            string? problem = closed is null ? WhyNotDerived(named)
                : closed.IsAbstract ? "it is abstract, so no object is of this type"
                : closed.IsRefLikeType ? "a ref struct lives on the stack"
                : cases.Exists(other => SymbolEqualityComparer.Default.Equals(other.Item1, closed)) ? "it is named twice"
                : null;
            if (problem is null)
            {
                cases.Add((closed!, tag, place));
                continue;
            }

            graph.Diagnostics.Report(NinoDiagnostics.NotACase, place, "[NinoUnion]", TypeNames.Message(named), TypeNames.Message(type), problem);
            isInvalid = true;
        }

        return any ? cases : null;
    }

    /// <summary>Why a type that a base names is none that <see cref="Derivations.Close"/> finds.</summary>
    public static string WhyNotDerived(ITypeSymbol named) =>
        named is INamedTypeSymbol { IsUnboundGenericType: true } ? "the type arguments of the base do not determine its own; name a closed type" : "it is not derived from the base";

    /// <summary>The first four bytes, as a little-endian number, of SHA-256 over the name in UTF-8: as UnionDefinition of the engine.</summary>
    public static uint Hash(string schemaName)
    {
        using SHA256 sha = SHA256.Create();
        byte[] hash = sha.ComputeHash(Encoding.UTF8.GetBytes(schemaName));
        return hash[0] | ((uint)hash[1] << 8) | ((uint)hash[2] << 16) | ((uint)hash[3] << 24);
    }

    public static string Show(uint tag, int? explicitTag) => explicitTag?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "0x" + tag.ToString("X8", System.Globalization.CultureInfo.InvariantCulture);
}
