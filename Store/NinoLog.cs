namespace Store;

/// <summary>
/// The one-file form of a log: for bulk export and for shipping a log to somebody. It has records only: no snapshots, states, keyed state, cursors, retention,
/// backup or following of another store, and it notices less surely that it was cut off between two frames, or that it has a second writer (docs/durability.md). Appending and reading are as in a folder's <see cref="NinoStore"/>.
/// While it is open, the file <c>&lt;name&gt;.lock</c> beside it keeps other writers out; it stays, empty, and may be removed when nobody has the log open.
/// </summary>
public static class NinoLog
{
    /// <summary>Creates a log in one new file. Disposing it seals the file to its exact size; <see cref="NinoStore.Open"/> on the file appends again.</summary>
    /// <param name="path">The file, which must not exist yet.</param>
    /// <param name="options">Settings, or null for the defaults.</param>
    /// <exception cref="IOException">The file exists, there is a folder in its place, or it cannot be created.</exception>
    public static NinoStore Create(string path, NinoStoreOptions? options = null) => StoreOpener.Open(path, options ?? new NinoStoreOptions(), mustBeNewFile: true);
}
