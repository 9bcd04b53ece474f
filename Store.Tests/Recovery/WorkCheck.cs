// Is what a killed process left what it wrote and told? Record by record: each thread's numbers without a gap and none twice, every text the one that belongs to it, batches whole, everything told in its place, where it was not removed.

namespace Store.Tests.Recovery;

internal static class WorkCheck
{
    /// <summary>The whole log, from where it begins.</summary>
    public static void Whole(NinoStore store)
    {
        long next = store.FirstSequence;

        // Of a log that begins later, the first record of each thread says where its numbers begin.
        long[] numbers = next == 1 ? [0, 0] : [-1, -1];
        (int Index, int Count, int Thread) batch = (0, 1, 0);
        foreach (LogRecord<Worked> record in store.Read<Worked>())
        {
            Assert.Equal(next++, record.Sequence);
            Worked work = record.Value;
            Assert.Equal(numbers[work.Thread] < 0 ? work.Number : numbers[work.Thread] + 1, work.Number);
            numbers[work.Thread] = work.Number;
            Assert.Equal(Worked.TextOf(work.Thread, work.Number), work.Text);
            Assert.Equal(batch.Index + 1 < batch.Count ? (batch.Index + 1, batch.Count, batch.Thread) : (0, work.Count, work.Thread), (work.Index, work.Count, work.Thread));
            batch = (work.Index, work.Count, work.Thread);
        }

        Assert.Equal(store.LastSequence + 1, next);
        Assert.Equal(batch.Count, batch.Index + 1);
    }

    /// <summary>What a process told before it was killed: every record of it is there as it was written, and so is what the snapshots need; only what they do not need may be removed.</summary>
    public static void Told(NinoStore store, IReadOnlyCollection<WorkMessage> messages)
    {
        long first = store.FirstSequence;
        IReadOnlyList<SnapshotInfo> snapshots = store.Snapshots;

        // The two newest are kept in any case; a third one may have been about to go.
        long needed = snapshots.Count == 0 ? 1 : snapshots[Math.Min(1, snapshots.Count - 1)].Sequence + 1;
        Assert.True(first <= needed, $"the log begins with {first}, and what follows {needed - 1} is needed");
        long covered = messages.Where(static m => m.Kind == WorkKind.Checkpoint).Select(static m => m.Sequence).DefaultIfEmpty().Max();
        Assert.True(covered == 0 || snapshots[0].Sequence >= covered, $"a checkpoint of {covered} was told");
        LogRecord<Worked>[] records = [.. store.Read<Worked>(first)];

        // Batches lie in one segment, and those that were removed went whole.
        foreach (WorkMessage message in messages.Where(m => m.Kind == WorkKind.Durable && m.Sequence >= first))
        {
            for (int i = 0; i < message.Count; i++)
            {
                LogRecord<Worked> record = records[message.Sequence - first + i];
                Assert.Equal(message.Sequence + i, record.Sequence);
                Assert.Equal(Worked.Of(message.Thread, message.Number + i, i, message.Count), record.Value);
            }
        }
    }
}
