// Which numbers do the systems behind libc give the same things? Those of Linux, Apple's and FreeBSD differ, and a wrong flag is no error but something else: O_CLOEXEC of Linux is O_TTY_INIT on FreeBSD.
//
//                     Linux, Android   Apple's      FreeBSD      where it is said
//   O_CLOEXEC         0x8_0000         0x100_0000   0x10_0000    fcntl.h
//   EWOULDBLOCK       11               35           35           errno.h
//   ENOSYS            38               78           78
//   ENOTSUP           95               45           45
//   EOPNOTSUPP        95               102          45
//   what syncs data   fdatasync        F_FULLFSYNC  fsync        fdatasync(2) of FreeBSD does not promise what the file needs to be read, such as its length

namespace Store.IO;

/// <summary>The call that makes a file's data and length durable.</summary>
internal enum DataSyncCall
{
    /// <summary>fdatasync.</summary>
    Data,

    /// <summary>fsync.</summary>
    Whole,

    /// <summary>fcntl with F_FULLFSYNC, of folders too: fsync of Apple's systems leaves the data in the drive's cache.</summary>
    Drive,
}

/// <summary>Flags and error numbers that are not the same on every system, and the call that syncs.</summary>
internal sealed record PosixNumbers
{
    /// <summary>O_CLOEXEC: no program that this one starts has the file open.</summary>
    public required int CloseOnExec { get; init; }

    /// <summary>EWOULDBLOCK: somebody else holds the lock.</summary>
    public required int WouldBlock { get; init; }

    /// <summary>ENOSYS: the system has no such call.</summary>
    public required int NoSuchCall { get; init; }

    /// <summary>ENOTSUP: the file system cannot do it.</summary>
    public required int NotSupported { get; init; }

    /// <summary>EOPNOTSUPP, which says the same and has a number of its own on Apple's systems.</summary>
    public required int OperationNotSupported { get; init; }

    /// <summary>What makes data durable.</summary>
    public required DataSyncCall DataSync { get; init; }

    /// <summary>Of Linux, and Android, which is one.</summary>
    public static PosixNumbers Linux { get; } = new() { CloseOnExec = 0x8_0000, WouldBlock = 11, NoSuchCall = 38, NotSupported = 95, OperationNotSupported = 95, DataSync = DataSyncCall.Data };

    /// <summary>Of macOS, Mac Catalyst, iOS, tvOS and watchOS, which are one system.</summary>
    public static PosixNumbers Apple { get; } = new() { CloseOnExec = 0x100_0000, WouldBlock = 35, NoSuchCall = 78, NotSupported = 45, OperationNotSupported = 102, DataSync = DataSyncCall.Drive };

    /// <summary>Of FreeBSD.</summary>
    public static PosixNumbers FreeBsd { get; } = new() { CloseOnExec = 0x10_0000, WouldBlock = 35, NoSuchCall = 78, NotSupported = 45, OperationNotSupported = 45, DataSync = DataSyncCall.Whole };

    /// <summary>Those of the system that this runs on.</summary>
    /// <exception cref="PlatformNotSupportedException">Nobody has looked up what they are there.</exception>
    public static PosixNumbers Current => field ??= Of(OperatingSystem.IsOSPlatform);

    /// <summary>True for error numbers that say that a call cannot be made here, or not on this file system.</summary>
    public bool IsUnsupported(int error) => error == NoSuchCall || error == NotSupported || error == OperationNotSupported;

    /// <summary>Those of a system.</summary>
    /// <param name="isPlatform">True for the names that the system goes by, as <see cref="OperatingSystem.IsOSPlatform"/> takes them.</param>
    /// <exception cref="PlatformNotSupportedException">It is none of those that are known.</exception>
    public static PosixNumbers Of(Func<string, bool> isPlatform)
    {
        if (isPlatform("LINUX") || isPlatform("ANDROID")) return Linux;
        if (isPlatform("MACOS") || isPlatform("MACCATALYST") || isPlatform("IOS") || isPlatform("TVOS") || isPlatform("WATCHOS")) return Apple;
        if (isPlatform("FREEBSD")) return FreeBsd;
        throw new PlatformNotSupportedException("On this operating system NinoStore writes no files: what its calls to sync and lock them need is known of Windows, Linux, Android, Apple's systems and FreeBSD. "
            + "Reading makes no such call (StoreReader, NinoStoreOptions.ReadOnly); to write, give the store files of your own (NinoStoreOptions.Directory).");
    }
}
