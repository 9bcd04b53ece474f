// Which path does a system call of Windows take that is longer than 259 characters? One with a prefix that says that nothing is left to be made of it. The framework puts it before the paths of its own calls only.

namespace Store.IO;

/// <summary>Paths for the calls of Windows that this project makes itself. Works on the text alone, the same on every platform.</summary>
internal static class ExtendedPath
{
    // MAX_PATH: with the zero at the end.
    private const int ShortPathMaxLength = 260;

    private const string Prefix = @"\\?\", NetworkPrefix = @"\\?\UNC\";

    /// <summary>
    /// A full path as the system takes it at any length: <c>C:\x</c> becomes <c>\\?\C:\x</c>, <c>\\server\share\x</c> becomes <c>\\?\UNC\server\share\x</c>. One that is short enough stays as it is, unless it ends
    /// with a point or a space, which the system would take away; so does one that has a prefix, and one that is not full.
    /// </summary>
    /// <param name="fullPath">The path, as <see cref="Path.GetFullPath(string)"/> of Windows gives it.</param>
    public static string Of(string fullPath)
    {
        if ((fullPath.Length < ShortPathMaxLength && fullPath[^1] is not (' ' or '.')) || IsDevice(fullPath)) return fullPath;

        // Behind the prefix only this separator is one.
        string path = fullPath.Replace('/', '\\');
        if (path.StartsWith(@"\\", StringComparison.Ordinal)) return string.Concat(NetworkPrefix, path.AsSpan(2));
        return IsOfDrive(path) ? Prefix + path : fullPath;
    }

    // \\?\, \\.\ and \??\ with either separator.
    private static bool IsDevice(string path) =>
        path.StartsWith(@"\??\", StringComparison.Ordinal)
        || (path.Length >= 4 && IsSeparator(path[0]) && IsSeparator(path[1]) && path[2] is '.' or '?' && IsSeparator(path[3]));

    private static bool IsOfDrive(string path) => path.Length >= 3 && char.IsAsciiLetter(path[0]) && path[1] == ':' && IsSeparator(path[2]);

    private static bool IsSeparator(char c) => c is '\\' or '/';
}
