// Are the sections that describe the data what the header says: names, schemas and the zeros between sections?

using System.Text;
using Store.Framing;
using Store.IO;
using Store.Serialization;

namespace Store.Snapshots;

/// <summary>What the sections in front of the data say about one part.</summary>
internal readonly record struct SnapshotPartDescription(string Name, NinoSchema Schema);

internal static class SnapshotSections
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Verifies everything but data, page tables and item indexes of a file whose header has been verified, and reads the descriptions: a few bytes, whatever the file's size.</summary>
    /// <returns>Null and the descriptions, or what is wrong.</returns>
    public static SnapshotFailure? Check(IStoreMapping mapping, SnapshotHeader header, string fileName, out SnapshotPartDescription[] parts)
    {
        parts = [];
        long end = header.Size;
        foreach (SnapshotSection section in header.Sections)
        {
            if (mapping.Span(end, (int)(section.Offset - end)).ContainsAnyExcept((byte)0))
                return new SnapshotFailure(SnapshotFailureKind.PaddingDamaged, fileName, end, section.Offset - end, $"The bytes before the section at offset {section.Offset} are not zero: the snapshot is damaged.");
            end = section.EndOffset;
        }

        var found = new SnapshotPartDescription[header.Parts.Length];
        for (int i = 0; i < found.Length; i++)
        {
            SnapshotPartSections sections = header.Parts[i];
            if (ReadSchema(mapping, sections.Schema, fileName, out NinoSchema? schema) is { } failure) return failure;
            string name = "";
            if (sections.HasName)
            {
                if (!Verifies(mapping, sections.Name, out ReadOnlySpan<byte> bytes) || !TryDecode(bytes, out name))
                    return Fail(fileName, SnapshotFailureKind.HeaderDamaged, sections.Name, $"The name of part {i} does not verify: the snapshot is damaged.");
            }

            if (found.AsSpan(0, i).ContainsName(name)) return Fail(fileName, SnapshotFailureKind.HeaderDamaged, sections.Schema, $"Two parts are called '{name}'.");
            found[i] = new SnapshotPartDescription(name, schema!);
        }

        if (found[0].Schema.Fingerprint != header.SchemaFingerprint)
            return Fail(fileName, SnapshotFailureKind.SchemaDamaged, header.Parts[0].Schema, $"The schema has the fingerprint {found[0].Schema.Fingerprint:x16}, the header says {header.SchemaFingerprint:x16}.");
        parts = found;
        return null;
    }

    private static SnapshotFailure? ReadSchema(IStoreMapping mapping, SnapshotSection section, string fileName, out NinoSchema? schema)
    {
        schema = null;
        if (!Verifies(mapping, section, out ReadOnlySpan<byte> bytes))
            return Fail(fileName, SnapshotFailureKind.SchemaDamaged, section, "The schema does not match its checksum: the snapshot is damaged.");
        try
        {
            schema = NinoSchema.Parse(bytes);
            return null;
        }
        catch (NinoSerializationException e)
        {
            return Fail(fileName, SnapshotFailureKind.SchemaDamaged, section, $"The schema cannot be read: {e.Message}") with { Cause = e };
        }
    }

    private static bool TryDecode(ReadOnlySpan<byte> bytes, out string name)
    {
        name = "";
        if (!System.Text.Unicode.Utf8.IsValid(bytes)) return false;
        name = Utf8.GetString(bytes);
        return true;
    }

    private static bool ContainsName(this Span<SnapshotPartDescription> parts, string name)
    {
        foreach (SnapshotPartDescription part in parts)
            if (part.Name == name) return true;
        return false;
    }

    private static bool Verifies(IStoreMapping mapping, SnapshotSection section, out ReadOnlySpan<byte> bytes)
    {
        bytes = mapping.Span(section.Offset, (int)section.LengthBytes);
        return Crc32C.Compute(bytes) == section.Checksum;
    }

    private static SnapshotFailure Fail(string fileName, SnapshotFailureKind kind, SnapshotSection section, string message) => new(kind, fileName, section.Offset, section.LengthBytes, message);
}
