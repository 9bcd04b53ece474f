// How does a copy get a keyed state that the copied log cannot make anew? The files of its newest checkpoint are written aside before the log is copied, so that the log reaches them and nobody is held up for longer than that; when
// the log is there, they take the place of the earlier ones in one step (FolderExchange). What cannot be copied so that it is known to open is left out, and said.
//
//   the log reaches back to its beginning    nothing: the log makes it anew, and its mark in the copy keeps all of the log that it needs for that; what the copy has of an earlier state of the name goes
//   open here, by an engine that gives its   its newest checkpoint, held, and read through in the copy
//   files (IKeyValueCheckpointFiles)
//   not open                                 every file as it is; nobody opens it meanwhile
//   else: another engine has it open, or     left out; the copy keeps what it had of it, and the log behind that
//   the store is open for reading only

using System.Globalization;
using Store.IO;
using Store.KeyValue;
using Store.Retention;

namespace Store.Backup;

/// <summary>The keyed states of one backup. Used by one thread; disposing closes what is open.</summary>
/// <param name="store">The store.</param>
/// <param name="target">The copy.</param>
/// <param name="files">Copies and counts.</param>
internal sealed class BackupKeyedStates(NinoStore store, IStoreDirectory target, BackupFiles files) : IDisposable
{
    private readonly List<Staged> _staged = [];
    private readonly List<BackupOmission> _omitted = [];
    private long _first;

    /// <summary>What could not be copied.</summary>
    public IReadOnlyList<BackupOmission> Omitted => _omitted;

    private IStoreDirectory Source => store.Opened.Directory;

    /// <summary>Writes the checkpoints aside. The log that is copied must be asked for afterwards.</summary>
    /// <param name="first">First sequence of the log.</param>
    public void Stage(long first)
    {
        _first = first;
        if (first == 1) return;
        foreach (CursorMark mark in CursorMarks.Read(Source))
        {
            files.ThrowIfCancelled();
            if (mark.Content.Newest is { Since: > 0 } begun && begun.StoreId == store.StoreId) MarkBeginning(begun, mark);
            if (mark.Kind != MarkerKind.KeyedState) continue;
            if (mark.Problem(store.StoreId) is { } problem)
            {
                Omit(mark.FileName, $"Whose files it stands for is not known: {problem}. Open the keyed state, or forget it, and back up again.");
                continue;
            }

            Marker marker = mark.Content.Newest!.Value;
            if (!IsMadeAnew(marker)) Stage(marker.Name, mark.FileName);
        }
    }

    /// <summary>Puts the checkpoints in place. The log that was copied must reach them.</summary>
    public void Exchange()
    {
        foreach (Staged staged in _staged)
        {
            files.ThrowIfCancelled();
            if (staged.IsNew) FolderExchange.Run(staged.Folder, staged.Names);
        }
    }

    /// <summary>The mark that the copy is to have: not ahead of what its checkpoint needs. Null when that of an earlier copy is to stay.</summary>
    public Marker? MarkOf(Marker marker, string fileName)
    {
        if (IsMadeAnew(marker)) return marker with { Sequence = marker.Since, Segment = 0 };
        if (_staged.Find(s => s.Name == marker.Name) is { } staged) return marker with { Sequence = Math.Min(marker.Sequence, staged.NeededAfter), Segment = 0 };
        return CursorMarks.TryRead(target, fileName) is { } there && (there.Problem(store.StoreId) is not null || !IsOfAnotherLife(there, marker)) ? null : marker with { Sequence = Math.Max(_first - 1, marker.Since), Segment = 0 };
    }

    public void Dispose()
    {
        foreach (Staged staged in _staged) staged.Folder.Dispose();
    }

    private bool IsMadeAnew(Marker marker) => _first <= marker.Since + 1;

