using Store.IO;
using Store.Log;
using Store.Serialization;

namespace Store.Tests.Log;

/// <summary>The log on the real disk with its flusher thread: threads, shared syncs, back-pressure, allocation, the one-file form.</summary>
public class DiskTests
{
    [Fact]
    public void ManyThreadsAppendAndEveryRecordIsThereOnceInEachThreadsOrder()
    {
        using var folder = new TemporaryFolder();
        const int Threads = 4, PerThread = 20_000;
        using (NinoStore store = NinoStore.Open(folder["data"], new NinoStoreOptions { BufferSizeBytes = 256 * 1024, FirstSegmentSizeBytes = 64 * 1024, SegmentSizeBytes = 1024 * 1024 }))
        {
            Parallel.For(0, Threads, new ParallelOptions { MaxDegreeOfParallelism = Threads }, thread =>
            {
                for (int i = 0; i < PerThread; i++)
                {
                    if (i % 100 == 0) store.AppendBatch<long>([((long)thread << 32) | (uint)i]);
                    else store.Append(((long)thread << 32) | (uint)i);
                }
            });
        }

        using NinoStore reopened = NinoStore.Open(folder["data"]);
        long[] next = new long[Threads];
        long expected = 1;
        foreach (LogRecord<long> record in reopened.Read<long>())
        {
            Assert.Equal(expected++, record.Sequence);
            int thread = (int)(record.Value >> 32);
            Assert.Equal(next[thread]++, record.Value & uint.MaxValue);
        }

        Assert.All(next, count => Assert.Equal(PerThread, count));
    }

    [Fact]
    public async Task ConcurrentAppendsShareOneSync()
    {
        using var folder = new TemporaryFolder();
        Directory.CreateDirectory(folder["data"]);
        using var counting = new CountingDirectory(DiskDirectory.Open(folder["data"]));
        await using NinoStore store = NinoStore.Open(folder["data"], new NinoStoreOptions { Directory = counting });
        long before = counting.Syncs;

        long[] sequences = await Task.WhenAll(Enumerable.Range(0, 1000).Select(i => store.AppendAsync($"record {i}").AsTask()));

        Assert.Equal(Enumerable.Range(1, 1000).Select(i => (long)i), sequences.Order());
        Assert.True(store.DurableSequence >= 1000);
        Assert.InRange(counting.Syncs - before, 1, 500);
    }

    [Fact]
    public async Task AnAppendNobodyCommitsReachesTheFileWithinTheFlushInterval()
    {
        using var folder = new TemporaryFolder();
        await using NinoStore store = NinoStore.Open(folder["data"]);
        store.Append("seen from outside");

        string name = Path.Combine(folder["data"], SegmentFormat.Name(1));
        byte[] wanted = "seen from outside"u8.ToArray();
        for (int i = 0; i < 500; i++)
        {
            if (File.ReadAllBytes(name).AsSpan().IndexOf(wanted) >= 0) return;
            await Task.Delay(10);
        }

        Assert.Fail("The record did not reach the file within five seconds.");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task AnAppendInSteadyStateAllocatesNothing(bool asClass)
    {
        using var folder = new TemporaryFolder();
        // One segment: beginning the next one allocates a few kilobytes.
        await using NinoStore store = NinoStore.Open(folder["data"], new NinoStoreOptions { BufferSizeBytes = 4 * 1024 * 1024, FirstSegmentSizeBytes = 16 * 1024 * 1024 });
        string text = "a small record";
        for (int i = 0; i < 200_000; i++) Append(i);
        await store.CommitAsync();
        Append(0); // the first append of this thread, which may be another one now, makes the thread's buffer

        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 20_000; i++) Append(i);
        }));

        void Append(int i)
        {
            if (asClass) store.Append(text);
            else store.Append(i);
        }
    }

    [Fact]
    public void AOneFileLogIsSealedToItsExactSizeAndCanGoOn()
    {
        using var folder = new TemporaryFolder();
        string path = folder["log.bin"];
        using (NinoStore log = NinoLog.Create(path))
        {
            log.AppendBatch<int>([.. Enumerable.Range(1, 10_000)]);
        }

        long size = new FileInfo(path).Length;
        Assert.InRange(size, 10_000 * 5, 10_000 * 5 + 1000);
        Assert.NotEqual(0, File.ReadAllBytes(path)[^9]);
        using (NinoStore log = NinoStore.Open(path))
        {
            Assert.True(log.Recovery.CleanClose);
            Assert.Equal(10_001, log.Append(10_001));
        }

        using NinoStore again = NinoStore.Open(path);
        Assert.Equal(Enumerable.Range(1, 10_001), again.Read<int>().Select(r => r.Value));
        Assert.True(new FileInfo(path).Length > size);
    }

    [Fact]
    public void AppendingFasterThanTheDiskWaitsForItInsteadOfTakingMemory()
    {
        using var folder = new TemporaryFolder();
        using NinoStore store = NinoStore.Open(folder["data"], new NinoStoreOptions { BufferSizeBytes = 256 * 1024 });
        NinoSchema schema = NinoCodec<string>.Default.Schema;
        byte[] record = new byte[1000];
        store.AppendRecord(schema, record);
        long before = GC.GetAllocatedBytesForCurrentThread();

        for (int i = 0; i < 100_000; i++) store.AppendRecord(schema, record);

        // 100 MB went through; what was allocated on the way is the buffer and little else.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1024 * 1024);
    }
}
