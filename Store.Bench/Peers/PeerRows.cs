// All peers of this build: those that every package feed carries, then those of Peers/All that the build was asked for.

namespace Store.Bench.Peers;

/// <summary>The peers, the bound and NinoStore first.</summary>
public static class PeerRows
{
    public const string Bound = "Bound", NinoStore = "NinoStore";

    private static readonly List<PeerRow> Rows =
    [
        new BoundRow(),
        new AnyPeerRow<NinoSerializerPeer>(NinoStore),
        new AnyPeerRow<SystemTextJsonPeer>("System.Text.Json"),
        new AnyPeerRow<NewtonsoftPeer>("Newtonsoft.Json"),
        new ProtobufRow(),
    ];

    /// <summary>Every peer.</summary>
    public static IReadOnlyList<PeerRow> All => Rows;

    /// <summary>Adds a peer of Peers/All: called by the module initializer that each of them has, so that no list names what may be missing.</summary>
    internal static void Add(PeerRow row) => Rows.Add(row);
}
