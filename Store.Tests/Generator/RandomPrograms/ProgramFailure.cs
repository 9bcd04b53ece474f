namespace Store.Tests.Generator.RandomPrograms;

/// <summary>Something that must hold for every program does not hold for this one.</summary>
/// <param name="kind">What does not hold, without names and values: what shrinking must keep.</param>
/// <param name="message">What happened.</param>
/// <param name="inner">The exception that it was.</param>
internal sealed class ProgramFailure(string kind, string message, Exception? inner = null) : Exception(message, inner)
{
    public string Kind => kind;

    /// <summary>Tells two shapes by where they begin to differ.</summary>
    public static string Difference(string expected, string actual)
    {
        int at = 0;
        while (at < expected.Length && at < actual.Length && expected[at] == actual[at]) at++;
        return $"\n  expected {Around(expected, at)}\n  actual   {Around(actual, at)}";
    }

    private static string Around(string text, int at)
    {
        int from = Math.Max(0, at - 160), to = Math.Min(text.Length, at + 160);
        return (from > 0 ? "… " : "") + text[from..at] + " »»» " + text[at..to] + (to < text.Length ? " …" : "");
    }
}
