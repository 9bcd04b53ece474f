// The marks of cursors, keyed states and states as they lie in the folder, and what opening does with one that is ahead of the log: it is moved into the log before that can grow, a cursor to its end,
// a state to its beginning, or the records that take the sequences in between would be taken for dealt with, never returned, and removed. That it was moved stays in the mark until somebody commits a position.

using System.Globalization;
using Store.IO;

namespace Store.Retention;

/// <summary>One file of a cursor, a keyed state or a state.</summary>
/// <param name="FileName">The file.</param>
/// <param name="Kind">What its name says it is.</param>
/// <param name="Content">What it holds.</param>
internal readonly record struct CursorMark(string FileName, MarkerKind Kind, MarkerContent Content)
{
    /// <summary>True when a newer version wrote it: nothing is wrong with it, and nothing known.</summary>
    public bool IsOfNewerVersion => Content.Newest is null && Content.IsNewerVersion;

    /// <summary>Why it cannot be used; null when it can.</summary>
    public string? Problem(Guid storeId)
    {
        if (Content.Newest is not { } marker) return Content.IsNewerVersion ? "it has a newer format version than this NinoStore reads" : "neither of its two copies verifies";
        if (marker.StoreId != storeId) return $"it belongs to the store {marker.StoreId}, not to {storeId}";
        return marker.Kind == Kind ? null : "it is another kind of marker";
    }
}

/// <summary>Finds the marks of a folder and moves those that are ahead of the log.</summary>
internal static class CursorMarks
{
    private const int MostLooks = 2;

    /// <summary>All marks, by file name. Beside a writer: what it deletes meanwhile is left out.</summary>
    public static List<CursorMark> Read(IStoreDirectory directory)
    {
        List<CursorMark> all = [];
        foreach (StoreFileEntry entry in directory.List())
        {
            if (CursorName.IsCursor(entry.Name) && TryRead(directory, entry.Name) is { } mark) all.Add(mark);
        }

        return all;
    }

    /// <summary>The mark of one file; null when the file is not there any more.</summary>
    public static CursorMark? TryRead(IStoreDirectory directory, string fileName)
    {
        try
        {
            // A writer at work can be met in the one copy and, a moment later, in the other; not three times.
            MarkerContent content = MarkerFile.Read(directory, fileName);
            for (int look = 0; look < MostLooks && content.Newest is null; look++) content = MarkerFile.Read(directory, fileName);
            return new CursorMark(fileName, CursorName.KindOf(fileName), content);
        }
        catch (FileNotFoundException)
        {
            // Deleted since it was listed: it is no cursor any more.
            return null;
        }
    }

    /// <summary>What the mark of a name says; null when there is none, or it cannot be used, which <see cref="CursorStore.Open"/> tells.</summary>
    public static Marker? TryFind(IStoreDirectory directory, Guid storeId, string name, MarkerKind kind) =>
        TryRead(directory, CursorName.FileOf(name, kind)) is { } mark && mark.Problem(storeId) is null ? mark.Content.Newest : null;

    /// <summary>
    /// Moves every mark that is ahead of the log into it (<see cref="Marker.Within"/>), each durable before the next; a crash in between leaves the rest for the next opening. Also one of which only the older copy is ahead: the newer may be in
    /// the system's cache only. Damaged marks and those of other stores stay as they are, for who opens them.
    /// </summary>
    /// <param name="directory">The folder, locked.</param>
    /// <param name="storeId">Identity of the store.</param>
    /// <param name="first">First sequence of the log.</param>
    /// <param name="last">Last sequence of the log; it must not grow before this returns.</param>
    /// <param name="clock">Asked when something is moved.</param>
    /// <param name="damage">What was moved is added here.</param>
    public static void MoveInto(IStoreDirectory directory, Guid storeId, long first, long last, TimeProvider clock, List<StoreDamage> damage)
    {
        foreach (CursorMark mark in Read(directory))
        {
            if (mark.Problem(storeId) is not null || mark.Content.HighestSequence <= last) continue;
            Marker newest = mark.Content.Newest!.Value;
            MarkerFile.Publish(directory, mark.FileName, newest.Within(first, last) with { Generation = newest.Generation + 1, Ticks = clock.GetUtcNow().UtcTicks });
            if (newest.Sequence > last) damage.Add(Ahead(mark, last, mark.Kind == MarkerKind.Cursor ? "it stands at the log's end now" : "the log is kept from its beginning for it now"));
        }
    }

    /// <summary>Adds the marks that cannot be used, for which retention keeps everything and which nobody can open, and what <see cref="MoveInto"/> would move.</summary>
    /// <param name="marks">The marks, read before the log was: beside a writer a log only grows beyond them.</param>
    /// <param name="storeId">Identity of the store.</param>
    /// <param name="last">Last sequence of the log.</param>
    /// <param name="damage">Added to.</param>
    public static void Report(IReadOnlyList<CursorMark> marks, Guid storeId, long last, List<StoreDamage> damage)
    {
        foreach (CursorMark mark in marks)
        {
            if (mark.IsOfNewerVersion) continue;
            if (mark.Problem(storeId) is { } problem) damage.Add(new StoreDamage(mark.FileName, 0, 0, StoreDamageKind.Corruption, $"the mark of a {PositionKind.Of(mark.Kind).What} cannot be used: {problem}"));
            else if (mark.Content.Newest!.Value.Sequence > last) damage.Add(Ahead(mark, last, mark.Kind == MarkerKind.Cursor ? "opening the store for writing moves it to the log's end" : "opening the store for writing keeps the log from its beginning for it"));
        }
    }

    private static StoreDamage Ahead(CursorMark mark, long last, string what)
    {
        Marker newest = mark.Content.Newest!.Value;
        return new StoreDamage(mark.FileName, 0, 0, StoreDamageKind.Corruption, string.Create(CultureInfo.InvariantCulture,
            $"the {PositionKind.Of(mark.Kind).What} '{newest.Name}' stands at record {newest.Sequence}, and the log ends with record {last}: records were given up, or the log is an older copy; {what}"));
    }
}
