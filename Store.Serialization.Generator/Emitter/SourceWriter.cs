// Text with indentation. Lines end in \n on every machine, so that the same model gives the same file.

using System.Text;

namespace Store.Serialization.Generator.Emitter;

internal sealed class SourceWriter
{
    private readonly StringBuilder _text = new();
    private int _depth;

    public void Line(string text = "")
    {
        if (text.Length > 0) _text.Append(' ', _depth * 4).Append(text);
        _text.Append('\n');
    }

    public void Block(string head, Action body, string close = "}")
    {
        Line(head);
        Line("{");
        _depth++;
        body();
        _depth--;
        Line(close);
    }

    public override string ToString() => _text.ToString();
}
