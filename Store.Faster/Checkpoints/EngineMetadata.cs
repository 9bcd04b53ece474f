// What does FASTER believe before it has read a byte? Two texts that it wrote itself, a number or name a line: it sizes its table and its loops by them. Our checksum says that they are as they were written, not that FASTER wrote
// them; so they are held against the blocks that the checkpoint consists of before FASTER sees them, and when a checkpoint is written.
//
//   index (IndexRecoveryInfo of FASTER 2.6)          log (HybridLogRecoveryInfo)
//   0  version                                       0  version
//   1  checksum                                      1  checksum
//   2  token                                         2  token
//   3  buckets of the table, 64 bytes each           3  1: the records that were in memory are in a file of their own
//   4  bytes of the table                            4  version, 5 next version
//   5  bytes of overflow buckets behind it           6  end of the record log in its own files
//   6  overflow buckets                              7  where the file of what was in memory begins: its page
//   7  address at which it was begun                 8  address at which it was begun
//   8  address at which it was ended                 9  end of the records, 10 as the file of what was in memory has it
//                                                   11  lowest address in memory, 12 of the log, 13 of another file
//                                                   14  a flag, 15 number of sessions, each of them four lines and one for each of its numbers
//                                                    …  number of segments of a log of objects, which we have not, and the cookie

using System.Globalization;
using System.Text;
using Store.Faster.Engine;

namespace Store.Faster.Checkpoints;

/// <summary>The two texts that FASTER describes its checkpoints with.</summary>
internal static class EngineMetadata
{
    private const int BucketBytes = 64;
    private const int SectorBytes = 512;

    // FASTER has the first page of overflow buckets in any case.
    private const long OverflowPageBytes = 65536 * BucketBytes;

    // Addresses have 48 bits in FASTER's index.
    private const long MaxAddress = 1L << 48;

    /// <summary>Why FASTER must not be given a checkpoint: it asks for more than the blocks have. Null when all is well.</summary>
    public static string? FindProblem(CheckpointManifest manifest) => FindIndexProblem(manifest) ?? FindLogProblem(manifest);

    private static string? FindIndexProblem(CheckpointManifest manifest)
    {
        string[] lines = Lines(manifest.IndexMetadata);
        if (!TryNumber(lines, 3, out long buckets) || !TryNumber(lines, 4, out long tableBytes) || !TryNumber(lines, 5, out long overflowBytes) || !TryNumber(lines, 6, out long overflowBuckets)
            || !TryAddress(lines, 7, out _) || !TryAddress(lines, 8, out _)) return "FASTER's description of its index cannot be read.";
        long there = EndOf(manifest.IndexBlocks);
        bool isWhole = buckets > 0 && buckets <= there / BucketBytes && long.IsPow2(buckets) && tableBytes == buckets * BucketBytes && overflowBytes <= there - tableBytes
            && overflowBuckets <= (overflowBytes + OverflowPageBytes) / BucketBytes && overflowBytes <= RoomOf(overflowBuckets);
        if (isWhole && overflowBytes > int.MaxValue) return $"FASTER's index has {overflowBytes} bytes behind its table of {tableBytes}: it counts them in 32 bits, and would read back fewer. Copy the keyed state into one of another name, with a larger {nameof(FasterOptions)}.{nameof(FasterOptions.IndexSizeBytes)}.";
        return isWhole ? null : $"FASTER describes an index of {buckets} buckets, {tableBytes} bytes, and {overflowBuckets} behind it, {overflowBytes} bytes; the checkpoint has {there} bytes of it.";
    }

    private static string? FindLogProblem(CheckpointManifest manifest)
    {
        string[] lines = Lines(manifest.LogMetadata);
        if (!TryNumber(lines, 3, out long hasSnapshot) || hasSnapshot != 1 || !TryAddress(lines, 6, out long flushed) || !TryAddress(lines, 7, out long snapshotStart) || !TryAddress(lines, 8, out long started)
            || !TryAddress(lines, 9, out long end) || !TryAddress(lines, 10, out long snapshotEnd) || !TryAddress(lines, 11, out long head) || !TryAddress(lines, 12, out long begin) || !HasNoObjects(lines))
        {
            return "FASTER's description of its record log cannot be read.";
        }

        string[] index = Lines(manifest.IndexMetadata);
        if (!TryAddress(index, 7, out long indexStarted) || !TryAddress(index, 8, out long indexEnded)) return "FASTER's description of its index cannot be read.";

        // The index is walked over before the records' end is taken, and the file of what was in memory begins at or before what the log's own files end with by the time that it is written: between them no record may be without a file.
        long page = manifest.PageSizeBytes, there = EndOf(manifest.SnapshotBlocks);
        bool isWhole = page > 0 && begin == manifest.LogBeginAddress && flushed == manifest.LogEndAddress && begin <= head && head <= end && flushed <= end && started <= end
            && begin <= indexStarted && indexStarted <= indexEnded && indexEnded <= end && snapshotStart <= flushed && snapshotEnd == end && end - (snapshotStart - (snapshotStart % page)) <= there;
        return isWhole ? null : $"FASTER describes records from {begin} up to {end}, of which those from {snapshotStart} on were in memory; the checkpoint has them from {manifest.LogBeginAddress} up to {manifest.LogEndAddress}, and {there} bytes of what was in memory; its index is of {indexStarted} up to {indexEnded}.";
    }

    // FASTER makes room for its buckets only, and reads whole sectors.
    private static long RoomOf(long buckets) => ((buckets * BucketBytes) + SectorBytes - 1) / SectorBytes * SectorBytes;

    private static long EndOf(WrittenBlock[] blocks) => blocks is [.., var last] ? last.Offset + last.LengthBytes : 0;

    // FASTER makes room for as many as it is told, and reads them then.
    private static bool HasNoObjects(string[] lines)
    {
        if (!TryNumber(lines, 15, out long sessions)) return false;
        long at = 16;
        for (; sessions > 0 && at < lines.Length; sessions--)
        {
            if (!TryNumber(lines, at + 3, out long numbers)) return false;
            at += 4 + Math.Min(numbers, lines.Length);
        }

        return TryNumber(lines, at, out long segments) && segments == 0;
    }

    private static bool TryAddress(string[] lines, long at, out long address) => TryNumber(lines, at, out address) && address <= MaxAddress;

    private static bool TryNumber(string[] lines, long at, out long number)
    {
        number = 0;
        return at < lines.Length && long.TryParse(lines[at], NumberStyles.None, CultureInfo.InvariantCulture, out number);
    }

    // As FASTER reads them.
    private static string[] Lines(byte[] metadata)
    {
        using var reader = new StreamReader(new MemoryStream(metadata), Encoding.UTF8);
        List<string> lines = [];
        while (reader.ReadLine() is { } line) lines.Add(line);
        return [.. lines];
    }
}
