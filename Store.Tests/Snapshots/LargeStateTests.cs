// How large may one value of a snapshot be? As large as an array of bytes: the limit of what strangers send is none for a store's own files.

using Store.Serialization;
using Store.Snapshots;
using static Store.Tests.Snapshots.SnapshotSamples;

namespace Store.Tests.Snapshots;

public class LargeStateTests
{
    private const int ChunkBytes = 1 << 20;

    /// <summary>One chunk, very often: the state is larger than memory held by it. It is read by a type that has no place for the chunks, and walks them all the same.</summary>
    [Fact]
    public void AStateOfMoreThanAGibibyteIsWrittenAndReadBack()
    {
        using var file = new SparseFile();
        var state = new LargeState { Number = 7, Chunks = [.. Enumerable.Repeat(new byte[ChunkBytes], 1100)], Last = "end" };
        new SnapshotWriter(new BytesDirectory(), SnapshotFormat.MaxPageSize).WriteFile(file, [new SnapshotState<LargeState>("", NinoCodec<LargeState>.Default, state)], GoldenStamp, null, CancellationToken.None);
        Assert.True(file.LengthBytes > NinoLimits.Default.MaxRecordBytes);
        using SnapshotFile open = SnapshotFile.Open(new OneFileDirectory(file), "file");
        LargeStateNow now = open.Read<LargeStateNow>();
        Assert.Equal((7, "end"), (now.Number, now.Last));
    }

    [Fact]
    public void AValueThatIsTooLargeForASnapshotIsAnErrorThatNamesTheLimitAndTheRemedy()
    {
        foreach (int length in new[] { 1000, 990, 100_000 })
        {
            Counter large = Counter.Numbered(1, length);
            string state = Refused(new SnapshotState<Counter>("", NinoCodec<Counter>.Default, large));
            Assert.StartsWith("The state of type 'Tests.Counter' is larger than 950 bytes", state, StringComparison.Ordinal);
            string item = Refused(new SnapshotItemStream<Counter>("", NinoCodec<Counter>.Default, [Counter.Numbered(1, 5), large]));
            Assert.StartsWith("Item 1 of type 'Tests.Counter' is larger than 950 bytes", item, StringComparison.Ordinal);
            Assert.All([state, item], static message => Assert.Contains("SnapshotParts.AddItems", message, StringComparison.Ordinal));
        }

        static string Refused(SnapshotContent content)
        {
            using var file = new MemoryFile(keepsBytes: true);
            var writer = new SnapshotWriter(new BytesDirectory(), limits: new NinoLimits { MaxRecordBytes = 950 });
            NinoSerializationException e = Assert.Throws<NinoSerializationException>(() => writer.WriteFile(file, [content], GoldenStamp, null, CancellationToken.None));
            Assert.Equal("Tests.Counter", e.TypeName);
            return e.Message;
        }
    }
}

/// <summary>A state of many bytes.</summary>
[NinoType(Name = "Tests.LargeState")]
public sealed partial class LargeState
{
    public int Number { get; set; }

    public List<byte[]> Chunks { get; set; } = [];

    public string Last { get; set; } = "";
}

/// <summary>The same without them.</summary>
[NinoType(Name = "Tests.LargeStateNow"), NinoFormerName("Tests.LargeState")]
public sealed partial class LargeStateNow
{
    public int Number { get; set; }

    public string Last { get; set; } = "";
}
