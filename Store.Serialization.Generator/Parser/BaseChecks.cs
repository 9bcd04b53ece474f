// Whether the options of [NinoType] fit the type, and whether a base that names its cases names all that are there.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class BaseChecks
{
    /// <summary>Reports what is wrong with a marked type as a base, or as derived from one.</summary>
    public static void Report(INamedTypeSymbol type, TypeGraph graph)
    {
        LocationModel? place = DiagnosticSink.Place(type, null);
        string name = TypeNames.Message(type);
        if (type.IsValueType && NinoAttributes.AsksForReferences(type)) graph.Diagnostics.Report(NinoDiagnostics.InvalidBaseOption, place, "References", name, "a struct has no identity that could be kept; use a class");
        if ((type.IsValueType || type.IsSealed) && NinoAttributes.Unions(type).Any()) graph.Diagnostics.Report(NinoDiagnostics.InvalidBaseOption, place, "[NinoUnion]", name, "nothing can derive from it, so it has no cases");
        if (NinoAttributes.SkipsUnknownCases(type))
        {
            if (type.IsValueType || type.IsSealed) graph.Diagnostics.Report(NinoDiagnostics.InvalidBaseOption, place, "SkipUnknownCases", name, "nothing can derive from it, so it has no cases");
            else if (NinoAttributes.KeepsReferences(type)) graph.Diagnostics.Report(NinoDiagnostics.InvalidBaseOption, place, "SkipUnknownCases", name, "References are kept to its objects: whoever skips a case would lose count of them");
        }

        if (type.IsAbstract) return;
        foreach (INamedTypeSymbol level in Derivations.BasesOf(type).Skip(1))
        {
            // Of the base's own assembly only: another one cannot add a case there.
            List<AttributeData> named = [.. NinoAttributes.Unions(level)];
            if (named.Count == 0 || !SymbolEqualityComparer.Default.Equals(level.ContainingAssembly, type.ContainingAssembly)) continue;
            if (named.Exists(attribute => attribute.ConstructorArguments.Length == 2 && attribute.ConstructorArguments[1].Value is INamedTypeSymbol one && SymbolEqualityComparer.Default.Equals(one.OriginalDefinition, type.OriginalDefinition))) continue;
            int next = named.Max(static attribute => attribute.ConstructorArguments.Length == 2 && attribute.ConstructorArguments[0].Value is int tag ? tag : 0) + 1;
            graph.Diagnostics.Report(NinoDiagnostics.MissingCase, place, name, TypeNames.Message(level), next.ToString(System.Globalization.CultureInfo.InvariantCulture));
        }
    }

    /// <summary>Whoever skips an unknown case loses count of the numbered objects in it.</summary>
    public static void ReportSkippedReferences(TypeGraph graph)
    {
        foreach (ParsedUnion union in graph.Unions)
        {
            if (!NinoAttributes.SkipsUnknownCases(union.Symbol) || NinoAttributes.KeepsReferences(union.Symbol)) continue;
            HashSet<ParsedType> seen = [.. union.Reaches];
            Queue<ParsedType> unseen = new(seen);
            while (unseen.Count > 0)
            {
                ParsedType type = unseen.Dequeue();
                if (NinoAttributes.KeepsReferences(type.Symbol))
                {
                    graph.Diagnostics.Report(NinoDiagnostics.InvalidBaseOption, DiagnosticSink.Place(union.Symbol, type.Origin.Location), "SkipUnknownCases", TypeNames.Message(union.Symbol), $"a case reaches '{TypeNames.Message(type.Symbol)}', to which References are kept: whoever skips a case would lose count of them");
                    union.IsInvalid = true;
                    foreach (ParsedType one in union.Reaches) one.IsInvalid = true;
                    break;
                }

                foreach (ParsedType reached in type.Reaches())
                {
                    if (seen.Add(reached)) unseen.Enqueue(reached);
                }
            }
        }
    }
}
