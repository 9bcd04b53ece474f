// Why a snapshot cannot be used, as a value: choosing the newest valid snapshot looks at several files and must not throw for the damaged ones.

namespace Store.Snapshots;

/// <summary>What is wrong with a snapshot file.</summary>
public enum SnapshotFailureKind
{
    /// <summary>The operating system could not read it, or a place in it: a bad sector, mostly.</summary>
    Unreadable = 1,

    /// <summary>It does not start like a snapshot: another kind of file, or zeros.</summary>
    NotASnapshot,

    /// <summary>It is shorter or longer than its header says, or too short for a header.</summary>
    WrongLength,

    /// <summary>The header or section table does not verify.</summary>
    HeaderDamaged,

    /// <summary>A newer version of NinoStore wrote it.</summary>
    NewerVersion,

    /// <summary>The schema section does not verify.</summary>
    SchemaDamaged,

    /// <summary>The page table does not verify.</summary>
    PageTableDamaged,

    /// <summary>A page of the data section does not verify.</summary>
    DataDamaged,

    /// <summary>Bytes between two sections are not zero.</summary>
    PaddingDamaged,

    /// <summary>It belongs to another store.</summary>
    ForeignStore,

    /// <summary>It covers records that the log does not have.</summary>
    AheadOfLog,

    /// <summary>It holds another type, or a shape of the type that cannot be read as the one it has now.</summary>
    SchemaMismatch,

    /// <summary>The item index, or a directory of items, does not verify.</summary>
    ItemIndexDamaged,

    /// <summary>Every checksum is right, and the data still is no record of its schema.</summary>
    Undecodable,

    /// <summary>Every checksum is right and the data is a record of its schema, and the type it is to be read as refuses it: a constructor, setter, callback, comparer or codec of the program threw, or a value does not fit a member any more. Nothing is damaged.</summary>
    Refused,

    /// <summary>It covers a record that is another one in this log: the log lost its records and has grown others since, or the snapshot was put back without the log it belongs to.</summary>
    OtherHistory,
}

/// <summary>Why a snapshot file cannot be used.</summary>
/// <param name="Kind">The cause.</param>
/// <param name="FileName">The file, without its folder.</param>
/// <param name="Offset">Where in the file, in bytes.</param>
/// <param name="LengthBytes">Bytes concerned, as far as known.</param>
/// <param name="Message">What is wrong, and what to do.</param>
public sealed record SnapshotFailure(SnapshotFailureKind Kind, string FileName, long Offset, long LengthBytes, string Message)
{
    /// <summary>True when nothing is wrong with the file and the program's type does not go with it: told to the caller, who would otherwise lose what the file holds without a word.</summary>
    internal bool IsOfProgram => Kind is SnapshotFailureKind.SchemaMismatch or SnapshotFailureKind.Refused;

    /// <summary>True when the operating system could not read it this time: a bad sector stays, a network or a device comes back.</summary>
    internal bool MayPass => Kind == SnapshotFailureKind.Unreadable;

    /// <summary>True when nothing says that the file is damaged: it could not be read this time, or only a newer version can.</summary>
    internal bool MayBeWhole => Kind is SnapshotFailureKind.Unreadable or SnapshotFailureKind.NewerVersion;

    /// <summary>Of several, the first that does not pass; else the first.</summary>
    internal static SnapshotFailure Worst(IReadOnlyList<SnapshotFailure> failures) => failures.FirstOrDefault(static failure => !failure.MayPass) ?? failures[0];

    /// <summary>The exception behind it, or null.</summary>
    public Exception? Cause { get; init; }

    /// <summary>The same as an entry of <see cref="RecoveryReport.Damage"/>. A snapshot is published whole, so damage to one is never a torn tail.</summary>
    public StoreDamage ToDamage() => new(FileName, Offset, LengthBytes, StoreDamageKind.Corruption, Message) { SnapshotFailure = Kind };

    /// <summary>The same as an exception: <see cref="StoreVersionException"/>, <see cref="SchemaMismatchException"/>, <see cref="StoreException"/> around an I/O failure, with the offset of what cannot be read, else <see cref="StoreCorruptException"/>.</summary>
    /// <param name="folder">What messages call the folder.</param>
    public StoreException ToException(string folder)
    {
        string path = Path.Join(folder, FileName);
        string message = $"{path}: {Message}";
        return Kind switch
        {
            SnapshotFailureKind.NewerVersion => new StoreVersionException(message, path) { Offset = Offset },
            SnapshotFailureKind.SchemaMismatch or SnapshotFailureKind.Refused => new SchemaMismatchException(message, path, Cause) { Offset = Offset },
            SnapshotFailureKind.Unreadable => new StoreException(message, path, Cause) { Offset = LengthBytes > 0 ? Offset : -1 },
            _ => new StoreCorruptException(message, path, Cause) { Offset = Offset },
        };
    }
}
