// How does a state become a snapshot file that is there whole or not at all? Streamed into a temporary file, its header last; synced; renamed; the
// folder synced. Format page: docs/formats/snapshot.md.

using System.Buffers;
using Store.Framing;
using Store.IO;
using Store.Serialization;

namespace Store.Snapshots;

/// <summary>Writes snapshots of one folder. Not thread-safe: one at a time.</summary>
/// <param name="directory">The folder.</param>
/// <param name="pageSize">Unit in which data is verified, in bytes.</param>
/// <param name="limits">Bounds of the serialized state.</param>
internal sealed class SnapshotWriter(IStoreDirectory directory, int pageSize = SnapshotFormat.DefaultPageSize, NinoLimits? limits = null)
{
    private const int SectionCount = 3;

    private readonly NinoLimits _limits = limits ?? NinoLimits.Default;

    /// <summary>Writes a snapshot and publishes it. Durable on return. When anything fails, or the token is cancelled before the file is complete, nothing is left behind.</summary>
    /// <exception cref="IOException">Writing failed; snapshots written before are not affected.</exception>
    /// <exception cref="NinoSerializationException">The state has no encoding or exceeds a limit.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public SnapshotInfo Publish<T>(NinoCodec<T> codec, in T state, SnapshotStamp stamp, CancellationToken cancellationToken)
    {
        string name = new SnapshotName(stamp.Sequence, stamp.Generation).ToString();
        T captured = state;
        long length = 0;
        try
        {
            AtomicFile.Publish(directory, name, file =>
            {
                length = WriteFile(file, codec, in captured, stamp, cancellationToken).FileLength;
                cancellationToken.ThrowIfCancellationRequested();
            });
        }
        catch (Exception failure)
        {
            Withdraw(name, failure);
            throw;
        }

        return new SnapshotInfo(name, stamp.Sequence, stamp.Time, length, codec.Schema.Name);
    }

    /// <summary>Writes the whole file, nothing synced: data first, then page table, then everything before the data.</summary>
    internal SnapshotHeader WriteFile<T>(IStoreFile file, NinoCodec<T> codec, in T state, SnapshotStamp stamp, CancellationToken cancellationToken)
    {
        NinoSchema schema = codec.Schema;
        ReadOnlySpan<byte> schemaBytes = schema.CanonicalBytes.Span;
        long schemaOffset = SnapshotFormat.HeaderSizeOf(SectionCount);
        long dataOffset = SnapshotFormat.Align(schemaOffset + schemaBytes.Length);

        var pages = new SnapshotPageTable(pageSize);
        long dataLength = WriteData(file, codec, in state, dataOffset, pages, cancellationToken);
        ReadOnlySpan<byte> table = pages.Finish();
        long tableOffset = SnapshotFormat.Align(dataOffset + dataLength);
        WriteTable(file, dataOffset + dataLength, tableOffset, table);

        var header = new SnapshotHeader
        {
            Stamp = stamp,
            FileLength = tableOffset + table.Length,
            SchemaFingerprint = schema.Fingerprint,
            PageSize = pageSize,
            Sections =
            [
                new SnapshotSection(SnapshotSectionKind.Schema, 0, false, schemaOffset, schemaBytes.Length, Crc32C.Compute(schemaBytes)),
                new SnapshotSection(SnapshotSectionKind.Data, 0, false, dataOffset, dataLength, 0),
                new SnapshotSection(SnapshotSectionKind.PageTable, 0, false, tableOffset, table.Length, Crc32C.Compute(table)),
            ],
        };

        var front = new byte[dataOffset];
        header.Encode(front);
        schemaBytes.CopyTo(front.AsSpan((int)schemaOffset));
        file.Write(front, 0);
        return header;
    }

    private long WriteData<T>(IStoreFile file, NinoCodec<T> codec, in T state, long offset, SnapshotPageTable pages, CancellationToken cancellationToken)
    {
        using var output = new SnapshotOutput(file, offset, pages, cancellationToken);
        var writer = new NinoWriter(output, _limits);
        codec.WriteRecord(ref writer, in state);
        writer.Flush();

        // The writer checks its limit when a span is full, so a state can end just above it; such a one could not be read back.
        if (output.LengthBytes > _limits.MaxRecordBytes)
            throw new NinoSerializationException($"The state of type '{codec.Schema.Name}' is larger than the limit of {_limits.MaxRecordBytes} bytes.") { TypeName = codec.Schema.Name };
        output.Flush();
        return output.LengthBytes;
    }

    /// <summary>Writes the zeros after the data and the table. An empty table leaves the file as long as its last section says.</summary>
    private static void WriteTable(IStoreFile file, long dataEnd, long tableOffset, ReadOnlySpan<byte> table)
    {
        int padding = (int)(tableOffset - dataEnd);
        byte[] buffer = ArrayPool<byte>.Shared.Rent(padding + table.Length);
        try
        {
            Span<byte> bytes = buffer.AsSpan(0, padding + table.Length);
            bytes[..padding].Clear();
            table.CopyTo(bytes[padding..]);
            file.Write(bytes, dataEnd);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
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
        catch (IOException second)
        {
            failure.Data[$"Could not remove '{name}'"] = second.Message;
        }
    }
}
