using System.Text;
using Store.Inspect;
using Store.Inspect.Rendering;

namespace Store.Tests.Inspect;

/// <summary>One run of the whole tool inside the test's process, with everything it said.</summary>
internal sealed class ToolRun
{
    private ToolRun(int exitCode, string output, string error)
    {
        ExitCode = exitCode;
        Output = output;
        Error = error;
    }

    public int ExitCode { get; }

    public string Output { get; }

    public string Error { get; }

    public string[] Lines => Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);

    /// <summary>Runs with redirected output.</summary>
    public static ToolRun Of(params string[] args) => With(args);

    /// <summary>Runs as on a terminal of a width.</summary>
    public static ToolRun OnTerminal(int width, params string[] args) => With(args, isTerminal: true, width: width);

    /// <summary>Runs the tool.</summary>
    /// <param name="args">The command line.</param>
    /// <param name="isTerminal">The output is a terminal.</param>
    /// <param name="width">Its width.</param>
    /// <param name="environment">Variables of the environment.</param>
    /// <param name="open">Opens the path; on the disk when null.</param>
    /// <param name="to">Takes the output; kept when null.</param>
    /// <param name="isErrorTerminal">The error stream is a terminal.</param>
    public static ToolRun With(string[] args, bool isTerminal = false, int width = 120, Func<string, string?>? environment = null, Func<string, StoreReader>? open = null, Stream? to = null, bool isErrorTerminal = false)
    {
        using var output = new MemoryStream();
        using var error = new StringWriter { NewLine = "\n" };
        using var console = new ToolConsole(to ?? output, error, isTerminal, isErrorTerminal, width, environment) { OpenReader = open ?? StoreReader.Open };
        int code = InspectTool.Run(args, console);
        return new ToolRun(code, Encoding.UTF8.GetString(output.ToArray()), error.ToString());
    }
}
