namespace Store;

/// <summary>What opening does about bytes that do not verify (docs/recovery.md).</summary>
public enum RecoveryMode
{
    /// <summary>Any unfinished or damaged byte is an exception.</summary>
    Strict,

    /// <summary>A torn tail, never acknowledged as durable, is cut, kept in a side file and reported; damage to acknowledged records is an exception.</summary>
    TruncateTorn,

    /// <summary>Everything before the first damage is kept; the damage and all that follows is set aside in side files and reported. Never implicit: it gives up acknowledged records.</summary>
    Salvage,
}
