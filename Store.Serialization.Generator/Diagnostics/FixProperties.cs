// What an editor is told of a diagnostic beside where it is, by which it offers what helps (Store.Serialization.CodeFixes). Null where the place says all.

using System.Collections.Immutable;
using Store.Serialization.Generator.Model;

namespace Store.Serialization.Generator.Diagnostics;

internal static class FixProperties
{
    private static readonly ImmutableDictionary<string, string?> None = ImmutableDictionary<string, string?>.Empty;

    public static ImmutableDictionary<string, string?>? Of(DiagnosticModel diagnostic) => diagnostic.Id switch
    {
        // The type that is meant, which in a member of a generic type nothing at the place says, and which types are models of another serializer.
        "NINO001" or "NINO011" => None.Add("type", diagnostic.Arguments[1]).Add("models", Lines(diagnostic.Told)),
        // The constructors that reading could call.
        "NINO004" or "NINO006" when diagnostic.Told.Count > 0 => None.Add("constructors", Lines(diagnostic.Told)),
        // The member that is hidden.
        "NINO014" => None.Add("member", diagnostic.Arguments[1]),
        // Which name, and what gives it too; where that has it now, the name is not what is wrong.
        "NINO018" or "NINO021" when diagnostic.Told.Count > 0 => None.Add("name", diagnostic.Arguments[0]).Add("other", diagnostic.Told[0]),
        "NINO033" => None.Add("option", diagnostic.Arguments[0]),
        _ => null,
    };

    private static string Lines(IEnumerable<string> told) => string.Join("\n", told);
}
