namespace Store.Serialization;

/// <summary>
/// Records of one schema cannot be read as another: a member changed in a way that no conversion covers (docs/evolution.md), or a required one is missing.
/// Known from the schemas alone, so it is thrown before any record is looked at.
/// </summary>
public sealed class NinoSchemaMismatchException : NinoSerializationException
{
    internal NinoSchemaMismatchException(string message) : base(message) { }

    /// <summary>Path of the member in the stored records, such as <c>Lines[].Price</c>; empty for the record itself.</summary>
    public required string StoredPath { get; init; }

    /// <summary>Path of the member in the type that is to be read; empty for the record itself.</summary>
    public required string OwnPath { get; init; }
}
