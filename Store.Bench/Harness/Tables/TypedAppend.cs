// One type of the table of typed appends: its ways in, the turns, and the proof that every record arrived.

using System.Buffers;
using Store.Bench.Harness.Stores;
using Store.Bench.Peers;

namespace Store.Bench.Harness.Tables;

/// <summary>One type and one length of runs.</summary>
/// <param name="type">Name of the type.</param>
/// <param name="items">The run.</param>
/// <param name="loops">NinoStore's ways in.</param>
/// <param name="verify">Throws when the second differs from the first.</param>
internal sealed class TypedAppend<T>(string type, T[] items, AppendLoops<T> loops, Action<T, T> verify)
{
    /// <param name="options">Of the run.</param>
    /// <param name="samplesOf">Records in a sample, where a run is shorter.</param>
    public List<StoreRow> Measure(HarnessOptions options, int samplesOf)
    {
        using var data = new BenchData(options.DataDirectory);
        int runs = Math.Max(1, samplesOf / items.Length);
        List<Subject> subjects = Subjects(data);
        try
        {
            TurnMeter[] meters = TurnMeter.Many(subjects.Count);
            long rounds = 0;
            Warmup.Run(() =>
            {
                foreach (Subject subject in subjects) subject.Run(runs);
                rounds++;
            });
            for (int round = 0; round < (options.Short ? 60 : 200); round++, rounds++)
            {
                foreach (int i in Turns.Order(round, subjects.Count))
                {
                    meters[i].Start();
                    subjects[i].Run(runs);
                    meters[i].Stop((long)runs * items.Length);
                }
            }

            foreach (Subject subject in subjects) subject.Check(rounds * runs * items.Length);
            return [.. meters.Select((meter, i) => meter.ToRow(TypedAppendTable.Table, $"{type}, runs of {items.Length}", subjects[i].Name))];
        }
        finally
        {
            foreach (Subject subject in subjects) subject.Log?.Dispose();
        }
    }

    private List<Subject> Subjects(BenchData data)
    {
        var buffer = new ArrayBufferWriter<byte>(4096);
        var subjects = new List<Subject>
        {
            new("NinoStore serializer alone", null, runs =>
            {
                for (int run = 0; run < runs; run++) loops.Serialize(buffer, items);
            }, static _ => { }),
        };
        Add("NinoStore, Append", (store, runs) =>
        {
            for (int run = 0; run < runs; run++) loops.Append(store, items);
        });
        Add("NinoStore, OpenAppender", (store, runs) => loops.AppendLeased(store, items, runs));
        Add("NinoStore, AppendBatch", (store, runs) =>
        {
            for (int run = 0; run < runs; run++) loops.AppendBatch(store, items);
        });
        foreach (StorePeerKind kind in (StorePeerKind[])[StorePeers.FasterLogDefault, StorePeers.FasterLogTuned])
        {
            foreach (EnqueueLoop<T> loop in EnqueueLoops.Of<T>())
            {
                string name = $"{kind.Name} + {loop.Serializer}";
                var log = (FasterLogPeer)kind.Open(Directory.CreateDirectory(data.File(name)).FullName);
                AddLog(name, log, () => loop.Run(log, items));
            }

            foreach (EnqueueBatch<T> batch in EnqueueLoops.BatchesOf<T>())
            {
                string name = $"{kind.Name} + {batch.Serializer}, batch";
                var log = (FasterLogPeer)kind.Open(Directory.CreateDirectory(data.File(name)).FullName);
                AddLog(name, log, () => batch.Run(log, items));
            }
        }

        return subjects;

        void AddLog(string name, FasterLogPeer log, Action appendAll) => subjects.Add(new(name, log, runs =>
        {
            for (int run = 0; run < runs; run++) appendAll();
        }, appended => CheckCount(name, log, appended)));

        void Add(string name, Action<NinoStore, int> append)
        {
            NinoStore store = NinoStore.Open(data.File(name));
            subjects.Add(new(name, store, runs => append(store, runs), appended => CheckValues(name, store, appended)));
        }
    }

    private static void CheckCount(string name, FasterLogPeer log, long appended)
    {
        log.Commit();
        long seen = log.Scan();
        if (seen != appended) throw new InvalidDataException($"{name}: {appended} records appended, {seen} scanned.");
    }

    // All are counted, and the last run is compared member by member.
    private void CheckValues(string name, NinoStore store, long appended)
    {
        if (store.LastSequence != appended) throw new InvalidDataException($"{name}: {appended} records appended, the last is {store.LastSequence}.");
        int read = 0;
        foreach (LogRecord<T> record in store.Read<T>(appended - items.Length + 1)) verify(items[read++], record.Value);
        if (read != items.Length) throw new InvalidDataException($"{name}: {items.Length} records appended last, {read} read.");
    }

    /// <summary>One way of appending.</summary>
    /// <param name="Name">Of the row.</param>
    /// <param name="Log">What is disposed at the end.</param>
    /// <param name="Run">Appends all items so many times.</param>
    /// <param name="Check">Throws when the log does not hold so many records.</param>
    private sealed record Subject(string Name, IDisposable? Log, Action<int> Run, Action<long> Check);
}
