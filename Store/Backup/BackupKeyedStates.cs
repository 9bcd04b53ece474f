// How does a copy get a keyed state that the copied log cannot make anew? The files of its newest checkpoint are written aside before the log is copied, so that the log reaches them and nobody is held up for longer than that; when
// the log is there, they take the place of the earlier ones in one step (FolderExchange). What cannot be copied so that it is known to open is left out, and said.
//
//   the log reaches back to its beginning    nothing: the log makes it anew, and its mark in the copy keeps all of the log that it needs for that
//   open here, by an engine that gives its   its newest checkpoint, held, and read through in the copy
//   files (IKeyValueCheckpointFiles)
//   not open                                 every file as it is; nobody opens it meanwhile
//   else: another engine has it open, or     left out; the copy keeps what it had of it, and the log behind that
//   the store is open for reading only
//
// What the copy has of an earlier life of the state goes when it goes over to the later one, while the log is copied: BackupBeginnings.

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
    private const string Again = "It was opened or closed at the moment when it was to be copied. Back up again.";

    private readonly List<Staged> _staged = [];
    private readonly List<BackupOmission> _omitted = [];
    private BackupBeginnings _beginnings = null!;
    private bool _isStore;
    private long _first;

    /// <summary>What could not be copied.</summary>
    public IReadOnlyList<BackupOmission> Omitted => _omitted;

    private IStoreDirectory Source => store.Opened.Directory;

    private bool IsCopyFlat => target is not DiskDirectory;

    /// <summary>Writes the checkpoints aside. The log that is copied must be asked for afterwards.</summary>
    /// <param name="first">First sequence of the log.</param>
    /// <param name="isStore">True when the copy opens as it is.</param>
    public void Stage(long first, bool isStore)
    {
        (_first, _isStore, _beginnings) = (first, isStore, new BackupBeginnings(Source, store.StoreId, target, first, isStore));
        if (first == 1) return;
        FinishEarlier();
        foreach (CursorMark mark in CursorMarks.Read(Source))
        {
            files.ThrowIfCancelled();
            if (mark.Kind != MarkerKind.KeyedState) continue;
            if (mark.Problem(store.StoreId) is { } problem) OmitMark(mark.FileName, problem);
            else Stage(mark.Content.Newest!.Value, mark);
        }
    }

    /// <summary>Which states the copy goes over to another life of, in the order of the log: each is to begin (<see cref="Begin"/>) when the log is copied up to where it begins, and no further.</summary>
    /// <param name="last">Last sequence to be copied; nothing that is staged is behind it.</param>
    public IReadOnlyList<Beginning> Beginnings(long last)
    {
        List<Beginning> late = [];
        IReadOnlyList<Beginning> all = _beginnings.Settle(last, late);
        foreach (Beginning begun in late)
        {
            Unstage(begun.Marker.Name);
            OmitOnce(begun.Marker.Name, "It was forgotten and begun anew while it was copied: the copy keeps what it had of the one before. Back up again.");
        }

        foreach (Marker marker in _beginnings.Keyed.Values)
        {
            if (_staged.Find(s => s.Name == marker.Name) is { } staged && staged.Since != marker.Since) Unstage(marker.Name);
            if (!_beginnings.IsMadeAnew(marker) && !_staged.Exists(s => s.Name == marker.Name)) OmitOnce(marker.Name, Again);
        }

        return all;
    }

    /// <summary>The state begins in the copy, with nothing of what the copy had of it. Durable on return.</summary>
    /// <param name="begun">The state.</param>
    /// <param name="reached">How far the copy's log reaches.</param>
    public void Begin(Beginning begun, long reached)
    {
        files.ThrowIfCancelled();
        long since = Math.Min(begun.Marker.Since, reached);
        Marker marker = begun.Marker with { Sequence = since, Since = since, Segment = 0 };
        if (marker.Kind != MarkerKind.KeyedState || !KeyedFolder.IsName(marker.Name)) Publish();
        else if (KeyedFolder.OpenIfThere(target, IsCopyFlat, marker.Name) is not { } folder) Publish();
        else
        {
            using (folder)
            {
                FolderExchange.Finish(folder, _beginnings.SinceInCopy(begun.FileName));
                FolderExchange.Empty(folder, since, Publish);
            }
        }

        void Publish() => MarkerFile.Publish(target, begun.FileName, marker);
    }

    /// <summary>Puts the checkpoints in place. The log that was copied must reach them.</summary>
    public void Exchange()
    {
        foreach (Staged staged in _staged)
        {
            files.ThrowIfCancelled();
            if (staged.IsNew) FolderExchange.Run(staged.Folder, staged.Names);
        }

        // A first backup that was interrupted may have left files of an earlier life.
        if (_isStore || _first == 1) return;
        foreach (Marker marker in _beginnings.Keyed.Values.Where(_beginnings.IsMadeAnew))
        {
            using IStoreDirectory? folder = KeyedFolder.IsName(marker.Name) ? KeyedFolder.OpenIfThere(target, IsCopyFlat, marker.Name) : null;
            if (folder is null) continue;
            if (FolderExchange.HasFiles(folder)) FolderExchange.Run(folder, []);
            else FolderExchange.Finish(folder, 0);
        }
    }

    /// <summary>The mark that the copy is to have: not ahead of what its checkpoint needs. Null when that of an earlier copy is to stay.</summary>
    public Marker? MarkOf(string fileName)
    {
        if (!_beginnings.Keyed.TryGetValue(fileName, out Marker marker)) return null;
        if (_beginnings.IsMadeAnew(marker)) return marker with { Sequence = marker.Since, Segment = 0 };
        if (_staged.Find(s => s.Name == marker.Name) is { } staged) return marker with { Sequence = Math.Min(marker.Sequence, staged.NeededAfter), Segment = 0 };
        return CursorMarks.TryRead(target, fileName) is { } there && (there.Problem(store.StoreId) is not null || marker.Since <= there.Content.Newest!.Value.Since) ? null : marker with { Sequence = Math.Max(_first - 1, marker.Since), Segment = 0 };
    }

    public void Dispose()
    {
        foreach (Staged staged in _staged) staged.Folder.Dispose();
    }

    // What an interrupted backup has left in force is finished before the marks that it is in force by can change or go.
    private void FinishEarlier()
    {
        foreach (CursorMark there in CursorMarks.Read(target))
        {
            files.ThrowIfCancelled();
            if (there.Kind != MarkerKind.KeyedState || there.Problem(store.StoreId) is not null || there.Content.Newest is not { } marker || !KeyedFolder.IsName(marker.Name)) continue;
            using IStoreDirectory? folder = KeyedFolder.OpenIfThere(target, IsCopyFlat, marker.Name);
            if (folder is not null) FolderExchange.Finish(folder, marker.Since);
        }
    }

    private void Unstage(string name)
    {
        if (_staged.Find(s => s.Name == name) is not { } staged) return;
        _staged.Remove(staged);
        using (staged.Folder) RemoveStaged(staged.Folder);
    }

    private static void RemoveStaged(IStoreDirectory folder)
    {
        foreach (StoreFileEntry file in folder.List().Where(static f => f.Name.EndsWith(FolderExchange.StagedSuffix, StringComparison.Ordinal))) folder.Delete(file.Name);
    }

    private void Omit(string name, string reason) => _omitted.Add(new BackupOmission(name, reason));

    private void OmitOnce(string name, string reason)
    {
        if (!_omitted.Exists(o => o.Name == name)) Omit(name, reason);
    }

    private void OmitMark(string fileName, string problem) => Omit(fileName, $"Whose files it stands for is not known: {problem}. Open the keyed state, or forget it, and back up again.");

    private void Stage(Marker marker, CursorMark mark)
    {
        _beginnings.Note(mark);
        string name = marker.Name;
        if (_beginnings.IsMadeAnew(marker)) return;
        if (!KeyedFolder.IsName(name)) Omit(name, $"It is no name of keyed state: {KeyedFolder.Names}.");
        else if (store.IsReadOnly) Omit(name, "The store is open for reading only, so whether another process changes the keyed state's files meanwhile is not known. Back up in the process that has it open for writing.");
        else if (store.Companions.TryShare(StoreCompanions.KeyedState, name) is { } shared) Held(shared, mark.FileName, StageOpen);
        else if (store.Companions.TryClaim(StoreCompanions.KeyedState, name) is { } claimed) Held(claimed, mark.FileName, StageClosed);
        else Omit(name, Again);
    }

    // From here on it is not forgotten, and its mark read once more: of whose life the files are.
    private void Held(IDisposable name, string fileName, Action<Marker, CursorMark> stage)
    {
        using (name)
        {
            if (CursorMarks.TryRead(Source, fileName) is not { } mark)
            {
                _beginnings.Forget(fileName);
                return;
            }

            if (mark.Problem(store.StoreId) is { } problem)
            {
                OmitMark(fileName, problem);
                return;
            }

            _beginnings.Note(mark);
            Marker marker = mark.Content.Newest!.Value;
            if (!_beginnings.IsMadeAnew(marker)) stage(marker, mark);
        }
    }

    private void StageOpen(Marker marker, CursorMark mark)
    {
        string name = marker.Name;
        if (store.Companions.EngineOf(name) is not { } engine)
        {
            Omit(name, Again);
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
            else Copy(marker, mark.FileName, hold.Files, hold, hold.Sequence);
        }
    }

    // Nobody has it open, and its name is taken: neither its files nor its mark change.
    private void StageClosed(Marker marker, CursorMark mark)
    {
        using IStoreDirectory source = OpenSource(marker.Name);
        FolderExchange.Finish(source, marker.Since);
        IReadOnlyList<StoreFileEntry> all = source.List();
        if (all.Count == 0) Omit(marker.Name, "It has no files, and the log no longer has all of its changes.");
        else Copy(marker, mark.FileName, all, null, mark.Content.LowestSequence);
    }

    private IStoreDirectory OpenSource(string name) => KeyedFolder.Open(Source, store.Options.Directory is not null, name);

    private void Copy(Marker marker, string markFile, IReadOnlyList<StoreFileEntry> list, IKeyValueCheckpointHold? hold, long neededAfter)
    {
        string name = marker.Name;
        using IStoreDirectory source = OpenSource(name);
        IStoreDirectory folder = KeyedFolder.Open(target, IsCopyFlat, name);
        try
        {
            FolderExchange.Finish(folder, _beginnings.SinceInCopy(markFile));
            IReadOnlyList<StoreFileEntry> there = folder.List();
            string[] names = [.. list.Select(static f => f.Name)];
            bool isNew = Copy(source, folder, list, there, isTold: hold is not null);
            if (isNew && hold?.FindDamage(new StagedView(folder, names, files.ThrowIfCancelled)) is { } damage)
            {
                RemoveStaged(folder);
                Omit(name, $"Its newest checkpoint, or the copy of it, is damaged: {damage} Write a new one (CheckpointAsync), and back up again.");
                folder.Dispose();
                return;
            }

            _staged.Add(new Staged(name, marker.Since, folder, names, neededAfter, isNew || there.Any(f => !names.Contains(f.Name))));
        }
        catch (IOException e) when (IsOfTheFile(e))
        {
            using (folder)
            {
                // The copy may be what cannot be read, and what could not be opened once may be there the next time: the files themselves are asked.
                if ((hold is null ? FindUnreadable(list, source) : FindUnreadable(hold, source)) is not { } problem) throw;
                RemoveStaged(folder);
                Omit(name, hold is null
                    ? $"A file of it cannot be read: {problem} Open the keyed state, write a checkpoint (CheckpointAsync), and back up while it is open."
                    : $"Its newest checkpoint cannot be read: {problem} Write a new one (CheckpointAsync), and back up again.");
            }
        }
        catch
        {
            folder.Dispose();
            throw;
        }
    }

    // A file that is gone, or a sector that cannot be read: not a disk, a network or a number of open files that may be better another time.
    private static bool IsOfTheFile(IOException failure) => failure is FileNotFoundException || IoFailure.IsUnreadable(failure);

    private static string? FindUnreadable(IKeyValueCheckpointHold hold, IStoreDirectory source)
    {
        try
        {
            return hold.FindDamage(source);
        }
        catch (IOException e) when (IsOfTheFile(e))
        {
            return e.Message;
        }
    }

    // Of a state that is not open nobody says what of which file is needed: all of it is read.
    private string? FindUnreadable(IReadOnlyList<StoreFileEntry> list, IStoreDirectory source)
    {
        foreach (StoreFileEntry entry in list)
        {
            try
            {
                using IStoreFile file = source.OpenRead(entry.Name);
                files.ReadThrough(file, entry.LengthBytes);
            }
            catch (IOException e) when (IsOfTheFile(e))
            {
                return e.Message;
            }
        }

        return null;
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
    /// <param name="Since">Which life of it.</param>
    /// <param name="Folder">Its folder in the copy.</param>
    /// <param name="Names">Its files.</param>
    /// <param name="NeededAfter">It needs the log behind this sequence.</param>
    /// <param name="IsNew">False when the copy has exactly these already.</param>
    private sealed record Staged(string Name, long Since, IStoreDirectory Folder, string[] Names, long NeededAfter, bool IsNew);
}
