// One snapshot file, open for reading: mapped, its header, schema and page table verified, its data verified page by page before anybody sees it.
// Opening looks at the header, the schema and four bytes for each 64 KiB of data. Format page: docs/formats/snapshot.md.

using Store.IO;
using Store.Serialization;

namespace Store.Snapshots;

/// <summary>When the data of a snapshot is verified. Header, schema and page table are verified on opening in any case.</summary>
public enum SnapshotVerification
{
    /// <summary>Each page before its first byte is handed out: opening takes microseconds, whatever the size.</summary>
    OnFirstTouch,

    /// <summary>All pages on opening.</summary>
    All,
}

/// <summary>
/// A snapshot file, mapped for reading, with or without the CLR type of its state. Never writes. Safe for any number of threads; spans it hands
/// out are valid until it is disposed, and after that every member throws <see cref="ObjectDisposedException"/>.
/// </summary>
public sealed class SnapshotFile : IDisposable
{
    private readonly IStoreMapping _mapping;
    private readonly SnapshotHeader _header;
    private readonly SnapshotPages _pages;
    private readonly string _folder;
    private readonly SnapshotInfo _info;
    private readonly NinoSchema _schema;
    private readonly Lock _lease = new();
    private int _readers;
    private bool _disposed;

    private SnapshotFile(IStoreMapping mapping, SnapshotHeader header, NinoSchema schema, string folder, string fileName)
    {
        _mapping = mapping;
        _header = header;
        _schema = schema;
        _folder = folder;
        _pages = new SnapshotPages(mapping, header);
        _info = new SnapshotInfo(fileName, header.Stamp.Sequence, header.Stamp.Time, header.FileLength, schema.Name);
    }

    /// <summary>Opens a snapshot by its path.</summary>
    /// <exception cref="IOException">The file cannot be opened.</exception>
    /// <exception cref="StoreCorruptException">It is damaged, or no snapshot.</exception>
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
        using IStoreFile file = directory.OpenRead(fileName);
        return TryOpen(file, directory.Name, verification, out SnapshotFailure? failure) ?? throw failure!.ToException(directory.Name);
    }

    /// <summary>Opens a snapshot of a folder; what is wrong with it is a value.</summary>
    /// <returns>The snapshot, or null and the failure.</returns>
    /// <exception cref="FileNotFoundException">There is no such file.</exception>
    public static SnapshotFile? TryOpen(IStoreDirectory directory, string fileName, SnapshotVerification verification, out SnapshotFailure? failure)
    {
        ArgumentNullException.ThrowIfNull(directory);
        try
        {
            using IStoreFile file = directory.OpenRead(fileName);
            return TryOpen(file, directory.Name, verification, out failure);
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

    /// <summary>The description of the state, enough to decode it without its CLR type.</summary>
    public NinoSchema Schema => Live(_schema);

    /// <summary>Length of the state in bytes: one record of <see cref="Schema"/>.</summary>
    public long DataLengthBytes => Live(_header.Data.LengthBytes);

    /// <summary>Bytes of the state, verified. Valid until this is disposed: the caller must not dispose it while it uses the span.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The range is not inside the data.</exception>
    /// <exception cref="StoreCorruptException">A page of the range is damaged.</exception>
    public ReadOnlySpan<byte> GetData(long offset, int lengthBytes)
    {
        using Lease lease = Use();
        SnapshotSection data = _header.Data;
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        ArgumentOutOfRangeException.ThrowIfNegative(lengthBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(offset, data.LengthBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(lengthBytes, data.LengthBytes - offset);
        if (FindDamage(offset, lengthBytes) is { } failure) throw failure.ToException(_folder);
        return _mapping.Span(data.Offset + offset, lengthBytes);
    }

    /// <summary>Verifies all data.</summary>
    /// <returns>The damaged places, neighbouring pages as one; empty when the snapshot is whole.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public IReadOnlyList<StoreDamage> Verify(CancellationToken cancellationToken = default)
    {
        using Lease lease = Use();
        var damage = new List<StoreDamage>();
        for (long page = 0; page < _pages.Count; page++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            (long offset, int length) = _pages.RangeOf(page);
            if (FindDamage(offset - _header.Data.Offset, length) is not { } failure) continue;
            if (damage.Count > 0 && damage[^1] is { } last && last.Offset + last.LengthBytes == offset) damage[^1] = last with { LengthBytes = last.LengthBytes + length };
            else damage.Add(failure.ToDamage());
        }

        return damage;
    }

    /// <summary>Decodes the state, after verifying all of its bytes.</summary>
    /// <exception cref="SchemaMismatchException">The snapshot holds another type, or a shape of it that cannot be read as the present one.</exception>
    /// <exception cref="StoreCorruptException">The data is damaged.</exception>
    public T Read<T>() => SnapshotReader.TryRead(this, NinoCodec<T>.Default, out T? state, out SnapshotFailure? failure) ? state : throw failure!.ToException(_folder);

    /// <summary>Unmaps the file; when another thread is inside a member, as soon as it leaves.</summary>
    public void Dispose()
    {
        lock (_lease)
        {
            if (_disposed) return;
            _disposed = true;
            if (_readers > 0) return;
        }

        _mapping.Dispose();
    }

    internal SnapshotHeader Header => _header;

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

    /// <summary>Verifies a range of the data section. The caller holds a lease and has checked the range.</summary>
    internal SnapshotFailure? FindDamage(long offset, long lengthBytes)
    {
        long page = _pages.FindDamage(offset, lengthBytes);
        if (page < 0) return null;
        (long start, int length) = _pages.RangeOf(page);
        return new SnapshotFailure(SnapshotFailureKind.DataDamaged, _info.FileName, start, length, $"Page {page} of the data, {length} bytes from offset {start}, does not match its checksum: the snapshot is damaged.");
    }

    /// <summary>Bytes of the data section that <see cref="FindDamage"/> has found whole. The caller holds a lease.</summary>
    internal ReadOnlySpan<byte> VerifiedData(int lengthBytes) => _mapping.Span(_header.Data.Offset, lengthBytes);

    private static SnapshotFile? TryOpen(IStoreFile file, string folder, SnapshotVerification verification, out SnapshotFailure? failure)
    {
        IStoreMapping mapping = file.Map();
        SnapshotFile? snapshot = null;
        try
        {
            ReadOnlySpan<byte> start = mapping.Span(0, (int)Math.Min(mapping.LengthBytes, SnapshotFormat.MaxHeaderSize));
            failure = SnapshotHeader.Parse(start, mapping.LengthBytes, file.Name, out SnapshotHeader? header);
            if (failure is not null) return null;
            failure = SnapshotSections.Check(mapping, header!, file.Name, out NinoSchema? schema);
            if (failure is not null) return null;

            var candidate = new SnapshotFile(mapping, header!, schema!, folder, file.Name);
            if (verification == SnapshotVerification.All) failure = candidate.FindDamage(0, header!.Data.LengthBytes);
            return snapshot = failure is null ? candidate : null;
        }
        finally
        {
            if (snapshot is null) mapping.Dispose();
        }
    }

    private T Live<T>(T value)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed), this);
        return value;
    }

    private void Release()
    {
        lock (_lease)
            if (--_readers > 0 || !_disposed) return;
        _mapping.Dispose();
    }

    internal readonly struct Lease(SnapshotFile file) : IDisposable
    {
        public void Dispose() => file.Release();
    }
}
