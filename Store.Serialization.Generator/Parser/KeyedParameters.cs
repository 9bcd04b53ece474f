// The parameters of a constructor as MessagePack passes them: by the order of the members' numbers, or by the names that it gives them, however the parameters are called. docs/models-of-others.md.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Store.Serialization.Generator.Diagnostics;

namespace Store.Serialization.Generator.Parser;

internal static class KeyedParameters
{
    /// <summary>What a constructor takes by keys; null where the names of its parameters tell, or a parameter has no such member.</summary>
    public static Dictionary<ParsedMember, IParameterSymbol>? Of(IMethodSymbol constructor, List<ParsedMember> members, ParsedType type, TypeGraph graph)
    {
        if (ByKey(constructor, members, type, graph) is not { } byKey) return null;
        if (ConstructorParser.UnmatchedByName(constructor, members, type, graph).Count > 0) return byKey;
        List<Crossing> crossings = Crossings(constructor, byKey, members, type, graph);
        return crossings.Count > 0 && crossings.TrueForAll(static one => one.IsByKey) ? byKey : null;
    }

    /// <summary>Reports a parameter that takes one member by its name and another one by its key, where nothing tells which of them it is and nothing sets them behind the constructor (NINO006).</summary>
    public static bool ReportCrossed(IMethodSymbol constructor, List<ParsedMember> members, ParsedType type, TypeGraph graph)
    {
        if (Of(constructor, members, type, graph) is not null || ByKey(constructor, members, type, graph) is not { } byKey) return false;
        if (Crossings(constructor, byKey, members, type, graph).Find(static one => !one.IsByName) is not { Parameter: { } parameter } crossing) return false;
        string reason = $"{(crossing.Named is { } named ? $"its name is that of '{named.Name}'" : "it has the name of none")}, and by its key MessagePack passes it '{crossing.Keyed.Name}'; "
            + (ConstructorParser.IsOfOthers(type.Symbol) ? ConstructorParser.WriteCodec(type.Symbol) : "give the parameters the order of the keys, or the names of the members that they are for; [NinoConstructor] on the constructor says that the names count");
        graph.Diagnostics.Report(NinoDiagnostics.ParameterWithoutMember, DiagnosticSink.Place(parameter, DiagnosticSink.Place(type.Symbol, type.Origin.Location)), parameter.Name, TypeNames.Message(type.Symbol), reason);
        return true;
    }

    private static Dictionary<ParsedMember, IParameterSymbol>? ByKey(IMethodSymbol constructor, List<ParsedMember> members, ParsedType type, TypeGraph graph)
    {
        if (constructor.Parameters.IsEmpty || ForeignContract.Of(type.Symbol) is not { PassesByKey: true } contract) return null;
        List<ParsedMember> numbered = [.. members.Select(one => (Member: one, Id: contract.Id(one.Symbol))).Where(static one => one.Id > 0).OrderBy(static one => one.Id).Select(static one => one.Member)];
        Dictionary<ParsedMember, IParameterSymbol> matches = [];
        foreach (IParameterSymbol parameter in constructor.Parameters)
        {
            ParsedMember? member = numbered.Count > 0 ? numbered.ElementAtOrDefault(parameter.Ordinal) : members.Find(one => string.Equals(contract.NameOf(one.Symbol), parameter.Name, StringComparison.OrdinalIgnoreCase)) ?? ConstructorParser.Find(parameter, members, graph.Compilation);
            if (member is null || matches.ContainsKey(member) || parameter.RefKind is RefKind.Ref or RefKind.Out || !ConstructorParser.IsConvertible(member, parameter, graph.Compilation)) return null;
            matches[member] = parameter;
        }

        return matches;
    }

    /// <summary>The parameters that take another member by name than by key, where one of the two has after reading what the constructor makes of it. Where the member of a parameter is left out names count, and where this library's mark is on the constructor.</summary>
    private static List<Crossing> Crossings(IMethodSymbol constructor, Dictionary<ParsedMember, IParameterSymbol> byKey, List<ParsedMember> members, ParsedType type, TypeGraph graph)
    {
        if (NinoAttributes.IsConstructor(constructor) || constructor.Parameters.Any(parameter => ConstructorParser.IsIgnored(type, parameter))) return [];
        Dictionary<ParsedMember, IParameterSymbol> byName = ConstructorParser.MatchByName(constructor, members, graph);
        List<Crossing> crossings = [];
        foreach (KeyValuePair<ParsedMember, IParameterSymbol> one in byKey)
        {
            ParsedMember? named = byName.FirstOrDefault(match => SymbolEqualityComparer.Default.Equals(match.Value, one.Value)).Key;
            if (named == one.Key || (IsSetBehind(one.Key) && (named is null || IsSetBehind(named)))) continue;
            crossings.Add(new Crossing(one.Value, named, one.Key, named is not null && (PassedOn.IsStored(constructor, one.Value, named.Symbol) || IsKept(constructor, one.Value, named)), named is null || IsKept(constructor, one.Value, one.Key)));
        }

        return crossings;
    }

    private static bool IsSetBehind(ParsedMember member) =>
        member.IsSettable || member.IsSettableByAccessor || member.IsBacked || (member.MayHaveSetter && member.Symbol is IPropertySymbol property && CompiledMembers.HasSetter(property) == true);

    /// <summary>It is seen that the constructor makes a member, or what has its name but for case and underscores, of a parameter and of no other one.</summary>
    private static bool IsKept(IMethodSymbol constructor, IParameterSymbol parameter, ParsedMember member)
    {
        return ConstructorParser.IsPrimary(constructor)
            ? Filling.Initializers(member.Symbol).Any(IsMadeOfIt) || AccessorCode.Bodies(member.Symbol, onlyGetter: true).Any(IsMadeOfIt)
            : constructor.DeclaringSyntaxReferences.SelectMany(static reference => reference.Read().DescendantNodes().OfType<AssignmentExpressionSyntax>()).SelectMany(static set => Parts(set.Left, set.Right))
                .Any(part => part.To is IdentifierNameSyntax or MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax } && string.Equals(AccessorCode.NameOf(part.To).TrimStart('_'), member.Name.TrimStart('_'), StringComparison.OrdinalIgnoreCase) && IsMadeOfIt(part.From));

        bool IsMadeOfIt(SyntaxNode code)
        {
            HashSet<string> named = [.. code.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Select(static name => name.Identifier.ValueText)];
            return constructor.Parameters.All(one => named.Contains(one.Name) == (one.Name == parameter.Name));
        }
    }

    /// <summary>What one assignment sets, each to what: <c>(X, Y) = (x, y)</c> sets two.</summary>
    private static IEnumerable<(ExpressionSyntax To, ExpressionSyntax From)> Parts(ExpressionSyntax to, ExpressionSyntax from) =>
        to is TupleExpressionSyntax all && from is TupleExpressionSyntax given ? all.Arguments.Zip(given.Arguments, static (one, value) => (one.Expression, value.Expression)) : [(to, from)];

    private sealed record Crossing(IParameterSymbol Parameter, ParsedMember? Named, ParsedMember Keyed, bool IsByName, bool IsByKey);
}
