// Are the sections that describe the data what the header says: schema, page table and the zeros between sections?

using Store.Framing;
using Store.IO;
using Store.Serialization;

namespace Store.Snapshots;

internal static class SnapshotSections
{
    /// <summary>Verifies everything but the data of a file whose header has been verified, and reads the schema.</summary>
    /// <returns>Null and the schema, or what is wrong.</returns>
    public static SnapshotFailure? Check(IStoreMapping mapping, SnapshotHeader header, string fileName, out NinoSchema? schema)
    {
        schema = null;
        long end = header.Size;
        foreach (SnapshotSection section in header.Sections)
        {
            if (mapping.Span(end, (int)(section.Offset - end)).ContainsAnyExcept((byte)0))
                return new SnapshotFailure(SnapshotFailureKind.PaddingDamaged, fileName, end, section.Offset - end, $"The bytes before the section at offset {section.Offset} are not zero: the snapshot is damaged.");
            end = section.EndOffset;
        }

        if (!Verifies(header.Schema, out ReadOnlySpan<byte> canonicalBytes))
            return Fail(SnapshotFailureKind.SchemaDamaged, header.Schema, "The schema does not match its checksum: the snapshot is damaged.");
        if (!Verifies(header.PageTable, out _))
            return Fail(SnapshotFailureKind.PageTableDamaged, header.PageTable, "The page table does not match its checksum: the snapshot is damaged.");

        try
        {
            schema = NinoSchema.Parse(canonicalBytes);
        }
        catch (NinoSerializationException e)
        {
            return Fail(SnapshotFailureKind.SchemaDamaged, header.Schema, $"The schema cannot be read: {e.Message}") with { Cause = e };
        }

        return schema.Fingerprint == header.SchemaFingerprint
            ? null
            : Fail(SnapshotFailureKind.SchemaDamaged, header.Schema, $"The schema has the fingerprint {schema.Fingerprint:x16}, the header says {header.SchemaFingerprint:x16}.");

        bool Verifies(SnapshotSection section, out ReadOnlySpan<byte> bytes)
        {
            bytes = mapping.Span(section.Offset, (int)section.LengthBytes);
            return Crc32C.Compute(bytes) == section.Checksum;
        }

        SnapshotFailure Fail(SnapshotFailureKind kind, SnapshotSection section, string message) => new(kind, fileName, section.Offset, section.LengthBytes, message);
    }
}
