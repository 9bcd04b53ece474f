using System.Runtime.CompilerServices;

namespace Store.Tests;

/// <summary>The files of this repository, for tests that hold documents against code.</summary>
internal static class Repository
{
    /// <summary>The repository's folder.</summary>
    public static string Root { get; } = Path.GetDirectoryName(Path.GetDirectoryName(ThisFile()))!;

    /// <summary>Text of a file.</summary>
    public static string Read(string path) => File.ReadAllText(Path.Combine(Root, path));

    /// <summary>The cells of every row of every table in a Markdown page.</summary>
    public static IEnumerable<string[]> TableRows(string path) =>
        Read(path).Split('\n').Where(static line => line.StartsWith('|')).Select(static line => line.Trim().Trim('|').Split('|').Select(static cell => cell.Trim()).ToArray());

    /// <summary>The bytes of the hex dumps in a Markdown page that follow a heading or line with this text: groups of two hex digits before the first column of words.</summary>
    public static byte[] HexBytes(string path, string marker)
    {
        string text = Read(path);
        int start = text.IndexOf(marker, StringComparison.Ordinal);
        if (start < 0) throw new InvalidOperationException($"{path} has no '{marker}'.");
        start = text.IndexOf("```", start, StringComparison.Ordinal);
        start = text.IndexOf('\n', start) + 1;
        string block = text[start..text.IndexOf("```", start, StringComparison.Ordinal)];
        List<byte> bytes = [];
        foreach (string line in block.Split('\n'))
        {
            foreach (string word in line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            {
                if (word.Length != 2 || !byte.TryParse(word, System.Globalization.NumberStyles.HexNumber, null, out byte value)) break;
                bytes.Add(value);
            }
        }

        return [.. bytes];
    }

    private static string ThisFile([CallerFilePath] string path = "") => path;
}
