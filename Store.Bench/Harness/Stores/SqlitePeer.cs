// Objects in SQLite, at its fastest with a log: write-ahead log, no sync at commits, prepared statements, one transaction for a whole turn of puts. The values are our own bytes, so that what differs is
// the store.

using Microsoft.Data.Sqlite;
using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Harness.Stores;

/// <summary>SQLite as a table of blobs by number.</summary>
public sealed class SqlitePeer : IKeyedPeer
{
    private readonly SqliteConnection _connection;
    private readonly SqliteCommand _put, _get;
    private SqliteTransaction? _transaction;

    static SqlitePeer() => SQLitePCL.Batteries_V2.Init();

    public SqlitePeer(string path)
    {
        _connection = new SqliteConnection($"Data Source={path};Pooling=False");
        _connection.Open();
        Execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-262144; CREATE TABLE kv (key INTEGER PRIMARY KEY, value BLOB NOT NULL)");
        _put = _connection.CreateCommand();
        _put.CommandText = "INSERT INTO kv VALUES ($key, $value) ON CONFLICT(key) DO UPDATE SET value = excluded.value";
        _put.Parameters.Add("$key", SqliteType.Integer);
        _put.Parameters.Add("$value", SqliteType.Blob);
        _put.Prepare();
        _get = _connection.CreateCommand();
        _get.CommandText = "SELECT value FROM kv WHERE key = $key";
        _get.Parameters.Add("$key", SqliteType.Integer);
        _get.Prepare();
    }

    public string Name => "SQLite, WAL, 10,000 puts a transaction";

    public void BeginTurn() => _transaction = _connection.BeginTransaction();

    public void EndTurn()
    {
        _transaction?.Commit();
        _transaction?.Dispose();
        _transaction = null;
    }

    public void Put(long key, object value)
    {
        _put.Transaction = _transaction;
        _put.Parameters[0].Value = key;
        _put.Parameters[1].Value = NinoSerializer.Serialize((Poco)value);
        _put.ExecuteNonQuery();
    }

    public Poco? Get(long key)
    {
        _get.Transaction = _transaction;
        _get.Parameters[0].Value = key;
        return _get.ExecuteScalar() is byte[] bytes ? NinoSerializer.Deserialize<Poco>(bytes) : null;
    }

    public void Dispose()
    {
        _put.Dispose();
        _get.Dispose();
        _connection.Dispose();
    }

    private void Execute(string sql)
    {
        using SqliteCommand command = _connection.CreateCommand();
        command.CommandText = sql;
        command.ExecuteNonQuery();
    }
}
