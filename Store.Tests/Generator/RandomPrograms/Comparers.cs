// The comparers that sets and dictionaries of strings keep in a record: docs/formats/record.md, "Comparers".

namespace Store.Tests.Generator.RandomPrograms;

internal static class Comparers
{
    private static readonly (string Name, StringComparer Comparer)[] All =
    [
        ("Ordinal", StringComparer.Ordinal), ("OrdinalIgnoreCase", StringComparer.OrdinalIgnoreCase), ("InvariantCulture", StringComparer.InvariantCulture), ("InvariantCultureIgnoreCase", StringComparer.InvariantCultureIgnoreCase),
    ];

    /// <summary>Draws one for a collection of the elements or keys; nulls stand for what a new one has.</summary>
    public static (IEqualityComparer<T>?, IComparer<T>?) Draw<T>(RandomValues values, bool isPlain)
    {
        if (isPlain || typeof(T) != typeof(string) || values.Next(2) == 0) return (null, null);
        object drawn = All[values.Next(All.Length)].Comparer;
        return ((IEqualityComparer<T>)drawn, (IComparer<T>)drawn);
    }

    /// <summary>The name of the one that a set or dictionary has; empty for any other.</summary>
    public static string NameOf(object collection)
    {
        Type type = collection.GetType();
        object? comparer = (type.GetProperty("Comparer") ?? type.GetProperty("KeyComparer"))?.GetValue(collection);
        return comparer is null ? "" : All.FirstOrDefault(one => one.Comparer.Equals(comparer)).Name ?? "";
    }
}
