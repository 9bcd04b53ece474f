// A thousand objects as items of a stream, one in memory at a time, beside the same as one list. An operation is all of them.

using Store.Bench.Harness.Views;
using Store.Bench.Workloads;
using Store.Serialization;

namespace Store.Bench.Shapes;

/// <summary>Rows of streamed items.</summary>
internal static class ItemVerbs
{
    private const int Count = 1000;
    private const string ToAStream = "1000 Pocos: Serialize the list to a stream", FromAStream = "1000 Pocos: Deserialize the list from a stream";

    public static IEnumerable<ViewSubject> All()
    {
        List<Poco> items = WorkloadData.Pocos(Count, uniqueText: true);
        var list = new MemoryStream();
        var streamed = new MemoryStream();
        WriteList(list, items);
        WriteItems(streamed, items);
        yield return new(ToAStream, count =>
        {
            for (int i = 0; i < count; i++) WriteList(list, items);
        }, () =>
        {
            WriteList(list, items);
            Check.Items(items, ReadList(list), Poco.Verify);
        });
        yield return new("1000 Pocos: SerializeItemsAsync to a stream", count =>
        {
            for (int i = 0; i < count; i++) WriteItems(streamed, items);
        }, () =>
        {
            WriteItems(streamed, items);
            Check.Items(items, ReadItems(streamed), Poco.Verify);
        }, ToAStream);
        yield return new(FromAStream, count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += ReadList(list).Count;
        }, () => Check.Items(items, ReadList(list), Poco.Verify));
        yield return new("1000 Pocos: DeserializeItemsAsync from a stream", count =>
        {
            for (int i = 0; i < count; i++) ViewRun.Sink += ReadItems(streamed).Count;
        }, () => Check.Items(items, ReadItems(streamed), Poco.Verify), FromAStream);
    }

    private static void WriteList(MemoryStream stream, List<Poco> items)
    {
        stream.Position = 0;
        stream.SetLength(0);
        NinoSerializer.Serialize(stream, items);
    }

    private static List<Poco> ReadList(MemoryStream stream)
    {
        stream.Position = 0;
        return NinoSerializer.Deserialize<List<Poco>>(stream);
    }

    private static void WriteItems(MemoryStream stream, List<Poco> items)
    {
        stream.Position = 0;
        stream.SetLength(0);

        // It completes before it returns: a stream in memory makes nobody wait.
        NinoSerializer.SerializeItemsAsync(stream, items.ToAsyncEnumerable()).AsTask().GetAwaiter().GetResult();
    }

    private static List<Poco> ReadItems(MemoryStream stream)
    {
        stream.Position = 0;
        return Collect(NinoSerializer.DeserializeItemsAsync<Poco>(stream)).GetAwaiter().GetResult();
    }

    private static async Task<List<Poco>> Collect(IAsyncEnumerable<Poco> items)
    {
        var read = new List<Poco>(Count);
        await foreach (Poco item in items) read.Add(item);
        return read;
    }
}
