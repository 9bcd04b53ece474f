// A snapshot's values and items as records, for tools: in the order of the file, over damaged places, without the CLR types.

using Store.Snapshots;

namespace Store.Reading;

/// <summary>Reads one snapshot from its first byte to its last. One use; not thread-safe. The file stays the caller's, and open meanwhile.</summary>
/// <param name="file">The snapshot.</param>
/// <param name="range">Which schemas are wanted.</param>
/// <param name="report">Told about each damaged place once, when it is passed, with what is lost by it.</param>
internal sealed class SnapshotWalk(SnapshotFile file, ReadOptions range, Action<StoreDamage> report)
{
    private byte[] _bytes = [];

    /// <summary>A part's records. The payload of one is valid until the enumeration moves on.</summary>
    public IEnumerable<SnapshotRecord> Records(SnapshotPart part)
    {
        if (!range.Wants(part.Schema)) return [];
        return part.HasItems ? Items(part) : Value(part);
    }

    private IEnumerable<SnapshotRecord> Value(SnapshotPart part)
    {
        if (CopyValue(part, out int length) is not { } failure) yield return Record(part, SnapshotRecord.NoItem, length);
        else report(failure.ToDamage());
    }

    private IEnumerable<SnapshotRecord> Items(SnapshotPart part)
    {
        if (Count(part, out long count) is { } unusable)
        {
            report(unusable.ToDamage());
            yield break;
        }

        part.RememberDamage();
        SnapshotFailure? lost = null;
        long firstLost = 0;
        for (long item = 0; item < count; item++)
        {
            SnapshotFailure? failure = CopyItem(part, item, out int length);
            if (lost is not null && failure?.Offset != lost.Offset)
            {
                ReportLost(lost, firstLost, item - 1);
                lost = null;
            }

            if (failure is null)
            {
                yield return Record(part, item, length);
            }
            else if (failure.Kind == SnapshotFailureKind.ItemIndexDamaged)
            {
                // Its checksum is right and what it says is impossible: nothing behind it can be found by it.
                ReportLost(failure, item, count - 1);
                yield break;
            }
            else if (lost is null)
            {
                (lost, firstLost) = (failure, item);
            }
        }

        if (lost is not null) ReportLost(lost, firstLost, count - 1);
    }

    private void ReportLost(SnapshotFailure failure, long first, long last) =>
        report((failure with { Message = $"{failure.Message} {(first == last ? $"Item {first} is" : $"Items {first} to {last} are")} lost." }).ToDamage());

    private SnapshotFailure? Count(SnapshotPart part, out long count)
    {
        using SnapshotFile.Lease lease = file.Use();
        SnapshotFailure? failure = part.FindIndexDamage();
        count = failure is null ? part.ItemCount : 0;
        return failure;
    }

    private SnapshotFailure? CopyValue(SnapshotPart part, out int length)
    {
        using SnapshotFile.Lease lease = file.Use();
        length = 0;
        if (TooLarge(part, $"The value of {part.Label}", 0, part.DataLengthBytes) is { } tooLarge) return tooLarge;
        if (part.FindDamage(0, part.DataLengthBytes) is { } failure) return failure;
        length = (int)part.DataLengthBytes;
        Copy(part.VerifiedData(length));
        return null;
    }

    private SnapshotFailure? CopyItem(SnapshotPart part, long item, out int length)
    {
        using SnapshotFile.Lease lease = file.Use();
        SnapshotFailure? failure = part.FindItem(item, out long offset, out length) ?? TooLarge(part, $"Item {item} of {part.Label}", offset, length);
        if (failure is null) Copy(part.VerifiedData(offset, length));
        return failure;
    }

    // No writer makes one, and no reader decodes it.
    private SnapshotFailure? TooLarge(SnapshotPart part, string what, long offset, long length) => length <= StoredLimits.Default.MaxRecordBytes ? null
        : new SnapshotFailure(SnapshotFailureKind.Undecodable, file.FileName, part.Data.Offset + offset, length, $"{what} has {length} bytes; the limit is {StoredLimits.Default.MaxRecordBytes}.");

    private void Copy(ReadOnlySpan<byte> bytes)
    {
        if (_bytes.Length < bytes.Length) _bytes = new byte[Math.Max(bytes.Length, 256)];
        bytes.CopyTo(_bytes);
    }

    private SnapshotRecord Record(SnapshotPart part, long item, int length) => new(part.Name, item, new LogRecord(file.Info.Sequence, file.Info.Timestamp, part.Schema, _bytes.AsMemory(0, length)));
}
