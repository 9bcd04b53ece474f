// What marked bases of other assemblies are passed, as far as it decides what they show: they were looked at there, with their own constructors, and those of the type here may pass something else.

using Microsoft.CodeAnalysis;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Parser;

internal static class PassedToBases
{
    /// <summary>Tells what such a base shows and reading does not restore (NINO020).</summary>
    /// <param name="type">The type.</param>
    /// <param name="level">The base.</param>
    /// <param name="unseen">What of it can be got and is not stored.</param>
    /// <param name="constructor">The one that reading calls.</param>
    /// <param name="matches">What reading passes it.</param>
    /// <param name="graph">The graph.</param>
    public static void Report(ParsedType type, INamedTypeSymbol level, IEnumerable<IPropertySymbol> unseen, IMethodSymbol? constructor, Dictionary<ParsedMember, IParameterSymbol> matches, TypeGraph graph)
    {
        if (Listed(unseen.Where(property => IsLost(property, type, constructor, matches, graph))) is { } shown)
            LostState.WarnUnseen(type, level, $"shows {shown}, which a constructor there takes and none of '{TypeNames.Message(type.Symbol)}' that reading could call: unless it is computed from what is stored, it is lost; a constructor that takes it and passes it on would restore it", graph);
        List<IParameterSymbol> left = [.. (constructor?.Parameters ?? []).Where(parameter => parameter.IsOptional && !matches.ContainsValue(parameter))];
        if (Listed(HeadArguments.ChangedElsewhere(type, constructor, matches, left).Where(parameter => SymbolEqualityComparer.Default.Equals(parameter.ContainingType, level) && HiddenMembers.Says(level, parameter.Name, HiddenKind.Kept, graph)).Distinct<ISymbol>(SymbolEqualityComparer.Default)) is { } kept)
            LostState.WarnUnseen(type, level, $"shows what its constructor is given as {kept} beside the member of that name, and reading passes it what the members hold then, or a default value, and not what the object was made with: that is lost", graph);
    }

    private static string? Listed(IEnumerable<ISymbol?> symbols) => string.Join(", ", symbols.Select(static one => $"'{one!.Name}'")) is { Length: > 0 } text ? text : null;

    /// <summary>A constructor takes what a property shows by its name, and reading passes it neither that nor what all pass. Those of the first class of the other assembly decide what it is passed; one between may call it something else.</summary>
    private static bool IsLost(IPropertySymbol property, ParsedType type, IMethodSymbol? constructor, Dictionary<ParsedMember, IParameterSymbol> matches, TypeGraph graph)
    {
        if (!Takes(property.ContainingType).Any(parameter => ConstructorParser.HasNameOf(property, parameter)) || HiddenMembers.Says(property.ContainingType, property.Name, HiddenKind.Computed, graph)) return false;
        // Where the type is of an assembly itself, nobody sees what it passes on.
        if (LostState.Levels(type.Symbol).LastOrDefault()?.BaseType is not { } first) return true;
        List<IParameterSymbol> given = [.. Takes(first).Where(parameter => ConstructorParser.HasNameOf(property, parameter))];
        if (given.Count == 0 && !SymbolEqualityComparer.Default.Equals(first, property.ContainingType)) given = [.. Takes(first).Where(parameter => SymbolEqualityComparer.Default.Equals(parameter.Type, property.Type) && !IsShown(first, parameter))];
        return given.Exists(parameter => !HeadArguments.IsAlwaysOneConstant(type.Symbol, parameter) && !HeadArguments.IsRestored(type, constructor, matches, parameter));
    }

    private static IEnumerable<IParameterSymbol> Takes(INamedTypeSymbol type) => type.InstanceConstructors.SelectMany(static one => one.Parameters);

    /// <summary>A member of the class or of a base has the name of the parameter: that is what it is for.</summary>
    private static bool IsShown(INamedTypeSymbol type, IParameterSymbol parameter) =>
        Derivations.BasesOf(type).Any(level => level.GetMembers().Any(member => member is IFieldSymbol or IPropertySymbol && ConstructorParser.HasNameOf(member, parameter)));
}
