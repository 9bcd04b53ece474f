// A class with one of everything a small game or service object has: number, text, array, list and two dictionaries.

using Store.Serialization;

namespace Store.Bench.Workloads;

/// <summary>Workload SimpleClass: 100 numbers, 10 dates, 10 pairs in each dictionary.</summary>
[NinoType]
public sealed partial class SimpleClass
{
    public int Id { get; set; }
    public string Name { get; set; } = "";
    public int[] Numbers { get; set; } = [];
    public List<DateTime> Dates { get; set; } = [];
    public Dictionary<int, string> Texts { get; set; } = [];
    public Dictionary<int, int> Pairs { get; set; } = [];

    /// <summary>Throws unless every member of both is equal.</summary>
    public static void Verify(SimpleClass expected, SimpleClass actual)
    {
        Check.Equal(expected.Id, actual.Id, "SimpleClass.Id");
        Check.Equal(expected.Name, actual.Name, "SimpleClass.Name");
        Check.Sequence<int>(expected.Numbers, actual.Numbers, "SimpleClass.Numbers");
        Check.Equal(expected.Dates.Count, actual.Dates.Count, "SimpleClass.Dates.Count");
        for (int i = 0; i < expected.Dates.Count; i++) Check.Date(expected.Dates[i], actual.Dates[i], "SimpleClass.Dates");
        Check.Dictionary(expected.Texts, actual.Texts, "SimpleClass.Texts");
        Check.Dictionary(expected.Pairs, actual.Pairs, "SimpleClass.Pairs");
    }
}
