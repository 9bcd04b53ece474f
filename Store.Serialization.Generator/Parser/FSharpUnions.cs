// Unions of F#, of its library and of the user's: the cases by the hash of their names, so that cases may be added and change places. A case is a type of
// the graph of its own, whose members are the fields and whose codec works on the union: F# has a class a case, none (of one case, or of a struct), or null.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Store.Serialization.Generator.Diagnostics;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

/// <summary>One case of a union of F#.</summary>
/// <param name="Union">The union, closed.</param>
/// <param name="Index">Its place in the declaration.</param>
/// <param name="Maker">The static method or property that gives it.</param>
/// <param name="Fields">Its fields in the order of the declaration.</param>
internal sealed record FSharpCase(INamedTypeSymbol Union, int Index, string Name, ISymbol Maker, IReadOnlyList<IPropertySymbol> Fields)
{
    public string SchemaName => TypeNames.Schema(Union) + "+" + Name;
}

/// <summary>A union of F# that gets a generated codec.</summary>
internal sealed class ParsedFSharpUnion(INamedTypeSymbol symbol, string key)
{
    public INamedTypeSymbol Symbol { get; } = symbol;

    public string Key { get; } = key;

    public string CodecName { get; } = TypeNames.Identifier(symbol) + "FSharpUnion";

    public List<(uint Tag, ParsedType Type)> Cases { get; } = [];

    /// <summary>Null is one of the cases: [CompilationRepresentation(UseNullAsTrueValue)].</summary>
    public bool IsNullCase { get; set; }

    public string Expression => "global::" + GenerationParser.GeneratedNamespace + "." + CodecName;

    public IReadOnlyList<ParsedType> Reaches => [.. Cases.Select(static one => one.Type)];

    public FSharpUnionModel ToModel(string hintName, Dictionary<ParsedType, TypeModel> types) => new(
        Key, CodecName, hintName, TypeNames.Schema(Symbol), Symbol.IsValueType, IsNullCase, NinoAttributes.SkipsUnknownCases(Symbol), new EquatableArray<string>(FormerTypeNames.Of(Symbol)),
        new EquatableArray<FSharpCaseModel>(Cases.OrderBy(static one => one.Tag).Select(one => new FSharpCaseModel(one.Tag, one.Type.Case!.Index, types[one.Type]))));
}

internal static class FSharpUnions
{
    /// <summary>Finds the cases of a union. Null after reporting why they cannot be stored.</summary>
    public static ParsedFSharpUnion? Parse(INamedTypeSymbol type, string name, Origin origin, TypeGraph graph)
    {
        var union = new ParsedFSharpUnion(type, name) { IsNullCase = HasNullCase(type) };
        bool hasTag = union.IsNullCase || type.GetMembers("Tag").Any(member => member is IPropertySymbol { IsStatic: false } && graph.IsAccessible(member));
        List<FSharpCase> cases = [.. CasesOf(type)];
        string? problem = !hasTag || cases.Count == 0 || cases.Exists(one => !graph.IsAccessible(one.Maker)) ? "its cases are private to its assembly; make its representation public, or give it a codec with [NinoSerializable(typeof(...), Codec = ...)]"
            : cases.Find(static one => !IsName(one.Name) || one.Fields.Any(static field => !IsName(field.Name))) is { } odd ? $"its case '{odd.Name}', or a field of it, has a name that C# cannot spell; give it another, or give the union a codec with [NinoSerializable(typeof(...), Codec = ...)]"
            // Of a union of which null is a case a method is asked, not the property.
            : !union.IsNullCase && type.GetMembers("Tag").Length > 1 ? "a case that is called 'Tag' hides from C# the property that tells the cases; give it another name, or give the union a codec with [NinoSerializable(typeof(...), Codec = ...)]"
            : cases.Find(static one => one.Maker is IMethodSymbol maker && maker.Parameters.Length != one.Fields.Count) is { } other ? $"its case '{other.Name}' is not made of its fields"
            : NinoAttributes.AsksForReferences(type) ? "references to a union of F# cannot be kept; take References = true from it"
            : null;
        if (problem is not null)
        {
            graph.Diagnostics.Report(NinoDiagnostics.TypeHasNoEncoding, origin.Location, origin.Subject, TypeNames.Message(type), problem);
            return null;
        }

        foreach (FSharpCase one in cases)
        {
            uint tag = UnionParser.Hash(one.SchemaName);
            problem = tag == 0 ? "its hash is that of null: give the case another name"
                : union.Cases.Find(found => found.Tag == tag) is { Type: { } same } ? $"the name of '{same.SchemaName}' has the same hash: give one of the two another name"
                : null;
            if (problem is not null)
            {
                graph.Diagnostics.Report(NinoDiagnostics.InvalidTag, origin.Location, UnionParser.Show(tag, null), one.SchemaName, TypeNames.Message(type), problem);
                return null;
            }

            union.Cases.Add((tag, new ParsedType(type, name + "+" + one.Name, origin) { Case = one, CodecName = TypeNames.Identifier(type) + "_7" + one.Name + "Codec", SchemaName = one.SchemaName }));
        }

        return union;
    }

