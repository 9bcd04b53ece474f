// Streams, pipes and streams of items.

using System.IO.Pipelines;
using Store.Serialization;
using Store.Tests.Types;

namespace Store.TrimTest;

internal static class StreamChecks
{
    public static async Task RunAsync(Checks checks)
    {
        Leaf leaf = new(7, "seven");
        using var stream = new MemoryStream();
        await NinoSerializer.SerializeAsync(stream, leaf, NinoHeader.Fingerprint);
        stream.Position = 0;
        checks.Equal("a stream", leaf, await NinoSerializer.DeserializeAsync<Leaf>(stream, NinoHeader.Fingerprint));
        stream.Position = 0;
        checks.Equal("a stream, over what is there", leaf, await NinoSerializer.DeserializeAsync(stream, new Leaf(8, "eight"), NinoHeader.Fingerprint));

        var pipe = new Pipe();
        await NinoSerializer.SerializeAsync(pipe.Writer, leaf);
        await pipe.Writer.CompleteAsync();
        checks.Equal("a pipe", leaf, await NinoSerializer.DeserializeAsync<Leaf>(pipe.Reader));

        using var items = new MemoryStream();
        checks.Equal("items written", 100L, await NinoSerializer.SerializeItemsAsync(items, ItemsAsync()));
        items.Position = 0;
        int sum = 0;
        await foreach (Leaf item in NinoSerializer.DeserializeItemsAsync<Leaf>(items)) sum += item.Id;
        checks.Equal("items read", 4950, sum);
    }

    private static async IAsyncEnumerable<Leaf> ItemsAsync()
    {
        for (int i = 0; i < 100; i++)
        {
            if (i == 50) await Task.Yield();
            yield return new Leaf(i, null);
        }
    }
}
