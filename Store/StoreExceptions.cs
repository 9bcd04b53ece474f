// What can go wrong with a store, by cause. Every message names the file (and the offset where there is one) and says what to do.

using Store.Serialization;

namespace Store;

/// <summary>Base of the store's own failures.</summary>
public class StoreException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="message">What is wrong and what to do.</param>
    /// <param name="path">File or folder concerned.</param>
    /// <param name="innerException">The cause.</param>
    public StoreException(string message, string? path = null, Exception? innerException = null) : base(message, innerException) => Path = path;

    /// <summary>File or folder concerned.</summary>
    public string? Path { get; }

    /// <summary>Offset in the file in bytes, or -1 where none applies.</summary>
    public long Offset { get; init; } = -1;
}

/// <summary>Bytes that were once acknowledged as durable are damaged or missing, or a file is not what its name says. Nothing was changed.</summary>
public sealed class StoreCorruptException(string message, string? path = null, Exception? innerException = null) : StoreException(message, path, innerException);

/// <summary>The file was written by a newer version of NinoStore. Nothing was changed.</summary>
public sealed class StoreVersionException(string message, string? path = null) : StoreException(message, path);

/// <summary>The records asked for are no longer in the log: retention has removed them. Nothing is damaged.</summary>
public sealed class LogTruncatedException(string message, string? path, long firstSequence) : StoreException(message, path)
{
    /// <summary>The first sequence that is still in the log: reading may go on from there.</summary>
    public long FirstSequence { get; } = firstSequence;
}

/// <summary>
/// Another process, or another NinoStore in this one, has the store open for writing; of a store opened for reading only, it is written so fast that no two looks at its
/// files agreed.
/// </summary>
public sealed class StoreInUseException(string message, string? path = null, Exception? innerException = null) : StoreException(message, path, innerException);

/// <summary>The store is open for reading only, because that was asked for or its folder cannot be written, and a write was asked for; or there is nothing to read and nothing can be created. Nothing was changed.</summary>
public sealed class StoreReadOnlyException(string message, string? path = null, Exception? innerException = null) : StoreException(message, path, innerException);

/// <summary>
/// A write or sync failed earlier. The store accepts no more appends, because what reached the disk is unknown: <see cref="Exception.InnerException"/> is
/// the first failure. Dispose the store and open it again; opening verifies what is there. Disposing throws it as well when everything reached the disk and only
/// what says that the log was closed did not: then the message says so, and no record is lost.
/// </summary>
public sealed class StoreFailedException(string message, string? path, Exception innerException) : StoreException(message, path, innerException);

/// <summary>A record is larger than <see cref="NinoStoreOptions.MaxRecordSizeBytes"/>. Nothing was appended.</summary>
public sealed class RecordTooLargeException(string message) : StoreException(message)
{
    /// <param name="typeName">Its type.</param>
    /// <param name="recordBytes">Its length, where it was written to its end.</param>
    /// <param name="limitBytes">The limit.</param>
    internal static RecordTooLargeException Of(string typeName, long? recordBytes, int limitBytes) =>
        new($"A record of type '{typeName}'{(recordBytes is { } length ? $" has {length} bytes, which" : "")} exceeds the limit of {limitBytes} bytes (NinoStoreOptions.MaxRecordSizeBytes). Nothing was appended; raise the limit or split the record.");

    internal static RecordTooLargeException InBatch(string typeName, long recordBytes, int limitBytes) =>
        new($"A record of type '{typeName}' in the batch has {recordBytes} bytes, which exceeds the limit of {limitBytes} bytes (NinoStoreOptions.MaxRecordSizeBytes). Nothing was appended; raise the limit or split the record.");

    /// <summary>No option raises what several may have together.</summary>
    internal static RecordTooLargeException Several(string what, int limitBytes) => new($"The {what} exceeds the limit of {limitBytes} bytes. Nothing was appended; split it.");

    internal static RecordTooLargeException Batch(int limitBytes) => Several("batch", limitBytes);
}

/// <summary>Somebody else appended first: the record would not have got the sequence its writer expected. Nothing was appended; read what is new, decide again, and retry.</summary>
public sealed class SequenceConflictException(long expectedSequence, long nextSequence, string? path = null)
    : StoreException($"The record was to get sequence {expectedSequence}, but the next one is {nextSequence}. Nothing was appended.", path)
{
    /// <summary>The sequence the writer asked for.</summary>
    public long ExpectedSequence { get; } = expectedSequence;

    /// <summary>The sequence that the next record gets.</summary>
    public long NextSequence { get; } = nextSequence;
}

/// <summary>
/// Stored records of a type have a shape that cannot be read as the one the type has now (docs/evolution.md), or a snapshot holds a value that the type refuses (then <see cref="Exception.InnerException"/> is a
/// <see cref="NinoSerializationException"/>). Nothing is damaged: the program does not go with its data. The message names the members and says what to do.
/// </summary>
public sealed class SchemaMismatchException(string message, string? path = null, Exception? innerException = null) : StoreException(message, path, innerException);
