// What a log holds in memory while much is appended. Each log has a process of its own, in which nothing else was ever open.

using System.Globalization;
using Store.Bench.Harness.Stores;

namespace Store.Bench.Harness.Tables;

/// <summary>Growth of memory over a gigabyte of appends. FileStream, with its 64 KiB, shows what the runtime itself needs for the code and the loop.</summary>
public sealed class MemoryTable : IStoreMeasurement
{
    /// <summary>First argument of the child process; then follow peer, mebibytes and folder.</summary>
    public const string ChildVerb = "memory-child";

    public static readonly StoreTable Table = new("Memory held while appending, MiB", "MiB") { Figures = ("at the end", "most") };

    private const int SizeBytes = 1024, Mebibyte = 1 << 20;

    private static readonly StorePeerKind[] Kinds = [StorePeers.NinoStore, StorePeers.NinoStoreAppender, .. StorePeers.FasterLogs, StorePeers.FileStream, StorePeers.Sqlite];

    public IReadOnlyList<StoreTable> Tables => [Table];

    public IEnumerable<StoreRow> Measure(HarnessOptions options)
    {
        int mebibytes = options.Short ? 128 : 1024;
        foreach (StorePeerKind kind in Kinds)
        {
            using var data = new BenchData(options.DataDirectory);
            double[] grown = [.. ChildProcess.Run(words: 4, ChildVerb, kind.Name, mebibytes.ToString(CultureInfo.InvariantCulture), data.Directory).Select(word => long.Parse(word, CultureInfo.InvariantCulture) / (double)Mebibyte)];
            yield return new StoreRow(Table.Name, $"{mebibytes} MiB, anonymous memory", kind.Name, Table.Unit, grown[0], grown[1]);
            yield return new StoreRow(Table.Name, $"{mebibytes} MiB, whole process", kind.Name, Table.Unit, grown[2], grown[3]);
        }
    }

    /// <summary>The child: prints by how many bytes its anonymous memory and all of its memory grew until the end, and at most (in the order: anonymous end, most; all end, most).</summary>
    /// <exception cref="InvalidDataException">Records are missing.</exception>
    public static int RunChild(string peerName, string mebibytesText, string directory)
    {
        StorePeerKind kind = Kinds.Single(k => k.Name == peerName);
        int mebibytes = int.Parse(mebibytesText, CultureInfo.InvariantCulture);
        byte[] record = BenchRecord.Of(SizeBytes);
        using var memory = new ProcessMemoryReader();
        memory.Read();
        GC.Collect();
        ProcessMemory before = memory.Read(), most = before;
        using IStorePeer peer = kind.Open(directory);
        for (int mebibyte = 0; mebibyte < mebibytes; mebibyte++)
        {
            peer.Append(record, Mebibyte / SizeBytes);
            Take(memory.Read());
        }
        peer.AppendDurable(record, 1);
        ProcessMemory end = memory.Read();
        Take(end);
        long seen = peer.Scan(), appended = (mebibytes * (long)(Mebibyte / SizeBytes)) + 1;
        if (seen != appended) throw new InvalidDataException($"{appended} records appended, {seen} scanned.");
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{Grown(end.AnonymousBytes, before.AnonymousBytes)} {Grown(most.AnonymousBytes, before.AnonymousBytes)} {Grown(end.TotalBytes, before.TotalBytes)} {Grown(most.TotalBytes, before.TotalBytes)}"));
        return 0;

        void Take(ProcessMemory now) => most = new ProcessMemory(Math.Max(most.AnonymousBytes, now.AnonymousBytes), Math.Max(most.TotalBytes, now.TotalBytes));

        // A page at least: the pictures have a logarithmic axis.
        static long Grown(long now, long then) => Math.Max(now - then, 4096);
    }
}
