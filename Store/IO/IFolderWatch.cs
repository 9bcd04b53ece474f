namespace Store.IO;

/// <summary>Notices of changes in a folder. Nobody rests on them: they may be lost, or never come. Safe for any number of threads.</summary>
internal interface IFolderWatch : IDisposable
{
    /// <summary>Completes at the next change after this was read.</summary>
    Task Changed { get; }

    /// <summary>True once there was a notice.</summary>
    bool HasTold { get; }

    /// <summary>True when the system has said that none will come.</summary>
    bool IsDead { get; }
}
