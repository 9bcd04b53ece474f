// A keyed state that was forgotten and begun anew is another one from there on: another life of it, told by where it begins (Marker.Since). When does a copy that has the earlier life go over to the later one? At the record behind which the
// later one begins: the log is copied up to there, where neither has a change any more or yet; then the beginning in the copy's mark and the end of what the copy has of the earlier life are one step (FolderExchange.Empty); then the log
// grows on. So whatever interrupts it, a copy that ends before that record has the state as it was, one that ends behind it has what the later life's changes amount to, and its mark says which.
//
//   the copy's mark              the copy goes over to the store's life, from an empty folder
//   none                         when that was begun in a truncated log: its mark tells that it is whole
//   begins before the store's    yes
//   begins where that does       no: it is the same life
//   is damaged                   when the log reaches back to the beginning: then nothing is lost with it. Else the mark stays, until a checkpoint is in place
//
// A life that the copy has nothing of was begun behind the copy's end, which the log still has: it reaches back to that beginning, and makes it anew. Where it does not, somebody has removed the mark from the copy, and nothing is taken away.
// The lives are those that have a mark when the end of the log to be copied is known: a mark is durable before the first change. One that begins behind that end is left to the next backup.

using Store.IO;
using Store.Retention;

namespace Store.Backup;

/// <summary>A state that begins anew in the copy.</summary>
/// <param name="Marker">Its mark in the store.</param>
/// <param name="FileName">Its file.</param>
internal readonly record struct Beginning(Marker Marker, string FileName);

/// <summary>Which life of each keyed state the copy is to have. Used by one thread.</summary>
/// <param name="source">The store's folder.</param>
/// <param name="storeId">Its identity.</param>
/// <param name="target">The copy.</param>
/// <param name="first">First sequence of the log.</param>
/// <param name="isStore">True when the copy opens as it is.</param>
internal sealed class BackupBeginnings(IStoreDirectory source, Guid storeId, IStoreDirectory target, long first, bool isStore)
{
    private readonly Dictionary<string, Marker> _keyed = new(StringComparer.Ordinal);

    /// <summary>Marks of the keyed states whose life is known, by file name.</summary>
    public IReadOnlyDictionary<string, Marker> Keyed => _keyed;

    /// <summary>True when the log makes the state anew, all of it.</summary>
    public bool IsMadeAnew(Marker marker) => first <= marker.Since + 1;

    /// <summary>Notes what life a keyed state has.</summary>
    public void Note(CursorMark mark) => _keyed[mark.FileName] = mark.Content.Newest!.Value;

    /// <summary>It was forgotten meanwhile.</summary>
    public void Forget(string fileName) => _keyed.Remove(fileName);

    /// <summary>Where the copy's life of a state begins; 0 where that is not known.</summary>
    public long SinceInCopy(string fileName) => CursorMarks.TryRead(target, fileName) is { } there && there.Problem(storeId) is null ? there.Content.Newest!.Value.Since : 0;

    /// <summary>Notes the lives of all keyed states.</summary>
    /// <param name="last">Last sequence to be copied.</param>
    /// <param name="late">Gets those that begin behind it, in the place of one that the copy has.</param>
    /// <returns>Those that the copy goes over to, in the order of the log.</returns>
    public IReadOnlyList<Beginning> Settle(long last, List<Beginning> late)
    {
        List<Beginning> states = [];
        foreach (CursorMark mark in CursorMarks.Read(source))
        {
            if (mark.Kind == MarkerKind.Cursor || mark.Problem(storeId) is not null) continue;
            var beginning = new Beginning(mark.Content.Newest!.Value, mark.FileName);
            if (beginning.Marker.Since <= last)
            {
                if (mark.Kind == MarkerKind.KeyedState) Note(mark);
                else if (IsAnew(beginning.Marker, mark.FileName)) states.Add(beginning);
            }
            else if (mark.Kind == MarkerKind.KeyedState && (_keyed.Remove(mark.FileName) | CursorMarks.TryRead(target, mark.FileName) is not null))
            {
                late.Add(beginning);
            }
        }

        return [.. _keyed.Where(k => IsAnew(k.Value, k.Key)).Select(static k => new Beginning(k.Value, k.Key)).Concat(states).OrderBy(static b => b.Marker.Since)];
    }

    private bool IsAnew(Marker marker, string fileName)
    {
        if (!isStore || marker.Since == 0) return false;
        CursorMark? there = CursorMarks.TryRead(target, fileName);
        if (marker.Kind == MarkerKind.State) return there is null;
        return IsMadeAnew(marker) && (there is not { } mark || mark.Problem(storeId) is not null || mark.Content.Newest!.Value.Since < marker.Since);
    }
}
