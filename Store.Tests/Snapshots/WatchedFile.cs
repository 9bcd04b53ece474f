using Store.IO;
using Store.Snapshots;
using Store.Tests.Simulation;

namespace Store.Tests.Snapshots;

/// <summary>A file that knows which threads wrote, can make them wait, and fails as asked; and what the tests of <see cref="SnapshotOutput"/> do with it.</summary>
internal sealed class WatchedFile : IStoreFile
{
    public const int Chunk = SnapshotOutput.ChunkSize;
    public const int PageSize = 65536;

    /// <summary>A chunk under way, and three that wait.</summary>
    public const int MostWaiting = 4;

    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly MemoryFile _inner = new(keepsBytes: true);
    private readonly HashSet<Thread> _threads = [];
    private int _calls;
    private int _writebacks;

    /// <summary>Given away once before each write.</summary>
    public SemaphoreSlim? Hold { get; init; }

    public int FailingWrite { get; init; }

    public int FailingWriteback { get; init; }

    public string Name => _inner.Name;

    public long LengthBytes => _inner.LengthBytes;

    public int Writes => _inner.Writes;

    public int Writebacks => _writebacks;

    /// <summary>The output's own threads that wrote.</summary>
    public IReadOnlyCollection<Thread> Threads
    {
        get { lock (_threads) return [.. _threads]; }
    }

    public byte[] ToArray() => _inner.ToArray();

    public void Write(ReadOnlySpan<byte> source, long offset)
    {
        if (Thread.CurrentThread.Name == "NinoStore snapshot")
        {
            lock (_threads) _threads.Add(Thread.CurrentThread);
        }

        int call = Interlocked.Increment(ref _calls);
        Hold?.Wait();
        if (call == FailingWrite) throw new InjectedFault("as asked", IoFailure.IoError);
        _inner.Write(source, offset);
    }

    public void StartWriteback(long offset, long lengthBytes)
    {
        if (++_writebacks == FailingWriteback) throw new InjectedFault("as asked", IoFailure.IoError);
    }

    public void WaitForCalls(int count) => Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref _calls) >= count, Patience));

    public void WaitForWrites(int count) => Assert.True(SpinWait.SpinUntil(() => Writes >= count, Patience));

    public void AssertThreadsEnd() => Assert.All(Threads, static thread => Assert.True(thread.Join(Patience), "the writing thread has not ended"));

    public void SyncData() { }

    public int Read(Span<byte> destination, long offset) => throw new NotSupportedException();

    public void Truncate(long lengthBytes) => throw new NotSupportedException();

    public IStoreMapping Map() => throw new NotSupportedException();

    public void Dispose() => Hold?.Dispose();

    /// <summary>An output over a file that writes in the background.</summary>
    public static SnapshotOutput Output(IStoreFile file, SnapshotPageTable? pages = null, CancellationToken cancellationToken = default, Action<long>? onChunk = null) =>
        new(file, 0, pages ?? new SnapshotPageTable(PageSize), cancellationToken, onChunk, inBackground: true);

    public static byte[] Given(int length)
    {
        byte[] bytes = new byte[length];
        new Random(7).NextBytes(bytes);
        return bytes;
    }

    /// <summary>Writes bytes chunk by chunk; the last one stays with the output.</summary>
    public static void PutAll(SnapshotOutput writer, ReadOnlySpan<byte> bytes)
    {
        for (; bytes.Length > Chunk; bytes = bytes[Chunk..]) Put(writer, bytes[..Chunk]);
        Put(writer, bytes);
    }

    public static void Put(SnapshotOutput writer, ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(writer.GetSpan(bytes.Length));
        writer.Advance(bytes.Length);
    }
}
