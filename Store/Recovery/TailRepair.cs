// Mends the end of the last segment: cuts what a crash left unfinished, and makes what is kept durable. Everything is safe to do again.

using System.Buffers;
using System.Globalization;
using Store.IO;
using Store.Log;

namespace Store.Recovery;

/// <summary>Changes one segment at its end. The caller holds the store's lock.</summary>
/// <param name="directory">The folder.</param>
/// <param name="oneFileName">File name of a one-file log; null for a folder of segments.</param>
/// <param name="salvages">True when what is cut need not be readable.</param>
internal sealed class TailRepair(IStoreDirectory directory, string? oneFileName, bool salvages)
{
    private const int CopyBytes = 1024 * 1024, PageBytes = 4096;
    private const string CutSuffix = ".cut-";

    /// <summary>Cuts bytes: first they are safe in a side file, then they become zeros. The file is never shortened, because others may be reading it.</summary>
    /// <param name="name">The segment.</param>
    /// <param name="from">The first byte.</param>
    /// <param name="to">The end.</param>
    /// <param name="beforeWriting">Called before the segment is changed. May throw.</param>
    /// <returns>Name of the side file.</returns>
    public string Cut(string name, long from, long to, Action beforeWriting)
    {
        string side = FreeName(string.Create(CultureInfo.InvariantCulture, $"{name}{CutSuffix}{from}"));
        using IStoreFile file = directory.OpenWrite(name);
        using SalvagingFile? salvaged = salvages ? new SalvagingFile(directory.OpenRead(name)) : null;
        AtomicFile.Publish(directory, side, copy =>
        {
            byte[] buffer = new byte[(int)Math.Min(to - from, CopyBytes)];
            for (long offset = from; offset < to;)
            {
                Span<byte> part = buffer.AsSpan(0, (int)Math.Min(buffer.Length, to - offset));
                ReadExactly((IStoreFile?)salvaged ?? file, part, offset);
                copy.Write(part, offset - from);
                offset += part.Length;
            }
        });
        beforeWriting();
        WriteZeros(file, from, to, salvaged?.FirstUnreadable(from, to) is not null);
        file.SyncData();
        return side;
    }

    /// <summary>Makes a segment durable as it was read, and its name.</summary>
    /// <param name="name">The segment.</param>
    /// <param name="scan">What was read.</param>
    /// <param name="beforeWriting">Called before each change. May throw.</param>
    public void MakeDurable(string name, TailScan scan, Action beforeWriting)
    {
        using IStoreFile file = directory.OpenWrite(name);
        // A log that was closed was synced throughout; of a copy that somebody made, a sync is all that is wanted.
        if (!scan.IsClean) WriteAgain(file, name, scan, beforeWriting);
        file.SyncData();
        directory.SyncDirectory();
    }

    // A last page that the disk cannot read is written whole, and the file gets its length back: only a log in one file ends within a page.
    private static void WriteZeros(IStoreFile file, long from, long to, bool isUnreadable)
    {
        long length = file.LengthBytes;
        bool endsWithinPage = isUnreadable && to == length && length % PageBytes != 0;
        ZeroFill.Write(file, from, endsWithinPage ? length + PageBytes - (length % PageBytes) : to);
        if (endsWithinPage) file.Truncate(length);
    }

    // What a killed process left in the system's cache was read as if it were durable: make it so before anything rests on it. A sync alone does not: after
    // a failed one the kernel holds lost pages for clean and writes them never again. So the bytes that no frame confirms are written anew first, and so are
    // the zeros of earlier cuts, whose side files tell where they are: old bytes must not reappear behind new frames.
    private void WriteAgain(IStoreFile file, string name, TailScan scan, Action beforeWriting)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(CopyBytes);
        try
        {
            for (long offset = scan.DurableOffset; offset < scan.Tail.Offset;)
            {
                Span<byte> part = buffer.AsSpan(0, (int)Math.Min(buffer.Length, scan.Tail.Offset - offset));
                ReadExactly(file, part, offset);
                beforeWriting();
                file.Write(part, offset);
                offset += part.Length;
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }

        foreach (StoreFileEntry side in directory.List())
        {
            if (!side.Name.StartsWith(name + CutSuffix, StringComparison.Ordinal) || !TryParseCutOffset(side.Name.AsSpan(name.Length + CutSuffix.Length), out long from)) continue;
            beforeWriting();
            ZeroFill.Write(file, Math.Max(from, scan.Tail.Offset), Math.Min(from + side.LengthBytes, file.LengthBytes));
        }
    }

    /// <summary>The segment of which a side file holds what was cut; another name as it is.</summary>
    public static string SegmentOf(string name)
    {
        int cut = name.IndexOf(CutSuffix, StringComparison.Ordinal);
        return cut < 0 || name.EndsWith(AtomicFile.TemporarySuffix, StringComparison.Ordinal) ? name : name[..cut];
    }

    // The offset in a side file's name, which may have a number after it.
    private static bool TryParseCutOffset(ReadOnlySpan<char> text, out long offset)
    {
        int end = text.IndexOf('-');
        return long.TryParse(end < 0 ? text : text[..end], NumberStyles.None, CultureInfo.InvariantCulture, out offset);
    }

    private static void ReadExactly(IStoreFile file, Span<byte> destination, long offset)
    {
        int read = file.Read(destination, offset);
        if (read != destination.Length) throw new IOException($"{file.Name}: the file ended at {offset + read} while it was recovered.");
    }

    /// <summary>A name that no file has yet.</summary>
    public string FreeName(string name)
    {
        string free = name;
        for (int i = 2; directory.Find(free) is not null; i++) free = string.Create(CultureInfo.InvariantCulture, $"{name}-{i}");
        return free;
    }

    /// <summary>True for a side file that was not published.</summary>
    public bool IsUnfinishedSideFile(string name)
    {
        if (!name.EndsWith(AtomicFile.TemporarySuffix, StringComparison.Ordinal)) return false;
        if (oneFileName is not null) return name.StartsWith(oneFileName + CutSuffix, StringComparison.Ordinal);
        int cut = name.IndexOf(CutSuffix, StringComparison.Ordinal);
        return cut > 0 && SegmentFormat.TryParseName(name[..cut], out _);
    }
}
