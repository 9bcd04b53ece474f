namespace Store.IO;

/// <summary>A lock that can tell whether it still keeps others out.</summary>
internal interface IWatchedLock : IDisposable
{
    /// <summary>False when the lock's file is no longer the one that its path names: it was removed or replaced, and who opens it now gets another. True where that cannot be told. Safe for any number of threads.</summary>
    bool IsInPlace { get; }
}
