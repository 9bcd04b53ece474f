using System.Buffers.Binary;
using System.Security.Cryptography;
using Microsoft.Extensions.Logging;
using Store.IO;
using Store.Reading;
using Store.Serialization;

namespace Store;

/// <summary>Settings of a <see cref="NinoStore"/>. Immutable; every value is checked when set.</summary>
public sealed record NinoStoreOptions
{
    /// <summary>Size of a segment file once the log has grown; the first segments are smaller. 64 KiB to 1 GiB. Default 64 MiB. No effect on durability.</summary>
    public int SegmentSizeBytes { get; init => field = Range(value, 64 * 1024, 1 << 30, nameof(SegmentSizeBytes)); } = 64 * 1024 * 1024;

    /// <summary>Size of a new store's first segment; each next one doubles up to <see cref="SegmentSizeBytes"/>. 4 KiB to 1 GiB. Default 1 MiB. No effect on durability.</summary>
    public int FirstSegmentSizeBytes { get; init => field = Range(value, 4096, 1 << 30, nameof(FirstSegmentSizeBytes)); } = 1024 * 1024;

    /// <summary>Largest record, in bytes. A larger one is refused with <see cref="RecordTooLargeException"/>. 1 to 256 MiB. Default 16 MiB. No effect on durability.</summary>
    public int MaxRecordSizeBytes { get; init => field = Range(value, 1, 256 * 1024 * 1024, nameof(MaxRecordSizeBytes)); } = 16 * 1024 * 1024;

    /// <summary>
    /// How deep objects of recursive types may nest in what is written: records, states, snapshots, keys and values of keyed state. 1 to 1,000. Default 64. A deeper one is a <see cref="NinoSerializationException"/>, and so is one that contains itself.
    /// Reading has no such setting: 1,000 levels are read whatever wrote them, as far as the stack of the thread goes, so that neither another program nor a tool needs to know it (views alone move over 64). No effect on durability.
    /// </summary>
    public int MaxDepth
    {
        get;
        init
        {
            field = Range(value, 1, NinoLimits.DepthMax, nameof(MaxDepth));
            RecordLimits = new NinoLimits { MaxDepth = field };
            SnapshotLimits = StoredLimits.Default with { MaxDepth = field };
        }
    } = NinoLimits.Default.MaxDepth;

    /// <summary>The bounds of writing a record; its size is bounded by the buffer it is written to.</summary>
    internal NinoLimits RecordLimits { get; private init; } = NinoLimits.Default;

    /// <summary>The bounds of writing a value of a snapshot.</summary>
    internal NinoLimits SnapshotLimits { get; private init; } = StoredLimits.Default with { MaxDepth = NinoLimits.Default.MaxDepth };

    /// <summary>Memory for appended bytes on their way to the file, and for who waits for them, at 128 bytes each; when it is full, appends wait for the disk. 256 KiB to 1 GiB. Default 16 MiB. No effect on durability.</summary>
    public int BufferSizeBytes { get; init => field = Range(value, 256 * 1024, 1 << 30, nameof(BufferSizeBytes)); } = 16 * 1024 * 1024;

    /// <summary>How long an append that nobody commits stays in the process's memory before it is written to the operating system; longer while a sync is under way, or a wait for more commits (<see cref="CommitDelayMs"/>): one write comes after the other. 1 to 60,000 ms. Default 10 ms. This is what <see cref="Durability.Memory"/> appends can lose to a killed process.</summary>
    public int FlushIntervalMs { get; init => field = Range(value, 1, 60_000, nameof(FlushIntervalMs)); } = 10;

    /// <summary>
    /// How long a sync may be held back so that more waiters join it, when at least two wait for the disk already; one that waits alone never waits for a timer, and <see cref="NinoStore.Commit"/>, which
    /// syncs by itself, takes along who waits. 0 to 1,000 ms. Default 0: a sync begins when the one before it ends. Fewer syncs for later answers; no effect on what is durable when a call returns.
    /// </summary>
    public int CommitDelayMs { get; init => field = Range(value, 0, 1000, nameof(CommitDelayMs)); }

    /// <summary>So many bytes not yet written end the delay of <see cref="CommitDelayMs"/>. 1 to 1 GiB. Default 1 MiB.</summary>
    public int CommitBytes { get; init => field = Range(value, 1, 1 << 30, nameof(CommitBytes)); } = 1024 * 1024;

    /// <summary>What <c>AppendAsync</c>, <c>AppendBatchAsync</c>, <c>ApplyAsync</c>, the asynchronous changes of keyed state and the flushes of <c>OpenPipe</c> wait for; commits and checkpoints always wait for the disk. Default <see cref="Durability.Disk"/>.</summary>
    public Durability Durability { get; init => field = Enum.IsDefined(value) ? value : throw new ArgumentOutOfRangeException(nameof(Durability), value, "Not a durability level."); } = Durability.Disk;

    /// <summary>What opening does about bytes that do not verify. Default <see cref="RecoveryMode.TruncateTorn"/>.</summary>
    public RecoveryMode Recovery { get; init => field = Enum.IsDefined(value) ? value : throw new ArgumentOutOfRangeException(nameof(Recovery), value, "Not a recovery mode."); } = RecoveryMode.TruncateTorn;

    /// <summary>
    /// Opens for reading only: no lock is taken, nothing is changed, and every member that would change something throws <see cref="StoreReadOnlyException"/>. Somebody else may write the store
    /// meanwhile: what was there when it was opened is read. Default false; a folder that cannot be written is opened so in any case (<see cref="NinoStore.IsReadOnly"/>).
    /// </summary>
    public bool ReadOnly { get; init; }

    /// <summary>How many whole snapshots of each type are kept, at least. 2 to 1,000. Default 2: when the newest is damaged, the one before still restores.</summary>
    public int SnapshotGenerations { get; init => field = Range(value, 2, 1000, nameof(SnapshotGenerations)); } = 2;

    /// <summary>Which old records may be removed, whenever a segment is begun, when a log is opened whose last segment is complete, and by time where it has an age. Default null: none. Records that go are gone; no effect on the durability of the others.</summary>
    public RetentionPolicy? Retention { get; init; }

    /// <summary>Snapshots younger than this are kept as well, however many, and with them the log behind them. Zero (default) or more. Age is by <see cref="TimeProvider"/>; what a clock that is set can and cannot do, docs/formats/snapshot.md says ("keeping").</summary>
    public TimeSpan SnapshotKeepFor { get; init => field = value >= TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(SnapshotKeepFor), value, "Zero or more."); }

    /// <summary>The clock of record times; and of what is done by time: delays of commits, retention, automatic checkpoints, commits of an import. Default the system's.</summary>
    public TimeProvider TimeProvider { get; init => field = value ?? throw new ArgumentNullException(nameof(TimeProvider)); } = TimeProvider.System;

    /// <summary>Where recovery and background failures are logged. Default nowhere.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>Opens the store on these files instead of a folder of the disk: for tests and simulators.</summary>
    public IStoreDirectory? Directory { get; init; }

    /// <summary>Runs the flusher on the calling thread, so that a simulator sees every operation in one order. One thread only.</summary>
    internal bool RunsInline { get; init; }

    /// <summary>Gives the random ids of files.</summary>
    internal Func<ulong> NewId { get; init; } = static () => BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8));

    private static int Range(int value, int min, int max, string name) =>
        value >= min && value <= max ? value : throw new ArgumentOutOfRangeException(name, value, $"{name} must be from {min} to {max}.");
}
