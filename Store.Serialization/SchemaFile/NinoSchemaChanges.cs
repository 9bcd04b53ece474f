using System.Text;

namespace Store.Serialization;

/// <summary>What has changed in an assembly's stored shapes. Immutable.</summary>
/// <param name="Breaking">Changes after which existing records can be read no more, or mean something else.</param>
/// <param name="Narrowing">Changes after which existing records are read, but for those that hold a value that does not fit, a case that is gone, or keys that are equal now: reading refuses these, one by one.</param>
/// <param name="Compatible">Changes that existing records survive (docs/evolution.md).</param>
/// <param name="Text">The text as it would be committed now.</param>
/// <param name="IsUpToDate">The committed text is <paramref name="Text"/>.</param>
public sealed record NinoSchemaChanges(IReadOnlyList<string> Breaking, IReadOnlyList<string> Narrowing, IReadOnlyList<string> Compatible, string Text, bool IsUpToDate)
{
    /// <summary>What changed, what of it breaks, and how to accept it.</summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        if (IsUpToDate) return "The stored shapes are those of the schema file.";
        Append(text, "BREAKING: existing records could not be read, or would mean something else.", Breaking);
        Append(text, "NARROWING: existing records are read, but for those that hold what does not fit.", Narrowing);
        Append(text, "Compatible: existing records are read.", Compatible);
        text.Append("To accept, replace the schema file by NinoSchemaFile.Describe(assembly) and commit it; a breaking change only when no such record exists any more, a narrowing one only when no record holds what is refused.");
        return text.ToString();
    }

    private static void Append(StringBuilder text, string heading, IReadOnlyList<string> changes)
    {
        if (changes.Count > 0) text.Append(heading).Append('\n');
        foreach (string change in changes) text.Append("  ").Append(change).Append('\n');
    }
}
