// How far does the log reach at the least? The mark of its end is moved behind every segment that is begun, before a record goes into it, and when the log is closed: a
// newest segment that was removed, or put back from an earlier time, is told from a log that never went further. It only ever lags behind. It also says whether the log was
// closed and not written since: then opening need not look for what a crash leaves behind the last frame.

using Store.IO;

namespace Store.Retention;

/// <summary>A segment that was begun, and a record that was on the disk.</summary>
/// <param name="StoreId">The store.</param>
/// <param name="Segment">Number of the newest segment begun.</param>
/// <param name="Sequence">A sequence up to which everything is durable.</param>
/// <param name="Generation">Counts the marks written.</param>
/// <param name="IsClosed">True when the log was closed after that record, everything synced, and nothing was written since.</param>
/// <param name="Writer">A random number of the opening that wrote it; 0 when nobody had the log open, as in a backup.</param>
internal readonly record struct LogEnd(Guid StoreId, long Segment, long Sequence, long Generation, bool IsClosed = false, ulong Writer = 0)
{
    public const string FileName = "log-end.nino";

    // What the marker's name says of a closed log.
    private const string Closed = "closed";

    /// <summary>Makes the mark durable, whatever was there.</summary>
    public void Publish(IStoreDirectory directory, long ticks) => MarkerFile.Publish(directory, FileName, ToMarker(ticks));

    /// <summary>Makes the mark durable, where none is.</summary>
    /// <exception cref="IOException">Somebody was faster.</exception>
    public void PublishNew(IStoreDirectory directory, long ticks) => MarkerFile.PublishNew(directory, FileName, ToMarker(ticks));

    /// <summary>Writes the mark into the slot of its generation: one write and one sync. Durable on return; when it throws, this mark or the one before is found later.</summary>
    /// <exception cref="FileNotFoundException">There is no mark.</exception>
    public void Update(IStoreDirectory directory, long ticks) => MarkerFile.Update(directory, FileName, ToMarker(ticks));

    /// <summary>Writes the mark over the other slot as well, without a sync.</summary>
    public void Repeat(IStoreDirectory directory, long ticks) => MarkerFile.Repeat(directory, FileName, ToMarker(ticks));

    /// <summary>Puts the mark in the place of one of which the disk cannot read a copy: in a file of its own. Durable on return.</summary>
    public void Replace(IStoreDirectory directory, long ticks) => MarkerFile.Publish(directory, FileName, ToMarker(ticks));

    /// <summary>Writes the mark over one that does not verify. Durable on return.</summary>
    public void Overwrite(IStoreDirectory directory, long ticks) => MarkerFile.Overwrite(directory, FileName, ToMarker(ticks));

    /// <summary>
    /// Reads the mark. Beside a writer, before the segments are listed: what the mark names is there by then. There is none in a copy that was made by hand, and in a store that
    /// was not yet finished when the power failed.
    /// </summary>
    /// <param name="directory">The folder.</param>
    /// <param name="problem">What is wrong with a mark that cannot be read; null when there is none or it is right.</param>
    /// <returns>The mark; null when there is none that can be read.</returns>
    /// <exception cref="StoreVersionException">A newer version wrote it.</exception>
    public static LogEnd? Read(IStoreDirectory directory, out string? problem) => Read(directory, out problem, out _);

    /// <inheritdoc cref="Read(IStoreDirectory, out string?)"/>
    /// <param name="directory">The folder.</param>
    /// <param name="problem">What is wrong with a mark that cannot be read; null when there is none or it is right.</param>
    /// <param name="unreadable">What the disk said that cannot read one of its copies; null when it can read both.</param>
    public static LogEnd? Read(IStoreDirectory directory, out string? problem, out IOException? unreadable)
    {
        unreadable = null;
        if (MarkerFile.ReadKind(directory, FileName, MarkerKind.End, "how far the log reaches", out problem) is not { Newest: { } marker } content) return null;
        unreadable = content.Unreadable;

        // Where one copy is damaged, the other may be the one before: it still says how far the log reached, and no longer that it was closed there.
        return new LogEnd(marker.StoreId, marker.Segment, marker.Sequence, marker.Generation, content.BothVerify && marker.Name == Closed, marker.Writer);
    }

    private Marker ToMarker(long ticks) => new()
    {
        Kind = MarkerKind.End,
        StoreId = StoreId,
        Generation = Generation,
        Sequence = Sequence,
        Segment = Segment,
        Ticks = ticks,
        Name = IsClosed ? Closed : "",
        Writer = Writer,
    };
}
