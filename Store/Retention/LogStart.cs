// Where does the log begin? With segment 1, unless the mark of its start says otherwise. The mark is durable before the first segment is removed, so a
// segment that retention removed is told from one that is lost.

using Store.IO;

namespace Store.Retention;

/// <summary>The first segment that is kept, and the first sequence.</summary>
/// <param name="StoreId">The store.</param>
/// <param name="Segment">Number of the first kept segment.</param>
/// <param name="Sequence">First kept sequence.</param>
internal readonly record struct LogStart(Guid StoreId, long Segment, long Sequence)
{
    public const string FileName = "log-start.nino";

    /// <summary>Makes the mark durable. Where the disk has no room for a new file, the one that is there is written in place, one copy after the other: a full disk must not keep the log from giving room back.</summary>
    public void Publish(IStoreDirectory directory, long ticks)
    {
        Marker marker = ToMarker(Segment, ticks);
        if (Known(directory) is { } was) MarkerFile.Replace(directory, FileName, was, marker);
        else MarkerFile.Publish(directory, FileName, marker);
    }

    /// <summary>Reads the mark. There is none as long as nothing was ever removed: the usual case.</summary>
    /// <param name="directory">The folder.</param>
    /// <param name="problem">What is wrong with a mark that cannot be read; null when there is none or it is right.</param>
    /// <returns>The mark; null when there is none that can be read.</returns>
    /// <exception cref="StoreVersionException">A newer version wrote it.</exception>
    public static LogStart? Read(IStoreDirectory directory, out string? problem) =>
        MarkerFile.ReadKind(directory, FileName, MarkerKind.Start, "where the log begins", out problem)?.Newest is { } marker ? new LogStart(marker.StoreId, marker.Segment, marker.Sequence) : null;

    // What cannot be read now is not written in place either: then what failed is told.
    private static Marker? Known(IStoreDirectory directory)
    {
        try
        {
            return MarkerFile.ReadKind(directory, FileName, MarkerKind.Start, "where the log begins", out _)?.Newest;
        }
        catch (IOException)
        {
            return null;
        }
    }

    private Marker ToMarker(long generation, long ticks) => new()
    {
        Kind = MarkerKind.Start,
        StoreId = StoreId,
        Generation = generation,
        Sequence = Sequence,
        Segment = Segment,
        Ticks = ticks,
        Name = "",
    };
}
