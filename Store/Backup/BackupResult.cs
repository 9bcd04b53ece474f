namespace Store;

/// <summary>What a backup did.</summary>
/// <param name="FirstSequence">First sequence of the copied log.</param>
/// <param name="LastSequence">Last sequence of the copied log.</param>
/// <param name="FilesCopied">Files written.</param>
/// <param name="FilesKept">Files that an earlier backup had copied already.</param>
/// <param name="BytesCopied">Bytes written.</param>
public sealed record BackupResult(long FirstSequence, long LastSequence, int FilesCopied, int FilesKept, long BytesCopied);
