// Whose records does this log hold? Its own, unless the mark of its source says otherwise. The mark is durable before the first frame is imported, so that
// frames of another store never continue the log by accident.

using System.Globalization;
using Store.IO;
using Store.Retention;

namespace Store.Shipping;

/// <summary>The store that a log follows. Not thread-safe.</summary>
/// <param name="directory">The folder.</param>
/// <param name="storeId">Identity of the store in it.</param>
/// <param name="options">The clock.</param>
internal sealed class FollowedStore(IStoreDirectory directory, Guid storeId, NinoStoreOptions options)
{
    public const string FileName = "log-source.nino";

    private Guid? _source;
    private bool _looked;

    /// <summary>True when the folder says that its log follows another store.</summary>
    public static bool IsThere(IStoreDirectory directory) => directory.Find(FileName) is not null;

    /// <summary>Refuses frames that cannot be ones of this log: those of the store it follows, or of the one it is a copy of, which may be a follower itself.</summary>
    /// <exception cref="ShipmentException">They come from another store.</exception>
    public void Check(Guid source, long lastSequence)
    {
        if (!_looked)
        {
            _source = Read();
            _looked = true;
        }

        if (source == storeId || (_source is { } followed ? followed == source : lastSequence == 0)) return;
        string what = _source is null ? "the log has records of its own. Begin with an empty folder, or with a backup of the source" : $"the log follows the store {_source}";
        throw new ShipmentException(ShipmentProblem.Foreign, -1, $"{directory.Name}: a frame of the store {source} was not imported: {what}.", directory.Name);
    }

    /// <summary>Says whom the log follows from now on; durable on return. False when that is said already.</summary>
    public bool Follow(Guid source)
    {
        if (_source is not null) return false;
        MarkerFile.Publish(directory, FileName, new Marker { Kind = MarkerKind.Source, StoreId = storeId, Generation = 1, Sequence = 0, Ticks = options.TimeProvider.GetUtcNow().UtcTicks, Name = source.ToString("N", CultureInfo.InvariantCulture) });
        _source = source;
        return true;
    }

    /// <summary>Takes back what <see cref="Follow"/> said: nothing was imported.</summary>
    public void FollowNobody()
    {
        directory.Delete(FileName);
        directory.SyncDirectory();
        _source = null;
    }

    private Guid? Read()
    {
        Marker? newest = MarkerFile.ReadKind(directory, FileName, MarkerKind.Source, "whose records the log holds", out string? problem)?.Newest;
        if (newest is null && problem is null) return null;
        if (newest is { } marker && marker.StoreId == storeId && Guid.TryParseExact(marker.Name, "N", out Guid source)) return source;
        throw new StoreCorruptException($"{directory.Name}: {FileName}, which says whose records the log holds, is damaged or another store's. Restore it from a backup, or remove it when the log was begun as a backup of the store that it follows.", directory.Name);
    }
}
