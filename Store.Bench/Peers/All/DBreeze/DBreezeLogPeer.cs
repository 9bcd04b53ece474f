// DBreeze as a log: records by number, ascending, a transaction a batch. A commit writes a rollback file, the table and the mark that says so, with a sync after each.

using DBreeze;
using DBreeze.DataTypes;
using DBreeze.Transactions;

namespace Store.Bench.Harness.Stores;

/// <summary>Records under their numbers, on a new folder.</summary>
public sealed class DBreezeLogPeer(string directory) : IStorePeer
{
    private const int PerTransaction = 10_000;
    private const string Table = "log";

    private readonly DBreezeEngine _engine = new(directory);
    private long _last;

    public void Append(byte[] record, int count)
    {
        for (int done = 0; done < count; done += PerTransaction) AppendDurable(record, Math.Min(PerTransaction, count - done));
    }

    public void AppendDurable(byte[] record, int count)
    {
        using Transaction transaction = _engine.GetTransaction();
        for (int i = 0; i < count; i++) transaction.Insert(Table, ++_last, record);
        transaction.Commit();
    }

    public long Scan()
    {
        long records = 0;
        using Transaction transaction = _engine.GetTransaction();
        transaction.ValuesLazyLoadingIsOn = false;
        foreach (Row<long, byte[]> row in transaction.SelectForward<long, byte[]>(Table))
        {
            if (row.Value.Length == 0) throw new InvalidDataException("An empty record.");
            records++;
        }
        return records;
    }

    public void Dispose() => _engine.Dispose();
}

public static partial class StorePeers
{
    static partial void AddDBreeze(List<StorePeerKind> kinds) => kinds.Add(new StorePeerKind("DBreeze", path => new DBreezeLogPeer(path)));
}
