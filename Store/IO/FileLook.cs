// Does a path still name the file that is open? Who holds a lock on a file wants to know: whoever opens the path next gets what it names by then. On Linux (statx, from 4.11 on); elsewhere nobody looks. Where the system does not tell, an old
// one, a C library from before the call, or a sandbox that does not know the call and forbids it, that says nothing: the lock counts, as it did before anybody looked.

using Microsoft.Win32.SafeHandles;

namespace Store.IO;

/// <summary>Asks the system which file is open, or has a path.</summary>
/// <param name="file">The open file; null to ask about the path.</param>
/// <param name="path">The path.</param>
/// <param name="identity">The file.</param>
/// <returns>0, or the system's error number.</returns>
/// <exception cref="EntryPointNotFoundException">The C library does not know the call.</exception>
internal delegate int IdentityCall(SafeFileHandle? file, string path, out FileIdentity identity);

/// <summary>Looks whether paths name the files that they named. Safe for any number of threads.</summary>
/// <param name="call">The system's call.</param>
internal sealed class FileLook(IdentityCall call)
{
    private const int NotPermitted = 1, Interrupted = 4, NoFolder = 20, NoSuchCall = 38, NotSupported = 95, Stale = 116; // EPERM, EINTR, ENOTDIR, ENOSYS, EOPNOTSUPP, ESTALE

    private volatile bool _isUnknown;

    /// <summary>The system's own.</summary>
    public static FileLook OfSystem { get; } = new(Posix.Identify);

    /// <summary>Which file is open; null where the system does not tell. It stays the same as long as the file is open.</summary>
    /// <exception cref="IOException">The call failed.</exception>
    public FileIdentity? Identify(SafeFileHandle file, string path) => Ask(file, path, out var identity) is true ? identity : null;

    /// <summary>Whether a path names a file: false when it was removed, moved or replaced; true where the system does not tell. One call.</summary>
    /// <param name="file">What <see cref="Identify"/> told.</param>
    /// <param name="path">The path.</param>
    /// <exception cref="IOException">The call failed.</exception>
    public bool IsNamed(FileIdentity? file, string path)
    {
        if (file is not { } open)
            return true;
        return Ask(null, path, out var named) switch { true => named == open, false => false, null => true };
    }

    // False when there is no such file, null where the system does not tell.
    private bool? Ask(SafeFileHandle? file, string path, out FileIdentity identity)
    {
        identity = default;
        if (_isUnknown)
            return null;
        try
        {
            int error;
            while ((error = call(file, path, out identity)) != 0)
            {
                if (file is null && error is (IoFailure.NoEntry or NoFolder or Stale))
                    return false;
                if (error is NoSuchCall or NotPermitted or IoFailure.AccessDenied or IoFailure.InvalidArgument or NotSupported)
                    return null;
                if (error != Interrupted)
                    throw IoFailure.FromSystem("look for", path, error);
            }

            return true;
        }
        catch (EntryPointNotFoundException)
        {
            _isUnknown = true;
            return null;
        }
    }
}
