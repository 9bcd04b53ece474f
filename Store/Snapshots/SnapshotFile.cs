// One snapshot file, open for reading: mapped, its header, names and schemas verified, its data verified page by page before anybody sees it.
// Opening looks at these few bytes only, whatever the file's size. Format page: docs/formats/snapshot.md.

using Store.IO;
using Store.Serialization;

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
/// </summary>
public sealed class SnapshotFile : IDisposable
{
    private readonly IStoreMapping _mapping;
    private readonly SnapshotHeader _header;
    private readonly SnapshotPart[] _parts;
    private readonly string _folder;
    private readonly SnapshotInfo _info;
    private readonly Lock _lease = new();
    private int _readers;
    private bool _disposed;

    private SnapshotFile(IStoreMapping mapping, SnapshotHeader header, SnapshotPartDescription[] descriptions, string folder, string fileName)
    {
        _mapping = mapping;
        _header = header;
        _folder = folder;
        _parts = new SnapshotPart[descriptions.Length];
        for (int i = 0; i < descriptions.Length; i++) _parts[i] = new SnapshotPart(this, mapping, header.Parts[i], descriptions[i], header.PageSize);
        _info = new SnapshotInfo(fileName, header.Stamp.Sequence, header.Stamp.Time, header.FileLength, SnapshotPart.TypeNameOf(_parts[0].Schema, _parts[0].HasItems));
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

    /// <summary>Verifies everything.</summary>
    /// <returns>The damaged places, neighbouring pages as one; empty when the snapshot is whole.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public IReadOnlyList<StoreDamage> Verify(CancellationToken cancellationToken = default)
    {
        using Lease lease = Use();
        var damage = new List<StoreDamage>();
        foreach (SnapshotPart part in _parts)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (part.HasItems && part.FindIndexDamage() is { } index) damage.Add(index.ToDamage());
            for (long page = 0; page < part.Pages.Count; page++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                (long offset, int length) = part.Pages.RangeOf(page);
                if (part.FindDamage(offset - part.Data.Offset, length) is not { } failure) continue;
                if (failure.Kind == SnapshotFailureKind.PageTableDamaged)
                {
                    damage.Add(failure.ToDamage());
                    break;
                }

                if (damage.Count > 0 && damage[^1] is { } last && last.Offset + last.LengthBytes == offset) damage[^1] = last with { LengthBytes = last.LengthBytes + length };
                else damage.Add(failure.ToDamage());
            }
        }

        return damage;
    }

    /// <summary>Decodes the first part, after verifying all of its bytes.</summary>
    /// <inheritdoc cref="SnapshotPart.Read{T}"/>
    public T Read<T>() => _parts[0].Read<T>();

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

    /// <summary>As in <see cref="Info"/>, also when the file is closed: for messages.</summary>
    internal string FileName => _info.FileName;

    internal string Folder => _folder;

    internal SnapshotPart FirstPart => _parts[0];

    /// <summary>Verifies every part, on all processors.</summary>
    internal SnapshotFailure? FindAnyDamage()
    {
        using Lease lease = Use();
        foreach (SnapshotPart part in _parts)
            if (part.FindAnyDamage() is { } failure) return failure;
        return null;
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

    private static SnapshotFile? TryOpen(IStoreFile file, string folder, SnapshotVerification verification, out SnapshotFailure? failure)
    {
        IStoreMapping mapping = file.Map();
        SnapshotFile? snapshot = null;
        try
        {
            ReadOnlySpan<byte> start = mapping.Span(0, (int)Math.Min(mapping.LengthBytes, SnapshotFormat.MaxHeaderSize));
            failure = SnapshotHeader.Parse(start, mapping.LengthBytes, file.Name, out SnapshotHeader? header);
            if (failure is not null) return null;
            failure = SnapshotSections.Check(mapping, header!, file.Name, out SnapshotPartDescription[] parts);
            if (failure is not null) return null;

            var candidate = new SnapshotFile(mapping, header!, parts, folder, file.Name);
            if (verification == SnapshotVerification.All) failure = candidate.FindAnyDamage();
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
