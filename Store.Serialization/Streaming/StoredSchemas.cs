namespace Store.Serialization.Streaming;

/// <summary>The schemas that stood in front of records, by their bytes, so that each is parsed once. Safe for any number of threads.</summary>
/// <param name="own">The program's schema: by far the most frequent.</param>
internal sealed class StoredSchemas(NinoSchema own)
{
    // Few are looked through for every record; bytes from elsewhere may bring any number.
    private const int MaxKept = 16;
    private const long MaxBytes = 2 << 20;

    private NinoSchema[] _known = [own];

    /// <exception cref="NinoSerializationException">The bytes are no schema.</exception>
    public NinoSchema Of(ReadOnlySpan<byte> canonicalBytes)
    {
        NinoSchema[] known = Volatile.Read(ref _known);
        foreach (NinoSchema schema in known)
        {
            if (schema.CanonicalBytes.Span.SequenceEqual(canonicalBytes)) return schema;
        }

        return Keep(NinoSchema.Parse(canonicalBytes), known);
    }

    // Apart: what its lambda captures is allocated where the method begins.
    private NinoSchema Keep(NinoSchema parsed, NinoSchema[] known)
    {
        long bytes = parsed.CanonicalBytes.Length;
        Volatile.Write(ref _known, [own, parsed, .. known.Skip(1).Take(MaxKept - 2).TakeWhile(schema => (bytes += schema.CanonicalBytes.Length) <= MaxBytes)]);
        return parsed;
    }
}
