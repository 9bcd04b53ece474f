// Does a walk over the record log miss a record? FASTER leaves things in it that its own walk stumbles over: seals of records whose newer version the process that made it took along, and lengths of places that it has
// given up. What a walk misses, compaction gives up.

using System.Buffers.Binary;
using FASTER.core;
using Store.Faster;
using Store.Faster.Engine;
using Store.Tests.Simulation;

namespace Store.Tests.KeyValue;

public class EngineScanTests
{
    private const int PageBytes = 4096;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly FasterOptions Never = KeyValueBed.Tiny with { CheckpointEveryChanges = long.MaxValue, CheckpointEveryBytes = long.MaxValue, CheckpointOnDispose = false };

    private readonly MemoryChangeLog _log = new();
    private readonly Dictionary<int, string> _model = [];

    /// <summary>
    /// Keys are changed while the records of a checkpoint are written: their records below its line are sealed, and go to the disk so when memory is needed for others. Then the process dies. A replay that compacts before it has
    /// come to those changes has nothing but the sealed records.
    /// </summary>
    [Theory]
    [InlineData(32, 4)]
    [InlineData(32, 32)]
    [InlineData(16, 4)]
    public async Task ACompactionInAReplayKeepsRecordsThatWereReplacedWhileTheCheckpointWasWritten(int pages, int pagesLater)
    {
        using var directory = new SimDirectory();
        int before = pages * 40;
        FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory, Never with { MemorySizeBytes = pages * PageBytes });
        for (int i = 0; i < before; i++) Put(kv, i, KeyValueBed.ValueOf(i));

        // Those of the oldest pages that may still be changed, and then others, of some pages: the sealed ones go to the disk.
        Task? changes = null;
        directory.OnOperation = (_, operation) =>
        {
            if (changes is not null || !operation.StartsWith("write", StringComparison.Ordinal) || !operation.Contains(".snapshot", StringComparison.Ordinal)) return;
            changes = Task.Factory.StartNew(() =>
            {
                for (int i = 0; i < before; i += 3) Put(kv, i, "changed " + KeyValueBed.ValueOf(i));
                for (int i = 0; i < pages * 8; i++) Put(kv, before + i, KeyValueBed.ValueOf(before + i));
            }, TaskCreationOptions.LongRunning);

            // Until they are made, or wait for this.
            for (int seen = -1; seen != _log.LastSequence && !changes.IsCompleted;)
            {
                seen = (int)_log.LastSequence;
                changes.Wait(300);
            }
        };
        await kv.CheckpointAsync().AsTask().WaitAsync(Patience);
        directory.OnOperation = null;
        await changes!.WaitAsync(Patience);
        using SimDirectory left = directory.KillProcess();
        kv.Dispose();

