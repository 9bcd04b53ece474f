// In which order do changes of one key take effect? In that of their sequences, whatever threads made them.

using Store.KeyValue;
using static Store.Conformance.CaseBed;

namespace Store.Conformance;

/// <summary>Cases of many threads at one key.</summary>
internal static class OrderCases
{
    private const int Threads = 4;
    private const int Rounds = 150;

    /// <summary>
    /// Four threads change one key as fast as they can, and each reads it right behind each of its changes: it must find no earlier one than any that was complete. Then, in each of 150 rounds, they change one key at once, each in another way,
    /// two with long values and two with short ones: after each round the state must have what the change with the highest sequence left. After opening again, too. A failure names the changes: the key's lock is not held
    /// from before <see cref="KeyValueLog{TKey, TValue}.Append"/> until the change is applied.
    /// </summary>
    public static async Task OfOneKey(KeyValueEngine engine, string folder)
    {
        var left = new Dictionary<int, string>();
        var files = new CaseFiles();
        await With<int, string>(engine, folder, files, async (store, kv) =>
        {
            left[0] = await ReadBehindChanges(kv);
            var made = new (string How, long Sequence, string? Value)[Threads];
            int round = 1;
            Exception? failure = null;
            bool isOver = false;

            // Judges while nobody changes anything, and lets all go at once.
            using var barrier = new Barrier(Threads, _ =>
            {
                if (failure is null) Try(() => Judge(store, kv, round, made, left));
                isOver = failure is not null || ++round > Rounds;
            });
            await Task.WhenAll(Enumerable.Range(0, Threads).Select(thread => Task.Factory.StartNew(() =>
            {
                while (!isOver)
                {
                    Try(() => made[thread] = Change(kv, round, thread));
                    barrier.SignalAndWait();
                }
            }, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)));
            if (failure is not null) System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(failure);

            void Try(Action action)
            {
                try
                {
                    action();
                }
                catch (Exception e)
                {
                    Interlocked.CompareExchange(ref failure, e, null);
                }
            }
        });
        await With<int, string>(engine, folder, files, (_, kv) => Check.Holds(kv, left));
    }

    /// <summary>
    /// Four threads change one key by every call that changes one, each update noting what it saw. By their sequences, which no two have alike and of which none is missing, each update saw what the change before it left. A
    /// failure names the two changes: another one came in between a look and its change, as behind a read that was waited for.
    /// </summary>
    public static Task OfUpdates(KeyValueEngine engine, string folder) => With<int, string>(engine, folder, async (store, kv) =>
    {
        const int rounds = 30, atOnce = 5;
        var made = new System.Collections.Concurrent.ConcurrentBag<(long Sequence, string How, string? Seen, string Left)>();
        await Task.WhenAll(Enumerable.Range(0, Threads).Select(thread => Task.Run(async () =>
        {
            for (int round = 0; round < rounds; round++)
            {
                string stamp = $"{thread}.{round}";
                var later = new List<Task<KeyValueUpdated<Mark>>>();
                for (int i = 0; i < atOnce; i++) later.Add(kv.UpdateAsync(0, new Mark($"{stamp}.{i}")).AsTask());
                var mark = new Mark($"{stamp} Update");
                made.Add((kv.Update(0, ref mark), "Update", mark.Seen, mark.Left));
                if (round % 3 == thread % 3) made.Add((kv.Put(0, $"{stamp} Put"), "Put", null, $"{stamp} Put"));
                foreach (KeyValueUpdated<Mark> update in await Task.WhenAll(later)) made.Add((update.Sequence, "UpdateAsync", update.Update.Seen, update.Update.Left));
            }
        })));
        Check.Equal(made.Count, store.LastSequence, "The log after so many changes");
        string? left = null;
        long before = 0;
        foreach ((long sequence, string how, string? seen, string next) in made.OrderBy(static one => one.Sequence))
        {
            Check.Equal(before + 1, sequence, "The sequence behind the one before");
            Check.True(how == "Put" || seen == left, $"Change {sequence}, of {how}, saw '{seen ?? "nothing"}', and change {before} had left '{left ?? "nothing"}'");
            (left, before) = (next, sequence);
        }

        Check.Holds(kv, new Dictionary<int, string> { [0] = left! });
    });

