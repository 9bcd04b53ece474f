// Where in a record reading failed. Runs only after a failure: the hot path throws without a place.

namespace Store.Serialization;

internal static class RecordErrors
{
    /// <summary>The same failure with type name, member path and byte offset, found by walking the record once more by its schema.</summary>
    /// <param name="error">What reading threw.</param>
    /// <param name="schema">Schema of the record.</param>
    /// <param name="record">All bytes of the record.</param>
    /// <param name="position">How far reading came.</param>
    /// <param name="limits">The limits of reading.</param>
    public static NinoSerializationException Locate(NinoSerializationException error, NinoSchema schema, ReadOnlySpan<byte> record, int position, NinoLimits? limits = null) => throw new NotImplementedException();
}
