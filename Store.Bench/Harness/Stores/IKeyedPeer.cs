// What a user would keep objects by key in instead.

using Store.Bench.Workloads;

namespace Store.Bench.Harness.Stores;

/// <summary>Objects by number. Not safe for several threads.</summary>
public interface IKeyedPeer : IDisposable
{
    string Name { get; }

    /// <summary>False where a million keys would take hours.</summary>
    bool TakesAMillionKeys => true;

    /// <summary>The object as <see cref="Put"/> takes it, of the peer's own type where it needs one. Called once for each, before anything is timed.</summary>
    object Prepare(Poco value) => value;

    /// <param name="key">The number.</param>
    /// <param name="value">What <see cref="Prepare"/> made.</param>
    void Put(long key, object value);

    /// <summary>The object, the caller's own; null when the key is not there.</summary>
    Poco? Get(long key);

    /// <summary>What is timed: as <see cref="Get"/>, an object of the peer's own type where it needs one.</summary>
    object? Read(long key) => Get(key);

    /// <summary>Called before some thousand puts.</summary>
    void BeginTurn()
    {
    }

    /// <summary>Called after them, as a part of them.</summary>
    void EndTurn()
    {
    }
}

/// <summary>The peers of the keyed rows, those of Peers/All among them when they take part.</summary>
public static partial class KeyedPeers
{
    public static List<IKeyedPeer> Open(BenchData data)
    {
        List<IKeyedPeer> peers = [];
        AddMessagePack(peers, data);
        peers.Add(new JsonInFasterPeer(Directory.CreateDirectory(data.File("json")).FullName));
        peers.Add(new SqlitePeer(data.File("keyed.sqlite")));
        AddLiteDb(peers, data);
        AddRocksDb(peers, data);
        AddZoneTree(peers, data);
        AddDBreeze(peers, data);
        return peers;
    }

    static partial void AddMessagePack(List<IKeyedPeer> peers, BenchData data);

    static partial void AddLiteDb(List<IKeyedPeer> peers, BenchData data);

    static partial void AddRocksDb(List<IKeyedPeer> peers, BenchData data);

    static partial void AddZoneTree(List<IKeyedPeer> peers, BenchData data);

    static partial void AddDBreeze(List<IKeyedPeer> peers, BenchData data);
}
