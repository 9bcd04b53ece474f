namespace Store.Inspect.Commands;

/// <summary>Is a path that of a snapshot?</summary>
internal static class SnapshotFiles
{
    /// <summary>True for the file of a snapshot that was opened by its own path, also where its header is damaged: <see cref="StoreReader.IsSnapshot"/> is false then, because nothing of it can be read.</summary>
    public static bool IsSnapshotFile(this StoreReader reader) => !reader.IsFolder && reader.Files is [{ Kind: StoreFileKind.Snapshot }];
}
