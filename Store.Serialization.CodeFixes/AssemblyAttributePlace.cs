// Where an attribute of the assembly may be typed into a file: behind its usings and externs, in front of everything else, and outside of every #if.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Store.Serialization.CodeFixes;

internal static class AssemblyAttributePlace
{
    /// <summary>The position, or null where there is none.</summary>
    public static int? In(CompilationUnitSyntax unit)
    {
        SyntaxNode? last = (SyntaxNode?)unit.Usings.LastOrDefault() ?? unit.Externs.LastOrDefault();
        SyntaxToken next = last?.GetLastToken().GetNextToken(includeZeroWidth: true) ?? unit.GetFirstToken(includeZeroWidth: true);
        int depth = 0;
        foreach (SyntaxTrivia directive in unit.DescendantTrivia().Where(trivia => trivia.IsDirective && trivia.SpanStart < next.FullSpan.Start)) depth += Opens(directive);

        int? place = depth > 0 ? null : last is null ? Head(next) : next.FullSpan.Start;
        // A using may stand in there, if only for other symbols.
        foreach (SyntaxTrivia directive in next.LeadingTrivia.Where(static trivia => trivia.IsDirective))
        {
            depth += Opens(directive);
            if (depth == 0 && (last is not null && directive.IsKind(SyntaxKind.EndIfDirectiveTrivia))) place = directive.FullSpan.End;
        }

        return place;
    }

    /// <summary>Of a file without usings: behind the comments that it begins with and what it defines, in front of what documents the first type.</summary>
    private static int Head(SyntaxToken first)
    {
        foreach (SyntaxTrivia trivia in first.LeadingTrivia)
        {
            if (trivia.IsKind(SyntaxKind.SingleLineDocumentationCommentTrivia) || trivia.IsKind(SyntaxKind.MultiLineDocumentationCommentTrivia) || Opens(trivia) > 0) return trivia.FullSpan.Start;
        }

        return first.SpanStart;
    }

    private static int Opens(SyntaxTrivia trivia) => trivia.IsKind(SyntaxKind.IfDirectiveTrivia) ? 1 : trivia.IsKind(SyntaxKind.EndIfDirectiveTrivia) ? -1 : 0;
}
