// Which types may be written in another order each time they are read? The frozen and concurrent collections of the framework that say so, its Hashtable, HybridDictionary and DictionaryBase, and whatever holds one or is derived from one.

using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Reflection;

namespace Store.Tests.Fuzz;

internal static class UnorderedTypes
{
    private static readonly Type[] Unordered = [typeof(FrozenDictionary<,>), typeof(FrozenSet<>), typeof(ConcurrentDictionary<,>)];

    /// <summary>True for such a collection, and for types that have one among their arguments, elements, fields, bases or cases.</summary>
    public static bool AreReachedFrom(Type type)
    {
        HashSet<Type> seen = [];
        Stack<Type> open = new([type]);
        while (open.TryPop(out Type? next))
        {
            if (!seen.Add(next)) continue;
            if (next == typeof(System.Collections.Hashtable) || next == typeof(System.Collections.Specialized.HybridDictionary) || next == typeof(System.Collections.DictionaryBase)) return true;
            if (next.IsGenericType && Unordered.Contains(next.GetGenericTypeDefinition())) return true;
            foreach (Type reached in From(next)) open.Push(reached);
        }

        return false;
    }

    private static IEnumerable<Type> From(Type type)
    {
        if (type.HasElementType) yield return type.GetElementType()!;
        foreach (Type argument in type.GetGenericArguments()) yield return argument;

        // What the framework's own types are made of is their codecs' affair.
        if (type.Namespace is { } space && (space == "System" || space.StartsWith("System.", StringComparison.Ordinal))) yield break;
        if (type.BaseType is { } parent) yield return parent;
        foreach (FieldInfo field in type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)) yield return field.FieldType;
        foreach (Type nested in type.GetNestedTypes(BindingFlags.Public | BindingFlags.NonPublic).Where(nested => nested.IsSubclassOf(type))) yield return nested;
        foreach (CustomAttributeData attribute in type.GetCustomAttributesData())
        {
            foreach (Type argument in attribute.AttributeType.GetGenericArguments()) yield return argument;
            foreach (CustomAttributeTypedArgument value in attribute.ConstructorArguments)
                if (value.Value is Type named) yield return named;
        }
    }
}
