// The members of Poco behind a constructor and get-only properties, without any attribute. RegisteredTypes.cs registers it. Partial only
// because some peers of Peers/All cannot do without an attribute on it.

namespace Store.Bench.Workloads;

/// <summary>Workload ImmutablePoco.</summary>
public sealed partial class ImmutablePoco(string text, int number, Guid key, DateTime when)
{
    public string Text { get; } = text;
    public int Number { get; } = number;
    public Guid Key { get; } = key;
    public DateTime When { get; } = when;

    /// <summary>Throws unless every member of both is equal.</summary>
    public static void Verify(ImmutablePoco expected, ImmutablePoco actual)
    {
        Check.Equal(expected.Text, actual.Text, "ImmutablePoco.Text");
        Check.Equal(expected.Number, actual.Number, "ImmutablePoco.Number");
        Check.Equal(expected.Key, actual.Key, "ImmutablePoco.Key");
        Check.Date(expected.When, actual.When, "ImmutablePoco.When");
    }
}
