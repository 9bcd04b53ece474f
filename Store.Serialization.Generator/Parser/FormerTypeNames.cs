// What a type was called in older schemas: what [NinoFormerName] on it says, and what its name was when its type arguments had their former names.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class FormerTypeNames
{
    // As many as NinoSchema keeps.
    private const int NamesMax = 64;

    /// <summary>The names that records of a type may carry in older files, those that are closed over arguments as they are now first.</summary>
    public static IEnumerable<string> Of(INamedTypeSymbol type) => All(type).Skip(1);

    /// <summary>The present name first.</summary>
    private static List<string> All(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => [.. All(array.ElementType).Select(name => name + "[" + new string(',', array.Rank - 1) + "]")],
        INamedTypeSymbol named => [.. ArgumentsOf(named).SelectMany(arguments => Closed(named, arguments)).Distinct().Take(1 + NamesMax)],
        _ => [TypeNames.Schema(type)],
    };

    private static IEnumerable<string> Closed(INamedTypeSymbol type, IReadOnlyList<string> arguments)
    {
        yield return TypeNames.Closed(type, arguments);
        foreach (string former in NinoAttributes.FormerNames(type.OriginalDefinition))
        {
            yield return former + TypeNames.List(arguments);
            if (Nested(former, type, arguments) is { } nested) yield return nested;
        }
    }

    /// <summary>A type inside of a generic one has the arguments of each where they belong, unless [NinoType(Name = ...)] named it: <c>Shop.Outer&lt;System.Int32&gt;+Inner</c>.</summary>
    private static string? Nested(string former, INamedTypeSymbol type, IReadOnlyList<string> arguments)
    {
        Stack<INamedTypeSymbol> levels = new();
        for (INamedTypeSymbol? level = type; level is not null; level = level.ContainingType) levels.Push(level);
        string[] parts = former.Split('+');
        if (parts.Length == 1 || parts.Length != levels.Count) return null;
        int used = 0;
        List<string> closed = [];
        foreach (INamedTypeSymbol level in levels)
        {
            closed.Add(parts[closed.Count] + TypeNames.List(arguments.Skip(used).Take(level.TypeArguments.Length)));
            used += level.TypeArguments.Length;
        }

        return string.Join("+", closed);
    }

    /// <summary>Every combination of the names that the type arguments have and had; of a type without any the empty one.</summary>
    private static IEnumerable<IReadOnlyList<string>> ArgumentsOf(INamedTypeSymbol type)
    {
        IEnumerable<IReadOnlyList<string>> combinations = [[]];
        foreach (ITypeSymbol argument in TypeNames.AllArguments(type))
        {
            List<string> names = All(argument);
            combinations = combinations.SelectMany(_ => names, static (before, name) => (IReadOnlyList<string>)[.. before, name]);
        }

        return combinations;
    }
}
