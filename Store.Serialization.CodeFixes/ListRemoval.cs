// Takes some of what stands between commas out of a list, each with one comma; comments stay.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

internal static class ListRemoval
{
    /// <summary>What is to be deleted. One at least stays.</summary>
    public static IEnumerable<TextSpan> Spans<T>(SeparatedSyntaxList<T> all, Func<T, bool> isGone)
        where T : SyntaxNode
    {
        for (int first = 0; first < all.Count; first++)
        {
            if (!isGone(all[first])) continue;
            int last = first;
            while (last + 1 < all.Count && isGone(all[last + 1])) last++;
            bool isInFront = last + 1 < all.Count;
            TextSpan span = isInFront ? TextSpan.FromBounds(all[first].SpanStart, all[last + 1].SpanStart) : TextSpan.FromBounds(all.GetSeparator(first - 1).SpanStart, all[last].Span.End);
            if (!HasComment(all[first].Parent!, span))
            {
                yield return span;
            }
            else
            {
                for (int one = first; one <= last; one++)
                {
                    yield return all[one].Span;
                    yield return all.GetSeparator(isInFront ? one : one - 1).Span;
                }
            }

            first = last;
        }
    }

    /// <summary>Between its first and its last token stands a directive, as #if: what is deleted there may be half of something.</summary>
    public static bool HasDirective(SyntaxNode node) => node.DescendantTrivia().Any(trivia => trivia.IsDirective && node.Span.Contains(trivia.Span));

    private static bool HasComment(SyntaxNode node, TextSpan span) => node.DescendantTrivia().Any(trivia => !trivia.IsKind(SyntaxKind.WhitespaceTrivia) && !trivia.IsKind(SyntaxKind.EndOfLineTrivia) && span.Contains(trivia.Span));
}
