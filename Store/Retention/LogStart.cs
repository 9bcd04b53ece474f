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
        Marker? was = Known(directory);
        try
        {
            MarkerFile.Publish(directory, FileName, ToMarker(Segment, ticks));
        }
        catch (IOException e) when (IoFailure.IsNoRoom(e) && was is { } before && ThereIs(directory) == before)
        {
            // Not where the new one has its name already: what had no room was the folder's sync, and a power failure may take the name away again.
            Marker marker = ToMarker(before.Generation + 1, ticks);
            MarkerFile.Update(directory, FileName, marker);
            MarkerFile.Update(directory, FileName, marker with { Generation = before.Generation + 2 });

            // The one that is there may be of a process that was killed before it synced the folder.
            directory.SyncDirectory();
        }
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
            return ThereIs(directory);
        }
        catch (IOException)
        {
            return null;
        }
    }

    private static Marker? ThereIs(IStoreDirectory directory) => MarkerFile.ReadKind(directory, FileName, MarkerKind.Start, "where the log begins", out _)?.Newest;

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
