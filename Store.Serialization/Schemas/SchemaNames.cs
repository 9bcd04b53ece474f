// What a CLR type is called in a schema. Not Type.FullName for generic types: that holds the version of every argument's assembly.

using System.Text;

namespace Store.Serialization;

/// <summary>
/// The default names of types in schemas: namespace, a dot, the name; a nested type follows its outer type and a plus sign; type arguments
/// stand in angle brackets: <c>Shop.Orders+Line</c>, <c>Shop.Pair&lt;System.Int32, Shop.Item&gt;</c>. Generated code writes the same names.
/// </summary>
internal static class SchemaNames
{
    public static string Of(Type type)
    {
        if (type.IsArray) return Of(type.GetElementType()!) + $"[{new string(',', type.GetArrayRank() - 1)}]";
        if (!type.IsGenericType) return type.FullName ?? type.Name;

        string definition = type.GetGenericTypeDefinition().FullName!;
        Type[] arguments = type.GetGenericArguments();
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
            name.Append('<').AppendJoin(", ", arguments.Skip(used).Take(count).Select(Of)).Append('>');
            used += count;
            i = end - 1;
        }

        return name.ToString();
    }
}
