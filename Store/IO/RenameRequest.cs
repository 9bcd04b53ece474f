// How is Windows told to rename an open file over another that somebody may have open? By FILE_RENAME_INFO with flags, as SetFileInformationByHandle takes it for FileRenameInfoEx from Windows 10, version 1607, on.
//
//   offset  size  field                                     (p = size of a pointer: 4 or 8)
//        0     4  flags
//        p     p  handle of a folder; 0: the name is a whole path
//       2p     4  length of the name in bytes, without the zero behind it
//     2p+4     n  the name in UTF-16, and a zero

using System.Buffers.Binary;
using System.Text;

namespace Store.IO;

/// <summary>The bytes of a request to rename a file.</summary>
internal static class RenameRequest
{
    private const uint ReplaceIfExists = 1, PosixSemantics = 2; // FILE_RENAME_FLAG_…

    /// <summary>Replaces the file of the new name: whoever has it open keeps it, and whoever opens the name from then on gets the renamed one.</summary>
    /// <param name="newPath">The new path.</param>
    /// <param name="pointerSize">Size of a pointer in bytes.</param>
    public static byte[] Replacing(string newPath, int pointerSize)
    {
        int lengthAt = 2 * pointerSize, nameAt = lengthAt + sizeof(uint), nameLength = Encoding.Unicode.GetByteCount(newPath);

        // The system takes none that is shorter than the structure with a name of one character, padded to a pointer.
        int least = (nameAt + sizeof(char) + pointerSize - 1) / pointerSize * pointerSize;
        byte[] request = new byte[Math.Max(least, nameAt + nameLength + sizeof(char))];
        BinaryPrimitives.WriteUInt32LittleEndian(request, ReplaceIfExists | PosixSemantics);
        BinaryPrimitives.WriteInt32LittleEndian(request.AsSpan(lengthAt), nameLength);
        Encoding.Unicode.GetBytes(newPath, request.AsSpan(nameAt));
        return request;
    }
}
