// A class as a third party would have written it: no attribute, nothing of ours. RegisteredTypes.cs registers it. Partial only because some peers of
// Peers/All cannot do without an attribute on it.

namespace Store.Bench.Workloads;

/// <summary>Workload Poco: text, number, Guid and date.</summary>
public partial class Poco
{
    public string Text { get; set; } = "";
    public int Number { get; set; }
    public Guid Key { get; set; }
    public DateTime When { get; set; }

    /// <summary>Throws unless every member of both is equal.</summary>
    public static void Verify(Poco expected, Poco actual)
    {
        Check.Equal(expected.Text, actual.Text, "Poco.Text");
        Check.Equal(expected.Number, actual.Number, "Poco.Number");
        Check.Equal(expected.Key, actual.Key, "Poco.Key");
        Check.Date(expected.When, actual.When, "Poco.When");
    }
}
