using Store.Framing;
using Store.Snapshots;
using static Store.Tests.Snapshots.WatchedFile;

namespace Store.Tests.Snapshots;

/// <summary>Chunks that a thread of the output writes: the same bytes in the file as given, whatever sizes they come in and however long they take.</summary>
public class SnapshotOutputThreadTests
{
    /// <summary>Spans of nothing, of a byte, about a chunk, of several; used in part, wholly or not at all; flushed in between; with rests in which the thread ends.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void WhateverIsWrittenTheFileAndItsChecksumsAreTheSameBytes(bool inBackground)
    {
        int seed = Effort.Seed(20261122);
        var random = new Random(seed);
        byte[] given = new byte[(9 * Chunk) + 777];
        random.NextBytes(given);
        int[] sizes = [0, 0, 1, 7, 4096, PageSize, Chunk - 1, Chunk, Chunk + 1, (2 * Chunk) - 1, 2 * Chunk, (3 * Chunk) + 5];
        for (int round = 0; round < 8; round++)
        {
            using var file = new WatchedFile();
            var pages = new SnapshotPageTable(PageSize);
            List<long> told = [];
            using (var writer = new SnapshotOutput(file, 64, pages, CancellationToken.None, told.Add, inBackground))
            {
                for (int done = 0; done < given.Length;)
                {
                    int size = sizes[random.Next(sizes.Length)];
                    Span<byte> span = random.Next(2) == 0 ? writer.GetSpan(size) : writer.GetMemory(size).Span;
                    Assert.True(span.Length >= Math.Max(1, size));
                    int used = Math.Min(random.Next(3) switch { 0 => size, 1 => random.Next(size + 1), _ => span.Length }, given.Length - done);
                    given.AsSpan(done, used).CopyTo(span);
                    writer.Advance(used);
                    done += used;
                    Assert.Equal(done, writer.LengthBytes);
                    int what = random.Next(12);
                    if (what == 0)
                    {
                        writer.Flush();
                        Assert.Equal(64 + done, file.LengthBytes);
                    }
                    else if (what == 1)
                    {
                        Thread.Sleep(30);
                    }
                }

                writer.Flush();
                Assert.Equal(given.Length, writer.LengthBytes);
            }

            Assert.True(given.AsSpan().SequenceEqual(file.ToArray().AsSpan(64)), $"SEED={seed}, round {round}");
            Assert.Equal([.. given.Chunk(PageSize).SelectMany(static page => BitConverter.GetBytes(Crc32C.Compute(page)))], pages.Finish().ToArray());
            Assert.Equal(told.Order(), told);
            Assert.Equal(given.Length, told[^1]);
            Assert.Equal(inBackground, file.Threads.Count > 0);
            file.AssertThreadsEnd();
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(6)]
    public void ExactChunksAreWrittenEachOnceAndNothingBehindThem(int chunks)
    {
        using var file = new WatchedFile();
        var pages = new SnapshotPageTable(PageSize);
        byte[] given = Given(chunks * Chunk);
        using (SnapshotOutput writer = Output(file, pages))
        {
            for (int i = 0; i < chunks; i++) Put(writer, given.AsSpan(i * Chunk, Chunk));
            writer.Advance(0);
            writer.Flush();
            writer.Flush();
        }

        Assert.Equal((chunks, (long)given.Length), (file.Writes, file.LengthBytes));
        Assert.Equal(given, file.ToArray());
        Assert.Equal(given.Length / PageSize * sizeof(uint), pages.Finish().Length);
    }

    [Fact]
    public void AThreadThatFellIdleIsFollowedByAnother()
    {
        using var file = new WatchedFile();
        byte[] given = Given(9 * Chunk);
        using SnapshotOutput writer = Output(file);
        for (int round = 0; round < 3; round++)
        {
            // Asking for more hands on the third too.
            for (int i = 0; i < 3; i++) Put(writer, given.AsSpan(((round * 3) + i) * Chunk, Chunk));
            writer.GetSpan(1);
            file.WaitForWrites((round + 1) * 3);
            file.AssertThreadsEnd();
            Assert.Equal(round + 1, file.Threads.Count);
        }

        writer.Flush();
        Assert.Equal(given, file.ToArray());
    }

    [Fact]
    public async Task WhoeverFillsFasterThanTheDiskWaitsForIt()
    {
        using var file = new WatchedFile { Hold = new SemaphoreSlim(0) };
        byte[] given = Given((MostWaiting + 3) * Chunk);
        using SnapshotOutput writer = Output(file);
        Task filling = Task.Run(() =>
        {
            PutAll(writer, given);
            writer.Flush();
        });
        file.WaitForCalls(1);
        await Task.Delay(50);
        Assert.False(filling.IsCompleted);
        Assert.True(writer.LengthBytes <= (MostWaiting + 1) * Chunk);

        file.Hold.Release(100);
        await filling.WaitAsync(Patience);
        Assert.Equal(given, file.ToArray());
    }
}
