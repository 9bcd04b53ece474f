// What if somebody has the file open for a moment only? Windows refuses to rename or remove a file that a scanner, an indexer or a backup is looking at; it does nothing then, so it can be asked again.

using Store.Threading;

namespace Store.IO;

/// <summary>
/// Makes a call again that Windows refused because somebody has the file open: at most <see cref="MaxAttempts"/> times, with waits of 1, 2, 4, … 1,024 milliseconds between them, <see cref="LongestWaitMs"/> in all. Calls
/// that have done something when they fail are not for it.
/// </summary>
internal static class SharingPatience
{
    /// <summary>Most calls.</summary>
    public const int MaxAttempts = 12;

    /// <summary>All waits together, in milliseconds.</summary>
    public const int LongestWaitMs = (1 << (MaxAttempts - 1)) - 1;

    private const int AccessDenied = 5, SharingViolation = 32, LockViolation = 33;

    /// <summary>True for what a file that is open elsewhere is refused with. Access denied is it, too, when the file would be replaced, and is also what a lack of rights is refused with: that is told later then.</summary>
    public static bool IsOfReplacing(int error) => error is AccessDenied or SharingViolation or LockViolation;

    /// <summary>As <see cref="IsOfReplacing"/>, where access denied says something that lasts: a file that is mapped, or may not be removed.</summary>
    public static bool IsOfSharing(int error) => error is SharingViolation or LockViolation;

    /// <summary>Makes the call, and again while it is refused for what passes.</summary>
    /// <param name="call">Returns 0, or the system's error number.</param>
    /// <param name="passes">True for numbers that may not come again.</param>
    /// <param name="wait">Waits so many milliseconds; null for the thread's own wait, which no interruption ends.</param>
    /// <returns>0, or the number that the last call returned.</returns>
    public static int Try(Func<int> call, Func<int, bool> passes, Action<int>? wait = null)
    {
        wait ??= static milliseconds => Uninterrupted.Await(Task.Delay(milliseconds));
        int error = call();
        for (int attempt = 1; attempt < MaxAttempts && error != 0 && passes(error); attempt++)
        {
            wait(1 << (attempt - 1));
            error = call();
        }

        return error;
    }
}
