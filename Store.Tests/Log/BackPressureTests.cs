using Store.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Frames that are larger than the whole buffer: they pass one at a time, and nobody waits for room that cannot come.</summary>
public class BackPressureTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task EachBatchMayBeLargerThanTheBufferAndThanTheOneBefore(bool inline)
    {
        using var folder = new TemporaryFolder();
        NinoStore store = inline ? Simulated.Open(new SimDirectory()) : NinoStore.Open(folder["data"], new NinoStoreOptions { BufferSizeBytes = 256 * 1024 });
        int[][] batches = [[.. Enumerable.Range(0, 60_000)], [.. Enumerable.Range(0, 120_000)], [.. Enumerable.Range(0, 240_000)]];

        // On another thread: a wait that never ends fails this test and not the run.
        await Task.Run(() =>
        {
            foreach (int[] batch in batches) store.AppendBatch<int>(batch);
            store.Append(new string('x', 2_000_000));
            store.Append("small");
        }).WaitAsync(Patience);

        // A scan looks at a frame once; the simulated folder copies a large one for every look.
        List<int> read = [];
        foreach (ScannedRecord record in store.Scan(ReadOptions.All.Of<int>())) read.Add(record.As<int>());
        Assert.True(batches.SelectMany(static b => b).SequenceEqual(read));
        Assert.Equal([2_000_000, 5], store.Read<string>().Select(static r => r.Value.Length));
        store.Dispose();
    }

    [Fact]
    public void AChunkThatFillsTheCapacityByItselfIsLetGoOnceItIsWritten()
    {
        var pipe = new LogPipe(chunkSizeBytes: 1024, capacityBytes: 4096);
        pipe.GetMemory(5000);
        pipe.Advance(5000);
        pipe.Seal();
        Assert.False(pipe.HasRoom(6000));
        List<LogExtent> taken = [];
        pipe.TakeSealed(taken);
        Assert.Equal(5000, Assert.Single(taken).Length);

        pipe.Rewind();

        Assert.True(pipe.HasRoom(6000));
        Assert.Equal(0, pipe.UnflushedBytes);
        pipe.GetSpan(10);
        Assert.Equal(1024, pipe.Current!.Buffer.Length);
    }

    // A record of three bytes is waited for by some hundred: on a disk that stands still it is the waits that fill the memory.
    [Fact]
    public async Task WaitsThatNobodyAwaitsAreHeldUpWhenTheDiskStandsStill()
    {
        var disk = new StallingDirectory(new SimDirectory());
        using NinoStore store = Simulated.Open(disk, change: static o => o with { RunsInline = false, FirstSegmentSizeBytes = 8 << 20, SegmentSizeBytes = 8 << 20, BufferSizeBytes = 4 << 20 });
        store.Append(0);
        store.Commit();
        disk.Stall();
        ValueTask<long>[] waits = new ValueTask<long>[400_000];
        int appended = 0;
        var thread = new WatchedThread(() =>
        {
            for (int i = 0; i < waits.Length; i++)
            {
                waits[i] = store.AppendAsync(i);
                Volatile.Write(ref appended, i + 1);
            }
        });
        thread.Start();

        // Without the limit all of them are appended long before: their bytes are far from filling the buffer.
        bool ended;
        int held;
        try
        {
            ended = thread.Join(TimeSpan.FromSeconds(3));
            held = Volatile.Read(ref appended);
        }
        finally
        {
            disk.GoOn();
        }

        thread.Join();
        Assert.False(ended);
        Assert.InRange(held, 4 * 1024 * 1024 / LogPipe.WaiterBytes / 2, (4 * 1024 * 1024 / LogPipe.WaiterBytes) + 64 * 1024);
        for (int i = 0; i < waits.Length; i++) Assert.Equal(i + 2, await waits[i]);
    }
}
