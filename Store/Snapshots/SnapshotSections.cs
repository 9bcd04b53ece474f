// Are the sections that describe the data what the header says: names, schemas and the zeros between sections?

using System.Text;
using Store.Framing;
using Store.Serialization;

namespace Store.Snapshots;

/// <summary>What the sections in front of the data say about one part.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Schema">The schema of its data.</param>
/// <param name="Events">Of an open state's snapshot, up to which sequence it holds each event; else null.</param>
internal readonly record struct SnapshotPartDescription(string Name, NinoSchema Schema, IReadOnlyDictionary<string, long>? Events);

internal static class SnapshotSections
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Verifies everything but data, page tables and item indexes of a file whose header has been verified, and reads the descriptions: a few bytes, whatever the file's size.</summary>
    /// <returns>Null and the descriptions, or what is wrong.</returns>
    public static SnapshotFailure? Check(SnapshotWindow window, SnapshotHeader header, out SnapshotPartDescription[] parts)
    {
        parts = [];
        window.FrontEnd = header.Parts.Min(static part => part.Data.Offset);
        long end = header.Size;
        foreach (SnapshotSection section in header.Sections)
        {
            int gap = (int)(section.Offset - end);
            if (gap > 0)
            {
                if (window.Look(end, gap, out ReadOnlySpan<byte> zeros) is { } unreadable) return unreadable;
                if (zeros.ContainsAnyExcept((byte)0))
                    return new SnapshotFailure(SnapshotFailureKind.PaddingDamaged, window.FileName, end, gap, $"The bytes before the section at offset {section.Offset} are not zero: the snapshot is damaged.");
            }

            end = section.EndOffset;
        }

        var found = new SnapshotPartDescription[header.Parts.Length];
        for (int i = 0; i < found.Length; i++)
        {
            SnapshotPartSections sections = header.Parts[i];
            string name = "";
            SnapshotFailure? failure = ReadSchema(window, sections.Schema, out NinoSchema? schema);
            if (failure is null && sections.HasName) failure = ReadName(window, sections.Name, i, out name);
            Dictionary<string, long>? events = null;
            if (failure is null && sections.HasEvents) failure = ReadEvents(window, sections.Events, i, out events);
            if (failure is not null) return failure;
            if (found.AsSpan(0, i).ContainsName(name)) return Fail(window, SnapshotFailureKind.HeaderDamaged, sections.Schema, $"Two parts are called '{name}'.");
            found[i] = new SnapshotPartDescription(name, schema!, events);
        }

        if (found[0].Schema.Fingerprint != header.SchemaFingerprint)
            return Fail(window, SnapshotFailureKind.SchemaDamaged, header.Parts[0].Schema, $"The schema has the fingerprint {found[0].Schema.Fingerprint:x16}, the header says {header.SchemaFingerprint:x16}.");
        parts = found;
        return null;
    }

    private static SnapshotFailure? ReadSchema(SnapshotWindow window, SnapshotSection section, out NinoSchema? schema)
    {
        schema = null;
        if (window.Look(section.Offset, (int)section.LengthBytes, out ReadOnlySpan<byte> bytes) is { } unreadable) return unreadable;
        if (Crc32C.Compute(bytes) != section.Checksum)
            return Fail(window, SnapshotFailureKind.SchemaDamaged, section, "The schema does not match its checksum: the snapshot is damaged.");
        try
        {
            schema = NinoSchema.Parse(bytes);
            return null;
        }
        catch (NinoSerializationException e)
        {
            return Fail(window, SnapshotFailureKind.SchemaDamaged, section, $"The schema cannot be read: {e.Message}") with { Cause = e };
        }
    }

    private static SnapshotFailure? ReadName(SnapshotWindow window, SnapshotSection section, int part, out string name)
    {
        name = "";
        if (window.Look(section.Offset, (int)section.LengthBytes, out ReadOnlySpan<byte> bytes) is { } unreadable) return unreadable;
        return Crc32C.Compute(bytes) == section.Checksum && TryDecode(bytes, out name) ? null
            : Fail(window, SnapshotFailureKind.HeaderDamaged, section, $"The name of part {part} does not verify: the snapshot is damaged.");
    }

    private static SnapshotFailure? ReadEvents(SnapshotWindow window, SnapshotSection section, int part, out Dictionary<string, long>? events)
    {
        events = null;
        if (window.Look(section.Offset, (int)section.LengthBytes, out ReadOnlySpan<byte> bytes) is { } unreadable) return unreadable;
        if (Crc32C.Compute(bytes) == section.Checksum) events = SnapshotEvents.TryDecode(bytes);
        return events is not null ? null : Fail(window, SnapshotFailureKind.HeaderDamaged, section, $"The names of the events of part {part} do not verify: the snapshot is damaged.");
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

    private static SnapshotFailure Fail(SnapshotWindow window, SnapshotFailureKind kind, SnapshotSection section, string message) => new(kind, window.FileName, section.Offset, section.LengthBytes, message);
}
