using System.Globalization;

namespace Store.Serialization;

/// <summary>Changes, each once with the records in which it is: a type that changed may be part of very many.</summary>
internal sealed class RecordChanges
{
    private const int MaxNamed = 3;

    private readonly OrderedDictionary<string, List<string>> _records = new(StringComparer.Ordinal);

    /// <summary>Adds a change.</summary>
    /// <param name="record">Name of the record type.</param>
    /// <param name="change">What changed in it.</param>
    public void Add(string record, string change)
    {
        if (!_records.TryGetValue(change, out List<string>? records)) _records.Add(change, records = []);
        // A list and a set of one type have one name.
        if (!records.Contains(record)) records.Add(record);
    }

    /// <inheritdoc cref="Add"/>
    public void AddRange(string record, IEnumerable<string> changes)
    {
        foreach (string change in changes) Add(record, change);
    }

    /// <summary>A line of each change, in the order in which they were first met.</summary>
    public IEnumerable<string> Lines() => _records.Select(static one => $"{Shown(one.Value)}: {one.Key}");

    private static string Shown(List<string> records) =>
        records.Count <= MaxNamed ? string.Join(", ", records) : string.Create(CultureInfo.InvariantCulture, $"{string.Join(", ", records.Take(MaxNamed))} and {records.Count - MaxNamed} more");
}
