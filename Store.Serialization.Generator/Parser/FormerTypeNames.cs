// What a type was called in older schemas: what [NinoFormerName] on it says, and what its name was when its type arguments had their former names.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class FormerTypeNames
{
    // As many as NinoSchema keeps.
    private const int NamesMax = 64;

    /// <summary>The names that records of a type may carry in older files, those that are closed over arguments as they are now first.</summary>
    public static IEnumerable<string> Of(ITypeSymbol type) => All(type).Skip(1);

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
            // As [NinoType(Name = ...)] has them, and a type that is in no generic one.
            yield return former + TypeNames.List(arguments);
            string[] parts = former.Split('+');
            if (parts.Length == 1 || arguments.Count == 0) continue;
            // A type inside of a generic one has the arguments of each where they belong: <c>Shop.Outer<System.Int32>+Inner</c>. Where that was is not said, and at first it is looked for as it is now.
            if (Levels(type) is var now && now.Length == parts.Length) yield return Spread(parts, now, arguments);
            foreach (int[] counts in Spreads(parts.Length, arguments.Count)) yield return Spread(parts, counts, arguments);
        }
    }

    /// <summary>How many type arguments each of the types has that a type is nested in, and it itself.</summary>
    private static int[] Levels(INamedTypeSymbol type) => type.ContainingType is { } outer ? [.. Levels(outer), type.TypeArguments.Length] : [type.TypeArguments.Length];

    /// <summary>Every way in which so many arguments are those of so many types nested in one another, of the last one first.</summary>
    private static IEnumerable<int[]> Spreads(int types, int arguments) =>
        types == 1 ? [[arguments]] : Enumerable.Range(0, arguments + 1).SelectMany(outside => Spreads(types - 1, outside).Select(before => (int[])[.. before, arguments - outside]));

    private static string Spread(string[] parts, int[] counts, IReadOnlyList<string> arguments)
    {
        int used = 0;
        List<string> closed = [];
        foreach (string part in parts)
        {
            int count = counts[closed.Count];
            closed.Add(part + TypeNames.List(arguments.Skip(used).Take(count)));
            used += count;
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
