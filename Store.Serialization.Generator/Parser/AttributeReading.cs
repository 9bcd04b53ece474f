// How attributes of other packages are read from symbols: by the name of their class and of its namespace, for none of those packages is referenced. Names of a namespace are given innermost first.

using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class AttributeReading
{
    /// <summary>A symbol carries an attribute of this name.</summary>
    public static bool Has(ISymbol symbol, string name, string[] space) => On(symbol, name, space).Any();

    /// <summary>The attributes of this name that a symbol carries.</summary>
    public static IEnumerable<AttributeData> On(ISymbol symbol, string name, string[] space) =>
        symbol.GetAttributes().Where(attribute => attribute.AttributeClass?.Name == name && IsIn(attribute.AttributeClass, space));

    /// <summary>The type is in a namespace.</summary>
    public static bool IsIn(INamedTypeSymbol? type, IEnumerable<string> names)
    {
        INamespaceSymbol? space = type?.ContainingNamespace;
        foreach (string name in names)
        {
            if (space is null || space.Name != name) return false;
            space = space.ContainingNamespace;
        }

        return space is { IsGlobalNamespace: true };
    }

    /// <summary>The name of a namespace.</summary>
    public static string Joined(IEnumerable<string> space) => string.Join(".", space.Reverse());

    /// <summary>What an attribute says by name, or null.</summary>
    public static object? Option(AttributeData mark, string name) => mark.NamedArguments.FirstOrDefault(argument => argument.Key == name).Value.Value;

    /// <summary>An option of an attribute is true.</summary>
    public static bool IsSet(AttributeData mark, string option) => Option(mark, option) is true;

    /// <summary>An argument is the value of an enum that has this name.</summary>
    public static bool Takes(AttributeData mark, string value) =>
        mark.ConstructorArguments.Any(argument => argument is { Kind: TypedConstantKind.Enum, Type: { } kind } && kind.GetMembers(value).OfType<IFieldSymbol>().Any(field => Equals(field.ConstantValue, argument.Value)));

    /// <summary>An attribute as source has it, in brackets.</summary>
    public static string Mark(string attribute) => $"[{Short(attribute)}]";

    /// <summary>Attributes for the middle of a sentence: <c>[A], [B] and [C]</c>.</summary>
    public static string Listed(IReadOnlyList<string> marks) => marks.Count == 1 ? marks[0] : $"{string.Join(", ", marks.Take(marks.Count - 1))} and {marks[marks.Count - 1]}";

    /// <summary>An attribute as source has it.</summary>
    public static string Short(string attribute) => attribute.EndsWith("Attribute", StringComparison.Ordinal) ? attribute.Substring(0, attribute.Length - "Attribute".Length) : attribute;
}
