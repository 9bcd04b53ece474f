// Streams of items: what comes out is the same however the bytes arrive.

using System.IO.Pipelines;
using Store.Fuzz.Driver;
using Store.Serialization;
using Store.Tests;
using Store.Tests.Generator.RoundTrips;

namespace Store.Fuzz.Targets;

internal sealed class ItemLane<T>(Func<int, T> make) : FuzzLane(typeof(T).ToString())
{
    public override long MaxAllocation(int length) => 2 * 1024 * 1024 + (8192L * length);

    public override IEnumerable<byte[]> Seeds(int seed)
    {
        foreach (int count in (int[])[0, 1, 3, 20])
        {
            using var stream = new MemoryStream();
            NinoSerializer.SerializeItemsAsync(stream, Enumerable.Range(seed, count).Select(make).ToAsyncEnumerable()).AsTask().GetAwaiter().GetResult();
            yield return stream.ToArray();
        }
    }

    public override void Run(byte[] input)
    {
        (int count, bool isWhole) = Read(PipeReader.Create(new MemoryStream(input)));
        ReadOnlyMemory<byte>[] pieces = [.. input.Chunk(3).Select(static piece => (ReadOnlyMemory<byte>)piece)];
        if (pieces.Length == 0) return;
        (int Count, bool IsWhole) cut = Read(PipeReader.Create(Pieces.Of<byte>(pieces)));
        if (cut != (count, isWhole)) throw new LaneException($"{count} items{(isWhole ? "" : " and damage")}, in pieces {cut.Count}{(cut.IsWhole ? "" : " and damage")}");
    }

    private static (int Count, bool IsWhole) Read(PipeReader pipe)
    {
        int count = 0;
        try
        {
            // Nothing is waited for: all bytes are there.
            Count().GetAwaiter().GetResult();
            return (count, true);
        }
        catch (NinoSerializationException)
        {
            return (count, false);
        }

        async Task Count()
        {
            await foreach (T item in NinoSerializer.DeserializeItemsAsync<T>(pipe)) count++;
        }
    }
}

internal static class ItemLane
{
    public static IReadOnlyList<FuzzLane> All() => [new ItemLane<int>(static i => i), new ItemLane<string>(static i => $"text {i} €"), new ItemLane<Plain>(static i => new Plain())];
}
