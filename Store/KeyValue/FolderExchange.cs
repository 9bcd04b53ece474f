// How do all files of a folder change at once? The new ones are written aside, synced, and a list of what the folder is to hold is published: that is the step. Then each gets its name, what is not in the list goes, and last the
// list. Whatever interrupts it, the folder is as it was or whoever opens it next finishes. docs/formats/key-value-checkpoint.md, "exchange".
//
// A folder can also become empty in the step that makes a state begin anew, which is in another file, the state's mark: then the list says which beginning it is for, and counts for nobody who finds another.
//
//   the list, little-endian:
//   offset  size  field
//        0     8  magic "NINOEXC1"
//        8     8  the beginning of the state (Marker.Since) that it is for; 0 for any
//       16     4  number of names
//       20     …  each name: a 4-byte length and UTF-8
//     last     4  CRC-32C of everything before

using System.Buffers.Binary;
using System.Text;
using Store.Framing;
using Store.IO;

namespace Store.KeyValue;

/// <summary>Exchanges the files of a folder that nobody else has open. Calls for one folder are the caller's to order.</summary>
internal static class FolderExchange
{
    /// <summary>Ends the name of a file that waits for its own.</summary>
    public const string StagedSuffix = ".nino-staged";

    /// <summary>Name of the list.</summary>
    public const string ListName = "nino-exchange";

    private const int HeadBytes = 20;
    private const int MaxListBytes = 1 << 26;

    private static ReadOnlySpan<byte> Magic => "NINOEXC1"u8;

    /// <summary>True for a file that is an exchange's own, not the folder's.</summary>
    public static bool IsItsOwn(string name) => name.EndsWith(StagedSuffix, StringComparison.Ordinal) || name is ListName or ListName + AtomicFile.TemporarySuffix;

    /// <summary>True for a folder that holds something, or will when <see cref="Finish"/> has finished: not for what an exchange has left that did not come to its step.</summary>
    public static bool HasFiles(IStoreDirectory folder) => folder.List().Any(static f => f.Name == ListName || !IsItsOwn(f.Name));

    /// <summary>Makes the folder hold files of these names and no other: each is there, or waits with <see cref="StagedSuffix"/>, synced, which comes first. Durable on return.</summary>
    /// <exception cref="IOException">A call failed: the folder is as it was, or <see cref="Finish"/> finishes.</exception>
    public static void Run(IStoreDirectory folder, IReadOnlyCollection<string> names)
    {
        // What waits must be found wherever the list is.
        folder.SyncDirectory();
        Publish(folder, 0, names);
        Finish(folder, 0);
    }

    /// <summary>Empties the folder in the step that makes its state begin anew. Durable on return.</summary>
    /// <param name="folder">The folder, in which no exchange is to be finished.</param>
    /// <param name="since">The beginning that the state gets.</param>
    /// <param name="begin">The step: publishes it, durably.</param>
    /// <exception cref="IOException">A call failed: folder and beginning are as they were, or the state has its new one and <see cref="Finish"/> finishes.</exception>
    public static void Empty(IStoreDirectory folder, long since, Action begin)
    {
        if (HasFiles(folder)) Publish(folder, since, []);
        begin();
        Finish(folder, since);
    }

    /// <summary>Finishes an exchange that was interrupted behind its step, durably, and removes what one has left that did not come so far. Doing it again changes nothing.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="since">The beginning of its state, 0 where none is known.</param>
    /// <exception cref="StoreCorruptException">The list is damaged. Nothing was changed.</exception>
    public static void Finish(IStoreDirectory folder, long since)
    {
        IReadOnlyList<StoreFileEntry> files = folder.List();
        if (!files.Any(static f => IsItsOwn(f.Name))) return;
        if (!files.Any(static f => f.Name == ListName))
        {
            foreach (StoreFileEntry left in files.Where(static f => IsItsOwn(f.Name))) folder.Delete(left.Name);
            return;
        }

        (long of, HashSet<string> names) = ReadList(folder);
        if (of != 0 && of != since)
        {
            // The state did not come to begin there.
            foreach (StoreFileEntry left in files.Where(static f => IsItsOwn(f.Name))) folder.Delete(left.Name);
            folder.SyncDirectory();
            return;
        }

        foreach (StoreFileEntry staged in files.Where(f => f.Name.EndsWith(StagedSuffix, StringComparison.Ordinal)))
        {
            string name = staged.Name[..^StagedSuffix.Length];
            if (names.Contains(name)) folder.Rename(staged.Name, name);
            else folder.Delete(staged.Name);
        }

        foreach (StoreFileEntry old in files.Where(f => !IsItsOwn(f.Name) && !names.Contains(f.Name))) folder.Delete(old.Name);
        folder.SyncDirectory();

        // Gone for good before anybody writes a file that is not in it.
        folder.Delete(ListName);
        folder.SyncDirectory();
    }

    private static void Publish(IStoreDirectory folder, long since, IReadOnlyCollection<string> names)
    {
        byte[] list = Encode(since, names);
        AtomicFile.Publish(folder, ListName, file => file.Write(list, 0));
    }

    private static byte[] Encode(long since, IReadOnlyCollection<string> names)
    {
        using var bytes = new MemoryStream();
        Span<byte> number = stackalloc byte[8];
        bytes.Write(Magic);
        BinaryPrimitives.WriteInt64LittleEndian(number, since);
        bytes.Write(number);
        number = number[..4];
        Put(number, names.Count);
        foreach (string name in names)
        {
            byte[] text = Encoding.UTF8.GetBytes(name);
            Put(number, text.Length);
            bytes.Write(text);
        }

        Put(number, (int)Crc32C.Compute(bytes.GetBuffer().AsSpan(0, (int)bytes.Length)));
        return bytes.ToArray();

        void Put(Span<byte> number, int value)
        {
            BinaryPrimitives.WriteInt32LittleEndian(number, value);
            bytes.Write(number);
        }
    }

    private static (long Since, HashSet<string> Names) ReadList(IStoreDirectory folder)
    {
        using IStoreFile file = folder.OpenRead(ListName);
        long length = file.LengthBytes;
        if (length is < HeadBytes + 4 or > MaxListBytes) throw Damaged(folder);
        byte[] all = new byte[(int)length];
        if (file.Read(all, 0) != all.Length || !all.AsSpan().StartsWith(Magic) || Crc32C.Compute(all.AsSpan(0, all.Length - 4)) != BinaryPrimitives.ReadUInt32LittleEndian(all.AsSpan(all.Length - 4))) throw Damaged(folder);
        long since = BinaryPrimitives.ReadInt64LittleEndian(all.AsSpan(8));
        HashSet<string> names = new(StringComparer.Ordinal);
        ReadOnlySpan<byte> rest = all.AsSpan(HeadBytes, all.Length - HeadBytes - 4);
        for (int left = BinaryPrimitives.ReadInt32LittleEndian(all.AsSpan(16)); left > 0; left--)
        {
            if (rest.Length < 4 || BinaryPrimitives.ReadInt32LittleEndian(rest) is var bytes && (bytes < 0 || bytes > rest.Length - 4)) throw Damaged(folder);
            names.Add(Encoding.UTF8.GetString(rest.Slice(4, bytes)));
            rest = rest[(4 + bytes)..];
        }

        return rest.IsEmpty && since >= 0 ? (since, names) : throw Damaged(folder);
    }

    private static StoreCorruptException Damaged(IStoreDirectory folder) =>
        new($"{folder.Name}: {ListName}, which says what files a backup was about to put here, is damaged. Nothing was changed. Remove the files of this keyed state from the copy, and back up again.", folder.Name);
}