    /// <summary>Null is one of its cases: then the number of the case cannot be asked of an object.</summary>
    public static bool HasNullCase(INamedTypeSymbol type) => type.GetMembers("GetTag").Any(static member => member is IMethodSymbol { IsStatic: true, Parameters.Length: 1 });

    /// <summary>The members of a case, with their codecs: as <see cref="MemberParser"/> of other types.</summary>
    public static void ParseMembers(ParsedType type, TypeGraph graph)
    {
        FSharpCase one = type.Case!;
        for (int place = 0; place < one.Fields.Count; place++)
        {
            IPropertySymbol field = one.Fields[place];
            var member = new ParsedMember(field, field.Type, isMarked: false) { IsReadable = true, Set = MemberSet.Constructor };
            member.FormerNames.AddRange(NamesWithoutAName(one, place));
            member.Codec = graph.Resolve(field.Type, new Origin($"The field '{TypeNames.Message(one.Union)}.{one.Name}.{field.Name}'", type.Origin.Location));
            if (member.Codec is null) type.IsInvalid = true;
            type.Members.Add(member);
        }

        IEnumerable<ArgumentModel> arguments = (one.Maker as IMethodSymbol)?.Parameters.Select(static (parameter, i) => new ArgumentModel(Accessors.Escape(parameter.Name), i, "", null)) ?? [];
        type.Construction = new ConstructionModel(new EquatableArray<ArgumentModel>(arguments), new EquatableArray<string>([]), null, TypeNames.Source(one.Union) + "." + Accessors.Escape(one.Maker.Name), one.Maker is IPropertySymbol);
    }

    /// <summary>What [NinoFormerName] says the case was called: it stands on what makes it, where F# puts the attributes of a case.</summary>
    public static IEnumerable<string> FormerNames(FSharpCase one)
    {
        IEnumerable<string> unions = FormerTypeNames.Of(one.Union).Append(TypeNames.Schema(one.Union));
        List<string> cases = [.. NinoAttributes.FormerNames(one.Maker).Append(one.Name)];
        return [.. unions.SelectMany(union => cases.Select(name => union + "+" + name)).Where(name => name != one.SchemaName)];
    }

    /// <summary>
    /// What F# calls a field of that place when the program does not: Item where it is the only one, and else Item and a number. So a field that gets a name, the first
    /// neighbour or none any more has another name without anybody's doing, and no field of a case can carry [NinoFormerName].
    /// </summary>
    private static IEnumerable<string> NamesWithoutAName(FSharpCase one, int place)
    {
        if (FSharpTypes.IsCore(one.Union)) return [];
        string[] names = place == 0 ? ["Item", "Item1"] : ["Item" + (place + 1).ToString(System.Globalization.CultureInfo.InvariantCulture)];
        return names.Where(name => one.Fields.All(field => field.Name != name));
    }

    /// <summary>Makers carry the number of their case: methods named New and the case, or getters of properties named as the case.</summary>
    private static IEnumerable<FSharpCase> CasesOf(INamedTypeSymbol type)
    {
        SortedDictionary<int, ISymbol> makers = [];
        foreach (IMethodSymbol method in type.GetMembers().OfType<IMethodSymbol>())
        {
            if (FSharpTypes.CaseOf(method) is { } index) makers[index] = method.AssociatedSymbol ?? method;
        }

        // A class a case is derived from the union; what debuggers are shown repeats the fields and is not.
        List<IPropertySymbol> fields = [.. type.GetTypeMembers().Where(nested => SymbolEqualityComparer.Default.Equals(nested.BaseType, type)).Prepend(type).SelectMany(static holder => holder.GetMembers().OfType<IPropertySymbol>())];
        foreach (KeyValuePair<int, ISymbol> maker in makers)
        {
            string name = maker.Value is IMethodSymbol && maker.Value.Name.StartsWith("New", System.StringComparison.Ordinal) ? maker.Value.Name.Substring(3) : maker.Value.Name;
            yield return new FSharpCase(type, maker.Key, name, maker.Value, [.. fields
                .Where(field => FSharpTypes.PlaceInCase(field, maker.Key) is not null)
                .OrderBy(field => FSharpTypes.PlaceInCase(field, maker.Key))]);
        }
    }

    private static bool IsName(string name) => SyntaxFacts.IsValidIdentifier(name);
}
