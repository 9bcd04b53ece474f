namespace Store;

/// <summary>The path names nothing that NinoStore wrote: a foreign file, an empty one, or a folder without segments and snapshots.</summary>
public sealed class NotAStoreException(string message, string? path = null) : StoreException(message, path);
