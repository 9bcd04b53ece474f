using Spectre.Console;

namespace Store.Inspect.Rendering;

/// <summary>Lines of styled text, with escape sequences only where colour is wanted. No line is ever wrapped or cut here.</summary>
internal sealed class Screen
{
    private readonly TextWriter _text;
    private readonly IAnsiConsole? _console;

    public Screen(TextWriter text, bool color, bool isTerminal, int width)
    {
        _text = text;
        IsTerminal = isTerminal;
        Width = width;
        if (!color) return;
        _console = AnsiConsole.Create(new AnsiConsoleSettings { Ansi = AnsiSupport.Yes, ColorSystem = ColorSystemSupport.Standard, Out = new AnsiConsoleOutput(text), Interactive = InteractionSupport.No });
        _console.Profile.Width = int.MaxValue / 4;
    }

    public bool IsTerminal { get; }

    /// <summary>Columns of a line; without limit where the output is no terminal.</summary>
    public int Width { get; }

    public Screen Line(StyledText line)
    {
        foreach ((string text, Style style) in line.Pieces)
        {
            if (_console is null || style.Equals(Style.Plain)) _text.Write(text);
            else _console.Write(new Text(text, style));
        }

        _text.WriteLine();
        return this;
    }

    public Screen Line(string text = "", Style? style = null) => Line(new StyledText(text, style));
}
