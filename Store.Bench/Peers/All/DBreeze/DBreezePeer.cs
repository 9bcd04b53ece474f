// Objects in DBreeze as its documentation asks for speed: one transaction for a whole turn, its sorter of random keys before the trie, no overwriting in place (the file grows with every change; with it a
// turn of 2,000 changes took 20 s on a disk where it takes 60 ms), values read with their keys. A commit syncs its files: there is no other.

using DBreeze;
using DBreeze.DataTypes;
using DBreeze.Transactions;
using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Harness.Stores;

/// <summary>DBreeze as a table of bytes by number.</summary>
public sealed class DBreezePeer(string directory) : IKeyedPeer
{
    private const string Table = "kv";

    private readonly DBreezeEngine _engine = new(directory);
    private Transaction? _transaction;
    private bool _writes;

    public string Name => "DBreeze, 10,000 puts a transaction";

    public bool TakesAMillionKeys => false;

    public void BeginTurn()
    {
        Begin(writes: true);
        _transaction!.Technical_SetTable_OverwriteIsNotAllowed(Table);
    }

    public void EndTurn()
    {
        _transaction!.Commit();
        End();
    }

    public void Put(long key, object value) => _transaction!.InsertRandomKeySorter(Table, key, NinoSerializer.Serialize((Poco)value));

    // Nothing is read outside of a transaction either: one for all reads until the next turn of puts.
    public Poco? Get(long key)
    {
        if (_transaction is null) Begin(writes: false);
        Row<long, byte[]> row = _transaction!.Select<long, byte[]>(Table, key);
        return row.Exists ? NinoSerializer.Deserialize<Poco>(row.Value) : null;
    }

    public void Dispose()
    {
        End();
        _engine.Dispose();
    }

    private void Begin(bool writes)
    {
        if (_writes) throw new InvalidOperationException("The transaction of the turn before is still open.");
        End();
        _transaction = _engine.GetTransaction();
        _transaction.ValuesLazyLoadingIsOn = false;
        _writes = writes;
    }

    private void End()
    {
        _transaction?.Dispose();
        _transaction = null;
        _writes = false;
    }
}

public static partial class KeyedPeers
{
    static partial void AddDBreeze(List<IKeyedPeer> peers, BenchData data) => peers.Add(new DBreezePeer(data.File("keyed.dbreeze")));
}
