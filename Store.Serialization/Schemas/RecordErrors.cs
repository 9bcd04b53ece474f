// Where in a record reading failed. Runs only after a failure: the hot path throws without a place.

using Store.Serialization.Evolution;

namespace Store.Serialization;

internal static class RecordErrors
{
    /// <summary>The same failure with type name, member path and byte offset, found by walking the record once more by its schema.</summary>
    /// <param name="error">What reading threw; it, or what caused it, becomes the inner exception.</param>
    /// <param name="schema">Schema of the record.</param>
    /// <param name="record">All bytes of the record.</param>
    /// <param name="position">How far reading came: the place where the walk itself finds nothing wrong (a duplicate key, the depth limit).</param>
    /// <param name="limits">The limits of reading.</param>
    public static NinoSerializationException Locate(NinoSerializationException error, NinoSchema schema, ReadOnlySpan<byte> record, int position, NinoLimits? limits = null)
    {
        error.Stopped(position);
        (RecordPath? path, int offset) = error.IsUnfit ? FindUnfit(schema, ref error, record, limits) : Find(schema, record, error.ReadTo, limits);
        string memberPath = path?.ToString() ?? "";
        string place = memberPath.Length == 0 ? $"Record '{schema.Name}', byte {offset}" : $"Record '{schema.Name}', member {memberPath}, byte {offset}";
        return new NinoSerializationException($"{place}: {error.Message}", error.InnerException ?? error)
        {
            TypeName = schema.Name,
            MemberPath = memberPath.Length == 0 ? null : memberPath,
            ByteOffset = offset,
        };
    }

    /// <summary>The failure of a record that was rewritten from an older schema and then refused: the place in the stored record where its bytes are wrong; when they are right, the member of the type as it is now, and where in the stored record it is, or the nearest stored value that holds it.</summary>
    /// <param name="error">What reading what was rewritten threw.</param>
    /// <param name="mapper">What rewrote the record.</param>
    /// <param name="record">The stored record.</param>
    /// <param name="mapped">What it was rewritten as.</param>
    /// <param name="position">How far reading that came.</param>
    /// <param name="limits">The limits of reading.</param>
    public static NinoSerializationException LocateMapped(NinoSerializationException error, NinoRecordMapper mapper, ReadOnlySpan<byte> record, ReadOnlySpan<byte> mapped, int position, NinoLimits? limits)
    {
        var reader = new NinoReader(record, limits);
        try
        {
            RecordWalker.SkipRecord(ref reader, mapper.Stored.Root);
        }
        catch (NinoSerializationException)
        {
            return Locate(error, mapper.Stored, record, reader.Position, limits);
        }

        // Offsets of what was rewritten are none of the record's: the place is sought there by its path.
        RecordPath? own = Find(mapper.Own, mapped, position, limits).Path;
        string? memberPath = own?.ToString() is { Length: > 0 } found ? found : null;
        int offset = own is null ? 0 : StoredPlace.Find(mapper, own, record, limits);
        return new NinoSerializationException(
            $"Record '{mapper.Own.Name}', stored as schema {mapper.Stored.Fingerprint:x16}{(memberPath is null ? "" : $", member {memberPath} of the type as it is now")}, byte {offset} of what is stored: its bytes are whole, and the type refuses what they become. {error.Message}",
            error.InnerException ?? error)
        {
            TypeName = mapper.Own.Name,
            MemberPath = memberPath,
            ByteOffset = offset,
        };
    }

    /// <summary>
    /// False for a program that is put together wrongly or has no memory left. Everything else is about the record: bytes can be well formed and still be
    /// refused by the constructors, setters or key comparers of the user's types.
    /// </summary>
    public static bool IsAboutTheRecord(Exception error) => error is not (NinoTypeNotRegisteredException or OutOfMemoryException or MissingMemberException or TypeLoadException);

    /// <summary>The failure when code of the user's types threw while an object was made of the values read.</summary>
    public static NinoSerializationException Refused(Exception error) =>
        new($"A constructor, setter, callback or comparer of the type, or a codec of your own, refused what was read with {error.GetType().Name}: {error.Message}", error);

    // Nothing is wrong with the bytes up to there, unless something is: then that is what to tell.
    private static (RecordPath? Path, int Offset) FindUnfit(NinoSchema schema, ref NinoSerializationException error, ReadOnlySpan<byte> record, NinoLimits? limits)
    {
        var path = new RecordPath();
        var reader = new NinoReader(record, limits);
        try
        {
            RecordWalker.WalkRecord(ref reader, schema.Root, path, error.ReadTo);
        }
        catch (NinoSerializationException damage)
        {
            error = damage;
        }

        return (path, path.ValueStart);
    }

    private static (RecordPath? Path, int Offset) Find(NinoSchema schema, ReadOnlySpan<byte> record, int position, NinoLimits? limits)
    {
        var path = new RecordPath();
        var reader = new NinoReader(record, limits);
        try
        {
            RecordWalker.WalkRecord(ref reader, schema.Root, path, int.MaxValue);
        }
        catch (NinoSerializationException)
        {
            // What the walk stumbles over is what the codec stumbled over, only that the walk knows where it is.
            return (path, path.ValueStart);
        }

        // Bytes after a whole record.
        if (reader.Remaining > 0 && position >= reader.Position) return (null, position);

        path = new RecordPath();
        reader = new NinoReader(record, limits);
        RecordWalker.WalkRecord(ref reader, schema.Root, path, position);
        return (path, path.ValueStart);
    }
}
