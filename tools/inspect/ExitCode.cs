namespace Store.Inspect;

/// <summary>What the tool's exit code says. Documented in <c>--help</c> and docs/inspect.md: scripts rely on it.</summary>
internal static class ExitCode
{
    public const int Clean = 0;
    public const int Usage = 1;
    public const int Unreadable = 2;
    public const int Corrupt = 3;
    public const int TornTail = 4;
    public const int Removed = 5;
    public const int Failed = 6;

    /// <summary>The part of the help that explains them.</summary>
    public const string Help = """
        Exit codes:
            0  clean
            1  the command line is wrong
            2  the path cannot be read: missing, no permission, not a NinoStore file, or of a newer version; or the output cannot be written
            3  damaged: bytes that were acknowledged as durable do not verify, or cannot be read
            4  a torn tail only: unfinished bytes, never acknowledged, which the next opening for writing cuts
            5  cat, export: not damaged, but the retention of a live store removed some of the records before they were read
            6  inspect itself failed: nothing is known of the path
          130  ended by Ctrl+C (SIGINT)
          143  ended by SIGTERM
        """;

    public static int Of(VerifyReport report) => report.IsCorrupt ? Corrupt : report.HasTornTail ? TornTail : Clean;
}
