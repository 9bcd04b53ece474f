// Where was replaying when code of the program threw? Its exception stays what it is, and says at which record it came: without that nobody finds the record.

namespace Store.Reading;

/// <summary>Notes a record on an exception of the program's own.</summary>
internal static class ReplayPlace
{
    /// <summary>The keys in <see cref="Exception.Data"/>: a <see cref="long"/> and the name of a schema.</summary>
    public const string Sequence = "NinoStore.Sequence", RecordType = "NinoStore.RecordType";

    /// <summary>For a filter of a catch, so that the exception comes from where it was thrown: always false. What the store throws names its place itself.</summary>
    public static bool Note(Exception exception, long sequence, string type)
    {
        if (exception is StoreException or OperationCanceledException) return false;
        exception.Data[Sequence] = sequence;
        exception.Data[RecordType] = type;
        return false;
    }
}
