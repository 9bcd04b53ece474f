// Where does a keyed state keep its files? In a folder of its own inside the store's; on files of another kind than the disk's, which have no folders, under a prefix. Where a file system takes capitals for small letters
// two names must not share a folder: capitals are written as in the names of cursors.

using System.Text;
using Store.IO;
using Store.Retention;

namespace Store.KeyValue;

/// <summary>Opens the folders of keyed states.</summary>
internal static class KeyedFolder
{
    private const int MaxNameLength = 64;

    /// <summary>What names are allowed, for messages.</summary>
    public const string Names = "1 to 64 ASCII letters, digits, '-' and '_'";

    /// <summary>True for a name of keyed state.</summary>
    public static bool IsName(string name) => name.Length is > 0 and <= MaxNameLength && name.All(static c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_');

    /// <summary>Opens the folder of a keyed state, creating it when it is not there. The caller disposes it.</summary>
    /// <param name="directory">The store's folder.</param>
    /// <param name="isFlat">True for files of another kind than the disk's.</param>
    /// <param name="name">The state.</param>
    /// <exception cref="IOException">The disk fails.</exception>
    public static IStoreDirectory Open(IStoreDirectory directory, bool isFlat, string name) =>
        isFlat ? new FolderView(directory, $"{NameOf(name)}.") : DiskDirectory.Open(Path.Combine(directory.Name, NameOf(name)), create: true);

    /// <summary>As <see cref="Open"/>, of a folder that need not be there: then null.</summary>
    public static IStoreDirectory? OpenIfThere(IStoreDirectory directory, bool isFlat, string name)
    {
        if (isFlat) return Open(directory, isFlat, name);
        try
        {
            return DiskDirectory.Open(Path.Combine(directory.Name, NameOf(name)));
        }
        catch (DirectoryNotFoundException)
        {
            // Nobody has opened the keyed state there.
            return null;
        }
    }

    /// <summary>The folder's name.</summary>
    private static string NameOf(string name) => "kv-" + CursorName.Encode(Encoding.ASCII.GetBytes(name));
}
