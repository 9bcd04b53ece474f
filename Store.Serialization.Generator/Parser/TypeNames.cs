// The four names of a type: as C# source spells it, as schemas carry it, as the reflection metadata knows it, and as an identifier.

using System.Globalization;
using System.Text;
using Microsoft.CodeAnalysis;

namespace Store.Serialization.Generator.Parser;

internal static class TypeNames
{
    private const int IdentifierLengthMax = 120;

    // Tuples are spelled ValueTuple and nullable annotations are left out, so that equal run-time types have equal names.
    private static readonly SymbolDisplayFormat SourceFormat = SymbolDisplayFormat.FullyQualifiedFormat
        .WithMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.UseSpecialTypes | SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers | SymbolDisplayMiscellaneousOptions.ExpandValueTuple);

    private static readonly SymbolDisplayFormat MessageFormat = SourceFormat.WithGlobalNamespaceStyle(SymbolDisplayGlobalNamespaceStyle.Omitted);

    /// <summary><c>global::Shop.Box&lt;int&gt;</c>. Also the key of a type: equal exactly for equal types, and <c>dynamic</c> is <c>object</c> when the program runs.</summary>
    public static string Source(ITypeSymbol type)
    {
        string name = type.ToDisplayString(SourceFormat);
        return name.Contains("dynamic") ? string.Concat(type.ToDisplayParts(SourceFormat).Select(static part => part.Symbol is IDynamicTypeSymbol ? "object" : part.ToString())) : name;
    }

    /// <summary>As <see cref="Source(ITypeSymbol)"/>, with other names for some type parameters.</summary>
    public static string Source(ITypeSymbol type, IReadOnlyDictionary<ITypeParameterSymbol, string> names) =>
        string.Concat(type.ToDisplayParts(SourceFormat).Select(part => part.Symbol is IDynamicTypeSymbol ? "object" : part.Symbol is ITypeParameterSymbol parameter && names.TryGetValue(parameter, out string name) ? name : part.ToString()));

    /// <summary><c>Shop.Box&lt;int&gt;</c>, for messages.</summary>
    public static string Message(ITypeSymbol type) => type.ToDisplayString(MessageFormat);

    /// <summary><c>[assembly: NinoSerializable(typeof(Shop.Box&lt;int&gt;))]</c>, for messages: an attribute cannot say <c>dynamic</c>.</summary>
    public static string Registration(ITypeSymbol type) => Registration(type, "");

    /// <summary><c>[assembly: NinoSerializable(typeof(Shop.Box&lt;int&gt;), Codec = typeof(...))]</c>, for messages.</summary>
    public static string CodecRegistration(ITypeSymbol type) => Registration(type, ", Codec = typeof(...)");

    /// <summary>What helps where nobody here can change the type, for messages.</summary>
    public static string OwnCodec(ITypeSymbol type) => $"write a codec of your own and name it with {CodecRegistration(type)}";

    private static string Registration(ITypeSymbol type, string more) => $"[assembly: NinoSerializable(typeof({Source(type).Replace("global::", "")}){more})]";

    /// <summary><c>Shop.Box`1+Part</c>.</summary>
    public static string Metadata(ISymbol symbol)
    {
        if (symbol is not INamedTypeSymbol type) return "";
        string name = type.MetadataName;
        for (INamedTypeSymbol? outer = type.ContainingType; outer is not null; outer = outer.ContainingType) name = outer.MetadataName + "+" + name;
        return type.ContainingNamespace is { IsGlobalNamespace: false } space ? Space(space) + "." + name : name;
    }

    /// <summary>The name in schemas: <c>Shop.Orders+Box&lt;System.Int32, Shop.Trade&gt;</c> as SchemaNames of the engine forms it, or what [NinoType(Name = ...)] sets.</summary>
    public static string Schema(ITypeSymbol type)
    {
        if (type is IArrayTypeSymbol array) return Schema(array.ElementType) + "[" + new string(',', array.Rank - 1) + "]";
        if (type is IDynamicTypeSymbol) return "System.Object";
        return type is INamedTypeSymbol named ? Closed(named, [.. AllArguments(named).Select(Schema)]) : Message(type);
    }

    /// <summary>
    /// An identifier that differs for different types: '.' becomes '_', and what identifiers cannot hold (and '_' itself) becomes '_' and a digit,
    /// which no part of a name can start with. Very long names are cut and end in a hash.
    /// </summary>
    public static string Identifier(ITypeSymbol type)
    {
        string name = Source(type).Replace("global::", "");
        var text = new StringBuilder(name.Length + 8);
        foreach (char c in name)
        {
            switch (c)
            {
                case '.': text.Append('_'); break;
                case '_': text.Append("_9"); break;
                case '<': text.Append("_0"); break;
                case ',': text.Append("_1"); break;
                case '>': text.Append("_2"); break;
                case '[': text.Append("_3"); break;
                case ']': text.Append("_4"); break;
                case '?': text.Append("_5"); break;
                case ' ' or '@': break;
                default: text.Append(c); break;
            }
        }

        return text.Length <= IdentifierLengthMax ? text.ToString() : text.ToString(0, IdentifierLengthMax) + "_8" + Hash(name);
    }

    /// <summary>FNV-1a, 64 bits: only to tell long or alike names apart.</summary>
    public static string Hash(string text)
    {
        ulong hash = 14695981039346656037;
        foreach (char c in text) hash = unchecked((hash ^ c) * 1099511628211);
        return hash.ToString("x16", CultureInfo.InvariantCulture);
    }

    /// <summary><c>Shop.event</c>.</summary>
    public static string Space(INamespaceSymbol space) =>
        space.ContainingNamespace is { IsGlobalNamespace: false } outer ? Space(outer) + "." + space.Name : space.Name;

    /// <summary>The present name, closed over arguments of whatever names.</summary>
    /// <param name="type">The type.</param>
    /// <param name="arguments">Names of the type arguments, those of the types that it is nested in first.</param>
    public static string Closed(INamedTypeSymbol type, IReadOnlyList<string> arguments)
    {
        if (NinoAttributes.SchemaName(type) is { } name) return name + List(arguments);
        int outside = arguments.Count - type.TypeArguments.Length;
        string outer = type.ContainingType is { } containing ? Closed(containing, [.. arguments.Take(outside)]) + "+" : type.ContainingNamespace is { IsGlobalNamespace: false } space ? Space(space) + "." : "";
        return outer + type.Name + List(arguments.Skip(outside));
    }

    /// <summary>The present name without type arguments.</summary>
    public static string Bare(INamedTypeSymbol type) =>
        NinoAttributes.SchemaName(type) is { } name ? name
        : type.ContainingType is { } containing ? Bare(containing) + "+" + type.Name
        : type.ContainingNamespace is { IsGlobalNamespace: false } space ? Space(space) + "." + type.Name
        : type.Name;

    /// <summary><c>&lt;System.Int32, Shop.Trade&gt;</c>, or nothing.</summary>
    public static string List(IEnumerable<string> arguments)
    {
        string list = string.Join(", ", arguments);
        return list.Length == 0 ? "" : "<" + list + ">";
    }

    /// <summary>The type arguments, those of the types that a type is nested in first.</summary>
    public static IEnumerable<ITypeSymbol> AllArguments(INamedTypeSymbol type) =>
        type.ContainingType is { } outer ? AllArguments(outer).Concat(type.TypeArguments) : type.TypeArguments;

    /// <summary>No other file can name it: it, or one that it is nested in, is declared as <c>file</c>.</summary>
    public static bool IsFileLocal(INamedTypeSymbol type) => type.IsFileLocal || (type.ContainingType is { } outer && IsFileLocal(outer));
}
