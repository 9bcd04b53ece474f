// What went wrong, each kind once: the input is saved as a corpus of one, and said.

using System.Security.Cryptography;

namespace Store.Fuzz.Driver;

internal sealed class FindingLog(string folder)
{
    private readonly HashSet<string> _kinds = [];
    private readonly Dictionary<string, int> _counts = [];

    public int Count { get; private set; }

    public int CountOf(string target) => _counts.GetValueOrDefault(target);

    public void Add(string target, string lane, byte[] input, Exception error)
    {
        Exception cause = error;
        while (cause is not LaneException && cause.InnerException is { } inner) cause = inner;
        string place = (cause.StackTrace ?? "").Split('\n').Select(static line => line.Trim()).FirstOrDefault(static line => line.Contains(" Store.", StringComparison.Ordinal)) ?? "";
        Add(target, lane, input, $"{cause.GetType().Name} {place}{(cause is LaneException or Tests.Fuzz.FuzzException ? new string([.. cause.Message.Where(static c => !char.IsAsciiHexDigit(c))]) : "")}", error.ToString());
    }

    /// <summary>Saves and says it, unless one of its kind was.</summary>
    /// <param name="target">The target.</param>
    /// <param name="lane">The lane.</param>
    /// <param name="input">The input.</param>
    /// <param name="kind">What two findings share that are the same.</param>
    /// <param name="what">What to say.</param>
    public void Add(string target, string lane, byte[] input, string kind, string what)
    {
        if (!_kinds.Add($"{target} {kind}")) return;
        Count++;
        _counts[target] = CountOf(target) + 1;
        Directory.CreateDirectory(folder);
        string path = Path.Combine(folder, $"{target}-{Convert.ToHexStringLower(SHA256.HashData(input))[..12]}.bin");
        CorpusFile.Write(path, [new CorpusEntry(lane, input)]);
        Console.WriteLine($"FINDING {target} {lane} {path}");
        Console.WriteLine($"    {Convert.ToHexString(input.AsSpan(0, Math.Min(input.Length, 256)))}{(input.Length > 256 ? $"… ({input.Length} bytes)" : "")}");
        foreach (string line in what.Split('\n').Take(24)) Console.WriteLine($"    {line.TrimEnd()}");
    }
}
