namespace Store.IO;

/// <summary>What may be a file's name in a <see cref="IStoreDirectory"/>: one path component, usable on every platform that the running one knows of.</summary>
internal static class StoreFileName
{
    private static readonly char[] Forbidden = [.. Path.GetInvalidFileNameChars(), '/', '\\', '\0'];

    /// <summary>Throws unless <paramref name="name"/> names a file in the folder itself.</summary>
    /// <exception cref="ArgumentException">The name is empty, a dot or two, or holds a separator or a character that file names cannot hold.</exception>
    public static void Validate(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        if (name is "." or ".." || name.AsSpan().IndexOfAny(Forbidden) >= 0)
            throw new ArgumentException($"'{name}' is not a file name: it must be one component without separators.", nameof(name));
    }
}
