// Objects in LiteDB, in one transaction for a whole turn of puts. The values are our own bytes in a document's member, as in the row of SQLite, so that what
// differs is the store. A commit writes the log file without a sync of the disk.

using LiteDB;
using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Harness.Stores;

/// <summary>LiteDB as a collection of blobs by number.</summary>
public sealed class LiteDbPeer : IKeyedPeer
{
    private readonly LiteDatabase _database;
    private readonly ILiteCollection<BsonDocument> _documents;

    public LiteDbPeer(string path)
    {
        _database = new LiteDatabase(path);
        _documents = _database.GetCollection("kv");
    }

    public string Name => "LiteDB, 10,000 puts a transaction";

    public bool TakesAMillionKeys => false;

    public void BeginTurn()
    {
        if (!_database.BeginTrans()) throw new InvalidOperationException("The transaction of the turn before is still open.");
    }

    public void EndTurn()
    {
        if (!_database.Commit()) throw new InvalidOperationException("There is no transaction to commit.");
    }

    public void Put(long key, object value) => _documents.Upsert(new BsonDocument { ["_id"] = key, ["value"] = NinoSerializer.Serialize((Poco)value) });

    public Poco? Get(long key) => _documents.FindById(key) is { } document ? NinoSerializer.Deserialize<Poco>(document["value"].AsBinary) : null;

    public void Dispose() => _database.Dispose();
}

public static partial class KeyedPeers
{
    static partial void AddLiteDb(List<IKeyedPeer> peers, BenchData data) => peers.Add(new LiteDbPeer(data.File("keyed.litedb")));
}
