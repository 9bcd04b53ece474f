// Reads records across segments by sequence. Bytes come from the files, never from the writer's memory, so reading never holds the writer up.

using Store.Framing;
using Store.IO;

namespace Store.Log;

internal static class LogReader
{
    /// <summary>The records from one sequence to another, both included, in order. Payloads are valid until the enumerator moves on.</summary>
    /// <param name="directory">The folder.</param>
    /// <param name="segments">Headers of the log's segments, oldest first.</param>
    /// <param name="nameOf">File name of a segment.</param>
    /// <param name="from">First sequence.</param>
    /// <param name="to">Last sequence: known to have been written to the files.</param>
    /// <exception cref="StoreCorruptException">A record in the range cannot be read: it is damaged or missing.</exception>
    public static IEnumerable<LogRecord> Read(IStoreDirectory directory, IReadOnlyList<SegmentHeader> segments, Func<SegmentHeader, string> nameOf, long from, long to)
    {
        for (int i = 0; i < segments.Count; i++)
        {
            long last = i + 1 < segments.Count ? segments[i + 1].FirstSequence - 1 : to;
            if (last < from) continue;
            if (segments[i].FirstSequence > to) yield break;
            using IStoreFile file = directory.OpenRead(nameOf(segments[i]));
            using var scanner = new SegmentScanner(file, segments[i]);
            last = Math.Min(last, to);
            while (scanner.NextSequence <= last)
            {
                FrameReadStatus status = scanner.Next();
                if (status != FrameReadStatus.Frame) throw Missing(file.Name, scanner, status, last);
                if (scanner.Frame.Kind != FrameKind.Records || scanner.Frame.LastSequence < from) continue;
                SegmentScanner.FrameRecords records = scanner.Records();
                var timestamp = new DateTimeOffset(scanner.Frame.TimeTicks, TimeSpan.Zero);
                while (records.MoveNext())
                {
                    if (records.Sequence < from) continue;
                    if (records.Sequence > to) yield break;
                    yield return new LogRecord(records.Sequence, timestamp, records.Schema, records.Payload);
                }
            }
        }
    }

    private static StoreCorruptException Missing(string name, SegmentScanner scanner, FrameReadStatus status, long last)
    {
        string what = status == FrameReadStatus.End ? "the segment ends" : scanner.Problem!;
        return new StoreCorruptException($"{name}, offset {scanner.Offset}: {what}, but records {scanner.NextSequence} to {last} should follow. Run 'inspect verify', and open with RecoveryMode.Salvage to keep what is before the damage.", name) { Offset = scanner.Offset };
    }
}
