// Which power failures are tried? All of them when they are few; else different ones drawn by a seed.

namespace Store.Tests.Simulation;

internal static class CrashSampler
{
    /// <summary>Up to so many unsynced changes, every subset is tried.</summary>
    public const int ExhaustiveChanges = 10;

    /// <summary>So many draws in a row that give nothing new end the drawing: the choices are used up.</summary>
    private const int DrawsWithoutNews = 1000;

    public static IEnumerable<SimDirectory> States(CrashImage image, int limit, int seed) => Choices(image, limit, seed).Select(image.Build);

    /// <summary>Different choices: first every subset of whole changes when that is possible, then drawn ones.</summary>
    public static IEnumerable<CrashChoice> Choices(CrashImage image, int limit, int seed)
    {
        var statistics = image.Statistics;
        var changes = image.Changes.Length + image.EntryChanges.Length;
        var enumerates = changes <= ExhaustiveChanges && 1 << changes <= limit;
        var seen = new HashSet<ulong>();
        if (enumerates)
        {
            for (var subset = 0; subset < 1 << changes; subset++)
            {
                var choice = Subset(image, subset);
                seen.Add(Signature(choice));
                statistics.CountState(exhaustive: true);
                yield return choice;
            }
            if (!image.Changes.Any(c => c.Extends || c.UnitsOf(SimChange.SectorSize) > 1))
                yield break; // nothing can be torn: those were all
        }
        var random = new Random(seed);
        for (var fruitless = 0; seen.Count < limit && fruitless < DrawsWithoutNews;)
        {
            var choice = Draw(image, random);
            if (!seen.Add(Signature(choice)))
            {
                fruitless++;
                continue;
            }
            fruitless = 0;
            statistics.CountState(exhaustive: false);
            yield return choice;
        }
    }

    /// <summary>One choice. Each has a mood of its own, so that nearly everything and nearly nothing surviving is as frequent as the middle.</summary>
    public static CrashChoice Draw(CrashImage image, Random random)
    {
        var survival = random.Next(5) switch { 0 => 0.05, 1 => 0.3, 2 => 0.5, 3 => 0.8, _ => 0.97 };
        var damage = random.Next(3) switch { 0 => 0.0, 1 => 0.3, _ => 0.8 };
        var files = new SimFate[image.Changes.Length];
        for (var i = 0; i < files.Length; i++)
            files[i] = random.NextDouble() < damage ? DrawDamage(image.Changes[i], random) : random.NextDouble() < survival ? SimFate.Whole : SimFate.Lost;
        return new CrashChoice(files, DrawEntries(image.EntryChanges.Length, survival, random));
    }

    private static SimFate DrawDamage(SimChange change, Random random)
    {
        var unitSize = random.Next(2) == 0 ? SimChange.SectorSize : SimChange.BlockSize;
        var units = change.UnitsOf(unitSize);
        var keepsLength = change.Extends && random.Next(2) == 0;
        if (units <= 1 || (change.Extends && random.Next(3) == 0))
            return change.Extends ? SimFate.LengthOnly : random.Next(2) == 0 ? SimFate.Whole : SimFate.Lost;
        return random.Next(2) == 0
            ? SimFate.Prefix(random.Next(1, units), unitSize, keepsLength)
            : SimFate.Scattered(random.Next(1, units <= 16 ? (1 << units) - 1 : int.MaxValue), unitSize, keepsLength);
    }

    private static bool[] DrawEntries(int count, double survival, Random random)
    {
        var survives = new bool[count];
        var isPrefix = random.Next(2) == 0;
        var kept = random.Next(count + 1);
        for (var i = 0; i < count; i++)
            survives[i] = isPrefix ? i < kept : random.NextDouble() < survival;
        return survives;
    }

    private static CrashChoice Subset(CrashImage image, int subset)
    {
        var choice = image.NothingSurvives;
        for (var i = 0; i < choice.Files.Length; i++)
            choice.Files[i] = ((subset >> i) & 1) != 0 ? SimFate.Whole : SimFate.Lost;
        for (var i = 0; i < choice.Entries.Length; i++)
            choice.Entries[i] = ((subset >> (choice.Files.Length + i)) & 1) != 0;
        return choice;
    }

    /// <summary>FNV-1a over the choice. A collision would only skip a state.</summary>
    private static ulong Signature(CrashChoice choice)
    {
        var hash = 14695981039346656037UL;
        foreach (var fate in choice.Files)
        {
            hash = (hash ^ ((ulong)fate.Kind | ((ulong)fate.UnitSize << 8) | (fate.KeepsLength ? 0x80UL : 0))) * 1099511628211;
            hash = (hash ^ (uint)fate.Pattern) * 1099511628211;
        }
        foreach (var survives in choice.Entries)
            hash = (hash ^ (survives ? 2UL : 1UL)) * 1099511628211;
        return hash;
    }
}
