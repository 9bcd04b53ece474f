// What a CLR type is called in C#: for messages that say what to write into a program. Schemas have names of their own (SchemaNames).

using System.Text;

namespace Store.Serialization;

/// <summary>Names of types as C# spells them in <c>typeof(...)</c> at the top of a file: from the global namespace, closed over all their type arguments.</summary>
internal static class CSharpNames
{
    // With the contextual ones that are no type's name without the sign.
    private static readonly HashSet<string> Keywords =
    [
        "abstract", "as", "base", "bool", "break", "byte", "case", "catch", "char", "checked", "class", "const", "continue", "decimal", "default", "delegate", "do", "double", "else", "enum", "event",
        "explicit", "extern", "false", "finally", "fixed", "float", "for", "foreach", "goto", "if", "implicit", "in", "int", "interface", "internal", "is", "lock", "long", "namespace", "new", "null",
        "object", "operator", "out", "override", "params", "private", "protected", "public", "readonly", "ref", "return", "sbyte", "sealed", "short", "sizeof", "stackalloc", "static", "string", "struct",
        "switch", "this", "throw", "true", "try", "typeof", "uint", "ulong", "unchecked", "unsafe", "ushort", "using", "virtual", "void", "volatile", "while",
        "dynamic", "nint", "nuint", "var",
    ];

    /// <summary>The name; null where no code beside the type's own can name it: it is private or protected, of one file, anonymous, or hidden by the framework.</summary>
    public static string? Of(Type type)
    {
        if (type.IsArray) return OfArray(type);
        if (type.IsPointer || type.IsByRef || type.IsFunctionPointer || type.IsGenericParameter) return null;
        return Named(type.IsGenericType ? type.GetGenericTypeDefinition() : type, type.GetGenericArguments());
    }

    // C# reads ranks from the outside in, the run time from the inside out: int[][,] is an array of int[,].
    private static string? OfArray(Type type)
    {
        var ranks = new StringBuilder();
        for (; type.IsArray; type = type.GetElementType()!)
        {
            int rank = type.GetArrayRank();
            if (rank == 1 && !type.IsSZArray) return null;
            ranks.Append('[').Append(',', rank - 1).Append(']');
        }

        return Of(type) is { } element ? element + ranks : null;
    }

    /// <param name="definition">The type without arguments.</param>
    /// <param name="arguments">Those of the types that it is nested in first.</param>
    private static string? Named(Type definition, ReadOnlySpan<Type> arguments)
    {
        int length = definition.Name.IndexOf('`', StringComparison.Ordinal);
        string name = length < 0 ? definition.Name : definition.Name[..length];
        bool isHidden = definition.IsNestedPrivate || definition.IsNestedFamily || definition.IsNestedFamANDAssem || name.AsSpan().ContainsAny('<', '>') || (!definition.IsVisible && NinoObjects.IsFramework(definition.Assembly));
        if (isHidden) return null;

        int outside = 0;
        string prefix = string.IsNullOrEmpty(definition.Namespace) ? "" : string.Join('.', definition.Namespace.Split('.').Select(Escaped)) + ".";
        if (definition.DeclaringType is { } outer)
        {
            outside = outer.GetGenericArguments().Length;
            if (Named(outer, arguments[..outside]) is not { } around) return null;
            prefix = around + ".";
        }

        var own = new List<string>();
        foreach (Type argument in arguments[outside..])
        {
            // An open generic type has none to name.
            if (Of(argument) is not { } part) return null;
            own.Add(part);
        }

        return prefix + Escaped(name) + (own.Count == 0 ? "" : $"<{string.Join(", ", own)}>");
    }

    private static string Escaped(string name) => Keywords.Contains(name) ? "@" + name : name;
}
