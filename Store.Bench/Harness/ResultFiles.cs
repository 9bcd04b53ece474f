// Where results go: one Markdown file to read and one JSON file to compare runs with.

using System.Text.Json;
using System.Text.Json.Serialization;

namespace Store.Bench.Harness;

/// <summary>Writes results.</summary>
public static class ResultFiles
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true, PropertyNamingPolicy = JsonNamingPolicy.CamelCase, Converters = { new JsonStringEnumConverter() } };

    /// <summary>Writes <c>name.md</c> and <c>name.json</c> into a folder and returns the path of the first.</summary>
    public static string Write<T>(string directory, string name, string markdown, MachineInfo machine, bool isShort, IReadOnlyList<T> rows)
    {
        Directory.CreateDirectory(directory);
        string path = Path.Combine(directory, name + ".md");
        File.WriteAllText(path, markdown);
        File.WriteAllText(Path.Combine(directory, name + ".json"), JsonSerializer.Serialize(new { machine, isShort, rows }, Indented) + "\n");
        return path;
    }
}
