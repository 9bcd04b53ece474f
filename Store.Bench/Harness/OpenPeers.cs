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

    /// <summary>One empty collection of samples for each peer.</summary>
    public Samples[] Samples() => [.. _peers.Select(_ => new Samples())];

    public void ForEach(Action<IStorePeer, int> action) => InTurn(0, action);

    /// <summary>Runs on every peer, beginning with another one each round.</summary>
    public void InTurn(int round, Action<IStorePeer, int> action)
    {
        for (int turn = 0; turn < _peers.Count; turn++)
        {
            int i = (round + turn) % _peers.Count;
            action(_peers[i].Peer, i);
        }
    }

    public void Dispose()
    {
        foreach (var (_, data, peer) in _peers)
        {
            peer.Dispose();
            data.Dispose();
        }
    }
}
