// How does a failed file operation look? As an IOException that names the file and keeps the system's error number in HResult, on the disk and in the simulators alike.

using System.Runtime.InteropServices;

namespace Store.IO;

/// <summary>
/// Makes the exceptions of file access. <see cref="Exception.HResult"/> holds the operating system's number: errno on Linux and macOS, an HRESULT of a
/// Win32 error on Windows.
/// </summary>
internal static class IoFailure
{
    // The numbers are the same on Linux, macOS and the BSDs.
    public const int NoEntry = 2, IoError = 5, Exists = 17, AccessDenied = 13, InvalidArgument = 22, FileTooLarge = 27, NoSpace = 28, ReadOnlyFileSystem = 30;

    /// <summary>A system call failed.</summary>
    /// <param name="operation">What was asked, as in "sync" or "rename to x".</param>
    /// <param name="path">The file or folder.</param>
    /// <param name="error">errno, or a Win32 error code on Windows.</param>
    public static IOException FromSystem(string operation, string path, int error)
    {
        var message = $"Could not {operation} '{path}': {Marshal.GetPInvokeErrorMessage(error)} (error {error}).";
        if (error == NoEntry)
            return new FileNotFoundException(message, path);
        return new IOException(message, OperatingSystem.IsWindows() ? unchecked((int)0x80070000) | (error & 0xFFFF) : error);
    }

    /// <summary>The framework's failure, as the contract wants it: an <see cref="IOException"/> that names the file.</summary>
    public static IOException FromFramework(string operation, string path, Exception cause)
    {
        if (cause is FileNotFoundException missing)
            return missing;
        // What the framework calls an argument out of range is EFBIG: the file may not become so large.
        int number = cause is ArgumentOutOfRangeException && !OperatingSystem.IsWindows() ? FileTooLarge : cause.InnerException is IOException inner ? inner.HResult : cause.HResult;
        return new IOException($"Could not {operation} '{path}': {cause.Message}", number);
    }

    /// <summary>True for what the framework throws of a failed system call although it is no <see cref="IOException"/>: each number has an exception of its own there.</summary>
    public static bool IsOfSystem(Exception failure) => failure is UnauthorizedAccessException or ArgumentException or OperationCanceledException or NotSupportedException or InvalidOperationException and not ObjectDisposedException;

    /// <summary>The file is not there.</summary>
    public static FileNotFoundException NotFound(string operation, string path) =>
        new($"Could not {operation} '{path}': there is no such file.", path);

    /// <summary>The file is there already.</summary>
    public static IOException AlreadyExists(string path) => new($"Could not create '{path}': the file exists.", Exists);

    /// <summary>True for a failure that says that the file is there already.</summary>
    public static bool IsExists(IOException failure)
    {
        const int WindowsFileExists = unchecked((int)0x80070050), WindowsAlreadyExists = unchecked((int)0x800700B7);
        return failure.HResult is Exists or WindowsFileExists or WindowsAlreadyExists;
    }

    /// <summary>The folder can only be read.</summary>
    public static IOException ReadOnly(string operation, string path) => new($"Could not {operation} '{path}': the folder can only be read.", ReadOnlyFileSystem);

    /// <summary>True for a failure that says that nothing may be written here.</summary>
    public static bool IsReadOnly(IOException failure)
    {
        const int WindowsWriteProtected = unchecked((int)0x80070013);
        return IsNotAllowed(failure) || failure.HResult is ReadOnlyFileSystem or WindowsWriteProtected;
    }

    /// <summary>True for a failure that says that this process has no right to it.</summary>
    public static bool IsNotAllowed(IOException failure)
    {
        const int NotPermitted = 1, WindowsAccessDenied = unchecked((int)0x80070005);
        return failure.HResult is AccessDenied or NotPermitted or WindowsAccessDenied;
    }

    /// <summary>True for a failure that says that a file system syncs no folders, or none any more because it is mounted for reading.</summary>
    public static bool IsNoFolderSync(IOException failure)
    {
        const int WindowsNoFunction = unchecked((int)0x80070001), WindowsNotSupported = unchecked((int)0x80070032), WindowsInvalidArgument = unchecked((int)0x80070057), WindowsWriteProtected = unchecked((int)0x80070013);
        return failure.HResult is InvalidArgument or ReadOnlyFileSystem or WindowsNoFunction or WindowsNotSupported or WindowsInvalidArgument or WindowsWriteProtected
            || (!OperatingSystem.IsWindows() && PosixNumbers.Current.IsUnsupported(failure.HResult));
    }

    /// <summary>True for a failure that says that the disk cannot read what is there: a bad sector.</summary>
    public static bool IsUnreadable(IOException failure)
    {
        const int WindowsChecksum = unchecked((int)0x80070017), WindowsReadFault = unchecked((int)0x8007001E), WindowsDevice = unchecked((int)0x8007045D);
        return failure.HResult is IoError or WindowsChecksum or WindowsReadFault or WindowsDevice;
    }

    /// <summary>True for a failure that says that there is no room: the disk is full, a quota is used up, or a file may not become so large.</summary>
    public static bool IsNoRoom(IOException failure)
    {
        const int Quota = 122, MacQuota = 69, WindowsNoSpace = unchecked((int)0x80070070), WindowsHandleDiskFull = unchecked((int)0x80070027), WindowsQuota = unchecked((int)0x80070510);
        return failure.HResult is NoSpace or FileTooLarge or Quota or MacQuota or WindowsNoSpace or WindowsHandleDiskFull or WindowsQuota;
    }

    /// <summary>The caller opened the file for reading only: a mistake in the program, not of the disk.</summary>
    public static InvalidOperationException OpenedForReading(string path) => new($"'{path}' was opened for reading only.");
}
