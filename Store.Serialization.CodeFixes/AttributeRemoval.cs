// Takes attributes off declarations: out of a list of several, or with the list, and with the line where that holds nothing else. Comments stay.

using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Store.Serialization.CodeFixes;

internal static class AttributeRemoval
{
    /// <summary>What changes in one file, or null where a directive stands in the way.</summary>
    public static List<TextChange>? Of(IEnumerable<AttributeSyntax> attributes)
    {
        List<TextSpan> deleted = [];
        List<AttributeListSyntax> whole = [];
        foreach (IGrouping<AttributeListSyntax, AttributeSyntax> list in attributes.Distinct().GroupBy(static attribute => (AttributeListSyntax)attribute.Parent!))
        {
            if (ListRemoval.HasDirective(list.Key)) return null;
            if (list.Key.Attributes.All(list.Contains)) whole.Add(list.Key);
            else deleted.AddRange(ListRemoval.Spans(list.Key.Attributes, list.Contains));
        }

        if (whole.Count > 0) deleted.AddRange(Lists(whole, whole[0].SyntaxTree.GetText()));
        return [.. deleted.OrderBy(static span => span.Start).Select(static span => new TextChange(span, ""))];
    }

    /// <summary>Whole lists: those beside each other on a line go together.</summary>
    private static IEnumerable<TextSpan> Lists(List<AttributeListSyntax> lists, SourceText text)
    {
        List<TextSpan> spans = [];
        foreach (TextSpan span in lists.Select(static list => list.Span).OrderBy(static span => span.Start))
        {
            if (spans.Count > 0 && AfterBlanks(text, spans[spans.Count - 1].End) == span.Start) spans[spans.Count - 1] = TextSpan.FromBounds(spans[spans.Count - 1].Start, span.End);
            else spans.Add(span);
        }

        return spans.Select(span => WithBlanks(span, text));
    }

    private static TextSpan WithBlanks(TextSpan span, SourceText text)
    {
        TextLine line = text.Lines.GetLineFromPosition(span.End);
        int before = span.Start;
        int after = AfterBlanks(text, span.End);
        while (before > 0 && IsBlank(text[before - 1])) before--;
        bool isFirst = before == text.Lines.GetLineFromPosition(span.Start).Start;
        return after < line.End ? TextSpan.FromBounds(span.Start, after)
            : isFirst ? TextSpan.FromBounds(before, line.EndIncludingLineBreak)
            : TextSpan.FromBounds(before, span.End);
    }

    private static int AfterBlanks(SourceText text, int position)
    {
        while (position < text.Length && IsBlank(text[position])) position++;
        return position;
    }

    private static bool IsBlank(char one) => one is ' ' or '\t';
}
