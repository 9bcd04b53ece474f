// What every log is asked to do. One call covers many records where they are nanoseconds each, so that the interface costs nothing.

namespace Store.Bench.Harness.Stores;

/// <summary>One log under test, open on a folder of its own.</summary>
public interface IStorePeer : IDisposable
{
    /// <summary>Appends a record <paramref name="count"/> times; not durable on return.</summary>
    void Append(byte[] record, int count);

    /// <summary>Appends a record <paramref name="count"/> times as one batch where the log knows batches; durable on return.</summary>
    void AppendDurable(byte[] record, int count);

    /// <summary>Reads every record and returns their number.</summary>
    long Scan();
}

/// <summary>A log whose commits many callers can share.</summary>
public interface IGroupCommitPeer : IStorePeer
{
    /// <summary>Appends a record; completes when it is durable.</summary>
    ValueTask AppendDurableAsync(byte[] record);
}

/// <summary>How to open a peer.</summary>
/// <param name="Name">Name of the row.</param>
/// <param name="Open">Opens it on a folder, new or left by the peer itself.</param>
public sealed record StorePeerKind(string Name, Func<string, IStorePeer> Open)
{
    public const string Raw = "raw pwrite+fdatasync, zero-written", NinoStore = "NinoStore", FileStream = "FileStream + Flush(true)";

    /// <summary>All peers, the floor first.</summary>
    public static IReadOnlyList<StorePeerKind> All { get; } =
    [
        new(Raw, path => new RawPeer(path)),
        new(NinoStore, path => new NinoStorePeer(path)),
        new("FasterLog default", path => new FasterLogPeer(path, FasterLogTuning.Default)),
        new("FasterLog tuned", path => new FasterLogPeer(path, FasterLogTuning.Tuned)),
        new("FasterLog tuned + FastCommit + XOR", path => new FasterLogPeer(path, FasterLogTuning.FastCommit)),
        new(FileStream, path => new FileStreamPeer(path)),
    ];
}
