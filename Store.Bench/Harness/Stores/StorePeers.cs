// The logs that take part, by name. A table takes those to which its question can be put.

namespace Store.Bench.Harness.Stores;

/// <summary>How to open a peer.</summary>
/// <param name="Name">Name of the row.</param>
/// <param name="Open">Opens it on a folder, new or left by the peer itself.</param>
public sealed record StorePeerKind(string Name, Func<string, IStorePeer> Open)
{
    /// <summary>Of the stores of Peers/All: it also takes part in the tables of sustained appends and of scans.</summary>
    public bool IsForMuchData { get; init; }
}

/// <summary>All peers.</summary>
public static partial class StorePeers
{
    public const string RawName = "raw pwrite+fdatasync, zero-written", NinoStoreName = "NinoStore", FasterLogDefaultName = "FasterLog default", SequentialName = "raw 1 MiB writes + sync", RewrittenName = SequentialName + ", over written blocks";

    /// <summary>The floor of durable batches.</summary>
    public static StorePeerKind Raw { get; } = new(RawName, path => new RawPeer(path));

    /// <summary>The floor of sustained writing.</summary>
    public static StorePeerKind Sequential { get; } = new(SequentialName, path => new SequentialFilePeer(path));

    /// <summary>The same where no block is new.</summary>
    public static StorePeerKind Rewritten { get; } = new(RewrittenName, path => new SequentialFilePeer(path, isRewritten: true));

    /// <summary>NinoStore as it comes.</summary>
    public static StorePeerKind NinoStore { get; } = new(NinoStoreName, path => new NinoStorePeer(path));

    /// <summary>Its commits awaited instead of blocking.</summary>
    public static StorePeerKind NinoStoreAwaited { get; } = new(NinoStoreName + ", CommitAsync", path => new NinoStoreAwaitedPeer(path));

    /// <summary>Its way in for one thread.</summary>
    public static StorePeerKind NinoStoreAppender { get; } = new(NinoStoreName + ", OpenAppender", path => new NinoStoreAppenderPeer(path));

    public static StorePeerKind FasterLogDefault { get; } = new(FasterLogDefaultName, path => new FasterLogPeer(path, FasterLogTuning.Default));

    public static StorePeerKind FasterLogTuned { get; } = new("FasterLog tuned", path => new FasterLogPeer(path, FasterLogTuning.Tuned));

    public static StorePeerKind FasterLogFastCommit { get; } = new("FasterLog tuned + FastCommit + XOR", path => new FasterLogPeer(path, FasterLogTuning.FastCommit));

    public static IReadOnlyList<StorePeerKind> FasterLogs { get; } = [FasterLogDefault, FasterLogTuned, FasterLogFastCommit];

    public static StorePeerKind Sqlite { get; } = new("SQLite, WAL", path => new SqliteLogPeer(path));

    public static StorePeerKind FileStream { get; } = new("FileStream + Flush(true)", path => new FileStreamPeer(path));

    /// <summary>Stores of Peers/All whose commits are durable: those that the build was asked for.</summary>
    public static IReadOnlyList<StorePeerKind> Named { get; } = ListNamed();

    private static List<StorePeerKind> ListNamed()
    {
        List<StorePeerKind> kinds = [];
        AddRocksDb(kinds);
        AddZoneTree(kinds);
        AddDBreeze(kinds);
        return kinds;
    }

    static partial void AddRocksDb(List<StorePeerKind> kinds);

    static partial void AddZoneTree(List<StorePeerKind> kinds);

    static partial void AddDBreeze(List<StorePeerKind> kinds);
}
