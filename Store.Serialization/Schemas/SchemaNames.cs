// What a CLR type is called in a schema. Not Type.FullName for generic types: that holds the version of every argument's assembly.

using System.Reflection;
using System.Text;

namespace Store.Serialization;

/// <summary>
/// The default names of types in schemas: namespace, a dot, the name; a nested type follows its outer type and a plus sign; type arguments
/// stand in angle brackets: <c>Shop.Orders+Line</c>, <c>Shop.Pair&lt;System.Int32, Shop.Item&gt;</c>. Generated code writes the same names.
/// </summary>
internal static class SchemaNames
{
    // As many as NinoSchema keeps.
    private const int NamesMax = 64;

    public static string Of(Type type) =>
        type.IsArray ? InArray(type, Of(type.GetElementType()!))
        : type.IsGenericType ? Closed(type, [.. type.GetGenericArguments().Select(Of)])
        : type.FullName ?? type.Name;

    /// <summary>The names that records may carry of a type that <see cref="NinoFormerNameAttribute"/> is on, or on what it is made of. The generator's are Parser/FormerTypeNames.cs, which know of types inside of generic ones, too. Of a generic type also what the attribute says, as it stands: a name that was chosen freely.</summary>
    public static IEnumerable<string> FormerOf(Type type) => All(type).Skip(1);

    /// <summary>What the attribute on a type itself says.</summary>
    public static IEnumerable<string> FormerNamesOn(Type type) => type.GetCustomAttributes<NinoFormerNameAttribute>(inherit: false).Select(static former => former.Name);

    // The present name first.
    private static List<string> All(Type type)
    {
        if (type.IsArray) return [.. All(type.GetElementType()!).Select(name => InArray(type, name))];
        IEnumerable<string> formerNames = FormerNamesOn(type);
        if (!type.IsGenericType) return [Of(type), .. formerNames];

        IEnumerable<string[]> combinations = [[]];
        foreach (Type argument in type.GetGenericArguments())
        {
            List<string> names = All(argument);
            combinations = combinations.SelectMany(_ => names, static (before, name) => (string[])[.. before, name]);
        }

        return [.. combinations.SelectMany(arguments => formerNames.Select(former => $"{former}<{string.Join(", ", arguments)}>").Prepend(Closed(type, arguments))).Concat(formerNames).Distinct().Take(1 + NamesMax)];
    }

    private static string InArray(Type type, string element) => element + $"[{new string(',', type.GetArrayRank() - 1)}]";

    private static string Closed(Type type, string[] arguments)
    {
        string definition = type.GetGenericTypeDefinition().FullName!;
        var name = new StringBuilder();
        int used = 0;
        for (int i = 0; i < definition.Length; i++)
        {
            if (definition[i] != '`')
            {
                name.Append(definition[i]);
                continue;
            }

            int end = i + 1;
            while (end < definition.Length && char.IsAsciiDigit(definition[end])) end++;
            int count = int.Parse(definition.AsSpan(i + 1, end - i - 1), System.Globalization.CultureInfo.InvariantCulture);
            name.Append('<').AppendJoin(", ", arguments.Skip(used).Take(count)).Append('>');
            used += count;
            i = end - 1;
        }

        return name.ToString();
    }
}
