// What every log is asked to do. One call covers many records where they are nanoseconds each, so that the interface costs nothing.

namespace Store.Bench.Harness.Stores;

/// <summary>One log under test, open on a folder of its own. For one thread unless it is more than that.</summary>
public interface IStorePeer : IDisposable
{
    /// <summary>Appends a record <paramref name="count"/> times; not durable on return.</summary>
    void Append(byte[] record, int count);

    /// <summary>Appends a record <paramref name="count"/> times as one batch where the log knows batches; durable on return.</summary>
    void AppendDurable(byte[] record, int count);

    /// <summary>As <see cref="AppendDurable"/>, durable when it completes: of logs whose commits are awaited.</summary>
    ValueTask AppendDurableAsync(byte[] record, int count)
    {
        AppendDurable(record, count);
        return default;
    }

    /// <summary>Reads every record and returns their number.</summary>
    long Scan();
}

/// <summary>A log that takes many records in one call, all or none of which are there after a crash.</summary>
public interface IBatchPeer : IStorePeer
{
    /// <summary>Appends a record <paramref name="count"/> times as one batch; not durable on return.</summary>
    void AppendBatch(byte[] record, int count);
}

/// <summary>A log that many threads may append to, and whose commits they can share.</summary>
public interface IGroupCommitPeer : IStorePeer
{
    /// <summary>Appends a record; completes when it is durable.</summary>
    ValueTask<long> AppendDurableAsync(byte[] record);
}
