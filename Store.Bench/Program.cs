// Entry of all measurements: the verbs are our own harness, everything else goes to BenchmarkDotNet.

using BenchmarkDotNet.Running;
using Store.Bench.Benchmarks;
using Store.Bench.Harness;
using Store.Bench.Harness.Tables;

switch (args)
{
    case ["all", .. var rest]:
        return Verb.Run(rest, Verb.All);
    case ["first-use", .. var rest]:
        return Verb.Run(rest, Verb.FirstUseOf);
    case [FirstUse.ChildVerb, var workload, var peer]:
        return FirstUse.RunChild(workload, peer);
    case [MemoryTable.ChildVerb, var store, var mebibytes, var directory]:
        return MemoryTable.RunChild(store, mebibytes, directory);
    case ["ratios", .. var rest]:
        return Verb.Run(rest, Verb.Ratios);
    case ["shapes", .. var rest]:
        return Verb.Run(rest, Verb.Shapes);
    case ["store", .. var rest]:
        return Verb.Run(rest, Verb.Store);
    case ["views", .. var rest]:
        return Verb.Run(rest, Verb.Views);
    case ["help" or "-h", ..]:
        Console.WriteLine(HarnessOptions.Usage);
        return 0;
    default:
        string[] forwarded = [.. args.Where(a => a != BenchConfig.ShortSwitch)];
        SerializerBench.WarmsUpInSetup = forwarded.Length < args.Length;
        BenchmarkSwitcher.FromAssembly(typeof(BenchConfig).Assembly).Run(forwarded, BenchConfig.Create(isShort: forwarded.Length < args.Length));
        return 0;
}
