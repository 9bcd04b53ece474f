// What events wait for while a state is serialized is the serializing: the memory for it was taken before.

using System.Buffers;
using Store.Serialization;
using Store.State;
using Store.Tests.Simulation;

namespace Store.Tests.State;

/// <summary>Notes what its thread allocates between its first member and its last one, while it is serialized: texts, because what has one size is written together.</summary>
[NinoType]
public sealed partial class WatchedBlocks
{
    [NinoIgnore]
    public long AllocatedInSerializing { get; private set; }

    [NinoMember(1)]
    public string First
    {
        get
        {
            AllocatedInSerializing = -GC.GetAllocatedBytesForCurrentThread();
            return "";
        }
        set => _ = value;
    }

    [NinoMember(2)]
    public List<byte[]> Blocks { get; set; } = [];

    [NinoMember(3)]
    public string Last
    {
        get
        {
            AllocatedInSerializing += GC.GetAllocatedBytesForCurrentThread();
            return "";
        }
        set => _ = value;
    }
}

/// <summary>Alone: what other tests give back meanwhile, the pool would have.</summary>
[Collection("alone")]
public sealed class CheckpointMemoryTests : IDisposable
{
    private const int ChunkBytes = 1 << 20, Chunks = 16;

    private readonly SimDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task TheMemoryOfTheNextCheckpointIsTakenBeforeEventsWait()
    {
        await using NinoStore store = NinoStore.Open("sim", new NinoStoreOptions { Directory = _directory });
        await using StateStore<WatchedBlocks> state = await store.OpenStateAsync(
            static () => new WatchedBlocks { Blocks = [.. Enumerable.Range(0, Chunks * 4).Select(static _ => new byte[ChunkBytes / 4])] }, static on => on.On<Remark>(static (_, _) => { }));
        using (EmptyPool())
        {
            // The first one knows of none before: the pool has nothing for it.
            state.Apply(new Remark("one"));
            await state.CheckpointAsync();
            Assert.InRange(state.Read(static s => s.AllocatedInSerializing), (Chunks - 1) * ChunkBytes, long.MaxValue);
        }

        using (EmptyPool())
        {
            state.Apply(new Remark("two"));
            await state.CheckpointAsync();
            Assert.InRange(state.Read(static s => s.AllocatedInSerializing), 0, ChunkBytes / 2);
        }
    }

    /// <summary>It is written straight into the file, through a buffer of a few MiB.</summary>
    [Fact]
    public async Task OfAnImmutableStateNoCopyIsMadeInMemory()
    {
        await using NinoStore store = NinoStore.Open("sim", new NinoStoreOptions { Directory = _directory });
        await using StateStore<WatchedBlocks> state = await store.OpenStateAsync(
            static () => new WatchedBlocks { Blocks = [.. Enumerable.Range(0, Chunks * 4).Select(static _ => new byte[ChunkBytes / 4])] }, static on => on.On<Remark>(static (blocks, _) => blocks),
            new StateOptions { StateIsImmutable = true });
        using (EmptyPool())
        {
            state.Apply(new Remark("one"));
            await state.CheckpointAsync();
            Assert.InRange(state.Read(static s => s.AllocatedInSerializing), 0, ChunkBytes * Chunks / 2);
        }
    }

    // Takes what the pool has, until it makes new ones on this thread and again: each processor has some.
    private static Held EmptyPool()
    {
        var held = new List<byte[]>();
        for (int made = 0; made < 2;)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            held.Add(ArrayPool<byte>.Shared.Rent(ChunkBytes));
            if (GC.GetAllocatedBytesForCurrentThread() - before >= ChunkBytes) made++;
        }

        return new Held(held);
    }

    private sealed class Held(List<byte[]> chunks) : IDisposable
    {
        public void Dispose()
        {
            foreach (byte[] chunk in chunks) ArrayPool<byte>.Shared.Return(chunk);
        }
    }
}
