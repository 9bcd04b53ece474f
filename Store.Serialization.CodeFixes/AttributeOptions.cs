// An option of an attribute, as [NinoType(View = false)]: written, or taken out.

using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

internal static class AttributeOptions
{
    /// <summary>Sets an option, whether it is written or not.</summary>
    public static TextChange Set(AttributeSyntax attribute, string option, string value)
    {
        if (Find(attribute, option) is { } written) return new TextChange(written.Expression.Span, value);
        string text = $"{option} = {value}";
        return attribute.ArgumentList is not { } list ? new TextChange(new TextSpan(attribute.Name.Span.End, 0), $"({text})")
            : list.Arguments.Count == 0 ? new TextChange(new TextSpan(list.OpenParenToken.Span.End, 0), text)
            : new TextChange(new TextSpan(list.Arguments[list.Arguments.Count - 1].Span.End, 0), ", " + text);
    }

    /// <summary>What changes where an option is taken out; null where it is not written, or a directive stands in the way.</summary>
    public static List<TextChange>? Without(AttributeSyntax attribute, string option)
    {
        if (Find(attribute, option) is not { } written || attribute.ArgumentList is not { } list || ListRemoval.HasDirective(list)) return null;
        bool isAlone = list.Arguments.Count == 1;
        // Beside a comment the parentheses stay: it is in them.
        IEnumerable<TextSpan> deleted = !isAlone ? ListRemoval.Spans(list.Arguments, one => one == written) : [list.DescendantTrivia().Any(trivia => list.Span.Contains(trivia.Span) && !string.IsNullOrWhiteSpace(trivia.ToString())) ? written.Span : list.Span];
        return [.. deleted.OrderBy(static span => span.Start).Select(static span => new TextChange(span, ""))];
    }

    private static AttributeArgumentSyntax? Find(AttributeSyntax attribute, string option) =>
        attribute.ArgumentList?.Arguments.FirstOrDefault(one => one.NameEquals?.Name.Identifier.ValueText == option);
}
