using Store.Serialization;
using Store.Tests.Generator.References;
using Store.Tests.Types;

namespace Store.Tests.Fuzz;

/// <summary>Records of types that hold much of what no schema tells: values that the tests have of them anyway.</summary>
internal static class FuzzSeeds
{
    private static readonly Dictionary<Type, Func<byte[]>> s_values = new()
    {
        [typeof(ManyScalars)] = static () => NinoSerializer.Serialize(TypeValues.Scalars()),
        [typeof(ScalarArrays)] = static () => NinoSerializer.Serialize(TypeValues.Arrays()),
        [typeof(ManyTexts)] = static () => NinoSerializer.Serialize(TypeValues.Texts()),
        [typeof(ManyCollections)] = static () => NinoSerializer.Serialize(TypeValues.Collections()),
        [typeof(Weather)] = static () => NinoSerializer.Serialize(TypeValues.Weather()),
        [typeof(Team)] = static () => NinoSerializer.Serialize(OfOne(new Player { Name = "Cruyff", Number = 14 })),
    };

    /// <summary>Those of a type, whole.</summary>
    public static IEnumerable<byte[]> Of(Type type)
    {
        if (s_values.TryGetValue(type, out Func<byte[]>? value)) yield return value();

        // Its lengths multiply to the count of its elements: here to none.
        if (type.IsArray && type.GetArrayRank() is > 1 and int rank) yield return [(byte)(rank + 1), .. new byte[rank * sizeof(int)], 1];
    }

    private static Team OfOne(Player player) =>
        new() { Roster = [player], Bench = { player }, Ranking = [player], Named = [player], Goals = new() { [player] = 140 }, Known = { player }, Fouls = { [player] = 1 }, Marks = { [player] = player } };
}
