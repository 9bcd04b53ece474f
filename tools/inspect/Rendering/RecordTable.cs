using Spectre.Console;
using Store.Inspect.Commands;
using Store.Serialization;

namespace Store.Inspect.Rendering;

/// <summary>
/// Records as an aligned table. When the first records are of one type whose fields fit the width, each field has a column; else there is one for the
/// type and one for the value. A record behind them that does not go into the columns is shown over all of them, with its type in front.
/// </summary>
/// <param name="screen">Where it is written.</param>
/// <param name="lead">What stands in front of each row.</param>
/// <param name="indent">Columns left free on the left.</param>
internal sealed class RecordTable(Screen screen, RecordLead lead = RecordLead.SequenceAndTime, int indent = 0)
{
    /// <summary>How many records settle the columns; so many are held back.</summary>
    public const int SampleSize = 100;

    private const int MaxFieldWidth = 32;

    // A column has a character, and two blanks in front of it.
    private const int LeastFieldWidth = 3;

    private const int SequenceAndTimeWidth = 36;
    private const int ItemWidth = 12;

    private readonly List<Row> _sample = [];
    private AlignedTable? _columns;
    private NinoSchema? _fieldsOf;

    /// <summary>True when there is no row to be written by <see cref="Finish"/>.</summary>
    public bool IsEmpty => _sample.Count == 0;

    // A part of a snapshot holds one type, and its title names it.
    private bool NamesTypes => lead == RecordLead.SequenceAndTime;

    /// <summary>What is said of each record: of one in a snapshot, its title says the rest.</summary>
    public static RecordLead LeadOf(SelectedRecord record) => record.Part is null ? RecordLead.SequenceAndTime : record.IsItem ? RecordLead.Item : RecordLead.Nothing;

    /// <returns>Why the record did not decode, or null.</returns>
    public string? Add(SelectedRecord record)
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
    public void AddGap() => _sample.Add(new Row("…", "", null, "", "", null, null));

    /// <summary>Writes what was held back.</summary>
    public void Finish()
    {
        if (_columns is null && _sample.Count > 0) Settle();
    }

    private void Settle()
    {
        _fieldsOf = CommonSchema();
        (string, Justify)[] front = lead switch
        {
            RecordLead.SequenceAndTime => [("sequence", Justify.Right), ("time", Justify.Left)],
            RecordLead.Item => [("item", Justify.Right)],
            _ => [],
        };
        (string, Justify)[] values = _fieldsOf is not null
            ? [.. ((ObjectDefinition)_fieldsOf.Root.Definition!).Fields.Select(static f => (f.Name, IsNumber(f.Node) ? Justify.Right : Justify.Left))]
            : NamesTypes ? [("type", Justify.Left), ("value", Justify.Left)] : [("value", Justify.Left)];
        _columns = new AlignedTable(screen, indent, [.. front, .. values]);

        foreach (Row row in _sample) Write(row);
        _columns.Settle();
        _sample.Clear();
    }

    private void Write(Row row)
    {
        StyledText number = row.Schema is null ? new StyledText(row.Number, Theme.Quiet) : row.Number;
        StyledText[] front = lead switch
        {
            RecordLead.SequenceAndTime => [number, new StyledText(row.Time, Theme.Quiet)],
            RecordLead.Item => [number],
            _ => [],
        };
        if (_fieldsOf is null && NamesTypes) front = [.. front, new StyledText(row.Type, Theme.Name)];
        if (_fieldsOf is null) _columns!.Add([.. front, row.Problem ?? row.Value]);
        else if (row.Schema is not null && IsSame(row.Schema, _fieldsOf) && row.Cells is { } cells) _columns!.Add([.. front, .. cells]);
        else _columns!.Add([.. front, row.Problem ?? (row.Schema is null ? row.Value : Whole(row))]);
    }

    // Of another type, of its own type in another shape, or too large for columns: it has its value over all of them.
    private StyledText Whole(Row row) => NamesTypes ? new StyledText(row.Type, Theme.Name).Add("  ").Add(row.Value) : row.Value;

    // The one schema of all records of the sample, when its fields fit side by side.
    private NinoSchema? CommonSchema()
    {
        Row[] records = [.. _sample.Where(static r => r.Schema is not null)];
        if (records.Length == 0 || !screen.IsTerminal || records.Any(r => r.Cells is null || !IsSame(r.Schema!, records[0].Schema!))) return null;
        if (records[0].Schema!.Root.Definition is not ObjectDefinition { Fields: { Count: > 0 } fields }) return null;
        int width = indent + lead switch { RecordLead.SequenceAndTime => SequenceAndTimeWidth, RecordLead.Item => ItemWidth, _ => 0 };
        for (int i = 0; i < fields.Count; i++)
        {
            int widest = Math.Max(fields[i].Name.Length, records.Max(r => r.Cells![i].Width));
            if (widest > MaxFieldWidth && i < fields.Count - 1) return null;
            width += Math.Min(widest, MaxFieldWidth) + 2;
        }

        return width <= screen.Width ? records[0].Schema : null;
    }

    // What is held back is what will be shown: a record may be large, and decoded it is larger.
    private Row Decode(SelectedRecord selected)
    {
        LogRecord record = selected.Record;
        var row = new Row(Format.Count(selected.IsItem ? selected.Item : record.Sequence), Format.Time(record.Timestamp), record.Schema, Format.ShortName(record.Schema.Name), "", null, null);
        try
        {
            if (record.Payload.Length > ValuePreview.LargestDecodedBytes) return row with { Value = ValuePreview.Of(record) };
            NinoValue value = NinoValue.Decode(record.Schema, record.Payload.Span, FileLimits.Default);
            return row with { Value = ValueText.OfRecord(value), Cells = MayHaveColumns(value) ? [.. value.Fields.Select(static f => ValueText.OfCell(f.Value))] : null };
        }
        catch (NinoSerializationException e)
        {
            return row with { Problem = new StyledText(e.Message, Theme.Bad) };
        }
    }

    private bool MayHaveColumns(NinoValue value) => screen.IsTerminal && !value.IsNull && value.Fields.Count > 0 && value.Fields.Count <= screen.Width / LeastFieldWidth;

    // Every segment declares its schemas anew.
    private static bool IsSame(NinoSchema a, NinoSchema b) => ReferenceEquals(a, b) || (a.Fingerprint == b.Fingerprint && a.Name == b.Name);

    private static bool IsNumber(SchemaNode node) => (node.Kind == SchemaKind.Nullable ? node.Element! : node).Kind is >= SchemaKind.SByte and <= SchemaKind.Decimal;

    // Without a schema it stands for records that were left out.
    private sealed record Row(string Number, string Time, NinoSchema? Schema, string Type, StyledText Value, StyledText[]? Cells, StyledText? Problem);
}

/// <summary>What stands in front of the rows of a <see cref="RecordTable"/>.</summary>
internal enum RecordLead
{
    /// <summary>Sequence and time: records of a log.</summary>
    SequenceAndTime,

    /// <summary>The number of an item of a snapshot.</summary>
    Item,

    /// <summary>Nothing: the one value of a part.</summary>
    Nothing,
}
