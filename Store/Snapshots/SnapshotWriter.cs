// How does a state become a snapshot file that is there whole or not at all? Streamed into a temporary file, its header last; synced; renamed; the
// folder synced. Format page: docs/formats/snapshot.md.

using System.Text;
using Store.Framing;
using Store.IO;
using Store.Reading;
using Store.Serialization;

namespace Store.Snapshots;

/// <summary>Writes snapshots of one folder. Not thread-safe: one at a time.</summary>
/// <param name="directory">The folder.</param>
/// <param name="pageSize">Unit in which data is verified, in bytes.</param>
/// <param name="limits">Bounds of one serialized value.</param>
/// <param name="inBackground">Writes a chunk while the next one is serialized; false for simulators, which want the same order of calls every time.</param>
internal sealed class SnapshotWriter(IStoreDirectory directory, int pageSize = SnapshotFormat.DefaultPageSize, NinoLimits? limits = null, bool inBackground = false)
{
    private readonly NinoLimits _limits = limits ?? StoredLimits.Default;

    /// <summary>How often the log was synced that shares the disk; null where nobody knows.</summary>
    public Func<long>? Syncs { get; set; }

    /// <summary>Writes a snapshot and publishes it. Durable on return. When anything fails, or the token is cancelled before the file is complete, nothing is left behind.</summary>
    /// <exception cref="IOException">Writing failed; snapshots written before are not affected.</exception>
    /// <exception cref="NinoSerializationException">A value has no encoding or exceeds a limit.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async ValueTask<SnapshotInfo> PublishAsync(IReadOnlyList<SnapshotContent> parts, SnapshotStamp stamp, IProgress<SnapshotProgress>? progress, CancellationToken cancellationToken)
    {
        string name = new SnapshotName(stamp.Sequence, stamp.Generation).ToString();
        SnapshotHeader? header = null;
        try
        {
            await AtomicFile.PublishAsync(directory, name, async file =>
            {
                header = await WriteFileAsync(file, parts, stamp, progress, cancellationToken).ConfigureAwait(false);
                cancellationToken.ThrowIfCancellationRequested();
            }).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            Withdraw(name, failure);
            throw;
        }

        return new SnapshotInfo(name, stamp.Sequence, stamp.Time, header!.FileLength, SnapshotPart.TypeNameOf(parts[0].Schema, header.Parts[0].HasItems)) { SnapshotId = stamp.SnapshotId };
    }

