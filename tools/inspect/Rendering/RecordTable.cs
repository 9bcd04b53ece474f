using Spectre.Console;
using Store.Serialization;

namespace Store.Inspect.Rendering;

/// <summary>
/// Records as an aligned table. When the first records are of one type whose fields fit the width, each field has a column; else there is one for the
/// type and one for the value.
/// </summary>
internal sealed class RecordTable(Screen screen, int indent = 0)
{
    /// <summary>How many records settle the columns; so many are held back.</summary>
    public const int SampleSize = 100;

    private const int MaxFieldWidth = 32;
    private const int SequenceAndTimeWidth = 36;

    private readonly List<Row> _sample = [];
    private AlignedTable? _columns;
    private NinoSchema? _fieldsOf;

    /// <returns>Why the record did not decode, or null.</returns>
    public string? Add(LogRecord record)
    {
        Row row = Decode(record);
        if (_columns is not null)
        {
            Write(row);
        }
        else
        {
            _sample.Add(row);
            if (_sample.Count == SampleSize) Settle();
        }

        return row.Problem?.ToString();
    }

    /// <summary>Marks left-out records between those before and those after.</summary>
    public void AddGap() => _sample.Add(new Row(0, "", null, "", null, null));

    /// <summary>Writes what was held back.</summary>
    public void Finish()
    {
        if (_columns is null && _sample.Count > 0) Settle();
    }

    private void Settle()
    {
        _fieldsOf = CommonSchema();
        if (_fieldsOf is not null)
        {
            IReadOnlyList<SchemaField> fields = ((ObjectDefinition)_fieldsOf.Root.Definition!).Fields;
            _columns = new AlignedTable(screen, indent, [("sequence", Justify.Right), ("time", Justify.Left), .. fields.Select(static f => (f.Name, IsNumber(f.Node) ? Justify.Right : Justify.Left))]);
        }
        else
        {
            _columns = new AlignedTable(screen, indent, ("sequence", Justify.Right), ("time", Justify.Left), ("type", Justify.Left), ("value", Justify.Left));
        }

        foreach (Row row in _sample) Write(row);
        _columns.Settle();
        _sample.Clear();
    }

    private void Write(Row row)
    {
        StyledText sequence = row.Sequence == 0 ? new StyledText("…", Theme.Quiet) : Format.Count(row.Sequence);
        var time = new StyledText(row.Time, Theme.Quiet);
        if (_fieldsOf is null) _columns!.Add(sequence, time, new StyledText(row.Type, Theme.Name), row.Problem ?? (row.Value is { } value ? ValueText.OfRecord(value) : ""));
        else if (row.Schema is not null && IsSame(row.Schema, _fieldsOf) && row.Value is { } record) _columns!.Add([sequence, time, .. record.Fields.Select(static f => ValueText.OfCell(f.Value))]);
        else _columns!.Add([sequence, time, row.Problem ?? new StyledText(row.Type, Theme.Name), .. Enumerable.Repeat(new StyledText(), ((ObjectDefinition)_fieldsOf.Root.Definition!).Fields.Count - 1)]);
    }

    // The one schema of all records of the sample, when its fields fit side by side.
    private NinoSchema? CommonSchema()
    {
        Row[] records = [.. _sample.Where(static r => r.Schema is not null)];
        if (records.Length == 0 || !screen.IsTerminal || records.Any(r => r.Problem is not null || !IsSame(r.Schema!, records[0].Schema!))) return null;
        if (records[0].Schema!.Root.Definition is not ObjectDefinition { Fields: { Count: > 0 } fields }) return null;
        int width = indent + SequenceAndTimeWidth;
        for (int i = 0; i < fields.Count; i++)
        {
            int widest = Math.Max(fields[i].Name.Length, records.Max(r => ValueText.OfCell(r.Value!.Value.Fields[i].Value).Width));
            if (widest > MaxFieldWidth && i < fields.Count - 1) return null;
            width += Math.Min(widest, MaxFieldWidth) + 2;
        }

        return width <= screen.Width ? records[0].Schema : null;
    }

    private static Row Decode(LogRecord record)
    {
        string type = Format.ShortName(record.Schema.Name);
        try
        {
            return new Row(record.Sequence, Format.Time(record.Timestamp), record.Schema, type, NinoValue.Decode(record.Schema, record.Payload.Span), null);
        }
        catch (NinoSerializationException e)
        {
            return new Row(record.Sequence, Format.Time(record.Timestamp), record.Schema, type, null, new StyledText(e.Message, Theme.Bad));
        }
    }

    // Every segment declares its schemas anew.
    private static bool IsSame(NinoSchema a, NinoSchema b) => ReferenceEquals(a, b) || (a.Fingerprint == b.Fingerprint && a.Name == b.Name);

    private static bool IsNumber(SchemaNode node) => (node.Kind == SchemaKind.Nullable ? node.Element! : node).Kind is >= SchemaKind.SByte and <= SchemaKind.Decimal;

    private sealed record Row(long Sequence, string Time, NinoSchema? Schema, string Type, NinoValue? Value, StyledText? Problem);
}
