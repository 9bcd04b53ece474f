// From a command line to an exit code, without touching the process: tests run the whole tool with captured streams.

using System.CommandLine;
using System.CommandLine.Invocation;
using Store.Inspect.Commands;
using Store.Inspect.Rendering;
using Store.Serialization;

namespace Store.Inspect;

/// <summary>The tool. Every failure that a user can cause ends as one message on the error stream and an exit code.</summary>
internal static class InspectTool
{
    public static int Run(IReadOnlyList<string> args, ToolConsole console)
    {
        int code = Guard(console, () => Invoke(Build(console).Parse(args, new ParserConfiguration { ResponseFileTokenReplacer = null }), console));

        // What is still in the buffer can meet a closed pipe or a full disk too.
        int flushed = Guard(console, () =>
        {
            console.Flush();
            return ExitCode.Clean;
        });
        return code != ExitCode.Clean ? code : flushed;
    }

    /// <summary>As <see cref="Run"/>, for a process: the signals that end it put right what it is at.</summary>
    public static int RunProcess(IReadOnlyList<string> args, ToolConsole console)
    {
        using var ending = new Ending(console);
        return Run(args, console);
    }

    private static int Invoke(ParseResult parse, ToolConsole console)
    {
        if (parse.Action is ParseErrorAction) throw new UsageException($"{string.Join(" ", parse.Errors.SelectMany(static e => e.Message.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)))} 'inspect --help' tells what can be done.");
        return parse.Invoke(new InvocationConfiguration { Output = console.Text, Error = console.Error, EnableDefaultExceptionHandler = false });
    }

    private static RootCommand Build(ToolConsole console)
    {
        var options = new SharedOptions();
        RootCommand root = SummaryCommand.CreateRoot(console, options);
        root.Add(CatCommand.Create(console, options));
        root.Add(VerifyCommand.Create(console, options));
        root.Add(SchemaCommand.Create(console, options));
        root.Add(ExportCommand.Create(console));
        return root;
    }

    private static int Guard(ToolConsole console, Func<int> run)
    {
        try
        {
            return run();
        }
        catch (OutputClosedException)
        {
            // The reader has seen enough (`| head`): that is no failure.
            return ExitCode.Clean;
        }
        catch (UsageException e)
        {
            return Fail(console, e.Message, ExitCode.Usage);
        }
        catch (LogTruncatedException e)
        {
            return Fail(console, e.Message, ExitCode.Removed);
        }
        catch (Exception e) when (e is NotAStoreException or StoreVersionException or IOException or UnauthorizedAccessException or OutputFailedException)
        {
            return Fail(console, e.Message, ExitCode.Unreadable);
        }
        catch (Exception e) when (e is StoreException or NinoSerializationException)
        {
            return Fail(console, e.Message, ExitCode.Corrupt);
        }
        catch (Exception e)
        {
            // Whatever it is, the caller gets a message and a code, and no dump of the process.
            return Fail(console, $"this should not happen, and says nothing about the path; please report it: {e.GetType().Name}: {e.Message}", ExitCode.Failed);
        }
    }

    // In one line, as scripts read it.
    private static int Fail(ToolConsole console, string message, int code)
    {
        console.Complain(message.ReplaceLineEndings(" "));
        return code;
    }
}

/// <summary>The command line asks for something that cannot be done.</summary>
internal sealed class UsageException(string message) : Exception(message);