    // A state, keyed or not, that was begun in a truncated log is known to be whole in one by its mark only. An earlier copy that has none ends before that beginning, and grows past it before marks are copied.
    // A keyed state that was forgotten and begun anew has another beginning than the copy's: what the copy has of the earlier one goes before its log grows, or it would be taken for the beginning of the new one.
    private void MarkBeginning(Marker marker, CursorMark mark)
    {
        if (LogEnd.Read(target, out _) is not { } end) return;
        if (CursorMarks.TryRead(target, mark.FileName) is not { } there)
        {
            long since = Math.Min(marker.Since, end.Sequence);
            MarkerFile.Publish(target, mark.FileName, marker with { Sequence = since, Since = since, Segment = 0 });
        }
        else
        {
            if (mark.Kind != MarkerKind.KeyedState || there.Problem(store.StoreId) is not null || !IsOfAnotherLife(there, marker)) return;
            MarkerFile.Publish(target, mark.FileName, marker with { Sequence = marker.Since, Segment = 0, Generation = Math.Max(marker.Generation, there.Content.Newest!.Value.Generation) + 1 });
        }

        if (mark.Kind == MarkerKind.KeyedState && KeyedFolder.IsName(marker.Name)) Empty(marker.Name);
    }

    private static bool IsOfAnotherLife(CursorMark there, Marker marker) => there.Content.Newest!.Value.Since != marker.Since;

    private void Empty(string name)
    {
        using IStoreDirectory folder = OpenCopy(name);
        if (folder.List().Count > 0) FolderExchange.Run(folder, []);
    }

    private void Omit(string name, string reason) => _omitted.Add(new BackupOmission(name, reason));

    private void Stage(string name, string markFile)
    {
        if (!KeyedFolder.IsName(name)) Omit(name, $"It is no name of keyed state: {KeyedFolder.Names}.");
        else if (store.IsReadOnly) Omit(name, "The store is open for reading only, so whether another process changes the keyed state's files meanwhile is not known. Back up in the process that has it open for writing.");
        else if (store.Companions.TryShare(StoreCompanions.KeyedState, name) is { } shared) Held(shared, () => StageOpen(name));
        else if (store.Companions.TryClaim(StoreCompanions.KeyedState, name) is { } claimed) Held(claimed, () => StageClosed(name, markFile));
        else Omit(name, "It was opened or closed at the moment when it was to be copied. Back up again.");
    }

    private static void Held(IDisposable name, Action stage)
    {
        using (name) stage();
    }

    private void StageOpen(string name)
    {
        if (store.Companions.EngineOf(name) is not { } engine)
        {
            Omit(name, "It was opened or closed at the moment when it was to be copied. Back up again.");
            return;
        }

        if (engine is not IKeyValueCheckpointFiles giving)
        {
            Omit(name, $"Its engine does not give its files ({nameof(IKeyValueCheckpointFiles)}). Back up while it is not open.");
            return;
        }

        IKeyValueCheckpointHold? hold;
        try
        {
            hold = giving.HoldCheckpoint();
        }
        catch (ObjectDisposedException)
        {
            Omit(name, "It was closed at the moment when it was to be copied. Back up again.");
            return;
        }
        catch (StoreException e)
        {
            Omit(name, $"Its newest checkpoint cannot be read: {e.Message} Write a new one (CheckpointAsync), and back up again.");
            return;
        }

        using (hold)
        {
            if (hold is null) Omit(name, "It has no checkpoint, and the log no longer has all of its changes. Write one (CheckpointAsync), and back up again.");
            else if (hold.Sequence + 1 < _first) Omit(name, string.Create(CultureInfo.InvariantCulture, $"Its newest checkpoint stands at record {hold.Sequence}, and the log begins with record {_first}. Write one (CheckpointAsync), and back up again."));
            else if (hold.Sequence > store.DurableSequence) Omit(name, string.Create(CultureInfo.InvariantCulture, $"Its newest checkpoint stands at record {hold.Sequence}, and the log is durable up to {store.DurableSequence} only: the engine put it in force too early."));
            else Copy(name, hold.Files, hold, hold.Sequence);
        }
    }

