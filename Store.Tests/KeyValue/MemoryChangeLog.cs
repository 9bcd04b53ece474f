// A log in memory behind a keyed state, which can lose its tail, its head or its history as no good log does.

using Store.Faster.Changes;
using Store.Serialization;

namespace Store.Tests.KeyValue;

internal sealed class MemoryChangeLog : IChangeLog
{
    private readonly List<(NinoSchema Schema, byte[] Record)> _records = [];
    private long _removed;

    public Guid StoreId { get; set; } = Guid.NewGuid();

    public int Commits { get; private set; }

    /// <summary>Runs before a record is appended; may throw to fail it.</summary>
    public Action? BeforeAppend { get; set; }

    public long LastSequence
    {
        get
        {
            lock (_records) return _removed + _records.Count;
        }
    }

    public long Append(NinoSchema schema, ReadOnlySpan<byte> record)
    {
        lock (_records)
        {
            BeforeAppend?.Invoke();
            _records.Add((schema, record.ToArray()));
            return LastSequence;
        }
    }

    public ValueTask<long> WaitAsync(long sequence, CancellationToken cancellationToken = default) => new(sequence);

    public long AppendBatch(NinoSchema schema, ReadOnlySpan<byte> records, int count)
    {
        lock (_records)
        {
            BeforeAppend?.Invoke();
            long first = LastSequence + 1;
            while (!records.IsEmpty)
            {
                var reader = new NinoReader(records);
                int length = (int)reader.ReadCompact();
                _records.Add((schema, records.Slice(reader.Position, length).ToArray()));
                records = records[(reader.Position + length)..];
            }

            return first;
        }
    }

    public IEnumerable<LogRecord> Read(long fromSequence)
    {
        long last = LastSequence;
        for (long sequence = Math.Max(fromSequence, _removed + 1); sequence <= last; sequence++)
        {
            (NinoSchema schema, byte[] record) = _records[(int)(sequence - _removed - 1)];
            yield return new LogRecord(sequence, DateTimeOffset.UnixEpoch, schema, record);
        }
    }

    public ValueTask CommitAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Commits++;
        return ValueTask.CompletedTask;
    }

    public void LoseTail(int records) => _records.RemoveRange(_records.Count - records, records);

    public void Retain(long fromSequence)
    {
        _records.RemoveRange(0, (int)(fromSequence - _removed - 1));
        _removed = fromSequence - 1;
    }

    /// <summary>The same log at this moment, going its own way from here.</summary>
    public MemoryChangeLog Fork()
    {
        var fork = new MemoryChangeLog { StoreId = StoreId, _removedInit = _removed };
        fork._records.AddRange(_records);
        return fork;
    }

    private long _removedInit { init => _removed = value; }
}
