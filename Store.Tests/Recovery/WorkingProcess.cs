// The process that tests kill and trace: this assembly, started with an argument of its own. Two threads append, alone and in batches, and tell what they were told; what they write can be checked record by record.

using Store.Serialization;

namespace Store.Tests.Recovery;

/// <summary>A record of a working process: which one it is follows from the thread and its number, what it says too.</summary>
/// <param name="Thread">Which thread appended it.</param>
/// <param name="Number">Counts the thread's records from 1, without a gap.</param>
/// <param name="Index">Its place in its batch.</param>
/// <param name="Count">Records in its batch; 1 when it was appended alone.</param>
/// <param name="Text">Made from the thread and the number.</param>
[NinoType]
public sealed partial record Worked(int Thread, long Number, int Index, int Count, string Text)
{
    public static Worked Of(int thread, long number, int index, int count) => new(thread, number, index, count, TextOf(thread, number));

    /// <summary>20 to 1500 chars, most of them few.</summary>
    public static string TextOf(int thread, long number)
    {
        var random = new Random(unchecked((thread * 7919) + (int)number));
        char[] text = new char[random.Next(8) == 0 ? random.Next(300, 1500) : random.Next(20, 120)];
        for (int i = 0; i < text.Length; i++) text[i] = (char)random.Next(' ', '~');
        return new string(text);
    }
}

/// <summary>What a working process tells: records of its that are durable, or that a checkpoint or a truncation has returned.</summary>
/// <param name="Kind">Of what.</param>
/// <param name="Thread">Which thread.</param>
/// <param name="Sequence">Sequence of the first record; of a checkpoint, the one it covers; of a truncation, the first in the log.</param>
/// <param name="Number">Number of the first record.</param>
/// <param name="Count">Records.</param>
internal readonly record struct WorkMessage(WorkKind Kind, int Thread, long Sequence, long Number, int Count)
{
    public const int LengthBytes = 32;

    // So that a trace can tell it from other writes of this length.
    private const int Mark = 0x4B524F57;

    public byte[] ToBytes()
    {
        byte[] bytes = new byte[LengthBytes];
        BitConverter.TryWriteBytes(bytes, Mark);
        BitConverter.TryWriteBytes(bytes.AsSpan(4), (int)Kind | (Thread << 8));
        BitConverter.TryWriteBytes(bytes.AsSpan(8), Sequence);
        BitConverter.TryWriteBytes(bytes.AsSpan(16), Number);
        BitConverter.TryWriteBytes(bytes.AsSpan(24), (long)Count);
        return bytes;
    }

    public static WorkMessage? TryRead(ReadOnlySpan<byte> bytes) => bytes.Length == LengthBytes && BitConverter.ToInt32(bytes) == Mark
        ? new WorkMessage((WorkKind)bytes[4], BitConverter.ToInt32(bytes[4..]) >> 8, BitConverter.ToInt64(bytes[8..]), BitConverter.ToInt64(bytes[16..]), (int)BitConverter.ToInt64(bytes[24..]))
        : null;
}

internal enum WorkKind
{
    Durable = 1,
    Checkpoint,
    Truncation,
}

/// <summary>The child process.</summary>
internal static class WorkingProcess
{
    public const string Argument = "--work-until-killed";

    /// <summary>Arguments of dotnet that start it.</summary>
    /// <param name="folder">The store.</param>
    /// <param name="seed">Of its choices.</param>
    /// <param name="cuts">Whether it makes checkpoints and removes the beginning of the log.</param>
    public static string[] Arguments(string folder, int seed, bool cuts) => [typeof(WorkingProcess).Assembly.Location, Argument, folder, seed.ToString(System.Globalization.CultureInfo.InvariantCulture), cuts ? "cuts" : "keeps"];

    /// <summary>Small segments, so that a short life has several.</summary>
    public static NinoStoreOptions Options => new() { FirstSegmentSizeBytes = 16 * 1024, SegmentSizeBytes = 64 * 1024 };

    public static int Run(string folder, string seed, string mode)
    {
        using NinoStore store = NinoStore.Open(folder, Options);
        using Stream output = Console.OpenStandardOutput();

        // What was lost with the process before was never told: each thread goes on behind its last record that is there.
        long[] numbers = new long[2];
        foreach (LogRecord<Worked> record in store.Read<Worked>(store.FirstSequence)) numbers[record.Value.Thread] = record.Value.Number;
        int first = int.Parse(seed, System.Globalization.CultureInfo.InvariantCulture);
        Thread[] threads = [.. numbers.Select((last, thread) => new Thread(() => Work(store, output, new Random(first + thread), thread, last, cuts: thread == 1 && mode == "cuts")))];
        foreach (Thread thread in threads) thread.Start();
        foreach (Thread thread in threads) thread.Join();
        return 0;
    }

    private static void Work(NinoStore store, Stream output, Random random, int thread, long last, bool cuts)
    {
        for (int round = 1; ; round++)
        {
            int count = random.Next(3) == 0 ? 1 : random.Next(2, 16);
            Worked[] records = [.. Enumerable.Range(0, count).Select(i => Worked.Of(thread, last + 1 + i, i, count))];
            switch (random.Next(4))
            {
                case 0 when count == 1:
                    Tell(store.AppendAsync(records[0]).AsTask().GetAwaiter().GetResult(), count);
                    break;
                case 0:
                    Tell(store.AppendBatchAsync<Worked>(records).AsTask().GetAwaiter().GetResult(), count);
                    break;
                case 1:
                    // Not told, unless a commit of either thread comes by.
                    store.AppendBatch<Worked>(records);
                    break;
                default:
                    long sequence = count == 1 ? store.Append(records[0]) : store.AppendBatch<Worked>(records);
                    if (random.Next(2) == 0) store.Commit();
                    else store.CommitAsync().AsTask().GetAwaiter().GetResult();
                    Tell(sequence, count);
                    break;
            }

            last += count;
            if (!cuts || round % 12 != 0) continue;
            SnapshotInfo info = store.CheckpointAsync(new WorkState { Rounds = round }).AsTask().GetAwaiter().GetResult();
            Send(new WorkMessage(WorkKind.Checkpoint, thread, info.Sequence, 0, 0));
            Send(new WorkMessage(WorkKind.Truncation, thread, store.TruncateBefore(long.MaxValue).FirstSequence, 0, 0));
        }

        void Tell(long sequence, int count) => Send(new WorkMessage(WorkKind.Durable, thread, sequence, last + 1, count));

        void Send(WorkMessage message)
        {
            lock (output)
            {
                output.Write(message.ToBytes());
                output.Flush();
            }
        }
    }
}

/// <summary>What a working process checkpoints.</summary>
[NinoType]
public sealed partial class WorkState
{
    public int Rounds { get; set; }
}
