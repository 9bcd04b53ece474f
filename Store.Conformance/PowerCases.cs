// What is left when the power fails? What was synced, and any part of the rest; and it has to be enough. The folder is in memory and knows what was synced, so that the power can fail before each of its operations.

using Store.KeyValue;
using static Store.Conformance.CaseBed;

namespace Store.Conformance;

/// <summary>Cases of power failures.</summary>
internal static class PowerCases
{
    // Of what was not synced: nothing; then something, by chance, as a journal of names keeps it, and without order.
    private static readonly int[] Seeds = [0, 1, 2];

    /// <summary>
    /// Two lives with three checkpoints each, all of the log removed behind each that may be. Before the operations on files (of many writes one after the other, before the first, second, fourth, eighth and so on) and when each checkpoint is
    /// complete the power fails, three times: nothing that was not synced is left, or some of it, chosen by a seed that is always the same. All of the log is removed that may be; what is left must open to what its log amounts to, with all
    /// that was acknowledged; a change, a checkpoint and another opening must follow. A failure says before which operation: a checkpoint was relied upon (the log released for it, the one before removed or overwritten) before its bytes and its name were synced; or
    /// one of which a part is missing is believed.
    /// </summary>
    public static async Task AtAnyOperation(KeyValueEngine engine, string folder)
    {
        const int lives = 2, checkpoints = 3;
        var files = new CaseFiles();
        var left = new List<Left>();
        string doing = "";
        long acknowledged = 0, operations = 0, writes = 0;
        for (int life = 1; life <= lives; life++)
        {
            doing = life == 1 ? "while the state was opened" : "while the state was opened again";
            files.Arrives = Fail;
            await With<int, string>(engine, folder, files, async (store, kv) =>
            {
                for (int i = 1; i <= checkpoints; i++)
                {
                    doing = $"while changes were made behind {i - 1} checkpoints of life {life}";
                    CaseHistory.ChangeUpTo(store, kv, store.LastSequence + 150);
                    long last = store.LastSequence;
                    doing = $"while checkpoint {i} of life {life} was written";
                    await Within(engine, kv.CheckpointAsync().AsTask(), "A checkpoint");
                    Volatile.Write(ref acknowledged, last);
                    doing = $"when checkpoint {i} of life {life} was complete";
                    FailAt("");
                    doing = $"while the log before checkpoint {i} of life {life} was removed";
                    store.TruncateBefore(long.MaxValue);
                }

                doing = $"while life {life} was ended";
            });
            files.Arrives = null;
        }

        foreach (Left one in left) await OpenAsync(engine, folder, one);

        void Fail(FileCall call)
        {
            if (call.Operation == FileOperation.Read) return;
            bool isWrite = call.Operation == FileOperation.Write;
            long before = isWrite ? Interlocked.Increment(ref writes) : Interlocked.Exchange(ref writes, 0);
            if (!isWrite || System.Numerics.BitOperations.IsPow2(before)) FailAt($", before '{call.Operation}' of '{call.File}'");
        }

        void FailAt(string operation)
        {
            // What was acknowledged first: what is acknowledged meanwhile need not be there.
            long then = Volatile.Read(ref acknowledged), number = Interlocked.Increment(ref operations);
            foreach (int seed in Seeds)
            {
                string what = seed == 0 ? "nothing of what was not synced is left" : $"a part of what was not synced is left, seed {seed}";
                CaseFiles image = files.AfterPowerFailure(seed == 0 ? 0 : (int)(number * Seeds.Length) + seed);
                lock (left) left.Add(new Left($"After a power failure {doing}{operation}, {what}", image, then));
            }
        }
    }

    /// <summary>
    /// Three checkpoints; right when each is complete the power fails, and nothing that was not synced is left. Nothing of the log was removed, so that the state is whole in any case; but it must come from that checkpoint: who asked for it
    /// was told that it is durable. A failure means that its bytes or its name were not synced before the call returned, or that its files are not those of <see cref="KeyValueLog{TKey, TValue}.OpenFolder"/>, of which no case can tell what a
    /// power failure leaves.
    /// </summary>
    public static async Task CompleteCheckpoints(KeyValueEngine engine, string folder)
    {
        var files = new CaseFiles();
        var complete = new List<(long Sequence, CaseFiles Files)>();
        await With<int, string>(engine, folder, files, async (store, kv) =>
        {
            for (int i = 1; i <= 3; i++)
            {
                CaseHistory.ChangeUpTo(store, kv, store.LastSequence + 50);
                long last = store.LastSequence;
                await Within(engine, kv.CheckpointAsync().AsTask(), "A checkpoint");
                complete.Add((last, files.AfterPowerFailure(0)));
                Check.True(files.EnginesFiles().Count > 0, "A checkpoint was written, and the folder that KeyValueLog.OpenFolder gives has no file of it: what a power failure leaves of other files, no case can tell");
            }
        });
        foreach ((long sequence, CaseFiles image) in complete)
        {
            string where = $"After a power failure right when the checkpoint at {sequence} was complete";
            await With<int, string>(engine, folder, image, (store, kv) =>
            {
                CaseHistory.Holds(store, kv, where);
                Check.Equal(sequence, kv.Recovery.CheckpointSequence, $"{where}, the sequence of the checkpoint in force ({CaseHistory.Text(kv.Recovery)})");
            });
        }
    }

    private static async Task OpenAsync(KeyValueEngine engine, string folder, Left left)
    {
        try
        {
            // Retention need not wait for anybody to open the state.
            await using (NinoStore store = Open(folder, left.Files)) store.TruncateBefore(long.MaxValue);
            await With<int, string>(engine, folder, left.Files, async (store, kv) =>
            {
                Check.True(store.LastSequence >= left.Acknowledged, $"{left.Where}, the log ends at {store.LastSequence}, and {left.Acknowledged} was acknowledged as durable");
                CaseHistory.Holds(store, kv, left.Where);
                CaseHistory.Change(kv, store.LastSequence + 1);
                await Within(engine, kv.CheckpointAsync().AsTask(), $"{left.Where}: the next checkpoint");
            });
        }
        catch (Exception e) when (e is not ConformanceException)
        {
            throw new ConformanceException($"{left.Where}, the state cannot be opened and go on: {e.GetType().Name}: {e.Message}");
        }

        await With<int, string>(engine, folder, left.Files, (store, kv) => CaseHistory.Holds(store, kv, $"{left.Where}, and opened once more after another checkpoint"));
    }

    /// <param name="Where">When the power failed.</param>
    /// <param name="Files">What it left.</param>
    /// <param name="Acknowledged">What was durable by then.</param>
    private sealed record Left(string Where, CaseFiles Files, long Acknowledged);
}
