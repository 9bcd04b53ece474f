// What do the states amount to behind each record of a log that two threads append to? Each record says where it is when its call returns; what the states are follows, whoever applied it.

using System.Collections.Concurrent;
using System.Globalization;
using Store.Serialization;
using Store.State;

namespace Store.Tests.State;

/// <summary>A state of the program's own.</summary>
[NinoType]
public sealed partial record OwnSum(long Sum)
{
    public OwnSum() : this(0) { }
}

/// <summary>What threads with states on a log were told by a moment.</summary>
/// <param name="Durable">The last sequence that survives a power failure for certain.</param>
/// <param name="State">The sequence of a checkpoint of the state that was told; 0 for none.</param>
/// <param name="Own">The same of the program's own state.</param>
internal sealed record StatePromise(long Durable, long State, long Own)
{
    public static StatePromise Nothing { get; } = new(0, 0, 0);
}

/// <summary>The records of one opening of a log, with those of the openings before. Any thread; what they amount to is asked afterwards.</summary>
/// <param name="before">The records of the opening before; null for a new log.</param>
/// <param name="last">The last of them that the log still has.</param>
internal sealed class ThreadedStateHistory(ThreadedStateHistory? before, long last)
{
    // Positive numbers are of events, negative ones of the program's own records. Both sums depend on the order.
    private readonly ConcurrentDictionary<long, long> _records = new(before?._records.Where(record => record.Key <= last) ?? []);
    private (long State, long Own)[]? _sums;

    /// <summary>The numbers that are free: no record has the number of another.</summary>
    public long FirstNumber { get; } = 1 + (before?._records.Values.Select(Math.Abs).DefaultIfEmpty(0).Max() ?? 0);

    public static void Events(StateHandlers<Tally> on) => on
        .On<Deposited>(static (tally, e) => new Tally(Behind(tally.Sum, e.Amount)))
        .On<Remark>(static (tally, e) => new Tally(Behind(tally.Sum, NumberOf(e))));

    public static OwnSum Apply(OwnSum own, Withdrawn record) => new(Behind(own.Sum, -record.Amount));

    public static Remark RemarkOf(long number) => new(string.Create(CultureInfo.InvariantCulture, $"{number}:{new string('r', (int)(number % 400))}"));

    /// <summary>A record is at a sequence: the number of an event, or below zero that of a record of the program's own.</summary>
    public void IsAt(long sequence, long number) => Assert.True(_records.TryAdd(sequence, number), $"record {sequence} is {number}, and was {_records[sequence]}");

    /// <summary>What the states are behind a record. When no thread appends any more.</summary>
    public (long State, long Own) SumsAt(long sequence)
    {
        if (_sums is null)
        {
            var sums = new (long State, long Own)[_records.Count + 1];
            for (int i = 1; i < sums.Length; i++)
            {
                Assert.True(_records.TryGetValue(i, out long number), $"nobody was told of record {i}, and of {_records.Count} that there are");
                sums[i] = number > 0 ? (Behind(sums[i - 1].State, number), sums[i - 1].Own) : (sums[i - 1].State, Behind(sums[i - 1].Own, number));
            }

            _sums = sums;
        }

        return _sums[sequence];
    }

    /// <summary>What is left of the log has every record where it was put.</summary>
    public void Hold(NinoStore store)
    {
        long next = store.FirstSequence;
        foreach (LogRecord record in store.ReadRecords())
        {
            Assert.Equal(next++, record.Sequence);
            long number = record.Is<Deposited>() ? record.As<Deposited>().Amount : record.Is<Remark>() ? NumberOf(record.As<Remark>()) : -record.As<Withdrawn>().Amount;
            Assert.Equal(_records[record.Sequence], number);
        }

        Assert.Equal(store.LastSequence + 1, next);
    }

    private static long NumberOf(Remark e) => long.Parse(e.Text.AsSpan(0, e.Text.IndexOf(':', StringComparison.Ordinal)), CultureInfo.InvariantCulture);

    private static long Behind(long sum, long number) => unchecked((sum * 31) + number);
}
