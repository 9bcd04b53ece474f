using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

/// <summary>Puts <c>[NinoIgnore]</c> on a member.</summary>
internal static class LeavingOut
{
    /// <summary>What changes, or null where a directive stands in the way. Beside a mark that stores the member it would be the next error: it takes the place of that.</summary>
    public static List<TextChange>? Changes(SyntaxNode declaration, SemanticModel model, CancellationToken cancellation)
    {
        // A parameter in the head of a record takes no [NinoIgnore] itself.
        List<Mark> marks = [.. Marks.At(declaration, model, cancellation).Where(mark => mark is { IsOurs: true, IsOfField: false, Name: "NinoInclude" or "NinoMember" }
            && (declaration is not ParameterSyntax || mark.Written.Parent is AttributeListSyntax { Target.Identifier.RawKind: (int)SyntaxKind.PropertyKeyword }))];
        (int position, string text) = Edits.Attribute(declaration, "NinoIgnore", model);
        if (marks.Count == 0) return [new TextChange(new TextSpan(position, 0), text)];
        if (AttributeRemoval.Of(marks.Skip(1).Select(static mark => mark.Written)) is not { } changes) return null;
        changes.Add(new TextChange(marks[0].Written.Span, Edits.Name("NinoIgnore", model, position)));
        return changes;
    }
}
