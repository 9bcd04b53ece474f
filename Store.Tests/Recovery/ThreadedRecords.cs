// Which records may a log hold that several threads appended to, and where? Each thread numbers its records; a sequence that a call returned or a reader saw says where one of them is.

using System.Collections.Concurrent;
using System.Globalization;

namespace Store.Tests.Recovery;

/// <summary>The records of one thread, in the order in which it appended them. Only that thread changes it.</summary>
/// <param name="number">Its number; nobody else's in the life of a log.</param>
internal sealed class ThreadedAuthor(int number)
{
    public const long IdsEach = 1_000_000;

    private readonly List<Entry> _entries = [];

    private readonly record struct Entry(int First, int Count, bool IsRefused);

    /// <summary>The id of a record that is about to be appended.</summary>
    public long Next() => Next(1)[0];

    /// <summary>The ids of a batch that is about to be appended.</summary>
    public long[] Next(int count)
    {
        int first = _entries.Count;
        for (int i = 0; i < count; i++) _entries.Add(new Entry(first, count, IsRefused: false));
        return [.. Enumerable.Range(first, count).Select(index => (number * IdsEach) + index)];
    }

    /// <summary>They were refused: never in the log.</summary>
    public void Refused(params ReadOnlySpan<long> ids)
    {
        foreach (long id in ids) _entries[(int)(id % IdsEach)] = _entries[(int)(id % IdsEach)] with { IsRefused = true };
    }

    /// <summary>How far into its batch a record is, and of how many.</summary>
    public (int At, int Count) InBatch(int index) => (index - _entries[index].First, _entries[index].Count);

    /// <summary>Holds a record of the log against the one of the same thread before it.</summary>
    /// <param name="index">The record.</param>
    /// <param name="from">The next one of the thread; null when what comes before was removed.</param>
    public void Follows(int index, int? from)
    {
        if (index >= _entries.Count) Assert.Fail($"thread {number}: record {index} is there and was never appended");
        if (_entries[index].IsRefused) Assert.Fail($"thread {number}: record {index} is there, and its append was refused");
        if (from is not { } next) return;
        if (index < next) Assert.Fail($"thread {number}: record {index} comes after record {next - 1}");
        for (int i = next; i < index; i++)
        {
            if (!_entries[i].IsRefused) Assert.Fail($"thread {number}: record {index} is there, and record {i}, appended before it, is not");
        }
    }
}

/// <summary>The records of one opening of a log, with what is known of those before. Any thread; what is checked comes afterwards.</summary>
/// <param name="before">The records of the opening before; null for a new log.</param>
internal sealed class ThreadedRecords(ThreadedRecords? before)
{
    private readonly ConcurrentDictionary<long, long> _ids = new(before?._ids ?? []);
    private readonly ConcurrentDictionary<long, long> _sequences = new(before?._sequences ?? []);
    private readonly List<ThreadedAuthor> _authors = [.. before?._authors ?? []];
    private readonly int _formerAuthors = before?._authors.Count ?? 0;
    private long _known;

    // Up to here the records are those of openings before; until it is known, all of them.
    private long _formerLast = long.MaxValue;

    /// <summary>The last sequence that somebody was told.</summary>
    public long Known => Volatile.Read(ref _known);

    /// <summary>The text of a record: what it says of itself, and so many letters that it is torn where it is torn.</summary>
    public static string TextOf(long id) => string.Create(CultureInfo.InvariantCulture, $"{id}:{new string((char)('a' + (id % 26)), (int)(id % 41 == 0 ? 3000 : id % 251))}");

    /// <summary>The id of a record of the log, which must be as it was appended.</summary>
    public static long IdOf(in LogRecord record)
    {
        if (record.Is<long>()) return record.As<long>();
        string text = record.As<string>();
        long id = long.Parse(text.AsSpan(0, text.IndexOf(':', StringComparison.Ordinal)), CultureInfo.InvariantCulture);
        Assert.Equal(TextOf(id), text);
        return id;
    }

    /// <summary>A thread that appends from now on. Before the threads are started.</summary>
    public ThreadedAuthor NewAuthor()
    {
        _authors.Add(new ThreadedAuthor(_authors.Count));
        return _authors[^1];
    }

    /// <summary>The log was opened again: what it holds stays where it is, and what came behind it is lost for good.</summary>
    public void Begin(IReadOnlyList<(long Sequence, long Id)> held, long last)
    {
        foreach ((long sequence, long id) in _ids.Where(place => place.Key > last))
        {
            _ids.TryRemove(sequence, out _);
            _sequences.TryRemove(id, out _);
        }

        foreach ((long sequence, long id) in held) IsAt(sequence, id);
        _known = _formerLast = last;
    }

    /// <summary>Somebody was told, or has seen, where a record is. It is there for ever, and nothing else is.</summary>
    public void IsAt(long sequence, long id)
    {
        if (_ids.GetOrAdd(sequence, id) is var other && other != id) Assert.Fail($"record {sequence} is {Describe(id)}, and was {Describe(other)}");
        if (_sequences.GetOrAdd(id, sequence) is var place && place != sequence) Assert.Fail($"{Describe(id)} is record {sequence}, and was {place}");
        long known = Known;
        while (known < sequence && Interlocked.CompareExchange(ref _known, sequence, known) != known) known = Known;
    }

    /// <summary>Whole batches, every thread's records in its order, and each where everybody was told that it is.</summary>
    /// <param name="read">What a log holds, with dense sequences.</param>
    public void Hold(IReadOnlyList<(long Sequence, long Id)> read)
    {
        // The next record of each thread; none where what comes before may have been removed, or what was lost with another opening.
        int?[] next = [.. _authors.Select((_, number) => number >= _formerAuthors && read is [(1, _), ..] ? 0 : (int?)null)];
        for (int i = 0; i < read.Count; i++)
        {
            (long sequence, long id) = read[i];
            IsAt(sequence, id);
            (long number, int index) = (id / ThreadedAuthor.IdsEach, (int)(id % ThreadedAuthor.IdsEach));
            if (number < 0 || number >= next.Length) Assert.Fail($"record {sequence} is {Describe(id)}, which there is not");
            if (number < _formerAuthors != sequence <= _formerLast) Assert.Fail($"record {sequence} is {Describe(id)}; what was there when the log was opened ends with {_formerLast}");
            _authors[(int)number].Follows(index, next[number]);
            if (number >= _formerAuthors) next[number] = index + 1;
            (int at, int count) = _authors[(int)number].InBatch(index);
            if (at > 0 && (i == 0 || read[i - 1].Id != id - 1)) Assert.Fail($"record {sequence} is number {at} of a batch of {count}, and the one before it is not there");
            if (at < count - 1 && (i + 1 == read.Count || read[i + 1].Id != id + 1)) Assert.Fail($"record {sequence} is number {at} of a batch of {count}, and the next one is not there");
        }
    }

    private static string Describe(long id) => $"number {id % ThreadedAuthor.IdsEach} of thread {id / ThreadedAuthor.IdsEach}";
}
