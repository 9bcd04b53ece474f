using Microsoft.Extensions.Logging;

namespace Store.Retention;

/// <summary>
/// Tells the log's owner what his policy would remove and something holds: a cursor that nobody moves on keeps everything, until the disk is full. Told at two segments, and again whenever they have
/// doubled since: a reader that is a little behind is as it should be. Safe for any number of threads.
/// </summary>
/// <param name="logger">Where it is told.</param>
/// <param name="directory">The store.</param>
internal sealed class HeldBack(ILogger logger, string directory)
{
    private int _told;

    /// <summary>The policy was applied.</summary>
    /// <param name="segments">Segments that it would have removed, and that are there.</param>
    /// <param name="heldBy">What holds them.</param>
    public void See(int segments, string? heldBy)
    {
        int told = Volatile.Read(ref _told);
        bool isMuch = segments >= 2 && segments >= 2 * told;
        if (!isMuch && segments >= told / 2) return;
        if (Interlocked.CompareExchange(ref _told, segments, told) != told || !isMuch) return;
        logger.LogWarning("{Directory}: the retention policy would remove {Segments} segments more, and they stay: they are held by {HeldBy}. Move that on or delete it where it is no longer wanted; the disk fills up otherwise.", directory, segments, heldBy);
    }
}
