using System.Buffers.Binary;
using Store.IO;

namespace Store.Tests.Log;

/// <summary>Settings of stores under test: one thread, small segments, ids and a clock that repeat.</summary>
internal static class Simulated
{
    public static NinoStoreOptions Options(IStoreDirectory directory, int seed = 1) => new()
    {
        Directory = directory,
        RunsInline = true,
        NewId = Ids(seed),
        TimeProvider = new SteppingClock(),
        FirstSegmentSizeBytes = 4096,
        SegmentSizeBytes = 64 * 1024,
        BufferSizeBytes = 256 * 1024,
    };

    public static NinoStore Open(IStoreDirectory directory, int seed = 1, Func<NinoStoreOptions, NinoStoreOptions>? change = null)
    {
        NinoStoreOptions options = Options(directory, seed);
        return NinoStore.Open("sim", change is null ? options : change(options));
    }

    /// <summary>Commits; the flusher runs inline, so nothing is waited for.</summary>
    public static void Commit(NinoStore store) => store.CommitAsync().AsTask().GetAwaiter().GetResult();

    public static Func<ulong> Ids(int seed)
    {
        var random = new Random(seed);
        byte[] bytes = new byte[8];
        return () =>
        {
            random.NextBytes(bytes);
            return BinaryPrimitives.ReadUInt64LittleEndian(bytes);
        };
    }
}

/// <summary>A clock that starts at 2026-01-01 and moves one millisecond each time it is read; its timestamps go with it.</summary>
internal sealed class SteppingClock : TimeProvider
{
    private long _ticks = new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc).Ticks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override DateTimeOffset GetUtcNow() => new(Interlocked.Add(ref _ticks, TimeSpan.TicksPerMillisecond), TimeSpan.Zero);

    public override long GetTimestamp() => Interlocked.Read(ref _ticks);
}

/// <summary>A folder of its own under the system's temporary folder, removed afterwards.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public TemporaryFolder() => Directory.CreateDirectory(Path);

    public string Path { get; } = System.IO.Path.Combine(System.IO.Path.GetTempPath(), "ninostore-tests", Guid.NewGuid().ToString("N"));

    public string this[string name] => System.IO.Path.Combine(Path, name);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