    // Nobody has it open, and its name is taken: neither its files nor its mark change.
    private void StageClosed(string name, string markFile)
    {
        using IStoreDirectory source = OpenSource(name);
        FolderExchange.Finish(source);
        IReadOnlyList<StoreFileEntry> all = source.List();
        if (all.Count == 0) Omit(name, "It has no files, and the log no longer has all of its changes.");
        else if (CursorMarks.TryRead(Source, markFile) is { } mark) Copy(name, all, null, mark.Content.LowestSequence);
    }

    private IStoreDirectory OpenSource(string name) => KeyedFolder.Open(Source, store.Options.Directory is not null, name);

    private IStoreDirectory OpenCopy(string name) => KeyedFolder.Open(target, target is not DiskDirectory, name);

    private void Copy(string name, IReadOnlyList<StoreFileEntry> list, IKeyValueCheckpointHold? hold, long neededAfter)
    {
        using IStoreDirectory source = OpenSource(name);
        IStoreDirectory folder = OpenCopy(name);
        try
        {
            FolderExchange.Finish(folder);
            IReadOnlyList<StoreFileEntry> there = folder.List();
            string[] names = [.. list.Select(static f => f.Name)];
            bool isNew = Copy(source, folder, list, there, isTold: hold is not null);
            if (isNew && hold?.FindDamage(new StagedView(folder, names, files.ThrowIfCancelled)) is { } damage)
            {
                foreach (string file in names.Where(n => folder.List().Any(f => f.Name == n + FolderExchange.StagedSuffix))) folder.Delete(file + FolderExchange.StagedSuffix);
                Omit(name, $"Its newest checkpoint is damaged: {damage} Write a new one (CheckpointAsync), and back up again.");
                folder.Dispose();
                return;
            }

            _staged.Add(new Staged(name, folder, names, neededAfter, isNew || there.Any(f => !names.Contains(f.Name))));
        }
        catch
        {
            folder.Dispose();
            throw;
        }
    }

    // Returns whether anything had to be copied.
    private bool Copy(IStoreDirectory source, IStoreDirectory folder, IReadOnlyList<StoreFileEntry> list, IReadOnlyList<StoreFileEntry> there, bool isTold)
    {
        bool isSame = isTold && IsThere(source, folder, list[^1], there), isNew = false;
        foreach (StoreFileEntry entry in list)
        {
            files.ThrowIfCancelled();
            if ((isSame && there.Contains(entry)) || IsThere(source, folder, entry, there))
            {
                files.Keep();
                continue;
            }

            using IStoreFile from = source.OpenRead(entry.Name);
            using IStoreFile to = folder.Create(entry.Name + FolderExchange.StagedSuffix);
            files.Write(from, to, entry.LengthBytes);
            to.SyncData();
            files.Count(entry.LengthBytes);
            isNew = true;
        }

        return isNew;
    }

    private bool IsThere(IStoreDirectory source, IStoreDirectory folder, StoreFileEntry entry, IReadOnlyList<StoreFileEntry> there)
    {
        if (!there.Contains(entry)) return false;
        using IStoreFile from = source.OpenRead(entry.Name), copy = folder.OpenRead(entry.Name);
        return files.AreSame(from, copy, entry.LengthBytes);
    }

    /// <summary>A checkpoint that is to take the place of an earlier one.</summary>
    /// <param name="Name">The keyed state.</param>
    /// <param name="Folder">Its folder in the copy.</param>
    /// <param name="Names">Its files.</param>
    /// <param name="NeededAfter">It needs the log behind this sequence.</param>
    /// <param name="IsNew">False when the copy has exactly these already.</param>
    private sealed record Staged(string Name, IStoreDirectory Folder, string[] Names, long NeededAfter, bool IsNew);
}
