// The files of a store: opened for writing as a program opens it after a crash, read, appended to, closed, opened again. Opening succeeds or is refused; what it has found once, it finds again.

using System.Buffers.Binary;
using Store.Fuzz.Driver;
using Store.Retention;
using Store.Serialization;
using Store.Snapshots;
using Store.Tests.Generator.RoundTrips;
using Store.Tests.Log;
using Store.Tests.Simulation;

namespace Store.Fuzz.Targets;

internal sealed class StoreLane(bool seals) : FuzzLane("")
{
    private static readonly string[] Names =
    [
        "segment-0000000000000001.log", "segment-0000000000000002.log", "segment-0000000000000003.log", LogStart.FileName, LogEnd.FileName,
        CursorName.FileOf("mail", MarkerKind.Cursor), "snapshot", CursorName.FileOf(NinoSerializer.SchemaOf<Plain>().Name, MarkerKind.State), "prepared.tmp",
    ];

    private const int SnapshotNumber = 6;

    private string? _refusal;

    public override int MaxLength => 32 * 1024;

    // Several openings with their buffers, and a folder in memory.
    public override long MaxAllocation(int length) => 64 * 1024 * 1024;

    public override IEnumerable<byte[]> Seeds(int seed)
    {
        for (int kind = 0; kind < 5; kind++)
        {
            var directory = new SimDirectory();
            NinoStore store = Simulated.Open(directory, seed + kind);
            for (int i = 0; i < (kind == 1 ? 60 : 6); i++)
            {
                store.Append(i);
                store.Append($"text {i}{(kind == 1 ? new string('x', 60) : "")}");
                if (i % 3 == 0) store.AppendBatch<long>([1, 2, 3]);
                Simulated.Commit(store);
                if (kind is 2 or 3 && i == 3)
                {
                    store.OpenCursor("mail").CommitAsync(2).AsTask().GetAwaiter().GetResult();
                }

                if (kind is 3 or 4 && i == 4) store.CheckpointAsync(new Plain { Number = i, Text = "state" }).AsTask().GetAwaiter().GetResult();
            }

            if (kind != 0) store.Dispose();
            yield return Bundle.Join(directory.List().Where(static file => file.Name != "store.lock" && file.LengthBytes > 0).Select(file => (NumberOf(file.Name), FileBytes.Of(directory, file.Name))).Where(static file => file.Item1 >= 0));
        }
    }

    public override void Run(byte[] input)
    {
        Dictionary<int, byte[]> files = Bundle.Split(input, Names.Length);
        RecoveryMode mode = input.Length % 3 == 0 ? RecoveryMode.Salvage : RecoveryMode.TruncateTorn;
        var directory = new SimDirectory();
        foreach ((int name, byte[] bytes) in files) FileBytes.Put(directory, NameOf(name, bytes), Whole(name, bytes));
        directory.SyncDirectory();

        // As a tool sees it, and who only reads: nothing is changed.
        Look(directory);
        Read(directory, static options => options with { ReadOnly = true });
        long? found = Read(directory, options => options with { Recovery = mode });
        if (found is null) return;
        long? again = Read(directory, static options => options with { ReadOnly = true });
        if (again != found) throw new LaneException($"opened, appended to and closed, the log ended with record {found}; opened again, with {again}{_refusal}");
    }

    // The last record after opening, reading, appending where that may be, and closing; null when it was refused.
    private long? Read(SimDirectory directory, Func<NinoStoreOptions, NinoStoreOptions> change)
    {
        NinoStore store;
        try
        {
            store = Simulated.Open(directory, 77, change);
        }
        catch (StoreException e)
        {
            _refusal = e.Message;
            return null;
        }

        long last;
        try
        {
            long before = store.FirstSequence - 1;
            try
            {
                foreach (LogRecord record in store.ReadRecords())
                {
                    if (record.Sequence != before + 1) throw new LaneException($"record {record.Sequence} comes behind {before}");
                    before = record.Sequence;
                    NinoValue.Decode(record.Schema, record.Payload.Span);
                }
            }
            catch (Exception e) when (e is NinoSerializationException or StoreException)
            {
                // A record that verifies is no record of its schema.
            }

            Restore(store);
            if (!store.IsReadOnly && store.LastSequence < long.MaxValue - 8)
            {
                long expected = store.LastSequence + 1;
                if (store.Append("behind") != expected) throw new LaneException("an append got another sequence than the next");
                Simulated.Commit(store);
            }

            last = store.LastSequence;
        }
        catch (StoreException)
        {
            Close(store);
            return null;
        }

        return Close(store) ? last : null;
    }

    private static bool Close(NinoStore store)
    {
        try
        {
            store.Dispose();
            return true;
        }
        catch (StoreException)
        {
            return false;
        }
    }

    private static void Restore(NinoStore store)
    {
        try
        {
            store.RestoreAsync<Plain>(static (state, _) => state.Number++).AsTask().GetAwaiter().GetResult();
        }
        catch (Exception e) when (e is StoreException or NinoSerializationException)
        {
            // Refused.
        }
    }

    private static void Look(SimDirectory directory)
    {
        try
        {
            StoreReader reader = StoreReader.Open(directory, "sim", null, static _ => false);
            reader.Verify();
            _ = reader.ReadRecords().LongCount();
        }
        catch (Exception e) when (e is StoreException or NotAStoreException)
        {
            // Refused.
        }
    }

    private byte[] Whole(int name, byte[] bytes)
    {
        int length = name switch { < 3 => Math.Max(bytes.Length, 4096), 3 or 4 or 5 or 7 => Math.Max(bytes.Length, MarkerFile.LengthBytes), _ => bytes.Length };
        byte[] whole = new byte[length];
        bytes.CopyTo(whole, 0);
        return !seals ? whole : name switch { < 3 => Seals.Segment(whole), 3 or 4 or 5 or 7 => Seals.Marker(whole), SnapshotNumber => Seals.Snapshot(whole), _ => whole };
    }

    // A snapshot is called by what its header says, as far as it says it.
    private static string NameOf(int name, ReadOnlySpan<byte> bytes) => name != SnapshotNumber ? Names[name]
        : bytes.Length < SnapshotFormat.FixedHeaderSize ? new SnapshotName(1, 1).ToString()
        : new SnapshotName(BinaryPrimitives.ReadInt64LittleEndian(bytes[48..]) & long.MaxValue, BinaryPrimitives.ReadUInt32LittleEndian(bytes[20..])).ToString();

    private static int NumberOf(string file) => file.StartsWith("snapshot-", StringComparison.Ordinal) ? SnapshotNumber : Array.IndexOf(Names, file);
}
