// What the facade asks of snapshots: write one, restore the newest that is whole, keep so many, and say how far back the log is still needed.

using System.Buffers.Binary;
using System.Security.Cryptography;
using Store.IO;
using Store.Serialization;
using Store.Threading;

namespace Store.Snapshots;

/// <summary>A state read from a snapshot.</summary>
/// <param name="State">The state, owned by the caller.</param>
/// <param name="Info">The snapshot it came from: records after its sequence are to be replayed.</param>
/// <param name="Events">Up to which sequence it holds each event, where it was written as an open state; else null.</param>
internal sealed record SnapshotRestore<T>(T State, SnapshotInfo Info, IReadOnlyDictionary<string, long>? Events = null);

/// <summary>
/// The snapshots of one store. Several state types may live in one folder: generations and "newest" are per schema name. Safe for any number of
/// threads; one writing operation at a time. <see cref="Recover"/> and <see cref="Write"/> need the folder's writer lock, reading does not.
/// </summary>
/// <param name="directory">The folder; stays the caller's.</param>
/// <param name="storeId">Identity of the store; snapshots of others are reported and not used.</param>
/// <param name="options">How many generations are kept, and where failures to remove old ones are logged.</param>
/// <param name="newSnapshotId">Source of random numbers; the system's when null.</param>
internal sealed class SnapshotStore(IStoreDirectory directory, Guid storeId, NinoStoreOptions options, Func<ulong>? newSnapshotId = null)
{
    private readonly Func<ulong> _newSnapshotId = newSnapshotId ?? (static () => BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(sizeof(ulong))));
    private readonly SnapshotWriter _writer = new(directory, limits: options.SnapshotLimits, inBackground: !options.RunsInline);
    private readonly SnapshotRetention _retention = new(directory, storeId, options);
    private readonly AsyncMutex _writing = new();

    /// <summary>The names that were there before the log was looked at, when it is open for reading only; null when it is written. One that came since may cover more than was seen of the log, and nothing is wrong with it.</summary>
    public IReadOnlySet<string>? ListedBefore { get; init; }

    /// <summary>The log, so that a snapshot says which record it stands behind and is not believed of another history; null where there is none to ask.</summary>
    public ISnapshotHistory? History
    {
        get => _retention.Verdicts.History;
        set => _retention.Verdicts.History = value;
    }

    /// <inheritdoc cref="SnapshotWriter.Syncs"/>
    public Func<long>? Syncs
    {
        set => _writer.Syncs = value;
    }

    /// <summary>
    /// Clears away what a crash left: removes unfinished snapshots, and sets snapshots aside that cover records the log does not have. Those must go
    /// before the log grows: once it has passed their sequence with other records they would look usable and be wrong. Call once after the log is
    /// recovered, before the first append. Doing it again changes nothing.
    /// </summary>
    /// <param name="logLastSequence">Last sequence of the recovered log.</param>
    /// <param name="damage">Receives the snapshots set aside.</param>
    /// <returns>Names of the files removed.</returns>
    public IReadOnlyList<string> Recover(long logLastSequence, List<StoreDamage> damage)
    {
        using (_writing.Enter())
        {
            var removed = new List<string>();
            foreach (StoreFileEntry entry in directory.List())
            {
                if (!SnapshotName.TryParseTemporary(entry.Name, out _)) continue;
                directory.Delete(entry.Name);
                removed.Add(entry.Name);
            }

            using (SnapshotCatalog catalog = SnapshotCatalog.Open(directory, storeId))
            {
                foreach (SnapshotFile file in catalog.Files) SetAside(Ahead(file, logLastSequence));

                // One that cannot be opened now may be read another time, when the log has passed its sequence with other records: its name is believed.
                foreach (SnapshotFailure failure in catalog.Failures.Where(static f => f.MayBeWhole))
                {
                    if (SnapshotName.TryParse(failure.FileName, out SnapshotName name)) SetAside(Ahead(failure.FileName, name.Sequence, logLastSequence));
                }
            }

            // In any case: a process that was killed may have left names that are seen and not durable yet.
            directory.SyncDirectory();
            return removed;
        }

        void SetAside(SnapshotFailure? ahead)
        {
            if (ahead is null) return;
            directory.Rename(ahead.FileName, ahead.FileName + SnapshotName.AheadSuffix);
            damage.Add(ahead.ToDamage());
        }
    }

    /// <summary>
    /// Writes a snapshot, durable when it completes, and then removes generations that are no longer kept. The log must be durable up to
    /// <paramref name="sequence"/> before. The state must not change meanwhile. When it fails or is cancelled, nothing is left and earlier snapshots stay.
    /// </summary>
    /// <param name="parts">What it holds; the first part's type is the one that generations are counted by.</param>
    /// <param name="sequence">Last sequence whose effect the state holds; 0 when there is none.</param>
    /// <param name="time">When (UTC).</param>
    /// <param name="progress">Told at every MiB written and at the end of each part, on the writing thread; or null.</param>
    /// <param name="cancellationToken">Noticed at every MiB and every item written; after the file is complete it is published in any case, and only the reading of older generations ends early: the next checkpoint removes them.</param>
    /// <exception cref="StoreReadOnlyException">The folder cannot be written.</exception>
    /// <exception cref="IOException">Writing failed.</exception>
    /// <exception cref="NinoSerializationException">A value has no encoding, or is larger than one may be: 2,147,483,591 bytes.</exception>
    public async ValueTask<SnapshotInfo> WriteAsync(IReadOnlyList<SnapshotContent> parts, long sequence, DateTimeOffset time, IProgress<SnapshotProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sequence);
        if (directory.IsReadOnly) throw new StoreReadOnlyException($"{directory.Name}: a snapshot cannot be written, the store is open for reading only.", directory.Name);
        using AsyncMutex.Scope turn = await _writing.EnterAsync(cancellationToken).ConfigureAwait(false);
        var stamp = new SnapshotStamp(storeId, _newSnapshotId(), sequence, NextGeneration(sequence), time, History?.TieOf(sequence) ?? default);
        SnapshotInfo written = await _writer.PublishAsync(parts, stamp, progress, cancellationToken).ConfigureAwait(false);
        _retention.Apply(written, stamp.SnapshotId, parts[0], cancellationToken);
        return written;
    }

    /// <summary>Writes a snapshot of one value.</summary>
    /// <inheritdoc cref="WriteAsync"/>
    public SnapshotInfo Write<T>(NinoCodec<T> codec, in T state, long sequence, DateTimeOffset time, CancellationToken cancellationToken = default) =>
        Uninterrupted.Await(WriteAsync([new SnapshotState<T>("", codec, state)], sequence, time, null, cancellationToken).AsTask());

    /// <summary>Opens the newest snapshot that is not ahead of the log and whose description (with <see cref="SnapshotVerification.All"/>: every byte) is right. The caller disposes it.</summary>
    /// <param name="typeNames">Only snapshots whose first part is of a type of one of these names, or null for any.</param>
    /// <param name="verification">When data is verified.</param>
    /// <param name="logLastSequence">Last sequence of the log.</param>
    /// <param name="damage">Receives every snapshot that was passed over; older ones are not looked at.</param>
    /// <param name="newer">Receives those that a writer has published since the log was looked at, and that cover more of it.</param>
    /// <returns>The snapshot, or null when there is none.</returns>
    public SnapshotFile? OpenNewest(IReadOnlyCollection<string>? typeNames, SnapshotVerification verification, long logLastSequence, List<StoreDamage> damage, ISet<string>? newer = null)
    {
        return FindNewest(Choose, damage);

        SnapshotChoice Choose(SnapshotFile file)
        {
            if (typeNames is not null && !typeNames.Contains(file.Info.TypeName)) return SnapshotChoice.Other;
            if (IsNewer(file, logLastSequence, newer)) return SnapshotChoice.Other;
            if (FindUnusable(file, logLastSequence) is { } unusable) return SnapshotChoice.Failed(unusable);
            if (verification == SnapshotVerification.All && file.FindAnyDamage() is { } failure) return Damaged(file, failure);
            _retention.Verdicts.NoteRead(file);
            Watch(file);
            return SnapshotChoice.Take;
        }
    }

    /// <summary>Reads the newest snapshot of a type that is whole and not ahead of the log.</summary>
    /// <param name="codec">Codec of the state.</param>
    /// <param name="logLastSequence">Last sequence of the log.</param>
    /// <param name="damage">Receives every snapshot that was passed over; older ones are not looked at.</param>
    /// <param name="newer">Receives those that a writer has published since the log was looked at, and that cover more of it.</param>
    /// <returns>The state, or null when there is none: then the whole log is to be replayed, and the caller must check that it begins at sequence 1.</returns>
    /// <exception cref="SchemaMismatchException">The newest snapshot that is whole holds a shape of the type that cannot be read as the present one, or a value that the type refuses. An older one is not used instead, silently.</exception>
    public SnapshotRestore<T>? TryRestoreNewest<T>(NinoCodec<T> codec, long logLastSequence, List<StoreDamage> damage, ISet<string>? newer = null)
    {
        SnapshotRestore<T>? restored = null;
        using (FindNewest(Choose, damage)) return restored;

        SnapshotChoice Choose(SnapshotFile file)
        {
            if (!codec.Schema.IsNamed(file.Info.TypeName)) return SnapshotChoice.Other;
            if (IsNewer(file, logLastSequence, newer)) return SnapshotChoice.Other;

            // Of the parts it is the first alone that is read.
            if (FindUnusable(file, logLastSequence) is { } unusable && !file.IsBesideFirstPart(unusable)) return SnapshotChoice.Failed(unusable);
            if (SnapshotReader.TryRead(file, codec, out T? state, out SnapshotFailure? failure))
            {
                restored = new SnapshotRestore<T>(state, file.Info, file.FirstPart.Events);
                _retention.Verdicts.NoteRestored(file);
                return SnapshotChoice.Take;
            }

            if (!failure.IsOfProgram) return Damaged(file, failure);
            _retention.Verdicts.NoteRefused(file);
            throw failure.ToException(directory.Name);
        }
    }

    /// <summary>As the other form, by a callback that reads what it needs of a snapshot: one in which it meets damage is passed over, whatever it makes of that.</summary>
    /// <param name="typeNames">Only snapshots whose first part is of a type of one of these names, or null for any.</param>
    /// <param name="restore">Gives the state; the snapshot is open only inside it. What it throws, other than over damage, is thrown.</param>
    /// <param name="logLastSequence">Last sequence of the log.</param>
    /// <param name="damage">Receives every snapshot that was passed over; older ones are not looked at.</param>
    /// <param name="newer">Receives those that a writer has published since the log was looked at, and that cover more of it.</param>
    public SnapshotRestore<T>? TryRestoreNewest<T>(IReadOnlyCollection<string>? typeNames, Func<SnapshotFile, T> restore, long logLastSequence, List<StoreDamage> damage, ISet<string>? newer = null)
    {
        SnapshotRestore<T>? restored = null;
        using (FindNewest(Choose, damage)) return restored;

        SnapshotChoice Choose(SnapshotFile file)
        {
            if (typeNames is not null && !typeNames.Contains(file.Info.TypeName)) return SnapshotChoice.Other;
            if (IsNewer(file, logLastSequence, newer)) return SnapshotChoice.Other;
            if (FindUnusable(file, logLastSequence) is { } unusable) return SnapshotChoice.Failed(unusable);

            // What this callback meets, on whatever threads it reads: the verdicts are everybody's, and a checkpoint meanwhile forgets those of files that are gone.
            SnapshotFailure? met = null;
            Watch(file, failure => Interlocked.CompareExchange(ref met, failure, null));
            T state;
            try
            {
                state = restore(file);
            }
            catch (Exception) when (Volatile.Read(ref met) is not null)
            {
                return SnapshotChoice.Failed(met!.ToDamage());
            }

            if (Volatile.Read(ref met) is { } damaged) return SnapshotChoice.Failed(damaged.ToDamage());
            restored = new SnapshotRestore<T>(state, file.Info);
            _retention.Verdicts.NoteRead(file);
            return SnapshotChoice.Take;
        }
    }

    /// <summary>
    /// The snapshots of a type (of any, where none is named) that some opening has set aside, because they covered records which the log had lost; and those of which it cannot be told. Each with why: what they held is not in what is left of the log.
    /// </summary>
    public IReadOnlyList<StoreDamage> FindSetAside(IReadOnlyCollection<string>? typeNames)
    {
        List<StoreDamage> aside = [];
        foreach (StoreFileEntry entry in directory.List())
        {
            if (!entry.Name.EndsWith(SnapshotName.AheadSuffix, StringComparison.Ordinal) || !SnapshotName.TryParseUnused(entry.Name, out SnapshotName name)) continue;
            using SnapshotFile? file = SnapshotFile.TryOpen(directory, entry.Name, SnapshotVerification.OnFirstTouch, out _);
            if (file is not null && (file.StoreId != storeId || typeNames?.Contains(file.Info.TypeName) == false)) continue;
            aside.Add(new StoreDamage(entry.Name, 0, entry.LengthBytes, StoreDamageKind.Corruption, $"The snapshot covers the log up to sequence {file?.Info.Sequence ?? name.Sequence}, which the log did not have any more when the store was opened: it was set aside. To begin without what it held, move it out of the folder.") { SnapshotFailure = SnapshotFailureKind.AheadOfLog });
        }

        return aside;
    }

    /// <summary>The snapshots whose header, names and schemas are right, newest first. Their data is not read.</summary>
    public IReadOnlyList<SnapshotInfo> List()
    {
        using SnapshotCatalog catalog = SnapshotCatalog.Open(directory, storeId);
        return [.. catalog.Files.Select(file => file.Info)];
    }

    /// <inheritdoc cref="SnapshotRetention.RemoveAll"/>
    public int DeleteAll(string typeName)
    {
        using (_writing.Enter()) return _retention.RemoveAll(typeName);
    }

    /// <summary>False when it is known that a snapshot cannot be used; its data is not read.</summary>
    public bool IsUsable(SnapshotFile file) => _retention.Verdicts.FindUnusable(file) is null;

    /// <inheritdoc cref="SnapshotVerdicts.IsOfThisLog"/>
    public bool IsOfThisLog(SnapshotFile file) => _retention.Verdicts.IsOfThisLog(file);

    /// <inheritdoc cref="SnapshotRetention.ReachOf"/>
    public long? ReachOf(string typeName) => _retention.ReachOf(typeName);

    /// <summary>What holds the log although no snapshot does yet.</summary>
    public SnapshotHolds Holds { get; } = new();

    /// <summary>
    /// Records above this sequence must stay in the log, and what needs them: the oldest snapshot kept, of any type, or a checkpoint that is to become one. Null when nothing does. A snapshot counts until its removal
    /// is durable; and also when it cannot be opened at this moment or by this version, because it may be another time: then its name is believed.
    /// </summary>
    public (long Sequence, string What)? Needed
    {
        get
        {
            // Both read before the listing: a snapshot that is published in between is still held, and a removal that finishes is still counted.
            (long Sequence, string What)? needed = Holds.Lowest;
            long removing = _retention.Removing;
            using SnapshotCatalog catalog = SnapshotCatalog.Open(directory, storeId);
            long oldest = catalog.Files.Count == 0 ? long.MaxValue : Math.Min(catalog.Files[^1].Info.Sequence, removing);
            Take(oldest, "the oldest snapshot kept");
            foreach (SnapshotFailure failure in catalog.Failures)
            {
                if (failure.MayBeWhole && SnapshotName.TryParse(failure.FileName, out SnapshotName name)) Take(name.Sequence, $"the snapshot {failure.FileName}, which cannot be opened now");
            }

            return needed;

            void Take(long sequence, string what)
            {
                if (sequence < long.MaxValue && (needed is null || sequence < needed.Value.Sequence)) needed = (sequence, what);
            }
        }
    }

    // From the newest name on; by all headers only where names do not tell.
    private SnapshotFile? FindNewest(Func<SnapshotFile, SnapshotChoice> choose, List<StoreDamage> damage)
    {
        var search = new SnapshotSearch(directory, storeId);
        if (search.TryFind(choose, out SnapshotFile? newest))
        {
            damage.AddRange(search.Passed);
            return newest;
        }

        using SnapshotCatalog catalog = SnapshotCatalog.Open(directory, storeId);
        foreach (SnapshotFailure failure in catalog.Failures) damage.Add(failure.ToDamage());
        foreach (SnapshotFile file in catalog.Files)
        {
            SnapshotChoice choice = choose(file);
            if (choice.IsTaken) return catalog.Release(file);
            if (choice.Damage is not null) damage.Add(choice.Damage);
        }

        return null;
    }

    // Why a snapshot cannot be used, as far as that is known without reading its data.
    private StoreDamage? FindUnusable(SnapshotFile file, long logLastSequence) => Ahead(file, logLastSequence)?.ToDamage() ?? _retention.Verdicts.FindUnusable(file);

    // Damage that is met in reading it from here on is remembered.
    private void Watch(SnapshotFile file, Action<SnapshotFailure>? met = null)
    {
        ulong id = file.SnapshotId;
        file.DamageMet = failure =>
        {
            _retention.Verdicts.NoteDamaged(id, failure);
            met?.Invoke(failure);
        };
    }

    private SnapshotChoice Damaged(SnapshotFile file, SnapshotFailure failure)
    {
        _retention.Verdicts.NoteDamaged(file.SnapshotId, failure);
        return SnapshotChoice.Failed(failure.ToDamage());
    }

    private bool IsNewer(SnapshotFile file, long logLastSequence, ISet<string>? newer)
    {
        if (newer is null || ListedBefore is null || file.Info.Sequence <= logLastSequence || ListedBefore.Contains(file.Info.FileName)) return false;
        newer.Add(file.Info.FileName);
        return true;
    }

    private static SnapshotFailure? Ahead(SnapshotFile file, long logLastSequence) => Ahead(file.Info.FileName, file.Info.Sequence, logLastSequence);

    private static SnapshotFailure? Ahead(string fileName, long sequence, long logLastSequence) => sequence <= logLastSequence
        ? null
        : new SnapshotFailure(SnapshotFailureKind.AheadOfLog, fileName, 48, 8, $"The snapshot covers the log up to sequence {sequence}, and the log ends at {logLastSequence}: the log has lost records. It is not used.");

    /// <summary>Above every generation of that sequence that the folder shows under any suffix, so that no name is used twice.</summary>
    private uint NextGeneration(long sequence)
    {
        uint last = 0;
        foreach (StoreFileEntry entry in directory.List())
        {
            if (!SnapshotName.TryParse(entry.Name, out SnapshotName name) && !SnapshotName.TryParseUnused(entry.Name, out name)) continue;
            if (name.Sequence == sequence) last = Math.Max(last, name.Generation);
        }

        return last < uint.MaxValue ? last + 1 : throw new StoreException($"{directory.Name}: there is no generation left for a snapshot of sequence {sequence}. Remove '{new SnapshotName(sequence, last)}' if it is not a snapshot.", directory.Name);
    }
}
