// Coverage-guided fuzzing of everything that reads bytes. Started as it was built, it instruments a copy of itself and runs that as a child (docs/fuzzing.md).

using Store.Fuzz.Driver;
using Store.Fuzz.Targets;

namespace Store.Fuzz;

internal static class Program
{
    /// <summary>Exit code for arguments that make no sense.</summary>
    public const int Misuse = 2;

    /// <summary>Exit code for a failure of the fuzzer itself.</summary>
    public const int Failure = 3;

    public static int Main(string[] arguments)
    {
        try
        {
            FuzzOptions options = FuzzOptions.Parse(arguments);
            foreach (string name in options.Targets) TargetList.Of(name);
            if (options.Lists)
            {
                foreach (FuzzTargetKind target in TargetList.All) Console.WriteLine($"{target.Name,-16} {target.What}");
                return 0;
            }

            return options.Heartbeat is null ? new Supervisor(options).Run() : Worker.Run(options);
        }
        catch (Exception e) when (e is not UsageException)
        {
            // Not what an input did: the fuzzer itself.
            Console.Error.WriteLine(e);
            return Failure;
        }
        catch (UsageException e)
        {
            Console.Error.WriteLine(e.Message);
            Console.Error.WriteLine(FuzzOptions.Usage);
            return Misuse;
        }
    }
}
