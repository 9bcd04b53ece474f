using Store.Framing;
using Store.Snapshots;

namespace Store.Tests.Snapshots;

public class SnapshotOutputTests
{
    private const int Chunk = SnapshotOutput.ChunkSize;

    /// <summary>Whatever spans a codec asks for and however much of them it uses, the file and the page table are the same bytes.</summary>
    [Fact]
    public void PiecesOfAnySizeArriveInOrder()
    {
        const int seed = 20261123;
        var random = new Random(seed);
        var expected = new byte[(3 * Chunk) + 12345];
        random.NextBytes(expected);
        int[] hints = [0, 1, 7, 512, 65536, 65537, Chunk - 1, Chunk, Chunk + 1, 2 * Chunk];
        for (int round = 0; round < 20; round++)
        {
            using var file = new MemoryFile(keepsBytes: true);
            var pages = new SnapshotPageTable(65536);
            using (var output = new SnapshotOutput(file, 64, pages, CancellationToken.None))
            {
                for (int done = 0; done < expected.Length;)
                {
                    int hint = hints[random.Next(hints.Length)];
                    Span<byte> span = output.GetSpan(hint);
                    Assert.True(span.Length >= Math.Max(1, hint));
                    int used = Math.Min(random.Next(0, Math.Max(hint, 100) + 1), expected.Length - done);
                    expected.AsSpan(done, used).CopyTo(span);
                    output.Advance(used);
                    done += used;
                    Assert.Equal(done, output.LengthBytes);
                }

                output.Flush();
            }

            Assert.True(expected.AsSpan().SequenceEqual(file.ToArray().AsSpan(64)), $"seed {seed}, round {round}");
            byte[] table = [.. expected.Chunk(65536).SelectMany(page => BitConverter.GetBytes(Crc32C.Compute(page)))];
            Assert.Equal(table, pages.Finish().ToArray());
        }
    }

    [Fact]
    public void AdvancingBeyondTheSpanIsAProgrammersMistake()
    {
        using var file = new MemoryFile(keepsBytes: false);
        using var output = new SnapshotOutput(file, 0, new SnapshotPageTable(64), CancellationToken.None);
        int length = output.GetSpan(10).Length;
        Assert.Throws<ArgumentOutOfRangeException>(() => output.Advance(length + 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => output.Advance(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => output.GetSpan(-1));
    }

    [Fact]
    public void NothingIsWrittenAfterCancellation()
    {
        using var file = new MemoryFile(keepsBytes: false);
        using var source = new CancellationTokenSource();
        using var output = new SnapshotOutput(file, 0, new SnapshotPageTable(64), source.Token);
        output.Advance(Math.Min(1, output.GetSpan(1).Length));
        source.Cancel();
        Assert.Throws<OperationCanceledException>(output.Flush);
        Assert.Equal(0, file.Writes);
    }
}
