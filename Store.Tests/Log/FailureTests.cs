using System.Collections;
using Store.Buffers;
using Store.Log;
using Store.Tests.Simulation;

namespace Store.Tests.Log;

/// <summary>Failures in unlucky places: in the caller's own code, at the limits, in the middle of a read, while closing.</summary>
public class FailureTests
{
    [Fact]
    public async Task EveryRecordBeforeTheDamageIsReturned()
    {
        var directory = new SimDirectory();
        using (NinoStore store = Simulated.Open(directory))
        {
            for (int i = 1; i <= 5_000; i++) store.Append(i);
        }

        // The middle of a sealed segment: opening does not read it.
        string name = SegmentFormat.Name(2);
        byte[] bytes = FileBytes.Of(directory, name);
        bytes[bytes.Length - 3000] ^= 1;
        FileBytes.Put(directory, name, bytes);
        await using NinoStore damaged = Simulated.Open(directory, seed: 2);

        List<int> read = [], readAsync = [];
        Assert.Throws<StoreCorruptException>(() =>
        {
            foreach (LogRecord<int> record in damaged.Read<int>()) read.Add(record.Value);
        });
        await Assert.ThrowsAsync<StoreCorruptException>(async () =>
        {
            await foreach (LogRecord<int> record in damaged.ReadAsync<int>()) readAsync.Add(record.Value);
        });

        Assert.NotEqual(0, read.Count % 256);
        Assert.Equal(Enumerable.Range(1, read.Count), read);
        Assert.Equal(read, readAsync);
    }

    [Fact]
    public void ABatchThatThrowsInTheMiddleAppendsNothing()
    {
        var directory = new SimDirectory();
        using NinoStore store = Simulated.Open(directory);
        store.Append("kept");

        Assert.Throws<NotSupportedException>(() => store.AppendBatch(new Throwing(["a", "b", "c"])));
        Assert.Equal(1, store.LastSequence);
        Assert.Equal(2, store.AppendBatch<string>(["d", "e"]));

        Assert.Equal(["kept", "d", "e"], store.Read<string>().Select(static r => r.Value));
    }

    [Fact]
    public void AnAppendInTheMiddleOfABatchHasABufferOfItsOwn()
    {
        using NinoStore store = Simulated.Open(new SimDirectory());

        Assert.Equal(2, store.AppendBatch(new Throwing(["a", "b"], before: i => { if (i == 1) store.Append("nested"); }, count: 2)));

        Assert.Equal(["nested", "a", "b"], store.Read<string>().Select(static r => r.Value));
    }

    [Fact]
    public void ABufferTakesNoMoreThanItsLimit()
    {
        const int Limit = 100_000;
        RecordBuffer buffer = RecordBuffer.Rent(Limit, "batch");
        try
        {
            Write(buffer, Limit);
            Assert.Equal(Limit, buffer.WrittenWithinLimit.Length);

            Write(buffer, 1);
            Assert.Throws<RecordTooLargeException>(() => buffer.WrittenWithinLimit.Length);
            Assert.Throws<RecordTooLargeException>(() => Write(buffer, 10_000));
        }
        finally
        {
            buffer.Return();
        }
    }

    [Fact]
    public async Task APreparedSegmentThatCannotBeRemovedHidesNothing()
    {
        var faulty = new FaultDirectory(new SimDirectory());
        NinoStore store = Simulated.Open(faulty, change: static o => o with { RunsInline = false, FirstSegmentSizeBytes = 64 * 1024 });
        store.AppendBatch<int>([.. Enumerable.Range(0, 8_000)]);
        await store.CommitAsync();
        faulty.Fault = new Fault(1, FaultKind.IoError, IsForever: true, static operation => operation is IoOperation.Delete);

        store.Dispose();

        Assert.Equal(1, faulty.Failures);
        faulty.Fault = null;
        using NinoStore reopened = Simulated.Open(faulty, seed: 2);
        Assert.True(reopened.Recovery.CleanClose);
        Assert.Equal([SegmentFormat.PreparedName(null)], reopened.Recovery.FilesRemoved);
    }

    private static void Write(RecordBuffer buffer, int bytes)
    {
        for (; bytes > 0; bytes -= 1000)
        {
            int part = Math.Min(bytes, 1000);
            buffer.GetSpan(part)[..part].Fill(1);
            buffer.Advance(part);
        }
    }

    private sealed class Throwing(string[] values, Action<int>? before = null, int count = 4) : IReadOnlyList<string>
    {
        public int Count => count;

        public string this[int index]
        {
            get
            {
                before?.Invoke(index);
                return index < values.Length ? values[index] : throw new NotSupportedException("as asked");
            }
        }

        public IEnumerator<string> GetEnumerator() => throw new NotSupportedException();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
