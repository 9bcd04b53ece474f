// Marker files. What a slot says is written again as the same bytes.

using Store.Fuzz.Driver;
using Store.Retention;
using Store.Tests.Snapshots;

namespace Store.Fuzz.Targets;

internal sealed class MarkerLane() : FuzzLane("")
{
    private const string FileName = "cursor-mail.nino";

    public override int MaxLength => MarkerFile.LengthBytes + 16;

    public override IEnumerable<byte[]> Seeds(int seed)
    {
        foreach (MarkerKind kind in Enum.GetValues<MarkerKind>())
        {
            byte[] file = new byte[MarkerFile.LengthBytes];
            for (int generation = 1; generation <= 2; generation++)
            {
                var marker = new Marker { Kind = kind, StoreId = new Guid(seed, 1, 2, new byte[8]), Generation = generation, Sequence = 300, Segment = kind is MarkerKind.Start or MarkerKind.End ? 3 : 0, Ticks = 639_028_224_000_000_000, Name = kind == MarkerKind.End ? "closed" : "mail", Writer = 7, Since = kind is MarkerKind.State or MarkerKind.KeyedState ? 5 : 0 };
                MarkerFile.Write(file.AsSpan((int)MarkerFile.SlotOf(generation)), marker);
            }

            yield return file;
        }
    }

    public override void Run(byte[] input)
    {
        byte[] bytes = Seals.Marker(input);
        var directory = new BytesDirectory { [FileName] = bytes };
        MarkerContent content = MarkerFile.Read(directory, FileName);
        if (content.Newest is { } newest && (content.LowestSequence > newest.Sequence || content.HighestSequence < newest.Sequence)) throw new LaneException("the newest copy lies outside of what both say");
        foreach (MarkerKind kind in Enum.GetValues<MarkerKind>())
        {
            try
            {
                MarkerFile.ReadKind(directory, FileName, kind, "where", out _);
            }
            catch (StoreVersionException)
            {
                // Both copies are of a newer version.
            }
        }

        using (IO.IStoreFile file = directory.OpenRead(FileName)) MarkerFile.OwnersOf(file);
        for (int at = 0; at <= MarkerFile.SecondSlot && at + MarkerFile.SlotSize <= bytes.Length; at += MarkerFile.SecondSlot) Repeat(bytes.AsSpan(at, MarkerFile.SlotSize));
    }

    private static void Repeat(ReadOnlySpan<byte> slot)
    {
        if (!MarkerFile.TryRead(slot, out Marker marker, out _)) return;
        foreach ((long first, long last) in new[] { (1L, 0L), (1L, 100L), (50L, 1000L), (long.MaxValue - 1, long.MaxValue - 1) })
        {
            Marker within = marker.Within(first, last);
            if (within.Sequence < 0 || within.Sequence > Math.Max(marker.Sequence, last)) throw new LaneException($"inside of {first} to {last}, {marker.Sequence} is {within.Sequence}");
        }

        byte[] again = new byte[MarkerFile.SlotSize];
        try
        {
            MarkerFile.Write(again, marker);
        }
        catch (ArgumentException)
        {
            // Bytes that are no UTF-8 are read as signs that take more room.
            return;
        }

        if (!MarkerFile.TryRead(again, out Marker second, out _) || second != marker) throw new LaneException($"{marker} is written and read as {second}");
    }
}
