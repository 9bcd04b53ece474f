// Which file is it, whatever its name? Its number on its file system, as statx of Linux tells it: a layout that is the same on every processor.
//
//   offset  size  field of struct statx (256 bytes)
//       16     4  number of its names
//       32     8  number of the file
//      136     4  major number of its device
//      140     4  minor number of its device

using System.Runtime.InteropServices;

namespace Store.IO;

/// <summary>A file of this machine, while it exists.</summary>
internal readonly record struct FileIdentity(ulong Number, uint Major, uint Minor)
{
    /// <summary>Size of what the system fills in.</summary>
    public const int StatusSize = 256;

    /// <summary>What is asked of the system (STATX_INO).</summary>
    public const uint Wanted = 0x100;

    /// <summary>What is asked of the system to know the number of names too (STATX_INO | STATX_NLINK).</summary>
    public const uint WantedWithNames = Wanted | 4;

    /// <summary>Reads the number of names from what the system filled in for <see cref="WantedWithNames"/>.</summary>
    public static uint NamesFrom(ReadOnlySpan<byte> status) => MemoryMarshal.Read<uint>(status[16..]);

    /// <summary>Reads it from what the system filled in.</summary>
    public static FileIdentity From(ReadOnlySpan<byte> status) => new(MemoryMarshal.Read<ulong>(status[32..]), MemoryMarshal.Read<uint>(status[136..]), MemoryMarshal.Read<uint>(status[140..]));
}
