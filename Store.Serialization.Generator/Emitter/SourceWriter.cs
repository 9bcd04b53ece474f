// Text with indentation. Lines end in \n on every machine, so that the same model gives the same file.

using System.Text;
using Store.Serialization.Generator.Parser;

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

    /// <summary>
    /// As <see cref="Block"/>, of a type whose code a running program must not exchange: what was found in the old code, a schema above all, is kept. So it begins with a constant that changes whenever
    /// anything behind it does: the tools of hot reload never exchange one, and start the program again (docs/generated-code.md, "Hot reload").
    /// </summary>
    public void FixedBlock(string head, Action body) => Block(head, () =>
    {
        int start = _text.Length;
        body();
        string code = _text.ToString(start, _text.Length - start);
        _text.Length = start;
        Line($"private const ulong ChangesNeedRestart = 0x{TypeNames.Hash(code)};");
        Line();
        _text.Append(code);
    });

    public override string ToString() => _text.ToString();
}
