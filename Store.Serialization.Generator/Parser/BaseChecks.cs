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
        if (NinoAttributes.WhyNoName(type) is { } problem) graph.Diagnostics.Report(NinoDiagnostics.InvalidBaseOption, place, "Name", name, problem);
        if (type.IsValueType && NinoAttributes.AsksForReferences(type)) graph.Diagnostics.Report(NinoDiagnostics.InvalidBaseOption, place, "References", name, "a struct has no identity that could be kept; use a class");
        if ((type.IsValueType || type.IsSealed) && NinoAttributes.Unions(type).Any()) graph.Diagnostics.Report(NinoDiagnostics.InvalidBaseOption, place, "[NinoUnion]", name, "nothing can derive from it, so it has no cases");
        if (NinoAttributes.SkipsUnknownCases(type))
        {
            if (type.IsValueType || type.IsSealed) graph.Diagnostics.Report(NinoDiagnostics.InvalidBaseOption, place, "SkipUnknownCases", name, "nothing can derive from it, so it has no cases");
            else if (graph.References.AreKept(type)) graph.Diagnostics.Report(NinoDiagnostics.InvalidBaseOption, place, "SkipUnknownCases", name, "References are kept to its objects: whoever skips a case would lose count of them");
        }

        if (type.IsAbstract) return;
        foreach (INamedTypeSymbol level in Derivations.BasesOf(type).Skip(1))
        {
            // Of the base's own assembly only: another one cannot add a case there.
            List<AttributeData> named = [.. NinoAttributes.Unions(level)];
            if (named.Count == 0 || !SymbolEqualityComparer.Default.Equals(level.ContainingAssembly, type.ContainingAssembly)) continue;
            if (named.Exists(attribute => attribute.ConstructorArguments.Length == 2 && attribute.ConstructorArguments[1].Value is INamedTypeSymbol one && SymbolEqualityComparer.Default.Equals(one.OriginalDefinition, type.OriginalDefinition))) continue;
            graph.Diagnostics.Report(NinoDiagnostics.MissingCase, place, name, TypeNames.Message(level), NextTag(named).ToString(System.Globalization.CultureInfo.InvariantCulture));
        }
    }

    /// <summary>Whoever skips an unknown case loses count of the numbered objects in it.</summary>
    public static void ReportSkippedReferences(TypeGraph graph)
    {
        foreach (ParsedUnion union in graph.Unions)
        {
            if (!NinoAttributes.SkipsUnknownCases(union.Symbol) || union.KeepsReferences || NumberedIn(union.Reaches) is not { } numbered) continue;
            Report(DiagnosticSink.Place(union.Symbol, numbered.Origin.Location), TypeNames.Message(union.Symbol), numbered);
            union.IsInvalid = true;
            foreach (ParsedType one in union.Reaches) one.IsInvalid = true;
        }

        if (graph.Objects is not { SkipsUnknown: true } objects || NumberedIn([objects.Node]) is not { } inside) return;
        Report(objects.Node.Origin.Location, "object", inside);
        objects.Node.IsInvalid = true;

        void Report(LocationModel? place, string name, ParsedType numbered) =>
            graph.Diagnostics.Report(NinoDiagnostics.InvalidBaseOption, place, "SkipUnknownCases", name, $"a case reaches '{TypeNames.Message(numbered.Symbol)}', to which References are kept: whoever skips a case would lose count of them");
    }

    /// <summary>Reports options of [NinoSerializable] that do not fit: SkipUnknownCases is for object, References for objects whose codec is made here; a type of one's own says it itself.</summary>
    public static void ReportRegisteredOptions(IEnumerable<ISymbol> registering, TypeGraph graph)
    {
        foreach ((ITypeSymbol type, AttributeData attribute) in registering.SelectMany(NinoAttributes.Registered))
        {
            LocationModel? place = attribute.ApplicationSyntaxReference is { } reference ? DiagnosticSink.Place(Location.Create(reference.SyntaxTree, reference.Span)) : null;
            if (NinoAttributes.AsksForReferences(attribute) && WhyNoReferences(type, graph) is { } reason) graph.Diagnostics.Report(NinoDiagnostics.InvalidBaseOption, place, "References", TypeNames.Message(type), reason);
            if (!NinoAttributes.SkipsUnknownCases(attribute) || type.SpecialType == SpecialType.System_Object) continue;
            graph.Diagnostics.Report(NinoDiagnostics.InvalidBaseOption, place, "SkipUnknownCases", TypeNames.Message(type), "in [NinoSerializable] it is for object; put [NinoType(SkipUnknownCases = true)] on a base of your own");
        }
    }

    private static string? WhyNoReferences(ITypeSymbol type, TypeGraph graph) =>
        type.IsValueType ? "a struct has no identity that could be kept; use a class"
        : NinoAttributes.IsNinoType(type) ? "a type with [NinoType] says it itself, with [NinoType(References = true)]"
        : type is INamedTypeSymbol union && graph.CasesOf(union)?.FirstOrDefault(one => HasCodecElsewhere(one, graph)) is { } elsewhere ? $"the codec of its case '{TypeNames.Message(elsewhere)}' is in another assembly, which does not know of it"
        : type is INamedTypeSymbol named && graph.UserCodecs.Of(named) is null && !FSharpTypes.IsUnion(named) && (graph.MembersOf(named) is not null || graph.CasesOf(named) is not null) ? null
        : "in [NinoSerializable] it is for a class that is stored member by member, or a base of such";

    private static bool HasCodecElsewhere(INamedTypeSymbol type, TypeGraph graph) =>
        !graph.IsLocal(type) && TypeGraph.HasOneCodec(type, NinoAttributes.IsNinoType(type));

    /// <summary>One more than the highest; where there is no higher one, the lowest that is free.</summary>
    private static int NextTag(List<AttributeData> named)
    {
        HashSet<int> taken = [.. named.Select(static attribute => attribute.ConstructorArguments.Length == 2 && attribute.ConstructorArguments[0].Value is int tag ? tag : 0)];
        int highest = taken.Max();
        return highest < int.MaxValue ? highest + 1 : Enumerable.Range(0, int.MaxValue).First(tag => !taken.Contains(tag));
    }

    private static ParsedType? NumberedIn(IReadOnlyList<ParsedType> types)
    {
        HashSet<ParsedType> seen = [.. types];
        Queue<ParsedType> unseen = new(seen);
        while (unseen.Count > 0)
        {
            ParsedType type = unseen.Dequeue();
            if (type.KeepsReferences) return type;
            foreach (ParsedType reached in type.Reaches())
            {
                if (seen.Add(reached)) unseen.Enqueue(reached);
            }
        }

        return null;
    }
}
