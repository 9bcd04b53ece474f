using Store.Inspect.Rendering;

namespace Store.Inspect.Commands;

/// <summary>The records that the options of <c>cat</c> and <c>export</c> select, and what was met on the way to them.</summary>
internal sealed class RecordSelection(StoreReader reader, ReadOptions range, string? part, string? type, long? limit, ToolConsole console)
{
    private readonly HashSet<string> _otherTypes = [];
    private bool _corrupt;
    private bool _torn;
    private bool _removed;

    /// <summary>Records selected so far.</summary>
    public long Count { get; private set; }

    /// <summary>Payloads are valid until the enumeration moves on.</summary>
    public IEnumerable<SelectedRecord> Records()
    {
        if (limit is <= 0) yield break;
        foreach (SelectedRecord record in Source())
        {
            string name = record.Record.Schema.Name;
            if (type is not null && !IsType(name, type))
            {
                _otherTypes.Add(name);
                continue;
            }

            Count++;
            yield return record;
            if (Count == limit) yield break;
        }
    }

    /// <summary>A record verified and did not decode.</summary>
    public void Undecodable(SelectedRecord record, string problem)
    {
        _corrupt = true;
        console.Complain($"{record.Place ?? $"record {record.Record.Sequence}"}: {problem}");
    }

    /// <summary>Says what the caller should know at the end, and gives the exit code.</summary>
    public int Finish()
    {
        if (Count == 0 && _otherTypes.Count > 0)
            console.Complain($"no record is of the type '{type}'. Types here: {string.Join(", ", _otherTypes.Order(StringComparer.Ordinal))}.");
        return _corrupt ? ExitCode.Corrupt : _torn ? ExitCode.TornTail : _removed ? ExitCode.Removed : ExitCode.Clean;
    }

    private IEnumerable<SelectedRecord> Source()
    {
        if (!reader.IsSnapshot)
        {
            // Of a snapshot whose header is damaged there is nothing but the damage to be told.
            if (part is not null && !reader.IsSnapshotFile()) throw new UsageException($"--part {part}: only a snapshot has parts. Give the path of one, not of a log or a folder.");
            return KeptRecords.Of(reader, range, Met, Removed).Select(static record => new SelectedRecord(record));
        }

        try
        {
            return reader.SnapshotRecords(part, range, Met).Select(static record => new SelectedRecord(record.Record, record.Part, record.Item));
        }
        catch (KeyNotFoundException e)
        {
            throw new UsageException($"--part {part}: {e.Message}");
        }
    }

    private static bool IsType(string name, string wanted) => name == wanted || Format.ShortName(name) == wanted;

    private void Removed(long firstSequence)
    {
        _removed = true;
        console.Complain($"retention removed records before record {firstSequence} while this was reading: they are not shown. Nothing is damaged.");
    }

    private void Met(StoreDamage damage)
    {
        _corrupt |= damage.Kind == StoreDamageKind.Corruption;
        _torn |= damage.Kind == StoreDamageKind.TornTail;
        console.Complain(DamageView.Line(damage));
    }
}
