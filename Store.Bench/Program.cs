// Entry of all measurements. "ratios" and "store" are our own harness, everything else goes to BenchmarkDotNet.

using Store.Bench.Harness;

switch (args)
{
    case ["ratios", .. var rest]:
        return Verb.Run(rest, Verb.Ratios);
    case ["store", .. var rest]:
        return Verb.Run(rest, Verb.Store);
    case ["help" or "-h" or "--help", ..]:
        Console.WriteLine(HarnessOptions.Usage);
        return 0;
    default:
        return 1;
}
