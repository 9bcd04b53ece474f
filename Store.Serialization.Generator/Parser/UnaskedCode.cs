// What another serializer leaves to code of the model, which is not asked here: converters and surrogates of a type or of a member, and the conditions under which protobuf-net leaves a member out.
// What members show is stored all the same, so a warning says what may be lost. docs/models-of-others.md.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class UnaskedCode
{
    // Innermost first.
    private static readonly string[] s_memoryPack = ["MemoryPack"];
    private static readonly string[] s_messagePack = ["MessagePack"];
    private static readonly string[] s_json = ["Serialization", "Json", "Text", "System"];

    /// <summary>The interface by which a type writes itself for the formatters and DataContractSerializer.</summary>
    public const string RuntimeWriter = "ISerializable";

    /// <summary>A type of a user does so by that interface, and not only a base of the framework, which knows nothing of what is derived from it.</summary>
    public static bool WritesItself(INamedTypeSymbol type) =>
        Derivations.BasesOf(type).Any(static level => !Framework.Has(level) && level.Interfaces.SelectMany(static one => one.AllInterfaces.Insert(0, one)).Any(static one => TypeNames.Metadata(one) == "System.Runtime.Serialization." + RuntimeWriter));

    /// <summary>What says that the type's own serializer writes it by code, or null: it does by members.</summary>
    public static string? WriterOf(INamedTypeSymbol type)
    {
        if (NinoAttributes.IsNinoType(type)) return null;
        ForeignContract? contract = ForeignContract.Of(type);
        return contract?.Surrogate is { } surrogate ? surrogate
            : contract?.WritesItself is { } byHand ? byHand
            : contract?.Space is null or "MessagePack" && Has(type, "MessagePackFormatterAttribute", s_messagePack) ? "[MessagePackFormatter]"
            : contract?.Space is null or "System.Text.Json.Serialization" && Has(type, "JsonConverterAttribute", s_json) ? "[JsonConverter]"
            : contract is null ? type.AllInterfaces.Select(static one => TypeNames.Metadata(one)).FirstOrDefault(static name => name is "System.Runtime.Serialization.ISerializable" or "System.Xml.Serialization.IXmlSerializable") is { } name ? name.Substring(name.LastIndexOf('.') + 1) : null
            : null;
    }

    /// <summary>As <see cref="WriterOf(INamedTypeSymbol)"/>, of what one member of such a type holds.</summary>
    private static string? WriterOf(ISymbol member, ForeignContract? contract)
    {
        foreach (ISymbol symbol in Declarations.Of(member))
        {
            if (contract?.Space is null or "MessagePack" && Has(symbol, "MessagePackFormatterAttribute", s_messagePack)) return "[MessagePackFormatter]";
            if (contract?.Space is null or "System.Text.Json.Serialization" && Has(symbol, "JsonConverterAttribute", s_json)) return "[JsonConverter]";
            // Those of MemoryPack itself are for strings and buffers, and for dictionaries whose values they leave to their own formatters.
            if (contract?.Space == "MemoryPack" && Find(symbol, "MemoryPackCustomFormatterAttribute", s_memoryPack) is { } formatter && !AttributeReading.IsIn(formatter, s_memoryPack)) return $"[{formatter.Name.Replace("Attribute", "")}]";
        }

        return null;
    }

    public static void Report(ParsedType type, TypeGraph graph)
    {
        ReportMembers(type, graph);
        // Of source there is all that a program could be told by NINO017.
        if (type.Symbol.OriginalDefinition.DeclaringSyntaxReferences.IsEmpty && !Framework.Has(type.Symbol) && !LostState.ShowsAllFields(type.Symbol) && WriterOf(type.Symbol) is { } writer)
            LostState.WarnUnseen(type, type.Symbol, $"is written by code of its own ({writer}), which is not asked: its public members are stored, and what they do not show is lost", graph);
        if (IsReplaced(type.Symbol))
            LostState.WarnUnseen(type, type.Symbol, "gives another object for one that was read (IObjectReference), which is not asked: the one that was read stays, and what of it is not stored is lost", graph);
        List<string> conditions = [.. Conditions(type).Distinct().Select(static one => $"'{one}'")];
        if (conditions.Count > 0)
            LostState.WarnUnseen(type, type.Symbol, $"leaves members out by {string.Join(", ", conditions)}, which {(conditions.Count == 1 ? "is" : "are")} not asked: such members are always stored, and count as given when they were read", graph);
    }

    /// <summary>As <see cref="Report"/>, of a collection of another assembly, whose elements are stored and nothing else.</summary>
    public static void ReportBeside(INamedTypeSymbol collection, Origin origin, TypeGraph graph)
    {
        if (!HiddenLevels.IsUnseen(collection) || LostState.ShowsAllFields(collection) || WriterOf(collection) is not { } writer) return;
        // A collection of the framework keeps the elements, and nothing else keeps anything.
        if (OwnCollections.LevelsAboveFramework(collection) is { } levels && levels.TrueForAll(static level => CompiledMembers.HasFields(level) == false)) return;
        LostState.WarnUnseen(collection, origin, collection, $"is a collection that is written by code of its own ({writer}), which is not asked: its elements are stored, and what else it holds is lost", graph);
    }

    /// <summary>Members that are written by code of their own, and hold what another assembly does not show all of.</summary>
    private static void ReportMembers(ParsedType type, TypeGraph graph)
    {
        if (NinoAttributes.IsNinoType(type.Symbol)) return;
        ForeignContract? contract = ForeignContract.Of(type.Symbol);
        foreach (ParsedMember member in type.Members)
        {
            if (WriterOf(member.Symbol, contract) is not { } writer) continue;
            List<string> unseen = [.. Held(member, graph).Where(static held => !LostState.ShowsAll(held) && WriterOf(held) is null).Select(static held => $"'{TypeNames.Message(held)}'").Distinct()];
            if (unseen.Count > 0)
                LostState.WarnUnseen(type, type.Symbol, $"has the member '{member.Name}', which is written by code of its own ({writer}), which is not asked: what {string.Join(", ", unseen)} shows is stored, and the rest is lost", graph, member.Symbol);
        }
    }

    /// <summary>The types whose objects are stored by what they show where a member holds them, in collections and as cases of a base too.</summary>
    private static IEnumerable<INamedTypeSymbol> Held(ParsedMember member, TypeGraph graph)
    {
        IEnumerable<INamedTypeSymbol> held = member.Codec!.Reaches.Select(static reached => reached.Symbol);
        return member.Type is INamedTypeSymbol own && !Framework.Has(own) && OwnCollections.Of(own) is not null && NinoAttributes.Codec(member.Symbol) is null && graph.UserCodecs.Of(own) is null ? held.Prepend(own) : held;
    }

    /// <summary>DataContractSerializer and the formatters ask the object that was read for another one, as one of a fixed set of objects.</summary>
    private static bool IsReplaced(INamedTypeSymbol type) =>
        !NinoAttributes.IsNinoType(type) && ForeignContract.Of(type) is null or { Space: "System.Runtime.Serialization" } && type.AllInterfaces.Any(static one => TypeNames.Metadata(one) == "System.Runtime.Serialization.IObjectReference");

    /// <summary>By which methods and properties protobuf-net asks whether a member is given, as generated classes of optional fields have them.</summary>
    private static IEnumerable<string> Conditions(ParsedType type)
    {
        if (ForeignContract.Of(type.Symbol) is not { AsksForPresence: true }) yield break;
        foreach (ParsedMember member in type.Members)
        {
            INamedTypeSymbol level = member.Symbol.ContainingType;
            string method = "ShouldSerialize" + member.Name, property = member.Name + "Specified";
            if (level.GetMembers(method).Any(static one => one is IMethodSymbol { IsStatic: false, Parameters.IsEmpty: true, ReturnType.SpecialType: SpecialType.System_Boolean })) yield return method;
            if (level.GetMembers(property).Any(one => one is IPropertySymbol { IsStatic: false, Type.SpecialType: SpecialType.System_Boolean, GetMethod: not null } && !type.Members.Exists(other => SymbolEqualityComparer.Default.Equals(other.Symbol, one)))) yield return property;
        }
    }

    private static bool Has(ISymbol symbol, string name, string[] space) => Find(symbol, name, space) is not null;

    /// <summary>The class of the attribute on a symbol that is the named one or is derived from it.</summary>
    private static INamedTypeSymbol? Find(ISymbol symbol, string name, string[] space)
    {
        foreach (AttributeData attribute in symbol.GetAttributes())
        {
            for (INamedTypeSymbol? level = attribute.AttributeClass; level is not null; level = level.BaseType)
            {
                if (level.Name == name && AttributeReading.IsIn(level, space)) return attribute.AttributeClass;
            }
        }

        return null;
    }
}
