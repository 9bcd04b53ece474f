// SQLite as a log: a table of blobs by number, write-ahead log, one prepared statement. What is to be durable is committed with a sync (synchronous=FULL), what need not be yet without one (NORMAL), as the other
// logs have one sync at the end. Else as it comes.

using Microsoft.Data.Sqlite;

namespace Store.Bench.Harness.Stores;

/// <summary>Records in a table. A batch is a transaction; what need not be durable yet goes in transactions of 10,000.</summary>
public sealed class SqliteLogPeer : IStorePeer
{
    private const int PerTransaction = 10_000;

    private readonly SqliteConnection _connection;
    private readonly SqliteCommand _insert, _select;
    private string _synchronous = "";

    static SqliteLogPeer() => SQLitePCL.Batteries_V2.Init();

    public SqliteLogPeer(string directory)
    {
        _connection = new SqliteConnection($"Data Source={Path.Combine(directory, "log.sqlite")};Pooling=False");
        _connection.Open();
        using SqliteCommand setup = _connection.CreateCommand();
        setup.CommandText = "PRAGMA journal_mode=WAL; CREATE TABLE IF NOT EXISTS log (sequence INTEGER PRIMARY KEY, record BLOB NOT NULL)";
        setup.ExecuteNonQuery();
        _insert = _connection.CreateCommand();
        _insert.CommandText = "INSERT INTO log (record) VALUES ($record)";
        _insert.Parameters.Add("$record", SqliteType.Blob);
        _insert.Prepare();
        _select = _connection.CreateCommand();
        _select.CommandText = "SELECT record FROM log ORDER BY sequence";
        _select.Prepare();
    }

    public void Append(byte[] record, int count)
    {
        Synchronous("NORMAL");
        for (int done = 0; done < count; done += PerTransaction) Insert(record, Math.Min(PerTransaction, count - done));
    }

    public void AppendDurable(byte[] record, int count)
    {
        Synchronous("FULL");
        Insert(record, count);
    }

    public long Scan()
    {
        long records = 0;
        _select.Transaction = null;
        using SqliteDataReader reader = _select.ExecuteReader();
        while (reader.Read())
        {
            if (reader.GetFieldValue<byte[]>(0).Length == 0) throw new InvalidDataException("An empty record.");
            records++;
        }
        return records;
    }

    public void Dispose()
    {
        _insert.Dispose();
        _select.Dispose();
        _connection.Dispose();
    }

    private void Insert(byte[] record, int count)
    {
        using SqliteTransaction transaction = _connection.BeginTransaction();
        _insert.Transaction = transaction;
        _insert.Parameters[0].Value = record;
        for (int i = 0; i < count; i++) _insert.ExecuteNonQuery();
        transaction.Commit();
    }

    private void Synchronous(string mode)
    {
        if (_synchronous == mode) return;
        using SqliteCommand command = _connection.CreateCommand();
        command.CommandText = "PRAGMA synchronous=" + mode;
        command.ExecuteNonQuery();
        _synchronous = mode;
    }
}