    // Whoever was late with an application finds its own value in force right behind it, although a later change was complete before. Which sequence a value has is known when all is done: what was read is judged then.
    private static async Task<string> ReadBehindChanges(IKeyValueStore<int, string> kv)
    {
        const int changes = 6000;
        long[,] sequences = new long[Threads, changes];
        var seen = new (long Complete, string? Value)[Threads, changes];
        long complete = 0;
        await Task.WhenAll(Enumerable.Range(0, Threads).Select(thread => Task.Factory.StartNew(() =>
        {
            for (int i = 0; i < changes; i++)
            {
                string value = $"{thread}:{i}:{new string('o', i % 3 == 0 ? 600 : 0)}";
                long sequence = sequences[thread, i] = (i + thread) % 4 == 0 ? kv.Update(0, _ => value) : kv.Put(0, value), before = Interlocked.Read(ref complete);
                while (before < sequence && Interlocked.CompareExchange(ref complete, sequence, before) is var now && now != before) before = now;
                seen[thread, i] = (Math.Max(before, sequence), kv.TryGet(0, out string? read) ? read : null);
            }
        }, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)));
        foreach ((long after, string? value) in seen)
        {
            Check.True(value is not null, "A key that is always there is missing");
            Check.True(SequenceOf(value!) >= after, $"Change {after} of a key was complete, and a reader found change {SequenceOf(value!)}: they did not take effect in the order of their sequences");
        }

        Check.True(kv.TryGet(0, out string? last), "A key that is always there is missing");
        Check.Equal(sequences.Cast<long>().Max(), SequenceOf(last!), "The sequence of the change that is in force when all of one key are made");
        return last!;

        long SequenceOf(string value)
        {
            string[] parts = value.Split(':');
            return sequences[parts[0][0] - '0', int.Parse(parts[1], System.Globalization.CultureInfo.InvariantCulture)];
        }
    }

    private static (string How, long Sequence, string? Value) Change(IKeyValueStore<int, string> kv, int key, int thread)
    {
        string value = new((char)('a' + thread), thread % 2 == 0 ? 3000 : 3);
        switch ((thread + key) % 5)
        {
            case 0: return ("PutBatch", kv.PutBatch([new(key, value), new(-1 - thread, "another key")]), value);
            case 1: return ("Update", kv.Update(key, _ => value), value);
            case 2: return ("Delete", kv.Delete(key) ? -1 : 0, null);
            default: return ("Put", kv.Put(key, value), value);
        }
    }

    // All records that came in a round are the round's, and at most one of them is a deletion: what nobody has the sequence of.
    private static void Judge(NinoStore store, IKeyValueStore<int, string> kv, int round, (string How, long Sequence, string? Value)[] made, Dictionary<int, string> left)
    {
        for (int i = 0; i < made.Length; i++)
        {
            if (made[i].Sequence == -1) made[i].Sequence = Missing(store.LastSequence, made);
            if (made[i].How == "PutBatch") left[-1 - i] = "another key";
        }

        string? expected = made.MaxBy(static one => one.Sequence).Value;
        if (expected is not null) left[round] = expected;
        string? found = kv.TryGet(round, out string? value) ? value : null;
        string changes = string.Join(", ", made.Where(static one => one.Sequence > 0).OrderBy(static one => one.Sequence).Select(static one => $"{one.Sequence} {one.How} {Short(one.Value)}"));
        Check.True(expected == found, $"Key {round} has {Short(found)} after the changes {changes}: they did not take effect in the order of their sequences");
    }

    private static long Missing(long last, (string How, long Sequence, string? Value)[] made)
    {
        HashSet<long> known = [.. made.Where(static one => one.Sequence > 0).SelectMany(static one => one.How == "PutBatch" ? [one.Sequence, one.Sequence + 1] : new[] { one.Sequence })];
        while (known.Contains(last)) last--;
        return last;
    }

    private static string Short(string? value) => value is null ? "nothing" : $"{value[0]} x {value.Length}";

    /// <summary>Sets a value and notes what was there.</summary>
    private struct Mark(string left) : IKeyValueUpdate<string>
    {
        public readonly string Left => left;

        public string? Seen { get; private set; }

        public KeyValueUpdate Update(bool isThere, ref string? value)
        {
            Seen = isThere ? value : null;
            value = left;
            return KeyValueUpdate.Put;
        }
    }
}
