// One snapshot file, open for reading: mapped, its header, names and schemas verified, its data read and verified page by page before anybody sees it.
// Opening looks at these few bytes only, whatever the file's size. Format page: docs/formats/snapshot.md.

using Store.IO;
using Store.Serialization;
using Store.Threading;

namespace Store.Snapshots;

/// <summary>When the data of a snapshot is verified. Header, names and schemas are verified on opening in any case.</summary>
public enum SnapshotVerification
{
    /// <summary>Each page before its first byte is handed out: opening takes microseconds, whatever the size.</summary>
    OnFirstTouch,

    /// <summary>All pages on opening, on all processors.</summary>
    All,
}

/// <summary>
/// A snapshot file, mapped for reading, with or without the CLR type of its state. Never writes. Safe for any number of threads. Bytes are lent to
/// callbacks and stay mapped while one runs, so nothing outlives the mapping: after disposing, every member that would look at them throws <see cref="ObjectDisposedException"/>.
/// Whatever is verified is read from the file first: a sector that the disk cannot read is a <see cref="StoreException"/> with file and offset, and no touch of the mapping.
/// </summary>
public sealed class SnapshotFile : IDisposable
{
    private readonly SnapshotBytes _bytes;
    private readonly SnapshotHeader _header;
    private readonly SnapshotPart[] _parts;
    private readonly string _folder;
    private readonly SnapshotInfo _info;
    private readonly Lock _lease = new();
    private int _readers;
    private bool _disposed;

    private SnapshotFile(SnapshotBytes bytes, SnapshotHeader header, SnapshotPartDescription[] descriptions, string folder)
    {
        _bytes = bytes;
        _header = header;
        _folder = folder;
        _parts = new SnapshotPart[descriptions.Length];
        for (int i = 0; i < descriptions.Length; i++) _parts[i] = new SnapshotPart(this, bytes, header.Parts[i], descriptions[i], header.PageSize);
        _info = new SnapshotInfo(bytes.FileName, header.Stamp.Sequence, header.Stamp.Time, header.FileLength, SnapshotPart.TypeNameOf(_parts[0].Schema, _parts[0].HasItems)) { SnapshotId = header.Stamp.SnapshotId };
    }

