// Is what a killed process left what it wrote and told? Record by record: each thread's numbers without a gap and none twice, every text the one that belongs to it, batches whole, everything told in its place.

namespace Store.Tests.Recovery;

internal static class WorkCheck
{
    /// <summary>The whole log.</summary>
    public static void Whole(NinoStore store)
    {
        long next = 1;
        long[] numbers = new long[2];
        (int Index, int Count, int Thread) batch = (0, 1, 0);
        foreach (LogRecord<Worked> record in store.Read<Worked>())
        {
            Assert.Equal(next++, record.Sequence);
            Worked work = record.Value;
            Assert.Equal(++numbers[work.Thread], work.Number);
            Assert.Equal(Worked.TextOf(work.Thread, work.Number), work.Text);
            Assert.Equal(batch.Index + 1 < batch.Count ? (batch.Index + 1, batch.Count, batch.Thread) : (0, work.Count, work.Thread), (work.Index, work.Count, work.Thread));
            batch = (work.Index, work.Count, work.Thread);
        }

        Assert.Equal(store.LastSequence + 1, next);
        Assert.Equal(batch.Count, batch.Index + 1);
    }

    /// <summary>What a process told before it was killed: every record of it is there as it was written.</summary>
    public static void Told(NinoStore store, IReadOnlyCollection<WorkMessage> messages)
    {
        if (messages.Count == 0) return;
        long first = messages.Min(static m => m.Sequence);
        LogRecord<Worked>[] records = [.. store.Read<Worked>(first)];
        foreach (WorkMessage message in messages)
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
