// Two types of one name: of two assemblies, as where both compile one file, or of one assembly that is loaded twice. Each is a record of its own; a schema that holds both could not tell them apart.

using System.Runtime.Loader;

namespace Store.Serialization;

/// <summary>Says of which assemblies two types of one name are, and what helps.</summary>
internal static class Namesakes
{
    /// <summary><c>that of 'A' and that of 'B'</c>, whichever was met first.</summary>
    public static string Both(Type one, Type other)
    {
        bool isTwice = IsLoadedTwice(one, other);
        return string.Join(" and ", new[] { Place(one, isTwice), Place(other, isTwice) }.Order(StringComparer.Ordinal).Select(static place => $"that of {place}"));
    }

    /// <summary>What to do.</summary>
    public static string Advice(Type one, Type other) =>
        IsLoadedTwice(one, other) ? $"The assembly '{NameOf(one)}' is loaded twice: load it once for both, or keep objects of the two out of one record; as records of their own types each is written and read."
        : one.Assembly == other.Assembly ? "Give one of them another name with [NinoType(Name = ...)]."
        : "Give one of them another name with [NinoType(Name = ...)], or declare the type once, in an assembly that both reference.";

    /// <summary>The exception of what assemblies know that contradicts what others know: no fault of the type, which others that are loaded would not have.</summary>
    public static InvalidOperationException Contradiction(string message, Exception? inner = null) => new(message, inner) { Data = { [nameof(Contradiction)] = true } };

    /// <summary>True for one that <see cref="Contradiction"/> made.</summary>
    public static bool IsContradiction(InvalidOperationException error) => error.Data.Contains(nameof(Contradiction));

    private static bool IsLoadedTwice(Type one, Type other) => one.Assembly != other.Assembly && NameOf(one) == NameOf(other);

    private static string? NameOf(Type type) => type.Assembly.GetName().Name;

    private static string Place(Type type, bool withContext) =>
        withContext ? $"'{NameOf(type)}' in the load context '{AssemblyLoadContext.GetLoadContext(type.Assembly)?.Name}'" : $"'{NameOf(type)}'";
}
