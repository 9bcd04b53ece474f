// What is stored under a name that the type asked for does not have may be that type, called otherwise.

using Store.Serialization;
using Store.Serialization.Evolution;

namespace Store;

internal static class FormerName
{
    /// <summary>What is said of a type that had another name; nothing where no attribute can say it, as of numbers and lists.</summary>
    public static string IfRenamed(NinoSchema stored, NinoSchema wanted) =>
        HasName(stored) && HasName(wanted) ? $"; if that was renamed, put {FieldMatch.FormerNameMark(stored.Name)} on it" : "";

    private static bool HasName(NinoSchema schema) =>
        (schema.Root.Kind is SchemaKind.Object or SchemaKind.Union || (schema.Root.Definition is EnumDefinition && schema.Root.Kind is not (SchemaKind.List or SchemaKind.Map or SchemaKind.Nullable))) && !schema.Name.EndsWith(']') && !schema.Name.StartsWith("System.", StringComparison.Ordinal);
}