        using FasterKeyValueStore<int, string> again = KeyValueBed.Open<int, string>(_log, left, Never with { MemorySizeBytes = pagesLater * PageBytes, CheckpointEveryChanges = 20 });
        Assert.Empty(again.Recovery.Rejected);
        Assert.False(again.Recovery.RebuiltFromLog);
        KeyValueBed.AssertHolds(again, _model);
        Assert.Equal(_model.OrderBy(static pair => pair.Key), again.Scan().OrderBy(static pair => pair.Key));
        if (pagesLater < pages) Assert.True(again.State.Engine.BeginAddress > 64, "Nothing was compacted.");
    }

    /// <summary>
    /// A put whose old record leaves memory while it makes a place for the new one gives the place up for now, and reads the old one from the disk. Before it goes on so much else is put that the place is written: with what FASTER has
    /// noted in it, and without the record, when it is still in memory and FASTER uses it again. Records of a short key and a short value are the ones where a walk could take the note for a record.
    /// </summary>
    [Theory]
    [InlineData(100)]
    [InlineData(200)]
    [InlineData(300)]
    [InlineData(400)]
    [InlineData(800)]
    public unsafe void APlaceThatWasGivenUpHidesNoRecordAndLosesNone(int meanwhile)
    {
        int pending = 0;
        for (int keys = 100; keys < 700; keys += 4)
        {
            using var engine = new FasterEngine(new SimDirectory(), Never with { IndexSizeBytes = 64 * 1024 });
            int fresh = 1_000_000;
            for (int i = 0; i < keys; i++) engine.Put(Key(i), "x"u8);

            // In turn, so that the old record of each is as far behind as memory reaches, for some number of keys.
            var session = engine.Sessions.Rent();
            byte[] value = "yz"u8.ToArray();
            var cancelled = new List<int>();
            for (int i = 0, waited = 0; i < keys && waited < 3; i++)
            {
                fixed (byte* keyBytes = Key(i), valueBytes = value)
                {
                    SpanByte key = SpanByte.FromPointer(keyBytes, sizeof(int));
                    var input = new EngineInput(valueBytes, value.Length, sizeof(int));
                    ReadResult unused = default;
                    Status status = session.RMW(ref key, ref input, ref unused, default, -1);
                    if (status.IsPending)
                    {
                        (waited, pending) = (waited + 1, pending + 1);
                        for (int more = 0; more < meanwhile; more++) Assert.False(engine.Put(Key(fresh++), "x"u8));
                        session.CompletePendingWithOutputs(out var outputs, wait: true);
                        using (outputs)
                        {
                            Assert.True(outputs.Next());
                            if (outputs.Current.Status.IsCanceled) cancelled.Add(i);
                            else Assert.True(outputs.Current.Status.Found);
                        }
                    }
                }
            }

            engine.Sessions.Return(session);

            // As a put of the engine does it.
            foreach (int i in cancelled) Assert.True(engine.Put(Key(i), value), $"{i} of {keys} was there");
            for (int more = 0; more < 800; more++) Assert.False(engine.Put(Key(fresh++), "x"u8));
            int[] all = [.. Enumerable.Range(0, keys), .. Enumerable.Range(1_000_000, fresh - 1_000_000)];
            Assert.All(all, key => Assert.True(engine.Reads.Contains(Key(key)), $"{key} is missing"));
            var seen = new HashSet<int>();
            using EngineScan scan = engine.Scan(engine.TailAddress);
            while (scan.TryNext(out ReadResult key, out _))
            {
                seen.Add(BinaryPrimitives.ReadInt32LittleEndian(key.Value));
                key.Release();
            }

            Assert.Equal(all, seen.Order());
        }

        Assert.True(pending > 100, $"{pending} puts read the disk");
    }

    /// <summary>Records that fill their pages to the byte, the last of each deleted: behind the last page of the disk is memory. What recovery has read from the checkpoint is not in the file yet.</summary>
    [Fact]
    public async Task AWalkGoesOnInMemoryAlsoBehindADeletionAtTheEndOfAPage()
    {
        using var directory = new SimDirectory();
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(_log, directory, Never);
        string value = ValueOfRecord(128);
        int deleted = 0;
        for (int i = 0; i < 600; i++)
        {
            Put(kv, i, value);
            if (kv.State.Engine.TailAddress % PageBytes != 0) continue;
            Assert.True(kv.Delete(i));
            Assert.Equal(0, kv.State.Engine.TailAddress % PageBytes);
            _model.Remove(i);
            deleted++;
            await kv.CheckpointAsync();
            using FasterKeyValueStore<int, string> left = KeyValueBed.Open<int, string>(_log, directory.KillProcess(), Never);
            Assert.Equal(0, left.Recovery.ChangesReplayed);
            Assert.Equal(_model.OrderBy(static pair => pair.Key), left.Scan().OrderBy(static pair => pair.Key));
        }

        Assert.InRange(deleted, 10, 20);
    }

    // A value whose record has so many bytes.
    private static string ValueOfRecord(int bytes)
    {
        using FasterKeyValueStore<int, string> kv = KeyValueBed.Open<int, string>(new MemoryChangeLog(), new SimDirectory(), Never);
        for (int length = 1; ; length++)
        {
            long before = kv.State.Engine.TailAddress;
            kv.Put(length, new string('v', length));
            if (kv.State.Engine.TailAddress - before == bytes) return new string('v', length);
        }
    }

    private void Put(FasterKeyValueStore<int, string> kv, int key, string value)
    {
        kv.Put(key, value);
        _model[key] = value;
    }

    private static byte[] Key(int number)
    {
        byte[] key = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(key, number);
        return key;
    }
}
