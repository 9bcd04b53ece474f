using System.Text;
using Spectre.Console;

namespace Store.Inspect.Rendering;

/// <summary>
/// Where output goes and what may be assumed of it. Output that is redirected gets no escape sequences, no tables cut to a width and no progress bars.
/// </summary>
internal sealed class ToolConsole : IDisposable
{
    private const int FallbackWidth = 120;

    private readonly Stream _output;
    private readonly Func<string, string?> _environment;
    private bool _isLeft;

    public ToolConsole(Stream output, TextWriter error, bool isOutputTerminal = false, bool isErrorTerminal = false, int width = FallbackWidth, Func<string, string?>? environment = null)
    {
        _output = output;
        Text = new StreamWriter(output, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), bufferSize: 16 * 1024, leaveOpen: true) { NewLine = "\n" };
        Error = error;
        IsOutputTerminal = isOutputTerminal;
        IsErrorTerminal = isErrorTerminal;
        Width = width;
        _environment = environment ?? (static _ => null);
    }

    /// <summary>The process's own streams.</summary>
    public static ToolConsole OfProcess()
    {
        Console.OutputEncoding = Encoding.UTF8;
        bool terminal = !Console.IsOutputRedirected;
        int width = terminal && Console.WindowWidth > 0 ? Console.WindowWidth : FallbackWidth;
        return new ToolConsole(StandardOutput.Open(), Console.Error, terminal, !Console.IsErrorRedirected, width, Environment.GetEnvironmentVariable);
    }

    /// <summary>Opens what is looked at.</summary>
    public Func<string, StoreReader> OpenReader { get; init; } = StoreReader.Open;

    /// <summary>What the end of the process puts right.</summary>
    public Leftovers Leftovers { get; } = new();

    /// <summary>Buffered text to the output.</summary>
    public TextWriter Text { get; }

    /// <summary>Messages and progress.</summary>
    public TextWriter Error { get; }

    public bool IsOutputTerminal { get; }

    public bool IsErrorTerminal { get; }

    /// <summary>Width of the terminal in characters.</summary>
    public int Width { get; }

    /// <summary>The bytes under <see cref="Text"/>, for output that is bytes already. Flushes the text first.</summary>
    public Stream Bytes
    {
        get
        {
            Text.Flush();
            return _output;
        }
    }

    /// <summary>Styled output, with colour as the option, the terminal and NO_COLOR say.</summary>
    public Screen OpenScreen(ColorMode mode) => new(Text, IsColoured(mode, IsOutputTerminal), IsOutputTerminal, IsOutputTerminal ? Width : int.MaxValue);

    /// <summary>Runs long work with a bar on the error stream, when that is a terminal and the work is long enough to be looked at.</summary>
    public T WithProgress<T>(string title, long totalBytes, ColorMode mode, Func<IProgress<long>?, T> work)
    {
        const long WorthABar = 64L * 1024 * 1024;
        if (!IsErrorTerminal || totalBytes < WorthABar) return work(null);
        IAnsiConsole terminal = OpenErrorTerminal(mode);
        Leftovers.Make(() => true, ShowCursor, out Leftover hiddenCursor);
        try
        {
            T result = default!;
            terminal.Progress()
                .AutoClear(true)
                .Columns(new TaskDescriptionColumn(), new ProgressBarColumn(), new PercentageColumn(), new TransferSpeedColumn(), new RemainingTimeColumn())
                .Start(context =>
                {
                    ProgressTask task = context.AddTask(title, maxValue: totalBytes);
                    result = work(new Relay(task));
                });
            return result;
        }
        finally
        {
            hiddenCursor.Forget();
        }

        void ShowCursor()
        {
            terminal.Cursor.Show(true);
            Error.WriteLine();
        }
    }

    /// <summary>Shows what has been found. Whoever has seen enough of it leaves the exit code as it is.</summary>
    public void Show(Action show)
    {
        try
        {
            show();
            Flush();
        }
        catch (OutputClosedException)
        {
            // What was found does not depend on who looks at it.
            _isLeft = true;
        }
    }

    /// <summary>Writes a message. It may quote a file's name or its content: like in everything else that is shown, control characters become escapes.</summary>
    public void Complain(string message) => Error.WriteLine(new StyledText($"inspect: {message}").ToString());

    public void Flush()
    {
        if (!_isLeft) Text.Flush();
    }

    public void Dispose()
    {
        // Flush happened in Run, where failures become exit codes; a second one here could only fail the same way.
        _output.Dispose();
    }

    private bool IsColoured(ColorMode mode, bool isTerminal) => mode switch
    {
        ColorMode.Always => true,
        ColorMode.Never => false,
        _ => string.IsNullOrEmpty(_environment("NO_COLOR")) && (isTerminal ? _environment("TERM") != "dumb" : !string.IsNullOrEmpty(_environment("FORCE_COLOR"))),
    };

    // What is known of it is said, and not what the library finds out about the process. On Windows it also switches escape sequences on.
    private IAnsiConsole OpenErrorTerminal(ColorMode mode) => AnsiConsole.Create(new AnsiConsoleSettings
    {
        Out = new AnsiConsoleOutput(Error),
        Ansi = OperatingSystem.IsWindows() ? AnsiSupport.Detect : _environment("TERM") is null or "" or "dumb" ? AnsiSupport.No : AnsiSupport.Yes,
        ColorSystem = IsColoured(mode, isTerminal: true) ? ColorSystemSupport.Standard : ColorSystemSupport.NoColors,
        Interactive = InteractionSupport.Yes,
        Enrichment = new ProfileEnrichment { UseDefaultEnrichers = false },
    });

    private sealed class Relay(ProgressTask task) : IProgress<long>
    {
        public void Report(long value) => task.Value = value;
    }
}

/// <summary>When to use colour.</summary>
internal enum ColorMode
{
    /// <summary>On a terminal, unless NO_COLOR is set.</summary>
    Auto,

    /// <summary>Always, for a pager that shows colours.</summary>
    Always,

    /// <summary>Never.</summary>
    Never,
}
