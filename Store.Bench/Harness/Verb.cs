// The verbs as the command line calls them: parse, measure, write, print where to look.

using Store.Bench.Harness.Views;

namespace Store.Bench.Harness;

/// <summary>Runs harness verbs. Exit codes: 0 done, 1 wrong usage; a failed verification is an exception.</summary>
public static class Verb
{
    public static int Run(ReadOnlySpan<string> args, Action<HarnessOptions> verb)
    {
        HarnessOptions options;
        try
        {
            options = HarnessOptions.Parse(args);
        }
        catch (ArgumentException e)
        {
            Console.Error.WriteLine(e.Message);
            Console.Error.WriteLine(HarnessOptions.Usage);
            return 1;
        }
        verb(options);
        return 0;
    }

    /// <summary>Everything that docs/benchmarks/results holds.</summary>
    public static void All(HarnessOptions options)
    {
        Ratios(options);
        FirstUseOf(options);
        Views(options);
        Shapes(options);
        Store(options);
    }

    public static void FirstUseOf(HarnessOptions options)
    {
        MachineInfo machine = MachineInfo.Here();
        List<FirstUseRow> rows = FirstUse.Measure(options, Console.Error);
        string markdown = FirstUse.Render(machine, rows, options);
        Console.WriteLine(markdown);
        Console.Error.WriteLine(ResultFiles.Write(options.OutputDirectory, "first-use", markdown, machine, options.Short, rows));
        foreach (var (file, svg) in FirstUse.Charts(rows)) File.WriteAllText(Path.Combine(options.OutputDirectory, file), svg);
    }

    public static void Ratios(HarnessOptions options)
    {
        MachineInfo machine = MachineInfo.Here();
        List<RatioCell> cells = RatioRun.Measure(options, Console.Error);
        string markdown = RatioReport.Render(machine, cells, options);
        Console.WriteLine(markdown);
        Console.Error.WriteLine(ResultFiles.Write(options.OutputDirectory, "serializers", markdown, machine, options.Short, cells));
        foreach (var (file, svg) in RatioCharts.Render(cells)) File.WriteAllText(Path.Combine(options.OutputDirectory, file), svg);
    }

    public static void Views(HarnessOptions options)
    {
        MachineInfo machine = MachineInfo.Here();
        List<ViewRow> rows = ViewRun.Measure(options);
        string markdown = ViewReport.Render(machine, rows, options);
        Console.WriteLine(markdown);
        Console.Error.WriteLine(ResultFiles.Write(options.OutputDirectory, "views", markdown, machine, options.Short, rows));
        foreach (var (file, svg) in ViewReport.Charts(rows)) File.WriteAllText(Path.Combine(options.OutputDirectory, file), svg);
    }

    public static void Shapes(HarnessOptions options)
    {
        MachineInfo machine = MachineInfo.Here();
        ShapeResults results = ShapeRun.Measure(options, Console.Error);
        string markdown = ShapeReport.Render(machine, results, options);
        Console.WriteLine(markdown);
        Console.Error.WriteLine(ResultFiles.Write<object>(options.OutputDirectory, "shapes", markdown, machine, options.Short, [.. results.Cells, .. results.Verbs]));
        foreach (var (file, svg) in ShapeReport.Charts(results)) File.WriteAllText(Path.Combine(options.OutputDirectory, file), svg);
    }

    public static void Store(HarnessOptions options)
    {
        MachineInfo machine = MachineInfo.Here();
        MachineFloor floor = MachineFloor.Measure(options);
        Console.Error.WriteLine(floor);
        IReadOnlyList<StoreRow> rows = new StoreRun(options, Console.Error).Run();
        string markdown = StoreReport.Render(machine, floor, rows, options);
        Console.WriteLine(markdown);
        Console.Error.WriteLine(ResultFiles.Write(options.OutputDirectory, "store", markdown, machine, options.Short, rows));
        foreach (var (file, svg) in StoreCharts.Render(rows)) File.WriteAllText(Path.Combine(options.OutputDirectory, file), svg);
    }
}
