// Several stores open at once, each on a folder of its own.

using Store.Bench.Harness.Stores;

namespace Store.Bench.Harness;

/// <summary>Opens peers, runs something on each in turn, closes them and removes their files.</summary>
public sealed class OpenPeers : IDisposable
{
    private readonly List<(string Name, BenchData Data, IStorePeer Peer)> _peers = [];

    public OpenPeers(IEnumerable<StorePeerKind> kinds, string dataDirectory)
    {
        foreach (StorePeerKind kind in kinds)
        {
            var data = new BenchData(dataDirectory);
            _peers.Add((kind.Name, data, kind.Open(data.Directory)));
        }
    }

    public int Count => _peers.Count;

    public string Name(int index) => _peers[index].Name;

    public IStorePeer Peer(int index) => _peers[index].Peer;

    /// <summary>A meter for each peer.</summary>
    /// <param name="countBytesPrecisely">For turns that are few and long.</param>
    public TurnMeter[] Meters(bool countBytesPrecisely = false) => TurnMeter.Many(Count, countBytesPrecisely);

    public void ForEach(Action<IStorePeer, int> action)
    {
        for (int i = 0; i < _peers.Count; i++) action(_peers[i].Peer, i);
    }

    /// <summary>Runs on every peer, in an order of the round's own.</summary>
    public void InTurn(long round, Action<IStorePeer, int> action)
    {
        foreach (int i in Turns.Order(round, _peers.Count)) action(_peers[i].Peer, i);
    }

    /// <summary>Commits one record more on each and counts what they hold.</summary>
    /// <param name="record">The record.</param>
    /// <param name="expected">Records that a peer was given before.</param>
    /// <exception cref="InvalidDataException">A peer holds another number.</exception>
    public void CommitAndCount(byte[] record, Func<int, long> expected) => ForEach((peer, i) =>
    {
        peer.AppendDurable(record, 1);
        Require(i, expected(i) + 1, peer.Scan());
    });

    /// <exception cref="InvalidDataException">They differ.</exception>
    public void Require(int index, long appended, long seen)
    {
        if (seen != appended) throw new InvalidDataException($"{Name(index)}: {appended} records appended, {seen} scanned.");
    }

    /// <summary>One row for each meter.</summary>
    public StoreRow[] Rows(TurnMeter[] meters, StoreTable table, string row) => [.. meters.Select((meter, i) => meter.ToRow(table, row, Name(i)))];

    public void Dispose()
    {
        foreach (var (_, data, peer) in _peers)
        {
            peer.Dispose();
            data.Dispose();
        }
    }
}