    /// <summary>Opens a snapshot by its path.</summary>
    /// <exception cref="IOException">The file cannot be opened.</exception>
    /// <exception cref="StoreCorruptException">It is damaged, or no snapshot.</exception>
    /// <exception cref="StoreException">The disk cannot read a place of it that opening looks at.</exception>
    /// <exception cref="StoreVersionException">A newer NinoStore wrote it.</exception>
    public static SnapshotFile Open(string path, SnapshotVerification verification = SnapshotVerification.OnFirstTouch)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        string full = Path.GetFullPath(path);
        using DiskDirectory directory = DiskDirectory.OpenReadOnly(Path.GetDirectoryName(full) ?? throw new ArgumentException($"'{path}' is not the path of a file.", nameof(path)));
        return Open(directory, Path.GetFileName(full), verification);
    }

    /// <summary>Opens a snapshot of a folder.</summary>
    /// <inheritdoc cref="Open(string, SnapshotVerification)"/>
    public static SnapshotFile Open(IStoreDirectory directory, string fileName, SnapshotVerification verification = SnapshotVerification.OnFirstTouch)
    {
        ArgumentNullException.ThrowIfNull(directory);
        return TryOpen(SnapshotBytes.Open(directory, fileName), directory.Name, verification, out SnapshotFailure? failure) ?? throw failure!.ToException(directory.Name);
    }

    /// <summary>Opens a snapshot of a folder; what is wrong with it is a value.</summary>
    /// <returns>The snapshot, or null and the failure.</returns>
    /// <exception cref="FileNotFoundException">There is no such file.</exception>
    public static SnapshotFile? TryOpen(IStoreDirectory directory, string fileName, SnapshotVerification verification, out SnapshotFailure? failure)
    {
        ArgumentNullException.ThrowIfNull(directory);
        try
        {
            return TryOpen(SnapshotBytes.Open(directory, fileName), directory.Name, verification, out failure);
        }
        catch (IOException e) when (e is not FileNotFoundException)
        {
            failure = new SnapshotFailure(SnapshotFailureKind.Unreadable, fileName, 0, 0, $"The snapshot cannot be read: {e.Message}") { Cause = e };
            return null;
        }
    }

    /// <summary>File, sequence, time, length and type.</summary>
    public SnapshotInfo Info => Live(_info);

    /// <summary>Order among snapshots of the same sequence: 1, 2, …</summary>
    public long Generation => Live(_header.Stamp.Generation);

    /// <summary>The store it belongs to.</summary>
    public Guid StoreId => Live(_header.Stamp.StoreId);

    /// <summary>Random number of this file; stays when the file is copied or renamed.</summary>
    public ulong SnapshotId => Live(_header.Stamp.SnapshotId);

    /// <summary>Unit in which the data is verified, in bytes.</summary>
    public int PageSizeBytes => Live(_header.PageSize);

    /// <summary>What lies where, in file order.</summary>
    public IReadOnlyList<SnapshotSection> Sections => Live(Array.AsReadOnly(_header.Sections));

    /// <summary>Its parts, in the order they were written; one without a name for a state's snapshot.</summary>
    public IReadOnlyList<SnapshotPart> Parts => Live(Array.AsReadOnly(_parts));

    /// <summary>A part by its name.</summary>
    /// <exception cref="KeyNotFoundException">There is none of that name.</exception>
    public SnapshotPart Part(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return Live(Array.Find(_parts, part => part.Name == name))
            ?? throw new KeyNotFoundException($"'{_info.FileName}' has no part '{name}', but {string.Join(", ", _parts.Select(part => $"'{part.Name}'"))}.");
    }

    /// <summary>The description of the first part, enough to decode it without its CLR type.</summary>
    public NinoSchema Schema => Live(_parts[0].Schema);

    /// <summary>Length of the first part in bytes.</summary>
    public long DataLengthBytes => Live(_parts[0].DataLengthBytes);

    /// <summary>Lends bytes of the first part's data: <see cref="SnapshotPart.UseData"/>.</summary>
    /// <inheritdoc cref="SnapshotPart.UseData"/>
    public TResult UseData<TArgument, TResult>(long offset, int lengthBytes, TArgument argument, Func<ReadOnlySpan<byte>, TArgument, TResult> use) => _parts[0].UseData(offset, lengthBytes, argument, use);

    /// <summary>Verifies everything that was not verified before, and goes on behind what is damaged.</summary>
    /// <returns>The places that are damaged or that the disk cannot read, neighbouring pages as one; empty when the snapshot is whole.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public IReadOnlyList<StoreDamage> Verify(CancellationToken cancellationToken = default)
    {
        IReadOnlyList<SnapshotFailure> failures = FindAllDamage(0, cancellationToken);
        if (failures.Count > 0) DamageMet?.Invoke(SnapshotFailure.Worst(failures));
        return [.. failures.Select(static failure => failure.ToDamage())];
    }

    /// <summary>Decodes the first part, after verifying all of its bytes.</summary>
    /// <inheritdoc cref="SnapshotPart.Read{T}"/>
    public T Read<T>() => _parts[0].Read<T>();

    /// <summary>Unmaps the file; when another thread is inside a member, as soon as it leaves.</summary>
    public void Dispose()
    {
        using (Uninterrupted.Enter(_lease))
        {
            if (_disposed) return;
            _disposed = true;
            if (_readers > 0) return;
        }

        _bytes.Dispose();
    }

    /// <summary>As in <see cref="Info"/>, also when the file is closed: for messages.</summary>
    internal string FileName => _info.FileName;

    /// <summary>The mark of the last record that it covers.</summary>
    internal RecordTie Tie => _header.Stamp.Tie;

    internal SnapshotPart FirstPart => _parts[0];

    /// <summary>Told of damage that is met in reading, on the thread that meets it; whoever sets it does so before others see the file. Null for nobody.</summary>
    internal Action<SnapshotFailure>? DamageMet { get; set; }

    /// <summary>What is thrown for a failure that reading has met.</summary>
    internal StoreException Failed(SnapshotFailure failure)
    {
        if (!failure.IsOfProgram) DamageMet?.Invoke(failure);
        return failure.ToException(_folder);
    }

    /// <summary>As <see cref="Verify(CancellationToken)"/>, from a part on.</summary>
    internal IReadOnlyList<SnapshotFailure> FindAllDamage(int firstPart, CancellationToken cancellationToken)
    {
        using Lease lease = Use();
        return [.. _parts.Skip(firstPart).SelectMany(part => part.Verify(null, cancellationToken))];
    }

    /// <summary>True when a damaged place lies in another part than the first: the first may be whole all the same.</summary>
    internal bool IsBesideFirstPart(StoreDamage damage) => Array.Exists(_header.Sections, section => section.Part != 0 && damage.Offset >= section.Offset && damage.Offset < section.EndOffset);

    /// <summary>True when every byte of it has been read and verified since it was opened.</summary>
    internal bool IsVerified => Array.TrueForAll(_parts, static part => part.IsVerified);

    /// <summary>Verifies every part, on all processors.</summary>
    /// <returns>The damage that comes first: of item indexes, then of the data in the order of the file.</returns>
    internal SnapshotFailure? FindAnyDamage()
    {
        using Lease lease = Use();
        return SnapshotCheck.FindFirstDamage(_parts, _header.PageSize);
    }

    /// <summary>Keeps the file mapped until the result is disposed.</summary>
    /// <exception cref="ObjectDisposedException">The file is closed.</exception>
    internal Lease Use()
    {
        lock (_lease)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            _readers++;
        }

        return new Lease(this);
    }

    // Takes the bytes over.
    private static SnapshotFile? TryOpen(SnapshotBytes bytes, string folder, SnapshotVerification verification, out SnapshotFailure? failure)
    {
        SnapshotFile? snapshot = null;
        try
        {
            using var window = new SnapshotWindow(bytes);
            failure = SnapshotHeader.Read(window, out SnapshotHeader? header);
            if (failure is not null) return null;
            failure = SnapshotSections.Check(window, header!, out SnapshotPartDescription[] parts);
            if (failure is not null) return null;

            var candidate = new SnapshotFile(bytes, header!, parts, folder);
            if (verification == SnapshotVerification.All) failure = candidate.FindAnyDamage();
            return snapshot = failure is null ? candidate : null;
        }
        finally
        {
            if (snapshot is null) bytes.Dispose();
        }
    }

    private T Live<T>(T value)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed), this);
        return value;
    }

    private void Release()
    {
        using (Uninterrupted.Enter(_lease))
        {
            if (--_readers > 0 || !_disposed) return;
        }

        _bytes.Dispose();
    }

    internal readonly struct Lease(SnapshotFile file) : IDisposable
    {
        public void Dispose() => file.Release();
    }
}
