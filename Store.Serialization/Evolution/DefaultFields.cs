namespace Store.Serialization.Evolution;

/// <summary>The values that a new object of a type has before any member is set: what members get that older records lack.</summary>
internal static class DefaultFields
{
    /// <summary>By field: its bytes; all null where the type says nothing, or where its constructor refuses default arguments. Then the zero of its type is meant.</summary>
    public static byte[]?[] Of(ObjectDefinition type)
    {
        byte[]?[] fields = new byte[]?[type.Fields.Count];
        if (type.DefaultBody is null || Create(type.DefaultBody) is not { } body) return fields;
        var reader = new NinoReader(body);
        for (int i = 0; i < fields.Length; i++)
        {
            int start = reader.Position;
            RecordWalker.Skip(ref reader, type.Fields[i].Node);
            fields[i] = body[start..reader.Position];
        }

        return fields;
    }

    private static byte[]? Create(Func<byte[]> body)
    {
        try
        {
            return body();
        }
        catch (Exception error) when (error is not (OutOfMemoryException or MissingMemberException or TypeLoadException))
        {
            // A constructor may refuse null or 0 where a record would have given it something: that is no reason to refuse the records (docs/evolution.md, "defaults").
            return null;
        }
    }
}
