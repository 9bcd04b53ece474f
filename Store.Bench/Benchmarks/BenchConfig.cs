// How everything is run under BenchmarkDotNet: results as Markdown and full JSON, allocations and payload as columns, rows that lose stay.

using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using Perfolizer.Horology;

namespace Store.Bench.Benchmarks;

/// <summary>Configuration of all BenchmarkDotNet suites.</summary>
internal static class BenchConfig
{
    /// <summary>Our switch for a look in minutes.</summary>
    public const string ShortSwitch = "--short";

    // The project that BenchmarkDotNet generates switches the repository's targets off, which prune a package that FASTER names and does not use.
    private const string ImportTargets = "/p:ImportDirectoryBuildTargets=true";

    /// <param name="isShort">True: one process, few short iterations. False: BenchmarkDotNet's default job, a process for each benchmark.</param>
    public static IConfig Create(bool isShort)
    {
        Job job = isShort
            ? Job.Default.WithToolchain(InProcessEmitToolchain.Instance).WithWarmupCount(3).WithIterationCount(5).WithIterationTime(TimeInterval.FromMilliseconds(20)).WithId("short")
            : Job.Default.WithArguments([new MsBuildArgument(ImportTargets)]).WithId("full");
        return ManualConfig.CreateEmpty()
            .AddJob(job)
            .AddLogger(ConsoleLogger.Default)
            .AddColumnProvider(DefaultColumnProviders.Instance)
            .AddColumn(StatisticColumn.Min, new PayloadColumn(), new BoundColumn())
            .AddDiagnoser(MemoryDiagnoser.Default)
            .AddExporter(MarkdownExporter.GitHub, JsonExporter.Full)
            .AddLogicalGroupRules(BenchmarkLogicalGroupRule.ByCategory, BenchmarkLogicalGroupRule.ByParams)
            .WithBuildTimeout(TimeSpan.FromMinutes(10))
            .WithOptions(ConfigOptions.DisableLogFile);
    }
}
