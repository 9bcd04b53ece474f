using Store.Faster;
using Store.KeyValue;
using Store.Serialization;
using Store.State;

namespace Store.Tests.Reading;

/// <summary>One of a chain, and back: a graph whose references are kept.</summary>
[NinoType(References = true)]
public sealed class DeepLink
{
    public int Number { get; set; }
    public DeepLink? Next { get; set; }
    public DeepLink? Previous { get; set; }

    public static DeepLink Chain(int length)
    {
        var first = new DeepLink();
        DeepLink last = first;
        for (int i = 1; i < length; i++) last = last.Next = new DeepLink { Number = i, Previous = last };
        return first;
    }

    public int Length
    {
        get
        {
            int length = 1;
            for (DeepLink one = this; one.Next is { } next; one = next, length++) Assert.Same(one, next.Previous);
            return length;
        }
    }
}

[NinoType]
public sealed record DeepEvent(DeepLink Link);

[NinoType]
public sealed class DeepState
{
    public DeepLink? Link { get; set; }
}

/// <summary>How deep what a store writes may nest is an option of it; what it reads is not.</summary>
public sealed class StoredDepthTests : IDisposable
{
    private const int Depth = 500;

    private readonly string _path = Directory.CreateTempSubdirectory("ninostore-depth-").FullName;

    public void Dispose() => Directory.Delete(_path, recursive: true);

    [Fact]
    public async Task WhatIsDeeperThanTheDefaultIsWrittenByTheOptionAndReadWithoutIt()
    {
        var deep = new NinoStoreOptions { MaxDepth = Depth };
        DeepLink chain = DeepLink.Chain(Depth);
        using (NinoStore store = NinoStore.Open(_path, deep))
        {
            store.Append(chain);
            await store.AppendAsync(chain);
            store.AppendBatch<DeepLink>([chain, chain]);
            using (LogAppender<DeepLink> appender = store.OpenAppender<DeepLink>()) appender.Append(chain);
            using IKeyValueStore<int, DeepLink> keyed = store.OpenKeyValue<int, DeepLink>("links", new FasterOptions { PageSizeBytes = 1 << 16, MemorySizeBytes = 1 << 20, IndexSizeBytes = 4096 });
            keyed.Put(1, chain);
            await keyed.CheckpointAsync();
            await store.CheckpointAsync(chain);
            using StateStore<DeepState> state = await Open(store);
            state.Apply(new DeepEvent(chain));
            await state.CheckpointAsync();
            state.Apply(new DeepEvent(chain));
        }

        using (NinoStore store = NinoStore.Open(_path))
        {
            Assert.All(store.Read<DeepLink>(), static record => Assert.Equal(Depth, record.Value.Length));
            Assert.Equal(5, store.Read<DeepLink>().Count());
            Assert.Equal(Depth, (await store.RestoreAsync<DeepLink, DeepEvent>(static (held, _) => held)).Length);
            using IKeyValueStore<int, DeepLink> keyed = store.OpenKeyValue<int, DeepLink>("links", new FasterOptions { PageSizeBytes = 1 << 16, MemorySizeBytes = 1 << 20, IndexSizeBytes = 4096 });
            Assert.True(keyed.TryGet(1, out DeepLink? found));
            Assert.Equal(Depth, found.Length);
            using (StateStore<DeepState> state = await Open(store)) Assert.Equal(Depth, state.Read(static held => held.Link!.Length));

            // And what it writes has its own limit: the default.
            AssertTooDeep(() => store.Append(chain), 64);
            AssertTooDeep(() => store.AppendAsync(chain).AsTask().GetAwaiter().GetResult(), 64);
            AssertTooDeep(() => store.AppendBatch<DeepLink>([chain]), 64);
            AssertTooDeep(() => keyed.Put(2, chain), 64);
            AssertTooDeep(() => store.CheckpointAsync(chain).AsTask().GetAwaiter().GetResult(), 64);
            AssertTooDeep(() => { using LogAppender<DeepLink> appender = store.OpenAppender<DeepLink>(); appender.Append(chain); }, 64);
            using (StateStore<DeepState> state = await Open(store)) AssertTooDeep(() => state.Apply(new DeepEvent(chain)), 64);
        }

        using StoreReader reader = StoreReader.Open(_path);
        Assert.Equal(5, reader.ReadRecords().Where(static record => record.Is<DeepLink>()).Select(static record => record.As<DeepLink>().Length).Count(static length => length == Depth));
    }

    [Fact]
    public void OneMoreThanTheOptionIsRefusedWithItsPath()
    {
        using NinoStore store = NinoStore.Open(_path, new NinoStoreOptions { MaxDepth = 3 });
        store.Append(DeepLink.Chain(3));
        NinoSerializationException error = AssertTooDeep(() => store.Append(DeepLink.Chain(4)), 3);
        Assert.Equal("Next.Next.Next", error.MemberPath);
        Assert.Contains("NinoStoreOptions.MaxDepth", error.Message, StringComparison.Ordinal);
        Assert.Equal(1, store.LastSequence);
        Assert.Throws<ArgumentOutOfRangeException>(() => new NinoStoreOptions { MaxDepth = 1001 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new NinoStoreOptions { MaxDepth = 0 });
    }

    private static NinoSerializationException AssertTooDeep(Action write, int limit)
    {
        NinoSerializationException error = Assert.Throws<NinoSerializationException>(write);
        Assert.Contains($"deeper than the limit of {limit} objects", error.Message, StringComparison.Ordinal);
        return error;
    }

    private static async Task<StateStore<DeepState>> Open(NinoStore store) =>
        await store.OpenStateAsync<DeepState>(static on => on.On<DeepEvent>(static (state, e) => state.Link = e.Link));
}