    /// <summary>Writes the whole file, nothing synced: the data of each part with what is known only behind it, then everything before the data.</summary>
    internal async ValueTask<SnapshotHeader> WriteFileAsync(IStoreFile file, IReadOnlyList<SnapshotContent> parts, SnapshotStamp stamp, IProgress<SnapshotProgress>? progress, CancellationToken cancellationToken)
    {
        // An item index is part of the section table before a byte is written: a stream of items always has one.
        int sectionCount = parts.Sum(part => 3 + (part.Index is null ? 0 : 1) + (part.Name.Length == 0 ? 0 : 1) + (part.Events is null ? 0 : 1));
        var sections = new List<SnapshotSection>(sectionCount);
        var front = new List<(long Offset, ReadOnlyMemory<byte> Bytes)>();
        long end = SnapshotFormat.HeaderSizeOf(sectionCount);
        for (int i = 0; i < parts.Count; i++)
        {
            if (parts[i].Name.Length > 0) AddFront(SnapshotSectionKind.Name, i, Encoding.UTF8.GetBytes(parts[i].Name));
            AddFront(SnapshotSectionKind.Schema, i, parts[i].Schema.CanonicalBytes);
            if (parts[i].Events is { } events) AddFront(SnapshotSectionKind.Events, i, events);
        }

        var pace = new WritebackPace(Syncs);
        long dataStart = SnapshotFormat.Align(end);
        end = dataStart;
        for (int i = 0; i < parts.Count; i++)
        {
            SnapshotContent part = parts[i];
            var pages = new SnapshotPageTable(pageSize);
            long offset = SnapshotFormat.Align(end);
            long length = await WriteDataAsync(file, part, offset, pages, pace, progress, cancellationToken).ConfigureAwait(false);
            sections.Add(new SnapshotSection(SnapshotSectionKind.Data, i, false, offset, length, 0));
            end = offset + length;
            if (part.Index is { } index) AddBehind(SnapshotSectionKind.ItemIndex, i, index);
            AddBehind(SnapshotSectionKind.PageTable, i, pages.Finish());
        }

        var header = new SnapshotHeader
        {
            Stamp = stamp,
            FileLength = end,
            SchemaFingerprint = parts[0].Schema.Fingerprint,
            PageSize = pageSize,
            Sections = [.. sections],
            Parts = PartsOf(sections, parts.Count),
        };
        var bytes = new byte[dataStart];
        header.Encode(bytes);
        foreach ((long offset, ReadOnlyMemory<byte> section) in front) section.CopyTo(bytes.AsMemory((int)offset));
        file.Write(bytes, 0);
        return header;

        void AddFront(SnapshotSectionKind kind, int part, ReadOnlyMemory<byte> content)
        {
            long offset = SnapshotFormat.Align(end);
            front.Add((offset, content));
            sections.Add(new SnapshotSection(kind, part, false, offset, content.Length, Crc32C.Compute(content.Span)));
            end = offset + content.Length;
        }

        void AddBehind(SnapshotSectionKind kind, int part, ReadOnlyMemory<byte> content)
        {
            long offset = SnapshotFormat.Align(end);
            WritePadded(file, end, offset, content.Span);
            sections.Add(new SnapshotSection(kind, part, false, offset, content.Length, Crc32C.Compute(content.Span)));
            end = offset + content.Length;
        }
    }

    private static SnapshotPartSections[] PartsOf(List<SnapshotSection> sections, int count)
    {
        var parts = new SnapshotPartSections[count];
        foreach (SnapshotSection section in sections) parts[section.Part].TryAdd(section);
        return parts;
    }

    private async ValueTask<long> WriteDataAsync(IStoreFile file, SnapshotContent part, long offset, SnapshotPageTable pages, WritebackPace pace, IProgress<SnapshotProgress>? progress, CancellationToken cancellationToken)
    {
        Action<long>? report = progress is null ? null : written => progress.Report(new SnapshotProgress(part.Name, part.Items, written));
        using var output = new SnapshotOutput(file, offset, pages, cancellationToken, report, inBackground, pace);
        await part.WriteAsync(output, _limits, cancellationToken).ConfigureAwait(false);
        output.Flush();
        report?.Invoke(output.LengthBytes);
        return output.LengthBytes;
    }

    /// <summary>Writes a section with the zeros before it. An empty one leaves the file as long as its last section says.</summary>
    private static void WritePadded(IStoreFile file, long end, long offset, ReadOnlySpan<byte> content)
    {
        int padding = (int)(offset - end);
        Span<byte> zeros = stackalloc byte[SnapshotFormat.Alignment];
        zeros.Clear();
        if (content.Length <= 64 * 1024)
        {
            byte[] bytes = new byte[padding + content.Length];
            content.CopyTo(bytes.AsSpan(padding));
            file.Write(bytes, end);
            return;
        }

        file.Write(zeros[..padding], end);
        file.Write(content, offset);
    }

    /// <summary>
    /// Takes away a snapshot whose publication failed after it had its name: it is whole, but nobody may count on it. When that fails too, the file
    /// stays as a valid snapshot; the failure that led here is the one to report, and this one goes along as its data.
    /// </summary>
    private void Withdraw(string name, Exception failure)
    {
        try
        {
            foreach (StoreFileEntry entry in directory.List())
                if (entry.Name == name) directory.Delete(name);
        }
        catch (Exception second) when (second is IOException or ObjectDisposedException)
        {
            failure.Data[$"Could not remove '{name}'"] = second.Message;
        }
    }
}
